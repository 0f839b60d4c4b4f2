//! Rational functions from their values in the prime field.
//!
//! A black box gives all entries at once at chosen lengths and half-angle tangents. For each entry: in every
//! variable the degrees of numerator and denominator, from values along a line (univariate rational
//! interpolation); the total degrees in the lengths and in the tangents, along lines that move all of them;
//! then the coefficients, as the one solution of a linear system over the monomials these degrees and the
//! entry's physical dimension allow. Residues are lifted to exact numbers, and the result is compared with
//! the black box at fresh values: a wrong function of degree d over values drawn from a set of n agrees at
//! one with probability at most d/n (Schwartz and Zippel).
//!
//! # Reference
//! [zippel1979]; [iriarte2015], equation (20): dimensions of the weights, here of numerator and denominator.

use std::sync::Arc;

use steiner_scalar::Fp;

use super::names::Names;
use super::rational_function::RationalFunction;
use super::resistance::Resistance;
use super::sample::Sample;
use super::shape::{Shape, shapes};
use super::source::Source;
use super::support::solved;

/// How samples are drawn and results believed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Samples are drawn near these values. Any will do where the black box can be evaluated anywhere.
    pub centre: Sample,
    /// Largest relative distance of a value from the centre's. Default 0.2.
    pub spread: f64,
    /// Decimal places of the values drawn. Default 9: many different values for F_p. Where values of the
    /// black box must be recognised as rationals, 3 keeps them short.
    pub digits: u32,
    /// The same seed draws the same samples.
    pub seed: u64,
    /// Entries with more unknown coefficients than this resist. Default 400.
    pub most_unknowns: usize,
    /// Degrees above this in one variable resist. Default 12; a half-angle tangent
    /// has twice the degree of its sine.
    pub most_degree: usize,
    /// Largest bits of numerator times denominator of a coefficient. Default 40: one random residue in 25 000
    /// is mistaken for a rational; see `reference`.
    pub coefficient_bits: u32,
    /// Fresh values at which a result must agree. Default 6.
    pub checks: usize,
    /// How many samples the black box is asked for at once. Default 1; where it is slow, a few, so
    /// that it may work on all together.
    pub together: usize,
    /// What is known already: results must agree with it to 1e-9 of their size, or to 1e-10,
    /// which excludes mistaken rationals.
    pub reference: Option<Reference>,
}

/// The entries somewhere, in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Lengths, m.
    pub lengths: Vec<f64>,
    /// Angles, rad.
    pub angles: Vec<f64>,
    /// Values of the entries at these lengths and angles.
    pub values: Vec<f64>,
}

impl Settings {
    /// The defaults, near these values.
    pub fn near(centre: Sample) -> Self {
        Settings {
            centre,
            spread: 0.2,
            digits: 9,
            seed: 1,
            most_unknowns: 400,
            most_degree: 12,
            coefficient_bits: 40,
            checks: 6,
            together: 1,
            reference: None,
        }
    }
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Recovered {
    /// It is this function.
    Function(RationalFunction),
    /// It was not recovered, and why.
    Resists(Resistance),
}

impl Recovered {
    /// The function, if it was recovered.
    pub fn function(&self) -> Option<&RationalFunction> {
        match self {
            Recovered::Function(function) => Some(function),
            Recovered::Resists(_) => None,
        }
    }
}

/// Values of all entries at one sample; `None` in place of an entry that has no exact value there.
pub type Values = Vec<Option<Fp>>;

/// Values at several samples: `None` where nothing can be evaluated. The second argument says which entries
/// are still asked for: the others may be left out.
pub type BlackBox<'b> = dyn FnMut(&[Sample], &[bool]) -> Vec<Option<Values>> + 'b;

/// Functions that [`interpolate`] found, with their checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolation {
    /// Result for each entry.
    pub entries: Vec<Recovered>,
    /// How often the black box was asked, refusals included.
    pub evaluations: usize,
}

