//! Where a function is evaluated: rational lengths and rational half-angle tangents near given ones.

use steiner_linalg::Stream;
use steiner_scalar::{Field, Fp, Rational};

use super::half_angle::circle;

/// Values of all lengths (m) and of the half-angle tangents t = tan(a/2) of all
/// angles, in the order of the names.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sample {
    /// Lengths in m.
    pub lengths: Vec<Rational>,
    /// tan(a/2) of the angles.
    pub tangents: Vec<Rational>,
}

impl Sample {
    /// All values: lengths, then tangents.
    pub fn values(&self) -> impl Iterator<Item = &Rational> {
        self.lengths.iter().chain(&self.tangents)
    }

    pub(crate) fn value_mut(&mut self, place: usize) -> &mut Rational {
        match place.checked_sub(self.lengths.len()) {
            None => &mut self.lengths[place],
            Some(k) => &mut self.tangents[k],
        }
    }

    /// Angles in rad.
    pub fn angles_f64(&self) -> Vec<f64> {
        self.tangents.iter().map(|t| 2.0 * t.to_f64().value().atan()).collect()
    }

    /// Lengths in doubles.
    pub fn lengths_f64(&self) -> Vec<f64> {
        self.lengths.iter().map(|l| l.to_f64().value()).collect()
    }

    /// Lengths in the prime field. Denominators of samples are small powers of ten
    /// and two, which p does not divide.
    pub fn lengths_fp(&self) -> Vec<Fp> {
        self.lengths.iter().map(residue).collect()
    }

    /// Pairs (sine, cosine) of all angles in the prime field.
    pub fn angles_fp(&self) -> Vec<(Fp, Fp)> {
        self.tangents.iter().map(|t| circle(residue(t))).collect()
    }

    pub(crate) fn values_fp(&self) -> Vec<Fp> {
        self.values().map(residue).collect()
    }
}

fn residue(r: &Rational) -> Fp {
    Fp::from_rational(r).unwrap_or(Fp::zero())
}

/// Draws samples near a given one: each value a prime over a power of ten.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    centre: Sample,
    spread: f64,
    digits: u32,
    stream: Stream,
}

/// Half-angle tangents near zero are varied as if they were this large, lengths near
/// zero as if they were a centimetre.
const SMALLEST: [f64; 2] = [0.01, 0.5];
/// Fewer choices for a value than this, and it gets a digit more.
const FEWEST_CHOICES: f64 = 200.0;
/// Numerators from here on need not be prime.
const LONG: u64 = 100_000;

impl Draw {
    pub(crate) fn new(centre: Sample, spread: f64, digits: u32, seed: u64) -> Self {
        Draw { centre, spread, digits, stream: Stream::new(seed) }
    }

    /// All values drawn.
    pub(crate) fn sample(&mut self) -> Sample {
        let mut out = self.centre.clone();
        for place in 0..out.lengths.len() + out.tangents.len() {
            *out.value_mut(place) = self.value(place);
        }
        out
    }

    /// One value drawn: lengths first, then tangents.
    pub(crate) fn value(&mut self, place: usize) -> Rational {
        let is_tangent = place >= self.centre.lengths.len();
        let centre = self.centre.values().nth(place).map_or(1.0, |r| r.to_f64().value());
        let width = self.spread * centre.abs().max(SMALLEST[usize::from(is_tangent)]);
        let mut unit = 10f64.powi(self.digits as i32);
        let mut digits = self.digits;
        while 2.0 * width * unit < FEWEST_CHOICES && digits < 15 {
            (unit, digits) = (unit * 10.0, digits + 1);
        }
        let drawn = ((centre + width * self.stream.uniform()) * unit).round() as i64;
        // Primes keep short numbers from being multiples of each other; among long ones chance does.
        let magnitude = drawn.unsigned_abs();
        let magnitude = if magnitude < LONG { next_prime(magnitude) } else { magnitude | 1 };
        let numerator = drawn.signum() * magnitude as i64;
        let numerator = if numerator == 0 { 2 } else { numerator };
        Rational::from(numerator) / Rational::from(10u64.pow(digits))
    }

    /// A number in [−1, 1], for points on a line through two samples; short where values are.
    pub(crate) fn step(&mut self) -> Rational {
        let unit = if self.digits > 4 { 1_000_000 } else { 20 };
        Rational::from((self.stream.uniform() * f64::from(unit)).round() as i64) / Rational::from(unit)
    }
}

/// The least prime ≥ n (2 for less).
fn next_prime(n: u64) -> u64 {
    let is_prime = |n: u64| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    (n.max(2)..).find(|&n| is_prime(n)).unwrap_or(2)
}
