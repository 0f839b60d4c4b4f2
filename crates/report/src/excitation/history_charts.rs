//! Charts of a motion over time: every joint with its limits, distances, and the information gathered.

use maud::{Markup, html};
use steiner_excitation::{History, JointLimits, Quantity};

use super::MotionReport;
use super::tables::{turns, unit_of};
use crate::plot::Plot;
use crate::words::number;

/// Width of all charts of a joint together, and height of each, px.
const WIDTH: f64 = 1096.0;
const HEIGHT: f64 = 180.0;
/// Colour of limits' joints, of information.
const JOINT: usize = 0;
/// Lines of one chart that can be told apart.
const COLOURS: usize = 6;

/// A card for every joint: position, speed, and acceleration and torque where they are limited.
pub(super) fn joint_cards(report: &MotionReport<'_>, history: &History) -> Markup {
    html! {
        @for (k, limits) in report.designed.limits.iter().enumerate() {
            div.joint-card {
                h3 { (limits.name) }
                div.charts {
                    @for chart in joint_charts(report, history, k, limits) { (chart) }
                }
            }
            "\n"
        }
    }
}

fn joint_charts(report: &MotionReport<'_>, history: &History, k: usize, limits: &JointLimits) -> Vec<Markup> {
    let turns = turns(report, &limits.name);
    let is_static = report.designed.basis.is_static();
    let charts = match (is_static, limits.acceleration) {
        (true, _) => 2.0,
        (false, None) => 3.0,
        (false, Some(_)) => 4.0,
    };
    let chart = |quantity: Quantity, word: &str, values: &[f64], range: Option<(f64, f64)>| {
        let (axis, seconds) = if is_static { ("pose", "") } else { ("time", "s") };
        let mut plot = Plot::new("")
            .size((WIDTH / charts).floor() - 4.0, HEIGHT)
            .x(axis, seconds)
            .x_range(0.0, history.t.last().copied().unwrap_or(1.0).max(1e-9))
            .y(word, unit_of(quantity, turns))
            .line("", &history.t, values)
            .colour(JOINT);
        if is_static {
            plot = plot.markers();
        }
        if let Some((lower, upper)) = range {
            let room = 0.06 * (upper - lower);
            plot = plot.y_range(lower - room, upper + room);
            plot = plot.at_y(lower, &number(lower, 3)).at_y(upper, &number(upper, 3));
        }
        plot.about(&format!("{}: {word} over time with its limits", limits.name)).markup()
    };
    let about_zero = |most: f64| (-most, most);
    let mut out =
        vec![chart(Quantity::Position, "position", &history.position[k], Some((limits.lower, limits.upper)))];
    if !is_static {
        let range = Some(about_zero(limits.velocity));
        out.push(chart(Quantity::Velocity, "velocity", &history.velocity[k], range));
        if limits.acceleration.is_some() {
            let range = limits.acceleration.map(about_zero);
            out.push(chart(Quantity::Acceleration, "acceleration", &history.acceleration[k], range));
        }
    }
    out.push(chart(Quantity::Effort, "torque", &history.force[k], limits.effort.map(about_zero)));
    out
}

/// The least distance of shapes over time, where any are known.
pub(super) fn distance_chart(report: &MotionReport<'_>, history: &History) -> Option<Markup> {
    if history.distance.is_empty() {
        return None;
    }
    let millimetres: Vec<f64> = history.distance.iter().map(|d| 1e3 * d).collect();
    let plot = Plot::new("")
        .size(740.0, 200.0)
        .x("time", "s")
        .y("least distance", "mm")
        .y_range(0.0, None)
        .line("", &history.t, millimetres)
        .colour(JOINT)
        .at_y(1e3 * report.design.clearance, "kept free");
    Some(plot.about("The least distance of shapes over time").markup())
}

/// What was known so far, and where it comes from.
pub(super) fn information_charts(report: &MotionReport<'_>, history: &History) -> Markup {
    let n = report.designed.deviations.len().max(1) as f64;
    let last = history.log_det.last().copied().unwrap_or(f64::NAN);
    // The mean deviation so far over the final one.
    let ratio: Vec<f64> = history
        .log_det
        .iter()
        .map(|log_det| ((last - log_det) / (2.0 * n)).exp())
        .map(|ratio| if ratio < 1e3 { ratio } else { f64::NAN })
        .collect();
    let deviations = Plot::new("")
        .size(540.0, 260.0)
        .x("time", "s")
        .y("mean deviation so far, final = 1", "")
        .log_y()
        .line("", &history.t, ratio)
        .colour(2)
        .about("How deviations shrink over time")
        .markup();
    let mut rates = Plot::new("").size(540.0, 260.0).x("time", "s").y("base parameters shown per second", "");
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let mut order: Vec<&(String, Vec<f64>)> = history.shares.iter().collect();
    order.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
    for (k, (name, shares)) in order.iter().take(COLOURS).enumerate() {
        rates = rates.line(name, &history.t, shares).colour(k);
    }
    let duration = report.designed.basis.duration();
    html! {
        div.charts { (deviations) (rates.about("Information over time, by sensor").markup()) }
        div.wide {
            table.numbers.shares {
                caption { "Where information comes from" }
                thead { tr { th scope="col" { "measured" } th scope="col" { "base parameters' worth" } } }
                tbody {
                    @for (name, shares) in &order {
                        @let worth = mean(shares) * duration;
                        @let width = (160.0 * (worth / n).clamp(0.0, 1.0)).round();
                        tr {
                            th scope="row" { (name) }
                            td { i.share style={ "width:" (width) "px" } {} (format!("{worth:.1}")) }
                        }
                    }
                }
            }
        }
    }
}
