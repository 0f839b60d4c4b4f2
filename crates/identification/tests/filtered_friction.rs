//! Dry friction where rates are derived: forces are filtered, and what jumps with the sign of a
//! velocity must be filtered alike.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    FrictionTerm, Identification, IdentificationNote, JointFriction, LogPlace, Problem, RecordedLogs,
    SensorFaults, Settings, Simulation, channels, identify, identify_from, predict, simulate,
};
use steiner_logs::{
    CoupledDrive, Cutoff, DryFriction, FrictionLaw, FrictionModel, Log, LogOptions, Processing, Recording,
    Role,
};
use steiner_robot::Friction;
use support::zoo;

fn stribeck(speed: f64) -> Vec<JointFriction> {
    vec![JointFriction::of_all(FrictionTerm::Stribeck { speed })]
}

const VISCOUS: f64 = 0.5;
const COULOMB: f64 = 2.0;
const NOISE: f64 = 0.001;

fn arm() -> Mechanism {
    let mut robot = zoo("ur5").into_parts();
    for body in &mut robot.bodies {
        body.joint.rotor_inertia = 0.1;
        body.joint.friction = Friction::simple(VISCOUS, COULOMB, 0.0);
    }
    Mechanism::new(steiner_robot::Robot::from_parts(robot).unwrap()).unwrap()
}

/// Positions by encoders with steps of 10 µrad and torques with 0.1 % of noise; no rates.
fn simulation() -> Simulation {
    let faults = SensorFaults { relative_force: NOISE, position_step: 1e-5, ..SensorFaults::default() };
    Simulation { seed: 3, faults, ..Simulation::default() }
}

fn log(arm: &Mechanism, simulation: &Simulation) -> Log {
    let data = simulate(arm, simulation).unwrap();
    Log::from_columns("log", data.columns(&channels(arm), false)).unwrap()
}

fn recorded(arm: &Mechanism, log: &Log, settings: &Settings) -> Recording {
    let processing = Processing { friction: settings.friction(), ..Processing::default() };
    Recording::of(&channels(arm), log, &processing).unwrap()
}

/// The drives whose dry friction was not filtered as the forces were.
fn unfiltered(found: &Identification) -> Vec<String> {
    let drives = |note: &IdentificationNote| match note {
        IdentificationNote::FrictionNotFiltered { drives } => drives.clone(),
        _ => Vec::new(),
    };
    found.notes.iter().flat_map(drives).collect()
}

/// Parameters of dry and viscous friction lie within three of their own standard deviations of the truth.
fn assert_friction(found: &Identification, truths: &[(&str, f64)]) {
    for (end, truth) in truths {
        let of = found.parameters.iter().filter(|parameter| parameter.name.ends_with(end));
        let mut seen = 0;
        for parameter in of {
            let (value, sigma) = (parameter.value, parameter.sigma);
            println!("{} {value:.5} ± {sigma:.5}", parameter.name);
            assert!(
                (value - truth).abs() < 3.0 * sigma,
                "{}: {value} ± {sigma}, not {truth}",
                parameter.name
            );
            assert!(sigma < 0.02 * truth, "{}: {sigma}", parameter.name);
            seen += 1;
        }
        assert!(seen > 0, "{end}");
    }
    println!("{:.4} % left", 100.0 * found.training.least_squares.total);
    // The filter takes most of the torques' noise away.
    assert!(found.training.least_squares.total < 0.3 * NOISE, "{}", found.training.least_squares.total);
    assert!(unfiltered(found).is_empty(), "{:?}", found.notes);
}

