//! Values of expressions: numbers stay exact as long as they are decimals.

use std::cmp::Ordering;
use std::rc::Rc;

use steiner_files::Place;
use steiner_scalar::{Exact, Node, Rational, parse_decimal};

/// Most values in a list, and how deep lists may nest.
const MOST_VALUES: usize = 1000;
const DEEPEST_LIST: usize = 8;

/// What is wrong, and what to do about it; the caller knows where. Boxed:
/// expressions nest, and the stack is short.
#[derive(Clone, Debug)]
pub(super) struct Complaint(pub(super) Box<Wrong>);

#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub(super) problem: String,
    pub(super) remedy: String,
    /// The property whose text is wrong, and where it is written.
    pub(super) property: Option<(String, Place)>,
    /// Whether what is wrong is that a package is nowhere to be found.
    pub(super) lacks_package: bool,
}

impl Complaint {
    pub(super) fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (problem.into(), remedy.into());
        Complaint(Box::new(Wrong { problem, remedy, property: None, lacks_package: false }))
    }

    pub(super) fn lacks_package(name: &str) -> Self {
        let mut complaint = Complaint::new(format!("the package `{name}` is not found"), "");
        complaint.0.lacks_package = true;
        complaint
    }
}

/// A number of Python's: an integer or decimal, exact, or a double.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Exact {
        value: Rational,
        /// Printed without a point.
        integer: bool,
    },
    Float(f64),
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(Number),
    Text(String),
    Bool(bool),
    List(Rc<Vec<Value>>),
    Dict(Rc<Vec<(Value, Value)>>),
    None,
}

/// A rational of no more digits than a machine is drawn with, so that no sum takes long.
fn short(x: &Exact) -> Option<&Rational> {
    let Node::Rational(value) = x.node() else { return None };
    let (_, numerator) = value.numerator().as_sign_words();
    (numerator.len().max(value.denominator().as_words().len()) <= 8).then_some(value)
}

impl Number {
    pub(super) fn integer(n: i64) -> Self {
        Number::Exact { value: Rational::from(n), integer: true }
    }

    /// A double, which must be finite.
    pub(super) fn float(x: f64) -> Result<Self, Complaint> {
        if x.is_finite() {
            Ok(Number::Float(x))
        } else {
            Err(Complaint::new("the result is not a finite number", "check its operands"))
        }
    }

