//! Greatest common divisors of polynomials in several indeterminates.
//!
//! First images in the prime field with all indeterminates but one fixed: if they have nothing in common,
//! neither have the polynomials (a leading coefficient that vanishes at random values apart, against which
//! the image's degree is checked). Otherwise a/b is recovered in lowest terms from its values in that field,
//! as [`interpolate`] does for any black box, and the cancelled factor is what is missing; a·b′ = a′·b is
//! checked exactly. Where coefficients are too long for that, Euclid's algorithm with pseudo-remainders,
//! contents taken out at each step, takes its time.

use steiner_linalg::{Stream, checkpoint};
use steiner_scalar::{Field, Fp, Rational};

use super::interpolate::{Settings, interpolate};
use super::monomial::Monomial;
use super::names::Names;
use super::radical::Radical;
use super::sample::Sample;
use super::terms::{Terms, monomial_value};
use super::univariate::gcd_degree;

/// The greatest common divisor, its leading coefficient 1.
pub(crate) fn gcd(a: &Terms, b: &Terms) -> Terms {
    if a.is_zero() {
        return monic(b);
    }
    if b.is_zero() {
        return monic(a);
    }
    let (in_a, in_b) = (a.monomial_content(), b.monomial_content());
    let common = in_a.common(&in_b);
    let (a, b) = (a.over_monomial(&in_a), b.over_monomial(&in_b));
    let (Some(a), Some(b)) = (a, b) else { unreachable!("a monomial content divides its polynomial") };
    monic(&without_monomials(&a, &b).times_monomial(&common))
}

/// With leading coefficient 1.
pub(crate) fn monic(a: &Terms) -> Terms {
    match a.leading().and_then(|(_, c)| c.try_inv()) {
        Some(inverse) => a.scaled(&inverse),
        None => a.clone(),
    }
}

/// With coefficients that are integers (or integer sums of roots) without a common factor.
fn without_content(a: &Terms) -> Terms {
    let content = a.content();
    if content.is_zero() { a.clone() } else { a.scaled(&(Rational::ONE / content).into()) }
}

fn without_monomials(a: &Terms, b: &Terms) -> Terms {
    let one = Terms::constant(a.places(), Radical::one());
    if a.to_constant().is_some() || b.to_constant().is_some() {
        return one;
    }
    let bounds = degree_bounds(a, b);
    if bounds.iter().all(|(_, bound)| *bound == 0) {
        return one;
    }
    for (small, large) in [(a, b), (b, a)] {
        let fills = bounds.iter().all(|&(place, bound)| bound == usize::from(small.degree_in(place)));
        if fills && large.over(small).is_some() {
            return small.clone();
        }
    }
    // What only one of them depends on cannot be in a common factor.
    for (one, other) in [(a, b), (b, a)] {
        if let Some(place) = one.support().into_iter().find(|&place| other.degree_in(place) == 0) {
            return gcd(&content_in(one, place), other);
        }
    }
    by_values(a, b).unwrap_or_else(|| by_remainders(a, b))
}

/// The factor that a/b lacks in lowest terms.
fn by_values(a: &Terms, b: &Terms) -> Option<Terms> {
    let places = a.places();
    let names = Names::new((0..places).map(|k| format!("x{k}")), []);
    let images = [a.to_fp()?, b.to_fp()?];
    let mut black_box = |sample: &Sample| {
        let point = sample.lengths_fp();
        let value = |image: &[(&Monomial, Fp)]| {
            image.iter().fold(Fp::zero(), |sum, (m, c)| sum + *c * monomial_value(m, &point))
        };
        Some(vec![value(&images[0]) * value(&images[1]).try_inv()?])
    };
    let centre = Sample { lengths: vec![Rational::ONE; places], tangents: Vec::new() };
    let settings = Settings { checks: 1, coefficient_bits: 48, most_unknowns: 600, ..Settings::near(centre) };
    let found = interpolate(&names, &[None], &mut black_box, &settings);
    let lowest = found.entries.first()?.function()?;
    let (n, d) = (&lowest.numerator().terms, &lowest.denominator().terms);
    (a.times(d) == b.times(n)).then(|| a.over(n)).flatten()
}

