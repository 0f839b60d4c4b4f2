//! `steiner identify`: from a robot file and logs to inertias that can be trusted.

mod centre;
mod parse;
mod settings;

use std::path::PathBuf;

use clap::Args;
use steiner::identification::{
    Alarm, FileNote, IdentificationNote, KnownLoad, ResidualHistory, SettingNote, identified_format,
};
use steiner::report::{count, file_notes, identification_html, parameter_table_csv};
use steiner::robot::Lumped;
use steiner::{
    Identification, IdentificationError, Mechanism, SensorSet, identify_logs, read_mechanism,
    write_identified,
};

use self::parse::{LoadOfLog, parse_load};
use self::settings::{EstimateArguments, UnknownArguments};
use crate::arguments::RobotArguments;
use crate::hints::FLAGS;
use crate::identification_page::identification_page;
use crate::logs::{LogArguments, watch};
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
    /// Where the inertia of links that are fixed to each other goes: to the moving-link, or
    /// proportional to what each had.
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
    /// Exit status 1 if there is any alarm, for scripts; everything is printed and written all the same.
    #[arg(long)]
    strict: bool,
    /// Logs for validation only (then nothing of the others is held out by default).
    #[arg(long, value_name = "LOG,…", value_delimiter = ',', help_heading = "Logs")]
    validate: Vec<PathBuf>,
    /// The load that the robot carried in a log: mass (kg) and centre in the link's frame (m).
    ///
    /// The centre is the link's origin by default. Logs that are not named have no load. Known loads fix the
    /// scale of --unknown-gain. LOG=? means an unknown load: it is estimated with the robot identified from the
    /// other logs. May be repeated.
    #[arg(long, value_name = "LOG=MASS[,X,Y,Z]|?", value_parser = parse_load, help_heading = "Logs")]
    payload_of: Vec<LoadOfLog>,
    /// The link that carries it, moving or fixed to one that moves (default: the last body).
    #[arg(long, value_name = "LINK", requires = "payload_of", help_heading = "Logs")]
    payload_on: Option<String>,
    /// Correct the lag between each joint's force and its motion, as estimated from the log.
    ///
    /// Without it, a lag is an alarm only.
    #[arg(long, help_heading = "Logs")]
    align: bool,
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
    let mechanism = read_mechanism(&arguments.robot.robot, &arguments.robot.options())?;
    let mut notes = Vec::new();
    let centres = arguments.estimate.centres(&mechanism, &arguments.robot, &mut notes)?;
    let measure: Option<SensorSet> = arguments.unknown.measure.as_deref().map(str::parse).transpose()?;
    let mut logs = arguments.reading.logs(&arguments.logs, &arguments.validate, measure)?;
    // Unknown ones first: they leave the logs to learn from, whose numbers then change.
    for LoadOfLog { log, .. } in arguments.payload_of.iter().filter(|load| load.load.is_none()) {
        logs.weigh_log(logs.log_named(log)?)?;
    }
    for LoadOfLog { log, load } in &arguments.payload_of {
        if let Some((mass, com)) = *load {
            logs.loads.push(KnownLoad { log: logs.log_named(log)?, mass, com });
        }
    }
    logs.loads_on = arguments.payload_on.clone();
    logs.align = arguments.align;
    let settings = arguments.unknown.settings(&arguments.estimate, centres);
    let progress = Progress::of("identifying");
    let mut found = identify_logs(&mechanism, &logs, &settings, watch(&progress, &logs))?;
    let measured = &found.identification.settings.measure;
    if logs.measure.is_none() && *measured != SensorSet::all() {
        notes.push(SettingNote::Measured { sensors: measured.clone() });
    }
    notes.extend(logs.held_out_by_default());
    notes.extend(arguments.reading.idle(found.read(), found.identification.validation.is_some()));
    let is_late = |alarm: &Alarm| matches!(alarm, Alarm::Lag { .. });
    if !arguments.align && found.identification.alarms.iter().any(is_late) {
        notes.push(SettingNote::NotAligned);
    }
    let told = |note| IdentificationNote::Setting { note, spelling: FLAGS };
    found.identification.notes.splice(0..0, notes.into_iter().map(told));
    let history = arguments.html.as_ref().map(|_| found.residual_history());
    drop(progress);
    let written = write_results(&mechanism, &mut found.identification, history, arguments);
    written.finish(match arguments.json {
        true => print_json(&found.document()),
        false => print(&identification_page(&found.identification, width())),
    })?;
    match found.identification.alarms.len() {
        alarms if arguments.strict && alarms > 0 => Err(Failure::Message(format!(
            "identified with {}, which --strict does not accept; the output is complete",
            count(alarms, "alarm")
        ))),
        _ => Ok(()),
    }
}

/// Files that were asked for; what their writers have to say goes to the notes.
fn write_results(
    mechanism: &Mechanism,
    answer: &mut Identification,
    history: Option<Result<ResidualHistory, IdentificationError>>,
    arguments: &IdentifyArguments,
) -> Written {
    let mut written = Written::default();
    if let Some(path) = &arguments.output {
        let lumped =
            if arguments.lumped == "proportional" { Lumped::Proportional } else { Lumped::MovingLink };
        let done = write_identified(&arguments.robot.robot, path, mechanism, answer, lumped);
        if let Some(notes) = written.step(done) {
            let loses = notes.iter().find(|note| matches!(note, FileNote::Loses { .. }));
            let but = match answer.alarms.len() {
                0 => loses.map_or(String::new(), |note| {
                    format!(". {}", file_notes(std::slice::from_ref(note)).join(" "))
                }),
                alarms => format!(", with {}: see the verdict before you use it", count(alarms, "alarm")),
            };
            eprintln!("wrote {}{but}", path.display());
            answer.notes.extend(notes.into_iter().map(IdentificationNote::File));
        }
    }
    if let Some(path) = &arguments.table {
        written.text(path, &parameter_table_csv(answer), "--table");
    }
    let history = history.and_then(|history| written.step(history));
    if let (Some(path), Some(history)) = (&arguments.html, history) {
        written.text(path, &identification_html(answer, &history), "--html");
    }
    written
}
