//! Periodic signals with exact derivatives, scaled into limits.

/// Σ a_k sin(kωt) + b_k cos(kωt) about a centre.
use steiner_linalg::Stream;

#[derive(Clone, Debug)]
pub(super) struct Fourier {
    centre: f64,
    /// ω, rad/s.
    frequency: f64,
    /// (a_k, b_k).
    harmonics: Vec<(f64, f64)>,
}

/// How far a signal may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) centre: f64,
    /// Greatest distance from the centre, speed and acceleration.
    pub(super) distance: f64,
    pub(super) speed: f64,
    pub(super) acceleration: f64,
}

/// Moments per period at which a signal is checked.
const MOMENTS: usize = 400;

impl Fourier {
    /// A random signal that uses `reach` of its range.
    pub(super) fn within(range: &Range, reach: f64, count: usize, period: f64, random: &mut Stream) -> Self {
        let frequency = std::f64::consts::TAU / period;
        // Falling amplitudes, so that no harmonic has all the acceleration.
        let harmonics =
            (1..=count).map(|k| (random.normal() / k as f64, random.normal() / k as f64)).collect();
        let mut signal = Fourier { centre: 0.0, frequency, harmonics };
        let mut most = [0.0f64; 3];
        for moment in 0..MOMENTS {
            let values = signal.at(period * moment as f64 / MOMENTS as f64);
            (0..3).for_each(|k| most[k] = most[k].max(values[k].abs()));
        }
        let scale = [range.distance, range.speed, range.acceleration].iter().zip(most).fold(
            f64::INFINITY,
            |least, (limit, most)| if most > 0.0 { least.min(limit / most) } else { least },
        );
        signal.scale(if scale.is_finite() { reach * scale } else { 0.0 });
        signal.centre = range.centre;
        signal
    }

    /// Makes the signal larger or smaller about its centre.
    pub(super) fn scale(&mut self, factor: f64) {
        self.harmonics.iter_mut().for_each(|(a, b)| (*a, *b) = (factor * *a, factor * *b));
    }

    /// Value, rate and second derivative.
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        let mut out = [self.centre, 0.0, 0.0];
        for (k, (a, b)) in self.harmonics.iter().enumerate() {
            let w = (k + 1) as f64 * self.frequency;
            let (s, c) = (w * t).sin_cos();
            out[0] += a * s + b * c;
            out[1] += w * (a * c - b * s);
            out[2] -= w * w * (a * s + b * c);
        }
        out
    }
}
