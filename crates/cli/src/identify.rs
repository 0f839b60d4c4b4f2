//! `steiner identify`: from a robot file and logs to inertias that can be trusted.

use std::path::{Path, PathBuf};

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Bounds, CentreBound, CoupledDrive, Cutoff, Dataset, DryFriction, Estimator, Identification, LogOptions,
    Mapping, Part, Processing, Recording, Role, Settings, Thinning, identify,
};
use steiner_report::{
    Courses, identification_html, identification_json, parameter_table_csv, write_identified,
};
use steiner_robot::{Lumped, read_robot, write_atomically};

use crate::arguments::{RobotArguments, parse_known};
use crate::identification_page::identification_page;
use crate::output::{Failure, print, print_json, width};
use crate::progress::Progress;

#[derive(Args, Debug)]
pub(crate) struct IdentifyArguments {
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// Logs to identify from: CSV, NPZ, Parquet, MAT (v5), MCAP or rosbag2 .db3.
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Logs that only judge the result.
    #[arg(long, value_name = "LOG", value_delimiter = ',')]
    validate: Vec<PathBuf>,
    /// Last part of every log that only judges the result (default 0.25, or 0 with --validate).
    #[arg(long, value_name = "PART", value_parser = parse_part)]
    hold_out: Option<f64>,
    /// A mapping file: columns, units, signs, gears of other people's logs (docs/logs.md).
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    #[command(flatten)]
    signals: SignalArguments,
    /// What is measured, as in `steiner analyze`: all, joints:a,b, base-wrench, wrench:joint, joined by +. By default the
    /// forces that the log has.
    #[arg(long, value_name = "TERMS")]
    measure: Option<String>,
    /// Leave rotor inertia and friction out of the model.
    #[arg(long)]
    no_drives: bool,
    /// Dry friction as tanh(q̇/speed) instead of sign(q̇); rad/s or m/s.
    #[arg(long, value_name = "SPEED")]
    tanh: Option<f64>,
    /// A Stribeck term sign(q̇) exp(−(q̇/speed)²) for every drive.
    #[arg(long, value_name = "SPEED")]
    stribeck: Option<f64>,
    /// A motor that turns with several joints, as in wrist=joint5:1,joint6:1; `crosswise:wrist=…` for what each joint feels of the
    /// others alone. May be repeated.
    #[arg(long = "drive", value_name = "NAME=JOINT:FACTOR,…", value_parser = parse_drive)]
    drives: Vec<CoupledDrive>,
    /// Joints whose tau is a current with unknown gain.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    unknown_gain: Vec<String>,
    /// Parameters that are known, as in link6.m=0.09.
    #[arg(long, value_name = "PARAMETER=VALUE,…", value_delimiter = ',', value_parser = parse_known)]
    fix: Vec<(String, f64)>,
    /// Only the ten parameters of this link are unknown.
    #[arg(long, value_name = "LINK")]
    payload: Option<String>,
    /// Base parameters to keep where there is a choice.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    keep: Vec<String>,
    /// Base parameters to express by others where there is a choice.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    eliminate: Vec<String>,
    /// Use a joint's force only while it is at least as fast, as in joint1=0.05 (rad/s or m/s).
    #[arg(long, value_name = "JOINT=SPEED,…", value_delimiter = ',', value_parser = parse_known)]
    least_speed: Vec<(String, f64)>,
    /// weighted (by each joint's noise), ordinary, huber (for logs with shocks) or ridge (a pull towards the file's inertias).
    #[arg(long, value_name = "ESTIMATOR", default_value = "weighted", value_parser = parse_estimator)]
    estimator: Estimator,
    /// Take least squares as they are, even if no body could have such inertias.
    #[arg(long)]
    no_consistency: bool,
    /// Bounds on a link's mass in kg, as in link1=3:5.
    #[arg(long, value_name = "LINK=LEAST:MOST", value_delimiter = ',', value_parser = parse_mass)]
    mass: Vec<(String, f64, f64)>,
    /// Mass of all bodies together, kg.
    #[arg(long, value_name = "KG")]
    total_mass: Option<f64>,
    /// Where a link's centre of mass can be, as in link1=-0.1,-0.1,0:0.1,0.1,0.3 (corners of a box in its frame, m).
    #[arg(long, value_name = "LINK=CORNER:CORNER", value_parser = parse_centre)]
    centre: Vec<(String, CentreBound)>,
    /// Leave out base parameters that the log cannot tell from zero.
    #[arg(long)]
    essential: bool,
    /// Write the robot with its identified inertias.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Where the inertia of links that are fixed to each other goes: to the moving-link, or proportional to what each had.
    #[arg(long, value_name = "HOW", default_value = "moving-link", value_parser = ["moving-link", "proportional"])]
    lumped: String,
    /// Write the parameters as a table.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) table: Option<PathBuf>,
    /// Write a page with everything: tables, curves, residuals, ellipsoids.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// What is done to signals; the same for every command that reads logs.
#[derive(Args, Debug)]
pub(crate) struct SignalArguments {
    /// End of the zero-phase low-pass filter: auto (from the spectra), off, or Hz.
    #[arg(long, value_name = "HZ", default_value = "auto", value_parser = parse_cutoff)]
    cutoff: Cutoff,
    /// Order of that filter, for each direction.
    #[arg(long, value_name = "N", default_value_t = 4)]
    filter_order: usize,
    /// Thinning of the samples: auto, or off.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = ["auto", "off"])]
    thin: String,
    /// Derive velocities and accelerations even where they are recorded.
    #[arg(long)]
    derive: bool,
    /// Only what was recorded from this time on, s.
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// Only what was recorded up to this time, s.
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Leave out rows with entries that are no numbers, instead of refusing the log.
    #[arg(long)]
    skip_bad_rows: bool,
    /// A joint with dry friction counts only while faster than this part of its usual speed (root mean square); 0 for always.
    #[arg(long, value_name = "PART", default_value_t = 0.02, value_parser = parse_part)]
    rest: f64,
}

impl SignalArguments {
    pub(crate) fn processing(&self) -> Processing {
        Processing {
            cutoff: self.cutoff,
            order: self.filter_order,
            thinning: if self.thin == "off" { Thinning::Off } else { Thinning::Auto },
            derive: self.derive,
            from: self.from,
            to: self.to,
            skip_bad_rows: self.skip_bad_rows,
            rest: self.rest,
            ..Processing::default()
        }
    }
}

/// Logs as samples for identification, with what was done to them.
pub(crate) fn read_logs(
    mechanism: &Mechanism,
    logs: &[PathBuf],
    mapping: Option<&PathBuf>,
    processing: &Processing,
    notes: &mut Vec<String>,
) -> Result<Option<Dataset>, Failure> {
    let mapping = mapping.map(|path| Mapping::read(path)).transpose()?;
    let options = LogOptions { mapping, ..LogOptions::default() };
    let mut all: Option<Dataset> = None;
    for path in logs {
        let recording = Recording::read(mechanism, path, &options, processing)?;
        for note in &recording.notes {
            let note = format!("{}: {note}", path.display());
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let data = recording.into_dataset(mechanism);
        match &mut all {
            None => all = Some(data),
            Some(all) => all.append(data)?,
        }
    }
    Ok(all)
}

pub(crate) fn run(arguments: &IdentifyArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let progress = Progress::of("identifying");
    let mut notes = Vec::new();
    let data = samples(&mechanism, arguments, &mut notes)?;
    let settings = settings(&mechanism, &data, arguments);
    let mut answer = identify(&mechanism, &data, &settings)?;
    drop(progress);
    answer.notes.splice(0..0, notes);
    write_results(&mechanism, &data, &mut answer, arguments)?;
    match arguments.json {
        true => print_json(&identification_json(&mechanism, &answer)),
        false => print(&identification_page(&answer, width())),
    }
}

/// The samples to train with and to validate with.
fn samples(
    mechanism: &Mechanism,
    arguments: &IdentifyArguments,
    notes: &mut Vec<String>,
) -> Result<Dataset, Failure> {
    let processing = arguments.signals.processing();
    let mapping = arguments.mapping.as_ref();
    let mut read = |logs: &[PathBuf]| read_logs(mechanism, logs, mapping, &processing, notes);
    let none = || Failure::Message("there is no log; name at least one".to_owned());
    let mut data = read(&arguments.logs)?.ok_or_else(none)?;
    let held = arguments.hold_out.unwrap_or(if arguments.validate.is_empty() { 0.25 } else { 0.0 });
    data.hold_out(held);
    if let Some(mut judging) = read(&arguments.validate)? {
        judging.parts =
            judging.parts().into_iter().map(|part| Part { role: Role::Validation, ..part }).collect();
        data.append(judging)?;
    }
    Ok(data)
}

/// What the log has, in the words of `--measure`.
pub(crate) fn measured_by(mechanism: &Mechanism, data: &Dataset) -> String {
    let names = mechanism.independent_names();
    let mut terms = Vec::new();
    if data.measured.iter().all(|measured| *measured) {
        terms.push("all".to_owned());
    } else if data.measured.contains(&true) {
        let joints: Vec<&str> =
            names.iter().zip(&data.measured).filter(|(_, m)| **m).map(|(name, _)| name.as_str()).collect();
        terms.push(format!("joints:{}", joints.join(",")));
    }
    if data.base_wrench.is_some() {
        terms.push("base-wrench".to_owned());
    }
    terms.extend(data.joint_wrenches.iter().map(|signal| format!("wrench:{}", signal.place)));
    if terms.is_empty() { "all".to_owned() } else { terms.join("+") }
}

fn settings(mechanism: &Mechanism, data: &Dataset, arguments: &IdentifyArguments) -> Settings {
    let bounds = Bounds {
        masses: arguments.mass.clone(),
        total_mass: arguments.total_mass,
        centres: arguments.centre.clone(),
        ..Bounds::default()
    };
    Settings {
        measure: arguments.measure.clone().unwrap_or_else(|| measured_by(mechanism, data)),
        drives: !arguments.no_drives,
        dry_friction: arguments.tanh.map_or(DryFriction::Sign, |speed| DryFriction::Smoothed { speed }),
        stribeck: arguments.stribeck,
        coupled_drives: arguments.drives.clone(),
        unknown_gains: arguments.unknown_gain.clone(),
        known: arguments.fix.clone(),
        payload: arguments.payload.clone(),
        keep: arguments.keep.clone(),
        eliminate: arguments.eliminate.clone(),
        least_speed: arguments.least_speed.clone(),
        estimator: arguments.estimator,
        consistent: (!arguments.no_consistency).then_some(bounds),
        essential: arguments.essential,
        ..Settings::default()
    }
}

/// Files that were asked for; what their writers have to say goes to the notes.
fn write_results(
    mechanism: &Mechanism,
    data: &Dataset,
    answer: &mut Identification,
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
    if let Some(path) = &arguments.html {
        let courses = Courses::of_identification(mechanism, answer, &mut &*data)?;
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

fn finite(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite())
}

fn parse_part(text: &str) -> Result<f64, String> {
    finite(text).filter(|x| (0.0..1.0).contains(x)).ok_or("give a part from 0 to below 1".to_owned())
}

fn parse_cutoff(text: &str) -> Result<Cutoff, String> {
    match text {
        "auto" => Ok(Cutoff::Auto),
        "off" => Ok(Cutoff::Off),
        _ => finite(text)
            .filter(|hertz| *hertz > 0.0)
            .map(Cutoff::Hertz)
            .ok_or("use auto, off, or a frequency in Hz".to_owned()),
    }
}

fn parse_estimator(text: &str) -> Result<Estimator, String> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, finite(value)));
    match name {
        "ordinary" => Ok(Estimator::Ordinary),
        "weighted" => Ok(Estimator::Weighted),
        "huber" => Ok(Estimator::Huber { threshold: value.unwrap_or(1.345) }),
        "ridge" => Ok(Estimator::Ridge { weight: value.unwrap_or(1.0) }),
        _ => Err("use weighted, ordinary, huber (or huber=1.345) or ridge (or ridge=1)".to_owned()),
    }
}

