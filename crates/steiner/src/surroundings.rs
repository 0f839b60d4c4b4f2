//! What a robot may touch while it moves: capsules around its bodies, from its file or its meshes.

use steiner_dynamics::Mechanism;
use steiner_excitation::{BodyCapsule, BodyPair, capsule_around, hulls_around, mostly_touching};
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
    /// Pairs of bodies whose shapes touch in most configurations, by index; they are not kept apart.
    pub touching: Vec<BodyPair>,
}

/// The shape of a robot that was read from `source`: the capsules of its file, or one around the
/// collision geometry (else the visual one) of every body. Where one capsule would touch another body in most
/// configurations, convex hulls inside are kept apart instead. With `radius` (m), bodies without a shape get capsules from
/// joint to joint. Pairs nearer than `clearance` (m) in most configurations count as touching.
pub fn shape_of(
    mechanism: &Mechanism,
    source: &str,
    options: &ReadOptions,
    radius: Option<f64>,
    clearance: f64,
) -> Result<RobotShape, FormatError> {
    let mut out = RobotShape::default();
    let mut shapes = Vec::new();
    for (k, body) in mechanism.robot().bodies.iter().enumerate() {
        let (capsules, made_of) = match body_shape(mechanism.robot(), &body.name, source, options)? {
            Some(_) if !body.capsules.is_empty() => (body.capsules.clone(), "capsules"),
            Some(shape) => {
                let (one, source) = (capsule_around(&shape.points), shape.source);
                shapes.push((Some(k), shape));
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
        let of = |capsule| BodyCapsule { body: Some(k), capsule, hull: None };
        out.capsules.extend(capsules.into_iter().map(of));
        out.sources.push((body.name.clone(), made_of));
    }
    for (link, shape) in ground_shapes(mechanism.robot(), source, options)? {
        let capsules = capsule_around(&shape.points).into_iter();
        out.capsules.extend(capsules.map(|capsule| BodyCapsule { body: None, capsule, hull: None }));
        out.sources.push((link, shape.source));
        shapes.push((None, shape));
    }
    out.touching = mostly_touching(mechanism, &out.capsules, clearance);
    let closer: Vec<Option<usize>> = out.touching.iter().flat_map(|&(a, b)| [a, b]).collect();
    if !closer.is_empty() {
        with_hulls(&shapes, &closer, &mut out.capsules);
        out.touching = mostly_touching(mechanism, &out.capsules, clearance);
    }
    Ok(out)
}

/// Gives convex hulls to bodies, or the ground, whose capsules are too fat: they make the search slower.
fn with_hulls(
    shapes: &[(Option<usize>, BodyShape)],
    bodies: &[Option<usize>],
    capsules: &mut Vec<BodyCapsule>,
) {
    let closer: Vec<&(Option<usize>, BodyShape)> =
        shapes.iter().filter(|(body, _)| bodies.contains(body)).collect();
    capsules.retain(|own| !closer.iter().any(|(body, _)| *body == own.body));
    for (body, shape) in closer {
        let hulls = hulls_around(&shape.parts()).into_iter();
        capsules.extend(hulls.map(|(capsule, hull)| BodyCapsule { body: *body, capsule, hull: Some(hull) }));
    }
    capsules.sort_by_key(|own| own.body.map_or(usize::MAX, |body| body));
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
