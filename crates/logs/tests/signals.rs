//! Signals, against SciPy's answers (`data/make_signal_tables.py`) and against what is known exactly.

use std::f64::consts::PI;

use steiner_linalg::Stream;
use steiner_logs::LogError;
use steiner_logs::signals::{
    Decimation, LowPass, Resampling, SampledMotion, Sampling, choose_cutoff, decimate, first_differences,
    power_spectrum, second_differences, uneven_first_differences, uneven_second_differences,
};

/// SciPy's answer to a question.
fn scipy(question: &str) -> Vec<f64> {
    let table = include_str!("data/scipy.csv");
    let line = table.lines().find_map(|line| line.strip_prefix(&format!("{question},"))).unwrap();
    line.split(',').map(|number| number.parse().unwrap()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * largest, "{what}, sample {k}: {a} instead of {b}");
    }
}

#[test]
fn butterworth_and_zero_phase_are_scipys() {
    let x = scipy("x");
    for (order, cutoff) in [(1, 0.2), (2, 0.05), (3, 0.3), (4, 0.04), (5, 0.6), (8, 0.1)] {
        let filter = LowPass::butterworth(order, cutoff, 2.0).unwrap();
        let gains: Vec<f64> =
            [0.0, 0.02, 0.1, 0.3, 0.5, 0.9].map(|frequency| filter.gain(frequency, 2.0)).to_vec();
        assert_close(&gains, &scipy(&format!("gain {order} {cutoff}")), 1e-12, "gain");
        let filtered = filter.zero_phase(&x, filter.usual_padding()).unwrap();
        // An order of 8 at a tenth of Nyquist has poles close together: SciPy's own forms differ by 1e-11.
        assert_close(&filtered, &scipy(&format!("sosfiltfilt {order} {cutoff}")), 1e-10, "sosfiltfilt");
    }
    let filter = LowPass::butterworth(4, 100.0, 5000.0).unwrap();
    assert_close(&filter.zero_phase(&x, 12).unwrap(), &scipy("filtfilt 4 0.04 12"), 1e-9, "filtfilt");
}

#[test]
fn constants_and_lines_pass_unchanged_up_to_the_borders() {
    let filter = LowPass::butterworth(4, 0.05, 2.0).unwrap();
    let line: Vec<f64> = (0..500).map(|k| 3.0 - 0.25 * k as f64).collect();
    for padding in [15, 499] {
        let constant = filter.zero_phase(&[7.5; 500], padding).unwrap();
        assert_close(&constant, &[7.5; 500], 1e-12, "a constant");
        // A reflected line is a line; only where the reflection ends is there a kink.
        let filtered = filter.zero_phase(&line, padding).unwrap();
        let tolerance = if padding == 499 { 1e-10 } else { 1e-2 };
        assert_close(&filtered, &line, tolerance, "a line");
    }
}

#[test]
fn decimation_is_scipys() {
    let x = scipy("x");
    for factor in [2, 3, 10] {
        for (how, name) in [(Decimation::Chebyshev, "iir"), (Decimation::Hamming, "fir")] {
            let thinned = decimate(&x, factor, how).unwrap();
            assert_close(&thinned, &scipy(&format!("decimate {name} {factor}")), 1e-9, name);
        }
    }
    let filter = LowPass::chebyshev(8, 0.05, 0.08, 2.0).unwrap();
    let gains = [0.0, 0.03, 0.05, 0.08, 0.1, 0.2].map(|frequency| filter.gain(frequency, 2.0));
    assert_close(&gains, &scipy("cheby1 gain"), 1e-9, "cheby1");
    // Two passes of SciPy's filter take 1.1 % off a constant; ours need not.
    let ones = vec![1.0; 300];
    let scipys = decimate(&ones, 10, Decimation::Chebyshev).unwrap();
    assert!((scipys[15] - 10f64.powf(-0.1 / 20.0)).abs() < 1e-9, "{}", scipys[15]);
    let unit = decimate(&ones, 10, Decimation::UnitChebyshev).unwrap();
    assert_close(&unit, &[1.0; 30], 1e-9, "unit gain");
    assert_eq!(decimate(&[1.0, 2.0, 3.0, 4.0], 2, Decimation::Pick).unwrap(), [1.0, 3.0]);
    assert!(decimate(&x, 0, Decimation::Pick).is_err());
}

