//! A barrier method: Newton steps on the objective − μ log det S for every block and − μ log s for every number
//! that cannot be negative, with μ falling to nothing.
//!
//! Inequalities C z ≥ c become equations C z − u = c with slacks u > 0; equations need not hold on the way
//! (infeasible start), so no first phase is needed; the program starts inside its bounds where it can
//! (`Program::start`), since from far outside the way back may be too long. Slacks are eliminated from each step: with the residual r
//! of their equations, du = C dz + r, so that Newton's equations in dz have the Hessian H + Cᵀ D C and the
//! gradient g + Cᵀ (D r + g_u), D the diagonal second derivatives of the slacks' barriers. Thousands of sides
//! of hulls then cost little. Steps are taken in the frame of `local.rs`.

use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;

use steiner_robot::inertial_count;

use super::local::{Local, Point};
use super::optimality::Multipliers;
use super::program::Program;
use crate::failure::IdentificationError;

/// μ falls by this factor.
const FALL: f64 = 0.05;
/// By this where care is needed.
const SLOW_FALL: f64 = 0.4;
/// Where it starts near the end, in units of the pull.
const NEAR: f64 = 1e-2;
/// Where the path ends, in units of χ².
const LEAST_BARRIER: f64 = 1e-9;
/// Where a rough one ends, in units of the pull.
const ROUGH: f64 = 1e-3;
/// Newton steps for one μ, at most: a dozen is usual, from afar a few dozen.
const MOST_STEPS: usize = 200;
/// How well equations must hold at the end, relative.
const EXACT: f64 = 1e-10;
/// A direction that solves Newton's equations worse than this is found again with all digits.
const UNSOLVED: f64 = 1e-4;

/// The end of the path.
pub(super) struct Found {
    pub(super) point: Point,
    pub(super) multipliers: Multipliers,
    pub(super) steps: usize,
}

struct Path<'p> {
    program: &'p Program,
    /// AᵀA, as long as its digits suffice.
    normal: Option<Matrix<f64>>,
    /// Of the equations, by the last step.
    multipliers: Vec<f64>,
}

/// How far to follow the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// To the minimum.
    Exact,
    /// To the minimum in small steps, each with all digits: where `Exact` failed.
    Careful,
    /// Until the barriers move nothing by more than a small part of a standard deviation.
    Rough,
}

/// Follows the path: from the file's values, or with little barrier from a point near the end.
pub(super) fn solve(program: &Program, near: Option<Point>, end: End) -> Result<Found, IdentificationError> {
    let normal = (end != End::Careful).then(|| normal(program));
    let mut path = Path { program, normal, multipliers: Vec::new() };
    let fall = if end == End::Careful { SLOW_FALL } else { FALL };
    let numbers = &program.prior[inertial_count(program.blocks)..];
    let is_near = near.is_some();
    let mut point = near.unwrap_or_else(|| Point::new(program, program.start.clone(), numbers));
    let degree = (4 * program.blocks + program.positive.len() + program.inequalities.len()).max(1) as f64;
    let residual = program.residual(&point.z);
    let mut barrier = match is_near {
        true => NEAR * program.weight,
        false => (0.5 * dot(&residual, &residual) / degree).max(program.weight),
    };
    let mut steps = 0;
    let last = if end == End::Rough { ROUGH * program.weight } else { LEAST_BARRIER };
    loop {
        steps += path.centre(&mut point, barrier);
        if barrier <= last {
            break;
        }
        barrier = (fall * barrier).max(last);
    }
    // Not a number is a failure too.
    let violation = path.violation(&point);
    if violation.is_nan() || violation > EXACT {
        return Err(IdentificationError::Infeasible {
            why: "no bodies satisfy what is known and all bounds on masses and centres together".to_owned(),
        });
    }
    let inequalities = point.slacks.iter().map(|u| barrier / u).collect();
    let multipliers = Multipliers { inequalities, equalities: path.multipliers };
    Ok(Found { point, multipliers, steps })
}

/// AᵀA.
fn normal(program: &Program) -> Matrix<f64> {
    let n = program.size();
    let mut normal = Matrix::zeros(n, n);
    for r in 0..program.data.rows() {
        let row = program.data.row(r);
        for i in (0..n).filter(|&i| row[i] != 0.0) {
            let factor = row[i];
            normal.row_mut(i).iter_mut().zip(row).for_each(|(x, y)| *x += factor * y);
        }
    }
    normal
}

impl Path<'_> {
    /// E z − e, then C z − u − c.
    fn residuals(&self, point: &Point) -> Vec<f64> {
        let p = self.program;
        let equations = p.equalities.iter().map(|(row, e)| dot(row, &point.z) - e);
        let bounds = p.inequalities.iter().zip(&point.slacks).map(|((row, c), u)| dot(row, &point.z) - u - c);
        equations.chain(bounds).collect()
    }

    /// The largest violation of an equation, relative to its terms.
    fn violation(&self, point: &Point) -> f64 {
        let rows = self.program.equalities.iter().chain(&self.program.inequalities);
        self.residuals(point).iter().zip(rows).fold(0.0, |most: f64, (r, (row, e))| {
            let terms: f64 = row.iter().zip(&point.z).map(|(a, x)| (a * x).abs()).sum();
            let relative = r.abs() / (1.0 + e.abs() + terms);
            if relative.is_nan() { f64::NAN } else { most.max(relative) }
        })
    }

    /// Newton steps to the centre of one μ; answers how many.
    fn centre(&mut self, point: &mut Point, barrier: f64) -> usize {
        let enough = if barrier <= LEAST_BARRIER { 1e-9 } else { 1e-2 } * barrier;
        let mut before = f64::INFINITY;
        for step in 0..MOST_STEPS {
            let local = Local::new(self.program, point, barrier);
            let residuals = self.residuals(point);
            let quick = self.normal.as_ref().and_then(|normal| local.quick_factor(normal));
            let quick = quick.map(|factor| local.direction(&factor, &residuals));
            let direction = match quick {
                Some(direction) if direction.unsolved <= UNSOLVED => direction,
                _ => {
                    self.normal = None;
                    local.direction(&local.careful_factor(), &residuals)
                }
            };
            let along = local.along(&direction.step, &residuals);
            self.multipliers = direction.multipliers;
            let feasible = self.violation(point) <= EXACT;
            let decrement = -along.derivative(0.0);
            // Near the centre the decrement falls with its square: where it no longer does, rounding is left.
            let settled = decrement <= enough || (decrement < 1e-3 * barrier && decrement > 0.5 * before);
            if feasible && settled {
                return step;
            }
            before = decrement;
            let mut length = match feasible {
                true => along.best_length(),
                false => 1.0f64.min(0.9 * along.longest()),
            };
            while !point.advance(self.program, &direction.step, &along.slacks, length) {
                length *= 0.5;
                if length < 1e-12 {
                    return step;
                }
            }
        }
        MOST_STEPS
    }
}
