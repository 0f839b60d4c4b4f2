//! Everything about a robot and a wish that does not change while a motion is sought.

use std::num::NonZeroUsize;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, MeasuredRow, Measurement, analyze};
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Motion, Robot};

use crate::basis::{Basis, Shape};
use crate::clearance::Clearance;
use crate::columns;
use crate::contacts::Contacts;
use crate::criterion::{Criterion, Interest};
use crate::design::{Design, Purpose};
use crate::error::ExcitationError;
use crate::followers;
use crate::limits::{JointLimits, positive};
use crate::loop_information::has_adjoint;
use crate::loop_quantity::LoopQuantity;
use crate::model::Model;
use crate::objective::Grids;
use crate::proof::Quantity;

/// How near a singularity loops may come, relative to the assembled configuration.
const REGULAR: f64 = 0.2;
/// A turn between two samples that hides nothing, rad.
const QUICK: f64 = 0.25;
/// Dry friction is taken as full above this part of the greatest speed.
const SLOW: f64 = 0.02;

/// A bound on a sum of turns, as a cable that winds around several joints asks, or a joint that follows others.
#[derive(Clone, Debug)]
pub(crate) struct SumLimit {
    pub(crate) name: String,
    pub(crate) quantity: Quantity,
    /// Which derivative of the coordinates is summed.
    pub(crate) order: usize,
    /// (movable coordinate, factor).
    pub(crate) terms: Vec<(usize, f64)>,
    /// What is added.
    pub(crate) offset: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl SumLimit {
    pub(crate) fn value(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.offset + self.terms.iter().map(|&(k, factor)| factor * of(k)).sum::<f64>()
    }

    pub(crate) fn factor(&self, movable: usize) -> f64 {
        self.terms.iter().filter(|(k, _)| *k == movable).map(|(_, factor)| factor).sum()
    }
}

/// What a joint can give, whether it moves or holds still.
#[derive(Clone, Debug)]
pub(crate) struct ForceLimit {
    pub(crate) name: String,
    /// Which independent velocity.
    pub(crate) velocity: usize,
    /// N·m or N.
    pub(crate) effort: Option<f64>,
    /// W.
    pub(crate) power: Option<f64>,
    /// Dry friction, N·m or N.
    pub(crate) dry: f64,
}

impl ForceLimit {
    /// What is left of the effort for all but dry friction, which may act either way where the joint turns back.
    pub(crate) fn room(&self) -> Option<f64> {
        self.effort.map(|effort| effort - self.dry)
    }
}

/// A time at which two bodies came too near to each other between those of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closer {
    /// s.
    pub(crate) time: f64,
    /// By how much they may be nearer than asked while the motion is led out of that, m.
    pub(crate) given: f64,
    /// How much heavier the barrier is there.
    pub(crate) heavier: f64,
}

/// A robot, what is measured of it, and what is asked of a motion.
#[derive(Clone)]
pub(crate) struct Task<'a> {
    pub(crate) mechanism: &'a Mechanism,
    pub(crate) measurement: Measurement,
    pub(crate) analysis: Analysis,
    pub(crate) model: Model,
    pub(crate) basis: Basis,
    pub(crate) grids: Grids,
    /// Coordinates that move: (number of the configuration, velocity), in the order of coefficients.
    pub(crate) movable: Vec<(usize, usize)>,
    pub(crate) limits: Vec<JointLimits>,
    /// The greatest speed of each: the limit's, or that of a motion.
    pub(crate) speeds: Vec<f64>,
    pub(crate) forces: Vec<ForceLimit>,
    pub(crate) quantities: Vec<LoopQuantity>,
    /// The tree without its loops, where those close one and forces are measured.
    pub(crate) spanning: Option<Mechanism>,
    /// Feet, where the robot stands on some.
    pub(crate) contacts: Option<Contacts>,
    pub(crate) sums: Vec<SumLimit>,
    pub(crate) clearance: Option<Clearance>,
    /// Times besides those of a grid at which distances are looked at.
    pub(crate) closer: Vec<Closer>,
    pub(crate) criterion: Criterion,
    pub(crate) interest: Interest,
    /// Information that is there already, per sample of the motion.
    pub(crate) prior: Option<Matrix<f64>>,
    /// Measured rows with their noise, N·m or N.
    pub(crate) noise: Vec<(String, f64)>,
    /// Where the motion must begin, for each movable coordinate.
    pub(crate) start: Vec<Option<f64>>,
    /// Threads for a motion's own computation: several where one motion alone is improved.
    pub(crate) threads: NonZeroUsize,
}

