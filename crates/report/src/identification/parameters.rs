//! The section on base parameters: values, uncertainties drawn small, what the file said.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identification::{Identification, IdentifiedParameter, WeaklyExcited};
use steiner_robot::Label;

use super::knowledge::{Knowledge, group, group_name};
use crate::combination::combination;
use crate::family::Family;
use crate::page::body_chip;
use crate::svg::Drawing;
use crate::words::{measured_value, number};

/// Size of the small drawings, px.
const WIDTH: f64 = 170.0;
const HEIGHT: f64 = 18.0;
/// Uncertainties are drawn to so many standard deviations.
const SIGMAS: f64 = 2.0;
const SIGMA: &str =
    "Standard deviation: the larger of that for white noise and that from blocks of neighbouring samples";
const WHITE: &str = "Standard deviation if the noise is white (neighbouring samples uncorrelated)";

/// A line for each base parameter, under the body or joint it is named after.
pub(super) fn parameter_table(mechanism: &Mechanism, identification: &Identification) -> Markup {
    let family = Family::of_bodies(mechanism, identification.consistency.len());
    let robust = identification.parameters.iter().any(|p| p.robust_sigma.is_some());
    html! {
        div.wide {
            table.parameters {
                caption { "Identified base parameters" }
                thead {
                    tr {
                        th scope="col" { "base parameter" }
                        th.n scope="col" { "value" }
                        th.n scope="col" title=(SIGMA) { "σ" }
                        @if robust { th.n scope="col" title=(WHITE) { "σ if white" } }
                        th.n scope="col" { "σ, %" }
                        th.n scope="col" { "file" }
                        th scope="col" { "before and after" }
                        th scope="col" { "stands for" }
                    }
                }
                @for (owner, parameters) in by_owner(identification) {
                    tbody {
                        (owner_row(identification, owner, if robust { 8 } else { 7 }))
                        @for k in parameters { (parameter_row(identification, k, &family, robust)) "\n" }
                    }
                }
            }
        }
    }
}

/// A body, or the joint of a drive.
#[derive(Clone, PartialEq)]
struct ParameterOwner {
    name: String,
    is_drive: bool,
}

/// Neighbouring parameters with one owner.
fn by_owner(identification: &Identification) -> Vec<(ParameterOwner, Vec<usize>)> {
    let problem = identification.problem();
    let bodies = problem.analysis().columns.inertial_len();
    let mut out: Vec<(ParameterOwner, Vec<usize>)> = Vec::new();
    for (k, base) in problem.base().iter().enumerate() {
        // A joint may be called like its body.
        let owner =
            ParameterOwner { name: problem.label(base.column).owner, is_drive: base.column >= bodies };
        match out.last_mut() {
            Some((last, parameters)) if *last == owner => parameters.push(k),
            _ => out.push((owner, vec![k])),
        }
    }
    out
}

fn owner_row(identification: &Identification, owner: ParameterOwner, columns: usize) -> Markup {
    let body = identification.consistency.iter().position(|link| link.link == owner.name);
    html! {
        tr.owner {
            th scope="colgroup" colspan=(columns) {
                @if let Some(body) = body.filter(|_| !owner.is_drive) { (body_chip(body)) }
                (owner.name)
                @if owner.is_drive { " " span.muted { "joint" } }
            }
        }
    }
}

fn parameter_row(identification: &Identification, k: usize, family: &Family, robust: bool) -> Markup {
    let parameter = &identification.parameters[k];
    let knowledge = Knowledge::of(identification, k);
    let weak = identification.excitation.weak.iter().find(|weak| weak.parameter == k);
    let value = |x: f64| if x.is_finite() { number(x, 5).replace('-', "−") } else { "–".to_owned() };
    let problem = identification.problem();
    let base = &problem.base()[k];
    let names: Vec<Label> = (0..problem.labels().len()).map(|column| problem.label(column)).collect();
    html! {
        tr class=[row_class(knowledge)] {
            th scope="row" {
                (group(names[base.column].parameter, base.terms.len()))
                @if let Some(weak) = weak { " " (weak_badge(identification, weak)) }
            }
            td.n { (value_cell(knowledge, parameter)) }
            td.n { (deviation(parameter.sigma)) }
            @if robust { td.n { (deviation(parameter.white_sigma)) } }
            td.n.relative { (relative_deviation(knowledge, parameter)) }
            td.n { (value(parameter.prior)) }
            td { (interval(parameter, knowledge)) }
            td.formula { @if base.terms.len() > 1 { (combination(family, &names, &base.terms)) } }
        }
    }
}

