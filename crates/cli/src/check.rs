//! `steiner check`: can these parameters be found from these sensors and this motion?

use std::path::PathBuf;

use clap::Args;
use steiner::report::{check_json, check_page};
use steiner::{CheckQuestion, check, read_mechanism};

use crate::arguments::{RobotArguments, parse_known};
use crate::hints::FLAGS;
use crate::logs::{LogArguments, watch};
use crate::output::{Failure, print, print_json, width};
use crate::parse::parse_positive_noise;
use crate::progress::Progress;

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    robot: RobotArguments,
    /// Logs whose motion is to suffice: CSV, NPZ, Parquet, MAT (v5), MCAP or rosbag2; forces need not be in it.
    ///
    /// A file that `steiner excite` writes is such a log, too.
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// What shall be found (see below); exit status 1 if something of it cannot.
    #[arg(long, value_name = "WANT,…", value_delimiter = ',')]
    want: Vec<String>,
    /// What is measured: all, static, joints:a,b, wrench:joint, base-wrench, joined by `+`.
    ///
    /// all: every generalised force. static: the same at rest. joints:a,b: only these. wrench:joint: a
    /// force–torque sensor in that joint. base-wrench: a force plate under the robot. By default what the log has,
    /// or all.
    #[arg(long, value_name = "SENSORS")]
    measure: Option<String>,
    /// Leave rotor inertia and friction out of the model.
    #[arg(long)]
    no_drives: bool,
    /// Parameters that are known, as in link6.m=1.2,link6.mz=0.1 (kg, kg m, kg m²); may be repeated.
    #[arg(long, value_name = "PARAMETER=VALUE,…", value_delimiter = ',', value_parser = parse_known, allow_hyphen_values = true)]
    fix: Vec<(String, f64)>,
    /// Standard deviation of the measured forces where the log does not tell it, N·m or N, as in 0.5.
    #[arg(long, value_name = "SIGMA", default_value_t = 1.0, value_parser = parse_positive_noise)]
    noise: f64,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: LogArguments,
}

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let mechanism = read_mechanism(&arguments.robot.robot, &arguments.robot.options())?;
    let question = CheckQuestion {
        measure: arguments.measure.as_deref().map(str::parse).transpose()?,
        drives: !arguments.no_drives,
        known: arguments.fix.clone(),
        want: arguments.want.clone(),
        noise: arguments.noise,
    };
    let logs = arguments.reading.logs(&arguments.logs, &[], question.measure.clone())?;
    let progress = Progress::of("reading");
    let logs = Some(&logs).filter(|logs| !logs.training.is_empty());
    let found = check(&mechanism, &question, logs, &|| match logs {
        Some(logs) => watch(&progress, logs),
        None => steiner::Watch::default(),
    })?;
    drop(progress);
    match arguments.json {
        true => print_json(&check_json(&mechanism, &found, FLAGS))?,
        false => print(&check_page(&mechanism, &found, width(), FLAGS))?,
    }
    if found.all_found() { Ok(()) } else { Err(Failure::Refuted) }
}
