//! Logs with and without a known load, in one problem.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    IdentificationError, KnownLoad, LogPlace, RecordedLogs, Settings, Simulation, channels, identify_from,
    simulate,
};
use steiner_logs::{Log, LogOptions, NamedArray, Processing, Recording, Role};
use steiner_robot::{CentredInertia, PseudoInertia, Robot};
use support::carried::{loaded, with_tool};
use support::{mechanism, truth, with_drives, worst_error, zoo};

const LOAD: KnownLoad = KnownLoad { log: 1, mass: 2.0, com: [0.02, -0.01, 0.1] };

fn arm() -> Mechanism {
    with_drives(with_tool(&zoo("panda")))
}

fn with_load(robot: &Robot) -> Mechanism {
    let point = CentredInertia { mass: LOAD.mass, com: LOAD.com, tensor: [0.0; 6] };
    loaded(robot, &PseudoInertia::from_centred(&point))
}

fn quick(seed: u64) -> Simulation {
    Simulation { duration: 8.0, rate: 100.0, seed, ..Simulation::default() }
}

/// A log in memory, as a file would have it.
fn place(recording: &Recording, arm: &Mechanism, name: &str) -> LogPlace {
    let columns = recording.columns(&channels(arm), true);
    let array =
        |(name, values): (String, Vec<f64>)| NamedArray { name, rows: values.len(), columns: 1, values };
    LogPlace::from(Log::from_arrays(name, columns.into_iter().map(array).collect()).expect("a log"))
}

fn logs<'a>(arm: &'a Mechanism, recordings: &[Recording]) -> RecordedLogs<'a> {
    let places = ["empty", "loaded"].iter().zip(recordings);
    let places: Vec<(LogPlace, Role)> =
        places.map(|(name, recording)| (place(recording, arm, name), Role::Training)).collect();
    RecordedLogs::new(arm, places, &LogOptions::default(), &Processing::as_recorded())
}

#[test]
fn a_known_load_is_taken_off() {
    let arm = arm();
    let carrying = with_load(arm.robot());
    let recordings = [simulate(&arm, &quick(1)).unwrap(), simulate(&carrying, &quick(2)).unwrap()];
    let settings = Settings { consistent: None, ..Settings::default() };
    let mut source = logs(&arm, &recordings).carrying("tool", &[LOAD]).unwrap();
    let found = identify_from(&arm, &mut source, &settings).unwrap();
    let truth = truth(&found, found.problem());
    assert!(worst_error(&found, &truth) < 1e-6, "{}", worst_error(&found, &truth));
    // Without it the two logs contradict each other.
    let found = identify_from(&arm, &mut logs(&arm, &recordings), &settings).unwrap();
    assert!(found.training.model.total > 0.05);
}

#[test]
fn a_known_load_tells_all_gains() {
    let arm = arm();
    let carrying = with_load(arm.robot());
    let mut recordings = [simulate(&arm, &quick(3)).unwrap(), simulate(&carrying, &quick(4)).unwrap()];
    let gains: Vec<f64> = (0..7).map(|k| 2.0 - 0.2 * k as f64).collect();
    let mut random = steiner_linalg::Stream::new(4);
    for recording in &mut recordings {
        for (k, current) in recording.tau.iter_mut().enumerate() {
            let gain = gains[k % 7];
            *current = *current / gain + 0.01 * random.normal();
        }
    }
    let joints: Vec<String> = arm.robot().bodies.iter().map(|body| body.joint.name.clone()).collect();
    let settings = Settings { unknown_gains: joints.clone(), ..Settings::default() };
    let error = identify_from(&arm, &mut logs(&arm, &recordings), &settings).unwrap_err();
    assert_eq!(error, IdentificationError::NoScale);
    let mut source = logs(&arm, &recordings).carrying("tool", &[LOAD]).unwrap();
    let found = identify_from(&arm, &mut source, &settings).unwrap();
    for (joint, gain) in joints.iter().zip(&gains) {
        let name = format!("{joint}.gain");
        let parameter = found.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        let (error, sigma) = (parameter.value - gain, parameter.sigma);
        // The first axis is vertical: it feels the load by its acceleration alone.
        let enough = if *joint == joints[0] { 0.1 } else { 0.05 };
        assert!(error.abs() < 4.0 * sigma && sigma < enough * gain, "{name}: {error} ± {sigma}");
    }
}

#[test]
fn loads_ride_on_loops_too() {
    let delta = mechanism("delta");
    let body = delta.robot().bodies.len() - 1;
    let name = delta.robot().bodies[body].name.clone();
    let load = KnownLoad { com: [0.0, 0.0, -0.05], ..LOAD };
    let point =
        PseudoInertia::from_centred(&CentredInertia { mass: load.mass, com: load.com, tensor: [0.0; 6] });
    let both = delta.robot().bodies[body].inertia.plus(&point);
    let carrying = Mechanism::new(delta.robot().changed(|parts| parts.bodies[body].inertia = both).unwrap());
    let short = |seed| Simulation { duration: 3.0, ..quick(seed) };
    let recordings = [simulate(&delta, &short(1)).unwrap(), simulate(&carrying.unwrap(), &short(2)).unwrap()];
    let settings = Settings { drives: false, consistent: None, ..Settings::default() };
    let mut source = logs(&delta, &recordings).carrying(&name, &[load]).unwrap();
    let found = identify_from(&delta, &mut source, &settings).unwrap();
    assert!(found.training.least_squares.total < 1e-6, "{}", found.training.least_squares.total);
}

#[test]
fn impossible_loads_are_refused() {
    let arm = arm();
    let recordings = [simulate(&arm, &quick(1)).unwrap(), simulate(&arm, &quick(2)).unwrap()];
    let refused = |link: &str, loads: &[KnownLoad]| {
        logs(&arm, &recordings).carrying(link, loads).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused("tol", &[LOAD]).contains("did you mean `tool`?"));
    assert!(refused("tool", &[KnownLoad { mass: -1.0, ..LOAD }]).contains("a mass of 0 or more"));
    assert!(refused("tool", &[KnownLoad { log: 2, ..LOAD }]).contains("of log 3"));
    assert!(refused("tool", &[LOAD, LOAD]).contains("one at most for each"));
}
