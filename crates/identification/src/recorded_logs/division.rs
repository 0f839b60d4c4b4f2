//! Which samples of a log are held out for validation.

use steiner_logs::{Part, Recording, Role};

/// The part of each training log that is held out for validation.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Division {
    /// Nothing is held out.
    #[default]
    Nothing,
    /// The last samples of each log, as a fraction of all its samples.
    Last(f64),
    /// What was recorded between two times, s, the first included.
    Between {
        /// Start of the held-out stretch, s.
        from: f64,
        /// End of the held-out stretch, s.
        to: f64,
    },
}

impl Division {
    /// Whether it takes the number of samples of a whole log.
    pub(super) fn needs_counts(self) -> bool {
        matches!(self, Division::Last(fraction) if fraction > 0.0)
    }

    /// Divides a part of a log that has `count` samples, `first` of which came before.
    pub(super) fn divide(self, recording: &mut Recording, role: Role, first: usize, count: usize) {
        let n = recording.count;
        let held = match (role, self) {
            (Role::Validation, _) => 0..n,
            (Role::Training, Division::Nothing) => n..n,
            // Nobody counted.
            (Role::Training, Division::Last(_)) if !self.needs_counts() => n..n,
            (Role::Training, Division::Last(fraction)) => {
                let held = (count as f64 * fraction.clamp(0.0, 1.0)).round() as usize;
                (count - held.min(count)).saturating_sub(first).min(n)..n
            }
            (Role::Training, Division::Between { from, to }) => {
                let start = recording.t.partition_point(|t| *t < from);
                start..recording.t.partition_point(|t| *t < to).max(start)
            }
        };
        let mut parts = Vec::new();
        for Part { samples, .. } in recording.parts() {
            let cut = |at: usize| at.clamp(samples.start, samples.end);
            let (start, end) = (cut(held.start), cut(held.end));
            parts.push(Part { samples: samples.start..start, role: Role::Training });
            parts.push(Part { samples: start..end, role: Role::Validation });
            parts.push(Part { samples: end..samples.end, role: Role::Training });
        }
        recording.parts = parts.into_iter().filter(|part| !part.samples.is_empty()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::Division;
    use steiner_logs::{Part, Recording, Role};

    fn roles(division: Division, role: Role) -> Vec<(std::ops::Range<usize>, Role)> {
        // Ten samples of a log of thirty, the second third of it; a gap after the fourth of them.
        let mut recording = Recording {
            count: 10,
            t: (10..20).map(f64::from).collect(),
            parts: [0..4, 4..10].map(|samples| Part { samples, role: Role::Training }).to_vec(),
            ..Recording::default()
        };
        division.divide(&mut recording, role, 10, 30);
        recording.parts.into_iter().map(|part| (part.samples, part.role)).collect()
    }

    #[test]
    fn a_part_of_a_log_is_divided_where_the_whole_is() {
        use Role::{Training, Validation};
        let whole = |role| vec![(0..4, role), (4..10, role)];
        assert_eq!(roles(Division::Nothing, Training), whole(Training));
        assert_eq!(roles(Division::Nothing, Validation), whole(Validation));
        assert_eq!(roles(Division::Last(1.0 / 3.0), Training), whole(Training));
        assert_eq!(roles(Division::Last(0.9), Training), whole(Validation));
        let half = vec![(0..4, Training), (4..5, Training), (5..10, Validation)];
        assert_eq!(roles(Division::Last(0.5), Training), half);
        let between = vec![(0..2, Training), (2..4, Validation), (4..6, Validation), (6..10, Training)];
        assert_eq!(roles(Division::Between { from: 12.0, to: 16.0 }, Training), between);
        assert_eq!(roles(Division::Between { from: 16.0, to: 12.0 }, Training).len(), 3);
    }
}
