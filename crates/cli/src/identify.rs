//! `steiner identify`: from a robot file and logs to inertias that can be trusted.

mod centre;
mod parse;
mod settings;

use std::path::{Path, PathBuf};

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_identification::{Identification, RecordedLogs, identify_from};
use steiner_report::{
    Courses, FilterOfLog, identification_html, identification_json, parameter_table_csv, write_identified,
};
use steiner_robot::{Lumped, read_robot, write_atomically};

use self::settings::{EstimateArguments, UnknownArguments};
use crate::arguments::RobotArguments;
use crate::identification_page::identification_page;
use crate::logs::{LogArguments, signals_json};
use crate::output::{Failure, print, print_json, width};
use crate::progress::Progress;

#[derive(Args, Debug)]
pub(crate) struct IdentifyArguments {
    #[command(flatten)]
    robot: RobotArguments,
    /// Logs to identify from: CSV, NPZ, Parquet, MAT (v5), MCAP or rosbag2 .db3, of any length.
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Write the robot with its identified inertias, .urdf or .toml; may be the robot's own file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where the inertia of links that are fixed to each other goes: to the moving-link, or proportional to what each had.
    #[arg(long, value_name = "HOW", default_value = "moving-link", value_parser = ["moving-link", "proportional"])]
    lumped: String,
    /// Write the parameters as a table.
    #[arg(long, value_name = "FILE.csv")]
    table: Option<PathBuf>,
    /// Write a page with everything: tables, curves, residuals, spectra, ellipsoids.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
    /// Logs that only judge the result (then nothing of the others is held out by default).
    #[arg(long, value_name = "LOG,…", value_delimiter = ',', help_heading = "Logs")]
    validate: Vec<PathBuf>,
    #[command(flatten)]
    reading: LogArguments,
    #[command(flatten)]
    unknown: UnknownArguments,
    #[command(flatten)]
    estimate: EstimateArguments,
}

pub(crate) fn run(arguments: &IdentifyArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let mut notes = Vec::new();
    let centres = arguments.estimate.centres(&mechanism, &arguments.robot, &mut notes)?;
    let progress = Progress::of("identifying");
    let measure = arguments.unknown.measure.as_deref();
    let (training, validate) = (&arguments.logs, &arguments.validate);
    let logs = arguments.reading.open(&mechanism, training, validate, measure, &progress)?;
    let mut logs = logs.with_friction(arguments.unknown.friction());
    let measure = match measure {
        Some(measure) => measure.to_owned(),
        None => {
            let measure = logs.measures()?;
            if measure != "all" {
                notes.push(format!("identified from what the logs measure: {measure} (--measure selects)"));
            }
            measure
        }
    };
    let settings = arguments.unknown.settings(&arguments.estimate, centres, measure);
    let mut answer = identify_from(&mechanism, &mut logs, &settings)?;
    notes.extend(arguments.reading.division_note(validate));
    notes.extend(logs.notes().iter().cloned());
    answer.notes.splice(0..0, notes);
    let courses = match &arguments.html {
        Some(_) => Some(Courses::of_identification(&mechanism, &answer, &mut logs)?),
        None => None,
    };
    drop(progress);
    write_results(&mechanism, &mut answer, courses, &logs, arguments)?;
    match arguments.json {
        true => {
            let mut document = identification_json(&mechanism, &answer);
            document["settings"]["signals"] = signals_json(logs.read());
            print_json(&document)
        }
        false => print(&identification_page(&answer, width())),
    }
}

/// Files that were asked for; what their writers have to say goes to the notes.
fn write_results(
    mechanism: &Mechanism,
    answer: &mut Identification,
    courses: Option<Courses>,
    logs: &RecordedLogs<'_>,
    arguments: &IdentifyArguments,
) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        let lumped =
            if arguments.lumped == "proportional" { Lumped::Proportional } else { Lumped::MovingLink };
        answer.notes.extend(write_identified(&arguments.robot.robot, path, mechanism, answer, lumped)?);
        eprintln!("wrote {}", path.display());
    }
    if let Some(path) = &arguments.table {
        write(path, &parameter_table_csv(answer), "--table")?;
    }
    if let (Some(path), Some(courses)) = (&arguments.html, courses) {
        let filters = logs.read().iter().map(|log| FilterOfLog {
            log: log.path.display().to_string(),
            cutoff: log.settled.cutoff,
            spectra: log.spectra.clone(),
        });
        let courses = courses.with_filters(filters.collect());
        write(path, &identification_html(mechanism, answer, &courses), "--html")?;
    }
    Ok(())
}

pub(crate) fn write(path: &Path, text: &str, flag: &str) -> Result<(), Failure> {
    write_atomically(path, text).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another {flag}", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