impl<'a> Task<'a> {
    pub(crate) fn new(mechanism: &'a Mechanism, design: &Design) -> Result<Self, ExcitationError> {
        design.check()?;
        let analysis = match &design.analysis {
            Some(analysis) => analysis.clone(),
            None => analyze(mechanism, &design.question)?,
        };
        let measurement = design.question.measurement(mechanism)?;
        if analysis.regrouping.base.is_empty() {
            return Err(ExcitationError::SeesNothing {
                what: "any parameter".to_owned(),
                why: format!("'{}' sees none of them, whatever the motion", design.question.measure),
                remedy: "measure something else".to_owned(),
            });
        }
        let Movable { movable, mut limits, held } = movable(mechanism, design)?;
        let contacts = design.friction.map(|friction| Contacts::new(mechanism, friction)).transpose()?;
        if contacts.is_some() {
            // Joints of legs share the load: see `LoopQuantity::Effort`.
            limits.iter_mut().for_each(|limits| limits.effort = None);
        }
        let of_moving = limits.iter().zip(&movable).map(|(limits, &(_, velocity))| ForceLimit {
            name: limits.name.clone(),
            velocity,
            effort: limits.effort,
            power: limits.power,
            dry: 0.0,
        });
        let mut forces: Vec<ForceLimit> = of_moving.collect();
        forces.extend(held.into_iter().filter(|_| contacts.is_none()));
        let names = mechanism.independent_names();
        let mut slow = vec![1.0; names.len()];
        movable.iter().zip(&limits).for_each(|(&(_, v), limits)| slow[v] = SLOW * limits.velocity);
        let mut model = Model::new(mechanism, &measurement, &analysis, slow);
        forces.iter_mut().for_each(|limits| limits.dry = model.drives[limits.velocity][2].abs());
        let robot = mechanism.robot();
        for row in &mut model.rows {
            row.weight = if contacts.is_some() { 1.0 } else { design.noise_of(&row.name).powi(-2) };
        }
        let mut noise: Vec<(String, f64)> =
            model.rows.iter().map(|row| (row.name.clone(), design.noise_of(&row.name))).collect();
        if let Some(contacts) = &contacts {
            if !has_adjoint(mechanism, &measurement) {
                return Err(ExcitationError::Setting {
                    what: "the measurement of a robot on its feet".to_owned(),
                    value: format!("'{}'", design.question.measure),
                    remedy: "measure the torques of its joints".to_owned(),
                });
            }
            let torque = |coordinate| design.noise_of(&robot.coordinate_name(coordinate));
            model.torque_noise = robot.coordinates().into_iter().map(torque).collect();
            let driven = robot.coordinates().into_iter().enumerate().filter(|(k, _)| contacts.is_driven(*k));
            noise = driven.map(|(k, c)| (robot.coordinate_name(c), model.torque_noise[k])).collect();
        }
        for (name, _) in &design.noise {
            if name != "*" && !noise.iter().any(|(row, _)| row == name) {
                let hint = steiner_files::did_you_mean(name, noise.iter().map(|(row, _)| row.as_str()));
                return Err(ExcitationError::Unknown {
                    robot: mechanism.robot().name.clone(),
                    kind: "measured row".to_owned(),
                    name: name.clone(),
                    what: "the noise".to_owned(),
                    hint,
                });
            }
        }
        let shape = if measurement.is_static() && !matches!(design.shape, Shape::Poses { .. }) {
            Shape::Poses { count: design.poses_wanted(analysis.regrouping.base.len(), model.rows.len()) }
        } else {
            design.shape
        };
        let start: Vec<Option<f64>> = limits
            .iter()
            .map(|limits| design.start.iter().find(|(name, _)| *name == limits.name).map(|(_, q)| *q))
            .collect();
        let clearance = (!design.capsules.is_empty()).then(|| {
            Clearance::new(
                mechanism,
                design.capsules.clone(),
                design.obstacles.clone(),
                design.self_collision,
                &design.ignored,
                design.clearance,
            )
        });
        let interest = interest(mechanism, &analysis, &model, design)?;
        let mut sums = sums(mechanism, &limits, design)?;
        sums.extend(followers::sums(mechanism, &movable, &limits, design)?);
        let mut quantities = quantities(mechanism, &movable, contacts.as_ref(), design);
        quantities.extend(followers::efforts(mechanism, &movable, design)?);
        let spanning = match has_adjoint(mechanism, &measurement) {
            true => Some(spanning_tree(mechanism)?),
            false => None,
        };
        Ok(Task {
            spanning,
            quantities,
            contacts,
            noise,
            basis: Basis::new(shape, design.duration),
            grids: Grids::default(),
            criterion: design.criterion,
            prior: design.information.clone(),
            clearance: clearance.filter(|clearance| !clearance.is_empty()),
            closer: Vec::new(),
            mechanism,
            measurement,
            analysis,
            model,
            movable,
            speeds: limits.iter().map(|limits| limits.velocity).collect(),
            limits,
            forces,
            sums,
            interest,
            start,
            threads: NonZeroUsize::MIN,
        })
    }

