//! Random robots as native files, so that the reader is exercised too.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::fmt::Write;

use steiner_dynamics::Tree;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_robot::Robot;

use super::Noise;

pub const KINDS: [&str; 9] = [
    "revolute",
    "continuous",
    "prismatic",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "floating",
];

fn vector(noise: &mut Noise, size: f64) -> String {
    let v = noise.vector(3);
    format!("[{:.4}, {:.4}, {:.4}]", size * v[0], size * v[1], size * v[2])
}

/// A direction of any length, sometimes along a coordinate axis.
fn axis(noise: &mut Noise) -> String {
    match noise.below(6) {
        0 => "[1, 0, 0]".to_owned(),
        1 => "[0, -1, 0]".to_owned(),
        2 => "[0, 0, 2]".to_owned(),
        _ => vector(noise, 1.7),
    }
}

/// A positive definite inertia: a cloud of four point masses.
fn inertia(noise: &mut Noise) -> String {
    let points: Vec<([f64; 3], f64)> = (0..4)
        .map(|_| {
            let v = noise.vector(3);
            ([0.3 * v[0], 0.3 * v[1], 0.3 * v[2]], 0.6 + 0.5 * noise.uniform())
        })
        .collect();
    let mass: f64 = points.iter().map(|(_, m)| m).sum();
    let com: Vec<f64> = (0..3).map(|k| points.iter().map(|(p, m)| p[k] * m).sum::<f64>() / mass).collect();
    let mut second = [[0.0; 3]; 3];
    for (p, m) in &points {
        for r in 0..3 {
            for c in 0..3 {
                second[r][c] += m * (p[r] - com[r]) * (p[c] - com[c]);
            }
        }
    }
    let trace = second[0][0] + second[1][1] + second[2][2];
    let tensor = [
        trace - second[0][0],
        -second[0][1],
        trace - second[1][1],
        -second[0][2],
        -second[1][2],
        trace - second[2][2],
    ];
    format!("{{ mass = {mass:e}, com = {com:?}, tensor = {tensor:?} }}")
}

/// A random tree of `bodies` bodies with all kinds of joints; `couplings` one-dof joints follow others.
pub fn random_tree(noise: &mut Noise, bodies: usize, floating: bool, couplings: usize) -> Robot {
    let mut text = String::from("name = \"random\"\n");
    let _ = writeln!(text, "gravity = {}", vector(noise, 9.0));
    let mut singles = Vec::new();
    for k in 0..bodies {
        let kind =
            if k == 0 && floating { "floating" } else { KINDS[noise.below(if floating { 8 } else { 9 })] };
        let parent = if k == 0 || (!floating && noise.below(8) == 0) {
            "base".to_owned()
        } else {
            format!("b{}", noise.below(k))
        };
        let _ = writeln!(text, "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"{kind}\"");
        let _ = writeln!(
            text,
            "xyz = {}\nrpy = {}\naxis = {}",
            vector(noise, 0.4),
            vector(noise, 2.0),
            axis(noise)
        );
        match kind {
            "helical" => {
                let _ = writeln!(text, "pitch = {:.4}", 0.2 * noise.uniform());
            }
            "universal" => {
                let _ = writeln!(text, "axis2 = {}", vector(noise, 1.7));
            }
            _ => {}
        }
        if noise.below(3) == 0 {
            let _ =
                writeln!(text, "frame = {{ xyz = {}, rpy = {} }}", vector(noise, 0.3), vector(noise, 2.0));
        }
        let _ = writeln!(text, "inertia = {}", inertia(noise));
        if matches!(kind, "revolute" | "continuous" | "prismatic" | "helical") {
            singles.push(format!("b{k}"));
        }
    }
    for _ in 0..couplings {
        if singles.len() < 2 {
            break;
        }
        let target = singles.remove(singles.len() - 1);
        let source = &singles[noise.below(singles.len())];
        let _ = writeln!(
            text,
            "[[coupling]]\ncoordinate = \"{target}\"\nterms = [[\"{source}\", {:.3}]]\noffset = {:.3}",
            3.0 * noise.uniform(),
            noise.uniform()
        );
    }
    read(&text)
}