#[test]
fn differences_are_numpys_and_exact_for_polynomials() {
    let x = scipy("x");
    let inner = first_differences(&x, 0.01, 2);
    assert_close(&inner[1..89], &scipy("gradient"), 1e-12, "gradient");
    // Order 2m is exact for polynomials of degree 2m (first) and 2m + 1 (second derivative).
    for order in [2, 4, 6, 8] {
        let h = 0.125;
        let power = order as i32;
        let t: Vec<f64> = (0..12).map(|k| h * k as f64 - 0.7).collect();
        let x: Vec<f64> = t.iter().map(|t| t.powi(power)).collect();
        let (first, second) = (first_differences(&x, h, order), second_differences(&x, h, order));
        for k in order / 2..12 - order / 2 {
            let (a, b) = (f64::from(power), f64::from(power - 1));
            assert!((first[k] - a * t[k].powi(power - 1)).abs() < 1e-11, "order {order}");
            assert!((second[k] - a * b * t[k].powi(power - 2)).abs() < 1e-10, "order {order}");
        }
    }
    let t = [0.0, 0.1, 0.25, 0.3, 0.5f64];
    let parabola: Vec<f64> = t.iter().map(|t| 1.0 + 2.0 * t + 3.0 * t * t).collect();
    let first = uneven_first_differences(&t, &parabola);
    let second = uneven_second_differences(&t, &parabola);
    for k in 1..4 {
        assert!((first[k] - (2.0 + 6.0 * t[k])).abs() < 1e-12 && (second[k] - 6.0).abs() < 1e-10);
    }
}

#[test]
fn spectra_are_scipys_and_keep_the_power() {
    let spectrum = power_spectrum(&scipy("x")[..], 50.0, 32);
    assert_close(&spectrum.density, &scipy("welch"), 1e-12, "welch");
    assert_eq!((spectrum.frequency[1], spectrum.frequency[16]), (50.0 / 32.0, 25.0));
    // A sine of amplitude 2 has the power 2.
    let sine: Vec<f64> = (0..4096).map(|k| 2.0 * (2.0 * PI * 12.5 * k as f64 / 200.0).sin()).collect();
    assert!((power_spectrum(&sine, 200.0, 1024).power(10.0, 15.0) - 2.0).abs() < 1e-6);
    assert!(power_spectrum(&sine[..100], 200.0, 1024).density.is_empty());
}

#[test]
fn uneven_samples_become_even_ones_to_the_fourth_order() {
    let mut noise = Stream::new(5);
    let mut worst = Vec::new();
    for count in [200usize, 400] {
        let h = 4.0 / count as f64;
        let times: Vec<f64> = (0..=count)
            .map(|k| h * (k as f64 + if k == 0 { 0.0 } else { 0.3 * (noise.fraction() - 0.5) }))
            .collect();
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
        let even = Resampling::new(&times, 0.0, h, count).apply(&values);
        let error = (0..count).map(|k| (even[k] - (3.0 * h * k as f64).sin()).abs()).fold(0.0, f64::max);
        worst.push(error);
    }
    assert!(worst[0] < 2e-6 && worst[1] < worst[0] / 8.0, "{worst:?}");
    // What is even already stays what it is, also with fewer than four samples.
    for count in [2usize, 3, 4, 9] {
        let times: Vec<f64> = (0..count).map(|k| k as f64).collect();
        let values: Vec<f64> = times.iter().map(|t| t * t - 3.0).collect();
        assert_eq!(Resampling::new(&times, 0.0, 1.0, count).apply(&values), values);
    }
}

