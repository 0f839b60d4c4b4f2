//! `steiner simulate`: synthetic logs.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use steiner::dynamics::Mechanism;
use steiner::files::did_you_mean;
use steiner::formats::read_robot;
use steiner::identification::{
    ContactWrench, MotionKind, SensorFaults, SimulatedContact, Simulation, channels, simulate, simulate_along,
};
use steiner::logs::{DryFriction, LogOptions, Mapping, Processing, Recording};
use steiner::report::{count, percent};
use steiner::robot::{Friction, Joint, Robot, RobotParts};
use steiner::{ForceNoise, parse_force_noise, parse_noise};

use crate::arguments::{RobotArguments, parse_known};
use crate::output::{Failure, number, print, print_json};
use crate::parse::{numbers, parse_not_negative, parse_positive};
use crate::places::Places;

#[derive(Args, Debug)]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    robot: RobotArguments,
    /// The log to write, .csv or .npz.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A motion to follow: any log with positions of the joints. Rates that are not in it are derived.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["motion", "duration", "rate"])]
    trajectory: Option<PathBuf>,
    /// A mapping file for the trajectory.
    #[arg(long, value_name = "FILE", requires = "trajectory")]
    mapping: Option<PathBuf>,
    /// The kind of motion, random and within the limits of every joint: fourier is periodic; sinusoids are
    /// noisy accelerations, integrated.
    #[arg(long, value_name = "KIND", default_value = "fourier")]
    motion: MotionKind,
    /// Motion, contacts and noise follow from it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Duration of the log, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = parse_positive)]
    duration: f64,
    /// Samples per second.
    #[arg(long, value_name = "HZ", default_value_t = 1000.0, value_parser = parse_positive)]
    rate: f64,
    /// Harmonics of the motion.
    #[arg(long, value_name = "N", default_value_t = 5)]
    harmonics: usize,
    /// Period of the first harmonic, s (default 10, or the duration if that is shorter).
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    period: Option<f64>,
    /// Part of the joints' limits that the motion uses.
    #[arg(long, value_name = "PART", default_value_t = 0.8, value_parser = parse_positive)]
    reach: f64,
    /// Joints that stand still.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    still: Vec<String>,
    /// Leave out rotor inertia and friction of the file.
    #[arg(long, conflicts_with_all = ["friction", "rotor_inertia"])]
    no_drives: bool,
    /// Friction of a joint instead of the file's, as in joint1=0.5,2 (viscous, Coulomb; a third number is a
    /// constant force), or all=0.5,2. May be repeated.
    #[arg(long, value_name = "JOINT=VISCOUS,COULOMB", value_parser = parse_friction)]
    friction: Vec<(String, Friction)>,
    /// Rotor inertia of a joint at its own side instead of the file's, kg·m² or
    /// kg, as in joint1=0.3 or all=0.3.
    #[arg(long, value_name = "JOINT=INERTIA,…", value_delimiter = ',', value_parser = parse_known)]
    rotor_inertia: Vec<(String, f64)>,
    /// Dry friction as tanh(q̇/speed) instead of sign(q̇); rad/s or m/s.
    #[arg(long, value_name = "SPEED", value_parser = parse_positive)]
    tanh: Option<f64>,
    /// White noise of forces and wrenches, relative to the root mean square of each: 0.02 or 2% (in N·m or N:
    /// --force-noise, or a number with its unit, as in 0.5Nm).
    #[arg(long, value_name = "PART", value_parser = parse_noise)]
    noise: Option<ForceNoise>,
    /// White noise of forces and wrenches, N·m or N, as in 0.5 (`excite` and `check` call this --noise).
    #[arg(long, value_name = "SIGMA", value_parser = parse_force_noise)]
    force_noise: Option<f64>,
    /// White noise of positions, rad or m.
    #[arg(long, value_name = "SIGMA", default_value_t = 0.0, value_parser = parse_not_negative)]
    position_noise: f64,
    /// White noise of velocities, rad/s or m/s.
    #[arg(long, value_name = "SIGMA", default_value_t = 0.0, value_parser = parse_not_negative)]
    velocity_noise: f64,
    /// White noise of accelerations, rad/s² or m/s².
    #[arg(long, value_name = "SIGMA", default_value_t = 0.0, value_parser = parse_not_negative)]
    acceleration_noise: f64,
    /// Resolution of positions, rad or m.
    #[arg(long, value_name = "STEP", default_value_t = 0.0, value_parser = parse_not_negative)]
    position_step: f64,
    /// Resolution of forces, N·m or N.
    #[arg(long, value_name = "STEP", default_value_t = 0.0, value_parser = parse_not_negative)]
    force_step: f64,
    /// A contact: a smooth random wrench on a link, as in hand=50,5 (greatest force in N and
    /// torque in N·m; 50,5 if not given).
    #[arg(long = "contact", value_name = "LINK[=N,N·m]", value_parser = parse_contact)]
    contacts: Vec<SimulatedContact>,
    /// The link that carries a floating robot: the contact wrench there is what the motion needs.
    #[arg(long, value_name = "LINK")]
    carried_by: Option<String>,
    /// Measure the wrench from the ground too.
    #[arg(long)]
    base_wrench: bool,
    /// Joints with a force–torque sensor inside.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    wrench: Vec<String>,
    /// Write currents (A) instead of the forces of a joint, as in joint1=12.5 (N·m
    /// or N per A); noise comes before.
    #[arg(long, value_name = "JOINT=GAIN,…", value_delimiter = ',', value_parser = parse_known)]
    gain: Vec<(String, f64)>,
    /// Leave velocities and accelerations out of the log, as most controllers do.
    #[arg(long)]
    positions_only: bool,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .reads_logs(arguments.trajectory.as_slice())
        .reads("the mapping", &arguments.mapping)
        .writes("-o", Some(&arguments.output))
        .check()?;
    let mut robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?.into_parts();
    set_drives(&mut robot, arguments)?;
    let mechanism = Mechanism::new(Robot::from_parts(robot)?)?;
    let simulation = simulation(arguments)?;
    let mut data = match &arguments.trajectory {
        None => simulate(&mechanism, &simulation)?,
        Some(path) => {
            let mapping = arguments.mapping.as_deref().map(Mapping::read).transpose()?;
            let options = LogOptions { mapping, ..LogOptions::default() };
            let processing =
                Processing { differences: Processing::default().differences, ..Processing::as_recorded() };
            let recording = Recording::read(&channels(&mechanism), path, &options, &processing)?;
            simulate_along(&mechanism, recording, &simulation)?
        }
    };
    if let Some(place) = data
        .contacts
        .iter()
        .map(|signal| &signal.place)
        .find(|place| data.joint_wrenches.iter().any(|signal| signal.place == **place))
    {
        return Err(Failure::Message(format!(
            "--contact {place} and --wrench {place} would both write wrench_{place}_…, for joint and link have one name; measure one of them"
        )));
    }
    let has_base = channels(&mechanism).links.iter().any(|link| link == "base");
    if has_base && data.base_wrench.is_some() && !data.contacts.is_empty() {
        return Err(Failure::Message(format!(
            "--base-wrench with contacts: {} has a link `base`, so that wrench_base_… would be one more contact; \
             leave --base-wrench out, the contacts have all of it",
            mechanism.robot().name
        )));
    }
    as_currents(&mechanism, &mut data, &arguments.gain)?;
    data.write(&channels(&mechanism), &arguments.output, !arguments.positions_only)?;
    let period = data.period().unwrap_or_default();
    let seconds = period * data.count as f64;
    if arguments.json {
        return print_json(&json!({
            "robot": mechanism.robot().name, "file": arguments.output, "samples": data.count,
            "seconds": seconds, "seed": arguments.seed,
        }));
    }
    print(&format!(
        "{}: {} over {} s{}, written to {}\n",
        mechanism.robot().name,
        count(data.count, "sample"),
        number(seconds),
        noise_words(&simulation.faults),
        arguments.output.display()
    ))
}

