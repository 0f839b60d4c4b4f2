//! The order and shape in which the terms of a sum are read: fewest terms first of all.

use std::collections::BTreeMap;

use super::monomial::Monomial;
use super::names::Names;
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::terms::Terms;

/// A part of a sum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// A number times powers; sines may have any.
    Term(Monomial, Radical),
    /// A number times powers times the square of a sum of variables: (place, whether it is subtracted).
    Square(Monomial, Radical, Vec<(usize, bool)>),
}

/// The parts of a sum as they are written: sin² or cos², whichever takes fewer terms,
/// and squares of sums completed.
pub(crate) fn parts(polynomial: &Polynomial) -> Vec<Part> {
    let terms = in_reading_order(polynomial);
    let all: Vec<Part> = terms.into_iter().map(|(m, c)| Part::Term(m, c)).collect();
    let squares = with_squares(&polynomial.names, all.clone());
    // What is a square as a whole is a matter of factors.
    if squares.len() > 1 { squares } else { all }
}

/// Terms by degree in the lengths, then more of the first names first.
pub(crate) fn in_reading_order(polynomial: &Polynomial) -> Vec<(Monomial, Radical)> {
    let lengths = polynomial.names.lengths.len();
    let short = shortest(&polynomial.names, &polynomial.terms);
    let mut terms: Vec<_> = short.iter().map(|(m, c)| (m.clone(), c.clone())).collect();
    let degree = |exponents: &[u16]| exponents.iter().map(|e| u32::from(*e)).sum::<u32>();
    terms.sort_by_cached_key(|(m, _)| {
        let (own, circle) = m.exponents().split_at(lengths);
        std::cmp::Reverse((degree(own), own.to_vec(), degree(circle), circle.to_vec()))
    });
    terms
}

/// With 1 − cos² as sin² wherever terms become fewer. What multiplies the same other variables is divided by
/// 1 − cos² as often as it can be.
pub(crate) fn shortest(names: &Names, terms: &Terms) -> Terms {
    let lengths = names.lengths.len();
    let mut terms = terms.clone();
    for angle in 0..names.angles.len() {
        let (cosine, sine) = (lengths + 2 * angle, lengths + 2 * angle + 1);
        let places = terms.places();
        if terms.degree_in(cosine) < 2 {
            continue;
        }
        let mut out = Terms::zero(places);
        let square = Terms::indeterminate(places, cosine).power(2);
        let complement = Terms::constant(places, 1.into()).minus(&square);
        let mut groups: BTreeMap<Monomial, Terms> = BTreeMap::new();
        for (m, c) in terms.iter() {
            let group = groups.entry(m.with(cosine, 0)).or_insert_with(|| Terms::zero(places));
            group.add_term(Monomial::one(places).with(cosine, m.exponent(cosine)), c.clone());
        }
        for (rest, mut group) in groups {
            let mut sines = rest.exponent(sine);
            while let Some(quotient) = group.over(&complement).filter(|quotient| quotient.len() < group.len())
            {
                (group, sines) = (quotient, sines + 2);
            }
            out = out.plus(&group.times_monomial(&rest.with(sine, sines)));
        }
        terms = out;
    }
    terms
}

/// m x² ± 2 m x y + m y² becomes m (x ± y)², for as many lengths at once as there are.
fn with_squares(names: &Names, mut parts: Vec<Part>) -> Vec<Part> {
    let lengths = names.lengths.len();
    let mut at = 0;
    while at < parts.len() {
        if let Some((square, used)) = (0..lengths).find_map(|first| square_from(&parts, at, first, lengths)) {
            parts[at] = square;
            let mut place = 0;
            parts.retain(|_| {
                place += 1;
                place - 1 == at || !used.contains(&(place - 1))
            });
        }
        at += 1;
    }
    parts
}

/// The square that begins with the term m x² at a place, and the places of all its terms.
fn square_from(parts: &[Part], at: usize, first: usize, lengths: usize) -> Option<(Part, Vec<usize>)> {
    let Part::Term(monomial, factor) = &parts[at] else { return None };
    let rest = monomial.with(first, monomial.exponent(first).checked_sub(2)?);
    // Where m (±2) x y or m y² stands, and its factor.
    let term = |a: usize, b: usize| {
        let wanted = rest.with(a, rest.exponent(a) + 1);
        let wanted = wanted.with(b, wanted.exponent(b) + 1);
        parts.iter().enumerate().find_map(|(k, part)| match part {
            Part::Term(m, c) if *m == wanted => Some((k, c)),
            _ => None,
        })
    };
    let twice = factor.clone() + factor.clone();
    let mut members = vec![(first, false)];
    let mut used = vec![at];
    for other in (0..lengths).filter(|&other| other != first) {
        let Some((square, _)) = term(other, other).filter(|(_, c)| *c == factor) else { continue };
        let Some((_, cross)) = term(first, other) else { continue };
        let minus = match () {
            () if *cross == twice => false,
            () if *cross == -twice.clone() => true,
            () => continue,
        };
        let crosses: Option<Vec<usize>> = members
            .iter()
            .map(|&(member, negative)| {
                let wanted = if negative == minus { twice.clone() } else { -twice.clone() };
                term(member, other).filter(|(_, c)| **c == wanted).map(|(k, _)| k)
            })
            .collect();
        if let Some(crosses) = crosses {
            members.push((other, minus));
            used.push(square);
            used.extend(crosses);
        }
    }
    (members.len() > 1).then(|| (Part::Square(rest, factor.clone(), members), used))
}
