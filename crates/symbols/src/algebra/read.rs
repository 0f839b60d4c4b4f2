//! Formulas from text and from exact sources.

use std::fmt;
use std::sync::Arc;

use steiner_scalar::{Exact, Field, Function, Node, ParseError, Rational};

use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;

/// Why a text or source is no rational function of the names.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ReadError {
    /// The text is no expression.
    Text(ParseError),
    /// A part is neither a name, a number with roots of 2, 3, 5, 7, nor sine,
    /// cosine or tangent of a named angle.
    Part { part: String },
    /// A divisor is zero for all lengths and angles.
    DivisionByZero { divisor: String },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Text(error) => write!(f, "{error}"),
            ReadError::Part { part } => write!(
                f,
                "`{part}` is not rational in the named lengths and the sines and cosines of named angles"
            ),
            ReadError::DivisionByZero { divisor } => write!(f, "`{divisor}` is zero and divides"),
        }
    }
}

impl std::error::Error for ReadError {}

impl RationalFunction {
    /// Reads an expression over the names, in the grammar of [`Exact::parse`].
    ///
    /// ```
    /// use steiner_symbols::algebra::{Names, RationalFunction};
    /// let names = Names::new(["l1", "l2"], ["a"]);
    /// let f = RationalFunction::parse(&names, "-(l1^2 - l2^2)*cos(a)/(l1 - l2)*sqrt(3)/2").unwrap();
    /// assert_eq!(f.text(), "-√3·cos(a)·(l1 + l2)/2");
    /// assert!(RationalFunction::parse(&names, "sin(l1)").is_err());
    /// ```
    pub fn parse(names: &Arc<Names>, text: &str) -> Result<Self, ReadError> {
        let known = |name: &str| {
            let is_known = names.length(name).is_some() || names.angle(name).is_some();
            // The value behind the name is never asked for.
            is_known.then(|| Exact::symbol(name, Exact::one()))
        };
        let source = Exact::parse_with(text, &known).map_err(ReadError::Text)?;
        Self::from_exact(names, &source)
    }

    /// An exact source in which the names stand for themselves; other names are looked through.
    pub fn from_exact(names: &Arc<Names>, source: &Exact) -> Result<Self, ReadError> {
        let of = |source: &Exact| Self::from_exact(names, source);
        let foreign = || ReadError::Part { part: source.to_string() };
        Ok(match source.node() {
            Node::Rational(r) => Self::constant(names, r.clone()),
            Node::Symbol { name, value } => match names.length(name) {
                Some(variable) => Self::polynomial(Polynomial::variable(names, variable)),
                None if names.angle(name).is_some() => return Err(foreign()),
                None => of(value)?,
            },
            Node::Sum(a, b) => &of(a)? + &of(b)?,
            Node::Difference(a, b) => &of(a)? - &of(b)?,
            Node::Product(a, b) => &of(a)? * &of(b)?,
            Node::Quotient(a, b) => {
                let zero = || ReadError::DivisionByZero { divisor: b.to_string() };
                of(a)?.over(&of(b)?).ok_or_else(zero)?
            }
            Node::Negation(a) => -&of(a)?,
            Node::Power(a, n) => {
                let base = of(a)?;
                let zero = || ReadError::DivisionByZero { divisor: a.to_string() };
                let base = if *n < 0 { base.inverse().ok_or_else(zero)? } else { base };
                (0..n.unsigned_abs()).fold(Self::constant(names, 1), |power, _| &power * &base)
            }
            Node::Call(function @ (Function::Sin | Function::Cos | Function::Tan), angle)
                if circle(names, angle).is_some() =>
            {
                let (sine, cosine) = circle(names, angle).ok_or_else(foreign)?;
                match function {
                    Function::Sin => Self::polynomial(sine),
                    Function::Cos => Self::polynomial(cosine),
                    _ => Self::new(sine, cosine).ok_or_else(foreign)?,
                }
            }
            Node::Pi | Node::Call(..) => match Radical::from_exact(source) {
                Some(number) if !names_occur(names, source) => Self::constant(names, number),
                _ => return Err(foreign()),
            },
        })
    }
}

/// Sine and cosine of sums and differences of named angles and multiples of 30° and 45°.
fn circle(names: &Arc<Names>, angle: &Exact) -> Option<(Polynomial, Polynomial)> {
    if !names_occur(names, angle)
        && let Some(turns) = angle.pi_multiple()
    {
        return constant_circle(names, turns);
    }
    match angle.node() {
        Node::Symbol { name, value } => match names.angle(name) {
            Some(k) => {
                let of = |variable| Polynomial::variable(names, variable);
                Some((of(Variable::Sine(k)), of(Variable::Cosine(k))))
            }
            None => circle(names, value),
        },
        Node::Negation(a) => circle(names, a).map(|(s, c)| (-&s, c)),
        Node::Sum(a, b) | Node::Difference(a, b) => {
            let ((s, c), (u, v)) = (circle(names, a)?, circle(names, b)?);
            let u = if matches!(angle.node(), Node::Sum(..)) { u } else { -&u };
            Some((&(&s * &v) + &(&c * &u), &(&c * &v) - &(&s * &u)))
        }
        _ => None,
    }
}

/// Of r·π where both are such numbers: multiples of 30° and of 45°.
fn constant_circle(names: &Arc<Names>, turns: Rational) -> Option<(Polynomial, Polynomial)> {
    let steps = turns * Rational::from(12);
    let steps: i64 = steps.is_int().then(|| steps.numerator().clone().try_into().ok()).flatten()?;
    let constant = |number| Polynomial::constant(names, number);
    Some((constant(sine(steps)?), constant(sine(steps + 6)?)))
}

/// The sine of a multiple of 15°.
fn sine(steps: i64) -> Option<Radical> {
    let half = |d: u64| Radical::root(Rational::ONE / Rational::from(2), d);
    match steps.rem_euclid(24) {
        0 => Some(Radical::zero()),
        2 | 10 => half(1),
        3 | 9 => half(2),
        4 | 8 => half(3),
        6 => Some(Radical::one()),
        k @ 12.. => sine(k - 12).map(|x| -x),
        _ => None,
    }
}

fn names_occur(names: &Names, source: &Exact) -> bool {
    match source.node() {
        Node::Rational(_) | Node::Pi => false,
        Node::Symbol { name, value } => {
            names.length(name).is_some() || names.angle(name).is_some() || names_occur(names, value)
        }
        Node::Negation(a) | Node::Power(a, _) | Node::Call(_, a) => names_occur(names, a),
        Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => {
            names_occur(names, a) || names_occur(names, b)
        }
    }
}
