//! The answer as one page: no network, no scripts, light and dark.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, DRIVE_PARAMETERS, Principle};
use steiner_robot::PARAMETERS;

use crate::family::Family;
use crate::fate::{Fate, Owner, fates, owners};
use crate::formula::{Coefficient, formula, summands};
use crate::kinematic_graph::kinematic_graph;
use crate::mechanism_picture::mechanism_picture;
use crate::notes::analysis_notes;
use crate::page::{measure_words, page, section};
use crate::parameter_matrix::parameter_matrix;
use crate::reasons::{reason_sentence, weak_sentence};
use crate::stories::{Story, principle_sentence, stories};
use crate::svg::{escaped, hue};
use crate::symbolic::{SymbolicAnswer, symbolic_sections};
use crate::words::{certificate_sentence, count, number};

/// A self-contained page about an analysis: counts and certificate, what becomes of each parameter, the mechanism, its
/// graph, the base parameters, and why the rest is invisible. The same input gives the same page.
pub fn analysis_html(mechanism: &Mechanism, analysis: &Analysis) -> String {
    analysis_html_with(mechanism, analysis, None)
}

/// The same with the base parameters in symbols.
pub fn analysis_html_with(
    mechanism: &Mechanism,
    analysis: &Analysis,
    symbolic: Option<&SymbolicAnswer<'_>>,
) -> String {
    let family = Family::new(mechanism, analysis);
    let mut out = String::new();
    out += &header(mechanism, analysis);
    section(&mut out, "What becomes of each parameter", "", &fate_table(analysis, &family));
    section(&mut out, "The mechanism", PICTURE, &mechanism_picture(mechanism, analysis));
    let graph = format!("<div class=\"wide far\">{}</div>", kinematic_graph(mechanism, analysis));
    section(&mut out, "The kinematic graph", GRAPH, &graph);
    section(&mut out, "Base parameters", "", &base_parameters(analysis, &family));
    if let Some(answer) = symbolic {
        // Branches are told by ten parameters per body.
        let (about, family) = match answer.formulas.labels == analysis.labels {
            true => ("", family),
            false => (PLANE, Family::default()),
        };
        symbolic_sections(&mut out, answer, about, &family, analysis.identifiable());
    }
    let matrix = format!("<div class=\"wide far\">{}</div>", parameter_matrix(analysis));
    section(&mut out, "Base parameters against parameters", MATRIX, &matrix);
    section(&mut out, "Why the rest cannot be seen", "", &reasons(analysis));
    if !analysis.weak.is_empty() {
        section(&mut out, "Weakly identifiable", WEAK, &weak(analysis));
    }
    out += &footer();
    page(&format!("{}: what can be identified", mechanism.robot().name), "", &out)
}

/// A page inside another one, as notebooks show it: kept apart from the styles around it.
pub fn framed(page: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe sandbox title=\"What can be identified\" style=\"width:100%;height:640px;border:0\" srcdoc=\"{page}\"></iframe>"
    )
}

const PICTURE: &str = "The reference configuration. Each body has its colour; a loop joint is drawn in violet. \
    <span class=\"key shared\"></span> axes and centres on which mass may move between two bodies unseen, \
    <span class=\"key fixed\"></span> those that never move. Rest the pointer on a mark for its name.";
const GRAPH: &str = "R revolute, P prismatic, H helical, C cylindrical, U universal, S spherical, E planar, F free, W welded. \
    Dashed: joints that close loops. Dotted: couplings.";
const PLANE: &str = "Four parameters of each link in its plane: the mass m, the first moments mx and my along two axes of the plane, \
    and the moment of inertia J about its normal. The other sections count ten of each link; they may name other base \
    parameters, which say the same.";
const MATRIX: &str = "Each row is a base parameter, <span class=\"key own\"></span> the parameter it is named after with what is \
    regrouped into it, <span class=\"key plus\"></span> added or <span class=\"key minus\"></span> subtracted; larger dots for \
    larger coefficients. In large matrices, rows of a single dot are left out. Shaded columns: <span class=\"key none\"></span> no effect, <span class=\"key known\"></span> known.";
const WEAK: &str = "Only small misalignments make these combinations identifiable; expect noise to win.";

