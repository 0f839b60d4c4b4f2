//! Couplings alone: a constant linear map, exact in any field.

use steiner_robot::{Coordinate, Robot};
use steiner_scalar::elimination::{Matrix, reduce};
use steiner_scalar::{Evaluated, Field};

use crate::closure::Plan;
use crate::error::DynamicsError;

/// x and y of a planar joint are not integrals of its velocities, so no constant row relates them.
pub(crate) fn check_couplings(robot: &Robot) -> Result<(), DynamicsError> {
    for coupling in &robot.couplings {
        let mut named = coupling.terms.iter().map(|(term, _)| *term).chain([coupling.coordinate]);
        let in_plane = |c: &Coordinate| {
            c.component < 2 && matches!(robot.bodies[c.body.0].joint.kind, steiner_robot::JointKind::Planar)
        };
        if let Some(coordinate) = named.find(in_plane) {
            return Err(DynamicsError::CoupledPlane {
                robot: robot.name.clone(),
                coupling: coupling.name.clone(),
                coordinate: robot.coordinate_name(coordinate),
            });
        }
    }
    Ok(())
}

/// The constant Z of a robot whose only constraints are couplings, with whether a factor was rounded. A tree without
/// couplings gives the identity. Loops are ignored: they have no constant Z.
pub fn coupling_reduction<F: Field>(
    robot: &Robot,
    plan: &Plan,
) -> Result<Evaluated<Matrix<F>>, DynamicsError> {
    check_couplings(robot)?;
    let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
    let offsets = robot.velocity_offsets();
    let index = |coordinate: &Coordinate| offsets[coordinate.body.0] + coordinate.component;
    let mut rounded = false;
    let width = plan.dependent.len();
    // Columns: dependent coordinates, then the independent ones moved to the right-hand side.
    let mut column_of = vec![0; robot.tree_dof()];
    for (column, &k) in plan.dependent.iter().chain(&plan.independent).enumerate() {
        column_of[k] = column;
    }
    let signed = |column: usize, x: F| if column < width { x } else { -x };
    let mut system = Matrix::zeros(robot.couplings.len(), robot.tree_dof());
    for (row, coupling) in robot.couplings.iter().enumerate() {
        let column = column_of[index(&coupling.coordinate)];
        system[(row, column)] = signed(column, F::one());
        for (term, factor) in &coupling.terms {
            let factor = F::evaluate(factor).map_err(geometry)?;
            rounded |= factor.rounded;
            let column = column_of[index(term)];
            let sum = system[(row, column)].clone() - signed(column, factor.value);
            system[(row, column)] = sum;
        }
    }
    let echelon = reduce(system, width, 0.0);
    let mut z = Matrix::zeros(robot.tree_dof(), plan.independent.len());
    for (a, &k) in plan.independent.iter().enumerate() {
        z[(k, a)] = F::one();
    }
    for (row, &pivot) in echelon.pivots.iter().enumerate() {
        for a in 0..plan.independent.len() {
            z[(plan.dependent[pivot], a)] = echelon.reduced[(row, width + a)].clone();
        }
    }
    Ok(Evaluated { value: z, rounded })
}
