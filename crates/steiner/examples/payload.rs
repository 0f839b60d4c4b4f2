//! What an arm carries: mass and centre of mass of its last link from a few seconds of motion, all other links
//! being known.

use steiner::identification::SensorFaults;
use steiner::robot::{PseudoInertia, Robot};
use steiner::{Mechanism, ReadOptions, Settings, Simulation, identify, read_mechanism, simulate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = read_mechanism("ur5", &ReadOptions::default())?;
    // The same arm with two kilograms in its hand stands for the recording.
    let mut loaded = arm.robot().clone().into_parts();
    let hand = loaded.bodies.last_mut().ok_or("an arm has links")?;
    let load = PseudoInertia::from_parameters(&[2.0, 0.0, 0.1, 0.2, 0.03, 0.0, 0.025, 0.0, -0.01, 0.01]);
    let both: [f64; 10] = std::array::from_fn(|k| hand.inertia.parameters()[k] + load.parameters()[k]);
    hand.inertia = PseudoInertia::from_parameters(&both);
    let (name, loaded) = (hand.name.clone(), Mechanism::new(Robot::from_parts(loaded)?)?);
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let log = simulate(&loaded, &Simulation { duration: 5.0, rate: 200.0, faults, ..Simulation::default() })?;

    let settings = Settings { payload: Some(name), drives: false, ..Settings::default() };
    let found = identify(&arm, &log, &settings)?;
    for parameter in found.parameters.iter().take(4) {
        let (value, before) = (parameter.value, parameter.prior);
        println!("{}: {value:.4} ± {:.4}, {before:.4} without load", parameter.name, parameter.sigma);
    }
    Ok(())
}
