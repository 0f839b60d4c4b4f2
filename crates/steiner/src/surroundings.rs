//! What a robot may touch while it moves: capsules around its bodies, from its file or its meshes.

use std::collections::BTreeMap;

use steiner_dynamics::Mechanism;
use steiner_excitation::{BodyCapsule, BodyPair, always_touching, capsule_around, capsules_around};
use steiner_formats::{BodyShape, FormatError, ReadOptions, body_shape, ground_shapes};
use steiner_robot::Capsule;

/// Capsules around the bodies of a robot.
#[derive(Clone, Debug, Default)]
pub struct RobotShape {
    /// In the frames of their bodies; of links that are fixed to the ground, in the base's.
    pub capsules: Vec<BodyCapsule>,
    /// What the capsules of each body, or link on the ground, were made of: `capsules`, `collision geometry`,
    /// `visual geometry`, or `joints` for those from joint to joint.
    pub sources: Vec<(String, &'static str)>,
    /// Bodies about whose shape nothing is known.
    pub without: Vec<String>,
    /// Pairs of bodies whose capsules touch wherever the joints are, by index; they are not kept apart.
    pub touching: Vec<BodyPair>,
}

/// The shape of a robot that was read from `source`: the capsules of its file, or one around the
/// collision geometry (else the visual one) of every body, or several where one would always touch another body and
/// several do not. With `radius` (m), bodies without a shape get capsules from
/// joint to joint. Pairs nearer than `clearance` (m) wherever the joints are count as touching.
pub fn shape_of(
    mechanism: &Mechanism,
    source: &str,
    options: &ReadOptions,
    radius: Option<f64>,
    clearance: f64,
) -> Result<RobotShape, FormatError> {
    let mut out = RobotShape::default();
    let mut shapes = BTreeMap::new();
    for (k, body) in mechanism.robot().bodies.iter().enumerate() {
        let (capsules, made_of) = match body_shape(mechanism.robot(), &body.name, source, options)? {
            Some(_) if !body.capsules.is_empty() => (body.capsules.clone(), "capsules"),
            Some(shape) => {
                let (one, source) = (capsule_around(&shape.points), shape.source);
                shapes.insert(k, shape);
                (one.into_iter().collect(), source)
            }
            None => match radius {
                Some(radius) => (from_joint_to_joint(mechanism, k, radius), "joints"),
                None => (Vec::new(), ""),
            },
        };
        if capsules.is_empty() {
            out.without.push(body.name.clone());
            continue;
        }
        out.capsules.extend(capsules.into_iter().map(|capsule| BodyCapsule { body: Some(k), capsule }));
        out.sources.push((body.name.clone(), made_of));
    }
    for (link, shape) in ground_shapes(mechanism.robot(), source, options)? {
        let capsules = capsule_around(&shape.points).into_iter();
        out.capsules.extend(capsules.map(|capsule| BodyCapsule { body: None, capsule }));
        out.sources.push((link, shape.source));
    }
    out.touching = always_touching(mechanism, &out.capsules, clearance);
    part(mechanism, &shapes, &mut out, clearance);
    Ok(out)
}

/// Gives several capsules to bodies that touch others all the time with one, where that parts them: each more makes
/// the search slower.
fn part(mechanism: &Mechanism, shapes: &BTreeMap<usize, BodyShape>, out: &mut RobotShape, clearance: f64) {
    let sides = |pairs: &[BodyPair]| -> Vec<usize> {
        pairs.iter().flat_map(|&(a, b)| [a, b]).flatten().filter(|body| shapes.contains_key(body)).collect()
    };
    let finer = |bodies: &[usize]| -> Vec<BodyCapsule> {
        let mut capsules = out.capsules.clone();
        for body in shapes.keys().filter(|body| bodies.contains(body)) {
            capsules.retain(|own| own.body != Some(*body));
            let several = capsules_around(&shapes[body].parts()).into_iter();
            capsules.extend(several.map(|capsule| BodyCapsule { body: Some(*body), capsule }));
        }
        capsules.sort_by_key(|own| own.body.map_or(usize::MAX, |body| body));
        capsules
    };
    let touching = sides(&out.touching);
    if touching.is_empty() {
        return;
    }
    let still = always_touching(mechanism, &finer(&touching), clearance);
    let parted: Vec<BodyPair> = out.touching.iter().filter(|pair| !still.contains(pair)).copied().collect();
    if parted.is_empty() {
        return;
    }
    out.capsules = finer(&sides(&parted));
    out.touching = always_touching(mechanism, &out.capsules, clearance);
}

/// From the origin of a body to the joints it carries; of the last body to what is fixed to it, or to its
/// centre of mass.
fn from_joint_to_joint(mechanism: &Mechanism, body: usize, radius: f64) -> Vec<Capsule> {
    let bodies = &mechanism.robot().bodies;
    let carried = bodies.iter().filter(|other| other.parent.map(|parent| parent.0) == Some(body));
    let mut ends: Vec<[f64; 3]> = carried.map(|other| other.joint.placement.pose().translation.0).collect();
    if ends.is_empty() {
        ends.extend(bodies[body].lumped.iter().map(|link| link.frame.pose().translation.0));
    }
    if ends.is_empty() {
        let inertia = bodies[body].inertia.centred();
        ends.push(if inertia.mass > 0.0 { inertia.com } else { [0.0; 3] });
    }
    ends.into_iter().map(|to| Capsule { from: [0.0; 3], to, radius }).collect()
}
