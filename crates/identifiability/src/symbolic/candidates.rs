//! Conditions under which a member of a family may be special: where factors of weights vanish,
//! and what a designer would try.

use steiner_robot::ConstantKind;
use steiner_scalar::{Exact, Rational};
use steiner_symbols::algebra::{Polynomial, Radical, Variable, factorise};

use super::special::SpecialSource;
use super::{FamilyVariable, Symbolic, Weight};

/// Lengths of which all pairs are tried.
const ALL_PAIRS: usize = 8;
/// Most pairs otherwise, and most pairs of pairs.
const MOST_PAIRS: usize = 45;

/// A condition, and how to meet it.
pub(crate) struct Candidate {
    pub(crate) condition: String,
    pub(crate) source: SpecialSource,
    /// (variable, value).
    pub(crate) changes: Vec<(usize, Exact)>,
}

impl Symbolic {
    /// The value of a constant in the file (m, rad).
    pub(crate) fn value_of(&self, name: &str) -> Exact {
        let constant = self.robot.constants.iter().find(|constant| constant.name == name);
        constant.map_or_else(Exact::zero, |constant| constant.value.clone())
    }
}

/// The place of a variable among lengths and angles.
fn place(symbolic: &Symbolic, variable: Variable) -> usize {
    match variable {
        Variable::Length(k) => k,
        Variable::Cosine(k) | Variable::Sine(k) => symbolic.names.lengths.len() + k,
    }
}

/// Conditions from numerators and denominators.
pub(crate) fn factors(symbolic: &Symbolic, out: &mut Vec<Candidate>, unsolved: &mut Vec<String>) {
    let mut seen: Vec<Polynomial> = Vec::new();
    let weights = symbolic.parameters.iter().flat_map(|parameter| &parameter.terms);
    for (_, weight) in weights {
        let Weight::Function(function) = weight else { continue };
        for side in [function.numerator(), function.denominator()] {
            for (factor, _) in factorise(side, &[]).factors {
                if factor.to_constant().is_none() && !seen.contains(&factor) {
                    seen.push(factor);
                }
            }
        }
    }
    seen.sort_by_cached_key(|factor| (factor.degree(), factor.len(), factor.text()));
    for factor in seen {
        let candidate = match is_sum_of_even_powers(&factor) {
            true => all_zero(symbolic, &factor),
            false if keeps_its_sign(symbolic, &factor) => continue,
            false => solved(symbolic, &factor),
        };
        match candidate {
            Some(candidate) if !is_known(out, &candidate) => out.push(candidate),
            Some(_) => {}
            None => unsolved.push(format!("{} = 0", factor.text())),
        }
    }
}

/// Whether two candidates ask for the same member.
fn is_known(known: &[Candidate], candidate: &Candidate) -> bool {
    known.iter().any(|other| other.condition == candidate.condition || other.changes == candidate.changes)
}

/// Whether a factor is a sum of even powers with positive numbers, such as x² + y²: of whatever sign the
/// lengths are, it vanishes only with all its terms.
fn is_sum_of_even_powers(factor: &Polynomial) -> bool {
    let is_even = |exponents: &[u16]| exponents.iter().all(|e| e % 2 == 0);
    let terms = factor.written_terms();
    terms.len() > 1 && terms.iter().all(|(m, c)| is_even(m.exponents()) && !c.is_negative())
}

/// Whether all terms have one sign as long as lengths keep theirs, as in l1 + l2.
fn keeps_its_sign(symbolic: &Symbolic, factor: &Polynomial) -> bool {
    if !factor.variables().iter().all(|v| matches!(v, Variable::Length(_))) {
        return false;
    }
    // Places of lengths are those of variables; behind them nothing has an exponent.
    let is_negative = |(k, e): (usize, &u16)| e % 2 == 1 && symbolic.variables[k].value < 0.0;
    let mut signs = factor.terms().map(|(m, c)| {
        let turns = m.exponents().iter().enumerate().filter(|&power| is_negative(power)).count();
        (turns % 2 == 1) != c.is_negative()
    });
    let first = signs.next();
    factor.len() > 1 && signs.all(|sign| Some(sign) == first)
}

