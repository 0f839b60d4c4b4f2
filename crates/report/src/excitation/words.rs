//! Sentences about a designed motion.

use steiner_excitation::{Bound, Criterion, Margin, Purpose, Quantity, Shape};

use super::tables::{ParameterLine, parameter_lines, turns, unit_of};
use super::{MotionReport, notes};
use crate::words::{count, listed, number, percent};

/// Gains in log det below this are not worth a sentence.
const LITTLE: f64 = 0.05;
/// Names in a row at most.
const MOST_NAMES: usize = 8;
/// A deviation that becomes smaller by less than this part is not named.
const WORTH_NAMING: f64 = 0.03;
/// Limits that are blamed in words at most.
const MOST_BLAMED: usize = 6;

/// What the motion is, what it shows, and whether it keeps the limits.
pub fn motion_headline(report: &MotionReport<'_>) -> Vec<String> {
    let designed = report.designed;
    let base = designed.deviations.len();
    let mut out = vec![
        format!("A motion of {}, for {}.", shape_words(report), count(base, "base parameter")),
        criterion_words(report),
        feasible_words(report),
    ];
    if let Some(after) = report.after {
        out.push(after_words(report, after));
    }
    out.extend(notes::notes(report));
    out
}

/// "10 s: 5 harmonics of 0.1 Hz", "30 poses".
fn shape_words(report: &MotionReport<'_>) -> String {
    let basis = &report.designed.basis;
    let duration = number(basis.duration(), 4);
    match basis.shape() {
        Shape::Fourier { harmonics, periods: 1 } => {
            let first = number(1.0 / basis.duration(), 3);
            format!("{duration} s with {harmonics} harmonics of {first} Hz, at rest at both ends")
        }
        Shape::Fourier { harmonics, periods } => format!(
            "{duration} s, {periods} periods with {harmonics} harmonics of {} Hz each, at rest at both ends",
            number(periods as f64 / basis.duration(), 3)
        ),
        Shape::Spline { points } => {
            format!("{duration} s through {}, at rest at both ends", count(points, "via-point"))
        }
        Shape::Poses { count: poses } => format!("{} held one after the other", count(poses, "pose")),
    }
}

fn criterion_words(report: &MotionReport<'_>) -> String {
    let designed = report.designed;
    let aim = match &report.design.purpose {
        Purpose::Everything => match designed.criterion.0 {
            Criterion::D => "log det was made as large as possible",
            Criterion::A => "the sum of variances was made as small as possible",
            Criterion::E => "the worst deviation of any combination was made as small as possible",
            Criterion::Condition => "the condition number was made as small as possible",
        }
        .to_owned(),
        Purpose::Payload => "the parameters of the last link were made as certain as possible".to_owned(),
        Purpose::Link(link) => {
            format!("the parameters that {link} is part of were made as certain as possible")
        }
        Purpose::TorquePrediction => "errors of predicted forces were made as small as possible".to_owned(),
    };
    format!(
        "log det {}, condition number {}: {aim}.",
        number(designed.log_det, 4),
        number(designed.condition_number, 3)
    )
}

fn feasible_words(report: &MotionReport<'_>) -> String {
    let margins = &report.designed.margins;
    let of = |bound: Bound| margins.iter().filter(|margin| margin.bound == bound).count();
    let (proven, sampled, violated) = (of(Bound::Proven), of(Bound::Sampled), of(Bound::Violated));
    if violated > 0 {
        let worst = margins.iter().filter(|margin| margin.bound == Bound::Violated);
        let worst = worst.min_by(|a, b| a.margin.total_cmp(&b.margin));
        let worst = worst.map_or(String::new(), |margin| format!(": {}", margin_words(report, margin)));
        return format!("NOT FEASIBLE, {} violated{worst}.", count(violated, "limit"));
    }
    let how = match (proven, sampled) {
        (_, 0) => "proven at every time, not at samples alone".to_owned(),
        (0, _) => "checked at 2000 samples".to_owned(),
        _ => format!("{proven} proven at every time, {sampled} checked at 2000 samples"),
    };
    let nearest = margins.iter().min_by(|a, b| a.margin.total_cmp(&b.margin));
    let nearest = nearest.map_or(String::new(), |m| format!("; nearest: {}", margin_words(report, m)));
    // A limit that was not looked at is none that is kept.
    let but = match report.touching.len() * usize::from(report.design.self_collision) {
        0 => String::new(),
        pairs => format!("; {} not kept apart, see below", counted_pairs(pairs)),
    };
    format!("Feasible: all {} kept ({how}){but}{nearest}.", count(margins.len(), "limit"))
}

