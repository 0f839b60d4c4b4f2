//! The program seen from a point inside, in coordinates in which that point is the unit.
//!
//! A step of a body is dS = L X Lᵀ with S = L Lᵀ at the point, one of a number that cannot be negative is
//! ds = s x. In X and x the barriers' Hessian is the identity wherever the point is: a body a thousand times
//! heavier than the file says is as well conditioned as one that agrees with it. Along a step every change is
//! computed as a change (log det(1 + t X) from the eigenvalues of X), never as a difference of large values.

use steiner_linalg::cholesky::{Cholesky, lower_factor};
use steiner_linalg::dot;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::square::{times, transposed};
use steiner_linalg::triangle::Triangle;
use steiner_robot::{inertial_columns, inertial_count};

use super::program::Program;
use crate::metric::{Mat4, coordinates, symmetric};

/// A point inside.
///
/// Bodies are kept as factors, S = L Lᵀ, and steps multiply them: where S has eigenvalues of very different
/// size, a sum of matrices would lose the small ones.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// L of every block.
    pub(super) factors: Vec<Mat4>,
    /// All coordinates.
    pub(super) z: Vec<f64>,
    /// Of the inequalities, positive.
    pub(super) slacks: Vec<f64>,
    /// What one unit of each number behind the blocks means in the frame: its value, if it cannot be negative.
    units: Vec<f64>,
}

impl Point {
    /// At given bodies and numbers, these lifted off zero where they cannot be negative.
    pub(super) fn new(program: &Program, factors: Vec<Mat4>, numbers: &[f64]) -> Self {
        let first = inertial_count(program.blocks);
        let mut z = vec![0.0; first];
        z.extend_from_slice(numbers);
        program.positive.iter().for_each(|&k| z[k] = z[k].max(LIFTED));
        let mut point = Point { factors, z, slacks: Vec::new(), units: vec![1.0; numbers.len()] };
        point.refresh(program);
        let slack = |(row, c): &(Vec<f64>, f64)| (dot(row, &point.z) - c).max(0.1);
        point.slacks = program.inequalities.iter().map(slack).collect();
        point
    }

    /// The coordinates of the factors, and the units.
    fn refresh(&mut self, program: &Program) {
        for (k, l) in self.factors.iter().enumerate() {
            let s = coordinates(&times(l, &transposed(l)));
            self.z[inertial_columns(k)].copy_from_slice(&s);
        }
        let first = inertial_count(program.blocks);
        program.positive.iter().for_each(|&k| self.units[k - first] = self.z[k]);
    }

    /// Goes `length` times a step in the frame; `false`, and stays, if that leads outside.
    pub(super) fn advance(&mut self, program: &Program, step: &[f64], slacks: &[f64], length: f64) -> bool {
        let mut factors = self.factors.clone();
        for (k, l) in factors.iter_mut().enumerate() {
            let mut grown = symmetric(&step[inertial_columns(k)]).map(|row| row.map(|x| length * x));
            (0..4).for_each(|i| grown[i][i] += 1.0);
            match lower_factor(&grown) {
                Ok(factor) => *l = times(l, &factor),
                Err(_) => return false,
            }
        }
        let first = inertial_count(program.blocks);
        let numbers: Vec<f64> = (self.z[first..].iter().zip(&step[first..]).zip(&self.units))
            .map(|((z, x), unit)| z + length * x * unit)
            .collect();
        let moved: Vec<f64> = self.slacks.iter().zip(slacks).map(|(u, d)| u + length * d).collect();
        let positive = program.positive.iter().map(|&k| numbers[k - first]).chain(moved.iter().copied());
        if !positive.into_iter().all(|x| x > 0.0 && x.is_finite()) {
            return false;
        }
        self.factors = factors;
        self.z[first..].copy_from_slice(&numbers);
        self.slacks = moved;
        self.refresh(program);
        true
    }

    /// Numbers that cannot be negative and that only the barrier keeps off zero become zero.
    pub(super) fn settle_on_zero(&mut self, program: &Program) {
        program.positive.iter().for_each(|&k| {
            if self.z[k] < LIFTED {
                self.z[k] = 0.0;
            }
        });
    }

    /// dz of a step in the frame.
    fn forward(&self, step: &[f64]) -> Vec<f64> {
        self.each(step, |l, x| times(&times(l, x), &transposed(l)))
    }

