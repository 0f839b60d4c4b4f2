//! Planar mechanisms with named lengths, and the comparison of symbols with the certified nullspace.
#![allow(dead_code)]

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Measurement, PlanarBaseParameters, structural_nullspace};
use steiner_linalg::elimination::{Matrix, decide_rank, reduce};
use steiner_robot::Robot;
use steiner_scalar::Exact;

/// A body in the native format, all frames parallel at the reference.
pub(crate) fn body(name: &str, parent: &str, joint: &str, [x, y]: [&str; 2], axis: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\nxyz = [\"{x}\", \"{y}\", 0]\naxis = {axis}\n\n"
    )
}

pub(crate) fn hinge(name: &str, parent: &str, at: [&str; 2]) -> String {
    body(name, parent, "revolute", at, "[0, 0, 1]")
}

pub(crate) fn closure(name: &str, joint: &str, sides: [(&str, [&str; 2]); 2], axis: &str) -> String {
    let side =
        |(body, [x, y]): (&str, [&str; 2])| format!("{{ body = \"{body}\", xyz = [\"{x}\", \"{y}\", 0] }}");
    format!(
        "[[loop]]\nname = \"{name}\"\njoint = \"{joint}\"\npredecessor = {}\nsuccessor = {}\naxis = {axis}\n\n",
        side(sides[0]),
        side(sides[1])
    )
}

pub(crate) fn pin(name: &str, sides: [(&str, [&str; 2]); 2]) -> String {
    closure(name, "revolute", sides, "[0, 0, 1]")
}

/// A mechanism in the plane of x and y, gravity along −y.
pub(crate) fn file(name: &str, lengths: &[(&str, &str)], parts: &[String]) -> String {
    let lengths: Vec<String> = lengths.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
    format!(
        "name = \"{name}\"\nplanar = true\ngravity = [0, -9.81, 0]\n\n[lengths]\n{}\n{}",
        lengths.concat(),
        parts.concat()
    )
}

pub(crate) fn slider_crank() -> String {
    file(
        "slider_crank",
        &[("cx", "0.2"), ("cy", "0.3"), ("rx", "0.8"), ("ry", "0.25")],
        &[
            hinge("crank", "base", ["0", "0"]),
            hinge("rod", "crank", ["cx", "cy"]),
            body("slider", "base", "prismatic", ["cx+rx", "cy-ry"], "[1, 0, 0]"),
            pin("wrist_pin", [("rod", ["rx", "-ry"]), ("slider", ["0", "0"])]),
        ],
    )
}

pub(crate) fn five_bar() -> String {
    file(
        "five_bar",
        &[
            ("ax1", "0.2"),
            ("ay1", "0.5"),
            ("ax2", "0.5"),
            ("ay2", "0.45"),
            ("bx1", "0.3"),
            ("by1", "0.4"),
            ("bx2", "0.6"),
            ("by2", "0.55"),
        ],
        &[
            hinge("a1", "base", ["0", "0"]),
            hinge("a2", "a1", ["-ax1", "ay1"]),
            hinge("b1", "base", ["ax2-ax1-bx1+bx2", "ay1+ay2-by1-by2"]),
            hinge("b2", "b1", ["bx1", "by1"]),
            pin("tip", [("a2", ["ax2", "ay2"]), ("b2", ["-bx2", "by2"])]),
        ],
    )
}

/// Stephenson's third six-bar: a four-bar a, b, c and a dyad e, f from its coupler to the ground.
pub(crate) fn six_bar() -> String {
    file(
        "six_bar",
        &[
            ("ax", "0.3"),
            ("ay", "0.4"),
            ("bx", "0.9"),
            ("by", "0.2"),
            ("px", "0.5"),
            ("py", "0.6"),
            ("cx", "0.35"),
            ("cy", "0.75"),
            ("ex", "0.7"),
            ("ey", "0.15"),
            ("fx", "0.25"),
            ("fy", "0.85"),
        ],
        &[
            hinge("a", "base", ["0", "0"]),
            hinge("b", "a", ["ax", "ay"]),
            hinge("c", "base", ["ax+bx+cx", "ay+by-cy"]),
            hinge("e", "b", ["px", "py"]),
            hinge("f", "base", ["ax+px+ex-fx", "ay+py+ey-fy"]),
            pin("bc", [("b", ["bx", "by"]), ("c", ["-cx", "cy"])]),
            pin("ef", [("e", ["ex", "ey"]), ("f", ["fx", "fy"])]),
        ],
    )
}

