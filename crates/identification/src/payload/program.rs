//! The physically consistent payload nearest to an estimate, as that of a robot: one block, no file.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::triangle::Triangle;
use steiner_robot::{CentredInertia, PseudoInertia};

use super::described::Scales;
use super::square_root::TEN;
use super::unconstrained::Unconstrained;
use crate::consistent::{CentreBound, Program, Pull, check_mass, sides, solved};
use crate::failure::IdentificationError;
use crate::metric::Metric;

/// Radius of gyration of the guess where no inertia is seen, in units of the robot's lengths.
const GUESSED_RADIUS: f64 = 0.1;
/// The guess of a mass that is not seen, as a part of the robot's.
const GUESSED_MASS: f64 = 0.1;

/// What is known of a payload beforehand, in the link's frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PayloadBounds {
    /// Least and greatest, kg.
    pub(super) mass: Option<(f64, f64)>,
    pub(super) centre: Option<CentreBound>,
}

impl PayloadBounds {
    pub(super) fn check(&self, link: &str) -> Result<(), IdentificationError> {
        if let Some((least, greatest)) = self.mass {
            check_mass(link, least, greatest)?;
        }
        self.centre.as_ref().map_or(Ok(()), |bound| sides(link, bound).map(|_| ()))
    }
}

/// Minimises ½(θ − θ̂)ᵀ C⁻¹ (θ − θ̂) and a pull towards a guess over physically consistent θ within bounds.
pub(super) fn consistent_payload(
    link: &str,
    estimate: &Unconstrained,
    bounds: &PayloadBounds,
    scales: Scales,
) -> Result<PseudoInertia, IdentificationError> {
    let mut stack = Triangle::new(TEN + 1);
    for row in &estimate.weights {
        let mut full = [0.0; TEN + 1];
        full[..TEN].copy_from_slice(row);
        full[TEN] = row.iter().zip(&estimate.values).map(|(w, x)| w * x).sum();
        stack.push(&full);
    }
    stack.reduce();
    let sides = bounds.centre.as_ref().map(|bound| sides(link, bound)).transpose()?;
    let metric = Metric::of_one_body(&guess(estimate, bounds, scales), scales.length);
    let found = solved(&metric, Pull::LogDet { weight: 1.0 }, |metric, pull| {
        let columns = metric.bodies[0].columns();
        let map = Matrix::from_fn(TEN, TEN, |r, c| columns[c][r]);
        let mut program = Program::new(&map, metric, &stack, pull);
        if let Some((least, greatest)) = bounds.mass {
            program.bound_mass(metric, 0, least, greatest);
        }
        if let (Some(bound), Some(sides)) = (&bounds.centre, &sides) {
            program.bound_centre(metric, 0, sides, bound.middle());
        }
        Ok(program)
    })?;
    Ok(PseudoInertia::from_parameters(&std::array::from_fn(|k| found.parameters[k])))
}

/// What stands for a file: the estimated mass and centre as far as they are seen, and a compact body
/// around it.
fn guess(estimate: &Unconstrained, bounds: &PayloadBounds, scales: Scales) -> [f64; TEN] {
    let (sigma, estimate) = (estimate.covariance()[0][0].sqrt(), &estimate.values);
    let mut mass = match sigma < GUESSED_MASS * scales.mass {
        true => estimate[0].max(sigma),
        false => GUESSED_MASS * scales.mass,
    };
    if let Some((least, greatest)) = bounds.mass {
        let within = least.max(0.0) < mass && mass < greatest;
        mass = if within { mass } else { 0.5 * (least.max(0.0) + greatest) };
    }
    let com = match &bounds.centre {
        Some(bound) => bound.middle(),
        None => {
            let first: [f64; 3] = std::array::from_fn(|k| estimate[1 + k] / mass);
            let length = first.iter().map(|x| x * x).sum::<f64>().sqrt();
            let shrink = if length > scales.length { scales.length / length } else { 1.0 };
            first.map(|x| shrink * x)
        }
    };
    let moment = mass * (GUESSED_RADIUS * scales.length).powi(2);
    let tensor = [moment, 0.0, moment, 0.0, 0.0, moment];
    PseudoInertia::from_centred(&CentredInertia { mass, com, tensor }).parameters()
}
