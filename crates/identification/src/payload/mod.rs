//! What a robot carries, while it moves: mass, centre of mass and inertia of a payload, updated at every
//! tick.
//!
//! With the robot's own parameters β known, the forces that are left are linear in the ten parameters θ
//! of the payload,
//!
//! τ − Y_β β = Y_p θ + e,
//!
//! with Y_p the block of the body that carries it. `square_root.rs` solves this as samples come. The
//! covariance of θ has two parts. The noise e: for white noise, or from blocks of samples (`blocks.rs`),
//! whichever is larger in each direction. And the errors of β, which do not average out: with M = Σ Y_pᵀ
//! W Y_β and P = (Σ Y_pᵀ W Y_p)⁻¹ they add P M cov(β) Mᵀ P, the *consider covariance* of filters
//! (\[schmidt1966\]).

mod arm;
mod blocks;
mod described;
mod identified;
mod program;
mod square_root;
mod unconstrained;

use steiner_dynamics::Mechanism;
use steiner_linalg::cholesky::{inverse_lower, lower_factor};
use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::square::{Square, times, transposed};
use steiner_logs::DryFriction;
use steiner_robot::Pose;

use crate::consistent::CentreBound;
use crate::failure::IdentificationError;
use crate::identification::Identification;
use crate::problem::link_in_body;
use arm::{Arm, ArmErrors};
use blocks::BlockScores;
use program::{PayloadBounds, consistent_payload};
use square_root::{SquareRoot, TEN};
use unconstrained::Unconstrained;

use described::Scales;
pub use described::{MOMENTS, Payload, Unseen};
pub use identified::IdentifiedPayload;

/// What is believed of each parameter before the first sample, in units of the robot's: hardly anything.
const BELIEF: f64 = 100.0;
/// Residuals below this part of the forces are no sensor's.
const FINEST_NOISE: f64 = 1e-5;
/// Rows below which nothing is said.
const FEWEST_ROWS: f64 = 30.0;

/// What is asked of a payload's estimator.
#[derive(Clone, Debug, PartialEq)]
pub struct PayloadSettings {
    /// Noise of the force of each independent coordinate, N·m or N: rows count by it. Default: of the
    /// identification, if the robot comes from one; else all alike.
    pub noise: Option<Vec<f64>>,
    /// What a tick makes of the weight of all before it: 0.999 forgets in a thousand ticks. Default 1:
    /// nothing is forgotten.
    pub forgetting: f64,
    /// Whether rotor inertia and friction of the robot act. Default yes.
    pub drives: bool,
    /// Shape of dry friction over velocity. Default `Sign`.
    pub dry_friction: DryFriction,
    /// The force of a joint with dry friction counts only while it is at least as fast, rad/s or m/s.
    /// Default 0.01.
    pub least_speed: f64,
    /// Samples whose noise may be alike. Default 200.
    pub block: usize,
    /// Least and greatest mass, kg. Default none.
    pub mass: Option<(f64, f64)>,
    /// Where the centre of mass can be, in the link's frame. Default anywhere.
    pub centre: Option<CentreBound>,
}

impl Default for PayloadSettings {
    fn default() -> Self {
        PayloadSettings {
            noise: None,
            forgetting: 1.0,
            drives: true,
            dry_friction: DryFriction::default(),
            least_speed: 0.01,
            block: 200,
            mass: None,
            centre: None,
        }
    }
}

/// Estimates a payload from one sample after the other, in constant memory.
///
/// ```
/// use steiner_dynamics::Mechanism;
/// use steiner_formats::{ReadOptions, read_robot};
/// use steiner_identification::{PayloadEstimator, PayloadSettings, Unseen};
///
/// let arm = Mechanism::new(read_robot("panda", &ReadOptions::default()).unwrap()).unwrap();
/// let link = arm.robot().bodies.last().unwrap().name.clone();
/// let mut estimator = PayloadEstimator::new(&arm, &link, PayloadSettings::default()).unwrap();
/// let (q, still) = (arm.reference(), vec![0.0; arm.dof()]);
/// let tau = arm.gravity_force(&q).unwrap();
/// estimator.update(&q, &still, &still, &tau).unwrap(); // once per tick
/// assert_eq!(estimator.estimate().unwrap().unseen, [Unseen::Everything]);
/// ```
#[derive(Clone, Debug)]
pub struct PayloadEstimator {
    arm: Arm,
    link: String,
    body: usize,
    /// The link's frame in the body's.
    pose: Pose<f64>,
    settings: PayloadSettings,
    bounds: PayloadBounds,
    scales: Scales,
    /// The independent coordinates that move the body.
    rows: Vec<usize>,
    /// For each coordinate one over its noise, and the speed below which it does not count.
    weights: Vec<f64>,
    least_speeds: Vec<f64>,
    samples: usize,
    root: SquareRoot,
    /// Σ λ^(2 age) y yᵀ: what white noise makes of the estimate.
    products: Square<TEN>,
    /// Σ of squared right-hand sides.
    forces: f64,
    blocks: BlockScores,
    /// Errors of the robot's own parameters, and M, a column for each of them.
    errors: Option<(ArmErrors, Vec<[f64; TEN]>)>,
}

