//! The search: from random small motions that keep all limits, by barrier methods on finer and finer grids.
//!
//! Every motion on the way keeps the limits on its grid, so the best so far can be had at any time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use steiner_linalg::Stream;

use crate::design::Design;
use crate::error::ExcitationError;
use crate::minimise::{Barrier, Curvature, descend};
use crate::objective::Objective;
use crate::task::Task;

/// Weights of the barriers, with samples of the grid and the most steps of each.
const STAGES: [(f64, usize, usize); 4] = [(1.0, 48, 30), (0.1, 48, 60), (0.01, 64, 100), (0.001, 128, 120)];
/// A stage ends when the next step is expected to gain less than this part of its barrier's weight.
const LEAST_GAIN: f64 = 0.05;
/// Random motions that are looked at for each start.
const CANDIDATES: usize = 12;
/// Poses that are tried before limits count as leaving no room.
const POSES: usize = 2000;
/// Part of the limits that a first motion uses.
const FIRST_REACH: f64 = 0.6;

/// What is told while the search runs.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Starts that are finished, and how many there will be at most.
    pub finished: (usize, usize),
    /// The criterion of the best motion so far.
    pub criterion: f64,
    /// Seconds since the beginning.
    pub seconds: f64,
}

/// The outcome of the search.
pub(crate) struct Found {
    pub(crate) x: Vec<f64>,
    pub(crate) starts: usize,
    /// Whether the time or the user ended it.
    pub(crate) stopped: bool,
}

/// Searches for the best motion of a task.
pub(crate) fn search(
    task: &Task<'_>,
    design: &Design,
    watch: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Found, ExcitationError> {
    let begun = Instant::now();
    let best: Mutex<Option<(f64, Vec<f64>)>> = Mutex::new(None);
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let stop = AtomicBool::new(false);
    let failure: Mutex<Option<ExcitationError>> = Mutex::new(None);
    let out_of_time = || design.time.is_some_and(|time| begun.elapsed() >= time);
    let keep = |criterion: f64, x: &[f64]| {
        let mut best = best.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if best.as_ref().is_none_or(|(value, _)| criterion < *value) {
            *best = Some((criterion, x.to_vec()));
        }
        best.as_ref().map_or(criterion, |(value, _)| *value)
    };
    let work = |_: usize| {
        loop {
            let start = next.fetch_add(1, Ordering::Relaxed);
            let over = start > 0 && (stop.load(Ordering::Relaxed) || out_of_time());
            if start >= design.starts || over {
                break;
            }
            let mut random = Stream::new(design.seed.wrapping_mul(1000).wrapping_add(start as u64));
            let mut said = |_: &[f64], value: f64| {
                let seconds = begun.elapsed().as_secs_f64();
                let finished = (finished.load(Ordering::Relaxed), design.starts);
                let criterion = best
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .as_ref()
                    .map_or(value, |(value, _)| *value);
                if watch(Progress { finished, criterion, seconds }) {
                    stop.store(true, Ordering::Relaxed);
                }
                stop.load(Ordering::Relaxed) || out_of_time()
            };
            match one_start(task, &mut random, &mut said, &keep) {
                Ok(()) => {}
                Err(error) => {
                    failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
                    if start == 0 {
                        break;
                    }
                }
            }
            finished.fetch_add(1, Ordering::Relaxed);
        }
    };
    steiner_linalg::in_parallel(design.threads.get().min(design.starts), design.threads, work);
    let best = best.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let failure = failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    match (best, failure) {
        (Some((_, x)), _) => Ok(Found {
            x,
            starts: finished.into_inner(),
            stopped: stop.into_inner() || out_of_time(),
        }),
        (None, Some(error)) => Err(error),
        (None, None) => Err(ExcitationError::NoRoom {
            why: "the search was ended before the first motion was found".to_owned(),
            remedy: "give it more time".to_owned(),
        }),
    }
}

/// One descent from a random motion.
fn one_start(
    task: &Task<'_>,
    random: &mut Stream,
    said: &mut dyn FnMut(&[f64], f64) -> bool,
    keep: &dyn Fn(f64, &[f64]) -> f64,
) -> Result<(), ExcitationError> {
    let mut x = first_motion(task, random)?;
    let mut curvature = Curvature::new(x.len());
    let mut stopped = false;
    for (barrier, samples, steps) in STAGES {
        let mut watch = |x: &[f64], value: f64| {
            stopped |= said(x, value);
            stopped
        };
        let mut objective = Objective::new(task, samples, &mut watch);
        objective.barrier = barrier;
        // A finer grid may see more.
        for _ in 0..60 {
            if objective.value(&x).is_some() {
                break;
            }
            shrink(task, &mut x, 0.99);
        }
        let gain = LEAST_GAIN * barrier;
        if descend(&mut objective, &mut x, &mut curvature, gain, steps).is_none() {
            break;
        }
        objective.barrier = 0.0;
        if let Some(value) = objective.value(&x) {
            keep(value, &x);
        }
        drop(objective);
        if stopped {
            break;
        }
    }
    Ok(())
}

/// Makes a motion smaller about the pose it begins in.
pub(crate) fn shrink(task: &Task<'_>, x: &mut [f64], factor: f64) {
    let functions = task.basis.len();
    if task.basis.is_static() {
        // Poses come nearer to the first.
        for own in x.chunks_exact_mut(functions) {
            let first = own[0];
            own.iter_mut().for_each(|q| *q = first + factor * (*q - first));
        }
        return;
    }
    x.chunks_exact_mut(functions).flat_map(|own| &mut own[1..]).for_each(|c| *c *= factor);
}

/// The best of a few random motions that keep all limits.
fn first_motion(task: &Task<'_>, random: &mut Stream) -> Result<Vec<f64>, ExcitationError> {
    let mut watch = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, STAGES[0].1, &mut watch);
    objective.barrier = STAGES[0].0;
    let mut best: Option<(f64, Vec<f64>)> = None;
    let mut found = 0;
    let mut why = String::new();
    for _ in 0..POSES {
        let mut x = random_motion(task, &objective, random);
        for _ in 0..12 {
            match objective.value(&x) {
                Some(value) => {
                    found += 1;
                    if best.as_ref().is_none_or(|(least, _)| value < *least) {
                        best = Some((value, x));
                    }
                    break;
                }
                None => shrink(task, &mut x, 0.7),
            }
        }
        if found >= CANDIDATES {
            break;
        }
        if found == 0 && why.is_empty() {
            why = objective.trouble(&random_motion(task, &objective, random));
        }
    }
    best.map(|(_, x)| x).ok_or_else(|| ExcitationError::NoRoom {
        why,
        remedy: "widen the limits, or give a pose to start from".to_owned(),
    })
}

