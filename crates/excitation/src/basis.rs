//! Motions as sums of functions of time: q_j(t) = Σ_b φ_b(t) x_jb, with the same functions for every joint.
//!
//! All functions start at rest: φ̇(0) = φ̈(0) = 0, and so do they end. The first one is constant: its
//! coefficient is the pose in which a motion begins and ends.

use std::f64::consts::TAU;

/// The family of functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A finite Fourier series of a period.
    Fourier {
        /// Number of harmonics; at least 2, as one alone cannot start from rest.
        harmonics: usize,
        /// How often the period is repeated.
        periods: usize,
    },
    /// B-splines of degree five (continuous jerk) with evenly spaced knots.
    Spline {
        /// Free control points besides the pose at both ends.
        points: usize,
    },
    /// Poses held one after another: no velocity is ever felt.
    Poses {
        /// Number of poses.
        count: usize,
    },
}

/// The functions of a motion, with their derivatives.
#[derive(Clone, Debug)]
pub struct Basis {
    shape: Shape,
    /// Length of the motion, s.
    duration: f64,
    /// For each function of the basis, its coefficients in the family's own functions.
    functions: Vec<Vec<f64>>,
}

/// Degree of the splines.
const DEGREE: usize = 5;

impl Basis {
    /// The functions of a shape over a duration, s.
    pub fn new(shape: Shape, duration: f64) -> Self {
        let functions = match shape {
            Shape::Fourier { harmonics, .. } => fourier(harmonics),
            Shape::Spline { points } => spline(points),
            Shape::Poses { count } => {
                (0..count).map(|k| (0..count).map(|c| f64::from(u8::from(c == k))).collect()).collect()
            }
        };
        Basis { shape, duration, functions }
    }

    /// The family of functions.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Length of the motion, s; for poses their number.
    pub fn duration(&self) -> f64 {
        match self.shape {
            Shape::Poses { count } => count as f64,
            _ => self.duration,
        }
    }

    /// Whether the robot rests in all of it.
    pub fn is_static(&self) -> bool {
        matches!(self.shape, Shape::Poses { .. })
    }

    /// Number of functions.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The derivative of an order of every function at a time, s.
    pub fn at(&self, t: f64, order: usize) -> Vec<f64> {
        let own = self.own_at(t, order);
        self.functions.iter().map(|f| f.iter().zip(&own).map(|(c, v)| c * v).sum()).collect()
    }

    /// The coefficients of a signal in the family's own functions: centre, then sine and cosine of each
    /// harmonic; or control points.
    pub fn own(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.functions.first().map_or(0, Vec::len)];
        for (f, x) in self.functions.iter().zip(x) {
            out.iter_mut().zip(f).for_each(|(o, c)| *o += c * x);
        }
        out
    }

    /// ω of the first harmonic, rad/s.
    fn frequency(&self, periods: usize) -> f64 {
        TAU * periods as f64 / self.duration
    }

    fn own_at(&self, t: f64, order: usize) -> Vec<f64> {
        match self.shape {
            Shape::Fourier { harmonics, periods } => {
                let mut out = vec![if order == 0 { 1.0 } else { 0.0 }];
                for k in 1..=harmonics {
                    let w = k as f64 * self.frequency(periods);
                    let (s, c) = (w * t).sin_cos();
                    let by = w.powi(order as i32);
                    let (ds, dc) = match order % 4 {
                        0 => (s, c),
                        1 => (c, -s),
                        2 => (-s, -c),
                        _ => (-c, s),
                    };
                    out.extend([by * ds, by * dc]);
                }
                out
            }
            Shape::Spline { points } => self.splines_at(points + 2 * 3, t, order),
            Shape::Poses { count } => {
                let pose = (t as usize).min(count.saturating_sub(1));
                (0..count).map(|k| if k == pose && order == 0 { 1.0 } else { 0.0 }).collect()
            }
        }
    }

    /// Intervals between the knots of `count` splines.
    fn splines_at(&self, count: usize, t: f64, order: usize) -> Vec<f64> {
        let knots = clamped_knots(count, self.duration);
        (0..count).map(|k| spline_derivative(&knots, k, DEGREE, t, order)).collect()
    }

    /// A number that no derivative of this order exceeds in size, anywhere between two times.
    pub fn bound(&self, x: &[f64], order: usize, (from, to): (f64, f64)) -> f64 {
        let own = self.own(x);
        match self.shape {
            Shape::Fourier { harmonics, periods } => (1..=harmonics)
                .map(|k| {
                    let w = k as f64 * self.frequency(periods);
                    w.powi(order as i32) * own[2 * k - 1].hypot(own[2 * k])
                })
                .sum(),
            Shape::Spline { .. } => {
                // A spline stays within the hull of the control points that are felt there.
                let mut knots = clamped_knots(own.len(), self.duration);
                let mut points = own;
                let mut degree = DEGREE;
                for _ in 0..order {
                    points = (0..points.len() - 1)
                        .map(|k| {
                            let span = knots[k + degree + 1] - knots[k + 1];
                            if span > 0.0 { degree as f64 * (points[k + 1] - points[k]) / span } else { 0.0 }
                        })
                        .collect();
                    knots = knots[1..knots.len() - 1].to_vec();
                    degree -= 1;
                }
                let felt = |k: usize| knots[k] < to && knots[k + degree + 1] > from;
                (0..points.len()).filter(|&k| felt(k)).fold(0.0, |most: f64, k| most.max(points[k].abs()))
            }
            Shape::Poses { .. } => 0.0,
        }
    }
}