impl PayloadEstimator {
    /// For a robot whose own parameters are known perfectly; `link` is a moving link or one fixed to it.
    pub fn new(
        mechanism: &Mechanism,
        link: &str,
        settings: PayloadSettings,
    ) -> Result<Self, IdentificationError> {
        let (body, pose) = link_in_body(mechanism, link)?;
        let dof = mechanism.dof();
        let wrong = |what: &str, value: String, remedy: &str| IdentificationError::Setting {
            what: what.to_owned(),
            value,
            remedy: remedy.to_owned(),
        };
        let noise = settings.noise.clone().unwrap_or_else(|| vec![1.0; dof]);
        if noise.len() != dof || noise.iter().any(|x| !(*x > 0.0 && x.is_finite())) {
            let remedy = format!("give one positive number for each of {dof} joints, N·m or N");
            return Err(wrong("the noise of the forces", format!("{noise:?}"), &remedy));
        }
        if !(settings.forgetting > 0.5 && settings.forgetting <= 1.0) {
            let remedy = "give a factor above 0.5, and 1 to forget nothing";
            return Err(wrong("the forgetting", settings.forgetting.to_string(), remedy));
        }
        if !(settings.least_speed >= 0.0 && settings.least_speed.is_finite()) {
            let remedy = "give a finite one, not negative";
            return Err(wrong("the least speed", settings.least_speed.to_string(), remedy));
        }
        if settings.block == 0 {
            return Err(wrong("the block", "0".to_owned(), "give at least one sample"));
        }
        let bounds = PayloadBounds { mass: settings.mass, centre: settings.centre.clone() };
        bounds.check(link)?;
        let arm = Arm::new(mechanism, settings.drives, settings.dry_friction)?;
        let least = |row: usize| if arm.has_dry_friction(row) { settings.least_speed } else { 0.0 };
        Ok(PayloadEstimator {
            link: link.to_owned(),
            body,
            pose,
            scales: scales(mechanism, settings.mass),
            rows: mechanism.layout().rows_of_body[body].clone(),
            weights: noise.iter().map(|noise| 1.0 / noise).collect(),
            least_speeds: (0..dof).map(least).collect(),
            samples: 0,
            root: SquareRoot::new(),
            products: [[0.0; TEN]; TEN],
            forces: 0.0,
            blocks: BlockScores::new(settings.block),
            errors: None,
            bounds,
            settings,
            arm,
        })
    }

    /// For an identified robot: its parameters, friction and noise, and the errors of all these.
    pub fn on_identified(
        found: &Identification,
        link: &str,
        settings: PayloadSettings,
    ) -> Result<Self, IdentificationError> {
        let mechanism = Mechanism::new(found.robot.clone())?;
        let names = mechanism.independent_names();
        let rows = found.problem().rows();
        let typical = found.noise.iter().sum::<f64>() / found.noise.len().max(1) as f64;
        let noise =
            |name: &String| rows.iter().position(|row| row.name == *name).map_or(typical, |r| found.noise[r]);
        let settings = PayloadSettings {
            noise: settings.noise.or_else(|| Some(names.iter().map(noise).collect())),
            drives: found.settings.drives,
            dry_friction: found.settings.dry_friction,
            ..settings
        };
        let mut estimator = Self::new(&mechanism, link, settings)?;
        let errors = ArmErrors::of(found, &estimator.arm)?;
        let sensitivity = vec![[0.0; TEN]; errors.len()];
        estimator.errors = Some((errors, sensitivity));
        Ok(estimator)
    }