fn row_class(knowledge: Knowledge) -> Option<&'static str> {
    match knowledge {
        Knowledge::NotObservable => Some("unobservable"),
        Knowledge::PoorlyExcited => Some("weakly"),
        Knowledge::AtBound | Knowledge::AboutZero | Knowledge::Measured => None,
    }
}

/// The value with the digits that are known; a remark in grey where the log says nothing.
fn value_cell(knowledge: Knowledge, parameter: &IdentifiedParameter) -> Markup {
    let digits = |value| measured_value(value, parameter.sigma);
    let text = knowledge.value(parameter, digits).replace('-', "−");
    html! {
        @match (knowledge, knowledge.remark(parameter)) {
            (Knowledge::NotObservable, Some(remark)) => small { (remark) },
            _ => b { (text) },
        }
    }
}

fn weak_badge(identification: &Identification, weak: &WeaklyExcited) -> Markup {
    let others: Vec<String> =
        weak.confused_with.iter().map(|&k| group_name(&identification.parameters[k])).collect();
    let mut title = match weak.inflation.is_finite() {
        true => format!(
            "Poorly excited: its standard deviation is {} times that of the parameter alone",
            number(weak.inflation, 3)
        ),
        false => "The log does not excite it".to_owned(),
    };
    if !others.is_empty() {
        title += &format!("; confused with {}", others.join(", "));
    }
    let badge = if weak.inflation.is_finite() { "poorly excited" } else { "not excited" };
    html! { span.badge title=(title) { (badge) } }
}

fn deviation(sigma: f64) -> String {
    if sigma.is_finite() { number(sigma, 2) } else { "–".to_owned() }
}

/// Per cent, over a bar on a logarithmic scale from 0.01 % to 1000 %; empty for zeros.
fn relative_deviation(knowledge: Knowledge, parameter: &IdentifiedParameter) -> Markup {
    let text = knowledge.relative_sigma(parameter);
    if text.is_empty() {
        return html! {};
    }
    let place = ((parameter.relative_sigma.max(1e-12).log10() + 2.0) / 5.0).clamp(0.0, 1.0);
    let class = match parameter.relative_sigma {
        p if p < 10.0 => "good",
        p if p < 30.0 => "fair",
        _ => "bad",
    };
    html! { i.share.(class) style={ "width:" ((60.0 * place).round()) "px" } {} (text) }
}

/// What least squares say with their uncertainty (the bar), the model (the dot) and the file (the diamond),
/// on a scale of their own.
fn interval(parameter: &IdentifiedParameter, knowledge: Knowledge) -> Markup {
    let half = SIGMAS * parameter.sigma;
    let ends = [parameter.least_squares - half, parameter.least_squares + half];
    let known = half.is_finite();
    let shown = [parameter.value, parameter.prior].into_iter().chain(ends.into_iter().filter(|_| known));
    let (low, high) = shown
        .filter(|x| x.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    let spread = if high > low { high - low } else { low.abs().max(1e-300) };
    let (low, high) = (low - 0.12 * spread, high + 0.12 * spread);
    let at = |x: f64| 4.0 + (WIDTH - 8.0) * ((x - low) / (high - low)).clamp(0.0, 1.0);
    let middle = HEIGHT / 2.0;
    let mut drawing = Drawing::default();
    drawing.line("track", (2.0, middle), (WIDTH - 2.0, middle));
    if low < 0.0 && high > 0.0 {
        drawing.line("zero", (at(0.0), 2.0), (at(0.0), HEIGHT - 2.0));
    }
    if known {
        let (a, b) = (at(ends[0]), at(ends[1]).max(at(ends[0]) + 1.2));
        drawing.polygon("sigma", &[(a, 5.0), (b, 5.0), (b, HEIGHT - 5.0), (a, HEIGHT - 5.0)]);
    }
    let file = at(parameter.prior);
    drawing.polygon(
        "file",
        &[(file, middle - 4.5), (file + 4.5, middle), (file, middle + 4.5), (file - 4.5, middle)],
    );
    let mut text = format!("file {}", number(parameter.prior, 4));
    match knowledge {
        Knowledge::NotObservable => text += ", not observable",
        _ => {
            drawing.circle("found", (at(parameter.value), middle), 3.4);
            text += &format!(", identified {}", number(parameter.value, 4));
        }
    }
    drawing.finish("interval", &text, (WIDTH, HEIGHT))
}
