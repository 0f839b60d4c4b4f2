//! Tables II, III and IV, condition numbers and figures 2–5 of the geometric multi-contact paper
//! ([matthew2016]), beside ours. See bench/README.md.
//!
//! `contacts [--quick] [FIGURES]`: fewer excitations with `--quick`; figures
//! go to a folder, if one is given.

mod conditions;
mod figures;
mod pattern;
#[path = "../../../identification/tests/support/pendulum.rs"]
#[allow(dead_code)]
mod pendulum;
mod tables;

use std::error::Error;
use std::f64::consts::PI;
use std::path::PathBuf;

use pendulum::{ALONG_X, leaning, moving, pendulum as pendulum_about};
use steiner_dynamics::Mechanism;
use steiner_identification::{ContactWrench, SensorFaults, SimulatedContact};

/// Where the paper's axes seem to lean, by the signs of table III: away from y and towards z.
const SIDE: f64 = 0.75 * PI;

/// What both halves of the paper are about.
struct Pendulums {
    /// Axes along x: what a simplified model takes them for.
    simple: Mechanism,
    /// Axes 5° off.
    full: Mechanism,
}

/// The noise of table III: 1 % of each wrench component.
fn wrench_noise() -> SensorFaults {
    SensorFaults { relative_force: 0.01, ..SensorFaults::default() }
}

/// The noise of table IV: 0.2 % of wrenches, and 0.1 mrad, 1 mrad/s, 10 mrad/s² of the states.
fn noise_everywhere() -> SensorFaults {
    SensorFaults {
        relative_force: 0.002,
        position: 1e-4,
        velocity: 1e-3,
        acceleration: 1e-2,
        ..SensorFaults::default()
    }
}

/// The second contact of section VII.
fn hand() -> Vec<SimulatedContact> {
    let wrench = ContactWrench::Random { force: 30.0, torque: 5.0 };
    vec![SimulatedContact { link: "link2".to_owned(), wrench }]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let folder = arguments.iter().find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let draws = if quick { 60 } else { 400 };
    let machines = Pendulums {
        simple: moving(pendulum_about([ALONG_X; 2])),
        full: moving(pendulum_about([leaning(5.0, SIDE); 2])),
    };
    tables::table_2(&machines.simple);
    let nearest = conditions::print(&machines, draws);
    let table_3 = tables::table_3(&machines, nearest.misaligned);
    pattern::print(draws);
    let table_4 = tables::table_4(&machines.simple, nearest.two_contacts);
    if let Some(folder) = folder {
        std::fs::create_dir_all(&folder)?;
        figures::draw(&folder, &machines, &table_3, &table_4)?;
    }
    Ok(())
}
