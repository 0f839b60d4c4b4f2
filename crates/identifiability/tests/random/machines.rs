//! Machines of known kinds with random dimensions: palletizers, parallelograms with more bars
//! than they need, Sarrus's and Bennett's linkages, Deltas, planar and spatial platforms, jacks,
//! loops whose cranks are geared.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use steiner_robot::Description;

use super::description;
use super::linkages::{
    GRAVITIES, Hinge, Linkage, MOUNTS, Point, Z, all_triples, cross, minus, pin, points, slide, somewhere,
    spread, turned_and_carried,
};

/// A file.
#[derive(Clone)]
pub struct Machine(pub String);

impl Machine {
    pub fn description(&self) -> Description {
        description(&self.0)
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn plus(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] + b[k])
}

fn determinant(a: Point, b: Point, c: Point) -> i64 {
    let n = cross(a, b);
    n[0] * c[0] + n[1] * c[1] + n[2] * c[2]
}

/// Whether three vectors are far from lying in a plane.
fn span_space(a: Point, b: Point, c: Point) -> bool {
    let length = |v: Point| v.iter().map(|x| (x * x) as f64).sum::<f64>().sqrt();
    determinant(a, b, c).abs() as f64 > 0.35 * length(a) * length(b) * length(c)
}

fn hinge(between: (usize, usize), at: Point, axis: Point) -> Hinge {
    Hinge::new("revolute", between, at, axis)
}

fn ball(between: (usize, usize), at: Point) -> Hinge {
    Hinge::new("spherical", between, at, Z)
}

/// An arm whose wrist two parallelograms keep level, on a link they share.
pub fn palletizers() -> impl Strategy<Value = Linkage> {
    let drawn = points(5, vec![[0, 1, 2], [1, 3, 4], [0, 1, 4]]).prop_map(|p| {
        let [shoulder, elbow, heel, knee, wrist] = [p[0], p[1], p[2], p[3], p[4]];
        let hinges = vec![
            pin((0, 1), shoulder),
            pin((1, 3), elbow),
            pin((0, 2), heel),
            pin((2, 3), minus(plus(heel, elbow), shoulder)),
            pin((1, 4), elbow),
            pin((3, 5), knee),
            pin((4, 6), wrist),
            pin((5, 6), minus(plus(knee, wrist), elbow)),
        ];
        (hinges, vec![3, 7])
    });
    turned_and_carried(drawn)
}

/// A plate on three parallel bars of equal length, one more than it needs, carrying a second one.
pub fn parallel_plates() -> impl Strategy<Value = Linkage> {
    let drawn = (points(5, vec![[0, 1, 2], [0, 1, 3], [0, 2, 3]]), any::<bool>()).prop_map(|(p, second)| {
        let bar = minus(p[3], p[0]);
        let mut hinges: Vec<Hinge> =
            (0..3).flat_map(|k| [pin((0, 1 + k), p[k]), pin((1 + k, 4), plus(p[k], bar))]).collect();
        let mut cuts = vec![3, 5];
        if second {
            // Its two bars stand on the first plate, at right angles to the first three.
            let bar = [-bar[1], bar[0], 1];
            for k in 0..2 {
                let foot = plus(p[k], p[4]);
                hinges.extend([pin((4, 5 + k), foot), pin((5 + k, 7), plus(foot, bar))]);
            }
            cuts.push(9);
        }
        (hinges, cuts)
    });
    turned_and_carried(drawn)
}

/// Two chains of three parallel hinges: the platform only slides.
pub fn sarrus() -> impl Strategy<Value = Linkage> {
    let places = proptest::collection::vec(somewhere(12), 6);
    let axes = proptest::collection::vec(somewhere(3), 2);
    let wide = |axis: Point, p: &[Point]| span_space(axis, minus(p[1], p[0]), minus(p[2], p[1]));
    let drawn = (places, axes)
        .prop_filter("nearly flat", move |(p, v)| spread(v) && wide(v[0], &p[..3]) && wide(v[1], &p[3..]))
        .prop_map(|(p, v)| {
            let hinges = vec![
                hinge((0, 1), p[0], v[0]),
                hinge((1, 2), p[1], v[0]),
                hinge((2, 3), p[2], v[0]),
                hinge((0, 4), p[3], v[1]),
                hinge((4, 5), p[4], v[1]),
                hinge((5, 3), p[5], v[1]),
            ];
            (hinges, vec![5])
        });
    turned_and_carried(drawn)
}

