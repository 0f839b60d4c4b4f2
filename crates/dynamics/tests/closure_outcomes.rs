//! What happens to loops: assembled, refused with a reason, chosen among
//! assemblies, followed through whole turns.

mod support;

use std::f64::consts::{PI, TAU};

use steiner_dynamics::{DynamicsError, Mechanism};
use support::{mechanism, robot};

const MASS: &str = "inertia = { mass = 1, com = [0.1, 0.05, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }";

/// A planar four-bar: ground, crank, coupler and rocker lengths; `head` precedes the
/// bodies, `tail` follows the loop.
fn four_bar([ground, crank, coupler, rocker]: [f64; 4], head: &str, tail: &str) -> String {
    format!(
        r#"
name = "four-bar"
gravity = [0, -9.81, 0]
{head}
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
{MASS}
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [{crank}, 0, 0]
{MASS}
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [{ground}, 0, 0]
{MASS}
[[loop]]
name = "pin"
joint = "revolute"
predecessor = {{ body = "coupler", xyz = [{coupler}, 0, 0] }}
successor = {{ body = "rocker", xyz = [{rocker}, 0, 0] }}
{tail}
"#
    )
}

const GRASHOF: [f64; 4] = [0.7, 0.2, 0.6, 0.5];

fn refused(text: &str) -> DynamicsError {
    Mechanism::new(robot(text)).expect_err("a refusal")
}

/// Coupler and rocker angles of a four-bar in closed form, `up` choosing the assembly: the law of cosines.
fn closed_form([ground, crank, coupler, rocker]: [f64; 4], angle: f64, up: f64) -> (f64, f64) {
    let (x, y) = (ground - crank * angle.cos(), -crank * angle.sin());
    let (distance, heading) = (x.hypot(y), y.atan2(x));
    let inner =
        ((coupler * coupler + distance * distance - rocker * rocker) / (2.0 * coupler * distance)).acos();
    let world = heading + up * inner;
    let pin = (crank * angle.cos() + coupler * world.cos(), crank * angle.sin() + coupler * world.sin());
    (world - angle, pin.1.atan2(pin.0 - ground))
}

fn same_angle(a: f64, b: f64) -> bool {
    (a - b).sin().abs() < 1e-9 && (a - b).cos() > 0.0
}

#[test]
fn a_loop_that_cannot_be_assembled_is_named_with_its_residual() {
    // 0.2 + 0.1 + 0.1 < 0.7: the pin stays 0.3 m open.
    let error = refused(&four_bar([0.7, 0.2, 0.1, 0.1], "", ""));
    let DynamicsError::CannotAssemble { robot, closure, residual, .. } = &error else { panic!("{error}") };
    assert_eq!((robot.as_str(), closure.as_str()), ("four-bar", "pin"));
    assert!((0.2..0.31).contains(residual), "{residual}");
    assert!(error.to_string().contains("loop `pin`"), "{error}");
}

#[test]
fn a_loop_that_misses_by_a_micrometre_is_not_called_closed() {
    let error = refused(&four_bar([0.7, 0.2, 0.25, 0.249_999], "", ""));
    let DynamicsError::CannotAssemble { residual, .. } = &error else { panic!("{error}") };
    assert!((1e-8..2e-6).contains(residual), "{residual}");
}

