//! Table 3 and figures 2 and 7 of the PSDM paper: how much of a model a task needs. See bench/README.md.
//!
//! `reduction [--quick] [FIGURES]`: a tenth of the states with `--quick`; figures
//! go to a folder, if one is given.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, zoo};
use steiner_model::{
    Code, CodeOptions, Contribution, ModelError, Profile, Psdm, PsdmOptions, PsdmTask, Quantity,
    ReductionGoal, TaskStates, TradeOff,
};
use steiner_report::Plot;
use steiner_robot::Robot;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Name in the zoo, name in figures.
const ARMS: [(&str, &str); 2] = [("kr6", "KR6"), ("lbr7", "LBR7")];
const PROFILES: [&str; 2] = ["slow", "fast"];
const CONFIDENCES: [f64; 2] = [0.95, 0.999];
const ACCURACIES: [(f64, &str); 2] = [(1e-2, "2 correct digits"), (1e-3, "3 correct digits")];
/// Evaluation time saved in the paper's table 3, %: accuracy, profile, arm, confidence.
const TIME_SAVED: [[[[u32; 2]; 2]; 2]; 2] =
    [[[[70, 63], [84, 73]], [[57, 45], [77, 62]]], [[[51, 45], [73, 62]], [[32, 21], [42, 25]]]];

/// One arm with one profile.
struct Task {
    arm: usize,
    profile: usize,
    curve: TradeOff,
    /// Operations of the code at the points of the curve.
    operations: Vec<Option<usize>>,
    contributions: Vec<Contribution>,
    /// Accuracy by confidence.
    cells: [[Cell; 2]; 2],
}

/// One entry of table 3.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Functions removed, %.
    removed: f64,
    /// Multiplications and additions of the inverse dynamics as code.
    operations: Option<usize>,
    /// Time of one evaluation of that code, ns.
    nanoseconds: Option<f64>,
    /// Error at fresh states.
    error: f64,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let folder: Option<PathBuf> =
        arguments.iter().find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let samples = if quick { 10_000 } else { 100_000 };
    let mut tasks = Vec::new();
    let mut whole = Vec::new();
    for (arm, (name, _)) in ARMS.into_iter().enumerate() {
        let mechanism = Mechanism::new(as_printed(name)?)?;
        let model = Psdm::derive(&mechanism, &PsdmOptions::default())?;
        let operations = model.operations().ok().map(|o| o.multiplications + o.additions);
        whole.push((operations, nanoseconds(mechanism.robot(), &model)));
        for profile in 0..PROFILES.len() {
            let started = Instant::now();
            tasks.push(task(arm, profile, &mechanism, &model, samples)?);
            eprintln!("{name}, {}: {:.1} s", PROFILES[profile], started.elapsed().as_secs_f64());
        }
    }
    table_3(&tasks, &whole, samples);
    if let Some(folder) = folder {
        std::fs::create_dir_all(&folder)?;
        for task in tasks.iter().filter(|task| task.arm == 0) {
            figure_2(&folder, task)?;
        }
        for arm in 0..ARMS.len() {
            figure_7(&folder, &tasks, arm)?;
        }
    }
    Ok(())
}

/// An arm of the zoo with the inertias as published, which the zoo keeps beside those that bodies can have.
fn as_printed(name: &str) -> Outcome<Robot> {
    let entry = zoo::find(name)?;
    let options = ReadOptions::default();
    let text = entry.printed.unwrap_or(entry.text);
    Ok(assemble(parse_text(text, name, Format::Toml, None, &options)?, &options)?)
}

fn states(robot: &Robot, profile: usize, samples: usize, seed: u64) -> Result<TaskStates, ModelError> {
    let profile = if profile == 0 { Profile::slow(robot)? } else { Profile::fast(robot)? };
    Ok(Profile { samples, seed, ..profile }.states())
}

