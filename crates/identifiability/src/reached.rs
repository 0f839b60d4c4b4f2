//! Which bodies an alignment of axes can matter to.
//!
//! What a joint shows depends on the velocities that its carrier can have and on their products ((84) of
//! \[wensing2024\]). Behind a body that moves at will, in six directions and with ten independent products, it
//! depends on the joint alone: no alignment with others hides anything.

use steiner_dynamics::{Column, Mechanism, velocities, weighted_row};
use steiner_linalg::elimination::{Matrix, decide_rank};
use steiner_linalg::{Stream, norm};

use crate::alignment::ALMOST_MEETING;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::numeric::random_state;
use crate::rpna::power;
use crate::weak::units_of_columns;

/// Random states that velocities are read off.
const STATES: usize = 30;
/// A direction in which a body moves less than this, in lengths of the robot, is one that an alignment may
/// take away.
const HARDLY: f64 = 0.02;

/// The bodies of a tree without couplings behind none that moves at will, ascending: with each, its carrier.
pub(crate) fn reached_by_alignment(mechanism: &Mechanism) -> Vec<usize> {
    let (tree, bodies) = (mechanism.tree(), &mechanism.robot().bodies);
    let length = mechanism.length_scale();
    let hardly = HARDLY.max(10.0 * ALMOST_MEETING / length);
    let mut stream = Stream::new(11);
    let states = (0..STATES).filter_map(|_| random_state(mechanism, &mut stream, 1.0, f64::INFINITY, 0.0));
    let moving: Vec<Vec<Column<f64>>> =
        states.map(|state| velocities(tree, &state.poses, &state.velocity)).collect();
    let at_will = |body: usize| {
        let seen = moving.iter().map(|velocities| velocities[tree.segment_of_body[body]]);
        let own = seen.map(|v| Column { angular: v.angular, linear: v.linear.scale(1.0 / length) });
        let (mut single, mut products) = (Matrix::zeros(0, 6), Matrix::zeros(0, 10));
        for v in own {
            single.push_row(&[v.angular.0, v.linear.0].concat());
            products.push_row(&power(&v, &v));
        }
        [single, products].into_iter().all(|rows| is_of_full_rank(rows, hardly))
    };
    let mut free: Vec<bool> = Vec::with_capacity(bodies.len());
    let mut reached = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        let is_behind = body.parent.is_some_and(|parent| free[parent.0]);
        if !is_behind {
            reached.push(k);
        }
        free.push(is_behind || at_will(k));
    }
    reached
}

/// Whether all columns differ by more than a tolerance, those with large numbers relative to these.
fn is_of_full_rank(rows: Matrix<f64>, tolerance: f64) -> bool {
    let most = |c: usize| (0..rows.rows()).fold(1.0, |most: f64, r| most.max(rows[(r, c)].abs()));
    let largest: Vec<f64> = (0..rows.columns()).map(most).collect();
    let scaled = Matrix::from_fn(rows.rows(), rows.columns(), |r, c| rows[(r, c)] / largest[c]);
    decide_rank(scaled, tolerance).rank == rows.columns()
}

/// The largest singular value of the regressor per state, in the units of the parameters: by power iteration
/// on a few states, to some percent, without a matrix.
pub(crate) fn strongest(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<f64, IdentifiabilityError> {
    let units = units_of_columns(mechanism, measurement);
    let mut stream = Stream::new(7);
    let states: Vec<_> =
        (0..STATES).filter_map(|_| random_state(mechanism, &mut stream, 1.0, f64::INFINITY, 0.0)).collect();
    // No structure of the columns is orthogonal to this.
    let mut v: Vec<f64> = (0..units.len()).map(|k| 1.0 + (0.7 * k as f64).sin()).collect();
    let mut value = 0.0;
    for _ in 0..20 {
        let length = norm(&v);
        let natural: Vec<f64> = v.iter().zip(&units).map(|(x, unit)| x / length * unit).collect();
        v = vec![0.0; units.len()];
        for state in &states {
            let forces = mechanism.forces_at(&natural, state)?;
            let row = weighted_row(mechanism.tree(), state, &forces);
            v.iter_mut().zip(row.iter().flatten()).zip(&units).for_each(|((x, y), unit)| *x += y * unit);
        }
        value = norm(&v).sqrt();
        if value == 0.0 {
            break;
        }
    }
    Ok(value / (states.len().max(1) as f64).sqrt())
}
