//! Every null vector has its reason: which principle explains what loops and couplings hide.

mod random;
mod support;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use random::linkages::{Linkage, planar_loops};
use random::machines::{
    Machine, bennetts, geared_loops, jacks, palletizers, parallel_plates, platforms, sarrus,
};
use steiner_dynamics::Mechanism;
use steiner_formats::zoo;
use steiner_identifiability::{Cause, IdentifiabilityError, Measurement, NullVector, structural_nullspace};
use support::{mechanism, named, references};

/// Whether a vector is told by what it touches, and not by why it is invisible.
fn is_unexplained(vector: &NullVector) -> bool {
    use Cause as C;
    matches!(vector.reason.cause, C::Unexplained | C::OneLoop | C::SeveralLoops | C::MovesTogether)
}

fn vectors_of(mechanism: &Mechanism) -> Result<Vec<NullVector>, IdentifiabilityError> {
    Ok(structural_nullspace(mechanism, &Measurement::all())?.vectors)
}

fn causes(mechanism: &Mechanism) -> Vec<Cause> {
    vectors_of(mechanism).unwrap_or_else(|e| panic!("{e}")).iter().map(|vector| vector.reason.cause).collect()
}

/// Lists those without an explanation.
fn left_over(name: &str, mechanism: &Mechanism) -> Vec<String> {
    let labels = Measurement::all().labels(mechanism);
    let vectors = vectors_of(mechanism).unwrap_or_else(|e| panic!("{name}: {e}"));
    let told = |vector: &NullVector| {
        let entries = vector.entries.iter().map(|&(column, x)| format!("{} {x:.4}", labels[column]));
        format!("{name}: {:?}: {}", vector.reason.cause, entries.collect::<Vec<_>>().join(", "))
    };
    vectors.iter().filter(|vector| is_unexplained(vector)).map(told).collect()
}

#[test]
fn every_vector_of_the_references_and_the_zoo_has_a_reason_from_geometry() {
    let of_zoo = zoo::ENTRIES.iter().map(|entry| entry.name.to_owned());
    let files = references().into_iter().map(|(_, path, _)| path.to_string_lossy().into_owned());
    let left: Vec<String> = of_zoo.chain(files).flat_map(|name| left_over(&name, &named(&name))).collect();
    assert!(left.is_empty(), "{} vectors:\n{}", left.len(), left.join("\n"));
}

/// Files of other projects, named by STEINER_FILES, separated by colons.
#[test]
fn every_vector_of_files_at_hand_has_a_reason_from_geometry() {
    let Ok(files) = std::env::var("STEINER_FILES") else {
        return eprintln!("skipped: name robot files in STEINER_FILES");
    };
    let left: Vec<String> = files.split(':').flat_map(|name| left_over(name, &named(name))).collect();
    assert!(left.is_empty(), "{} vectors:\n{}", left.len(), left.join("\n"));
}

/// How many of the vectors of random mechanisms are explained; prints the others.
fn explained<M: std::fmt::Debug>(
    family: &str,
    mechanisms: impl Strategy<Value = M>,
    drawn: impl Fn(&M) -> steiner_robot::Description,
) -> (usize, usize) {
    let mut runner = TestRunner::deterministic();
    let (mut all, mut left) = (0, 0);
    for _ in 0..random::cases(8).cases {
        let drawing = mechanisms.new_tree(&mut runner).expect("a mechanism").current();
        let mechanism = random::mechanism(drawn(&drawing));
        // What has no answer has no vectors.
        let Ok(found) = structural_nullspace(&mechanism, &Measurement::all()) else { continue };
        let unexplained: Vec<_> = found.vectors.iter().filter(|vector| is_unexplained(vector)).collect();
        (all, left) = (all + found.vectors.len(), left + unexplained.len());
        let labels = Measurement::all().labels(&mechanism);
        for vector in unexplained {
            let entries = vector.entries.iter().map(|&(column, x)| format!("{} {x:.3}", labels[column]));
            println!("{family}: {:?}: {}", vector.reason.cause, entries.collect::<Vec<_>>().join(", "));
        }
        if left > 0 && std::env::var_os("STEINER_SHOW").is_some() {
            println!("{drawing:?}");
        }
    }
    println!("{family}: {left} of {all} null vectors are not explained");
    (all, left)
}

#[test]
fn random_mechanisms_have_reasons() {
    let counts = [
        explained("planar loops", planar_loops(), Linkage::description),
        explained("palletizers", palletizers(), Linkage::description),
        explained("plates", parallel_plates(), Linkage::description),
        explained("Sarrus", sarrus(), Linkage::description),
        explained("platforms", platforms(), Linkage::description),
        explained("jacks", jacks(), Linkage::description),
        explained("geared loops", geared_loops(), Machine::description),
        explained("Bennett", bennetts(), Machine::description),
    ];
    let (all, left) = counts.iter().fold((0, 0), |(a, l), (all, left)| (a + all, l + left));
    assert!(100 * left <= all, "{left} of {all} null vectors are not explained");
}

const ARM: &str = r#"
gravity = [0, 0, -9.81]
[[body]]
name = "shoulder"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
[[body]]
name = "elbow"
parent = "shoulder"
joint = "revolute"
xyz = [0.1, 0.2, 0.3]
axis = [1, 0, 0]
[[body]]
name = "hand"
parent = "elbow"
joint = "revolute"
xyz = [0.3, 0.2, 0.1]
axis = [0, 1, 0]
"#;

