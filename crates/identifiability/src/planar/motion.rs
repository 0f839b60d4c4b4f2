//! A sufficiently exciting motion and the observation matrix W along it: (5) of \[iriarte2015\].
//!
//! Finite Fourier series of the independent coordinates; of some, the one for which the reduced W has
//! the smallest condition number.

use steiner_dynamics::{Closure, DynamicsError, Mechanism, regressor};
use steiner_linalg::Stream;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;
use steiner_robot::inertial_count;
use steiner_scalar::Real;

use crate::error::IdentifiabilityError;

/// Harmonics of each coordinate.
const HARMONICS: usize = 7;
/// Fundamental frequency, rad/s: such that inertia and weight are felt alike.
const FUNDAMENTAL: f64 = 1.5;
/// Motions to choose from.
const MOTIONS: usize = 8;
/// Rows of W for each of its columns, at least.
const ROWS_PER_COLUMN: usize = 3;
/// Relative pivots of the passive coordinates below this are too close to a singularity,
/// unless the reference is that close.
const LEAST_PIVOT: f64 = 2e-2;

/// A state along a motion: configuration of the tree, velocities and accelerations
/// of the independent coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Instant {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
}

/// A motion through its instants.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) instants: Vec<Instant>,
}

/// Units of the planar parameters in powers of a length.
pub(crate) const DIMENSIONS: [i32; 4] = [0, 1, 1, 2];

/// W of a motion in some precision: columns m, mx, my, J of each link (the robot's order
/// given), lengths in units of `unit`.
pub(crate) fn observation<R: Real>(
    mechanism: &Mechanism,
    closure: &Closure<R>,
    motion: &Motion,
    order: &[usize],
    unit: f64,
) -> Result<Matrix<R>, DynamicsError> {
    let wide = |values: &[f64]| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
    let mut rows = Matrix::zeros(0, 4 * order.len());
    for instant in &motion.instants {
        let (q, qd, qdd) = (wide(&instant.q), wide(&instant.qd), wide(&instant.qdd));
        let state = closure.feasible(mechanism.plan(), &q, &qd, &qdd)?;
        let y = regressor(&closure.tree, mechanism.layout(), &state);
        for r in 0..y.rows() {
            let mut row = vec![R::zero(); 4 * order.len()];
            for (body, &link) in order.iter().enumerate() {
                for (k, &column) in [0, 1, 2, 9].iter().enumerate() {
                    row[4 * link + k] =
                        y[(r, inertial_count(body) + column)] * R::from_f64(unit.powi(DIMENSIONS[k]));
                }
            }
            rows.push_row(&row);
        }
    }
    Ok(rows)
}

/// Ratio of the extreme singular values of a matrix.
pub(crate) fn condition(matrix: Matrix<f64>) -> f64 {
    let values = singular(matrix).values;
    match (values.first(), values.last()) {
        (Some(largest), Some(least)) if *least > 0.0 => largest / least,
        (Some(_), _) => f64::INFINITY,
        _ => 1.0,
    }
}

/// Motions to choose from, each as wide as the loops allow.
pub(crate) fn motions(mechanism: &Mechanism, columns: usize) -> Result<Vec<Motion>, IdentifiabilityError> {
    let mut stream = Stream::new(25);
    let instants = (ROWS_PER_COLUMN * columns).div_ceil(mechanism.dof().max(1)).max(4 * HARMONICS);
    let found: Vec<Motion> = (0..MOTIONS).filter_map(|_| motion(mechanism, &mut stream, instants)).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(IdentifiabilityError::TooFewConfigurations {
            robot: mechanism.robot().name.clone(),
            found: 0,
            wanted: instants,
        }),
    }
}

fn motion(mechanism: &Mechanism, stream: &mut Stream, instants: usize) -> Option<Motion> {
    let dof = mechanism.dof();
    let length = mechanism.length_scale();
    let unit: Vec<f64> = mechanism
        .plan()
        .independent
        .iter()
        .map(|&k| if mechanism.tree().translates[k] { length } else { 1.0 })
        .collect();
    let series: Vec<[[f64; 2]; HARMONICS]> =
        (0..dof).map(|_| std::array::from_fn(|_| [stream.uniform(), stream.uniform()])).collect();
    let least = LEAST_PIVOT.min(0.3 * mechanism.passive_pivot_ratio(mechanism.reference_tree()));
    let mut amplitude = 1.0;
    for _ in 0..16 {
        if let Some(found) = along(mechanism, &series, &unit, amplitude, least, instants) {
            return Some(found);
        }
        amplitude *= 0.75;
    }
    None
}

/// The instants of a motion, or `None` where loops cannot follow it.
fn along(
    mechanism: &Mechanism,
    series: &[[[f64; 2]; HARMONICS]],
    unit: &[f64],
    amplitude: f64,
    least: f64,
    count: usize,
) -> Option<Motion> {
    let start = mechanism.reference();
    let at = |t: f64| -> [Vec<f64>; 3] {
        let mut out = [start.clone(), vec![0.0; series.len()], vec![0.0; series.len()]];
        for (k, of_coordinate) in series.iter().enumerate() {
            for (h, [a, b]) in of_coordinate.iter().enumerate() {
                let w = FUNDAMENTAL * (h + 1) as f64;
                let (s, c) = (w * t).sin_cos();
                let scale = amplitude * unit[k] / (h + 1) as f64;
                // From rest at the reference: the cosine less its value at t = 0.
                out[0][k] += scale * (a * s + b * (1.0 - c));
                out[1][k] += scale * w * (a * c + b * s);
                out[2][k] += scale * w * w * (b * c - a * s);
            }
        }
        out
    };
    let period = 2.0 * std::f64::consts::PI / FUNDAMENTAL;
    let mut tree = mechanism.reference_tree().to_vec();
    let mut instants = Vec::with_capacity(count);
    for k in 0..count {
        let [q, qd, qdd] = at(period * k as f64 / count as f64);
        tree = mechanism.tree_configuration_from(&q, &tree).ok()?;
        if mechanism.passive_pivot_ratio(&tree) < least {
            return None;
        }
        instants.push(Instant { q: tree.clone(), qd, qdd });
    }
    Some(Motion { instants })
}
