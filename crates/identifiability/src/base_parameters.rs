//! Base parameters: the combinations that forces can tell, from the nullspace alone.
//!
//! Choose as many dependent parameters D as there are null vectors, so that the basis can be solved for
//! them: vectors v_d = e_d + Σ_b c_db e_b, d ∈ D, b ∉ D. What stays constant along all of them are
//! β_b = π_b − Σ_d c_db π_d: the base parameters. Which D to take is a matter of taste; the default
//! follows Khalil: of what a joint shares, the outer body's mass, its first moment along the axis and
//! one moment of inertia are eliminated.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{JointKind, ParameterKind};

use crate::measure::Measurement;
use crate::nullspace::NullVector;
use crate::weak::units_of_columns;

/// A parameter with what is regrouped into it.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameter {
    /// The parameter it is named after.
    pub column: usize,
    /// (column, factor): itself with factor 1 first, then the parameters regrouped into it.
    pub terms: Vec<(usize, f64)>,
}

/// Which parameters are identifiable alone, which in groups, and which not at all.
#[derive(Clone, Debug, Default)]
pub struct Regrouping {
    /// The base parameters, by column.
    pub base: Vec<BaseParameter>,
    /// Parameters without any effect: their columns are identically zero.
    pub unidentifiable: Vec<usize>,
    /// Parameters that are base parameters by themselves.
    pub alone: Vec<usize>,
    /// Parameters that matter only in combination with others.
    pub combined: Vec<usize>,
}

/// Order in which the parameters of one body are eliminated: m, mz, my, mx, Iyy, Izz, Ixx, then the products.
const KHALIL: [usize; 10] = [0, 3, 2, 1, 6, 9, 4, 5, 7, 8];

/// Entries below this, relative to the largest of their vector, are zero.
const ZERO_ENTRY: f64 = 1e-10;

/// Which parameters to eliminate, where there is a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preference {
    /// Columns to eliminate before all others, in this order.
    pub eliminate: Vec<usize>,
    /// Columns to eliminate only if there is no other way.
    pub keep: Vec<usize>,
}

impl Preference {
    /// All columns in the order of elimination: what the user names first, then Khalil's preference with
    /// outer bodies first, last what the user wants to keep. The inertia of a drive that turns goes into that
    /// of the body it turns; what else a drive has is kept.
    fn order(&self, mechanism: &Mechanism, measurement: &Measurement) -> Vec<usize> {
        let parameters = measurement.parameters(mechanism);
        let ground = measurement.ground_count();
        let turns = |body: usize| {
            let joint = body.checked_sub(ground).map(|moving| &mechanism.robot().bodies[moving].joint.kind);
            !matches!(joint, Some(JointKind::Prismatic))
        };
        let mut default = Vec::with_capacity(parameters.len());
        let mut last = Vec::new();
        for body in (0..parameters.bodies().len()).rev() {
            let columns = parameters.columns_of(body);
            let (own, drive) = columns.split_at(ParameterKind::INERTIAL.len());
            default.extend(KHALIL[..4].iter().map(|&k| own[k]));
            default.extend(drive.first().filter(|_| turns(body)));
            default.extend(KHALIL[4..].iter().map(|&k| own[k]));
            last.extend(drive.iter().skip(usize::from(turns(body))));
        }
        let named = |column: &usize| self.eliminate.contains(column) || self.keep.contains(column);
        let others = default.into_iter().chain(last).filter(|column| !named(column));
        let kept = self.keep.iter().filter(|column| !self.eliminate.contains(column));
        self.eliminate.iter().copied().chain(others).chain(kept.copied()).collect()
    }
}

