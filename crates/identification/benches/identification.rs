//! How fast a million samples of a seven-joint arm become base parameters: `bench/identification`.

use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{Problem, Reduced, Settings, Simulation, identify, simulate};
use steiner_logs::{Recording, Role};

fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1048576.0
}

/// Seconds of all processors together: on a machine with other work, the time on the clock says little.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |k: usize| fields.get(k).and_then(|x| x.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or("panda".to_owned());
    let samples: usize = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let arm = Mechanism::new(read_robot(&name, &ReadOptions::default())?)?;
    let simulation = Simulation { duration: samples as f64 / 1000.0, rate: 1000.0, ..Simulation::default() };
    let data: Recording = simulate(&arm, &simulation)?;
    println!("{} samples of {name}, {:.2} GiB with the log", data.count, peak_memory());
    for drives in [false, true] {
        let settings = Settings { drives, ..Settings::default() };
        let started = Instant::now();
        let problem = Problem::new(&arm, &settings)?;
        let stated = started.elapsed().as_secs_f64();
        let mut reduced = Reduced::new(&problem);
        reduced.absorb(&problem, &data, Role::Training, settings.threads())?;
        let pass = started.elapsed().as_secs_f64() - stated;
        let (started, before) = (Instant::now(), processor_seconds());
        let found = identify(&arm, &data, &settings)?;
        println!(
            "drives {drives}: {} base parameters; problem {stated:.3} s, one pass {pass:.2} s; identify, with block-robust uncertainties and consistency {:.2} s ({:.2} s of processors); peak {:.2} GiB",
            found.parameters.len(),
            started.elapsed().as_secs_f64(),
            processor_seconds() - before,
            peak_memory()
        );
    }
    Ok(())
}
