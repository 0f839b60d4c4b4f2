//! The native mechanism file: expressions, placements, joints and all that hangs on them.

use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Frame, JointKind, LoopKind, Orientation, Pose, Robot};
use steiner_scalar::{Exact, Node};

fn read(text: &str) -> Robot {
    let options = ReadOptions::default();
    let description = parse_text(text, "r.toml", Format::Toml, None, &options);
    description.and_then(|d| assemble(d, &options)).unwrap_or_else(|error| panic!("{error}"))
}

fn body(lines: &str) -> String {
    format!("[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n{lines}\n")
}

fn exact(text: &str) -> Exact {
    Exact::parse(text).unwrap()
}

fn about(axis: usize, angle: f64) -> Pose<f64> {
    let mut angles = [Exact::zero(), Exact::zero(), Exact::zero()];
    angles[axis] = Exact::from_f64(angle).unwrap();
    Frame::new([Exact::zero(), Exact::zero(), Exact::zero()], Orientation::RollPitchYaw(angles)).pose()
}

fn along(xyz: [f64; 3]) -> Pose<f64> {
    Pose { rotation: Mat3::identity(), translation: Vec3(xyz) }
}

#[track_caller]
fn assert_close(a: &Pose<f64>, b: &Pose<f64>) {
    let rotation = a.rotation - b.rotation;
    let translation = a.translation - b.translation;
    let worst = rotation.0.iter().flatten().chain(&translation.0).fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(worst < 1e-12, "{a:?}\n{b:?}");
}

#[test]
fn the_least_a_file_needs() {
    let robot = read(&body(""));
    assert_eq!(robot.name, "r", "the file's stem");
    assert_eq!(robot.gravity_vector(), [0.0, 0.0, -9.81]);
    assert_eq!(
        robot.bodies[0].joint.axis,
        [Exact::zero(), Exact::zero(), Exact::one()],
        "the default axis is z"
    );
    assert_eq!(
        (robot.bodies[0].joint.name.as_str(), robot.planar, robot.independent.is_none()),
        ("a", false, true)
    );
}

#[test]
fn decimals_are_exactly_what_is_printed() {
    let robot = read(&body("xyz = [0.1, 1e-3, 0.12345678901234567890123456789]"));
    let xyz = &robot.bodies[0].joint.placement.steps()[0].xyz;
    assert_eq!(xyz[0], Exact::fraction(1, 10));
    assert_eq!(xyz[1], Exact::fraction(1, 1000));
    assert_eq!(xyz[2], exact("0.12345678901234567890123456789"), "more digits than a double has");
    let grouped = read(&body("xyz = [1_000.5, 1_000, 0]"));
    assert_eq!(grouped.bodies[0].joint.placement.steps()[0].xyz[0], exact("1000.5"));
}

#[test]
fn expressions_keep_their_symbols() {
    let text = format!(
        "[lengths]\nl1 = 0.3\nl2 = \"2*l1\"\n[angles]\ntilt = \"pi/7\"\n{}",
        body("xyz = [\"l1*cos(tilt)\", \"sqrt(3)/2\", \"l2 - l1\"]")
    );
    let robot = read(&text);
    assert_eq!(robot.constants.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["l1", "l2", "tilt"]);
    let xyz = &robot.bodies[0].joint.placement.steps()[0].xyz;
    assert_eq!(xyz[0].to_string(), "l1*cos(tilt)");
    let expected = [0.3 * (std::f64::consts::PI / 7.0).cos(), 3f64.sqrt() / 2.0, 0.3];
    for (x, wanted) in xyz.iter().zip(expected) {
        assert!((x.to_f64().unwrap() - wanted).abs() < 1e-15);
    }
    let Node::Difference(a, _) = xyz[2].node() else { panic!("as written") };
    assert!(matches!(a.node(), Node::Symbol { name, .. } if name == "l2"));
}

/// Standard: A = Rz(θ + q) Tz(d) Tx(a) Rx(α).
#[test]
fn standard_denavit_hartenberg() {
    let robot = read(&body("dh = { theta = 0.3, d = 0.4, a = 0.5, alpha = 0.6 }"));
    let joint = &robot.bodies[0].joint;
    let q = 0.7;
    let found = joint.placement.pose().then(&about(2, q)).then(&joint.body_frame.pose());
    let wanted =
        about(2, 0.3 + q).then(&along([0.0, 0.0, 0.4])).then(&along([0.5, 0.0, 0.0])).then(&about(0, 0.6));
    assert_close(&found, &wanted);
    assert_eq!(joint.axis, [Exact::zero(), Exact::zero(), Exact::one()]);
}