/// The lengths of a sum of even powers, all zero. `None` if a term has no length by which to vanish alone.
fn all_zero(symbolic: &Symbolic, factor: &Polynomial) -> Option<Candidate> {
    let lengths = symbolic.names.lengths.len();
    let mut zero: Vec<usize> = Vec::new();
    for (monomial, _) in &factor.written_terms() {
        let own = || (0..lengths).filter(|&k| monomial.exponent(k) > 0);
        if !own().any(|k| zero.contains(&k)) {
            zero.push(own().next()?);
        }
    }
    zero.sort_unstable();
    let name = |k: &usize| symbolic.variables[*k].name.as_str();
    Some(Candidate {
        condition: format!("{} = 0", zero.iter().map(name).collect::<Vec<_>>().join(" = ")),
        source: SpecialSource::Factor,
        changes: zero.iter().map(|&k| (k, Exact::zero())).collect(),
    })
}

/// A factor that vanishes for one length or angle, the others being the file's. `None` if it is neither
/// linear nor quadratic in a length, or no solution has the sign of the file's length.
fn solved(symbolic: &Symbolic, factor: &Polynomial) -> Option<Candidate> {
    let candidate = |condition: String, changes: Vec<(usize, Exact)>| {
        Some(Candidate { condition, source: SpecialSource::Factor, changes })
    };
    let variables = factor.variables();
    if let ([variable], 1, 1) = (variables.as_slice(), factor.len(), factor.degree()) {
        let at = place(symbolic, *variable);
        let name = &symbolic.variables[at].name;
        return match variable {
            Variable::Length(_) | Variable::Sine(_) => {
                candidate(format!("{name} = 0"), vec![(at, Exact::zero())])
            }
            Variable::Cosine(_) => candidate(format!("{name} = 90°"), vec![(at, right_angle())]),
        };
    }
    if variables.iter().any(|variable| !matches!(variable, Variable::Length(_))) {
        return None;
    }
    let names = &symbolic.names;
    let values: Vec<Rational> =
        names.lengths.iter().map(|name| symbolic.value_of(name).to_rational()).collect::<Option<_>>()?;
    // Linear ones first: their solutions are short.
    for degree in [1, 2] {
        for variable in variables.iter().rev().filter(|variable| factor.degree_in(**variable) == degree) {
            let Variable::Length(k) = *variable else { continue };
            let at = |x: i64| {
                let mut values = values.clone();
                values[k] = Rational::from(x);
                factor.evaluate_in(&values, &[])
            };
            if let Some(root) = root_like(&values[k], at(-1)?, at(0)?, at(1)?) {
                return candidate(condition_text(factor), vec![(k, root)]);
            }
        }
    }
    None
}

/// The root of a quadratic with these values at −1, 0 and 1 that has the sign of a given number and lies
/// nearest to it, if it is rational but for a root of 2, 3, 5, 7 or their products.
fn root_like(given: &Rational, minus: Rational, zero: Rational, plus: Rational) -> Option<Exact> {
    let half = Rational::ONE / Rational::from(2);
    let a = (plus.clone() + minus.clone()) * half.clone() - zero.clone();
    let b = (plus - minus) * half;
    let roots: Vec<Exact> = if a.is_zero() {
        if b.is_zero() {
            return None;
        }
        vec![Exact::rational(-zero / b)]
    } else {
        let discriminant = b.clone() * b.clone() - Rational::from(4) * a.clone() * zero;
        if discriminant < Rational::ZERO {
            return None;
        }
        // Other roots would be rounded, and a rounded member is no special one.
        let root = Exact::rational(discriminant).sqrt();
        let root = match Radical::from_exact(&root)?.to_rational() {
            Some(rational) => Exact::rational(rational),
            None => root,
        };
        let [middle, scale] = [-b, Rational::from(2) * a].map(Exact::rational);
        vec![(middle.clone() + root.clone()) / scale.clone(), (middle - root) / scale]
    };
    let given = given.to_f64().value();
    let far = |root: &Exact| root.to_f64().map_or(f64::INFINITY, |x| (x - given).abs());
    roots
        .into_iter()
        .filter(|root| root.to_f64().is_ok_and(|x| x * given > 0.0))
        .min_by(|one, other| far(one).total_cmp(&far(other)))
}