/// 1; sin(kωt)/k − sin(ωt) and (1 − cos(kωt))/k² − (1 − cos(ωt)), whose first two derivatives vanish at 0;
/// made orthonormal, so that all coefficients are alike for an optimiser.
fn fourier(harmonics: usize) -> Vec<Vec<f64>> {
    let size = 2 * harmonics + 1;
    let mut constant = vec![0.0; size];
    constant[0] = 1.0;
    let mut raw = Vec::new();
    for k in 2..=harmonics {
        let n = k as f64;
        let mut sine = vec![0.0; size];
        (sine[2 * k - 1], sine[1]) = (1.0 / n, -1.0);
        let mut cosine = vec![0.0; size];
        (cosine[2 * k], cosine[2]) = (-1.0 / (n * n), 1.0);
        cosine[0] = 1.0 / (n * n) - 1.0;
        raw.extend([sine, cosine]);
    }
    // Weighted between positions and velocities, which are what limits are about.
    let weight = |c: usize| if c == 0 { 0.0 } else { c.div_ceil(2) as f64 };
    orthonormal(raw, constant, weight)
}

/// Clamped splines whose first three and last three control points are the same pose: velocity and
/// acceleration vanish at both ends.
fn spline(points: usize) -> Vec<Vec<f64>> {
    let size = points + 6;
    let constant = vec![1.0; size];
    let others = (0..points).map(|k| (0..size).map(|c| f64::from(u8::from(c == k + 3))).collect());
    std::iter::once(constant).chain(others).collect()
}

fn orthonormal(raw: Vec<Vec<f64>>, constant: Vec<f64>, weight: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
    let inner = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).enumerate().map(|(c, (a, b))| weight(c) * a * b).sum()
    };
    let mut out: Vec<Vec<f64>> = Vec::new();
    for mut f in raw {
        for _ in 0..2 {
            for g in &out {
                let part = inner(&f, g);
                f.iter_mut().zip(g).for_each(|(f, g)| *f -= part * g);
            }
        }
        let length = inner(&f, &f).sqrt();
        f.iter_mut().for_each(|x| *x /= length);
        out.push(f);
    }
    std::iter::once(constant).chain(out).collect()
}

fn clamped_knots(count: usize, duration: f64) -> Vec<f64> {
    let inner = count - DEGREE;
    (0..count + DEGREE + 1)
        .map(|k| duration * (k.saturating_sub(DEGREE).min(inner)) as f64 / inner as f64)
        .collect()
}

/// Cox and de Boor's recursion for a derivative of a spline.
fn spline_derivative(knots: &[f64], k: usize, degree: usize, t: f64, order: usize) -> f64 {
    if order > 0 {
        if degree == 0 {
            return 0.0;
        }
        let part = |k: usize| {
            let span = knots[k + degree] - knots[k];
            if span > 0.0 {
                degree as f64 * spline_derivative(knots, k, degree - 1, t, order - 1) / span
            } else {
                0.0
            }
        };
        return part(k) - part(k + 1);
    }
    if degree == 0 {
        let last = *knots.last().unwrap_or(&0.0);
        // The end belongs to the last interval.
        let inside = knots[k] <= t && (t < knots[k + 1] || t >= last && knots[k + 1] == last);
        return f64::from(u8::from(inside && knots[k] < knots[k + 1]));
    }
    let rising = knots[k + degree] - knots[k];
    let falling = knots[k + degree + 1] - knots[k + 1];
    let mut value = 0.0;
    if rising > 0.0 {
        value += (t - knots[k]) / rising * spline_derivative(knots, k, degree - 1, t, 0);
    }
    if falling > 0.0 {
        value += (knots[k + degree + 1] - t) / falling * spline_derivative(knots, k + 1, degree - 1, t, 0);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Fourier { harmonics: 5, periods: 1 },
            Shape::Fourier { harmonics: 2, periods: 3 },
            Shape::Spline { points: 7 },
        ]
    }

    #[test]
    fn functions_start_and_end_at_rest_in_one_pose() {
        for shape in shapes() {
            let basis = Basis::new(shape, 8.0);
            for t in [0.0, 8.0] {
                for order in [1, 2] {
                    basis
                        .at(t, order)
                        .iter()
                        .for_each(|v| assert!(v.abs() < 1e-9, "{shape:?} {t} {order} {v}"));
                }
                let values = basis.at(t, 0);
                assert!((values[0] - 1.0).abs() < 1e-12);
                values[1..].iter().for_each(|v| assert!(v.abs() < 1e-12, "{shape:?} {v}"));
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        for shape in shapes() {
            let basis = Basis::new(shape, 8.0);
            let h = 1e-4;
            for t in [0.7, 3.3, 6.1] {
                for order in 0..3 {
                    let (later, before) = (basis.at(t + h, order), basis.at(t - h, order));
                    for (k, exact) in basis.at(t, order + 1).into_iter().enumerate() {
                        let difference = (later[k] - before[k]) / (2.0 * h);
                        assert!((exact - difference).abs() < 1e-5, "{shape:?} {t} {order} {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_hold_and_are_near() {
        for shape in shapes() {
            let basis = Basis::new(shape, 8.0);
            let x: Vec<f64> = (0..basis.len()).map(|k| ((k * k) as f64).sin()).collect();
            for order in 1..4 {
                for (from, to) in [(0.0, 8.0), (2.0, 2.5)] {
                    let bound = basis.bound(&x, order, (from, to));
                    let most = (0..=2000).fold(0.0f64, |most, k| {
                        let t = from + (to - from) * f64::from(k) / 2000.0;
                        let value: f64 = basis.at(t, order).iter().zip(&x).map(|(f, x)| f * x).sum();
                        most.max(value.abs())
                    });
                    assert!(most <= bound, "{shape:?} {order}: {most} {bound}");
                    assert!(from > 0.0 || bound < 6.0 * most, "{shape:?} {order}: {most} {bound}");
                }
            }
        }
    }
}