fn header(mechanism: &Mechanism, analysis: &Analysis) -> String {
    let robot = mechanism.robot();
    let loops = match robot.loops.len() {
        0 => String::new(),
        n => format!(", {}", count(n, "loop")),
    };
    let mut out = format!(
        "<header>\n<p class=\"kicker\">What can be identified</p>\n<h1>{}</h1>\n<p class=\"lead\">{}{loops}, mobility {}. \
         Measured: <b>{}</b>. Method: <b>{}</b>.</p>\n",
        escaped(&robot.name),
        count(robot.bodies.len(), "moving body"),
        mechanism.dof(),
        escaped(&measure_words(&analysis.measure.to_string())),
        analysis.method.name(),
    );
    let unexplained = match analysis.unexplained() {
        0 => "all explained by geometry".to_owned(),
        n => format!("{n} without an explanation"),
    };
    let known = match analysis.known.len() {
        0 => String::new(),
        n => format!("besides {n} known"),
    };
    let grouped = analysis.regrouping.base.len().saturating_sub(analysis.regrouping.alone.len());
    let alone = format!("{} alone, {grouped} in groups", analysis.regrouping.alone.len());
    out += "<div class=\"counts\">\n";
    for (n, words, remark) in [
        (analysis.parameters(), "parameters", known),
        (analysis.identifiable(), "identifiable combinations", alone),
        (analysis.vectors.len(), "unidentifiable directions", unexplained),
    ] {
        let _ = writeln!(out, "<div><b>{n}</b><span>{words}</span><small>{remark}</small></div>");
    }
    out += "</div>\n";
    out += &proportions(analysis);
    let state = match &analysis.certificate {
        Some(certificate) if certificate.complete => "good",
        Some(_) => "bad",
        None => "open",
    };
    let _ =
        writeln!(out, "<p class=\"certificate {state}\">{}</p>", escaped(&certificate_sentence(analysis)));
    if !analysis.known.is_empty() {
        let known = analysis.known.iter();
        let known = known.map(|&(c, x)| format!("{} = {}", escaped(&analysis.labels[c]), number(x, 6)));
        let _ = writeln!(out, "<p class=\"remark\">Known: {}.</p>", known.collect::<Vec<_>>().join(", "));
    }
    for note in analysis_notes(analysis) {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(&note));
    }
    out += "</header>\n";
    out
}

/// A bar of the four fates.
fn proportions(analysis: &Analysis) -> String {
    let fates = fates(analysis);
    let mut bar = String::new();
    let mut key = String::new();
    for fate in Fate::ALL {
        let n = fates.iter().filter(|other| **other == fate).count();
        if n == 0 {
            continue;
        }
        let class = class(fate);
        let _ = write!(bar, "<i class=\"{class}\" style=\"flex:{n}\"></i>");
        let _ = write!(key, "<span><i class=\"cell {class}\"></i>{n} {}</span>", meaning(fate));
    }
    format!("<div class=\"bar\">{bar}</div>\n<p class=\"legend\">{key}</p>\n")
}

