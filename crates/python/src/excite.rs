//! `steiner.excite`.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::excitation::{Criterion, Foot, LimitChange, Obstacle, Purpose, Shape, TurnSum};
use steiner::{
    Design, Logs, Mechanism, Question, RobotShape, SensorSet, analyze, excite as designed,
    information_of_logs, limits_of_all, parse_limit, parse_obstacle, parse_purpose, parse_shape,
    parse_turn_sum, shape_of, validation_wish,
};

use crate::analysis::sensors;
use crate::arrays::{thread_count, value_error};
use crate::failures::{Interruption, read_error, refused};
use crate::keywords::{Keywords, shown};
use crate::logs::recorded_before;
use crate::motion::{PyMotion, Stance};
use crate::progress::Listener;
use crate::robot::PyRobot;

/// Starts, where the time ends the search.
const ENDLESS: usize = 1_000_000;

/// The motion to record: as informative about the base parameters as the robot's limits allow. Limits hold
/// between the samples, too (motion.margins says which are proven).
///
/// Motion: duration (s), rate (Hz, of the samples and of the forces to be recorded), shape ("fourier",
/// "spline", "spline=9", "poses", "poses=30"), harmonics, periods. What it shows: measure (as in analyze),
/// drives (inertia and friction of drives, too), criterion ("d", "a", "e", "condition"), purpose ("payload", a
/// link, "torque-prediction"), noise (standard deviation of measured forces in N·m or N, one for all or
/// {joint: sigma}; 1, or that of after), after (logs, as in identify: the motion shows what they leave unclear;
/// mapping, topics, accept_cut, cutoff and the other keywords for signals go with it). validate=True designs a second,
/// different motion to test the identified model with: motion.validation. Limits: limits ({joint: "-2.8:2.8,v=2,a=10,jerk=100,
/// effort=80,power=200"} or {joint: (lower, upper)}; "all" is every joint), speed (part of the greatest speeds),
/// torque_margin (part of the torques kept), start ({joint: value}), still (joints), sums (["joint5+joint6=-3:3"]).
/// Surroundings: obstacles (["plane:0,0,1,0", "box:x,y,z:x,y,z"], m, base frame), floor (m), clearance (m), radius
/// (m: capsules from joint to joint for links without a shape), self_collision. A floating robot stands on feet (links, as in
/// ["FL_foot", "FR_foot", "RL_foot"], or "FL_calf@0,0,-0.213" with a point in the link's frame, m) and moves its trunk;
/// ground_friction is the coefficient of friction, start the pose of the legs, and drives are left out. Search: starts, seconds, seed,
/// threads. on_progress is called with the part of the starts that are done, from 0 to 1; True shows a bar. Ctrl-C ends the search: the best motion so far is returned, and its `stopped` is True.
#[pyfunction]
#[pyo3(
    signature = (robot, **settings),
    text_signature = "(robot, *, duration=10.0, rate=1000.0, shape='fourier', harmonics=5, periods=1, measure='all', drives=True, \
        criterion='d', purpose=None, noise=None, after=None, limits=None, speed=1.0, torque_margin=0.0, start=None, still=None, \
        sums=None, obstacles=None, floor=None, clearance=0.01, radius=None, self_collision=True, feet=None, ground_friction=0.6, starts=None, seconds=None, seed=0, \
        threads=None, mapping=None, topics=None, accept_cut=False, cutoff='auto', filter_order=4, \
        padding=None, filter_forces=True, differences=8, derive=False, trim='auto', thin='auto', resample='auto', \
        skip_bad_rows=False, rest=0.02, validate=False, on_progress=None)"
)]
pub(crate) fn excite(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyMotion> {
    let mut keywords = Keywords::new("excite", settings);
    let feet = keywords.names("feet")?;
    let feet =
        feet.iter().map(|foot| foot.parse()).collect::<Result<Vec<Foot>, String>>().map_err(value_error)?;
    let friction = keywords.number("ground_friction")?;
    let mut design = asked(robot.get().mechanism(), &mut keywords)?;
    let stance = match feet.is_empty() {
        true => None,
        false => {
            // The start is the pose in which it stands.
            let pose = std::mem::take(&mut design.start);
            design.question.drives = false;
            design.friction = Some(friction.unwrap_or(0.6));
            Some(Stance::new(robot.get().mechanism(), feet, pose)?)
        }
    };
    let mechanism = stance.as_ref().map_or_else(|| robot.get().mechanism(), |stance| &stance.mechanism);
    let radius = keywords.number("radius")?;
    let logs = match keywords.any("after")? {
        None => None,
        Some(log) => Some(recorded_before(mechanism, &log, &mut keywords)?),
    };
    let wants_second = keywords.flag("validate", false)?;
    let listener = Listener::of(py, &mut keywords, "searching a motion")?;
    let progress = listener.function(py);
    keywords.finish()?;
    let shape = shape(robot.get(), mechanism, &mut design, radius)?;
    let interruption = Interruption::default();
    let (design, found, after, second) = py.detach(|| -> PyResult<_> {
        let analysis = analyze(mechanism, &design.question).map_err(refused)?;
        let after = logs
            .map(|logs: Logs| information_of_logs(mechanism, &analysis, &design, &logs, interruption.watch()))
            .transpose()
            .map_err(|error| interruption.exception(error))?;
        if let Some(after) = &after {
            after.continue_with(&analysis, &mut design);
        }
        design.analysis = Some(analysis);
        let searched = |design: &Design| {
            let found = designed(mechanism, design, &|now| {
                let (done, all) = now.finished;
                interruption.told(progress.as_ref(), done as f64 / all.max(1) as f64)
                    || interruption.pressed()
            });
            // Ctrl-C is only an exception where there is no motion yet.
            found.map_err(|error| interruption.raised().unwrap_or_else(|| refused(error)))
        };
        let found = searched(&design)?;
        let second = match wants_second {
            false => None,
            true => {
                let wish = validation_wish(&design);
                let found = searched(&wish)?;
                Some((wish, found))
            }
        };
        Ok((design, found, after.map(|after| after.found), second))
    })?;
    let own = |design, found, after| {
        PyMotion::new(robot.clone().unbind(), stance.clone(), design, found, after, shape.clone())
    };
    let second = second.map(|(wish, found)| Py::new(py, own(wish, found, None)?)).transpose()?;
    Ok(own(design, found, after)?.with_validation(second))
}

fn asked(mechanism: &Mechanism, keywords: &mut Keywords<'_>) -> PyResult<Design> {
    let usual = Design::default();
    let harmonics = keywords.count("harmonics")?.unwrap_or(5);
    let periods = keywords.count("periods")?.unwrap_or(1);
    let word: Option<String> = keywords.take("shape", "\"fourier\", \"spline\" or \"poses\"")?;
    let shape = parse_shape(word.as_deref().unwrap_or("fourier"), harmonics, periods).map_err(value_error)?;
    let measure: Option<String> = keywords.take("measure", "a string such as \"all\" or \"joints:a,b\"")?;
    let mut measure = measure.as_deref().map(sensors).transpose()?.unwrap_or_else(SensorSet::all);
    // Poses show what is seen at rest.
    if matches!(shape, None | Some(Shape::Poses { .. })) && measure == SensorSet::all() {
        measure = sensors("static")?;
    }
    let purpose: Option<String> = keywords.take("purpose", "\"payload\", a link or \"torque-prediction\"")?;
    let seconds = keywords.number("seconds")?;
    if let Some(seconds) = seconds.filter(|seconds| seconds.is_nan() || *seconds <= 0.0) {
        return Err(value_error(format!("seconds is {seconds}; give a positive time")));
    }
    let starts = keywords.count("starts")?;
    let floor = keywords.number("floor")?.map(|offset| Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset });
    let obstacles = keywords.names("obstacles")?;
    let obstacles = obstacles.iter().map(|text| parse_obstacle(text)).collect::<Result<Vec<_>, _>>();
    let sums = keywords.names("sums")?;
    let sums = sums.iter().map(|text| parse_turn_sum(text)).collect::<Result<Vec<TurnSum>, _>>();
    let changes = limits(keywords)?;
    Ok(Design {
        question: Question { measure, drives: keywords.flag("drives", true)?, ..Question::default() },
        shape: shape.unwrap_or(usual.shape),
        duration: keywords.number("duration")?.unwrap_or(usual.duration),
        rate: keywords.number("rate")?.unwrap_or(usual.rate),
        criterion: keywords
            .worded::<Criterion>("criterion", "\"d\", \"a\", \"e\" or \"condition\"")?
            .unwrap_or_default(),
        purpose: purpose.as_deref().map_or(Purpose::Everything, parse_purpose),
        noise: noise(keywords)?,
        limits: limits_of_all(mechanism, &changes),
        speed: keywords.number("speed")?.unwrap_or(usual.speed),
        torque_margin: keywords.number("torque_margin")?.unwrap_or(usual.torque_margin),
        turn_sums: sums.map_err(value_error)?,
        still: keywords.names("still")?,
        start: keywords.numbers("start", "a dict from joints to values, as in {\"joint1\": 0.3}")?,
        obstacles: obstacles.map_err(value_error)?.into_iter().chain(floor).collect(),
        self_collision: keywords.flag("self_collision", true)?,
        clearance: keywords.number("clearance")?.unwrap_or(usual.clearance),
        starts: starts.or(seconds.map(|_| ENDLESS)),
        time: seconds.map(Duration::from_secs_f64),
        seed: keywords.take("seed", "a whole number from 0")?.unwrap_or(usual.seed),
        threads: thread_count(keywords.take("threads", "a number of threads")?)?,
        ..usual
    })
}