    /// A gradient in z, as one in the frame: the transpose of `forward`.
    fn pull_back(&self, gradient: &[f64]) -> Vec<f64> {
        self.each(gradient, |l, g| times(&times(&transposed(l), g), l))
    }

    fn each(&self, v: &[f64], block: impl Fn(&Mat4, &Mat4) -> Mat4) -> Vec<f64> {
        let mut out = Vec::with_capacity(v.len());
        for (k, l) in self.factors.iter().enumerate() {
            let own = &v[inertial_columns(k)];
            match own.iter().all(|x| *x == 0.0) {
                true => out.extend_from_slice(own),
                false => out.extend(coordinates(&block(l, &symmetric(own)))),
            }
        }
        out.extend(v[inertial_count(self.factors.len())..].iter().zip(&self.units).map(|(x, unit)| x * unit));
        out
    }
}

/// Numbers that cannot be negative start at least here, in units of the file's.
const LIFTED: f64 = 1e-3;

/// Gradient and curvature of the smooth objective with barriers, at a point inside.
pub(super) struct Local<'a> {
    program: &'a Program,
    point: &'a Point,
    barrier: f64,
    /// A z − b.
    residual: Vec<f64>,
    /// In the frame.
    gradient: Vec<f64>,
    /// Of the slacks.
    slack_gradient: Vec<f64>,
    /// Second derivatives of pull and barriers in the frame where they are diagonal: all but a quadratic pull.
    diagonal: Vec<f64>,
    /// Second derivatives of the slacks' barriers.
    curvature: Vec<f64>,
    /// The inequalities' rows in the frame, entries that are not zero.
    sides: Vec<Vec<(usize, f64)>>,
}

/// A Newton step in the frame.
pub(super) struct Direction {
    pub(super) step: Vec<f64>,
    /// Of the equations.
    pub(super) multipliers: Vec<f64>,
    /// The part of the gradient that rounding left unsolved.
    pub(super) unsolved: f64,
}

/// What a step does.
pub(super) struct Along {
    /// Of the slacks.
    pub(super) slacks: Vec<f64>,
    /// Relative changes whose logarithms the barriers take, with their weights: 1 + t x must stay positive.
    relative: Vec<(f64, f64)>,
    /// First and second derivative along the step of everything but the data and the logarithms.
    slope: f64,
    curvature: f64,
}

impl<'a> Local<'a> {
    pub(super) fn new(program: &'a Program, point: &'a Point, barrier: f64) -> Self {
        let first = inertial_count(program.blocks);
        let residual = program.residual(&point.z);
        let mut gradient = vec![0.0; program.size()];
        for (r, residual) in residual.iter().enumerate() {
            program.data.row(r).iter().zip(&mut gradient).for_each(|(a, g)| *g += residual * a);
        }
        program.add_smooth_pull(&point.z, &mut gradient);
        let mut gradient = point.pull_back(&gradient);
        let entropic = program.entropic_weight(barrier);
        let mut diagonal = vec![entropic; program.size()];
        for k in 0..program.blocks {
            // −log det S: minus the identity, in the frame.
            (0..4).for_each(|i| gradient[inertial_count(k) + i] -= entropic);
        }
        for (k, unit) in point.units.iter().enumerate() {
            diagonal[first + k] = program.weights[k] * unit * unit;
        }
        for &k in &program.positive {
            gradient[k] -= barrier;
            diagonal[k] += barrier;
        }
        let slack_gradient = point.slacks.iter().map(|u| -barrier / u).collect();
        let curvature = point.slacks.iter().map(|u| barrier / (u * u)).collect();
        let side = |(row, _): &(Vec<f64>, f64)| {
            point.pull_back(row).into_iter().enumerate().filter(|(_, x)| *x != 0.0).collect()
        };
        let sides = program.inequalities.iter().map(side).collect();
        Local { program, point, barrier, residual, gradient, slack_gradient, diagonal, curvature, sides }
    }