/// `a = b` for a − b.
fn condition_text(factor: &Polynomial) -> String {
    let text = factor.text();
    match text.split_once(" - ") {
        Some((a, b)) if factor.len() == 2 => format!("{a} = {b}"),
        _ => format!("{text} = 0"),
    }
}

fn right_angle() -> Exact {
    Exact::pi() * Exact::fraction(1, 2)
}

/// Conditions that are always tried; how many were left out.
pub(crate) fn catalogue(symbolic: &Symbolic, out: &mut Vec<Candidate>) -> usize {
    let name = |k: usize| symbolic.variables[k].name.clone();
    let mut add = |condition: String, changes: Vec<(usize, Exact)>| {
        let candidate = Candidate { condition, source: SpecialSource::Catalogue, changes };
        if !is_known(out, &candidate) {
            out.push(candidate);
        }
    };
    let lengths = symbolic.names.lengths.len();
    for (k, variable) in symbolic.variables.iter().enumerate() {
        match variable.kind {
            ConstantKind::Length => add(format!("{} = 0", name(k)), vec![(k, Exact::zero())]),
            ConstantKind::Angle => {
                add(format!("{} = 0", name(k)), vec![(k, Exact::zero())]);
                add(format!("{} = 90°", name(k)), vec![(k, right_angle())]);
            }
        }
    }
    // Lengths have signs, but only their sizes make a mechanism special.
    let differ = |a: usize, b: usize| symbolic.variables[a].value.abs() != symbolic.variables[b].value.abs();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for a in 0..lengths {
        pairs.extend((a + 1..lengths).filter(|&b| differ(a, b)).map(|b| (a, b)));
    }
    let all = pairs.len();
    let around = lengths_around_loops(symbolic);
    let in_one_loop =
        |places: &[usize]| around.iter().any(|lengths| places.iter().all(|place| lengths.contains(place)));
    if lengths > ALL_PAIRS {
        // What makes a loop special are its own lengths, whether they occur in a weight or not.
        pairs.retain(|&(a, b)| in_one_loop(&[a, b]) || occur_together(symbolic, a, b));
        pairs.sort_by_key(|&(a, b)| !in_one_loop(&[a, b]));
        pairs.truncate(MOST_PAIRS);
    }
    let mut left_out = all - pairs.len();
    let value = |k: usize| symbolic.value_of(&symbolic.variables[k].name);
    let sign = |k: usize| symbolic.variables[k].value.signum();
    // The second takes the size of the first and keeps its sign.
    let equal = |a: usize, b: usize| (b, if sign(a) == sign(b) { value(a) } else { -value(a) });
    let equation = |a: usize, b: usize| match sign(a) == sign(b) {
        true => format!("{} = {}", name(a), name(b)),
        false => format!("{} = -{}", name(a), name(b)),
    };
    for &(a, b) in &pairs {
        add(equation(a, b), vec![equal(a, b)]);
    }
    let mut twice: Vec<[usize; 4]> = Vec::new();
    for (i, &(a, b)) in pairs.iter().enumerate() {
        let apart = pairs[i + 1..].iter().filter(|(c, d)| ![a, b].contains(c) && ![a, b].contains(d));
        twice.extend(apart.map(|&(c, d)| [a, b, c, d]));
    }
    // Equal in pairs, lengths of one loop make parallelograms and kites.
    twice.retain(|places| lengths <= ALL_PAIRS && !around.is_empty() || in_one_loop(places));
    left_out += twice.len().saturating_sub(MOST_PAIRS);
    for [a, b, c, d] in twice.into_iter().take(MOST_PAIRS) {
        add(format!("{} and {}", equation(a, b), equation(c, d)), vec![equal(a, b), equal(c, d)]);
    }
    left_out
}

