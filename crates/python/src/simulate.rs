//! `steiner.simulate`.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::files::did_you_mean;
use steiner::identification::{
    ContactWrench, SensorFaults, SimulatedContact, Simulation, channels, simulate as simulated,
    simulate_along,
};
use steiner::logs::{DryFriction, FrictionModel};
use steiner::robot::{Friction, NewDrive, NewDynamics};
use steiner::{ForceNoise, Mechanism, parse_noise};

use crate::arrays::value_error;
use crate::failures::{Interruption, refused};
use crate::keywords::{Keywords, shown};
use crate::logs::trajectory as trajectory_of;
use crate::robot::PyRobot;

/// A synthetic log: a motion within the robot's limits, the forces along it, and sensors with their faults.
/// Answers a dict from column names to arrays (t, q_<joint>, qd_…, qdd_…, tau_…, wrench_<link>_fx …), which
/// identify takes; with a path (.csv or .npz) the log is written too.
///
/// Motion: trajectory (a log, in any form that identify takes; with mapping), or a random Fourier motion with
/// seed, duration (s), rate (Hz), harmonics, period (s), reach (part of the limits), still (joints). Forces:
/// drives (rotor inertia and friction of the file), friction ({joint: (viscous, Coulomb)} or with an offset, instead of
/// the file's; "all" is every joint), rotor_inertia ({joint: kg·m² or kg}), gain ({joint: N·m or N per ampere}: that
/// force is recorded as a current), tanh (speed), contacts ({link: (force, torque)}, greatest
/// random ones in N and N·m, or a list of links), carried_by (the link a floating robot hangs from or stands
/// on), base_wrench, wrench (joints with a sensor inside). Faults: noise (of forces, relative to the RMS of each: 0.02 or "2%"), force_noise
/// (of forces, N·m or N: what check and excite call noise), position_noise, velocity_noise, acceleration_noise (standard
/// deviations, SI), position_step, force_step (resolutions). rates=False leaves velocities and accelerations out.
#[pyfunction]
#[pyo3(
    signature = (robot, path=None, **settings),
    text_signature = "(robot, path=None, *, trajectory=None, mapping=None, seed=1, duration=20.0, rate=1000.0, harmonics=5, period=None, \
        reach=0.8, still=None, motion='fourier', drives=True, friction=None, rotor_inertia=None, gain=None, tanh=None, contacts=None, carried_by=None, base_wrench=False, wrench=None, noise=0.0, \
        force_noise=0.0, position_noise=0.0, velocity_noise=0.0, acceleration_noise=0.0, position_step=0.0, force_step=0.0, rates=True)"
)]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    robot: &Bound<'py, PyRobot>,
    path: Option<PathBuf>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut keywords = Keywords::new("simulate", settings);
    let driven = with_drives(robot.get().mechanism(), &mut keywords)?;
    let mechanism = driven.as_ref().unwrap_or(robot.get().mechanism());
    let gains = gains(mechanism, &mut keywords)?;
    let trajectory = match keywords.any("trajectory")? {
        None => None,
        Some(log) => Some(trajectory_of(mechanism, &log, &mut keywords)?),
    };
    if trajectory.is_none() && keywords.any("mapping")?.is_some() {
        return Err(value_error("mapping is for a trajectory; give one"));
    }
    let (duration, rate) = (keywords.number("duration")?, keywords.number("rate")?);
    if trajectory.is_some() && (duration.is_some() || rate.is_some()) {
        return Err(value_error("a trajectory has its own duration and rate; leave them out"));
    }
    let simulation = asked(&mut keywords, duration, rate)?;
    let rates = keywords.flag("rates", true)?;
    keywords.finish()?;
    let interruption = Interruption::default();
    let columns = py
        .detach(|| {
            let data = match &trajectory {
                None => simulated(mechanism, &simulation)?,
                Some(logs) => simulate_along(
                    mechanism,
                    logs.gathered(mechanism, FrictionModel::default(), interruption.watch())?,
                    &simulation,
                )?,
            };
            let mut data = data;
            for (at, gain) in &gains {
                data.tau.iter_mut().skip(*at).step_by(mechanism.dof()).for_each(|force| *force /= gain);
            }
            let channels = channels(mechanism);
            if let Some(path) = &path {
                data.write(&channels, path, rates)?;
            }
            Ok(data.columns(&channels, rates))
        })
        .map_err(|error| interruption.exception(error))?;
    let log = PyDict::new(py);
    for (name, values) in columns {
        log.set_item(name, PyArray1::from_vec(py, values))?;
    }
    Ok(log)
}