/// The base parameters of a nullspace for what is measured.
pub fn regroup(
    mechanism: &Mechanism,
    measurement: &Measurement,
    vectors: &[NullVector],
    preference: &Preference,
) -> Regrouping {
    let parameters = measurement.columns(mechanism);
    let known: Vec<usize> = measurement.known().iter().map(|(column, _)| *column).collect();
    let order = preference.order(mechanism, measurement);
    let units = units_of_columns(mechanism, measurement);
    let (mut solved, dependent) = solve_for(vectors, &units, order.into_iter());
    for (row, &d) in dependent.iter().enumerate() {
        (0..parameters).for_each(|b| solved[(row, b)] *= units[b] / units[d]);
    }
    let mut regrouping = Regrouping::default();
    let mut in_a_group = vec![false; parameters];
    let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); parameters];
    for (row, &d) in dependent.iter().enumerate() {
        let mut alone = true;
        for b in 0..parameters {
            let c = solved[(row, b)];
            if b != d && c != 0.0 {
                alone = false;
                in_a_group[b] = true;
                terms[b].push((d, clean(-c)));
            }
        }
        if alone {
            regrouping.unidentifiable.push(d);
        } else {
            in_a_group[d] = true;
        }
    }
    for (column, mut others) in terms.into_iter().enumerate() {
        if dependent.contains(&column) || known.contains(&column) {
            continue;
        }
        others.sort_by_key(|(d, _)| *d);
        if others.is_empty() {
            regrouping.alone.push(column);
        }
        let terms = std::iter::once((column, 1.0)).chain(others).collect();
        regrouping.base.push(BaseParameter { column, terms });
    }
    regrouping.unidentifiable.sort_unstable();
    regrouping.combined = (0..parameters).filter(|&column| in_a_group[column]).collect();
    regrouping
}

/// Least pivots, relative to their rows, in the passes over the columns.
const PIVOTS: [f64; 2] = [1e-5, 1e-7];

/// The basis solved for dependent columns, chosen greedily in the given order.
///
/// In units that make parameters of different kinds comparable, so that none is
/// negligible for being small in its own.
fn solve_for(
    vectors: &[NullVector],
    units: &[f64],
    order: impl Iterator<Item = usize>,
) -> (Matrix<f64>, Vec<usize>) {
    let count = vectors.len();
    let mut rows = Matrix::zeros(count, units.len());
    for (r, vector) in vectors.iter().enumerate() {
        vector.entries.iter().for_each(|&(c, x)| rows[(r, c)] = x / units[c]);
        let largest = rows.row(r).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        rows.row_mut(r).iter_mut().filter(|_| largest > 0.0).for_each(|x| *x /= largest);
    }
    let mut dependent: Vec<usize> = Vec::with_capacity(count);
    let order: Vec<usize> = order.collect();
    // Axes that are all but aligned leave pivots that would cost digits: others first.
    let candidates = PIVOTS.iter().flat_map(|&least| order.iter().map(move |&column| (least, column)));
    for (least, column) in candidates {
        let step = dependent.len();
        if step == count {
            break;
        }
        if dependent.contains(&column) {
            continue;
        }
        let best = (step..count).fold(step, |best, r| {
            if rows[(r, column)].abs() > rows[(best, column)].abs() { r } else { best }
        });
        let pivot = rows[(best, column)];
        let largest = rows.row(best).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if pivot.abs() <= least * largest || pivot == 0.0 {
            continue;
        }
        let chosen: Vec<f64> = rows.row(best).iter().map(|x| x / pivot).collect();
        let displaced = rows.row(step).to_vec();
        rows.row_mut(best).copy_from_slice(&displaced);
        rows.row_mut(step).copy_from_slice(&chosen);
        for r in (0..count).filter(|&r| r != step) {
            let factor = rows[(r, column)];
            if factor == 0.0 {
                continue;
            }
            let largest = rows.row(r).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for (x, p) in rows.row_mut(r).iter_mut().zip(&chosen) {
                *x -= factor * p;
                if x.abs() < ZERO_ENTRY * largest.max(factor.abs()) {
                    *x = 0.0;
                }
            }
        }
        dependent.push(column);
    }
    (rows, dependent)
}

/// 0.4318 for 0.43180000000000002: the shortest decimal within the rounding of the elimination.
pub(crate) fn clean(x: f64) -> f64 {
    format!("{x:.12e}").parse().unwrap_or(x)
}
