//! Formulas as text: `-l1²·cos(a)/(l1² + l2²)`.

use std::fmt;

use steiner_scalar::Rational;

use super::latex_text::latex_escaped;
use super::monomial::Monomial;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;
use super::reading::{Part, parts};
use crate::greek;

/// How formulas are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `l1²·cos(a)`, as in reports.
    Unicode,
    /// `l1^2*cos(a)`, for programs.
    Ascii,
    /// `l_{1}^{2} \cos a`.
    Latex,
    /// With slanted names, indices and fractions, for pages; fractions are of the class `fraction`.
    Html,
}

impl Notation {
    /// A name of a length or angle.
    pub fn name(self, name: &str) -> String {
        match self {
            Notation::Latex => latex_name(name),
            Notation::Html => html_name(name),
            Notation::Unicode | Notation::Ascii => name.to_owned(),
        }
    }

    fn variable(self, names: &Names, variable: Variable) -> String {
        let angle = |k: usize, function: &str| match self {
            Notation::Latex => format!("\\{function} {}", latex_name(&names.angles[k])),
            _ => format!("{function}({})", self.name(&names.angles[k])),
        };
        match variable {
            Variable::Length(k) => self.name(&names.lengths[k]),
            Variable::Cosine(k) => angle(k, "cos"),
            Variable::Sine(k) => angle(k, "sin"),
        }
    }

    /// A power; what is raised binds tightly already.
    pub(crate) fn raised(self, base: &str, exponent: u32) -> String {
        match (self, exponent) {
            (_, 1) => base.to_owned(),
            (Notation::Unicode, e) => format!("{base}{}", superscript(e)),
            (Notation::Ascii, e) => format!("{base}^{e}"),
            (Notation::Html, e) => format!("{base}<sup>{e}</sup>"),
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
            Notation::Unicode | Notation::Html => "·",
            Notation::Ascii => "*",
            Notation::Latex => " ",
        }
    }

    fn root(self, d: u32) -> String {
        match self {
            Notation::Unicode | Notation::Html => format!("√{d}"),
            Notation::Ascii => format!("sqrt({d})"),
            Notation::Latex => format!("\\sqrt{{{d}}}"),
        }
    }

    /// A quotient; on a line, parts that are sums come in parentheses already.
    pub fn fraction(self, numerator: &str, denominator: &str) -> String {
        match self {
            Notation::Latex => format!("\\frac{{{numerator}}}{{{denominator}}}"),
            Notation::Html => {
                format!("<span class=\"fraction\"><span>{numerator}</span><span>{denominator}</span></span>")
            }
            Notation::Unicode | Notation::Ascii => format!("{numerator}/{denominator}"),
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

    /// A coefficient without its sign, and whether that is minus; empty for 1.
    /// Sums of roots come in parentheses.
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
        let names = &polynomial.names;
        let mut out = String::new();
        for (k, part) in parts(polynomial).iter().enumerate() {
            let (monomial, c, square) = match part {
                Part::Term(monomial, c) => (monomial, c, None),
                Part::Square(monomial, c, members) => (monomial, c, Some(members)),
            };
            let (negative, number) = self.coefficient(c);
            out += [["", "-"], [" + ", " - "]][usize::from(k > 0)][usize::from(negative)];
            let square = square.map_or_else(String::new, |members| self.square(names, members));
            let factors = [number, self.monomial(names, monomial), square];
            let factors: Vec<String> = factors.into_iter().filter(|factor| !factor.is_empty()).collect();
            out += &if factors.is_empty() { "1".to_owned() } else { factors.join(self.dot()) };
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }

    /// (x ± y)².
    fn square(self, names: &Names, members: &[(usize, bool)]) -> String {
        let mut sum = String::new();
        for (k, (place, negative)) in members.iter().enumerate() {
            sum += [["", "-"], [" + ", " - "]][usize::from(k > 0)][usize::from(*negative)];
            sum += &self.variable(names, names.variable(*place));
        }
        self.raised(&self.grouped(&sum), 2)
    }
}

/// Digits above the line.
fn superscript(n: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    n.to_string().chars().filter_map(|c| c.to_digit(10)).map(|d| digits[d as usize]).collect()
}

/// A name in two: what stands on the line, and the index. Digits at its end and what follows an underscore
/// are indices, as is what follows a Greek letter.
fn stem_and_index(name: &str) -> (&str, &str) {
    let first = name.chars().next().filter(|c| greek::name_of(*c).is_some());
    if let Some(letter) = first {
        let (stem, index) = name.split_at(letter.len_utf8());
        return (stem, index.trim_start_matches('_'));
    }
    name.split_once('_')
        .unwrap_or_else(|| name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len()))
}

/// A name as LaTeX, in mathematics; longer words stand upright.
pub(crate) fn latex_name(name: &str) -> String {
    let (stem, index) = stem_and_index(name);
    let starts_greek = stem.chars().next().is_some_and(|c| greek::name_of(c).is_some());
    let stem = match (stem, stem.chars().next().and_then(greek::latex)) {
        (stem, Some(letter)) if stem.chars().count() == 1 => letter,
        (word, _) if greek::letter_of(word).is_some() => format!("\\{word}"),
        (letter, _) if letter.len() <= 1 => latex_escaped(letter),
        (word, _) => upright(word),
    };
    match index {
        "" => stem,
        plain if starts_greek && plain.chars().all(|c| c.is_ascii_alphanumeric()) => {
            format!("{stem}_{{{plain}}}")
        }
        digits if digits.chars().all(|c| c.is_ascii_digit()) => format!("{stem}_{{{digits}}}"),
        index => format!("{stem}_{{{}}}", upright(index)),
    }
}

/// A word in mathematics. Accents are known outside of it only.
fn upright(word: &str) -> String {
    let command = if word.is_ascii() { "mathrm" } else { "text" };
    format!("\\{command}{{{}}}", latex_escaped(word))
}

/// A name as HTML: slanted, with its index below the line.
fn html_name(name: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (stem, index) = stem_and_index(name);
    let stem = greek::letter_of(stem).map_or_else(|| escaped(stem), String::from);
    match index {
        "" => format!("<var>{stem}</var>"),
        index => format!("<var>{stem}</var><sub>{}</sub>", escaped(index)),
    }
}

impl Polynomial {
    /// Writes the polynomial in a notation.
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
        f.write_str(&self.text())
    }
}
