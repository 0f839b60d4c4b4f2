//! What to measure: base parameters of an arm by joint torques, by its base wrench, and by poses at rest.

use steiner::{Question, ReadOptions, analyze, read_mechanism};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = read_mechanism("panda", &ReadOptions::default())?;
    for sensors in ["all", "base-wrench", "static"] {
        let question = Question { measure: sensors.parse()?, ..Question::default() };
        let analysis = analyze(&arm, &question)?;
        println!("{sensors:12} {} of {}", analysis.regrouping.base.len(), analysis.labels.len());
    }
    Ok(())
}
