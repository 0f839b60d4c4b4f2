//! What a URDF can have of a joint's friction: viscous and Coulomb, nothing else.
//!
//! Where a joint was identified with further terms, its viscous and Coulomb friction without them would be wrong
//! on its own. For such a file they are fitted once more, with everything else as it was identified.

use steiner_identifiability::MeasuredRow;
use steiner_linalg::triangle::Triangle;
use steiner_robot::{Friction, inertial_count};

use crate::accumulate::{Reduced, row_residual};
use crate::estimate::values_only;
use crate::problem::Problem;

/// Viscous, Coulomb and offset among a drive's four.
const SIMPLE: std::ops::Range<usize> = 1..4;

/// The friction of each joint that has further terms, without them.
pub(crate) fn simple_friction(problem: &Problem, training: &Reduced, all: &[f64]) -> Vec<(String, Friction)> {
    let mut joints = Vec::new();
    let mut out = all.to_vec();
    let base = problem.base_values(all);
    let first = inertial_count(problem.body_count());
    let independent = &problem.mechanism().plan().independent;
    for (drive, (joint, velocity)) in problem.measurement().driven().into_iter().enumerate() {
        let is_own = |kind: MeasuredRow| matches!(kind, MeasuredRow::Force(k) if independent[k] == velocity);
        let Some(r) = problem.rows().iter().position(|row| is_own(row.kind)) else { continue };
        let sees = &problem.rows()[r].sees;
        let is_further = |b: &usize| problem.friction_term(problem.base()[*b].column).is_some();
        if !sees.iter().any(is_further) {
            continue;
        }
        let mut columns: Vec<usize> = SIMPLE.map(|k| first + 4 * drive + k).collect();
        let place = |column: usize| {
            sees.iter()
                .position(|&b| problem.base()[b].column == column && problem.base()[b].terms.len() == 1)
        };
        columns.retain(|&column| place(column).is_some());
        // What would be negative is nothing, and the others are fitted without it.
        while !columns.is_empty() {
            let places: Vec<usize> = columns.iter().filter_map(|&column| place(column)).collect();
            let mut rest = base.clone();
            sees.iter().filter(|b| is_further(b)).for_each(|&b| rest[b] = 0.0);
            for column in SIMPLE.map(|k| first + 4 * drive + k) {
                place(column).into_iter().for_each(|at| rest[sees[at]] = 0.0);
            }
            let whole = training.triangle(r);
            let mut small = Triangle::new(columns.len() + 1);
            for k in 0..whole.columns() {
                let row = whole.row(k);
                let mut entries: Vec<f64> = places.iter().map(|&at| row[at]).collect();
                entries.push(row_residual(&rest, sees, row));
                small.push(&entries);
            }
            small.reduce();
            let fitted = values_only(&small, &vec![0.0; columns.len()]).0;
            let negative = problem.cannot_be_negative();
            match columns.iter().zip(&fitted).position(|(&column, x)| negative[column] && *x < 0.0) {
                Some(k) => out[columns.remove(k)] = 0.0,
                None => {
                    columns.iter().zip(fitted).for_each(|(&column, x)| out[column] = x);
                    break;
                }
            }
        }
        let four = &out[first + 4 * drive..][..4];
        joints.push((joint.to_owned(), Friction::simple(four[1], four[2], four[3])));
    }
    joints
}
