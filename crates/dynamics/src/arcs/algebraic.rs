//! Algebraic functions along a line, from their power series at one point to their values at others.
//!
//! A dependent coordinate is an algebraic function of a coordinate that moves: it satisfies P(x, y) = 0 for an
//! irreducible P, and enough coefficients of its series determine P (Hermite and Padé). At another x the roots of
//! P(x, y) are the values of y and its conjugates, which no equation with numbers of the field tells apart.

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_scalar::{Field, Fp, Prime, Scalar, Series};

/// Coefficients of a series beyond those that a relation needs: a false relation passes each with chance 1/p.
const SPARE: usize = 4;
/// Highest degree in y that is looked for.
const HIGHEST: usize = 6;

/// P(x, y) = 0: the coefficients of each power of y, which are polynomials of x, the constant ones first.
#[derive(Clone, Debug)]
pub(super) struct Relation(Vec<Vec<Fp>>);

impl Relation {
    /// The relation that a series satisfies; `None` where it is of a higher degree than the coefficients tell.
    pub(super) fn of<const N: usize>(y: &Series<N>, mut draw: impl FnMut() -> Fp) -> Option<Self> {
        let coefficients = y.coefficients();
        if coefficients[1..].iter().all(|c| *c == Fp::zero()) {
            return Some(Relation(vec![vec![-coefficients[0]], vec![Fp::one()]]));
        }
        let mut powers = vec![Series::one()];
        for degree in 1..=HIGHEST {
            powers.push(powers[degree - 1] * *y);
            // The highest degree in x that the coefficients determine beside this one in y.
            let most = ((N - SPARE) / (degree + 1)).checked_sub(1)?;
            let width = (degree + 1) * (most + 1);
            let system = Matrix::from_fn(N, width, |row, column| {
                let (i, j) = (column / (degree + 1), column % (degree + 1));
                row.checked_sub(i).map_or(Fp::zero(), |k| powers[j].coefficients()[k])
            });
            let multiples = reduce(system, width, 0.0).nullspace();
            if multiples.is_empty() {
                continue;
            }
            // All are P times a polynomial of x: a random sum of them vanishes nowhere else but by chance.
            let mut relation = vec![vec![Fp::zero(); most + 1]; degree + 1];
            for multiple in &multiples {
                let weight = draw();
                for (column, c) in multiple.iter().enumerate() {
                    relation[column % (degree + 1)][column / (degree + 1)] += weight * *c;
                }
            }
            return Some(Relation(relation));
        }
        None
    }

    /// The values of y and its conjugates at some x that are in the field.
    pub(super) fn values_at(&self, x: Fp, mut draw: impl FnMut() -> Fp) -> Vec<Fp> {
        let value = |p: &Vec<Fp>| p.iter().rev().fold(Fp::zero(), |sum, c| sum * x + *c);
        roots(self.0.iter().map(value).collect(), &mut draw)
    }
}

/// The roots of a polynomial in the field, each once (Cantor and Zassenhaus); the constant coefficient first.
fn roots(polynomial: Vec<Fp>, draw: &mut impl FnMut() -> Fp) -> Vec<Fp> {
    let mut f = trimmed(polynomial);
    if f.len() < 2 {
        return Vec::new();
    }
    // Whose leading coefficient is one: to divide by it takes no inverse.
    let leading = f[f.len() - 1].inv();
    f.iter_mut().for_each(|c| *c = *c * leading);
    // y^p − y is the product of all y − c.
    let mut power = power_modulo(&[Fp::zero(), Fp::one()], Prime::current().value(), &f);
    power.resize(power.len().max(2), Fp::zero());
    power[1] -= Fp::one();
    let mut found = Vec::new();
    split(gcd(f, trimmed(power)), draw, &mut found);
    found
}

