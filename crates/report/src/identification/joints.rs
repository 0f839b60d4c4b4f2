//! What is left of every measured row: a table, forces over time, histograms and spectra.

use std::fmt::Write;

use steiner_identification::courses::{Course, Courses, Curve, Stretch, Timeline};
use steiner_identification::{Identification, RowResidual};
use steiner_logs::Role;

use crate::plot::Plot;
use crate::svg::escaped;
use crate::words::{number, percent};

/// Colours of the plots: what was measured, the model, the file, the validation.
pub(super) const MEASURED: usize = 6;
pub(super) const MODEL: usize = 0;
const FILE: usize = 1;
const VALIDATION: usize = 2;

/// Relative residuals of every row, before and after.
pub(super) fn residual_table(identification: &Identification) -> String {
    let training = &identification.training;
    let validation = identification.validation.as_ref();
    let judged = validation.unwrap_or(training);
    let noise = &identification.noise;
    let all = judged.model.rows.iter().chain(&judged.prior.rows).map(|row| row.relative);
    let greatest = all.filter(|x| x.is_finite()).fold(1e-12, f64::max);
    let mut out = String::from(
        "<div class=\"wide\"><table class=\"numbers residuals\"><caption>Relative residuals</caption><thead><tr><th scope=\"col\" rowspan=\"2\">measured</th>",
    );
    if validation.is_some() {
        out += "<th scope=\"colgroup\" colspan=\"3\">validation</th>";
    }
    out += "<th scope=\"colgroup\" colspan=\"3\">training</th><th scope=\"col\" class=\"n\" rowspan=\"2\">left, rms</th><th scope=\"col\" class=\"n\" rowspan=\"2\">noise</th>\
            <th scope=\"col\" rowspan=\"2\">model and file</th></tr>\n<tr>";
    for _ in 0..if validation.is_some() { 2 } else { 1 } {
        out += "<th scope=\"col\" class=\"n\">model</th><th scope=\"col\" class=\"n\">least squares</th><th scope=\"col\" class=\"n\">file</th>";
    }
    out += "</tr></thead><tbody>\n";
    let shares = |model: f64, free: f64, file: f64| {
        format!(
            "<td class=\"n\"><b>{}</b></td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
            percent(model),
            percent(free),
            percent(file)
        )
    };
    for r in 0..training.model.rows.len() {
        let row = |residuals: &steiner_identification::Residuals| {
            let of = |rows: &[RowResidual]| rows[r].relative;
            shares(of(&residuals.model.rows), of(&residuals.least_squares.rows), of(&residuals.prior.rows))
        };
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&training.model.rows[r].name));
        out += &validation.map_or(String::new(), row);
        out += &row(training);
        let (own, file) = (&judged.model.rows[r], &judged.prior.rows[r]);
        let _ = writeln!(
            out,
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            number(own.rms, 3),
            noise.get(r).map_or("–".to_owned(), |sigma| number(*sigma, 3)),
            bars(own.relative, file.relative, greatest),
        );
    }
    out += "</tbody><tfoot><tr><th scope=\"row\">all</th>";
    let total = |residuals: &steiner_identification::Residuals| {
        shares(residuals.model.total, residuals.least_squares.total, residuals.prior.total)
    };
    out += &validation.map_or(String::new(), total);
    out += &total(training);
    let _ = writeln!(
        out,
        "<td></td><td></td><td>{}</td></tr></tfoot></table></div>",
        bars(judged.model.total, judged.prior.total, greatest)
    );
    out
}

/// Two bars, full at the greatest residual of the table.
pub(crate) fn bars(first: f64, second: f64, greatest: f64) -> String {
    let bar = |class: &str, x: f64| {
        let width = if x.is_finite() { (120.0 * (x / greatest).clamp(0.0, 1.0)).max(1.0) } else { 0.0 };
        format!("<i class=\"two {class}\" style=\"width:{width:.0}px\"></i>")
    };
    bar("first", first) + &bar("second", second)
}

/// For each row: forces over time, histogram and spectrum of what is left.
pub(super) fn course_section(identification: &Identification, courses: &Courses) -> String {
    let judged = super::headline::judged(identification);
    let mut out = String::new();
    for (r, course) in courses.rows.iter().enumerate() {
        let shares =
            judged.model.rows.get(r).zip(judged.prior.rows.get(r)).map_or(String::new(), |(own, file)| {
                format!(
                    "<span>leaves {}; the file leaves {}</span>",
                    percent(own.relative),
                    percent(file.relative)
                )
            });
        let _ = writeln!(
            out,
            "<div class=\"joint-card\">\n<h3>{} {shares}</h3>\n<div class=\"charts\">",
            escaped(&course.name)
        );
        out += &forces(course, &courses.timeline);
        out += &histogram(course, &identification.training.model.rows[r]);
        out += &spectrum(course);
        out += "</div>\n</div>\n";
    }
    out
}

