//! Mechanisms made to mislead a rank decided by a threshold: misalignments and differences far below a double,
//! unions of mechanisms, machines the size of a molecule. No certificate may be complete and wrong.

mod random;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use random::linkages::Linkage;
use random::machines::{deltas, palletizers, platforms, sarrus};
use random::rewriting::with_scaled_lengths;
use random::{description, mechanism, nullity, zoo};
use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_formats::{ReadOptions, assemble};
use steiner_identifiability::{
    AnalysisNote, Arithmetic, Measurement, Method, Nullspace, Question, analyze, structural_nullspace,
};
use steiner_scalar::Exact;

/// Closed where it is drawn, rank 8.
const FOUR_BAR: &str = r#"
gravity = [0, -9.81, 0]
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [0.2, 0, 0]
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [0.5, 0, 0]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = { body = "rocker", xyz = [0.1, 0.4, 0] }
successor = { body = "coupler", xyz = [0.4, 0.4, 0] }
"#;

/// Two links whose axes are parallel but for e; rank 10 for every e but 0.
fn arm(on: &str, e: &str) -> String {
    format!(
        "[[body]]\nname = \"upper\"\nparent = \"{on}\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n\
         [[body]]\nname = \"lower\"\nparent = \"upper\"\njoint = \"revolute\"\nxyz = [0.4, 0, 0]\n\
         axis = [0, \"{e}\", 1]\n"
    )
}

fn asked(text: &str) -> Nullspace {
    structural_nullspace(&mechanism(description(text)), &Measurement::all()).unwrap()
}

const MISALIGNMENTS: [&str; 8] = ["1e-3", "1e-8", "1e-12", "1.2e-16", "1e-18", "1e-22", "1e-26", "1e-30"];

#[test]
fn an_arm_beside_a_four_bar_is_a_tree_however_small_its_misalignment() {
    for e in MISALIGNMENTS {
        let found = asked(&format!("{FOUR_BAR}{}", arm("base", e)));
        assert_eq!((found.identifiable(), found.certificate.rank), (18, 18), "{e}");
        assert!(found.certificate.complete && found.certificate.arithmetic == Arithmetic::PrimeField, "{e}");
    }
    assert_eq!(asked(&format!("{FOUR_BAR}{}", arm("base", "0"))).identifiable(), 14);
}

#[test]
fn an_arm_turned_by_a_printed_angle_keeps_its_rank_however_small_its_misalignment() {
    let turned = |e: &str| {
        let arm = arm("base", e).replacen("[1, 0, 0]", "[1, 0, 0]\nrpy = [0.3, 0, 0]", 1);
        asked(&format!("gravity = [0, -9.81, 0]\n{arm}")).certificate
    };
    let rank = turned("1e-3").rank;
    for e in MISALIGNMENTS {
        let certificate = turned(e);
        assert!(certificate.rank == rank || !certificate.complete, "{e}: {certificate:?}");
    }
}

#[test]
fn angles_that_differ_by_little_are_not_one() {
    // Axes are parallel but for e: by angles that are no numbers of the field, one of them in the fourth decimal or the
    // thirty-fifth; and by three whose sum is zero but for e.
    let arm = |first: &str, second: &str, parent: &str| {
        format!(
            "[[body]]\nname = \"upper\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n\
             [[body]]\nname = \"plate\"\nparent = \"upper\"\njoint = \"fixed\"\nrpy = [\"{first}\", 0, 0]\n\
             [[body]]\nname = \"lower\"\nparent = \"plate\"\njoint = \"revolute\"\nxyz = [0.4, 0, 0]\n\
             rpy = [\"{second}\", 0, 0]\n"
        )
    };
    for (head, parent) in [("gravity = [0, -9.81, 0]\n", "base"), (FOUR_BAR, "coupler")] {
        let rank = |e: &str, first: &str| {
            asked(&format!("{head}{}", arm(first, &format!("-({first}) - {e}"), parent))).certificate
        };
        let misaligned = rank("1e-4", "0.3").rank;
        for e in ["1e-12", "1e-20", "1e-35", "1e-50"] {
            for first in ["0.3", "0.1 + 0.2"] {
                let found = rank(e, first);
                assert!(found.rank == misaligned || !found.complete, "{first}, {e}: {found:?}");
            }
            // In the field the two are different numbers.
            let found = rank(e, "0.3");
            assert!(found.rank == misaligned || parent == "base", "{e}: {found:?}");
        }
        let aligned = rank("0", "0.3");
        assert!(aligned.rank < misaligned && aligned.complete, "{aligned:?}");
    }
}

