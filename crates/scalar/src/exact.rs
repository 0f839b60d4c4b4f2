//! Exact numbers: where a number came from, kept until a scalar needs it.

mod arithmetic;
mod display;

use std::fmt;
use std::sync::Arc;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::expansion::{Expansion, QuadDouble};
use crate::field::{Field, Real};
use crate::parse::{ParseError, parse_decimal, parse_expression};

/// An exact real number: a rational, π, a named constant, or an expression over them.
///
/// Rational arithmetic is folded as the expression is built; everything else stays as written. Cheap to
/// clone.
#[derive(Clone, PartialEq)]
pub struct Exact {
    node: Arc<Node>,
    weight: u64,
    depth: u32,
}

/// The shape of an [`Exact`] number.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A rational number; decimals are rationals.
    Rational(RBig),
    /// π.
    Pi,
    /// A named constant and what it stands for.
    Symbol {
        /// Its name in the file.
        name: String,
        /// Value of the symbol.
        value: Exact,
    },
    /// a + b
    Sum(Exact, Exact),
    /// a − b
    Difference(Exact, Exact),
    /// a · b
    Product(Exact, Exact),
    /// a / b
    Quotient(Exact, Exact),
    /// −a
    Negation(Exact),
    /// a to an integer power
    Power(Exact, i32),
    /// A function of a.
    Call(Function, Exact),
}

/// The functions an expression may call. Angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Function {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
}

impl Function {
    /// All functions with the names they bear in expressions.
    pub const NAMES: [(&'static str, Function); 7] = [
        ("sqrt", Function::Sqrt),
        ("sin", Function::Sin),
        ("cos", Function::Cos),
        ("tan", Function::Tan),
        ("asin", Function::Asin),
        ("acos", Function::Acos),
        ("atan", Function::Atan),
    ];
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, function)| function == self).map_or("?", |(name, _)| name);
        f.write_str(name)
    }
}

/// A number in some field, and whether it is an approximation of its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluated<T> {
    /// The evaluated number.
    pub value: T,
    /// True when the field cannot represent the source and holds a 30-digit rational near it.
    pub rounded: bool,
}

/// Why an exact source has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum EvaluationError {
    #[error("`{expression}` divides by zero")]
    DivisionByZero { expression: String },
    #[error("`{expression}` takes {function} of a number outside its domain")]
    Domain { function: Function, expression: String },
    #[error("`{expression}` is not a finite number")]
    NotFinite { expression: String },
}

impl Exact {
    /// The shape of the expression.
    pub fn node(&self) -> &Node {
        &self.node
    }

    fn new(node: Node) -> Self {
        let (weight, depth) = match &node {
            Node::Rational(_) | Node::Pi => (1, 0),
            Node::Symbol { value: a, .. } | Node::Negation(a) | Node::Call(_, a) => {
                (a.weight.saturating_add(1), a.depth)
            }
            Node::Power(a, n) => (a.weight.saturating_add(n.unsigned_abs() as u64), a.depth),
            Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => {
                (a.weight.saturating_add(b.weight).saturating_add(1), a.depth.max(b.depth))
            }
        };
        Exact { node: Arc::new(node), weight, depth: depth.saturating_add(1) }
    }

    /// How many operations an evaluation takes. Names that refer to names can double it at each step, so
    /// readers refuse what would never end.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// How deep the expression is nested, names looked through. Evaluations recurse that deep, so parsing
    /// refuses what would exhaust a thread's stack.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Zero.
    pub fn zero() -> Self {
        Self::integer(0)
    }

    /// One.
    pub fn one() -> Self {
        Self::integer(1)
    }

    /// π.
    pub fn pi() -> Self {
        Self::new(Node::Pi)
    }

    /// An integer.
    pub fn integer(n: i64) -> Self {
        Self::rational(RBig::from(n))
    }

    /// The fraction `numerator / denominator`; a zero denominator is a broken invariant of the caller.
    pub fn fraction(numerator: i64, denominator: u64) -> Self {
        Self::rational(RBig::from_parts(IBig::from(numerator), UBig::from(denominator)))
    }

    /// A rational number.
    pub fn rational(r: RBig) -> Self {
        Self::new(Node::Rational(r))
    }

    /// A named constant. A rational value is folded, so that chains of names stay small.
    pub fn symbol(name: impl Into<String>, value: Exact) -> Self {
        let value = match value.to_rational() {
            Some(r) => Self::rational(r),
            None => value,
        };
        Self::new(Node::Symbol { name: name.into(), value })
    }

