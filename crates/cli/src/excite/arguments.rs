//! The arguments of `steiner excite`.

use std::path::PathBuf;

use clap::Args;
use steiner::excitation::{Criterion, Foot, LimitChange, Obstacle, TurnSum};
use steiner::logs::{LogOptions, Mapping};
use steiner::{Logs, parse_limit, parse_obstacle, parse_turn_sum};

use crate::arguments::{RobotArguments, parse_known};
use crate::output::Failure;
use crate::parse::{parse_not_negative, parse_part, parse_positive, parse_positive_noise};
use crate::signals::SignalArguments;

#[derive(Args, Debug)]
pub(crate) struct ExciteArguments {
    #[command(flatten)]
    pub(super) robot: RobotArguments,
    /// The motion to write: .csv or .npz (t, q_JOINT, qd_JOINT, qdd_JOINT), .yaml or .json
    /// (trajectory_msgs/JointTrajectory), .xml (MuJoCo keyframes).
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write a page with the motion in 3D, limits, deviations and information over time.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Write a second, different motion, to test the identified model with.
    #[arg(long, value_name = "FILE")]
    pub(super) validate: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    pub(super) json: bool,

    /// Length of the motion, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_positive, help_heading = "Motion")]
    pub(super) duration: f64,
    /// Samples per second, of the file and of the forces that will be recorded.
    #[arg(long, value_name = "HZ", default_value_t = 1000.0, value_parser = parse_positive, help_heading = "Motion")]
    pub(super) rate: f64,
    /// The family of motions: fourier (a finite Fourier series), spline or spline=N (through N via-points,
    /// degree 5), poses or poses=N (held one after the other, for --measure static). All start and end at rest.
    #[arg(long, value_name = "SHAPE", default_value = "fourier", help_heading = "Motion")]
    pub(super) shape: String,
    /// Harmonics of a Fourier series; the first has one period per motion.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Motion")]
    pub(super) harmonics: usize,
    /// How often a Fourier series is repeated within the duration.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Motion")]
    pub(super) periods: usize,

    /// What is measured, as for `steiner analyze`: all, static, joints:a,b, wrench:joint, base-wrench, joined by +.
    #[arg(long, value_name = "SENSORS", default_value = "all", help_heading = "What it shows")]
    pub(super) measure: String,
    /// Leave inertia and friction of the drives out of what is to be shown.
    #[arg(long, help_heading = "What it shows")]
    pub(super) no_drives: bool,
    /// What is made small: d (the volume of all errors; in any units), a (the sum of variances), e (the worst
    /// direction), condition (the condition number; larger errors, see docs/excitation.md).
    #[arg(long, value_name = "CRITERION", default_value = "d", help_heading = "What it shows")]
    pub(super) criterion: Criterion,
    /// What the parameters are for: payload (the last link), a link's name, or torque-prediction.
    #[arg(long = "for", value_name = "PURPOSE", help_heading = "What it shows")]
    pub(super) purpose: Option<String>,
    /// Standard deviation of measured forces in each sample, in N·m or N (not a part of them): of all, as in 0.5, or of
    /// each, as in joint1=0.5,joint2=0.3; may be repeated (default: that of --after, or 1).
    #[arg(long, value_name = "SIGMA|JOINT=SIGMA,…", value_delimiter = ',', value_parser = parse_noise, help_heading = "What it shows")]
    pub(super) noise: Vec<(String, f64)>,
    /// Logs that are recorded already: the motion shows what they leave unclear. Their noise is taken, too.
    #[arg(long = "after", value_name = "LOG,…", value_delimiter = ',', num_args = 1.., help_heading = "What it shows")]
    pub(super) logs: Vec<PathBuf>,

    /// Limits of a joint instead of the file's, as in joint1=-2.8:2.8,v=2,a=10,jerk=100,effort=80,power=200 (each
    /// part may be left out), or of all joints, as in all=a=10. May be repeated.
    #[arg(long, value_name = "JOINT=LIMITS", value_parser = parse_joint_limit, allow_hyphen_values = true, help_heading = "Limits")]
    pub(super) limit: Vec<LimitChange>,
    /// Part of the greatest speeds that is used.
    #[arg(long, value_name = "PART", default_value_t = 1.0, value_parser = parse_positive, help_heading = "Limits")]
    pub(super) speed: f64,
    /// Part of the greatest torques that is kept for what the model does not know.
    #[arg(long, value_name = "PART", default_value_t = 0.0, value_parser = parse_part, help_heading = "Limits")]
    pub(super) torque_margin: f64,
    /// Where the motion begins and ends, as in joint1=0,joint2=-0.8 (rad or m); others begin where it is best.
    #[arg(long, value_name = "JOINT=VALUE,…", value_delimiter = ',', value_parser = parse_known, allow_hyphen_values = true, help_heading = "Limits")]
    pub(super) start: Vec<(String, f64)>,
    /// Joints that stand still.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',', help_heading = "Limits")]
    pub(super) still: Vec<String>,
    /// A bound on a sum of turns, as a cable around several joints asks: "joint5+joint6=-3:3". May be repeated.
    #[arg(long = "sum", value_name = "JOINT+JOINT=LOWER:UPPER", value_parser = parse_turn_sum, allow_hyphen_values = true, help_heading = "Limits")]
    pub(super) turn_sums: Vec<TurnSum>,

