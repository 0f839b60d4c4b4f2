//! Figures 2–5: wrenches, and what is left of them.

use std::error::Error;
use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_identification::{Problem, SensorFaults, Settings, predict};
use steiner_logs::Recording;
use steiner_report::{Plot, panels};

use super::pendulum::{Evaluated, columns_of_the_tables, recorded};
use super::tables::Recovered;
use super::{Pendulums, hand};

type Outcome<T> = Result<T, Box<dyn Error>>;

const COMPONENTS: [(&str, &str); 6] = [
    ("force along x", "N"),
    ("force along y", "N"),
    ("force along z", "N"),
    ("torque about x", "N·m"),
    ("torque about y", "N·m"),
    ("torque about z", "N·m"),
];

/// Six numbers for each sample.
type Wrenches = Vec<[f64; 6]>;

pub(super) fn draw(
    folder: &Path,
    machines: &Pendulums,
    third: &Recovered,
    fourth: &Recovered,
) -> Outcome<()> {
    // The truth is the same motion without noise.
    let exact = recorded(&machines.full, third.seed, Vec::new(), SensorFaults::default());
    let truth = ground(&exact);
    let simple = predicted(&machines.simple, &third.data, &third.models[0])?;
    let full = predicted(&machines.full, &third.data, &third.models[1])?;
    let t = &third.data.t;
    save(
        folder,
        "contacts-figure-2",
        "Wrenches recovered by the simplified and by the full model, and the true ones",
        |k| {
            chart(k)
                .line("true", t, of(&truth, k))
                .line("full model", t, of(&full, k))
                .dashed()
                .line("simplified", t, of(&simple, k))
                .dotted()
        },
    )?;
    save(folder, "contacts-figure-3", "Absolute errors of the recovered wrenches", |k| {
        let error = |model: &Wrenches| -> Vec<f64> {
            of(model, k).iter().zip(of(&truth, k)).map(|(a, b)| (a - b).abs()).collect()
        };
        chart(k).log_y().line("full model", t, error(&full)).line("simplified", t, error(&simple))
    })?;
    let still = recorded(&machines.simple, fourth.seed, hand(), SensorFaults::default());
    // Without the hand the ground carries the total effective wrench of (17) alone.
    let effective = ground(&recorded(&machines.simple, fourth.seed, Vec::new(), SensorFaults::default()));
    let mut alone = fourth.data.clone();
    alone.contacts.clear();
    let recovered = predicted(&machines.simple, &alone, &fourth.models[0])?;
    let measured = ground(&fourth.data);
    let t = &fourth.data.t;
    save(
        folder,
        "contacts-figure-4",
        "Wrench from the ground, total effective wrench, and what is recovered of it",
        |k| {
            chart(k)
                .line("from the ground", t, of(&measured, k))
                .line("total effective", t, of(&effective, k))
                .line("recovered", t, of(&recovered, k))
                .dotted()
        },
    )?;
    let all = predicted(&machines.simple, &fourth.data, &fourth.models[0])?;
    let noiseless = ground(&still);
    save(folder, "contacts-figure-5", "Residual of the measured wrench", |k| {
        let error = |from: &Wrenches| -> Vec<f64> {
            of(from, k).iter().zip(of(&all, k)).map(|(a, b)| a - b).collect()
        };
        chart(k).line("measured", t, error(&measured)).faint().line("true", t, error(&noiseless))
    })
}

fn chart(k: usize) -> Plot {
    let (name, unit) = COMPONENTS[k];
    Plot::new("").size(520.0, 240.0).x("time", "s").y(name, unit)
}

fn of(wrenches: &Wrenches, k: usize) -> Vec<f64> {
    wrenches.iter().map(|wrench| wrench[k]).collect()
}

fn ground(data: &Recording) -> Wrenches {
    sixes(data.base_wrench.as_deref().unwrap_or_default())
}

fn sixes(values: &[f64]) -> Wrenches {
    values.chunks_exact(6).map(|six| std::array::from_fn(|k| six[k])).collect()
}

/// The wrench from the ground that a model with its recovered parameters predicts.
fn predicted(model: &Mechanism, data: &Recording, evaluated: &Evaluated) -> Outcome<Wrenches> {
    let settings: Settings = columns_of_the_tables();
    let problem = Problem::new(model, &settings)?;
    Ok(sixes(&predict(&problem, data, &evaluated.found.all, settings.threads())?.predicted))
}

fn save(folder: &Path, name: &str, description: &str, chart: impl Fn(usize) -> Plot) -> Outcome<()> {
    let charts: Vec<Plot> = (0..6).map(chart).collect();
    let path = folder.join(format!("{name}.svg"));
    Ok(write_atomically(&path, panels(description, &charts, 2).as_bytes())?)
}
