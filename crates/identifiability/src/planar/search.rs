//! Numbers for β at prime lengths: motion, W, Gautier's decomposition and the choice of φ₂.

use steiner_dynamics::{Closure, Mechanism};
use steiner_linalg::elimination::Matrix;
use steiner_scalar::{DoubleDouble, Real, Scalar};

use super::gautier::{Decomposed, decompose};
use super::motion::{DIMENSIONS, Motion, condition, motions, observation};
use crate::error::IdentifiabilityError;

/// The tolerance of the search: this times the least |β_ij| that is not zero (section 5.6).
pub(crate) const TOLERANCE: f64 = 1e-10;
/// A rank that doubles may decide: the singular values fall by this much, a third of the digits of a
/// double. Below, thirty digits decide.
const GAP_FOR_DOUBLES: f64 = 1e6;

/// Numeric β with what it rests on.
#[derive(Clone, Debug)]
pub struct PlanarNumbers {
    /// Columns φ₁.
    pub(crate) base: Vec<usize>,
    /// Columns φ₂, ascending.
    pub(crate) dependent: Vec<usize>,
    /// β at the prime lengths, base by dependent, zeros exactly zero.
    pub values: Matrix<f64>,
    /// The same with all the digits of the arithmetic.
    pub(crate) wide: Matrix<DoubleDouble>,
    /// Decimal digits of the arithmetic: 16 where doubles suffice for the tolerance, otherwise 31.
    pub digits: u32,
    /// The least singular value of W counted over the largest that is not.
    pub gap: f64,
    /// Condition number of the reduced W along the motion chosen, lengths in units of about their mean.
    pub condition: f64,
    /// Instants of the motion.
    pub instants: usize,
}

impl PlanarNumbers {
    /// Least and largest |β_ij| that are not zero, in units of powers of `unit`.
    fn range(&self, unit: f64) -> (f64, f64) {
        let mut range = (f64::INFINITY, 0.0f64);
        for (b, &row) in self.base.iter().enumerate() {
            for (d, &column) in self.dependent.iter().enumerate() {
                let power = DIMENSIONS[row % 4] - DIMENSIONS[column % 4];
                let size = self.values[(b, d)].abs() / unit.powi(power);
                if size > 0.0 {
                    range = (range.0.min(size), range.1.max(size));
                }
            }
        }
        range
    }
}

/// β of a mechanism whose bodies are the links in the given order, `choose` being
/// asked which parameters form φ₂.
pub(crate) fn numbers(
    mechanism: &Mechanism,
    order: &[usize],
    unit: f64,
    choose: &dyn Fn(&Decomposed<f64>) -> Vec<usize>,
) -> Result<PlanarNumbers, IdentifiabilityError> {
    let columns = 4 * order.len();
    let motions = motions(mechanism, columns)?;
    let observed: Vec<Matrix<f64>> = motions
        .iter()
        .map(|motion| observation(mechanism, mechanism.closure(), motion, order, unit))
        .collect::<Result<_, _>>()?;
    let decomposed: Vec<Decomposed<f64>> = observed.iter().map(|w| decompose(w.clone())).collect();
    let most = decomposed.iter().map(|d| d.rank).max().unwrap_or(0);
    let full: Vec<usize> = (0..motions.len()).filter(|&k| decomposed[k].rank == most).collect();
    let clearest = full.iter().copied().max_by(|&a, &b| decomposed[a].gap.total_cmp(&decomposed[b].gap));
    let mut dependent = clearest.map_or_else(Vec::new, |k| choose(&decomposed[k]));
    dependent.sort_unstable();
    let base: Vec<usize> = (0..columns).filter(|column| !dependent.contains(column)).collect();
    let reduced = |k: usize| {
        condition(Matrix::from_fn(observed[k].rows(), base.len(), |r, c| observed[k][(r, base[c])]))
    };
    let conditions: Vec<(usize, f64)> = full.iter().map(|&k| (k, reduced(k))).collect();
    let best = conditions.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let (best, condition) = best.unwrap_or((0, f64::INFINITY));
    let motion = &motions[best];
    let with = |decomposed: &dyn Fn() -> Option<(Matrix<DoubleDouble>, f64)>, digits: u32| {
        let (wide, gap) = decomposed()?;
        let values = Matrix::from_fn(wide.rows(), wide.columns(), |r, c| wide[(r, c)].to_f64());
        let (base, dependent, instants) = (base.clone(), dependent.clone(), motion.instants.len());
        Some(PlanarNumbers { base, dependent, values, wide, digits, gap, condition, instants })
    };
    let doubles = &decomposed[best];
    let quick = || Some((cleaned(doubles, &base, &dependent, unit, 1e-9)?, doubles.gap));
    if let Some(numbers) = with(&quick, 16) {
        let (least, largest) = numbers.range(unit);
        let error = 8.0 * condition * f64::EPSILON * largest.max(1.0);
        if numbers.gap >= GAP_FOR_DOUBLES && error < 0.25 * TOLERANCE * least {
            return Ok(numbers);
        }
    }
    let wide = wide(mechanism, motion, order, unit)?;
    let slow = || Some((cleaned(&wide, &base, &dependent, unit, 1e-18)?, wide.gap));
    with(&slow, 31).ok_or_else(|| IdentifiabilityError::TooFewConfigurations {
        robot: mechanism.robot().name.clone(),
        found: wide.rank,
        wanted: base.len(),
    })
}

fn wide(
    mechanism: &Mechanism,
    motion: &Motion,
    order: &[usize],
    unit: f64,
) -> Result<Decomposed<DoubleDouble>, IdentifiabilityError> {
    let closure = Closure::<DoubleDouble>::new(mechanism.robot())?;
    Ok(decompose(observation(mechanism, &closure, motion, order, unit)?))
}

/// β, what is below the noise of the arithmetic being zero.
fn cleaned<R: Real>(
    decomposed: &Decomposed<R>,
    base: &[usize],
    dependent: &[usize],
    unit: f64,
    noise: f64,
) -> Option<Matrix<DoubleDouble>> {
    let weights = decomposed.weights(base, dependent, unit)?;
    Some(Matrix::from_fn(base.len(), dependent.len(), |b, d| {
        let power = DIMENSIONS[base[b] % 4] - DIMENSIONS[dependent[d] % 4];
        let (value, whole) = (weights[(b, d)], weights[(b, d)].to_f64());
        match whole.abs() <= noise * unit.powi(power) {
            true => DoubleDouble::from_f64(0.0),
            false => {
                let rest = (value - R::from_f64(whole)).to_f64();
                DoubleDouble::from_f64(whole) + DoubleDouble::from_f64(rest)
            }
        }
    }))
}
