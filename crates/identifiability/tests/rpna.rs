//! The recursive algorithm against the certified nullspace: spans, both ways, on every tree there is.

#[path = "../../dynamics/tests/support/mod.rs"]
mod noise;
#[path = "../../dynamics/tests/support/random_robot.rs"]
mod random_robot;
mod support;

use std::fmt::Write;

use noise::Noise;
use proptest::prelude::*;
use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, zoo};
use steiner_identifiability::{Measurement, rpna, rpna_with_gravity_as_joint, structural_nullspace};
use support::{dense, mechanism, mechanism_in, named_with, references, same_span, sensors};

/// Recursion, remark 2 and the certified nullspace agree, in motion and at rest.
fn agrees(mechanism: &Mechanism) -> Result<(), String> {
    let parameters = mechanism.layout().columns();
    for measure in ["all", "static"] {
        let measurement = Measurement::new(&sensors(measure), mechanism).map_err(|e| e.to_string())?;
        let certified = structural_nullspace(mechanism, &measurement).map_err(|e| e.to_string())?;
        assert!(certified.certificate.complete);
        let theirs = dense(&certified.vectors, parameters);
        let found = rpna(mechanism, &measurement).map_err(|e| e.to_string())?;
        for vector in &found {
            assert!(vector.entries.iter().any(|(_, x)| *x == 1.0), "an entry of one: {vector:?}");
            assert!(vector.joint().is_some(), "{vector:?}");
        }
        same_span(&dense(&found, parameters), &theirs, parameters).map_err(|e| format!("{measure}: {e}"))?;
        if measure == "all" {
            let other = rpna_with_gravity_as_joint(mechanism).map_err(|e| e.to_string())?;
            same_span(&dense(&other, parameters), &theirs, parameters)
                .map_err(|e| format!("remark 2: {e}"))?;
        }
    }
    Ok(())
}

fn is_tree(mechanism: &Mechanism) -> bool {
    mechanism.robot().loops.is_empty()
}

#[test]
fn every_reference_without_loops_has_its_certified_nullspace() {
    let mut count = 0;
    for (_, path, _) in references() {
        let mechanism = named_with(&path.to_string_lossy(), &ReadOptions::default());
        if is_tree(&mechanism) {
            agrees(&mechanism).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            count += 1;
        }
    }
    println!("{count} references");
}

#[test]
fn every_tree_of_the_zoo_has_its_certified_nullspace_standing_and_floating() {
    for entry in zoo::ENTRIES {
        for floating in [false, true] {
            let options = ReadOptions { floating, ..ReadOptions::default() };
            let Ok(robot) = steiner_formats::read_robot(entry.name, &options) else { continue };
            let mechanism = Mechanism::new(robot).unwrap();
            if is_tree(&mechanism) {
                agrees(&mechanism).unwrap_or_else(|e| panic!("{} {floating}: {e}", entry.name));
            }
        }
    }
}

#[test]
fn several_joints_of_one_mjcf_body_are_taken_in_sequence() {
    for joints in [
        r#"<joint type="hinge" axis="0 0 1"/><joint type="hinge" axis="1 0 0" pos="0 0.1 0"/>"#,
        r#"<joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 0 1" pos="0.2 0 0"/>"#,
        r#"<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="ball"/>"#,
        r#"<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="0 1 0" pos="0.3 0 0"/><joint type="slide" axis="0 1 0"/>"#,
    ] {
        let text = format!(
            r#"<mujoco><worldbody><body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{joints}
               <body name="b" pos="0.3 0 0.1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
               <joint type="hinge" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/></body></body></worldbody></mujoco>"#
        );
        let mechanism = mechanism_in(&text, Format::Mjcf, &ReadOptions::default());
        agrees(&mechanism).unwrap_or_else(|e| panic!("{joints}: {e}"));
    }
}

