//! Base parameters: the combinations that forces can tell, from the nullspace alone.
//!
//! Choose as many dependent parameters D as there are null vectors, so that the basis can be solved for
//! them: vectors v_d = e_d + Σ_b c_db e_b, d ∈ D, b ∉ D. What stays constant along all of them are
//! β_b = π_b − Σ_d c_db π_d: the base parameters. Which D to take is a matter of taste; the default
//! follows Khalil: of what a joint shares, the outer body's mass, its first moment along the axis and
//! one moment of inertia are eliminated.

use std::collections::BTreeSet;

use steiner_dynamics::Mechanism;
use steiner_robot::{JointKind, ParameterKind};

use crate::measure::Measurement;
use crate::nullspace::NullVector;
use crate::solved_basis::solve_for;
use crate::supports::gear_trains;
use crate::weak::units_of_columns;

/// A parameter with what is regrouped into it.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameter {
    /// The parameter it is named after.
    pub column: usize,
    /// (column, factor): itself with factor 1 first, then the parameters regrouped into it.
    pub terms: Vec<(usize, f64)>,
}

/// Which parameters are identifiable alone, which in groups, and which not at all.
#[derive(Clone, Debug, Default)]
pub struct Regrouping {
    /// The base parameters, by column.
    pub base: Vec<BaseParameter>,
    /// Parameters without any effect: their columns are identically zero.
    pub unidentifiable: Vec<usize>,
    /// Parameters that are base parameters by themselves.
    pub alone: Vec<usize>,
    /// Parameters that matter only in combination with others.
    pub combined: Vec<usize>,
}

/// Order in which the parameters of one body are eliminated: m, mz, my, mx, Iyy, Izz, Ixx, then the products.
const KHALIL: [usize; 10] = [0, 3, 2, 1, 6, 9, 4, 5, 7, 8];

/// Which parameters to eliminate, where there is a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preference {
    /// Columns to eliminate before all others, in this order.
    pub eliminate: Vec<usize>,
    /// Columns to eliminate only if there is no other way.
    pub keep: Vec<usize>,
}

impl Preference {
    /// All columns in the order of elimination: what the user names first; then Khalil's preference with
    /// outer bodies first; last what the user wants to keep. The inertia of a drive that turns goes into that
    /// of the body it turns; what else a drive has is kept.
    fn order(&self, mechanism: &Mechanism, measurement: &Measurement) -> [Vec<usize>; 3] {
        let parameters = measurement.parameters(mechanism);
        let ground = measurement.ground_count();
        let turns = |body: usize| {
            let joint = body.checked_sub(ground).map(|moving| &mechanism.robot().bodies[moving].joint.kind);
            !matches!(joint, Some(JointKind::Prismatic))
        };
        let mut default = Vec::with_capacity(parameters.len());
        let mut last = Vec::new();
        for body in (0..parameters.bodies().len()).rev() {
            let columns = parameters.columns_of(body);
            let (own, drive) = columns.split_at(ParameterKind::INERTIAL.len());
            default.extend(KHALIL[..4].iter().map(|&k| own[k]));
            default.extend(drive.first().filter(|_| turns(body)));
            default.extend(KHALIL[4..].iter().map(|&k| own[k]));
            last.extend(drive.iter().skip(usize::from(turns(body))));
        }
        let named = |column: &usize| self.eliminate.contains(column) || self.keep.contains(column);
        let others = default.into_iter().chain(last).filter(|column| !named(column)).collect();
        let kept = self.keep.iter().filter(|column| !self.eliminate.contains(column)).copied().collect();
        [self.eliminate.clone(), others, kept]
    }
}

/// The base parameters of a nullspace for what is measured.
pub fn regroup(
    mechanism: &Mechanism,
    measurement: &Measurement,
    vectors: &[NullVector],
    preference: &Preference,
) -> Regrouping {
    let parameters = measurement.columns(mechanism);
    let known: Vec<usize> = measurement.known().iter().map(|(column, _)| *column).collect();
    let order = preference.order(mechanism, measurement);
    let units = units_of_columns(mechanism, measurement);
    let list = measurement.parameters(mechanism);
    let geared: BTreeSet<usize> = gear_trains(mechanism).into_iter().flatten().collect();
    let is_geared = |column: usize| {
        let id = list.id(column);
        let moving = id.body.checked_sub(measurement.ground_count());
        !id.kind.is_inertial() || moving.is_some_and(|body| geared.contains(&body))
    };
    let solved = solve_for(vectors, &units, &order, is_geared);
    let mut regrouping = Regrouping::default();
    let (mut in_a_group, mut is_dependent) = (vec![false; parameters], vec![false; parameters]);
    let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); parameters];
    for (d, row) in solved {
        is_dependent[d] = true;
        let mut alone = true;
        for (b, x) in row.into_iter().filter(|(b, _)| *b != d) {
            alone = false;
            in_a_group[b] = true;
            terms[b].push((d, clean(-x * (units[b] / units[d]))));
        }
        if alone {
            regrouping.unidentifiable.push(d);
        } else {
            in_a_group[d] = true;
        }
    }
    for (column, mut others) in terms.into_iter().enumerate() {
        if is_dependent[column] || known.contains(&column) {
            continue;
        }
        others.sort_by_key(|(d, _)| *d);
        if others.is_empty() {
            regrouping.alone.push(column);
        }
        let terms = std::iter::once((column, 1.0)).chain(others).collect();
        regrouping.base.push(BaseParameter { column, terms });
    }
    regrouping.unidentifiable.sort_unstable();
    regrouping.combined = (0..parameters).filter(|&column| in_a_group[column]).collect();
    regrouping
}

/// Of ten, as far as doubles have them exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// 0.4318 for 0.43180000000000002: the shortest decimal within the rounding of the elimination.
pub(crate) fn clean(x: f64) -> f64 {
    // Thirteen digits are an integer below 2⁵³, and powers of ten up to 10²² are exact.
    let digits = 12.0 - x.abs().log10().floor();
    if (0.0..=22.0).contains(&digits) {
        let power = POWERS[digits as usize];
        return (x * power).round() / power;
    }
    format!("{x:.12e}").parse().unwrap_or(x)
}
