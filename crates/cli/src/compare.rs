//! `steiner compare`: which model predicts the measured torques better.

use std::path::PathBuf;

use clap::Args;
use steiner::identification::{ComparisonNote, RobotComparison};
use steiner::logs::DryFriction;
use steiner::report::{comparison_note, percent, robot_comparison_html, robot_comparison_json, verdict};
use steiner::{ReadOptions, SensorSet, Settings, compare_logs, read_mechanism};

use crate::hints::FLAGS;
use crate::logs::{LogArguments, watch};
use crate::output::{Failure, print, print_json, table, width, wrapped};
use crate::parse::parse_positive;
use crate::places::{Places, Written};
use crate::progress::Progress;

#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// A robot file, or a name from `steiner zoo`.
    first: String,
    /// Another one with the same joints.
    second: String,
    /// Logs to compare on, of any length; the drives of both are fitted to the training samples.
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Let the roots of the robots move freely.
    #[arg(long)]
    floating: bool,
    /// What is measured, as in `steiner analyze`. By default the forces that the log has.
    #[arg(long, value_name = "TERMS")]
    measure: Option<String>,
    /// Dry friction as tanh(q̇/speed) instead of sign(q̇); rad/s or m/s.
    #[arg(long, value_name = "SPEED", value_parser = parse_positive)]
    tanh: Option<f64>,
    /// Write a page with the curves.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: LogArguments,
}

pub(crate) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    Places::default()
        .reads("the robot", [&arguments.first, &arguments.second])
        .reads_logs(&arguments.logs)
        .reads("the mapping", &arguments.reading.mapping)
        .writes("--html", arguments.html.as_ref())
        .check()?;
    let options = ReadOptions { floating: arguments.floating, ..ReadOptions::default() };
    let (first, second) =
        (read_mechanism(&arguments.first, &options)?, read_mechanism(&arguments.second, &options)?);
    let measure: Option<SensorSet> = arguments.measure.as_deref().map(str::parse).transpose()?;
    let logs = arguments.reading.logs(&arguments.logs, &[], measure)?;
    let dry_friction = arguments.tanh.map_or(DryFriction::Sign, |speed| DryFriction::Smoothed { speed });
    let settings = Settings { dry_friction, ..Settings::default() };
    let progress = Progress::of("comparing");
    let (one, other) = ((arguments.first.as_str(), &first), (arguments.second.as_str(), &second));
    let mut comparison = compare_logs(one, other, &logs, &settings, &|| watch(&progress, &logs))?;
    drop(progress);
    let told = |note| ComparisonNote::Setting { note, spelling: FLAGS };
    comparison.notes.splice(0..0, logs.held_out_by_default().map(told));
    let mut written = Written::default();
    if let Some(path) = &arguments.html {
        written.text(path, &robot_comparison_html(&first, &second, &comparison), "--html");
    }
    written.finish(match arguments.json {
        true => print_json(&robot_comparison_json(&comparison)),
        false => print(&page(&comparison)),
    })
}

fn page(comparison: &RobotComparison) -> String {
    let mut page = String::new();
    verdict(comparison).iter().for_each(|sentence| page += &wrapped(sentence, 0, width()));
    let [first, second] = &comparison.names;
    let fitted = [first, second].map(|name| format!("{name}, drives fitted"));
    let mut rows = table(&["force", first, second, &fitted[0], &fitted[1]], &[1, 2, 3, 4]);
    for (k, name) in comparison.rows.iter().enumerate() {
        let [a, b] = comparison.as_written.rows[k].map(percent);
        let fitted = comparison.drives_fitted.as_ref().map(|outcome| outcome.rows[k].map(percent));
        let [c, d] = fitted.unwrap_or_default();
        rows.add_row([name.clone(), a, b, c, d]);
    }
    page += &format!("{rows}\n");
    for note in comparison.notes.iter().map(comparison_note) {
        page += &wrapped(&format!("- {note}"), 2, width());
    }
    page
}
