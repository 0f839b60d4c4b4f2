//! Tables I and II of the DIM paper (seed 004): the double pendulum on a weighed base, once in
//! modified DH notation with ten frames, once as initial poses and twists. Section V claims that both
//! give the identical regressor of the ground reaction wrench. A floating root that is held still
//! measures that wrench: its six rows.

mod support;

use steiner_dynamics::Mechanism;
use support::{Noise, discrepancy};

const INERTIAS: [&str; 3] = [
    "inertia = { mass = 4, com = [0.01, 0.02, -0.05], tensor = [0.0085, 0.001, 0.0085, -0.0002, 0.0003, 0.0072] }",
    "inertia = { mass = 12.093, com = [0.06, -0.03, 0.22], tensor = [0.24, 0.01, 0.23, -0.015, 0.02, 0.05] }",
    "inertia = { mass = 4.9, com = [0.1, 0.04, 0.28], tensor = [0.08, -0.01, 0.09, -0.008, 0.005, 0.03] }",
];

/// The world as a body without inertia, so that its six rows are the wrench about the world's origin.
const HEAD: &str = r#"
gravity = [0, 0, -9.81]
[lengths]
Tx = 0.3
Ty = -0.2
Tz = 0.7
l1 = 0.4
[[body]]
name = "world"
parent = "base"
joint = "floating"
"#;

/// Table II: initial poses are translations, twists are turns about x (or about given axes).
fn geometric(axis1: &str, axis2: &str) -> String {
    let [base, link1, link2] = INERTIAS;
    format!(
        r#"
name = "table II"
{HEAD}
[[body]]
name = "base_link"
parent = "world"
joint = "fixed"
xyz = ["Tx", "Ty", "Tz"]
{base}
[[body]]
name = "link1"
parent = "base_link"
joint = "revolute"
axis = {axis1}
{link1}
[[body]]
name = "link2"
parent = "link1"
joint = "revolute"
xyz = [0, 0, "l1"]
axis = {axis2}
{link2}
"#
    )
}

/// Table I: α, d, θ, r of ten frames; frames 4 and 8 turn, frames 2, 6 and 10 carry the inertias.
const TABLE_I: [[&str; 4]; 10] = [
    ["-pi/2", "Tx", "0", "Ty"],
    ["pi/2", "0", "0", "Tz"],
    ["0", "0", "-pi/2", "0"],
    ["-pi/2", "0", "0", "0"],
    ["pi/2", "0", "0", "0"],
    ["0", "0", "pi/2", "0"],
    ["0", "0", "-pi/2", "l1"],
    ["-pi/2", "0", "0", "0"],
    ["pi/2", "0", "0", "0"],
    ["0", "0", "pi/2", "0"],
];

fn denavit_hartenberg() -> String {
    let mut text = format!("name = \"table I\"\n{HEAD}");
    let mut parent = "world".to_owned();
    for (index, [alpha, d, theta, r]) in TABLE_I.iter().enumerate() {
        let frame = index + 1;
        let joint = if matches!(frame, 4 | 8) { "revolute" } else { "fixed" };
        let inertia = match frame {
            2 => INERTIAS[0],
            6 => INERTIAS[1],
            10 => INERTIAS[2],
            _ => "",
        };
        text += &format!(
            "[[body]]\nname = \"frame{frame}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\n\
             mdh = {{ alpha = \"{alpha}\", a = \"{d}\", theta = \"{theta}\", d = \"{r}\" }}\n{inertia}\n"
        );
        parent = format!("frame{frame}");
    }
    text
}

/// Table I with each link's own frame (frames 6 and 10) as body frame: the
/// columns are then those of table II.
fn denavit_hartenberg_in_link_frames() -> String {
    let [base, link1, link2] = INERTIAS;
    // Frames 5 and 6 after the joint of frame 4: Rx(π/2) Rz(π/2), by rows.
    let to_link = "frame = { rotation = [[0, -1, 0], [0, 0, -1], [1, 0, 0]] }";
    format!(
        r#"
name = "table I in link frames"
{HEAD}
[[body]]
name = "base_link"
parent = "world"
joint = "fixed"
xyz = ["Tx", "Ty", "Tz"]
{base}
[[body]]
name = "frame3"
parent = "base_link"
joint = "fixed"
mdh = {{ alpha = 0, a = 0, theta = "-pi/2", d = 0 }}
[[body]]
name = "link1"
parent = "frame3"
joint = "revolute"
mdh = {{ alpha = "-pi/2", a = 0, theta = 0, d = 0 }}
{to_link}
{link1}
[[body]]
name = "frame7"
parent = "link1"
joint = "fixed"
mdh = {{ alpha = 0, a = 0, theta = "-pi/2", d = "l1" }}
[[body]]
name = "link2"
parent = "frame7"
joint = "revolute"
mdh = {{ alpha = "-pi/2", a = 0, theta = 0, d = 0 }}
{to_link}
{link2}
"#
    )
}

