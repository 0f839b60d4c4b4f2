//! Couplings alone: a constant linear map, exact in any field.

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_robot::{Coordinate, Robot};
use steiner_scalar::{Evaluated, Exact, Field, Rational};

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

/// The solution of a robot's couplings: tree coordinates = z · independent coordinates + offset.
#[derive(Clone, Debug)]
pub(crate) struct CouplingSolution {
    /// Tree velocities by independent coordinates.
    pub(crate) z: Matrix<Rational>,
    /// rad or m, by tree velocity.
    pub(crate) offset: Vec<Exact>,
    /// Whether a factor is not rational and was taken to 30 digits.
    pub(crate) rounded: bool,
}

/// Solves the couplings over the rationals. Loops are ignored: they have no constant solution.
pub(crate) fn solve_couplings(robot: &Robot, plan: &Plan) -> Result<CouplingSolution, DynamicsError> {
    check_couplings(robot)?;
    let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
    let offsets = robot.velocity_offsets();
    let index = |coordinate: &Coordinate| offsets[coordinate.body.0] + coordinate.component;
    let (width, count) = (plan.dependent.len(), robot.couplings.len());
    let tree_dof = robot.tree_dof();
    // Columns: dependent coordinates; the independent ones and one unit per coupling on the right-hand side.
    let mut column_of = vec![0; tree_dof];
    for (column, &k) in plan.dependent.iter().chain(&plan.independent).enumerate() {
        column_of[k] = column;
    }
    let mut rounded = false;
    let mut system = Matrix::<Rational>::zeros(count, tree_dof + count);
    for (row, coupling) in robot.couplings.iter().enumerate() {
        let mut add = |coordinate: &Coordinate, factor: Rational| {
            let column = column_of[index(coordinate)];
            let signed = if column < width { factor } else { -factor };
            let sum = system[(row, column)].clone() + signed;
            system[(row, column)] = sum;
        };
        add(&coupling.coordinate, Rational::ONE);
        for (term, factor) in &coupling.terms {
            let factor = Rational::evaluate(factor).map_err(geometry)?;
            rounded |= factor.rounded;
            add(term, -factor.value);
        }
        system[(row, tree_dof + row)] = Rational::ONE;
    }
    let echelon = reduce(system, width, 0.0);
    let mut z = Matrix::zeros(tree_dof, plan.independent.len());
    for (a, &k) in plan.independent.iter().enumerate() {
        z[(k, a)] = Rational::ONE;
    }
    let mut offset = vec![Exact::zero(); tree_dof];
    for (row, &pivot) in echelon.pivots.iter().enumerate() {
        let k = plan.dependent[pivot];
        for a in 0..plan.independent.len() {
            z[(k, a)] = echelon.reduced[(row, width + a)].clone();
        }
        for (c, coupling) in robot.couplings.iter().enumerate() {
            let weight = echelon.reduced[(row, tree_dof + c)].clone();
            offset[k] = offset[k].clone() + Exact::rational(weight) * coupling.offset.clone();
        }
    }
    Ok(CouplingSolution { z, offset, rounded })
}

/// What couplings add to each tree coordinate, rad or m by tree velocity: tree coordinates = Z · independent
/// coordinates + offset, with Z of [`coupling_reduction`].
pub fn coupling_offsets<F: Field>(robot: &Robot, plan: &Plan) -> Result<Evaluated<Vec<F>>, DynamicsError> {
    let solution = solve_couplings(robot, plan)?;
    let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
    let offsets = solution.offset.iter().map(F::evaluate).collect::<Result<Vec<_>, _>>().map_err(geometry)?;
    let rounded = solution.rounded || offsets.iter().any(|offset| offset.rounded);
    Ok(Evaluated { value: offsets.into_iter().map(|offset| offset.value).collect(), rounded })
}

/// The constant Z of a robot whose only constraints are couplings, with whether a factor was rounded. A tree
/// without couplings gives the identity. Loops are ignored: they have no constant Z.
pub fn coupling_reduction<F: Field>(
    robot: &Robot,
    plan: &Plan,
) -> Result<Evaluated<Matrix<F>>, DynamicsError> {
    let solution = solve_couplings(robot, plan)?;
    let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
    let (rows, columns) = (solution.z.rows(), solution.z.columns());
    let mut value = Matrix::zeros(rows, columns);
    let mut rounded = solution.rounded;
    for r in 0..rows {
        for c in 0..columns {
            let entry = F::evaluate(&Exact::rational(solution.z[(r, c)].clone())).map_err(geometry)?;
            rounded |= entry.rounded;
            value[(r, c)] = entry.value;
        }
    }
    Ok(Evaluated { value, rounded })
}
