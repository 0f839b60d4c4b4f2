//! Feasible states without a sine: configurations of trees and couplings in any field, F_p among them.
//!
//! A free rotation is the quaternion (1, t·axis) for any t. Rotations that couplings tie together are powers
//! of common rotors: if θ_k = Σ_j Z_kj θ_j + offset with rational Z of common denominator D, then with θ_j =
//! D φ_j the rotation of k is Π_j rotor(φ_j)^(D Z_kj), times that of the offset. Where an angle also appears
//! as a length (screws, racks), the field takes its value as independent of its sine: identities that hold
//! for all angles don't notice.

use steiner_linalg::Vec3;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Motion, Pose, Robot};
use steiner_scalar::{Exact, Rational, Scalar};

use crate::closure::Plan;
use crate::couplings::{CouplingSolution, coupling_reduction, solve_couplings};
use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::tree::{Segment, Tree};

/// Makes feasible states of a robot without loops in a field.
#[derive(Clone, Debug)]
pub struct RationalStates<S> {
    tree: Tree<S>,
    plan: Plan,
    reduction: Option<Matrix<S>>,
    /// How the coordinates that couplings tie together follow from the independent ones, by tree velocity.
    tied: Vec<Option<Tied<S>>>,
    /// Rotors of ratios that are no gear's.
    extra_rotors: usize,
    /// Whether some number had to be rounded to one the field can represent.
    pub rounded: bool,
}

/// θ = Σ_j factor_j θ_j + offset.
#[derive(Clone, Debug)]
struct Tied<S> {
    terms: Vec<Term<S>>,
    offset: S,
    /// Sine and cosine of the offset.
    offset_rotor: (S, S),
}

/// factor · θ_source.
#[derive(Clone, Copy, Debug)]
struct Term<S> {
    /// Which independent coordinate.
    source: usize,
    factor: S,
    turn: Turn,
}

/// How a term turns.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// A power of the common rotor of its source: the factor times the common denominator.
    Power(i64),
    /// A power of a rotor of its own, for a ratio that is no gear's, such as √2: its rotation is
    /// algebraically independent of the source's. Multiples of one such ratio share the rotor.
    Own {
        /// Which of the extra rotors.
        rotor: usize,
        power: i64,
    },
}

impl<S: Scalar> RationalStates<S> {
    /// For a robot whose only constraints are couplings; `None` when it has loops, whose configurations no
    /// field has.
    pub fn new(robot: &Robot, plan: &Plan) -> Result<Option<Self>, DynamicsError> {
        if !robot.loops.is_empty() {
            return Ok(None);
        }
        let tree = Tree::new(robot)?;
        if robot.couplings.is_empty() {
            let (tied, rounded) = (vec![None; tree.dof], tree.rounded);
            return Ok(Some(RationalStates {
                tree,
                plan: plan.clone(),
                reduction: None,
                tied,
                extra_rotors: 0,
                rounded,
            }));
        }
        let z = coupling_reduction::<S>(robot, plan)?;
        let Ties { tied, extra_rotors, exact } = tie(robot, &solve_couplings(robot, plan)?)?;
        let rounded = tree.rounded || z.rounded || !exact;
        let plan = plan.clone();
        Ok(Some(RationalStates { tree, plan, reduction: Some(z.value), tied, extra_rotors, rounded }))
    }

    /// The highest power of a rotor that turns a coordinate: 1 without gears. Degrees of polynomials grow
    /// with it.
    pub fn largest_power(&self) -> u64 {
        let power = |term: &Term<S>| match term.turn {
            Turn::Power(power) | Turn::Own { power, .. } => power.unsigned_abs(),
        };
        let terms = self.tied.iter().flatten().flat_map(|tied| &tied.terms);
        terms.map(power).max().unwrap_or(1).max(1)
    }

    /// The tree in this field.
    pub fn tree(&self) -> &Tree<S> {
        &self.tree
    }

    /// A state from numbers of the caller's choice, taken one by one: random ones give a generic state.
    pub fn state(&self, mut draw: impl FnMut() -> S) -> Feasible<S> {
        let dof = self.plan.independent.len();
        let mut list = |count: usize| -> Vec<S> { (0..count).map(|_| draw()).collect() };
        let drawn = Drawn { tangents: list(dof), extra: list(self.extra_rotors), values: list(dof) };
        let poses = self
            .tree
            .segments
            .iter()
            .map(|segment| {
                // Of the motions with several coordinates only a planar one can be tied, by its angle.
                match &self.tied[segment.velocity + segment.dof() - 1] {
                    Some(tied) => tied_pose(segment, tied, &drawn, &mut draw),
                    None => {
                        let q: Vec<S> = (0..segment.configuration_size()).map(|_| draw()).collect();
                        segment.pose_at_parameters(&q, draw())
                    }
                }
            })
            .collect();
        let qd: Vec<S> = (0..dof).map(|_| draw()).collect();
        let qdd: Vec<S> = (0..dof).map(|_| draw()).collect();
        let reduced = |rates: Vec<S>| match &self.reduction {
            Some(z) => z.apply(&rates),
            None => rates,
        };
        Feasible {
            poses,
            velocity: reduced(qd),
            acceleration: reduced(qdd),
            reduction: self.reduction.clone(),
        }
    }
}

