//! Formulas of planar mechanisms, by products of lengths and by derivation, against the certified nullspace.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Analysis, PlanarQuestion, PlanarView, Question, planar_base_parameters, symbolic,
};
use steiner_report::{Derivation, Formulas};
use steiner_robot::{Format, ReadOptions, Robot, assemble, parse_text, read_robot};

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
