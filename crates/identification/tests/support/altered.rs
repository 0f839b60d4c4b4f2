//! Robots that are wrong in a known way.

use steiner_formats::{ReadOptions, assemble};
use steiner_robot::{CentredInertia, Friction, Lumped, NewDrive, NewDynamics, PseudoInertia, Robot};

/// The same robot with other inertias, and drives in every joint with one degree
/// of freedom if they are wanted.
pub(crate) fn altered(robot: &Robot, size: f64, drives: bool) -> Robot {
    let off = |k: usize| 1.0 + size * (2.3 * k as f64 + 0.7).sin();
    let other = |k: usize, inertia: &PseudoInertia| {
        let centred = inertia.centred();
        PseudoInertia::from_centred(&CentredInertia {
            mass: centred.mass * off(4 * k),
            com: std::array::from_fn(|j| centred.com[j] * off(4 * k + j + 1)),
            tensor: centred.tensor.map(|x| x * off(3 * k + 1)),
        })
    };
    let bodies = || robot.bodies.iter().enumerate();
    let inertias = bodies().map(|(k, body)| (body.name.clone(), other(k, &body.inertia))).collect();
    let with_drive = bodies().filter(|(_, body)| drives && body.joint.kind.dof() == 1);
    let drives = with_drive.map(|(k, body)| NewDrive {
        joint: body.joint.name.clone(),
        rotor_inertia: 0.02 * off(k),
        friction: Friction::simple(0.3 * off(k + 1), 0.4 * off(k + 2), 0.05),
    });
    let dynamics = NewDynamics { inertias, drives: drives.collect() };
    let description =
        robot.redescribed(&dynamics, Lumped::Proportional).expect("it can be shared").description;
    assemble(description, &ReadOptions::default()).expect("a robot")
}
