//! The search: from random small motions that keep all limits, by barrier methods on finer and finer grids.
//!
//! Every motion on the way keeps the limits on its grid, so the best so far can be had at any time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use steiner_linalg::{Stream, in_parallel};

use crate::design::Design;
use crate::error::ExcitationError;
use crate::minimise::{Barrier, Curvature, descend};
use crate::nearest::{Lookout, Nearest};
use crate::objective::Objective;
use crate::task::Task;

/// Weights of the barriers, with samples of the grid and the most steps of each: of starts at random, of the best
/// quarter of these and all that begin near a good motion, and of the best of a round.
const HEAVY: [(f64, usize, usize); 2] = [(1.0, 48, 30), (0.1, 48, 60)];
const LIGHT: [(f64, usize, usize); 1] = [(0.01, 64, 100)];
const FINE: [(f64, usize, usize); 1] = [(1e-3, 128, 150)];
/// Starts at random of the first round, and one of how many goes on.
const FIRST: usize = 24;
const ONE_OF: usize = 4;
/// Starts of the other rounds, all but one near a good motion; and how many of them are made fine.
const ROUND: usize = 6;
const BEST: usize = 2;
/// Motions of earlier rounds that are kept to begin others from.
const KEPT: usize = 6;
/// Motions whose criteria differ by less count as the same.
const SAME: f64 = 3e-3;
/// What had to become smaller by more than this part grows again under barriers of these weights.
pub(crate) const MUCH_SMALLER: f64 = 0.05;
const REGROW: [f64; 3] = [1.0, 0.1, 0.01];
/// Part by which a motion becomes smaller, from which on it is where it came from instead.
pub(crate) const TO_INNER: f64 = 0.25;
/// By which part a motion is made smaller at first.
const FIRST_PART: f64 = 2e-4;
/// A motion is pushed away from another by this part of its size.
const PUSH: f64 = 0.3;
/// A stage ends when the next step is expected to gain less than this part of its barrier's weight.
const LEAST_GAIN: f64 = 0.05;
/// Information that is added while barriers weigh 1, relative to that of a typical motion: what a small motion
/// hardly shows does not rule the first steps.
const RIDGE: f64 = 1e-5;
/// Random motions that are looked at for each start.
const CANDIDATES: usize = 12;
/// Poses that are tried before limits count as leaving no room.
const POSES: usize = 2000;
/// Part of the limits that a first motion uses.
const FIRST_REACH: f64 = 0.6;

/// What is told while the search runs.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Starts that are finished, and how many there will be at most.
    pub finished: (usize, usize),
    /// The criterion of the best motion so far.
    pub criterion: f64,
    /// The limit of a joint that the motion at hand comes nearest to.
    pub nearest: Option<Nearest<'a>>,
    /// Seconds since the beginning.
    pub seconds: f64,
}

/// The outcome of the search.
pub(crate) struct Found {
    pub(crate) x: Vec<f64>,
    /// A motion near it, farther from all limits.
    pub(crate) inner: Vec<f64>,
    /// What was learned of the curvature on the way.
    pub(crate) curvature: Curvature,
    pub(crate) starts: usize,
    /// Whether the time or the user ended it.
    pub(crate) stopped: bool,
    /// Whether the user ended it, who wants the motion now.
    pub(crate) interrupted: bool,
}

/// The best motion so far.
struct Best {
    /// The finest grid it was looked at on.
    grid: usize,
    criterion: f64,
    x: Vec<f64>,
    /// Where it came from: a motion farther from all limits.
    inner: Vec<f64>,
    curvature: Curvature,
}

/// A motion on its way.
#[derive(Clone)]
struct Candidate {
    /// Its criterion; infinite where it is not known.
    value: f64,
    x: Vec<f64>,
    /// Where it came from: a motion farther from all limits.
    inner: Vec<f64>,
    curvature: Curvature,
}

/// What the threads of a search share.
struct Shared<'a> {
    task: &'a Task<'a>,
    design: &'a Design,
    watch: &'a (dyn Fn(Progress<'_>) -> bool + Sync),
    lookout: Lookout,
    /// Starts at most.
    starts: usize,
    begun: Instant,
    best: Mutex<Option<Best>>,
    finished: AtomicUsize,
    stop: AtomicBool,
}

