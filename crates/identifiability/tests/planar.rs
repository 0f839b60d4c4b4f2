//! The example of \[iriarte2015\], choices of φ₂, and refusals.

mod planar_support;
mod support;

use planar_support as make;
use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::{
    IdentifiabilityError, Measurement, PlanarBaseParameters, PlanarNote, PlanarQuestion, PlanarView,
    PlanarWeight, TransferCheck, planar_base_parameters, structural_nullspace,
};
use steiner_linalg::Vec3;

fn asked(mechanism: &Mechanism, question: &PlanarQuestion) -> PlanarBaseParameters {
    planar_base_parameters(mechanism, question).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(mechanism: &Mechanism) -> IdentifiabilityError {
    match planar_base_parameters(mechanism, &PlanarQuestion::default()) {
        Err(error) => error,
        Ok(found) => panic!("answered: {:?}", found.notes),
    }
}

fn eliminating(labels: &[&str]) -> PlanarQuestion {
    PlanarQuestion {
        eliminate: labels.iter().map(|label| (*label).to_owned()).collect(),
        ..Default::default()
    }
}

fn position(labels: &[String], columns: &[usize], label: &str) -> usize {
    columns.iter().position(|&c| labels[c] == label).unwrap_or_else(|| panic!("{label}"))
}

/// Rows of (25), repaired: m2 = (λx1⁻², −λ2⁻², 0), m3 = (0, λ2⁻², −λ3⁻²).
const EQUATION_25: [(&str, [&str; 3]); 8] = [
    ("b1.mx", ["-1/lx1", "0", "0"]),
    ("b1.my", ["0", "0", "0"]),
    ("b2.mx", ["0", "-lx2/l2^2", "0"]),
    ("b2.my", ["0", "ly2/l2^2", "0"]),
    ("b2.m", ["1/lx1^2", "-1/l2^2", "0"]),
    ("b3.mx", ["0", "0", "-1/lx3"]),
    ("b3.my", ["0", "0", "0"]),
    ("b3.m", ["0", "1/l2^2", "-1/lx3^2"]),
];

/// (24) with its printed digits.
const EQUATION_24: [(&str, [&str; 3]); 8] = [
    ("b1.mx", ["-3.333", "0", "0"]),
    ("b1.my", ["0", "0", "0"]),
    ("b2.mx", ["0", "-0.4118", "0"]),
    ("b2.my", ["0", "0.6471", "0"]),
    ("b2.m", ["11.11", "-0.5882", "0"]),
    ("b3.mx", ["0", "0", "-0.7692"]),
    ("b3.my", ["0", "0", "0"]),
    ("b3.m", ["0", "0.5882", "-0.5917"]),
];

#[test]
fn the_four_bar_gives_equation_25_symbol_by_symbol() {
    let found = asked(&support::named("four_bar"), &PlanarQuestion::default());
    let dependent: Vec<&str> = found.dependent.iter().map(|&d| found.labels[d].as_str()).collect();
    assert_eq!(dependent, ["b1.m", "b1.J", "b2.J", "b3.J"]);
    assert_eq!(found.base.len(), 8);
    for (label, weights) in EQUATION_25 {
        let row = &found.weights[position(&found.labels, &found.base, label)];
        let texts: Vec<String> = row.iter().map(|weight| found.text(weight)).collect();
        assert_eq!(texts[0], "0", "{label}: the column of m1 is null");
        assert_eq!(texts[1..], weights, "{label}");
    }
    assert_eq!(found.definitions(), ["l2^2 = lx2^2 + ly2^2"]);
    assert_eq!((found.primes.0.as_slice(), found.primes.1), ([3, 7, 11, 13].as_slice(), 0.1));
    assert_eq!(found.transfers, TransferCheck::Agree { sets: 3 });
    assert!(found.notes.is_empty(), "{:?}", found.notes);
}

#[test]
fn at_the_lengths_of_the_paper_it_equals_the_numbers_of_equation_24() {
    let mechanism = support::named("four_bar");
    let found = asked(&mechanism, &PlanarQuestion::default());
    let lengths = found.lengths_of(mechanism.robot()).unwrap();
    assert_eq!(lengths, [0.3, 0.7, 1.1, 1.3]);
    let beta = found.evaluate(&lengths).unwrap();
    let numeric = &found.numbers.values;
    for b in 0..beta.rows() {
        for d in 0..beta.columns() {
            let (ours, theirs) = (beta[(b, d)], numeric[(b, d)]);
            assert!((ours - theirs).abs() <= 1e-12 * ours.abs().max(1.0), "{b},{d}: {ours} {theirs}");
        }
    }
    for (label, printed) in EQUATION_24 {
        let b = position(&found.labels, &found.base, label);
        for (d, digits) in printed.iter().enumerate() {
            let ours = beta[(b, d + 1)];
            let places = digits.split_once('.').map_or(0, |(_, after)| after.len());
            match *digits {
                "0" => assert_eq!(ours, 0.0, "{label}"),
                _ => assert_eq!(format!("{ours:.places$}"), *digits, "{label}"),
            }
        }
    }
}

#[test]
fn other_parameters_may_be_eliminated() {
    let mechanism = support::named("four_bar");
    // (A.2b), (A.2c) and (A.2d): first moments in place of moments of inertia.
    let found = asked(&mechanism, &eliminating(&["b1.mx", "b2.my", "b3.J"]));
    assert!(found.is_complete() && found.transfers == TransferCheck::Agree { sets: 3 }, "{:?}", found.notes);
    let formula = |label: &str| found.formula(position(&found.labels, &found.base, label));
    assert_eq!(formula("b1.J"), "b1.J - lx1*b1.mx");
    assert_eq!(formula("b2.J"), "b2.J + l2^2/ly2*b2.my");
    assert_eq!(formula("b2.mx"), "b2.mx + lx2/ly2*b2.my");
    let worst = make::compared(&found, mechanism.robot()).unwrap();
    assert!(worst < 1e-9, "{worst}");
    let kept = PlanarQuestion { keep: vec!["b1.J".to_owned()], ..Default::default() };
    let found = asked(&mechanism, &kept);
    assert!(!found.dependent.iter().any(|&d| found.labels[d] == "b1.J"));
    assert!(found.is_complete(), "{:?}", found.notes);
}

#[test]
fn the_echelon_form_chooses_where_nobody_does() {
    let mechanism = support::named("four_bar");
    let found = asked(&mechanism, &PlanarQuestion { by_echelon_form: true, ..Default::default() });
    let dependent: Vec<&str> = found.dependent.iter().map(|&d| found.labels[d].as_str()).collect();
    assert_eq!(dependent, ["b1.m", "b1.mx", "b2.m", "b3.m"]);
    assert!(found.is_complete(), "{:?}", found.notes);
    assert_eq!(found.transfers, TransferCheck::Agree { sets: 3 });
    let worst = make::compared(&found, mechanism.robot()).unwrap();
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn wishes_that_cannot_be_granted_are_named() {
    let mechanism = support::named("four_bar");
    let found = asked(&mechanism, &eliminating(&["b1.my"]));
    let stays = PlanarNote::NotEliminated { label: "b1.my".to_owned() };
    assert!(found.notes.contains(&stays), "{:?}", found.notes);
    let found = asked(&mechanism, &PlanarQuestion { keep: vec!["b1.m".to_owned()], ..Default::default() });
    let goes = PlanarNote::NotKept { label: "b1.m".to_owned() };
    assert!(found.notes.contains(&goes), "{:?}", found.notes);
    let error = planar_base_parameters(&mechanism, &eliminating(&["b1.Izz"])).unwrap_err();
    assert!(matches!(error, IdentifiabilityError::UnknownParameter { .. }), "{error}");
}

/// The coupler of a six-bar is joined to three links but, with a loop opened at it, to two in the opened
/// tree: section 3.3 lets its moment of inertia be eliminated, and the weights are products of three.
#[test]
fn the_condition_of_section_3_3_does_not_suffice_beside_a_cut() {
    let mechanism = support::mechanism(&make::six_bar());
    let found = asked(&mechanism, &eliminating(&["a.m", "c.m", "f.m", "a.J", "b.J", "c.J", "f.J"]));
    assert_eq!(found.dependent.len(), 7);
    let open = found.unrecognised();
    assert!(!open.is_empty());
    let (b, d) =
        (position(&found.labels, &found.base, "e.m"), position(&found.labels, &found.dependent, "c.J"));
    let PlanarWeight::Outside { value } = found.weights[b][d] else { panic!("{:?}", found.weights[b][d]) };
    // Λ_bc / (Λ_be Λ_c) at the primes of the search.
    let length = |name: &str| {
        let k = found.lengths.iter().position(|length| length.name == name).unwrap();
        found.primes.0[k] as f64 * found.primes.1
    };
    let square = |x: &str, y: &str| length(x).powi(2) + length(y).powi(2);
    let wanted = square("bx", "by") / (square("px", "py") * square("cx", "cy"));
    assert!((value.abs() / wanted - 1.0).abs() < 1e-9, "{value} {wanted}");
    let is_told = |note: &PlanarNote| match note {
        PlanarNote::NotRecognised { weights } => {
            weights.len() == open.len() && weights.contains(&["c.J", "e.m"].map(str::to_owned))
        }
        _ => false,
    };
    assert!(found.notes.iter().any(is_told), "{:?}", found.notes);
    assert!(found.residual.is_none() && found.evaluate(&[1.0; 12]).is_none());
    // Numbers of the search are not the file's, and say so; those of the file are beside them.
    assert!(found.formula(b).contains("at prime lengths"), "{}", found.formula(b));
    let at_file = found.at_file.as_ref().unwrap();
    let wanted = (0.81 + 0.04) / ((0.25 + 0.36) * (0.1225 + 0.5625));
    assert!((at_file[(b, found.dependent[d])] / wanted - 1.0).abs() < 1e-13, "{at_file:?}");
    // Transfers speak of what was compared.
    assert_eq!(found.transfers, TransferCheck::AgreeInPart { sets: 3, left_out: open.len() });
    assert!(found.doubt().is_some_and(|doubt| doubt.contains("no single product")), "{:?}", found.doubt());
}

/// Weights at the file's lengths, found without formulas, leave what the certified
/// nullspace calls invisible invisible.
#[test]
fn numbers_of_the_file_come_from_its_forces() {
    // The lengths of the last two are primes times a tenth, those of the search: no fresh ones.
    for (text, fresh) in [
        (make::six_bar(), true),
        (make::slider_crank(), true),
        (make::free_chain(), true),
        (make::badly_framed(), false),
        (include_str!("../../formats/zoo/four_bar.toml").to_owned(), false),
    ] {
        let mechanism = support::mechanism(&text);
        let found = asked(&mechanism, &PlanarQuestion::default());
        let name = &mechanism.robot().name;
        let at_file = found.at_file.as_ref().unwrap();
        let nullspace = structural_nullspace(&mechanism, &Measurement::all()).unwrap();
        for vector in found.view.projected(&nullspace.vectors) {
            let size = vector.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let seen = at_file.apply(&vector);
            assert!(seen.iter().all(|x| x.abs() < 1e-12 * size), "{name}: {seen:?}");
        }
        let lengths = found.lengths_of(mechanism.robot()).unwrap();
        let formulas = found.evaluate_in_file_parameters(&lengths).unwrap();
        for (ours, number) in formulas.entries().iter().zip(at_file.entries()) {
            assert!((ours - number).abs() < 1e-13 * number.abs().max(1.0), "{name}: {ours} {number}");
        }
        assert_eq!((found.doubt(), found.verified_at()), (None, 3 + usize::from(fresh)), "{name}");
    }
}

#[test]
fn products_that_a_check_contradicts_are_doubted() {
    let found = asked(&support::mechanism(&make::slider_crank()), &PlanarQuestion::default());
    let doubt = |change: &dyn Fn(&mut PlanarBaseParameters)| {
        let mut changed = found.clone();
        change(&mut changed);
        changed.doubt().unwrap_or_else(|| panic!("no doubt"))
    };
    assert_eq!(found.doubt(), None);
    assert!(doubt(&|found| found.residual = Some(1e-9)).contains("leave 1e-9 of a force"));
    assert!(doubt(&|found| found.residual = Some(f64::NAN)).contains("could not be compared"));
    assert!(doubt(&|found| found.at_file = None).contains("could not be compared"));
    let differ = TransferCheck::Differ { entries: vec![(0, 0)] };
    assert!(doubt(&|found| found.transfers = differ.clone()).contains("transfers of mass and inertia"));
}

#[test]
fn planar_parameters_have_names_in_space() {
    let view = PlanarView::new(support::named("four_bar").robot()).unwrap();
    let names = ["b2.m", "b2.mx", "b2.my", "b2.J"].map(|label| view.in_space(label).unwrap_or_default());
    assert_eq!(names, ["b2.m", "b2.mx", "b2.my", "b2.Izz"]);
    assert_eq!(view.in_space("b2.Izz"), None);
    assert!(view.axes().iter().all(|axes| *axes == [Vec3::unit(0), Vec3::unit(1)]));
    let upright = make::three_r().replace("axis = [0, 0, 1]", "axis = [0, 1, 0]");
    let view = PlanarView::new(support::mechanism(&upright).robot()).unwrap();
    let names = ["two.mx", "two.my", "two.J"].map(|label| view.in_space(label).unwrap_or_default());
    assert_eq!(names, ["two.mz", "two.mx", "two.Iyy"]);
    assert!(view.axes().iter().all(|axes| *axes == [Vec3::unit(2), Vec3::unit(0)]));
}

#[test]
fn a_spatial_mechanism_is_refused_with_the_joint_that_leaves_the_plane() {
    let error = refused(&support::named("puma560"));
    assert!(matches!(&error, IdentifiabilityError::LeavesPlane { joint, .. } if joint == "link2"), "{error}");
    assert!(error.to_string().contains("`link2` leaves the plane"), "{error}");
    let tilted = make::three_r()
        .replace("parent = \"two\"\njoint = \"revolute\"", "parent = \"two\"\njoint = \"prismatic\"");
    let error = refused(&support::mechanism(&tilted));
    assert!(matches!(&error, IdentifiabilityError::LeavesPlane { joint, .. } if joint == "three"), "{error}");
}

#[test]
fn a_loop_away_from_the_ground_is_refused() {
    let text = make::file(
        "carried_four_bar",
        &[("l1", "0.3"), ("l2", "0.9"), ("h", "0.5"), ("g", "0.8")],
        &[
            make::hinge("carrier", "base", ["0", "0"]),
            make::hinge("crank", "carrier", ["0", "h"]),
            make::hinge("coupler", "crank", ["0", "l1"]),
            make::hinge("rocker", "carrier", ["g", "h"]),
            make::pin("closing", [("coupler", ["l2", "0"]), ("rocker", ["l2-g", "l1"])]),
        ],
    );
    let error = refused(&support::mechanism(&text));
    let IdentifiabilityError::LoopAwayFromGround { closure, links, .. } = &error else { panic!("{error}") };
    assert_eq!((closure.as_str(), links.as_str()), ("closing", "coupler, crank, carrier, rocker"));
    assert!(error.to_string().contains("A.5"), "{error}");
}

#[test]
fn coinciding_lengths_that_hide_more_are_refused() {
    let text = make::file(
        "parallelogram",
        &[("l", "0.4"), ("b", "0.9")],
        &[
            make::hinge("crank", "base", ["0", "0"]),
            make::hinge("coupler", "crank", ["0", "l"]),
            make::hinge("rocker", "base", ["b", "0"]),
            make::pin("closing", [("coupler", ["b", "0"]), ("rocker", ["0", "l"])]),
        ],
    );
    let error = refused(&support::mechanism(&text));
    let IdentifiabilityError::SpecialLengths { found, general, coinciding, .. } = &error else {
        panic!("{error}")
    };
    assert!(found > general && *general == 4, "{error}");
    assert!(coinciding.contains("l = l"), "{error}");
}

/// Equal lengths that hide nothing are told apart by the search, and named as the file does.
#[test]
fn coinciding_lengths_that_hide_nothing_are_avoided() {
    let text = make::three_r().replace("x2 = 0.35", "x2 = 0.4").replace("y2 = 0.15", "y2 = 0.4");
    let found = asked(&support::mechanism(&text), &PlanarQuestion::default());
    assert!(found.is_complete(), "{:?}", found.notes);
    let mut primes = found.primes.0.clone();
    primes.sort_unstable();
    primes.dedup();
    assert_eq!(primes.len(), 3);
    assert_eq!(found.formula(3), "two.mx - x2/l_two^2*two.J");
}

#[test]
fn gears_are_refused() {
    let text = make::three_r() + "[[coupling]]\ncoordinate = \"two\"\nterms = [[\"one\", 2]]\n";
    let error = refused(&support::mechanism(&text));
    assert!(matches!(&error, IdentifiabilityError::NotInTheProductClass { .. }), "{error}");
}

#[test]
fn loops_that_only_slide_lose_a_redundant_joint() {
    let slide =
        |name: &str, parent: &str, axis: &str| make::body(name, parent, "prismatic", ["0", "0"], axis);
    let text = make::file(
        "wedge",
        &[("h", "0.3")],
        &[
            slide("wedge", "base", "[1, 0, 0]"),
            slide("follower", "wedge", "[1, 2, 0]"),
            make::hinge("arm", "follower", ["0", "h"]),
            make::closure(
                "guide",
                "prismatic",
                [("base", ["0", "0"]), ("follower", ["0", "0"])],
                "[0, 1, 0]",
            ),
        ],
    );
    let mechanism = support::mechanism(&text);
    let found = asked(&mechanism, &PlanarQuestion::default());
    let redundant = |note: &PlanarNote| matches!(note, PlanarNote::OnlySlides { .. });
    assert!(found.notes.iter().any(redundant), "{:?}", found.notes);
    assert!(found.is_complete(), "{:?}", found.notes);
    let worst = make::compared(&found, mechanism.robot()).unwrap();
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn the_plane_may_lie_anywhere() {
    let text = r#"
name = "tilted"
gravity = [0, 0, -9.81]
[lengths]
l1 = 0.4
[[body]]
name = "one"
parent = "base"
joint = "revolute"
axis = [-3, 0, -4]
[[body]]
name = "two"
parent = "one"
joint = "revolute"
xyz = ["0.8*l1", 0.1, "-0.6*l1"]
rpy = [0.3, 0.2, 0.1]
axis = [0, 0, 1]
"#;
    // The second axis, turned with its frame, is not the first.
    let error = refused(&support::mechanism(text));
    assert!(matches!(&error, IdentifiabilityError::LeavesPlane { joint, .. } if joint == "two"), "{error}");
    let mechanism = support::mechanism(&text.replace("rpy = [0.3, 0.2, 0.1]", "rpy = [0, \"atan(3/4)\", 0]"));
    let view = PlanarView::new(mechanism.robot()).unwrap();
    let both = view.projection().times(&view.embedding());
    let unit = steiner_linalg::elimination::Matrix::<f64>::identity(8);
    assert!(both.entries().iter().zip(unit.entries()).all(|(a, b)| (a - b).abs() < 1e-15));
    assert!((view.normal[0] - 0.6).abs() < 1e-15 && (view.normal[2] - 0.8).abs() < 1e-15);
    let found = asked(&mechanism, &PlanarQuestion::default());
    assert!(found.is_complete(), "{:?}", found.notes);
    let worst = make::compared(&found, mechanism.robot()).unwrap();
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn the_flag_of_a_file_asks_for_the_planar_view() {
    assert!(support::robot(&make::three_r()).planar);
    let spatial = read_robot("panda", &ReadOptions::default()).unwrap();
    assert!(!spatial.planar && PlanarView::new(&spatial).is_err());
    let labels = PlanarView::new(&support::robot(&make::three_r())).unwrap().labels();
    assert_eq!(labels[4..8], ["two.m", "two.mx", "two.my", "two.J"]);
}
