//! The numbers of a designed motion in rows: deviations of base parameters, margins of limits.

use steiner_excitation::{Bound, Margin, Quantity};
use steiner_identification::LogInformation;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;

use super::MotionReport;
use crate::identification::group;

/// A deviation above this part of the value is large.
pub(crate) const LARGE: f64 = 0.3;
/// Relative deviations above this say that the value is about zero, not that the motion is poor.
const ABOUT_ZERO: f64 = 10.0;
/// Directions of the information weaker than this beside the strongest are not seen.
const UNSEEN: f64 = 1e-13;

/// What a motion promises about one base parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterLine {
    /// Its name; of a group that of its first term.
    pub name: String,
    /// How many parameters it groups.
    pub terms: usize,
    /// Its value by the robot's file.
    pub value: f64,
    /// Its standard deviation to be expected.
    pub sd: f64,
    /// The deviation as a part of the value; `None` where the value is about zero.
    pub relative: Option<f64>,
    /// Its standard deviation by the logs alone that came before; infinite where they do not show it.
    pub before: Option<f64>,
}

impl ParameterLine {
    /// Its name for people, who see whether it is a group.
    pub fn shown(&self) -> String {
        group(&self.name, self.terms)
    }

    /// Whether the deviation is large beside the value.
    pub fn is_weak(&self) -> bool {
        !self.sd.is_finite() || self.relative.is_some_and(|relative| relative > LARGE)
    }
}

/// All base parameters, in order.
pub fn parameter_lines(report: &MotionReport<'_>) -> Vec<ParameterLine> {
    let before = report.after.map(deviations_before);
    let line = |(k, deviation): (usize, &steiner_excitation::Deviation)| {
        let relative = deviation.sd / deviation.value.abs();
        ParameterLine {
            name: deviation.name.clone(),
            terms: report.designed.analysis.regrouping.base[k].terms.len(),
            value: deviation.value,
            sd: deviation.sd,
            relative: Some(relative).filter(|relative| *relative < ABOUT_ZERO),
            before: before.as_ref().map(|before| before[k]),
        }
    };
    report.designed.deviations.iter().enumerate().map(line).collect()
}

/// Standard deviations by logs alone. Where the information is singular, parameters that take part in what is
/// not seen have none.
fn deviations_before(logs: &LogInformation) -> Vec<f64> {
    let own = &logs.information;
    let n = own.rows();
    let scales: Vec<f64> = (0..n).map(|k| own[(k, k)].max(0.0).sqrt()).collect();
    let scaled = Matrix::from_fn(n, n, |r, c| match scales[r] * scales[c] {
        0.0 => 0.0,
        scale => own[(r, c)] / scale,
    });
    let found = singular(scaled);
    let most = found.values.first().copied().unwrap_or(0.0);
    (0..n)
        .map(|k| {
            let part = |(value, vector): (&f64, &Vec<f64>)| {
                let square = vector[k] * vector[k];
                match *value > UNSEEN * most {
                    true => square / value,
                    false if square > 1e-6 => f64::INFINITY,
                    false => 0.0,
                }
            };
            let variance: f64 = found.values.iter().zip(&found.vectors).map(part).sum();
            if scales[k] > 0.0 { variance.sqrt() / scales[k] } else { f64::INFINITY }
        })
        .collect()
}

/// Margins by joint and quantity; what is of no joint follows in a list.
#[derive(Clone, Debug, Default)]
pub struct MarginTable {
    /// Quantities that have a limit.
    pub quantities: Vec<Quantity>,
    /// Each joint with its margin for each of the quantities.
    pub joints: Vec<(String, Vec<Option<Margin>>)>,
    /// Sums of turns, loops and distances, the nearest first.
    pub others: Vec<Margin>,
}

/// All margins, in rows of joints.
pub fn margin_table(report: &MotionReport<'_>) -> MarginTable {
    let of_joints = [
        Quantity::Position,
        Quantity::Velocity,
        Quantity::Acceleration,
        Quantity::Jerk,
        Quantity::Effort,
        Quantity::Power,
    ];
    let margins = &report.designed.margins;
    let (own, mut others): (Vec<&Margin>, Vec<&Margin>) =
        margins.iter().partition(|margin| of_joints.contains(&margin.quantity));
    let has = |quantity: &Quantity| own.iter().any(|margin| margin.quantity == *quantity);
    let quantities: Vec<Quantity> = of_joints.into_iter().filter(has).collect();
    let mut joints: Vec<(String, Vec<Option<Margin>>)> = Vec::new();
    for margin in own {
        let column = quantities.iter().position(|quantity| *quantity == margin.quantity);
        let row = match joints.iter().position(|(joint, _)| *joint == margin.of) {
            Some(row) => row,
            None => {
                joints.push((margin.of.clone(), vec![None; quantities.len()]));
                joints.len() - 1
            }
        };
        if let Some(column) = column {
            joints[row].1[column] = Some(margin.clone());
        }
    }
    others.sort_by(|a, b| {
        let violated = |margin: &Margin| margin.bound != Bound::Violated;
        violated(a).cmp(&violated(b)).then(a.margin.total_cmp(&b.margin))
    });
    MarginTable { quantities, joints, others: others.into_iter().cloned().collect() }
}

/// The unit of a quantity for a joint that turns or slides.
pub(crate) fn unit_of(quantity: Quantity, turns: bool) -> &'static str {
    match (quantity, turns) {
        (Quantity::Position | Quantity::TurnSum, true) => "rad",
        (Quantity::Position | Quantity::TurnSum | Quantity::Distance, _) => "m",
        (Quantity::Velocity, true) => "rad/s",
        (Quantity::Velocity, false) => "m/s",
        (Quantity::Acceleration, true) => "rad/s²",
        (Quantity::Acceleration, false) => "m/s²",
        (Quantity::Jerk, true) => "rad/s³",
        (Quantity::Jerk, false) => "m/s³",
        (Quantity::Effort, true) => "N·m",
        (Quantity::Effort, false) => "N",
        (Quantity::Power, _) => "W",
        (Quantity::NormalForce, _) => "N",
        (Quantity::Regularity | Quantity::Slip, _) => "",
    }
}

/// Whether a coordinate of this name turns.
pub(crate) fn turns(report: &MotionReport<'_>, name: &str) -> bool {
    let robot = report.mechanism.robot();
    let joint = name.split_once(':').map_or(name, |(joint, _)| joint);
    let found = robot.bodies.iter().find(|body| body.joint.name == name || body.joint.name == joint);
    found.is_none_or(|body| body.joint.kind != steiner_robot::JointKind::Prismatic)
}
