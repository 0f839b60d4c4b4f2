//! Spectra of accelerations, from which the cut-off is chosen.

use super::block::in_threads;
use super::columns::{Columns, RateSource};
use super::rows::Rows;
use crate::error::LogError;
use crate::signals::{CutoffChoice, LowPass, SampledMotion, Spectrum};

/// Spectra of one coordinate's acceleration, smoothed over a third of an octave.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateSpectra {
    /// Name of the coordinate.
    pub name: String,
    /// Unfiltered.
    pub before: Spectrum,
    /// Filtered, if there is a filter.
    pub after: Option<Spectrum>,
    /// Where motion ends and noise begins, Hz.
    pub valley: Option<f64>,
    /// Expected error of the filtered acceleration at the best cut-off, relative to the motion's.
    pub expected_error: Option<f64>,
}

/// Spectra before and after the filter, from which the cut-off was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpectraOfFilter {
    /// One entry for each acceleration that is derived.
    pub coordinates: Vec<CoordinateSpectra>,
    /// The cut-off that the spectra suggest, Hz.
    pub suggested: Option<f64>,
}

/// The signals that must be differentiated to accelerations, with their names.
pub(crate) fn differentiated(stretch: &Rows, columns: &Columns) -> (Vec<String>, Vec<SampledMotion>) {
    let (mut names, mut motions) = (Vec::new(), Vec::new());
    let mut add = |name: String, slot: usize, differences: u32| {
        names.push(name);
        motions.push(SampledMotion { samples: stretch.columns[slot].clone(), differences });
    };
    let mut bodies = Vec::new();
    for coordinate in columns.rates.iter().filter(|rate| rate.qdd.is_none()) {
        match (coordinate.qd, coordinate.source) {
            (Some(slot), _) => add(coordinate.name.clone(), slot, 1),
            (None, RateSource::Number(number)) => add(coordinate.name.clone(), columns.q[number], 2),
            (None, RateSource::Body { joint, .. }) if !bodies.contains(&joint) => {
                bodies.push(joint);
                let body = &columns.body_joints[joint];
                for k in 0..body.numbers {
                    add(format!("{}:{k}", body.name), columns.q[body.first + k], 2);
                }
            }
            _ => {}
        }
    }
    (names, motions)
}

/// The spectra of accelerations before and after the filter.
pub(crate) fn spectra(
    names: Vec<String>,
    mut motions: Vec<SampledMotion>,
    choice: &CutoffChoice,
    filter: Option<&LowPass>,
    rate: f64,
) -> Result<SpectraOfFilter, LogError> {
    let mut after = Vec::new();
    if let Some(filter) = filter.filter(|_| !choice.spectra.is_empty()) {
        in_threads(motions.iter_mut().map(|motion| &mut motion.samples).collect(), |signal| {
            *signal = filter.zero_phase(signal, filter.memory(1e-3).min(signal.len() - 1))?;
            Ok(())
        })?;
        after = motions.iter().map(|motion| motion.acceleration_spectrum(rate)).collect();
    }
    let coordinates = names
        .into_iter()
        .zip(&choice.spectra)
        .zip(&choice.valleys)
        .enumerate()
        .map(|(k, ((name, before), valley))| CoordinateSpectra {
            name,
            before: before.smoothed(),
            after: after.get(k).map(|spectrum| spectrum.smoothed()),
            valley: valley.map(|(frequency, _)| frequency),
            expected_error: valley.map(|(_, error)| error),
        })
        .collect();
    Ok(SpectraOfFilter { coordinates, suggested: choice.cutoff })
}
