//! A closed loop written as text: how much the torque of its one motor tells, and where the rest goes.

use steiner::formats::{Format, assemble, parse_text};
use steiner::{Mechanism, Question, ReadOptions, analyze};

/// A slider-crank: lengths in metres. Inertias are not needed to ask what can be identified.
const SLIDER_CRANK: &str = r#"
name = "slider_crank"
gravity = [0, -9.81, 0]
independent = ["crank"]

[[body]]
name = "crank"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]

[[body]]
name = "rod"
parent = "crank"
joint = "revolute"
xyz = ["1/10", 0, 0]
axis = [0, 0, 1]

[[body]]
name = "slider"
parent = "base"
joint = "prismatic"
axis = [1, 0, 0]

[[loop]]
name = "wrist_pin"
joint = "revolute"
predecessor = { body = "slider", xyz = ["4/10", 0, 0] }
successor = { body = "rod", xyz = ["3/10", 0, 0] }
axis = [0, 0, 1]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = ReadOptions::default();
    let description = parse_text(SLIDER_CRANK, "slider_crank", Format::Toml, None, &options)?;
    let mechanism = Mechanism::new(assemble(description, &options)?)?;
    let analysis = analyze(&mechanism, &Question::default())?;
    println!("{} base parameters of {}", analysis.regrouping.base.len(), analysis.labels.len());
    for base in &analysis.regrouping.base {
        let terms =
            base.terms.iter().map(|(column, factor)| format!("{factor:.3}*{}", analysis.labels[*column]));
        println!("  {}", terms.collect::<Vec<_>>().join(" + "));
    }
    Ok(())
}