    /// Times at which a motion is looked at: one period of a periodic one.
    pub(crate) fn times(&self, count: usize) -> Vec<f64> {
        match self.basis.shape() {
            Shape::Fourier { periods, .. } => {
                let period = self.basis.duration() / periods as f64;
                (0..count).map(|k| period * k as f64 / count as f64).collect()
            }
            Shape::Spline { .. } => {
                (0..count).map(|k| self.basis.duration() * (k as f64 + 0.5) / count as f64).collect()
            }
            Shape::Poses { count } => (0..count).map(|k| k as f64).collect(),
        }
    }

    /// How many times as many samples a motion needs as one that turns by QUICK between two of 128: between samples
    /// that are farther apart torques have peaks that nobody sees.
    pub(crate) fn quickness(&self) -> f64 {
        let length = self.mechanism.length_scale();
        let turning = |limits: &JointLimits| match limits.turns {
            true => limits.velocity,
            false => limits.velocity / length,
        };
        let fastest = self.limits.iter().map(turning).fold(0.0, f64::max);
        // Nothing goes faster than the functions let it.
        let harmonics = self.basis.len() as f64;
        let widest = self.limits.iter().map(|limits| limits.upper - limits.lower).fold(0.0, f64::max);
        let fastest = fastest.min(widest * harmonics / self.period());
        (fastest * self.period() / (QUICK * 128.0)).clamp(1.0, 4.0)
    }

    /// Starts that give a good motion without much waiting.
    pub(crate) fn usual_starts(&self) -> usize {
        match (columns::in_lanes(self.mechanism, &self.measurement), self.clearance.is_some()) {
            (false, _) => 4,
            (true, true) => 12,
            // What a log has shown leaves less to find.
            (true, false) if self.prior.is_some() => 12,
            (true, false) => 48,
        }
    }