#[test]
fn decisions_too_close_for_doubles_are_taken_in_thirty_digits() {
    let arm = |reach: &str, offset: &str, tilt: &str| {
        format!(
            "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n\
             [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [{reach}, 0, 0]\naxis = [{tilt}, 0, 1]\n\
             [[body]]\nname = \"c\"\nparent = \"b\"\njoint = \"revolute\"\nxyz = [0, {offset}, 0]\naxis = [0, {tilt}, 1]\n\
             [[body]]\nname = \"d\"\nparent = \"c\"\njoint = \"prismatic\"\nxyz = [{offset}, 0, {offset}]\naxis = [0, 1, 0]\n"
        )
    };
    for (reach, offset, tilt) in [
        ("0.5", "0.3", "0"),
        ("0.5", "0.3", "1e-6"),
        ("0.5", "0.3", "1e-8"),
        ("30", "0.001", "0"),
        ("30", "0.0001", "1e-5"),
        ("1000", "0.0001", "1"),
    ] {
        // Dimensions only: doubles cannot tell such bases from dependent ones.
        let mechanism = mechanism(&arm(reach, offset, tilt));
        for measure in ["all", "static"] {
            let measurement = Measurement::new(&sensors(measure), &mechanism).unwrap();
            let certified = structural_nullspace(&mechanism, &measurement).unwrap();
            let found = rpna(&mechanism, &measurement).unwrap();
            assert_eq!(found.len(), certified.vectors.len(), "{measure}: {reach} {offset} {tilt}");
        }
    }
}

