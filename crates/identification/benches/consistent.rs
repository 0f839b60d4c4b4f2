//! Random programs of consistent estimates with our minima, one line of JSON each: `bench/consistent` solves
//! them again with Clarabel and prints both sides.
//!
//! Files are wrong by factors from zero to a thousand, logs are short or long, some links are payloads, masses
//! and centres are bounded or not.

#[path = "../tests/support/program.rs"]
mod program;

use std::time::Instant;

use program::program_json;
use serde_json::json;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    Bounds, CentreBound, Pull, SensorFaults, Settings, Simulation, identify, simulate,
};
use steiner_linalg::Stream;
use steiner_robot::Robot;

const ROBOTS: [&str; 8] = ["two_link", "puma560", "ur5", "panda", "kr6", "scara_sr6ia", "lbr7", "go2"];

fn main() {
    let arguments: Vec<String> = std::env::args().filter(|a| a != "--bench").collect();
    let count: usize = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut random = Stream::new(15);
    for k in 0..count {
        let name = ROBOTS[random.below(ROBOTS.len())];
        let truth = read_robot(name, &ReadOptions::default()).expect("a robot of the zoo");
        let settings = settings(&truth, &mut random);
        let faults =
            SensorFaults { relative_force: 10f64.powf(-3.0 + 2.0 * random.fraction()), ..Default::default() };
        let simulation = Simulation {
            duration: 2.0 + 10.0 * random.fraction(),
            rate: 100.0,
            reach: 0.05 + 0.6 * random.fraction(),
            seed: k as u64,
            faults,
            ..Simulation::default()
        };
        let log = simulate(&Mechanism::new(truth.clone()).expect("a mechanism"), &simulation).expect("a log");
        let file = Mechanism::new(wrong(truth, &mut random)).expect("a mechanism");
        let started = Instant::now();
        let found = identify(&file, &log, &settings);
        let seconds = started.elapsed().as_secs_f64();
        match found {
            Ok(found) => {
                let optimality = found.optimality.expect("asked for");
                let program = found.program.expect("asked for");
                let mut line = program_json(&program);
                line["name"] = json!(format!("{name} {k}"));
                line["seconds"] = json!(seconds);
                (line["objective"], line["gap"]) = (json!(optimality.objective), json!(optimality.gap));
                println!("{line}");
            }
            Err(error) => {
                println!(
                    "{}",
                    json!({ "name": format!("{name} {k}, {:?}", settings.consistent), "refused": error.to_string() })
                )
            }
        }
    }
}

/// Masses and sizes from zero to a thousand times the truth.
fn wrong(truth: Robot, random: &mut Stream) -> Robot {
    let mut file = truth.into_parts();
    for body in &mut file.bodies {
        let zero = random.fraction() < 0.1;
        let scale = if zero { 0.0 } else { 10f64.powf(-4.0 + 7.0 * random.fraction()) };
        let size = 10f64.powf(-1.0 + 2.0 * random.fraction());
        body.inertia.mass *= scale;
        body.inertia.first.iter_mut().for_each(|x| *x *= scale * size);
        body.inertia.second.iter_mut().for_each(|x| *x *= scale * size * size);
    }
    Robot::from_parts(file).expect("checked")
}

fn settings(truth: &Robot, random: &mut Stream) -> Settings {
    let link = &truth.bodies[random.below(truth.bodies.len())];
    let weight = 10f64.powf(-1.0 + 2.0 * random.fraction());
    let pull = match random.below(3) {
        0 => Pull::LogDet { weight },
        1 => Pull::Entropic { weight },
        _ => Pull::Quadratic { weight },
    };
    let mut bounds = Bounds { pull, ..Bounds::default() };
    if random.fraction() < 0.3 {
        bounds.total_mass = Some(truth.bodies.iter().map(|body| body.inertia.mass).sum());
    }
    if random.fraction() < 0.3 {
        let mass = link.inertia.mass;
        bounds.masses.push((link.name.clone(), 0.8 * mass, 1.1 * mass));
    }
    if random.fraction() < 0.3 {
        let centre = link.inertia.first.map(|x| x / link.inertia.mass);
        let (lower, upper) = (centre.map(|x| x - 0.02), centre.map(|x| x + 0.01));
        bounds.centres.push((link.name.clone(), CentreBound::Box { lower, upper }));
    }
    let payload = (random.fraction() < 0.2 && bounds.total_mass.is_none()).then(|| link.name.clone());
    Settings { consistent: Some(bounds), payload, drives: random.fraction() < 0.5, ..Settings::default() }
}
