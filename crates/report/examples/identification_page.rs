//! The page of an identification from a simulated log: `identification_page ROBOT OUT.html [SECONDS [RATE]]`.
//! The file's inertias are off by some ten per cent, so that there is something to find.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_formats::{ReadOptions, assemble, read_robot};
use steiner_identification::{ResidualHistory, SensorFaults, Settings, Simulation, identify, simulate};
use steiner_report::{headline, identification_html, identification_json, parameter_table_csv};
use steiner_robot::{CentredInertia, Lumped, NewDynamics, PseudoInertia};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, robot, out, rest @ ..] = &arguments[..] else {
        return Err("usage: identification_page ROBOT OUT.html [SECONDS [RATE]]".into());
    };
    let number = |k: usize, default: f64| rest.get(k).map_or(Ok(default), |text| text.parse());
    let (duration, rate) = (number(0, 20.0)?, number(1, 200.0)?);
    let options = ReadOptions::default();
    let truth = Mechanism::new(read_robot(robot, &options)?)?;
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let mut log = simulate(&truth, &Simulation { duration, rate, faults, ..Simulation::default() })?;
    log.hold_out(0.3);

    let wrong = |k: usize, inertia: &PseudoInertia| {
        let centred = inertia.centred();
        let off = |j: usize| 1.08 + 0.3 * (1.7 * (k * 5 + j) as f64 + 0.4).sin();
        PseudoInertia::from_centred(&CentredInertia {
            mass: centred.mass * off(0),
            com: std::array::from_fn(|j| centred.com[j] * off(j + 1)),
            tensor: centred.tensor.map(|x| x * off(4)),
        })
    };
    let bodies = truth.robot().bodies.iter().enumerate();
    let inertias = bodies.map(|(k, body)| (body.name.clone(), wrong(k, &body.inertia))).collect();
    let dynamics = NewDynamics { inertias, drives: Vec::new() };
    let description = truth.robot().redescribed(&dynamics, Lumped::Proportional)?.description;
    let file = Mechanism::new(assemble(description, &options)?)?;

    let found = identify(&file, &log, &Settings::default())?;
    let history = ResidualHistory::of_identification(&found, &mut &log)?;
    write_atomically(Path::new(out), identification_html(&found, &history))?;
    let document = serde_json::to_string_pretty(&identification_json(&found))?;
    write_atomically(&Path::new(out).with_extension("json"), &document)?;
    write_atomically(&Path::new(out).with_extension("csv"), parameter_table_csv(&found))?;
    headline(&found).iter().for_each(|sentence| println!("{sentence}"));
    Ok(())
}
