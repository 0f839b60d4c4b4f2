//! The section on forces over time: each measured row with the histogram and the spectrum of what is left.

use maud::{Markup, html};
use steiner_identification::residual_history::{
    Curve, ForceHistory, FrictionHistory, ResidualHistory, Stretch, Timeline,
};
use steiner_identification::{Identification, RowResidual};
use steiner_logs::Role;

use super::headline::evaluated;
use crate::plot::Plot;
use crate::words::percent;

/// Colours of the plots: what was measured, the model, the file, the validation.
pub(crate) const MEASURED: usize = 6;
pub(super) const MODEL: usize = 0;
const FILE: usize = 1;
const VALIDATION: usize = 2;
/// A residual above this part of the force stands out.
pub(super) const LARGE: f64 = 0.5;

/// A card with three charts for each measured row.
pub(super) fn force_charts(identification: &Identification, history: &ResidualHistory) -> Markup {
    let evaluated = evaluated(identification);
    html! {
        @for (r, row) in history.rows.iter().enumerate() {
            @let shares = evaluated.model.rows.get(r).zip(evaluated.prior.rows.get(r));
            div.joint-card {
                h3 {
                    (row.name) " "
                    @if let Some((own, file)) = shares {
                        span {
                            "residual " b.bad[own.relative > LARGE] { (percent(own.relative)) }
                            "; with the file " (percent(file.relative))
                        }
                    }
                }
                div.charts {
                    (forces(row, &history.timeline))
                    (histogram(row, &identification.training.model.rows[r]).unwrap_or_default())
                    (spectrum(row).unwrap_or_default())
                    (differences(row, &history.timeline).unwrap_or_default())
                    (friction(row).unwrap_or_default())
                }
            }
            "\n"
        }
    }
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

fn forces(row: &ForceHistory, timeline: &Timeline) -> Markup {
    let mut plot = over_time(timeline, row.unit, (620.0, 230.0));
    if let Some(file) = row.models.get(1) {
        let (t, y) = times(&file.predicted);
        plot = plot.line("", t, y).colour(FILE).faint();
    }
    if let Some(model) = row.models.first() {
        let (t, y) = times(&model.predicted);
        plot = plot.line("", t, y).colour(MODEL);
    }
    // In front of the model: a fine line over a broad one leaves both to be seen.
    let (t, y) = times(&row.measured);
    plot = plot.line("", t, y).colour(MEASURED).fine();
    plot.about(&format!("{}: measured and predicted over time", row.name)).markup()
}

/// Measured minus predicted over time.
fn differences(row: &ForceHistory, timeline: &Timeline) -> Option<Markup> {
    let model = row.models.first()?;
    let (t, y) = times(&model.difference);
    let plot = over_time(timeline, row.unit, (620.0, 170.0)).unnamed_bands().y("residual", row.unit);
    let plot = plot.line("", t, y).colour(MODEL).fine().at_y(0.0, "");
    Some(plot.about(&format!("{}: measured minus predicted over time", row.name)).markup())
}

/// What bodies leave of the force, against speed, with the friction of the model.
fn friction(row: &ForceHistory) -> Option<Markup> {
    let FrictionHistory { samples, curve } = &row.friction;
    if samples.is_empty() {
        return None;
    }
    let speed = if row.unit == "N" { "m/s" } else { "rad/s" };
    let (v, f): (Vec<f64>, Vec<f64>) = samples.iter().copied().unzip();
    let (low, high) = reach(&f);
    let (cv, cf) = times(curve);
    let plot = Plot::new("")
        .size(480.0, 170.0)
        .x("speed", speed)
        .y("friction", row.unit)
        .y_range(low, high)
        .scatter("", v, f)
        .colour(MEASURED)
        .faint()
        .line("", cv, cf)
        .colour(MODEL);
    Some(plot.about(&format!("{}: friction against speed", row.name)).markup())
}

/// Where most of the values are: single ones beyond do not press the others together.
fn reach(values: &[f64]) -> (f64, f64) {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return (-1.0, 1.0) };
    let at = |share: f64| sorted[(share * last as f64).round() as usize];
    let (low, high) = (at(0.005), at(0.995));
    let margin = 0.1 * (high - low).max(f64::MIN_POSITIVE);
    (low - margin, high + margin)
}

fn histogram(row: &ForceHistory, training: &RowResidual) -> Option<Markup> {
    let histogram = row.models.first().map(|model| &model.histogram).filter(|h| h.reach > 0.0)?;
    let bins = histogram.counts[0].len();
    let width = 2.0 * histogram.reach / bins as f64;
    let edges: Vec<f64> = (0..=bins).map(|k| -histogram.reach + width * k as f64).collect();
    let shares = |role: usize| -> Vec<f64> {
        let all = histogram.samples[role].max(1.0);
        histogram.counts[role].iter().map(|count| 100.0 * count / all).collect()
    };
    let mut plot = Plot::new("")
        .size(240.0, 230.0)
        .x("residual", row.unit)
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
    Some(plot.about(&format!("{}: histogram of the residual", row.name)).markup())
}

fn spectrum(row: &ForceHistory) -> Option<Markup> {
    if row.spectrum.is_empty() {
        return None;
    }
    let unit = format!("{}/√Hz", row.unit);
    let mut plot = Plot::new("").size(240.0, 230.0).x("frequency", "Hz").y("", &unit).log_x().log_y();
    let pairs = |points: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { points.iter().copied().unzip() };
    let (f, y) = pairs(&row.spectrum);
    plot = plot.line("", f, y).colour(MEASURED).faint();
    if let Some(file) = row.models.get(1) {
        let (f, y) = pairs(&file.spectrum);
        plot = plot.line("", f, y).colour(FILE).faint();
    }
    if let Some(model) = row.models.first() {
        let (f, y) = pairs(&model.spectrum);
        plot = plot.line("", f, y).colour(MODEL);
    }
    let about = format!("{}: spectra of the measured force and of the residual", row.name);
    Some(plot.about(&about).markup())
}
