//! Random rational functions come back exactly from their values in the prime field; what is no such function resists.

use std::sync::Arc;
use std::time::Instant;

use steiner_scalar::{Field, Fp, Rational, Stream};
use steiner_symbols::algebra::{
    Names, Polynomial, Radical, RationalFunction, Recovered, Resistance, Sample, Settings, Variable,
    interpolate,
};

/// Integers from a stream.
struct Dice(Stream);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        (self.0.residue().residue() % n as u64) as usize
    }
    fn coefficient(&mut self, root: u64) -> Radical {
        let n = [-3, -2, -1, 1, 2, 5][self.below(6)];
        let d = if self.below(3) == 0 { root } else { 1 };
        Radical::root(Rational::from(n) / Rational::from([1, 1, 2, 3][self.below(4)]), d).unwrap()
    }
    /// Some terms of a degree in the lengths, times sines and cosines to a degree.
    fn polynomial(
        &mut self,
        names: &Arc<Names>,
        terms: usize,
        degree: usize,
        trigonometric: usize,
        root: u64,
    ) -> Polynomial {
        let mut sum = Polynomial::zero(names);
        for _ in 0..terms {
            let mut term = Polynomial::constant(names, self.coefficient(root));
            for _ in 0..degree {
                let k = self.below(names.lengths.len());
                term = &term * &Polynomial::variable(names, Variable::Length(k));
            }
            if !names.angles.is_empty() {
                for _ in 0..self.below(trigonometric + 1) {
                    let k = self.below(names.angles.len());
                    let variable = [Variable::Sine(k), Variable::Cosine(k)][self.below(2)];
                    term = &term * &Polynomial::variable(names, variable);
                }
            }
            sum = &sum + &term;
        }
        sum
    }
}

fn names_of(lengths: usize, angles: usize) -> Arc<Names> {
    Names::new((1..=lengths).map(|k| format!("l{k}")), (1..=angles).map(|k| format!("a{k}")))
}

fn centre(names: &Names) -> Sample {
    let value = |k: usize, n: u64| Rational::from(n + k as u64) / Rational::from(10);
    Sample {
        lengths: (0..names.lengths.len()).map(|k| value(k, 3)).collect(),
        tangents: (0..names.angles.len()).map(|k| value(k, 7)).collect(),
    }
}

fn values(functions: &[RationalFunction], sample: &Sample) -> Option<Vec<Fp>> {
    let (lengths, angles) = (sample.lengths_fp(), sample.angles_fp());
    functions.iter().map(|f| f.evaluate_fp(&lengths, &angles)).collect()
}

/// Several entries at once, of degrees up to `degree` over `degree`.
fn recovers(seed: u64, lengths: usize, angles: usize, degree: usize, trigonometric: usize, root: u64) {
    let names = names_of(lengths, angles);
    let mut dice = Dice(Stream::new(seed));
    let mut functions = Vec::new();
    let mut dimensions = Vec::new();
    while functions.len() < 6 {
        let (n, d) = (dice.below(degree + 1), dice.below(degree + 1));
        let (n_terms, d_terms) = (1 + dice.below(5), 1 + dice.below(3));
        let numerator = dice.polynomial(&names, n_terms, n, trigonometric, root);
        let denominator = dice.polynomial(&names, d_terms, d, trigonometric.saturating_sub(1), root);
        if let Some(f) = RationalFunction::new(numerator, denominator) {
            dimensions.push((!f.is_zero()).then_some(n as i32 - d as i32).or(Some(0)));
            functions.push(f);
        }
    }
    let begin = Instant::now();
    let found =
        interpolate(&names, &dimensions, &mut |s| values(&functions, s), &Settings::near(centre(&names)));
    let time = begin.elapsed();
    eprintln!(
        "{lengths} lengths, {angles} angles, degree {degree}: {} evaluations, {time:.1?}",
        found.evaluations
    );
    for (k, (function, entry)) in functions.iter().zip(&found.entries).enumerate() {
        match entry {
            Recovered::Function(f) => assert_eq!(f, function, "entry {k}"),
            Recovered::Resists(reason) => panic!("{function} resists: {reason}"),
        }
    }
}

#[test]
fn functions_of_lengths_come_back() {
    for seed in 0..6 {
        recovers(seed, 3, 0, 3, 0, 1);
        recovers(10 + seed, 6, 0, 4, 0, 1);
    }
}

#[test]
fn functions_of_lengths_and_angles_come_back() {
    for seed in 0..4 {
        recovers(20 + seed, 2, 1, 2, 2, 1);
        recovers(30 + seed, 3, 2, 2, 2, 1);
        recovers(40 + seed, 4, 2, 3, 2, 1);
    }
}

#[test]
fn roots_in_coefficients_come_back() {
    for seed in 0..4u64 {
        recovers(50 + seed, 3, 0, 3, 0, [2, 3, 5, 7][seed as usize]);
        recovers(60 + seed, 2, 1, 2, 2, 3);
    }
}
