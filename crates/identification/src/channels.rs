//! What a log may hold of a mechanism.

use steiner_dynamics::Mechanism;
use steiner_logs::{Channel, Channels, JointChannel, JointLimits, JointMotion};
use steiner_robot::{Actuation, Body, JointKind};

/// The names a log of this mechanism may have columns for, and what reading them takes to know.
pub fn channels(mechanism: &Mechanism) -> Channels {
    let robot = mechanism.robot();
    let joint = |body: &Body| {
        let limits = &body.joint.limits;
        JointChannel {
            name: body.joint.name.clone(),
            motion: motion(&body.joint.kind),
            passive: body.joint.actuation == Actuation::Passive,
            of_root: body.parent.is_none(),
            limits: JointLimits {
                lower: limits.lower,
                upper: limits.upper,
                velocity: limits.velocity,
                effort: limits.effort,
            },
        }
    };
    let links = |body: &Body| {
        let fixed = body.lumped.iter().map(|link| link.name.clone());
        [body.name.clone()].into_iter().chain(fixed).collect::<Vec<_>>()
    };
    let velocities = mechanism.independent().into_iter().zip(mechanism.independent_names());
    Channels {
        robot: robot.name.clone(),
        joints: robot.bodies.iter().map(joint).collect(),
        links: robot.bodies.iter().flat_map(links).collect(),
        held: robot.description.locked().into_iter().map(str::to_owned).collect(),
        configuration: configuration(mechanism),
        velocities: velocities
            .map(|(coordinate, name)| Channel {
                name,
                joint: coordinate.body.0,
                component: coordinate.component,
            })
            .collect(),
    }
}

fn configuration(mechanism: &Mechanism) -> Vec<Channel> {
    let sizes = mechanism.robot().bodies.iter().map(|body| body.joint.kind.configuration_size());
    let tree: Vec<(usize, usize)> = sizes
        .enumerate()
        .flat_map(|(joint, size)| (0..size).map(move |component| (joint, component)))
        .collect();
    let listed = match mechanism.configuration_indices() {
        Some(indices) => indices.iter().map(|&k| tree[k]).collect(),
        None => tree,
    };
    let names = mechanism.configuration_names().into_iter().zip(listed);
    names.map(|(name, (joint, component))| Channel { name, joint, component }).collect()
}

fn motion(kind: &JointKind) -> JointMotion {
    match kind {
        JointKind::Continuous => JointMotion::EndlessAngle,
        JointKind::Prismatic => JointMotion::Length,
        JointKind::Planar => JointMotion::Planar,
        JointKind::Spherical => JointMotion::Spherical,
        JointKind::Floating => JointMotion::Floating,
        kind if kind.dof() == 1 => JointMotion::Angle,
        kind if kind.is_coordinatewise() => JointMotion::Several,
        _ => JointMotion::Mixed,
    }
}
