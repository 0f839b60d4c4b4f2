//! Filtering forwards and backwards: no delay at any frequency.
//!
//! The signal is continued at both ends by its own point reflection, and each pass starts in the steady state
//! of its first value, so that a constant stays a constant and a straight line stays nearly one up to the
//! borders. With the same padding this is SciPy's `sosfiltfilt` (and `filtfilt`).

use super::low_pass::{LowPass, Section};
use crate::error::LogError;

impl LowPass {
    /// The padding SciPy takes: three times the number of coefficients.
    pub fn usual_padding(&self) -> usize {
        3 * (self.order() + 1)
    }

    /// Filters forwards and backwards, with the signal reflected over `padding` samples at both ends.
    pub fn zero_phase(&self, signal: &[f64], padding: usize) -> Result<Vec<f64>, LogError> {
        let count = signal.len();
        if count <= padding {
            return Err(LogError::Setting {
                setting: "cutoff",
                problem: format!(
                    "{count} samples are too few for a filter that reflects {padding} at each end"
                ),
                remedy: "record longer, or choose a lower order or no filter".to_owned(),
            });
        }
        let mut extended = Vec::with_capacity(count + 2 * padding);
        let (first, last) = (signal[0], signal[count - 1]);
        extended.extend((1..=padding).rev().map(|k| 2.0 * first - signal[k]));
        extended.extend_from_slice(signal);
        extended.extend((1..=padding).map(|k| 2.0 * last - signal[count - 1 - k]));
        self.pass(extended.iter_mut());
        self.pass(extended.iter_mut().rev());
        extended.drain(..padding);
        extended.truncate(count);
        Ok(extended)
    }

    /// One pass in place, from the steady state of the first value.
    fn pass<'a>(&self, values: impl Iterator<Item = &'a mut f64>) {
        let mut values = values.peekable();
        let Some(start) = values.peek().map(|x| **x) else { return };
        let mut level = start;
        let mut states: Vec<(Section, [f64; 2])> = Vec::with_capacity(self.sections().len());
        for &section in self.sections() {
            let Section { b, a } = section;
            let out = level * (b[0] + b[1] + b[2]) / (1.0 + a[0] + a[1]);
            let second = b[2] * level - a[1] * out;
            states.push((section, [b[1] * level - a[0] * out + second, second]));
            level = out;
        }
        for x in values {
            let mut value = *x;
            for (Section { b, a }, state) in &mut states {
                let out = b[0] * value + state[0];
                state[0] = b[1] * value - a[0] * out + state[1];
                state[1] = b[2] * value - a[1] * out;
                value = out;
            }
            *x = value;
        }
    }
}