/// One number for all sensors, or a dict.
fn noise(keywords: &mut Keywords<'_>) -> PyResult<Vec<(String, f64)>> {
    let Some(given) = keywords.any("noise")? else { return Ok(Vec::new()) };
    match given.extract::<f64>() {
        Ok(sigma) => Ok(vec![("*".to_owned(), sigma)]),
        Err(_) => keywords.numbers("noise", "a number, or a dict such as {\"joint1\": 0.5}"),
    }
}

/// Words as on the command line, or a pair that is a range.
fn limits(keywords: &mut Keywords<'_>) -> PyResult<Vec<LimitChange>> {
    let wanted = "a dict such as {\"joint1\": \"-2.8:2.8,v=2\"} or {\"joint1\": (-2.8, 2.8)}";
    let given: Vec<(String, Py<PyAny>)> = keywords.pairs("limits", wanted)?;
    Python::attach(|py| {
        let of = |(joint, value): (String, Py<PyAny>)| {
            let value = value.bind(py);
            if let Ok((lower, upper)) = value.extract::<(f64, f64)>() {
                return Ok(LimitChange { joint, range: Some((lower, upper)), ..LimitChange::default() });
            }
            match value.extract::<String>() {
                Ok(text) => parse_limit(&joint, &text).map_err(value_error),
                Err(_) => {
                    Err(PyTypeError::new_err(format!("limits: {joint} has {}; give {wanted}", shown(value))))
                }
            }
        };
        given.into_iter().map(of).collect()
    })
}

fn shape(
    robot: &PyRobot,
    mechanism: &Mechanism,
    design: &mut Design,
    radius: Option<f64>,
) -> PyResult<RobotShape> {
    if !design.self_collision && design.obstacles.is_empty() {
        return Ok(RobotShape::default());
    }
    let origin = robot.origin();
    let found = shape_of(mechanism, &origin.source, &origin.options, radius, design.clearance);
    let shape = found.map_err(read_error)?;
    if shape.capsules.is_empty() && !design.obstacles.is_empty() {
        return Err(value_error(format!(
            "{} has no shapes, so that nothing can be kept away from obstacles; give its links collision geometry or \
            capsules, or radius=0.06 for capsules from joint to joint",
            origin.source
        )));
    }
    design.capsules = shape.capsules.clone();
    design.ignored = shape.touching.clone();
    Ok(shape)
}