    /// What stands around the robot, in the base frame: plane:NX,NY,NZ,OFFSET (the robot is where the normal
    /// points) or box:X,Y,Z:X,Y,Z (two corners, m). May be repeated.
    #[arg(long = "obstacle", value_name = "plane:…|box:…", value_parser = parse_obstacle, help_heading = "Surroundings")]
    pub(super) obstacles: Vec<Obstacle>,
    /// A floor at this height z of the base frame, m.
    #[arg(long, value_name = "Z", allow_negative_numbers = true, help_heading = "Surroundings")]
    pub(super) floor: Option<f64>,
    /// Feet that stay on the ground while a floating robot moves its trunk: links, as in
    /// FL_foot,FR_foot,RL_foot,RR_foot, or a link with a point in its frame (m), as in FL_calf@0,0,-0.213. May be
    /// repeated. --start is then the pose of the legs; drives are left out.
    #[arg(long, value_name = "LINK,…|LINK@X,Y,Z", value_parser = parse_feet, help_heading = "Surroundings")]
    pub(super) feet: Vec<Feet>,
    /// Coefficient of friction between feet and ground: forces stay within the friction cones.
    #[arg(long, value_name = "MU", default_value_t = 0.6, value_parser = parse_positive, help_heading = "Surroundings")]
    pub(super) ground_friction: f64,
    /// Distance that links keep from each other and from obstacles, m.
    #[arg(long, value_name = "M", default_value_t = 0.01, value_parser = parse_not_negative, help_heading = "Surroundings")]
    pub(super) clearance: f64,
    /// Links that have no shape in the file get capsules of this radius from joint to joint, m.
    #[arg(long, value_name = "M", value_parser = parse_positive, help_heading = "Surroundings")]
    pub(super) radius: Option<f64>,
    /// Don't keep links from touching each other.
    #[arg(long, help_heading = "Surroundings")]
    pub(super) no_self_collision: bool,

    /// Motions that the search begins with (default: 48; fewer with obstacles, loops or a log). More take longer and find
    /// better ones.
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(super) starts: Option<usize>,
    /// Search for so long, s, with as many starts as fit in. Ctrl-C ends it with the best so far.
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive, help_heading = "Search")]
    pub(super) seconds: Option<f64>,
    /// The same seed gives the same motion (with --seconds, on the same machine nearly so).
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(super) seed: u64,
    /// Threads (default: all).
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(super) threads: Option<std::num::NonZeroUsize>,

    /// A mapping file for the logs of --after (docs/logs.md).
    #[arg(long, value_name = "FILE", requires = "logs", help_heading = "Logs")]
    pub(super) mapping: Option<PathBuf>,
    #[command(flatten)]
    pub(super) signals: SignalArguments,
}

impl ExciteArguments {
    /// The feet that stay on the ground.
    pub(super) fn feet(&self) -> Vec<Foot> {
        self.feet.iter().flat_map(|feet| feet.0.clone()).collect()
    }

    /// The logs of --after, and how they are read.
    pub(super) fn logs(&self) -> Result<Logs, Failure> {
        let mapping = self.mapping.as_deref().map(Mapping::read).transpose()?;
        let options = LogOptions { mapping, ..LogOptions::default() };
        Ok(Logs { options, processing: self.signals.processing(), ..Logs::of(self.logs.iter().cloned()) })
    }
}

fn parse_noise(text: &str) -> Result<(String, f64), String> {
    let (row, sigma) = text.split_once('=').unwrap_or(("*", text));
    match parse_positive_noise(sigma) {
        Ok(sigma) => Ok((row.trim().to_owned(), sigma)),
        Err(why) => Err(format!("{why}; of one joint: joint1=0.5")),
    }
}

/// Feet of one argument.
#[derive(Clone, Debug)]
pub(crate) struct Feet(pub(super) Vec<Foot>);

fn parse_feet(text: &str) -> Result<Feet, String> {
    // The commas of a point are no separators.
    match text.contains('@') {
        true => Ok(Feet(vec![text.parse()?])),
        false => Ok(Feet(text.split(',').map(|link| link.trim().parse()).collect::<Result<_, _>>()?)),
    }
}

fn parse_joint_limit(text: &str) -> Result<LimitChange, String> {
    let remedy = "write a joint and its limits, as in joint1=-2.8:2.8,v=2,a=10";
    let (joint, limits) = text.split_once('=').ok_or(remedy)?;
    parse_limit(joint, limits)
}
