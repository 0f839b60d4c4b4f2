//! Evaluating expressions.

use std::cmp::Ordering;
use std::rc::Rc;

use steiner_files::did_you_mean;

use super::parser::Expression;
use super::value::{Complaint, Number, Value};

/// Longer texts than any robot needs, bytes.
const LONGEST: usize = 1 << 16;

/// What names in an expression mean.
pub(super) trait Names {
    /// The value of a property, or of one in a namespace; `None` if there is none.
    fn property(&mut self, namespace: Option<&str>, name: &str) -> Result<Option<Value>, Complaint>;
    /// Whether there is such a namespace.
    fn has_namespace(&self, name: &str) -> bool;
    /// The names that could have been meant.
    fn known(&self) -> Vec<String>;
    /// `arg`, `find` or `env` with one text.
    fn look_up(&mut self, kind: &str, name: &str) -> Result<String, Complaint>;
}

type Evaluated = Result<Value, Complaint>;

const FUNCTIONS: [&str; 35] = [
    "abs", "acos", "arg", "asin", "atan", "atan2", "bool", "ceil", "cos", "degrees", "dict", "env", "exp",
    "fabs", "find", "float", "floor", "fmod", "hypot", "int", "len", "list", "log", "log10", "max", "min",
    "pow", "radians", "round", "sin", "sqrt", "str", "sum", "tan", "tuple",
];

/// The value of an expression.
pub(super) fn evaluate(expression: &Expression, names: &mut dyn Names) -> Evaluated {
    match expression {
        Expression::Number(number) => Ok(Value::Number(number.clone())),
        Expression::Text(text) => Ok(Value::Text(text.clone())),
        Expression::Name(name) => match names.property(None, name)? {
            Some(value) => Ok(value),
            None => constant(name).ok_or_else(|| unknown(name, names)),
        },
        Expression::List(items) => {
            let items: Result<Vec<Value>, Complaint> =
                items.iter().map(|item| evaluate(item, names)).collect();
            Value::List(Rc::new(items?)).bounded()
        }
        Expression::Dict(entries) => {
            let entries: Result<Vec<(Value, Value)>, Complaint> = entries
                .iter()
                .map(|(key, value)| Ok((evaluate(key, names)?, evaluate(value, names)?)))
                .collect();
            Value::Dict(Rc::new(entries?)).bounded()
        }
        Expression::Unary("not", inner) => Ok(Value::Bool(!evaluate(inner, names)?.is_true())),
        Expression::Unary(_, inner) => Ok(Value::Number(number(&evaluate(inner, names)?, "-")?.negated())),
        Expression::Binary("and", left, right) => {
            let left = evaluate(left, names)?;
            if left.is_true() { evaluate(right, names) } else { Ok(left) }
        }
        Expression::Binary("or", left, right) => {
            let left = evaluate(left, names)?;
            if left.is_true() { Ok(left) } else { evaluate(right, names) }
        }
        Expression::Binary(operator, left, right) => {
            let (left, right) = (evaluate(left, names)?, evaluate(right, names)?);
            binary(operator, &left, &right)
        }
        Expression::Comparison(first, others) => {
            let mut left = evaluate(first, names)?;
            for (operator, other) in others {
                let right = evaluate(other, names)?;
                if !holds(operator, &left, &right)? {
                    return Ok(Value::Bool(false));
                }
                left = right;
            }
            Ok(Value::Bool(true))
        }
        Expression::Choice { condition, yes, no } => {
            let chosen = if evaluate(condition, names)?.is_true() { yes } else { no };
            evaluate(chosen, names)
        }
        Expression::Call(callee, arguments) => call(callee, arguments, names),
        Expression::Index(of, index) => {
            let (of, index) = (evaluate(of, names)?, evaluate(index, names)?);
            item(&of, &index)
        }
        Expression::Member(of, member) => {
            if let Expression::Name(outer) = of.as_ref() {
                if names.has_namespace(outer) {
                    let found = names.property(Some(outer), member)?;
                    return found.ok_or_else(|| unknown(&format!("{outer}.{member}"), names));
                }
                if outer == "math" {
                    return constant(member).ok_or_else(|| unknown(&format!("math.{member}"), names));
                }
            }
            item(&evaluate(of, names)?, &Value::Text(member.clone()))
        }
    }
}

fn constant(name: &str) -> Option<Value> {
    let float = |x: f64| Some(Value::Number(Number::Float(x)));
    match name {
        "pi" => float(std::f64::consts::PI),
        "tau" => float(std::f64::consts::TAU),
        "e" => float(std::f64::consts::E),
        "True" | "true" => Some(Value::Bool(true)),
        "False" | "false" => Some(Value::Bool(false)),
        "None" => Some(Value::None),
        _ => None,
    }
}

fn unknown(name: &str, names: &dyn Names) -> Complaint {
    let known = names.known();
    let hint = did_you_mean(name, known.iter().map(String::as_str));
    Complaint::new(
        format!("there is no property `{name}`{hint}"),
        "define it with <xacro:property> before its use, or correct the name",
    )
}

