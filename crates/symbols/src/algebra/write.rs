//! Formulas as text: `-l1²·cos(a)/(l1² + l2²)`.

use std::fmt::{self, Write};

use steiner_scalar::Rational;

use super::monomial::Monomial;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;

/// How formulas are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `l1²·cos(a)`, as in reports.
    Unicode,
    /// `l1^2*cos(a)`, for programs.
    Ascii,
    /// `l_{1}^{2} \cos a`.
    Latex,
}

impl Notation {
    /// A name of a length or angle.
    pub fn name(self, name: &str) -> String {
        match self {
            Notation::Latex => latex_name(name),
            _ => name.to_owned(),
        }
    }

    fn variable(self, names: &Names, variable: Variable) -> String {
        let angle = |k: usize, function: &str| match self {
            Notation::Latex => format!("\\{function} {}", latex_name(&names.angles[k])),
            _ => format!("{function}({})", names.angles[k]),
        };
        match (self, variable) {
            (Notation::Latex, Variable::Length(k)) => latex_name(&names.lengths[k]),
            (_, Variable::Length(k)) => names.lengths[k].clone(),
            (_, Variable::Cosine(k)) => angle(k, "cos"),
            (_, Variable::Sine(k)) => angle(k, "sin"),
        }
    }

    /// A power; what is raised binds tightly already.
    pub(crate) fn raised(self, base: &str, exponent: u32) -> String {
        match (self, exponent) {
            (_, 1) => base.to_owned(),
            (Notation::Unicode, e) => format!("{base}{}", superscript(e)),
            (Notation::Ascii, e) => format!("{base}^{e}"),
            (Notation::Latex, e) => match base.strip_prefix("\\cos ").map(|a| ("\\cos", a)) {
                Some((function, angle)) => format!("{function}^{{{e}}} {angle}"),
                None => match base.strip_prefix("\\sin ") {
                    Some(angle) => format!("\\sin^{{{e}}} {angle}"),
                    None => format!("{base}^{{{e}}}"),
                },
            },
        }
    }

    pub(crate) fn dot(self) -> &'static str {
        match self {
            Notation::Unicode => "·",
            Notation::Ascii => "*",
            Notation::Latex => " ",
        }
    }

    fn root(self, d: u32) -> String {
        match self {
            Notation::Unicode => format!("√{d}"),
            Notation::Ascii => format!("sqrt({d})"),
            Notation::Latex => format!("\\sqrt{{{d}}}"),
        }
    }

    pub(crate) fn fraction(self, numerator: &str, denominator: &str) -> String {
        match self {
            Notation::Latex => format!("\\frac{{{numerator}}}{{{denominator}}}"),
            _ => format!("{numerator}/{denominator}"),
        }
    }

    /// In parentheses.
    pub(crate) fn grouped(self, inner: &str) -> String {
        match self {
            Notation::Latex => format!("\\left({inner}\\right)"),
            _ => format!("({inner})"),
        }
    }

    /// A product of powers; empty for 1.
    pub(crate) fn monomial(self, names: &Names, monomial: &Monomial) -> String {
        let powers = monomial.exponents().iter().enumerate().filter(|(_, e)| **e > 0);
        let text = |(place, e): (usize, &u16)| {
            self.raised(&self.variable(names, names.variable(place)), u32::from(*e))
        };
        powers.map(text).collect::<Vec<_>>().join(self.dot())
    }

    /// A coefficient without its sign, and whether that is minus; empty for 1. Sums of roots come in parentheses.
    pub(crate) fn coefficient(self, c: &Radical) -> (bool, String) {
        let parts: Vec<(u32, &Rational)> = c.parts().collect();
        let piece = |d: u32, q: &Rational| {
            let magnitude = if *q < Rational::ZERO { -q.clone() } else { q.clone() };
            let text = match (d, magnitude.is_one()) {
                (1, true) => return "1".to_owned(),
                (1, false) => magnitude.numerator().to_string(),
                (_, _) if *magnitude.numerator() == 1.into() => self.root(d),
                _ => format!("{}{}{}", magnitude.numerator(), self.dot(), self.root(d)),
            };
            let is_whole = magnitude.is_int();
            if is_whole { text } else { self.fraction(&text, &magnitude.denominator().to_string()) }
        };
        match parts.as_slice() {
            [] => (false, "0".to_owned()),
            [(d, q)] => {
                let text = piece(*d, q);
                (**q < Rational::ZERO, if text == "1" { String::new() } else { text })
            }
            several => {
                let negative = c.is_negative();
                let mut sum = String::new();
                for (k, (d, q)) in several.iter().enumerate() {
                    let minus = (**q < Rational::ZERO) != negative;
                    sum += [["", "-"], [" + ", " - "]][usize::from(k > 0)][usize::from(minus)];
                    sum += &piece(*d, q);
                }
                (negative, self.grouped(&sum))
            }
        }
    }

    /// A sum.
    pub(crate) fn sum(self, polynomial: &Polynomial) -> String {
        let mut out = String::new();
        for (k, (monomial, c)) in polynomial.in_reading_order().into_iter().enumerate() {
            let (negative, factor) = self.coefficient(c);
            out += [["", "-"], [" + ", " - "]][usize::from(k > 0)][usize::from(negative)];
            let powers = self.monomial(&polynomial.names, monomial);
            out += &match (factor.is_empty(), powers.is_empty()) {
                (true, true) => "1".to_owned(),
                (true, false) => powers,
                (false, true) => factor,
                (false, false) => format!("{factor}{}{powers}", self.dot()),
            };
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}

/// Digits above the line.
fn superscript(n: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    n.to_string().chars().filter_map(|c| c.to_digit(10)).map(|d| digits[d as usize]).collect()
}

/// Greek names that LaTeX knows.
const GREEK: [&str; 23] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
];