/// Planar 3-RRR: a platform on three legs.
pub(crate) fn three_rrr() -> String {
    file(
        "three_rrr",
        &[
            ("ax1", "0.3"),
            ("ay1", "0.5"),
            ("ax2", "0.4"),
            ("ay2", "0.2"),
            ("bx1", "0.45"),
            ("by1", "0.35"),
            ("bx2", "0.15"),
            ("by2", "0.55"),
            ("cx1", "0.25"),
            ("cy1", "0.6"),
            ("cx2", "0.65"),
            ("pbx", "0.5"),
            ("pcx", "0.28"),
            ("pcy", "0.42"),
        ],
        &[
            hinge("a1", "base", ["0", "0"]),
            hinge("a2", "a1", ["ax1", "ay1"]),
            hinge("p", "a2", ["ax2", "ay2"]),
            hinge("b1", "base", ["ax1+ax2+pbx+bx1+bx2", "ay1+ay2-by1-by2"]),
            hinge("b2", "b1", ["-bx1", "by1"]),
            hinge("c1", "base", ["ax1+ax2+pcx-cx1-cx2", "ay1+ay2+pcy+cy1"]),
            hinge("c2", "c1", ["cx1", "-cy1"]),
            pin("pb", [("b2", ["-bx2", "by2"]), ("p", ["pbx", "0"])]),
            pin("pc", [("c2", ["cx2", "0"]), ("p", ["pcx", "pcy"])]),
        ],
    )
}

pub(crate) fn three_r() -> String {
    file(
        "three_r",
        &[("l1", "0.4"), ("x2", "0.35"), ("y2", "0.15")],
        &[
            hinge("one", "base", ["0", "0"]),
            hinge("two", "one", ["l1", "0"]),
            hinge("three", "two", ["x2", "-y2"]),
        ],
    )
}

pub(crate) fn tree() -> String {
    file(
        "tree",
        &[("lx", "0.4"), ("ly", "0.1"), ("rx", "0.35"), ("ry", "0.25"), ("s", "0.6")],
        &[
            hinge("trunk", "base", ["0", "0"]),
            hinge("left", "trunk", ["-lx", "ly"]),
            hinge("right", "trunk", ["rx", "ry"]),
            hinge("twig", "left", ["0", "s"]),
        ],
    )
}

/// A crank whose pin block slides on a swinging rod: the loop joint of the file slides.
pub(crate) fn swinging_rod() -> String {
    file(
        "swinging_rod",
        &[("l1", "0.3"), ("x", "0.6"), ("y", "0.8")],
        &[
            hinge("crank", "base", ["0", "0"]),
            hinge("block", "crank", ["l1", "0"]),
            hinge("rod", "base", ["l1-x", "-y"]),
            closure("guide", "prismatic", [("rod", ["x", "y"]), ("block", ["0", "0"])], "[3, 4, 0]"),
        ],
    )
}

/// Links whose frames are nowhere near their joints.
pub(crate) fn badly_framed() -> String {
    let shifted = |name: &str, parent: &str, [x, y]: [&str; 2], [u, v]: [&str; 2]| {
        let at = hinge(name, parent, [x, y]);
        at.trim_end().to_owned() + &format!("\nframe = {{ xyz = [\"{u}\", \"{v}\", 0] }}\n\n")
    };
    file(
        "badly_framed",
        &[
            ("l1", "0.3"),
            ("x2", "0.7"),
            ("y2", "1.1"),
            ("l3", "1.3"),
            ("u", "0.2"),
            ("v", "0.15"),
            ("w", "0.45"),
        ],
        &[
            shifted("b1", "base", ["0", "0"], ["u", "0"]),
            shifted("b2", "b1", ["l1-u", "0"], ["v", "-w"]),
            hinge("b3", "b2", ["x2-v", "w-y2"]),
            pin("closure", [("base", ["l1+x2", "l3-y2"]), ("b3", ["0", "l3"])]),
        ],
    )
}

