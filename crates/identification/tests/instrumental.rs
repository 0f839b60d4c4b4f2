//! Instrumental variables: noise of derived accelerations biases least squares, but not these.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Division, Estimator, Identification, IdentificationError, IdentifiedParameter, LogPlace, Problem,
    RecordedLogs, SensorFaults, Settings, Simulation, channels, identify, identify_from, simulate,
};
use steiner_linalg::elimination::Matrix;
use steiner_logs::signals::Decimation;
use steiner_logs::{Cutoff, Log, LogOptions, Processing, Recording, Role, Thinning, Trim};
use support::{truth, with_drives, zoo};

/// Positions with noise and torques with nearly none, at 1 kHz; no rates.
fn log(arm: &Mechanism, seed: u64, noise: f64) -> Log {
    let faults = SensorFaults { position: noise, relative_force: 10.0 * noise, ..SensorFaults::default() };
    let data = simulate(arm, &Simulation { seed, faults, ..Simulation::default() }).unwrap();
    Log::from_columns("log", data.columns(&channels(arm), false)).unwrap()
}

fn source<'a>(arm: &'a Mechanism, log: &Log, cutoff: Cutoff) -> RecordedLogs<'a> {
    let processing = Processing { cutoff, ..Processing::default() };
    let place = vec![(LogPlace::from(log.clone()), Role::Training)];
    RecordedLogs::new(arm, place, &LogOptions::default(), &processing)
}

fn settings(estimator: Estimator) -> Settings {
    Settings { estimator, consistent: None, ..Settings::default() }
}

fn found(arm: &Mechanism, log: &Log, cutoff: f64, estimator: Estimator) -> Identification {
    identify_from(arm, &mut source(arm, log, Cutoff::Hertz(cutoff)), &settings(estimator)).unwrap()
}

/// Errors in units of their own standard deviations.
fn scores(found: &Identification, truth: &[f64]) -> Vec<f64> {
    let score = |(p, truth): (&IdentifiedParameter, &f64)| (p.least_squares - truth) / p.sigma;
    found.parameters.iter().zip(truth).map(score).collect()
}

#[test]
fn noisy_positions_bias_least_squares_but_not_instrumental_variables() {
    let arm = with_drives(zoo("two_link"));
    let problem = Problem::new(&arm, &settings(Estimator::Weighted)).unwrap();
    let (mut squares, mut count) = (0.0, 0);
    for seed in 1..=8 {
        let log = log(&arm, seed, 1e-4);
        let weighted = found(&arm, &log, CUTOFF, Estimator::Weighted);
        let iv = found(&arm, &log, CUTOFF, Estimator::Instrumental);
        let truth = truth(&iv, &problem);
        // Its uncertainty knows: by noise alone it would be wrong.
        let by_noise = |(p, truth): (&IdentifiedParameter, &f64)| {
            (p.least_squares - truth) / p.robust_sigma.unwrap_or(0.0).max(p.white_sigma)
        };
        let biased: Vec<f64> = weighted.parameters.iter().zip(&truth).map(by_noise).collect();
        let z = scores(&iv, &truth);
        assert!(scores(&weighted, &truth).iter().all(|z| z.abs() < 3.0), "{:?}", scores(&weighted, &truth));
        let worst = |z: &[f64]| z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        println!("seed {seed}: weighted up to {:.1} σ, iv up to {:.1} σ", worst(&biased), worst(&z));
        for (p, z) in iv.parameters.iter().zip(&z) {
            assert!(z.abs() < 3.0, "seed {seed}: {} {} ± {}: {z:.1} σ", p.name, p.least_squares, p.sigma);
        }
        assert!(worst(&biased) > 3.5, "seed {seed}: {biased:.1?}");
        squares += z.iter().map(|z| z * z).sum::<f64>();
        count += z.len();
    }
    let rms = (squares / count as f64).sqrt();
    println!("rms of (error)/σ: {rms:.2}");
    // This noise grows with frequency, and instruments are slow: what white noise would do is more than it does.
    assert!((0.3..1.3).contains(&rms), "{rms}");
}

/// Hz: accelerations have a noise of about 0.8 rad/s².
const CUTOFF: f64 = 40.0;

#[test]
fn without_noise_they_are_least_squares() {
    let arm = with_drives(zoo("two_link"));
    let log = log(&arm, 5, 0.0);
    let weighted = found(&arm, &log, CUTOFF, Estimator::Weighted);
    let iv = found(&arm, &log, CUTOFF, Estimator::Instrumental);
    for (a, b) in iv.parameters.iter().zip(&weighted.parameters) {
        let apart = (a.least_squares - b.least_squares).abs();
        assert!(
            apart < 1e-3 * b.least_squares.abs() + 3.0 * b.sigma,
            "{}: {} {}",
            a.name,
            a.least_squares,
            b.least_squares
        );
    }
}