/// The root held at the world's origin, the joints in motion.
fn state(noise: &mut Noise) -> [Vec<f64>; 3] {
    let mut q = vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    q.extend(noise.vector(2).iter().map(|x| 3.0 * x));
    let still = |noise: &mut Noise| {
        let mut v = vec![0.0; 6];
        v.extend(noise.vector(2));
        v
    };
    [q, still(noise), still(noise)]
}

#[test]
fn both_tables_give_the_same_ground_wrench_and_joint_torques() {
    let (first, second) =
        (support::mechanism(&denavit_hartenberg()), support::mechanism(&geometric("[1, 0, 0]", "[1, 0, 0]")));
    assert_eq!((first.robot().bodies.len(), second.robot().bodies.len()), (3, 3));
    let mut noise = Noise::new(71);
    for _ in 0..20 {
        let [q, qd, qdd] = state(&mut noise);
        let (a, b) =
            (first.inverse_dynamics(&q, &qd, &qdd).unwrap(), second.inverse_dynamics(&q, &qd, &qdd).unwrap());
        assert_eq!(a.len(), 8);
        assert!(discrepancy(&a, &b) < 1e-13, "{a:?} {b:?}");
        let by_regressor = first.regressor(&q, &qd, &qdd).unwrap().apply(&first.robot().parameters());
        assert!(discrepancy(&b, &by_regressor) < 1e-13);
    }
}

#[test]
fn the_regressors_of_both_tables_are_identical_in_the_links_own_frames() {
    let first = support::mechanism(&denavit_hartenberg_in_link_frames());
    let second = support::mechanism(&geometric("[1, 0, 0]", "[1, 0, 0]"));
    assert!(discrepancy(&first.robot().parameters(), &second.robot().parameters()) < 1e-15);
    let mut noise = Noise::new(73);
    for _ in 0..20 {
        let [q, qd, qdd] = state(&mut noise);
        let (a, b) = (first.regressor(&q, &qd, &qdd).unwrap(), second.regressor(&q, &qd, &qdd).unwrap());
        assert!(discrepancy(a.entries(), b.entries()) < 1e-14);
    }
}

#[test]
fn at_rest_the_ground_carries_the_weight_of_all_three_bodies() {
    // 20.993 kg: table IV's (m1)_R is the total mass.
    let second = support::mechanism(&geometric("[1, 0, 0]", "[1, 0, 0]"));
    let q = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let wrench = second.gravity_force(&q).unwrap();
    let masses = [4.0, 12.093, 4.9];
    let centres = [[0.31, -0.18, 0.65], [0.36, -0.23, 0.92], [0.4, -0.16, 1.38]];
    let weight: f64 = masses.iter().sum::<f64>() * 9.81;
    let moment = |k: usize| masses.iter().zip(&centres).map(|(m, c)| m * c[k] * 9.81).sum::<f64>();
    let expected = [0.0, 0.0, weight, moment(1), -moment(0), 0.0];
    assert!(discrepancy(&expected, &wrench[..6]) < 1e-14, "{wrench:?}");
}

#[test]
fn a_joint_axis_five_degrees_off_changes_the_wrench_as_section_six_says() {
    // ω along the true axis is all that changes in table II; the simplified model is
    // then wrong, mostly off the axis.
    let (axis1, axis2) = ("[\"cos(pi/36)\", \"sin(pi/36)\", 0]", "[\"cos(pi/36)\", 0, \"sin(pi/36)\"]");
    let (simple, full): (Mechanism, Mechanism) = (
        support::mechanism(&geometric("[1, 0, 0]", "[1, 0, 0]")),
        support::mechanism(&geometric(axis1, axis2)),
    );
    let [q, qd, qdd] = state(&mut Noise::new(79));
    let (a, b) =
        (simple.inverse_dynamics(&q, &qd, &qdd).unwrap(), full.inverse_dynamics(&q, &qd, &qdd).unwrap());
    assert!(discrepancy(&a, &b) > 1e-3, "{a:?} {b:?}");
}