    /// The Hessian's factor from AᵀA: quick, and good to half of the digits.
    pub(super) fn quick_factor(&self, normal: &Matrix<f64>) -> Option<Cholesky> {
        let n = self.program.size();
        let mut half = Matrix::zeros(n, n);
        for r in 0..n {
            half.row_mut(r).copy_from_slice(&self.point.pull_back(normal.row(r)));
        }
        let half = half.transpose();
        let mut hessian = Matrix::zeros(n, n);
        for r in 0..n {
            hessian.row_mut(r).copy_from_slice(&self.point.pull_back(half.row(r)));
            hessian[(r, r)] += self.diagonal[r];
        }
        for row in self.quadratic_pull() {
            for &(i, a) in &row {
                row.iter().for_each(|&(j, b)| hessian[(i, j)] += a * b);
            }
        }
        for (row, d) in self.sides.iter().zip(&self.curvature) {
            for &(i, a) in row {
                row.iter().for_each(|&(j, b)| hessian[(i, j)] += d * a * b);
            }
        }
        Cholesky::new(hessian).ok()
    }

    /// The same factor from A itself by reflections, with all digits.
    pub(super) fn careful_factor(&self) -> Cholesky {
        let n = self.program.size();
        let mut triangle = Triangle::new(n);
        for r in 0..self.program.data.rows() {
            triangle.push(&self.point.pull_back(self.program.data.row(r)));
        }
        let mut sparse = |entries: &[(usize, f64)], factor: f64| {
            let mut row = vec![0.0; n];
            entries.iter().for_each(|&(i, x)| row[i] = factor * x);
            triangle.push(&row);
        };
        self.quadratic_pull().iter().for_each(|row| sparse(row, 1.0));
        self.sides.iter().zip(&self.curvature).for_each(|(row, d)| sparse(row, d.sqrt()));
        (0..n).for_each(|k| sparse(&[(k, 1.0)], self.diagonal[k].sqrt()));
        triangle.reduce();
        Cholesky::of_triangle(&triangle)
    }

    /// √γ dS in the frame, row by row: the quadratic pull is half of its square.
    fn quadratic_pull(&self) -> Vec<Vec<(usize, f64)>> {
        if self.program.entropic {
            return Vec::new();
        }
        let row = |k: usize| {
            let mut unit = vec![0.0; self.program.size()];
            unit[k] = self.program.weight.sqrt();
            let row = self.point.pull_back(&unit);
            row.into_iter().enumerate().filter(|(_, x)| *x != 0.0).collect()
        };
        (0..inertial_count(self.program.blocks)).map(row).collect()
    }

    /// H d for a step d, from A itself.
    fn curved(&self, d: &[f64]) -> Vec<f64> {
        let p = self.program;
        let dz = self.point.forward(d);
        let mut out = vec![0.0; p.size()];
        for r in 0..p.data.rows() {
            let along = dot(p.data.row(r), &dz);
            p.data.row(r).iter().zip(&mut out).for_each(|(a, g)| *g += along * a);
        }
        if !p.entropic {
            (0..inertial_count(p.blocks)).for_each(|k| out[k] += p.weight * dz[k]);
        }
        let mut out = self.point.pull_back(&out);
        (0..p.size()).for_each(|k| out[k] += self.diagonal[k] * d[k]);
        for (row, curvature) in self.sides.iter().zip(&self.curvature) {
            let along: f64 = row.iter().map(|&(i, a)| a * d[i]).sum();
            row.iter().for_each(|&(i, a)| out[i] += curvature * along * a);
        }
        out
    }

