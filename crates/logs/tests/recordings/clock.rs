//! Clocks: stamps that are uneven, late, or make no sense, and rows that a stalled recorder repeats.

use steiner_linalg::Stream;
use steiner_logs::{Cutoff, Log, Processing, Recording, Resample};

use super::{errors, even, log, motion, positions, robot, said, starts};

#[test]
fn uneven_stamps_are_made_even() {
    let mut noise = Stream::new(9);
    let mut times: Vec<f64> = even(8000, 400.0).iter().map(|t| t + 0.0004 * noise.normal()).collect();
    times.drain(3000..3003);
    let log = positions(&times, 0.0, 1);
    let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
    let recording = Recording::of(&robot("two_link"), &log, &processing).unwrap();
    assert!(recording.settled.resampled && (recording.settled.rate.unwrap() - 400.0).abs() < 0.5);
    let steps: Vec<f64> = recording.t.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step * 400.0 - 1.0).abs() < 2e-3));
    let [position, velocity, acceleration] = errors(&recording);
    assert!(position < 3e-6 && velocity < 1e-3 && acceleration < 0.6, "{position} {velocity} {acceleration}");
    let note = &said(&recording.notes)[1];
    assert!(
        note.contains("samples are interpolated to 400") && note.contains("3 single samples are missing"),
        "{note}"
    );
    // At another rate, as asked for.
    let processing = Processing { resample: Resample::Hertz(100.0), ..processing };
    let recording = Recording::of(&robot("two_link"), &log, &processing).unwrap();
    assert!((recording.count as i64 - 1998).abs() < 3 && recording.settled.rate == Some(100.0));
}

/// The log of even samples whose rows carry other stamps.
fn stamped(taken: &[f64], stamps: &[f64]) -> Log {
    let mut columns = vec![("t".to_owned(), stamps.to_vec())];
    for joint in 0..2 {
        let q = taken.iter().map(|t| motion(*t)[0][joint]).collect();
        columns.push((format!("q_link{}", joint + 1), q));
    }
    columns.push(("tau_link1".to_owned(), taken.iter().map(|t| motion(*t)[2][0]).collect()));
    Log::from_columns("log", columns).unwrap()
}

/// Errors of derivatives and the remarks; times of late stamps are known up to a constant.
fn worst_late(taken: &[f64], stamps: &[f64]) -> ([f64; 2], Vec<String>, Recording) {
    let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
    let mut recording = Recording::of(&robot("two_link"), &stamped(taken, stamps), &processing).unwrap();
    // The position tells the time.
    let shifts: Vec<f64> = (0..recording.count)
        .filter(|k| recording.qd[2 * k].abs() > 2.0)
        .map(|k| {
            let near = |t: f64| motion(t)[0][0] - recording.q[2 * k];
            -near(recording.t[k]) / motion(recording.t[k])[1][0]
        })
        .collect();
    let shift = shifts.iter().sum::<f64>() / shifts.len() as f64;
    recording.t.iter_mut().for_each(|t| *t += shift);
    let [_, velocity, acceleration] = errors(&recording);
    ([velocity, acceleration], said(&recording.notes), recording)
}

#[test]
fn samples_that_were_taken_evenly_are_not_interpolated_by_late_stamps() {
    let mut noise = Stream::new(3);
    let taken = even(6000, 400.0);
    // A busy computer: most stamps are prompt, some are late by several intervals.
    let mut busy = taken.clone();
    for k in 1..busy.len() {
        let late = 0.0004 * -noise.fraction().max(1e-9).ln() * if k % 97 == 0 { 20.0 } else { 1.0 };
        busy[k] = (busy[k] + late).max(busy[k - 1] + 1e-6);
    }
    // A network: seven rows arrive together.
    let sent: Vec<f64> = (0..6000).map(|k| (k / 7 * 7 + 6) as f64 / 400.0 + 2e-5 * (k % 7) as f64).collect();
    for stamps in [&busy, &sent] {
        let ([velocity, acceleration], said, recording) = worst_late(&taken, stamps);
        assert!(!recording.settled.resampled && recording.count > 5980, "{said:?}");
        assert!(velocity < 2e-3 && acceleration < 0.05, "{velocity} {acceleration} {said:?}");
        assert!(said.iter().any(|note| note.contains("stamps are up to")), "{said:?}");
    }
    // Stamps to and fro by two intervals: no sample is lost.
    let mut scattered: Vec<f64> = taken.iter().map(|t| t + 0.005 * noise.normal()).collect();
    scattered.sort_unstable_by(f64::total_cmp);
    let (_, said, recording) = worst_late(&taken, &scattered);
    let rate = recording.settled.rate.unwrap();
    assert!(
        (rate / 400.0 - 1.0).abs() < 1e-3 && !said.iter().any(|note| note.contains("missing")),
        "{said:?}"
    );
    // Samples that were lost are missing in the even clock, too.
    let keep = |times: &[f64]| -> Vec<f64> {
        times.iter().enumerate().filter(|(k, _)| ![1500, 1501, 4000].contains(k)).map(|(_, t)| *t).collect()
    };
    let ([velocity, _], said, recording) = worst_late(&keep(&taken), &keep(&busy));
    assert!(velocity < 0.05 && (recording.t.len() as i64 - 5998).abs() < 4, "{velocity} {said:?}");
    // Even if most seconds have lost some.
    let mut chosen = Stream::new(5);
    let lost: Vec<usize> = (0..40).map(|_| 20 + (chosen.fraction() * 5950.0) as usize).collect();
    let keep = |times: &[f64]| -> Vec<f64> {
        times.iter().enumerate().filter(|(k, _)| !lost.contains(k)).map(|(_, t)| *t).collect()
    };
    let (_, said, recording) = worst_late(&keep(&taken), &keep(&busy));
    let rate = recording.settled.rate.unwrap();
    assert!((rate - 400.0).abs() < 0.01 && (recording.t.len() as i64 - 5998).abs() < 4, "{rate} {said:?}");
    // A pause stays a pause.
    let later = |times: &[f64]| -> Vec<f64> {
        times.iter().enumerate().map(|(k, t)| if k < 2500 { *t } else { t + 1.3 }).collect()
    };
    let (_, said, recording) = worst_late(&later(&taken), &later(&busy));
    assert_eq!(starts(&recording).len(), 2, "{said:?}");
}