/// Three arms, each with a pair of parallel rods to a platform that cannot turn.
pub fn deltas() -> impl Strategy<Value = Linkage> {
    let places = proptest::collection::vec(somewhere(12), 9);
    let axes = proptest::collection::vec(somewhere(3), 3);
    let sound = |(p, a): &(Vec<Point>, Vec<Point>)| {
        let rod = |k: usize| minus(p[6 + k], p[3 + k]);
        let n: Vec<Point> = (0..3).map(|k| cross(a[k], rod(k))).collect();
        (0..3).all(|k| span_space(a[k], minus(p[3 + k], p[k]), rod(k)))
            && span_space(n[0], n[1], n[2])
            && span_space(rod(0), rod(1), rod(2))
    };
    let drawn = (places, axes).prop_filter("nearly singular", sound).prop_map(|(p, a)| {
        let mut hinges: Vec<Hinge> = (0..3).map(|k| hinge((0, 1 + k), p[k], a[k])).collect();
        for k in 0..3 {
            let (elbow, end) = (p[3 + k], p[6 + k]);
            let across = cross(a[k], minus(end, elbow));
            for (rod, side) in [(4 + 2 * k, a[k]), (5 + 2 * k, minus([0; 3], a[k]))] {
                let universal = Hinge::new("universal", (1 + k, rod), plus(elbow, side), a[k]);
                hinges.extend([Hinge { axis2: across, ..universal }, ball((rod, 10), plus(end, side))]);
            }
        }
        (hinges, vec![6, 8, 10, 12, 14])
    });
    turned_and_carried(drawn)
}

/// A platform in a plane on three legs of three hinges, and a spherical wrist of five.
pub fn platforms() -> impl Strategy<Value = Linkage> {
    let triples = vec![[0, 3, 6], [1, 4, 7], [2, 5, 8], [6, 7, 8]];
    let planar = points(9, triples).prop_map(|p| {
        let leg = |k: usize| {
            let low = 2 + 2 * k;
            [pin((0, low), p[k]), pin((low, low + 1), p[3 + k]), pin((low + 1, 1), p[6 + k])]
        };
        ((0..3).flat_map(leg).collect(), vec![5, 8])
    });
    let axes = proptest::collection::vec(somewhere(3), 5);
    let spherical = axes
        .prop_filter("nearly parallel", |v| spread(v))
        .prop_map(|v| ((0..5).map(|k| hinge((k, (k + 1) % 5), v[k], v[k])).collect(), vec![2]));
    turned_and_carried(prop_oneof![planar, spherical])
}

/// Screws in loops: a jack that lifts a rocker, and a spatial loop of a screw and three cylindrical joints.
pub fn jacks() -> impl Strategy<Value = Linkage> {
    let jack = points(5, all_triples(5)).prop_map(|p| {
        let nut = slide((2, 0), p[0], p[1]);
        let (spindle, thread) =
            (hinge((0, 1), p[0], nut.axis), Hinge { kind: "helical", between: (1, 2), ..nut.clone() });
        (vec![spindle, thread, pin((2, 3), p[2]), pin((3, 4), p[3]), pin((4, 0), p[4]), nut], vec![3, 5])
    });
    let places = proptest::collection::vec(somewhere(12), 4);
    let axes = proptest::collection::vec(somewhere(3), 4);
    let spatial =
        (places, axes).prop_filter("nearly parallel", |(p, v)| spread(p) && spread(v)).prop_map(|(p, v)| {
            let kinds = ["helical", "cylindrical", "cylindrical", "cylindrical"];
            let joint = |k: usize| Hinge::new(kinds[k], (k, (k + 1) % 4), p[k], v[k]);
            ((0..4).map(joint).collect(), vec![2])
        });
    turned_and_carried(prop_oneof![jack, spatial])
}

