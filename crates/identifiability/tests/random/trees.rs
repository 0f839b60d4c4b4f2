//! Random trees with all kinds of joints, written as native files, in which coincidences are frequent:
//! parallel and intersecting axes, offsets along them, gravity along one of them.

use std::fmt::{self, Write};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use steiner_robot::Description;

use super::description;

const KINDS: [&str; 14] = [
    "revolute",
    "prismatic",
    "revolute",
    "continuous",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "fixed",
    "revolute",
    "prismatic",
    "revolute",
    "floating",
];
const DIRECTIONS: [[&str; 3]; 9] = [
    ["0", "0", "1"],
    ["1", "0", "0"],
    ["0", "1", "0"],
    ["0", "0", "-2"],
    ["0", "0", "1"],
    ["1", "1", "0"],
    ["0", "3", "4"],
    ["2", "-1", "2"],
    ["0.3", "-0.5", "0.7"],
];
const OFFSETS: [[&str; 3]; 8] = [
    ["0", "0", "0"],
    ["0.4", "0", "0"],
    ["0", "0", "0.5"],
    ["0", "0.3", "0"],
    ["0", "0", "0"],
    ["0.4", "0", "0.2"],
    ["0", "0.3", "-0.4"],
    ["0.31", "-0.17", "0.23"],
];
const TURNS: [[&str; 3]; 9] = [
    ["0", "0", "0"],
    ["pi/2", "0", "0"],
    ["0", "-pi/2", "0"],
    ["0", "0", "pi/2"],
    ["0", "0", "0"],
    ["pi", "0", "0"],
    ["0", "0", "pi/4"],
    ["5*pi/12", "-pi/3", "pi/6"],
    ["0.3", "-0.4", "1.1"],
];
const GRAVITIES: [[&str; 3]; 6] = [
    ["0", "0", "-9.81"],
    ["0", "0", "0"],
    ["9.81", "0", "0"],
    ["0", "-9.81", "0"],
    ["0", "3", "4"],
    ["1.3", "-2.7", "-9.1"],
];
const PITCHES: [&str; 3] = ["0.1", "-0.05", "1/7"];
const RATIOS: [&str; 6] = ["1", "-1", "9", "-1/3", "7/5", "2"];
const SHIFTS: [&str; 3] = ["0", "pi/2", "0.3"];

