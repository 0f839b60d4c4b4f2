//! Files that are wrong by orders of magnitude: the data decide what they show.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Bounds, CentreBound, Identification, SensorFaults, Settings, Simulation, identify, simulate,
};
use steiner_linalg::Stream;
use steiner_robot::{PseudoInertia, Robot};
use support::zoo;

/// A log of a robot, with white noise of 3 % on its forces.
fn noisy_log(robot: &Robot, duration: f64, seed: u64) -> steiner_logs::Recording {
    let faults = SensorFaults { relative_force: 0.03, ..SensorFaults::default() };
    let simulation = Simulation { duration, rate: 100.0, seed, faults, ..Simulation::default() };
    simulate(&Mechanism::new(robot.clone()).unwrap(), &simulation).unwrap()
}

/// The last link of a UR5 with three kilograms at a flange's distance.
fn loaded_ur5() -> Robot {
    let mut robot = zoo("ur5").into_parts();
    let link = robot.bodies.last_mut().unwrap();
    let (mass, centre, ball) = (3.0, [0.0, 0.15, 0.16], 0.01);
    let about = |i: usize, j: usize| mass * centre[i] * centre[j] + if i == j { ball } else { 0.0 };
    link.inertia = PseudoInertia {
        mass,
        first: centre.map(|c| mass * c),
        second: [about(0, 0), about(0, 1), about(1, 1), about(0, 2), about(1, 2), about(2, 2)],
    };
    Robot::from_parts(robot).unwrap()
}

fn is_near_least_squares(found: &Identification, what: &str) {
    let (model, least) = (found.training.model.total, found.training.least_squares.total);
    // Where a file is wrong by ten thousand in everything, its pull may cost a few units of ½χ² a parameter.
    let cheap = found.optimality.unwrap().objective < 3.0 * found.labels().len() as f64;
    assert!(model < 1.02 * least || (cheap && model < 1.2 * least), "{what}: {model} beside {least}");
    assert!(found.is_consistent(), "{what}");
    let optimality = found.optimality.unwrap();
    assert!(optimality.gap <= 1e-6 * (1.0 + optimality.objective), "{what}: {optimality:?}");
}

#[test]
fn a_payload_far_from_the_file_is_found() {
    let data = noisy_log(&loaded_ur5(), 40.0, 1);
    let file = Mechanism::new(zoo("ur5")).unwrap();
    let last = file.robot().bodies.last().unwrap().name.clone();
    let payload = Settings { payload: Some(last.clone()), drives: false, ..Settings::default() };
    for (what, settings) in
        [("payload", payload), ("all links", Settings { drives: false, ..Settings::default() })]
    {
        let found = identify(&file, &data, &settings).unwrap();
        is_near_least_squares(&found, what);
        let link = found.consistency.iter().find(|link| link.link == last).unwrap();
        eprintln!("{what}: {} kg, {:?}", link.inertia.mass, found.optimality);
        // With all links unknown, mass can move along the last axis to the link before.
        let tolerance = if what == "payload" { 0.02 } else { 0.5 };
        assert!((link.inertia.mass - 3.0).abs() < tolerance, "{what}: {} kg", link.inertia.mass);
    }
}

#[test]
fn files_of_any_size_end_at_the_minimum() {
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    let mut random = Stream::new(15);
    for (name, seeds) in [("two_link", 6), ("ur5", 4), ("panda", 3), ("go2", 1)] {
        let truth = zoo(name);
        let data = noisy_log(&truth, 10.0, 3);
        for seed in 0..if thorough { 20 * seeds } else { seeds } {
            let mut file = truth.clone().into_parts();
            for body in &mut file.bodies {
                // Masses and sizes from a ten-thousandth to a thousand times the truth, some zero.
                let scale = 10f64.powf(-4.0 + 7.0 * random.fraction());
                let size = 10f64.powf(-1.0 + 2.0 * random.fraction());
                let zero = random.fraction() < 0.1;
                let inertia = &mut body.inertia;
                inertia.mass *= if zero { 0.0 } else { scale };
                inertia.first.iter_mut().for_each(|x| *x *= if zero { 0.0 } else { scale * size });
                inertia.second.iter_mut().for_each(|x| *x *= if zero { 0.0 } else { scale * size * size });
            }
            let mechanism = Mechanism::new(Robot::from_parts(file).unwrap()).unwrap();
            let settings = Settings { drives: false, ..Settings::default() };
            let found = identify(&mechanism, &data, &settings).unwrap();
            is_near_least_squares(&found, &format!("{name}, {seed}"));
        }
    }
}

#[test]
fn bounds_that_the_truth_meets_do_not_contradict_each_other_however_wrong_the_file() {
    for (name, seed) in [("lbr7", 1), ("lbr7", 2), ("ur5", 3), ("puma560", 4), ("panda", 5)] {
        let truth = zoo(name);
        let data = noisy_log(&truth, 6.0, seed);
        for factor in [1e-4, 1e3] {
            let mut file = truth.clone().into_parts();
            for body in &mut file.bodies {
                body.inertia.mass *= factor;
                body.inertia.first.iter_mut().for_each(|x| *x *= -factor);
                body.inertia.second.iter_mut().for_each(|x| *x *= factor);
            }
            for link in [1, truth.bodies.len() - 1] {
                let body = &truth.bodies[link];
                let (mass, centre) = (body.inertia.mass, body.inertia.first.map(|x| x / body.inertia.mass));
                let (lower, upper) = (centre.map(|x| x - 0.02), centre.map(|x| x + 0.01));
                let bounds = Bounds {
                    masses: vec![(body.name.clone(), 0.8 * mass, 1.1 * mass)],
                    centres: vec![(body.name.clone(), CentreBound::Box { lower, upper })],
                    total_mass: Some(truth.bodies.iter().map(|body| body.inertia.mass).sum()),
                    ..Bounds::default()
                };
                let settings = Settings { consistent: Some(bounds), drives: false, ..Settings::default() };
                let mechanism = Mechanism::new(Robot::from_parts(file.clone()).unwrap()).unwrap();
                let found = identify(&mechanism, &data, &settings);
                let found = found.unwrap_or_else(|error| panic!("{name}, {}, {factor}: {error}", body.name));
                let own = found.consistency.iter().find(|link| link.link == body.name).unwrap();
                let kept = 0.799 * mass < own.inertia.mass && own.inertia.mass < 1.101 * mass;
                assert!(
                    kept && found.optimality.unwrap().violation < 1e-8,
                    "{name}, {}, {factor}",
                    body.name
                );
            }
        }
    }
}