/// Their letters.
const GREEK_LETTERS: [char; 23] = [
    'α', 'β', 'γ', 'δ', 'ε', 'ζ', 'η', 'θ', 'ι', 'κ', 'λ', 'μ', 'ν', 'ξ', 'π', 'ρ', 'σ', 'τ', 'υ', 'φ', 'χ',
    'ψ', 'ω',
];

/// Text for LaTeX outside of mathematics: what means something there is escaped.
pub fn latex_escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\^{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// A name as LaTeX: digits at its end and what follows an underscore become indices, longer words stand upright.
pub(crate) fn latex_name(name: &str) -> String {
    let (stem, index) = match name.split_once('_') {
        Some((stem, index)) => (stem, index),
        None => name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len()),
    };
    let escaped = latex_escaped;
    let first = name.chars().next().and_then(|c| GREEK_LETTERS.iter().position(|letter| *letter == c));
    if let Some(letter) = first {
        let index = name.chars().skip(1).skip_while(|c| *c == '_').collect::<String>();
        let letter = GREEK[letter];
        return if index.is_empty() {
            format!("\\{letter}")
        } else {
            format!("\\{letter}_{{{}}}", escaped(&index))
        };
    }
    let stem = match stem {
        greek if GREEK.contains(&greek) => format!("\\{greek}"),
        letter if letter.chars().count() <= 1 => escaped(letter),
        word => format!("\\mathrm{{{}}}", escaped(word)),
    };
    match index {
        "" => stem,
        digits if digits.chars().all(|c| c.is_ascii_digit()) => format!("{stem}_{{{digits}}}"),
        index => format!("{stem}_{{\\mathrm{{{}}}}}", escaped(index)),
    }
}

impl Polynomial {
    /// In a notation.
    pub fn written(&self, notation: Notation) -> String {
        notation.sum(self)
    }
    /// As in reports: `l1² - l2·cos(a)`.
    pub fn text(&self) -> String {
        self.written(Notation::Unicode)
    }
    /// As LaTeX, in mathematical mode.
    pub fn latex(&self) -> String {
        self.written(Notation::Latex)
    }
}

impl RationalFunction {
    /// In a notation: the sign first, what is common to all terms in front of a sum.
    pub fn written(&self, notation: Notation) -> String {
        super::factored::Factored::plain(self).written(notation, &[])
    }
    /// As in reports.
    pub fn text(&self) -> String {
        self.written(Notation::Unicode)
    }
    /// As LaTeX, in mathematical mode.
    pub fn latex(&self) -> String {
        self.written(Notation::Latex)
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Display for RationalFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write!(text, "{}", self.text())?;
        f.write_str(&text)
    }
}