/// Whether four lengths of one loop are equal in pairs: such loops have more than one kind of assembly.
pub(crate) fn equal_in_pairs(symbolic: &Symbolic, values: &[Exact]) -> bool {
    let sizes: Vec<f64> = values.iter().map(|x| x.to_f64().map_or(f64::NAN, f64::abs)).collect();
    lengths_around_loops(symbolic).into_iter().any(|lengths| {
        let mut open: Vec<f64> = lengths.into_iter().map(|k| sizes[k]).collect();
        let mut pairs = 0;
        while let Some(size) = open.pop() {
            if let Some(twin) = open.iter().position(|other| *other == size) {
                open.swap_remove(twin);
                pairs += 1;
            }
        }
        pairs > 1
    })
}

/// The lengths that place the joints of each loop.
fn lengths_around_loops(symbolic: &Symbolic) -> Vec<Vec<usize>> {
    let lengths = &symbolic.variables[..symbolic.names.lengths.len()];
    let occurs = |numbers: &[Exact], variable: &FamilyVariable| {
        let is_named =
            |name: &str| name == variable.name || variable.tied.iter().any(|(tied, _)| tied == name);
        numbers.iter().any(|x| x.mentions(&is_named))
    };
    let of_loop = |numbers: Vec<Exact>| -> Vec<usize> {
        (0..lengths.len()).filter(|&k| occurs(&numbers, &lengths[k])).collect()
    };
    symbolic.robot.numbers_around_loops().into_iter().map(of_loop).collect()
}

/// Whether a weight depends on both lengths.
fn occur_together(symbolic: &Symbolic, a: usize, b: usize) -> bool {
    let weights = symbolic.parameters.iter().flat_map(|parameter| &parameter.terms);
    weights.into_iter().any(|(_, weight)| match weight {
        Weight::Function(function) => {
            let has = |k: usize| {
                let depends = |p: &Polynomial| p.degree_in(Variable::Length(k)) > 0;
                depends(function.numerator()) || depends(function.denominator())
            };
            has(a) && has(b)
        }
        Weight::Number { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Rational, root_like};

    #[test]
    fn quadratics_are_solved_near_the_given_length_and_with_its_sign() {
        let at = |given: i64, a: i64, b: i64, c: i64| {
            let [given, minus, zero, plus] = [given, a - b + c, c, a + b + c].map(Rational::from);
            root_like(&given, minus, zero, plus)
        };
        // (x − 2)(x + 3), (x − 1)(x − 4), 2x² − 1, x² − 11, x² + 1, −3x + 6, −3x.
        assert_eq!(at(1, 1, 1, -6).and_then(|x| x.to_rational()), Some(2.into()));
        assert_eq!(at(-1, 1, 1, -6).and_then(|x| x.to_rational()), Some((-3).into()));
        assert_eq!(at(3, 1, -5, 4).and_then(|x| x.to_rational()), Some(4.into()));
        assert_eq!(at(1, 2, 0, -1).and_then(|x| x.to_f64().ok()), Some(0.5f64.sqrt()));
        assert!(at(1, 1, 0, -11).is_none() && at(1, 1, 0, 1).is_none());
        assert_eq!(at(1, 0, -3, 6).and_then(|x| x.to_rational()), Some(2.into()));
        assert!(at(1, 0, -3, 0).is_none() && at(-1, 0, -3, 6).is_none());
    }
}
