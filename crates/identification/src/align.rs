//! Forces that come later (or earlier) than the motion that they belong to, shifted back onto it.
//!
//! A force that is late by L leaves residuals e ≈ −L ṗ, where p is what the model predicts. Parameters take up a
//! part of a lag (friction looks like one), so a fit shows less of it than there is: the shift is found where a fit
//! to shifted forces shows none any more, by the secant method. What delays one force often delays all: where most forces
//! have the same lag, those whose own is not seen are shifted alike.

use steiner_dynamics::Mechanism;
use steiner_identifiability::MeasuredRow;
use steiner_logs::{FrictionModel, Part, Recording, Role};

use crate::accumulate::{Source, TrialPairs};
use crate::failure::IdentificationError;
use crate::identification::{ForceLag, Identification};
use crate::identify::identify_from;
use crate::note::IdentificationNote;
use crate::problem::Problem;
use crate::recorded_logs::CutoffTrials;
use crate::settings::Settings;

/// Fits that are made, at most.
const ROUNDS: usize = 8;
/// Lags below this are none, s.
const NONE: f64 = 2e-5;
/// Lags are the same if they differ by less than this part of them.
const ALIKE: f64 = 0.2;
/// Bounds on how much more there is of a lag than a fit shows.
const HIDDEN: (f64, f64) = (1.0, 6.0);

/// Identifies from forces that are shifted onto their motion, each by a lag of its own, as far as a lag is more
/// than chance. [`Identification::aligned`] says by how much.
pub fn identify_aligned(
    mechanism: &Mechanism,
    source: &mut dyn Source,
    settings: &Settings,
) -> Result<Identification, IdentificationError> {
    let mut found = identify_from(mechanism, source, settings)?;
    let trials = found.cutoff_trials.clone();
    let dof = mechanism.plan().independent.len();
    let mut shifts = vec![0.0; dof];
    let mut fit = |shifts: &[f64]| {
        let (shifts, trials) = (shifts.to_vec(), trials.clone());
        identify_from(mechanism, &mut Aligned { source: &mut *source, shifts, trials }, settings)
    };
    // What the fit before showed, and the shift since.
    let mut before: Vec<Option<(f64, f64)>> = vec![None; dof];
    for _ in 1..ROUNDS {
        let steps = steps(&found, &shifts);
        if steps.iter().all(|step| step.abs() < NONE) {
            break;
        }
        for (k, &step) in steps.iter().enumerate() {
            // Of a shift by `moved` the fit shows the part shown − step.
            let hidden = before[k].map_or(1.0, |(shown, moved)| moved / (shown - step));
            let hidden =
                if hidden.is_finite() && hidden > 0.0 { hidden.clamp(HIDDEN.0, HIDDEN.1) } else { 1.0 };
            let move_by = hidden * step;
            if step != 0.0 {
                before[k] = Some((step, move_by));
            }
            shifts[k] += move_by;
        }
        found = fit(&shifts)?;
    }
    let names = mechanism.independent_names();
    let mut alike = Vec::new();
    if let Some(common) = common_lag(&found, &shifts) {
        // Parameters take up a part of a lag, or all of it.
        let less = |k: &usize| (0.0..1.0 - ALIKE).contains(&(shifts[*k] / common));
        let rows = forces(&found).filter(less).collect::<Vec<_>>();
        for &k in &rows {
            shifts[k] = common;
        }
        if !rows.is_empty() {
            found = fit(&shifts)?;
            alike = rows.into_iter().map(|k| names[k].clone()).collect();
        }
    }
    if shifts.iter().any(|shift| *shift != 0.0) {
        let shifted = names.into_iter().zip(shifts).filter(|(_, shift)| *shift != 0.0);
        found.aligned = shifted.collect();
        let note = IdentificationNote::Aligned { rows: found.aligned.clone(), alike };
        found.notes.insert(0, note);
    }
    Ok(found)
}