pub(crate) fn times(curve: &Curve) -> (Vec<f64>, Vec<f64>) {
    curve.iter().copied().unzip()
}

/// A chart over the time of the logs, the stretches for validation shaded.
pub(crate) fn over_time(timeline: &Timeline, unit: &str, (width, height): (f64, f64)) -> Plot {
    let (quantity, seconds) = if timeline.period.is_some() { ("time", "s") } else { ("sample", "") };
    let what = if unit == "N" { "force" } else { "torque" };
    let mut plot =
        Plot::new("").size(width, height).x(quantity, seconds).y(what, unit).x_range(0.0, timeline.end());
    for Stretch { begin, end, .. } in
        timeline.stretches.iter().filter(|stretch| stretch.role == Role::Validation)
    {
        plot = plot.band(*begin, *end, "validation");
    }
    for stretch in timeline.stretches.iter().skip(1).filter(|stretch| !stretch.joined) {
        plot = plot.at_x(stretch.begin, "");
    }
    plot
}

fn forces(course: &Course, timeline: &Timeline) -> String {
    let mut plot = over_time(timeline, course.unit, (620.0, 230.0));
    if let Some(file) = course.models.get(1) {
        let (t, y) = times(&file.predicted);
        plot = plot.line("", t, y).colour(FILE).faint();
    }
    let (t, y) = times(&course.measured);
    plot = plot.line("", t, y).colour(MEASURED).faint();
    if let Some(model) = course.models.first() {
        let (t, y) = times(&model.predicted);
        plot = plot.line("", t, y).colour(MODEL);
    }
    titled(&plot.svg(), &format!("{}: measured and predicted over time", course.name))
}

/// A drawing whose description says what it is about.
pub(crate) fn titled(svg: &str, title: &str) -> String {
    match svg.split_once("aria-label=\"") {
        Some((before, after)) => format!("{before}aria-label=\"{}. {after}", escaped(title)),
        None => svg.to_owned(),
    }
}

fn histogram(course: &Course, training: &RowResidual) -> String {
    let Some(histogram) = course.models.first().map(|model| &model.histogram).filter(|h| h.reach > 0.0)
    else {
        return String::new();
    };
    let bins = histogram.counts[0].len();
    let width = 2.0 * histogram.reach / bins as f64;
    let edges: Vec<f64> = (0..=bins).map(|k| -histogram.reach + width * k as f64).collect();
    let shares = |role: usize| -> Vec<f64> {
        let all = histogram.samples[role].max(1.0);
        histogram.counts[role].iter().map(|count| 100.0 * count / all).collect()
    };
    let mut plot = Plot::new("")
        .size(240.0, 230.0)
        .x("left", course.unit)
        .y("samples", "%")
        .x_range(-histogram.reach, histogram.reach)
        .bars("", &edges, shares(0))
        .colour(MODEL);
    if histogram.samples[1] > 0.0 {
        plot = plot.step("", &edges[..bins], shares(1)).colour(VALIDATION);
    }
    let sigma = training.rms;
    if sigma > 0.0 {
        let normal = |x: f64| {
            100.0 * width / (sigma * std::f64::consts::TAU.sqrt()) * (-0.5 * (x / sigma).powi(2)).exp()
        };
        let xs: Vec<f64> = (0..=80).map(|k| histogram.reach * (f64::from(k) / 40.0 - 1.0)).collect();
        let ys: Vec<f64> = xs.iter().map(|&x| normal(x)).collect();
        plot = plot.line("", xs, ys).colour(MEASURED).dotted();
    }
    titled(&plot.svg(), &format!("{}: histogram of what is left", course.name))
}

fn spectrum(course: &Course) -> String {
    if course.spectrum.is_empty() {
        return String::new();
    }
    let unit = format!("{}/√Hz", course.unit);
    let mut plot = Plot::new("").size(240.0, 230.0).x("frequency", "Hz").y("", &unit).log_x().log_y();
    let pairs = |points: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { points.iter().copied().unzip() };
    let (f, y) = pairs(&course.spectrum);
    plot = plot.line("", f, y).colour(MEASURED).faint();
    if let Some(file) = course.models.get(1) {
        let (f, y) = pairs(&file.spectrum);
        plot = plot.line("", f, y).colour(FILE).faint();
    }
    if let Some(model) = course.models.first() {
        let (f, y) = pairs(&model.spectrum);
        plot = plot.line("", f, y).colour(MODEL);
    }
    titled(&plot.svg(), &format!("{}: spectrum of what was measured and of what is left", course.name))
}