fn task(arm: usize, profile: usize, mechanism: &Mechanism, model: &Psdm, samples: usize) -> Outcome<Task> {
    let states_seen = states(mechanism.robot(), profile, samples, 1)?;
    let fresh = states(mechanism.robot(), profile, samples.min(20_000), 2)?;
    let seen = states_seen.samples();
    let task = model.task(&model.nominal(), &seen)?;
    let mut cells = [[Cell::default(); 2]; 2];
    for (cells, (accuracy, _)) in cells.iter_mut().zip(ACCURACIES) {
        for (cell, confidence) in cells.iter_mut().zip(CONFIDENCES) {
            let goal = ReductionGoal { accuracy, confidence, ..ReductionGoal::default() };
            let reduced = task.reduced(&goal)?.model;
            *cell = Cell {
                removed: removed(&task, reduced.functions().len()),
                operations: reduced.operations().ok().map(|o| o.multiplications + o.additions),
                nanoseconds: nanoseconds(mechanism.robot(), &reduced),
                error: error(mechanism, &reduced, &fresh, confidence)?,
            };
        }
    }
    let curve = task.trade_off(&CONFIDENCES, false)?;
    let sizes: Vec<usize> = curve.points.iter().map(|point| point.functions).collect();
    let operations = task.operations(&sizes, false)?;
    let operations = operations.into_iter().map(|o| o.map(|o| o.multiplications + o.additions)).collect();
    Ok(Task { arm, profile, curve, operations, contributions: task.contributions(), cells })
}

/// Time of one inverse dynamics by the code of a model, if there is a compiler.
fn nanoseconds(robot: &Robot, model: &Psdm) -> Option<f64> {
    let options = CodeOptions { quantities: vec![Quantity::InverseDynamics], ..CodeOptions::default() };
    let code = Code::closed_form(robot, model, &options).ok()?;
    Some(Code::nanoseconds(&[&code]).ok()?[0][0])
}

fn removed(task: &PsdmTask<'_>, functions: usize) -> f64 {
    let all = task.model().functions().len();
    100.0 * (all - functions) as f64 / all as f64
}

/// The error that a part of some states stays below, against recursion.
fn error(mechanism: &Mechanism, model: &Psdm, states: &TaskStates, confidence: f64) -> Outcome<f64> {
    let arm = model.calibrate(&model.nominal())?;
    let n = model.dof();
    let mut errors = Vec::with_capacity(states.count);
    for k in 0..states.count {
        let [q, qd, qdd] = [&states.q, &states.qd, &states.qdd].map(|x| &x[k * n..(k + 1) * n]);
        let (tau, found) = (mechanism.inverse_dynamics(q, qd, qdd)?, arm.inverse_dynamics(q, qd, qdd)?);
        let norm = |x: Vec<f64>| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        errors.push(norm(tau.iter().zip(&found).map(|(a, b)| a - b).collect()) / norm(tau));
    }
    errors.sort_by(f64::total_cmp);
    Ok(errors[((confidence * errors.len() as f64).ceil() as usize).clamp(1, errors.len()) - 1])
}

/// Rows: accuracy and profile; columns: arm and confidence.
fn table_3(tasks: &[Task], whole: &[(Option<usize>, Option<f64>)], samples: usize) {
    println!(
        "Table 3 of [lloyd2021], {samples} states: functions removed (error at fresh states), operations as code, and the"
    );
    println!("evaluation time that the paper saves.\n");
    print!("|  |");
    for (_, arm) in ARMS {
        CONFIDENCES.iter().for_each(|confidence| print!(" {arm}, {} % |", 100.0 * confidence));
    }
    println!("\n|---|---:|---:|---:|---:|");
    let number = |operations: Option<usize>| operations.map_or("–".to_owned(), |n| n.to_string());
    let time = |time: Option<f64>| time.map_or("–".to_owned(), |ns| format!("{ns:.0} ns"));
    println!(
        "| operations of the whole model | {0} | {0} | {1} | {1} |",
        number(whole[0].0),
        number(whole[1].0)
    );
    println!("| its time | {0} | {0} | {1} | {1} |", time(whole[0].1), time(whole[1].1));
    for (a, (_, digits)) in ACCURACIES.into_iter().enumerate() {
        for (p, profile) in PROFILES.into_iter().enumerate() {
            let cells: Vec<Cell> =
                tasks.iter().filter(|task| task.profile == p).flat_map(|task| task.cells[a]).collect();
            let row = |title: &str, cell: &dyn Fn(&Cell) -> String| {
                let cells: Vec<String> = cells.iter().map(cell).collect();
                println!("| {title} | {} |", cells.join(" | "));
            };
            row(&format!("{digits}, {profile}: functions"), &|c| {
                format!("−{:.0} % ({:.1e})", c.removed, c.error)
            });
            row("… operations", &|c| number(c.operations));
            let times =
                cells.iter().zip([0, 0, 1, 1]).map(|(cell, arm)| match (cell.nanoseconds, whole[arm].1) {
                    (Some(ns), Some(all)) => {
                        format!("{ns:.0} ns ({:+.0} %)", 100.0 * (ns / all - 1.0)).replace("(-", "(−")
                    }
                    _ => "–".to_owned(),
                });
            println!("| … time | {} |", times.collect::<Vec<_>>().join(" | "));
            let saved: Vec<String> = TIME_SAVED[a][p].iter().flatten().map(|x| format!("−{x} %")).collect();
            println!("| … time in the paper | {} |", saved.join(" | "));
        }
    }
}

