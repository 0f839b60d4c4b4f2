//! Files that were damaged on the way: whatever a byte flip, a lost line or an absurd number makes of them, a
//! reader answers with a robot or a sentence, soon.
//!
//! `STEINER_THOROUGH=1` runs 20 000 damages per seed document instead of 64.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use steiner_formats::{Format, ReadOptions, assemble, parse_text, write_toml};
use support::dice::Dice;

const URDF: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><inertial><mass value="1"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0.1 0 0" rpy="0 0.2 0"/><mass value="2.5"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="fore"/> <link name="hand"/> <link name="rotor"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="1.5708 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="elbow" type="continuous" independent="false"><parent link="upper"/><child link="fore"/><mimic joint="shoulder" multiplier="2"/></joint>
  <joint name="wrist" type="fixed"><parent link="fore"/><child link="hand"/></joint>
  <joint name="motor" type="revolute"><parent link="base"/><child link="rotor"/></joint>
  <loop name="l" type="revolute"><predecessor link="base"><origin xyz="1 0 0"/></predecessor><successor link="hand"/><axis xyz="0 1 0"/></loop>
  <coupling name="c"><predecessor link="upper"/><successor link="rotor"/><ratio value="9"/></coupling>
  <!-- the end -->
</robot>
"#;

const XACRO: &str = r#"<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="length" value="0.3"/>
  <xacro:arg name="side" default="left"/>
  <xacro:macro name="segment" params="name parent *origin mass:=1">
    <link name="${name}"><inertial><mass value="${mass*2}"/></inertial></link>
    <joint name="${name}_joint" type="revolute"><parent link="${parent}"/><child link="${name}"/><xacro:insert_block name="origin"/></joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:segment name="a" parent="base"><origin xyz="0 0 ${length}" rpy="${pi/2} 0 0"/></xacro:segment>
  <xacro:if value="${length > 0.1}"><xacro:segment name="b" parent="a" mass="${2**3}"><origin xyz="${length} 0 0"/></xacro:segment></xacro:if>
  <xacro:unless value="${'$(arg side)' == 'left'}"><link name="c"/></xacro:unless>
</robot>
"#;

const MJCF: &str = r#"<mujoco model="arm">
  <compiler angle="degree" eulerseq="xyz"/>
  <option gravity="0 0 -9.81"/>
  <default><joint armature="0.1"/><default class="thin"><geom type="capsule" size="0.02"/></default></default>
  <worldbody>
    <body name="a" pos="0 0 1" euler="0 90 0">
      <inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.1 0.1"/>
      <joint name="j" type="hinge" axis="0 1 0" range="-90 90" damping="0.5"/>
      <body name="b" pos="0.3 0 0" quat="1 0 0 0">
        <joint name="s" type="slide" axis="1 0 0"/><joint name="k" type="hinge"/>
        <geom class="thin" fromto="0 0 0 0.1 0 0"/><geom type="box" size="0.1 0.1 0.2" mass="1"/>
      </body>
    </body>
    <body name="c"><joint name="ball" type="ball"/><geom type="cylinder" size="0.1 0.2"/></body>
    <body name="free"><freejoint/><geom type="sphere" size="0.1"/></body>
  </worldbody>
  <equality><connect body1="b" body2="free" anchor="0 0 0"/><joint joint1="j" joint2="s" polycoef="0 2 0 0 0"/></equality>
</mujoco>
"#;

const TOML: &str = r#"name = "four-bar"
gravity = [0, -9.81, 0]
independent = ["crank"]
[lengths]
l1 = 0.3
l2 = "sqrt(l1^2 + 1)"
[angles]
tilt = 1.5708
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
dh = { theta = 0, d = 0, a = "l1", alpha = "tilt" }
inertia = { mass = 1.2, com = [0, 0, 0.1], tensor = [1, 0, 1, 0, 0, 1] }
limits = { lower = -1, upper = 1, velocity = 3 }
friction = { viscous = 0.1 }
[[body]]
name = "coupler"
parent = "crank"
joint = "universal"
xyz = ["l1*cos(pi/7)", 0, 0]
rotation = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
axis2 = [1, 0, 0]
capsules = [{ from = [0, 0, 0], to = [0, 0, 1], radius = 0.1 }]
[[body]]
name = "slider"
parent = "base"
joint = "helical"
pitch = 0.01
[[loop]]
joint = "spherical"
predecessor = { body = "slider", xyz = [1, 0, 0] }
successor = { body = "coupler", rpy = [0, 0.785398, 0] }
[[coupling]]
coordinate = "slider"
terms = [["crank", 9.0]]
[guess]
coupler = [0.4, "pi/3"]
"#;

const NUMBERS: [&str; 24] = [
    "1e400",
    "-1e400",
    "1e-400",
    "-0",
    "0",
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "1e-308",
    "4.9e-324",
    "99999999999999999999999999999999999",
    "9223372036854775807",
    "-9223372036854775809",
    "0x10",
    "1_000",
    "1e",
    ".",
    "-",
    "1/0",
    "0.1234567890123456789012345678901234567890",
    "１",
    "3,5",
    "",
];

