//! What the settings become for a log: its first rows decide about clock, cut-off, borders and thinning.

use super::SpectraOfFilter;
use super::around::{FinePlan, greatest_step};
use super::columns::Columns;
use super::processing::{Cutoff, Processing, Resample, Settled, Thinning, Trim};
use super::rest::rest_speeds;
use super::rows::Rows;
use super::spectra::{differentiated, spectra};
use crate::error::LogError;
use crate::note::{DerivedQuantity, LogNote, ProcessingNote, ReadingNote, UnevenStamps};
use crate::signals::{CutoffChoice, Decimation, LowPass, Resampling, Sampling, choose_cutoff, significant};

/// Deviations of the stamps from even ones that nobody minds, in intervals.
pub(crate) const EVEN: f64 = 0.01;
/// Intervals up to this many usual ones are bridged by interpolation.
const LONGEST_BRIDGE: f64 = 5.5;

/// Periods of the cut-off that a stretch between gaps must last: without its borders something must be left.
const PERIODS: f64 = 6.0;
/// A stretch of at least this part of the time has no gaps to speak of.
const WHOLE: f64 = 0.95;
/// A filter that takes more than this part off an acceleration cuts into the motion.
const MOTION: f64 = 0.1;

/// The cut-off, of the Nyquist frequency of thinned samples: what is left of noise is nearly white.
const THINNED: f64 = 0.8;

/// What the first rows decided.
pub(crate) struct Plan {
    pub(crate) settled: Settled,
    pub(crate) filter: Option<LowPass>,
    /// Where forces are filtered too, and nothing but picked from what is left.
    pub(crate) fine: Option<FinePlan>,
    /// Whether the samples are (or become) even.
    pub(crate) even: bool,
    /// Intervals longer than this are gaps, s.
    pub(crate) gap: Option<f64>,
    pub(crate) spectra: SpectraOfFilter,
    pub(crate) notes: Vec<LogNote>,
}

/// Decides by the first rows of a log.
pub(crate) fn settle(
    rows: &Rows,
    columns: &Columns,
    processing: &Processing,
    file: &str,
) -> Result<Plan, LogError> {
    let mut plan = Plan {
        settled: Settled::default(),
        filter: None,
        fine: None,
        even: true,
        gap: None,
        spectra: SpectraOfFilter::default(),
        notes: Vec::new(),
    };
    for rate in &columns.rates {
        if rate.qd.is_none() {
            plan.settled.derived_velocities.push(rate.name.clone());
        }
        if rate.qdd.is_none() {
            plan.settled.derived_accelerations.push(rate.name.clone());
        }
    }
    let works = works(columns, processing);
    let sampling = columns.time.and_then(|_| Sampling::of(&rows.times));
    let Some(sampling) = sampling else {
        if works && columns.time.is_some() {
            return Err(too_short(file, rows, processing));
        }
        if works {
            return Err(LogError::Setting {
                setting: "cutoff",
                problem: format!("{file} has no column `t`, so that nothing can be filtered"),
                remedy: "add it, or give `rate` (Hz) in a mapping file".to_owned(),
            });
        }
        if columns.time.is_none() {
            plan.notes.push(ReadingNote::NoClock { file: file.to_owned() }.into());
        }
        plan.settled.rest = rest_speeds(rows, columns, None, processing.rest);
        return Ok(plan);
    };
    plan.clock(&sampling, processing, works);
    if !works {
        plan.settled.rest = rest_speeds(rows, columns, None, processing.rest);
        return Ok(plan);
    }
    if rows.times.len() < 3 {
        return Err(too_short(file, rows, processing));
    }
    let stretch = longest_stretch(rows, &plan);
    let length = stretch.times.len();
    plan.settled.longest_stretch = length as f64 / plan.rate();
    let gaps = length as f64 / plan.rate() < WHOLE * (rows.times[rows.times.len() - 1] - rows.times[0]);
    plan.cutoff(&stretch, columns, processing, gaps)?;
    if gaps {
        plan.long_enough(processing, file)?;
    }
    plan.settled.rest = rest_speeds(&stretch, columns, plan.settled.cutoff, processing.rest);
    plan.borders(length, columns, processing);
    plan.thinning(processing);
    plan.motion_around(processing)?;
    plan.say(columns, processing);
    Ok(plan)
}

/// Whether samples are derived, filtered or thinned, so that their times matter.
pub(crate) fn works(columns: &Columns, processing: &Processing) -> bool {
    columns.must_derive()
        || matches!(processing.cutoff, Cutoff::Hertz(_))
        || matches!(processing.resample, Resample::Hertz(_))
        || matches!(&processing.thinning, Thinning::By(stages) if !stages.is_empty())
}

