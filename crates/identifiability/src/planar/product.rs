//! The product function class: (21) of \[iriarte2015\], and the search in it.
//!
//! (21) as printed lacks Λ/Λ, though the text before it speaks of quotients of any two elements of λ
//! and Λ; such weights do occur, as where a cut between two links passes a moment of inertia from one
//! to the other: J_b + Λ_b/Λ_a J_a.

use std::cmp::Ordering;

use steiner_scalar::{DoubleDouble, Field, Real, Scalar};

use super::parametrisation::{PlanarLength, PlanarSquare};

/// A factor of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LengthFactor {
    /// λ, by its place among the lengths.
    Length(usize),
    /// Λ, by its place among the squares.
    Square(usize),
}

/// A sign and lengths over lengths, in lowest terms, factors ascending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LengthProduct {
    /// Whether it is negative.
    pub negative: bool,
    /// Lengths in the numerator.
    pub numerator: Vec<LengthFactor>,
    /// Lengths in the denominator.
    pub denominator: Vec<LengthFactor>,
}

/// λ and Λ at some lengths.
#[derive(Clone, Debug)]
pub(crate) struct Lengths<F> {
    pub(crate) lengths: Vec<F>,
    pub(crate) squares: Vec<F>,
}

impl<F: Field> Lengths<F> {
    pub(crate) fn new(lengths: Vec<F>, squares: &[PlanarSquare]) -> Self {
        let squared = |k: usize| lengths[k].clone() * lengths[k].clone();
        let squares = squares.iter().map(|s| squared(s.lengths[0]) + squared(s.lengths[1])).collect();
        Lengths { lengths, squares }
    }

    fn factor(&self, factor: LengthFactor) -> F {
        match factor {
            LengthFactor::Length(k) => self.lengths[k].clone(),
            LengthFactor::Square(k) => self.squares[k].clone(),
        }
    }

    /// The value of a product; `None` where it divides by zero.
    pub(crate) fn value(&self, term: &LengthProduct) -> Option<F> {
        let over = |factors: &[LengthFactor]| {
            factors.iter().fold(F::one(), |product, &factor| product * self.factor(factor))
        };
        let value = over(&term.numerator) * over(&term.denominator).try_inv()?;
        Some(if term.negative { -value } else { value })
    }
}

impl LengthProduct {
    /// A product in lowest terms: common lengths are cancelled.
    pub fn new(negative: bool, mut numerator: Vec<LengthFactor>, denominator: Vec<LengthFactor>) -> Self {
        let mut left = Vec::with_capacity(denominator.len());
        for factor in denominator {
            match numerator.iter().position(|other| *other == factor) {
                Some(at) => _ = numerator.swap_remove(at),
                None => left.push(factor),
            }
        }
        numerator.sort_unstable();
        left.sort_unstable();
        LengthProduct { negative, numerator, denominator: left }
    }

    /// One, the empty product.
    pub fn one() -> Self {
        LengthProduct { negative: false, numerator: Vec::new(), denominator: Vec::new() }
    }

    /// The product of two.
    pub fn times(&self, other: &Self) -> Self {
        let joined = |a: &[LengthFactor], b: &[LengthFactor]| [a, b].concat();
        LengthProduct::new(
            self.negative != other.negative,
            joined(&self.numerator, &other.numerator),
            joined(&self.denominator, &other.denominator),
        )
    }

    fn inverse(self) -> Self {
        LengthProduct { negative: self.negative, numerator: self.denominator, denominator: self.numerator }
    }

    /// In plain text, with the names of lengths; a square is the square of its named distance.
    pub fn text(&self, lengths: &[PlanarLength], squares: &[PlanarSquare]) -> String {
        let side = |factors: &[LengthFactor]| -> Vec<String> {
            let mut powers: Vec<(&str, usize)> = Vec::new();
            for factor in factors {
                let (name, power) = match factor {
                    LengthFactor::Length(k) => (lengths[*k].name.as_str(), 1),
                    LengthFactor::Square(k) => (squares[*k].name.as_str(), 2),
                };
                match powers.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, count)) => *count += power,
                    None => powers.push((name, power)),
                }
            }
            let shown = |(name, power): (&str, usize)| match power {
                1 => name.to_owned(),
                _ => format!("{name}^{power}"),
            };
            powers.into_iter().map(shown).collect()
        };
        let (above, below) = (side(&self.numerator), side(&self.denominator));
        let sign = if self.negative { "-" } else { "" };
        let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
        match &below[..] {
            [] => format!("{sign}{above}"),
            [one] => format!("{sign}{above}/{one}"),
            more => format!("{sign}{above}/({})", more.join("*")),
        }
    }
}

/// The class (21) at some lengths: for each dimension 0, 1, 2 the candidates with their values, ascending.
pub(crate) struct ProductClass {
    by_dimension: [Vec<(DoubleDouble, LengthProduct)>; 3],
}

/// How an entry of β was recognised.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanarWeight {
    /// The weight is zero at all lengths.
    Zero,
    /// Exactly one product of lengths has its value.
    Product(LengthProduct),
    /// Several products have its value at the lengths of the search.
    Ambiguous {
        /// Value of the weight at the prime lengths.
        value: f64,
        /// Products of lengths that all have this value.
        candidates: Vec<LengthProduct>,
    },
    /// No product of the class has its value.
    Outside {
        /// The value at the lengths of the search.
        value: f64,
    },
}