/// The numbers that tied coordinates share.
struct Drawn<S> {
    /// Half-angle tangents of the common rotors.
    tangents: Vec<S>,
    /// Half-angle tangents of the rotors of ratios that are no gear's.
    extra: Vec<S>,
    /// Values of the independent coordinates.
    values: Vec<S>,
}

fn tied_pose<S: Scalar>(
    segment: &Segment<S>,
    tied: &Tied<S>,
    Drawn { tangents, extra, values }: &Drawn<S>,
    draw: &mut impl FnMut() -> S,
) -> Pose<S> {
    let value = tied.terms.iter().fold(tied.offset, |sum, term| sum + term.factor * values[term.source]);
    let own = segment.columns[segment.dof() - 1];
    if own.angular == Vec3::zero() {
        return segment.pose_at_parameters(&[value], value);
    }
    let rotor = tied.terms.iter().fold(tied.offset_rotor, |rotor, term| {
        let (tangent, power) = match term.turn {
            Turn::Power(power) => (tangents[term.source], power),
            Turn::Own { rotor, power } => (extra[rotor], power),
        };
        times(rotor, to_the(circle_point(tangent), power))
    });
    let others = if segment.dof() == 3 { vec![draw(), draw()] } else { vec![value] };
    segment.pose_at_sin_cos(rotor.0, rotor.1, &others)
}

/// (sin, cos) at a half-angle tangent.
fn circle_point<S: Scalar>(t: S) -> (S, S) {
    let norm = (S::one() + t * t).inv();
    ((t + t) * norm, (S::one() - t * t) * norm)
}

/// (sin, cos) of the sum of two angles.
fn times<S: Scalar>((s, c): (S, S), (u, d): (S, S)) -> (S, S) {
    (s * d + c * u, c * d - s * u)
}