fn too_short(file: &str, rows: &Rows, processing: &Processing) -> LogError {
    LogError::TooShort {
        file: file.to_owned(),
        found: rows.times.len(),
        after: processing.window_in_words(),
        what: "derivatives need",
        wanted: 3,
    }
}

impl Plan {
    /// Whether forces are filtered, and dry friction with them.
    pub(crate) fn filters_forces(&self, processing: &Processing) -> bool {
        let thinning = self.settled.stages.iter().any(|(_, how)| *how != Decimation::Pick);
        processing.filter_forces && (thinning || self.filter.is_some())
    }

    fn rate(&self) -> f64 {
        self.settled.rate.unwrap_or(1.0)
    }

    fn clock(&mut self, sampling: &Sampling, processing: &Processing, works: bool) {
        let even = sampling.jitter <= EVEN && sampling.missing == 0;
        let (rate, resampled) = match processing.resample {
            Resample::Hertz(rate) => (rate, true),
            Resample::Auto => (sampling.rate(), works && !even),
            Resample::Never => (sampling.rate(), false),
        };
        self.settled.rate = Some(rate);
        self.settled.resampled = resampled;
        self.even = even || resampled;
        // Where samples are taken as even, one that is missing is a gap.
        let bridge = if resampled || !self.even { LONGEST_BRIDGE } else { 1.5 };
        self.gap = Some(bridge * sampling.interval);
        if resampled {
            let uneven = match processing.resample {
                Resample::Hertz(_) => None,
                _ => Some(UnevenStamps { jitter: sampling.jitter, missing: sampling.missing }),
            };
            self.notes.push(ProcessingNote::Resampled { rate, uneven }.into());
        }
    }