fn counted_pairs(pairs: usize) -> String {
    if pairs == 1 { "but 1 pair of bodies is".to_owned() } else { format!("but {pairs} pairs of bodies are") }
}

/// "velocity of joint4 2.17 of 2.175 rad/s at 3.1 s".
pub(crate) fn margin_words(report: &MotionReport<'_>, margin: &Margin) -> String {
    let unit = unit_of(margin.quantity, turns(report, &margin.of));
    let at = match report.designed.basis.is_static() {
        true => format!("in pose {}", margin.time as usize + 1),
        false => format!("at {} s", number(margin.time, 3)),
    };
    let about_zero = !matches!(margin.quantity, Quantity::Position | Quantity::TurnSum);
    let size = |x: f64| number(if about_zero { x.abs() } else { x }, 4);
    let (value, limit) = (size(margin.value), size(margin.limit));
    match margin.quantity {
        Quantity::Distance => {
            format!(
                "{} are {} mm apart {at} (least {} mm)",
                margin.of,
                millimetres(margin.value),
                millimetres(margin.limit)
            )
        }
        Quantity::Regularity => {
            format!("distance from singularity of the loops {value} {at} (least {limit})")
        }
        Quantity::NormalForce => {
            format!("{} pushes on the ground with {value} N {at} (least {limit} N)", margin.of)
        }
        Quantity::Slip => format!("{} uses {value} of its friction cone {at}", margin.of),
        quantity => format!("{} of {} {value} of {limit} {unit} {at}", quantity_words(quantity), margin.of),
    }
}

/// What is left of a limit, in whole per cent; less is "< 1 %".
pub fn margin_percent(margin: f64) -> String {
    match 100.0 * margin {
        left if left < -0.005 => format!("{left:.2} %"),
        left if left < 1.0 => "< 1 %".to_owned(),
        left => format!("{left:.0} %"),
    }
}

fn millimetres(metres: f64) -> String {
    number(1e3 * metres, 3)
}

/// The word of a quantity for people.
pub(crate) fn quantity_words(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Effort => "torque",
        other => other.name(),
    }
}

fn after_words(report: &MotionReport<'_>, after: &steiner_identification::LogInformation) -> String {
    let lines = parameter_lines(report);
    let unseen = lines.iter().filter(|line| line.before.is_some_and(f64::is_infinite)).count();
    let ratios: Vec<f64> = lines.iter().filter_map(|line| Some(line.before? / line.sd)).collect();
    let halved = ratios.iter().filter(|ratio| **ratio >= 2.0).count();
    let samples = crate::words::thousands(after.excitation.samples);
    let unseen = match unseen {
        0 => String::new(),
        n => format!("; {n} that they do not show at all are seen now"),
    };
    let names: Vec<String> = after.excitation.weak.iter().map(|weak| lines[weak.parameter].shown()).collect();
    let poorly = match names.is_empty() {
        true => String::new(),
        false => format!(" They excite poorly: {}.", listed(&names, MOST_NAMES)),
    };
    format!(
        "After logs of {samples} samples: with this motion, {halved} of {} deviations are at most half as large{unseen}.{poorly}",
        lines.len()
    )
}

