//! Where every number of the base regressor comes from: measured rows by base parameters.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, MeasuredRow, Measurement};
use steiner_robot::{inertial_body, inertial_count, inertial_slot};

/// What multiplies a base parameter in a row, for trees whose forces are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A number of a block of the regressor.
    Block { block: usize, slot: usize },
    /// A term of the drive of a velocity: Ia, fv, fc, offset.
    Drive { velocity: usize, term: usize },
}

/// A measured row: its name, what is behind each base parameter it sees, and its weight 1/σ².
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: MeasuredRow,
    pub(crate) weight: f64,
    /// (source, base parameter), ascending by base parameter; empty where rows are not made of blocks.
    pub(crate) columns: Vec<(Source, usize)>,
}

const WRENCH: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];

/// The name of a measured row: the joint's, `base-wrench.fx`, `wrench:joint.tz`.
pub(crate) fn row_name(mechanism: &Mechanism, kind: MeasuredRow) -> String {
    match kind {
        MeasuredRow::Force(k) => mechanism.independent_names()[k].clone(),
        MeasuredRow::BaseWrench(k) => format!("base-wrench.{}", WRENCH[k]),
        MeasuredRow::JointWrench { body, component } => {
            format!("wrench:{}.{}", mechanism.robot().bodies[body].joint.name, WRENCH[component])
        }
    }
}

/// Whether all rows are forces of a plain tree that moves, so that they can be visited in lanes.
pub(crate) fn in_lanes(mechanism: &Mechanism, measurement: &Measurement) -> bool {
    let forces =
        measurement.measured_rows(mechanism).iter().all(|kind| matches!(kind, MeasuredRow::Force(_)));
    forces && mechanism.is_plain_tree() && !measurement.is_static() && measurement.ground_count() == 0
}

/// The rows of a measurement, each once.
pub(crate) fn rows(mechanism: &Mechanism, measurement: &Measurement, analysis: &Analysis) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for kind in measurement.measured_rows(mechanism) {
        if rows.iter().any(|row| row.kind == kind) {
            continue;
        }
        let columns = match kind {
            MeasuredRow::Force(force) if in_lanes(mechanism, measurement) => {
                force_columns(mechanism, measurement, analysis, force)
            }
            _ => Vec::new(),
        };
        rows.push(Row { name: row_name(mechanism, kind), kind, weight: 1.0, columns });
    }
    rows
}

fn force_columns(
    mechanism: &Mechanism,
    measurement: &Measurement,
    analysis: &Analysis,
    force: usize,
) -> Vec<(Source, usize)> {
    let layout = mechanism.layout();
    let bodies = inertial_count(mechanism.robot().bodies.len());
    let driven = measurement.driven();
    let source = |column: usize| {
        if column < bodies {
            let block = layout.blocks.binary_search(&(force, inertial_body(column))).ok()?;
            return Some(Source::Block { block, slot: inertial_slot(column) });
        }
        let (drive, term) = ((column - bodies) / 4, (column - bodies) % 4);
        let velocity = driven.get(drive)?.1;
        (velocity == force).then_some(Source::Drive { velocity, term })
    };
    let base = analysis.regrouping.base.iter().enumerate();
    base.filter_map(|(k, base)| source(base.column).map(|source| (source, k))).collect()
}
