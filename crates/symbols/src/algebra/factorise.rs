//! Factors of polynomials: enough to see for which special lengths one vanishes.
//!
//! Found for certain (up to a chance of 1 in 2⁵⁰ of overlooking one): variables; sines; factors that lack a
//! variable the others have; factors that occur more than once; sums and differences of two, three or four
//! lengths; 1 ± cos; the two factors of what is quadratic in some length with a discriminant that is a
//! square; and whatever a given catalogue names. A factor of higher degree with other factors of the same
//! variables may stay unsplit, and so do long sums. What is returned always multiplies to the polynomial.

use std::sync::Arc;

use steiner_linalg::Stream;
use steiner_scalar::{Field, Fp};

use super::factored::{primitive, without_monomials};
use super::gcd::gcd;
use super::half_angle::circle;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::terms::{Terms, monomial_value};

/// constant · Π factorᵉ.
#[derive(Clone, Debug, PartialEq)]
pub struct Factorisation {
    /// The number in front.
    pub constant: Radical,
    /// Factors and their powers: variables first, then sums by degree and length. The first
    /// coefficient of each is positive.
    pub factors: Vec<(Polynomial, u32)>,
}

/// Factors of a polynomial, see the module's words for which are found.
/// Catalogue entries may have any content.
///
/// ```
/// use steiner_symbols::algebra::{Names, Polynomial, factorise};
/// let names = Names::new(["l1", "l2"], []);
/// let [a, b] = ["l1", "l2"].map(|name| Polynomial::length(&names, name).unwrap());
/// let p = &(&a.power(2) - &b.power(2)) * &(&a * &(&a + &b));
/// let text: Vec<_> = factorise(&p, &[]).factors.iter().map(|(f, e)| format!("({f})^{e}")).collect();
/// assert_eq!(text, ["(l1)^1", "(l1 + l2)^2", "(l1 - l2)^1"]);
/// ```
pub fn factorise(polynomial: &Polynomial, catalogue: &[Polynomial]) -> Factorisation {
    let names = &polynomial.names;
    if polynomial.is_zero() {
        return Factorisation { constant: Radical::zero(), factors: Vec::new() };
    }
    let (mut constant, powers, rest) = without_monomials(polynomial);
    let mut factors: Vec<(Polynomial, u32)> = powers
        .iter()
        .enumerate()
        .filter(|(_, e)| **e > 0)
        .map(|(place, e)| (Polynomial::variable(names, names.variable(place)), *e))
        .collect();
    let mut sums: Vec<(Polynomial, u32)> = Vec::new();
    let mut open = vec![(rest, 1)];
    while let Some((part, power)) = open.pop() {
        let (number, part) = primitive(&part);
        constant = (0..power).fold(constant, |c, _| c * number.clone());
        if let Some(number) = part.to_constant() {
            constant = (0..power).fold(constant, |c, _| c * number.clone());
            continue;
        }
        match split(&part, catalogue) {
            Some((a, b)) => open.extend([(a, power), (b, power)]),
            None => match sums.iter_mut().find(|(known, _)| *known == part) {
                Some((_, e)) => *e += power,
                None => sums.push((part, power)),
            },
        }
    }
    sums.sort_by_cached_key(|(p, _)| (p.degree(), p.len(), p.text()));
    factors.extend(sums);
    Factorisation { constant, factors }
}

/// Sums of more terms, without and with angles, are left as they are: nobody reads their factors, and
/// half-angle tangents make several terms of each.
const LONGEST: [usize; 2] = [200, 24];

/// Two factors of a polynomial without monomials, if one of the ways to find them does.
fn split(p: &Polynomial, catalogue: &[Polynomial]) -> Option<(Polynomial, Polynomial)> {
    let divided = |factor: Polynomial| {
        let proper = factor.to_constant().is_none() && factor.degree() < p.degree();
        proper.then(|| p.over(&factor)).flatten().map(|quotient| (factor, quotient))
    };
    let turns = (0..p.names.angles.len())
        .any(|k| p.degree_in(Variable::Cosine(k)) + p.degree_in(Variable::Sine(k)) > 0);
    if p.degree() < 2 || p.len() > LONGEST[usize::from(turns)] {
        return None;
    }
    linear_factors(p)
        .into_iter()
        .chain(half_angle_factors(&p.names, p))
        .find_map(divided)
        .or_else(|| catalogue.iter().filter(|known| known.names == p.names).cloned().find_map(divided))
        .or_else(|| contents(p).into_iter().find_map(divided))
        .or_else(|| repeated(p).into_iter().find_map(divided))
        .or_else(|| quadratic(p).into_iter().find_map(divided))
}

/// l ± l′ ± l″ ± l‴ that vanish together with p, seen at random values in the prime field.
fn linear_factors(p: &Polynomial) -> Vec<Polynomial> {
    let names = &p.names;
    let lengths: Vec<usize> = (0..names.lengths.len()).filter(|&k| p.terms.degree_in(k) > 0).collect();
    let Some(coefficients) = p.terms.to_fp() else { return Vec::new() };
    let mut stream = Stream::new(0x6661_6374);
    let mut values: Vec<Fp> = lengths_and_circles(names, &mut stream);
    let mut out = Vec::new();
    for (k, &first) in lengths.iter().enumerate() {
        for others in subsets(&lengths[k + 1..]) {
            for signs in 0..1u32 << others.len() {
                let minus = |i: usize| signs >> i & 1 == 0;
                // first = −Σ ± others.
                let kept = values[first];
                values[first] = others.iter().enumerate().fold(Fp::zero(), |sum, (i, &place)| {
                    if minus(i) { sum + values[place] } else { sum - values[place] }
                });
                let sum =
                    coefficients.iter().fold(Fp::zero(), |s, (m, c)| s + *c * monomial_value(m, &values));
                values[first] = kept;
                if sum == Fp::zero() {
                    let variable = |place| Polynomial::variable(names, Variable::Length(place));
                    out.push(others.iter().enumerate().fold(variable(first), |sum, (i, &place)| {
                        if minus(i) { &sum - &variable(place) } else { &sum + &variable(place) }
                    }));
                }
            }
        }
    }
    out
}

