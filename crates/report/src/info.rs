//! What a robot's file says, checked: the document of `steiner info`.

use serde_json::{Value, json};
use steiner_dynamics::{Mechanism, Tree};
use steiner_robot::{Body, Friction, Limits, LumpedLink, Robot};
use steiner_scalar::Fp;

use crate::analysis::robot_json;
use crate::notes::mechanism_note;
use crate::robot_notes::robot_note;

/// Bodies, joints, loops, couplings and the consistency of the inertias; `of_zoo` is what the zoo has to say.
pub fn info_json(mechanism: &Mechanism, of_zoo: Option<&str>) -> Value {
    let robot = mechanism.robot();
    let parent = |body: &Body| body.parent.map_or("base", |parent| &robot.bodies[parent.0].name);
    let bodies: Vec<Value> = robot
        .bodies
        .iter()
        .map(|body| {
            let inertia = body.inertia.centred();
            let inconsistency = body.inertia.check().err().map(|reason| reason.to_string());
            json!({
                "name": body.name, "parent": parent(body), "joint": body.joint.name, "kind": body.joint.kind.name(),
                "mass": inertia.mass, "com": inertia.com, "tensor": inertia.tensor,
                "parameters": body.inertia.parameters(),
                "consistent": inconsistency.is_none(), "inconsistency": inconsistency,
                "limits": limits_json(&body.joint.limits),
                "rotor_inertia": body.joint.rotor_inertia,
                "friction": friction_json(&body.joint.friction),
                "lumped": body.lumped.iter().map(lumped_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    let side =
        |body: Option<steiner_robot::BodyIndex>| body.map_or("base", |body| &robot.bodies[body.0].name);
    let loops: Vec<Value> = robot
        .loops
        .iter()
        .map(|closure| {
            json!({
                "name": closure.name, "kind": closure.kind.name(),
                "predecessor": side(closure.predecessor.body), "successor": side(closure.successor.body),
            })
        })
        .collect();
    let couplings: Vec<Value> = robot
        .couplings
        .iter()
        .map(|coupling| {
            let terms: Vec<Value> = coupling
                .terms
                .iter()
                .map(|(term, factor)| json!([robot.coordinate_name(*term), factor.to_f64().ok()]))
                .collect();
            json!({
                "coordinate": robot.coordinate_name(coupling.coordinate), "terms": terms,
                "offset": coupling.offset.to_f64().ok(),
            })
        })
        .collect();
    json!({
        "robot": robot_json(mechanism),
        "gravity": robot.gravity_vector(),
        "independent": mechanism.independent_names(),
        "reference": mechanism.reference(),
        "labels": robot.labels(),
        "bodies": bodies,
        "ground": robot.ground.iter().map(lumped_json).collect::<Vec<_>>(),
        "loops": loops,
        "couplings": couplings,
        "closure_residual": mechanism.closure().residual(mechanism.reference_tree()),
        "snapped": robot.snapped,
        "geometry": if geometry_is_exact(robot) { "exact" } else { "rounded" },
        "consistent": robot.bodies.iter().all(|body| body.inertia.check().is_ok()),
        "notes": info_notes(mechanism, of_zoo),
    })
}

/// What the zoo, the reader of the file and the assembly of the mechanism have to say.
pub fn info_notes(mechanism: &Mechanism, of_zoo: Option<&str>) -> Vec<String> {
    let of_file = mechanism.robot().notes.iter().map(robot_note);
    let of_mechanism = mechanism.notes().iter().map(|note| mechanism_note(*note).to_owned());
    of_zoo.map(str::to_owned).into_iter().chain(of_file).chain(of_mechanism).collect()
}

/// Whether exact arithmetic can represent all of the robot's geometry.
pub fn geometry_is_exact(robot: &Robot) -> bool {
    let sides = robot.loops.iter().flat_map(|closure| [&closure.predecessor.frame, &closure.successor.frame]);
    let exact = |frame: &steiner_robot::Frame| frame.evaluate::<Fp>().is_ok_and(|pose| !pose.rounded);
    Tree::<Fp>::new(robot).is_ok_and(|tree| !tree.rounded) && sides.into_iter().all(exact)
}

fn lumped_json(link: &LumpedLink) -> Value {
    json!({ "link": link.name, "mass": link.inertia.map(|inertia| inertia.mass) })
}

fn limits_json(limits: &Limits) -> Value {
    json!({
        "lower": limits.lower, "upper": limits.upper, "velocity": limits.velocity,
        "acceleration": limits.acceleration, "jerk": limits.jerk, "effort": limits.effort,
    })
}

/// Friction, with the further terms that the file states.
fn friction_json(friction: &Friction) -> Value {
    let further = &friction.further;
    let mut out = json!({
        "viscous": friction.viscous, "coulomb": friction.coulomb, "offset": friction.offset,
    });
    let terms = [
        ("load", (further.load != 0.0).then(|| json!(further.load))),
        ("curve", (further.root != 0.0).then(|| json!(further.root))),
        ("asymmetric", (further.asymmetric != 0.0).then(|| json!(further.asymmetric))),
        (
            "stribeck",
            (further.stribeck.force != 0.0)
                .then(|| json!({ "force": further.stribeck.force, "speed": further.stribeck.speed })),
        ),
        ("harmonic", (further.harmonics[0] != [0.0; 2]).then(|| json!(further.harmonics[0]))),
        ("harmonic2", (further.harmonics[1] != [0.0; 2]).then(|| json!(further.harmonics[1]))),
    ];
    for (key, value) in terms {
        if let Some(value) = value {
            out[key] = value;
        }
    }
    out
}