/// Independent coordinates whose force is measured.
fn forces(found: &Identification) -> impl Iterator<Item = usize> + '_ {
    found.problem().rows().iter().filter_map(|row| match row.kind {
        MeasuredRow::Force(k) => Some(k),
        _ => None,
    })
}

/// The lag that most forces have: at least two, and half of all.
fn common_lag(found: &Identification, shifts: &[f64]) -> Option<f64> {
    let shown: Vec<f64> = forces(found).map(|k| shifts[k]).filter(|shift| *shift != 0.0).collect();
    let alike = |one: f64| -> Vec<f64> {
        shown.iter().copied().filter(|other| (other / one - 1.0).abs() < ALIKE).collect()
    };
    let most = shown.iter().map(|&one| alike(one)).max_by_key(Vec::len)?;
    let mean = most.iter().sum::<f64>() / most.len() as f64;
    (most.len() >= 2 && 2 * most.len() >= forces(found).count()).then_some(mean)
}

/// What a fit shows of the lag of each coordinate's force; zero where that may be chance and no lag was found
/// before.
fn steps(found: &Identification, shifts: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; shifts.len()];
    for (ForceLag { seconds, by_chance, .. }, row) in found.lags.iter().zip(found.problem().rows()) {
        if let (MeasuredRow::Force(k), Some(seconds)) = (row.kind, seconds)
            && (!by_chance || shifts[k] != 0.0)
        {
            out[k] = *seconds;
        }
    }
    out
}

/// A source whose forces are shifted in time.
pub struct Aligned<'s> {
    source: &'s mut dyn Source,
    /// How much later than the motion the force of each independent coordinate was recorded, s.
    shifts: Vec<f64>,
    /// What was decided about the cut-off before.
    trials: Option<CutoffTrials>,
}

impl<'s> Aligned<'s> {
    /// The source of an identification with the shifts that it found.
    pub fn as_identified(source: &'s mut dyn Source, identification: &Identification) -> Self {
        let names = identification.problem().mechanism().independent_names();
        let shift = |name: &String| {
            let found = identification.aligned.iter().find(|(row, _)| row == name);
            found.map_or(0.0, |(_, shift)| *shift)
        };
        let shifts = names.iter().map(shift).collect();
        Aligned { source, shifts, trials: identification.cutoff_trials.clone() }
    }
}

impl Source for Aligned<'_> {
    fn prepare(&mut self, _: &Problem, _: &Settings) -> Result<Option<CutoffTrials>, IdentificationError> {
        Ok(self.trials.clone())
    }

    fn fixes_scale(&self) -> bool {
        self.source.fixes_scale()
    }

    fn widest_band(
        &mut self,
        trials: &CutoffTrials,
        friction: FrictionModel,
    ) -> Result<Option<Vec<Recording>>, IdentificationError> {
        let recordings = self.source.widest_band(trials, friction)?;
        let all = |all: Vec<Recording>| all.iter().map(|one| shifted(one, &self.shifts)).collect();
        Ok(recordings.map(all))
    }

    fn trial_recordings(&mut self, friction: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        let recordings = self.source.trial_recordings(friction)?;
        Ok(recordings.iter().map(|recording| shifted(recording, &self.shifts)).collect())
    }

    fn at_hand(&mut self, friction: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        let recordings = self.source.at_hand(friction)?;
        Ok(recordings.iter().map(|recording| shifted(recording, &self.shifts)).collect())
    }

    fn trial_pairs(&mut self, friction: FrictionModel) -> Result<Option<TrialPairs>, IdentificationError> {
        let pairs = self.source.trial_pairs(friction)?;
        let both = |(recording, instruments): &(Recording, Recording)| {
            (shifted(recording, &self.shifts), shifted(instruments, &self.shifts))
        };
        Ok(pairs.map(|pairs| pairs.iter().map(both).collect()))
    }

    fn carry(&mut self, friction: FrictionModel) {
        self.source.carry(friction);
    }

    fn unfiltered(&mut self) -> Result<Vec<Recording>, IdentificationError> {
        let recordings = self.source.unfiltered()?;
        Ok(recordings.iter().map(|recording| shifted(recording, &self.shifts)).collect())
    }

    fn working(&mut self, part: f64) -> Result<(), IdentificationError> {
        self.source.working(part)
    }

    fn chunks_with_instruments(
        &mut self,
        each: &mut dyn FnMut(&Recording, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        let Aligned { source, shifts, .. } = self;
        // Both lose the same samples at the ends of parts.
        source.chunks_with_instruments(&mut |recording, instruments| {
            each(&shifted(recording, shifts), &shifted(instruments, shifts))
        })
    }

    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        let Aligned { source, shifts, .. } = self;
        source.chunks(&mut |recording| each(&shifted(recording, shifts)))
    }
}