    fn cutoff(
        &mut self,
        stretch: &Rows,
        columns: &Columns,
        processing: &Processing,
        gaps: bool,
    ) -> Result<(), LogError> {
        let rate = self.rate();
        let (names, motions) = differentiated(stretch, columns);
        let long_enough = stretch.times.len() >= 256;
        let choice = match self.even && long_enough && !motions.is_empty() {
            true => choose_cutoff(&motions, rate, processing.order),
            false => CutoffChoice::default(),
        };
        // Between gaps there is no room for slow filters.
        let least = if gaps { (PERIODS / self.settled.longest_stretch).min(0.45 * rate) } else { 0.0 };
        let cutoff = match processing.cutoff {
            Cutoff::Off => None,
            Cutoff::Hertz(cutoff) => Some(cutoff),
            Cutoff::Auto => choice.cutoff.map(|own| own.max(significant(least, 3))),
            // Beyond that, the filter would have nothing to do.
            Cutoff::Scaled(times) => {
                choice.cutoff.map(|own| significant((times * own).min(0.45 * rate).max(least), 3))
            }
        };
        if processing.cutoff.is_from_spectra() && columns.must_derive() && cutoff.is_none() {
            let why = if long_enough { ProcessingNote::NoNoise } else { ProcessingNote::TooShortForCutoff };
            self.notes.push(why.into());
        }
        if let Some(cutoff) = cutoff {
            self.filter = Some(LowPass::butterworth(processing.order, cutoff, rate)?);
            self.settled.cutoff = Some(cutoff);
            let worst = choice.valleys.iter().flatten().map(|(_, error)| *error).fold(0.0, f64::max);
            let note = ProcessingNote::Filtered {
                forces: processing.filter_forces,
                cutoff,
                order: processing.order,
                expected_error: (processing.cutoff == Cutoff::Auto).then_some(worst),
            };
            self.notes.push(note.into());
            if let Cutoff::Hertz(cutoff) = processing.cutoff {
                let lost = choice.lost(cutoff, processing.order).into_iter().zip(&names);
                let most = lost.filter_map(|(lost, name)| Some((lost?, name)));
                if let Some((part, name)) = most.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|m| m.0 > MOTION) {
                    let coordinate = name.clone();
                    self.notes.push(ProcessingNote::CutsMotion { cutoff, coordinate, part }.into());
                }
            }
        }
        self.spectra = spectra(names, motions, &choice, self.filter.as_ref(), rate)?;
        Ok(())
    }

    /// Whether a stretch between gaps has room for the filter and its borders.
    fn long_enough(&self, processing: &Processing, file: &str) -> Result<(), LogError> {
        let (Some(cutoff), Trim::Auto) = (self.settled.cutoff, processing.trim) else { return Ok(()) };
        let (longest, needed) = (self.settled.longest_stretch, PERIODS / cutoff);
        if longest >= 0.95 * needed {
            return Ok(());
        }
        let [longest, needed, least] = [longest, needed, 1.05 * PERIODS / longest].map(|x| significant(x, 3));
        Err(LogError::Setting {
            setting: "cutoff",
            problem: format!(
                "the longest stretch of {file} without a gap lasts {longest} s, and a filter at {cutoff} Hz needs {needed} s"
            ),
            remedy: format!("choose a cut-off above {least} Hz, or record without gaps"),
        })
    }

    fn borders(&mut self, length: usize, columns: &Columns, processing: &Processing) {
        let rate = self.rate();
        // A sample has derivatives if it has neighbours.
        let border = usize::from(columns.must_derive());
        let trim = match (processing.trim, self.settled.cutoff) {
            (Trim::Samples(samples), _) => samples,
            (Trim::Seconds(seconds), _) => (seconds * rate).round() as usize,
            // Never more than half of the longest stretch.
            (Trim::Auto, Some(cutoff)) => ((2.5 * rate / cutoff).round() as usize).min(length / 4),
            (Trim::Auto, None) => 0,
        };
        self.settled.trim = trim.max(border);
    }

    fn thinning(&mut self, processing: &Processing) {
        self.settled.stages = match (&processing.thinning, self.settled.cutoff) {
            (Thinning::By(stages), _) => stages.iter().copied().filter(|(factor, _)| *factor > 1).collect(),
            (&Thinning::To(part), Some(cutoff)) => self.thinned_to(part, cutoff),
            (Thinning::Auto, Some(cutoff)) => self.thinned_to(THINNED, cutoff),
            _ => Vec::new(),
        };
    }

    /// The cut-off at a part of the new Nyquist frequency, in whole steps of the motion around.
    fn thinned_to(&self, part: f64, cutoff: f64) -> Vec<(usize, Decimation)> {
        let step = greatest_step(self.rate(), cutoff);
        let factor = (part * 0.5 * self.rate() / cutoff).floor() as usize / step * step;
        if factor > 1 { vec![(factor, Decimation::Pick)] } else { Vec::new() }
    }

    /// Motion is kept around the samples where forces pass the filter and nothing else.
    fn motion_around(&mut self, processing: &Processing) -> Result<(), LogError> {
        let picked = self.settled.stages.iter().all(|(_, how)| *how == Decimation::Pick);
        if let (Some(filter), Some(cutoff), true) =
            (&self.filter, self.settled.cutoff, processing.filter_forces && picked)
        {
            self.fine = Some(FinePlan::new(filter, self.rate(), cutoff, self.settled.factor())?);
        }
        Ok(())
    }

    fn say(&mut self, columns: &Columns, processing: &Processing) {
        let all = columns.rates.len();
        let filtered = self.filter.is_some();
        // Uneven samples have parabolas through three of them.
        let differences = if filtered || self.even { processing.differences } else { 2 };
        let derived = [
            (DerivedQuantity::Velocities, &self.settled.derived_velocities),
            (DerivedQuantity::Accelerations, &self.settled.derived_accelerations),
        ];
        let mut notes: Vec<LogNote> = Vec::new();
        for (what, names) in derived.into_iter().filter(|(_, names)| !names.is_empty()) {
            let of = if names.len() == all { Vec::new() } else { names.clone() };
            let asked = processing.derive;
            notes.push(ProcessingNote::Derived { what, of, asked, differences, filtered }.into());
        }
        if self.settled.cutoff.is_some() && self.settled.trim > 0 {
            let seconds = self.settled.trim as f64 / self.rate();
            notes.push(ProcessingNote::BordersCut { seconds }.into());
        }
        let factor = self.settled.factor();
        if factor > 1 {
            notes.push(ProcessingNote::Thinned { factor, rate: self.rate() / factor as f64 }.into());
        }
        self.notes.extend(notes);
    }
}

/// The longest stretch without gaps, even if it must be.
fn longest_stretch(rows: &Rows, plan: &Plan) -> Rows {
    let gap = plan.gap.unwrap_or(f64::INFINITY);
    let mut starts: Vec<usize> = vec![0];
    starts.extend((1..rows.times.len()).filter(|&k| rows.times[k] - rows.times[k - 1] > gap));
    starts.push(rows.times.len());
    let longest =
        starts.windows(2).max_by_key(|pair| pair[1] - pair[0]).map_or(0..0, |pair| pair[0]..pair[1]);
    let times = &rows.times[longest.clone()];
    let columns = rows.columns.iter().map(|column| &column[longest.clone()]);
    if !plan.settled.resampled || times.len() < 4 {
        return Rows {
            times: times.to_vec(),
            columns: columns.map(<[f64]>::to_vec).collect(),
            starts_anew: true,
        };
    }
    let interval = 1.0 / plan.rate();
    let count = ((times[times.len() - 1] - times[0]) / interval + 1e-6).floor() as usize + 1;
    let resampling = Resampling::new(times, times[0], interval, count);
    Rows {
        times: (0..count).map(|k| times[0] + k as f64 * interval).collect(),
        columns: columns.map(|column| resampling.apply(column)).collect(),
        starts_anew: true,
    }
}
