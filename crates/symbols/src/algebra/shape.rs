//! Degrees of an entry's numerator and denominator, from values along lines.

use steiner_scalar::{Field, Fp, Rational};

use super::interpolate::Values;
use super::resistance::Resistance;
use super::sample::{Draw, Sample};
use super::source::{MOST_MISSING, Source};
use super::univariate::{Fraction, through};

/// Bounds for the exponents of a polynomial.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Bounds {
    /// Lowest power of each variable.
    pub(crate) lowest: Vec<u16>,
    /// Highest power of each variable.
    pub(crate) highest: Vec<u16>,
    /// Highest total power of the lengths.
    pub(crate) of_lengths: u16,
    /// Highest total power of the half-angle tangents.
    pub(crate) of_tangents: u16,
}

/// Bounds for numerator and denominator; `None` for an entry that is zero everywhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) parts: Option<[Bounds; 2]>,
    /// Powers of the first variable with non-zero coefficients in numerator and denominator.
    pub(crate) first: [Vec<u16>; 2],
    /// For a polynomial in sines and cosines over one in lengths: its degree in those of each angle.
    /// Exponents of angles then count [`Harmonic`](super::harmonics)s instead of powers of the half-angle
    /// tangent: of sin², one instead of five.
    pub(crate) harmonics: Option<Vec<u16>>,
}

/// The shapes of some entries at the source's base point.
pub(crate) fn shapes(
    source: &mut Source<'_>,
    entries: &[usize],
    dimensions: &[Option<i32>],
) -> Vec<Result<Shape, Resistance>> {
    let (lengths, freedoms) = (source.names.lengths.len(), source.names.freedoms());
    let empty = || Bounds { lowest: vec![0; freedoms], highest: vec![0; freedoms], ..Bounds::default() };
    let harmonics = Some(vec![0; freedoms - lengths]);
    let zero_so_far = Shape { parts: Some([empty(), empty()]), first: [Vec::new(), Vec::new()], harmonics };
    let mut out: Vec<Result<Shape, Resistance>> = vec![Ok(zero_so_far); entries.len()];
    for place in 0..freedoms {
        let name = variable_name(source, place);
        let start = source.base.0.values().nth(place).cloned().unwrap_or(Rational::ZERO);
        let fractions = along(source, entries, &out, &|_| true, &name, &start, &mut |base, draw| {
            let value = draw.value(place);
            let mut sample = base.clone();
            *sample.value_mut(place) = value.clone();
            (sample, value)
        });
        for (shape, fraction) in out.iter_mut().zip(fractions) {
            let (Ok(known), Some(fraction)) = (&mut *shape, fraction) else { continue };
            match fraction {
                Ok(fraction) => known.take(place, lengths, &fraction),
                Err(reason) => *shape = Err(reason),
            }
        }
    }
    // Where several lengths, or several angles, move an entry, the total degrees say
    // much more than the sum of all.
    for (tangents, range) in [(false, 0..lengths), (true, lengths..freedoms)] {
        let name = if tangents { "all angles" } else { "all lengths" };
        let other = source.draw.sample();
        // Harmonics are few, and need no bound on their product.
        let wanted = |shape: &Shape| {
            let movers = range.clone().filter(|&place| shape.depends_on(place));
            movers.count() > 1 && !(tangents && shape.harmonics.is_some())
        };
        let several = out.iter().flatten().any(wanted);
        let fractions = if several {
            along(source, entries, &out, &wanted, name, &Rational::ZERO, &mut |base, draw| {
                let z = draw.step();
                let mut sample = base.clone();
                for place in range.clone() {
                    let target = other.values().nth(place).cloned().unwrap_or(Rational::ZERO);
                    let value = sample.value_mut(place);
                    *value = &*value + (target - &*value) * &z;
                }
                (sample, z)
            })
        } else {
            vec![None; entries.len()]
        };
        for (k, (shape, fraction)) in out.iter_mut().zip(fractions).enumerate() {
            let Ok(known) = shape else { continue };
            match fraction {
                Some(Ok(fraction)) => known.take_total(tangents, Some(&fraction), range.clone()),
                Some(Err(reason)) => {
                    *shape = Err(reason);
                    continue;
                }
                None => known.take_total(tangents, None, range.clone()),
            }
            if tangents {
                known.count_harmonics(lengths);
            }
            let stated = dimensions[entries[k]].filter(|_| !tangents);
            let found = known.parts.as_ref().map(|[n, d]| i32::from(n.of_lengths) - i32::from(d.of_lengths));
            if let (Some(stated), Some(found)) = (stated, found)
                && stated != found
            {
                *shape = Err(Resistance::Dimension { stated, found });
            }
        }
    }
    out
}

impl Shape {
    pub(crate) fn depends_on(&self, place: usize) -> bool {
        self.parts.as_ref().is_some_and(|parts| parts.iter().any(|part| part.highest[place] > 0))
    }