/// How many functions contribute how much, at half of the states and at the worst.
fn figure_2(folder: &Path, task: &Task) -> Outcome<()> {
    // Quarters of decades from 10⁻¹² to 10.
    let edges: Vec<f64> = (0..=52).map(|k| 10f64.powf(-12.0 + 0.25 * f64::from(k))).collect();
    let tally = |value: &dyn Fn(&Contribution) -> f64| -> Vec<f64> {
        let inside = |low: f64, high: f64| {
            task.contributions.iter().map(value).filter(|x| (low..high).contains(x)).count()
        };
        edges.windows(2).map(|pair| inside(pair[0], pair[1]) as f64).collect()
    };
    let (name, title) = ARMS[task.arm];
    let profile = PROFILES[task.profile];
    let plot = Plot::new(&format!("{title}: contributions of its functions, {profile} profile"))
        .x("contribution to the force, relative", "")
        .y("functions", "")
        .log_x()
        .bars("median over the states", &edges, tally(&|c| c.median))
        .bars("largest of the states", &edges, tally(&|c| c.largest));
    save(folder, &format!("psdm-contributions-{name}-{profile}.svg"), &plot)
}

/// Accuracy and operations against what is left out.
fn figure_7(folder: &Path, tasks: &[Task], arm: usize) -> Outcome<()> {
    let (name, title) = ARMS[arm];
    let mut plot = Plot::new(&format!("{title}: accuracy and operations of smaller models"))
        .size(860.0, 480.0)
        .x("functions removed", "%")
        .y("correct digits", "")
        .y_right("multiplications and additions", "")
        .x_range(0.0, 100.0)
        .y_range(0.0, None)
        .y_right_range(0.0, None);
    for task in tasks.iter().filter(|task| task.arm == arm) {
        let profile = PROFILES[task.profile];
        let all = task.curve.points[0].functions as f64;
        let removed = |functions: usize| 100.0 * (1.0 - functions as f64 / all);
        for (k, confidence) in CONFIDENCES.iter().enumerate() {
            // The whole model has all digits of a double: beside it nothing else would be seen.
            let points = || task.curve.points.iter().skip(1);
            let digits = |errors: [&[f64]; 2]| -errors[0][k].min(errors[1][k]).log10();
            let ys: Vec<f64> = points().map(|p| digits([&p.fitted_errors, &p.truncated_errors])).collect();
            let xs: Vec<f64> = points().map(|p| removed(p.functions)).collect();
            let series = format!("{profile}, {} %", 100.0 * confidence);
            plot = plot.line(&series, xs, ys).colour(task.profile);
            plot = if k == 0 { plot.markers() } else { plot.dashed() };
        }
        let known = task.curve.points.iter().zip(&task.operations);
        let (xs, ys): (Vec<f64>, Vec<f64>) =
            known.filter_map(|(p, o)| Some((removed(p.functions), (*o)? as f64))).unzip();
        plot = plot.line(&format!("{profile}, operations"), xs, ys).on_right().dotted().colour(task.profile);
    }
    save(folder, &format!("psdm-trade-off-{name}.svg"), &plot)
}

fn save(folder: &Path, name: &str, plot: &Plot) -> Outcome<()> {
    let path = folder.join(name);
    write_atomically(&path, plot.file())?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
