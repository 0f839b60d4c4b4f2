//! Random robots as native files, so that the reader is exercised too.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::fmt::Write;

use steiner_robot::{Format, ReadOptions, Robot, assemble, parse_text};

use super::Noise;

pub const KINDS: [&str; 9] = [
    "revolute", "continuous", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "floating",
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
        let kind = if k == 0 && floating { "floating" } else { KINDS[noise.below(if floating { 8 } else { 9 })] };
        let parent = if k == 0 || (!floating && noise.below(8) == 0) { "base".to_owned() } else { format!("b{}", noise.below(k)) };
        let _ = writeln!(text, "[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\njoint = \"{kind}\"");
        let _ = writeln!(text, "xyz = {}\nrpy = {}\naxis = {}", vector(noise, 0.4), vector(noise, 2.0), axis(noise));
        match kind {
            "helical" => {
                let _ = writeln!(text, "pitch = {:.4}", 0.2 * noise.uniform());
            }
            "universal" => {
                let _ = writeln!(text, "axis2 = {}", axis(noise));
            }
            _ => {}
        }
        if noise.below(3) == 0 {
            let _ = writeln!(text, "frame = {{ xyz = {}, rpy = {} }}", vector(noise, 0.3), vector(noise, 2.0));
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
    let options = ReadOptions::default();
    let description = parse_text(&text, "random", Format::Toml, None, &options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assemble(description, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