/// Modified: A = Rx(α) Tx(a) Rz(θ + q) Tz(d).
#[test]
fn modified_denavit_hartenberg() {
    let robot = read(&body("mdh = { theta = 0.3, d = 0.4, a = 0.5, alpha = 0.6 }"));
    let joint = &robot.bodies[0].joint;
    let q = 0.7;
    let found = joint.placement.pose().then(&about(2, q)).then(&joint.body_frame.pose());
    let wanted =
        about(0, 0.6).then(&along([0.5, 0.0, 0.0])).then(&about(2, 0.3 + q)).then(&along([0.0, 0.0, 0.4]));
    assert_close(&found, &wanted);
}

#[test]
fn prismatic_joints_move_along_z_in_both_conventions() {
    for (convention, wanted) in [
        ("dh", about(2, 0.3).then(&along([0.5, 0.0, 0.4 + 0.7])).then(&about(0, 0.6))),
        (
            "mdh",
            about(0, 0.6).then(&along([0.5, 0.0, 0.0])).then(&about(2, 0.3)).then(&along([
                0.0,
                0.0,
                0.4 + 0.7,
            ])),
        ),
    ] {
        let text = body(&format!("{convention} = {{ theta = 0.3, d = 0.4, a = 0.5, alpha = 0.6 }}"));
        let robot = read(&text.replace("revolute", "prismatic"));
        let joint = &robot.bodies[0].joint;
        let found = joint.placement.pose().then(&along([0.0, 0.0, 0.7])).then(&joint.body_frame.pose());
        assert_close(&found, &wanted);
    }
}

#[test]
fn the_frame_of_a_body_may_differ_from_its_joints() {
    let robot = read(&body("frame = { xyz = [1, 2, 3], rpy = [0, 0, \"pi/2\"] }"));
    assert_close(
        &robot.bodies[0].joint.body_frame.pose(),
        &along([1.0, 2.0, 3.0]).then(&about(2, std::f64::consts::FRAC_PI_2)),
    );
    // After DH's own.
    let robot = read(&body("dh = { a = 1 }\nframe = { xyz = [0, 1, 0] }"));
    assert_close(&robot.bodies[0].joint.body_frame.pose(), &along([1.0, 1.0, 0.0]));
}

#[test]
fn rotations_may_be_matrices() {
    let robot = read(&body("rotation = [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]"));
    assert_close(&robot.bodies[0].joint.placement.pose(), &about(2, 0.8f64.atan2(0.6)));
    let robot = read(&body(
        "rotation = [[\"cos(0.3)\", \"-sin(0.3)\", 0], [\"sin(0.3)\", \"cos(0.3)\", 0], [0, 0, 1]]",
    ));
    assert_close(&robot.bodies[0].joint.placement.pose(), &about(2, 0.3));
}

#[test]
fn universal_and_helical_joints_carry_their_own() {
    let universal = read(&body("axis = [0, 1, 0]\naxis2 = [1, 0, 0]").replace("revolute", "universal"));
    let kind = &universal.bodies[0].joint.kind;
    assert_eq!(*kind, JointKind::Universal { axis2: [Exact::one(), Exact::zero(), Exact::zero()] });
    assert_eq!((kind.dof(), kind.configuration_size()), (2, 2));
    assert_eq!(universal.bodies[0].joint.stages().len(), 2);
    let helical = read(&body("pitch = \"0.01/(2*pi)\"").replace("revolute", "helical"));
    let JointKind::Helical { pitch } = &helical.bodies[0].joint.kind else { panic!("helical") };
    assert!((pitch.to_f64().unwrap() - 0.01 / std::f64::consts::TAU).abs() < 1e-18);
}

#[test]
fn all_kinds_of_joints() {
    for (kind, dof, size) in [
        ("revolute", 1, 1),
        ("continuous", 1, 1),
        ("prismatic", 1, 1),
        ("cylindrical", 2, 2),
        ("spherical", 3, 4),
        ("planar", 3, 3),
        ("floating", 6, 7),
    ] {
        let robot = read(&body("").replace("revolute", kind));
        assert_eq!((robot.tree_dof(), robot.tree_configuration_size()), (dof, size), "{kind}");
    }
}