#[test]
fn a_point_outside_the_workspace_is_out_of_reach() {
    // A rocker driven: it cannot turn all the way.
    let head = "independent = [\"rocker\"]";
    let bar = mechanism(&four_bar(GRASHOF, head, "[guess]\ncrank = 1\ncoupler = 0\nrocker = 1.8"));
    let at = bar.reference()[0];
    let error = bar.tree_configuration(&[at + PI]).expect_err("half a turn is too far");
    let DynamicsError::OutOfReach { closure, reached, residual, target, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(closure, "pin");
    assert!(*reached > 1.0 && *reached < 99.0, "{reached}");
    assert!(*residual > 0.0, "{residual}");
    assert!(target.contains(&format!("{:.4}", at + PI)), "{target}");
    assert!(bar.regressor(&[at + PI], &[0.0], &[0.0]).is_err());
}

#[test]
fn a_slider_pulled_beyond_its_rod_is_out_of_reach() {
    let text = format!(
        r#"
name = "slider-crank"
independent = ["slider"]
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
{MASS}
[[body]]
name = "rod"
parent = "crank"
joint = "revolute"
xyz = [0.2, 0, 0]
{MASS}
[[body]]
name = "slider"
parent = "base"
joint = "prismatic"
axis = [1, 0, 0]
{MASS}
[[loop]]
name = "wrist pin"
joint = "revolute"
predecessor = {{ body = "rod", xyz = [0.5, 0, 0] }}
successor = {{ body = "slider" }}
[guess]
slider = 0.5
crank = 0.7
"#
    );
    let machine = mechanism(&text);
    assert!(machine.tree_configuration(&[0.69]).is_ok());
    let error = machine.tree_configuration(&[0.75]).expect_err("0.2 + 0.5 < 0.75");
    assert!(matches!(&error, DynamicsError::OutOfReach { closure, .. } if closure == "wrist pin"), "{error}");
}

#[test]
fn a_wrong_number_of_independent_coordinates_is_refused_with_a_suggestion() {
    let error = refused(&four_bar(GRASHOF, "independent = [\"crank\", \"rocker\"]", ""));
    let DynamicsError::WrongIndependentCount { found: 2, mobility: 1, candidates, suggestion, .. } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(suggestion, "[crank]");
    assert_eq!(&**candidates, "[crank, coupler, rocker]", "every joint that moves would do");
    // And for a plain tree, where all coordinates are independent.
    let text = format!("independent = [\"a\"]\n{}", two_links());
    let error = refused(&text);
    assert!(matches!(error, DynamicsError::WrongIndependentCount { found: 1, mobility: 2, .. }), "{error}");
}

fn two_links() -> String {
    format!(
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n{MASS}\n\
         [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0.3, 0, 0]\n{MASS}\n"
    )
}

#[test]
fn independent_coordinates_that_do_not_determine_the_others_are_refused() {
    // Two four-bars: both cranks of the first say nothing about the second.
    let first = four_bar(GRASHOF, "independent = [\"crank\", \"rocker\"]", "");
    let second: String = four_bar(GRASHOF, "", "")
        .lines()
        .skip_while(|line| !line.starts_with("[[body]]"))
        .map(|line| {
            let line = ["crank", "coupler", "rocker", "pin"].iter().fold(line.to_owned(), |line, name| {
                line.replace(&format!("\"{name}\""), &format!("\"{name}2\""))
            });
            line + "\n"
        })
        .collect();
    let error = refused(&format!("{first}{second}"));
    let DynamicsError::NotIndependent { joint, suggestion, .. } = &error else { panic!("{error}") };
    assert!(joint.ends_with('2'), "{joint}");
    assert_eq!(suggestion, "[crank, crank2]");
}

#[test]
fn couplings_that_contradict_each_other_are_refused() {
    let coupled = |second: &str| {
        format!(
            "{}[[coupling]]\ncoordinate = \"b\"\nterms = [[\"a\", 2]]\noffset = 0.1\n{second}",
            two_links()
        )
    };
    let error = refused(&coupled("[[coupling]]\ncoordinate = \"a\"\nterms = [[\"b\", 0.5]]\noffset = 0.3\n"));
    assert!(matches!(error, DynamicsError::ContradictoryCoupling { .. }), "{error}");
    // The same relation twice is redundant, not contradictory.
    let same =
        mechanism(&coupled("[[coupling]]\ncoordinate = \"a\"\nterms = [[\"b\", 0.5]]\noffset = -0.05\n"));
    assert_eq!(same.dof(), 1);
    // Two relations that fix both coordinates leave nothing to move.
    let fixed = mechanism(&coupled("[[coupling]]\ncoordinate = \"a\"\nterms = [[\"b\", 3]]\n"));
    assert_eq!(fixed.dof(), 0);
}

#[test]
fn a_triangle_of_three_bars_does_not_move() {
    let text = format!(
        r#"
name = "triangle"
[[body]]
name = "left"
parent = "base"
joint = "revolute"
{MASS}
[[body]]
name = "right"
parent = "base"
joint = "revolute"
xyz = [0.5, 0, 0]
{MASS}
[[loop]]
name = "apex"
joint = "revolute"
predecessor = {{ body = "left", xyz = [0.4, 0, 0] }}
successor = {{ body = "right", xyz = [0.3, 0, 0] }}
[guess]
left = 0.6
right = 2.2
"#
    );
    let triangle = mechanism(&text);
    assert_eq!(triangle.dof(), 0);
    assert_eq!(triangle.notes(), [steiner_dynamics::MechanismNote::Immobile]);
    let regressor = triangle.regressor(&[], &[], &[]).expect("nothing to tell");
    assert_eq!((regressor.rows(), regressor.columns()), (0, 20));
}

#[test]
fn a_dead_point_is_singular_for_the_wrong_independent_joint_and_names_the_lost_one() {
    // Rocker-driven: crank and coupler in line is a dead point. The closed form
    // gives it: rocker at reach 0.8.
    let [ground, crank, coupler, rocker] = GRASHOF;
    let reach = crank + coupler;
    let stretched = ((ground * ground + reach * reach - rocker * rocker) / (2.0 * ground * reach)).acos();
    let pin = (reach * stretched.cos(), reach * stretched.sin());
    let rocker_angle = pin.1.atan2(pin.0 - ground);
    let tree_q = [stretched, 0.0, rocker_angle];
    let driven = |joint: &str| {
        let head = format!("independent = [\"{joint}\"]");
        mechanism(&four_bar(GRASHOF, &head, "[guess]\ncrank = 1\ncoupler = 0\nrocker = 1.8"))
    };
    let by_rocker = driven("rocker");
    assert!(by_rocker.closure().residual(&tree_q) < 1e-15);
    let error = by_rocker.closure().reduction(by_rocker.plan(), &tree_q, &[1.0]).expect_err("a dead point");
    let DynamicsError::Singular { joint, .. } = &error else { panic!("{error}") };
    assert!(joint == "crank" || joint == "coupler", "{joint}");
    // Driven by the crank, the same configuration is ordinary.
    let by_crank = driven("crank");
    let (z, _) = by_crank.closure().reduction(by_crank.plan(), &tree_q, &[1.0]).expect("no dead point");
    assert!(z[(2, 0)].abs() < 1e-12, "the rocker stands still: {}", z[(2, 0)]);
}

#[test]
fn a_revolute_loop_closed_only_with_opposed_axes_is_refused() {
    // The loop frame of the rocker is turned over: its axis points the other way in every position.
    let text = four_bar(GRASHOF, "", "").replace(
        "successor = { body = \"rocker\", xyz = [0.5, 0, 0] }",
        "successor = { body = \"rocker\", xyz = [0.5, 0, 0], rpy = [\"pi\", 0, 0] }",
    );
    assert!(text.contains("rpy"));
    let error = refused(&text);
    assert!(matches!(&error, DynamicsError::CannotAssemble { closure, .. } if closure == "pin"), "{error}");
}

#[test]
fn a_fixed_loop_half_a_turn_off_is_refused() {
    let text = |roll: &str| {
        format!(
            "name = \"welded\"\n{}[[body]]\nname = \"c\"\nparent = \"b\"\njoint = \"revolute\"\nxyz = [0.3, 0, 0]\n{MASS}\n\
             [[body]]\nname = \"d\"\nparent = \"c\"\njoint = \"revolute\"\nxyz = [0.3, 0, 0]\n{MASS}\n\
             [[loop]]\nname = \"weld\"\njoint = \"fixed\"\npredecessor = {{ body = \"base\", xyz = [0.5, 0.4, 0] }}\n\
             successor = {{ body = \"d\", rpy = [\"{roll}\", 0, 0] }}\n[guess]\na = 0.3\nb = 0.9\nc = 0.4\n",
            two_links()
        )
    };
    assert_eq!(mechanism(&text("0")).dof(), 1);
    let error = refused(&text("pi"));
    assert!(matches!(&error, DynamicsError::CannotAssemble { closure, .. } if closure == "weld"), "{error}");
}

#[test]
fn the_automatic_choice_prefers_joints_of_one_freedom() {
    // Base → ball → two hinges, closed by a ball: the hinges lead although the ball's coordinates come first.
    let text = format!(
        r#"
name = "ball first"
[[body]]
name = "ball"
parent = "base"
joint = "spherical"
{MASS}
[[body]]
name = "hinge1"
parent = "ball"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 1, 0]
{MASS}
[[body]]
name = "hinge2"
parent = "hinge1"
joint = "revolute"
xyz = [0.3, 0.1, 0]
axis = [1, 0, 1]
{MASS}
[[loop]]
name = "end"
joint = "spherical"
predecessor = {{ body = "base", xyz = [0.5, 0.3, 0.2] }}
successor = {{ body = "hinge2", xyz = [0.3, 0, 0] }}
"#
    );
    let machine = mechanism(&text);
    assert_eq!(machine.dof(), 2);
    // The distance from ball to end allows one of the hinges; spinning about the line
    // through both is the ball's own.
    let names = machine.independent_names();
    assert!(names.iter().any(|name| name.starts_with("hinge")), "{names:?}");
    assert!(names[0].starts_with("ball:"), "{names:?}");
    assert!(machine.takes_tree_configuration());
}

