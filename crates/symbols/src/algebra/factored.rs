//! Products: what is common to all terms taken out, and factors that have names.

use std::sync::Arc;

use steiner_scalar::{Field, Rational};

use super::factorise::Factorisation;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;
use super::write::Notation;

/// coefficient · Π variableᵉ · Π factorᵉ, exponents of either sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Factored {
    pub(crate) names: Arc<Names>,
    /// The number in front.
    pub coefficient: Radical,
    /// Powers of lengths, cosines and sines by their place; sines may have any.
    pub powers: Vec<i32>,
    /// Sums of two terms and more with their powers. Their coefficients have nothing in
    /// common, the first is positive.
    pub factors: Vec<(Polynomial, i32)>,
}

impl Factored {
    /// The parts of a quotient with monomials and numbers taken out, sums as they are.
    pub fn plain(function: &RationalFunction) -> Self {
        let whole =
            |rest: &Polynomial| Factorisation { constant: Radical::one(), factors: vec![(rest.clone(), 1)] };
        Self::split(function, &mut |rest| whole(rest))
    }

    /// The same with sums split further by a rule.
    pub(crate) fn split(
        function: &RationalFunction,
        rule: &mut dyn FnMut(&Polynomial) -> Factorisation,
    ) -> Self {
        let names = function.names().clone();
        let mut out = Factored {
            coefficient: Radical::one(),
            powers: vec![0; names.indeterminates()],
            factors: Vec::new(),
            names,
        };
        if function.is_zero() {
            out.coefficient = Radical::zero();
            return out;
        }
        out.take(function.numerator(), 1, rule);
        out.take(function.denominator(), -1, rule);
        out
    }

    fn take(
        &mut self,
        polynomial: &Polynomial,
        sign: i32,
        rule: &mut dyn FnMut(&Polynomial) -> Factorisation,
    ) {
        let (coefficient, powers, rest) = without_monomials(polynomial);
        self.powers.iter_mut().zip(powers).for_each(|(all, e)| *all += sign * e as i32);
        let mut own = coefficient;
        if let Some(constant) = rest.to_constant() {
            own = own * constant;
        } else {
            let Factorisation { constant, factors } = rule(&rest);
            own = own * constant;
            for (factor, e) in factors {
                let (constant, factor) = primitive(&factor);
                own = (0..e).fold(own, |own, _| own * constant.clone());
                match self.factors.iter_mut().find(|(known, _)| *known == factor) {
                    Some((_, power)) => *power += sign * e as i32,
                    None => self.factors.push((factor, sign * e as i32)),
                }
            }
            self.factors.retain(|(_, e)| *e != 0);
        }
        let own = if sign < 0 { own.try_inv().expect("a denominator is not zero") } else { own };
        self.coefficient = self.coefficient.clone() * own;
    }

    /// Multiplied out again.
    pub fn expanded(&self) -> RationalFunction {
        let mut sides =
            [Polynomial::constant(&self.names, self.coefficient.clone()), Polynomial::one(&self.names)];
        let variables = self
            .powers
            .iter()
            .enumerate()
            .map(|(place, e)| (Polynomial::variable(&self.names, self.names.variable(place)), *e));
        for (factor, e) in variables.chain(self.factors.iter().cloned()) {
            let side = &mut sides[usize::from(e < 0)];
            *side = &*side * &factor.power(e.unsigned_abs());
        }
        let [numerator, denominator] = sides;
        RationalFunction::new(numerator, denominator).expect("no factor is zero")
    }

    /// In a notation, factors that are defined under their names.
    pub fn written(&self, notation: Notation, definitions: &[Definition]) -> String {
        if self.coefficient.is_zero() {
            return "0".to_owned();
        }
        let (coefficient, under) = match self.coefficient.to_rational() {
            Some(q) => {
                let over = Rational::from(q.numerator().clone());
                (Radical::from(over), Rational::from(q.denominator().clone()))
            }
            None => {
                let content = self.coefficient.content();
                let under = Rational::from(content.denominator().clone());
                (self.coefficient.clone() * under.clone().into(), under)
            }
        };
        let (negative, number) = notation.coefficient(&coefficient);
        let over = self.side(notation, definitions, 1, number);
        let number = if under.is_one() { String::new() } else { under.numerator().to_string() };
        let under = self.side(notation, definitions, -1, number);
        let sign = if negative { "-" } else { "" };
        let text = |parts: &[(String, bool)], alone: bool| match parts {
            [] => "1".to_owned(),
            [(sum, true)] if alone => sum.clone(),
            _ => {
                let piece = |(text, is_sum): &(String, bool)| {
                    if *is_sum { notation.grouped(text) } else { text.clone() }
                };
                parts.iter().map(piece).collect::<Vec<_>>().join(notation.dot())
            }
        };
        if under.is_empty() {
            return format!("{sign}{}", text(&over, !negative));
        }
        if matches!(notation, Notation::Latex | Notation::Html) {
            return format!("{sign}{}", notation.fraction(&text(&over, true), &text(&under, true)));
        }
        let below = text(&under, false);
        let below = if under.len() > 1 { format!("({below})") } else { below };
        format!("{sign}{}", notation.fraction(&text(&over, false), &below))
    }

