//! Coefficients: sums of rationals times square roots, Σ q_d √d with d a product of some of 2, 3, 5 and 7.
//!
//! These are the numbers of geometry drawn with 30°, 45° and 60°, and all of them live in [`Fp`] as well, so
//! that what is computed there can be lifted back.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::{IBig, UBig};
use steiner_scalar::{
    DoubleDouble, Evaluated, EvaluationError, Exact, Field, Fp, Function, Node, Rational, Real, Scalar,
};

/// The primes under the roots; bit k of a mask says whether the k-th divides d.
const PRIMES: [u8; 4] = [2, 3, 5, 7];

/// An exact number Σ q_d √d, the q_d rational; usually just a rational.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Radical {
    /// By mask, without zeros.
    parts: Vec<(u8, Rational)>,
}

/// d of a mask.
fn radicand(mask: u8) -> u32 {
    (0..4).filter(|k| mask >> k & 1 == 1).map(|k| u32::from(PRIMES[k])).product()
}

impl Radical {
    /// q √d, or `None` if d has a prime factor other than 2, 3, 5 and 7 to an odd power. d may be any
    /// such natural number: √12 is 2 √3.
    pub fn root(factor: Rational, d: u64) -> Option<Self> {
        let (mut rest, mut mask, mut outside) = (d, 0u8, 1u64);
        for (k, prime) in PRIMES.iter().enumerate() {
            let prime = u64::from(*prime);
            while rest > 0 && rest % (prime * prime) == 0 {
                rest /= prime * prime;
                outside *= prime;
            }
            if rest > 0 && rest % prime == 0 {
                rest /= prime;
                mask |= 1 << k;
            }
        }
        let root = rest.isqrt();
        (root * root == rest).then(|| Self::of(mask, factor * Rational::from(outside * root)))
    }

    fn of(mask: u8, factor: Rational) -> Self {
        Radical { parts: if factor.is_zero() { Vec::new() } else { vec![(mask, factor)] } }
    }

    /// Pairs of d and its factor, by d's primes; none for zero.
    pub fn parts(&self) -> impl Iterator<Item = (u32, &Rational)> {
        self.parts.iter().map(|(mask, q)| (radicand(*mask), q))
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        matches!(self.parts.as_slice(), [(0, q)] if q.is_one())
    }

    /// The value, if no root is in it.
    pub fn to_rational(&self) -> Option<Rational> {
        match self.parts.as_slice() {
            [] => Some(Rational::ZERO),
            [(0, q)] => Some(q.clone()),
            _ => None,
        }
    }

    /// The nearest number of 30 digits.
    pub fn to_wide(&self) -> DoubleDouble {
        self.parts().fold(DoubleDouble::zero(), |sum, (d, q)| {
            let root = DoubleDouble::from_f64(f64::from(d)).sqrt();
            sum + DoubleDouble::from_rational(q) * root
        })
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        self.to_wide().to_f64()
    }

    /// Its image in the prime field; `None` if p divides a denominator.
    pub fn to_fp(&self) -> Option<Fp> {
        let mut sum = Fp::zero();
        for (mask, q) in &self.parts {
            sum += Fp::from_rational(q)? * root_in_fp(*mask);
        }
        Some(sum)
    }

    /// Its image in a field; `None` where the field has no such root or no such inverse.
    pub fn to_field<F: Field>(&self) -> Option<F> {
        let mut sum = F::zero();
        for (mask, q) in &self.parts {
            let factor = F::evaluate(&Exact::rational(q.clone())).ok()?.value;
            let root = match mask {
                0 => factor,
                _ => factor * F::evaluate(&Exact::integer(radicand(*mask).into()).sqrt()).ok()?.value,
            };
            sum = sum + root;
        }
        Some(sum)
    }

    /// As an exact source of the workspace.
    pub fn to_exact(&self) -> Exact {
        self.parts().fold(Exact::zero(), |sum, (d, q)| {
            sum + Exact::rational(q.clone()) * Exact::integer(d.into()).sqrt()
        })
    }

    /// An exact source that is such a number by its form: rationals, roots of rationals, and what arithmetic
    /// makes of them; names are looked through.
    pub fn from_exact(source: &Exact) -> Option<Self> {
        if let Some(r) = source.to_rational() {
            return Some(r.into());
        }
        let of = Self::from_exact;
        Some(match source.node() {
            Node::Rational(r) => r.clone().into(),
            Node::Symbol { value, .. } => of(value)?,
            Node::Sum(a, b) => of(a)? + of(b)?,
            Node::Difference(a, b) => of(a)? - of(b)?,
            Node::Product(a, b) => of(a)? * of(b)?,
            Node::Quotient(a, b) => of(a)? * of(b)?.try_inv()?,
            Node::Negation(a) => -of(a)?,
            Node::Power(a, n) => {
                let base = if *n < 0 { of(a)?.try_inv()? } else { of(a)? };
                (0..n.unsigned_abs()).fold(Radical::one(), |power, _| power * base.clone())
            }
            Node::Call(Function::Sqrt, a) => {
                let r = a.to_rational()?;
                let denominator = Rational::from(r.denominator().clone());
                let under = UBig::try_from(r.numerator().clone()).ok()? * r.denominator();
                Self::root(Rational::ONE / denominator, under.try_into().ok()?)?
            }
            Node::Pi | Node::Call(..) => return None,
        })
    }

