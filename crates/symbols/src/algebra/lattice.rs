//! Short vectors of lattices with three generators.

use dashu_int::IBig;
use steiner_scalar::Rational;

/// Rounds of reduction; each shortens a vector, by a bit or more as a rule.
const MOST_ROUNDS: usize = 2000;

/// A shortest vector of the lattice: pairs are reduced as Gauss does, then the third against both, until
/// nothing shrinks. Sizes are compared in doubles, vectors changed exactly.
pub(crate) fn shortest<const D: usize>(mut basis: [[IBig; D]; 3]) -> [IBig; D] {
    let mut sizes = basis.each_ref().map(doubles);
    for _ in 0..MOST_ROUNDS {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| norm(&sizes[i]).total_cmp(&norm(&sizes[j])));
        let [a, b, c] = order;
        let (aa, bb, ab) = (norm(&sizes[a]), norm(&sizes[b]), dot(&sizes[a], &sizes[b]));
        let shorter = less(&basis[b], &[(whole(ab / aa), &basis[a])]);
        let size = doubles(&shorter);
        if norm(&size) < bb * 0.999 {
            (basis[b], sizes[b]) = (shorter, size);
            continue;
        }
        // The third less its projection on the plane of the two, rounded, and the neighbours of that.
        let (ca, cb) = (dot(&sizes[c], &sizes[a]), dot(&sizes[c], &sizes[b]));
        let determinant = aa * bb - ab * ab;
        if determinant <= 0.0 {
            break;
        }
        let (u, v) = ((ca * bb - cb * ab) / determinant, (cb * aa - ca * ab) / determinant);
        let (u, v) = (whole(u), whole(v));
        let around = (-1..=1).flat_map(|du| (-1..=1).map(move |dv| (du, dv)));
        let candidates = around.map(|(du, dv)| {
            let candidate =
                less(&basis[c], &[(&u + IBig::from(du), &basis[a]), (&v + IBig::from(dv), &basis[b])]);
            let size = doubles(&candidate);
            (candidate, size)
        });
        match candidates.min_by(|(_, x), (_, y)| norm(x).total_cmp(&norm(y))) {
            Some((candidate, size)) if norm(&size) < norm(&sizes[c]) * 0.999 => {
                (basis[c], sizes[c]) = (candidate, size);
            }
            _ => break,
        }
    }
    let [first, others @ ..] = basis;
    others.into_iter().fold(first, |least, other| {
        if norm(&doubles(&other)) < norm(&doubles(&least)) { other } else { least }
    })
}

fn doubles<const D: usize>(vector: &[IBig; D]) -> [f64; D] {
    vector.each_ref().map(|x| x.to_f64().value())
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm<const D: usize>(a: &[f64; D]) -> f64 {
    dot(a, a)
}

/// The nearest integer; zero for what is none.
fn whole(x: f64) -> IBig {
    Rational::try_from(x.round()).map_or(IBig::ZERO, |r| r.numerator().clone())
}

/// A vector less multiples of others.
fn less<const D: usize>(vector: &[IBig; D], multiples: &[(IBig, &[IBig; D])]) -> [IBig; D] {
    std::array::from_fn(|i| multiples.iter().fold(vector[i].clone(), |sum, (k, other)| sum - k * &other[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination with small factors of the basis found is at least as long.
    #[test]
    fn nothing_is_shorter() {
        let basis = [[1009, 0, 0], [-357, 1, 0], [811, 0, 1]].map(|v| v.map(IBig::from));
        let found = norm(&doubles(&shortest(basis)));
        let mut least = f64::INFINITY;
        for b in -40i64..=40 {
            for d in -40i64..=40 {
                let rest = (-357 * b + 811 * d).rem_euclid(1009);
                let a = rest.min(1009 - rest);
                if (a, b, d) != (0, 0, 0) {
                    least = least.min((a * a + b * b + d * d) as f64);
                }
            }
        }
        assert_eq!(found, least);
    }
}
