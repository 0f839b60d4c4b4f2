//! What models leave of a log: the final one, least squares, the file, and what a URDF can state.

use steiner_identifiability::DRIVE_PARAMETERS;
use steiner_robot::{Friction, inertial_count};

use crate::accumulate::Reduced;
use crate::identification::{Residual, Residuals, RowResidual};
use crate::identify::Estimate;
use crate::problem::Problem;

/// Residuals of the final model, of least squares, of the file and of a URDF on the same samples.
pub(crate) fn residuals(
    problem: &Problem,
    reduced: &Reduced,
    estimate: &Estimate,
    (all, in_urdf): (&[f64], &[f64]),
) -> Residuals {
    let of = |values: &[f64]| residual(problem, reduced, values, all);
    Residuals {
        model: of(&problem.base_values(all)),
        least_squares: of(&estimate.solution.values),
        prior: of(&estimate.prior),
        urdf: of(&problem.base_values(in_urdf)),
    }
}

/// All parameters, zero where a URDF has no place for them: of drives it has fv and fc.
pub(crate) fn stated_by_urdf(
    problem: &Problem,
    all: &[f64],
    simple_friction: &[(String, Friction)],
) -> Vec<f64> {
    let inertial = inertial_count(problem.body_count());
    let drives = DRIVE_PARAMETERS.len() * problem.measurement().driven().len();
    let has_place = |column: usize| {
        let drive = column.checked_sub(inertial);
        drive.is_none_or(|drive| drive < drives && matches!(drive % DRIVE_PARAMETERS.len(), 1 | 2))
    };
    let stated = |(column, &value): (usize, &f64)| if has_place(column) { value } else { 0.0 };
    let mut out: Vec<f64> = all.iter().enumerate().map(stated).collect();
    for (drive, (joint, _)) in problem.measurement().driven().into_iter().enumerate() {
        if let Some((_, friction)) = simple_friction.iter().find(|(other, _)| other == joint) {
            let first = inertial + DRIVE_PARAMETERS.len() * drive;
            (out[first + 1], out[first + 2]) = (friction.viscous, friction.coulomb);
        }
    }
    out
}

/// What base parameters leave of a log, relative to what was measured (currents by the gains in `model`, the
/// same for every model).
fn residual(problem: &Problem, reduced: &Reduced, values: &[f64], model: &[f64]) -> Residual {
    let (counts, left) = (reduced.counts(), reduced.residual_squares(values));
    let squares = reduced.measured_squares(problem, model);
    let ratio = |a: f64, b: f64| if b > 0.0 { (a / b).sqrt() } else { f64::NAN };
    let rows = problem.rows().iter().enumerate().map(|(r, row)| RowResidual {
        name: row.name.clone(),
        count: counts[r],
        rms: (left[r] / counts[r].max(1) as f64).sqrt(),
        relative: ratio(left[r], squares[r]),
    });
    let total = ratio(left.iter().sum(), squares.iter().sum());
    Residual { samples: reduced.samples, total, rows: rows.collect() }
}