#[test]
fn the_clock_is_judged() {
    let even: Vec<f64> = (0..1000).map(|k| 1e9 + 0.001 * k as f64).collect();
    let sampling = Sampling::of(&even).unwrap();
    assert!((sampling.rate() - 1000.0).abs() < 1e-3 && sampling.jitter < 1e-3, "{sampling:?}");
    assert!(sampling.gaps.is_empty() && sampling.missing == 0);
    // Two samples missing here, a pause there.
    let mut holes = even.clone();
    holes.drain(500..502);
    holes.iter_mut().skip(700).for_each(|t| *t += 0.25);
    let sampling = Sampling::of(&holes).unwrap();
    assert_eq!((sampling.missing, sampling.gaps.len(), sampling.gaps[0].sample), (2, 1, 700));
    assert!((sampling.gaps[0].duration - 0.251).abs() < 1e-6 && (sampling.rate() - 1000.0).abs() < 1e-3);
    // Stamps with a tenth of jitter.
    let mut noise = Stream::new(3);
    let jittery: Vec<f64> = (0..5000).map(|k| 0.002 * (k as f64 + 0.1 * noise.normal())).collect();
    let sampling = Sampling::of(&jittery).unwrap();
    assert!((sampling.jitter - 0.1).abs() < 0.005 && (sampling.rate() - 500.0).abs() < 0.5, "{sampling:?}");
    assert!(Sampling::of(&[1.0]).is_none());
}

/// A motion of harmonics up to `highest` Hz, sampled with white noise on the
/// positions; true accelerations, too.
fn noisy_motion(rate: f64, seconds: f64, highest: f64, sigma: f64, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut noise = Stream::new(seed);
    let harmonics: Vec<(f64, f64, f64)> = (1..=5)
        .map(|k| (2.0 * PI * highest * k as f64 / 5.0, 0.3 + 0.3 * noise.fraction(), 6.0 * noise.fraction()))
        .collect();
    (0..(rate * seconds) as usize)
        .map(|k| {
            let t = k as f64 / rate;
            let q: f64 = harmonics.iter().map(|(w, a, phase)| a * (w * t + phase).sin()).sum();
            let qdd: f64 = harmonics.iter().map(|(w, a, phase)| -a * w * w * (w * t + phase).sin()).sum();
            (q + sigma * noise.normal(), qdd)
        })
        .unzip()
}

#[test]
fn the_chosen_cutoff_is_nearly_the_best_one() {
    for (rate, highest, sigma) in [
        (1000.0, 0.5, 1e-5),
        (1000.0, 0.5, 1e-3),
        (1000.0, 3.0, 1e-4),
        (100.0, 0.5, 1e-4),
        (5000.0, 5.0, 1e-3),
    ] {
        let (q, truth) = noisy_motion(rate, 40.0, highest, sigma, 11);
        let choice = choose_cutoff(&[SampledMotion { samples: q.clone(), differences: 2 }], rate, 4);
        let chosen = choice.cutoff.unwrap();
        let error = |cutoff: f64| {
            let filter = LowPass::butterworth(4, cutoff, rate).unwrap();
            let smooth = filter.zero_phase(&q, filter.memory(1e-3).min(q.len() - 1)).unwrap();
            let found = second_differences(&smooth, 1.0 / rate, 8);
            let border = (4.0 * rate / highest) as usize;
            let inner = border..q.len() - border;
            let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
            let difference: Vec<f64> = inner.clone().map(|k| found[k] - truth[k]).collect();
            (square(&difference) / square(&truth[inner])).sqrt()
        };
        let grid = (0..60).map(|k| highest * 1.1f64.powi(k)).filter(|cutoff| *cutoff < 0.4 * rate);
        let best = grid.map(&error).fold(f64::INFINITY, f64::min);
        assert!(error(chosen) < 1.25 * best, "{chosen} Hz: {} instead of {best}", error(chosen));
        assert!(chosen > highest, "{chosen}");
    }
}