fn parse_mass(text: &str) -> Result<(String, f64, f64), String> {
    let parse = || {
        let (link, range) = text.split_once('=')?;
        let (least, most) = range.split_once(':')?;
        Some((link.trim().to_owned(), finite(least)?, finite(most)?))
    };
    parse().ok_or("write a link and its least and greatest mass in kg, as in link1=3:5".to_owned())
}

fn parse_centre(text: &str) -> Result<(String, CentreBound), String> {
    let corner = |text: &str| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
        numbers?.try_into().ok()
    };
    let parse = || {
        let (link, corners) = text.split_once('=')?;
        let (lower, upper) = corners.split_once(':')?;
        let bound = CentreBound::Box { lower: corner(lower)?, upper: corner(upper)? };
        Some((link.trim().to_owned(), bound))
    };
    parse().ok_or("write a link and two corners in m, as in link1=-0.1,-0.1,0:0.1,0.1,0.3".to_owned())
}

fn parse_drive(text: &str) -> Result<CoupledDrive, String> {
    let (crosswise, text) = match text.strip_prefix("crosswise:") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let parse = || {
        let (name, joints) = text.split_once('=')?;
        let joint = |pair: &str| {
            let (joint, factor) = pair.rsplit_once(':')?;
            Some((joint.trim().to_owned(), finite(factor)?))
        };
        let joints: Option<Vec<(String, f64)>> = joints.split(',').map(joint).collect();
        Some(CoupledDrive { name: name.trim().to_owned(), joints: joints?, crosswise })
    };
    parse().ok_or("write a name and what the motor turns with, as in wrist=joint5:1,joint6:1".to_owned())
}