/// Parts of each force, and N·m or N.
fn force_noise(arguments: &SimulateArguments) -> Result<(f64, f64), Failure> {
    match (arguments.noise, arguments.force_noise) {
        (Some(ForceNoise::Absolute(_)), Some(_)) => Err(Failure::Message(
            "--noise with a unit and --force-noise are both the noise in N·m or N; give one of them"
                .to_owned(),
        )),
        (Some(ForceNoise::Absolute(sigma)), None) => Ok((0.0, sigma)),
        (Some(ForceNoise::Relative(part)), sigma) => Ok((part, sigma.unwrap_or_default())),
        (None, sigma) => Ok((0.0, sigma.unwrap_or_default())),
    }
}

/// What was done to forces, for whoever thought of another unit.
fn noise_words(faults: &SensorFaults) -> String {
    let mut out = String::new();
    if faults.relative_force > 0.0 {
        out += &format!(", force noise {} (of the RMS of each)", percent(faults.relative_force));
    }
    if faults.force > 0.0 {
        out += &format!(", force noise {} N·m or N", number(faults.force));
    }
    out
}

fn simulation(arguments: &SimulateArguments) -> Result<Simulation, Failure> {
    let (relative_force, force) = force_noise(arguments)?;
    let mut contacts = arguments.contacts.clone();
    contacts.extend(
        arguments
            .carried_by
            .iter()
            .map(|link| SimulatedContact { link: link.clone(), wrench: ContactWrench::Carries }),
    );
    Ok(Simulation {
        seed: arguments.seed,
        duration: arguments.duration,
        rate: arguments.rate,
        motion: arguments.motion,
        harmonics: arguments.harmonics,
        period: arguments.period,
        reach: arguments.reach,
        still: arguments.still.clone(),
        drives: !arguments.no_drives,
        dry_friction: arguments.tanh.map_or(DryFriction::Sign, |speed| DryFriction::Smoothed { speed }),
        contacts,
        base_wrench: arguments.base_wrench,
        joint_wrenches: arguments.wrench.clone(),
        faults: SensorFaults {
            relative_force,
            force,
            position: arguments.position_noise,
            velocity: arguments.velocity_noise,
            acceleration: arguments.acceleration_noise,
            position_step: arguments.position_step,
            force_step: arguments.force_step,
        },
        ..Simulation::default()
    })
}

