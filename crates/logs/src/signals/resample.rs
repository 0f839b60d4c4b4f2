//! Samples at even times from samples at uneven ones: the cubic through the four around.

/// How values at even times are made of values at uneven ones: the same for all signals of a log.
#[derive(Clone, Debug)]
pub struct Resampling {
    /// For each new sample the first of its four old ones, and their weights.
    weights: Vec<(usize, [f64; 4])>,
    width: usize,
}

impl Resampling {
    /// For the times `start`, `start + interval`, … (`count` of them), between samples at increasing `times`;
    /// outside, the nearest cubic goes on.
    pub fn new(times: &[f64], start: f64, interval: f64, count: usize) -> Self {
        let width = times.len().min(4);
        let last = times.len().saturating_sub(1);
        let mut before = 0;
        let mut weights = Vec::with_capacity(count);
        for k in 0..count {
            let t = start + k as f64 * interval;
            while before + 1 < last && times[before + 1] <= t {
                before += 1;
            }
            // Two samples on each side, where there are two.
            let first = before.saturating_sub(1).min(times.len() - width);
            weights.push((first, lagrange(&times[first..first + width], t)));
        }
        Resampling { weights, width }
    }

    /// The new samples of a signal.
    pub fn apply(&self, values: &[f64]) -> Vec<f64> {
        let at = |(first, weights): &(usize, [f64; 4])| {
            values[*first..first + self.width].iter().zip(weights).map(|(x, weight)| weight * x).sum()
        };
        self.weights.iter().map(at).collect()
    }
}

/// Weights of the polynomial through all points, at t.
fn lagrange(times: &[f64], t: f64) -> [f64; 4] {
    let mut weights = [0.0; 4];
    for j in 0..times.len() {
        let others = (0..times.len()).filter(|&k| k != j);
        weights[j] = others.map(|k| (t - times[k]) / (times[j] - times[k])).product();
    }
    weights
}