/// x with A x = b, by elimination with pivots.
fn solved(a: &Matrix<f64>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut rows: Vec<Vec<f64>> = (0..n).map(|r| a.row(r).iter().copied().chain([b[r]]).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
        rows.swap(k, pivot);
        for r in k + 1..n {
            let factor = rows[r][k] / rows[k][k];
            (k..=n).for_each(|c| rows[r][c] -= factor * rows[k][c]);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|c| rows[k][c] * x[c]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

/// A row of the instruments, one of the regressor, and the force.
type Sample = (Vec<f64>, Vec<f64>, f64);

/// Two-stage least squares by normal equations, from regressors of a recording and its instruments.
#[test]
fn they_solve_the_equations_of_two_stage_least_squares() {
    let arm = Mechanism::new(zoo("two_link")).unwrap();
    let log = log(&arm, 3, 1e-4);
    let asked = Settings { drives: false, ..settings(Estimator::Instrumental) };
    let mut logs = source(&arm, &log, Cutoff::Hertz(CUTOFF));
    let found = identify_from(&arm, &mut logs, &asked).unwrap();
    let settled = logs.settled()[0].clone();
    let read = |cutoff: f64| {
        let processing = Processing {
            cutoff: Cutoff::Hertz(cutoff),
            trim: Trim::Samples(settled.trim),
            thinning: Thinning::By(vec![(settled.factor(), Decimation::Pick)]),
            ..Processing::default()
        };
        Recording::of(&channels(&arm), &log, &processing).unwrap()
    };
    let (motion, instruments) = (read(CUTOFF), read(CUTOFF / 2.0));
    let problem = Problem::new(&arm, &asked).unwrap();
    let columns: Vec<usize> = problem.base().iter().map(|base| base.column).collect();
    let n = columns.len();
    // Rows pass the filter of the forces: means over the motion around.
    let row = |recording: &Recording, sample: usize, joint: usize| -> Vec<f64> {
        let around = recording.around.as_ref().unwrap();
        let (motion, kernel) = (&around.motion, &around.kernel);
        let (mut sums, mut weights) = (vec![0.0; columns.len()], 0.0);
        for k in 0..motion.count {
            let apart = k.abs_diff(around.at[sample]);
            if apart % kernel.spacing != 0 || apart / kernel.spacing >= kernel.weights.len() {
                continue;
            }
            let weight = kernel.weights[apart / kernel.spacing] * around.taper[k];
            let at = 2 * k..2 * k + 2;
            let y = arm.regressor(&motion.q[at.clone()], &motion.qd[at.clone()], &motion.qdd[at]).unwrap();
            columns.iter().zip(&mut sums).for_each(|(&c, sum)| *sum += weight * y[(joint, c)]);
            weights += weight;
        }
        sums.iter().map(|sum| sum / weights).collect()
    };
    let (mut left, mut right) = (Matrix::zeros(n, n), vec![0.0; n]);
    for joint in 0..2 {
        // Instruments: the columns that this joint sees.
        let all: Vec<Sample> = (0..motion.count)
            .map(|k| (row(&instruments, k, joint), row(&motion, k, joint), motion.tau[2 * k + joint]))
            .collect();
        let seen: Vec<usize> = (0..n).filter(|&c| all.iter().any(|(z, _, _)| z[c].abs() > 1e-12)).collect();
        let m = seen.len();
        let sum = |f: &dyn Fn(&Sample) -> f64| all.iter().map(f).sum::<f64>();
        let zz = Matrix::from_fn(m, m, |i, j| sum(&|(z, _, _)| z[seen[i]] * z[seen[j]]));
        let zy = Matrix::from_fn(m, n, |i, j| sum(&|(z, y, _)| z[seen[i]] * y[j]));
        let zt: Vec<f64> = (0..m).map(|i| sum(&|(z, _, t)| z[seen[i]] * t)).collect();
        let weight = found.noise[joint].powi(-2);
        for c in 0..n {
            let column: Vec<f64> = (0..m).map(|i| zy[(i, c)]).collect();
            let s = solved(&zz, &column);
            for d in 0..n {
                left[(d, c)] += weight * (0..m).map(|i| zy[(i, d)] * s[i]).sum::<f64>();
            }
        }
        let s = solved(&zz, &zt);
        for d in 0..n {
            right[d] += weight * (0..m).map(|i| zy[(i, d)] * s[i]).sum::<f64>();
        }
    }
    let direct = solved(&left, &right);
    for (p, direct) in found.parameters.iter().zip(direct) {
        assert!(
            (p.least_squares - direct).abs() < 1e-4 * p.sigma,
            "{}: {} {direct}",
            p.name,
            p.least_squares
        );
    }
}

#[test]
fn logs_that_are_not_kept_and_parts_held_out_give_the_same() {
    let arm = with_drives(zoo("two_link"));
    let log = log(&arm, 2, 1e-4);
    let asked = settings(Estimator::Instrumental);
    let of = |bytes: usize| {
        let mut logs = source(&arm, &log, Cutoff::Hertz(CUTOFF)).divided(Division::Last(0.25)).keeping(bytes);
        identify_from(&arm, &mut logs, &asked).unwrap()
    };
    let (kept, streamed) = (of(1 << 30), of(0));
    assert!(kept.validation.is_some());
    for (a, b) in kept.parameters.iter().zip(&streamed.parameters) {
        assert!((a.value - b.value).abs() < 1e-6 * b.sigma, "{}: {} {}", a.name, a.value, b.value);
        assert!((a.sigma / b.sigma - 1.0).abs() < 1e-6, "{}: {} {}", a.name, a.sigma, b.sigma);
    }
}

#[test]
fn where_there_are_no_instruments_a_sentence_says_so() {
    let arm = with_drives(zoo("two_link"));
    let log = log(&arm, 2, 1e-4);
    let asked = settings(Estimator::Instrumental);
    let data = Recording::of(&channels(&arm), &log, &Processing::default()).unwrap();
    assert_eq!(identify(&arm, &data, &asked).err(), Some(IdentificationError::NoInstruments));
    let unfiltered = identify_from(&arm, &mut source(&arm, &log, Cutoff::Off), &asked);
    let nothing = IdentificationError::NothingFiltered { log: "log".to_owned() };
    assert_eq!(unfiltered.err(), Some(nothing));
    let gains = Settings { unknown_gains: vec!["link1".to_owned()], ..asked };
    let error = Problem::new(&arm, &gains).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("use weighted"), "{error}");
}