#[test]
fn a_coordinate_of_a_multi_dof_joint_is_named_with_its_number() {
    let text = format!(
        r#"
name = "sleeve"
independent = ["sleeve:1"]
[[body]]
name = "sleeve"
parent = "base"
joint = "cylindrical"
axis = [0, 0, 1]
{MASS}
[[body]]
name = "nut"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
{MASS}
[[coupling]]
coordinate = "sleeve:0"
terms = [["sleeve:1", 20]]
[[coupling]]
coordinate = "nut"
terms = [["sleeve:0", -2]]
offset = 0.25
"#
    );
    let machine = mechanism(&text);
    assert_eq!(machine.independent_names(), ["sleeve:1"]);
    assert!(!machine.takes_tree_configuration());
    assert_eq!(machine.configuration_size(), 1);
    let tree = machine.tree_configuration(&[0.05]).unwrap();
    for (found, expected) in tree.iter().zip([1.0, 0.05, 0.25 - 2.0]) {
        assert!((found - expected).abs() < 1e-14, "{tree:?}");
    }
}

#[test]
fn the_guess_chooses_between_elbow_up_and_elbow_down() {
    for up in [1.0, -1.0] {
        let (coupler, rocker) = closed_form(GRASHOF, 0.8, up);
        // A rough guess, one digit.
        let tail = format!("[guess]\ncrank = 0.8\ncoupler = {coupler:.1}\nrocker = {rocker:.1}");
        let bar = mechanism(&four_bar(GRASHOF, "independent = [\"crank\"]", &tail));
        let mut angle = -3.0;
        while angle < 3.0 {
            let tree = bar.tree_configuration(&[angle]).unwrap_or_else(|error| panic!("{error}"));
            let (coupler, rocker) = closed_form(GRASHOF, angle, up);
            assert!(same_angle(tree[1], coupler) && same_angle(tree[2], rocker), "{up} at {angle}: {tree:?}");
            angle += 0.37;
        }
    }
}