/// Recovers all entries of a black box as rational functions.
///
/// `dimensions` has one number for each entry: the power of length it has (−2 … 2), or `None` if lengths
/// without a name are involved, so that nothing is homogeneous. The black box answers `None` where it cannot
/// be evaluated (a mechanism that does not assemble); another sample is drawn then.
///
/// ```
/// use steiner_scalar::{Field, Fp, Rational};
/// use steiner_symbols::algebra::{Names, Sample, Settings, interpolate};
/// let names = Names::new(["l1", "l2"], ["a"]);
/// let centre = Sample { lengths: vec![Rational::from(1); 2], tangents: vec![Rational::from(1)] };
/// let mut black_box = |sample: &Sample| {
///     let (l, a) = (sample.lengths_fp(), sample.angles_fp());
///     let (sin, cos) = a[0];
///     let sum_of_squares = l[0] * l[0] + l[1] * l[1];
///     Some(vec![-l[0] * l[0] * cos, (l[0] * sin) * sum_of_squares.try_inv()?])
/// };
/// let found = interpolate(&names, &[Some(2), Some(-1)], &mut black_box, &Settings::near(centre));
/// let text: Vec<_> = found.entries.iter().map(|entry| entry.function().unwrap().text()).collect();
/// assert_eq!(text, ["-l1²·cos(a)", "l1·sin(a)/(l1² + l2²)"]);
/// ```
///
/// # Panics
/// If the centre has not as many values as there are names, or an answer of the black
/// box not as many as `dimensions`.
pub fn interpolate(
    names: &Arc<Names>,
    dimensions: &[Option<i32>],
    black_box: &mut dyn FnMut(&Sample) -> Option<Vec<Fp>>,
    settings: &Settings,
) -> Interpolation {
    let mut of_all = |samples: &[Sample], _: &[bool]| {
        samples.iter().map(|sample| Some(black_box(sample)?.into_iter().map(Some).collect())).collect()
    };
    interpolate_partial(names, dimensions, &mut of_all, settings)
}

/// As [`interpolate`], for a black box that may lack single entries at a sample, such as reals that could not
/// be recognised. An entry that is missing often resists; the others do not suffer.
///
/// # Panics
/// As [`interpolate`].
pub fn interpolate_partial(
    names: &Arc<Names>,
    dimensions: &[Option<i32>],
    black_box: &mut BlackBox<'_>,
    settings: &Settings,
) -> Interpolation {
    let centre = &settings.centre;
    assert_eq!(
        (centre.lengths.len(), centre.tangents.len()),
        (names.lengths.len(), names.angles.len()),
        "a centre with a value for each name"
    );
    let mut entries: Vec<Option<Recovered>> = vec![None; dimensions.len()];
    let mut source = Source::new(names, dimensions.len(), black_box, settings);
    // A base point where a leading coefficient happens to vanish shows degrees that are
    // too low: then another is taken.
    for _ in 0..ATTEMPTS {
        let open: Vec<usize> = (0..entries.len()).filter(|&k| is_open(&entries[k])).collect();
        if open.is_empty() {
            break;
        }
        source.ask_for(&open);
        match source.new_base() {
            Some(()) => {
                let found = shapes(&mut source, &open, dimensions);
                for (&entry, shape) in open.iter().zip(found) {
                    entries[entry] = Some(recovered(&mut source, entry, shape, dimensions[entry]));
                }
            }
            None => {
                let reason = Resistance::NoValues { tried: source.evaluations };
                open.iter().for_each(|&k| entries[k] = Some(Recovered::Resists(reason.clone())));
                break;
            }
        }
    }
    let reason = Resistance::NoValues { tried: source.evaluations };
    let entries = entries.into_iter().map(|e| e.unwrap_or(Recovered::Resists(reason.clone()))).collect();
    Interpolation { entries, evaluations: source.evaluations }
}

/// How many base points are tried.
const ATTEMPTS: usize = 2;
fn is_open(entry: &Option<Recovered>) -> bool {
    matches!(entry, None | Some(Recovered::Resists(Resistance::NoSolution { .. } | Resistance::Refuted)))
}

fn recovered(
    source: &mut Source<'_>,
    entry: usize,
    shape: Result<Shape, Resistance>,
    dimension: Option<i32>,
) -> Recovered {
    let found = shape
        .and_then(|shape| solved(source, entry, &shape, dimension))
        .and_then(|function| source.confirmed(entry, function));
    match found {
        Ok(function) => Recovered::Function(function),
        Err(reason) => Recovered::Resists(reason),
    }
}
