//! Formulas of planar mechanisms, by products of lengths and by derivation, against the certified nullspace.

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identifiability::{
    Analysis, PlanarBaseParameters, PlanarQuestion, PlanarView, PlanarWeight, Question, TransferCheck,
    Weight, analyze, planar_base_parameters, symbolic,
};
use steiner_report::{Derivation, FormulaTerm, Formulas, FurtherAnswers, SymbolicAnswer, analysis_html_with};
use steiner_robot::Robot;

/// Asserts that no unidentifiable direction changes a base parameter, and that there are as many as the rank.
fn assert_complete(formulas: &Formulas, view: &PlanarView, analysis: &Analysis) {
    assert_eq!(formulas.parameters.len(), analysis.identifiable());
    let projection = view.projection();
    for vector in &analysis.vectors {
        let mut seen = vec![0.0; formulas.labels.len()];
        for &(column, x) in &vector.entries {
            (0..seen.len()).for_each(|row| seen[row] += projection[(row, column)] * x);
        }
        for parameter in &formulas.parameters {
            let change: f64 = parameter.terms.iter().map(|term| term.value * seen[term.column]).sum();
            assert!(change.abs() < 1e-9, "{}: {change}", formulas.labels[parameter.column]);
        }
    }
}

fn four_bar_on_a_carrier() -> Robot {
    let text = include_str!("files/carried_four_bar.toml");
    let options = ReadOptions::default();
    let description = parse_text(text, "carried_four_bar.toml", Format::Toml, None, &options).unwrap();
    assemble(description, &options).unwrap()
}

#[test]
fn the_four_bar_has_the_products_of_equation_25() {
    let robot = read_robot("four_bar", &ReadOptions::default()).unwrap();
    let (analysis, _) = symbolic(&robot, &Question::default()).unwrap();
    let mechanism = Mechanism::new(robot.clone()).unwrap();
    let found = planar_base_parameters(&mechanism, &PlanarQuestion::default()).unwrap();
    let formulas = Formulas::planar(&robot, &found, 0.0).unwrap();
    assert_eq!(formulas.derivation.path(), "planar");
    assert_complete(&formulas, &PlanarView::new(&robot).unwrap(), &analysis);
}

#[test]
fn a_loop_away_from_the_ground_is_derived_and_seen_in_the_plane() {
    let robot = four_bar_on_a_carrier();
    let mechanism = Mechanism::new(robot.clone()).unwrap();
    let refused = planar_base_parameters(&mechanism, &PlanarQuestion::default()).unwrap_err();
    let (analysis, found) = symbolic(&robot, &Question::default()).unwrap();
    let view = PlanarView::new(&robot).unwrap();
    let formulas = Formulas::in_plane(&analysis, &found, &view, &refused.to_string()).unwrap();
    assert!(matches!(formulas.derivation, Derivation::Interpolated { .. }));
    assert!(formulas.notes[0].contains("A.5"), "{:?}", formulas.notes);
    assert_complete(&formulas, &view, &analysis);
}

/// Numbers beside formulas are the mechanism's: a wrong formula is noticed by whoever compares the two.
#[test]
fn numbers_beside_products_are_found_without_them() {
    let robot = read_robot("five_bar", &ReadOptions::default()).unwrap();
    let mut found =
        planar_base_parameters(&Mechanism::new(robot.clone()).unwrap(), &PlanarQuestion::default()).unwrap();
    let largest_error = |found: &PlanarBaseParameters| {
        let formulas = Formulas::planar(&robot, found, 0.0).unwrap();
        let (lengths, angles) = formulas.values();
        let error = |(_, term): (usize, &FormulaTerm)| {
            let Weight::Function(function) = &term.weight else { panic!("a number") };
            (function.evaluate(&lengths, &angles) - term.value).abs()
        };
        formulas.terms().map(error).fold(0.0, f64::max)
    };
    assert!(largest_error(&found) < 1e-13);
    let products = found.weights.iter_mut().flatten();
    let product = products.filter_map(|weight| match weight {
        PlanarWeight::Product(product) => Some(product),
        _ => None,
    });
    product.take(1).for_each(|product| product.negative = !product.negative);
    assert!(largest_error(&found) > 0.1);
}

#[test]
fn products_in_doubt_are_not_written() {
    let robot = read_robot("five_bar", &ReadOptions::default()).unwrap();
    let found =
        planar_base_parameters(&Mechanism::new(robot.clone()).unwrap(), &PlanarQuestion::default()).unwrap();
    let visible = PlanarBaseParameters { residual: Some(1e-3), ..found.clone() };
    assert!(Formulas::planar(&robot, &visible, 0.0).unwrap_err().contains("of a force"));
    let transfers = TransferCheck::Differ { entries: vec![(0, 1)] };
    let differing = PlanarBaseParameters { transfers, ..found };
    assert!(Formulas::planar(&robot, &differing, 0.0).unwrap_err().contains("transfers"));
}

#[test]
fn the_page_says_whose_parameters_are_in_symbols() {
    let robot = read_robot("four_bar", &ReadOptions::default()).unwrap();
    let mechanism = Mechanism::new(robot.clone()).unwrap();
    let analysis = analyze(&mechanism, &Question::default()).unwrap();
    let found = planar_base_parameters(&mechanism, &PlanarQuestion::default()).unwrap();
    let formulas = Formulas::planar(&robot, &found, 0.0).unwrap();
    let answer = SymbolicAnswer { formulas: &formulas, sensitivity: None, special: None };
    let page = analysis_html_with(
        &mechanism,
        &analysis,
        &FurtherAnswers { symbolic: Some(&answer), ..FurtherAnswers::default() },
    );
    assert!(page.contains("Four parameters of each link in its plane"));
    let (analysis, found) = symbolic(&robot, &Question::default()).unwrap();
    let formulas = Formulas::derived(&analysis, &found);
    let answer = SymbolicAnswer { formulas: &formulas, sensitivity: None, special: None };
    let page = analysis_html_with(
        &mechanism,
        &analysis,
        &FurtherAnswers { symbolic: Some(&answer), ..FurtherAnswers::default() },
    );
    assert!(!page.contains("Four parameters of each link"));
}