/// A motion about a random pose that keeps the limits of every joint by itself.
fn random_motion(task: &Task<'_>, objective: &Objective<'_>, random: &mut Stream) -> Vec<f64> {
    let functions = task.basis.len();
    let loops = !task.quantities.is_empty();
    let reference = task.mechanism.reference();
    let mut out = Vec::with_capacity(task.movable.len() * functions);
    for (k, limits) in task.limits.iter().enumerate() {
        let (middle, half) = (0.5 * (limits.lower + limits.upper), 0.5 * (limits.upper - limits.lower));
        // Loops are known to be assembled at the reference alone.
        let about = if loops { reference[task.movable[k].0] } else { middle };
        let room = (limits.upper - about).min(about - limits.lower).max(0.0);
        let spread = if loops { 0.1 * room } else { 0.6 * half };
        let pose = task.start[k].unwrap_or(about + spread * random.uniform());
        if task.basis.is_static() {
            out.extend((0..functions).map(|_| {
                if loops { about + 0.3 * room * random.uniform() } else { middle + 0.9 * half * random.uniform() }
            }));
            continue;
        }
        let mut x = vec![0.0; functions];
        x[1..].iter_mut().for_each(|c| *c = random.normal());
        let most = objective.largest_part(k, pose, &x);
        let reach = if loops { 0.3 * FIRST_REACH } else { FIRST_REACH };
        let scale = if most > 0.0 { reach / most } else { 0.0 };
        x[1..].iter_mut().for_each(|c| *c *= scale);
        x[0] = pose;
        out.extend(x);
    }
    out
}