#[test]
fn recorded_velocities_have_a_cutoff_of_their_own() {
    let (rate, highest) = (1000.0, 2.0);
    // Any smooth signal will do for a velocity; its derivative is compared with that of the noise-free one.
    let (noisy, _) = noisy_motion(rate, 40.0, highest, 1e-3, 21);
    let (clean, _) = noisy_motion(rate, 40.0, highest, 0.0, 21);
    let motion = SampledMotion { samples: noisy.clone(), differences: 1 };
    let chosen = choose_cutoff(&[motion], rate, 4).cutoff.unwrap();
    let error = |cutoff: f64| {
        let filter = LowPass::butterworth(4, cutoff, rate).unwrap();
        let found = first_differences(&filter.zero_phase(&noisy, 5000).unwrap(), 1.0 / rate, 8);
        let truth = first_differences(&clean, 1.0 / rate, 8);
        (8000..32_000).map(|k| (found[k] - truth[k]).powi(2)).sum::<f64>().sqrt()
    };
    let best = (0..40).map(|k| error(highest * 1.1f64.powi(k))).fold(f64::INFINITY, f64::min);
    assert!(error(chosen) < 1.25 * best, "{chosen} Hz: {} instead of {best}", error(chosen));
}

#[test]
fn nothing_is_filtered_that_needs_no_filter() {
    let (samples, _) = noisy_motion(1000.0, 20.0, 0.5, 0.0, 2);
    assert_eq!(choose_cutoff(&[SampledMotion { samples, differences: 2 }], 1000.0, 4).cutoff, None);
    // A joint that stands still has noise, but no motion to keep.
    let mut noise = Stream::new(4);
    let samples: Vec<f64> = (0..20_000).map(|_| 1e-4 * noise.normal()).collect();
    let choice = choose_cutoff(&[SampledMotion { samples, differences: 2 }], 1000.0, 4);
    assert_eq!((choice.cutoff, &choice.valleys[..]), (None, &[None][..]));
    for samples in [vec![0.0; 1000], vec![1.0; 3], Vec::new()] {
        assert_eq!(choose_cutoff(&[SampledMotion { samples, differences: 2 }], 1000.0, 4).cutoff, None);
    }
}

#[test]
fn filters_that_cannot_be_are_refused_with_a_remedy() {
    for (order, cutoff) in [(4, 0.0), (4, -1.0), (4, 500.0), (4, f64::NAN), (0, 10.0), (99, 10.0)] {
        let error = LowPass::butterworth(order, cutoff, 1000.0).unwrap_err();
        assert!(matches!(error, LogError::Setting { .. }) && error.to_string().contains("choose"), "{error}");
    }
    let filter = LowPass::butterworth(4, 10.0, 1000.0).unwrap();
    assert!(filter.zero_phase(&[1.0; 15], 15).unwrap_err().to_string().contains("15 samples are too few"));
}

#[test]
fn a_filter_below_the_motion_loses_a_part_of_it() {
    for noise in [0.0, 1e-5] {
        let mut random = Stream::new(3);
        let position = |k: usize| {
            let t = k as f64 / 500.0;
            (1..=5).map(|n| (std::f64::consts::TAU * 0.1 * n as f64 * t).sin() / n as f64).sum::<f64>()
        };
        let samples = (0..20_000).map(|k| position(k) + noise * random.normal()).collect();
        let choice = choose_cutoff(&[SampledMotion { samples, differences: 2 }], 500.0, 4);
        let lost = |cutoff: f64| choice.lost(cutoff, 4)[0].expect("it moves");
        // The fifth harmonic has 0.25 of the squares, and (0.5/0.45)⁸ = 2.3.
        let [most, some, little] = [0.2, 0.45, 2.0].map(lost);
        println!("{noise}: {most} {some} {little}");
        assert!(most > 0.8 && (0.3..0.6).contains(&some) && little < 0.02, "{noise}: {most} {some} {little}");
    }
}
