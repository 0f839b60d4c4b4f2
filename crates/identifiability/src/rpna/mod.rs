//! The recursive parameter nullspace algorithm of \[wensing2024\]: from the geometry of a tree
//! straight to its nullspace, in O(N).
//!
//! Nothing is sampled. Outward through the tree go four spans of each body: the velocities and the gravity it
//! can meet, and the functions of its inertia that kinetic energy and gravity show ([`attainable_spans`]). At
//! each joint they decide which inertia may pass through it without a trace ([`nullspace_descriptors`]); all
//! undetectable changes are sums of such transfers ([`transfers`]).
//!
//! # Conventions
//!
//! * A joint of several freedoms is a switched system: spans are closed under all its motions at once. The
//!   paper asks for motions that are constant in the child (89); a universal joint's are not, so its two axes
//!   are taken in sequence, and the frame between them passes on what it gets.
//! * Links with rotors are one joint that moves several bodies ([`rotors`]).
//! * All lengths are in units of the robot's largest, so that decisions about rank do not depend on metres.
//!   They are taken in doubles; where one is too close, thirty digits decide.

mod attainable_spans;
mod dual;
mod joints;
mod nullspace_descriptors;
mod rotors;
mod subspace;
mod transfers;

use attainable_spans::Experiment;
pub(crate) use dual::{power, seen_by_child};
use joints::Joints;
use steiner_dynamics::{Mechanism, Tree};
use steiner_robot::Sensor;
use steiner_scalar::{DoubleDouble, Real};
use subspace::ZeroTest;
use transfers::undetectable_changes;

use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::nullspace::NullVector;

/// A basis of the structural nullspace of a tree by the recursive parameter nullspace algorithm, for the
/// measurements `all` and `static` (remark 1). Parameters are m, mx, my, mz (kg, kg·m), Ixx, Ixy, Iyy, Ixz,
/// Iyz, Izz (kg·m²) of each body, about the origin of its frame.
///
/// Geared rotors are part of it: couplings of two joints of one freedom each on the same body. Loops, other
/// couplings and other sensors are refused by name.
///
/// ```
/// use steiner_dynamics::Mechanism;
/// use steiner_identifiability::{Measurement, rpna};
/// use steiner_formats::{ReadOptions, read_robot};
///
/// let puma = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
/// assert_eq!(rpna(&puma, &Measurement::all()).unwrap().len(), 60 - 36);
/// ```
///
/// # Reference
///
/// \[wensing2024\], algorithm 1, theorem 3, section V.
pub fn rpna(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Vec<NullVector>, IdentifiabilityError> {
    let sensors = measurement.set().sensors();
    let experiment = match sensors {
        _ if sensors.iter().all(|sensor| *sensor == Sensor::Static) => Experiment::Rest,
        // Rest is one of the motions.
        _ if sensors.iter().all(|sensor| matches!(sensor, Sensor::All | Sensor::Static)) => {
            Experiment::Motion
        }
        _ => {
            let measurement = measurement.set().to_string();
            return Err(IdentifiabilityError::NotForTheRecursion { measurement });
        }
    };
    nullspace(mechanism, experiment)
}

/// The same for the measurement `all` on a second way: gravity is the motion of a prismatic joint under
/// the robot whose force is not measured, so that the spans of gravity and of its power disappear into
/// those of velocity and kinetic energy.
///
/// # Reference
///
/// \[wensing2024\], remark 2.
pub fn rpna_with_gravity_as_joint(mechanism: &Mechanism) -> Result<Vec<NullVector>, IdentifiabilityError> {
    nullspace(mechanism, Experiment::GravityAsJoint)
}

fn nullspace(mechanism: &Mechanism, experiment: Experiment) -> Result<Vec<NullVector>, IdentifiabilityError> {
    let robot = mechanism.robot();
    if let Some(closure) = robot.loops.first() {
        let (robot, closure) = (robot.name.clone(), closure.name.clone());
        return Err(IdentifiabilityError::NoTree { robot, closure });
    }
    let zero_test = ZeroTest::of_doubles();
    let vectors = decided_by(mechanism, mechanism.tree(), experiment, &zero_test)?;
    if !zero_test.doubts() {
        return Ok(vectors);
    }
    decided_by::<DoubleDouble>(mechanism, &Tree::new(robot)?, experiment, &ZeroTest::of_thirty_digits())
}

fn decided_by<R: Real>(
    mechanism: &Mechanism,
    tree: &Tree<R>,
    experiment: Experiment,
    zero_test: &ZeroTest,
) -> Result<Vec<NullVector>, IdentifiabilityError> {
    let joints = Joints::new(mechanism, tree, zero_test)?;
    Ok(undetectable_changes(mechanism, &joints, experiment, zero_test))
}
