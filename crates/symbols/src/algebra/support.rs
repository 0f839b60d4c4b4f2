//! Coefficients of a quotient whose degrees are known.
//!
//! All monomials the degrees allow are unknowns at once if they are few. Otherwise variables are let free one
//! after the other ([zippel1979]): with the later ones at the base's values most coefficients vanish, and
//! only the monomials that do not are continued with powers of the next variable.

use steiner_linalg::span::Span;
use steiner_scalar::{Field, Fp, Scalar};

use super::harmonics;
use super::lift::lift;
use super::monomial::Monomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;
use super::resistance::Resistance;
use super::shape::{Bounds, Shape};
use super::source::{MOST_MISSING, Source};
use super::terms::Terms;

/// Up to so many unknowns are solved for at once; more, one variable after the other.
const AT_ONCE: usize = 150;
/// Equations beyond the number of unknowns.
const SURPLUS: usize = 2;

/// The monomials of numerator and denominator.
type Support = [Vec<Monomial>; 2];

/// The function with this shape, its coefficients lifted.
pub(crate) fn solved(
    source: &mut Source<'_>,
    entry: usize,
    shape: &Shape,
    dimension: Option<i32>,
) -> Result<RationalFunction, Resistance> {
    let names = source.names.clone();
    let Some(parts) = &shape.parts else { return Ok(RationalFunction::zero(&names)) };
    let homogeneous = dimension.is_some();
    let freedoms = names.freedoms();
    let dense = parts.each_ref().map(|part| all_monomials(part, names.lengths.len(), homogeneous, AT_ONCE));
    let (support, solution) = match dense {
        [Some(n), Some(d)] if n.len() + d.len() <= AT_ONCE => {
            let support = [n, d];
            let solution = solution(source, entry, freedoms.saturating_sub(1), shape, &support)?;
            (support, solution)
        }
        _ => one_after_the_other(source, entry, shape, parts, homogeneous)?,
    };
    lifted(source, shape, support, &solution)
}

/// Every monomial within bounds; `None` if there are more than `most`.
fn all_monomials(bounds: &Bounds, lengths: usize, homogeneous: bool, most: usize) -> Option<Vec<Monomial>> {
    let places = bounds.highest.len();
    let mut out = vec![Monomial::one(places)];
    for place in 0..places {
        out = continued(&out, bounds, place, lengths, homogeneous);
        if out.len() > 40 * most {
            return None;
        }
    }
    (out.len() <= most).then_some(out)
}

/// Monomials in the variables before a place, continued with the powers at it that the bounds allow.
fn continued(
    known: &[Monomial],
    bounds: &Bounds,
    place: usize,
    lengths: usize,
    homogeneous: bool,
) -> Vec<Monomial> {
    let is_length = place < lengths;
    let group = if is_length { 0..place } else { lengths..place };
    let total = if is_length { bounds.of_lengths } else { bounds.of_tangents };
    // What the later lengths can add at most and at least, so that the total can still be met.
    let later = place + 1..lengths.max(place + 1);
    let (least, most): (u16, u16) = if is_length && homogeneous {
        (bounds.lowest[later.clone()].iter().sum(), bounds.highest[later].iter().sum())
    } else {
        (0, u16::MAX / 2)
    };
    let mut out = Vec::new();
    for monomial in known {
        let used: u16 = monomial.exponents()[group.clone()].iter().sum();
        for e in bounds.lowest[place]..=bounds.highest[place] {
            let sum = used + e;
            let reaches = !(is_length && homogeneous) || sum + most >= total;
            if sum + least <= total && reaches {
                out.push(monomial.with(place, e));
            }
        }
    }
    out
}

/// The coefficients over a support, from samples of a pool.
fn solution(
    source: &mut Source<'_>,
    entry: usize,
    pool: usize,
    shape: &Shape,
    support: &Support,
) -> Result<Vec<Fp>, Resistance> {
    let unknowns = support[0].len() + support[1].len();
    let most = source.settings.most_unknowns;
    if unknowns > most {
        return Err(Resistance::TooManyUnknowns { unknowns, most });
    }
    if source.names.freedoms() == 0 {
        let value = source.base.1[entry].ok_or(Resistance::NoNumber { samples: 1 })?;
        return Ok(vec![value, Fp::one()]);
    }
    let places = source.names.freedoms();
    let highest = |place: usize| support.iter().flatten().map(|m| m.exponent(place)).max().unwrap_or(0);
    let support_bounds: Vec<u16> = (0..places).map(highest).collect();
    let mut system = Span::new(0.0);
    let (mut equations, mut missing) = (0, 0);
    while equations < unknowns + SURPLUS {
        let k = equations + missing;
        let (point, value) = source.pooled(pool, k, entry).ok_or(Resistance::NoValues { tried: k })?;
        let Some(value) = value else {
            missing += 1;
            if missing > MOST_MISSING + equations {
                return Err(Resistance::NoNumber { samples: missing });
            }
            continue;
        };
        equations += 1;
        let powers: Vec<Vec<Fp>> = match &shape.harmonics {
            Some(degrees) => harmonics::powers(point, &support_bounds, degrees),
            None => {
                point.iter().zip(&support_bounds).map(|(x, &most)| harmonics::powers_of(*x, most)).collect()
            }
        };
        let at_point = |m: &Monomial| {
            m.exponents().iter().zip(&powers).fold(Fp::one(), |product, (&e, powers)| {
                if e == 0 { product } else { product * powers[usize::from(e)] }
            })
        };
        let numerator = support[0].iter().map(at_point);
        let denominator = support[1].iter().map(|m| -value * at_point(m));
        system.insert(numerator.chain(denominator).collect());
    }
    system.null_vector(unknowns).ok_or(Resistance::NoSolution { unknowns })
}