    fn take(&mut self, place: usize, lengths: usize, fraction: &Fraction) {
        if let (Some(angle), Some(degrees)) = (place.checked_sub(lengths), &mut self.harmonics) {
            match fraction.harmonics() {
                Some(degree) => degrees[angle] = degree,
                None => self.harmonics = None,
            }
        }
        let Some(parts) = &mut self.parts else { return };
        if fraction.numerator.is_empty() {
            // Zero on a line through the base: zero, or a base that is a root; the latter is refuted later.
            self.parts = None;
            return;
        }
        let had_none = parts.iter().all(|part| part.highest.iter().all(|e| *e == 0));
        let sides = [&fraction.numerator, &fraction.denominator];
        for (part, side) in parts.iter_mut().zip(sides) {
            part.highest[place] = (side.len() - 1) as u16;
            part.lowest[place] = side.iter().position(|c| *c != Fp::zero()).unwrap_or(0) as u16;
        }
        if had_none {
            self.first = sides
                .map(|side| (0..side.len()).filter(|&e| side[e] != Fp::zero()).map(|e| e as u16).collect());
        }
    }

    /// Exponents of angles for harmonics, if there are any.
    fn count_harmonics(&mut self, lengths: usize) {
        let (Some(parts), Some(degrees)) = (&mut self.parts, &self.harmonics) else { return };
        let starts_with_angle = parts.iter().all(|part| part.highest[..lengths].iter().all(|e| *e == 0));
        for (k, part) in parts.iter_mut().enumerate() {
            for (angle, degree) in degrees.iter().enumerate() {
                part.lowest[lengths + angle] = 0;
                part.highest[lengths + angle] = if k == 0 { 2 * degree } else { 0 };
            }
            part.of_tangents = part.highest[lengths..].iter().sum();
        }
        if starts_with_angle {
            let first = degrees.iter().find(|degree| **degree > 0).copied().unwrap_or(0);
            self.first = [(0..=2 * first).collect(), vec![0]];
        }
    }

    fn take_total(&mut self, tangents: bool, fraction: Option<&Fraction>, range: std::ops::Range<usize>) {
        let Some(parts) = &mut self.parts else { return };
        let sides = fraction.map(|f| [f.numerator.len(), f.denominator.len()]);
        for (k, part) in parts.iter_mut().enumerate() {
            let sum = range.clone().map(|place| part.highest[place]).sum();
            let total = sides.map_or(sum, |sides| sides[k].saturating_sub(1) as u16);
            *(if tangents { &mut part.of_tangents } else { &mut part.of_lengths }) = total;
        }
    }
}

fn variable_name(source: &Source<'_>, place: usize) -> String {
    let names = &source.names;
    match place.checked_sub(names.lengths.len()) {
        None => names.lengths[place].clone(),
        Some(k) => format!("the half-angle tangent of {}", names.angles[k]),
    }
}

type Rule<'r> = dyn FnMut(&Sample, &mut Draw) -> (Sample, Rational) + 'r;

/// The fraction each entry is along a line; `None` for entries that are not
/// wanted, or not asked for any more.
fn along(
    source: &mut Source<'_>,
    entries: &[usize],
    known: &[Result<Shape, Resistance>],
    wanted: &dyn Fn(&Shape) -> bool,
    name: &str,
    start: &Rational,
    rule: &mut Rule<'_>,
) -> Vec<Option<Result<Fraction, Resistance>>> {
    let most = 2 * source.settings.most_degree + 3;
    let is_wanted = |shape: &Result<Shape, Resistance>| {
        shape.as_ref().is_ok_and(|shape| shape.parts.is_some() && wanted(shape))
    };
    let mut out: Vec<Option<Result<Fraction, Resistance>>> = vec![None; entries.len()];
    let (base, at_base) = source.base.clone();
    let residue = |r: &Rational| Fp::from_rational(r).unwrap_or(Fp::zero());
    // The base lies on every line.
    let mut points: Vec<(Fp, Values)> = vec![(residue(start), at_base)];
    while points.len() < most {
        let mut taken: Vec<Fp> = points.iter().map(|(x, _)| *x).collect();
        let together = source.settings.together.min(most - points.len());
        let answers = source.evaluate(together, &mut |draw| {
            // A few choices may all be taken already: then the value repeats, and is skipped.
            let mut drawn = rule(&base, draw);
            for _ in 0..20 {
                if !taken.contains(&residue(&drawn.1)) {
                    break;
                }
                drawn = rule(&base, draw);
            }
            taken.push(residue(&drawn.1));
            drawn
        });
        let before = points.len();
        for (_, value, values) in answers {
            let x = residue(&value);
            if points.iter().all(|(other, _)| *other != x) {
                points.push((x, values));
            }
        }
        if points.len() == before {
            break;
        }
        let mut open = false;
        for (k, &entry) in entries.iter().enumerate() {
            if out[k].is_some() || !is_wanted(&known[k]) {
                continue;
            }
            let line: Vec<(Fp, Fp)> =
                points.iter().filter_map(|(x, values)| Some((*x, values[entry]?))).collect();
            let missing = points.len() - line.len();
            if missing > MOST_MISSING + line.len() {
                out[k] = Some(Err(Resistance::NoNumber { samples: missing }));
                source.give_up(entry);
                continue;
            }
            out[k] = through(&line).map(Ok);
            open |= out[k].is_none();
        }
        if !open {
            break;
        }
    }
    for (k, shape) in known.iter().enumerate() {
        if out[k].is_none() && is_wanted(shape) {
            let reason = Resistance::NotRational { variable: name.to_owned(), points: points.len() };
            source.give_up(entries[k]);
            out[k] = Some(Err(reason));
        }
    }
    out
}
