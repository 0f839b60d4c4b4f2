//! Joints that are held at a value: fixed for every question, and still joints in the file.

use steiner_formats::{Format, FormatError, ReadOptions, assemble, parse_text};
use steiner_robot::{JointKind, Robot};
use steiner_scalar::Exact;

/// An arm with a hand of two fingers, the second of which follows the first, and a screw.
fn hand(lock: &[(&str, &str)]) -> Result<Robot, FormatError> {
    let joint = |name: &str, parent: &str, kind: &str, axis: &str, more: &str| {
        format!(
            "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{name}_link\"/>\
             <origin xyz=\"0.1 0.2 0.3\" rpy=\"0.1 0 0.4\"/><axis xyz=\"{axis}\"/>{more}</joint>\
             <link name=\"{name}_link\"><inertial><origin xyz=\"0.01 0.02 0.05\"/><mass value=\"0.5\"/>\
             <inertia ixx=\"0.01\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.012\" iyz=\"0\" izz=\"0.008\"/></inertial></link>"
        )
    };
    let limits = "<limit lower=\"-3\" upper=\"3\" velocity=\"1\" effort=\"9\"/>";
    let mimic = format!("{limits}<mimic joint=\"left\" multiplier=\"-2\" offset=\"0.01\"/>");
    let text = [
        "<robot name=\"hand\"><link name=\"base\"/>".to_owned(),
        joint("arm", "base", "revolute", "0 0 1", limits),
        joint("wrist", "arm_link", "revolute", "1 2 -2", limits),
        joint("left", "wrist_link", "prismatic", "0 3 4", limits),
        joint("right", "wrist_link", "prismatic", "0 -1 0", &mimic),
        "</robot>".to_owned(),
    ];
    let lock =
        lock.iter().map(|(joint, value)| ((*joint).to_owned(), Exact::parse(value).unwrap())).collect();
    let options = ReadOptions { lock, ..ReadOptions::default() };
    assemble(parse_text(&text.concat(), "hand.urdf", Format::Urdf, None, &options)?, &options)
}

fn names(robot: &Robot) -> Vec<&str> {
    robot.bodies.iter().map(|body| body.joint.name.as_str()).collect()
}

/// Where a link is in the frame of the body that carries it.
fn place(robot: &Robot, link: &str) -> [f64; 3] {
    let lumped = robot.bodies.iter().flat_map(|body| &body.lumped).find(|part| part.name == link);
    lumped.expect("a link that is fixed to another").frame.pose().translation.0
}

#[test]
fn what_a_held_joint_carries_is_one_body_with_what_carries_it() {
    let robot = hand(&[("wrist", "pi/3"), ("left", "0.05")]).unwrap();
    assert_eq!(names(&robot), ["arm"]);
    assert!((robot.bodies[0].inertia.mass - 2.0).abs() < 1e-12);
    assert_eq!(robot.description.locked(), ["wrist", "left", "right"]);
    // Rodrigues: the wrist turns by 60° about (1, 2, −2)/3, which the fingers' placement follows.
    let free = hand(&[("wrist", "0")]).unwrap();
    let wrist = robot.bodies[0].lumped[0].frame.pose();
    let before = free.bodies[0].lumped[0].frame.pose();
    let turn = before.inverse().then(&wrist).rotation.0;
    let trace = turn[0][0] + turn[1][1] + turn[2][2];
    assert!((trace - (1.0 + 2.0 * 0.5)).abs() < 1e-12, "{trace}");
    let along = [turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1]];
    let sine = 3f64.sqrt() / 2.0;
    for (found, wanted) in along.into_iter().zip([1.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0]) {
        assert!((found - 2.0 * sine * wanted).abs() < 1e-12, "{along:?}");
    }
}

#[test]
fn joints_that_follow_held_ones_are_held_with_them() {
    let robot = hand(&[("left", "0.05")]).unwrap();
    assert_eq!(names(&robot), ["arm", "wrist"]);
    let (held, neutral) = (place(&robot, "left_link"), place(&hand(&[("left", "0")]).unwrap(), "left_link"));
    let distance: f64 = held.iter().zip(neutral).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!((distance - 0.05).abs() < 1e-12, "{distance}");
    // The other one is at −2 · 0.05 + 0.01, where −2 · 0 + 0.01 was before.
    let (held, neutral) =
        (place(&robot, "right_link"), place(&hand(&[("left", "0")]).unwrap(), "right_link"));
    let distance: f64 = held.iter().zip(neutral).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!((distance - 0.1).abs() < 1e-12, "{distance}");
}

#[test]
fn the_file_keeps_its_joints() {
    let robot = hand(&[("wrist", "0.3"), ("left", "0.05")]).unwrap();
    let free = hand(&[]).unwrap();
    let file = robot.description.unlocked();
    let kinds = |joints: &[steiner_robot::TreeJoint]| -> Vec<JointKind> {
        joints.iter().map(|joint| joint.joint.kind.clone()).collect()
    };
    assert_eq!(kinds(&file.joints), kinds(&free.description.joints));
    assert_eq!(
        (file.joints, file.couplings),
        (free.description.joints.clone(), free.description.couplings.clone())
    );
}

#[test]
fn what_cannot_be_held_is_refused_with_a_remedy() {
    let refused = |lock: &[(&str, &str)], wanted: &str| {
        let message = hand(lock).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
    };
    refused(&[("wirst", "0")], "there is no joint `wirst` (did you mean `wrist`?)");
    refused(&[("wrist", "0"), ("wrist_link", "1")], "joint `wrist`: is locked twice; give one value");
    refused(
        &[("right", "0")],
        "joint `right`: follows other joints and cannot be locked; lock those it follows",
    );
    refused(&[("wrist", "0"), ("arm", "0"), ("left", "0")], "no moving body");
    let message = go2_locked_at("0.1").unwrap_err().to_string();
    assert!(message.contains("is floating and cannot be locked at a number but 0"), "{message}");
}

fn go2_locked_at(value: &str) -> Result<Robot, FormatError> {
    let lock = vec![("base_link".to_owned(), Exact::parse(value).unwrap())];
    steiner_formats::read_robot("go2", &ReadOptions { lock, ..ReadOptions::default() })
}

#[test]
fn a_floating_trunk_is_held_where_the_file_puts_it() {
    let robot = go2_locked_at("0").unwrap();
    assert_eq!(robot.bodies.len(), 12);
    assert!(robot.bodies.iter().all(|body| body.joint.kind.dof() == 1));
    let hip = robot.bodies.iter().find(|body| body.name == "FL_hip").unwrap();
    assert_eq!(hip.joint.placement.pose().translation.0, [0.1934, 0.0465, 0.0]);
}