    /// The Newton direction with equations: H d + Eᵀ w = −g, E d = −r, the slacks eliminated.
    pub(super) fn direction(&self, factor: &Cholesky, residuals: &[f64]) -> Direction {
        let p = self.program;
        let (equations, slacks) = residuals.split_at(p.equalities.len());
        let mut gradient = self.gradient.clone();
        for (k, row) in self.sides.iter().enumerate() {
            let pull = self.curvature[k] * slacks[k] + self.slack_gradient[k];
            row.iter().for_each(|&(i, a)| gradient[i] += a * pull);
        }
        let rows: Vec<Vec<f64>> = p.equalities.iter().map(|(row, _)| self.point.pull_back(row)).collect();
        let columns: Vec<Vec<f64>> = rows.iter().map(|row| factor.solve(row)).collect();
        let m = rows.len();
        let schur = Cholesky::new(Matrix::from_fn(m, m, |r, c| dot(&rows[r], &columns[c]))).ok();
        // Solves H d + Eᵀ w = −g, E d = −e.
        let solve = |g: &[f64], e: &[f64]| -> (Vec<f64>, Vec<f64>) {
            let mut d = factor.solve(g);
            let wanted: Vec<f64> = (0..m).map(|r| e[r] - dot(&rows[r], &d)).collect();
            let w = schur.as_ref().map_or_else(|| vec![0.0; m], |schur| schur.solve(&wanted));
            for (w, column) in w.iter().zip(&columns) {
                d.iter_mut().zip(column).for_each(|(x, c)| *x += w * c);
            }
            (d.into_iter().map(|x| -x).collect(), w)
        };
        let unsolved = |d: &[f64], w: &[f64]| -> Vec<f64> {
            let mut left = self.curved(d);
            left.iter_mut().zip(&gradient).for_each(|(x, g)| *x += g);
            for (w, row) in w.iter().zip(&rows) {
                // The sign of w follows that of d.
                left.iter_mut().zip(row).for_each(|(x, e)| *x += w * e);
            }
            left
        };
        let (mut d, mut w) = solve(&gradient, equations);
        let left = unsolved(&d, &w);
        // Once more on what is left: seminormal equations then have the digits of the factor.
        let open: Vec<f64> = (0..m).map(|r| equations[r] + dot(&rows[r], &d)).collect();
        let (correction, more) = solve(&left, &open);
        d.iter_mut().zip(correction).for_each(|(x, c)| *x += c);
        w.iter_mut().zip(more).for_each(|(x, c)| *x += c);
        let size = dot(&gradient, &gradient).sqrt();
        let left = unsolved(&d, &w);
        let part = if size > 0.0 { dot(&left, &left).sqrt() / size } else { 0.0 };
        let unsolved = if part.is_finite() { part } else { f64::INFINITY };
        Direction { step: d, multipliers: w.into_iter().map(|w| -w).collect(), unsolved }
    }

    /// What a step in the frame does.
    pub(super) fn along(&self, step: &[f64], residuals: &[f64]) -> Along {
        let p = self.program;
        let first = inertial_count(p.blocks);
        let dz = self.point.forward(step);
        let open = &residuals[p.equalities.len()..];
        let slacks: Vec<f64> = (self.sides.iter().zip(open))
            .map(|(row, r)| row.iter().map(|&(i, a)| a * step[i]).sum::<f64>() + r)
            .collect();
        let mut linear = vec![0.0; p.size()];
        p.add_smooth_pull(&self.point.z, &mut linear);
        let mut slope = dot(&linear, &dz);
        let mut curvature: f64 = (dz[first..].iter().zip(&p.weights)).map(|(x, weight)| weight * x * x).sum();
        if !p.entropic {
            curvature += p.weight * dot(&dz[..first], &dz[..first]);
        }
        let mut relative = Vec::new();
        let entropic = p.entropic_weight(self.barrier);
        for k in 0..p.blocks {
            let (values, _) = symmetric_eigen(&symmetric(&step[inertial_columns(k)]));
            relative.extend(values.map(|x| (x, entropic)));
        }
        relative.extend(p.positive.iter().map(|&k| (step[k], self.barrier)));
        for (du, u) in slacks.iter().zip(&self.point.slacks) {
            relative.push((du / u, self.barrier));
        }
        let data = p.data.apply(&dz);
        slope += dot(&self.residual, &data);
        curvature += dot(&data, &data);
        Along { slacks, relative, slope, curvature }
    }
}

impl Along {
    /// The longest step that stays inside.
    pub(super) fn longest(&self) -> f64 {
        let least = self.relative.iter().fold(0.0, |least: f64, (x, _)| least.min(*x));
        if least < 0.0 { -1.0 / least } else { f64::INFINITY }
    }

    /// The derivative of the value along the step, at length t.
    pub(super) fn derivative(&self, t: f64) -> f64 {
        let logarithms: f64 = self.relative.iter().map(|(x, weight)| weight * x / (1.0 + t * x)).sum();
        self.slope + t * self.curvature - logarithms
    }

    /// The length at which the value is least: the derivative rises, so halving finds its zero. Within the
    /// basin of Newton's method it is 1.
    pub(super) fn best_length(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0f64.min(0.99 * self.longest()));
        if self.derivative(high) <= 0.0 {
            return high;
        }
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            match self.derivative(middle) > 0.0 {
                true => high = middle,
                false => low = middle,
            }
            if high - low < 1e-3 * high {
                break;
            }
        }
        low.max(0.5 * high)
    }
}