/// The robot with the friction and rotor inertias that were given; `None` where none were.
fn with_drives(mechanism: &Mechanism, keywords: &mut Keywords<'_>) -> PyResult<Option<Mechanism>> {
    let wanted =
        "a dict such as {\"joint1\": (0.5, 2)}: viscous and Coulomb friction, and an offset if you like";
    let frictions: Vec<(String, Vec<f64>)> = keywords.pairs("friction", wanted)?;
    let inertias = keywords.numbers("rotor_inertia", "a dict such as {\"joint1\": 0.3}")?;
    if frictions.is_empty() && inertias.is_empty() {
        return Ok(None);
    }
    let robot = mechanism.robot();
    let joints = robot.bodies.iter().map(|body| &body.joint).filter(|joint| joint.kind.dof() == 1);
    let mut drives: Vec<NewDrive> = joints
        .map(|joint| NewDrive {
            joint: joint.name.clone(),
            rotor_inertia: joint.rotor_inertia,
            friction: joint.friction,
        })
        .collect();
    let mut each = |what: &str, asked: &str, set: &dyn Fn(&mut NewDrive)| -> PyResult<()> {
        if asked != "all" && !drives.iter().any(|drive| drive.joint == asked) {
            let names: Vec<&str> = drives.iter().map(|drive| drive.joint.as_str()).collect();
            let hint = did_you_mean(asked, names.iter().copied());
            return Err(value_error(format!(
                "{what}: {} has no joint `{asked}` of one degree of freedom{hint}; there are {}",
                robot.name,
                names.join(", ")
            )));
        }
        drives.iter_mut().filter(|drive| asked == "all" || drive.joint == asked).for_each(set);
        Ok(())
    };
    for (joint, numbers) in frictions {
        let (viscous, coulomb, offset) = match numbers[..] {
            [viscous, coulomb] => (viscous, coulomb, 0.0),
            [viscous, coulomb, offset] => (viscous, coulomb, offset),
            _ => {
                return Err(value_error(format!(
                    "friction: {joint} has {} numbers; give {wanted}",
                    numbers.len()
                )));
            }
        };
        if !(viscous >= 0.0 && coulomb >= 0.0 && (viscous + coulomb + offset).is_finite()) {
            return Err(value_error(format!(
                "friction: {joint} has {numbers:?}; give finite numbers, not negative"
            )));
        }
        each("friction", &joint, &|drive| drive.friction = Friction::simple(viscous, coulomb, offset))?;
    }
    for (joint, inertia) in inertias {
        if inertia.is_nan() || inertia < 0.0 {
            return Err(value_error(format!("rotor_inertia: {joint} has {inertia}; give 0 or more")));
        }
        each("rotor_inertia", &joint, &|drive| drive.rotor_inertia = inertia)?;
    }
    let changed = robot.with_dynamics(&NewDynamics { inertias: Vec::new(), drives }).map_err(refused)?;
    Mechanism::new(changed).map(Some).map_err(refused)
}

/// Places of coordinates whose forces are recorded as currents, and the gains of their motors.
fn gains(mechanism: &Mechanism, keywords: &mut Keywords<'_>) -> PyResult<Vec<(usize, f64)>> {
    let names = mechanism.independent_names();
    let place = |(joint, gain): (String, f64)| match names.iter().position(|name| *name == joint) {
        Some(at) if gain != 0.0 => Ok((at, gain)),
        _ => {
            let hint = did_you_mean(&joint, names.iter().map(String::as_str));
            Err(value_error(format!(
                "gain: {joint} has {gain}; give a gain other than 0 to an independent joint{hint}; they are {}",
                names.join(", ")
            )))
        }
    };
    let given = keywords.numbers("gain", "a dict such as {\"joint1\": 12.5}")?;
    given.into_iter().map(place).collect()
}

