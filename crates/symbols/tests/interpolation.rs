//! Random rational functions come back exactly from their values in the prime field;
//! what is no such function resists.

use std::sync::Arc;
use std::time::Instant;

use steiner_linalg::Stream;
use steiner_scalar::{Field, Fp, Rational};
use steiner_symbols::algebra::{
    Names, Polynomial, Radical, RationalFunction, Recovered, Reference, Resistance, Sample, Settings,
    Variable, interpolate,
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

/// How many seeds: more when asked to be thorough.
fn seeds(few: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("STEINER_THOROUGH").is_some() { 20 * few } else { few }
}

#[test]
fn functions_of_lengths_come_back() {
    for seed in seeds(6) {
        recovers(seed, 3, 0, 3, 0, 1);
        recovers(1000 + seed, 6, 0, 4, 0, 1);
    }
}

#[test]
fn functions_of_lengths_and_angles_come_back() {
    for seed in seeds(4) {
        recovers(2000 + seed, 2, 1, 2, 2, 1);
        recovers(3000 + seed, 3, 2, 2, 2, 1);
        recovers(4000 + seed, 4, 2, 3, 2, 1);
    }
}

#[test]
fn roots_in_coefficients_come_back() {
    for seed in seeds(4) {
        recovers(5000 + seed, 3, 0, 3, 0, [2, 3, 5, 7][seed as usize % 4]);
        recovers(6000 + seed, 2, 1, 2, 2, 3);
    }
}

#[test]
fn dense_quotients_of_six_lengths_and_degree_four_come_back() {
    let names = names_of(6, 0);
    let mut dice = Dice(Stream::new(70));
    let numerator = dice.polynomial(&names, 80, 4, 0, 1);
    let denominator = dice.polynomial(&names, 40, 4, 0, 1);
    let functions = [RationalFunction::new(numerator, denominator).unwrap()];
    let begin = Instant::now();
    let settings = Settings::near(centre(&names));
    let found = interpolate(&names, &[Some(0)], &mut |s| values(&functions, s), &settings);
    eprintln!("dense: {} evaluations, {:.1?}", found.evaluations, begin.elapsed());
    assert_eq!(found.entries[0].function(), Some(&functions[0]));
}

#[test]
fn numbers_come_back_and_zero() {
    let names = names_of(2, 1);
    let functions = ["3/7", "sqrt(2)/3", "1/2 - sqrt(3)/5", "0"].map(|text| {
        let exact = steiner_scalar::Exact::parse(text).unwrap();
        RationalFunction::constant(&names, Radical::from_exact(&exact).unwrap())
    });
    let settings = Settings::near(centre(&names));
    let found = interpolate(&names, &[Some(0); 4], &mut |s| values(&functions, s), &settings);
    for (function, entry) in functions.iter().zip(&found.entries) {
        assert_eq!(entry.function(), Some(function));
    }
    // No names at all: nothing but numbers.
    let none = names_of(0, 0);
    let constant = RationalFunction::constant(&none, 5);
    let settings = Settings::near(Sample::default());
    let found = interpolate(&none, &[Some(0)], &mut |_| Some(vec![Fp::from_i64(5)]), &settings);
    assert_eq!(found.entries[0].function(), Some(&constant));
}

#[test]
fn samples_that_cannot_be_evaluated_are_replaced() {
    let names = names_of(3, 0);
    let l = |k| Polynomial::variable(&names, Variable::Length(k));
    let function = RationalFunction::new(&l(0) * &l(2), &l(1).power(2) + &l(2).power(2)).unwrap();
    let mut refused = 0;
    let mut black_box = |sample: &Sample| {
        // Assembles only if the first length is the shorter one by far enough.
        if sample.lengths[0] > &sample.lengths[1] * Rational::from(3) / Rational::from(4) {
            refused += 1;
            return None;
        }
        values(std::slice::from_ref(&function), sample)
    };
    let found = interpolate(&names, &[Some(0)], &mut black_box, &Settings::near(centre(&names)));
    assert_eq!(found.entries[0].function(), Some(&function));
    assert!(refused > 5, "{refused}");
    let found = interpolate(&names, &[Some(0)], &mut |_| None, &Settings::near(centre(&names)));
    assert!(matches!(found.entries[0], Recovered::Resists(Resistance::NoValues { .. })));
}

#[test]
fn what_is_no_rational_function_resists() {
    let names = names_of(2, 0);
    let settings = Settings::near(centre(&names));
    let mut stream = Stream::new(5);
    let irrational = stream.residue();
    let mut black_box = |sample: &Sample| {
        let l = sample.lengths_fp();
        Some(vec![
            l[0].power(1_000_003),    // no low degree
            irrational,               // no short number
            irrational * l[0] + l[1], // one coefficient of these
            l[0] * l[1],              // of another dimension than stated
            stream.residue(),         // noise
            l[0] * l[0],              // and one that is well
        ])
    };
    let dimensions = [1, 0, 1, 1, 0, 2].map(Some);
    let found = interpolate(&names, &dimensions, &mut black_box, &settings);
    let reasons: Vec<_> = found
        .entries
        .iter()
        .map(|entry| match entry {
            Recovered::Resists(reason) => format!("{reason}."),
            Recovered::Function(f) => f.text(),
        })
        .collect();
    eprintln!("{}", reasons.join("\n"));
    assert!(matches!(found.entries[0], Recovered::Resists(Resistance::NotRational { .. })));
    assert!(matches!(found.entries[1], Recovered::Resists(Resistance::Coefficient { .. })));
    assert!(matches!(found.entries[2], Recovered::Resists(Resistance::Coefficient { .. })));
    assert!(matches!(found.entries[3], Recovered::Resists(Resistance::Dimension { stated: 1, found: 2 })));
    assert!(matches!(found.entries[4], Recovered::Resists(Resistance::NotRational { .. })));
    assert_eq!(reasons[5], "l1²");
}

#[test]
fn too_many_unknowns_are_refused_with_their_number() {
    let names = names_of(6, 0);
    let mut dice = Dice(Stream::new(80));
    let functions = [RationalFunction::polynomial(dice.polynomial(&names, 90, 4, 0, 1))];
    let settings = Settings { most_unknowns: 40, ..Settings::near(centre(&names)) };
    let found = interpolate(&names, &[Some(4)], &mut |s| values(&functions, s), &settings);
    let Recovered::Resists(Resistance::TooManyUnknowns { unknowns, most: 40 }) = found.entries[0] else {
        panic!("{:?}", found.entries[0]);
    };
    assert!(unknowns > 40);
}

#[test]
fn a_reference_in_doubles_is_respected() {
    let names = names_of(2, 0);
    let mut black_box = |s: &Sample| Some(vec![s.lengths_fp()[0]]);
    let near = Settings::near(centre(&names));
    let at = |value| Some(Reference { lengths: vec![0.3, 0.4], angles: Vec::new(), values: vec![value] });
    let right = Settings { reference: at(0.3), ..near.clone() };
    assert!(interpolate(&names, &[Some(1)], &mut black_box, &right).entries[0].function().is_some());
    let wrong = Settings { reference: at(0.31), ..near };
    let found = interpolate(&names, &[Some(1)], &mut black_box, &wrong);
    assert!(matches!(found.entries[0], Recovered::Resists(Resistance::Reference { .. })));
}

#[test]
fn lengths_without_names_make_functions_that_are_not_homogeneous() {
    let names = names_of(2, 1);
    let l = |k| Polynomial::variable(&names, Variable::Length(k));
    let half = Polynomial::constant(&names, Rational::from(1) / Rational::from(2));
    let sine = Polynomial::variable(&names, Variable::Sine(0));
    let function =
        RationalFunction::new(&l(0) + &half, &(&l(1).power(2) + &half) + &(&l(0) * &sine)).unwrap();
    let settings = Settings::near(centre(&names));
    let mut black_box = |s: &Sample| values(std::slice::from_ref(&function), s);
    let found = interpolate(&names, &[None], &mut black_box, &settings);
    assert_eq!(found.entries[0].function(), Some(&function));
}

/// As for closed loops: reals of 60 digits at lengths of three decimals, recognised as rationals.
#[test]
fn values_of_sixty_digits_serve_as_well() {
    use steiner_scalar::{QuadDouble, Real, Scalar};
    use steiner_symbols::algebra::{interpolate_partial, recognise_residue};
    let names = names_of(4, 0);
    let at = |sample: &Sample| {
        let l: Vec<QuadDouble> = sample.lengths.iter().map(QuadDouble::from_rational).collect();
        // A linear system stands for the nullspace: its solutions are rational in the
        // lengths, its steps are rounded.
        let determinant = l[0] * l[1] + l[2] * l[3];
        let x = (l[0] * l[0] * l[3] - l[1] * l[2] * l[2]) * determinant.try_inv()?;
        let y = QuadDouble::from_f64(3.0).sqrt() * l[1] / (l[0] + l[2]);
        let sum = (l[0] + QuadDouble::from_f64(3.0).sqrt() * l[1]) * determinant.try_inv()?;
        let area = (l[0] * l[0] + l[1] * l[2]).sqrt();
        Some([x, y, sum, area].map(|x| recognise_residue(x, 1e-55, &[3])).to_vec())
    };
    let mut black_box = |samples: &[Sample], _: &[bool]| -> Vec<_> { samples.iter().map(at).collect() };
    let settings = Settings { digits: 3, together: 3, ..Settings::near(centre(&names)) };
    let found =
        interpolate_partial(&names, &[Some(1), Some(0), Some(-1), Some(1)], &mut black_box, &settings);
    let text: Vec<_> = found.entries.iter().map(|e| e.function().map(RationalFunction::text)).collect();
    let expected = ["(l1²·l4 - l2·l3²)/(l1·l2 + l3·l4)", "√3·l2/(l1 + l3)", "(l1 + √3·l2)/(l1·l2 + l3·l4)"];
    assert_eq!(text[..3], expected.map(|t| Some(t.to_owned())));
    // A root of lengths is no rational number at any of them, and the others do not mind.
    assert!(matches!(found.entries[3], Recovered::Resists(Resistance::NoNumber { .. })));
    eprintln!("60 digits: {} evaluations", found.evaluations);
}

#[test]
fn the_same_question_has_the_same_answer() {
    let names = names_of(3, 1);
    let mut dice = Dice(Stream::new(90));
    let (n, d) = (dice.polynomial(&names, 4, 3, 2, 1), dice.polynomial(&names, 3, 2, 1, 1));
    let functions = [RationalFunction::new(n, d).unwrap()];
    let run = || {
        let settings = Settings::near(centre(&names));
        interpolate(&names, &[Some(1)], &mut |s| values(&functions, s), &settings)
    };
    assert_eq!(run(), run());
}
