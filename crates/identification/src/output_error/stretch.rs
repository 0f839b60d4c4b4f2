//! What was recorded in one go, as a simulation needs it: evenly, and not faster than it must be.

use std::ops::Range;

use steiner_logs::{Recording, Role};

/// Samples per second beyond which neighbours are averaged.
const FASTEST: f64 = 250.0;
/// Samples that a stretch needs, at least.
const SHORTEST: usize = 12;
/// Seconds to each side whose parabola starts a simulation.
const AROUND: f64 = 0.05;

/// Samples without pauses.
pub(super) struct Stretch {
    /// Seconds between samples.
    pub(super) period: f64,
    pub(super) count: usize,
    dof: usize,
    /// `count × dof` each.
    q: Vec<f64>,
    /// Empty where velocities were not recorded.
    qd: Vec<f64>,
    tau: Vec<f64>,
}

impl Stretch {
    /// The stretches of a recording to learn from; `None` where it has no clock.
    pub(super) fn of(recording: &Recording, dof: usize) -> Option<Vec<Stretch>> {
        let period = recording.period()?;
        let together = ((1.0 / (FASTEST * period)).floor() as usize).max(1);
        let recorded = recording.settled.derived_velocities.is_empty();
        let training = recording.parts().into_iter().filter(|part| part.role == Role::Training);
        let one = |samples: Range<usize>| {
            let count = samples.len() / together;
            let averaged = |values: &[f64]| -> Vec<f64> {
                let mean = |k: usize, c: usize| {
                    let first = samples.start + k * together;
                    (first..first + together).map(|s| values[s * dof + c]).sum::<f64>() / together as f64
                };
                (0..count).flat_map(|k| (0..dof).map(move |c| (k, c))).map(|(k, c)| mean(k, c)).collect()
            };
            Stretch {
                period: period * together as f64,
                count,
                dof,
                q: averaged(&recording.q),
                qd: if recorded { averaged(&recording.qd) } else { Vec::new() },
                tau: averaged(&recording.tau),
            }
        };
        Some(training.map(|part| one(part.samples)).filter(|stretch| stretch.count >= SHORTEST).collect())
    }

    /// Positions of a sample, rad or m.
    pub(super) fn q(&self, sample: usize) -> &[f64] {
        &self.q[self.dof * sample..][..self.dof]
    }

    /// Velocities of a sample, rad/s or m/s, if they were recorded.
    pub(super) fn qd(&self, sample: usize) -> Option<&[f64]> {
        self.qd.get(self.dof * sample..)?.get(..self.dof)
    }

    /// Forces of a sample, N·m or N.
    pub(super) fn tau(&self, sample: usize) -> &[f64] {
        &self.tau[self.dof * sample..][..self.dof]
    }

    /// Whether velocities were recorded.
    pub(super) fn has_velocities(&self) -> bool {
        !self.qd.is_empty()
    }

    /// Windows of about so many seconds, all of about the same length.
    pub(super) fn windows(&self, seconds: f64) -> Vec<Range<usize>> {
        let wanted = (seconds / self.period).max(SHORTEST as f64);
        let count = ((self.count as f64 / wanted).round() as usize).max(1);
        (0..count).map(|k| k * self.count / count..(k + 1) * self.count / count).collect()
    }

    /// State at a sample: positions and velocities of the parabola through its neighbourhood.
    pub(super) fn state_near(&self, sample: usize) -> Vec<f64> {
        let reach = ((AROUND / self.period).ceil() as usize).max(2);
        let range = sample.saturating_sub(reach)..(sample + reach + 1).min(self.count);
        let mut state = vec![0.0; 2 * self.dof];
        for c in 0..self.dof {
            let mut fit = steiner_linalg::triangle::Triangle::new(4);
            for k in range.clone() {
                let t = (k as f64 - sample as f64) * self.period;
                fit.push(&[1.0, t, t * t, self.q(k)[c]]);
            }
            fit.reduce();
            let parabola = fit.back_substituted();
            (state[c], state[self.dof + c]) = (parabola[0], parabola[1]);
        }
        state
    }
}