fn asked(keywords: &mut Keywords<'_>, duration: Option<f64>, rate: Option<f64>) -> PyResult<Simulation> {
    let usual = Simulation::default();
    let words_for_noise = keywords.any("noise")?.and_then(|given| given.extract::<String>().ok());
    let mut fault = |name: &'static str| match keywords.number(name)? {
        Some(size) if size < 0.0 => Err(value_error(format!("{name} is {size}; give 0 or more"))),
        size => Ok(size.unwrap_or(0.0)),
    };
    let worded = match words_for_noise {
        Some(words) => {
            Some(parse_noise(&words).map_err(|why| value_error(format!("noise is '{words}'; {why}")))?)
        }
        None => None,
    };
    let force = fault("force_noise")?;
    let (relative_force, force) = match worded {
        Some(ForceNoise::Absolute(_)) if force > 0.0 => {
            return Err(value_error("noise with a unit and force_noise are both N·m or N; give one of them"));
        }
        Some(ForceNoise::Absolute(sigma)) => (0.0, sigma),
        Some(ForceNoise::Relative(part)) => (part, force),
        None => (fault("noise")?, force),
    };
    let faults = SensorFaults {
        relative_force,
        force,
        position: fault("position_noise")?,
        velocity: fault("velocity_noise")?,
        acceleration: fault("acceleration_noise")?,
        position_step: fault("position_step")?,
        force_step: fault("force_step")?,
    };
    Ok(Simulation {
        seed: keywords.take("seed", "a whole number from 0")?.unwrap_or(usual.seed),
        duration: duration.unwrap_or(usual.duration),
        rate: rate.unwrap_or(usual.rate),
        motion: keywords.worded("motion", "\"fourier\" or \"sinusoids\"")?.unwrap_or(usual.motion),
        harmonics: keywords.count("harmonics")?.unwrap_or(usual.harmonics),
        period: keywords.number("period")?,
        reach: keywords.number("reach")?.unwrap_or(usual.reach),
        still: keywords.names("still")?,
        drives: keywords.flag("drives", usual.drives)?,
        dry_friction: keywords
            .number("tanh")?
            .map_or(usual.dry_friction, |speed| DryFriction::Smoothed { speed }),
        contacts: contacts(keywords)?,
        base_wrench: keywords.flag("base_wrench", usual.base_wrench)?,
        joint_wrenches: keywords.names("wrench")?,
        faults,
        coupled_drives: usual.coupled_drives,
    })
}

/// Wrenches on links, and the link that carries the robot.
fn contacts(keywords: &mut Keywords<'_>) -> PyResult<Vec<SimulatedContact>> {
    /// Greatest force (N) and torque (N·m) where nobody says otherwise.
    const USUAL: (f64, f64) = (50.0, 5.0);
    let mut sizes: Vec<(String, (f64, f64))> = Vec::new();
    if let Some(given) = keywords.any("contacts")? {
        sizes = match given.cast::<PyDict>() {
            Ok(_) => keywords.pairs("contacts", "a dict such as {\"hand\": (50, 5)}")?,
            Err(_) if given.hasattr("keys")? => {
                return Err(PyTypeError::new_err(format!(
                    "contacts is {}; give a dict or a list",
                    shown(&given)
                )));
            }
            Err(_) => keywords.names("contacts")?.into_iter().map(|link| (link, USUAL)).collect(),
        };
    }
    if let Some((link, (force, torque))) = sizes
        .iter()
        .find(|(_, (force, torque))| !(*force >= 0.0 && *torque >= 0.0 && (force + torque).is_finite()))
    {
        return Err(value_error(format!(
            "contacts: {link} has ({force}, {torque}); give a force in N and a torque in N·m"
        )));
    }
    let random =
        |(link, (force, torque))| SimulatedContact { link, wrench: ContactWrench::Random { force, torque } };
    let carried: Option<String> = keywords.take("carried_by", "the name of a link")?;
    let carries = carried.map(|link| SimulatedContact { link, wrench: ContactWrench::Carries });
    Ok(sizes.into_iter().map(random).chain(carries).collect())
}
