//! Instruments for a log: the same samples, with motion filtered at half the cut-off.
//!
//! Borders, thinning and clock are those of the log itself, so that the samples are the same. Parts of both may be
//! cut differently, since filters remember differently long: what comes early waits.

use steiner_dynamics::Mechanism;
use steiner_logs::{Cutoff, Processing, Recording, RecordingStream, Settled, Thinning, Trim};

use super::RecordedLogs;
use super::shape::place_wrenches;
use crate::accumulate::Source;
use crate::failure::IdentificationError;

/// The instruments' cut-off, of the motion's.
const STRONGER: f64 = 0.5;

/// How the instruments of a log are processed, given what became of the log itself.
pub(super) fn stronger(
    processing: &Processing,
    settled: &Settled,
    log: &str,
) -> Result<Processing, IdentificationError> {
    let nothing = || IdentificationError::NothingFiltered { log: log.to_owned() };
    Ok(Processing {
        cutoff: Cutoff::Hertz(STRONGER * settled.cutoff.ok_or_else(nothing)?),
        trim: Trim::Samples(settled.trim),
        thinning: Thinning::By(settled.stages.clone()),
        ..processing.clone()
    })
}

/// Instruments as they are read.
struct Instruments<'a> {
    mechanism: &'a Mechanism,
    sensors: &'a [String],
    log: String,
    stream: RecordingStream<'a>,
    /// Read, but not yet wanted.
    waiting: Option<Recording>,
}

impl Instruments<'_> {
    /// Those of the next samples of the log.
    fn beside(&mut self, recording: &Recording) -> Result<Recording, IdentificationError> {
        while self.waiting.as_ref().map_or(0, |waiting| waiting.count) < recording.count {
            let Some(mut part) = self.stream.next_part()? else { break };
            place_wrenches(&mut part, self.mechanism, self.sensors);
            match self.waiting.as_mut().filter(|waiting| waiting.count > 0) {
                None => self.waiting = Some(part),
                Some(waiting) => waiting.append(part)?,
            }
        }
        let found =
            self.waiting.as_mut().map(|waiting| waiting.take_first(recording.count)).unwrap_or_default();
        let same = found.count == recording.count && found.t.len() == recording.t.len();
        let apart = found.t.iter().zip(&recording.t).find(|(a, b)| (*a - *b).abs() > 1e-9 * b.abs().max(1.0));
        match (same, apart) {
            (true, None) => Ok(found),
            (_, apart) => {
                let time = apart.map(|(_, time)| *time).or(recording.t.last().copied()).unwrap_or(f64::NAN);
                Err(IdentificationError::OtherSamples { log: self.log.clone(), time })
            }
        }
    }
}

impl RecordedLogs<'_> {
    /// All parts, each with its instruments.
    pub(super) fn with_instruments(
        &mut self,
        each: &mut dyn FnMut(&Recording, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        if self.read.len() < self.logs.len() {
            self.chunks(&mut |_| Ok(()))?;
        }
        let (mechanism, channels, sensors) = (self.mechanism, self.channels.clone(), self.sensors.clone());
        let (logs, options, processing) = (self.logs.clone(), self.options.clone(), self.processing.clone());
        let settled = self.settled();
        let open = |log: usize| -> Result<Instruments<'_>, IdentificationError> {
            let (place, _) = &logs[log];
            let name = place.path().display().to_string();
            let processing = stronger(&processing, &settled[log], &name)?;
            let stream = RecordingStream::new(&channels, place.open(&options)?, &processing)?;
            Ok(Instruments { mechanism, sensors: &sensors, log: name, stream, waiting: None })
        };
        let mut current: Option<(usize, Instruments<'_>)> = None;
        self.parts_of_logs(&mut |log, recording| {
            let instruments = match &mut current {
                Some((own, instruments)) if *own == log => instruments,
                _ => &mut current.insert((log, open(log)?)).1,
            };
            let beside = instruments.beside(recording)?;
            each(recording, &beside)
        })
    }
}