#[test]
fn gears_of_any_ratio_agree() {
    for ratio in ["1", "1.0000001", "2", "100", "1000", "-100000", "1e-4"] {
        for rotor in
            ["revolute\"\naxis = [0, 1, 0]", "revolute\"\naxis = [0, 0, 1]", "prismatic\"\naxis = [0, 1, 0]"]
        {
            let text = format!(
                "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n\
                 [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0.2, 0, 0.4]\naxis = [0, 1, 0]\n\
                 [[body]]\nname = \"r\"\nparent = \"a\"\nxyz = [0.05, 0, 0.3]\njoint = \"{rotor}\n\
                 [[coupling]]\ncoordinate = \"r\"\nterms = [[\"b\", {ratio}]]\n"
            );
            agrees(&mechanism(&text)).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
}

#[test]
fn a_gear_may_drive_a_gear_and_a_link_may_follow_its_rotor() {
    let body = |name: &str, parent: &str, xyz: &str, axis: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = {xyz}\naxis = {axis}\n"
        )
    };
    let bodies = body("a", "base", "[0, 0, 0]", "[0, 0, 1]")
        + &body("b", "a", "[0.2, 0, 0.4]", "[0, 1, 0]")
        + &body("r", "a", "[0.05, 0, 0.3]", "[0, 1, 0]")
        + &body("s", "a", "[0.05, 0.1, 0.2]", "[1, 0, 0]")
        + &body("c", "b", "[0.3, 0, 0]", "[0, 1, 0]");
    for couplings in [
        "[[coupling]]\ncoordinate = \"r\"\nterms = [[\"b\", 9]]\noffset = 0.3\n[[coupling]]\ncoordinate = \"s\"\nterms = [[\"r\", 3]]\n",
        "[[coupling]]\ncoordinate = \"b\"\nterms = [[\"r\", 0.5]]\n[[coupling]]\ncoordinate = \"s\"\nterms = [[\"r\", 1]]\n",
        "[[coupling]]\ncoordinate = \"r\"\nterms = [[\"b\", 0]]\noffset = 0.3\n[[coupling]]\ncoordinate = \"s\"\nterms = [[\"r\", 3]]\n",
    ] {
        let text = format!("{bodies}{couplings}");
        agrees(&mechanism(&text)).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
}

#[test]
fn rounding_does_not_add_up_along_a_chain_of_many_bodies() {
    let body = |k: usize| {
        let parent = if k == 0 { "base".to_owned() } else { format!("b{}", k - 1) };
        format!(
            "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [0.3, 0.1, 0]\nrpy = [0, 0, 0.4]\n"
        )
    };
    let bodies = 300;
    let chain: String = (0..bodies).map(body).collect();
    // A planar chain shows the first body's moment of inertia about the axis, and of every further
    // body that and two first moments.
    let vertical = mechanism(&chain);
    assert_eq!(rpna(&vertical, &Measurement::all()).unwrap().len(), 10 * bodies - (3 * bodies - 2));
    // Gravity in the plane shows two first moments of the first body as well.
    let upright = mechanism(&format!("gravity = [0, -9.81, 0]\n{chain}"));
    assert_eq!(rpna(&upright, &Measurement::all()).unwrap().len(), 10 * bodies - 3 * bodies);
}

/// An arm with all kinds of lengths in it, drawn in some unit.
fn arm_in(per_metre: f64) -> Mechanism {
    let x = |metres: f64| metres * per_metre;
    mechanism(&format!(
        "gravity = [0, 0, {}]\n\
         [[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0, 0, {}]\n\
         [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nrpy = [\"pi/2\", 0, 0]\n\
         [[body]]\nname = \"c\"\nparent = \"b\"\njoint = \"prismatic\"\nxyz = [{}, 0, {}]\naxis = [1, 0, 0]\n\
         [[body]]\nname = \"d\"\nparent = \"c\"\njoint = \"helical\"\npitch = {}\nxyz = [{}, 0, 0]\nframe = {{ xyz = [0, {}, 0] }}\n\
         [[body]]\nname = \"e\"\nparent = \"a\"\njoint = \"universal\"\naxis2 = [0, 1, 0]\nxyz = [0, {}, 0]\n\
         [[body]]\nname = \"r\"\nparent = \"a\"\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [{}, 0, 0]\n\
         [[coupling]]\ncoordinate = \"r\"\nterms = [[\"b\", 50]]\n",
        x(-9.81),
        x(0.67),
        x(0.43),
        x(0.14),
        x(0.002),
        x(0.02),
        x(0.03),
        x(0.25),
        x(0.04),
    ))
}

#[test]
fn metres_and_millimetres_give_the_same_answer() {
    let grade = |column: usize| [0, 1, 1, 1, 2, 2, 2, 2, 2, 2][column % 10];
    for measure in ["all", "static"] {
        let metres = arm_in(1.0);
        let in_metres = rpna(&metres, &Measurement::new(&sensors(measure), &metres).unwrap()).unwrap();
        for per_metre in [1e3, 1e-3, 1e8, 1e-8] {
            let other = arm_in(per_metre);
            let found = rpna(&other, &Measurement::new(&sensors(measure), &other).unwrap()).unwrap();
            assert_eq!(found.len(), in_metres.len());
            for (ours, theirs) in found.iter().zip(&in_metres) {
                assert_eq!((&ours.reason, &ours.bodies), (&theirs.reason, &theirs.bodies));
                let columns = |v: &steiner_identifiability::NullVector| {
                    v.entries.iter().map(|e| e.0).collect::<Vec<_>>()
                };
                assert_eq!(columns(ours), columns(theirs));
                let lead = theirs.entries.iter().position(|(_, x)| *x == 1.0).unwrap();
                let unit = grade(theirs.entries[lead].0);
                for ((column, a), (_, b)) in ours.entries.iter().zip(&theirs.entries) {
                    let expected = b * per_metre.powi(grade(*column) - unit);
                    let same = (a / ours.entries[lead].1 - expected).abs() < 1e-9 * expected.abs();
                    assert!(same, "{per_metre}: {a} {expected}");
                }
            }
        }
    }
}

#[test]
fn what_it_cannot_answer_is_refused_by_name() {
    let refusal = |mechanism: &Mechanism, measure: &str| {
        rpna(mechanism, &Measurement::new(&sensors(measure), mechanism).unwrap()).unwrap_err().to_string()
    };
    let four_bar = named_with("four_bar", &ReadOptions::default());
    let closure = &four_bar.robot().loops[0].name;
    assert_eq!(
        refusal(&four_bar, "all"),
        format!(
            "four_bar: `{closure}` closes a loop, and the recursive parameter nullspace algorithm is for trees; use the method auto"
        )
    );
    let puma = named_with("puma560", &ReadOptions::default());
    for measure in ["base-wrench", "joints:link2", "all+wrench:link3"] {
        assert_eq!(
            refusal(&puma, measure),
            format!(
                "the recursive parameter nullspace algorithm answers for the measurements all and static, not for `{measure}`; use the method auto"
            )
        );
    }
    let coupled = |extra: &str| {
        let joint = |name: &str, parent: &str, kind: &str| {
            format!(
                "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{kind}\"\nxyz = [0.1, 0, 0]\n"
            )
        };
        let text = joint("a", "base", "revolute")
            + &joint("b", "a", "revolute")
            + &joint("c", "a", "revolute")
            + &joint("p", "a", "planar")
            + extra;
        refusal(&mechanism(&format!("name = \"arm\"\n{text}")), "all")
    };
    let coupling = |coordinate: &str, terms: &str| {
        format!("[[coupling]]\nname = \"belt\"\ncoordinate = \"{coordinate}\"\nterms = {terms}\n")
    };
    for (extra, reason) in [
        (coupling("b", "[[\"a\", -1]]"), "ties b and a, which do not sit on the same body"),
        (coupling("c", "[[\"b\", 2], [\"a\", 1]]"), "adds up 2 coordinates"),
        (coupling("b", "[[\"p:2\", 2]]"), "takes one freedom out of several of b and p:2"),
    ] {
        let message = coupled(&extra);
        assert!(message.starts_with("arm: coupling `") && message.contains(reason), "{message}");
        assert!(message.ends_with("use the method auto"), "{message}");
    }
}

const KINDS: [&str; 10] = [
    "revolute",
    "continuous",
    "prismatic",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "floating",
    "fixed",
];
const DIRECTIONS: [&str; 6] =
    ["[0, 0, 1]", "[0, 0, -2]", "[1, 0, 0]", "[0, 1, 0]", "[1, 1, 0]", "[0.48, -0.6, 0.64]"];
const OFFSETS: [&str; 6] =
    ["[0, 0, 0]", "[0.3, 0, 0]", "[0, 0, 0.4]", "[0, 0.25, 0]", "[0.1, -0.2, 0.3]", "[0.3, 0, 0.4]"];
const TURNS: [&str; 5] =
    ["[0, 0, 0]", "[\"pi/2\", 0, 0]", "[0, \"pi/2\", 0]", "[\"pi\", 0, \"pi/4\"]", "[0.1, 0.2, 0.3]"];
const GRAVITIES: [&str; 5] = ["[0, 0, -9.81]", "[0, 0, 0]", "[9.81, 0, 0]", "[0, -3, -4]", "[1, 2, -9]"];

/// A body: kind, parent, direction, offset, turn, second direction, frame.
type Draw = (usize, usize, usize, usize, usize, usize, usize);

#[test]
fn random_trees_in_general_position_agree() {
    for seed in 0..24 {
        let mut noise = Noise::new(seed);
        let bodies = 2 + noise.below(6);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 3 == 0, 0);
        agrees(&Mechanism::new(robot).unwrap()).unwrap_or_else(|e| panic!("{seed}: {e}"));
    }
}

