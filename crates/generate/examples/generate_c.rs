//! Writes a robot's dynamics as C: `generate_c ROBOT DIRECTORY [--floating] [--theta] [--float]`.

use steiner_generate::{Model, Options, ParameterUse, Precision};
use steiner_robot::{ReadOptions, read_robot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let [robot, directory] = &arguments[..2] else { return Err("usage: generate_c ROBOT DIRECTORY".into()) };
    let robot = read_robot(robot, &ReadOptions { floating: has("--floating"), ..ReadOptions::default() })?;
    let options = Options {
        parameters: if has("--theta") { ParameterUse::Argument } else { ParameterUse::Constants },
        precision: if has("--float") { Precision::Single } else { Precision::Double },
        prefix: Some("robot".to_owned()),
        ..Options::default()
    };
    let model = Model::new(&robot, &options)?;
    for function in &model.functions {
        println!("{} {:?}", function.quantity.name(), function.operations());
    }
    for file in model.c().into_iter().chain([model.rust()]) {
        std::fs::write(std::path::Path::new(directory).join(file.name), file.text)?;
    }
    Ok(())
}
