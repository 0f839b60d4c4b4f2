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

/// Base parameters named for a parameter that is regrouped into many.
const MOST_GROUPS: usize = 24;
/// Parameters up to which each tells its formula; beyond, the list of base parameters does.
const MOST_FORMULAS: usize = 600;

/// What to say about each column.
fn group_of(analysis: &Analysis, family: &Family) -> Vec<String> {
    let names = analysis.names();
    let mut said = vec![String::new(); analysis.labels.len()];
    let mut groups = vec![0; analysis.labels.len()];
    for base in &analysis.regrouping.base {
        for &(column, _) in &base.terms[1..] {
            groups[column] += 1;
            if groups[column] <= MOST_GROUPS {
                let start = if groups[column] == 1 { "regrouped into " } else { ", " };
                said[column] += &format!("{start}{}", analysis.labels[base.column]);
            }
        }
    }
    for (said, groups) in said.iter_mut().zip(groups).filter(|(_, groups)| *groups > MOST_GROUPS) {
        *said += &format!(" and {} more", groups - MOST_GROUPS);
    }
    for base in analysis.regrouping.base.iter().filter(|base| base.terms.len() > 1) {
        said[base.column] = match names.len() <= MOST_FORMULAS {
            true => format!("identifiable as {}", formula(family, &names, &base.terms)),
            false => format!("identifiable with {} regrouped into it", base.terms.len() - 1),
        };
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