/// A recording with forces from later: τ(t + shift), by cubics through four neighbours. Samples at the ends of
/// parts, whose forces are not known, are in none.
fn shifted(recording: &Recording, shifts: &[f64]) -> Recording {
    let mut out = recording.clone();
    let (dof, Some(period)) = (shifts.len(), recording.period()) else { return out };
    let reach = shifts.iter().fold(0.0f64, |most, shift| most.max(shift.abs()));
    if reach == 0.0 || recording.tau.len() != dof * recording.count {
        return out;
    }
    let border = (reach / period).ceil() as usize + 2;
    out.parts.clear();
    for Part { samples, role } in recording.parts() {
        if samples.len() <= 2 * border {
            continue;
        }
        let inner = samples.start + border..samples.end - border;
        for (k, shift) in shifts.iter().enumerate().filter(|(_, shift)| **shift != 0.0) {
            let (whole, part) = ((shift / period).floor(), (shift / period).rem_euclid(1.0));
            let weights = cubic(part);
            for sample in inner.clone() {
                let first = (sample as i64 + whole as i64 - 1) as usize;
                let values = weights.iter().enumerate();
                out.tau[dof * sample + k] =
                    values.map(|(i, weight)| weight * recording.tau[dof * (first + i) + k]).sum();
            }
        }
        out.parts.push(Part { samples: inner, role });
    }
    // No part at all would mean all samples.
    if out.parts.is_empty() {
        out.parts.push(Part { samples: 0..0, role: Role::Training });
    }
    out
}

/// Weights of the values at −1, 0, 1 and 2 for one at x between 0 and 1 (Lagrange).
fn cubic(x: f64) -> [f64; 4] {
    [
        -x * (x - 1.0) * (x - 2.0) / 6.0,
        (x + 1.0) * (x - 1.0) * (x - 2.0) / 2.0,
        -(x + 1.0) * x * (x - 2.0) / 2.0,
        (x + 1.0) * x * (x - 1.0) / 6.0,
    ]
}

#[cfg(test)]
mod tests {
    use steiner_logs::{Part, Recording, Role};

    use super::shifted;

    #[test]
    fn a_late_signal_comes_back_to_its_time() {
        let t: Vec<f64> = (0..400).map(|k| 0.01 * f64::from(k)).collect();
        let late = [0.0043, -0.0271];
        let force = |t: f64, k: usize| (3.0 * t + k as f64).sin();
        let tau = t.iter().flat_map(|t| [force(t - late[0], 0), force(t - late[1], 1)]).collect();
        let part = |samples, role| Part { samples, role };
        let parts = vec![part(0..300, Role::Training), part(300..400, Role::Validation)];
        let recording = Recording { count: t.len(), t: t.clone(), tau, parts, ..Recording::default() };
        let moved = shifted(&recording, &late);
        let ranges: Vec<_> = moved.parts.iter().map(|part| part.samples.clone()).collect();
        assert_eq!(ranges, [5..295, 305..395]);
        for sample in ranges.into_iter().flatten() {
            for k in 0..2 {
                let error = moved.tau[2 * sample + k] - force(t[sample], k);
                assert!(error.abs() < 1e-6, "{sample} {k}: {error}");
            }
        }
    }
}
