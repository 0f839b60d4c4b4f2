//! A quasi-Newton method (BFGS) for functions that are only defined inside constraints.

use steiner_linalg::{dot, norm};

/// A function with a barrier at its constraints.
pub(crate) trait Barrier {
    /// Its value; `None` where a constraint is violated.
    fn value(&mut self, x: &[f64]) -> Option<f64>;
    /// Its gradient where the value was asked for last.
    fn gradient(&mut self) -> Option<Vec<f64>>;
    /// The longest step along a direction that keeps linear constraints.
    fn longest_step(&self, x: &[f64], direction: &[f64]) -> f64;
    /// Whether to stop; asked after every step.
    fn stopped(&mut self, x: &[f64], value: f64) -> bool;
}

/// An approximation of the inverse Hessian, kept from one problem to the next similar one.
#[derive(Clone, Debug)]
pub(crate) struct Curvature {
    size: usize,
    inverse: Vec<f64>,
    /// Whether anything was learned yet.
    fresh: bool,
}

impl Curvature {
    pub(crate) fn new(size: usize) -> Self {
        let mut inverse = vec![0.0; size * size];
        (0..size).for_each(|k| inverse[k * size + k] = 1.0);
        Curvature { size, inverse, fresh: true }
    }

    fn apply(&self, v: &[f64]) -> Vec<f64> {
        self.inverse.chunks_exact(self.size).map(|row| dot(row, v)).collect()
    }

    /// BFGS update by a step s and the change y of the gradient.
    fn learn(&mut self, s: &[f64], y: &[f64]) {
        let sy = dot(s, y);
        if !(sy > 1e-12 * norm(s) * norm(y)) {
            return;
        }
        if self.fresh {
            // The first scale of the unit matrix.
            let scale = sy / dot(y, y);
            self.inverse.iter_mut().for_each(|x| *x *= scale);
            self.fresh = false;
        }
        let hy = self.apply(y);
        let factor = (1.0 + dot(y, &hy) / sy) / sy;
        for r in 0..self.size {
            let row = &mut self.inverse[r * self.size..(r + 1) * self.size];
            let (sr, hr) = (s[r], hy[r]);
            for c in 0..row.len() {
                row[c] += factor * sr * s[c] - (hr * s[c] + sr * hy[c]) / sy;
            }
        }
    }
}

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
    let mut gradient = barrier.gradient()?;
    for step in 0..most_steps {
        let mut direction: Vec<f64> = curvature.apply(&gradient).into_iter().map(|d| -d).collect();
        let mut slope = dot(&gradient, &direction);
        if !(slope < 0.0) {
            *curvature = Curvature::new(x.len());
            direction = gradient.iter().map(|g| -g).collect();
            slope = dot(&gradient, &direction);
        }
        if -slope < 2.0 * least_gain || !slope.is_finite() {
            return Some((value, step));
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
            continue;
        };
        let new_gradient = barrier.gradient()?;
        let s: Vec<f64> = candidate.iter().zip(x.iter()).map(|(a, b)| a - b).collect();
        let y: Vec<f64> = new_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        curvature.learn(&s, &y);
        (*x, value, gradient) = (candidate, new, new_gradient);
        if barrier.stopped(x, value) {
            return Some((value, step + 1));
        }
    }
    Some((value, most_steps))
}
