//! `steiner model --accuracy …`: smaller closed forms for a task.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use steiner::dynamics::Mechanism;
use steiner::files::write_atomically;
use steiner::identification::channels;
use steiner::logs::{LogOptions, Processing, Recording};
use steiner::model::{Profile, Psdm, PsdmTask, ReductionGoal, TaskStates, TradeOff};
use steiner::report::{Plot, count, log_note};

use crate::output::{Failure, width, wrapped};
use crate::progress::Progress;

/// Confidences of the curves, those of figure 7.
const CONFIDENCES: [f64; 2] = [0.95, 0.999];

#[derive(Args, Debug)]
pub(crate) struct ReductionArguments {
    /// Leave out functions of the closed form that a task hardly needs, while the relative error of the
    /// forces stays below this, as in 1e-3.
    #[arg(long, value_name = "ERROR", value_parser = parse_accuracy)]
    pub(crate) accuracy: Option<f64>,
    /// Part of the states of the task in which the error stays below --accuracy.
    #[arg(long, value_name = "PART", default_value_t = 0.999, requires = "accuracy", value_parser = parse_confidence)]
    confidence: f64,
    /// The task: slow (rates within 0.1 per s, accelerations within 1 per s²), fast (1 and 10), a file with
    /// ranges (.toml) or a recorded motion (any log).
    #[arg(long, value_name = "slow|fast|FILE", default_value = "fast", requires = "accuracy")]
    profile: String,
    /// What the smaller model is for; in models for forward dynamics the mass matrix stays whole and
    /// --accuracy is that of the accelerations.
    #[arg(long = "for", value_name = "DYNAMICS", default_value = "inverse", requires = "accuracy")]
    purpose: Purpose,
    /// Keep the base parameters as they are, instead of letting them make up for a little of what is left
    /// out.
    #[arg(long, requires = "accuracy")]
    no_refit: bool,
    /// Draw accuracy and cost against what is left out.
    #[arg(long, value_name = "FILE.svg", requires = "accuracy")]
    pub(crate) plot: Option<PathBuf>,
}

impl ReductionArguments {
    /// The file that describes the task.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(Path::new(&self.profile)).filter(|_| !["slow", "fast"].contains(&self.profile.as_str()))
    }
}

/// What a model computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Purpose {
    Inverse,
    Forward,
}

fn parse_accuracy(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(accuracy) if accuracy > 0.0 && accuracy < 1.0 => Ok(accuracy),
        _ => Err("give the tolerated relative error, above 0 and below 1".to_owned()),
    }
}

fn parse_confidence(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(confidence) if confidence > 0.0 && confidence <= 1.0 => Ok(confidence),
        _ => Err("give the part of the states that must be accurate, above 0 and up to 1".to_owned()),
    }
}

/// A smaller model with what is to be said about it.
pub(crate) struct Reduced {
    pub(crate) model: Psdm,
    /// For people.
    pub(crate) page: String,
    /// For programs.
    pub(crate) json: Value,
}

/// The model as it was asked for: smaller, if that was.
pub(crate) fn reduced(
    mechanism: &Mechanism,
    model: &Psdm,
    arguments: &ReductionArguments,
    json: bool,
) -> Result<Option<Reduced>, Failure> {
    let Some(accuracy) = arguments.accuracy else { return Ok(None) };
    let states = states(mechanism, &arguments.profile)?;
    let forward = arguments.purpose == Purpose::Forward;
    let (confidence, refit) = (arguments.confidence, !arguments.no_refit);
    let progress = Progress::of("choosing functions");
    let task = model.task(&model.nominal(), &states.samples())?;
    let reduced = task.reduced(&ReductionGoal { accuracy, confidence, forward, refit })?;
    let mut confidences = CONFIDENCES.to_vec();
    if !confidences.contains(&confidence) {
        confidences.push(confidence);
        confidences.sort_by(f64::total_cmp);
    }
    let curve = match json || arguments.plot.is_some() {
        true => Some(task.trade_off(&confidences, forward)?),
        false => None,
    };
    drop(progress);
    let [functions, all] = [&reduced.model, model].map(|model| model.functions().len());
    let [parameters, all_parameters] = [&reduced.model, model].map(|model| model.parameters().len());
    if let (Some(path), Some(curve)) = (&arguments.plot, &curve) {
        let removed = 100.0 * (all - functions) as f64 / all as f64;
        let plot = trade_off_plot(&task, curve, arguments, forward)?;
        let plot = plot.at_y(-accuracy.log10(), "asked for").at_x(removed, "taken");
        write_plot(path, &plot)?;
    }
    let what = if forward { "accelerations" } else { "forces" };
    let mut page = format!(
        "{}: {functions} of {all} functions left ({:.1} % removed), in {parameters} of {}\n",
        mechanism.robot().name,
        100.0 * (all - functions) as f64 / all as f64,
        count(all_parameters, "base parameter"),
    );
    let mut error = format!(
        "relative error of the {what} below {:.1e} in {} % of {} ({})",
        reduced.error,
        steiner::report::number(100.0 * confidence, 5),
        count(states.count, "state"),
        arguments.profile,
    );
    // A gain that two digits don't show is not worth a word.
    if 1.05 * reduced.error < reduced.truncated_error {
        error += &format!("; {:.1e} before the parameters were fitted", reduced.truncated_error);
    }
    page += &wrapped(&error, 2, width());
    let points = curve.as_ref().map(|curve| {
        let point = |point: &steiner::model::TradeOffPoint| {
            json!({
                "functions": point.functions, "parameters": point.parameters,
                "truncated_errors": point.truncated_errors, "errors": point.fitted_errors,
            })
        };
        curve.points.iter().map(point).collect::<Vec<Value>>()
    });
    let json = json!({
        "functions": functions, "functions_before": all, "base_parameters": parameters,
        "base_parameters_before": all_parameters, "accuracy": accuracy, "confidence": confidence,
        "of": what, "error": reduced.error, "truncated_error": reduced.truncated_error,
        "profile": arguments.profile, "samples": states.count, "confidences": confidences, "curve": points,
    });
    Ok(Some(Reduced { model: reduced.model, page, json }))
}

