//! One robot, recorded or processed in different ways, has the same parameters.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Identification, LogPlace, RecordedLogs, SensorFaults, Settings, Simulation, channels, identify_from,
    simulate,
};
use steiner_logs::{Log, LogOptions, Processing, Role};
use support::{with_drives, zoo};

/// A minute of an arm at 1 kHz: encoders of 17 bits, 3 % noise in the torques; and every so many samples of it.
fn log(arm: &Mechanism, rates: bool, every: usize) -> Log {
    let faults = SensorFaults {
        relative_force: 0.03,
        position_step: std::f64::consts::TAU / 131_072.0,
        velocity: 1e-3,
        acceleration: 1e-2,
        ..SensorFaults::default()
    };
    let simulation = Simulation { duration: 60.0, seed: 4, faults, ..Simulation::default() };
    let data = simulate(arm, &simulation).unwrap();
    let columns = data.columns(&channels(arm), rates);
    let picked = |values: Vec<f64>| values.into_iter().step_by(every).collect();
    Log::from_columns("log", columns.into_iter().map(|(name, values)| (name, picked(values))).collect())
        .unwrap()
}

/// With the defaults of the command, from some of the time.
fn identified(arm: &Mechanism, log: &Log, from: Option<f64>, to: Option<f64>) -> Identification {
    let settings = Settings { choose_friction: true, ..Settings::default() };
    let processing = Processing { friction: settings.friction(), from, to, ..Processing::default() };
    let place = vec![(LogPlace::from(log.clone()), Role::Training)];
    let mut source = RecordedLogs::new(arm, place, &LogOptions::default(), &processing);
    let found = identify_from(arm, &mut source, &settings).unwrap();
    println!("cut-off {:?}", source.settled()[0].cutoff);
    found
}

/// Differences of what both found, in their deviations.
fn differences(a: &Identification, b: &Identification) -> Vec<f64> {
    let of = |own: &steiner_identification::IdentifiedParameter| {
        let other = b.parameters.iter().find(|other| other.name == own.name && other.terms == own.terms)?;
        Some((own.least_squares - other.least_squares) / own.sigma.hypot(other.sigma))
    };
    a.parameters.iter().filter_map(of).filter(|z| z.is_finite()).collect()
}

fn assert_same(title: &str, a: &Identification, b: &Identification) {
    let z = differences(a, b);
    let within = z.iter().filter(|z| z.abs() <= 2.0).count() as f64 / z.len() as f64;
    let most = z.iter().fold(0.0f64, |most, z| most.max(z.abs()));
    println!("{title}: {} parameters, {:.1} % within 2 sigma, at most {most:.1}", z.len(), 100.0 * within);
    assert!(z.len() + 4 >= a.parameters.len().min(b.parameters.len()), "{title}: {}", z.len());
    // 95 % are expected of independent logs.
    assert!(within >= 0.9 && most < 4.0, "{title}: {within} within 2 sigma, at most {most}");
}

#[test]
fn halves_rates_and_sampling_rates_give_the_same_parameters() {
    // The other arm is the longer of the two.
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    for name in if thorough { vec!["ur5", "panda"] } else { vec!["ur5"] } {
        let arm = with_drives(zoo(name));
        let positions = log(&arm, false, 1);
        let whole = identified(&arm, &positions, None, None);
        let first = identified(&arm, &positions, None, Some(30.0));
        let second = identified(&arm, &positions, Some(30.0), None);
        assert_same(&format!("{name}, halves"), &first, &second);
        let rates = identified(&arm, &log(&arm, true, 1), None, None);
        assert_same(&format!("{name}, recorded rates"), &whole, &rates);
        let slow = identified(&arm, &log(&arm, false, 8), None, None);
        assert_same(&format!("{name}, 125 Hz"), &whole, &slow);
    }
}