/// Euclid's algorithm in the indeterminate of lowest degree.
fn by_remainders(a: &Terms, b: &Terms) -> Terms {
    let one = Terms::constant(a.places(), Radical::one());
    let shared = a.support().into_iter().filter(|&place| b.degree_in(place) > 0);
    let Some(place) = shared.min_by_key(|&place| a.degree_in(place).max(b.degree_in(place))) else {
        return one;
    };
    let (content_a, content_b) = (content_in(a, place), content_in(b, place));
    let (mut x, mut y) = (quotient(a, &content_a), quotient(b, &content_b));
    if x.degree_in(place) < y.degree_in(place) {
        (x, y) = (y, x);
    }
    while !y.is_zero() && y.degree_in(place) > 0 {
        checkpoint();
        let rest = pseudo_remainder(&x, &y, place);
        let content = content_in(&rest, place);
        let rest = if rest.is_zero() { rest } else { without_content(&quotient(&rest, &content)) };
        (x, y) = (y, rest);
    }
    let own = if y.is_zero() { x } else { one };
    gcd(&content_a, &content_b).times(&own)
}

fn quotient(a: &Terms, b: &Terms) -> Terms {
    a.over(b).expect("a content divides its polynomial")
}

/// The common divisor of the coefficients of the powers of one indeterminate.
fn content_in(a: &Terms, place: usize) -> Terms {
    let mut coefficients: Vec<Terms> =
        a.coefficients_in(place).into_iter().filter(|c| !c.is_zero()).collect();
    coefficients.sort_by_key(Terms::len);
    let mut content = Terms::zero(a.places());
    for coefficient in &coefficients {
        content = gcd(&content, coefficient);
        if content.to_constant().is_some() {
            return Terms::constant(a.places(), Radical::one());
        }
    }
    content
}

/// What is left of a (times powers of b's leading coefficient) after division by b.
fn pseudo_remainder(a: &Terms, b: &Terms, place: usize) -> Terms {
    let degree = b.degree_in(place);
    let lead = b.coefficients_in(place).pop().expect("one coefficient at least");
    let mut rest = a.clone();
    while !rest.is_zero() && rest.degree_in(place) >= degree {
        let high = rest.degree_in(place);
        let factor = rest.coefficients_in(place).pop().expect("one coefficient at least");
        let shift = Monomial::one(a.places()).with(place, high - degree);
        rest = rest.times(&lead).minus(&b.times(&factor).times_monomial(&shift));
    }
    rest
}

/// For every indeterminate both depend on, a bound of the common divisor's degree in it.
fn degree_bounds(a: &Terms, b: &Terms) -> Vec<(usize, usize)> {
    let shared: Vec<usize> = a.support().into_iter().filter(|&place| b.degree_in(place) > 0).collect();
    let worst = |place: usize| usize::from(a.degree_in(place).min(b.degree_in(place)));
    let mut stream = Stream::new(0x6763_6400 + (a.len() + b.len()) as u64);
    let values: Vec<Fp> = (0..a.places()).map(|_| stream.residue()).collect();
    shared
        .iter()
        .map(|&place| {
            let images = (image(a, place, &values), image(b, place, &values));
            let full = |p: &[Fp], whole: &Terms| p.len() == usize::from(whole.degree_in(place)) + 1;
            match images {
                (Some(x), Some(y)) if full(&x, a) || full(&y, b) => (place, gcd_degree(&x, &y)),
                _ => (place, worst(place)),
            }
        })
        .collect()
}

/// The polynomial in one indeterminate that is left at values of the others; `None` if it vanishes.
fn image(a: &Terms, place: usize, values: &[Fp]) -> Option<Vec<Fp>> {
    let mut out = vec![Fp::zero(); usize::from(a.degree_in(place)) + 1];
    for (m, c) in a.to_fp()? {
        let rest = m.with(place, 0);
        out[usize::from(m.exponent(place))] += c * monomial_value(&rest, values);
    }
    while out.last() == Some(&Fp::zero()) {
        out.pop();
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{Terms, by_remainders, by_values, monic};
    use steiner_linalg::Stream;

    #[test]
    fn values_and_remainders_find_the_same_divisor() {
        let mut stream = Stream::new(1);
        let mut below = |n: u64| stream.residue().residue() % n;
        let mut random = |terms: usize| {
            let mut sum = Terms::constant(3, 1.into());
            for _ in 0..terms {
                let product = (0..1 + below(2))
                    .fold(Terms::constant(3, (1 + below(5) as i64).into()), |p, _| {
                        p.times(&Terms::indeterminate(3, below(3) as usize))
                    });
                sum = sum.plus(&product);
            }
            sum
        };
        for _ in 0..20 {
            let (a, b, common) = (random(2), random(2), random(2));
            let (a, b) = (a.times(&common), b.times(&common));
            assert_eq!(by_values(&a, &b).map(|g| monic(&g)), Some(monic(&by_remainders(&a, &b))));
        }
    }
}
