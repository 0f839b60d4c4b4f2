//! `steiner.identify`.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::identification::{
    Estimator, FrictionTerm, FrictionWish, IdentificationNote, JointFriction, KnownLoad,
};
use steiner::logs::{CoupledDrive, DryFriction};
use steiner::{Identification, Logs, Settings, identify_logs};

use crate::arrays::{thread_count, value_error};
use crate::bounds::bounds;
use crate::failures::Interruption;
use crate::hints::KEYWORDS;
use crate::identification::{PyIdentification, Recipe};
use crate::keywords::Keywords;
use crate::logs::divided;
use crate::progress::Listener;
use crate::robot::PyRobot;

/// Inertias and friction from recorded motions and forces, as a physically consistent model.
///
/// log is a path (CSV, Parquet, NPZ, MAT v5, MCAP, rosbag2), a mapping from names to arrays, a pandas
/// DataFrame, or a list of these. Names are columns (t, q_<joint>, qd_<joint>, qdd_<joint>, tau_<joint>,
/// wrench_<link>_fx … tz) or arrays with one row per sample: t (S,), q (S, nq), qd, qdd, tau (S, dof),
/// wrench_<link> (S, 6). Velocities and accelerations that are not there are derived. SI units, radians.
/// Large files are read part by part.
///
/// Logs: validate (logs for validation only), hold_out (share of every log, at its end, held out for
/// validation; 0.25, or 0 with validate), validate_from, validate_to (s), mapping (path of a mapping
/// file), topics, accept_cut. Signals: cutoff ("auto", "off", Hz), filter_order, padding, filter_forces,
/// differences, derive, trim ("auto", s), thin ("auto", "off", factor), resample ("auto", "never", Hz),
/// start, end (s), skip_bad_rows. Model: measure (what the log has, or as in analyze), drives, tanh,
/// stribeck (speeds), friction ('auto', 'simple' or terms such as 'load,joint2:curve'),
/// coupled_drives ({name: {joint: factor}}), crosswise (names of coupled drives),
/// unknown_gain, fix ({parameter: value}), payload (link), payload_of ({log: kg or (kg, x, y, z)}:
/// a known load while that log, a path or its number, was recorded; None: unknown, see payloads),
/// payload_on (the link that carried it; the last body), keep, eliminate, least_speed ({joint: speed}),
/// free_flight (a floating robot flies in this log: nothing carries it), align (shift late forces onto their
/// motion).
/// Estimate: estimator ("weighted", "ordinary", "huber", "huber=1.345", "iv", "simulation",
/// "simulation=1", "ridge", "ridge=1"), consistent,
/// mass ({link: (least, most)}), total_mass, centre ({link: (lower corner, upper corner)}, {link: points
/// of a hull, (n, 3)} or {link: "mesh"}, the hull of its shape in the file), pull ("log-det",
/// "entropic", "quadratic"), essential, block, threads. on_progress is called with the part of each pass that is
/// done, from 0 to 1; True shows a bar.
#[pyfunction]
#[pyo3(
    signature = (robot, log, **settings),
    text_signature = "(robot, log, *, validate=None, hold_out=None, validate_from=None, validate_to=None, mapping=None, topics=None, \
        accept_cut=False, cutoff='auto', filter_order=4, padding=None, filter_forces=True, differences=8, derive=False, trim='auto', \
        thin='auto', resample='auto', start=None, end=None, skip_bad_rows=False, rest=0.02, measure=None, drives=True, tanh=None, stribeck=None, friction='auto', \
        coupled_drives=None, crosswise=None, unknown_gain=None, fix=None, payload=None, payload_of=None, payload_on=None, keep=None, eliminate=None, least_speed=None, free_flight=False, align=False, \
        estimator='weighted', consistent=True, mass=None, total_mass=None, centre=None, pull='log-det', essential=False, block=None, threads=None, on_progress=None)"
)]
pub(crate) fn identify(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    log: &Bound<'_, PyAny>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyIdentification> {
    let (answer, document, logs) = identified(py, robot, log, settings)?;
    let found = Py::new(py, robot.get().identified(answer.robot.clone())?)?;
    let recipe =
        Recipe::Logs { log: log.clone().unbind(), settings: settings.map(|given| given.clone().unbind()) };
    Ok(PyIdentification::new(robot.clone().unbind(), found, answer, document, logs, recipe))
}

/// Identifies from logs.
pub(crate) fn identified(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    log: &Bound<'_, PyAny>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Identification, Value, Logs)> {
    let (file, mechanism) = (robot.get(), robot.get().mechanism());
    let mut keywords = Keywords::new("identify", settings);
    let mut logs = divided(mechanism, log, &mut keywords)?;
    loads(&mut logs, &mut keywords)?;
    logs.align = keywords.flag("align", false)?;
    let listener = Listener::of(py, &mut keywords, "identifying")?;
    let settings = asked(file, &mut keywords)?;
    keywords.finish()?;
    let interruption = Interruption::default();
    let progress = listener.function(py);
    py.detach(|| -> PyResult<_> {
        let found = identify_logs(mechanism, &logs, &settings, interruption.watch_with(progress));
        let mut found = found.map_err(|error| interruption.exception(error))?;
        let told = |note| IdentificationNote::Setting { note, spelling: KEYWORDS };
        found.identification.notes.splice(0..0, logs.held_out_by_default().map(told));
        let (document, answer) = (found.document(), found.identification);
        Ok((answer, document, logs))
    })
}