/// A chain that hangs nowhere.
pub(crate) fn free_chain() -> String {
    file(
        "free_chain",
        &[("x1", "0.4"), ("y1", "0.3"), ("x2", "0.5")],
        &[
            body("one", "base", "planar", ["0", "0"], "[0, 0, 1]"),
            hinge("two", "one", ["x1", "-y1"]),
            hinge("three", "two", ["x2", "0"]),
        ],
    )
}

/// The same where the file starts in the middle.
pub(crate) fn free_from_the_middle() -> String {
    file(
        "free_from_the_middle",
        &[("x1", "0.4"), ("y1", "0.3"), ("x2", "0.5"), ("y2", "0.1")],
        &[
            body("middle", "base", "planar", ["0", "0"], "[0, 0, 1]"),
            hinge("left", "middle", ["-x1", "y1"]),
            hinge("right", "middle", ["x2", "y2"]),
        ],
    )
}

/// The robot with each free length times a factor.
pub(crate) fn scaled(robot: &Robot, factors: &[f64]) -> Robot {
    let free = robot.free_constants();
    let values: Vec<(String, Exact)> = free
        .iter()
        .zip(factors.iter().cycle())
        .map(|(constant, factor)| {
            let factor = Exact::fraction((factor * 10_000.0).round() as i64, 10_000);
            (constant.name.clone(), constant.value.clone() * factor)
        })
        .collect();
    robot.with_constants(&values).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares symbols with the certified nullspace of the robot at its lengths: the largest difference of a
/// weight, relative to the larger of it and one, or what is wrong otherwise.
pub(crate) fn compared(found: &PlanarBaseParameters, robot: &Robot) -> Result<f64, String> {
    let mechanism = Mechanism::new(robot.clone()).map_err(|error| error.to_string())?;
    let nullspace =
        structural_nullspace(&mechanism, &Measurement::all()).map_err(|error| error.to_string())?;
    if !nullspace.certificate.complete {
        return Err("the certificate is not complete".to_owned());
    }
    let null = found.view.projected(&nullspace.vectors);
    let width = found.labels.len();
    let matrix = Matrix::from_fn(null.len(), width, |r, c| {
        null[r][c] / null[r].iter().fold(0.0f64, |most, x| most.max(x.abs()))
    });
    let independent = decide_rank(matrix.clone(), 1e-10).rank;
    if independent != found.dependent.len() {
        return Err(format!("{independent} planar null vectors, {} dependent", found.dependent.len()));
    }
    let lengths = found.lengths_of(robot).map_err(|error| error.to_string())?;
    let base = found.evaluate_in_file_parameters(&lengths).ok_or("a weight was not recognised")?;
    // Base parameters are constant along what is invisible.
    let shown = base.times(&matrix.transpose());
    let mut worst = 0.0f64;
    for b in 0..base.rows() {
        let size = base.row(b).iter().fold(1.0f64, |most, x| most.max(x.abs()));
        worst = shown.row(b).iter().fold(worst, |worst, x| worst.max(x.abs() / size));
    }
    if found.origins.iter().flatten().all(Option::is_none) {
        // In the file's own frames, β itself: the null vectors solved for φ₂.
        let (dependent, named) = (&found.dependent, &found.base);
        let system = Matrix::from_fn(matrix.rows(), width, |r, c| match c.checked_sub(dependent.len()) {
            None => matrix[(r, dependent[c])],
            Some(b) => matrix[(r, named[b])],
        });
        let solved = reduce(system, dependent.len(), 1e-12);
        let beta = found.evaluate(&lengths).ok_or("a weight was not recognised")?;
        for (row, &d) in solved.pivots.iter().enumerate() {
            for b in 0..named.len() {
                let numeric = -solved.reduced[(row, dependent.len() + b)];
                worst = worst.max((beta[(b, d)] - numeric).abs() / numeric.abs().max(1.0));
            }
        }
    }
    Ok(worst)
}
