//! `steiner model`: the equations of motion in the parameters that can be identified.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use steiner_dynamics::Mechanism;
use steiner_model::{Code, CodeOptions, Notation, ParameterUse, Precision, Psdm, PsdmOptions, SearchSpace};
use steiner_report::{count, robot_json};
use steiner_robot::{Robot, read_robot, write_atomically};

use crate::arguments::{Language, ModelArguments};
use crate::output::{Failure, number, print, print_json, table, width, wrapped};

/// States at which a model is compared with recursion.
const CHECKED_STATES: usize = 100;

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    if let Some(language) = arguments.emit {
        return emit(&robot, language, arguments);
    }
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

/// Writes code for the robot's dynamics, by the recursive method.
fn emit(robot: &Robot, language: Language, arguments: &ModelArguments) -> Result<(), Failure> {
    let options = CodeOptions {
        quantities: arguments.what.clone(),
        parameters: match arguments.theta {
            true => ParameterUse::Argument,
            false => ParameterUse::Constants,
        },
        precision: if arguments.float { Precision::Single } else { Precision::Double },
        drives: arguments.drives,
        ..CodeOptions::default()
    };
    let model = Code::new(robot, &options)?;
    let files = match language {
        Language::C => model.c().to_vec(),
        Language::Rust => vec![model.rust()],
    };
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let written = |error: std::io::Error| {
        Failure::Message(format!("{} cannot be written ({error}); give another -o", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(written)?;
    for file in &files {
        write_atomically(&folder.join(&file.name), &file.text).map_err(written)?;
    }
    let functions: Vec<Value> = model
        .functions
        .iter()
        .map(|function| {
            let operations = function.operations();
            json!({
                "name": function.quantity.name(), "multiplications": operations.multiplications,
                "additions": operations.additions, "divisions": operations.divisions,
            })
        })
        .collect();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    if arguments.json {
        return print_json(&json!({
            "robot": robot.name, "method": "recursive", "base_parameters": model.parameters.len(),
            "functions": functions, "files": names, "folder": folder,
        }));
    }
    let mut page = format!(
        "{}: {} in {}\n",
        robot.name,
        count(model.functions.len(), "function"),
        count(model.parameters.len(), "base parameter")
    );
    let mut table = table(&["function", "×", "+", "÷"], &[1, 2, 3]);
    for function in &model.functions {
        let operations = function.operations();
        table.add_row([
            function.quantity.name().to_owned(),
            operations.multiplications.to_string(),
            operations.additions.to_string(),
            operations.divisions.to_string(),
        ]);
    }
    page += &format!("{table}\n");
    let listed: Vec<String> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
    page += &format!("wrote {}\n", listed.join(", "));
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