#[test]
fn digits_that_do_not_reach_say_how_far_they_would_have_to() {
    // Drawn open: the loop closes at a configuration that is no number of the field.
    let open = |e: &str| {
        let text = format!("{FOUR_BAR}{}[guess]\ncrank = 0.1\n", arm("coupler", e));
        asked(&text).certificate
    };
    let (rough, fine) = (open("1e-10"), open("1e-40"));
    assert!(rough.complete && rough.rank == fine.rank && rough.digits_needed.is_none(), "{rough:?}");
    // Two stages, the arm's and the loop's, of forty digits squared.
    assert!(!fine.complete && fine.digits_needed == Some(160), "{fine:?}");
}

#[test]
fn a_motion_of_one_coordinate_is_sampled_until_the_finest_effect_has_shown() {
    // Each state gives one row, and the last effects are 1e-30 of the first ones.
    let text = r#"
        gravity = [0, 0, 0]
        [[body]]
        name = "crank"
        parent = "base"
        joint = "revolute"
        [[body]]
        name = "cross"
        parent = "crank"
        joint = "revolute"
        xyz = [0.47, 0, 0]
        axis = [0, "E", 1]
        [[body]]
        name = "coupler"
        parent = "cross"
        joint = "revolute"
        axis = [1, 0, "-E"]
        [[body]]
        name = "rocker"
        parent = "base"
        joint = "revolute"
        xyz = [0.86, 0, "E"]
        [[loop]]
        name = "closure"
        joint = "spherical"
        predecessor = { body = "rocker", xyz = [0.39, 0.22, 0] }
        successor = { body = "coupler", xyz = [0.78, 0.22, "E"] }
        [guess]
        crank = 0.2
    "#;
    let rank = |e: &str| asked(&text.replace('E', e)).certificate;
    let rough = rank("1e-2");
    for e in ["1e-5", "1e-8", "1e-11"] {
        let found = rank(e);
        assert!(found.complete && found.rank == rough.rank, "{e}: {found:?}, not {}", rough.rank);
    }
}

#[test]
fn other_methods_are_judged_part_by_part_too() {
    let text = format!("{FOUR_BAR}{}", arm("base", "1e-14"));
    let question = Question { method: Method::Numeric, ..Question::default() };
    let certificate = analyze(&mechanism(description(&text)), &question).unwrap().certificate.unwrap();
    assert!(certificate.rank == 18 && !certificate.complete);
}

#[test]
fn an_arm_on_the_coupler_has_one_rank_for_all_misalignments_or_none_that_is_certain() {
    let rank = asked(&format!("{FOUR_BAR}{}", arm("coupler", "1e-3"))).certificate.rank;
    for e in MISALIGNMENTS {
        let certificate = asked(&format!("{FOUR_BAR}{}", arm("coupler", e))).certificate;
        assert!(certificate.rank == rank || !certificate.complete, "{e}: {certificate:?}");
        assert!(certificate.complete, "{e}: {certificate:?}");
    }
}

/// Bars a third of a metre long, the second but for its digits.
fn near_parallelogram(digits: &str, q: &str) -> String {
    format!(
        "gravity = [0, -9.81, 0]\n\
         [[body]]\nname = \"crank\"\nparent = \"base\"\njoint = \"revolute\"\n\
         [[body]]\nname = \"coupler\"\nparent = \"crank\"\njoint = \"revolute\"\nxyz = [0, \"1/3\", 0]\n\
         [[body]]\nname = \"rocker\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0.5, 0, 0]\n\
         [[loop]]\nname = \"closure\"\njoint = \"revolute\"\n\
         predecessor = {{ body = \"rocker\", xyz = [0, \"{digits}\", 0] }}\n\
         successor = {{ body = \"coupler\", xyz = [0.5, 0, 0] }}\n\
         [guess]\ncrank = \"{q}\"\ncoupler = \"-({q})\"\nrocker = \"{q}\"\n"
    )
}