#[test]
fn inertia_limits_friction_and_rotor() {
    let robot = read(&body(
        "inertia = { mass = 2, com = [0, 0, 3], tensor = [1, 0, 1, 0, 0, 0.5] }\n\
         limits = { lower = -1, upper = \"pi/2\", velocity = 3, acceleration = 4, jerk = 5, effort = 6 }\n\
         rotor_inertia = 0.1\nfriction = { viscous = 0.2, coulomb = 0.3, offset = -0.4 }",
    ));
    let body = &robot.bodies[0];
    assert_eq!(body.inertia.parameters(), [2.0, 0.0, 0.0, 6.0, 19.0, 0.0, 19.0, 0.0, 0.0, 0.5]);
    assert_eq!(body.joint.limits.upper, Some(std::f64::consts::FRAC_PI_2));
    assert_eq!((body.joint.limits.jerk, body.joint.rotor_inertia), (Some(5.0), 0.1));
    assert_eq!((body.joint.friction.coulomb, body.joint.friction.offset), (0.3, -0.4));
}

#[test]
fn loops_couplings_and_guesses() {
    let second = body("")
        .replace("\"a\"", "\"b\"")
        .replace("revolute", "universal")
        .replace("joint =", "axis2 = [1, 0, 0]\njoint =");
    let robot = read(&format!(
        "independent = [\"a\"]\n{}{second}[[loop]]\njoint = \"spherical\"\npredecessor = {{ body = \"base\", xyz = [1, 0, 0] }}\n\
         successor = {{ body = \"b\", rpy = [0.1, 0, 0] }}\n[[coupling]]\ncoordinate = \"b:1\"\nterms = [[\"a\", 9], [\"b:0\", \"1/3\"]]\n\
         offset = \"pi\"\n[guess]\na = 0.4\nb = [\"pi/3\", -1]\n",
        body("")
    ));
    let [closure] = &robot.loops[..] else { panic!("one loop") };
    assert_eq!((closure.name.as_str(), &closure.kind), ("loop1", &LoopKind::Spherical));
    assert_eq!((closure.predecessor.body, closure.successor.body), (None, robot.body_named("b")));
    let [coupling] = &robot.couplings[..] else { panic!("one coupling") };
    assert_eq!(robot.coordinate_name(coupling.coordinate), "b:1");
    assert_eq!(
        coupling.terms.iter().map(|(c, _)| robot.coordinate_name(*c)).collect::<Vec<_>>(),
        ["a", "b:0"]
    );
    assert_eq!(coupling.terms[1].1, Exact::fraction(1, 3));
    assert_eq!(robot.reference, [exact("0.4"), exact("pi/3"), exact("-1")]);
    assert_eq!(robot.guessed.len(), 3);
    assert_eq!(robot.independent.as_ref().map(Vec::len), Some(1));
}

#[test]
fn one_coordinate_of_a_joint_may_be_guessed() {
    let text = body("axis2 = [1, 0, 0]\n[guess]\n\"a:1\" = 0.5").replace("revolute", "universal");
    let reference: Vec<f64> = read(&text).reference.iter().map(|x| x.to_f64().unwrap()).collect();
    assert_eq!(reference, [0.0, 0.5]);
}

#[test]
fn the_planar_view_is_a_flag() {
    assert!(read(&format!("planar = true\n{}", body(""))).planar);
}

#[test]
fn bodies_keep_the_files_order_but_follow_their_parents() {
    let with =
        |name: &str, parent: &str| body("").replace("\"a\"", &format!("\"{name}\"")).replace("base", parent);
    let robot = read(&[with("z", "base"), with("c", "b"), with("y", "base"), with("b", "z")].concat());
    let names: Vec<&str> = robot.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["z", "y", "b", "c"]);
}

#[test]
fn joints_may_be_declared_dependent() {
    let second = body("").replace("\"a\"", "\"b\"");
    let robot = read(&format!("dependent = [\"b\"]\n{}{second}", body("")));
    assert_eq!(robot.dependent.iter().map(|c| robot.coordinate_name(*c)).collect::<Vec<_>>(), ["b"]);
}