impl Shared<'_> {
    fn best(&self) -> MutexGuard<'_, Option<Best>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.design.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// A coarse grid lets more through: its motions count only where there are no finer ones.
    fn keep(&self, grid: usize, criterion: f64, x: &[f64], inner: Vec<f64>, curvature: &Curvature) {
        let mut best = self.best();
        let better = |other: &Best| grid > other.grid || grid == other.grid && criterion < other.criterion;
        if best.as_ref().is_none_or(better) {
            *best = Some(Best { grid, criterion, x: x.to_vec(), inner, curvature: curvature.clone() });
        }
    }

    /// Tells how far it is; answers whether to stop.
    fn say(&self, x: &[f64], value: f64) -> bool {
        let criterion = self.best().as_ref().map_or(value, |best| best.criterion);
        let finished = (self.finished.load(Ordering::Relaxed), self.starts);
        let nearest = self.lookout.nearest(self.task, x);
        let seconds = self.begun.elapsed().as_secs_f64();
        if (self.watch)(Progress { finished, criterion, nearest, seconds }) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.is_over()
    }

    /// Takes a motion through stages; answers its criterion. Where a finer grid leaves little of it, it grows again, or
    /// the search for it ends.
    fn descend(
        &self,
        candidate: &mut Candidate,
        stages: &[(f64, usize, usize)],
        heavier: f64,
        regrow: bool,
    ) -> f64 {
        let Candidate { x, inner, curvature, .. } = candidate;
        let mut criterion = f64::INFINITY;
        let mut before = heavier;
        for &(barrier, samples, steps) in stages {
            let mut watch = |x: &[f64], value: f64| self.say(x, value);
            let mut objective = Objective::new(self.task, samples, &mut watch);
            objective.barrier = barrier;
            objective.ridge = RIDGE * barrier * barrier;
            // A finer grid may see more. A motion that had to become much smaller grows again under heavier barriers.
            let less = put_inside(&mut objective, x, inner).unwrap_or(1.0);
            if less > TO_INNER && !regrow {
                break;
            }
            if less > MUCH_SMALLER {
                *curvature = Curvature::new(x.len());
                let from = if less > TO_INNER { REGROW[0] } else { before };
                for heavy in REGROW.into_iter().filter(|heavy| *heavy > barrier && *heavy <= from) {
                    objective.barrier = heavy;
                    descend(&mut objective, x, curvature, LEAST_GAIN * heavy, steps);
                    objective.forget_forces();
                }
                objective.barrier = barrier;
            }
            objective.heavier = before / barrier;
            before = barrier;
            inner.clone_from(x);
            if descend(&mut objective, x, curvature, LEAST_GAIN * barrier, steps).is_none() {
                break;
            }
            (objective.barrier, objective.ridge) = (0.0, 0.0);
            if let Some(value) = objective.value(x) {
                criterion = value;
                self.keep(samples, value, x, inner.clone(), curvature);
            }
            if self.is_over() {
                break;
            }
        }
        criterion
    }

    /// Takes motions through stages.
    fn improved(
        &self,
        found: Vec<Candidate>,
        stages: &[(f64, usize, usize)],
        heavier: f64,
        regrow: bool,
    ) -> Vec<Candidate> {
        in_parallel(found.len(), self.design.threads, |k| {
            let mut candidate = found[k].clone();
            candidate.value = match self.is_over() {
                true => f64::INFINITY,
                false => self.descend(&mut candidate, stages, heavier, regrow),
            };
            candidate
        })
    }
}

