//! Mechanisms at configurations where they are ill-behaved: a clear answer or a
//! clear error, never a wrong rank.

mod random;

use random::{description, mechanism, nullspace_of};
use steiner_dynamics::{DynamicsError, Mechanism, MechanismNote};
use steiner_formats::{ReadOptions, assemble};
use steiner_identifiability::{IdentifiabilityError, Measurement, Nullspace, structural_nullspace};

/// A four-bar with gravity in its plane: crank, coupler and rocker lie along x at
/// zero, from (0, 0) and (ground, 0).
fn four_bar([crank, coupler, rocker, ground]: [f64; 4], guess: [&str; 3], independent: &str) -> String {
    format!(
        r#"
name = "four-bar"
gravity = [0, -9.81, 0]
{independent}
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [{crank}, 0, 0]
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [{ground}, 0, 0]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = {{ body = "coupler", xyz = [{coupler}, 0, 0] }}
successor = {{ body = "rocker", xyz = [{rocker}, 0, 0] }}
[guess]
crank = "{}"
coupler = "{}"
rocker = "{}"
"#,
        guess[0], guess[1], guess[2]
    )
}

fn try_mechanism(text: &str) -> Result<Mechanism, DynamicsError> {
    let robot =
        assemble(description(text), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(robot)
}

fn answer(text: &str) -> Nullspace {
    nullspace_of(&mechanism(description(text)), "all")
}

/// Crank and coupler in line, the ground and the rocker at right angles: 0.3 + 0.7, 0.6, 0.8.
const STRETCHED: ([f64; 4], [&str; 3]) = ([0.3, 0.7, 0.6, 0.8], ["asin(0.6)", "0", "pi/2"]);

#[test]
fn a_four_bar_drawn_at_a_dead_centre_has_the_rank_of_any_four_bar() {
    let (lengths, guess) = STRETCHED;
    assert_eq!(answer(&four_bar(lengths, ["1", "-0.5", "1.5"], "")).vectors.len(), 22);
    assert_eq!(answer(&four_bar(lengths, guess, "")).vectors.len(), 22);
}

#[test]
fn a_rocker_cannot_drive_from_a_dead_centre() {
    let (lengths, guess) = STRETCHED;
    let refused = try_mechanism(&four_bar(lengths, guess, "independent = [\"rocker\"]"));
    let Err(DynamicsError::NotIndependent { joint, suggestion, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((joint.as_str(), suggestion.as_str()), ("crank", "[crank]"));
}

#[test]
fn a_flat_parallelogram_is_analysed_as_a_parallelogram_and_says_so() {
    // Through the flat position pass two motions; the reference lies on one of them.
    let robot = mechanism(description(&four_bar([0.3, 0.8, 0.3, 0.8], ["0", "0", "0"], "")));
    assert_eq!(robot.notes(), [MechanismNote::SingularConfiguration]);
    assert_eq!(nullspace_of(&robot, "all").vectors.len(), 27);
}

#[test]
fn the_motion_a_parallelogram_is_drawn_in_is_the_one_that_is_analysed() {
    for degrees in [60, 30, 10, 5, 2] {
        let angle = format!("{degrees}*pi/180");
        let guess = [&angle[..], &format!("-{angle}"), &angle];
        let parallel = answer(&four_bar([0.3, 0.8, 0.3, 0.8], guess, ""));
        assert_eq!(parallel.vectors.len(), 27, "{degrees} degrees");
    }
    let crossed = answer(&four_bar([0.3, 0.8, 0.3, 0.8], ["1", "-1.5", "-2"], ""));
    assert_eq!(crossed.vectors.len(), 22);
}

#[test]
fn bars_that_can_only_lie_in_line_have_no_rank() {
    // 0.3 + 0.4 + 0.5 = 1.2: the only closed configuration is singular.
    let robot = mechanism(description(&four_bar([0.3, 0.4, 0.5, 1.2], ["0", "0", "pi"], "")));
    let refused = structural_nullspace(&robot, &Measurement::all());
    assert!(matches!(refused, Err(IdentifiabilityError::TooFewConfigurations { .. })), "{refused:?}");
}

#[test]
fn a_triangle_of_bars_does_not_move() {
    let triangle = r#"
name = "triangle"
[[body]]
name = "first"
parent = "base"
joint = "revolute"
[[body]]
name = "second"
parent = "first"
joint = "revolute"
xyz = [0.5, 0, 0]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = { body = "base", xyz = [0.3, 0.4, 0] }
successor = { body = "second", xyz = [0.4, 0, 0] }
"#;
    let triangle = mechanism(description(triangle));
    assert_eq!(triangle.dof(), 0);
    assert_eq!(nullspace_of(&triangle, "all").vectors.len(), 20);
    // On a force plate it has a weight and a centre.
    assert_eq!(nullspace_of(&triangle, "base-wrench").vectors.len(), 17);
}

#[test]
fn a_loop_whose_axes_are_askew_cannot_be_assembled() {
    // 10⁻⁶ rad is no angle a reader would take for none: it is written with a function.
    let skew = four_bar([0.3, 0.7, 0.6, 0.8], ["1", "-0.5", "1.5"], "")
        .replace("xyz = [0.6, 0, 0]", "xyz = [0.6, 0, 0], rpy = [\"atan(10^-6)\", 0, 0]");
    let refused = try_mechanism(&skew);
    assert!(matches!(refused, Err(DynamicsError::CannotAssemble { .. })), "{refused:?}");
}