fn read(text: &str) -> Robot {
    let options = ReadOptions::default();
    let description = parse_text(text, "random", Format::Toml, None, &options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assemble(description, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub const LOOP_KINDS: [&str; 7] =
    ["revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "fixed"];

/// A chain of random joints whose last body is joined to a turning carrier by a loop joint of the given kind:
/// closed at q = 0, with at least one freedom left. `kinds` are the kinds of its joints.
pub fn random_loop(noise: &mut Noise, kinds: &[&str], loop_kind: &str) -> Robot {
    let mut text = String::from("name = \"random loop\"\n");
    let _ = writeln!(text, "gravity = {}", vector(noise, 9.0));
    // The loop's predecessor moves too: its rates matter to joints that slide.
    let _ = writeln!(text, "[[body]]\nname = \"carrier\"\nparent = \"base\"\njoint = \"revolute\"");
    let _ = writeln!(
        text,
        "xyz = {}\naxis = {}\ninertia = {}",
        vector(noise, 0.4),
        vector(noise, 1.0),
        inertia(noise)
    );
    for (k, kind) in kinds.iter().enumerate() {
        let parent = if k == 0 { "base".to_owned() } else { format!("b{}", k - 1) };
        let _ = writeln!(text, "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"{kind}\"");
        let _ = writeln!(text, "xyz = {}\nrpy = {}", vector(noise, 0.5), vector(noise, 2.0));
        if !matches!(*kind, "spherical" | "floating") {
            let _ = writeln!(text, "axis = {}", vector(noise, 1.7));
        }
        if *kind == "helical" {
            let _ = writeln!(text, "pitch = 0.07");
        }
        if *kind == "universal" {
            let _ = writeln!(text, "axis2 = {}", vector(noise, 1.0));
        }
        if noise.below(2) == 0 {
            let _ =
                writeln!(text, "frame = {{ xyz = {}, rpy = {} }}", vector(noise, 0.3), vector(noise, 2.0));
        }
        let _ = writeln!(text, "inertia = {}", inertia(noise));
    }
    // Where the last body is at q = 0 is where the loop's other side must be.
    let tree = Tree::<f64>::new(&read(&text)).unwrap_or_else(|error| panic!("{error}"));
    let mut poses = Vec::new();
    tree.poses_at(&tree.neutral(), &mut poses);
    let world = tree.world_poses(&poses);
    let last = world[0].inverse().then(&world[tree.segment_of_body[kinds.len()]]);
    let second =
        if loop_kind == "universal" { format!("axis2 = {}\n", vector(noise, 1.0)) } else { String::new() };
    let _ = writeln!(
        text,
        "[[loop]]\nname = \"closure\"\njoint = \"{loop_kind}\"\naxis = {}\n{second}\
         predecessor = {{ body = \"carrier\", xyz = {:?}, rotation = {:?} }}\nsuccessor = {{ body = \"b{}\" }}",
        vector(noise, 1.7),
        last.translation.0,
        last.rotation.0,
        kinds.len() - 1,
    );
    read(&text)
}

/// Joints that leave the given loop joint between one and four freedoms.
pub fn loop_chain(noise: &mut Noise, loop_kind: &str) -> Vec<&'static str> {
    let removed = match loop_kind {
        "fixed" => 6,
        "revolute" | "prismatic" => 5,
        "cylindrical" | "universal" => 4,
        _ => 3,
    };
    // Three rotations first, so that no orientation is closed by luck only.
    let (mut chain, mut freedom) = (vec!["revolute", "continuous", "revolute"], 3);
    while freedom <= removed {
        let kind = KINDS[noise.below(8)];
        freedom += match kind {
            "cylindrical" | "universal" => 2,
            "spherical" | "planar" => 3,
            _ => 1,
        };
        chain.push(kind);
    }
    chain
}
