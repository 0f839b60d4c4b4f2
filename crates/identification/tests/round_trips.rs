//! From a simulated log back to the parameters it was made with.

mod support;

use steiner_dynamics::Mechanism;
use steiner_identification::{Problem, Settings, Simulation, identify, simulate};
use support::{thorough, truth, with_drives, worst_error, zoo};

fn round_trip(name: &str, mechanism: &Mechanism) -> f64 {
    let simulation = Simulation { duration: 8.0, rate: 100.0, seed: 3, ..Simulation::default() };
    let data = simulate(mechanism, &simulation).unwrap_or_else(|error| panic!("{name}: {error}"));
    let settings = Settings::default();
    let found = identify(mechanism, &data, &settings).unwrap_or_else(|error| panic!("{name}: {error}"));
    let problem = Problem::new(mechanism, &settings).unwrap();
    let truth = truth(&found, &problem);
    assert_eq!(found.rank, truth.len(), "{name}: the motion shows all");
    let error = worst_error(&found, &truth);
    eprintln!(
        "{name:16} {:3} base parameters, error {error:.1e}, condition {:.0}, residual {:.1e}",
        truth.len(),
        found.excitation.condition_number,
        found.training.least_squares.total
    );
    assert!(error < 1e-7, "{name}: {error:.3e}");
    assert!(found.is_consistent(), "{name}: {:?}", found.consistency);
    error
}

#[test]
fn without_noise_every_base_parameter_comes_back() {
    let names: Vec<&str> = match thorough() {
        true => steiner_robot::zoo::ENTRIES.iter().map(|entry| entry.name).collect(),
        false => vec!["two_link", "puma560", "panda", "go2", "five_bar", "delta"],
    };
    for name in names {
        round_trip(name, &with_drives(zoo(name)));
    }
}