/// What stays poorly known, a sentence each; empty where nothing does.
pub fn weak_sentences(report: &MotionReport<'_>) -> Vec<String> {
    let mut weak: Vec<ParameterLine> =
        parameter_lines(report).into_iter().filter(ParameterLine::is_weak).collect();
    weak.sort_by(|a, b| b.relative.unwrap_or(f64::INFINITY).total_cmp(&a.relative.unwrap_or(f64::INFINITY)));
    weak.iter()
        .map(|line| match line.relative {
            Some(relative) => format!(
                "{} = {} ± {} ({})",
                line.shown(),
                number(line.value, 3),
                number(line.sd, 2),
                percent(relative)
            ),
            None => format!("{} is not seen", line.shown()),
        })
        .collect()
}

/// Which limits keep the motion from showing more, the most important first.
pub fn blame_sentences(report: &MotionReport<'_>) -> Vec<String> {
    let designed = report.designed;
    let n = designed.deviations.len().max(1) as f64;
    let is_d = designed.criterion.0 == Criterion::D && report.design.purpose == Purpose::Everything;
    let lines = parameter_lines(report);
    let blamed = designed.blame.iter().filter(|blame| blame.gain > LITTLE).take(MOST_BLAMED);
    blamed
        .map(|blame| {
            let gain = match is_d {
                true => format!(
                    "log det would rise by {} (deviations {} smaller in the mean)",
                    number(blame.gain, 2),
                    percent(1.0 - (-0.5 * blame.gain / n).exp())
                ),
                false => format!("the criterion would gain {}", number(blame.gain, 2)),
            };
            let helped = match most_helped(&lines, &blame.deviations) {
                Some((name, part)) => format!(", and σ of {name} would be {} smaller", percent(part)),
                None => String::new(),
            };
            format!("{}: with 10 % more, {gain}{helped}", limit_words(report, &blame.joint, blame.quantity))
        })
        .collect()
}

/// The parameter whose deviation shrinks most, and by which part: among those that are weak, if it helps one.
fn most_helped(lines: &[ParameterLine], ratios: &[f64]) -> Option<(String, f64)> {
    let of = |weak_only: bool| {
        let helped = lines
            .iter()
            .zip(ratios)
            .filter(|(line, ratio)| 1.0 - **ratio > WORTH_NAMING && (!weak_only || line.is_weak()));
        helped.min_by(|a, b| a.1.total_cmp(b.1)).map(|(line, ratio)| (line.shown(), 1.0 - ratio))
    };
    of(true).or_else(|| of(false))
}

/// "joint6 may turn ±2.9 rad", "joint2 may go 2.175 rad/s".
fn limit_words(report: &MotionReport<'_>, joint: &str, quantity: Quantity) -> String {
    let turns = turns(report, joint);
    let unit = unit_of(quantity, turns);
    let Some(limits) = report.designed.limits.iter().find(|limits| limits.name == joint) else {
        return format!("the limit of {} of {joint}", quantity_words(quantity));
    };
    let most = |value: Option<f64>| value.map_or("–".to_owned(), |value| number(value, 4));
    match quantity {
        Quantity::Position => {
            let verb = if turns { "turn" } else { "go" };
            let (lower, upper) = (limits.lower, limits.upper);
            match (upper + lower).abs() < 1e-9 * (upper - lower) {
                true => format!("{joint} may {verb} ±{} {unit}", number(upper, 4)),
                false => {
                    format!("{joint} may {verb} from {} to {} {unit}", number(lower, 4), number(upper, 4))
                }
            }
        }
        Quantity::Velocity => format!("{joint} may go {} {unit}", number(limits.velocity, 4)),
        Quantity::Acceleration => format!("{joint} may accelerate {} {unit}", most(limits.acceleration)),
        Quantity::Jerk => format!("{joint} may jerk {} {unit}", most(limits.jerk)),
        Quantity::Effort => format!("{joint} may push {} {unit}", most(limits.effort)),
        Quantity::Power => format!("{joint} may use {} {unit}", most(limits.power)),
        _ => format!("the limit of {} of {joint}", quantity.name()),
    }
}
