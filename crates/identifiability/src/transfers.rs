//! Why the nullspace of a tree is local, and how it is decided in time proportional to the number of bodies.
//!
//! Let δ be an invisible change of the inertias of a tree whose joints are all free and whose generalised forces
//! are all measured: it contributes nothing to the kinetic energy, and a constant to the potential one. Take a
//! body c without children, behind its carrier p. With the joint of c at rest in its zero position, c is a part
//! of p. So the same δ with that of c given to p is invisible in the tree without c, and what is left of δ is a
//! transfer: taken from p and given to c. By induction
//!
//! 𝒩 = ⊕ over the joints { δ given to c and taken from p }, (85) of \[wensing2024\],
//!
//! for any kind of joint, at rest as well (with the potential alone). Which ten numbers δ may pass through a
//! joint follows from wᵀY at random states with random weights w: ten numbers for each body in one pass
//! through the tree. As generic rows of the regressor they have its rank on any few columns.

use steiner_dynamics::Tree;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Pose, Robot, inertial_columns};
use steiner_scalar::Scalar;

use crate::rpna::seen_by_child;

/// Parameters of a body and its carrier: null vectors are looked for on no more.
pub(crate) const MOST_COLUMNS: usize = 20;
/// Rows that show the rank of [`MOST_COLUMNS`], and some that show nothing new.
pub(crate) const SKETCHES: usize = MOST_COLUMNS + 6;

/// What lies before a body.
pub(crate) struct Transfer<S> {
    /// The body that carries it; `None` on the ground.
    carrier: Option<usize>,
    /// Its frame in the carrier's at zero.
    pose: Pose<S>,
}

/// Those of all bodies.
pub(crate) fn transfers<S: Scalar>(robot: &Robot, tree: &Tree<S>, at_zero: &[Pose<S>]) -> Vec<Transfer<S>> {
    let mut next = 0;
    let transfer = |(body, &last): (&steiner_robot::Body, &usize)| {
        let pose = at_zero[next..=last].iter().fold(Pose::identity(), |pose, stage| pose.then(stage));
        next = last + 1;
        Transfer { carrier: body.parent.map(|parent| parent.0), pose }
    };
    robot.bodies.iter().zip(&tree.segment_of_body).map(transfer).collect()
}

impl<S: Scalar> Transfer<S> {
    /// What rows show of inertia that is given to the body and taken from its carrier; and the size of the
    /// numbers whose difference this is, `weight` at least: gravity's, which a joint along it has cancelled.
    pub(crate) fn shown(&self, rows: &Matrix<S>, body: usize, weight: f64) -> (Matrix<S>, f64) {
        let mut out = Matrix::zeros(0, 10);
        let mut size = weight;
        for r in 0..rows.rows() {
            let mut own = rows.row(r)[inertial_columns(body)].to_vec();
            size = own.iter().fold(size, |most, x| most.max(x.pivot_weight()));
            if let Some(carrier) = self.carrier {
                let before = seen_by_child(&rows.row(r)[inertial_columns(carrier)], &self.pose);
                size = before.iter().fold(size, |most, x| most.max(x.pivot_weight()));
                own.iter_mut().zip(before).for_each(|(x, y)| *x -= y);
            }
            out.push_row(&own);
        }
        (out, size)
    }
}
