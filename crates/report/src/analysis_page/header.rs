//! The header: the robot, the three counts, the certificate, and the notes.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identifiability::Analysis;

use super::fate_class;
use crate::fate::{Fate, fates};
use crate::notes::analysis_notes;
use crate::page::{counts, measure_words, remarks};
use crate::words::{certificate_sentence, count, number};

pub(super) fn header(mechanism: &Mechanism, analysis: &Analysis) -> Markup {
    let robot = mechanism.robot();
    let state = match &analysis.certificate {
        Some(certificate) if certificate.complete => "good",
        Some(_) => "bad",
        None => "open",
    };
    let known = analysis.known.iter().map(|&(c, x)| format!("{} = {}", analysis.labels[c], number(x, 6)));
    html! {
        header {
            p.kicker { "What can be identified" }
            h1 { (robot.name) }
            p.lead {
                (count(robot.bodies.len(), "moving body"))
                @if !robot.loops.is_empty() { ", " (count(robot.loops.len(), "loop")) }
                ", mobility " (mechanism.dof()) ". Measured: " b { (measure_words(&analysis.measure.to_string())) }
                ". Method: " b { (analysis.method.name()) } "."
            }
            (counted(analysis))
            (fate_bar(analysis))
            p.certificate.(state) { (certificate_sentence(analysis)) }
            @if !analysis.known.is_empty() {
                p.remark { "Known: " (known.collect::<Vec<_>>().join(", ")) "." }
            }
            (remarks(&analysis_notes(analysis)))
        }
        "\n"
    }
}

fn counted(analysis: &Analysis) -> Markup {
    let unexplained = match analysis.unexplained() {
        0 => "all explained by geometry".to_owned(),
        n => format!("{n} without an explanation"),
    };
    let known = match analysis.known.len() {
        0 => String::new(),
        n => format!("besides {n} known"),
    };
    let alone = analysis.regrouping.alone.len();
    let grouped = analysis.regrouping.base.len().saturating_sub(alone);
    counts(&[
        (analysis.parameters().to_string(), "parameters", known),
        (
            analysis.identifiable().to_string(),
            "base parameters (rank)",
            format!("{alone} alone, {grouped} in groups"),
        ),
        (analysis.vectors.len().to_string(), "unidentifiable combinations (nullity)", unexplained),
    ])
}

/// A bar of the four fates.
fn fate_bar(analysis: &Analysis) -> Markup {
    let fates = fates(analysis);
    let counted = Fate::ALL.map(|fate| (fate, fates.iter().filter(|other| **other == fate).count()));
    let some = || counted.iter().filter(|(_, n)| *n > 0);
    html! {
        div.bar { @for (fate, n) in some() { i.(fate_class(*fate)) style={ "flex:" (n) } {} } }
        p.legend {
            @for (fate, n) in some() {
                span { i.cell.(fate_class(*fate)) {} (n) " " (meaning(*fate)) }
            }
        }
    }
}

fn meaning(fate: Fate) -> &'static str {
    match fate {
        Fate::Alone => "identifiable alone",
        Fate::Grouped => "only in a group",
        Fate::NoEffect => "without effect",
        Fate::Known => "known beforehand",
    }
}
