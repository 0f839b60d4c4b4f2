//! `steiner compare`: whose forces are nearer to what was recorded.

use std::path::PathBuf;

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_identification::{Dataset, Settings};
use steiner_report::{
    Contestant, RobotComparison, compare_robots, percent, robot_comparison_html, robot_comparison_json,
    verdict,
};
use steiner_robot::{ReadOptions, read_robot};

use crate::identify::{SignalArguments, measured_by, read_logs, write};
use crate::output::{Failure, print, print_json, table, width, wrapped};

#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// A robot file, or a name from `steiner zoo`.
    first: String,
    /// Another one with the same joints.
    second: String,
    /// Logs to judge by.
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// A mapping file for the logs.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    #[command(flatten)]
    signals: SignalArguments,
    /// Let the roots of the robots move freely.
    #[arg(long)]
    floating: bool,
    /// Last part of every log to judge by; the rest fits the drives.
    #[arg(long, value_name = "PART", default_value_t = 0.25)]
    hold_out: f64,
    /// Write a page with the curves.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let options = ReadOptions { floating: arguments.floating, ..ReadOptions::default() };
    let mut notes = Vec::new();
    let mut contestant = |name: &String| -> Result<(Mechanism, Dataset), Failure> {
        let mechanism = Mechanism::new(read_robot(name, &options)?)?;
        let processing = arguments.signals.processing();
        let data =
            read_logs(&mechanism, &arguments.logs, arguments.mapping.as_ref(), &processing, &mut notes)?;
        let mut data =
            data.ok_or_else(|| Failure::Message("there is no log; name at least one".to_owned()))?;
        data.hold_out(arguments.hold_out);
        Ok((mechanism, data))
    };
    let (first, second) = (contestant(&arguments.first)?, contestant(&arguments.second)?);
    let settings = Settings { measure: measured_by(&first.0, &first.1), ..Settings::default() };
    let (mut one, mut other) = (&first.1, &second.1);
    let mut comparison = compare_robots(
        Contestant { name: arguments.first.clone(), mechanism: &first.0, source: &mut one },
        Contestant { name: arguments.second.clone(), mechanism: &second.0, source: &mut other },
        &settings,
    )?;
    comparison.notes.splice(0..0, notes);
    if let Some(path) = &arguments.html {
        write(path, &robot_comparison_html(&first.0, &second.0, &comparison), "--html")?;
    }
    match arguments.json {
        true => print_json(&robot_comparison_json(&comparison)),
        false => print(&page(&comparison)),
    }
}

fn page(comparison: &RobotComparison) -> String {
    let mut page = String::new();
    verdict(comparison).iter().for_each(|sentence| page += &wrapped(sentence, 0, width()));
    let [first, second] = &comparison.names;
    let mut rows = table(&["force", first, second, "drives fitted", ""], &[1, 2, 3, 4]);
    for (k, name) in comparison.rows.iter().enumerate() {
        let [a, b] = comparison.as_written.rows[k].map(percent);
        let fitted = comparison.drives_fitted.as_ref().map(|outcome| outcome.rows[k].map(percent));
        let [c, d] = fitted.unwrap_or_default();
        rows.add_row([name.clone(), a, b, c, d]);
    }
    page += &format!("{rows}\n");
    comparison.notes.iter().for_each(|note| page += &wrapped(&format!("- {note}"), 2, width()));
    page
}
