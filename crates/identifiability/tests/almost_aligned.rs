//! Robots calibrated a little away from the ones that were drawn: what the drawn one hides,
//! the calibrated one shows weakly.

mod random;

use std::fmt::Write;

use proptest::prelude::*;
use proptest::sample::select;
use random::{Noise, cases, description, mechanism};
use steiner_identifiability::{Question, analyze};

/// A chain of hinges with parallel, perpendicular and intersecting axes; `seed` moves every
/// frame by up to 10⁻⁴ rad and 10⁻⁵ m.
fn chain(joints: &[([f64; 3], &str)], gravity: &str, seed: Option<u64>) -> String {
    let mut text = format!("gravity = {gravity}\n");
    let mut noise = seed.map(Noise::new);
    let mut wrong = |most: f64| noise.as_mut().map_or(0.0, |noise| most * noise.uniform());
    for (k, (xyz, axis)) in joints.iter().enumerate() {
        let parent = if k == 0 { "base".to_owned() } else { format!("l{}", k - 1) };
        let xyz = xyz.map(|x| x + wrong(1e-5));
        // Angles of less than 10⁻⁵ would be read as none.
        let rpy = [0; 3].map(|_| wrong(9e-5)).map(|x| if x == 0.0 { 0.0 } else { x + 1e-5 * x.signum() });
        let _ = writeln!(
            text,
            "[[body]]\nname = \"l{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\n\
             axis = {axis}\nxyz = {xyz:?}\nrpy = {rpy:?}"
        );
    }
    text
}

const OFFSETS: [[f64; 3]; 6] =
    [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0], [0.35, 0.0, 0.21]];
const AXES: [&str; 4] = ["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]", "[0, 0, 1]"];
const GRAVITIES: [&str; 3] = ["[0, 0, -9.81]", "[0, 0, 0]", "[0, -9.81, 0]"];

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn what_a_drawn_robot_hides_is_hidden_or_weak_in_the_calibrated_one(
        joints in proptest::collection::vec((select(&OFFSETS[..]), select(&AXES[..])), 2..=5),
        gravity in select(&GRAVITIES[..]),
        seed in any::<u64>(),
    ) {
        // What is weak is measured by the lengths of a robot.
        prop_assume!(joints.iter().any(|(xyz, _)| xyz.iter().any(|x| *x != 0.0)));
        let asked = |text: &str| {
            analyze(&mechanism(description(text)), &Question::default()).unwrap_or_else(|error| panic!("{error}"))
        };
        let drawn = asked(&chain(&joints, gravity, None));
        prop_assert_eq!(drawn.weak.len(), 0);
        let calibrated = asked(&chain(&joints, gravity, Some(seed)));
        prop_assert_eq!(
            calibrated.vectors.len() + calibrated.weak.len(),
            drawn.vectors.len(),
            "{} hidden, {} weak",
            calibrated.vectors.len(),
            calibrated.weak.len()
        );
        for weak in &calibrated.weak {
            prop_assert!(weak.relative_singular_value < 1e-2, "{}: {:?}", weak.relative_singular_value, weak.reason);
        }
    }
}

/// Two fingers that follow one motor, their axes `tilt` (rad) from parallel to those of the drawing, where
/// nothing is parallel to a coordinate axis.
fn fingers(tilt: f64) -> String {
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for (k, parent) in ["base", "l0", "l1", "l2"].into_iter().enumerate() {
        let kind = if k == 0 { "axis = [0, 1, 0]" } else { "axis = [0.3, -0.5, 0.7]" };
        let rpy = if k > 1 { [tilt, 0.0, -tilt] } else { [0.0; 3] };
        let _ = writeln!(
            text,
            "[[body]]\nname = \"l{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\n{kind}\n\
             xyz = [0.05, 0.02, 0.01]\nrpy = {rpy:?}"
        );
    }
    text + "[[coupling]]\ncoordinate = \"l2\"\nterms = [[\"l1\", 1]]\n\
            [[coupling]]\ncoordinate = \"l3\"\nterms = [[\"l1\", 1]]\n"
}

#[test]
fn fingers_almost_parallel_that_one_motor_drives_hide_what_parallel_ones_do() {
    let asked = |tilt: f64| {
        analyze(&mechanism(description(&fingers(tilt))), &Question::default())
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let (drawn, calibrated) = (asked(0.0), asked(5e-5));
    assert!(drawn.weak.is_empty() && !calibrated.weak.is_empty());
    assert_eq!(calibrated.vectors.len() + calibrated.weak.len(), drawn.vectors.len());
    for weak in &calibrated.weak {
        assert!(weak.relative_singular_value < 1e-2, "{}: {:?}", weak.relative_singular_value, weak.reason);
    }
}
