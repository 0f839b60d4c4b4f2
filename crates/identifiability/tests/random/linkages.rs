//! Mechanisms drawn as they stand: bodies, and joints at points of the drawing. Any joints may be cut to
//! leave a tree, so that one mechanism has many files. Closed where drawn, in exact numbers.

use std::fmt::{self, Write};

use proptest::prelude::*;
use proptest::sample::select;
use steiner_robot::Description;

use super::description;

pub type Point = [i64; 3];

/// A joint between two bodies; body 0 is the frame of the mechanism.
#[derive(Clone, Debug)]
pub struct Hinge {
    pub kind: &'static str,
    pub between: (usize, usize),
    /// In twentieths of a metre.
    pub at: Point,
    /// Fixed in the first body; of a universal joint, `axis2` in the second.
    pub axis: Point,
    pub axis2: Point,
}

impl Hinge {
    pub fn new(kind: &'static str, between: (usize, usize), at: Point, axis: Point) -> Self {
        Hinge { kind, between, at, axis, axis2: [0, 0, 1] }
    }
}

/// What carries the frame of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mount {
    Fixed,
    Turning,
    Floating,
}

impl Mount {
    /// The kind of its joint.
    pub fn joint(self) -> &'static str {
        match self {
            Mount::Fixed => "fixed",
            Mount::Turning => "revolute",
            Mount::Floating => "floating",
        }
    }
}

/// The axis of a turning mount, through the origin of the drawing.
pub const TURNING_AXIS: Point = [3, 4, -2];

