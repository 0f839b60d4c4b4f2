//! The published processing of a real arm's recording, step by step, against NumPy and
//! SciPy (`data/make_tx40_table.py`).

use crate::support;
use steiner_identification::channels;
use steiner_logs::signals::{Decimation, LowPass, decimate, first_differences, second_differences};
use steiner_logs::{Log, LogNote, Processing, ProcessingNote, Recording};
use support::tx40::{LEAST_SPEEDS, arm, options, published, recording};

fn scipy(question: &str) -> Vec<f64> {
    let table = include_str!("data/tx40.csv");
    let line = table.lines().find_map(|line| line.strip_prefix(&format!("{question},"))).unwrap();
    line.split(',').map(|number| number.parse().unwrap()).collect()
}

/// Four samples of six joints.
fn compare(what: &str, value: impl Fn(usize, usize) -> f64, samples: [usize; 4], tolerance: f64) {
    let expected = scipy(what);
    let scale = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (k, sample) in samples.into_iter().enumerate() {
        for joint in 0..6 {
            let (found, expected) = (value(sample, joint), expected[6 * k + joint]);
            assert!(
                (found - expected).abs() < tolerance * scale,
                "{what}, sample {sample}, joint {joint}: {found} {expected}"
            );
        }
    }
}

#[test]
fn one_mapping_file_makes_two_files_of_motors_a_log_of_joints() {
    let Some(folder) = recording() else { return };
    let log = Log::read(&folder, &options()).unwrap();
    assert_eq!(log.samples() as f64, scipy("rows")[0]);
    assert_eq!(
        (log.names().len(), log.names()[0].as_str(), log.names()[12].as_str()),
        (13, "t", "tau_joint_6")
    );
    assert_eq!(log.column("t").unwrap().unwrap()[44_999], 44_999.0 / 5000.0);
    let column =
        |family: &str, joint: usize| log.column(&format!("{family}_joint_{}", joint + 1)).unwrap().unwrap();
    compare("joint side q", |k, joint| column("q", joint)[k], [0, 9999, 20_000, 44_999], 1e-13);
    compare("joint side tau", |k, joint| column("tau", joint)[k], [0, 9999, 20_000, 44_999], 1e-13);
}

#[test]
fn the_published_processing_is_reproduced_signal_by_signal() {
    let Some(folder) = recording() else { return };
    let log = Log::read(&folder, &options()).unwrap();
    let filter = LowPass::butterworth(4, 100.0, 5000.0).unwrap();
    let mut signals: Vec<[Vec<f64>; 4]> = Vec::new();
    for joint in 1..=6 {
        let q = log.column(&format!("q_joint_{joint}")).unwrap().unwrap();
        let q = filter.zero_phase(q, 12).unwrap();
        let (qd, qdd) = (first_differences(&q, 2e-4, 2), second_differences(&q, 2e-4, 2));
        let tau = log.column(&format!("tau_joint_{joint}")).unwrap().unwrap().to_vec();
        signals.push([q, qd, qdd, tau].map(|signal| signal[20..signal.len() - 20].to_vec()));
    }
    assert_eq!(signals[0][0].len() as f64, scipy("trimmed")[0]);
    for step in ["decimated 1", "decimated 2"] {
        for signal in signals.iter_mut().flatten() {
            *signal = decimate(signal, 10, Decimation::Chebyshev).unwrap();
        }
        assert_eq!(signals[0][0].len() as f64, scipy(step)[0]);
    }
    for (k, (what, tolerance)) in
        [("q", 1e-9), ("qd", 1e-9), ("qdd", 1e-6), ("tau", 1e-9)].into_iter().enumerate()
    {
        compare(what, |sample, joint| signals[joint][k][sample], [0, 100, 250, 449], tolerance);
    }
}

#[test]
fn a_recording_does_all_steps_at_once() {
    let Some(folder) = recording() else { return };
    let arm = arm(&folder);
    let recording = Recording::read(&channels(&arm), &folder, &options(), &published()).unwrap();
    assert_eq!((recording.count, recording.measured.len(), recording.parts.len()), (450, 6, 1));
    let rows = [("q", &recording.q), ("qd", &recording.qd), ("qdd", &recording.qdd), ("tau", &recording.tau)];
    for (what, values) in rows {
        compare(what, |sample, joint| values[6 * sample + joint], [0, 100, 250, 449], 1e-6);
    }
    let fast = |joint: usize| {
        recording.qd.iter().skip(joint).step_by(6).filter(move |qd| qd.abs() >= LEAST_SPEEDS[joint]).count()
    };
    let kept: Vec<f64> = (0..6).map(|joint| fast(joint) as f64).collect();
    assert_eq!(kept, scipy("kept"));
    // The first kept sample is the twenty-first of the log.
    assert!(
        (recording.t[0] - 20.0 / 5000.0).abs() < 1e-12 && (recording.t[1] - 120.0 / 5000.0).abs() < 1e-12
    );
    let notes = &recording.notes;
    let filtered = ProcessingNote::Filtered { forces: false, cutoff: 100.0, order: 4, expected_error: None };
    let thinned = ProcessingNote::Thinned { factor: 100, rate: 50.0 };
    assert!(notes.contains(&LogNote::Processing(filtered)), "{notes:?}");
    assert!(notes.contains(&LogNote::Processing(thinned)), "{notes:?}");
}

#[test]
fn the_defaults_find_where_this_arms_motion_ends() {
    let Some(folder) = recording() else { return };
    let arm = arm(&folder);
    let recording = Recording::read(&channels(&arm), &folder, &options(), &Processing::default()).unwrap();
    // Its motions end at about 15 Hz, its joints' elasticity and the ripple of
    // the drives begin at about 20 Hz.
    let cutoff = recording.settled.cutoff.unwrap();
    assert!((12.0..30.0).contains(&cutoff), "{cutoff} Hz; {:?}", recording.notes);
    assert!((300..1000).contains(&recording.count), "{}", recording.count);
    assert_eq!(recording.spectra.coordinates.len(), 6);
    for spectra in &recording.spectra.coordinates {
        let (before, after) = (&spectra.before, spectra.after.as_ref().unwrap());
        // In the pass band nothing changes, far above nearly all is gone.
        let ratio = |frequency: f64| {
            let k = before.frequency.iter().position(|f| *f >= frequency).unwrap();
            after.density[k] / before.density[k]
        };
        assert!((ratio(2.0) - 1.0).abs() < 0.02 && ratio(1000.0) < 1e-6, "{}", spectra.name);
    }
    println!("{:?}", recording.notes);
}
