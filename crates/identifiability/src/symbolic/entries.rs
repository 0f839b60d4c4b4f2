//! The entries of β as functions: evaluated at members of a family, in F_p or with
//! many digits, and interpolated.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::{all_threads, in_parallel};
use steiner_robot::{JointKind, ParameterKind};
use steiner_scalar::QuadDouble;
use steiner_symbols::algebra::{
    BlackBox, Digits, Interpolation, Recovered, Reference, Resistance, Sample, Settings, Values,
    interpolate_partial, recognise_residue,
};

use super::family::Family;
use super::roots::roots;
use super::weights::Split;
use super::{SymbolicParameter, Weight, values_of};
use crate::analysis::{Analysis, Question};
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;

/// Fresh members a function must agree with.
pub(super) const CHECKS: usize = 6;
/// Decimal digits of a quad-double.
const QUAD_DIGITS: u32 = 62;
/// Members with loops that are evaluated together. The same on every machine, so that results are.
const TOGETHER: usize = 4;

/// The entries of β that aren't zero.
pub(super) struct Entries {
    split: Split,
    /// (base, dependent), by place in the split.
    places: Vec<(usize, usize)>,
    /// The power of length of each entry, if parameters are those of bodies.
    dimensions: Vec<Option<i32>>,
    /// β of the file, in doubles.
    values: Vec<f64>,
    /// √d that may occur in β at rational lengths.
    roots: Vec<u64>,
}

impl Entries {
    /// Of an analysis, and of members near the file's.
    pub(super) fn of(
        analysis: &Analysis,
        mechanism: &Mechanism,
        question: &Question,
        split: Split,
        family: &Family,
    ) -> Result<Self, IdentifiabilityError> {
        let measurement = question.measurement(mechanism)?;
        let general = split.weighted(family, question);
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (b, &column) in split.base.iter().enumerate() {
            let Some(base) = analysis.regrouping.base.iter().find(|base| base.column == column) else {
                continue;
            };
            for (d, &dependent) in split.dependent.iter().enumerate() {
                let term = base.terms.iter().skip(1).find(|(other, _)| *other == dependent);
                if term.is_some() || general.contains(&(b, d)) {
                    places.push((b, d));
                    values.push(term.map_or(0.0, |(_, value)| *value));
                }
            }
        }
        let powers: Vec<Option<i32>> = (0..analysis.labels.len())
            .map(|column| power_of_length(mechanism, &measurement, column))
            .collect();
        let dimension = |&(b, d): &(usize, usize)| -> Option<i32> {
            Some(powers[split.base[b]]? - powers[split.dependent[d]]?)
        };
        let dimensions = places.iter().map(dimension).collect();
        let roots = roots(family.robot());
        Ok(Entries { split, places, dimensions, values, roots })
    }

    /// All of them as functions, and the digits they were evaluated with.
    pub(super) fn recovered(&self, family: &Family, question: &Question) -> (Interpolation, Option<u32>) {
        let all: Vec<usize> = (0..self.places.len()).collect();
        let mut found = self.interpolated(family, question, &all, |k| self.dimensions[k]);
        // Lengths that are numbers in the file spoil dimensions.
        let inhomogeneous = |entry: &Recovered| {
            matches!(entry, Recovered::Resists(Resistance::Dimension { .. } | Resistance::NoSolution { .. }))
        };
        let open: Vec<usize> = all.into_iter().filter(|&k| inhomogeneous(&found.entries[k])).collect();
        if !open.is_empty() {
            let again = self.interpolated(family, question, &open, |_| None);
            found.evaluations += again.evaluations;
            open.into_iter().zip(again.entries).for_each(|(k, entry)| found.entries[k] = entry);
        }
        (found, (!family.is_tree()).then_some(QUAD_DIGITS))
    }

