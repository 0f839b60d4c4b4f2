//! Logs that outgrow one machine: each is reduced where it lies, and what is left of it is small.
//!
//! The first pass leaves the triangles of all measured rows ([`Reduced`](crate::Reduced)) and a few sums. They
//! merge in any order: U with UᵀU = Σ UᵢᵀUᵢ. They hold all that ordinary and weighted least squares need. The
//! second pass gathers the scores of blocks of neighbouring samples at that estimate, for uncertainties that do
//! not trust noise to be white.
//!
//! ```
//! # use steiner_dynamics::Mechanism;
//! # use steiner_identification::{Accumulator, Settings, Simulation, identify, simulate};
//! # use steiner_formats::{ReadOptions, read_robot};
//! let arm = Mechanism::new(read_robot("scara_sr6ia", &ReadOptions::default()).unwrap()).unwrap();
//! let log = |seed| simulate(&arm, &Simulation { seed, duration: 5.0, rate: 100.0, ..Simulation::default() }).unwrap();
//! let shards = [log(1), log(2)];
//! let reduced = shards.each_ref().map(|mut log| {
//!     let mut own = Accumulator::new(&arm, &Settings::default()).unwrap();
//!     own.absorb(&mut log).unwrap(); // on the machine that has the log
//!     own
//! });
//! let mut all = reduced[0].clone();
//! all.merge(&reduced[1]).unwrap();
//! assert!(all.solve(None).unwrap().training.model.total < 1e-6);
//! ```

use std::collections::BTreeSet;

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_logs::Recording;

use crate::accumulate::Source;
use crate::deviations::deviations_with;
use crate::failure::IdentificationError;
use crate::identification::Identification;
use crate::identify::{Accumulated, Estimate, Fit, answer, estimate, settled};
use crate::problem::Problem;
use crate::scores::{Lag, Point, Scores, scores};
use crate::settings::{Estimator, Settings};
use crate::zeros::Zeros;

/// What logs have shown so far. All of one fleet have the same robot and settings.
#[derive(Clone, Debug)]
pub struct Accumulator {
    problem: Problem,
    settings: Settings,
    log: Accumulated,
}

/// Where the second pass takes scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePoint {
    /// The base parameters of the first pass.
    pub values: Vec<f64>,
    /// One over the noise of each row.
    pub weights: Vec<f64>,
    /// Samples of a block.
    pub block: usize,
}

/// What blocks of neighbouring samples pull at the parameters, stretch by stretch.
#[derive(Clone, Debug)]
pub struct BlockScores {
    scores: Scores,
    unknowns: usize,
}

/// No samples: the estimators that an accumulator allows ask for none.
struct Nowhere;

impl Source for Nowhere {
    fn chunks(
        &mut self,
        _: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        Ok(())
    }
}

impl Accumulator {
    /// Of no samples yet. Estimators that run over the samples many times are refused, and friction that grows
    /// with load; terms of friction are not chosen by trials.
    pub fn new(mechanism: &Mechanism, settings: &Settings) -> Result<Self, IdentificationError> {
        let settings = Settings { choose_friction: false, ..settings.of_robot(mechanism.robot()) };
        let refused = |value: &str, remedy: &str| IdentificationError::Setting {
            what: "the estimator of an accumulator".to_owned(),
            value: value.to_owned(),
            remedy: remedy.to_owned(),
        };
        let one_machine = "use weighted, ordinary or ridge, or identify from files on one machine";
        match settings.estimator {
            Estimator::Ordinary | Estimator::Weighted | Estimator::Ridge { .. } => {}
            Estimator::Huber { .. } => {
                return Err(refused("huber, which weighs every sample anew", one_machine));
            }
            Estimator::Instrumental => return Err(refused("iv, which filters motion twice", one_machine)),
            Estimator::Simulation { .. } => return Err(refused("simulation, which repeats it", one_machine)),
        }
        let problem = Problem::new(mechanism, &settings)?;
        if problem.depends_on_load() {
            let remedy = "leave the term `load` out, or identify from files on one machine";
            return Err(refused("with friction that grows with load, which takes several passes", remedy));
        }
        Ok(Accumulator { log: Accumulated::new(&problem), problem, settings })
    }

    /// One of the same robot and settings that has taken nothing in.
    pub fn emptied(&self) -> Self {
        let (problem, settings) = (self.problem.clone(), self.settings.clone());
        Accumulator { log: Accumulated::new(&problem), problem, settings }
    }

