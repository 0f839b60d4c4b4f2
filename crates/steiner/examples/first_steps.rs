//! Base parameters of an arm, and their identification from a synthetic log.

use steiner::{Question, ReadOptions, Settings, Simulation, analyze, identify, read_mechanism, simulate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = read_mechanism("puma560", &ReadOptions::default())?; // a file, or a robot of the zoo
    let analysis = analyze(&arm, &Question::default())?;
    for base in &analysis.regrouping.base {
        println!("{} and {} regrouped into it", analysis.labels[base.column], base.terms.len() - 1);
    }
    let log = simulate(&arm, &Simulation { duration: 10.0, rate: 100.0, ..Simulation::default() })?;
    let found = identify(&arm, &log, &Settings::default())?;
    for parameter in &found.parameters {
        println!("{} = {:.4} ± {:.1e}", parameter.name, parameter.value, parameter.sigma);
    }
    Ok(())
}
