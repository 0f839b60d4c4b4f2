//! A quasi-Newton method for functions that are only defined inside constraints.
//!
//! The curvature of barriers at linear constraints is known exactly and large; that of the rest is learned
//! (BFGS, damped as Powell proposed). So a small weight of the barriers costs few steps more than a large one.

use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::{dot, norm};

/// A function with a barrier at its constraints.
pub(crate) trait Barrier {
    /// Its value; `None` where a constraint is violated.
    fn value(&mut self, x: &[f64]) -> Option<f64>;
    /// Its gradient where the value was asked for last: of barriers whose curvature is known, and of the rest.
    fn gradient(&mut self) -> Option<[Vec<f64>; 2]>;
    /// Adds the second derivatives of the barriers in the first part, where the gradient was asked for last.
    fn add_curvature(&self, hessian: &mut Matrix<f64>);
    /// Told of a step once its gradient is known: which part of the direction was gone. Answers what changed in
    /// the gradient for constraints that are not linear, their forces held; nothing, if there are none.
    fn moved(&mut self, part: f64) -> Vec<f64>;
    /// The longest step along a direction that keeps linear constraints.
    fn longest_step(&self, x: &[f64], direction: &[f64]) -> f64;
    /// Whether a number of x must stay as it is.
    fn is_held(&self, k: usize) -> bool;
    /// Whether to stop; asked after every step.
    fn stopped(&mut self, x: &[f64], value: f64) -> bool;
}

/// What was learned of the curvature of the rest, kept from one problem to the next similar one.
#[derive(Clone, Debug)]
pub(crate) struct Curvature {
    hessian: Matrix<f64>,
    /// Whether anything was learned yet.
    fresh: bool,
}

impl Curvature {
    pub(crate) fn new(size: usize) -> Self {
        Curvature { hessian: Matrix::identity(size), fresh: true }
    }

    /// Mean size of what was learned.
    fn size(&self) -> f64 {
        let n = self.hessian.rows();
        ((0..n).map(|k| self.hessian[(k, k)].abs()).sum::<f64>() / n as f64).max(f64::MIN_POSITIVE)
    }

    /// Keeps only the mean size of what was learned.
    fn forget(&mut self) {
        let (n, size) = (self.hessian.rows(), self.size());
        self.hessian = Matrix::from_fn(n, n, |r, c| if r == c { 0.3 * size } else { 0.0 });
    }

    /// BFGS update by a step s and the change y of the gradient, kept positive definite.
    fn learn(&mut self, s: &[f64], y: &[f64]) {
        let (sy, ss) = (dot(s, y), dot(s, s));
        if !(ss > 0.0) {
            return;
        }
        if self.fresh {
            // The first scale of the unit matrix.
            let scale = (dot(y, y) / sy.abs().max(1e-12 * norm(y) * norm(s))).clamp(1e-6, 1e9);
            self.hessian = Matrix::from_fn(s.len(), s.len(), |r, c| if r == c { scale } else { 0.0 });
            self.fresh = false;
        }
        let bs = self.hessian.apply(s);
        let r: Vec<f64> = y.iter().zip(&bs).map(|(y, bs)| y - bs).collect();
        let sr = dot(s, &r);
        if !(sr.abs() > DAMPING * norm(s) * norm(&r)) {
            return;
        }
        for a in 0..s.len() {
            let ra = r[a] / sr;
            let row = self.hessian.row_mut(a);
            for c in 0..row.len() {
                row[c] += ra * r[c];
            }
        }
    }
}

/// Least curvature along a step that is believed, relative to what was learned.
const DAMPING: f64 = 1e-6;
/// First part of the mean curvature that is added where there are negative ones.
const LEAST_SHIFT: f64 = 0.03;
/// Relative decrease a step must give.
const ARMIJO: f64 = 1e-4;
/// How much of the way to a linear constraint a step may go.
const TO_WALL: f64 = 0.9;

/// Descends from a feasible `x` until a step is expected to gain less than `least_gain`; returns the value
/// and the number of steps.
pub(crate) fn descend(
    barrier: &mut impl Barrier,
    x: &mut Vec<f64>,
    curvature: &mut Curvature,
    least_gain: f64,
    most_steps: usize,
) -> Option<(f64, usize)> {
    let mut value = barrier.value(x)?;
    let mut parts = barrier.gradient()?;
    let mut asked_again = false;
    for step in 0..most_steps {
        let gradient: Vec<f64> = parts[0].iter().zip(&parts[1]).map(|(a, b)| a + b).collect();
        let mut hessian = curvature.hessian.clone();
        barrier.add_curvature(&mut hessian);
        for held in (0..x.len()).filter(|&k| barrier.is_held(k)) {
            for k in 0..x.len() {
                (hessian[(held, k)], hessian[(k, held)]) = (0.0, 0.0);
            }
            hessian[(held, held)] = 1.0;
        }
        // Of what was learned: barriers may weigh a thousand times as much.
        let size = curvature.size();
        let mut shift = 0.0;
        let direction: Vec<f64> = loop {
            let mut shifted = hessian.clone();
            (0..x.len()).for_each(|k| shifted[(k, k)] += shift);
            match Cholesky::new(shifted) {
                Ok(factor) => break factor.solve(&gradient).into_iter().map(|d| -d).collect(),
                Err(_) => shift = if shift == 0.0 { LEAST_SHIFT * size } else { 3.0 * shift },
            }
        };
        let slope = dot(&gradient, &direction);
        if !(slope < 0.0) || !slope.is_finite() || -slope < 2.0 * least_gain {
            // What was learned may be wrong where the function is not convex: once more without it.
            if asked_again || !slope.is_finite() {
                return Some((value, step));
            }
            asked_again = true;
            curvature.forget();
            continue;
        }
        let wall = TO_WALL * barrier.longest_step(x, &direction);
        let mut length = if curvature.fresh { (0.1 / norm(&direction)).min(1.0) } else { 1.0 };
        length = length.min(wall);
        let mut accepted = None;
        for _ in 0..30 {
            let candidate: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + length * d).collect();
            match barrier.value(&candidate) {
                Some(new) if new <= value + ARMIJO * length * slope => {
                    accepted = Some((candidate, new));
                    break;
                }
                Some(new) => {
                    // The minimum of the parabola through what is known, within reason.
                    let best = -slope * length * length / (2.0 * (new - value - slope * length));
                    length = best.clamp(0.1 * length, 0.6 * length);
                }
                None => length *= 0.4,
            }
        }
        let Some((candidate, new)) = accepted else {
            if curvature.fresh {
                return Some((value, step));
            }
            *curvature = Curvature::new(x.len());
            barrier.value(x)?;
            parts = barrier.gradient()?;
            continue;
        };
        let new_parts = barrier.gradient()?;
        let bent = barrier.moved(length);
        let s: Vec<f64> = candidate.iter().zip(x.iter()).map(|(a, b)| a - b).collect();
        let mut y: Vec<f64> = new_parts[1].iter().zip(&parts[1]).map(|(a, b)| a - b).collect();
        y.iter_mut().zip(bent).for_each(|(y, bent)| *y += bent);
        curvature.learn(&s, &y);
        (*x, value, parts) = (candidate, new, new_parts);
        if barrier.stopped(x, value) {
            return Some((value, step + 1));
        }
    }
    Some((value, most_steps))
}
