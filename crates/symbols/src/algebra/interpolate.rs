//! Rational functions from their values in the prime field.
//!
//! A black box gives all entries at once at chosen lengths and half-angle tangents. For each entry: in every variable the degrees
//! of numerator and denominator, from values along a line (univariate rational interpolation); the total degrees in the lengths
//! and in the tangents, along lines that move all of them; then the coefficients, as the one solution of a linear system over the monomials these
//! degrees and the entry's physical dimension allow. Residues are lifted to exact numbers, and the result is compared with
//! the black box at fresh values: a wrong function of degree d over values drawn from a set of n agrees at one with probability
//! at most d/n (Schwartz and Zippel).
//!
//! # Reference
//! [iriarte2015], equation (20): dimensions of the weights, here of numerator and denominator.

use std::fmt;
use std::sync::Arc;

use steiner_scalar::Fp;

use super::names::Names;
use super::rational_function::RationalFunction;
use super::sample::{Draw, Sample};
use super::shape::{Shape, shapes};
use super::support::solved;

/// How samples are drawn and results believed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Samples are drawn near these values. Any will do where the black box can be evaluated anywhere.
    pub centre: Sample,
    /// Largest relative distance of a value from the centre's. Default 0.2.
    pub spread: f64,
    /// Decimal places of the values drawn. Default 9: many different values for F_p. Where values of the black box must be recognised
    /// as rationals, 3 keeps them short.
    pub digits: u32,
    /// The same seed draws the same samples.
    pub seed: u64,
    /// Entries with more unknown coefficients than this resist. Default 1500.
    pub most_unknowns: usize,
    /// Degrees above this in one variable resist. Default 24, in half-angle tangents twice that of sines.
    pub most_degree: usize,
    /// Largest bits of numerator times denominator of a coefficient. Default 40: one random residue in 25 000 is
    /// mistaken for a rational; see `reference`.
    pub coefficient_bits: u32,
    /// Fresh values at which a result must agree. Default 6.
    pub checks: usize,
    /// The entries at the centre in doubles, if known: results must agree with them to 1e-9 of their size, which excludes mistaken
    /// rationals.
    pub reference: Option<Vec<f64>>,
}

impl Settings {
    /// The defaults, near these values.
    pub fn near(centre: Sample) -> Self {
        Settings {
            centre,
            spread: 0.2,
            digits: 9,
            seed: 1,
            most_unknowns: 1500,
            most_degree: 24,
            coefficient_bits: 40,
            checks: 6,
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

/// Why an entry was not recovered.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Resistance {
    /// The black box has no values near the centre.
    NoValues { tried: usize },
    /// Along one variable it is no rational function of low degree.
    NotRational { variable: String, points: usize },
    /// Degrees of numerator and denominator in the lengths do not differ by the dimension.
    Dimension { stated: i32, found: i32 },
    /// Too many coefficients for the linear system.
    TooManyUnknowns { unknowns: usize, most: usize },
    /// No quotient with the degrees found along lines has the values.
    NoSolution { unknowns: usize },
    /// A coefficient is no short rational, nor one with a square root.
    Coefficient { residue: u64 },
    /// The black box gave this entry no value at many samples.
    NoNumber { samples: usize },
    /// The lifted function differs from the black box at a fresh sample.
    Refuted,
    /// The lifted function differs from the reference in doubles.
    Reference { value: f64, reference: f64 },
}

impl fmt::Display for Resistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resistance::NoValues { tried } => {
                write!(f, "none of {tried} samples near the given lengths could be evaluated")
            }
            Resistance::NotRational { variable, points } => {
                write!(f, "{points} values along {variable} are those of no rational function of low degree")
            }
            Resistance::Dimension { stated, found } => {
                write!(
                    f,
                    "it scales with the power {found} of the lengths, not {stated} as its dimension says"
                )
            }
            Resistance::TooManyUnknowns { unknowns, most } => {
                write!(
                    f,
                    "its degrees allow {unknowns} coefficients, more than the {most} that are solved for"
                )
            }
            Resistance::NoSolution { unknowns } => {
                write!(f, "no quotient with its degrees ({unknowns} coefficients) has its values")
            }
            Resistance::Coefficient { .. } => {
                write!(f, "a coefficient is no short fraction, nor one with a square root of 2, 3, 5 or 7")
            }
            Resistance::NoNumber { samples } => {
                write!(f, "at {samples} samples its value was not recognised as an exact number")
            }
            Resistance::Refuted => write!(f, "the function found differs from the values at fresh lengths"),
            Resistance::Reference { value, reference } => {
                write!(f, "the function found gives {value:e} where {reference:e} is known")
            }
        }
    }
}

/// Values of all entries at a sample: `None` where nothing can be evaluated, or in place of an entry that has no exact value.
pub type BlackBox<'b> = dyn FnMut(&Sample) -> Option<Vec<Option<Fp>>> + 'b;

/// What [`interpolate`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolation {
    /// By entry.
    pub entries: Vec<Recovered>,
    /// How often the black box was asked, refusals included.
    pub evaluations: usize,
}

/// Recovers all entries of a black box as rational functions.
///
/// `dimensions` has one number for each entry: the power of length it has (−2 … 2), or `None` if lengths without a name
/// are involved, so that nothing is homogeneous. The black box answers `None` where it cannot be evaluated (a mechanism that does not
/// assemble); another sample is drawn then.
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
/// If the centre has not as many values as there are names, or an answer of the black box not as many as `dimensions`.
pub fn interpolate(
    names: &Arc<Names>,
    dimensions: &[Option<i32>],
    black_box: &mut dyn FnMut(&Sample) -> Option<Vec<Fp>>,
    settings: &Settings,
) -> Interpolation {
    let mut of_all = |sample: &Sample| Some(black_box(sample)?.into_iter().map(Some).collect());
    interpolate_partial(names, dimensions, &mut of_all, settings)
}

/// As [`interpolate`], for a black box that may lack single entries at a sample, such as reals that could not be recognised. An
/// entry that is missing often resists; the others do not suffer.
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
    // A base point where a leading coefficient happens to vanish shows degrees that are too low: then another is taken.
    for _ in 0..ATTEMPTS {
        let open: Vec<usize> = (0..entries.len()).filter(|&k| is_open(&entries[k])).collect();
        if open.is_empty() {
            break;
        }
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
/// Samples that cannot be evaluated, one after the other, before giving up.
const MOST_REFUSALS: usize = 60;

/// Samples without a value for an entry, beyond those with one, before it is given up.
pub(crate) const MOST_MISSING: usize = 5;

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
    evaluations: usize,
}

impl<'a> Source<'a> {
    fn new(
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

    fn new_base(&mut self) -> Option<()> {
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
    fn confirmed(
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
            if !((value - reference).abs() <= 1e-9 * reference.abs().max(1e-3)) {
                return Err(Resistance::Reference { value, reference });
            }
        }
        Ok(function)
    }
}