#[test]
fn a_crank_turned_many_times_returns_to_the_same_assembly() {
    let tail = "[guess]\ncrank = 0.8\ncoupler = 0.3\nrocker = 2.0";
    let bar = mechanism(&four_bar(GRASHOF, "independent = [\"crank\"]", tail));
    let at = bar.reference()[0];
    let home = bar.tree_configuration(&[at]).unwrap();
    for turns in [1.0, -1.0, 3.0, -7.0, 25.0] {
        let tree = bar.tree_configuration(&[at + turns * TAU]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tree[0], at + turns * TAU);
        assert!(same_angle(tree[1], home[1]) && same_angle(tree[2], home[2]), "{turns}: {tree:?} {home:?}");
        // The rocker only swings: it never winds.
        assert!((tree[2] - home[2]).abs() < 1e-9, "{turns}: {tree:?}");
    }
    // However the path is cut, the same point gives the same assembly.
    let there = bar.tree_configuration(&[at + 2.5]).unwrap();
    let half = bar.tree_configuration(&[at - 3.0]).unwrap();
    let around = bar.tree_configuration_from(&[at + 2.5], &half).unwrap();
    assert!(there.iter().zip(&around).all(|(a, b)| (a - b).abs() < 1e-9), "{there:?} {around:?}");
}

