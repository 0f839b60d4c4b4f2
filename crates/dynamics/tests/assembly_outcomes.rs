//! What happens to loops at the edges: skew guesses, floating roots, points far away,
//! configurations that don't close.

mod support;

use std::time::{Duration, Instant};

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot, zoo};
use steiner_robot::Robot;
use support::{Noise, mechanism, random_configuration};

const MASS: &str = "inertia = { mass = 1, com = [0.1, 0.05, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }";
/// Generous for a loaded machine; a walk of a billion steps takes hours.
const QUICK: Duration = Duration::from_secs(5);

/// Whether the loop's two frames agree: position and all three axes, by the poses alone.
fn misalignment(machine: &Mechanism, tree_q: &[f64], closed_on: usize) -> f64 {
    let tree = machine.tree();
    let mut poses = Vec::new();
    tree.poses_at(tree_q, &mut poses);
    let end = &tree.world_poses(&poses)[tree.segment_of_body[closed_on]];
    let entries = [&end.rotation.0[..], &[end.translation.0]].concat().concat();
    support::discrepancy(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], &entries)
}

fn floating() -> ReadOptions {
    ReadOptions { floating: true, ..ReadOptions::default() }
}

fn read_floating(name: &str) -> Robot {
    read_robot(name, &floating()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_weld_a_third_of_a_turn_off_is_never_called_closed() {
    // (½, ½, ½, ½) is 120° about (1, 1, 1): each axis of one frame is perpendicular
    // to its counterpart of the other.
    for guess in
        ["0.5, 0.5, 0.5, 0.5", "0.45, 0.55, 0.5, 0.5", "-0.5, -0.5, -0.5, 0.5", "0.5, 0.5, 0.5, 0.48"]
    {
        let text = format!(
            "name = \"welded\"\n\
             [[body]]\nname = \"ball\"\nparent = \"base\"\njoint = \"spherical\"\n{MASS}\n\
             [[body]]\nname = \"hinge\"\nparent = \"ball\"\njoint = \"revolute\"\n{MASS}\n\
             [[loop]]\nname = \"weld\"\njoint = \"fixed\"\npredecessor = {{ body = \"base\" }}\n\
             successor = {{ body = \"hinge\" }}\n[guess]\nball = [{guess}]\n"
        );
        match Mechanism::new(support::robot(&text)) {
            Ok(machine) => {
                assert_eq!(machine.dof(), 1, "[{guess}]");
                let wrong = misalignment(&machine, machine.reference_tree(), 1);
                assert!(wrong < 1e-9, "[{guess}]: assembled {wrong:e} off at {:?}", machine.reference_tree());
            }
            Err(error) => assert!(
                matches!(&error, DynamicsError::CannotAssemble { closure, .. } if closure == "weld"),
                "[{guess}]: {error}"
            ),
        }
    }
}

#[test]
fn every_loop_robot_of_the_zoo_let_float_gains_six_freedoms() {
    let mut checked = 0;
    for entry in zoo::ENTRIES {
        let grounded =
            read_robot(entry.name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        if grounded.loops.is_empty() {
            continue;
        }
        let grounded = Mechanism::new(grounded).unwrap_or_else(|error| panic!("{error}"));
        let loose = Mechanism::new(read_floating(entry.name))
            .unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert!(loose.robot().is_floating(), "{}", entry.name);
        assert_eq!(loose.dof(), grounded.dof() + 6, "{}", entry.name);
        let residual = loose.closure().residual(loose.reference_tree());
        assert!(residual < 1e-12, "{}: {residual:e}", entry.name);
        checked += 1;
    }
    assert!(checked >= 6, "{checked}");
}

/// A four-bar on a frame that is itself fixed to the base, with its rocker and pin on the base.
const ON_A_FIXED_FRAME: &str = r#"
name = "framed four-bar"
gravity = [0, -9.81, 0]
[[body]]
name = "frame"
parent = "base"
joint = "fixed"
inertia = { mass = 3, com = [0.1, 0, 0], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }
[[body]]
name = "crank"
parent = "frame"
joint = "revolute"
inertia = { mass = 1, com = [0.1, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [0.2, 0, 0]
inertia = { mass = 1, com = [0.1, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[body]]
name = "rocker"
parent = "coupler"
joint = "revolute"
xyz = [0.6, 0, 0]
inertia = { mass = 1, com = [0.1, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[loop]]
name = "pin"
joint = "revolute"
predecessor = { body = "base", xyz = [0.7, 0, 0] }
successor = { body = "rocker", xyz = [0.5, 0, 0] }
[guess]
crank = 0.8
coupler = 0.3
rocker = -2.0
"#;

#[test]
fn a_four_bar_on_a_frame_fixed_to_the_base_where_it_is_closed_floats_with_seven_freedoms() {
    assert_eq!(mechanism(ON_A_FIXED_FRAME).dof(), 1);
    let description = parse_text(ON_A_FIXED_FRAME, "test.toml", Format::Toml, None, &floating())
        .unwrap_or_else(|error| panic!("{error}"));
    let robot = assemble(description, &floating()).unwrap_or_else(|error| panic!("{error}"));
    let loose = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loose.dof(), 7);
    // All of it floats: the total mass answers a push on the base.
    let (q, still) = (loose.reference(), vec![0.0; 7]);
    let mass = loose.mass_matrix(&q).unwrap_or_else(|error| panic!("{error}"));
    let names = loose.independent_names();
    for (k, name) in names.iter().enumerate() {
        if ["root_joint:0", "root_joint:1", "root_joint:2"].contains(&name.as_str()) {
            assert!((mass[(k, k)] - 6.0).abs() < 1e-12, "{name}: {}", mass[(k, k)]);
        }
    }
    assert!(names.contains(&"root_joint:0".to_owned()), "{names:?}");
    assert!(loose.inverse_dynamics(&q, &still, &still).is_ok());
}

/// Crank, rocker and a rod on two balls: the rod's spin is free, so that an
/// independent set cuts a ball joint.
const RSSR: &str = r#"
name = "rssr"
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [0.8, 0.1, 0.2]
axis = [0, 1, 0]
[[body]]
name = "rod"
parent = "crank"
joint = "spherical"
xyz = [0.2, 0, 0]
[[loop]]
name = "rod end"
joint = "spherical"
predecessor = { body = "rod", xyz = [0.6, 0.1, 0.7] }
successor = { body = "rocker", xyz = [0, 0, 0.5] }
"#;

#[test]
fn a_tree_configuration_that_leaves_a_loop_open_is_refused_with_the_loops_name() {
    let machine = mechanism(RSSR);
    assert!(machine.takes_tree_configuration(), "{:?}", machine.independent_names());
    let closed = machine.reference_tree().to_vec();
    assert!(machine.tree_configuration(&closed).is_ok());
    for turn in [1.5, -1.5] {
        let mut open = closed.clone();
        open[0] += turn;
        assert!(machine.closure().residual(&open) > 0.05, "the crank moved the rod's end");
        let still = vec![0.0; machine.dof()];
        for error in [
            machine.tree_configuration(&open).expect_err("an open loop"),
            machine.regressor(&open, &still, &still).expect_err("an open loop"),
        ] {
            let DynamicsError::NotFeasible { robot, closure, residual } = &error else { panic!("{error}") };
            assert_eq!((robot.as_str(), closure.as_str()), ("rssr", "rod end"));
            assert!(*residual > 1e-3, "{residual}");
        }
    }
}

#[test]
fn a_loop_robot_asked_a_billion_radians_away_answers_at_once() {
    let mut checked = 0;
    for name in ["four_bar", "five_bar", "delta", "stewart", "palletizer", "pkm_2rru_1rrs", "pkm_2prs_1psr"] {
        let robot = read_robot(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let machine = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let q = vec![1e9; machine.configuration_size()];
        let started = Instant::now();
        let error = machine.tree_configuration(&q).expect_err("nowhere near");
        assert!(started.elapsed() < QUICK, "{name}: {:?}", started.elapsed());
        if machine.takes_tree_configuration() {
            continue;
        }
        // The palletizer's first joint turns the whole arm and takes part in no
        // loop: any angle is an answer to it.
        let DynamicsError::TooFar { index, value, farthest } = &error else { panic!("{name}: {error}") };
        assert!(*index < q.len() && *value == 1e9 && *farthest < 1e9, "{name}: {error}");
        checked += 1;
    }
    assert!(checked >= 4, "{checked}");
}

#[test]
fn a_floating_loop_robot_works_a_thousand_kilometres_away() {
    for name in ["four_bar", "five_bar", "palletizer", "delta", "stewart"] {
        let machine = Mechanism::new(read_floating(name)).unwrap_or_else(|error| panic!("{error}"));
        let dof = machine.dof();
        let mut noise = Noise::of(name, 3);
        let here = random_configuration(&machine, &mut noise, 0.1);
        let (qd, qdd) = (noise.vector(dof), noise.vector(dof));
        let mut there = here.clone();
        // The base leads the tree and its joint the independent coordinates: x, y, z, quaternion.
        there[..3].copy_from_slice(&[1e6, -1e6, 1e6]);
        let started = Instant::now();
        let far = machine.regressor(&there, &qd, &qdd).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(started.elapsed() < QUICK, "{name}: {:?}", started.elapsed());
        // Space is the same everywhere, to the digits left of a thousand kilometres.
        let near = machine.regressor(&here, &qd, &qdd).unwrap_or_else(|error| panic!("{name}: {error}"));
        let wrong = support::discrepancy(near.entries(), far.entries());
        assert!(wrong < 1e-7, "{name}: {wrong:e}");
    }
}

fn refusal(text: &str) -> String {
    let options = ReadOptions::default();
    let Err(error) = parse_text(text, "test.toml", Format::Toml, None, &options)
        .and_then(|description| assemble(description, &options))
    else {
        panic!("accepted:\n{text}")
    };
    error.to_string()
}

/// (1, 1, 3) again, longer, turned over, and equal but for rounding.
const PARALLEL: [&str; 4] = ["[1, 1, 3]", "[\"1/3\", \"1/3\", 1]", "[-2, -2, -6]", "[1, 1, 3.0000000000001]"];

#[test]
fn a_universal_joint_whose_axes_are_parallel_is_refused_by_the_reader() {
    let joint = |axis2: &str| {
        format!(
            "[[body]]\nname = \"cross\"\nparent = \"base\"\njoint = \"universal\"\naxis = [1, 1, 3]\naxis2 = {axis2}\n"
        )
    };
    // Ten degrees apart is a universal joint, if an unusual one.
    assert_eq!(mechanism(&joint("[1, 1, 2]")).dof(), 2);
    for axis2 in PARALLEL {
        let message = refusal(&joint(axis2));
        assert!(message.contains("parallel") && message.contains("cross"), "{axis2}: {message}");
    }
}

#[test]
fn a_universal_loop_whose_axes_are_parallel_is_refused_by_the_reader() {
    for axis2 in PARALLEL {
        let message = refusal(&format!(
            "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"floating\"\n\
             [[loop]]\nname = \"shaft\"\njoint = \"universal\"\naxis = [1, 1, 3]\naxis2 = {axis2}\n\
             predecessor = {{ body = \"base\" }}\nsuccessor = {{ body = \"a\" }}\n"
        ));
        assert!(message.contains("parallel") && message.contains("shaft"), "{axis2}: {message}");
    }
}

#[test]
fn a_hundred_loops_that_cannot_close_are_given_up_in_seconds() {
    let count = 100;
    let mut text = "<robot name=\"knot\"><link name=\"l0\"/>".to_owned();
    for k in 1..=count {
        text += &format!(
            "<link name=\"l{k}\"/><joint name=\"j{k}\" type=\"revolute\"><parent link=\"l{}\"/><child link=\"l{k}\"/>
             <origin xyz=\"0.1 0 0\"/><axis xyz=\"0 0 1\"/></joint>
             <loop name=\"p{k}\" type=\"revolute\"><predecessor link=\"l0\"><origin xyz=\"{} 0.1 0\"/></predecessor>
             <successor link=\"l{}\"/><axis xyz=\"0 0 1\"/></loop>",
            k - 1,
            0.01 * f64::from(k),
            1 + (7 * k) % count
        );
    }
    let options = ReadOptions::default();
    let description = parse_text(&(text + "</robot>"), "knot", Format::Urdf, None, &options).unwrap();
    let start = Instant::now();
    let refused = Mechanism::new(assemble(description, &options).unwrap());
    assert!(matches!(refused, Err(DynamicsError::CannotAssemble { .. })));
    // Once it took minutes.
    assert!(start.elapsed() < 8 * QUICK, "{:?}", start.elapsed());
}
