//! Spectra of accelerations, to choose the cut-off by and to judge it.

use super::block::in_threads;
use super::columns::{Columns, RateSource};
use super::rows::Rows;
use super::{CoordinateSpectra, SpectraOfFilter};
use crate::error::LogError;
use crate::signals::{CutoffChoice, LowPass, SampledMotion};

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
                let joint_name = coordinate.name.split(':').next().unwrap_or_default();
                for k in 0..body.kind.configuration_size() {
                    add(format!("{joint_name}:{k}"), columns.q[body.first + k], 2);
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