const RATIOS: [&str; 6] = ["1", "-1", "2", "-1/3", "7/5", "sqrt(2)"];

/// Five-bars whose cranks are geared to one another, and four-bars that drive a rotor on
/// their frame or on their coupler.
pub fn geared_loops() -> impl Strategy<Value = Machine> {
    let five = points(5, all_triples(5)).prop_map(|p| {
        let hinges = (0..5).map(|k| pin((k, (k + 1) % 5), p[k])).collect();
        ((hinges, vec![2]), "b4")
    });
    let four = (points(5, all_triples(5)), select(vec![0usize, 2])).prop_map(|(p, carrier)| {
        let mut hinges: Vec<Hinge> = (0..4).map(|k| pin((k, (k + 1) % 4), p[k])).collect();
        hinges.push(Hinge { axis: [0, 1, 1], ..pin((carrier, 4), p[4]) });
        ((hinges, vec![2]), "b4")
    });
    let drawn = prop_oneof![five, four];
    (drawn, select(&GRAVITIES[..]), select(&MOUNTS[..]), select(&RATIOS[..])).prop_map(
        |(((hinges, cuts), follower), gravity, mount, ratio)| {
            let linkage = Linkage { hinges, cuts, mount, gravity, rpy: ["pi/2", "0", "0"] };
            let gear =
                format!("[[coupling]]\ncoordinate = \"{follower}\"\nterms = [[\"b1\", \"{ratio}\"]]\n");
            Machine(linkage.text() + &gear)
        },
    )
}

/// Sines and cosines of twists that are rational.
const TWISTS: [[&str; 2]; 6] = [
    ["3/5", "4/5"],
    ["4/5", "3/5"],
    ["5/13", "12/13"],
    ["12/13", "5/13"],
    ["8/17", "15/17"],
    ["20/29", "21/29"],
];

/// Bennett's linkage: four hinges askew, the distances of neighbours as the sines of their angles.
pub fn bennetts() -> impl Strategy<Value = Machine> {
    let twists = (0..6usize, 0..6usize).prop_filter("rhombic", |(a, b)| a != b);
    let angle = select(vec!["0.7", "1.0", "1.6", "-1.2"]);
    (twists, angle, select(&GRAVITIES[..]), select(&MOUNTS[..])).prop_map(
        |((a, b), angle, gravity, mount)| {
            let ([s1, c1], [s2, c2]) = (TWISTS[a], TWISTS[b]);
            let turn = |s: &str, c: &str| {
                format!("rotation = [[1, 0, 0], [0, \"{c}\", \"-({s})\"], [0, \"{s}\", \"{c}\"]]")
            };
            let (first, second, back) = (turn(s1, c1), turn(s2, c2), turn(&format!("-({s2})"), c2));
            let [gx, gy, gz] = gravity;
            let axis = if mount.joint() == "revolute" { "axis = [0.3, 0.4, -0.2]" } else { "" };
            let half = |sign: &str| format!("sin((asin({s2}){sign}asin({s1}))/2)");
            let (sum, difference) = (half("+"), half("-"));
            Machine(format!(
                r#"gravity = [{gx}, {gy}, {gz}]
[[body]]
name = "carrier"
parent = "base"
joint = "{}"
rpy = ["pi/4", 0, "pi/3"]
{axis}
[[body]]
name = "b1"
parent = "carrier"
joint = "revolute"
[[body]]
name = "b2"
parent = "b1"
joint = "revolute"
xyz = ["{s1}", 0, 0]
{first}
[[body]]
name = "b3"
parent = "b2"
joint = "revolute"
xyz = ["{s2}", 0, 0]
{second}
[[loop]]
name = "closure"
joint = "revolute"
predecessor = {{ body = "carrier", xyz = ["-({s2})", 0, 0], {back} }}
successor = {{ body = "b3", xyz = ["{s1}", 0, 0], {first} }}
[guess]
b1 = {angle}
b2 = "2*atan({sum}/{difference}/tan(({angle})/2))"
b3 = "-({angle})"
"#,
                mount.joint()
            ))
        },
    )
}