fn to_the<S: Scalar>(rotor: (S, S), power: i64) -> (S, S) {
    let mut base = if power < 0 { (-rotor.0, rotor.1) } else { rotor };
    let mut out = (S::zero(), S::one());
    let mut exponent = power.unsigned_abs();
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = times(out, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    out
}

/// The ties of all coordinates.
struct Ties<S> {
    tied: Vec<Option<Tied<S>>>,
    extra_rotors: usize,
    /// Whether the field has all of them exactly.
    exact: bool,
}

/// How each coordinate follows from the independent ones.
fn tie<S: Scalar>(robot: &Robot, solution: &CouplingSolution) -> Result<Ties<S>, DynamicsError> {
    let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
    let coordinates = robot.coordinates();
    let offsets = robot.velocity_offsets();
    let mut involved = vec![false; coordinates.len()];
    for coupling in &robot.couplings {
        for c in coupling.terms.iter().map(|(c, _)| c).chain([&coupling.coordinate]) {
            involved[offsets[c.body.0] + c.component] = true;
        }
    }
    let z = &solution.z;
    let mut exact = !solution.rounded;
    // The common denominator of each independent angle, so that all powers are integers.
    let mut denominators = vec![1u64; z.columns()];
    for k in 0..z.rows() {
        for (j, common) in denominators.iter_mut().enumerate() {
            if let Some(own) = gear_denominator(&z[(k, j)]) {
                let both = (*common / greatest_common_divisor(*common, own)).saturating_mul(own);
                // Ratios whose denominators have nothing in common are no gears of one train.
                if both <= LARGEST_DENOMINATOR {
                    *common = both;
                }
            }
        }
    }
    let mut own: Vec<(usize, Rational)> = Vec::new();
    let mut tied = Vec::with_capacity(coordinates.len());
    for (k, coordinate) in coordinates.iter().enumerate() {
        if !involved[k] {
            tied.push(None);
            continue;
        }
        let mut terms = Vec::new();
        for (source, &common) in denominators.iter().enumerate() {
            let ratio = &z[(k, source)];
            if ratio.is_zero() {
                continue;
            }
            let scaled = |part: &Rational| i64::try_from((part * Rational::from(common)).round()).ok();
            let divides = |own: &u64| common.is_multiple_of(*own);
            let power = gear_denominator(ratio).filter(divides).and_then(|_| scaled(ratio));
            let parts = match power {
                Some(power) => vec![(ratio.clone(), Turn::Power(power))],
                None => own_turns(&mut own, source, ratio, common),
            };
            exact &= power.is_some();
            for (part, turn) in parts {
                let factor = S::evaluate(&Exact::rational(part)).map_err(geometry)?.value;
                terms.push(Term { source, factor, turn });
            }
        }
        let constant = &solution.offset[k];
        let offset = S::evaluate(constant).map_err(geometry)?.value;
        let rotor = S::evaluate_sin_cos(constant).map_err(geometry)?;
        exact &= !(rotor.rounded && is_rotation(robot, coordinate));
        tied.push(Some(Tied { terms, offset, offset_rotor: rotor.value }));
    }
    Ok(Ties { tied, extra_rotors: own.len(), exact })
}

/// Common denominators of gears go this far: ten decimals.
const LARGEST_DENOMINATOR: u64 = 10_000_000_000;

/// How far multiples are looked for when ratios that are no gear's may add up.
const FARTHEST_MULTIPLE: i64 = 8;

/// A ratio that is no gear's, as a sum: a gear's and a multiple of one or two others met before (to 25
/// digits), which have rotors of their own; or else a new one.
fn own_turns(
    own: &mut Vec<(usize, Rational)>,
    source: usize,
    ratio: &Rational,
    common: u64,
) -> Vec<(Rational, Turn)> {
    let known: Vec<(usize, Rational)> = own
        .iter()
        .enumerate()
        .filter(|(_, (other, _))| *other == source)
        .map(|(rotor, (_, first))| (rotor, first.clone()))
        .collect();
    // What remains must be a gear's ratio of the common denominator: an integer over it.
    let gear = |rest: &Rational| -> Option<i64> {
        let scaled = rest * Rational::from(common);
        let whole = scaled.round();
        let distance = &scaled - Rational::from(whole.clone());
        let close = Rational::ONE / Rational::from(10u64.pow(18)) / Rational::from(10u64.pow(7));
        (distance < close && -distance < close).then(|| i64::try_from(whole).ok()).flatten()
    };
    let multiples = |far: i64| (1..=far).flat_map(|k| [k, -k]);
    for (rotor, first) in &known {
        for k in multiples(8 * FARTHEST_MULTIPLE) {
            let part = first * Rational::from(k);
            if let Some(whole) = gear(&(ratio - &part)) {
                return summed(whole, common, vec![(part, Turn::Own { rotor: *rotor, power: k })]);
            }
        }
    }
    for (at, (rotor, first)) in known.iter().enumerate() {
        for (other, second) in &known[at + 1..] {
            for (k, l) in
                multiples(FARTHEST_MULTIPLE).flat_map(|k| multiples(FARTHEST_MULTIPLE).map(move |l| (k, l)))
            {
                let (part, rest) = (first * Rational::from(k), second * Rational::from(l));
                if let Some(whole) = gear(&(ratio - &part - &rest)) {
                    let own = vec![
                        (part, Turn::Own { rotor: *rotor, power: k }),
                        (rest, Turn::Own { rotor: *other, power: l }),
                    ];
                    return summed(whole, common, own);
                }
            }
        }
    }
    own.push((source, ratio.clone()));
    vec![(ratio.clone(), Turn::Own { rotor: own.len() - 1, power: 1 })]
}

/// A gear's part, if it is not zero, before the others.
fn summed(whole: i64, common: u64, own: Vec<(Rational, Turn)>) -> Vec<(Rational, Turn)> {
    let gear = (Rational::from(whole) / Rational::from(common), Turn::Power(whole));
    std::iter::once(gear).filter(|_| whole != 0).chain(own).collect()
}

/// The denominator of a ratio that gears could have, printed with up to ten decimals. Powers beyond it would
/// cost extended precision its digits.
fn gear_denominator(ratio: &Rational) -> Option<u64> {
    u64::try_from(ratio.denominator().clone()).ok().filter(|d| *d <= LARGEST_DENOMINATOR)
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn is_rotation(robot: &Robot, coordinate: &steiner_robot::Coordinate) -> bool {
    let stages = robot.bodies[coordinate.body.0].joint.stages();
    let mut first = 0;
    for stage in stages {
        if coordinate.component < first + stage.motion.dof() {
            return !matches!(stage.motion, Motion::Translation);
        }
        first += stage.motion.dof();
    }
    false
}
