//! One window, simulated from its start under the recorded forces, with what start and parameters do to it.

use std::ops::Range;

use super::forward::Forward;
use super::stretch::Stretch;

/// A stretch's samples that are simulated in one go.
pub(super) struct Window<'s> {
    pub(super) stretch: &'s Stretch,
    /// Which of the stretches, in order.
    pub(super) of: usize,
    pub(super) samples: Range<usize>,
}

/// Positions beyond this, rad or m, are of no robot that was recorded.
const LOST: f64 = 1e4;

impl Window<'_> {
    /// Simulates the window with steps that are so many parts of a sample: `each` is told the sample, the state and,
    /// if they are wanted, its derivatives by start and base parameters, row by row. Whether it came to the end.
    pub(super) fn simulate(
        &self,
        forward: &mut Forward<'_>,
        (base, start): (&[f64], &[f64]),
        parts: usize,
        sensitive: bool,
        mut each: impl FnMut(usize, &[f64], &[f64]),
    ) -> bool {
        let states = start.len();
        let width = if sensitive { states + base.len() } else { 0 };
        let mut y = start.to_vec();
        y.resize(states * (1 + width), 0.0);
        (0..states.min(width)).for_each(|k| y[states + k * width + k] = 1.0);
        let mut run = Run { forward, base, states, width, rates: Default::default(), at: Vec::new() };
        let step = self.stretch.period / parts as f64;
        each(self.samples.start, &y[..states], &y[states..]);
        for sample in self.samples.start..self.samples.end.saturating_sub(1) {
            let (from, to) = (self.stretch.tau(sample), self.stretch.tau(sample + 1));
            for part in 0..parts {
                // Forces change linearly from sample to sample.
                let tau = |place: f64| -> Vec<f64> {
                    let x = (part as f64 + place) / parts as f64;
                    from.iter().zip(to).map(|(a, b)| a + x * (b - a)).collect()
                };
                if run.step(&mut y, [tau(0.0), tau(0.5), tau(1.0)], step).is_none() {
                    return false;
                }
            }
            if !y[..states].iter().all(|x| x.abs() < LOST) {
                return false;
            }
            each(sample + 1, &y[..states], &y[states..]);
        }
        true
    }
}

/// Steps of Runge and Kutta, of fourth order, for states and derivatives together.
struct Run<'a, 'p> {
    forward: &'a mut Forward<'p>,
    base: &'a [f64],
    states: usize,
    /// Derivatives of each state.
    width: usize,
    rates: [Vec<f64>; 4],
    at: Vec<f64>,
}

impl Run<'_, '_> {
    fn step(&mut self, y: &mut [f64], [before, middle, after]: [Vec<f64>; 3], h: f64) -> Option<()> {
        self.at.clear();
        self.at.extend_from_slice(y);
        self.rates[0] = self.rate(&before)?;
        for (k, (part, tau)) in [(0.5, &middle), (0.5, &middle), (1.0, &after)].into_iter().enumerate() {
            for i in 0..y.len() {
                self.at[i] = y[i] + part * h * self.rates[k][i];
            }
            self.rates[k + 1] = self.rate(tau)?;
        }
        let [a, b, c, d] = &self.rates;
        for i in 0..y.len() {
            y[i] += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]);
        }
        Some(())
    }

    /// Rates of the states `at`, and of their derivatives.
    fn rate(&mut self, tau: &[f64]) -> Option<Vec<f64>> {
        let (states, width) = (self.states, self.width);
        let n = states / 2;
        let (state, derivatives) = self.at.split_at(states);
        let mut out = vec![0.0; self.at.len()];
        out[..n].copy_from_slice(&state[n..]);
        if width == 0 {
            out[n..states].copy_from_slice(&self.forward.acceleration(self.base, state, tau)?);
            return Some(out);
        }
        let found = self.forward.derivatives(self.base, state, tau)?;
        out[n..states].copy_from_slice(&found.acceleration);
        let row = |k: usize| states + k * width..states + (k + 1) * width;
        for k in 0..n {
            out[row(k)].copy_from_slice(&derivatives[(n + k) * width..][..width]);
            let rates = &mut out[row(n + k)];
            for j in 0..states {
                let factor = found.by_state[(k, j)];
                let own = &derivatives[j * width..][..width];
                rates.iter_mut().zip(own).for_each(|(rate, x)| *rate += factor * x);
            }
            rates[states..].iter_mut().zip(found.by_parameters.row(k)).for_each(|(rate, x)| *rate += x);
        }
        Some(out)
    }
}