fn finger(name: &str, kind: &str, parent: &str, xyz: [f64; 3], axis: [f64; 3]) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{kind}\"\nxyz = {xyz:?}\naxis = {axis:?}\n"
    )
}

fn follows(name: &str, other: &str, ratio: f64) -> String {
    format!("[[coupling]]\ncoordinate = \"{name}\"\nterms = [[\"{other}\", {ratio}]]\n")
}

#[test]
fn fingers_that_open_alike_keep_the_middle_of_their_points() {
    let text = ARM.to_owned()
        + &finger("left", "prismatic", "hand", [0.0, 0.0, 0.1], [0.0, 1.0, 0.0])
        + &finger("right", "prismatic", "hand", [0.0, 0.0, 0.1], [0.0, -1.0, 0.0])
        + &follows("right", "left", 1.0);
    let found = causes(&mechanism(&text));
    let count = |cause: Cause| found.iter().filter(|other| **other == cause).count();
    assert_eq!(count(Cause::PointsInBalance), 3, "{found:?}");
    assert_eq!(count(Cause::MovesTogether), 0, "{found:?}");
}

#[test]
fn a_finger_tip_that_stays_parallel_shares_points_with_the_link_beside_it() {
    // The tip moves on a circle, as the ends of the second link do.
    let text = ARM.to_owned()
        + &finger("finger", "revolute", "hand", [0.0, 0.02, 0.1], [1.0, 0.0, 0.0])
        + &finger("tip", "revolute", "finger", [0.0, 0.03, 0.08], [1.0, 0.0, 0.0])
        + &finger("beside", "revolute", "hand", [0.0, 0.05, 0.07], [1.0, 0.0, 0.0])
        + &follows("tip", "finger", -1.0)
        + &follows("beside", "finger", 1.0);
    let found = causes(&mechanism(&text));
    assert!(found.contains(&Cause::PointsCoincide), "{found:?}");
    assert!(!found.contains(&Cause::MovesTogether), "{found:?}");
}

#[test]
fn a_rotor_and_its_link_turn_in_a_fixed_ratio() {
    let text = ARM.to_owned()
        + &finger("rotor", "revolute", "base", [0.1, 0.0, 0.0], [0.0, 0.0, 1.0])
        + &follows("rotor", "shoulder", 9.0);
    let vectors = vectors_of(&mechanism(&text)).unwrap_or_else(|e| panic!("{e}"));
    let geared: Vec<_> = vectors.iter().filter(|v| v.reason.cause == Cause::SpeedsInRatio).collect();
    let [vector] = &geared[..] else { panic!("{vectors:?}") };
    let sizes: Vec<f64> = vector.entries.iter().map(|(_, x)| x.abs()).collect();
    let ratio = sizes[0].max(sizes[1]) / sizes[0].min(sizes[1]);
    assert!((ratio - 81.0).abs() < 1e-9 && sizes.len() == 2, "{vector:?}");
}

#[test]
fn a_rack_and_its_pinion_move_in_a_fixed_ratio() {
    let text = "gravity = [0, 0, -9.81]\n".to_owned()
        + &finger("pinion", "revolute", "base", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0])
        + &finger("rack", "prismatic", "base", [0.0, 0.1, 0.0], [1.0, 0.0, 0.0])
        + &follows("rack", "pinion", 0.1);
    let vectors = vectors_of(&mechanism(&text)).unwrap_or_else(|e| panic!("{e}"));
    let geared: Vec<_> = vectors.iter().filter(|v| v.reason.cause == Cause::SpeedsInRatio).collect();
    let [vector] = &geared[..] else { panic!("{vectors:?}") };
    // Izz of the pinion, and the mass of the rack a hundred times as large.
    let [(9, inertia), (10, mass)] = vector.entries[..] else { panic!("{vector:?}") };
    assert!((mass / inertia + 100.0).abs() < 1e-9, "{vector:?}");
}

#[test]
fn a_third_crank_that_nearly_fits_cannot_move_and_is_told_so() {
    let text = r#"
gravity = [0, 0, -9.81]
[[body]]
name = "first"
parent = "base"
joint = "revolute"
[[body]]
name = "coupler"
parent = "first"
joint = "revolute"
xyz = [0, 0.3, 0]
[[body]]
name = "second"
parent = "base"
joint = "revolute"
xyz = [0.4, 0, 0]
[[body]]
name = "third"
parent = "base"
joint = "revolute"
xyz = [0.1, 0, 0]
[[loop]]
name = "one"
joint = "revolute"
predecessor = { body = "second", xyz = [0, 0.3, 0] }
successor = { body = "coupler", xyz = [0.4, 0, 0] }
[[loop]]
name = "two"
joint = "revolute"
predecessor = { body = "third", xyz = [0, 0.301, 0] }
successor = { body = "coupler", xyz = [0.1, 0.001, 0] }
"#;
    let answer = structural_nullspace(&mechanism(text), &Measurement::all());
    assert!(matches!(answer, Err(IdentifiabilityError::Immobile { .. })), "{answer:?}");
}
