//! The black box, asked as rarely as possible.

use std::sync::Arc;

use steiner_scalar::Fp;

use super::interpolate::{BlackBox, Settings, Values};
use super::names::Names;
use super::rational_function::RationalFunction;
use super::resistance::Resistance;
use super::sample::{Draw, Sample};

/// Samples that cannot be evaluated, one after the other, before giving up.
const MOST_REFUSALS: usize = 60;

/// Samples without a value for an entry, beyond those with one, before it is given up.
pub(crate) const MOST_MISSING: usize = 5;

/// The black box with what it has said so far, shared by all entries.
pub(crate) struct Source<'a> {
    pub(crate) names: Arc<Names>,
    pub(crate) settings: &'a Settings,
    black_box: &'a mut BlackBox<'a>,
    /// Which entries are still open.
    asked: Vec<bool>,
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
        let asked = vec![true; count];
        Source { names, settings, black_box, asked, draw, base, pools, fresh: Vec::new(), evaluations: 0 }
    }

    /// Only these entries need values from now on.
    pub(crate) fn ask_for(&mut self, entries: &[usize]) {
        self.asked.fill(false);
        entries.iter().for_each(|&entry| self.asked[entry] = true);
    }

    /// An entry that resists needs no more values.
    pub(crate) fn give_up(&mut self, entry: usize) {
        self.asked[entry] = false;
    }

    /// Values at some samples made by a rule, `most` or fewer; the rule is asked
    /// again where there are none at all.
    pub(crate) fn evaluate<T>(
        &mut self,
        most: usize,
        rule: &mut dyn FnMut(&mut Draw) -> (Sample, T),
    ) -> Vec<(Sample, T, Values)> {
        let mut refusals = 0;
        while refusals < MOST_REFUSALS {
            let (samples, beside): (Vec<Sample>, Vec<T>) = (0..most).map(|_| rule(&mut self.draw)).unzip();
            self.evaluations += samples.len();
            let answers = (self.black_box)(&samples, &self.asked);
            assert_eq!(answers.len(), samples.len(), "an answer for each sample");
            let all = samples.into_iter().zip(beside).zip(answers);
            let known: Vec<_> = all.filter_map(|((sample, t), values)| Some((sample, t, values?))).collect();
            assert!(known.iter().all(|(_, _, v)| v.len() == self.asked.len()), "a value for each entry");
            if !known.is_empty() {
                return known;
            }
            refusals += most.max(1);
        }
        Vec::new()
    }

    /// Another base point, at which nothing is known yet.
    pub(crate) fn new_base(&mut self) -> Option<()> {
        let (sample, (), values) = self.evaluate(1, &mut |draw| (draw.sample(), ())).pop()?;
        self.base = (sample, values);
        let last = self.pools.len().saturating_sub(1);
        self.pools[..last].iter_mut().for_each(Vec::clear);
        Some(())
    }

    /// The values of all variables and of one entry at the k-th sample of a pool.
    pub(crate) fn pooled(&mut self, pool: usize, k: usize, entry: usize) -> Option<(&[Fp], Option<Fp>)> {
        while self.pools[pool].len() <= k {
            let base = self.base.0.clone();
            let more = self.evaluate(self.settings.together, &mut |draw| {
                let mut sample = base.clone();
                (0..=pool).for_each(|place| *sample.value_mut(place) = draw.value(place));
                (sample, ())
            });
            if more.is_empty() {
                return None;
            }
            self.pools[pool]
                .extend(more.into_iter().map(|(sample, (), values)| (sample.values_fp(), values)));
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
        let (mut agreed, mut missing) = (0, 0);
        for k in 0.. {
            if agreed == self.settings.checks {
                break;
            }
            if missing > MOST_MISSING + agreed {
                return Err(Resistance::NoNumber { samples: missing });
            }
            if k == self.fresh.len() {
                let together = self.settings.together.min(self.settings.checks);
                let more = self.evaluate(together, &mut |draw| (draw.sample(), ()));
                self.fresh.extend(more.into_iter().map(|(sample, (), values)| (sample, values)));
            }
            let Some((sample, values)) = self.fresh.get(k) else {
                return Err(Resistance::NoValues { tried: MOST_REFUSALS });
            };
            match values[entry] {
                None => missing += 1,
                Some(_) if self.names.freedoms() == 0 => agreed = self.settings.checks,
                value if function.evaluate_fp(&sample.lengths_fp(), &sample.angles_fp()) == value => {
                    agreed += 1
                }
                Some(_) => return Err(Resistance::Refuted),
            }
        }
        if let Some(known) = &self.settings.reference {
            let (value, reference) = (function.evaluate(&known.lengths, &known.angles), known.values[entry]);
            if (value - reference).abs() > 1e-9 * reference.abs().max(0.1) {
                return Err(Resistance::Reference { value, reference });
            }
        }
        Ok(function)
    }
}