/// A mechanism and the joints its file closes as loops.
#[derive(Clone)]
pub struct Linkage {
    pub hinges: Vec<Hinge>,
    pub cuts: Vec<usize>,
    pub mount: Mount,
    pub gravity: [&'static str; 3],
    /// How the drawing is turned, roll, pitch, yaw.
    pub rpy: [&'static str; 3],
}

fn list<T: fmt::Display>(numbers: [T; 3], unit: &str) -> String {
    format!("[{}]", numbers.map(|x| format!("\"{x}{unit}\"")).join(", "))
}

pub fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

pub fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

impl Linkage {
    fn bodies(&self) -> usize {
        1 + self.hinges.iter().map(|hinge| hinge.between.0.max(hinge.between.1)).max().unwrap_or(0)
    }

    /// The joints of the tree in the order they are met from the frame, each with its (parent, child); `None`
    /// when the cuts leave something unconnected.
    fn tree(&self) -> Option<Vec<(usize, (usize, usize))>> {
        let mut reached = vec![0];
        let mut tree = Vec::new();
        let mut next = 0;
        while let Some(&parent) = reached.get(next) {
            next += 1;
            for (k, hinge) in self.hinges.iter().enumerate().filter(|(k, _)| !self.cuts.contains(k)) {
                let (a, b) = hinge.between;
                let child = if a == parent { b } else { a };
                if (a == parent || b == parent) && !reached.contains(&child) {
                    reached.push(child);
                    tree.push((k, (parent, child)));
                }
            }
        }
        let spans = reached.len() == self.bodies();
        (spans && tree.len() + self.cuts.len() == self.hinges.len()).then_some(tree)
    }

    /// Whether the file of these cuts exists.
    pub fn is_drawable(&self) -> bool {
        self.tree().is_some()
    }

    pub fn cut_at(&self, cuts: &[usize]) -> Self {
        Linkage { cuts: cuts.to_vec(), ..self.clone() }
    }

    /// The file. All body frames are parallel where it is drawn, each at the joint that carries it.
    pub fn text(&self) -> String {
        let mut text = format!("name = \"linkage\"\ngravity = {}\n", list(self.gravity, ""));
        let mount = self.mount.joint();
        let rpy = list(self.rpy, "");
        let _ = writeln!(
            text,
            "[[body]]\nname = \"b0\"\nparent = \"base\"\njoint = \"{mount}\"\nxyz = [0.1, 0.2, 0]\nrpy = {rpy}"
        );
        if self.mount == Mount::Turning {
            let _ = writeln!(text, "axis = {TURNING_AXIS:?}");
        }
        let mut origin = vec![[0; 3]; self.bodies()];
        for (k, (parent, child)) in self.tree().unwrap_or_default() {
            let hinge = &self.hinges[k];
            origin[child] = hinge.at;
            let _ = writeln!(
                text,
                "[[body]]\nname = \"b{child}\"\nparent = \"b{parent}\"\njoint = \"{}\"\nxyz = {}",
                hinge.kind,
                list(minus(hinge.at, origin[parent]), "/20")
            );
            let forward = hinge.between.0 == parent;
            let (axis, axis2) = if hinge.kind == "universal" && !forward {
                (hinge.axis2, hinge.axis)
            } else {
                (hinge.axis, hinge.axis2)
            };
            write_axes(&mut text, hinge.kind, axis, axis2);
        }
        for &k in &self.cuts {
            let hinge = &self.hinges[k];
            let (a, b) = hinge.between;
            let side = |body: usize| {
                format!("{{ body = \"b{body}\", xyz = {} }}", list(minus(hinge.at, origin[body]), "/20"))
            };
            let _ = writeln!(
                text,
                "[[loop]]\nname = \"loop{k}\"\njoint = \"{}\"\npredecessor = {}\nsuccessor = {}",
                hinge.kind,
                side(a),
                side(b)
            );
            write_axes(&mut text, hinge.kind, hinge.axis, hinge.axis2);
        }
        text
    }

    pub fn description(&self) -> Description {
        description(&self.text())
    }
}

fn write_axes(text: &mut String, kind: &str, axis: Point, axis2: Point) {
    if kind != "spherical" {
        let _ = writeln!(text, "axis = {axis:?}");
    }
    match kind {
        "universal" => _ = writeln!(text, "axis2 = {axis2:?}"),
        "helical" => _ = writeln!(text, "pitch = 0.05"),
        _ => {}
    }
}

impl fmt::Debug for Linkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

pub const Z: Point = [0, 0, 1];

/// In the drawing: in its plane, normal to it, neither, none.
pub const GRAVITIES: [[&str; 3]; 4] =
    [["0", "-9.81", "0"], ["0", "0", "-9.81"], ["1.3", "-2.7", "-9.1"], ["0", "0", "0"]];
const TURNS: [[&str; 3]; 5] = [
    ["0", "0", "0"],
    ["pi/2", "0", "0"],
    ["0", "0", "0"],
    ["pi/4", "-pi/3", "pi/12"],
    ["0.3", "-0.4", "1.1"],
];

pub const MOUNTS: [Mount; 4] = [Mount::Fixed, Mount::Fixed, Mount::Turning, Mount::Floating];

pub fn turned_and_carried(
    hinges: impl Strategy<Value = (Vec<Hinge>, Vec<usize>)>,
) -> impl Strategy<Value = Linkage> {
    (hinges, select(&GRAVITIES[..]), select(&TURNS[..]), select(&MOUNTS[..]))
        .prop_map(|((hinges, cuts), gravity, rpy, mount)| Linkage { hinges, cuts, mount, gravity, rpy })
}

/// Twice the area of a triangle in the plane of the drawing.
fn area(a: Point, b: Point, c: Point) -> i64 {
    cross(minus(b, a), minus(c, a))[2]
}

/// Points of which the given triples are far from being in line, so that the
/// drawing is far from any dead centre.
pub fn points(count: usize, triples: Vec<[usize; 3]>) -> impl Strategy<Value = Vec<Point>> {
    let point = (-12i64..=12, -12i64..=12, -2i64..=2).prop_map(|(x, y, z)| [x, y, z]);
    proptest::collection::vec(point, count).prop_filter("nearly in line", move |points| {
        triples.iter().all(|triple| {
            let [a, b, c] = triple.map(|k| points[k]);
            area(a, b, c).abs() >= 25
        })
    })
}

pub fn all_triples(count: usize) -> Vec<[usize; 3]> {
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs.flat_map(|(a, b)| (b + 1..count).map(move |c| [a, b, c])).collect()
}

pub fn pin(between: (usize, usize), at: Point) -> Hinge {
    Hinge::new("revolute", between, at, Z)
}

/// A slide along the line from one point to another.
pub fn slide(between: (usize, usize), at: Point, to: Point) -> Hinge {
    let [x, y, _] = minus(to, at);
    Hinge::new("prismatic", between, at, [x, y, 0])
}

/// Four-bars (parallelograms among them), slider-cranks of both sorts, Scotch yokes, five-bars.
pub fn planar_loops() -> impl Strategy<Value = Linkage> {
    let drawn = (points(5, all_triples(5)), 0..8usize, 0..4usize).prop_map(|(p, which, cut)| {
        let [a, b, c, d, e] = [p[0], p[1], p[2], p[3], p[4]];
        let opposite = std::array::from_fn(|k| b[k] + d[k] - a[k]);
        let hinges = match which {
            0 | 1 => vec![pin((0, 1), a), pin((1, 2), b), pin((2, 3), c), pin((3, 0), d)],
            2 => vec![pin((0, 1), a), pin((1, 2), b), pin((2, 3), opposite), pin((3, 0), d)],
            3 => vec![pin((0, 1), a), pin((1, 2), b), pin((2, 3), c), slide((3, 0), c, d)],
            4 => vec![pin((0, 1), a), pin((1, 2), b), slide((2, 3), b, c), pin((3, 0), d)],
            5 => vec![pin((0, 1), a), pin((1, 2), b), slide((2, 3), b, c), slide((3, 0), d, e)],
            _ => vec![pin((0, 1), a), pin((1, 2), b), pin((2, 3), c), pin((3, 4), d), pin((4, 0), e)],
        };
        (hinges, vec![cut])
    });
    turned_and_carried(drawn)
}

/// Watt's and Stephenson's six-bars.
pub fn six_bars() -> impl Strategy<Value = Linkage> {
    let drawn = (points(7, all_triples(4).into_iter().chain([[4, 5, 6]]).collect()), 0..2usize).prop_map(
        |(p, ternary)| {
            let mut hinges = vec![pin((0, 1), p[0]), pin((1, 2), p[1]), pin((2, 3), p[2]), pin((3, 0), p[3])];
            let last = if ternary == 0 { 3 } else { 0 };
            hinges.extend([pin((2, 4), p[4]), pin((4, 5), p[5]), pin((5, last), p[6])]);
            (hinges, vec![2, 5])
        },
    );
    turned_and_carried(drawn)
}

pub fn somewhere(size: i64) -> impl Strategy<Value = Point> {
    [-size..=size, -size..=size, -size..=size]
}

/// Spatial loops of general dimensions: RSSR, RSUR, RCCC, spherical four-bars, an arm on an
/// SPS strut, and a 3-RPS platform.
pub fn spatial_loops() -> impl Strategy<Value = Linkage> {
    let places = proptest::collection::vec(somewhere(12), 9);
    let axes =
        proptest::collection::vec(somewhere(3), 4).prop_filter("nearly parallel axes", |axes| spread(axes));
    let drawn = (places, axes, 0..6usize)
        .prop_filter("too close together", |(places, _, _)| spread(places))
        .prop_map(|(p, v, which)| {
            let hinge = |kind, between, at, axis| Hinge::new(kind, between, at, axis);
            let hinges = match which {
                0 => vec![
                    hinge("revolute", (0, 1), p[0], v[0]),
                    hinge("spherical", (1, 2), p[1], Z),
                    hinge("spherical", (2, 3), p[2], Z),
                    hinge("revolute", (3, 0), p[3], v[1]),
                ],
                1 => vec![
                    hinge("revolute", (0, 1), p[0], v[0]),
                    hinge("spherical", (1, 2), p[1], Z),
                    Hinge { axis2: v[3], ..hinge("universal", (2, 3), p[2], v[2]) },
                    hinge("revolute", (3, 0), p[3], v[1]),
                ],
                2 => vec![
                    hinge("revolute", (0, 1), p[0], v[0]),
                    hinge("cylindrical", (1, 2), p[1], v[1]),
                    hinge("cylindrical", (2, 3), p[2], v[2]),
                    hinge("cylindrical", (3, 0), p[3], v[3]),
                ],
                // All axes pass the point 0.
                3 => (0..4).map(|k| hinge("revolute", (k, (k + 1) % 4), v[k], v[k])).collect(),
                4 => vec![
                    hinge("revolute", (0, 1), p[0], v[0]),
                    hinge("spherical", (0, 2), p[1], Z),
                    hinge("prismatic", (2, 3), p[1], minus(p[2], p[1])),
                    hinge("spherical", (3, 1), p[2], Z),
                ],
                _ => (0..3)
                    .flat_map(|leg| {
                        let (low, high) = (p[leg], p[3 + leg]);
                        [
                            hinge("revolute", (0, 2 + 2 * leg), low, v[leg]),
                            hinge("prismatic", (2 + 2 * leg, 3 + 2 * leg), low, minus(high, low)),
                            hinge("spherical", (3 + 2 * leg, 1), high, Z),
                        ]
                    })
                    .collect(),
            };
            let cuts = if which == 5 { vec![5, 8] } else { vec![hinges.len() - 2] };
            (hinges, cuts)
        });
    turned_and_carried(drawn)
}

/// Whether no two of the vectors, and no two differences of neighbours, are short or nearly parallel.
pub fn spread(vectors: &[Point]) -> bool {
    let far = |a: Point, b: Point| {
        let squared = |v: Point| v.iter().map(|x| x * x).sum::<i64>();
        let (ab, aa, bb) = (squared(cross(a, b)), squared(a), squared(b));
        aa > 0 && bb > 0 && 8 * ab >= aa * bb
    };
    (0..vectors.len()).all(|a| {
        let next = (a + 1) % vectors.len();
        far(vectors[a], vectors[next])
    })
}
