//! DRNG beside the certified nullspace.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Measurement, TetrahedralModel, drng, drng_nullspace, structural_nullspace};

use super::{dense, rank};

/// Asserts that vectors are independent and that all lie in a span of independent ones.
pub(crate) fn assert_independent_and_within(
    name: &str,
    ours: &[Vec<f64>],
    span: &[Vec<f64>],
    columns: usize,
) {
    assert_eq!(rank(ours, columns), ours.len(), "{name}: independent");
    let both: Vec<Vec<f64>> = ours.iter().chain(span).cloned().collect();
    assert_eq!(rank(&both, columns), span.len(), "{name}: no false vector");
}

/// Checks DRNG against the certified nullspace and answers how many vectors it has and how many it misses.
pub(crate) fn compared(name: &str, mechanism: &Mechanism) -> (usize, usize) {
    let found = drng_nullspace(mechanism).unwrap();
    let certified = structural_nullspace(mechanism, &Measurement::all()).unwrap();
    assert!(certified.certificate.complete, "{name}");
    let columns = certified.parameters;
    let span = dense(&certified.vectors, columns);
    assert_independent_and_within(name, &dense(&found, columns), &span, columns);
    (found.len(), span.len() - found.len())
}

/// The vectors of a prepared model as rows over all parameters.
fn rows(model: &TetrahedralModel) -> Vec<Vec<f64>> {
    let row = |vector: &steiner_identifiability::JointVector| {
        let mut row = vec![0.0; 10 * model.body_count()];
        row[10 * vector.child..][..10].copy_from_slice(&vector.in_child);
        if let Some(parent) = vector.parent {
            row[10 * parent..][..10].copy_from_slice(&vector.in_parent);
        }
        row
    };
    drng(model).iter().map(row).collect()
}

/// Asserts that a model made of the robot alone gives the span of one made of the mechanism.
pub(crate) fn assert_prepared_alike(name: &str, mechanism: &Mechanism) {
    let evaluated = rows(&TetrahedralModel::new(mechanism).unwrap());
    let exact = rows(&TetrahedralModel::from_robot(mechanism.robot()).unwrap());
    assert_eq!(evaluated.len(), exact.len(), "{name}");
    assert_independent_and_within(name, &evaluated, &exact, mechanism.layout().columns());
}
