//! Calibrated robots: what only a misalignment shows.

mod support;

use steiner_identifiability::{
    Analysis, Misalignment, MisalignmentKind, Question, Reference, WeakDirection, WeakReason, analyze,
};
use support::mechanism;

fn answer(text: &str) -> Analysis {
    analyze(&mechanism(text), &Question::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// What keeps a direction from being invisible.
fn misalignments(weak: &WeakDirection) -> impl Iterator<Item = &Misalignment> {
    let WeakReason::AlmostAligned { misalignments, .. } = &weak.reason else { panic!("{weak:?}") };
    misalignments.iter().flatten()
}

/// Three links turning about almost vertical axes.
fn planar(tilts: [&str; 3], offset: &str) -> String {
    let link = |name: &str, parent: &str, xyz: &str, rpy: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = {xyz}\nrpy = {rpy}\n"
        )
    };
    link("a", "base", "[0, 0, 0]", tilts[0])
        + &link("b", "a", &format!("[0.5, {offset}, 0]"), tilts[1])
        + &link("c", "b", "[0.4, 0, 0]", tilts[2])
}

#[test]
fn an_exact_robot_has_nothing_weak() {
    assert!(answer(&planar(["[0, 0, 0]"; 3], "0")).weak.is_empty());
    // Nor has one whose axes are far from parallel.
    assert!(answer(&planar(["[0, 0, 0]", "[0.1, 0, 0]", "[0, 0.2, 0]"], "0")).weak.is_empty());
}

#[test]
fn what_a_tilted_axis_shows_is_weak_in_proportion_to_the_tilt() {
    let exact = answer(&planar(["[0, 0, 0]"; 3], "0"));
    let tilted = |size: f64| {
        let rpy = |x: f64, y: f64| format!("[{}, {}, 0]", x * size, y * size);
        answer(&planar([&rpy(0.5, -0.7), &rpy(0.3, 1.0), &rpy(-0.8, 0.4)], "0.00003"))
    };
    let (coarse, fine) = (tilted(3e-4), tilted(3e-5));
    for robot in [&coarse, &fine] {
        assert_eq!(robot.vectors.len() + robot.weak.len(), exact.vectors.len());
        let parallel = |missed: &&Misalignment| missed.kind == MisalignmentKind::Parallel;
        assert!(robot.weak.iter().all(|weak| misalignments(weak).any(|missed| parallel(&missed))));
    }
    let most =
        |robot: &Analysis| robot.weak.iter().fold(0.0, |most: f64, w| most.max(w.relative_singular_value));
    assert!((1e-5..1e-2).contains(&most(&coarse)));
    let ratio = most(&coarse) / most(&fine);
    assert!((8.0..12.0).contains(&ratio), "{ratio}");
}

#[test]
fn axes_that_almost_meet_are_weak_too() {
    // A pan and a tilt whose axes pass each other at 0.05 mm, without gravity: meeting, they
    // would hide more of the second body.
    let head = |offset: &str| {
        format!(
            "gravity = [0, 0, 0]\n[[body]]\nname = \"pan\"\nparent = \"base\"\njoint = \"revolute\"\n\
             [[body]]\nname = \"tilt\"\nparent = \"pan\"\njoint = \"revolute\"\nxyz = [{offset}, 0, 0.2]\naxis = [0, 1, 0]\n"
        )
    };
    let (meeting, passing) = (answer(&head("0")), answer(&head("0.00005")));
    assert!(meeting.weak.is_empty() && passing.vectors.len() < meeting.vectors.len());
    assert_eq!(passing.vectors.len() + passing.weak.len(), meeting.vectors.len());
    for weak in &passing.weak {
        let missed: Vec<&Misalignment> = misalignments(weak).collect();
        let [Misalignment { joint, with, kind: MisalignmentKind::Meeting, size }] = missed[..] else {
            panic!("{missed:?}")
        };
        assert_eq!((joint.as_str(), with), ("tilt", &Reference::Joint("pan".to_owned())));
        assert!((size / 5e-5 - 1.0).abs() < 1e-9, "{size}");
    }
}
