//! The command line, and its `--help`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use steiner::formats::ReadOptions;
use steiner::identifiability::Method;
use steiner::model::Quantity;
use steiner::scalar::Exact;

use crate::check::CheckArguments;
use crate::compare::CompareArguments;
use crate::excite::ExciteArguments;
use crate::identify::IdentifyArguments;
use crate::logs::LogArguments;
use crate::reduction::ReductionArguments;
use crate::simulate::SimulateArguments;
use crate::symbolic::SymbolicArguments;

/// Find out which masses, centres of mass and inertias your sensors can reveal, and identify them from a log.
///
/// A robot is a file (URDF, URDF+, xacro, MJCF, or a native mechanism file in TOML) or a name from the
/// built-in zoo. Every command takes --json for one document on standard output. Exit status: 0 done, 1 the
/// input is bad or the question has no answer, 2 usage.
#[derive(Parser, Debug)]
#[command(name = "steiner", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Which inertial parameters can be identified from what is measured, and why the others cannot: proven.
    #[command(
        after_help = "Examples:\n  steiner analyze puma560\n  steiner analyze puma560 --html puma560.html\n  steiner analyze delta --measure static\n  steiner analyze robot.urdf --floating --measure base-wrench --json\n  steiner analyze puma560 --measure joints:link3 --compare='wrench:link4;base-wrench'\n  steiner analyze puma560 --drives --fix link6.m=0.09 --keep link2.Izz\n  steiner analyze robot.urdf log.csv\n  steiner analyze puma560 --symbolic --frames mdh\n  steiner analyze four_bar --symbolic --format latex -o four_bar.tex\n  steiner analyze four_bar --sensitivity lx1 --family"
    )]
    Analyze(Box<AnalyzeArguments>),
    /// Before you fit anything: can these parameters be found from these sensors and this motion? If not, why,
    /// and what to measure or move instead.
    #[command(
        after_help = "WANT: a parameter (link6.m), a body (link2: its ten parameters), joint3.friction (fv, fc, offset), joint3.Ia,\npayload:link6 (a load, with a known robot), or a pattern ('*.m'). Exit status 1 if something wanted cannot be found.\n\nExamples:\n  steiner check robot.urdf\n  steiner check puma560 --want '*.m'\n  steiner check robot.urdf log.csv --want link6,joint3.friction\n  steiner check robot.urdf motion.csv --noise 0.5 --want payload:tool\n  steiner check go2 --measure base-wrench --want 'base_link' --json"
    )]
    Check(Box<CheckArguments>),
    /// Which of two robot files predicts recorded forces better, and where.
    #[command(
        after_help = "The models are compared twice: as written, and with friction and rotor inertia fitted to each,\nsince a URDF seldom has them.\n\nExamples:\n  steiner compare robot.urdf identified.urdf log.csv\n  steiner compare a.urdf b.urdf log.csv --html comparison.html\n  steiner compare a.urdf b.urdf other_day.npz --hold-out 0.5 --json"
    )]
    Compare(Box<CompareArguments>),
    /// The motion to record: as informative as the limits allow, which hold between the samples, too.
    #[command(
        after_help = "The motion makes log det of the information matrix of the base parameters as large as possible, within the limits of position,\nvelocity and torque in the robot's file. What is assumed where the file says nothing is printed.\n\nExamples:\n  steiner excite panda -o motion.csv --html motion.html\n  steiner excite robot.urdf -o motion.yaml --duration 20 --rate 250 --speed 0.8 --torque-margin 0.2\n  steiner excite robot.urdf -o motion.csv --limit all=a=15 --limit joint1=-1:1,v=1 --start joint1=0\n  steiner excite robot.urdf -o motion.csv --floor 0 --obstacle box:0.4,-0.3,0:0.8,0.3,0.5\n  steiner excite robot.urdf -o more.csv --after log.csv --duration 8\n  steiner excite robot.urdf -o poses.csv --measure static\n  steiner excite go2 -o motion.csv --lock base_link=0\n  steiner excite go2 -o motion.csv --feet FL_foot,FR_foot,RL_foot,RR_foot --starts 2\n\nTry it without a robot:\n  steiner excite panda -o motion.csv --noise 0.02\n  steiner simulate panda --trajectory motion.csv --force-noise 0.02 -o log.csv\n  steiner identify panda log.csv"
    )]
    Excite(Box<ExciteArguments>),
    /// Inertias and friction from recorded motions and forces, as a physically consistent model.
    #[command(
        after_help = "A log has columns t, q_JOINT, tau_JOINT and, if they were recorded, qd_JOINT, qdd_JOINT and wrench_LINK_fx … tz; a mapping file describes any other (docs/logs.md).\n\nExamples:\n  steiner simulate panda --noise 0.02 -o log.csv && steiner identify panda log.csv\n  steiner identify robot.urdf log.csv -o identified.urdf --html report.html\n  steiner identify robot.urdf train.npz --validate other.npz --json\n  steiner identify robot.urdf log.csv --validate-from 60 --centre all=mesh --total-mass 18.2\n  steiner identify robot.urdf currents.csv --mapping columns.toml --cutoff 40 --unknown-gain joint1 --fix link6.m=0.09\n  steiner identify robot.urdf log.csv --payload gripper --table payload.csv\n  steiner identify robot.urdf log.mcap --floating --measure base-wrench+wrench:ankle"
    )]
    Identify(Box<IdentifyArguments>),
    /// Bodies, joints, loops, mobility and the consistency of the given inertias.
    #[command(
        after_help = "Examples:\n  steiner info puma560\n  steiner info robot.urdf --floating\n  steiner info delta --json"
    )]
    Info(InfoArguments),
    /// The equations of motion of a serial arm, or fast code for any tree, in the
    /// parameters that can be identified.
    #[command(
        after_help = "Examples:\n  steiner model panda --emit c -o panda_code\n  steiner model go2 --emit rust --what inverse,forward -o go2_code\n  steiner model two_link --equations\n  steiner model two_link --equations=latex\n  steiner model kr6 --save kr6.psdm\n  steiner model kr6 --accuracy 1e-2 --profile slow --plot kr6.svg\n  steiner model scara_sr6ia --neglect link1.my,link1.mz --json"
    )]
    Model(Box<ModelArguments>),
    /// A synthetic log: a feasible motion, the torques along it, and sensors with noise and steps.
    #[command(
        after_help = "Examples:\n  steiner simulate panda -o log.csv\n  steiner simulate panda --seed 7 --duration 60 --noise 0.02 -o log.npz\n  steiner simulate go2 --carried-by base_link --contact FL_calf=20,2 -o log.csv\n  steiner simulate robot.urdf --trajectory recorded.csv --force-noise 0.5 -o log.csv\n  steiner simulate robot.urdf --friction all=0.5,2 --rotor-inertia joint1=0.3 --position-step 1e-4 --positions-only -o log.csv"
    )]
    Simulate(Box<SimulateArguments>),
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
    /// Independent joints, where loops or couplings leave a choice, as in motor1,motor2.
    ///
    /// A log needs columns for these joints. By default the file's choice, or joints with motors.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    independent: Vec<String>,
    /// Joints that do not move, with their fixed value (rad or m), as in finger=0.04.
    ///
    /// The links on both sides become one body. May be repeated.
    #[arg(long, value_name = "JOINT=VALUE,…", value_delimiter = ',', value_parser = parse_lock, allow_hyphen_values = true)]
    lock: Vec<(String, Exact)>,
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
            independent: self.independent.clone(),
            lock: self.lock.clone(),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArguments {
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// Logs, to see which base parameters they excite: CSV, Parquet, NPZ, MAT (v5), MCAP or rosbag2.
    ///
    /// Columns are `t`, `q_JOINT`, `qd_JOINT`, `qdd_JOINT`. A mapping file (.toml) that names its files is a log, too.
    #[arg(value_name = "LOG")]
    pub(crate) logs: Vec<PathBuf>,
    /// What is measured: all, static, joints:a,b, wrench:joint, base-wrench, joined by `+`.
    ///
    /// all: every generalised force. static: the same at rest. joints:a,b: only these. wrench:joint: a
    /// force–torque sensor in that joint. base-wrench: a force plate under the robot.
    #[arg(long, default_value = "all", value_name = "SENSORS")]
    pub(crate) measure: String,
    /// What other sensors would add to --measure, as in --compare='wrench:joint4;base-wrench'.
    ///
    /// Sets are separated by `;`. Without a value: static, base-wrench and all.
    #[arg(
        long, value_name = "SENSORS;…", num_args = 0..=1, require_equals = true, value_delimiter = ';',
        default_missing_value = "static;base-wrench;all"
    )]
    pub(crate) compare: Vec<String>,
    /// Include the parameters of the drives: inertia Ia, friction fv and fc,
    /// offset, of every one-dof joint.
    #[arg(long)]
    pub(crate) drives: bool,
    /// Parameters that are known, as in link6.m=1.2,link6.mz=0.1 (kg, kg m, kg m²); may be repeated.
    #[arg(long, value_name = "PARAMETER=VALUE,…", value_delimiter = ',', value_parser = parse_known, allow_hyphen_values = true)]
    pub(crate) fix: Vec<(String, f64)>,
    /// Parameters to keep as base parameters where there is a choice, as in link2.Izz; may be repeated.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Parameters to regroup into others where there is a choice; may be
    /// repeated. The default follows Khalil.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    pub(crate) eliminate: Vec<String>,
    /// How the nullspace is found: auto, drng, rpna or numeric.
    ///
    /// auto: geometry, then completion until it is proven complete. drng and rpna: the two published
    /// algorithms. numeric: a regressor at random states, in doubles.
    #[arg(long, default_value = "auto", value_parser = parse_method)]
    pub(crate) method: Method,
    /// Don't prove the answer. Saves time with drng, rpna and numeric; auto finds its proof on the way.
    #[arg(long)]
    pub(crate) no_certify: bool,
    /// Write a self-contained page with pictures and formulas, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// One JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) symbolic: SymbolicArguments,
    #[command(flatten)]
    pub(crate) reading: LogArguments,
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
pub(crate) struct ModelArguments {
    #[command(flatten)]
    pub(crate) robot: RobotArguments,
    /// How: psdm is the closed form of a serial arm, recursive is Newton–Euler unrolled for this robot,
    /// fastest compiles both, times them here and takes the faster for each function. Code is recursive
    /// unless told otherwise, anything else psdm.
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<ModelMethod>,
    /// Write code: c for a header and a source in C99, rust for a no_std file.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) emit: Option<Language>,
    /// The folder that code is written to.
    #[arg(short, long, value_name = "DIR", requires = "emit")]
    pub(crate) output: Option<PathBuf>,
    /// What the code computes: inverse, regressor, mass, bias, forward. All of them by default.
    #[arg(long, value_name = "QUANTITY,…", value_delimiter = ',', value_parser = parse_quantity)]
    pub(crate) what: Vec<Quantity>,
    /// Let the base parameters be an argument of the code instead of constants.
    #[arg(long)]
    pub(crate) theta: bool,
    /// Single precision.
    #[arg(long)]
    pub(crate) float: bool,
    /// Print the equations (`--equations=latex` for LaTeX).
    #[arg(
        long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text",
        value_parser = ["text", "latex"]
    )]
    pub(crate) equations: Option<String>,
    /// Keep the model in a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Parameters to take as zero, as in link1.my,link2.mz (about the origin of
    /// the body frame); may be repeated.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    pub(crate) neglect: Vec<String>,
    #[command(flatten)]
    pub(crate) reduction: ReductionArguments,
    /// Add the inertias of the drives; to code with --emit their friction and offsets too.
    #[arg(long)]
    pub(crate) drives: bool,
    /// One JSON document instead of text.
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

