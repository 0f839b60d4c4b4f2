//! Logs laid one after the other: which stretches of them were for what, and where they are on a page's axis.

use steiner_logs::{Recording, Role};

use crate::accumulate::Source;
use crate::failure::IdentificationError;

/// Samples of one role that follow each other in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// What it is for.
    pub role: Role,
    /// First time on the common axis, s.
    pub begin: f64,
    /// Last time on the common axis, s.
    pub end: f64,
    /// Whether it follows the one before without a gap.
    pub joined: bool,
    pub(super) samples: usize,
    /// Time on the page minus time of the log.
    pub(super) offset: f64,
}

/// All stretches of the logs, in order.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Stretches in the order of the logs.
    pub stretches: Vec<Stretch>,
    /// Seconds between samples; `None` where the logs have no times, and the axis counts samples.
    pub period: Option<f64>,
    /// Number of samples in all stretches.
    pub samples: usize,
}

/// Between logs, this part of their length is left free.
const GAP: f64 = 0.02;
/// Samples further apart than so many periods are not neighbours.
const NEIGHBOURS: f64 = 5.0;

/// Hands over every sample that is for something: (recording, its stretches as (samples, role)).
pub(super) fn used(recording: &Recording) -> Vec<(std::ops::Range<usize>, Role)> {
    let parts = recording.parts().into_iter().filter(|part| !part.samples.is_empty());
    parts.map(|part| (part.samples, part.role)).collect()
}

impl Timeline {
    /// One run through the logs.
    pub(super) fn of(source: &mut dyn Source) -> Result<Self, IdentificationError> {
        let mut timeline = Timeline::default();
        let mut last: Option<f64> = None;
        source.chunks(&mut |recording| {
            timeline.period = timeline.period.or_else(|| recording.period());
            for (samples, role) in used(recording) {
                timeline.append(recording, samples, role, &mut last);
            }
            Ok(())
        })?;
        timeline.lay_out();
        Ok(timeline)
    }

    fn append(
        &mut self,
        recording: &Recording,
        samples: std::ops::Range<usize>,
        role: Role,
        last: &mut Option<f64>,
    ) {
        let count = samples.len();
        let period = self.period.unwrap_or(1.0);
        let (begin, end) = match (recording.t.get(samples.start), recording.t.get(samples.end - 1)) {
            (Some(begin), Some(end)) => (*begin, *end),
            _ => (self.samples as f64, (self.samples + count - 1) as f64),
        };
        let joined = last.is_some_and(|last| begin > last && begin - last < NEIGHBOURS * period);
        self.samples += count;
        *last = Some(end);
        match self.stretches.last_mut() {
            Some(stretch) if joined && stretch.role == role => {
                stretch.end = end;
                stretch.samples += count;
            }
            _ => self.stretches.push(Stretch { role, begin, end, joined, samples: count, offset: 0.0 }),
        }
    }

    /// From times of the logs to times of the page, which start at zero.
    fn lay_out(&mut self) {
        let total: f64 = self.stretches.iter().map(|stretch| stretch.end - stretch.begin).sum();
        let (mut offset, mut page_end) = (0.0, None);
        for stretch in &mut self.stretches {
            if !stretch.joined {
                offset = page_end.map_or(0.0, |end| end + GAP * total) - stretch.begin;
            }
            stretch.offset = offset;
            stretch.begin += offset;
            stretch.end += offset;
            page_end = Some(stretch.end);
        }
    }

    /// The samples that models are evaluated on, and their number: those held out, or all where none are.
    pub fn evaluated(&self) -> (Role, usize) {
        let count = |role: Role| -> usize {
            self.stretches.iter().filter(|stretch| stretch.role == role).map(|stretch| stretch.samples).sum()
        };
        match count(Role::Validation) {
            0 => (Role::Training, count(Role::Training)),
            held_out => (Role::Validation, held_out),
        }
    }

    /// Where the axis ends.
    pub fn end(&self) -> f64 {
        self.stretches.last().map_or(0.0, |stretch| stretch.end)
    }
}

#[cfg(test)]
mod tests {
    use steiner_logs::{Part, Recording, Role};

    use super::Timeline;

    fn log(start: f64, count: usize, parts: Vec<Part>) -> Recording {
        let t = (0..count).map(|k| start + 0.01 * k as f64).collect();
        Recording { count, t, parts, ..Recording::default() }
    }

    #[test]
    fn logs_follow_each_other_and_held_out_ends_are_joined() {
        let part = |samples, role| Part { samples, role };
        let mut first = log(5.0, 100, vec![part(0..70, Role::Training), part(70..100, Role::Validation)]);
        first.append(log(0.0, 50, Vec::new())).unwrap();
        let timeline = Timeline::of(&mut &first).unwrap();
        let seen: Vec<_> = timeline.stretches.iter().map(|s| (s.role, s.joined, s.samples)).collect();
        assert_eq!(
            seen,
            [(Role::Training, false, 70), (Role::Validation, true, 30), (Role::Training, false, 50)]
        );
        assert_eq!(timeline.stretches[0].begin, 0.0);
        assert!((timeline.stretches[1].begin - 0.7).abs() < 1e-12);
        let gap = timeline.stretches[2].begin - timeline.stretches[1].end;
        assert!(gap > 0.02 && gap < 0.05, "{gap}");
    }

    #[test]
    fn without_times_samples_are_counted() {
        let recording = Recording { count: 10, ..Recording::default() };
        let timeline = Timeline::of(&mut &recording).unwrap();
        assert_eq!((timeline.period, timeline.end(), timeline.samples), (None, 9.0, 10));
    }
}