    /// Some entries, by their places, of the dimensions a rule gives.
    fn interpolated(
        &self,
        family: &Family,
        question: &Question,
        entries: &[usize],
        dimension: impl Fn(usize) -> Option<i32>,
    ) -> Interpolation {
        let mut settings = Settings::near(family.centre().clone());
        settings.checks = CHECKS;
        let (lengths, angles) = values_of(family.variables());
        let values = entries.iter().map(|&k| self.values[k]).collect();
        settings.reference = Some(Reference { lengths, angles, values });
        let places: Vec<(usize, usize)> = entries.iter().map(|&k| self.places[k]).collect();
        let mut in_field = |samples: &[Sample], _: &[bool]| -> Vec<Option<Values>> {
            samples.iter().map(|sample| self.residues(family, question, &places, sample)).collect()
        };
        let mut in_digits = |samples: &[Sample], asked: &[bool]| -> Vec<Option<Values>> {
            let one = |sample: &Sample| self.recognised(family, question, &places, asked, sample);
            in_parallel(samples.len(), all_threads(), |k| one(&samples[k]))
        };
        let black_box: &mut BlackBox<'_> = match family.is_tree() {
            true => &mut in_field,
            false => {
                // Thirty digits would do for the entries themselves; along lines through several
                // lengths their fractions are longer.
                (settings.digits, settings.spread, settings.together) = (3, 0.12, TOGETHER);
                &mut in_digits
            }
        };
        let dimensions: Vec<Option<i32>> = entries.iter().map(|&k| dimension(k)).collect();
        interpolate_partial(&family.names(), &dimensions, black_box, &settings)
    }

    /// β of a member without loops.
    fn residues(
        &self,
        family: &Family,
        question: &Question,
        places: &[(usize, usize)],
        sample: &Sample,
    ) -> Option<Values> {
        let member = family.member(sample)?;
        let measurement = question.measurement(&member).ok()?;
        let beta = self.split.in_field(&member, &measurement).ok()??;
        Some(places.iter().map(|&place| Some(beta[place])).collect())
    }

    /// β of a member with loops, each entry as the residue of the number it is.
    fn recognised(
        &self,
        family: &Family,
        question: &Question,
        places: &[(usize, usize)],
        asked: &[bool],
        sample: &Sample,
    ) -> Option<Values> {
        let member = family.member(sample)?;
        let measurement = question.measurement(&member).ok()?;
        let beta: Matrix<QuadDouble> = self.split.in_digits(&member, &measurement).ok()??;
        // Closure and elimination cost 10 to 20 bits on the zoo, and more where a pivot is a small length.
        let error = (40.0 - QuadDouble::BITS).exp2();
        let entries = places.iter().zip(asked);
        Some(
            entries
                .map(|(&place, asked)| asked.then(|| recognise_residue(beta[place], error, &self.roots))?)
                .collect(),
        )
    }

    /// Base parameters with what was found.
    pub(super) fn parameters(&self, analysis: &Analysis, found: Vec<Recovered>) -> Vec<SymbolicParameter> {
        let mut parameters: Vec<SymbolicParameter> = analysis
            .regrouping
            .base
            .iter()
            .map(|base| SymbolicParameter { column: base.column, terms: Vec::new() })
            .collect();
        for ((&(b, d), recovered), &value) in self.places.iter().zip(found).zip(&self.values) {
            let weight = match recovered {
                Recovered::Function(function) => Weight::Function(function),
                Recovered::Resists(reason) => Weight::Number { value, reason: reason.to_string() },
            };
            let column = self.split.base[b];
            if let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.column == column) {
                parameter.terms.push((self.split.dependent[d], weight));
            }
        }
        parameters
    }
}

/// The power of length in the unit of a parameter beside mass; `None` for friction.
fn power_of_length(mechanism: &Mechanism, measurement: &Measurement, column: usize) -> Option<i32> {
    let id = measurement.parameters(mechanism).id(column);
    match id.kind {
        ParameterKind::Ia => {
            let moving = id.body.checked_sub(measurement.ground_count())?;
            let slides = matches!(mechanism.robot().bodies[moving].joint.kind, JointKind::Prismatic);
            Some(if slides { 0 } else { 2 })
        }
        kind => kind.is_inertial().then(|| kind.length_power()),
    }
}