/// The states of a task.
fn states(mechanism: &Mechanism, profile: &str) -> Result<TaskStates, Failure> {
    let robot = mechanism.robot();
    let path = Path::new(profile);
    let drawn = match profile {
        "slow" => Profile::slow(robot)?,
        "fast" => Profile::fast(robot)?,
        _ if path.extension().is_some_and(|extension| extension == "toml") => Profile::read(path, robot)?,
        _ => {
            let options = LogOptions::default();
            let recording = Recording::read(&channels(mechanism), path, &options, &Processing::default())?;
            recording.notes.iter().for_each(|note| eprintln!("{profile}: {}", log_note(note)));
            let Recording { count, q, qd, qdd, .. } = recording;
            return Ok(TaskStates { q, qd, qdd, count });
        }
    };
    Ok(drawn.states())
}

/// Figure 7: correct digits, and operations of the code, against the part of the functions that is left out.
fn trade_off_plot(
    task: &PsdmTask<'_>,
    curve: &TradeOff,
    arguments: &ReductionArguments,
    forward: bool,
) -> Result<Plot, Failure> {
    let _progress = Progress::of("counting operations");
    let all = task.model().functions().len();
    let removed = |functions: usize| 100.0 * (all - functions) as f64 / all as f64;
    let sizes: Vec<usize> = curve.points.iter().map(|point| point.functions).collect();
    let operations = task.operations(&sizes, forward)?;
    let what = if forward { "accelerations" } else { "forces" };
    let mut plot =
        Plot::new(&format!("{}: smaller closed forms ({})", task.model().robot(), arguments.profile))
            .x("functions removed", "%")
            .y(&format!("correct digits of the {what}"), "")
            .y_right("multiplications and additions", "")
            .x_range(0.0, 100.0)
            .y_range(0.0, None)
            .y_right_range(0.0, None);
    for (k, confidence) in curve.confidences.iter().enumerate() {
        // The whole model has all digits of a double: beside it nothing else would be seen.
        let points = || curve.points.iter().skip(1);
        let errors = |point: &steiner::model::TradeOffPoint| match arguments.no_refit {
            true => point.truncated_errors[k],
            false => point.fitted_errors[k].min(point.truncated_errors[k]),
        };
        let digits: Vec<f64> = points().map(|point| -errors(point).log10()).collect();
        let removed: Vec<f64> = points().map(|point| removed(point.functions)).collect();
        let name = format!("{} % of the states", steiner::report::number(100.0 * confidence, 5));
        plot = plot.line(&name, removed, digits).markers();
    }
    let known = sizes.iter().zip(&operations).filter_map(|(size, operations)| Some((*size, (*operations)?)));
    let (xs, ys): (Vec<f64>, Vec<f64>) =
        known.map(|(size, o)| (removed(size), (o.multiplications + o.additions) as f64)).unzip();
    Ok(plot.line("operations", xs, ys).dashed().on_right())
}

fn write_plot(path: &Path, plot: &Plot) -> Result<(), Failure> {
    write_atomically(path, plot.file()).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another --plot", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
