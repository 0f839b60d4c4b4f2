//! The JSON document of a designed motion.

use serde_json::{Value, json};
use steiner_excitation::{Bound, Margin, Shape};

use super::MotionReport;
use super::tables::{parameter_lines, turns, unit_of};
use super::words::{blame_sentences, motion_headline, weak_sentences};

/// The whole answer; numbers that are not finite are null.
pub fn motion_json(report: &MotionReport<'_>) -> Value {
    let (designed, design) = (report.designed, report.design);
    let lines = parameter_lines(report);
    let sd: serde_json::Map<String, Value> =
        lines.iter().map(|line| (line.name.clone(), json!(line.sd))).collect();
    let parameters: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "name": line.name, "value": line.value, "sd": line.sd, "relative": line.relative,
                "sd_before": line.before, "weak": line.is_weak(),
            })
        })
        .collect();
    let count = |bound: Bound| designed.margins.iter().filter(|margin| margin.bound == bound).count();
    let noise: serde_json::Map<String, Value> =
        designed.noise.iter().map(|(row, sigma)| (row.clone(), json!(sigma))).collect();
    json!({
        "robot": report.mechanism.robot().name,
        "measure": design.question.measure.to_string(),
        "criterion": designed.criterion.0.name(),
        "minimised": designed.criterion.1,
        "log_det": designed.log_det,
        "condition_number": designed.condition_number,
        "feasible": designed.feasible,
        "sd": sd,
        "base_parameters": parameters,
        "margins": designed.margins.iter().map(|margin| margin_json(report, margin)).collect::<Vec<_>>(),
        "bounds": {
            "proven": count(Bound::Proven), "sampled": count(Bound::Sampled), "violated": count(Bound::Violated),
        },
        "blame": designed.blame.iter().map(|blame| json!({
            "joint": blame.joint, "quantity": blame.quantity.name(), "gain_of_a_tenth_more": blame.gain,
            "deviations": blame.deviations,
        })).collect::<Vec<_>>(),
        "noise": noise,
        "rate": design.rate,
        "samples": designed.samples,
        "duration": designed.basis.duration(),
        "shape": shape_json(designed.basis.shape()),
        "coefficients": coefficients(report),
        "limits": designed.limits.iter().map(|limits| json!({
            "joint": limits.name, "lower": limits.lower, "upper": limits.upper, "velocity": limits.velocity,
            "acceleration": limits.acceleration, "jerk": limits.jerk, "effort": limits.effort,
            "power": limits.power, "assumed": limits.assumed,
        })).collect::<Vec<_>>(),
        "seed": design.seed,
        "starts": designed.starts,
        "stopped": designed.stopped,
        "seconds": designed.seconds,
        "summary": motion_headline(report),
        "weak": weak_sentences(report),
        "would_help": blame_sentences(report),
    })
}

fn margin_json(report: &MotionReport<'_>, margin: &Margin) -> Value {
    json!({
        "of": margin.of, "quantity": margin.quantity.name(), "value": margin.value, "limit": margin.limit,
        "unit": unit_of(margin.quantity, turns(report, &margin.of)), "time": margin.time,
        "margin": margin.margin, "bound": margin.bound.name(),
    })
}

fn shape_json(shape: Shape) -> Value {
    match shape {
        Shape::Fourier { harmonics, periods } => {
            json!({"kind": "fourier", "harmonics": harmonics, "periods": periods})
        }
        Shape::Spline { points } => json!({"kind": "spline", "degree": 5, "points": points}),
        Shape::Poses { count } => json!({"kind": "poses", "count": count}),
    }
}

/// For each joint that moves the coefficients of the family's own functions: a constant, then sine and cosine of
/// each harmonic; control points of the spline; or poses.
fn coefficients(report: &MotionReport<'_>) -> serde_json::Map<String, Value> {
    let designed = report.designed;
    let joints = designed.limits.iter().zip(&designed.coefficients);
    joints.map(|(limits, x)| (limits.name.clone(), json!(designed.basis.own(x)))).collect()
}
