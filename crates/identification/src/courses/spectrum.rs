//! Power spectra of long signals that come sample by sample (\[welch1967\]: windowed segments that overlap by half, averaged).

use std::f64::consts::TAU;

/// Points that a spectrum is gathered into for drawing, equally far apart on a logarithmic axis.
const POINTS: usize = 110;

/// A spectrum in the making.
#[derive(Clone, Debug)]
pub(crate) struct Welch {
    window: Vec<f64>,
    /// (cos, sin) of −τ k/length for k below length/2.
    turns: Vec<(f64, f64)>,
    buffer: Vec<f64>,
    /// Σ over segments of |X_k|², for k = 0 … length/2.
    power: Vec<f64>,
    segments: usize,
}

impl Welch {
    /// Segments of `length` samples, a power of two.
    pub(crate) fn new(length: usize) -> Self {
        // Hann's window.
        let window = (0..length).map(|k| 0.5 - 0.5 * (TAU * k as f64 / length as f64).cos()).collect();
        Welch {
            window,
            turns: turns(length),
            buffer: Vec::with_capacity(length),
            power: vec![0.0; length / 2 + 1],
            segments: 0,
        }
    }

    /// The longest segments that give a signal of so many samples at least eight of them, or at most 4096 samples; `None` for signals too short.
    pub(crate) fn length_for(samples: usize) -> Option<usize> {
        let wanted = (samples / 5).min(4096);
        (wanted >= 32).then(|| 1 << wanted.ilog2())
    }

    /// The next sample.
    pub(crate) fn push(&mut self, x: f64) {
        self.buffer.push(x);
        let length = self.window.len();
        if self.buffer.len() < length {
            return;
        }
        let mean = self.buffer.iter().sum::<f64>() / length as f64;
        let mut real: Vec<f64> =
            self.buffer.iter().zip(&self.window).map(|(x, window)| window * (x - mean)).collect();
        let mut imaginary = vec![0.0; length];
        fourier(&mut real, &mut imaginary, &self.turns);
        for (k, power) in self.power.iter_mut().enumerate() {
            *power += real[k] * real[k] + imaginary[k] * imaginary[k];
        }
        self.segments += 1;
        self.buffer.drain(..length / 2);
    }

    /// The next sample is no neighbour of the last.
    pub(crate) fn interrupt(&mut self) {
        self.buffer.clear();
    }

    /// (frequency, amplitude density): unit/√Hz over Hz for a period in s, averaged over neighbouring frequencies. The mean is left out.
    pub(crate) fn densities(&self, period: f64) -> Vec<(f64, f64)> {
        let length = self.window.len();
        // The highest frequency is its own mirror and would stand apart.
        let last = (length / 2).saturating_sub(1);
        if self.segments == 0 || last < 2 {
            return Vec::new();
        }
        let energy: f64 = self.window.iter().map(|w| w * w).sum();
        // One-sided: what negative frequencies carry is counted twice.
        let density = |k: usize| 2.0 * period * self.power[k] / (energy * self.segments as f64);
        let step = (last as f64).ln() / POINTS as f64;
        let mut gathered: Vec<(f64, f64)> = Vec::new();
        let mut k = 1;
        while k <= last {
            let point = ((k as f64).ln() / step).floor();
            let end = (k + 1..=last).find(|&other| ((other as f64).ln() / step).floor() > point);
            let end = end.unwrap_or(last + 1);
            let count = (end - k) as f64;
            let mean = (k..end).map(density).sum::<f64>() / count;
            let frequency = (k + end - 1) as f64 / 2.0 / (length as f64 * period);
            gathered.push((frequency, mean.sqrt()));
            k = end;
        }
        gathered
    }
}

fn turns(n: usize) -> Vec<(f64, f64)> {
    let turn = |k: usize| (-TAU * k as f64 / n as f64).sin_cos();
    (0..n / 2).map(turn).map(|(sin, cos)| (cos, sin)).collect()
}

/// The discrete Fourier transform Σ x_j e^{-i τ jk/n}, in place; n is a power of two, and `turns` are those of n.
fn fourier(real: &mut [f64], imaginary: &mut [f64], turns: &[(f64, f64)]) {
    let n = real.len();
    let bits = n.trailing_zeros();
    for k in 0..n {
        let mirrored = if bits == 0 { 0 } else { k.reverse_bits() >> (usize::BITS - bits) };
        if k < mirrored {
            real.swap(k, mirrored);
            imaginary.swap(k, mirrored);
        }
    }
    let mut half = 1;
    while half < n {
        for first in (0..n).step_by(2 * half) {
            for j in 0..half {
                let (cos, sin) = turns[j * (n / (2 * half))];
                let (start, other) = (first + j, first + j + half);
                let (re, im) =
                    (cos * real[other] - sin * imaginary[other], cos * imaginary[other] + sin * real[other]);
                (real[other], imaginary[other]) = (real[start] - re, imaginary[start] - im);
                real[start] += re;
                imaginary[start] += im;
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{TAU, Welch, fourier, turns};
    use steiner_linalg::Stream;

    fn noise(n: usize) -> Vec<f64> {
        let mut stream = Stream::new(12345);
        // Variance 1 and mean 0.
        (0..n).map(|_| 3f64.sqrt() * stream.uniform()).collect()
    }

    #[test]
    fn the_transform_is_its_definition() {
        let x = noise(64);
        let (mut re, mut im) = (x.clone(), vec![0.0; 64]);
        fourier(&mut re, &mut im, &turns(64));
        for k in 0..64 {
            let angle = |j: usize| -TAU * (j * k) as f64 / 64.0;
            let wanted =
                (0..64).fold((0.0, 0.0), |(c, s), j| (c + x[j] * angle(j).cos(), s + x[j] * angle(j).sin()));
            assert!((re[k] - wanted.0).abs() < 1e-12 && (im[k] - wanted.1).abs() < 1e-12, "{k}");
        }
    }

    #[test]
    fn white_noise_is_flat_and_its_power_is_its_variance() {
        let mut welch = Welch::new(256);
        noise(100_000).into_iter().for_each(|x| welch.push(x));
        // Variance 1 at 1 kHz: density² · 500 Hz = 1.
        let densities = welch.densities(1e-3);
        let flat = (1.0f64 / 500.0).sqrt();
        assert!(densities.iter().skip(2).all(|(_, d)| (d / flat - 1.0).abs() < 0.15), "{densities:?}");
        assert!(densities.last().is_some_and(|(f, _)| *f <= 500.0 && *f > 480.0));
    }

    #[test]
    fn a_tone_stands_where_it_sounds() {
        let mut welch = Welch::new(1024);
        (0..20_000).for_each(|k| welch.push(3.0 + (TAU * 50.0 * 0.001 * f64::from(k)).sin()));
        let loudest = welch.densities(0.001).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        assert!(loudest.is_some_and(|(f, _)| (f - 50.0).abs() < 2.0), "{loudest:?}");
    }

    #[test]
    fn short_signals_have_no_spectrum() {
        assert_eq!(Welch::length_for(100), None);
        assert_eq!(Welch::length_for(1000), Some(128));
        assert_eq!(Welch::length_for(1_000_000), Some(4096));
        let mut welch = Welch::new(64);
        for k in 0..1000 {
            if k % 40 == 0 {
                welch.interrupt();
            }
            welch.push(1.0);
        }
        assert!(welch.densities(0.01).is_empty());
    }
}
