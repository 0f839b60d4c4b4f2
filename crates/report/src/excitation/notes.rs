//! What was assumed where nobody said anything, and what is not checked.

use steiner_excitation::{JointLimits, body_name};

use super::MotionReport;
use super::tables::{turns, unit_of};
use crate::spelling::setting;
use crate::words::{joined, listed, number};

/// Names in a row at most.
const MOST_NAMES: usize = 8;

/// Assumptions, a sentence each, with the setting that replaces them.
pub(crate) fn notes(report: &MotionReport<'_>) -> Vec<String> {
    let spelt = |name: &str| setting(report.spelling, name);
    let mut out = Vec::new();
    let limits = &report.designed.limits;
    for (what, quantity) in [
        ("position", steiner_excitation::Quantity::Position),
        ("velocity", steiner_excitation::Quantity::Velocity),
    ] {
        let assumed: Vec<&JointLimits> =
            limits.iter().filter(|limits| limits.assumed.contains(&what)).collect();
        if let Some(first) = assumed.first() {
            let unit = unit_of(quantity, turns(report, &first.name));
            let value = match what {
                "position" => format!("{} to {} {unit}", number(first.lower, 3), number(first.upper, 3)),
                _ => format!("{} {unit}", number(first.velocity, 3)),
            };
            let names: Vec<String> = assumed.iter().map(|limits| limits.name.clone()).collect();
            out.push(format!(
                "ASSUMED: the file limits no {what} of {}; {value} is taken ({} sets it).",
                listed(&names, MOST_NAMES),
                spelt("limit")
            ));
        }
    }
    let free: Vec<String> =
        limits.iter().filter(|limits| limits.effort.is_none()).map(|limits| limits.name.clone()).collect();
    if !free.is_empty() && !report.designed.basis.is_static() {
        out.push(format!(
            "The file limits no torque of {}: none is kept ({} sets it).",
            listed(&free, MOST_NAMES),
            spelt("limit")
        ));
    }
    if report.design.noise.is_empty() {
        out.push(format!(
            "ASSUMED: every sensor has noise of 1 N·m (or N) in each of {} samples a second ({} and {} set it); \
            deviations are proportional to it.",
            number(report.design.rate, 4),
            spelt("noise"),
            spelt("rate")
        ));
    }
    out.extend(shape_notes(report, &spelt));
    out
}

fn shape_notes(report: &MotionReport<'_>, spelt: &dyn Fn(&str) -> String) -> Vec<String> {
    let design = report.design;
    let mut out = Vec::new();
    if design.capsules.is_empty() && design.obstacles.is_empty() {
        let why = match report.without_shape.is_empty() {
            true => "as was asked",
            false => "the file has no shapes of its links",
        };
        out.push(format!("Collisions are not checked: {why}."));
        return out;
    }
    if !report.without_shape.is_empty() {
        out.push(format!(
            "No shape is known of {}: nothing keeps them from touching ({} gives them one).",
            listed(report.without_shape, MOST_NAMES),
            spelt("radius")
        ));
    }
    if design.self_collision && !report.touching.is_empty() {
        let name = |body| body_name(report.mechanism, body).to_owned();
        let pairs: Vec<String> = report.touching.iter().map(|&(a, b)| joined(&[name(a), name(b)])).collect();
        out.push(format!(
            "Not kept apart, for their shapes touch wherever the joints are: {}.",
            pairs.join("; ")
        ));
    }
    out
}