#[test]
fn samples_that_were_taken_unevenly_keep_their_stamps() {
    let mut noise = Stream::new(4);
    let mut times = even(6000, 400.0);
    for k in 1..times.len() {
        times[k] = (times[k] + 0.0008 * -noise.fraction().max(1e-9).ln()).max(times[k - 1] + 1e-6);
    }
    for sigma in [0.0, 1e-5, 1e-3] {
        let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
        let recording = Recording::of(&robot("two_link"), &positions(&times, sigma, 1), &processing).unwrap();
        let said = said(&recording.notes);
        assert!(
            recording.settled.resampled && !said.iter().any(|note| note.contains("stamps are up to")),
            "{said:?}"
        );
    }
}

#[test]
fn rows_that_repeat_while_the_robot_moves_on_are_missing() {
    let times = even(3000, 100.0);
    let stale = |k: usize| match k {
        700..707 => 699,
        1500..1503 => 1499,
        _ => k,
    };
    let taken: Vec<f64> = (0..times.len()).map(|k| times[stale(k)]).collect();
    let recording = Recording::of(
        &robot("two_link"),
        &stamped(&taken, &times),
        &Processing { cutoff: Cutoff::Off, ..Processing::default() },
    )
    .unwrap();
    let [_, velocity, acceleration] = errors(&recording);
    let said = said(&recording.notes);
    assert!(velocity < 0.02 && acceleration < 0.5, "{velocity} {acceleration} {said:?}");
    assert!(
        said.iter().any(|note| note.starts_with("10 rows left out, which repeat the row before")),
        "{said:?}"
    );
    assert_eq!(starts(&recording).len(), 2, "{said:?}");
    // A robot that goes from pose to pose brakes: nothing is lost, however smoothly.
    let stairs: Vec<f64> = times
        .iter()
        .map(|t| {
            let (step, part) = ((t / 0.8).floor(), (t % 0.8 / 0.5).min(1.0));
            0.4 * (step + part.powi(3) * (10.0 - 15.0 * part + 6.0 * part * part))
        })
        .collect();
    let recording = Recording::of(
        &robot("two_link"),
        &stamped(&stairs, &times),
        &Processing { cutoff: Cutoff::Off, ..Processing::default() },
    )
    .unwrap();
    assert!(starts(&recording).len() == 1 && recording.count > 2980, "{}", recording.count);
    // A robot that rests is fed all the while.
    let rests: Vec<f64> = times.iter().map(|t| if *t < 12.0 { *t } else { (t - 4.0).max(12.0) }).collect();
    let recording = Recording::of(
        &robot("two_link"),
        &stamped(&rests, &times),
        &Processing { cutoff: Cutoff::Off, ..Processing::default() },
    )
    .unwrap();
    assert_eq!(starts(&recording).len(), 1);
}

#[test]
fn stamps_must_make_sense() {
    let arm = robot("two_link");
    let read = |text: &str| Recording::of(&arm, &log(text), &Processing::default());
    let error = read("t,q_link1,q_link2\n0,1,2\n0.1,1,2\n0.05,1,2\n").unwrap_err().to_string();
    assert!(error.contains("log.csv:4: time 0.05 s does not follow 0.1 s; sort the log"), "{error}");
    let mut text = "t,q_link1,q_link2\n".to_owned();
    (0..100).for_each(|k| {
        text += &format!("{:.2},{},0\n", 0.01 * (k - usize::from(k == 50)) as f64, 0.1 * k as f64)
    });
    let recording = read(&text).unwrap();
    assert!(
        said(&recording.notes)[0]
            .contains("1 row with the time of the row before left out (first: log.csv:52, 0.49 s)"),
        "{:?}",
        recording.notes
    );
    // Milliseconds for five samples each.
    let mut text = "t,q_link1,q_link2\n".to_owned();
    (0..100).for_each(|k| text += &format!("{:.3},{},0\n", 0.001 * (k / 5) as f64, 0.1 * k as f64));
    let error = read(&text).unwrap_err().to_string();
    assert!(
        error.contains("80 of 100 rows repeat the time")
            && error.contains("give `rate` (Hz) in a mapping file"),
        "{error}"
    );
}
