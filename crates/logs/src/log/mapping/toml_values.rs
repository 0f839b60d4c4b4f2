//! Values of a mapping file, each with the line its error names.

use steiner_files::did_you_mean;
use steiner_scalar::Exact;
use toml_edit::{Item, TableLike, Value};

use crate::error::LogError;

pub(crate) fn line_of(text: &str, offset: usize) -> u32 {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count() as u32
}

pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) file: &'a str,
}

impl Parser<'_> {
    pub(crate) fn line(&self, item: &Item) -> u32 {
        item.span().map_or(1, |span| line_of(self.text, span.start))
    }

    pub(crate) fn at(
        &self,
        line: u32,
        key: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> LogError {
        LogError::Mapping {
            place: format!("{}:{line}", self.file),
            key: key.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    pub(crate) fn wrong(
        &self,
        item: &Item,
        key: &str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> LogError {
        self.at(self.line(item), key, problem, remedy)
    }

    pub(crate) fn known_keys(
        &self,
        table: &dyn TableLike,
        place: &str,
        known: &[&str],
    ) -> Result<(), LogError> {
        for (key, item) in table.iter() {
            if !known.contains(&key) {
                let span = table.key(key).and_then(|key| key.span());
                let line = span.map_or(self.line(item), |span| line_of(self.text, span.start));
                let hint = did_you_mean(key, known.iter().copied());
                return Err(self.at(
                    line,
                    place,
                    format!("unknown key `{key}`{hint}"),
                    format!("use {}", known.join(", ")),
                ));
            }
        }
        Ok(())
    }

    /// The tables of `[[name]]`.
    pub(crate) fn tables<'t>(
        &self,
        item: Option<&'t Item>,
        name: &str,
    ) -> Result<Vec<(&'t dyn TableLike, u32)>, LogError> {
        let Some(item) = item else { return Ok(Vec::new()) };
        let wrong = || self.wrong(item, name, "a list of tables is expected", format!("write [[{name}]]"));
        match item {
            Item::ArrayOfTables(tables) => Ok(tables
                .iter()
                .map(|table| {
                    let line = table.span().map_or(1, |span| line_of(self.text, span.start));
                    (table as &dyn TableLike, line)
                })
                .collect()),
            Item::Value(Value::Array(array)) => array
                .iter()
                .map(|value| {
                    let line = value.span().map_or(1, |span| line_of(self.text, span.start));
                    Ok((value.as_inline_table().ok_or_else(wrong)? as &dyn TableLike, line))
                })
                .collect(),
            _ => Err(wrong()),
        }
    }

    pub(crate) fn string(&self, item: &Item, key: &str) -> Result<String, LogError> {
        let text = item.as_str().filter(|text| !text.trim().is_empty());
        text.map(str::to_owned).ok_or_else(|| self.wrong(item, key, "a text is expected", "put it in quotes"))
    }

    /// A number, or an expression in quotes such as `"pi/2"`.
    pub(crate) fn value(&self, value: &Value, key: &str) -> Result<f64, LogError> {
        let line = value.span().map_or(1, |span| line_of(self.text, span.start));
        let number = match value {
            Value::Integer(n) => Some(*n.value() as f64),
            Value::Float(x) => Some(*x.value()),
            Value::String(text) => Exact::parse(text.value()).ok().and_then(|exact| exact.to_f64().ok()),
            _ => None,
        };
        number.filter(|x| x.is_finite()).ok_or_else(|| {
            self.at(
                line,
                key,
                "a number is expected",
                "write a decimal, or an expression in quotes such as \"pi/2\"",
            )
        })
    }

    pub(crate) fn number(&self, item: &Item, key: &str) -> Result<f64, LogError> {
        match item.as_value() {
            Some(value) => self.value(value, key),
            None => Err(self.wrong(item, key, "a number is expected", "write key = number")),
        }
    }

    pub(crate) fn strings(&self, item: &Item, key: &str) -> Result<Vec<String>, LogError> {
        let wrong =
            || self.wrong(item, key, "a list of names is expected", format!("write {key} = [\"a\", \"b\"]"));
        let array = item.as_array().ok_or_else(wrong)?;
        array.iter().map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
    }

    pub(crate) fn numbers(&self, item: &Item, key: &str) -> Result<Vec<f64>, LogError> {
        let array = item.as_array();
        let array =
            array.ok_or_else(|| self.wrong(item, key, "a list of numbers is expected", "write [1, 2]"))?;
        array.iter().map(|value| self.value(value, key)).collect()
    }
}
