//! Times of the analysis: one JSON line per method and robot, medians in microseconds.
//!
//! `bench_analysis [SECONDS]`: how long each measurement repeats, 0.3 s unless told otherwise; once at least.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Measurement, TetrahedralModel, drng, drng_nullspace, structural_nullspace};
use steiner_robot::{Format, ReadOptions, Robot, assemble, parse_text, read_robot};

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(0.3), |text| text.parse())?;
    let zoo = |name: &str| read_robot(name, &ReadOptions::default());
    let humanoid = || from_text(&humanoid_text());

    for name in ["puma560", "go2", "pkm_2rru_1rrs", "pkm_2prs_1psr"] {
        time_drng(name, zoo(name)?, seconds)?;
    }
    time_drng("humanoid", humanoid()?, seconds)?;

    // Without a mechanism, whose own tables grow with the depth of every body: linear for any tree.
    for (shape, parent) in [("bush", bushy as fn(usize) -> usize), ("chain", |k| k - 1)] {
        for bodies in [10, 100, 1000, 10_000] {
            let (robot, name) = (from_text(&tree_text(bodies, parent))?, format!("{shape}_{bodies}"));
            let model = TetrahedralModel::from_robot(&robot)?;
            report(
                "drng.prepare_from_robot",
                &name,
                median(seconds, || TetrahedralModel::from_robot(&robot)),
            );
            report("drng", &name, median(seconds, || drng(&model)));
        }
    }

    let all = Measurement::all();
    for name in ["puma560", "go2", "delta", "pkm_2rru_1rrs"] {
        let mechanism = Mechanism::new(zoo(name)?)?;
        report("structural_nullspace", name, median(seconds, || structural_nullspace(&mechanism, &all)));
    }
    let mechanism = Mechanism::new(humanoid()?)?;
    report("structural_nullspace", "humanoid", median(seconds, || structural_nullspace(&mechanism, &all)));
    Ok(())
}

fn time_drng(name: &str, robot: Robot, seconds: f64) -> Result<(), Box<dyn Error>> {
    report("drng.prepare_from_robot", name, median(seconds, || TetrahedralModel::from_robot(&robot)));
    let mechanism = Mechanism::new(robot)?;
    let model = TetrahedralModel::new(&mechanism)?;
    report("drng.prepare", name, median(seconds, || TetrahedralModel::new(&mechanism)));
    report("drng", name, median(seconds, || drng(&model)));
    report("drng.explained", name, median(seconds, || drng_nullspace(&mechanism)));
    Ok(())
}

fn report(method: &str, robot: &str, (microseconds, repeats): (f64, usize)) {
    println!(
        r#"{{"method": "{method}", "robot": "{robot}", "median_us": {microseconds:.3}, "repeats": {repeats}}}"#
    );
}

/// The median time of a call in microseconds, and of how many.
fn median<T>(seconds: f64, call: impl Fn() -> T) -> (f64, usize) {
    let started = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || (started.elapsed().as_secs_f64() < seconds && times.len() < 100_000) {
        let before = Instant::now();
        black_box(call());
        times.push(before.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times.len())
}

fn from_text(text: &str) -> Result<Robot, Box<dyn Error>> {
    let options = ReadOptions::default();
    Ok(assemble(parse_text(text, "synthetic", Format::Toml, None, &options)?, &options)?)
}

/// A parent among all earlier bodies, the same at every run.
fn bushy(body: usize) -> usize {
    (body.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % body
}

/// Joints of many kinds, every axis in turn, so that all three principles have something to say near the base.
fn tree_text(bodies: usize, parent: fn(usize) -> usize) -> String {
    let mut text = String::from("name = \"tree\"\n");
    for body in 0..bodies {
        let carrier = if body == 0 { "base".to_owned() } else { format!("b{}", parent(body)) };
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

/// A floating trunk with two legs of 6 bodies, a waist and a chest, two arms of 7 and a neck: 30 bodies.
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
