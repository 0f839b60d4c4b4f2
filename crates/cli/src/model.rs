//! `steiner model`: the equations of motion in the parameters that can be identified.

use std::time::Instant;

use serde_json::json;
use steiner_dynamics::Mechanism;
use steiner_model::{Notation, Psdm, PsdmOptions, SearchSpace};
use steiner_report::{count, robot_json};
use steiner_robot::read_robot;

use crate::arguments::ModelArguments;
use crate::output::{Failure, number, print, print_json, width, wrapped};

/// States at which a model is compared with recursion.
const CHECKED_STATES: usize = 100;

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let options = PsdmOptions {
        neglect: arguments.neglect.clone(),
        drives: arguments.drives,
        ..PsdmOptions::default()
    };
    let started = Instant::now();
    let model = Psdm::derive(&mechanism, &options)?;
    let seconds = started.elapsed().as_secs_f64();
    if let Some(path) = &arguments.save {
        model.save(path)?;
        eprintln!("wrote {}", path.display());
    }
    if let Some(notation) = &arguments.equations {
        let notation = if notation == "latex" { Notation::Latex } else { Notation::Text };
        return print(&model.equations(notation));
    }
    let space = SearchSpace::of(&model.motions());
    // Parameters declared zero are not zero in the file: then there is nothing to compare with.
    let error = match options.neglect.is_empty() && !options.drives {
        true => Some(largest_error(&mechanism, &model)?),
        false => None,
    };
    let names: Vec<&str> = model.parameters().iter().map(|parameter| parameter.label.as_str()).collect();
    if arguments.json {
        return print_json(&json!({
            "robot": robot_json(&mechanism),
            "method": "psdm",
            "candidates": space.functions,
            "functions": model.functions().len(),
            "base_parameters": model.parameters().len(),
            "parameters": names,
            "values": model.nominal(),
            "derivation_seconds": seconds,
            "max_error": error,
        }));
    }
    let mut page = format!(
        "{}: {} in {}, of {} candidates\n",
        mechanism.robot().name,
        count(model.functions().len(), "function"),
        count(model.parameters().len(), "base parameter"),
        number(space.functions),
    );
    if let Some(error) = error {
        page += &format!(
            "differs from recursion by at most {error:.1e} at {CHECKED_STATES} random states (relative)\n"
        );
    }
    page += &wrapped(&format!("base parameters: {}", names.join(", ")), 2, width());
    page += "steiner model … --equations prints them, --save FILE keeps them\n";
    print(&page)
}

/// Largest difference to recursion over random states, relative to the largest force there.
fn largest_error(mechanism: &Mechanism, model: &Psdm) -> Result<f64, Failure> {
    let arm = model.calibrate(&model.nominal())?;
    let mut worst: f64 = 0.0;
    let mut seed = 1u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..CHECKED_STATES {
        let mut numbers = |scale: f64| -> Vec<f64> { (0..mechanism.dof()).map(|_| scale * draw()).collect() };
        let (q, qd, qdd) = (numbers(3.0), numbers(2.0), numbers(5.0));
        let tau = arm.inverse_dynamics(&q, &qd, &qdd)?;
        let recursion = mechanism.inverse_dynamics(&q, &qd, &qdd)?;
        let size = recursion.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let difference = tau.iter().zip(&recursion).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        worst = worst.max(difference / size);
    }
    Ok(worst)
}
