//! Writing native files: whatever format a robot came from, its native file reads back as the same robot.

mod support;

use std::path::Path;

use proptest::prelude::*;
use steiner_formats::{Format, ReadOptions, assemble, describe, parse_text, write_toml, zoo};
use steiner_robot::{Description, JointKind, PseudoInertia};
use support::dice::Dice;
use support::random_description::random_description;
use support::same_robot::assert_same_robot;

fn round_trip(description: Description, options: &ReadOptions) -> String {
    let text = write_toml(&description).unwrap();
    let name = description.name.clone();
    let read = parse_text(&text, "written.toml", Format::Toml, None, options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    if !name.trim().is_empty() {
        assert_eq!(read.name, name);
    }
    let first = assemble(description, options).unwrap();
    let second = assemble(read, options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_same_robot(&first, &second);
    text
}

#[test]
fn the_reference_mechanisms_survive_a_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/mechanisms");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        support::skipped("the reference mechanisms are not beside the project");
        return;
    };
    let options = ReadOptions::default();
    let mut count = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let description = describe(&path.display().to_string(), &options).unwrap();
        round_trip(description, &options);
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn the_zoo_survives_a_round_trip() {
    let options = ReadOptions::default();
    assert!(!zoo::ENTRIES.is_empty());
    for entry in zoo::ENTRIES {
        round_trip(describe(entry.name, &options).unwrap(), &options);
    }
}

#[test]
fn the_example_robots_survive_the_way_to_a_native_file() {
    for path in support::example_urdfs() {
        for options in
            [ReadOptions::default(), ReadOptions { floating: true, snap: 0.0, ..Default::default() }]
        {
            let name = path.display().to_string();
            let description = describe(&name, &options);
            match description.and_then(|d| assemble(d.clone(), &options).map(|_| d)) {
                Ok(description) => drop(round_trip(description, &options)),
                Err(error) => println!("not a robot: {error}"),
            }
        }
    }
}

#[test]
fn a_urdf_with_everything_becomes_a_native_file() {
    let text = r#"<robot name="every &quot;thing&quot;">
  <link name="base"/><link name="a"><inertial><mass value="1.2"/><origin xyz="0.1 0 0"/></inertial></link>
  <link name="b"/><link name="c"/><link name="tip"/>
  <joint name="z" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.3" rpy="1.5708 0 0"/>
    <limit lower="1" upper="-1" velocity="2" effort="3"/><dynamics damping="0.1"/></joint>
  <joint name="y" type="prismatic"><parent link="base"/><child link="b"/><mimic joint="z" multiplier="-2" offset="0.5"/></joint>
  <joint name="x" type="revolute" independent="false"><parent link="a"/><child link="c"/><axis xyz="0 1 1"/></joint>
  <joint name="f" type="fixed"><parent link="c"/><child link="tip"/><origin rpy="0.1 0.2 0.3"/></joint>
  <loop name="close" type="spherical"><predecessor link="b"><origin xyz="1 0 0"/></predecessor><successor link="tip"/></loop>
</robot>"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "every.urdf", Format::Urdf, None, &options).unwrap();
    let mut unlimited = description.clone();
    unlimited.joints[0].joint.limits.lower = None;
    unlimited.joints[0].joint.limits.upper = None;
    round_trip(unlimited, &options);
    assert_eq!(
        write_toml(&description).unwrap(),
        r#"name = "every \"thing\""
dependent = ["x"]
# The link `base` is called `base_link` here.

[[body]]
name = "base_link"
parent = "base"
joint = "fixed"

[[body]]
name = "b"
parent = "base_link"
joint = "prismatic"
joint_name = "y"
axis = [1, 0, 0]

[[body]]
name = "a"
parent = "base_link"
joint = "revolute"
joint_name = "z"
xyz = [0, 0, 0.3]
rpy = ["0.5*pi", 0, 0]
axis = [1, 0, 0]
inertia = { mass = 1.2, com = [0.1, 0, 0] }
limits = { velocity = 2, effort = 3 }
friction = { viscous = 0.1 }

[[body]]
name = "c"
parent = "a"
joint = "revolute"
joint_name = "x"
axis = [0, 1, 1]

[[body]]
name = "tip"
parent = "c"
joint = "fixed"
joint_name = "f"
rpy = [0.1, 0.2, 0.3]

[[loop]]
name = "close"
joint = "spherical"
predecessor = { body = "b", xyz = [1, 0, 0] }
successor = { body = "tip" }
axis = [1, 0, 0]

[[coupling]]
coordinate = "y"
terms = [["z", -2]]
offset = 0.5
"#
    );
}

/// Joints and links that bear each other's names: whoever refers to one means the joint.
#[test]
fn joints_keep_names_that_links_have_too() {
    let text = r#"<robot name="crossed"><link name="ground"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="ground" type="revolute"><parent link="ground"/><child link="a"/></joint>
  <joint name="c" type="revolute"><parent link="a"/><child link="b"/></joint>
  <joint name="b" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="c" multiplier="2"/></joint>
</robot>"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "crossed.urdf", Format::Urdf, None, &options).unwrap();
    let written = round_trip(description, &options);
    let read = parse_text(&written, "written.toml", Format::Toml, None, &options).unwrap();
    let names: Vec<(&str, &str)> =
        read.joints.iter().map(|joint| (joint.child.as_str(), joint.joint.name.as_str())).collect();
    let root = ("ground", "root_joint");
    assert_eq!(names, [root, ("a", "ground"), ("b", "c"), ("c", "b")], "{written}");
    assert!(written.contains("coordinate = \"b\"\nterms = [[\"c\", 2]]"), "{written}");
}

#[test]
fn two_joints_of_one_name_are_an_error() {
    let body = |name: &str, joint: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nparent = \"base\"\njoint = \"revolute\"\njoint_name = {joint}\n"
        )
    };
    let read = |text: &str| {
        let options = ReadOptions::default();
        let parsed = parse_text(text, "m.toml", Format::Toml, None, &options);
        parsed.and_then(|description| assemble(description, &options)).map(drop).unwrap_err().to_string()
    };
    let twice = read(&(body("a", "\"j\"") + &body("b", "\"j\"")));
    assert!(twice.contains("`j`") && twice.contains("m.toml:"), "{twice}");
    assert_eq!(read(&body("a", "7")), "m.toml:5: body `a`, joint_name: a text is expected; put it in quotes");
}