type Triple = [&'static str; 3];

#[derive(Clone, Debug)]
struct Part {
    kind: &'static str,
    parent: Index,
    xyz: Triple,
    rpy: Triple,
    axis: Triple,
    axis2: Triple,
    pitch: &'static str,
    frame: Option<(Triple, Triple)>,
}

#[derive(Clone, Debug)]
struct Gear {
    target: Index,
    sources: Vec<(Index, &'static str)>,
    offset: &'static str,
}

/// A random tree; shown as the file it is.
#[derive(Clone)]
pub struct RandomTree {
    gravity: Triple,
    floating: bool,
    parts: Vec<Part>,
    gears: Vec<Gear>,
}

/// Trees of up to `most` links; with gears if wanted.
pub fn trees(
    most: usize,
    floating: impl Strategy<Value = bool>,
    geared: bool,
) -> impl Strategy<Value = RandomTree> {
    let frame = proptest::option::weighted(0.3, (select(&OFFSETS[..]), select(&TURNS[..])));
    let place = (select(&OFFSETS[..]), select(&TURNS[..]), frame);
    let axes = (select(&DIRECTIONS[..]), select(&DIRECTIONS[..]), select(&PITCHES[..]));
    let part = (select(&KINDS[..]), any::<Index>(), place, axes).prop_map(
        |(kind, parent, (xyz, rpy, frame), (axis, axis2, pitch))| Part {
            kind,
            parent,
            xyz,
            rpy,
            axis,
            axis2,
            pitch,
            frame,
        },
    );
    let sources = proptest::collection::vec((any::<Index>(), select(&RATIOS[..])), 1..=2);
    let gear = (any::<Index>(), sources, select(&SHIFTS[..])).prop_map(|(target, sources, offset)| Gear {
        target,
        sources,
        offset,
    });
    let gears = proptest::collection::vec(gear, if geared { 1..=2 } else { 0..=0 });
    (select(&GRAVITIES[..]), floating, proptest::collection::vec(part, 1..=most), gears)
        .prop_map(|(gravity, floating, parts, gears)| RandomTree { gravity, floating, parts, gears })
}

fn list(triple: Triple) -> String {
    let [x, y, z] = triple;
    format!("[\"{x}\", \"{y}\", \"{z}\"]")
}

fn parallel(a: Triple, b: Triple) -> bool {
    let [a, b] = [a, b].map(|v| v.map(|x| x.parse::<f64>().unwrap_or(f64::NAN)));
    (0..3).all(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        (a[i] * b[j] - a[j] * b[i]).abs() < 1e-9
    })
}

impl RandomTree {
    pub fn description(&self) -> Description {
        description(&self.text())
    }

    /// The kind of each link's joint: the root of a floating tree floats, and something moves.
    fn kinds(&self) -> Vec<&'static str> {
        let mut kinds: Vec<&str> = self.parts.iter().map(|part| part.kind).collect();
        if self.floating {
            kinds.iter_mut().filter(|kind| **kind == "floating").for_each(|kind| *kind = "spherical");
            kinds[0] = "floating";
        } else if kinds.iter().all(|kind| *kind == "fixed") {
            kinds[0] = "revolute";
        }
        kinds
    }

    /// The file.
    pub fn text(&self) -> String {
        let mut text = format!("name = \"random\"\ngravity = {}\n", list(self.gravity));
        let kinds = self.kinds();
        let mut coordinates = Vec::new();
        for (k, (part, kind)) in self.parts.iter().zip(&kinds).enumerate() {
            // Half of them hang on the one before: chains are the rule.
            let parent = match part.parent.index(2 * k + 1) {
                0 if k == 0 || !self.floating => "base".to_owned(),
                p => format!("b{}", if p > k { k - 1 } else { p.saturating_sub(1) }),
            };
            let _ = writeln!(text, "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"{kind}\"");
            let _ = writeln!(text, "xyz = {}\nrpy = {}", list(part.xyz), list(part.rpy));
            if !matches!(*kind, "spherical" | "floating" | "fixed") {
                let _ = writeln!(text, "axis = {}", list(part.axis));
            }
            match *kind {
                "helical" => _ = writeln!(text, "pitch = \"{}\"", part.pitch),
                "universal" => {
                    let other = DIRECTIONS.iter().find(|d| !parallel(**d, part.axis));
                    let clash = parallel(part.axis, part.axis2);
                    let axis2 = if clash { other.copied().unwrap_or(part.axis2) } else { part.axis2 };
                    let _ = writeln!(text, "axis2 = {}", list(axis2));
                }
                _ => {}
            }
            if let Some((xyz, rpy)) = part.frame {
                let _ = writeln!(text, "frame = {{ xyz = {}, rpy = {} }}", list(xyz), list(rpy));
            }
            match *kind {
                "revolute" | "continuous" | "prismatic" | "helical" => coordinates.push(format!("b{k}")),
                "universal" | "cylindrical" => coordinates.extend([format!("b{k}:0"), format!("b{k}:1")]),
                "planar" => coordinates.push(format!("b{k}:2")),
                _ => {}
            }
        }
        for gear in &self.gears {
            if coordinates.len() < 2 {
                break;
            }
            // What is determined once is no longer there to be determined or to determine.
            let target = coordinates.remove(gear.target.index(coordinates.len()));
            let mut sources: Vec<(usize, &str)> =
                gear.sources.iter().map(|(index, ratio)| (index.index(coordinates.len()), *ratio)).collect();
            sources.dedup_by_key(|(index, _)| *index);
            let terms: Vec<String> = sources
                .into_iter()
                .map(|(index, ratio)| format!("[\"{}\", \"{ratio}\"]", coordinates[index]))
                .collect();
            let _ = writeln!(
                text,
                "[[coupling]]\ncoordinate = \"{target}\"\nterms = [{}]\noffset = \"{}\"",
                terms.join(", "),
                gear.offset
            );
        }
        text
    }
}

impl fmt::Debug for RandomTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