    /// A decimal printed in a file, or an expression over `pi`, functions and numbers.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse_expression(text, &|_| None)
    }

    /// As [`Exact::parse`], with names looked up.
    pub fn parse_with(text: &str, names: &dyn Fn(&str) -> Option<Exact>) -> Result<Self, ParseError> {
        parse_expression(text, names)
    }

    /// The shortest decimal that reads back as this double; `None` for NaN and infinities.
    pub fn from_f64(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        parse_decimal(&format!("{x:e}")).ok().map(Self::rational)
    }

    /// Applies a function.
    pub fn call(self, function: Function) -> Self {
        if let Some(r) = self.to_rational() {
            match function {
                Function::Sqrt if matches!(self.node(), Node::Rational(_)) => {
                    if let Some(root) = perfect_root(&r) {
                        return Self::rational(root);
                    }
                }
                Function::Sin | Function::Tan | Function::Asin | Function::Atan if r.is_zero() => {
                    return Self::zero();
                }
                Function::Cos if r.is_zero() => return Self::one(),
                _ => {}
            }
        }
        Self::new(Node::Call(function, self))
    }

    /// Square root.
    pub fn sqrt(self) -> Self {
        self.call(Function::Sqrt)
    }

    /// Integer power.
    pub fn pow(self, n: i32) -> Self {
        match (self.node(), n) {
            (_, 1) => self,
            (Node::Rational(r), n) => match rational_power(r, n) {
                Some(power) => Self::rational(power),
                None => Self::new(Node::Power(self, n)),
            },
            _ => Self::new(Node::Power(self, n)),
        }
    }

    /// The value when it is rational by its form (symbols are looked through) and of fewer digits than a few
    /// thousand.
    pub fn to_rational(&self) -> Option<RBig> {
        match self.node() {
            Node::Rational(r) => Some(r.clone()),
            Node::Symbol { value, .. } => value.to_rational(),
            Node::Sum(a, b) => bounded(a.to_rational()? + b.to_rational()?),
            Node::Difference(a, b) => bounded(a.to_rational()? - b.to_rational()?),
            Node::Product(a, b) => bounded(a.to_rational()? * b.to_rational()?),
            Node::Quotient(a, b) => {
                let divisor = b.to_rational().filter(|d| !d.is_zero())?;
                bounded(a.to_rational()? / divisor)
            }
            Node::Negation(a) => Some(-a.to_rational()?),
            Node::Power(a, n) => rational_power(&a.to_rational()?, *n),
            Node::Pi | Node::Call(..) => None,
        }
    }

    /// The rational r with `self = r·π`, when the expression has that form. Zero is 0·π.
    pub fn pi_multiple(&self) -> Option<RBig> {
        match self.node() {
            Node::Pi => Some(RBig::ONE),
            Node::Rational(r) => r.is_zero().then_some(RBig::ZERO),
            Node::Symbol { value, .. } => value.pi_multiple(),
            Node::Sum(a, b) => Some(a.pi_multiple()? + b.pi_multiple()?),
            Node::Difference(a, b) => Some(a.pi_multiple()? - b.pi_multiple()?),
            Node::Negation(a) => Some(-a.pi_multiple()?),
            Node::Product(a, b) => match (a.to_rational(), b.to_rational()) {
                (Some(r), _) => Some(r * b.pi_multiple()?),
                (_, Some(r)) => Some(r * a.pi_multiple()?),
                _ => None,
            },
            Node::Quotient(a, b) => Some(a.pi_multiple()? / b.to_rational().filter(|r| !r.is_zero())?),
            Node::Power(..) | Node::Call(..) => None,
        }
    }

    /// True when the number is zero by its form or to 60 digits.
    pub fn is_zero(&self) -> bool {
        match self.to_rational().or_else(|| self.pi_multiple()) {
            Some(r) => r.is_zero(),
            None => QuadDouble::evaluate(self).is_ok_and(|x| x.value.to_f64().abs() < 1e-55),
        }
    }

    /// The double nearest to the number.
    pub fn to_f64(&self) -> Result<f64, EvaluationError> {
        f64::evaluate(self).map(|x| x.value)
    }

    /// The number rounded to a rational of 30 significant digits.
    pub fn to_thirty_digits(&self) -> Result<RBig, EvaluationError> {
        Ok(round_to_digits(30, QuadDouble::evaluate(self)?.value))
    }
}

/// The rational of so many significant decimal digits nearest to a real.
pub(crate) fn round_to_digits<const N: usize>(digits: u32, x: Expansion<N>) -> RBig {
    let exact = match x.to_rational() {
        Some(r) if !r.is_zero() => r,
        _ => return RBig::ZERO,
    };
    let magnitude = x.to_f64().abs().log10().floor() as i32;
    let places = digits as i32 - 1 - magnitude;
    let ten_to_the = RBig::from(IBig::from(10).pow(places.unsigned_abs() as usize));
    let scale = if places >= 0 { ten_to_the } else { RBig::ONE / ten_to_the };
    RBig::from((exact * &scale).round()) / scale
}

/// More digits than any machine was ever drawn with: names that square names reach them in a few lines, and
/// would fill the memory in a few more.
const MOST_BITS: usize = 1 << 15;

fn bits(r: &RBig) -> usize {
    use dashu_int::ops::BitTest;
    r.numerator().bit_len().max(r.denominator().bit_len())
}

fn bounded(r: RBig) -> Option<RBig> {
    (bits(&r) <= MOST_BITS).then_some(r)
}

/// rⁿ, unless it is undefined or too long.
fn rational_power(r: &RBig, n: i32) -> Option<RBig> {
    let allowed = bits(r) * n.unsigned_abs() as usize <= MOST_BITS && !(n < 0 && r.is_zero());
    allowed.then(|| r.pow(n as isize))
}

/// √r when it is rational.
fn perfect_root(r: &RBig) -> Option<RBig> {
    let root = |n: &UBig| {
        let root = dashu_int::ops::SquareRoot::sqrt(n);
        (&root * &root == *n).then_some(root)
    };
    let numerator: UBig = r.numerator().clone().try_into().ok()?;
    Some(RBig::from_parts(IBig::from(root(&numerator)?), root(r.denominator())?))
}

impl From<i64> for Exact {
    fn from(n: i64) -> Self {
        Self::integer(n)
    }
}