impl ProductClass {
    /// λ are the first `searched` lengths. `aligned` are the points whose distance is a single
    /// length: their Λ is its square.
    pub(crate) fn new(searched: usize, aligned: &[usize], at: &Lengths<DoubleDouble>) -> Self {
        let lengths: Vec<LengthFactor> = (0..searched).map(LengthFactor::Length).collect();
        let squares: Vec<Vec<LengthFactor>> = (0..at.squares.len())
            .map(|k| vec![LengthFactor::Square(k)])
            .chain(aligned.iter().map(|&k| vec![LengthFactor::Length(k); 2]))
            .collect();
        let (none, plus) = (Vec::new(), false);
        let pairs = || lengths.iter().flat_map(|&a| lengths.iter().map(move |&b| (a, b)));
        let of_squares = || squares.iter().flat_map(|s| lengths.iter().map(move |&b| (s.clone(), b)));
        let of_two_squares =
            || squares.iter().flat_map(|s| squares.iter().map(move |t| (s.clone(), t.clone())));
        let dimensions: [Vec<LengthProduct>; 3] = [
            std::iter::once(LengthProduct::one()) // (21a)
                .chain(pairs().map(|(a, b)| LengthProduct::new(plus, vec![a], vec![b]))) // (21b)
                .chain(of_two_squares().map(|(s, t)| LengthProduct::new(plus, s, t)))
                .collect(),
            lengths
                .iter()
                .map(|&a| LengthProduct::new(plus, vec![a], none.clone())) // (21c)
                .chain(of_squares().map(|(s, b)| LengthProduct::new(plus, s, vec![b]))) // (21d)
                .collect(),
            squares
                .iter()
                .map(|s| LengthProduct::new(plus, s.clone(), none.clone())) // (21e)
                .chain(pairs().map(|(a, b)| LengthProduct::new(plus, vec![a, b], none.clone()))) // (21f)
                .collect(),
        ];
        let by_dimension = dimensions.map(|mut terms| {
            // The same function may be written in several ways: Λ/λ is λ where the distance is that length.
            terms.sort();
            terms.dedup();
            let valued = terms.into_iter().filter_map(|term| Some((at.value(&term)?, term)));
            let mut valued: Vec<(DoubleDouble, LengthProduct)> = valued.collect();
            valued
                .sort_by(|(a, s), (b, t)| a.partial_cmp(b).unwrap_or(Ordering::Equal).then_with(|| s.cmp(t)));
            valued
        });
        ProductClass { by_dimension }
    }

    /// Least relative distance between candidates of one dimension.
    pub(crate) fn separation(&self) -> f64 {
        let between = |pair: &[(DoubleDouble, LengthProduct)]| ((pair[1].0 - pair[0].0) / pair[1].0).to_f64();
        self.by_dimension.iter().flat_map(|valued| valued.windows(2).map(between)).fold(1.0, f64::min)
    }

    /// How many candidates there are.
    pub(crate) fn len(&self) -> usize {
        self.by_dimension.iter().map(Vec::len).sum()
    }

    /// The candidates of a dimension within a tolerance of a value.
    pub(crate) fn recognise(&self, value: DoubleDouble, dimension: i32, tolerance: f64) -> PlanarWeight {
        let (negative, size) = (value < DoubleDouble::zero(), value.abs());
        let Some(valued) = self.by_dimension.get(dimension.unsigned_abs() as usize) else {
            return PlanarWeight::Outside { value: value.to_f64() };
        };
        // (21) is for positive dimensions; the inverse is searched for negative ones.
        let matches = |candidate: DoubleDouble| {
            let candidate = if dimension < 0 { candidate.inv() } else { candidate };
            (candidate - size).abs().to_f64() < tolerance
        };
        let mut found: Vec<LengthProduct> = valued
            .iter()
            .filter(|(candidate, _)| matches(*candidate))
            .map(|(_, term)| {
                let term = if dimension < 0 { term.clone().inverse() } else { term.clone() };
                LengthProduct { negative, ..term }
            })
            .collect();
        match found.len() {
            0 => PlanarWeight::Outside { value: value.to_f64() },
            1 => PlanarWeight::Product(found.remove(0)),
            _ => PlanarWeight::Ambiguous { value: value.to_f64(), candidates: found },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class counted by hand: 2N = 4 lengths, one pair of them a square's.
    #[test]
    fn every_function_of_the_class_is_found_once_and_nothing_else() {
        let squares = [PlanarSquare { name: "l2".to_owned(), lengths: [1, 2] }];
        let at = Lengths::new([0.3, 0.7, 1.1, 1.3].map(DoubleDouble::from_f64).to_vec(), &squares);
        let class = ProductClass::new(4, &[0, 3], &at);
        // Dimensionless: 1, 12 quotients of lengths, 6 of the squares, of which the single ones' are λ²/λ².
        // L: 4 lengths, 4 of the square, 2·3 of single squares. L²: the square and 10 products.
        assert_eq!(class.by_dimension.each_ref().map(Vec::len), [19, 14, 11]);
        assert!(class.separation() > 1e-4);
        for (dimension, valued) in class.by_dimension.iter().enumerate() {
            for (value, term) in valued {
                let (up, down) = (dimension as i32, -(dimension as i32));
                assert_eq!(class.recognise(*value, up, 1e-12), PlanarWeight::Product(term.clone()));
                let inverse = LengthProduct { negative: true, ..term.clone() }.inverse();
                if down < 0 {
                    assert_eq!(class.recognise(-value.inv(), down, 1e-12), PlanarWeight::Product(inverse));
                }
            }
        }
        assert_eq!(
            class.recognise(DoubleDouble::from_f64(0.123), 1, 1e-12),
            PlanarWeight::Outside { value: 0.123 }
        );
        let twice = [2.0, 2.0, 3.0].map(DoubleDouble::from_f64);
        let crowded = ProductClass::new(3, &[], &Lengths::new(twice.to_vec(), &[]));
        assert!(
            matches!(crowded.recognise(twice[0], 1, 1e-12), PlanarWeight::Ambiguous { candidates, .. } if candidates.len() == 2)
        );
    }
}