const WORDS: [&str; 22] = [
    "<",
    ">",
    "/>",
    "\"",
    "'",
    "&",
    "&amp;",
    "<!--",
    "]]>",
    "<![CDATA[",
    "=",
    "[",
    "]",
    "{",
    "}",
    "[[body]]",
    "\n",
    "\u{0}",
    "é",
    "𝔸",
    "${1/0}",
    "sqrt(-1)",
];

/// The byte ranges of words, or of numbers only.
fn tokens(text: &[u8], numbers: bool) -> Vec<std::ops::Range<usize>> {
    let belongs = |byte: u8| {
        if numbers {
            byte.is_ascii_digit() || b".-+e".contains(&byte)
        } else {
            byte.is_ascii_alphanumeric() || byte == b'_'
        }
    };
    let mut found = Vec::new();
    let mut start = None;
    for (at, &byte) in text.iter().enumerate() {
        match (belongs(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = &text[from..at];
                if !numbers || word.iter().any(u8::is_ascii_digit) {
                    found.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn damage(text: &mut Vec<u8>, dice: &mut Dice) {
    if text.is_empty() {
        return;
    }
    let length = text.len();
    match dice.below(9) {
        0 => text[dice.below(length)] ^= 1 << dice.below(8),
        1 => drop(text.drain(dice.range(length, 60))),
        2 => {
            let chunk = text[dice.range(length, 200)].to_vec();
            let at = dice.below(length);
            text.splice(at..at, chunk);
        }
        3 => text.truncate(dice.below(length)),
        4 => {
            let word = WORDS[dice.below(WORDS.len())];
            let at = dice.below(length);
            text.splice(at..at, word.bytes());
        }
        5 => {
            let words = tokens(text, false);
            if words.len() > 1 {
                let (a, b) = (words[dice.below(words.len())].clone(), words[dice.below(words.len())].clone());
                let word = text[a].to_vec();
                text.splice(b, word);
            }
        }
        _ => {
            let numbers = tokens(text, true);
            if !numbers.is_empty() {
                let at = numbers[dice.below(numbers.len())].clone();
                text.splice(at, NUMBERS[dice.below(NUMBERS.len())].bytes());
            }
        }
    }
}

fn cases() -> u64 {
    if std::env::var_os("STEINER_THOROUGH").is_some_and(|value| value != "0") { 20_000 } else { 64 }
}

/// Everything that happens to a file on the way to a robot.
fn read(text: &str, format: Format) {
    let options = ReadOptions::default();
    match parse_text(text, "damaged", format, None, &options) {
        Ok(description) => {
            // Writing may refuse what assembling refuses, but must not fall over either.
            let _ = write_toml(&description);
            match assemble(description, &options) {
                Ok(robot) => assert!(robot.parameters().iter().all(|x| x.is_finite())),
                Err(error) => assert_is_a_sentence(&error.to_string()),
            }
        }
        Err(error) => assert_is_a_sentence(&error.to_string()),
    }
}

fn assert_is_a_sentence(message: &str) {
    assert!(!message.trim().is_empty() && message.len() < 2000, "{message}");
}

fn survive(seed_document: &str, format: Format, cases: u64) {
    let options = ReadOptions::default();
    let whole = parse_text(seed_document, "whole", format, None, &options);
    if let Err(error) = whole.and_then(|description| assemble(description, &options)) {
        panic!("undamaged, {format:?} should be read: {error}");
    }
    let mut slowest = Duration::ZERO;
    for seed in 0..cases {
        let mut dice = Dice(seed.wrapping_mul(7919) ^ seed_document.len() as u64);
        let mut bytes = seed_document.as_bytes().to_vec();
        for _ in 0..1 + dice.below(4) {
            damage(&mut bytes, &mut dice);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&text, format)));
        let taken = start.elapsed();
        slowest = slowest.max(taken);
        assert!(outcome.is_ok(), "{format:?} damage {seed} makes the reader panic:\n{text}");
        assert!(taken < Duration::from_secs(1), "{format:?} damage {seed} takes {taken:?}:\n{text}");
    }
    println!("{format:?}: {cases} damages, the slowest took {slowest:?}");
}

#[test]
fn damaged_urdf() {
    survive(URDF, Format::Urdf, cases());
}

#[test]
fn damaged_xacro() {
    survive(XACRO, Format::Xacro, cases());
}

#[test]
fn damaged_mjcf() {
    survive(MJCF, Format::Mjcf, cases());
}

#[test]
fn damaged_toml() {
    survive(TOML, Format::Toml, cases());
}

/// Real files are longer and have more in them; a few of `example-robot-data` stand for them.
#[test]
fn damaged_example_robots() {
    let Some(root) = support::example_robots() else { return };
    for file in [
        "panda_description/urdf/panda.urdf",
        "ur_description/urdf/ur5_robot.urdf",
        "z1_description/urdf/z1.urdf",
    ] {
        match std::fs::read_to_string(root.join(file)) {
            Ok(text) => survive(&text, Format::Urdf, cases() / 8),
            Err(error) => support::skipped(&format!("{file}: {error}")),
        }
    }
}

/// One format read as another.
#[test]
fn mistaken_formats() {
    for text in [URDF, XACRO, MJCF, TOML, "", "\u{feff}", "\0"] {
        for format in [Format::Urdf, Format::Xacro, Format::Mjcf, Format::Toml] {
            read(text, format);
        }
    }
}
