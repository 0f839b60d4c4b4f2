//! A barrier method: Newton steps on the objective plus μ (tr S − log det S) for every block and μ (s − log
//! s) for every number that cannot be negative, with μ falling to nothing. Both barriers have their minimum
//! at the file's values, so the path starts there.
//!
//! Inequalities C z ≥ c become equations C z − u = c with slacks u > 0; equations need not hold on the way
//! (infeasible start), so no first phase is needed. Slacks are eliminated from each step: with the residual
//! r of their equations, du = C dz + r, so that Newton's equations in dz have the Hessian H + Cᵀ D C and the
//! gradient g + Cᵀ (D r + g_u), D the diagonal second derivatives of the slacks' barriers. Thousands of
//! sides of hulls then cost little.

use steiner_linalg::cholesky::{Cholesky, inverse_lower, lower_factor};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::square::{times, transposed};
use steiner_linalg::{dot, norm};
use steiner_robot::{inertial_columns, inertial_count};

use super::program::Program;
use crate::failure::IdentificationError;
use crate::metric::{PAIRS, coordinates, symmetric};

/// μ falls by this factor.
const FALL: f64 = 0.1;
/// Where the path ends, in units of χ².
const LEAST_BARRIER: f64 = 1e-9;
/// Newton steps for one μ, at most.
const MOST_STEPS: usize = 60;
/// How well equations must hold at the end, relative.
const EXACT: f64 = 1e-10;

/// The end of the path.
pub(super) struct Found {
    /// Coordinates, then slacks.
    pub(super) z: Vec<f64>,
    /// The last μ.
    pub(super) barrier: f64,
    pub(super) steps: usize,
}

/// Gradient and Hessian of the smooth objective with barriers, at a point inside.
struct Local {
    /// Of coordinates, then slacks.
    gradient: Vec<f64>,
    /// Of coordinates, lower half.
    hessian: Matrix<f64>,
    /// Of slacks: a diagonal.
    curvature: Vec<f64>,
}

struct Path<'p> {
    program: &'p Program,
    /// AᵀA.
    normal: Matrix<f64>,
    /// The coordinates that each inequality is about, with their factors: a body has ten.
    sparse: Vec<Vec<(usize, f64)>>,
    /// Number of coordinates and slacks.
    size: usize,
}

/// Follows the path.
pub(super) fn solve(program: &Program) -> Result<Found, IdentificationError> {
    let n = program.size();
    let size = n + program.inequalities.len();
    let mut normal = Matrix::zeros(n, n);
    for r in 0..program.data.rows() {
        let row = program.data.row(r);
        for i in (0..n).filter(|&i| row[i] != 0.0) {
            let factor = row[i];
            normal.row_mut(i)[..=i].iter_mut().zip(row).for_each(|(x, y)| *x += factor * y);
        }
    }
    let entries = |row: &[f64]| row.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect();
    let sparse = program.inequalities.iter().map(|(row, _)| entries(row)).collect();
    let path = Path { program, normal, sparse, size };
    let mut z = program.prior.clone();
    program.positive.iter().for_each(|&k| z[k] = z[k].max(1e-3));
    z.extend(program.inequalities.iter().map(|(row, c)| (dot(row, &program.prior) - c).max(0.1)));
    let degree = (4 * program.blocks + program.positive.len() + program.inequalities.len()).max(1) as f64;
    let mut barrier = (path.objective(&z) / degree).max(program.weight);
    let mut steps = 0;
    loop {
        steps += path.centre(&mut z, barrier);
        if barrier <= LEAST_BARRIER {
            break;
        }
        barrier = (FALL * barrier).max(LEAST_BARRIER);
    }
    let worst = path
        .residuals(&z)
        .iter()
        .zip(program.equalities.iter().chain(&program.inequalities))
        .fold(0.0, |most: f64, (r, (_, e))| most.max(r.abs() / (1.0 + e.abs())));
    // Not a number is a failure too.
    if worst.is_nan() || worst > EXACT {
        return Err(IdentificationError::Infeasible {
            why: "no bodies satisfy what is known and all bounds on masses and centres together".to_owned(),
        });
    }
    Ok(Found { z, barrier, steps })
}

