//! The black box, asked as rarely as possible.

use std::sync::Arc;

use steiner_scalar::Fp;

use super::interpolate::{BlackBox, Settings};
use super::names::Names;
use super::rational_function::RationalFunction;
use super::resistance::Resistance;
use super::sample::{Draw, Sample};

/// Samples that cannot be evaluated, one after the other, before giving up.
const MOST_REFUSALS: usize = 60;

/// Samples without a value for an entry, beyond those with one, before it is given up.
pub(crate) const MOST_MISSING: usize = 5;

/// Of all entries at one sample.
pub(crate) type Values = Vec<Option<Fp>>;

/// The black box with what it has said so far, shared by all entries.
pub(crate) struct Source<'a> {
    pub(crate) names: Arc<Names>,
    pub(crate) settings: &'a Settings,
    black_box: &'a mut BlackBox<'a>,
    count: usize,
    pub(crate) draw: Draw,
    pub(crate) base: (Sample, Values),
    /// Samples where the first k + 1 variables are drawn and the others are the base's.
    pools: Vec<Vec<(Vec<Fp>, Values)>>,
    fresh: Vec<(Sample, Values)>,
    pub(crate) evaluations: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn new(
        names: &Arc<Names>,
        count: usize,
        black_box: &'a mut BlackBox<'a>,
        settings: &'a Settings,
    ) -> Self {
        let draw = Draw::new(settings.centre.clone(), settings.spread, settings.digits, settings.seed);
        let base = (settings.centre.clone(), Vec::new());
        let pools = vec![Vec::new(); names.freedoms()];
        let names = names.clone();
        Source { names, settings, black_box, count, draw, base, pools, fresh: Vec::new(), evaluations: 0 }
    }

    /// Values at a sample made by a rule, which is asked again where there are none.
    pub(crate) fn evaluate(&mut self, rule: &mut dyn FnMut(&mut Draw) -> Sample) -> Option<(Sample, Values)> {
        for _ in 0..MOST_REFUSALS {
            let sample = rule(&mut self.draw);
            self.evaluations += 1;
            if let Some(values) = (self.black_box)(&sample) {
                assert_eq!(values.len(), self.count, "a value for each entry");
                return Some((sample, values));
            }
        }
        None
    }

    /// Another base point, at which nothing is known yet.
    pub(crate) fn new_base(&mut self) -> Option<()> {
        self.base = self.evaluate(&mut |draw| draw.sample())?;
        let last = self.pools.len().saturating_sub(1);
        self.pools[..last].iter_mut().for_each(Vec::clear);
        Some(())
    }

    /// The values of all variables and of one entry at the k-th sample of a pool.
    pub(crate) fn pooled(&mut self, pool: usize, k: usize, entry: usize) -> Option<(&[Fp], Option<Fp>)> {
        while self.pools[pool].len() <= k {
            let base = self.base.0.clone();
            let (sample, values) = self.evaluate(&mut |draw| {
                let mut sample = base.clone();
                (0..=pool).for_each(|place| *sample.value_mut(place) = draw.value(place));
                sample
            })?;
            self.pools[pool].push((sample.values_fp(), values));
        }
        let (point, values) = &self.pools[pool][k];
        Some((point, values[entry]))
    }

    /// The function, if fresh samples and the reference agree with it.
    pub(crate) fn confirmed(
        &mut self,
        entry: usize,
        function: RationalFunction,
    ) -> Result<RationalFunction, Resistance> {
        while self.fresh.len() < self.settings.checks {
            let refused = Resistance::NoValues { tried: MOST_REFUSALS };
            let drawn = self.evaluate(&mut |draw| draw.sample()).ok_or(refused)?;
            self.fresh.push(drawn);
        }
        let agrees = |(sample, value): &(&Sample, Fp)| {
            function.evaluate_fp(&sample.lengths_fp(), &sample.angles_fp()) == Some(*value)
        };
        let known: Vec<(&Sample, Fp)> =
            self.fresh.iter().filter_map(|(sample, values)| Some((sample, values[entry]?))).collect();
        if !known.iter().all(agrees) {
            return Err(Resistance::Refuted);
        }
        if 2 * known.len() < self.fresh.len() {
            return Err(Resistance::NoNumber { samples: self.fresh.len() - known.len() });
        }
        if let Some(&reference) = self.settings.reference.as_ref().and_then(|all| all.get(entry)) {
            let centre = &self.settings.centre;
            let value = function.evaluate(&centre.lengths_f64(), &centre.angles_f64());
            let agrees = (value - reference).abs() <= 1e-9 * reference.abs().max(1e-3);
            if !agrees {
                return Err(Resistance::Reference { value, reference });
            }
        }
        Ok(function)
    }
}
