//! Samples for trials that need not all of a log.

use steiner_logs::{Part, Recording, Role};

/// Blocks that samples are taken from, evenly over each part.
const BLOCKS: usize = 16;

/// Training samples, at most so many, from blocks evenly over each part.
pub(crate) fn thinned(mut recordings: Vec<Recording>, most: f64) -> Vec<Recording> {
    let all: usize = recordings.iter().map(|recording| recording.samples_for(Role::Training)).sum();
    let part = most / all.max(1) as f64;
    if part >= 1.0 {
        return recordings;
    }
    for recording in &mut recordings {
        let mut parts = Vec::new();
        for Part { samples, .. } in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
            let block = samples.len() as f64 / BLOCKS as f64;
            let ranges = (0..BLOCKS).map(|k| {
                let start = samples.start + (k as f64 * block) as usize;
                start..start + (part * block) as usize
            });
            let taken = ranges.filter(|range| !range.is_empty());
            parts.extend(taken.map(|samples| Part { samples, role: Role::Training }));
        }
        recording.parts =
            if parts.is_empty() { vec![Part { samples: 0..0, role: Role::Training }] } else { parts };
    }
    recordings
}