#[test]
fn bars_that_differ_in_the_nineteenth_digit_make_no_parallelogram() {
    let parallelogram = asked(&near_parallelogram("1/3", "0"));
    assert!(parallelogram.certificate.complete && parallelogram.identifiable() == 3);
    for digits in ["0.3333", "0.33333333333", "0.3333333333333333333"] {
        let found = asked(&near_parallelogram(digits, "0"));
        assert!(found.identifiable() == 8 && found.certificate.complete, "{digits}: {:?}", found.certificate);
    }
    // Effects of 1e-78 show in 124 digits alone, which is seen once and so not certain.
    let found = asked(&near_parallelogram("0.33333333333333333333333333", "0"));
    assert!(found.identifiable() == 8 || !found.certificate.complete, "{:?}", found.certificate);
}

#[test]
fn a_parallelogram_drawn_flat_names_the_branch_it_was_decided_on() {
    let robot = mechanism(description(&near_parallelogram("1/3", "pi/2")));
    let analysis = analyze(&robot, &Question::default()).unwrap();
    let branch = analysis.notes.iter().find_map(|note| match note {
        AnalysisNote::Branch { at } => Some(at.clone()),
        _ => None,
    });
    let at = branch.expect("a note about the branch");
    assert_eq!(at.len(), 3);
    // Parallel or crossed: the rank is that of the branch that is named.
    let (crank, rocker) = (at[0].1, at[2].1);
    let expected = if (crank - rocker).abs() < 1e-6 { 3 } else { 8 };
    assert_eq!(analysis.identifiable(), expected, "{at:?}");
}

#[test]
fn a_platform_has_one_nullity_at_every_scale_and_absurd_ones_are_refused() {
    for (name, expected) in [("stewart", 48), ("pkm_2prs_1psr", 47)] {
        for scale in ["1e-8", "1e-6", "1e-3", "1e3", "1e6"] {
            let by = Exact::parse(scale).unwrap();
            assert_eq!(nullity(&with_scaled_lengths(zoo(name), &by)), expected, "{name} times {scale}");
        }
        for scale in ["1e-10", "1e11"] {
            let scaled = with_scaled_lengths(zoo(name), &Exact::parse(scale).unwrap());
            let robot = assemble(scaled, &ReadOptions::default()).unwrap();
            let refused = Mechanism::new(robot).unwrap_err();
            assert!(matches!(refused, DynamicsError::AbsurdLength { .. }), "{refused}");
            assert!(refused.to_string().contains("check the unit of the file"), "{refused}");
        }
    }
}

#[test]
fn null_vectors_of_a_small_machine_are_those_of_the_large_one_in_its_units() {
    let vectors = |by: &str| {
        let scaled = with_scaled_lengths(zoo("four_bar"), &Exact::parse(by).unwrap());
        let robot = mechanism(scaled);
        let columns = Measurement::all().parameters(&robot);
        let found = structural_nullspace(&robot, &Measurement::all()).unwrap();
        (found, columns)
    };
    let (large, columns) = vectors("1");
    let (small, _) = vectors("1e-4");
    assert_eq!(large.vectors.len(), small.vectors.len());
    for (a, b) in large.vectors.iter().zip(&small.vectors) {
        let size = |c: usize, x: f64| x * 1e-4f64.powi(columns.id(c).kind.length_power());
        let factor = size(a.entries[0].0, a.entries[0].1) / b.entries[0].1;
        for (&(c, x), &(d, y)) in a.entries.iter().zip(&b.entries) {
            assert!(c == d && (size(c, x) / factor - y).abs() <= 1e-9 * y.abs(), "{a:?}\n{b:?}");
        }
    }
}

/// Of machines drawn as they stand, the certificates that were given in F_p.
fn in_field(drawn: impl Strategy<Value = Linkage>, cases: u32) -> (usize, usize) {
    let mut runner = TestRunner::deterministic();
    let mut decided = 0;
    for _ in 0..cases {
        let linkage = drawn.new_tree(&mut runner).unwrap().current();
        let found = structural_nullspace(&mechanism(linkage.description()), &Measurement::all());
        let arithmetic = found.map(|found| found.certificate.arithmetic);
        decided += usize::from(arithmetic == Ok(Arithmetic::PrimeField));
    }
    (decided, cases as usize)
}

