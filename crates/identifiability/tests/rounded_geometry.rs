//! Printed angles that no field represents.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_identifiability::{Measurement, structural_nullspace};

fn identifiable(turns: [&str; 3]) -> (usize, bool) {
    let [first, second, third] = turns;
    let text = format!(
        "gravity = [0, -9.81, 0]\n\
         [[body]]\nname = \"l1\"\nparent = \"base\"\njoint = \"revolute\"\n\
         [[body]]\nname = \"f1\"\nparent = \"l1\"\njoint = \"fixed\"\nrpy = [{first}, 0, 0]\n\
         [[body]]\nname = \"f2\"\nparent = \"f1\"\njoint = \"fixed\"\nrpy = [{second}, 0, 0]\n\
         [[body]]\nname = \"l2\"\nparent = \"f2\"\njoint = \"revolute\"\nxyz = [0.4, 0, 0]\nrpy = [{third}, 0, 0]\n"
    );
    let options = ReadOptions::default();
    let description = parse_text(&text, "bent", Format::Toml, None, &options).unwrap();
    let mechanism = Mechanism::new(assemble(description, &options).unwrap()).unwrap();
    let nullspace = structural_nullspace(&mechanism, &Measurement::all()).unwrap();
    assert!(nullspace.certificate.complete);
    (nullspace.identifiable(), nullspace.certificate.exact_geometry)
}

#[test]
fn axes_that_three_printed_angles_make_parallel_are_parallel() {
    // A planar arm has 6 base parameters, however its flange is bent in between.
    assert_eq!(identifiable(["0", "0", "0"]), (6, true));
    assert_eq!(identifiable(["0.1", "0.2", "-0.3"]), (6, false));
}

#[test]
fn axes_that_printed_angles_leave_askew_are_not_parallel() {
    let (askew, exact) = identifiable(["0.1", "0.2", "-0.29"]);
    assert!(askew > 6 && !exact);
}

#[test]
fn at_rest_a_joint_along_gravity_shows_nothing_whatever_is_rounded_behind_it() {
    // sin and cos of 45° turn the first axis to gravity, but for rounding, which is all that its torque is.
    let mechanism = support::mechanism(
        r#"
gravity = [9.81, 0, 0]
[[body]]
name = "b0"
parent = "base"
joint = "revolute"
rpy = ["pi", 0, "pi/4"]
axis = [1, 1, 0]
frame = { xyz = [0.3, 0, 0], rpy = [0, 0, 0] }
[[body]]
name = "b1"
parent = "b0"
joint = "revolute"
rpy = [0.1, 0.2, 0.3]
axis = [0, 0, 1]
frame = { xyz = [0.3, 0, 0], rpy = [0, 0, 0] }
"#,
    );
    let measurement = Measurement::new(&support::sensors("static"), &mechanism).unwrap();
    let found = structural_nullspace(&mechanism, &measurement).unwrap();
    assert!(found.certificate.complete, "{:?}", found.certificate);
    assert_eq!((found.certificate.rank, found.vectors.len()), (2, 18));
}
