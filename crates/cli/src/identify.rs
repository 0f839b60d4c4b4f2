//! `steiner identify`: from a robot file and logs to inertias that can be trusted.

mod centre;
mod parse;
mod settings;

use std::path::PathBuf;

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_formats::read_robot;
use steiner_identification::IdentificationNote;
use steiner_identification::{
    Courses, Identification, IdentificationError, RecordedLogs, identified_format, identify_from,
    write_identified,
};
use steiner_report::{
    file_notes, identification_html, identification_json, parameter_table_csv, signals_json,
};
use steiner_robot::Lumped;
use steiner_robot::SensorSet;

use self::settings::{EstimateArguments, UnknownArguments};
use crate::arguments::RobotArguments;
use crate::identification_page::identification_page;
use crate::logs::LogArguments;
use crate::output::{Failure, print, print_json, width};
use crate::places::{Places, Written};
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
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .reads_logs(&arguments.logs)
        .reads_logs(&arguments.validate)
        .reads("the mapping", &arguments.reading.mapping)
        .writes_over("-o", arguments.output.as_ref(), &arguments.robot.robot)
        .writes("--table", arguments.table.as_ref())
        .writes("--html", arguments.html.as_ref())
        .check()?;
    if let Some(path) = &arguments.output {
        identified_format(&arguments.robot.robot, path)?;
    }
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let mut notes = Vec::new();
    let centres = arguments.estimate.centres(&mechanism, &arguments.robot, &mut notes)?;
    let progress = Progress::of("identifying");
    let measure: Option<SensorSet> = arguments.unknown.measure.as_deref().map(str::parse).transpose()?;
    let (training, validate) = (&arguments.logs, &arguments.validate);
    let logs = arguments.reading.open(&mechanism, training, validate, measure.as_ref(), &progress)?;
    let mut logs = logs.with_friction(arguments.unknown.friction());
    let measure = match measure {
        Some(measure) => measure,
        None => {
            let measure = logs.measures()?;
            if measure != SensorSet::all() {
                notes.push(format!("identified from what the logs measure: {measure} (--measure selects)"));
            }
            measure
        }
    };
    let settings = arguments.unknown.settings(&arguments.estimate, centres, measure);
    let mut answer = identify_from(&mechanism, &mut logs, &settings)?;
    notes.extend(arguments.reading.division_note(validate));
    notes.extend(arguments.reading.idle(logs.read(), answer.validation.is_some()));
    notes.extend(logs.notes().iter().cloned());
    answer.notes.splice(0..0, notes.into_iter().map(IdentificationNote::Told));
    let courses = arguments.html.as_ref().map(|_| Courses::of_identification(&answer, &mut logs));
    drop(progress);
    let written = write_results(&mechanism, &mut answer, courses, &logs, arguments);
    written.finish(match arguments.json {
        true => {
            let mut document = identification_json(&answer);
            document["settings"]["signals"] = signals_json(logs.read());
            print_json(&document)
        }
        false => print(&identification_page(&answer, width())),
    })
}

/// Files that were asked for; what their writers have to say goes to the notes.
fn write_results(
    mechanism: &Mechanism,
    answer: &mut Identification,
    courses: Option<Result<Courses, IdentificationError>>,
    logs: &RecordedLogs<'_>,
    arguments: &IdentifyArguments,
) -> Written {
    let mut written = Written::default();
    if let Some(path) = &arguments.output {
        let lumped =
            if arguments.lumped == "proportional" { Lumped::Proportional } else { Lumped::MovingLink };
        let done = write_identified(&arguments.robot.robot, path, mechanism, answer, lumped);
        if let Some(notes) = written.step(done) {
            answer.notes.extend(file_notes(&notes).into_iter().map(IdentificationNote::Told));
            eprintln!("wrote {}", path.display());
        }
    }
    if let Some(path) = &arguments.table {
        written.text(path, &parameter_table_csv(answer), "--table");
    }
    let courses = courses.and_then(|courses| written.step(courses));
    if let (Some(path), Some(courses)) = (&arguments.html, courses) {
        let courses = courses.with_filters(logs.read());
        written.text(path, &identification_html(answer, &courses), "--html");
    }
    written
}