fn one_after_the_other(
    source: &mut Source<'_>,
    entry: usize,
    shape: &Shape,
    parts: &[Bounds; 2],
    homogeneous: bool,
) -> Result<(Support, Vec<Fp>), Resistance> {
    let (lengths, freedoms) = (source.names.lengths.len(), source.names.freedoms());
    let first = (0..freedoms).find(|&place| shape.depends_on(place)).unwrap_or(0);
    let mut support: Support = shape
        .first
        .each_ref()
        .map(|powers| powers.iter().map(|&e| Monomial::one(freedoms).with(first, e)).collect());
    let last_length = (0..lengths).rev().find(|&place| shape.depends_on(place));
    let mut coefficients = Vec::new();
    for place in first + 1..freedoms {
        if !shape.depends_on(place) {
            continue;
        }
        support = [0, 1].map(|k| {
            // With all but the last length free the terms are told apart already: it completes the dimension.
            let complete = homogeneous && Some(place) == last_length;
            if complete {
                completed(&support[k], &parts[k], place)
            } else {
                next(&support[k], &parts[k], place, lengths)
            }
        });
        coefficients = solution(source, entry, place, shape, &support)?;
        let count = support[0].len();
        let kept = |from: usize, monomials: &[Monomial]| -> Vec<Monomial> {
            let is_there = |(k, _): &(usize, &Monomial)| coefficients[from + k] != Fp::zero();
            monomials.iter().enumerate().filter(is_there).map(|(_, m)| m.clone()).collect()
        };
        support = [kept(0, &support[0]), kept(count, &support[1])];
        coefficients.retain(|c| *c != Fp::zero());
    }
    Ok((support, coefficients))
}

/// Powers of the next variable, the total bounded from above only.
fn next(known: &[Monomial], bounds: &Bounds, place: usize, lengths: usize) -> Vec<Monomial> {
    continued(known, bounds, place, lengths, false)
}

/// The power that makes the lengths' total what it must be.
fn completed(known: &[Monomial], bounds: &Bounds, place: usize) -> Vec<Monomial> {
    let missing = |m: &Monomial| {
        let used: u16 = m.exponents()[..place].iter().sum();
        bounds.of_lengths.checked_sub(used).filter(|&e| e <= bounds.highest[place])
    };
    known.iter().filter_map(|m| Some(m.with(place, missing(m)?))).collect()
}

/// Exact coefficients. The scale is open: a coefficient is 1, of the denominator if that does.
fn lifted(
    source: &Source<'_>,
    shape: &Shape,
    support: Support,
    solution: &[Fp],
) -> Result<RationalFunction, Resistance> {
    let bits = source.settings.coefficient_bits;
    let count = support[0].len();
    let units = (count..solution.len()).chain(0..count).filter(|&k| solution[k] != Fp::zero()).take(6);
    let mut worst = Resistance::NoSolution { unknowns: solution.len() };
    for unit in units {
        let inverse = solution[unit].inv();
        let exact: Result<Vec<Radical>, Fp> =
            solution.iter().map(|x| lift(*x * inverse, bits).ok_or(*x * inverse)).collect();
        match exact {
            Ok(exact) => {
                let freedoms = source.names.freedoms();
                let sum = |range: std::ops::Range<usize>, monomials: &[Monomial]| {
                    let mut terms = Terms::zero(freedoms);
                    exact[range]
                        .iter()
                        .zip(monomials)
                        .for_each(|(c, m)| terms.add_term(m.clone(), c.clone()));
                    terms
                };
                let numerator = sum(0..count, &support[0]);
                let denominator = sum(count..exact.len(), &support[1]);
                if denominator.is_zero() {
                    return Err(worst);
                }
                return Ok(match shape.harmonics {
                    Some(_) => harmonics::function(&source.names, &numerator, &denominator),
                    None => RationalFunction::of_coprime(&source.names, &numerator, &denominator),
                });
            }
            Err(residue) => worst = Resistance::Coefficient { residue: residue.residue() },
        }
    }
    Err(worst)
}
