//! Polynomials in one indeterminate over the prime field, and rational functions from their values.

use steiner_scalar::{Field, Fp, Scalar};

/// Coefficients, lowest first, without zeros at the end.
pub(crate) type Dense = Vec<Fp>;

fn trimmed(mut p: Dense) -> Dense {
    while p.last() == Some(&Fp::zero()) {
        p.pop();
    }
    p
}

fn times(a: &[Fp], b: &[Fp]) -> Dense {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut out = vec![Fp::zero(); a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += *x * *y;
        }
    }
    out
}

fn minus(a: &[Fp], b: &[Fp]) -> Dense {
    let mut out = a.to_vec();
    out.resize(a.len().max(b.len()), Fp::zero());
    b.iter().enumerate().for_each(|(k, y)| out[k] -= *y);
    trimmed(out)
}

/// Quotient and remainder; the divisor is not zero.
fn divided(a: &[Fp], b: &[Fp]) -> (Dense, Dense) {
    let mut rest = a.to_vec();
    let mut quotient = vec![Fp::zero(); (a.len() + 1).saturating_sub(b.len())];
    let inverse = b[b.len() - 1].inv();
    for k in (0..quotient.len()).rev() {
        let factor = rest[k + b.len() - 1] * inverse;
        quotient[k] = factor;
        b.iter().enumerate().for_each(|(j, y)| rest[k + j] -= factor * *y);
    }
    (trimmed(quotient), trimmed(rest))
}

pub(crate) fn value(p: &[Fp], x: Fp) -> Fp {
    p.iter().rev().fold(Fp::zero(), |sum, c| sum * x + *c)
}

/// The degree of the greatest common divisor; both are trimmed and not zero.
pub(crate) fn gcd_degree(a: &[Fp], b: &[Fp]) -> usize {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    while !b.is_empty() {
        let rest = if a.len() >= b.len() { divided(&a, &b).1 } else { a };
        (a, b) = (b, rest);
    }
    a.len() - 1
}

/// A quotient of polynomials; zero has an empty numerator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fraction {
    pub(crate) numerator: Dense,
    pub(crate) denominator: Dense,
}

/// How many values more than unknowns a fraction must explain before it is believed.
const SURPLUS: usize = 2;

/// The fraction of smallest degrees through some points, if they say more than it needs. (Euclid's algorithm
/// on the interpolating polynomial passes through all fractions of low degree, [monagan2004].)
pub(crate) fn through(points: &[(Fp, Fp)]) -> Option<Fraction> {
    let mut vanishing: Dense = vec![Fp::one()];
    let mut interpolant: Dense = Vec::new();
    for &(x, y) in points {
        let factor = (y - value(&interpolant, x)) * value(&vanishing, x).try_inv()?;
        let step: Dense = vanishing.iter().map(|c| *c * factor).collect();
        interpolant = minus(&interpolant, &step.iter().map(|c| -*c).collect::<Vec<_>>());
        vanishing = times(&vanishing, &[-x, Fp::one()]);
    }
    if interpolant.is_empty() {
        let zero = Fraction { numerator: Vec::new(), denominator: vec![Fp::one()] };
        return (points.len() > SURPLUS).then_some(zero);
    }
    let (mut r0, mut r1) = (vanishing, interpolant);
    let (mut t0, mut t1): (Dense, Dense) = (Vec::new(), vec![Fp::one()]);
    let mut best = Fraction { numerator: r1.clone(), denominator: t1.clone() };
    while r1.len() > 1 {
        let (quotient, rest) = divided(&r0, &r1);
        (r0, r1) = (r1, rest);
        if r1.is_empty() {
            break;
        }
        let next = minus(&t0, &times(&quotient, &t1));
        (t0, t1) = (t1, next);
        if r1.len() + t1.len() < best.numerator.len() + best.denominator.len() {
            best = Fraction { numerator: r1.clone(), denominator: t1.clone() };
        }
    }
    let unknowns = best.numerator.len() + best.denominator.len() - 1;
    let regular = points.iter().all(|(x, _)| value(&best.denominator, *x) != Fp::zero());
    (regular && points.len() >= unknowns + SURPLUS).then_some(best)
}
