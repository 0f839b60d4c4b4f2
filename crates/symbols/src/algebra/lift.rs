//! Residues back to the exact numbers they are the images of.
//!
//! [wang1981]: a residue x is n/d for the pair with the smallest |n|·d, which Euclid's algorithm on (p, x) passes through. A random residue
//! has such a pair of size ≈ p = 2⁶¹; pairs of at most b bits are met by chance with probability ≈ 2b·2ᵇ/2⁶¹, which is
//! what makes a short one believable.

use dashu_int::IBig;
use steiner_scalar::{Fp, PRIME, Rational, Scalar};

use super::radical::{Radical, root_in_fp};

/// Largest |a|, |b|, |d| of (a + b √r)/d: chance finds one for a random residue once in 10⁵.
const LARGEST_OF_PAIR: i128 = 1 << 12;

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

/// The simplest number q, q √r or a + b √r (r a product of 2, 3, 5, 7) with this residue, if one is believable.
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
    (1u8..16).find_map(|mask| lift_pair(x, mask))
}

fn of_root(mask: u8) -> Radical {
    let d = (0..4).filter(|k| mask >> k & 1 == 1).map(|k| [2u64, 3, 5, 7][k]).product();
    Radical::root(Rational::ONE, d).expect("a product of the primes it is made of")
}

/// (a + b √r)/d: the shortest vector of the lattice of all (a, b, d) with a + b √r = d x in the field.
fn lift_pair(x: Fp, mask: u8) -> Option<Radical> {
    let root = root_in_fp(mask).residue() as i128;
    let p = PRIME as i128;
    let basis = [[p, 0, 0], [-root, 1, 0], [x.residue() as i128, 0, 1]];
    let [a, b, d] = shortest(basis);
    if d == 0 || [a, b, d].iter().any(|n| n.abs() > LARGEST_OF_PAIR) {
        return None;
    }
    let over = |n: i128| Rational::from_parts_signed(IBig::from(n), IBig::from(d));
    let value = Radical::from(over(a)) + Radical::from(over(b)) * of_root(mask);
    (value.to_fp() == Some(x)).then_some(value)
}

/// A shortest vector of a lattice of three dimensions: pairs are reduced, then the third against both, until nothing shrinks.
fn shortest(mut basis: [[i128; 3]; 3]) -> [i128; 3] {
    let dot = |a: &[i128; 3], b: &[i128; 3]| (0..3).map(|k| a[k] as f64 * b[k] as f64).sum::<f64>();
    let norm = |a: &[i128; 3]| dot(a, a);
    for _ in 0..1000 {
        basis.sort_by(|a, b| norm(a).total_cmp(&norm(b)));
        let [a, b, c] = basis;
        let k = (dot(&a, &b) / norm(&a)).round() as i128;
        let shorter_b: [i128; 3] = std::array::from_fn(|i| b[i] - k * a[i]);
        if norm(&shorter_b) < norm(&b) * 0.999 {
            basis[1] = shorter_b;
            continue;
        }
        // The third less its projection on the plane of the two, rounded, and the neighbours of that.
        let (aa, bb, ab) = (norm(&a), norm(&b), dot(&a, &b));
        let (ca, cb) = (dot(&c, &a), dot(&c, &b));
        let determinant = aa * bb - ab * ab;
        if determinant <= 0.0 {
            break;
        }
        let (u, v) = ((ca * bb - cb * ab) / determinant, (cb * aa - ca * ab) / determinant);
        let mut best = c;
        for du in -1..=1 {
            for dv in -1..=1 {
                let (k, l) = (u.round() as i128 + du, v.round() as i128 + dv);
                let candidate: [i128; 3] = std::array::from_fn(|i| c[i] - k * a[i] - l * b[i]);
                if norm(&candidate) < norm(&best) * 0.999 {
                    best = candidate;
                }
            }
        }
        if best == c {
            break;
        }
        basis[2] = best;
    }
    basis[0]
}
