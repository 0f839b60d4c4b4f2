//! The table of base parameters: values, uncertainties drawn small, what the file said.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identification::{Identification, IdentifiedParameter, WeaklyExcited};

use crate::family::Family;
use crate::fate::split;
use crate::html::formula_html;
use crate::svg::{Drawing, escaped, hue};
use crate::words::{measured_value, number};

/// Size of the small drawings, px.
const WIDTH: f64 = 170.0;
const HEIGHT: f64 = 18.0;
/// Uncertainties are drawn to so many standard deviations.
const SIGMAS: f64 = 2.0;

pub(super) fn parameter_section(mechanism: &Mechanism, identification: &Identification) -> String {
    let family = Family::of_bodies(mechanism, identification.consistency.len());
    let robust = identification.parameters.iter().any(|p| p.robust_sigma.is_some());
    let mut out = String::from(
        "<div class=\"wide\"><table class=\"parameters\"><caption>Identified base parameters</caption><thead><tr><th scope=\"col\">base parameter</th>\
         <th scope=\"col\" class=\"n\">value</th><th scope=\"col\" class=\"n\" title=\"Standard deviation: the larger of that for white noise and that from blocks of neighbouring samples\">σ</th>",
    );
    if robust {
        out += "<th scope=\"col\" class=\"n\" title=\"Standard deviation if the noise were white, so that no sample told of its neighbours\">σ if white</th>";
    }
    out += "<th scope=\"col\" class=\"n\">σ, %</th><th scope=\"col\" class=\"n\">file</th><th scope=\"col\">before and after</th><th scope=\"col\">stands for</th></tr></thead>\n";
    let mut owner: Option<(&str, bool)> = None;
    let bodies = 10 * identification.consistency.len();
    for (k, parameter) in identification.parameters.iter().enumerate() {
        let (name, _) = split(&parameter.name);
        // In native files a joint bears its body's name.
        let is_drive = !identification.labels()[..bodies].contains(&parameter.name);
        let own = (name, is_drive);
        if owner != Some(own) {
            if owner.is_some() {
                out += "</tbody>\n";
            }
            out += "<tbody>\n";
            let body = identification.consistency.iter().position(|link| link.link == name);
            let chip = body
                .filter(|_| !is_drive)
                .map_or(String::new(), |k| format!("<i class=\"chip\" style=\"--h:{}\"></i>", hue(k)));
            let columns = if robust { 8 } else { 7 };
            let kind = if is_drive { " <span class=\"muted\">joint</span>" } else { "" };
            let _ = writeln!(
                out,
                "<tr class=\"owner\"><th scope=\"colgroup\" colspan=\"{columns}\">{chip}{}{kind}</th></tr>",
                escaped(name)
            );
            owner = Some(own);
        }
        let weak = identification.excitation.weak.iter().find(|weak| weak.parameter == k);
        out += &line(identification, parameter, weak, &family, robust);
    }
    if owner.is_some() {
        out += "</tbody>\n";
    }
    out += "</table></div>\n";
    out
}

fn line(
    identification: &Identification,
    parameter: &IdentifiedParameter,
    weak: Option<&WeaklyExcited>,
    family: &Family,
    robust: bool,
) -> String {
    let (_, own) = split(&parameter.name);
    let (class, badge) = match weak {
        Some(weak) => (" class=\"weakly\"", badge(identification, weak)),
        None => ("", String::new()),
    };
    let value = |x: f64| if x.is_finite() { number(x, 5).replace('-', "−") } else { "–".to_owned() };
    let mut out = format!(
        "<tr{class}><th scope=\"row\">{}{badge}</th><td class=\"n\"><b>{}</b></td><td class=\"n\">{}</td>",
        escaped(own),
        measured_value(parameter.value, parameter.sigma).replace('-', "−"),
        deviation(parameter.sigma),
    );
    if robust {
        let _ = write!(out, "<td class=\"n\">{}</td>", deviation(parameter.white_sigma));
    }
    let _ = write!(
        out,
        "<td class=\"n relative\">{}</td><td class=\"n\">{}</td><td>{}</td>",
        relative(parameter.relative_sigma),
        value(parameter.prior),
        interval(parameter),
    );
    let column = |label: &String| identification.labels().iter().position(|other| other == label);
    let terms: Vec<(usize, f64)> =
        parameter.terms.iter().filter_map(|(label, x)| Some((column(label)?, *x))).collect();
    let formula = match terms.len() {
        0 | 1 => String::new(),
        _ => formula_html(family, identification.labels(), &terms),
    };
    let _ = writeln!(out, "<td class=\"formula\">{formula}</td></tr>");
    out
}

fn badge(identification: &Identification, weak: &WeaklyExcited) -> String {
    let others: Vec<&str> =
        weak.confused_with.iter().map(|&k| identification.parameters[k].name.as_str()).collect();
    let mut title = match weak.inflation.is_finite() {
        true => format!(
            "The log barely moves it: its uncertainty grows {} times because others move along",
            number(weak.inflation, 3)
        ),
        false => "The log does not show it".to_owned(),
    };
    if !others.is_empty() {
        title += &format!("; confused with {}", others.join(", "));
    }
    format!(" <span class=\"badge\" title=\"{}\">weak</span>", escaped(&title))
}

fn deviation(sigma: f64) -> String {
    if sigma.is_finite() { number(sigma, 2) } else { "not seen".to_owned() }
}

/// Per cent, over a bar on a logarithmic scale from 0.01 % to 1000 %.
fn relative(percent: f64) -> String {
    if !percent.is_finite() {
        return "<i class=\"share bad\" style=\"width:60px\"></i>–".to_owned();
    }
    let place = ((percent.max(1e-12).log10() + 2.0) / 5.0).clamp(0.0, 1.0);
    let class = match percent {
        p if p < 10.0 => "good",
        p if p < 30.0 => "fair",
        _ => "bad",
    };
    format!(
        "<i class=\"share {class}\" style=\"width:{}px\"></i>{}",
        (60.0 * place).round(),
        if percent < 1000.0 { number(percent, 2) } else { "> 1000".to_owned() }
    )
}

/// What least squares say with their uncertainty (the bar), the model (the dot) and the file (the diamond), on a scale of their own.
fn interval(parameter: &IdentifiedParameter) -> String {
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
    drawing.circle("found", (at(parameter.value), middle), 3.4);
    let text = format!("file {}, identified {}", number(parameter.prior, 4), number(parameter.value, 4));
    drawing.finish("interval", &text, (WIDTH, HEIGHT))
}