/// A way to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ModelMethod {
    Psdm,
    Recursive,
    Fastest,
}

/// A language to write code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Language {
    C,
    Rust,
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

pub(crate) fn parse_known(text: &str) -> Result<(String, f64), String> {
    let remedy = "write a parameter and its value, as in link1.m=1.2";
    let (name, value) = text.split_once('=').ok_or(remedy)?;
    match value.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((name.trim().to_owned(), value)),
        _ => Err(format!("`{value}` is not a finite number; {remedy}")),
    }
}

fn parse_lock(text: &str) -> Result<(String, Exact), String> {
    let remedy = "write a joint and its value in rad or m, as in finger=0.04";
    let (joint, value) = text.split_once('=').ok_or(remedy)?;
    match Exact::parse(value.trim()) {
        Ok(value) if value.to_f64().is_ok() => Ok((joint.trim().to_owned(), value)),
        _ => Err(format!("`{value}` is not a finite number; {remedy}")),
    }
}

fn parse_quantity(text: &str) -> Result<Quantity, String> {
    Quantity::worded(text).ok_or_else(|| format!("use {}", Quantity::WORDS.join(", ")))
}

fn parse_method(text: &str) -> Result<Method, String> {
    Method::named(text).ok_or_else(|| "use auto, drng, rpna or numeric".to_owned())
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