/// Searches for the best motion of a task.
pub(crate) fn search(
    task: &Task<'_>,
    design: &Design,
    watch: &(dyn Fn(Progress<'_>) -> bool + Sync),
) -> Result<Found, ExcitationError> {
    let shared = Shared {
        task,
        design,
        watch,
        lookout: Lookout::new(task),
        starts: design.starts.unwrap_or_else(|| task.usual_starts()),
        begun: Instant::now(),
        best: Mutex::new(None),
        finished: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    // The best motions so far, the best first.
    let mut kept: Vec<(f64, Vec<f64>)> = Vec::new();
    // Criteria of motions that were made fine, before that.
    let mut seen: Vec<f64> = Vec::new();
    let same = |a: f64, b: f64| (a - b).abs() < SAME;
    let mut first = 0;
    while first < shared.starts && (first == 0 || !shared.is_over()) {
        let count = if kept.is_empty() { FIRST } else { ROUND }.min(shared.starts - first);
        let begun = in_parallel(count, design.threads, |k| {
            if k > 0 && shared.is_over() {
                return Ok(None);
            }
            let mut random =
                Stream::new(design.seed.wrapping_mul(1_000_003).wrapping_add((first + k) as u64));
            let near = !kept.is_empty() && k + 1 < ROUND;
            let x =
                if near { near_motion(task, &kept, &mut random)? } else { first_motion(task, &mut random)? };
            let curvature = Curvature::new(x.len());
            let mut candidate = Candidate { value: f64::INFINITY, inner: x.clone(), x, curvature };
            // Heavy barriers would lead a motion near a good one to where that came from.
            if !near {
                candidate.value = shared.descend(&mut candidate, &HEAVY, HEAVY[0].0, true);
            }
            shared.finished.fetch_add(1, Ordering::Relaxed);
            Ok(Some(candidate))
        });
        let begun = begun.into_iter().collect::<Result<Vec<_>, ExcitationError>>()?;
        let mut begun: Vec<Candidate> = begun.into_iter().flatten().collect();
        if kept.is_empty() {
            begun = best_of(begun, count.div_ceil(ONE_OF).max(BEST));
        }
        let mut light = shared.improved(begun, &LIGHT, HEAVY[1].0, kept.is_empty());
        // What is as good as another is the same motion found again.
        light.retain(|found| !seen.iter().any(|other| same(found.value, *other)));
        let light = best_of(light, BEST);
        seen.extend(light.iter().map(|found| found.value));
        let mut fine = shared.improved(light.clone(), &FINE, LIGHT[0].0, false);
        if kept.is_empty() && !fine.iter().any(|found| found.value.is_finite()) {
            fine = shared.improved(best_of(light, 1), &FINE, LIGHT[0].0, true);
        }
        kept.extend(
            fine.into_iter().filter(|found| found.value.is_finite()).map(|found| (found.value, found.x)),
        );
        kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.dedup_by(|a, b| same(a.0, b.0));
        kept.truncate(KEPT);
        first += count;
    }
    let (stopped, interrupted) = (shared.is_over(), shared.stop.load(Ordering::Relaxed));
    let starts = shared.finished.load(Ordering::Relaxed);
    let best = shared.best().take();
    match best {
        Some(Best { x, inner, curvature, .. }) => {
            Ok(Found { x, inner, curvature, starts, stopped, interrupted })
        }
        None => Err(ExcitationError::NoRoom {
            why: "the search ended before a first motion was found".to_owned(),
            remedy: "give it more time".to_owned(),
        }),
    }
}

/// The best of some motions, the best first.
fn best_of(mut found: Vec<Candidate>, count: usize) -> Vec<Candidate> {
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    found.truncate(count);
    found
}

/// A motion near a good one: mostly with new signals of some joints, or all of it pushed away, or the signals of two
/// motions mixed.
fn near_motion(
    task: &Task<'_>,
    kept: &[(f64, Vec<f64>)],
    random: &mut Stream,
) -> Result<Vec<f64>, ExcitationError> {
    let mut watch = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, HEAVY[0].1, &mut watch);
    objective.barrier = HEAVY[0].0;
    objective.ridge = RIDGE;
    let any = |count: usize, random: &mut Stream| {
        (((random.uniform() * 0.5 + 0.5) * count as f64) as usize).min(count - 1)
    };
    let functions = task.basis.len();
    let joints = task.movable.len();
    let mut out = kept[any(kept.len(), random)].1.clone();
    let mut replace = |other: &[f64], joint: usize| {
        let own = joint * functions..(joint + 1) * functions;
        out[own.clone()].copy_from_slice(&other[own]);
    };
    match any(5, random) {
        0 if kept.len() > 1 => {
            let other = &kept[any(kept.len(), random)].1;
            for joint in 0..joints {
                if random.uniform() > 0.0 {
                    replace(other, joint);
                }
            }
        }
        2.. => {
            let other = random_motion(task, &objective, random);
            for _ in 0..=any(joints.div_ceil(3), random) + 1 {
                replace(&other, any(joints, random));
            }
        }
        _ => {
            let first = usize::from(!task.basis.is_static());
            for own in out.chunks_exact_mut(functions) {
                let size = (own[first..].iter().map(|c| c * c).sum::<f64>() / functions as f64).sqrt();
                own[first..].iter_mut().for_each(|c| *c += PUSH * size * random.normal());
            }
        }
    }
    for _ in 0..30 {
        if objective.value(&out).is_some() {
            return Ok(out);
        }
        calm(task, &mut out, 0.9);
    }
    drop(objective);
    first_motion(task, random)
}

/// Makes a motion smaller, or moves it towards one with more room, until it keeps the limits of a grid: the least change
/// of three kinds. Answers by which part it became smaller; `None` where that fails.
pub(crate) fn put_inside(objective: &mut Objective<'_>, x: &mut Vec<f64>, inner: &[f64]) -> Option<f64> {
    let task = objective.task();
    let mut part = 0.0f64;
    while part < 0.999 {
        let to = (part / TO_INNER).min(1.0);
        let between = x.iter().zip(inner).map(|(x, inner)| x + to * (inner - x)).collect();
        let (mut shrunk, mut calmer) = (x.clone(), x.clone());
        shrink(task, &mut shrunk, |_| 1.0 - part);
        calm(task, &mut calmer, 1.0 - part);
        for motion in [between, shrunk, calmer] {
            if objective.value(&motion).is_some() {
                *x = motion;
                return Some(part);
            }
        }
        part = match part {
            0.0 => FIRST_PART,
            part if part < 0.3 => 1.6 * part,
            part => 0.7 * part + 0.3,
        };
    }
    None
}

/// Makes a motion smaller by a factor for each coordinate, about the middle of its range; where the pose at
/// the beginning is given, about that.
pub(crate) fn shrink(task: &Task<'_>, x: &mut [f64], factor: impl Fn(usize) -> f64) {
    let functions = task.basis.len();
    for (joint, own) in x.chunks_exact_mut(functions).enumerate() {
        let factor = factor(joint);
        let (lower, upper) = task.room(joint);
        let middle = 0.5 * (lower + upper);
        if task.basis.is_static() {
            own.iter_mut().for_each(|q| *q = middle + factor * (*q - middle));
            continue;
        }
        if task.start[joint].is_none() {
            own[0] = middle + factor * (own[0] - middle);
        }
        own[1..].iter_mut().for_each(|c| *c *= factor);
    }
}

/// Makes a motion smaller about the pose in which it begins: a pose that keeps all limits always ends it.
pub(crate) fn calm(task: &Task<'_>, x: &mut [f64], factor: f64) {
    let functions = task.basis.len();
    for own in x.chunks_exact_mut(functions) {
        let first = if task.basis.is_static() { own[0] } else { 0.0 };
        own[1..].iter_mut().for_each(|c| *c = first + factor * (*c - first));
    }
}

/// The best of a few random motions that keep all limits.
pub(crate) fn first_motion(task: &Task<'_>, random: &mut Stream) -> Result<Vec<f64>, ExcitationError> {
    let mut watch = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, HEAVY[0].1, &mut watch);
    objective.barrier = HEAVY[0].0;
    objective.ridge = RIDGE;
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
                None => calm(task, &mut x, 0.7),
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
        remedy: match task.unmoved() {
            Some(joint) => format!("hold it on a stand (--lock {joint}=0), or widen the limits"),
            None => "widen the limits, or give a pose to start from".to_owned(),
        },
    })
}