    /// Takes a log in: one pass.
    pub fn absorb(&mut self, source: &mut dyn Source) -> Result<(), IdentificationError> {
        if self.problem.lacks_scale() && !source.fixes_scale() {
            return Err(IdentificationError::NoScale);
        }
        source.carry(self.settings.friction());
        self.log.absorb(&self.problem, source, self.settings.threads())
    }

    /// Takes in what another has taken in; refuses one of another robot or other settings.
    pub fn merge(&mut self, other: &Accumulator) -> Result<(), IdentificationError> {
        if self.shape() != other.shape() {
            return Err(IdentificationError::Setting {
                what: "an accumulator".to_owned(),
                value: "of another robot, or with other settings".to_owned(),
                remedy: "give all shards of a fleet the same ones".to_owned(),
            });
        }
        self.log.merge(&other.log);
        Ok(())
    }

    /// As if base parameters had been smaller by `by` (one for each) while the logs were recorded. Robots of one type
    /// whose drives differ become alike by it, and merge.
    pub fn with_parameters_moved(&self, by: &[f64]) -> Result<Self, IdentificationError> {
        if by.len() != self.problem.base().len() || by.iter().any(|x| !x.is_finite()) {
            return Err(IdentificationError::Setting {
                what: "what base parameters are moved by".to_owned(),
                value: format!("{} numbers", by.len()),
                remedy: format!("give {} finite ones", self.problem.base().len()),
            });
        }
        let mut out = self.clone();
        out.log.training = self.log.training.with_parameters_moved(by);
        out.log.validation = self.log.validation.with_parameters_moved(by);
        Ok(out)
    }

    /// Samples to learn from, and held out.
    pub fn samples(&self) -> (usize, usize) {
        (self.log.training.samples, self.log.validation.samples)
    }

    /// The problem: labels, rows, base parameters.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// What is asked.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where scores are to be taken: the estimate of what was taken in.
    pub fn point(&self) -> Result<ScorePoint, IdentificationError> {
        let (estimate, settings) = self.estimated()?;
        let weights = estimate.noise.weights();
        Ok(ScorePoint { values: estimate.solution.values, weights, block: settings.block.unwrap_or(1) })
    }

    /// The second pass over a log.
    pub fn scores(
        &self,
        source: &mut dyn Source,
        at: &ScorePoint,
    ) -> Result<BlockScores, IdentificationError> {
        let wanted = (self.problem.base().len(), self.problem.rows().len());
        if (at.values.len(), at.weights.len()) != wanted || at.block == 0 {
            return Err(IdentificationError::Setting {
                what: "the point of the second pass".to_owned(),
                value: format!("{} values, {} weights", at.values.len(), at.weights.len()),
                remedy: format!("give {} and {}, as the first pass found them", wanted.0, wanted.1),
            });
        }
        source.carry(self.settings.friction());
        let point = Point { values: &at.values, weights: &at.weights, projection: None };
        let scores = scores(&self.problem, source, point, at.block, self.settings.threads())?;
        Ok(BlockScores { scores, unknowns: wanted.0 })
    }

    /// Parameters, uncertainties and the consistent model; without scores, uncertainties are for white noise.
    pub fn solve(&self, scores: Option<&BlockScores>) -> Result<Identification, IdentificationError> {
        let (estimate, settings) = self.estimated()?;
        let scores = scores.map_or_else(|| Scores::none(&self.problem), |given| given.scores.clone());
        let counts = self.log.training.counts();
        let fitted = Fit {
            friction_trials: Vec::new(),
            log: self.log.clone(),
            deviations: deviations_with(&estimate, scores, &counts, counts.iter().sum(), None),
            estimate,
            attenuation: None,
            zeros: Zeros::default(),
        };
        answer(self.problem.clone(), settings, fitted, None, None)
    }

    /// All rows over the base parameters and the right-hand side as one triangle R, each row divided by its noise:
    /// RᵀR is the information of what was taken in.
    pub fn information(&self) -> Result<Matrix<f64>, IdentificationError> {
        let (estimate, _) = self.estimated()?;
        let stacked = self.log.training.stacked(&estimate.noise.weights());
        let n = stacked.columns();
        Ok(Matrix::from_fn(n, n, |r, c| if c >= r { stacked.entry(r, c) } else { 0.0 }))
    }

