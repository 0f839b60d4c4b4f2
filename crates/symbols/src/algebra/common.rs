//! Names for sums that several formulas share: λ2² = λx2² + λy2².

use std::sync::Arc;

use super::factored::{Definition, Factored};
use super::factorise::factorise;
use super::monomial::Monomial;
use super::names::Names;
use super::polynomial::Polynomial;
use super::rational_function::RationalFunction;
use super::reading::in_reading_order;
use super::write::Notation;

/// Formulas written with common sums under names.
#[derive(Clone, Debug, PartialEq)]
pub struct Abbreviated {
    /// The names, in the order of their first use.
    pub definitions: Vec<Definition>,
    /// The formulas as products.
    pub formulas: Vec<Factored>,
}

impl Abbreviated {
    /// The k-th formula: as a product with names or multiplied out, whichever is shorter.
    pub fn written(&self, k: usize, notation: Notation) -> String {
        self.shorter(k, notation).1
    }

    /// The k-th formula as something to multiply with: whether it is negative, and its size with
    /// sums in parentheses; empty for 1.
    pub fn factor(&self, k: usize, notation: Notation) -> (bool, String) {
        let (formula, text) = self.shorter(k, notation);
        let is_alone = formula.coefficient.is_one() && formula.powers.iter().all(|e| *e == 0);
        let is_sum = matches!(formula.factors.as_slice(), [(sum, 1)] if is_alone && !self.has_name(sum));
        match text.strip_prefix('-') {
            // What follows a minus is grouped already.
            Some(size) => (true, if size == "1" { String::new() } else { size.to_owned() }),
            None if text == "1" => (false, String::new()),
            None if is_sum => (false, notation.grouped(&text)),
            None => (false, text),
        }
    }

    fn has_name(&self, sum: &Polynomial) -> bool {
        self.definitions.iter().any(|definition| definition.polynomial == *sum)
    }

    fn shorter(&self, k: usize, notation: Notation) -> (Factored, String) {
        let formula = &self.formulas[k];
        let short = formula.written(notation, &self.definitions);
        if formula.factors.iter().any(|(factor, _)| self.has_name(factor)) {
            return (formula.clone(), short);
        }
        let plain = Factored::plain(&formula.expanded());
        let text = plain.written(notation, &[]);
        if text.chars().count() < short.chars().count() { (plain, text) } else { (formula.clone(), short) }
    }
}

/// Factors occurring in this many formulas are named.
const OFTEN: usize = 2;

/// Splits formulas into factors and names the sums of lengths that occur in several of them, or below a line.
/// Products of differences are short enough without.
///
/// Sums of squares are squares of a new length, called after theirs (`lx2`, `ly2` give `l2`) or `r1`, `r2`,
/// …; other sums of three terms and more are `k1`, `k2`, …. No new name is one of the lengths or angles, or
/// `taken` by something else on the page.
///
/// ```
/// use steiner_symbols::algebra::{Names, Notation, Polynomial, RationalFunction, abbreviate};
/// let names = Names::new(["λx2", "λy2", "λ1"], []);
/// let [x, y, l] = ["λx2", "λy2", "λ1"].map(|name| Polynomial::length(&names, name).unwrap());
/// let square = &x.power(2) + &y.power(2);
/// let functions = [(&l * &x, &square), (&l * &y, &square)].map(|(n, d)| RationalFunction::new(n, d.clone()).unwrap());
/// let short = abbreviate(&functions, &[]);
/// assert_eq!(short.definitions[0].written(Notation::Unicode), "λ2² = λx2² + λy2²");
/// assert_eq!(short.written(0, Notation::Unicode), "λx2·λ1/λ2²");
/// ```
pub fn abbreviate(functions: &[RationalFunction], taken: &[&str]) -> Abbreviated {
    let mut catalogue: Vec<Polynomial> = Vec::new();
    let mut formulas = Vec::new();
    // Twice: factors found late are tried on what came before.
    for _ in 0..2 {
        formulas = functions
            .iter()
            .map(|f| {
                Factored::split(f, &mut |rest| {
                    let found = factorise(rest, &catalogue);
                    for (factor, _) in &found.factors {
                        if factor.len() > 1 && !catalogue.contains(factor) {
                            catalogue.push(factor.clone());
                        }
                    }
                    found
                })
            })
            .collect();
    }
    let mut definitions: Vec<Definition> = Vec::new();
    let Some(names) = functions.first().map(|f| f.names().clone()) else {
        return Abbreviated { definitions, formulas };
    };
    let all = || formulas.iter().flat_map(|f: &Factored| f.factors.iter());
    for (factor, _) in all() {
        let uses = formulas.iter().filter(|f| f.factors.iter().any(|(known, _)| known == factor)).count();
        let known = definitions.iter().any(|definition| definition.polynomial == *factor);
        let squares = is_sum_of_squares(factor);
        if !known && uses >= OFTEN && (squares || is_long(factor)) {
            let name = new_name(&names, taken, &definitions, factor, squares);
            definitions.push(Definition { name, power: 1 + u32::from(squares), polynomial: factor.clone() });
        }
    }
    Abbreviated { definitions, formulas }
}

/// l² + l′² + …
fn is_sum_of_squares(p: &Polynomial) -> bool {
    let lengths = p.names.lengths.len();
    let is_square = |m: &Monomial| m.degree() == 2 && m.exponents()[..lengths].contains(&2);
    p.len() > 1 && p.terms().all(|(m, c)| is_square(m) && c.is_one())
}

/// Whether it is written with more than two terms.
fn is_long(p: &Polynomial) -> bool {
    in_reading_order(p).len() > 2
}

fn new_name(
    names: &Arc<Names>,
    taken: &[&str],
    definitions: &[Definition],
    p: &Polynomial,
    squares: bool,
) -> String {
    let taken = |name: &str| {
        taken.contains(&name)
            || names.lengths.iter().chain(&names.angles).any(|known| known == name)
            || definitions.iter().any(|definition| definition.name == name)
    };
    let stem = if squares { "r" } else { "k" };
    let numbered = || (1..).map(|k| format!("{stem}{k}")).find(|name| !taken(name)).unwrap_or_default();
    squares.then(|| shared_name(names, p)).flatten().filter(|name| !taken(name)).unwrap_or_else(numbered)
}

/// `l2` for `lx2`, `ly2` (and `lz2`): what is left of all names without their one x, y or z.
fn shared_name(names: &Names, p: &Polynomial) -> Option<String> {
    let mut shared: Option<String> = None;
    for place in p.terms.support() {
        let name = &names.lengths[place];
        let at: Vec<usize> = name.match_indices(['x', 'y', 'z']).map(|(k, _)| k).collect();
        let [at] = at.as_slice() else { return None };
        let without = format!("{}{}", &name[..*at], &name[at + 1..]);
        let starts_well = without.chars().next().is_some_and(char::is_alphabetic);
        if !starts_well || shared.as_ref().is_some_and(|known| *known != without) {
            return None;
        }
        shared = Some(without);
    }
    shared
}