/// The roots of a product of different linear factors.
fn split(f: Vec<Fp>, draw: &mut impl FnMut() -> Fp, found: &mut Vec<Fp>) {
    match f.len() {
        0 | 1 => {}
        2 => found.push(-f[0] * f[1].inv()),
        _ => loop {
            // Half of all shifts of a root are squares.
            let mut power = power_modulo(&[draw(), Fp::one()], (Prime::current().value() - 1) / 2, &f);
            power.resize(power.len().max(1), Fp::zero());
            power[0] -= Fp::one();
            let part = gcd(f.clone(), trimmed(power));
            if part.len() > 1 && part.len() < f.len() {
                split(quotient(f, &part), draw, found);
                return split(part, draw, found);
            }
        },
    }
}

fn trimmed(mut f: Vec<Fp>) -> Vec<Fp> {
    while f.last() == Some(&Fp::zero()) {
        f.pop();
    }
    f
}

/// Quotient and remainder; the divisor is not zero.
fn divided(mut a: Vec<Fp>, b: &[Fp]) -> (Vec<Fp>, Vec<Fp>) {
    let leading = match b[b.len() - 1] {
        c if c == Fp::one() => c,
        c => c.inv(),
    };
    let mut out = vec![Fp::zero(); (a.len() + 1).saturating_sub(b.len())];
    for k in (0..out.len()).rev() {
        out[k] = a[k + b.len() - 1] * leading;
        for (i, c) in b.iter().enumerate() {
            a[k + i] -= out[k] * *c;
        }
    }
    (out, trimmed(a))
}

fn quotient(a: Vec<Fp>, b: &[Fp]) -> Vec<Fp> {
    divided(a, b).0
}

fn gcd(mut a: Vec<Fp>, mut b: Vec<Fp>) -> Vec<Fp> {
    while !b.is_empty() {
        (a, b) = (b.clone(), divided(a, &b).1);
    }
    a
}

fn power_modulo(base: &[Fp], mut exponent: u64, f: &[Fp]) -> Vec<Fp> {
    let times = |a: &[Fp], b: &[Fp]| {
        let mut out = vec![Fp::zero(); (a.len() + b.len()).saturating_sub(1)];
        for (i, x) in a.iter().enumerate() {
            b.iter().enumerate().for_each(|(j, y)| out[i + j] += *x * *y);
        }
        divided(out, f).1
    };
    let (mut square, mut out) = (divided(base.to_vec(), f).1, divided(vec![Fp::one()], f).1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = times(&out, &square);
        }
        square = times(&square, &square);
        exponent >>= 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> impl FnMut() -> Fp {
        let mut stream = steiner_linalg::Stream::new(1);
        move || stream.residue()
    }

    #[test]
    fn a_polynomial_has_the_roots_it_was_made_of() {
        let n = |n: i64| Fp::from_i64(n);
        // (y − 2)(y − 3)(y³ − 27): a root that is there twice is found once, and the field has those of unity.
        let mut found = roots(vec![n(-162), n(135), n(-27), n(6), n(-5), n(1)], &mut stream());
        found.sort_by_key(|y| y.residue());
        assert!(found.starts_with(&[n(2), n(3)]) && found.len() == 4);
    }

    #[test]
    fn a_square_root_keeps_its_sign_only_where_it_is_rational() {
        // (2 + 3x)/(1 + x), whose square would have two.
        let x = Series::<32>::new(std::array::from_fn(|k| if k == 1 { Fp::one() } else { Fp::zero() }));
        let (one, number) = (Series::one(), |n| Series::from_i64(n));
        let y = (number(2) + number(3) * x) * (one + x).inv();
        let at_one = |y: &Series<32>| Relation::of(y, stream()).unwrap().values_at(Fp::one(), stream());
        assert_eq!(at_one(&y), vec![Fp::from_i64(5) * Fp::from_i64(2).inv()]);
        // y² = 4 + 5x by Newton: ±3 at 1.
        let square = number(4) + number(5) * x;
        let mut y = number(2);
        for _ in 0..6 {
            y = (y + square * y.inv()).half();
        }
        let found = at_one(&y);
        assert!(found.len() == 2 && found.contains(&Fp::from_i64(3)) && found.contains(&Fp::from_i64(-3)));
    }
}