/// Friction and rotor inertias that were given.
fn set_drives(robot: &mut RobotParts, arguments: &SimulateArguments) -> Result<(), Failure> {
    let names: Vec<String> = robot.bodies.iter().map(|body| body.joint.name.clone()).collect();
    let mut each = |asked: &str, flag: &str, set: &dyn Fn(&mut Joint)| -> Result<(), Failure> {
        if asked != "all" && !names.iter().any(|name| name == asked) {
            let hint = did_you_mean(asked, names.iter().map(String::as_str));
            return Err(Failure::Message(format!(
                "{flag} {asked}: {} has no joint `{asked}`{hint}; its joints are {}",
                robot.name,
                names.join(", ")
            )));
        }
        let joints = robot.bodies.iter_mut().map(|body| &mut body.joint);
        joints.filter(|joint| joint.kind.dof() == 1 && (asked == "all" || joint.name == asked)).for_each(set);
        Ok(())
    };
    for (joint, friction) in &arguments.friction {
        each(joint, "--friction", &|joint| joint.friction = *friction)?;
    }
    for (joint, inertia) in &arguments.rotor_inertia {
        each(joint, "--rotor-inertia", &|joint| joint.rotor_inertia = *inertia)?;
    }
    Ok(())
}

/// Divides forces by the gains of their motors.
fn as_currents(mechanism: &Mechanism, data: &mut Recording, gains: &[(String, f64)]) -> Result<(), Failure> {
    let names = mechanism.independent_names();
    for (joint, gain) in gains {
        let at = names.iter().position(|name| name == joint);
        let (Some(at), true) = (at, *gain != 0.0) else {
            let hint = did_you_mean(joint, names.iter().map(String::as_str));
            return Err(Failure::Message(format!(
                "--gain {joint}={gain}: give a gain other than 0 to an independent joint{hint}; they are {}",
                names.join(", ")
            )));
        };
        data.tau.iter_mut().skip(at).step_by(names.len()).for_each(|force| *force /= gain);
    }
    Ok(())
}

fn parse_friction(text: &str) -> Result<(String, Friction), String> {
    let remedy = "write a joint with its viscous and Coulomb friction, not negative, as in joint1=0.5,2";
    let (joint, values) = text.split_once('=').ok_or(remedy)?;
    let (viscous, coulomb, offset) = match numbers(values).as_deref() {
        Some([viscous, coulomb]) => (*viscous, *coulomb, 0.0),
        Some([viscous, coulomb, offset]) => (*viscous, *coulomb, *offset),
        _ => return Err(remedy.to_owned()),
    };
    match viscous >= 0.0 && coulomb >= 0.0 {
        true => Ok((joint.trim().to_owned(), Friction::simple(viscous, coulomb, offset))),
        false => Err(remedy.to_owned()),
    }
}

fn parse_contact(text: &str) -> Result<SimulatedContact, String> {
    let remedy = "write LINK, or LINK=FORCE,TORQUE as in hand=50,5";
    let (link, sizes) = text.split_once('=').unwrap_or((text, "50,5"));
    let (force, torque) = sizes.split_once(',').ok_or(remedy)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
    match (number(force), number(torque)) {
        (Some(force), Some(torque)) => {
            Ok(SimulatedContact { link: link.to_owned(), wrench: ContactWrench::Random { force, torque } })
        }
        _ => Err(remedy.to_owned()),
    }
}
