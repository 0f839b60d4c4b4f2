//! What a designed motion promises is what identification finds: deviations over many noisy logs of one motion
//! against those predicted, with another crate's simulation and estimator.

use steiner_dynamics::Mechanism;
use steiner_excitation::{Design, design};
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{SensorFaults, Settings, Simulation, identify, simulate_along};
use steiner_logs::Recording;
use steiner_scalar::Exact;

/// The spread of estimates over seeds, relative to what was predicted, for each base parameter.
fn ratios(name: &str, lock: &[&str], seeds: u64) -> Vec<(String, f64)> {
    let lock = lock.iter().map(|joint| ((*joint).to_owned(), Exact::zero())).collect();
    let robot = read_robot(name, &ReadOptions { lock, ..ReadOptions::default() }).unwrap();
    let mechanism = Mechanism::new(robot).unwrap();
    let noise = 0.05;
    let wish = Design {
        starts: Some(1),
        rate: 50.0,
        duration: 8.0,
        noise: vec![("*".to_owned(), noise)],
        ..Design::default()
    };
    let found = design(&mechanism, &wish, &|_| false).unwrap();
    assert!(found.feasible);
    let motion = found.trajectory(&mechanism, wish.rate);
    let mut estimates: Vec<Vec<f64>> = Vec::new();
    let mut names = Vec::new();
    for seed in 0..seeds {
        let states = Recording {
            count: motion.t.len(),
            t: motion.t.clone(),
            q: motion.q.clone(),
            qd: motion.qd.clone(),
            qdd: motion.qdd.clone(),
            ..Recording::default()
        };
        let faults = SensorFaults { force: noise, ..SensorFaults::default() };
        let simulation = Simulation { seed, faults, ..Simulation::default() };
        let log = simulate_along(&mechanism, states, &simulation).unwrap();
        let settings = Settings { consistent: None, ..Settings::default() };
        let estimate = identify(&mechanism, &log, &settings).unwrap();
        names = estimate.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        estimates.push(estimate.parameters.iter().map(|parameter| parameter.least_squares).collect());
    }
    let promised: Vec<String> = found.deviations.iter().map(|deviation| deviation.name.clone()).collect();
    assert_eq!(names, promised);
    let spread = |k: usize| {
        let mean = estimates.iter().map(|values| values[k]).sum::<f64>() / seeds as f64;
        let square = estimates.iter().map(|values| (values[k] - mean).powi(2)).sum::<f64>();
        (square / (seeds - 1) as f64).sqrt()
    };
    let deviations = found.deviations.iter().enumerate();
    deviations.map(|(k, deviation)| (deviation.name.clone(), spread(k) / deviation.sd)).collect()
}

fn check(name: &str, lock: &[&str]) {
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    let seeds = if thorough { 50 } else { 20 };
    let mut ratios = ratios(name, lock, seeds);
    ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
    let median = ratios[ratios.len() / 2].1;
    let (least, most) = (&ratios[0], &ratios[ratios.len() - 1]);
    println!("{name}: {} parameters, median {median:.3}, {least:?} to {most:?}", ratios.len());
    assert!((0.9..1.1).contains(&median), "{name}: {median}");
    // A deviation from n seeds is known to 1/√(2(n − 1)): 45 % of it is 4.5 times that with 50 seeds.
    let wide = if thorough { 0.45 } else { 0.72 };
    assert!(ratios.iter().all(|(_, ratio)| (ratio - 1.0).abs() < wide), "{name}: {ratios:?}");
}

#[test]
fn of_an_arm() {
    check("ur5", &[]);
}

#[test]
fn of_a_delta() {
    check("delta", &[]);
}

#[test]
fn of_a_quadruped_on_a_stand() {
    check("go2", &["base_link"]);
}
