//! Training samples as they were recorded: not filtered, not thinned out, at even instants.

use steiner_logs::{Cutoff, Part, Processing, Recording, RecordingStream, Role, Thinning, Trim};

use super::RecordedLogs;
use super::shape::place_wrenches;
use crate::failure::IdentificationError;

/// Samples that are held, at most.
const MOST: usize = 2_000_000;

/// Time from which to which a log is for training, s.
struct Span {
    log: usize,
    from: f64,
    to: f64,
}

impl RecordedLogs<'_> {
    /// One recording for each log; their parts are where the filtered ones are for training.
    pub(super) fn read_unfiltered(&mut self) -> Result<Vec<Recording>, IdentificationError> {
        let mut spans: Vec<Span> = Vec::new();
        self.parts_of_logs(&mut |log, recording| {
            let near = 1.5 * recording.period().unwrap_or(0.0);
            for part in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
                let Some(own) = recording.t.get(part.samples) else { continue };
                let (Some(&from), Some(&to)) = (own.first(), own.last()) else { continue };
                match spans.last_mut() {
                    Some(span) if span.log == log && from - span.to <= near => span.to = to,
                    _ => spans.push(Span { log, from, to }),
                }
            }
            Ok(())
        })?;
        let processing = Processing {
            cutoff: Cutoff::Off,
            filter_forces: false,
            trim: Trim::Samples(0),
            thinning: Thinning::Off,
            ..self.processing.clone()
        };
        let mut out: Vec<Recording> = Vec::new();
        for (log, (place, _)) in self.logs.clone().into_iter().enumerate() {
            if spans.iter().all(|span| span.log != log) {
                continue;
            }
            let mut stream = RecordingStream::new(&self.channels, place.open(&self.options)?, &processing)?;
            let mut whole: Option<Recording> = None;
            while let Some(mut part) = stream.next_part()? {
                super::unless_cancelled(&mut self.cancelled)?;
                place_wrenches(&mut part, self.mechanism, &self.sensors);
                match &mut whole {
                    None => whole = Some(part),
                    Some(whole) => whole.append(part)?,
                }
                let held = out.iter().chain(&whole).map(|recording| recording.count).sum::<usize>();
                if held > MOST {
                    let why = format!("holds its samples in memory, and these are more than {MOST}");
                    return Err(IdentificationError::NotSimulated { why });
                }
            }
            let mut recording = whole.unwrap_or_default();
            if let Some(loads) = &self.loads {
                loads.add_to(&mut recording, log, self.mechanism)?;
            }
            let mut parts = Vec::new();
            for stretch in recording.parts() {
                for span in spans.iter().filter(|span| span.log == log) {
                    let times = &recording.t[stretch.samples.clone()];
                    let from = stretch.samples.start + times.partition_point(|t| *t < span.from);
                    let to = stretch.samples.start + times.partition_point(|t| *t <= span.to);
                    if from < to {
                        parts.push(Part { samples: from..to, role: Role::Training });
                    }
                }
            }
            recording.parts = parts;
            recording.settled = stream.settled().clone();
            if !recording.parts.is_empty() {
                out.push(recording);
            }
        }
        Ok(out)
    }
}