/// Geometry from small sets, so that parallel, intersecting and coaxial axes are the rule.
fn robot(bodies: &[Draw], gravity: usize) -> String {
    let mut text = format!("gravity = {}\n", GRAVITIES[gravity]);
    for (k, &(kind, parent, axis, offset, turn, second, frame)) in bodies.iter().enumerate() {
        // Mostly chains; half of the draws are ordinary one-dof joints.
        let kind = KINDS.get(kind).copied().unwrap_or(if kind % 3 == 0 { "prismatic" } else { "revolute" });
        let parent = match parent {
            0 if k > 1 => format!("b{}", k / 2),
            1 if k > 0 => "base".to_owned(),
            _ if k > 0 => format!("b{}", k - 1),
            _ => "base".to_owned(),
        };
        let _ = writeln!(text, "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"{kind}\"");
        let _ = writeln!(text, "xyz = {}\nrpy = {}", OFFSETS[offset], TURNS[turn]);
        if !matches!(kind, "spherical" | "floating" | "fixed") {
            let _ = writeln!(text, "axis = {}", DIRECTIONS[axis]);
        }
        match kind {
            "helical" => text.push_str("pitch = 0.05\n"),
            "universal" => {
                // Never parallel to the first.
                let second = if axis < 2 {
                    2 + second % 4
                } else if second == axis {
                    0
                } else {
                    second
                };
                let _ = writeln!(text, "axis2 = {}", DIRECTIONS[second]);
            }
            _ => {}
        }
        if frame < 3 {
            let _ = writeln!(text, "frame = {{ xyz = {}, rpy = {} }}", OFFSETS[frame + 1], TURNS[frame]);
        }
    }
    if bodies.iter().all(|draw| draw.0 == 9) {
        text.push_str("[[body]]\nname = \"last\"\nparent = \"base\"\njoint = \"revolute\"\n");
    }
    text
}