    /// Samples so far.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// All that was taken in, for another process.
    pub fn state(&self) -> Vec<f64> {
        let mut out = vec![self.samples as f64, self.blocks.filled() as f64];
        self.clone().sums().into_iter().for_each(|sums| out.extend_from_slice(sums));
        out
    }

    /// The same estimator with what another one of its kind has taken in.
    pub fn with_state(mut self, numbers: &[f64]) -> Result<Self, IdentificationError> {
        let wrong = || IdentificationError::Setting {
            what: "the state of a payload's estimator".to_owned(),
            value: format!("{} numbers", numbers.len()),
            remedy: "restore it with the robot and the settings that it was made with".to_owned(),
        };
        let [samples, filled, rest @ ..] = numbers else { return Err(wrong()) };
        self.samples = *samples as usize;
        self.blocks.fill(*filled as usize);
        let mut rest = rest;
        for sums in self.sums() {
            let (own, others) = rest.split_at_checked(sums.len()).ok_or_else(wrong)?;
            sums.copy_from_slice(own);
            rest = others;
        }
        if rest.is_empty() { Ok(self) } else { Err(wrong()) }
    }

    fn sums(&mut self) -> Vec<&mut [f64]> {
        let mut out: Vec<&mut [f64]> = self.root.sums().into();
        out.extend([self.products.as_flattened_mut(), std::slice::from_mut(&mut self.forces)]);
        out.extend(self.blocks.sums());
        out.extend(self.errors.as_mut().map(|(_, sensitivity)| sensitivity.as_flattened_mut()));
        out
    }

    /// Forgets all samples: another payload is taken up.
    pub fn reset(&mut self) {
        self.samples = 0;
        self.root = SquareRoot::new();
        self.products = [[0.0; TEN]; TEN];
        self.forces = 0.0;
        self.blocks = BlockScores::new(self.settings.block);
        if let Some((_, sensitivity)) = &mut self.errors {
            sensitivity.fill([0.0; TEN]);
        }
    }

    /// Takes a sample in: configuration, velocities, accelerations and measured forces of the independent
    /// coordinates, SI. Nothing is allocated unless loops or couplings have to be closed; after an error
    /// nothing has changed.
    pub fn update(
        &mut self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        tau: &[f64],
    ) -> Result<(), IdentificationError> {
        let dof = self.weights.len();
        if tau.len() != dof {
            let (what, found) = ("tau".to_owned(), tau.len());
            return Err(IdentificationError::Shape { what, found, count: 1, width: dof, wanted: dof });
        }
        if tau.iter().any(|x| !x.is_finite()) {
            return Err(IdentificationError::NotFinite { what: "tau".to_owned(), sample: self.samples });
        }
        self.arm.move_to(q, qd, qdd)?;
        self.forget();
        for &row in &self.rows {
            if qd[row].abs() < self.least_speeds[row] {
                continue;
            }
            let weight = self.weights[row];
            let mut y = [0.0; TEN + 1];
            y[..TEN].copy_from_slice(&self.arm.block(row, self.body));
            y[TEN] = self.arm.left_of(row, tau[row]);
            y.iter_mut().for_each(|x| *x *= weight);
            self.root.push(y);
            self.blocks.push(&y);
            self.forces += (weight * tau[row]).powi(2);
            for (line, x) in self.products.iter_mut().zip(&y) {
                line.iter_mut().zip(&y).for_each(|(sum, other)| *sum += x * other);
            }
            if let Some((errors, sensitivity)) = &mut self.errors {
                self.arm.each_error((row, tau[row]), errors, |k, factor| {
                    let factor = weight * factor;
                    sensitivity[k].iter_mut().zip(&y).for_each(|(sum, x)| *sum += factor * x);
                });
            }
        }
        self.blocks.next_sample(self.settings.forgetting);
        self.samples += 1;
        Ok(())
    }

    fn forget(&mut self) {
        let kept = self.settings.forgetting;
        if kept == 1.0 {
            return;
        }
        self.root.forget(kept);
        self.forces *= kept;
        self.products.iter_mut().flatten().for_each(|x| *x *= kept * kept);
        if let Some((_, sensitivity)) = &mut self.errors {
            sensitivity.iter_mut().flatten().for_each(|x| *x *= kept);
        }
    }

