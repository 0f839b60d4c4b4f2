//! Standard deviations mean what they say.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{Problem, SensorFaults, Settings, Simulation, identify, simulate};
use support::{thorough, truth, with_drives, zoo};

/// Errors of all parameters over seeds, each over its standard deviation (by white noise, by blocks).
fn errors(mechanism: &Mechanism, faults: SensorFaults, seeds: u64) -> Vec<(f64, f64)> {
    let settings = Settings { consistent: None, ..Settings::default() };
    let problem = Problem::new(mechanism, &settings).unwrap();
    let mut out = Vec::new();
    for seed in 1..=seeds {
        let simulation = Simulation { duration: 10.0, rate: 100.0, seed, faults, ..Simulation::default() };
        let data = simulate(mechanism, &simulation).unwrap();
        let found = identify(mechanism, &data, &settings).unwrap();
        for (parameter, truth) in found.parameters.iter().zip(truth(&found, &problem)) {
            let error = (parameter.least_squares - truth).abs();
            out.push((error / parameter.white_sigma, error / parameter.robust_sigma.unwrap()));
        }
    }
    out
}

/// The part of numbers that is at most `most`.
fn part(numbers: impl Iterator<Item = f64> + Clone, most: f64) -> f64 {
    numbers.clone().filter(|x| *x <= most).count() as f64 / numbers.count() as f64
}

#[test]
fn white_torque_noise_stays_within_three_sigma() {
    let names: &[&str] = match thorough() {
        true => &[
            "two_link",
            "puma560",
            "panda",
            "ur5",
            "scara_sr6ia",
            "gantry",
            "go2",
            "five_bar",
            "delta",
            "palletizer",
        ],
        false => &["puma560", "go2", "five_bar"],
    };
    let seeds = if thorough() { 50 } else { 8 };
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    for name in names {
        let found = errors(&with_drives(zoo(name)), faults, seeds);
        let white = found.iter().map(|(white, _)| *white);
        let (three, one) = (part(white.clone(), 3.0), part(white, 1.0));
        eprintln!(
            "{name:12} within 3σ {:.2} %, within 1σ {:.1} % of {}",
            100.0 * three,
            100.0 * one,
            found.len()
        );
        assert!(three >= 0.99, "{name}: {three} within 3σ");
        // Not by being too modest: a normal distribution has 68 % within one.
        assert!((0.60..0.76).contains(&one), "{name}: {one} within 1σ");
    }
}

#[test]
fn noise_on_the_states_needs_blocks_and_then_stays_within() {
    let names: &[&str] = match thorough() {
        true => &["puma560", "panda", "ur5", "go2", "five_bar", "delta"],
        false => &["panda", "five_bar"],
    };
    let seeds = if thorough() { 50 } else { 8 };
    let faults = SensorFaults {
        relative_force: 0.01,
        position: 2e-5,
        velocity: 3e-4,
        acceleration: 3e-2,
        ..SensorFaults::default()
    };
    for name in names {
        let found = errors(&with_drives(zoo(name)), faults, seeds);
        let robust = found.iter().map(|(_, robust)| *robust);
        let (three, two) = (part(robust.clone(), 3.0), part(robust, 1.96));
        eprintln!(
            "{name:12} within 3 robust σ {:.1} %, within 1.96 {:.1} % of {}",
            100.0 * three,
            100.0 * two,
            found.len()
        );
        assert!(three >= 0.95, "{name}: {three} within 3 robust σ");
        // Not by being too modest.
        assert!(two < 0.99, "{name}: {two} within 1.96 robust σ");
    }
}