#[test]
fn an_mjcf_file_becomes_a_native_file() {
    let text = r#"<mujoco model="arm"><compiler angle="radian"/><worldbody>
  <body name="base" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/>
    <body name="thigh" pos="0.3 0 0" quat="0.9 0.1 0.2 0.3"><inertial pos="0 0 -0.1" mass="2" diaginertia="0.1 0.1 0.05"/>
      <joint name="hip" axis="0 1 0" pos="0.1 0.2 0" range="-1 1" damping="0.5" armature="0.01"/>
      <body name="foot" pos="0 0 -0.3"><joint name="ankle" type="ball"/><geom type="sphere" size="0.05"/></body>
    </body></body></worldbody></mujoco>"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "arm.xml", Format::Mjcf, None, &options).unwrap();
    let written = round_trip(description, &options);
    assert!(written.contains("name = \"thigh\"\nparent = \"base_link\""), "{written}");
}

#[test]
fn named_lengths_stay_symbols() {
    let text = r#"gravity = [0, "-g0", 0]
[lengths]
g0 = 9.81
l0 = 0.3
"ℓ" = "sqrt(l0^2 + 1)/2"
[angles]
alpha = "pi/7"
tilt = 1.5708
[[body]]
name = "a"
parent = "base"
joint = "helical"
pitch = "l0/(2*pi)"
mdh = { a = "l0 - ℓ", alpha = "alpha", d = 1e-30, theta = "-tilt" }
[[body]]
name = "b"
parent = "a"
joint = "universal"
axis2 = [1, "l0", 0]
dh = { a = "l0", alpha = "alpha/2", d = "1/3", theta = "tilt" }
frame = { xyz = [1, 2, 3], rpy = [0.1, "tilt", 0] }
[guess]
"b:1" = "pi/3"
"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "symbols.toml", Format::Toml, None, &options).unwrap();
    let written = round_trip(description, &options);
    for expected in [
        "\"ℓ\" = \"sqrt(l0^2 + 1)/2\"",
        "mdh = { theta = \"-tilt\", d = 1e-30, a = \"l0 - ℓ\", alpha = \"alpha\" }",
        "pitch = \"l0/(2*pi)\"",
        "tilt = \"0.5*pi\"",
        "\"b:1\" = \"pi/3\"",
    ] {
        assert!(written.contains(expected), "{expected}\n{written}");
    }
}

#[test]
fn what_has_no_native_form_is_an_error() {
    let options = ReadOptions::default();
    let text = "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n";
    let mut description = parse_text(text, "a.toml", Format::Toml, None, &options).unwrap();
    description.links[0].inertia = Some(PseudoInertia { first: [1.0, 0.0, 0.0], ..PseudoInertia::ZERO });
    assert!(
        write_toml(&description)
            .unwrap_err()
            .to_string()
            .starts_with("a.toml:1: body `a`: it has first moments")
    );
    description.joints[0].joint.kind = JointKind::Compound(Vec::new());
    assert_eq!(
        write_toml(&description).unwrap_err().to_string(),
        "a.toml:1: joint `a`: several joints of one MJCF body have no form in a native file; keep the MJCF file, or \
         give each joint a body of its own"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_robots_survive_a_round_trip(seed in any::<u64>().no_shrink()) {
        let description = random_description(&mut Dice(seed));
        round_trip(description, &ReadOptions { snap: 0.0, ..ReadOptions::default() });
    }
}