fn lengths_and_circles(names: &Names, stream: &mut Stream) -> Vec<Fp> {
    let mut values: Vec<Fp> = names.lengths.iter().map(|_| stream.residue()).collect();
    for _ in &names.angles {
        let (sine, cosine) = circle(stream.residue());
        values.extend([cosine, sine]);
    }
    values
}

/// One, two or three of some places.
fn subsets(places: &[usize]) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    for (i, &a) in places.iter().enumerate() {
        out.push(vec![a]);
        for (j, &b) in places.iter().enumerate().skip(i + 1) {
            out.push(vec![a, b]);
            out.extend(places[j + 1..].iter().map(|&c| vec![a, b, c]));
        }
    }
    out.sort_by_key(Vec::len);
    out
}

/// 1 ± cos of the angles in p.
fn half_angle_factors(names: &Arc<Names>, p: &Polynomial) -> Vec<Polynomial> {
    let one = Polynomial::one(names);
    let angles = (0..names.angles.len()).filter(|&k| p.degree_in(Variable::Cosine(k)) > 0);
    angles
        .flat_map(|k| {
            let cosine = Polynomial::variable(names, Variable::Cosine(k));
            [&one + &cosine, &one - &cosine]
        })
        .collect()
}

/// Common divisors of the coefficients of the powers of one variable, which lack that variable. For an angle:
/// of the coefficients of the monomials in its sine and cosine.
fn contents(p: &Polynomial) -> Vec<Polynomial> {
    let names = &p.names;
    let groups = (0..names.lengths.len()).map(|place| vec![place]).chain(
        (0..names.angles.len())
            .map(|k| vec![names.place(Variable::Cosine(k)), names.place(Variable::Sine(k))]),
    );
    let mut out = Vec::new();
    for group in groups.filter(|group| group.iter().any(|&place| p.terms.degree_in(place) > 0)) {
        let mut coefficients = vec![p.terms.clone()];
        for &place in &group {
            coefficients = coefficients.iter().flat_map(|c| c.coefficients_in(place)).collect();
        }
        coefficients.retain(|c| !c.is_zero());
        // Sines of other angles make divisors ambiguous in these terms: plain ones are tried, division
        // decides.
        let common = coefficients.iter().fold(Terms::zero(p.terms.places()), |common, c| gcd(&common, c));
        if common.to_constant().is_none() {
            out.push(Polynomial::reduced(names, common));
        }
    }
    out
}

/// Common divisors of p and its derivatives by the lengths: what occurs more than once. Sines and cosines
/// count as independent here, which may overlook a factor and invents none: division decides.
fn repeated(p: &Polynomial) -> Vec<Polynomial> {
    let names = &p.names;
    let squares = (0..names.lengths.len()).filter(|&place| p.terms.degree_in(place) > 1);
    let common = squares.map(|place| gcd(&p.terms, &p.terms.derivative(place)));
    let common = common.filter(|common| common.to_constant().is_none());
    common.map(|common| Polynomial::reduced(names, common)).collect()
}

/// (2A x + B ± √(B² − 4AC)) for p = A x² + B x + C, where the root is a polynomial in lengths.
fn quadratic(p: &Polynomial) -> Vec<Polynomial> {
    let names = &p.names;
    let of = |terms: Terms| Polynomial { names: names.clone(), terms };
    let mut out = Vec::new();
    for place in (0..names.lengths.len()).filter(|&place| p.terms.degree_in(place) == 2) {
        let [c, b, a] = p.terms.coefficients_in(place).try_into().unwrap_or_else(|_| unreachable!("three"));
        let discriminant = b.times(&b).minus(&a.times(&c).scaled(&4.into()));
        let Some(root) = square_root(&of(discriminant)) else { continue };
        let x = Terms::indeterminate(p.terms.places(), place);
        for root in [root.terms.clone(), root.terms.scaled(&(-1).into())] {
            let factor = of(x.times(&a).scaled(&2.into()).plus(&b).plus(&root));
            let coefficients = factor.terms.coefficients_in(place);
            let content = coefficients.iter().fold(Terms::zero(p.terms.places()), |g, c| gcd(&g, c));
            out.extend(factor.over(&of(content)));
        }
    }
    out
}

/// The polynomial whose square this is, from its factors: all powers must be even and
/// the constant a rational square.
fn square_root(p: &Polynomial) -> Option<Polynomial> {
    if p.is_zero() {
        return Some(p.clone());
    }
    // Discriminants have fewer variables, so this recursion ends.
    let Factorisation { constant, factors } = factorise(p, &[]);
    let number = constant.to_rational()?;
    let root = steiner_scalar::Exact::rational(number).sqrt();
    let root = Radical::from_exact(&root)?;
    factors.iter().try_fold(Polynomial::constant(&p.names, root), |product, (factor, e)| {
        (e % 2 == 0).then(|| &product * &factor.power(e / 2))
    })
}
