//! Derivatives of sampled signals.
//!
//! Central differences of order up to 8: with h the interval, a harmonic of frequency ω has its derivative
//! right up to (ωh)⁸/630, where the usual two-point difference errs by (ωh)²/6. That matters at the upper end
//! of what a filter lets pass, and costs nothing in noise, because the filter went before. Near the borders
//! the widest stencil that fits is taken; the border samples themselves have no derivative.

/// Half stencils of the first derivative, from the neighbour outwards, by half width.
const FIRST: [&[f64]; 4] = [
    &[1.0 / 2.0],
    &[2.0 / 3.0, -1.0 / 12.0],
    &[3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0],
    &[4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0],
];

/// Half stencils of the second derivative, from the middle outwards.
const SECOND: [&[f64]; 4] = [
    &[-2.0, 1.0],
    &[-5.0 / 2.0, 4.0 / 3.0, -1.0 / 12.0],
    &[-49.0 / 18.0, 3.0 / 2.0, -3.0 / 20.0, 1.0 / 90.0],
    &[-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0],
];

/// Half width of the stencil at a sample; 0 at the borders.
fn half_width(count: usize, k: usize, order: usize) -> usize {
    k.min(count - 1 - k).min((order / 2).clamp(1, 4))
}

/// First derivative of evenly spaced samples by central differences of order 2, 4, 6 or
/// 8; 0 at the two border samples.
pub fn first_differences(x: &[f64], interval: f64, order: usize) -> Vec<f64> {
    (0..x.len())
        .map(|k| match half_width(x.len(), k, order) {
            0 => 0.0,
            half => {
                let pairs = FIRST[half - 1].iter().enumerate();
                pairs.map(|(d, c)| c * (x[k + d + 1] - x[k - d - 1])).sum::<f64>() / interval
            }
        })
        .collect()
}

/// Second derivative of evenly spaced samples by central differences of order 2, 4, 6 or
/// 8; 0 at the two border samples.
pub fn second_differences(x: &[f64], interval: f64, order: usize) -> Vec<f64> {
    (0..x.len())
        .map(|k| match half_width(x.len(), k, order) {
            0 => 0.0,
            half => {
                let stencil = SECOND[half - 1];
                // Differences to the middle: the stencil sums to zero, and small numbers are added up.
                let pairs = stencil[1..].iter().enumerate();
                pairs.map(|(d, c)| c * ((x[k + d + 1] - x[k]) + (x[k - d - 1] - x[k]))).sum::<f64>()
                    / (interval * interval)
            }
        })
        .collect()
}

/// First derivative of the parabola through each sample and its neighbours, at any
/// spacing; 0 at the two border samples.
pub fn uneven_first_differences(t: &[f64], x: &[f64]) -> Vec<f64> {
    inside(t, |k| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        (left * after + right * before) / (before + after)
    })
}

/// Second derivative of the parabola through each sample and its neighbours, at any
/// spacing; 0 at the two border samples.
pub fn uneven_second_differences(t: &[f64], x: &[f64]) -> Vec<f64> {
    inside(t, |k| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        2.0 * (right - left) / (before + after)
    })
}

fn inside(t: &[f64], at: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut out = vec![0.0; t.len()];
    (1..t.len().saturating_sub(1)).for_each(|k| out[k] = at(k));
    out
}
