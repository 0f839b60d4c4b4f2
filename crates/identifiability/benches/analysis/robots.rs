//! The robots that are measured: those of the zoo, and synthetic ones of any size.

use std::error::Error;
use std::fmt::Write as _;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_robot::Robot;

/// How the bodies of a tree hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A parent among all earlier bodies, the same at every run: depth grows with the logarithm.
    Bush,
    /// Each body on the one before.
    Chain,
}

impl Shape {
    pub(crate) const BOTH: [Shape; 2] = [Shape::Bush, Shape::Chain];

    fn parent(self, body: usize) -> usize {
        match self {
            Shape::Bush => (body.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % body,
            Shape::Chain => body - 1,
        }
    }
}

/// A tree with joints of many kinds, every axis in turn, so that all three principles have
/// something to say near the base.
pub(crate) fn tree(bodies: usize, shape: Shape) -> Result<Robot, Box<dyn Error>> {
    from_text(&tree_text(bodies, shape))
}

/// A floating trunk with two legs of 6 bodies, a waist and a chest, two arms of 7 and a neck: 30 bodies.
pub(crate) fn humanoid() -> Result<Mechanism, Box<dyn Error>> {
    Ok(Mechanism::new(from_text(&humanoid_text())?)?)
}

/// A robot of the zoo.
pub(crate) fn zoo(name: &str) -> Result<Mechanism, Box<dyn Error>> {
    Ok(Mechanism::new(read_robot(name, &ReadOptions::default())?)?)
}

fn from_text(text: &str) -> Result<Robot, Box<dyn Error>> {
    let options = ReadOptions::default();
    Ok(assemble(parse_text(text, "synthetic", Format::Toml, None, &options)?, &options)?)
}

fn tree_text(bodies: usize, shape: Shape) -> String {
    let mut text = String::from("name = \"tree\"\n");
    for body in 0..bodies {
        let carrier = if body == 0 { "base".to_owned() } else { format!("b{}", shape.parent(body)) };
        let joint = ["revolute", "revolute", "prismatic", "revolute", "spherical"][body % 5];
        let axis = ["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"][body / 2 % 3];
        let axis = if joint == "spherical" { String::new() } else { format!("axis = {axis}\n") };
        let _ = write!(
            text,
            "[[body]]\nname = \"b{body}\"\nparent = \"{carrier}\"\njoint = \"{joint}\"\nxyz = [0.1, -0.2, 0.3]\n{axis}"
        );
    }
    text
}

fn humanoid_text() -> String {
    let mut text = String::from(
        "name = \"humanoid\"\n[[body]]\nname = \"pelvis\"\nparent = \"base\"\njoint = \"floating\"\n",
    );
    let mut limb = |name: &str, root: &str, axes: &[&str], start: &str, step: &str| {
        for (k, axis) in axes.iter().enumerate() {
            let parent = if k == 0 { root.to_owned() } else { format!("{name}{}", k - 1) };
            let xyz = if k == 0 { start } else { step };
            let _ = write!(
                text,
                "[[body]]\nname = \"{name}{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = {xyz}\naxis = {axis}\n"
            );
        }
    };
    let (x, y, z) = ("[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]");
    for (side, sign) in [("left", ""), ("right", "-")] {
        limb(
            &format!("{side}_leg"),
            "pelvis",
            &[z, x, y, y, y, x],
            &format!("[0, {sign}0.1, -0.05]"),
            "[0.01, 0, -0.2]",
        );
    }
    limb("torso", "pelvis", &[z, y], "[0, 0, 0.1]", "[0.02, 0, 0.15]");
    for (side, sign) in [("left", ""), ("right", "-")] {
        let start = format!("[0, {sign}0.2, 0.25]");
        limb(&format!("{side}_arm"), "torso1", &[y, x, z, y, z, y, x], &start, "[0.02, 0.01, -0.14]");
    }
    limb("neck", "torso1", &[z], "[0, 0, 0.3]", "[0, 0, 0.05]");
    text
}