    /// Where a movable coordinate may be: within its own range, and within that of what follows it alone.
    pub(crate) fn room(&self, k: usize) -> (f64, f64) {
        let own = (self.limits[k].lower, self.limits[k].upper);
        let of = |(lower, upper): (f64, f64), sum: &SumLimit| match sum.terms[..] {
            [(leader, factor)] if leader == k && sum.order == 0 => {
                let ends = [(sum.lower - sum.offset) / factor, (sum.upper - sum.offset) / factor];
                (lower.max(ends[0].min(ends[1])), upper.min(ends[0].max(ends[1])))
            }
            _ => (lower, upper),
        };
        let room = self.sums.iter().fold(own, of);
        if room.0 < room.1 { room } else { own }
    }

    /// After this time a motion repeats itself or ends, s.
    pub(crate) fn period(&self) -> f64 {
        match self.basis.shape() {
            Shape::Fourier { periods, .. } => self.basis.duration() / periods as f64,
            _ => self.basis.duration(),
        }
    }

    /// As a motion shows it: dry friction is full above a part of the motion's own greatest speed, as it is to who
    /// identifies from it. While a motion is looked for, that of the speed allowed does not change with it.
    pub(crate) fn of_motion(&self, x: &[f64]) -> Self {
        let mut out = self.clone();
        let whole = (0.0, self.basis.duration());
        for (k, x) in x.chunks_exact(self.basis.len()).enumerate() {
            let fastest = self.basis.bound(x, 1, whole).min(self.speeds[k]);
            if fastest > 0.0 {
                out.speeds[k] = fastest;
                out.model.slow[self.movable[k].1] = SLOW * fastest;
            }
        }
        out
    }

    /// The information of a motion with what is known already.
    pub(crate) fn total(&self, information: &Matrix<f64>) -> Matrix<f64> {
        match &self.prior {
            None => information.clone(),
            Some(prior) => Matrix::from_fn(information.rows(), information.columns(), |r, c| {
                information[(r, c)] + prior[(r, c)]
            }),
        }
    }

    /// A joint with several freedoms, such as a floating trunk: no signal is prescribed for it.
    pub(crate) fn unmoved(&self) -> Option<String> {
        let joints = self.mechanism.robot().bodies.iter().map(|body| &body.joint);
        let mut unmoved = joints.filter(|joint| !joint.kind.is_coordinatewise());
        unmoved.next().map(|joint| joint.name.clone())
    }

    /// Joints that hold still.
    pub(crate) fn held(&self) -> Vec<&str> {
        self.forces[self.limits.len()..].iter().map(|limits| limits.name.as_str()).collect()
    }

    /// The base parameters by the robot's file.
    pub(crate) fn base_values(&self) -> Vec<f64> {
        let mut all = vec![0.0; 10 * self.measurement.ground_count()];
        all.extend(&self.model.parameters);
        let robot = self.mechanism.robot();
        for (joint, _) in self.measurement.driven() {
            let found = robot.bodies.iter().find(|body| body.joint.name == joint).map(|body| &body.joint);
            all.extend(found.map_or([0.0; 4], |joint| {
                [joint.rotor_inertia, joint.friction.viscous, joint.friction.coulomb, joint.friction.offset]
            }));
        }
        let value = |base: &steiner_identifiability::BaseParameter| {
            base.terms.iter().map(|&(c, factor)| factor * all.get(c).copied().unwrap_or(0.0)).sum()
        };
        self.analysis.regrouping.base.iter().map(value).collect()
    }

    /// Names of the base parameters.
    pub(crate) fn base_names(&self) -> Vec<String> {
        self.analysis.regrouping.base.iter().map(|base| self.analysis.labels[base.column].clone()).collect()
    }
}

/// The robot without loops and couplings.
fn spanning_tree(mechanism: &Mechanism) -> Result<Mechanism, ExcitationError> {
    let mut parts = mechanism.robot().clone().into_parts();
    parts.loops.clear();
    parts.couplings.clear();
    parts.dependent.clear();
    parts.independent = None;
    Ok(Mechanism::new(Robot::from_parts(parts)?)?)
}