#[test]
fn most_machines_with_loops_are_decided_in_a_field() {
    let mut decided = Vec::new();
    for name in ["four_bar", "five_bar", "palletizer", "delta", "stewart", "pkm_2prs_1psr", "pkm_2rru_1rrs"] {
        let found = structural_nullspace(&mechanism(zoo(name)), &Measurement::all()).unwrap();
        println!("{name}: {:?}", found.certificate);
        decided.push((usize::from(found.certificate.arithmetic == Arithmetic::PrimeField), 1));
    }
    use random::linkages::{planar_loops, six_bars, spatial_loops};
    let families: [(&str, (usize, usize)); 7] = [
        ("planar loops", in_field(planar_loops(), 12)),
        ("six-bars", in_field(six_bars(), 8)),
        ("spatial loops", in_field(spatial_loops(), 12)),
        ("palletizers", in_field(palletizers(), 4)),
        ("Sarrus linkages", in_field(sarrus(), 4)),
        ("platforms", in_field(platforms(), 4)),
        ("Deltas", in_field(deltas(), 2)),
    ];
    for (name, count) in families {
        println!("{name}: {} of {} in F_p", count.0, count.1);
        decided.push(count);
    }
    let (done, all) = decided.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    assert!(10 * done >= 9 * all, "{done} of {all}");
}

/// Drawn and judged by `bench/traps/generate.py`: energies at random configurations, in 200 digits.
#[test]
fn certificates_agree_with_a_judge_in_two_hundred_digits() {
    let given = std::env::var_os("STEINER_TRAPS").map(std::path::PathBuf::from);
    let is_given = given.is_some();
    let file = given.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/traps.txt").into());
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (mut cases, mut refused, mut complete, mut in_field, mut from_file) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    for case in text.split("=== rank ").skip(1) {
        let (rank, text) = case.split_once('\n').unwrap();
        cases += 1;
        // What does not close beside its reference is refused, as are machines smaller than an atom.
        let robot = assemble(description(text), &ReadOptions::default()).unwrap();
        let found =
            Mechanism::new(robot).ok().and_then(|m| structural_nullspace(&m, &Measurement::all()).ok());
        refused += usize::from(found.is_none());
        let Some(certificate) = found.map(|found| found.certificate).filter(|found| found.complete) else {
            continue;
        };
        if certificate.rank != rank.trim().parse::<usize>().unwrap() {
            wrong.push(format!("rank {rank} is the judge's; {certificate:?}\n{text}"));
        }
        complete += 1;
        in_field += usize::from(certificate.arithmetic == Arithmetic::PrimeField);
        from_file += usize::from(certificate.from_below);
    }
    println!(
        "{cases} traps: {refused} refused, {complete} complete, {in_field} of them in F_p, {from_file} from below"
    );
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    // One in twenty is a crank too many, which is never certain; one in three of those drawn open needs more digits than
    // there are. Others may hold nothing else.
    assert!(is_given || 100 * complete >= 85 * cases, "{complete} of {cases} are complete");
}

#[test]
fn joints_in_a_constant_ratio_share_a_direction_at_a_dead_centre_too() {
    // A Scotch yoke whose slider drives a rack: slider and wheel rest together where the crank is drawn.
    let yoke = r#"
        gravity = [0, 0, 0]
        independent = ["crank"]
        [[body]]
        name = "crank"
        parent = "base"
        joint = "revolute"
        [[body]]
        name = "slider"
        parent = "base"
        joint = "prismatic"
        xyz = [1, 0, 0]
        axis = [1, 0, 0]
        [[body]]
        name = "block"
        parent = "slider"
        joint = "prismatic"
        axis = [0, 1, 0]
        [[body]]
        name = "wheel"
        parent = "base"
        joint = "revolute"
        xyz = [0, 2, 0]
        [[loop]]
        name = "pin"
        joint = "revolute"
        predecessor = { body = "crank", xyz = [1, 0, 0] }
        successor = { body = "block" }
        [[coupling]]
        coordinate = "wheel"
        terms = [["slider", 3]]
    "#;
    let elsewhere = format!("{yoke}\n[guess]\ncrank = \"pi/2\"\nslider = -1\nblock = 1\nwheel = -3\n");
    for text in [yoke, &elsewhere] {
        let question = Question { drives: true, ..Question::default() };
        let found = analyze(&mechanism(description(text)), &question).unwrap();
        assert_eq!(found.identifiable(), 10);
    }
}
