//! Power spectra as they are drawn.

use steiner_logs::signals::Spectrum;

/// Points that a spectrum is gathered into, equally far apart on a logarithmic axis.
const POINTS: usize = 110;

/// The longest windows that give a signal of so many samples at least eight of them, or at most 4096 samples;
/// `None` for signals too short.
pub(crate) fn window_length(samples: usize) -> Option<usize> {
    let wanted = (samples / 5).min(4096);
    (wanted >= 32).then(|| 1 << wanted.ilog2())
}

/// (frequency, amplitude density): unit/√Hz over Hz, averaged over neighbouring frequencies. The mean is left
/// out.
pub(crate) fn amplitudes(spectrum: &Spectrum) -> Vec<(f64, f64)> {
    // The highest frequency is its own mirror and would stand apart.
    let last = spectrum.density.len().saturating_sub(2);
    if last < 2 {
        return Vec::new();
    }
    let step = (last as f64).ln() / POINTS as f64;
    let point = |k: usize| ((k as f64).ln() / step).floor();
    let bins: Vec<usize> = (1..=last).collect();
    bins.chunk_by(|a, b| point(*a) == point(*b))
        .map(|bins| {
            let mean = |of: &[f64]| bins.iter().map(|&k| of[k]).sum::<f64>() / bins.len() as f64;
            (mean(&spectrum.frequency), mean(&spectrum.density).sqrt())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use steiner_linalg::Stream;
    use steiner_logs::signals::Welch;

    use super::{amplitudes, window_length};

    fn noise(n: usize) -> Vec<f64> {
        let mut stream = Stream::new(12345);
        // Variance 1 and mean 0.
        (0..n).map(|_| 3f64.sqrt() * stream.uniform()).collect()
    }

    #[test]
    fn white_noise_is_flat_and_its_power_is_its_variance() {
        let mut welch = Welch::new(256);
        noise(100_000).into_iter().for_each(|x| welch.push(x));
        // Variance 1 at 1 kHz: density² · 500 Hz = 1.
        let densities = amplitudes(&welch.spectrum(1e3));
        let flat = (1.0f64 / 500.0).sqrt();
        assert!(densities.iter().skip(2).all(|(_, d)| (d / flat - 1.0).abs() < 0.15), "{densities:?}");
        assert!(densities.last().is_some_and(|(f, _)| *f <= 500.0 && *f > 480.0));
    }

    #[test]
    fn a_tone_stands_where_it_sounds() {
        let mut welch = Welch::new(1024);
        (0..20_000).for_each(|k| welch.push(3.0 + (TAU * 50.0 * 0.001 * f64::from(k)).sin()));
        let densities = amplitudes(&welch.spectrum(1e3));
        let loudest = densities.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        assert!(loudest.is_some_and(|(f, _)| (f - 50.0).abs() < 2.0), "{loudest:?}");
    }

    #[test]
    fn short_signals_have_no_spectrum() {
        assert_eq!(window_length(100), None);
        assert_eq!(window_length(1000), Some(128));
        assert_eq!(window_length(1_000_000), Some(4096));
        let mut welch = Welch::new(64);
        for k in 0..1000 {
            if k % 40 == 0 {
                welch.interrupt();
            }
            welch.push(1.0);
        }
        assert!(amplitudes(&welch.spectrum(100.0)).is_empty());
    }
}