    /// The physically consistent payload, with standard deviations and what is not seen yet.
    pub fn estimate(&self) -> Result<Payload, IdentificationError> {
        let (scales, counts_arm) = (self.scales, self.errors.is_some());
        if self.root.count() < FEWEST_ROWS {
            return Ok(Payload::unknown(self.link.clone(), self.samples, scales, counts_arm));
        }
        let estimate = self.unconstrained();
        if !estimate.is_finite() {
            return Err(IdentificationError::NoFiniteResult);
        }
        let inertia = consistent_payload(&self.link, &estimate, &self.bounds, scales)?;
        let covariance = estimate.covariance();
        Ok(Payload::of((self.link.clone(), self.samples), inertia, covariance, scales, counts_arm))
    }

    /// The ten parameters in the link's frame without regard to consistency, and their covariance.
    pub fn least_squares(&self) -> ([f64; 10], Square<10>) {
        let estimate = self.unconstrained();
        (estimate.values, estimate.covariance())
    }

    /// Least squares with the covariance in factors. All sums are taken in the coordinates R θ, in which
    /// nothing is large: where a direction is not seen, P itself would drown the others in rounding.
    fn unconstrained(&self) -> Unconstrained {
        let belief = self.scales.ten().map(|x| BELIEF * x);
        let root = self.root.with_belief(&belief);
        let (inverse, estimate) = (root.inverse(), root.solution());
        let back = transposed(&inverse);
        let noise = |meat: &Square<TEN>, factor: f64| -> Square<TEN> {
            let mut middle = meat.map(|row| row.map(|x| factor * x));
            (0..TEN).for_each(|k| middle[k][k] += belief[k].powi(-2));
            symmetric(&times(&times(&back, &middle), &inverse))
        };
        let least = FINEST_NOISE.powi(2) * self.forces / self.root.count().max(1.0);
        let white = noise(&self.products, self.root.variance().max(least));
        let mut spread = match self.blocks.products(&estimate) {
            Some(meat) => larger(&white, &noise(&meat, 1.0)),
            None => white,
        };
        if let Some((errors, sensitivity)) = &self.errors {
            let turned = |column: &[f64; TEN]| -> [f64; TEN] {
                std::array::from_fn(|r| (0..TEN).map(|k| back[r][k] * column[k]).sum())
            };
            let columns: Vec<[f64; TEN]> = sensitivity.iter().map(turned).collect();
            for (i, left) in columns.iter().enumerate() {
                let mut sums = [0.0; TEN];
                for (factor, right) in errors.covariance.row(i).iter().zip(&columns) {
                    sums.iter_mut().zip(right).for_each(|(sum, x)| *sum += factor * x);
                }
                for (line, x) in spread.iter_mut().zip(left) {
                    line.iter_mut().zip(&sums).for_each(|(entry, sum)| *entry += x * sum);
                }
            }
        }
        Unconstrained::new(&root, &estimate, &symmetric(&spread), &self.pose)
    }
}

/// Masses and lengths of a robot; where it has no mass, 10 kg.
fn scales(mechanism: &Mechanism, mass: Option<(f64, f64)>) -> Scales {
    let own: f64 = mechanism.robot().bodies.iter().map(|body| body.inertia.mass).sum();
    let own = if own > 0.0 && own.is_finite() { own } else { 10.0 };
    let mass = mass.map_or(own, |(_, greatest)| if greatest.is_finite() { greatest } else { own });
    Scales { mass, length: mechanism.length_scale() }
}

/// The larger of two covariances in every direction: with A = L Lᵀ and L⁻¹ B L⁻ᵀ = Q Λ Qᵀ it is
/// L Q max(Λ, 1) Qᵀ Lᵀ. The first must be positive definite.
fn larger(a: &Square<TEN>, b: &Square<TEN>) -> Square<TEN> {
    let Ok(lower) = lower_factor(a) else { return *a };
    let inverse = inverse_lower(&lower);
    let relative = symmetric(&times(&times(&inverse, b), &transposed(&inverse)));
    let (values, vectors) = symmetric_eigen(&relative);
    let turned = times(&lower, &vectors);
    let stretched: Square<TEN> =
        std::array::from_fn(|r| std::array::from_fn(|c| turned[r][c] * values[c].max(1.0)));
    times(&stretched, &transposed(&turned))
}

fn symmetric(m: &Square<TEN>) -> Square<TEN> {
    std::array::from_fn(|r| std::array::from_fn(|c| 0.5 * (m[r][c] + m[c][r])))
}
