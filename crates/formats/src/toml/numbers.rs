//! Numbers, texts and lists of a native file, each with the place its error names.

use steiner_files::brief;
use steiner_robot::{Mention, RobotError};
use steiner_scalar::Exact;
use toml_edit::{Item, Value};

use super::{HEAVIEST_EXPRESSION, Reader};
use crate::error::FormatError;

impl Reader<'_> {
    pub(super) fn string(&self, item: &Item, element: &str, line: u32) -> Result<String, FormatError> {
        let line = self.line(item, line);
        let text = item
            .as_str()
            .ok_or_else(|| self.wrong(line, element, "a text is expected", "put it in quotes"))?;
        if text.trim().is_empty() {
            return Err(self.wrong(line, element, "the text is empty", "give a name"));
        }
        Ok(text.to_owned())
    }

    pub(super) fn number_item(&self, item: &Item, element: &str, line: u32) -> Result<Exact, FormatError> {
        let line = self.line(item, line);
        match item.as_value() {
            Some(value) => self.number(value, element, line),
            None => Err(self.wrong(
                line,
                element,
                "a number is expected",
                "write a decimal or an expression in quotes",
            )),
        }
    }

    pub(super) fn number(&self, value: &Value, element: &str, line: u32) -> Result<Exact, FormatError> {
        let line = value.span().map_or(line, |span| self.lines.line(span.start));
        let refuse = |reason: String| -> FormatError {
            RobotError::Number { place: self.at(line), element: element.to_owned(), reason }.into()
        };
        let exact = match value {
            Value::Integer(n) => Exact::integer(*n.value()),
            Value::Float(x) => {
                // The digits as written: a double would round the twentieth.
                let written = x.span().and_then(|span| self.text.get(span)).map(|s| s.replace('_', ""));
                let digits = written.unwrap_or_else(|| x.value().to_string());
                Exact::rational(
                    steiner_scalar::parse_decimal(&digits)
                        .map_err(|error| refuse(brief(&error.to_string())))?,
                )
            }
            Value::String(expression) => {
                let lookup = |name: &str| {
                    self.constants
                        .iter()
                        .find(|constant| constant.name == name)
                        .map(|constant| constant.symbol.clone())
                };
                Exact::parse_with(expression.value(), &lookup)
                    .map_err(|error| refuse(brief(&error.to_string())))?
            }
            _ => {
                return Err(self.wrong(
                    line,
                    element,
                    "a number is expected",
                    "write a decimal or an expression in quotes",
                ));
            }
        };
        if exact.weight() > HEAVIEST_EXPRESSION {
            return Err(refuse("the expression grows beyond any use; simplify it".to_owned()));
        }
        exact.to_f64().map_err(|error| refuse(brief(&error.to_string())))?;
        Ok(exact)
    }

    pub(super) fn double(&self, item: &Item, element: &str, line: u32) -> Result<f64, FormatError> {
        let exact = self.number_item(item, element, line)?;
        let (place, element) = (self.at(self.line(item, line)), element.to_owned());
        exact
            .to_f64()
            .map_err(|error| RobotError::Number { place, element, reason: error.to_string() }.into())
    }

    pub(super) fn numbers<const N: usize>(
        &self,
        item: &Item,
        element: &str,
        line: u32,
    ) -> Result<[Exact; N], FormatError> {
        let line = self.line(item, line);
        let example =
            if N == 6 { "write [Ixx, Ixy, Iyy, Ixz, Iyz, Izz]" } else { "write a list such as [0, 0, 1]" };
        let wrong = |problem: String| self.wrong(line, element, problem, example);
        let array = item.as_array().ok_or_else(|| wrong(format!("a list of {N} numbers is expected")))?;
        let numbers: Vec<Exact> =
            array.iter().map(|value| self.number(value, element, line)).collect::<Result<_, _>>()?;
        let found = numbers.len();
        numbers.try_into().map_err(|_| wrong(format!("{N} numbers are expected, {found} found")))
    }

    pub(super) fn doubles<const N: usize>(
        &self,
        item: &Item,
        element: &str,
        line: u32,
    ) -> Result<[f64; N], FormatError> {
        let exact = self.numbers::<N>(item, element, line)?;
        Ok(exact.map(|x| x.to_f64().unwrap_or(f64::NAN)))
    }

    pub(super) fn vector(&self, item: &Item, element: &str, line: u32) -> Result<[Exact; 3], FormatError> {
        self.numbers::<3>(item, element, line)
    }

    pub(super) fn mentions(&self, item: &Item, key: &str) -> Result<Vec<Mention>, FormatError> {
        let line = self.line(item, 1);
        let wrong =
            || self.wrong(line, key, "a list of names is expected", &format!("write {key} = [\"joint1\"]"));
        let array = item.as_array().ok_or_else(wrong)?;
        array
            .iter()
            .map(|value| {
                let name = value.as_str().ok_or_else(wrong)?.to_owned();
                Ok(Mention { name, place: self.at(line) })
            })
            .collect()
    }
}