impl Path<'_> {
    /// ½‖A z − b‖² and the pull, without barriers.
    fn objective(&self, z: &[f64]) -> f64 {
        let p = self.program;
        let fit: f64 =
            (0..p.data.rows()).map(|r| (dot(p.data.row(r), &z[..p.size()]) - p.rhs[r]).powi(2)).sum();
        0.5 * fit
    }

    /// The whole function at a point; `None` outside.
    fn value(&self, z: &[f64], barrier: f64) -> Option<f64> {
        let p = self.program;
        let mut sum = self.objective(z);
        let entropic = barrier + if p.entropic { p.weight } else { 0.0 };
        for k in 0..p.blocks {
            let s = &z[inertial_columns(k)];
            let lower = lower_factor(&symmetric(s)).ok()?;
            let log_det: f64 = (0..4).map(|i| 2.0 * lower[i][i].ln()).sum();
            sum += entropic * (s[..4].iter().sum::<f64>() - log_det);
            if !p.entropic {
                let distance: f64 =
                    s.iter().zip(&p.prior[inertial_count(k)..]).map(|(x, o)| (x - o).powi(2)).sum();
                sum += 0.5 * p.weight * distance;
            }
        }
        for k in inertial_count(p.blocks)..p.size() {
            sum += 0.5 * p.weight * (z[k] - p.prior[k]).powi(2);
        }
        for &k in &p.positive {
            sum += barrier * (z[k] - positive_log(z[k])?);
        }
        for u in &z[p.size()..] {
            sum += barrier * (u - positive_log(*u)?);
        }
        sum.is_finite().then_some(sum)
    }

    fn local(&self, z: &[f64], barrier: f64) -> Option<Local> {
        let p = self.program;
        let n = p.size();
        let mut gradient = vec![0.0; self.size];
        let mut hessian = Matrix::zeros(n, n);
        for r in 0..p.data.rows() {
            let row = p.data.row(r);
            let residual = dot(row, &z[..n]) - p.rhs[r];
            row.iter().zip(&mut gradient).for_each(|(a, g)| *g += residual * a);
        }
        for i in 0..n {
            hessian.row_mut(i)[..=i].copy_from_slice(&self.normal.row(i)[..=i]);
        }
        let entropic = barrier + if p.entropic { p.weight } else { 0.0 };
        for k in 0..p.blocks {
            let at = inertial_count(k);
            let s = &z[at..at + 10];
            let half = inverse_lower(&lower_factor(&symmetric(s)).ok()?);
            let inverse = times(&transposed(&half), &half);
            let slope = coordinates(&inverse);
            for i in 0..10 {
                let trace = if i < 4 { 1.0 } else { 0.0 };
                gradient[at + i] += entropic * (trace - slope[i]);
                let mut unit = [0.0; 10];
                unit[i] = 1.0;
                let curved = coordinates(&times(&times(&inverse, &symmetric(&unit)), &inverse));
                (0..=i).for_each(|j| hessian[(at + i, at + j)] += entropic * curved[j]);
                if !p.entropic {
                    gradient[at + i] += p.weight * (s[i] - p.prior[at + i]);
                    hessian[(at + i, at + i)] += p.weight;
                }
            }
        }
        debug_assert_eq!(PAIRS.len(), 10);
        for k in inertial_count(p.blocks)..n {
            gradient[k] += p.weight * (z[k] - p.prior[k]);
            hessian[(k, k)] += p.weight;
        }
        for &k in &p.positive {
            gradient[k] += barrier * (1.0 - 1.0 / z[k]);
            hessian[(k, k)] += barrier / (z[k] * z[k]);
        }
        let curvature: Vec<f64> = z[n..].iter().map(|u| barrier / (u * u)).collect();
        gradient[n..].iter_mut().zip(&z[n..]).for_each(|(g, u)| *g = barrier * (1.0 - 1.0 / u));
        for (row, d) in self.sparse.iter().zip(&curvature) {
            for &(i, a) in row {
                // Entries are in order, so the lower half comes first.
                row.iter().take_while(|(j, _)| *j <= i).for_each(|&(j, b)| hessian[(i, j)] += d * a * b);
            }
        }
        Some(Local { gradient, hessian, curvature })
    }

    /// E z − e, then C z − u − c.
    fn residuals(&self, z: &[f64]) -> Vec<f64> {
        let p = self.program;
        let n = p.size();
        let equations = p.equalities.iter().map(|(row, e)| dot(row, &z[..n]) - e);
        let bounds = p.inequalities.iter().zip(&z[n..]).map(|((row, c), u)| dot(row, &z[..n]) - u - c);
        equations.chain(bounds).collect()
    }

    /// Newton steps to the centre of one μ; answers how many.
    fn centre(&self, z: &mut Vec<f64>, barrier: f64) -> usize {
        let last = barrier <= LEAST_BARRIER;
        let enough = if last { 1e-12 } else { 1e-3 };
        for step in 0..MOST_STEPS {
            let Some(local) = self.local(z, barrier) else { return step };
            let Ok(factor) = Cholesky::new(local.hessian.clone()) else { return step };
            let residuals = self.residuals(z);
            let direction = self.direction(&factor, &local, &residuals);
            let violation = norm(&residuals);
            let slope = dot(&direction, &local.gradient);
            if violation <= EXACT * 1e-2 && -slope <= enough * barrier {
                // One full step more would change the value by less than half of that.
                return step;
            }
            let mut length = 1.0;
            while !self.inside(z, &direction, length) {
                length *= 0.5;
                if length < 1e-14 {
                    return step;
                }
            }
            length = if length < 1.0 { 0.9 * length } else { 1.0 };
            let moved =
                |length: f64| -> Vec<f64> { z.iter().zip(&direction).map(|(x, d)| x + length * d).collect() };
            // With equations satisfied the value must fall; before, their violation
            // does (by the length of the step).
            if violation <= EXACT {
                let Some(here) = self.value(z, barrier) else { return step };
                let mut tries = 0;
                let falls = |length: f64| {
                    let slack = 1e-14 * here.abs();
                    self.value(&moved(length), barrier)
                        .is_some_and(|v| v <= here + 1e-4 * length * slope + slack)
                };
                while !falls(length) {
                    length *= 0.5;
                    tries += 1;
                    if tries > 40 {
                        // Rounding: no step makes it better.
                        return step;
                    }
                }
            }
            *z = moved(length);
        }
        MOST_STEPS
    }

    /// The Newton direction with equations: H d + Eᵀ w = −g, E d = −r in the coordinates,
    /// and what follows for the slacks.
    fn direction(&self, factor: &Cholesky, local: &Local, residuals: &[f64]) -> Vec<f64> {
        let p = self.program;
        let n = p.size();
        let (equations, slacks) = residuals.split_at(p.equalities.len());
        let mut gradient = local.gradient[..n].to_vec();
        for (k, row) in self.sparse.iter().enumerate() {
            let pull = local.curvature[k] * slacks[k] + local.gradient[n + k];
            row.iter().for_each(|&(i, a)| gradient[i] += a * pull);
        }
        let mut d = factor.solve(&gradient);
        if !equations.is_empty() {
            let columns: Vec<Vec<f64>> = p.equalities.iter().map(|(row, _)| factor.solve(row)).collect();
            let m = columns.len();
            let schur = Matrix::from_fn(m, m, |r, c| dot(&p.equalities[r].0, &columns[c]));
            let wanted: Vec<f64> = (0..m).map(|r| equations[r] - dot(&p.equalities[r].0, &d)).collect();
            if let Ok(schur) = Cholesky::new(schur) {
                for (w, column) in schur.solve(&wanted).into_iter().zip(&columns) {
                    d.iter_mut().zip(column).for_each(|(x, c)| *x += w * c);
                }
            }
        }
        d.iter_mut().for_each(|x| *x = -*x);
        let follows =
            |(row, r): (&Vec<(usize, f64)>, &f64)| row.iter().map(|&(i, a)| a * d[i]).sum::<f64>() + r;
        let slacks: Vec<f64> = self.sparse.iter().zip(slacks).map(follows).collect();
        d.extend(slacks);
        d
    }

    fn inside(&self, z: &[f64], direction: &[f64], length: f64) -> bool {
        let p = self.program;
        let at = |k: usize| z[k] + length * direction[k];
        let scalars = p.positive.iter().copied().chain(p.size()..self.size).all(|k| at(k) > 0.0);
        scalars
            && (0..p.blocks).all(|k| {
                let s: [f64; 10] = std::array::from_fn(|i| at(inertial_count(k) + i));
                lower_factor(&symmetric(&s)).is_ok()
            })
    }
}

fn positive_log(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.ln())
}