/// Coordinates that can follow a signal of their own, with their limits, and what those can give that hold still.
struct Movable {
    movable: Vec<(usize, usize)>,
    limits: Vec<JointLimits>,
    held: Vec<ForceLimit>,
}

fn movable(mechanism: &Mechanism, design: &Design) -> Result<Movable, ExcitationError> {
    let robot = mechanism.robot();
    let known = |name: &String| robot.bodies.iter().any(|body| body.joint.name == *name);
    let named = design.still.iter().map(|name| (name, "the list of joints that stand still"));
    let named = named.chain(design.start.iter().map(|(name, _)| (name, "the start pose")));
    let named = named.chain(design.limits.iter().map(|change| (&change.joint, "the list of limits")));
    for (name, what) in named {
        if !known(name) {
            let joints = robot.bodies.iter().map(|body| body.joint.name.as_str());
            return Err(ExcitationError::Unknown {
                robot: robot.name.clone(),
                kind: "joint".to_owned(),
                name: name.clone(),
                what: what.to_owned(),
                hint: steiner_files::did_you_mean(name, joints),
            });
        }
    }
    let reference = mechanism.reference();
    let configuration: Vec<usize> = match mechanism.configuration_indices() {
        Some(indices) => indices.to_vec(),
        None => (0..reference.len()).collect(),
    };
    let offsets = robot.configuration_offsets();
    let (mut movable, mut limits, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for (velocity, coordinate) in mechanism.independent().into_iter().enumerate() {
        let body = &robot.bodies[coordinate.body.0];
        let joint = &body.joint;
        if !joint.kind.is_coordinatewise() {
            continue;
        }
        let stands_still = design.still.contains(&joint.name);
        if stands_still && design.start.iter().any(|(name, _)| *name == joint.name) {
            return Err(ExcitationError::Setting {
                what: format!("the start of joint '{}', which stands still,", joint.name),
                value: "another pose".to_owned(),
                remedy: "lock the joint there instead".to_owned(),
            });
        }
        let tree_at = offsets[coordinate.body.0] + coordinate.component;
        let Some(at) = configuration.iter().position(|&k| k == tree_at) else { continue };
        let stages = joint.stages();
        let turns = stages.len() != 1 || !matches!(stages[0].motion, Motion::Translation);
        let own = if joint.kind.dof() == 1 { joint.limits.clone() } else { Default::default() };
        let name = robot.coordinate_name(coordinate);
        let mut of_joint = JointLimits::of(mechanism, &name, &own, reference[at], turns);
        design.limits.iter().filter(|change| change.joint == joint.name).for_each(|change| {
            change.apply(&mut of_joint);
        });
        of_joint.velocity *= design.speed;
        of_joint.effort = of_joint.effort.map(|effort| effort * (1.0 - design.torque_margin));
        if stands_still {
            held.push(ForceLimit { name, velocity, effort: of_joint.effort, power: None, dry: 0.0 });
            continue;
        }
        of_joint.check()?;
        movable.push((at, velocity));
        limits.push(of_joint);
    }
    if movable.is_empty() {
        return Err(ExcitationError::NoRoom {
            why: "no joint can move".to_owned(),
            remedy: "let some joint out of the list of those that stand still".to_owned(),
        });
    }
    Ok(Movable { movable, limits, held })
}

/// Least normal force of a foot, relative to an even share of the weight.
const LEAST_PUSH: f64 = 0.1;

fn quantities(
    mechanism: &Mechanism,
    movable: &[(usize, usize)],
    contacts: Option<&Contacts>,
    design: &Design,
) -> Vec<LoopQuantity> {
    let robot = mechanism.robot();
    // What couplings alone lead is for `followers`.
    if robot.loops.is_empty() {
        return Vec::new();
    }
    let configuration = mechanism.configuration_indices();
    let offsets = robot.configuration_offsets();
    let mut out = Vec::new();
    let places = robot.bodies.iter().zip(&offsets).zip(robot.velocity_offsets());
    for (index, ((body, &at), velocity)) in places.enumerate() {
        let joint = &body.joint;
        let change = design.limits.iter().find(|change| change.joint == joint.name);
        let mut limits = joint.limits.clone();
        if let Some(change) = change {
            if let Some((lower, upper)) = change.range {
                (limits.lower, limits.upper) = (Some(lower), Some(upper));
            }
            limits.velocity = change.velocity.or(limits.velocity);
            limits.effort = change.effort.or(limits.effort);
        }
        let single = joint.kind.dof() == 1;
        let positive = |limit| positive(limit).filter(|_| single);
        if let Some(effort) = positive(limits.effort).filter(|_| contacts.is_some()) {
            let drive =
                [joint.rotor_inertia, joint.friction.viscous, joint.friction.coulomb, joint.friction.offset];
            let most = effort * (1.0 - design.torque_margin);
            let name = joint.name.clone();
            out.push(LoopQuantity::Effort { name, at: velocity, most, drive, dry: 0.0 });
        }
        let own = configuration.map_or(Some(at), |indices| indices.iter().position(|&k| k == at));
        let moves = own.is_some_and(|own| movable.iter().any(|(at, _)| *at == own));
        if moves || body.joint.kind.configuration_size() != 1 {
            continue;
        }
        // Loops are known to close about their reference alone; files that leave it out of a range mean other things.
        // What a coupling leads is not closed by searching.
        let led = robot.couplings.iter().any(|coupling| coupling.coordinate.body.0 == index);
        let inside = |(lower, upper): &(f64, f64)| {
            let q = mechanism.reference_tree()[at];
            led || *lower < q && q < *upper
        };
        if let Some((lower, upper)) = limits.lower.zip(limits.upper).filter(inside) {
            let name = joint.name.clone();
            out.push(LoopQuantity::Coordinate { name, at, velocity, lower, upper });
        }
        if let Some(most) = positive(limits.velocity) {
            let most = most * design.speed;
            out.push(LoopQuantity::Velocity { name: joint.name.clone(), at: velocity, most });
        }
    }
    if let Some(contacts) = contacts {
        let mass: f64 = robot.bodies.iter().map(|body| body.inertia.mass).sum();
        let gravity = mechanism.tree().gravity;
        let share = mass * gravity.dot(gravity).sqrt() / contacts.feet.len() as f64;
        for (foot, (name, ..)) in contacts.feet.iter().enumerate() {
            out.push(LoopQuantity::Push { name: name.clone(), foot, least: LEAST_PUSH * share });
            out.push(LoopQuantity::Slip { name: name.clone(), foot, most: 1.0 });
        }
    }
    out.push(LoopQuantity::Regularity { least: REGULAR });
    out
}

fn sums(
    mechanism: &Mechanism,
    limits: &[JointLimits],
    design: &Design,
) -> Result<Vec<SumLimit>, ExcitationError> {
    let find = |joint: &String| {
        limits.iter().position(|limits| limits.name == *joint).ok_or_else(|| ExcitationError::Unknown {
            robot: mechanism.robot().name.clone(),
            kind: "moving joint".to_owned(),
            name: joint.clone(),
            what: "a sum of turns".to_owned(),
            hint: steiner_files::did_you_mean(joint, limits.iter().map(|limits| limits.name.as_str())),
        })
    };
    let of = |sum: &crate::design::TurnSum| {
        let terms = sum.terms.iter().map(|(joint, factor)| Ok((find(joint)?, *factor)));
        let name: Vec<String> = sum.terms.iter().map(|(joint, factor)| format!("{factor}·{joint}")).collect();
        Ok(SumLimit {
            name: name.join(" + "),
            quantity: Quantity::TurnSum,
            order: 0,
            offset: 0.0,
            terms: terms.collect::<Result<_, ExcitationError>>()?,
            lower: sum.lower,
            upper: sum.upper,
        })
    };
    design.turn_sums.iter().map(of).collect()
}

fn interest(
    mechanism: &Mechanism,
    analysis: &Analysis,
    model: &Model,
    design: &Design,
) -> Result<Interest, ExcitationError> {
    let robot = mechanism.robot();
    let of_link = |link: &str| -> Vec<usize> {
        let prefix = format!("{link}.");
        let mentions = |base: &steiner_identifiability::BaseParameter| {
            base.terms.iter().any(|(column, _)| analysis.labels[*column].starts_with(&prefix))
        };
        let base = analysis.regrouping.base.iter().enumerate();
        base.filter(|(_, base)| mentions(base)).map(|(k, _)| k).collect()
    };
    let link = match &design.purpose {
        Purpose::Everything => return Ok(Interest::All),
        Purpose::TorquePrediction => {
            return Ok(Interest::Prediction(prediction_weights(mechanism, analysis, model, design)?));
        }
        Purpose::Payload => robot.bodies.last().map(|body| body.name.clone()).unwrap_or_default(),
        Purpose::Link(link) => link.clone(),
    };
    if !robot.bodies.iter().any(|body| body.name == link || body.joint.name == link) {
        return Err(ExcitationError::Unknown {
            robot: robot.name.clone(),
            kind: "link".to_owned(),
            name: link.clone(),
            what: "the purpose".to_owned(),
            hint: steiner_files::did_you_mean(&link, robot.bodies.iter().map(|body| body.name.as_str())),
        });
    }
    let chosen = of_link(&link);
    if chosen.is_empty() {
        return Err(ExcitationError::SeesNothing {
            what: format!("the parameters of '{link}'"),
            why: format!("'{}' sees none of them", design.question.measure),
            remedy: "measure something else, or ask `steiner analyze` why".to_owned(),
        });
    }
    Ok(Interest::Some(chosen))
}

/// Mean of YᵀWY over random states within the limits: what forces will be predicted.
fn prediction_weights(
    mechanism: &Mechanism,
    analysis: &Analysis,
    model: &Model,
    design: &Design,
) -> Result<Matrix<f64>, ExcitationError> {
    let measurement = design.question.measurement(mechanism)?;
    let Movable { movable, limits, .. } = movable(mechanism, design)?;
    let mut random = steiner_linalg::Stream::new(31);
    let columns: Vec<usize> = analysis.regrouping.base.iter().map(|base| base.column).collect();
    let kinds: Vec<MeasuredRow> = measurement.measured_rows(mechanism);
    let mut sum = Matrix::zeros(columns.len(), columns.len());
    let loops = !mechanism.is_plain_tree();
    for _ in 0..400 {
        let mut q = mechanism.reference();
        let (mut qd, mut qdd) = (vec![0.0; mechanism.dof()], vec![0.0; mechanism.dof()]);
        for (&(at, velocity), limits) in movable.iter().zip(&limits) {
            let reach = if loops { 0.3 } else { 1.0 };
            let middle = if loops { q[at] } else { 0.5 * (limits.lower + limits.upper) };
            q[at] = middle + reach * 0.5 * (limits.upper - limits.lower) * random.uniform();
            qd[velocity] = limits.velocity * random.uniform();
            qdd[velocity] = limits.acceleration.unwrap_or(3.0 * limits.velocity) * random.uniform();
        }
        let Ok(state) = mechanism.feasible(&q, &qd, &qdd) else { continue };
        let signs: Vec<f64> =
            measurement.driven().iter().map(|&(_, velocity)| state.velocity[velocity].signum()).collect();
        let rows = measurement.rows(mechanism, mechanism.tree(), &state, &signs)?;
        for row in &model.rows {
            let Some(from) = kinds.iter().position(|kind| *kind == row.kind) else { continue };
            for (a, &ca) in columns.iter().enumerate() {
                for (b, &cb) in columns.iter().enumerate() {
                    sum[(a, b)] += row.weight * rows[(from, ca)] * rows[(from, cb)];
                }
            }
        }
    }
    Ok(sum)
}