    /// Whether its value is negative.
    pub fn is_negative(&self) -> bool {
        match self.to_rational() {
            Some(q) => q < Rational::ZERO,
            None => self.to_f64() < 0.0,
        }
    }

    /// The greatest rational c > 0 of which every q_d is an integer multiple; zero for zero.
    pub fn content(&self) -> Rational {
        self.parts.iter().fold(Rational::ZERO, |c, (_, q)| rational_gcd(&c, q))
    }

    fn conjugate(&self, bit: u8) -> Self {
        let flip =
            |(mask, q): &(u8, Rational)| (*mask, if mask >> bit & 1 == 1 { -q.clone() } else { q.clone() });
        Radical { parts: self.parts.iter().map(flip).collect() }
    }
}

/// The greatest rational of which both are integer multiples.
pub(crate) fn rational_gcd(a: &Rational, b: &Rational) -> Rational {
    use dashu_int::ops::{Gcd, UnsignedAbs};
    let magnitude = |r: &Rational| r.numerator().clone().unsigned_abs();
    if a.is_zero() || b.is_zero() {
        let sum = a + b;
        return Rational::from_parts(IBig::from(magnitude(&sum)), sum.denominator().clone());
    }
    let numerator = (magnitude(a) * b.denominator()).gcd(magnitude(b) * a.denominator());
    Rational::from_parts(IBig::from(numerator), a.denominator() * b.denominator())
}

/// √d in the prime field.
pub(crate) fn root_in_fp(mask: u8) -> Fp {
    use std::sync::LazyLock;
    static ROOTS: LazyLock<[Fp; 4]> = LazyLock::new(|| {
        PRIMES.map(|prime| {
            Fp::evaluate(&Exact::integer(prime.into()).sqrt()).expect("the field has these roots").value
        })
    });
    (0..4).filter(|k| mask >> k & 1 == 1).fold(Fp::one(), |product, k| product * ROOTS[k])
}

impl From<Rational> for Radical {
    fn from(q: Rational) -> Self {
        Self::of(0, q)
    }
}

impl From<i64> for Radical {
    fn from(n: i64) -> Self {
        Self::of(0, Rational::from(n))
    }
}

impl Add for Radical {
    type Output = Radical;
    fn add(self, other: Radical) -> Radical {
        let mut parts = self.parts;
        for (mask, q) in other.parts {
            match parts.binary_search_by_key(&mask, |part| part.0) {
                Ok(k) => {
                    parts[k].1 += q;
                    if parts[k].1.is_zero() {
                        parts.remove(k);
                    }
                }
                Err(k) => parts.insert(k, (mask, q)),
            }
        }
        Radical { parts }
    }
}

impl Neg for Radical {
    type Output = Radical;
    fn neg(self) -> Radical {
        Radical { parts: self.parts.into_iter().map(|(mask, q)| (mask, -q)).collect() }
    }
}

impl Sub for Radical {
    type Output = Radical;
    fn sub(self, other: Radical) -> Radical {
        self + -other
    }
}

impl Mul for Radical {
    type Output = Radical;
    fn mul(self, other: Radical) -> Radical {
        let mut sum = Radical::default();
        for (a, x) in &self.parts {
            for (b, y) in &other.parts {
                // √6 √10 = 2 √15: what both have comes out.
                sum = sum + Self::of(a ^ b, x * y * Rational::from(radicand(a & b)));
            }
        }
        sum
    }
}

impl Field for Radical {
    const EXACT: bool = true;
    fn zero() -> Self {
        Radical::default()
    }
    fn one() -> Self {
        1.into()
    }
    fn from_i64(n: i64) -> Self {
        n.into()
    }
    fn try_inv(&self) -> Option<Self> {
        if self.is_zero() {
            return None;
        }
        // Multiplying by the conjugates one root after the other leaves a rational.
        let (mut numerator, mut norm) = (Radical::one(), self.clone());
        for bit in 0..4 {
            if norm.parts.iter().any(|(mask, _)| mask >> bit & 1 == 1) {
                let conjugate = norm.conjugate(bit);
                numerator = numerator * conjugate.clone();
                norm = norm * conjugate;
            }
        }
        let norm = norm.to_rational().filter(|q| !q.is_zero())?;
        Some(numerator * (Rational::ONE / norm).into())
    }
    fn pivot_weight(&self) -> f64 {
        if self.is_zero() { 0.0 } else { 1.0 }
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        match Self::from_exact(source) {
            Some(value) => Ok(Evaluated { value, rounded: false }),
            None => Ok(Evaluated { value: source.to_thirty_digits()?.into(), rounded: true }),
        }
    }
}

impl fmt::Debug for Radical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Radical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_exact())
    }
}