fn number(value: &Value, operator: &str) -> Result<Number, Complaint> {
    value.number().ok_or_else(|| {
        Complaint::new(
            format!("`{operator}` needs numbers, and `{value}` is {}", value.kind()),
            "check the properties it comes from",
        )
    })
}

fn binary(operator: &str, left: &Value, right: &Value) -> Evaluated {
    if operator == "+" {
        match (left, right) {
            (Value::Text(a), Value::Text(b)) if a.len() + b.len() > LONGEST => {
                return Err(Complaint::new("the text grows beyond 64 kB", "shorten it"));
            }
            (Value::Text(a), Value::Text(b)) => return Ok(Value::Text(format!("{a}{b}"))),
            (Value::List(a), Value::List(b)) => {
                return Value::List(Rc::new(a.iter().chain(b.iter()).cloned().collect())).bounded();
            }
            _ => {}
        }
    }
    let (left, right) = (number(left, operator)?, number(right, operator)?);
    let result = match operator {
        "+" => left.plus(&right),
        "-" => left.minus(&right),
        "*" => left.times(&right),
        "/" => left.over(&right),
        "//" => left.floor_over(&right),
        "%" => left.modulo(&right),
        _ => left.power(&right),
    };
    result.map(Value::Number)
}

fn holds(operator: &str, left: &Value, right: &Value) -> Result<bool, Complaint> {
    let order = || match (left, right) {
        (Value::Text(a), Value::Text(b)) => Ok(Some(a.cmp(b))),
        _ => Ok(number(left, operator)?.compare(&number(right, operator)?)),
    };
    Ok(match operator {
        "==" => left.equals(right),
        "!=" => !left.equals(right),
        "<" => order()? == Some(Ordering::Less),
        ">" => order()? == Some(Ordering::Greater),
        "<=" => matches!(order()?, Some(Ordering::Less | Ordering::Equal)),
        ">=" => matches!(order()?, Some(Ordering::Greater | Ordering::Equal)),
        _ => {
            let inside = match (left, right) {
                (Value::Text(part), Value::Text(whole)) => whole.contains(part.as_str()),
                (item, Value::List(items)) => items.iter().any(|other| other.equals(item)),
                (key, Value::Dict(entries)) => entries.iter().any(|(other, _)| other.equals(key)),
                _ => {
                    let problem = format!("`in` needs a list, and `{right}` is {}", right.kind());
                    return Err(Complaint::new(problem, "give a list or a text"));
                }
            };
            inside == (operator == "in")
        }
    })
}

fn item(of: &Value, index: &Value) -> Evaluated {
    let missing = || Complaint::new(format!("`{of}` has no item `{index}`"), "check the index or the key");
    match of {
        Value::List(items) => {
            let at = index.number().and_then(|number| number.to_index()).ok_or_else(missing)?;
            let at = if at < 0 { at + items.len() as i64 } else { at };
            usize::try_from(at).ok().and_then(|at| items.get(at)).cloned().ok_or_else(missing)
        }
        Value::Dict(entries) => {
            let found = entries.iter().rev().find(|(key, _)| key.equals(index));
            found.map(|(_, value)| value.clone()).ok_or_else(missing)
        }
        other => Err(Complaint::new(
            format!("`{other}` is {} and has no item `{index}`", other.kind()),
            "use a list or a dictionary",
        )),
    }
}

fn call(callee: &Expression, arguments: &[(Option<String>, Expression)], names: &mut dyn Names) -> Evaluated {
    let name = match callee {
        Expression::Name(name) => name.clone(),
        Expression::Member(of, name) => match of.as_ref() {
            Expression::Name(module) if module == "math" => name.clone(),
            Expression::Name(module) => format!("{module}.{name}"),
            _ => name.clone(),
        },
        _ => String::new(),
    };
    if name.ends_with("load_yaml") {
        return Err(Complaint::new(
            "Steiner does not read YAML into expressions",
            "expand the file with ROS's xacro first and read the result",
        ));
    }
    if !FUNCTIONS.contains(&name.as_str()) {
        let hint = did_you_mean(&name, FUNCTIONS);
        return Err(Complaint::new(
            format!("there is no function `{name}`{hint}"),
            "use arithmetic, or expand the file with ROS's xacro first",
        ));
    }
    if name == "dict" {
        let mut entries = Vec::new();
        for (key, value) in arguments {
            let key = key.clone().ok_or_else(|| wrong_arguments(&name))?;
            entries.push((Value::Text(key), evaluate(value, names)?));
        }
        return Value::Dict(Rc::new(entries)).bounded();
    }
    if arguments.iter().any(|(key, _)| key.is_some()) {
        return Err(wrong_arguments(&name));
    }
    let values: Result<Vec<Value>, Complaint> =
        arguments.iter().map(|(_, argument)| evaluate(argument, names)).collect();
    let values = values?;
    match (name.as_str(), &values[..]) {
        ("arg" | "find" | "env", [Value::Text(text)]) => names.look_up(&name, text).map(Value::literal),
        _ => apply(&name, &values),
    }
}