#[test]
fn a_point_without_a_number_nearby_costs_no_infinite_loop() {
    let bar = mechanism(&four_bar(GRASHOF, "independent = [\"crank\"]", ""));
    // The reference itself, to the last bit.
    let reference = bar.reference();
    let tree = bar.tree_configuration(&reference).unwrap();
    assert!(bar.closure().residual(&tree) < 1e-12);
    let error = bar.tree_configuration(&[f64::NAN]).unwrap_err();
    assert!(matches!(error, DynamicsError::NotFinite { .. }), "{error}");
}

#[test]
fn a_parallelogram_keeps_its_branch_through_the_flat_position() {
    // At crank = 0 and π all bars are in line: the parallelogram and the antiparallelogram meet there.
    let bar = mechanism(&four_bar(
        [0.6, 0.2, 0.6, 0.2],
        "independent = [\"crank\"]",
        "[guess]\ncrank = 1\ncoupler = -1\nrocker = 1",
    ));
    let mut angle: f64 = 0.05;
    while angle < 3.1 {
        let tree = bar.tree_configuration(&[angle]).unwrap_or_else(|error| panic!("{angle}: {error}"));
        assert!(same_angle(tree[2], angle) && same_angle(tree[1], -angle), "{angle}: {tree:?}");
        angle += 0.1;
    }
    // Beyond it, an assembly of the file or a refusal; never an open loop.
    for angle in [-0.5, -2.0, 3.5, 4.0] {
        if let Ok(tree) = bar.tree_configuration(&[angle]) {
            assert!(bar.closure().residual(&tree) < 1e-9, "{angle}");
            assert!(same_angle(tree[2], angle), "{angle} changed branch: {tree:?}");
        }
    }
}