#[test]
fn friction_is_not_biased_where_rates_are_derived() {
    let arm = arm();
    let log = log(&arm, &simulation());
    let settings = Settings { consistent: None, ..Settings::default() };
    let data = recorded(&arm, &log, &settings);
    assert_eq!(data.friction.len(), 6);
    let found = identify(&arm, &data, &settings).unwrap();
    assert_friction(&found, &[(".fc", COULOMB), (".fv", VISCOUS)]);

    // Predictions are made of the same signals.
    let problem = Problem::new(&arm, &settings).unwrap();
    let prediction = predict(&problem, &data, &found.all, settings.threads()).unwrap();
    let (said, left) = (prediction.relative_error(), found.training.model.total);
    assert!((said / left - 1.0).abs() < 1e-6, "{said} {left}");

    // Read part by part for every pass, at the cut-off of the spectra: the same.
    let place = vec![(LogPlace::from(log.clone()), Role::Training)];
    let processing = Processing { cutoff: Cutoff::Scaled(1.0), ..Processing::default() };
    let mut source = RecordedLogs::new(&arm, place, &LogOptions::default(), &processing).keeping(0);
    let streamed = identify_from(&arm, &mut source, &settings).unwrap();
    for (a, b) in streamed.parameters.iter().zip(&found.parameters) {
        assert!((a.value - b.value).abs() < 1e-6 * b.sigma, "{}: {} {}", a.name, a.value, b.value);
    }

    // What the signals are for: without them, friction is many standard deviations off.
    let bare = identify(&arm, &Recording { friction: Vec::new(), ..data }, &settings).unwrap();
    assert!(bare.training.least_squares.total > 5.0 * NOISE);
    let off = bare.parameters.iter().filter(|p| p.name.ends_with(".fc"));
    assert!(off.into_iter().all(|p| (p.value - COULOMB).abs() > 0.05), "{:?}", bare.parameters);
}

#[test]
fn forces_as_recorded_go_with_friction_as_recorded() {
    let arm = arm();
    let log = log(&arm, &simulation());
    for processing in [
        Processing { filter_forces: false, ..Processing::default() },
        Processing { cutoff: Cutoff::Off, ..Processing::default() },
    ] {
        assert!(Recording::of(&channels(&arm), &log, &processing).unwrap().friction.is_empty());
    }
}

#[test]
fn smoothed_friction_and_coupled_drives_are_filtered_too() {
    let arm = arm();
    let joints: Vec<String> = arm.independent_names().to_vec();
    let wrist = CoupledDrive {
        name: "wrist".to_owned(),
        joints: vec![(joints[4].clone(), 1.0), (joints[5].clone(), -1.0)],
        crosswise: true,
    };
    let dry_friction = DryFriction::Smoothed { speed: 0.02 };
    let simulation = Simulation {
        dry_friction,
        coupled_drives: vec![(wrist.clone(), [0.05, VISCOUS, COULOMB])],
        ..simulation()
    };
    let log = log(&arm, &simulation);
    let settings =
        Settings { dry_friction, coupled_drives: vec![wrist], consistent: None, ..Settings::default() };
    let data = recorded(&arm, &log, &settings);
    assert_eq!(data.friction.len(), 7);
    assert_friction(&identify(&arm, &data, &settings).unwrap(), &[(".fc", COULOMB)]);

    // A recording for another law says so.
    let other = recorded(&arm, &log, &Settings::default());
    let found = identify(&arm, &other, &settings).unwrap();
    assert!(unfiltered(&found).contains(&"wrist.fc".to_owned()), "{:?}", found.notes);
}

#[test]
fn a_stribeck_term_that_is_not_there_is_not_found() {
    let arm = arm();
    let log = log(&arm, &simulation());
    let settings = Settings { friction_terms: stribeck(0.1), consistent: None, ..Settings::default() };
    let data = recorded(&arm, &log, &settings);
    assert_eq!(data.friction.len(), 12);
    let found = identify(&arm, &data, &settings).unwrap();
    assert_friction(&found, &[(".fc", COULOMB)]);
    for parameter in found.parameters.iter().filter(|parameter| parameter.name.ends_with(".fs")) {
        assert!(parameter.value.abs() < 3.0 * parameter.sigma, "{}: {}", parameter.name, parameter.value);
    }
}

#[test]
fn logs_with_and_without_filtered_forces_go_together() {
    let arm = arm();
    let settings = Settings { consistent: None, ..Settings::default() };
    let exact = simulate(&arm, &Simulation { seed: 5, ..simulation() }).unwrap();
    let filtered = recorded(&arm, &log(&arm, &simulation()), &settings);
    let law = FrictionLaw::default();
    for (first, second) in [(&exact, &filtered), (&filtered, &exact)] {
        let mut both = first.clone();
        both.append(second.clone()).unwrap();
        assert_eq!(both.friction.len(), 6);
        for signal in &both.friction {
            assert_eq!(signal.values.len(), both.count);
            let k = signal.function.speed[0].0;
            let start = if std::ptr::eq(first, &exact) { 0 } else { first.count };
            for sample in start..start + exact.count {
                assert_eq!(signal.values[sample], law.at(both.qd[6 * sample + k]));
            }
        }
        identify(&arm, &both, &settings).unwrap();
    }
    assert_eq!(FrictionModel::default(), settings.friction());
}