fn wrong_arguments(name: &str) -> Complaint {
    Complaint::new(format!("`{name}` does not take these arguments"), "correct them")
}

// One table of the functions that Python has: longer than a screen, a line for each.
fn apply(name: &str, values: &[Value]) -> Evaluated {
    let numbers: Option<Vec<f64>> =
        values.iter().map(|value| value.number().map(|number| number.to_f64())).collect();
    let float = |x: f64| {
        let outside = |_| Complaint::new(format!("`{name}` has no finite value there"), "check its argument");
        Number::float(x).map(Value::Number).map_err(outside)
    };
    match (name, values) {
        ("str", [value]) => return Ok(Value::Text(value.to_string())),
        ("bool", [value]) => return Ok(Value::Bool(value.is_true())),
        ("list" | "tuple", []) => return Ok(Value::List(Rc::default())),
        ("list" | "tuple", [Value::List(items)]) => return Ok(Value::List(items.clone())),
        ("len", [Value::List(items)]) => return Ok(Value::Number(Number::integer(items.len() as i64))),
        ("len", [Value::Dict(items)]) => return Ok(Value::Number(Number::integer(items.len() as i64))),
        ("len", [Value::Text(text)]) => {
            return Ok(Value::Number(Number::integer(text.chars().count() as i64)));
        }
        ("float" | "int", [Value::Text(text)]) => {
            let read = Number::parse(text).map(Value::Number);
            let read = read.ok_or_else(|| {
                Complaint::new(format!("`{text}` is not a number"), "write a decimal such as 0.25")
            })?;
            return apply(name, &[read]);
        }
        ("min" | "max" | "sum", [Value::List(items)]) if !items.is_empty() => return apply(name, items),
        _ => {}
    }
    let Some(numbers) = numbers else { return Err(wrong_arguments(name)) };
    let exact = |k: usize| values[k].number().unwrap_or(Number::integer(0));
    match (name, &numbers[..]) {
        ("sin", [x]) => float(x.sin()),
        ("cos", [x]) => float(x.cos()),
        ("tan", [x]) => float(x.tan()),
        ("asin", [x]) => float(x.asin()),
        ("acos", [x]) => float(x.acos()),
        ("atan", [x]) => float(x.atan()),
        ("atan2", [y, x]) => float(y.atan2(*x)),
        ("sqrt", [x]) => float(x.sqrt()),
        ("exp", [x]) => float(x.exp()),
        ("log", [x]) => float(x.ln()),
        ("log", [x, base]) => float(x.ln() / base.ln()),
        ("log10", [x]) => float(x.log10()),
        ("hypot", [x, y]) => float(x.hypot(*y)),
        ("radians", [x]) => float(x.to_radians()),
        ("degrees", [x]) => float(x.to_degrees()),
        ("fmod", [x, y]) => float(x % y),
        ("abs" | "fabs", [x]) => Ok(Value::Number(if *x < 0.0 { exact(0).negated() } else { exact(0) })),
        ("floor", [_]) => Ok(Value::Number(as_integer(exact(0).floor())?)),
        ("ceil", [_]) => Ok(Value::Number(as_integer(exact(0).negated().floor())?.negated())),
        ("int", [x]) => {
            let magnitude = if *x < 0.0 { exact(0).negated() } else { exact(0) };
            let whole = as_integer(magnitude.floor())?;
            Ok(Value::Number(if *x < 0.0 { whole.negated() } else { whole }))
        }
        // Python rounds halves to even.
        ("round", [x]) => Ok(Value::Number(as_integer(Number::float(x.round_ties_even())?)?)),
        ("round", [x, digits]) if digits.abs() <= 20.0 => {
            let digits = digits.max(0.0) as usize;
            let rounded = Number::parse(&format!("{x:.digits$}"));
            rounded.map(Value::Number).ok_or_else(|| wrong_arguments(name))
        }
        ("float", [_]) => Ok(Value::Number(match exact(0) {
            Number::Exact { value, .. } => Number::Exact { value, integer: false },
            float => float,
        })),
        ("pow", [_, _]) => exact(0).power(&exact(1)).map(Value::Number),
        ("min" | "max", [_, ..]) => {
            let wanted = if name == "min" { Ordering::Less } else { Ordering::Greater };
            let best = (1..values.len())
                .fold(0, |best, k| if exact(k).compare(&exact(best)) == Some(wanted) { k } else { best });
            Ok(Value::Number(exact(best)))
        }
        ("sum", [_, ..]) => {
            let total = (0..values.len()).try_fold(Number::integer(0), |sum, k| sum.plus(&exact(k)))?;
            Ok(Value::Number(total))
        }
        _ => Err(wrong_arguments(name)),
    }
}

/// A whole number printed without a point.
fn as_integer(number: Number) -> Result<Number, Complaint> {
    match number {
        Number::Exact { value, .. } => Ok(Number::Exact { value, integer: true }),
        Number::Float(x) => Number::parse(&format!("{x:.0}")).ok_or_else(|| wrong_arguments("int")),
    }
}
