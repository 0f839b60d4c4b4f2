//! Prime lengths near the given ones: section 4.3 of \[iriarte2015\].

use steiner_scalar::Rational;

/// How far a prime length may be from the given one, relative to it: near enough to
/// be the same kind of mechanism.
const NEAR: f64 = 0.05;
/// Primes up to this are tried; larger ones lie too close together to tell products apart.
const LARGEST: f64 = 4e6;

/// Lengths that are distinct primes times a common factor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PrimeLengths {
    pub(crate) primes: Vec<u64>,
    /// The common factor, a power of ten, m.
    pub(crate) factor: Rational,
}

impl PrimeLengths {
    /// The lengths, m.
    pub(crate) fn values(&self) -> Vec<Rational> {
        self.primes.iter().map(|&p| Rational::from(p) * self.factor.clone()).collect()
    }

    /// Distinct, none of unit length, and no product of two equal to a third.
    fn is_admissible(&self) -> bool {
        let values = self.values();
        let is_length = |x: &Rational| values.contains(x);
        let distinct = values.iter().enumerate().all(|(k, x)| !values[..k].contains(x));
        let products = |k: usize| values[k..].iter().all(|y| !is_length(&(values[k].clone() * y.clone())));
        distinct && !is_length(&Rational::ONE) && (0..values.len()).all(products)
    }
}

/// Prime lengths near given ones (m, positive), the coarsest factor first; only those a caller can use.
pub(crate) fn prime_lengths(given: &[f64], usable: impl Fn(&PrimeLengths) -> bool) -> Option<PrimeLengths> {
    if given.is_empty() {
        return Some(PrimeLengths { primes: Vec::new(), factor: Rational::ONE });
    }
    let largest = given.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let coarsest = largest.max(f64::MIN_POSITIVE).log10().ceil() as i32;
    for exponent in (coarsest - 7..=coarsest).rev() {
        let power = Rational::from(10).pow(exponent.unsigned_abs() as isize);
        let factor = if exponent < 0 { Rational::ONE / power } else { power };
        let unit = 10f64.powi(exponent);
        let bound = (1.0 + NEAR) * largest / unit + 2.0;
        if bound > LARGEST {
            return None;
        }
        let Some(primes) = nearest(given, unit, &primes_below(bound as usize)) else { continue };
        let lengths = PrimeLengths { primes, factor };
        if lengths.is_admissible() && usable(&lengths) {
            return Some(lengths);
        }
    }
    None
}

/// For each length the nearest prime multiple of a factor that no other has taken; `None`
/// where there is none near enough.
fn nearest(given: &[f64], factor: f64, primes: &[u64]) -> Option<Vec<u64>> {
    let mut order: Vec<usize> = (0..given.len()).collect();
    order.sort_by(|&a, &b| given[a].total_cmp(&given[b]));
    let mut chosen = vec![0; given.len()];
    let mut taken: Vec<u64> = Vec::new();
    for k in order {
        let wanted = given[k] / factor;
        let from = primes.partition_point(|&p| (p as f64) < wanted * (1.0 - NEAR));
        let near = primes[from..].iter().take_while(|&&p| p as f64 <= wanted * (1.0 + NEAR));
        let distance = |p: u64| (p as f64 - wanted).abs();
        let best = near
            .copied()
            .filter(|p| !taken.contains(p))
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
        chosen[k] = best;
        taken.push(best);
    }
    Some(chosen)
}

fn primes_below(bound: usize) -> Vec<u64> {
    let mut composite = vec![false; bound];
    let mut primes = Vec::new();
    for n in 2..bound {
        if composite[n] {
            continue;
        }
        primes.push(n as u64);
        (n * n..bound).step_by(n).for_each(|k| composite[k] = true);
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_of_the_paper_are_prime_already() {
        let found = prime_lengths(&[0.3, 0.7, 1.1, 1.3], |_| true).unwrap();
        assert_eq!(found.primes, [3, 7, 11, 13]);
        assert_eq!(found.factor, Rational::ONE / Rational::from(10));
    }

    #[test]
    fn equal_lengths_become_different_and_stay_near() {
        let given = [0.25, 0.25, 0.25, 1.0, 1.0, 0.008, 12.0];
        let found = prime_lengths(&given, |_| true).unwrap();
        assert!(found.is_admissible());
        for (value, wanted) in found.values().iter().zip(given) {
            assert!((value.to_f64().value() / wanted - 1.0).abs() <= NEAR);
        }
    }

    #[test]
    fn what_the_paper_forbids_is_not_admissible() {
        let unit = PrimeLengths { primes: vec![2, 5], factor: Rational::ONE / Rational::from(5) };
        // With the factor one half, the lengths 1 and 3/2: one is a unit, and a product of
        // it with any other is that other.
        let product = PrimeLengths { primes: vec![2, 3], factor: Rational::ONE / Rational::from(2) };
        let equal = PrimeLengths { primes: vec![7, 7], factor: Rational::ONE };
        assert!(![unit, product, equal].iter().any(PrimeLengths::is_admissible));
    }
}
