//! Reading decimals and expressions: `+ - * / ^ ( )`, `pi`, names, and the functions of [`Function`].

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::exact::{Exact, Function};

/// Why a text is not a number. Each message quotes the text and says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ParseError {
    #[error("`{text}` is not a number; write a decimal such as 0.25 or -1.5e-3")]
    NotANumber { text: String },
    #[error("`{text}` is not finite; write a finite number")]
    NotFinite { text: String },
    #[error("`{text}` has an exponent beyond ±400")]
    ExponentTooLarge { text: String },
    #[error(
        "`{name}` in `{text}` is not known; define it, above its use, under [lengths] or [angles], or use pi, {functions}"
    )]
    UnknownName { name: String, text: String, functions: String },
    #[error("`{text}` breaks off or continues unexpectedly at `{rest}`")]
    Syntax { text: String, rest: String },
    #[error(
        "`{text}` raises to the power `{power}`; only integers from -64 to 64 are allowed (write sqrt for a root)"
    )]
    Power { text: String, power: String },
    #[error("an expression of {length} characters is too long or too deeply nested")]
    TooLong { length: usize },
}

const LONGEST_EXPRESSION: usize = 4096;
const DEEPEST_NESTING: usize = 64;
/// Of the expression with its names looked through; a thread of 2 MB evaluates a few times as much.
const DEEPEST_EXPRESSION: u32 = 1024;

/// Shortens what an error quotes.
fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}

/// A plain decimal as the exact rational it denotes.
pub fn parse_decimal(text: &str) -> Result<RBig, ParseError> {
    let body = text.trim();
    let wrong = || ParseError::NotANumber { text: quoted(text) };
    let unsigned = body.strip_prefix(['+', '-']).unwrap_or(body);
    if matches!(unsigned.to_ascii_lowercase().as_str(), "nan" | "inf" | "infinity" | ".nan" | ".inf") {
        return Err(ParseError::NotFinite { text: quoted(text) });
    }
    if body.len() > LONGEST_EXPRESSION {
        return Err(ParseError::TooLong { length: body.len() });
    }
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => {
            let exponent = &unsigned[at + 1..];
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
            let value = exponent.parse::<i64>().unwrap_or(i64::MAX);
            (&unsigned[..at], value)
        }
        None => (unsigned, 0),
    };
    if exponent.unsigned_abs() > 400 {
        return Err(ParseError::ExponentTooLarge { text: quoted(text) });
    }
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = [whole, part].concat();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let magnitude: IBig = digits.parse().map_err(|_| wrong())?;
    let power = exponent - part.len() as i64;
    let ten_to_the = RBig::from(IBig::from(10).pow(power.unsigned_abs() as usize));
    let value =
        if power >= 0 { RBig::from(magnitude) * ten_to_the } else { RBig::from(magnitude) / ten_to_the };
    Ok(if body.starts_with('-') { -value } else { value })
}

/// A decimal or an expression; `names` resolves everything that isn't `pi` or a function.
pub(crate) fn parse_expression(
    text: &str,
    names: &dyn Fn(&str) -> Option<Exact>,
) -> Result<Exact, ParseError> {
    if text.len() > LONGEST_EXPRESSION {
        return Err(ParseError::TooLong { length: text.len() });
    }
    let mut parser = Parser { text, rest: text, names, depth: 0 };
    let value = parser.sum()?;
    parser.skip_blanks();
    if !parser.rest.is_empty() {
        return Err(parser.syntax());
    }
    if value.depth() > DEEPEST_EXPRESSION {
        return Err(ParseError::TooLong { length: text.len() });
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    names: &'a dyn Fn(&str) -> Option<Exact>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn syntax(&self) -> ParseError {
        let rest = if self.rest.is_empty() { "its end".to_owned() } else { quoted(self.rest) };
        ParseError::Syntax { text: quoted(self.text), rest }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, symbol: char) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST_NESTING {
            return Err(ParseError::TooLong { length: self.text.len() });
        }
        let value = f(self);
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Result<Exact, ParseError> {
        self.deeper(|p| {
            let mut value = p.product()?;
            loop {
                if p.take('+') {
                    value = value + p.product()?;
                } else if p.take('-') {
                    value = value - p.product()?;
                } else {
                    return Ok(value);
                }
            }
        })
    }

    fn product(&mut self) -> Result<Exact, ParseError> {
        let mut value = self.signed()?;
        loop {
            if self.rest.trim_start().starts_with("**") {
                return Err(self.syntax());
            } else if self.take('*') {
                value = value * self.signed()?;
            } else if self.take('/') {
                value = value / self.signed()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<Exact, ParseError> {
        self.deeper(|p| {
            if p.take('-') {
                Ok(-p.signed()?)
            } else if p.take('+') {
                p.signed()
            } else {
                p.power()
            }
        })
    }

    fn power(&mut self) -> Result<Exact, ParseError> {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let exponent = self.signed()?;
        let refuse = || ParseError::Power { text: quoted(self.text), power: quoted(&exponent.to_string()) };
        let n: i64 = match exponent.to_rational() {
            Some(r) if r.is_int() => r.numerator().clone().try_into().map_err(|_| refuse())?,
            _ => return Err(refuse()),
        };
        if n.unsigned_abs() > 64 {
            return Err(refuse());
        }
        Ok(base.pow(n as i32))
    }

    fn atom(&mut self) -> Result<Exact, ParseError> {
        if self.take('(') {
            let value = self.sum()?;
            return if self.take(')') { Ok(value) } else { Err(self.syntax()) };
        }
        self.skip_blanks();
        match self.rest.bytes().next() {
            Some(b) if b.is_ascii_digit() || b == b'.' => self.decimal(),
            Some(b) if b.is_ascii_alphabetic() || b == b'_' || !b.is_ascii() => self.name(),
            _ => Err(self.syntax()),
        }
    }

    fn decimal(&mut self) -> Result<Exact, ParseError> {
        let bytes = self.rest.as_bytes();
        let run = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let mut end = run(0);
        if bytes.get(end) == Some(&b'.') {
            end = run(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-')) as usize;
            let exponent_end = run(end + 1 + sign);
            if exponent_end > end + 1 + sign {
                end = exponent_end;
            }
        }
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        parse_decimal(number).map(Exact::rational)
    }

    fn name(&mut self) -> Result<Exact, ParseError> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(self.syntax());
        }
        self.rest = rest;
        if let Some((_, function)) = Function::NAMES.iter().find(|(known, _)| *known == name)
            && self.take('(')
        {
            let argument = self.sum()?;
            return if self.take(')') { Ok(argument.call(*function)) } else { Err(self.syntax()) };
        }
        if let Some(value) = (self.names)(name) {
            return Ok(value);
        }
        match name {
            "pi" | "π" => Ok(Exact::pi()),
            "nan" | "NaN" | "inf" | "Inf" | "infinity" => {
                Err(ParseError::NotFinite { text: quoted(self.text) })
            }
            _ => Err(ParseError::UnknownName {
                name: quoted(name),
                text: quoted(self.text),
                functions: Function::NAMES.map(|(name, _)| name).join(", "),
            }),
        }
    }
}