/// What is asked of the identification; what is measured comes later.
pub(crate) fn asked(robot: &PyRobot, keywords: &mut Keywords<'_>) -> PyResult<Settings> {
    let usual = Settings::default();
    let known = "a dict from parameters to values, as in {\"link6.m\": 0.09}";
    let speeds = "a dict from joints to speeds, as in {\"joint1\": 0.05}";
    let speed = |keywords: &mut Keywords<'_>, name: &'static str| match keywords.number(name)? {
        Some(speed) if speed <= 0.0 => {
            Err(value_error(format!("{name} is {speed}; give a speed above 0, rad/s or m/s")))
        }
        speed => Ok(speed),
    };
    let stribeck = speed(keywords, "stribeck")?;
    let wish = keywords.worded::<FrictionWish>("friction", "a word such as \"auto\"")?;
    let mut friction_terms: Vec<JointFriction> =
        stribeck.iter().map(|&speed| JointFriction::of_all(FrictionTerm::Stribeck { speed })).collect();
    let drives = keywords.flag("drives", usual.drives)?;
    let payload: Option<String> = keywords.take("payload", "the name of a link")?;
    let friction_of_file = matches!(wish, None | Some(FrictionWish::Auto));
    let choose_friction = match wish {
        // Not where terms were asked for, drives are not in the model, or only a payload is unknown.
        None | Some(FrictionWish::Auto) => stribeck.is_none() && drives && payload.is_none(),
        Some(FrictionWish::Simple) => false,
        Some(FrictionWish::Terms(terms)) => {
            friction_terms.extend(terms);
            false
        }
    };
    Ok(Settings {
        measure: usual.measure,
        drives,
        dry_friction: speed(keywords, "tanh")?
            .map_or(usual.dry_friction, |speed| DryFriction::Smoothed { speed }),
        friction_terms,
        friction_of_file,
        choose_friction,
        coupled_drives: coupled_drives(keywords)?,
        unknown_gains: keywords.names("unknown_gain")?,
        known: keywords.numbers("fix", known)?,
        payload,
        keep: keywords.names("keep")?,
        eliminate: keywords.names("eliminate")?,
        least_speed: keywords.numbers("least_speed", speeds)?,
        free_flight: keywords.flag("free_flight", usual.free_flight)?,
        estimator: keywords
            .worded::<Estimator>("estimator", "a word such as \"weighted\"")?
            .unwrap_or(usual.estimator),
        consistent: bounds(robot, keywords)?,
        essential: keywords.flag("essential", usual.essential)?,
        block: keywords.count("block")?,
        threads: match keywords.take("threads", "a number of threads")? {
            None => None,
            threads => Some(thread_count(threads)?),
        },
    })
}

/// Loads that the robot carried while some logs were recorded.
fn loads(logs: &mut Logs, keywords: &mut Keywords<'_>) -> PyResult<()> {
    let wrong = || {
        PyTypeError::new_err(
            "payload_of: give a dict from logs (paths, or numbers from 0) to kg, (kg, x, y, z), or None if unknown, as in {\"loaded.csv\": 2.5}",
        )
    };
    let mut known: Vec<KnownLoad> = Vec::new();
    let mut unknown: Vec<usize> = Vec::new();
    if let Some(given) = keywords.any("payload_of")? {
        for (log, load) in given.cast::<PyDict>().map_err(|_| wrong())?.iter() {
            let log = match log.extract::<usize>() {
                Ok(log) => log,
                Err(_) => {
                    let path: PathBuf = log.extract().map_err(|_| wrong())?;
                    logs.log_named(&path.to_string_lossy()).map_err(value_error)?
                }
            };
            if load.is_none() {
                unknown.push(log);
            } else if let Ok(mass) = load.extract::<f64>() {
                known.push(KnownLoad { log, mass, com: [0.0; 3] });
            } else {
                let [mass, x, y, z] = load.extract().map_err(|_| wrong())?;
                known.push(KnownLoad { log, mass, com: [x, y, z] });
            }
        }
    }
    // From the last: those before it keep their numbers.
    unknown.sort_unstable();
    for log in unknown.into_iter().rev() {
        logs.weigh_log(log).map_err(value_error)?;
        known.iter_mut().filter(|load| load.log > log).for_each(|load| load.log -= 1);
    }
    logs.loads = known;
    logs.loads_on = keywords.take("payload_on", "the name of a link")?;
    Ok(())
}

/// Motors that turn with several joints.
fn coupled_drives(keywords: &mut Keywords<'_>) -> PyResult<Vec<CoupledDrive>> {
    let wanted = "a dict such as {\"wrist\": {\"joint5\": 1, \"joint6\": 1}}";
    let drives: Vec<(String, Bound<'_, PyDict>)> = keywords.pairs("coupled_drives", wanted)?;
    let crosswise = keywords.names("crosswise")?;
    if let Some(name) = crosswise.iter().find(|name| !drives.iter().any(|(drive, _)| drive == *name)) {
        return Err(value_error(format!("crosswise names `{name}`, which is not among coupled_drives")));
    }
    let drive = |(name, joints): (String, Bound<'_, PyDict>)| {
        let pair = |(joint, factor): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Some((joint.extract().ok()?, factor.extract().ok()?))
        };
        let joints: Option<Vec<(String, f64)>> = joints.iter().map(pair).collect();
        let joints = joints.ok_or_else(|| PyTypeError::new_err(format!("coupled_drives: give {wanted}")))?;
        Ok(CoupledDrive { crosswise: crosswise.contains(&name), name, joints })
    };
    drives.into_iter().map(drive).collect()
}