fn thorough(cases: u32) -> ProptestConfig {
    let factor = if std::env::var_os("STEINER_THOROUGH").is_some() { 10 } else { 1 };
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(11),
        ..ProptestConfig::default()
    }
}

fn draws(most: usize) -> impl Strategy<Value = Vec<Draw>> {
    prop::collection::vec(
        (0..20usize, 0..8usize, 0..6usize, 0..6usize, 0..5usize, 0..6usize, 0..9usize),
        1..=most,
    )
}

proptest! {
    #![proptest_config(thorough(64))]

    #[test]
    fn random_trees_of_all_joints_with_aligned_geometry_agree(bodies in draws(5), gravity in 0..5usize) {
        let text = robot(&bodies, gravity);
        let mechanism = mechanism(&text);
        prop_assert_eq!(agrees(&mechanism), Ok(()), "\n{}", text);
    }

    #[test]
    fn random_rotors_on_random_arms_agree(
        bodies in draws(3),
        gravity in 0..5usize,
        rotor in (0..3usize, 0..6usize, 0..6usize, 0..6usize, 0..8usize, 0..6usize),
        second in (0..3usize, 0..6usize, 0..6usize, 0..6usize, 0..8usize, 0..6usize),
        with_second: bool,
    ) {
        let mut text = robot(&bodies, gravity);
        let ratios = ["1", "-1", "2", "0.5", "9", "-121", "0", "2.75"];
        let kinds = ["revolute", "revolute", "revolute", "prismatic", "helical", "revolute"];
        let rotors = [rotor, second];
        for (k, (link, kind, axis, offset, ratio, turn)) in rotors.into_iter().enumerate() {
            if k == 1 && !with_second {
                continue;
            }
            // What drives the rotor: a new link on some body, or on the ground.
            let carrier = if link < bodies.len() && bodies[link].0 != 9 { format!("b{link}") } else { "base".to_owned() };
            let driver = kinds[(kind + link) % 6];
            let _ = writeln!(text, "[[body]]\nname = \"l{k}\"\nparent = \"{carrier}\"\njoint = \"{driver}\"");
            let _ = writeln!(text, "xyz = {}\naxis = {}", OFFSETS[(offset + 1) % 6], DIRECTIONS[(axis + turn) % 6]);
            if driver == "helical" { text.push_str("pitch = 0.05\n"); }
            let _ = writeln!(text, "[[body]]\nname = \"r{k}\"\nparent = \"{carrier}\"\njoint = \"{}\"", kinds[kind]);
            let _ = writeln!(text, "xyz = {}\nrpy = {}\naxis = {}", OFFSETS[offset], TURNS[turn % 2], DIRECTIONS[axis]);
            if kinds[kind] == "helical" { text.push_str("pitch = 0.02\n"); }
            let offset = ["0", "0.25"][turn / 3];
            let _ = writeln!(
                text,
                "[[coupling]]\ncoordinate = \"r{k}\"\nterms = [[\"l{k}\", {}]]\noffset = {offset}", ratios[ratio]
            );
            if turn == 4 {
                // The rotor carries something that follows no gear.
                let _ = writeln!(text, "[[body]]\nname = \"c{k}\"\nparent = \"r{k}\"\njoint = \"revolute\"\nxyz = [0.2, 0, 0]");
            }
        }
        let mechanism = mechanism(&text);
        prop_assert_eq!(agrees(&mechanism), Ok(()), "\n{}", text);
    }
}
