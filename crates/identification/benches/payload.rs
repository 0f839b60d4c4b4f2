//! How long a payload's estimator takes for one tick of a seven-joint arm, and for an estimate.

use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    PayloadEstimator, PayloadSettings, SensorFaults, Settings, Simulation, identify, simulate,
};
use steiner_logs::Recording;

/// Rounds over the log; the fastest counts, as others may use the machine.
const ROUNDS: usize = 10;

/// Microseconds of an update at the fastest round's mean, and of the slowest hundredth in that round.
fn microseconds(estimator: &mut PayloadEstimator, log: &Recording, dof: usize) -> (f64, f64) {
    let of = |values: &[f64], k: usize| -> Vec<f64> { values[dof * k..dof * (k + 1)].to_vec() };
    let samples: Vec<[Vec<f64>; 4]> =
        (0..log.count).map(|k| [of(&log.q, k), of(&log.qd, k), of(&log.qdd, k), of(&log.tau, k)]).collect();
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let mut each: Vec<f64> = Vec::with_capacity(samples.len());
        let begun = Instant::now();
        for [q, qd, qdd, tau] in &samples {
            let started = Instant::now();
            estimator.update(q, qd, qdd, tau).expect("a sample");
            each.push(1e6 * started.elapsed().as_secs_f64());
        }
        let mean = 1e6 * begun.elapsed().as_secs_f64() / samples.len() as f64;
        each.sort_by(f64::total_cmp);
        if mean < best.0 {
            best = (mean, each[each.len() * 99 / 100]);
        }
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).filter(|name| !name.starts_with('-')).unwrap_or("panda".to_owned());
    let arm = Mechanism::new(read_robot(&name, &ReadOptions::default())?)?;
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let log = simulate(&arm, &Simulation { duration: 10.0, faults, ..Simulation::default() })?;
    let link = arm.robot().bodies.last().ok_or("a robot has bodies")?.name.clone();
    let found = identify(&arm, &log, &Settings::default())?;
    let settings = PayloadSettings { forgetting: 0.9999, ..PayloadSettings::default() };
    let known = PayloadEstimator::new(&arm, &link, settings.clone())?;
    let uncertain = PayloadEstimator::on_identified(&found, &link, settings)?;
    for (what, mut estimator) in [("known arm", known), ("arm with its covariance", uncertain)] {
        let (mean, slow) = microseconds(&mut estimator, &log, arm.dof());
        let started = Instant::now();
        let payload = estimator.estimate()?;
        println!(
            "{name}, {what}: {mean:.2} µs an update (99 % below {slow:.2} µs), {:.2} ms an estimate; {:.4} ± {:.4} kg",
            1e3 * started.elapsed().as_secs_f64(),
            payload.centred.mass,
            payload.mass_sigma
        );
    }
    Ok(())
}
