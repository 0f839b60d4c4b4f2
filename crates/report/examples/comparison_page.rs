//! The page of a comparison by a simulated log: `comparison_page ROBOT OUT.html`. The first contestant is off
//! by some ten per cent, the second is the truth but for its drives.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_formats::{ReadOptions, assemble, read_robot};
use steiner_identification::{Contestant, SensorFaults, Settings, Simulation, compare_robots, simulate};
use steiner_report::{robot_comparison_html, robot_comparison_json, verdict};
use steiner_robot::{CentredInertia, Friction, Lumped, NewDrive, NewDynamics, PseudoInertia};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, robot, out] = &arguments[..] else { return Err("usage: comparison_page ROBOT OUT.html".into()) };
    let options = ReadOptions::default();
    let truth = Mechanism::new(read_robot(robot, &options)?)?;
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let mut log = simulate(&truth, &Simulation { rate: 200.0, faults, ..Simulation::default() })?;
    log.hold_out(0.3);
    let variant = |off: f64, with_drives: bool| -> Result<Mechanism, Box<dyn std::error::Error>> {
        let wrong = |inertia: &PseudoInertia| {
            let centred = inertia.centred();
            PseudoInertia::from_centred(&CentredInertia {
                mass: centred.mass * (1.0 + off),
                com: centred.com.map(|x| x * (1.0 - off)),
                tensor: centred.tensor.map(|x| x * (1.0 + 2.0 * off)),
            })
        };
        let bodies = &truth.robot().bodies;
        let inertias = bodies.iter().map(|body| (body.name.clone(), wrong(&body.inertia))).collect();
        let drives = bodies.iter().filter(|_| !with_drives).map(|body| NewDrive {
            joint: body.joint.name.clone(),
            rotor_inertia: 0.0,
            friction: Friction::default(),
        });
        let dynamics = NewDynamics { inertias, drives: drives.collect() };
        let description = truth.robot().redescribed(&dynamics, Lumped::Proportional)?.description;
        Ok(Mechanism::new(assemble(description, &options)?)?)
    };
    let (vendor, identified) = (variant(0.12, true)?, variant(0.0, false)?);
    let comparison = compare_robots(
        Contestant { name: "vendor.urdf".to_owned(), mechanism: &vendor, source: &mut &log },
        Contestant { name: "identified.urdf".to_owned(), mechanism: &identified, source: &mut &log },
        &Settings::default(),
    )?;
    write_atomically(Path::new(out), robot_comparison_html(&vendor, &identified, &comparison))?;
    verdict(&comparison).iter().for_each(|sentence| println!("{sentence}"));
    println!("{}", robot_comparison_json(&comparison)["as_written"]);
    Ok(())
}
