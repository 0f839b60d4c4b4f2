//! The command line, and `--help` that teaches.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use steiner_robot::ReadOptions;
use steiner_scalar::Exact;

/// Which inertial parameters of a robot can be identified, and how.
///
/// A robot is a file (URDF, URDF+, xacro, MJCF, or a native mechanism file in TOML) or a name from the built-in zoo.
/// Every command takes --json for one document on standard output. Exit status: 0 done, 1 the input is bad or the
/// question has no answer, 2 usage.
#[derive(Parser, Debug)]
#[command(name = "steiner", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Which inertial parameters can be identified from what is measured, with a certificate.
    #[command(
        after_help = "Examples:\n  steiner analyze puma560\n  steiner analyze delta --measure static\n  steiner analyze robot.urdf --floating --measure base-wrench --json"
    )]
    Analyze(AnalyzeArguments),
    /// Bodies, joints, loops, mobility and the consistency of the given inertias.
    #[command(
        after_help = "Examples:\n  steiner info puma560\n  steiner info robot.urdf --floating\n  steiner info delta --json"
    )]
    Info(InfoArguments),
    /// The built-in robots, one line each.
    #[command(after_help = "Examples:\n  steiner zoo\n  steiner zoo --show four_bar > four_bar.toml")]
    Zoo(ZooArguments),
}

/// How a robot is read; the same for every command.
#[derive(Args, Debug)]
pub(crate) struct RobotArguments {
    /// A robot file (.urdf, .xacro, .xml, .toml) or a name from `steiner zoo`.
    pub(crate) robot: String,
    /// Gravitational acceleration in the base frame, m/s² (default: the file's, or 0,0,-9.81).
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_gravity, allow_hyphen_values = true)]
    gravity: Option<Gravity>,
    /// Let the root of the robot move freely.
    #[arg(long)]
    floating: bool,
    /// Read angles within this distance (rad) of a multiple of 15° as that multiple; 0 turns it off.
    #[arg(long, value_name = "RAD", default_value_t = 1e-5, value_parser = parse_snap)]
    snap: f64,
    /// Ignore `<mimic>`, as Pinocchio does by default.
    #[arg(long)]
    no_mimic: bool,
    /// A folder in which package:// and $(find …) are looked up; may be repeated.
    #[arg(long, value_name = "DIR")]
    package_path: Vec<PathBuf>,
    /// A value for a xacro argument; may be repeated.
    #[arg(long = "arg", value_name = "NAME:=VALUE", value_parser = parse_xacro_argument)]
    xacro_arguments: Vec<(String, String)>,
}

impl RobotArguments {
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            snap: self.snap,
            floating: self.floating,
            gravity: self.gravity.clone().map(|gravity| gravity.0),
            mimic: !self.no_mimic,
            package_path: self.package_path.clone(),
            xacro_arguments: self.xacro_arguments.clone(),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArguments {
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// What is measured, terms joined by `+`: all (every generalised force), static (the same at rest), joints:a,b (only
    /// these), wrench:joint (a force–torque sensor in that joint), base-wrench (a force plate under the robot).
    #[arg(long, default_value = "all")]
    pub(crate) measure: String,
    /// One JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// One JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ZooArguments {
    /// Print the mechanism file of one robot, to start your own from.
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
    /// One JSON document instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Debug)]
struct Gravity([Exact; 3]);

fn parse_gravity(text: &str) -> Result<Gravity, String> {
    let parts: Vec<Exact> = text
        .split(',')
        .map(|part| Exact::parse(part).map_err(|_| format!("`{part}` is not a number")))
        .collect::<Result<_, _>>()?;
    let parts: [Exact; 3] = parts.try_into().map_err(|_| "give three numbers, as in 0,0,-9.81".to_owned())?;
    for part in &parts {
        part.to_f64().map_err(|error| error.to_string())?;
    }
    Ok(Gravity(parts))
}

fn parse_snap(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(snap) if (0.0..=0.1).contains(&snap) => Ok(snap),
        _ => Err("give an angle from 0 to 0.1 rad".to_owned()),
    }
}

fn parse_xacro_argument(text: &str) -> Result<(String, String), String> {
    match text.split_once(":=") {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME:=VALUE".to_owned()),
    }
}
