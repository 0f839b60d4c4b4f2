//! Residues back to the exact numbers they are the images of.
//!
//! [wang1981]: a residue x is n/d for the pair with the smallest |n|·d, which Euclid's algorithm on (p, x)
//! passes through. A random residue has such a pair of size ≈ p = 2⁶¹; pairs of at most b bits are met by
//! chance with probability ≈ 2b·2ᵇ/2⁶¹, which is what makes a short one believable.

use dashu_int::IBig;
use steiner_scalar::{Fp, PRIME, Rational, Scalar};

use super::lattice::shortest;
use super::radical::{Radical, root_in_fp};

/// Largest |a|, |b|, |d| of (a + b √r)/d: chance finds one for a random residue once in 10⁵.
const LARGEST_OF_PAIR: i32 = 1 << 12;

/// The rational with the smallest |n|·d, if that has at most `bits` bits.
pub fn lift_rational(x: Fp, bits: u32) -> Option<Rational> {
    let (mut r0, mut r1) = (PRIME as i128, x.residue() as i128);
    let (mut t0, mut t1) = (0i128, 1i128);
    let mut best: Option<(i128, i128)> = None;
    while r1 != 0 {
        let better = best.is_none_or(|(n, d)| r1 * t1.abs() < n * d.abs());
        if better {
            best = Some((r1, t1));
        }
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    let Some((n, d)) = best else { return Some(Rational::ZERO) };
    if n * d.abs() >= 1i128 << bits {
        return None;
    }
    Some(Rational::from_parts_signed(IBig::from(n), IBig::from(d)))
}

/// The simplest number q, q √r, a + b √r or a √r + b √s (r and s products of 2, 3, 5, 7) with this
/// residue, if one is believable.
pub fn lift(x: Fp, bits: u32) -> Option<Radical> {
    if let Some(q) = lift_rational(x, bits) {
        return Some(q.into());
    }
    for mask in 1u8..16 {
        // Fifteen more chances to be wrong: four bits less.
        if let Some(q) = lift_rational(x * root_in_fp(mask).inv(), bits.saturating_sub(4)) {
            return Some(Radical::from(q) * of_root(mask));
        }
    }
    let of_two = || {
        let pairs = (1u8..16).flat_map(|r| (r + 1..16).map(move |s| (r, s)));
        pairs.into_iter().find_map(|(r, s)| {
            // a √r + b √s is √r (a + b √(r s)/r), and products of roots are those of what their masks don't
            // share.
            Some(lift_pair(x * root_in_fp(r).inv(), r ^ s)? * of_root(r))
        })
    };
    (1u8..16).find_map(|mask| lift_pair(x, mask)).or_else(of_two)
}

fn of_root(mask: u8) -> Radical {
    let d = (0..4).filter(|k| mask >> k & 1 == 1).map(|k| [2u64, 3, 5, 7][k]).product();
    Radical::root(Rational::ONE, d).expect("a product of the primes it is made of")
}

/// (a + b √r)/d: the shortest vector of the lattice of all (a, b, d) with a + b √r = d x in the field.
fn lift_pair(x: Fp, mask: u8) -> Option<Radical> {
    let root = root_in_fp(mask).residue() as i128;
    let basis = [[PRIME as i128, 0, 0], [-root, 1, 0], [x.residue() as i128, 0, 1]];
    let [a, b, d] = shortest(basis.map(|vector| vector.map(IBig::from)));
    let largest = IBig::from(LARGEST_OF_PAIR);
    if d.is_zero() || [&a, &b, &d].iter().any(|&n| *n > largest || *n < -&largest) {
        return None;
    }
    let over = |n: IBig| Rational::from_parts_signed(n, d.clone());
    let value = Radical::from(over(a)) + Radical::from(over(b)) * of_root(mask);
    (value.to_fp() == Some(x)).then_some(value)
}