#[test]
fn an_independent_set_that_cuts_a_ball_joint_takes_a_tree_configuration() {
    let Some(folder) = support::reference("mechanisms") else { return };
    let mut machine = Mechanism::new(support::read(&folder.join("rssr.toml"))).unwrap();
    assert_eq!(machine.dof(), 2);
    assert!(machine.independent_names().iter().any(|name| name.starts_with("rod:")));
    assert!(machine.takes_tree_configuration());
    assert_eq!(machine.configuration_size(), machine.tree().configuration_size);
    let closed = machine.reference_tree().to_vec();
    assert_eq!(machine.independent_part(&closed), closed);
    let again = machine.tree_configuration(&closed).unwrap();
    assert!(closed.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
    // Nearly closed is closed; velocities and accelerations are reduced.
    let nudged: Vec<f64> = closed.iter().map(|x| x + 1e-4).collect();
    let nearest = machine.tree_configuration(&nudged).unwrap();
    assert!(machine.closure().residual(&nearest) < 1e-9);
    assert!(nearest.iter().zip(&nudged).all(|(a, b)| (a - b).abs() < 1e-2));
    let y = machine.regressor(&nearest, &[0.1, 0.2], &[0.3, 0.4]).unwrap();
    assert_eq!(y.rows(), 2);
    let error = machine.regressor(&closed[..2], &[0.1, 0.2], &[0.3, 0.4]).unwrap_err();
    assert!(matches!(error, DynamicsError::Shape { what: "q", .. }), "{error}");
    // Crank and the rod's spin, wanted by name, do as well.
    let named = |name: &str| machine.robot().coordinates_named(name).unwrap()[0];
    let names = vec![named("crank"), named("rod:0")];
    let wanted = machine.robot().changed(|parts| parts.independent = Some(names)).unwrap();
    machine = Mechanism::new(wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(machine.independent_names(), ["crank", "rod:0"]);
}

#[test]
fn bennetts_linkage_moves_from_its_guess() {
    let Some(folder) = support::reference("mechanisms") else { return };
    let machine = Mechanism::new(support::read(&folder.join("bennett.toml"))).unwrap();
    assert_eq!(machine.independent_names(), ["b1"]);
    let reference = machine.reference_tree();
    // The guess is closed exactly: it is the reference up to what generic configurations may move it.
    assert!(machine.closure().residual(reference) < 1e-12);
    let tree = machine.tree_configuration(&[1.0]).unwrap();
    let (alpha, beta) = (0.8f64.asin(), 0.6f64.asin());
    let ratio = |angle: f64| {
        let k = ((alpha + beta) / 2.0).sin() / ((alpha - beta) / 2.0).sin();
        2.0 * (k / (angle / 2.0).tan()).atan()
    };
    // Bennett: tan(θ1/2) tan(θ2/2) is constant, θ3 = −θ1.
    for angle in [0.6, 1.0, 1.7, 2.4] {
        let tree = machine.tree_configuration(&[angle]).unwrap();
        assert!(same_angle(tree[1], ratio(angle)), "{angle}: {tree:?} {}", ratio(angle));
        assert!(same_angle(tree[2], -angle), "{angle}: {tree:?}");
    }
    assert!(same_angle(tree[2], -1.0));
}

#[test]
fn a_quaternion_and_its_negative_are_the_same_configuration() {
    // The ball is independent and inside the loop: the path to −q must not be a whole turn.
    let text = format!(
        r#"
name = "ball-driven"
independent = ["ball"]
[[body]]
name = "ball"
parent = "base"
joint = "spherical"
{MASS}
[[body]]
name = "h1"
parent = "ball"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 1, 0]
{MASS}
[[body]]
name = "h2"
parent = "h1"
joint = "revolute"
xyz = [0.3, 0.1, 0]
axis = [0, 0, 1]
{MASS}
[[body]]
name = "h3"
parent = "h2"
joint = "revolute"
xyz = [0.3, 0, 0.05]
axis = [0.2, 1, 0]
{MASS}
[[loop]]
name = "end"
joint = "spherical"
predecessor = {{ body = "base", xyz = [0.6, 0.3, 0.2] }}
successor = {{ body = "h3", xyz = [0.3, 0, 0] }}
"#
    );
    let machine = mechanism(&text);
    assert_eq!(machine.independent_names(), ["ball:0", "ball:1", "ball:2"]);
    assert!(!machine.takes_tree_configuration());
    let mut noise = support::Noise::new(101);
    for _ in 0..10 {
        let q = support::random_configuration(&machine, &mut noise, 0.3);
        let opposite: Vec<f64> = q.iter().map(|x| -x).collect();
        let (qd, qdd) = (noise.vector(3), noise.vector(3));
        let y = machine.regressor(&q, &qd, &qdd).unwrap();
        let same = machine.regressor(&opposite, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"));
        let wrong = support::discrepancy(y.entries(), same.entries());
        assert!(wrong < 1e-11, "{wrong:e}");
    }
}

#[test]
fn a_quaternion_of_length_zero_is_refused() {
    let machine =
        mechanism(&format!("[[body]]\nname = \"ball\"\nparent = \"base\"\njoint = \"spherical\"\n{MASS}\n"));
    let (q, still) = ([0.0; 4], [0.0; 3]);
    let error = machine.regressor(&q, &still, &still).expect_err("no rotation");
    assert!(error.to_string().contains("quaternion"), "{error}");
    let samples = steiner_dynamics::Samples { q: &q, qd: &still, qdd: &still, count: 1 };
    let mut out = vec![0.0; 30];
    let one = std::num::NonZeroUsize::MIN;
    let error =
        machine.regressors(&samples, one, steiner_dynamics::Zeros::Write, &mut out).expect_err("no rotation");
    assert!(error.to_string().contains("quaternion"), "{error}");
    let mut memory = steiner_dynamics::SampleMemory::new(&machine);
    assert!(machine.regressor_into(&q, &still, &still, &mut memory, &mut out).is_err());
}
