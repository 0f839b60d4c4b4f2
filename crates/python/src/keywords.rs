//! Keyword arguments that several functions share: taken one by one, and none left over.

use std::str::FromStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::files::did_you_mean;

use crate::arrays::value_error;

/// The keyword arguments of a call.
pub(crate) struct Keywords<'py> {
    function: &'static str,
    given: Option<Bound<'py, PyDict>>,
    known: Vec<&'static str>,
}

impl<'py> Keywords<'py> {
    pub(crate) fn new(function: &'static str, given: Option<&Bound<'py, PyDict>>) -> Self {
        Keywords { function, given: given.cloned(), known: Vec::new() }
    }

    /// The value, if it was given and is not None.
    pub(crate) fn any(&mut self, name: &'static str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.known.push(name);
        let Some(given) = &self.given else { return Ok(None) };
        Ok(given.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// The value as what `wanted` says.
    pub(crate) fn take<T: for<'a> FromPyObject<'a, 'py>>(
        &mut self,
        name: &'static str,
        wanted: &str,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        match value.extract::<T>() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(PyTypeError::new_err(format!("{name} is {}; give {wanted}", shown(&value)))),
        }
    }

    pub(crate) fn flag(&mut self, name: &'static str, default: bool) -> PyResult<bool> {
        Ok(self.take(name, "True or False")?.unwrap_or(default))
    }

    /// A finite number.
    pub(crate) fn number(&mut self, name: &'static str) -> PyResult<Option<f64>> {
        let Some(value) = self.take::<f64>(name, "a number")? else { return Ok(None) };
        match value.is_finite() {
            true => Ok(Some(value)),
            false => Err(value_error(format!("{name} is {value}; give a finite number"))),
        }
    }

    pub(crate) fn count(&mut self, name: &'static str) -> PyResult<Option<usize>> {
        self.take(name, "a number without fraction or sign")
    }

    /// Several names; one string is one name.
    pub(crate) fn names(&mut self, name: &'static str) -> PyResult<Vec<String>> {
        let Some(value) = self.any(name)? else { return Ok(Vec::new()) };
        if let Ok(one) = value.extract::<String>() {
            return Ok(vec![one]);
        }
        value
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{name} is {}; give a list of names", shown(&value))))
    }

    /// Names with finite numbers.
    pub(crate) fn numbers(&mut self, name: &'static str, wanted: &str) -> PyResult<Vec<(String, f64)>> {
        let pairs: Vec<(String, f64)> = self.pairs(name, wanted)?;
        match pairs.iter().find(|(_, x)| !x.is_finite()) {
            None => Ok(pairs),
            Some((label, x)) => Err(value_error(format!("{name}: {label} = {x} is not finite"))),
        }
    }

    /// The entries of a dict, in its order.
    pub(crate) fn pairs<T: for<'a> FromPyObject<'a, 'py>>(
        &mut self,
        name: &'static str,
        wanted: &str,
    ) -> PyResult<Vec<(String, T)>> {
        let Some(value) = self.any(name)? else { return Ok(Vec::new()) };
        let wrong = |value: &Bound<'py, PyAny>| {
            PyTypeError::new_err(format!("{name} is {}; give {wanted}", shown(value)))
        };
        let dict = value.cast::<PyDict>().map_err(|_| wrong(&value))?;
        dict.iter()
            .map(|(key, entry)| match (key.extract(), entry.extract()) {
                (Ok(key), Ok(entry)) => Ok((key, entry)),
                _ => Err(wrong(&value)),
            })
            .collect()
    }

    /// A word or a number, as the command line has it.
    pub(crate) fn worded<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        name: &'static str,
        wanted: &str,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        let text = match (value.extract::<String>(), value.extract::<f64>()) {
            (Ok(text), _) => text,
            (_, Ok(number)) => number.to_string(),
            _ => return Err(PyTypeError::new_err(format!("{name} is {}; give {wanted}", shown(&value)))),
        };
        text.parse().map(Some).map_err(value_error)
    }

    /// Refuses what nobody asked for.
    pub(crate) fn finish(self) -> PyResult<()> {
        let Some(given) = &self.given else { return Ok(()) };
        for key in given.keys() {
            let key: String = key.extract()?;
            if !self.known.contains(&key.as_str()) {
                let hint = did_you_mean(&key, self.known.iter().copied());
                return Err(PyTypeError::new_err(format!(
                    "{}() got an unexpected keyword argument '{key}'{hint}",
                    self.function
                )));
            }
        }
        Ok(())
    }
}

/// A value in a message, shortly.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    match value.repr().map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= MOST && !text.contains('\n') => text,
        _ => format!(
            "of type {}",
            value.get_type().name().map_or_else(|_| "unknown".to_owned(), |n| n.to_string())
        ),
    }
}