fn class(fate: Fate) -> &'static str {
    match fate {
        Fate::Alone => "alone",
        Fate::Grouped => "group",
        Fate::NoEffect => "none",
        Fate::Known => "known",
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

fn fate_table(analysis: &Analysis, family: &Family) -> String {
    let fates = fates(analysis);
    let said = group_of(analysis, family);
    let table = |out: &mut String, heads: &[&str], rows: &[(Option<usize>, Owner)]| {
        let _ = write!(out, "<table class=\"fates\"><thead><tr><th></th>");
        heads.iter().for_each(|head| {
            let _ = write!(out, "<th>{head}</th>");
        });
        *out += "</tr></thead><tbody>\n";
        for (body, owner) in rows {
            let chip =
                body.map_or(String::new(), |k| format!("<i class=\"chip\" style=\"--h:{}\"></i>", hue(k)));
            let _ = write!(out, "<tr><th>{chip}{}</th>", escaped(&owner.name));
            for k in owner.first..owner.first + owner.parameters.len() {
                let title = format!("{}: {}", analysis.labels[k], said[k]);
                let _ = write!(out, "<td class=\"{}\" title=\"{}\"></td>", class(fates[k]), escaped(&title));
            }
            *out += "</tr>\n";
        }
        *out += "</tbody></table>\n";
    };
    let rows: Vec<(Option<usize>, Owner)> = owners(analysis)
        .into_iter()
        .enumerate()
        .map(|(k, owner)| (Some(k).filter(|k| *k < analysis.bodies.len()), owner))
        .collect();
    let (bodies, drives) = rows.split_at(analysis.bodies.len().min(rows.len()));
    let mut out = String::from("<div class=\"wide tables\">\n");
    table(&mut out, &PARAMETERS, bodies);
    if !drives.is_empty() {
        table(&mut out, &DRIVE_PARAMETERS, drives);
    }
    out += "</div>\n";
    out
}

/// What to say about each column.
fn group_of(analysis: &Analysis, family: &Family) -> Vec<String> {
    let mut said = vec![String::new(); analysis.labels.len()];
    for base in &analysis.regrouping.base {
        for &(column, _) in &base.terms[1..] {
            let start = if said[column].is_empty() { "regrouped into " } else { ", " };
            said[column] += &format!("{start}{}", analysis.labels[base.column]);
        }
    }
    for base in analysis.regrouping.base.iter().filter(|base| base.terms.len() > 1) {
        said[base.column] = format!("seen as {}", formula(family, &analysis.labels, &base.terms));
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

fn base_parameters(analysis: &Analysis, family: &Family) -> String {
    let labels = &analysis.labels;
    let (grouped, alone): (Vec<_>, Vec<_>) =
        analysis.regrouping.base.iter().partition(|base| base.terms.len() > 1);
    let mut out = String::new();
    if !alone.is_empty() {
        let _ =
            write!(out, "<p class=\"alone-list\"><b>{}</b> ", count(alone.len(), "parameter") + " alone:");
        for owner in owners(analysis) {
            let own = |base: &&&steiner_identifiability::BaseParameter| {
                (owner.first..owner.first + owner.parameters.len()).contains(&base.column)
            };
            let names: Vec<&str> =
                alone.iter().filter(own).map(|base| owner.parameters[base.column - owner.first]).collect();
            if !names.is_empty() {
                let _ = write!(out, "<span>{} <em>{}</em></span> ", escaped(&owner.name), names.join(" "));
            }
        }
        out += "</p>\n";
    }
    if !grouped.is_empty() {
        let _ =
            writeln!(out, "<p><b>{}:</b></p>\n<ul class=\"formulas\">", count(grouped.len(), "combination"));
        for base in grouped {
            let _ = writeln!(out, "<li>{}</li>", formula_html(family, labels, &base.terms));
        }
        out += "</ul>\n";
    }
    out
}

/// A combination with its first parameter set off and its coefficients in the background.
pub(crate) fn formula_html<C: Coefficient>(
    family: &Family,
    labels: &[String],
    terms: &[(usize, C)],
) -> String {
    let mut out = String::new();
    for (k, summand) in summands(family, labels, terms).iter().enumerate() {
        let text = escaped(&summand.text());
        out += match (k, summand.negative) {
            (0, true) => "−",
            (0, false) => "",
            (_, true) => " − ",
            (_, false) => " + ",
        };
        let rest = text.strip_prefix(summand.factor.as_str()).unwrap_or(&text).replace(" - ", " − ");
        if !summand.factor.is_empty() {
            let _ = write!(out, "<i>{}</i>", summand.factor);
        }
        match k {
            0 => {
                let _ = write!(out, "<b>{rest}</b>");
            }
            _ => out += &rest,
        }
    }
    out
}

fn reasons(analysis: &Analysis) -> String {
    let all = stories(analysis);
    if all.is_empty() {
        return "<p>Nothing is invisible: every parameter is identifiable.</p>\n".to_owned();
    }
    let mut out = String::new();
    let mut principles: Vec<Principle> = all.iter().map(|story| story.principle).collect();
    principles.dedup();
    for principle in principles {
        let own: Vec<&Story> = all.iter().filter(|story| story.principle == principle).collect();
        let vectors: usize = own.iter().map(|story| story.vectors.len()).sum();
        let _ = writeln!(
            out,
            "<h3>{} <span>{}</span></h3>\n<p class=\"about\">{}</p>",
            principle.name(),
            count(vectors, "direction"),
            principle_sentence(principle)
        );
        for story in own {
            let _ = writeln!(
                out,
                "<details><summary><b>{}</b> {}</summary>\n<ol>",
                story.vectors.len(),
                escaped(&story.text)
            );
            for &k in &story.vectors {
                let vector = &analysis.vectors[k];
                let change =
                    formula(&Family::default(), &analysis.labels, &vector.entries).replace(" - ", " − ");
                let _ = writeln!(
                    out,
                    "<li>{}<code>{}</code></li>",
                    escaped(&reason_sentence(analysis, vector)),
                    escaped(&change)
                );
            }
            out += "</ol></details>\n";
        }
    }
    out
}

fn weak(analysis: &Analysis) -> String {
    let mut out = String::from("<ul class=\"weak\">\n");
    for weak in &analysis.weak {
        let change = formula(&Family::default(), &analysis.labels, &weak.entries).replace(" - ", " − ");
        let _ = writeln!(
            out,
            "<li><details><summary><b>{}</b> {}</summary><code>{}</code></details></li>",
            number(weak.relative_singular_value, 2),
            escaped(&weak_sentence(analysis, weak)),
            escaped(&change)
        );
    }
    out += "</ul>\n<p class=\"about\">The number is the relative singular value: what the combination moves in the forces, \
            relative to what its parameters move by themselves.</p>\n";
    out
}

fn footer() -> String {
    format!(
        "<footer>\n<p>SI units and radians. The parameters of a body are, in this order, {}: mass (kg), first moments (kg m) \
         and moments of inertia (kg m²) about the origin of its frame, in its axes; the frame is the one its joint carries. \
         Drives add {}: inertia, viscous and Coulomb friction, offset. A direction is a change of the parameters that no \
         motion shows; base parameters are the combinations that no such change touches. In formulas, \
         0.5·(a + b).m stands for 0.5·a.m + 0.5·b.m and a… for a and all bodies it carries; coefficients have six digits, the JSON document has all of them.</p>\n</footer>\n",
        PARAMETERS.join(", "),
        DRIVE_PARAMETERS.join(", "),
    )
}
