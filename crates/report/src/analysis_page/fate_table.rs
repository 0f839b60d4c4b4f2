//! The section on what becomes of each parameter: a row for each body and drive, a cell for each parameter.

use maud::{Markup, html};
use steiner_identifiability::{Analysis, DRIVE_PARAMETERS};
use steiner_robot::PARAMETERS;

use crate::family::Family;
use crate::fate::{Fate, Owner, fates, owners};
use crate::formula::formula;
use crate::page::body_chip;
use crate::words::number;

/// The class that gives a fate its colour.
pub(crate) fn fate_class(fate: Fate) -> &'static str {
    match fate {
        Fate::Alone => "alone",
        Fate::Grouped => "group",
        Fate::NoEffect => "none",
        Fate::Known => "known",
    }
}

pub(super) fn fate_table(analysis: &Analysis, family: &Family) -> Markup {
    let fates = fates(analysis);
    let said = group_of(analysis, family);
    let owners = owners(analysis);
    let (bodies, drives) = owners.split_at(analysis.bodies.len().min(owners.len()));
    let table = |parameters: &[&str], owners: &[Owner], are_bodies: bool| {
        html! {
            table.fates {
                thead { tr { th {} @for parameter in parameters { th { (parameter) } } } }
                tbody {
                    @for (k, owner) in owners.iter().enumerate() {
                        tr {
                            th { @if are_bodies { (body_chip(k)) } (owner.name) }
                            @for c in owner.first..owner.first + owner.parameters.len() {
                                td.(fate_class(fates[c])) title={ (analysis.labels[c]) ": " (said[c]) } {}
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    };
    html! {
        div.wide.tables {
            (table(&PARAMETERS, bodies, true))
            @if !drives.is_empty() { (table(&DRIVE_PARAMETERS, drives, false)) }
        }
    }
}

/// What to say about each column.
fn group_of(analysis: &Analysis, family: &Family) -> Vec<String> {
    let names = analysis.names();
    let mut said = vec![String::new(); analysis.labels.len()];
    for base in &analysis.regrouping.base {
        for &(column, _) in &base.terms[1..] {
            let start = if said[column].is_empty() { "regrouped into " } else { ", " };
            said[column] += &format!("{start}{}", analysis.labels[base.column]);
        }
    }
    for base in analysis.regrouping.base.iter().filter(|base| base.terms.len() > 1) {
        said[base.column] = format!("identifiable as {}", formula(family, &names, &base.terms));
    }
    for (column, fate) in fates(analysis).into_iter().enumerate() {
        match fate {
            Fate::Alone => said[column] = "identifiable alone".to_owned(),
            Fate::NoEffect => said[column] = "no effect on what is measured".to_owned(),
            Fate::Known | Fate::Grouped => {}
        }
    }
    for &(column, value) in &analysis.known {
        said[column] = format!("known, {}", number(value, 6));
    }
    said
}