    fn estimated(&self) -> Result<(Estimate, Settings), IdentificationError> {
        self.log.check(&self.problem, &self.settings)?;
        let settings = settled(&self.problem, &self.log, &self.settings);
        Ok((estimate(&self.problem, &mut Nowhere, &self.log.training, &settings)?, settings))
    }

    /// What two accumulators must share: columns, and what each row sees.
    fn shape(&self) -> (&[String], Vec<(&str, &[usize])>) {
        let rows = self.problem.rows().iter().map(|row| (row.name.as_str(), row.sees.as_slice()));
        (self.problem.labels(), rows.collect())
    }

    /// All that was taken in, for another process: numbers, and labels of friction that was not filtered.
    pub fn state(&self) -> (Vec<f64>, Vec<String>) {
        let mut numbers = self.log.training.numbers();
        numbers.extend(self.log.validation.numbers());
        numbers.extend(&self.log.least_speeds);
        numbers.extend(self.log.flight.sums());
        (numbers, self.log.unfiltered.iter().cloned().collect())
    }

    /// One of the same robot and settings with the state of another.
    pub fn with_state(mut self, numbers: &[f64], labels: Vec<String>) -> Result<Self, IdentificationError> {
        let (found, mut left) = (numbers.len(), numbers);
        let mut read = || -> Option<()> {
            self.log.training.take_numbers(&mut left)?;
            self.log.validation.take_numbers(&mut left)?;
            let (speeds, rest) = left.split_at_checked(self.log.least_speeds.len())?;
            self.log.least_speeds.copy_from_slice(speeds);
            self.log.flight.set_sums(rest.try_into().ok()?);
            Some(())
        };
        if read().is_none() {
            return Err(IdentificationError::Setting {
                what: "the state of an accumulator".to_owned(),
                value: format!("{found} numbers, not those of this robot and these settings"),
                remedy: "restore it with the ones it was made with".to_owned(),
            });
        }
        self.log.unfiltered = BTreeSet::from_iter(labels);
        Ok(self)
    }
}

impl BlockScores {
    /// Takes in those of other logs.
    pub fn merge(&mut self, other: &BlockScores) -> Result<(), IdentificationError> {
        if (self.unknowns, self.scores.lags.len()) != (other.unknowns, other.scores.lags.len()) {
            return Err(IdentificationError::Setting {
                what: "scores".to_owned(),
                value: "of another robot, or with other settings".to_owned(),
                remedy: "give all shards of a fleet the same ones".to_owned(),
            });
        }
        self.scores.merge(&other.scores);
        Ok(())
    }

    /// How many blocks.
    pub fn blocks(&self) -> usize {
        self.scores.blocks()
    }

    /// For another process: numbers of unknowns and rows, blocks of each stretch, and all numbers.
    pub fn state(&self) -> ([usize; 2], Vec<usize>, Vec<f64>) {
        let Scores { stretches, lags, along } = &self.scores;
        let mut numbers: Vec<f64> = stretches.iter().flatten().flatten().copied().collect();
        numbers.extend(lags.iter().flat_map(Lag::sums));
        numbers.extend(along.iter().flatten());
        ([self.unknowns, lags.len()], stretches.iter().map(Vec::len).collect(), numbers)
    }

    /// From such a state; `None` where its numbers are not as many as it says.
    pub fn of_state([unknowns, rows]: [usize; 2], blocks: &[usize], numbers: &[f64]) -> Option<Self> {
        let all = blocks.iter().try_fold(0usize, |sum, own| sum.checked_add(*own))?;
        let wanted = all.checked_mul(unknowns)?.checked_add(rows.checked_mul(3 + unknowns)?)?;
        if unknowns == 0 || numbers.len() != wanted {
            return None;
        }
        let (own, rest) = numbers.split_at(all * unknowns);
        let (lags, along) = rest.split_at(3 * rows);
        let mut each = own.chunks_exact(unknowns).map(<[f64]>::to_vec);
        let stretches = blocks.iter().map(|&count| each.by_ref().take(count).collect()).collect();
        let lag = |sums: &[f64]| Lag::of_sums([sums[0], sums[1], sums[2]]);
        let scores = Scores {
            stretches,
            lags: lags.chunks_exact(3).map(lag).collect(),
            along: along.chunks_exact(unknowns).map(<[f64]>::to_vec).collect(),
        };
        Some(BlockScores { scores, unknowns })
    }
}