    /// A printed number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        let value = parse_decimal(trimmed).ok()?;
        let integer = trimmed.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
        Some(Number::Exact { value, integer })
    }

    pub(super) fn to_f64(&self) -> f64 {
        match self {
            Number::Exact { value, .. } => Exact::rational(value.clone()).to_f64().unwrap_or(f64::NAN),
            Number::Float(x) => *x,
        }
    }

    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Number::Exact { value: a, .. }, Number::Exact { value: b, .. }) => Some(a.cmp(b)),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }

    /// An exact operation, unless its result has too many digits; then one in doubles.
    fn combine(
        &self,
        other: &Self,
        exactly: impl Fn(Exact, Exact) -> Exact,
        roughly: impl Fn(f64, f64) -> f64,
    ) -> Result<Self, Complaint> {
        if let (Number::Exact { value: a, integer: i }, Number::Exact { value: b, integer: j }) =
            (self, other)
        {
            let result = exactly(Exact::rational(a.clone()), Exact::rational(b.clone()));
            if let Some(value) = short(&result) {
                return Ok(Number::Exact { value: value.clone(), integer: *i && *j });
            }
        }
        Number::float(roughly(self.to_f64(), other.to_f64()))
    }

    pub(super) fn plus(&self, other: &Self) -> Result<Self, Complaint> {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }

    pub(super) fn minus(&self, other: &Self) -> Result<Self, Complaint> {
        self.combine(other, |a, b| a - b, |a, b| a - b)
    }

    pub(super) fn times(&self, other: &Self) -> Result<Self, Complaint> {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }

    pub(super) fn over(&self, other: &Self) -> Result<Self, Complaint> {
        if other.to_f64() == 0.0 {
            return Err(Complaint::new("it divides by zero", "check the divisor"));
        }
        let quotient = self.combine(other, |a, b| a / b, |a, b| a / b)?;
        Ok(match quotient {
            Number::Exact { value, .. } => Number::Exact { value, integer: false },
            float => float,
        })
    }

    pub(super) fn floor(&self) -> Self {
        match self {
            Number::Exact { value, .. } => {
                Number::Exact { value: Rational::from(value.floor()), integer: true }
            }
            Number::Float(x) => Number::Float(x.floor()),
        }
    }

    /// Python's `//`.
    pub(super) fn floor_over(&self, other: &Self) -> Result<Self, Complaint> {
        let integer = self.is_integer() && other.is_integer();
        Ok(match self.over(other)?.floor() {
            Number::Exact { value, .. } => Number::Exact { value, integer },
            float => float,
        })
    }

    /// Python's `%`, which has the sign of the divisor.
    pub(super) fn modulo(&self, other: &Self) -> Result<Self, Complaint> {
        self.minus(&self.floor_over(other)?.times(other)?)
    }

    pub(super) fn power(&self, exponent: &Self) -> Result<Self, Complaint> {
        if let (Number::Exact { value, integer }, Number::Exact { value: n, integer: true }) =
            (self, exponent)
        {
            let n = n.to_string().parse::<i32>().ok().filter(|n| n.unsigned_abs() <= 1024);
            let power = n.map(|n| Exact::rational(value.clone()).pow(n));
            if let Some(value) = power.as_ref().and_then(short) {
                let integer = *integer && n.is_some_and(|n| n >= 0);
                return Ok(Number::Exact { value: value.clone(), integer });
            }
        }
        Number::float(self.to_f64().powf(exponent.to_f64()))
    }

    pub(super) fn negated(&self) -> Self {
        match self {
            Number::Exact { value, integer } => Number::Exact { value: -value.clone(), integer: *integer },
            Number::Float(x) => Number::Float(-x),
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(self, Number::Exact { integer: true, .. })
    }

    /// As a small index.
    pub(super) fn to_index(&self) -> Option<i64> {
        match self {
            Number::Exact { value, integer: true } => value.to_string().parse().ok(),
            _ => None,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let point = |text: String| if text.contains(['.', 'e']) { text } else { format!("{text}.0") };
        match self {
            Number::Exact { value, integer } => {
                let exact = Exact::rational(value.clone()).to_string();
                // A fraction, or more digits than mean anything: the double nearest to it.
                if exact.contains('/') || exact.len() > 60 {
                    return write!(f, "{}", self.to_f64());
                }
                f.write_str(&if *integer { exact } else { point(exact) })
            }
            Number::Float(x) => f.write_str(&point(format!("{x}"))),
        }
    }
}

impl Value {
    /// What the text of a property means: a number, a truth value, a quoted string, or itself.
    pub(super) fn literal(text: String) -> Value {
        if text.len() >= 2 && text.starts_with('\'') && text.ends_with('\'') {
            return Value::Text(text[1..text.len() - 1].to_owned());
        }
        match text.trim() {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            trimmed => Number::parse(trimmed).map_or(Value::Text(text), Value::Number),
        }
    }

    /// The list or dictionary itself, unless it has grown beyond what can be copied and printed freely.
    pub(super) fn bounded(self) -> Result<Value, Complaint> {
        fn fits(value: &Value, depth: usize, left: &mut usize) -> bool {
            let cost = match value {
                Value::Text(text) => 1 + text.len() / 1024,
                _ => 1,
            };
            if cost > *left || depth > DEEPEST_LIST {
                return false;
            }
            *left -= cost;
            match value {
                Value::List(items) => items.iter().all(|item| fits(item, depth + 1, left)),
                Value::Dict(entries) => entries
                    .iter()
                    .all(|(key, item)| fits(key, depth + 1, left) && fits(item, depth + 1, left)),
                _ => true,
            }
        }
        if fits(&self, 0, &mut MOST_VALUES.clone()) {
            return Ok(self);
        }
        Err(Complaint::new(
            format!("the list has more than {MOST_VALUES} values or nests more than {DEEPEST_LIST} deep"),
            "make it smaller",
        ))
    }

    /// Python's truth of a value.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Value::Number(number) => number.to_f64() != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::Bool(truth) => *truth,
            Value::List(items) => !items.is_empty(),
            Value::Dict(items) => !items.is_empty(),
            Value::None => false,
        }
    }

    /// A number; truth values count as 0 and 1.
    pub(super) fn number(&self) -> Option<Number> {
        match self {
            Value::Number(number) => Some(number.clone()),
            Value::Bool(truth) => Some(Number::integer(i64::from(*truth))),
            _ => None,
        }
    }

    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::None, Value::None) => true,
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => a.compare(&b) == Some(Ordering::Equal),
                _ => false,
            },
        }
    }

    /// The word for its kind in messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Bool(_) => "a truth value",
            Value::List(_) => "a list",
            Value::Dict(_) => "a dictionary",
            Value::None => "None",
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
            // URDF writes them so.
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Value::Dict(items) => {
                let items: Vec<String> = items.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                write!(f, "{{{}}}", items.join(", "))
            }
            Value::None => f.write_str("None"),
        }
    }
}