/// A motion about a random pose that keeps the limits of every joint by itself.
fn random_motion(task: &Task<'_>, objective: &Objective<'_>, random: &mut Stream) -> Vec<f64> {
    let functions = task.basis.len();
    let loops = !task.mechanism.robot().loops.is_empty();
    let reference = task.mechanism.reference();
    let mut out = Vec::with_capacity(task.movable.len() * functions);
    for k in 0..task.limits.len() {
        let (lower, upper) = task.room(k);
        let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
        // Loops are known to be assembled at the reference alone.
        let about = if loops { reference[task.movable[k].0] } else { middle };
        let room = (upper - about).min(about - lower).max(0.0);
        let spread = if loops { 0.1 * room } else { 0.6 * half };
        let pose = task.start[k].unwrap_or(about + spread * random.uniform());
        if task.basis.is_static() {
            out.extend((0..functions).map(|_| {
                if loops {
                    about + 0.3 * room * random.uniform()
                } else {
                    middle + 0.9 * half * random.uniform()
                }
            }));
            continue;
        }
        let mut x = vec![0.0; functions];
        x[1..].iter_mut().for_each(|c| *c = random.normal());
        let most = objective.largest_part(k, pose, &x);
        let scale = if most > 0.0 { FIRST_REACH / most } else { 0.0 };
        x[1..].iter_mut().for_each(|c| *c *= scale);
        x[0] = pose;
        out.extend(x);
    }
    out
}
