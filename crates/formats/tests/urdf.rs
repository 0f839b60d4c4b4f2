//! URDF and URDF+: what each element means.

use steiner_formats::{Format, FormatError, ReadOptions, assemble, parse_text};
use steiner_robot::{Coordinate, JointKind, LoopKind, Robot};
use steiner_scalar::Exact;

fn read(text: &str) -> Robot {
    read_with(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn read_with(text: &str, options: &ReadOptions) -> Result<Robot, FormatError> {
    assemble(parse_text(text, "r.urdf", Format::Urdf, None, options)?, options)
}

fn robot(links: &[&str], inside: &str) -> String {
    let links: String = links.iter().map(|name| format!("<link name='{name}'/>")).collect();
    format!("<robot name='r'>{links}{inside}</robot>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inside}</joint>"
    )
}

fn names(robot: &Robot) -> Vec<&str> {
    robot.bodies.iter().map(|body| body.name.as_str()).collect()
}

fn by_name(robot: &Robot, coordinate: Coordinate) -> String {
    robot.coordinate_name(coordinate)
}

#[test]
fn defaults_are_the_x_axis_and_the_parents_origin() {
    let robot = read(&robot(&["a", "b"], &joint("j", "revolute", "a", "b", "")));
    let body = &robot.bodies[0];
    assert_eq!(body.joint.axis, [Exact::one(), Exact::zero(), Exact::zero()]);
    assert_eq!(body.joint.placement.pose(), steiner_robot::Pose::identity());
    assert_eq!(body.joint.limits, steiner_robot::Limits::default());
    assert_eq!(body.own_inertia, None);
    assert_eq!(robot.gravity_vector(), [0.0, 0.0, -9.81]);
    assert_eq!(robot.name, "r");
}

#[test]
fn limits_friction_and_inertia_are_read() {
    let text = robot(
        &["a"],
        "<link name='b'><inertial><mass value='2'/><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>\
         <inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link>",
    )
    .replace(
        "</robot>",
        &(joint(
            "j",
            "prismatic",
            "a",
            "b",
            "<limit lower='-1' upper='2' effort='3' velocity='4'/><dynamics damping='0.5' friction='0.25'/>",
        ) + "</robot>"),
    );
    let robot = read(&text);
    let body = &robot.bodies[0];
    let limits = &body.joint.limits;
    assert_eq!(
        (limits.lower, limits.upper, limits.effort, limits.velocity),
        (Some(-1.0), Some(2.0), Some(3.0), Some(4.0))
    );
    assert_eq!((body.joint.friction.viscous, body.joint.friction.coulomb), (0.5, 0.25));
    // The inertial frame's x is the link's y: ixx = 1 becomes Iyy, shifted by m x² = 2.
    let expected = [2.0, 2.0, 0.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0, 4.5];
    for (found, expected) in body.inertia.parameters().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn continuous_joints_have_no_bounds() {
    let limit = "<limit lower='0' upper='0' effort='1' velocity='1'/>";
    let robot = read(&robot(&["a", "b"], &joint("j", "continuous", "a", "b", limit)));
    assert_eq!((robot.bodies[0].joint.limits.lower, robot.bodies[0].joint.limits.effort), (None, Some(1.0)));
}

#[test]
fn bodies_come_depth_first_by_the_name_of_their_joint() {
    let text = robot(
        &["root", "p", "q", "r", "s", "t"],
        &[
            joint("z", "revolute", "root", "p", ""),
            joint("a", "revolute", "root", "q", ""),
            joint("b", "revolute", "p", "r", ""),
            joint("a_10", "revolute", "q", "s", ""),
            joint("a_9", "revolute", "q", "t", ""),
        ]
        .concat(),
    );
    // Pinocchio compares names byte by byte: a_10 before a_9.
    assert_eq!(names(&read(&text)), ["q", "s", "t", "p", "r"]);
}

#[test]
fn mimic_is_a_coupling_unless_it_is_ignored() {
    let text = robot(
        &["a", "b", "c"],
        &(joint("j", "revolute", "a", "b", "")
            + &joint("k", "revolute", "a", "c", "<mimic joint='j' multiplier='-2.5' offset='0.1'/>")),
    );
    let robot = read(&text);
    let [coupling] = &robot.couplings[..] else { panic!("one coupling") };
    assert_eq!(by_name(&robot, coupling.coordinate), "k");
    assert_eq!(by_name(&robot, coupling.terms[0].0), "j");
    assert_eq!(
        (coupling.terms[0].1.clone(), coupling.offset.clone()),
        (Exact::fraction(-5, 2), Exact::fraction(1, 10))
    );
    let without = ReadOptions { mimic: false, ..ReadOptions::default() };
    assert!(read_with(&text, &without).unwrap().couplings.is_empty());
    // Defaults: multiplier 1, offset 0.
    let plain = read(&text.replace(" multiplier='-2.5' offset='0.1'", ""));
    assert_eq!(
        (plain.couplings[0].terms[0].1.clone(), plain.couplings[0].offset.clone()),
        (Exact::one(), Exact::zero())
    );
}

#[test]
fn mimic_left_behind_on_fixed_joints_says_nothing() {
    // As in the reduced Talos of example-robot-data.
    let text = robot(
        &["a", "b", "c", "d"],
        &(joint("j", "fixed", "a", "b", "")
            + &joint("k", "fixed", "a", "c", "<mimic joint='j'/>")
            + &joint("l", "revolute", "a", "d", "<mimic joint='j' multiplier='2' offset='0.5'/>")),
    );
    let robot = read(&text);
    let [coupling] = &robot.couplings[..] else { panic!("only what moves is coupled") };
    assert!(coupling.terms.is_empty());
    assert_eq!(coupling.offset, Exact::fraction(1, 2));
}

#[test]
fn loops_join_links_by_their_frames() {
    let closure = "<loop name='close' type='continuous'><predecessor link='b'><origin xyz='1 0 0'/></predecessor>\
                   <successor link='tip'><origin rpy='0 0 1.5708'/></successor><axis xyz='0 0 1'/></loop>\
                   <loop name='plain' type='planar'><predecessor link='a'/><successor link='c'/></loop>";
    let text = robot(
        &["a", "b", "c", "tip"],
        &(joint("j", "revolute", "a", "b", "")
            + &joint("k", "revolute", "a", "c", "")
            + &joint("f", "fixed", "c", "tip", "<origin xyz='0 2 0'/>")
            + closure),
    );
    let robot = read(&text);
    let [close, plain] = &robot.loops[..] else { panic!("two loops") };
    assert_eq!((close.kind.clone(), plain.kind.clone()), (LoopKind::Revolute, LoopKind::Planar));
    assert_eq!(close.predecessor.frame.pose().translation.0, [1.0, 0.0, 0.0]);
    // The tip is welded to c, two metres along y.
    assert_eq!(close.successor.body, robot.body_named("c"));
    assert_eq!(close.successor.frame.pose().translation.0, [0.0, 2.0, 0.0]);
    assert_eq!(plain.predecessor.body, None, "the root stands on the ground");
    assert_eq!(plain.axis, [Exact::one(), Exact::zero(), Exact::zero()]);
}

#[test]
fn couplings_relate_sums_of_joints_from_the_common_ancestor() {
    // root - j1 - a - j2 - b and root - j3 - c - j4 - d: 3 (q1 + q2) = q3 + q4.
    let tree = [
        joint("j1", "revolute", "root", "a", ""),
        joint("j2", "revolute", "a", "b", ""),
        joint("j3", "revolute", "root", "c", ""),
        joint("j4", "revolute", "c", "d", ""),
    ]
    .concat();
    let gear = "<coupling name='g'><predecessor link='b'/><successor link='d'/><ratio value='3'/></coupling>";
    let text = robot(&["root", "a", "b", "c", "d"], &(tree + gear));
    let relation = |text: &str| {
        let robot = read(text);
        let coupling = robot.couplings[0].clone();
        let mut terms: Vec<(String, f64)> =
            coupling.terms.iter().map(|(c, x)| (by_name(&robot, *c), x.to_f64().unwrap())).collect();
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        (by_name(&robot, coupling.coordinate), terms)
    };
    let term = |name: &str, factor: f64| (name.to_owned(), factor);
    assert_eq!(relation(&text), ("j4".to_owned(), vec![term("j1", 3.0), term("j2", 3.0), term("j3", -1.0)]));
    // A joint declared dependent is the one solved for.
    let declared = text.replace("name='j2'", "name='j2' independent='false'");
    let third = 1.0 / 3.0;
    assert_eq!(
        relation(&declared),
        ("j2".to_owned(), vec![term("j1", -1.0), term("j3", third), term("j4", third)])
    );
    let reversing = text.replace("value='3'", "value='-1'");
    assert_eq!(relation(&reversing).0, "j4", "the successor's own, whatever the ratio");
    let default = text.replace("<ratio value='3'/>", "");
    assert_eq!(relation(&default).1[0], term("j1", 1.0));
    // What both paths share does not count.
    let nested = text.replace("<predecessor link='b'/>", "<predecessor link='c'/>");
    assert_eq!(relation(&nested), ("j4".to_owned(), vec![]));
}

#[test]
fn joints_declared_dependent_are_remembered() {
    let text = robot(
        &["a", "b", "c"],
        &(joint("j", "revolute", "a", "b", "")
            + &joint("k", "fixed", "b", "c", "").replace("name=", "independent='false' name=")),
    );
    assert!(read(&text).dependent.is_empty(), "a fixed joint has no coordinate");
    let text = text.replace("name='j'", "name='j' independent='false'");
    let robot = read(&text);
    assert_eq!(robot.dependent.iter().map(|c| by_name(&robot, *c)).collect::<Vec<_>>(), ["j"]);
}

#[test]
fn the_root_floats_on_demand() {
    let text = robot(&["a", "b"], &joint("root_joint", "revolute", "a", "b", ""));
    let fixed = read(&text);
    assert_eq!((fixed.tree_dof(), fixed.is_floating()), (1, false));
    let options = ReadOptions { floating: true, ..ReadOptions::default() };
    let floating = read_with(&text, &options).unwrap();
    assert_eq!((floating.tree_dof(), floating.is_floating()), (7, true));
    assert_eq!(names(&floating), ["a", "b"]);
    // The file's own joint keeps its name.
    assert_eq!(floating.coordinates_named("root_joint").unwrap().len(), 1);
}

#[test]
fn all_kinds_of_joints() {
    let kinds = ["revolute", "continuous", "prismatic", "planar", "floating", "spherical"];
    let links: Vec<String> = (0..=kinds.len()).map(|k| format!("l{k}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let joints: String =
        (0..kinds.len()).map(|k| joint(&format!("j{k}"), kinds[k], links[k], links[k + 1], "")).collect();
    let robot = read(&robot(&links, &joints));
    assert_eq!(robot.bodies.iter().map(|body| body.joint.kind.name()).collect::<Vec<_>>(), kinds);
    assert_eq!((robot.tree_dof(), robot.tree_configuration_size()), (15, 17));
    assert_eq!(robot.bodies[5].joint.kind, JointKind::Spherical);
}