    /// The parts above (1) or below (−1) the line, and which of them are sums.
    fn side(
        &self,
        notation: Notation,
        definitions: &[Definition],
        side: i32,
        number: String,
    ) -> Vec<(String, bool)> {
        let mut out = Vec::new();
        if !number.is_empty() {
            out.push((number, false));
        }
        let here = |e: i32| e * side > 0;
        for (place, e) in self.powers.iter().enumerate().filter(|(_, e)| here(**e)) {
            let mut exponents = vec![0; self.powers.len()];
            exponents[place] = e.unsigned_abs() as u16;
            let monomial = super::monomial::Monomial::new(exponents);
            out.push((notation.monomial(&self.names, &monomial), false));
        }
        for (factor, e) in self.factors.iter().filter(|(_, e)| here(*e)) {
            match definitions.iter().find(|definition| definition.polynomial == *factor) {
                Some(known) => {
                    let name = known.symbol(notation);
                    out.push((notation.raised(&name, known.power * e.unsigned_abs()), false));
                }
                None if e.abs() == 1 => out.push((notation.sum(factor), true)),
                None => {
                    let group = notation.grouped(&notation.sum(factor));
                    out.push((notation.raised(&group, e.unsigned_abs()), false));
                }
            }
        }
        out
    }
}

/// A name for a sum that occurs often.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Name of the common sum.
    pub name: String,
    /// Which power of the name the sum is: 2 for the square of a length.
    pub power: u32,
    /// The polynomial it stands for.
    pub polynomial: Polynomial,
}

impl Definition {
    pub(crate) fn symbol(&self, notation: Notation) -> String {
        notation.name(&self.name)
    }

    /// `λ2² = λx2² + λy2²`.
    pub fn written(&self, notation: Notation) -> String {
        let left = notation.raised(&self.symbol(notation), self.power);
        format!("{left} = {}", notation.sum(&self.polynomial))
    }
}

/// A polynomial as number · Π variableᵉ · rest, the rest without common variables, numbers
/// or a negative first coefficient.
pub(crate) fn without_monomials(polynomial: &Polynomial) -> (Radical, Vec<u32>, Polynomial) {
    let names = &polynomial.names;
    let content = polynomial.terms.monomial_content();
    let mut powers: Vec<u32> = content.exponents().iter().map(|e| u32::from(*e)).collect();
    let terms = polynomial.terms.over_monomial(&content).expect("a content divides");
    let mut rest = Polynomial { names: names.clone(), terms };
    // 1 − cos² is sin², which no monomial shows.
    for k in 0..names.angles.len() {
        let sine = Polynomial::variable(names, Variable::Sine(k));
        while let Some(quotient) = rest.over(&sine).filter(|_| rest.to_constant().is_none()) {
            rest = quotient;
            powers[names.place(Variable::Sine(k))] += 1;
        }
    }
    let (constant, rest) = primitive(&rest);
    (constant, powers, rest)
}

/// A polynomial as number · rest, where the rest's coefficients are integers (or integer sums of roots)
/// without a common factor and the first is positive.
pub(crate) fn primitive(polynomial: &Polynomial) -> (Radical, Polynomial) {
    let Some((_, lead)) = polynomial.terms.leading() else { return (Radical::one(), polynomial.clone()) };
    let mut parts = lead.parts();
    let only = parts.next().map(|(d, _)| d).filter(|_| parts.next().is_none());
    let root = only.filter(|d| {
        let is_multiple = |c: &Radical| c.parts().all(|(own, _)| own == *d);
        polynomial.terms.iter().all(|(_, c)| is_multiple(c))
    });
    let mut number = Radical::root(polynomial.content(), root.unwrap_or(1).into()).expect("its own root");
    if polynomial.is_written_negative() {
        number = -number;
    }
    let inverse = number.try_inv().expect("a content is not zero");
    (number, polynomial.scaled(&inverse))
}
