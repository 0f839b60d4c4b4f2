//! Logs as Python has them: paths, mappings of arrays, tables of pandas; and how they are read.

use std::path::PathBuf;

use numpy::PyUntypedArrayMethods;
use numpy::ndarray::Axis;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use steiner::identification::{Division, LogPlace};
use steiner::logs::{Log, LogOptions, Mapping, NamedArray, Processing, is_of_contract};
use steiner::{Logs, Mechanism};

use crate::analysis::sensors;
use crate::arrays::{Numbers, value_error};
use crate::failures::log_error;
use crate::keywords::{Keywords, shown};

/// How files are read, taken off the keywords.
fn options(keywords: &mut Keywords<'_>) -> PyResult<LogOptions> {
    Ok(LogOptions {
        accept_cut: keywords.flag("accept_cut", false)?,
        topics: keywords.names("topics")?,
        mapping: mapping(keywords)?,
        ..LogOptions::default()
    })
}

/// Logs with what is said about reading them taken off the keywords; all samples are for one purpose.
pub(crate) fn undivided(
    mechanism: &Mechanism,
    log: &Bound<'_, PyAny>,
    keywords: &mut Keywords<'_>,
) -> PyResult<Logs> {
    let options = options(keywords)?;
    logs("log", log, mechanism, options, processing(keywords)?)
}

/// Logs that a motion is to add to.
pub(crate) fn recorded_before(
    mechanism: &Mechanism,
    log: &Bound<'_, PyAny>,
    keywords: &mut Keywords<'_>,
) -> PyResult<Logs> {
    let options = options(keywords)?;
    logs("after", log, mechanism, options, filtering(keywords)?)
}

/// As [`undivided`], with what is measured and what is held out.
pub(crate) fn divided(
    mechanism: &Mechanism,
    log: &Bound<'_, PyAny>,
    keywords: &mut Keywords<'_>,
) -> PyResult<Logs> {
    let logs = undivided(mechanism, log, keywords)?;
    let measure: Option<String> = keywords.take("measure", "a string such as \"all\" or \"joints:a,b\"")?;
    let validation = match keywords.any("validate")? {
        None => Vec::new(),
        Some(judging) => places("validate", &judging, mechanism, logs.options.mapping.is_some())?,
    };
    let measure = measure.as_deref().map(sensors).transpose()?;
    Ok(Logs { validation, measure, division: division(keywords)?, ..logs })
}

/// A motion, as it was recorded.
pub(crate) fn trajectory(
    mechanism: &Mechanism,
    log: &Bound<'_, PyAny>,
    keywords: &mut Keywords<'_>,
) -> PyResult<Logs> {
    let options = LogOptions { mapping: mapping(keywords)?, ..LogOptions::default() };
    logs("trajectory", log, mechanism, options, Processing::as_recorded())
}

fn logs(
    what: &str,
    log: &Bound<'_, PyAny>,
    mechanism: &Mechanism,
    options: LogOptions,
    processing: Processing,
) -> PyResult<Logs> {
    let training = places(what, log, mechanism, options.mapping.is_some())?;
    Ok(Logs { training, options, processing, division: Some(Division::Nothing), ..Logs::default() })
}

fn mapping(keywords: &mut Keywords<'_>) -> PyResult<Option<Mapping>> {
    let path: Option<PathBuf> = keywords.take("mapping", "the path of a mapping file")?;
    path.map(|path| Mapping::read(&path)).transpose().map_err(log_error)
}

/// What is done to signals, and which part of them is read.
fn processing(keywords: &mut Keywords<'_>) -> PyResult<Processing> {
    let (from, to) = (keywords.number("start")?, keywords.number("end")?);
    Ok(Processing { from, to, ..filtering(keywords)? })
}

/// What is done to signals; the defaults are the library's.
fn filtering(keywords: &mut Keywords<'_>) -> PyResult<Processing> {
    let usual = Processing::default();
    Ok(Processing {
        cutoff: keywords.worded("cutoff", "\"auto\", \"off\" or Hz")?.unwrap_or(usual.cutoff),
        order: keywords.count("filter_order")?.unwrap_or(usual.order),
        padding: keywords.count("padding")?,
        filter_forces: keywords.flag("filter_forces", usual.filter_forces)?,
        friction: usual.friction,
        differences: keywords.count("differences")?.unwrap_or(usual.differences),
        derive: keywords.flag("derive", usual.derive)?,
        trim: keywords.worded("trim", "\"auto\" or seconds")?.unwrap_or(usual.trim),
        thinning: keywords.worded("thin", "\"auto\", \"off\" or a factor")?.unwrap_or(usual.thinning),
        resample: keywords.worded("resample", "\"auto\", \"never\" or Hz")?.unwrap_or(usual.resample),
        from: None,
        to: None,
        skip_bad_rows: keywords.flag("skip_bad_rows", usual.skip_bad_rows)?,
        rest: keywords.number("rest")?.unwrap_or(usual.rest),
    })
}

fn division(keywords: &mut Keywords<'_>) -> PyResult<Option<Division>> {
    let held_out = keywords.number("hold_out")?;
    let (from, to) = (keywords.number("validate_from")?, keywords.number("validate_to")?);
    if let Some(part) = held_out.filter(|part| !(0.0..1.0).contains(part)) {
        return Err(value_error(format!("hold_out is {part}; give a part from 0 to below 1")));
    }
    if from.is_none() && to.is_none() {
        return Ok(held_out.map(Division::Last));
    }
    let (from, to) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
    if held_out.is_some() {
        return Err(value_error(
            "hold_out and validate_from or validate_to contradict each other; give one of them",
        ));
    }
    match from < to {
        true => Ok(Some(Division::Between { from, to })),
        false => Err(value_error(format!("validate_from {from} is not before validate_to {to}; swap them"))),
    }
}

/// One log or several.
fn places(
    what: &str,
    logs: &Bound<'_, PyAny>,
    mechanism: &Mechanism,
    mapped: bool,
) -> PyResult<Vec<LogPlace>> {
    if let Some(place) = place("the log", logs, mechanism, mapped)? {
        return Ok(vec![place]);
    }
    let wrong = |value: &Bound<'_, PyAny>| {
        PyTypeError::new_err(format!(
            "{what} is {}; give a path, a mapping such as {{\"t\": …, \"q\": …, \"tau\": …}}, a DataFrame, or a list of them",
            shown(value)
        ))
    };
    let all = logs.try_iter().map_err(|_| wrong(logs))?;
    let mut places = Vec::new();
    for (k, log) in all.enumerate() {
        let log = log?;
        places.push(place(&format!("log {}", k + 1), &log, mechanism, mapped)?.ok_or_else(|| wrong(logs))?);
    }
    match places.is_empty() {
        true => Err(value_error(format!("{what} is empty; give at least one log"))),
        false => Ok(places),
    }
}

/// Names of the columns of a mapping or of a table: of pandas, polars or Arrow.
fn names<'py>(log: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !log.hasattr("__getitem__")? {
        return Ok(None);
    }
    if log.hasattr("keys")? {
        return log.call_method0("keys").map(Some);
    }
    // An Arrow table calls columns what polars calls theirs by name.
    for names in ["column_names", "columns"] {
        if log.hasattr(names)? {
            return log.getattr(names).map(Some);
        }
    }
    Ok(None)
}

/// A column of lists of one length as a matrix.
fn stacked<'py>(column: &Bound<'py, PyAny>) -> Option<Numbers<'py>> {
    let numpy = column.py().import("numpy").ok()?;
    let to_list =
        ["to_list", "to_pylist", "tolist"].into_iter().find(|name| column.hasattr(*name).unwrap_or(false))?;
    let rows = column.call_method0(to_list).ok()?;
    numpy.call_method1("stack", (rows,)).ok()?.extract().ok()
}

/// A path, or anything with names and arrays: a dict, a DataFrame, what numpy.load makes of an NPZ file.
fn place(
    called: &str,
    log: &Bound<'_, PyAny>,
    mechanism: &Mechanism,
    mapped: bool,
) -> PyResult<Option<LogPlace>> {
    if let Ok(path) = log.extract::<PathBuf>() {
        return Ok(Some(LogPlace::File(path)));
    }
    let Some(keys) = names(log)? else { return Ok(None) };
    let mut arrays = Vec::new();
    for key in keys.try_iter()? {
        let key = key?;
        let name = key.str()?.to_string();
        let value = log.get_item(&key)?;
        // Whatever else a table has (texts, dates) is nobody's concern.
        let minds = is_of_contract(&name);
        let numbers = match value.extract::<Numbers<'_>>().or_else(|error| stacked(&value).ok_or(error)) {
            Ok(numbers) => numbers,
            Err(_) if !minds => continue,
            Err(error) => {
                return Err(value_error(format!(
                    "{called}: `{name}` is no array of numbers ({error}); give floats"
                )));
            }
        };
        let shape = numbers.shape().to_vec();
        if minds && !mapped {
            check_shape(called, &name, &shape, mechanism)?;
        }
        let view = numbers.as_array();
        let (rows, columns, values) = match shape[..] {
            [rows] => (rows, 1, view.iter().copied().collect()),
            [rows, columns] => {
                let by_column = view
                    .axis_iter(Axis(1))
                    .flat_map(|column| column.into_iter().copied().collect::<Vec<f64>>());
                (rows, columns, by_column.collect())
            }
            _ => continue,
        };
        arrays.push(NamedArray { name, rows, columns, values });
    }
    let log = Log::from_arrays(called, arrays).map_err(log_error)?;
    Ok(Some(LogPlace::from(log)))
}

/// Refuses arrays that cannot be what their name says, with the shape they should have.
fn check_shape(called: &str, name: &str, shape: &[usize], mechanism: &Mechanism) -> PyResult<()> {
    let (width, order) = match name {
        "q" => (mechanism.configuration_size(), mechanism.configuration_names()),
        "qd" | "qdd" | "tau" => (mechanism.dof(), mechanism.independent_names()),
        _ if name.starts_with("wrench_") && shape.len() > 1 => {
            (6, ["fx", "fy", "fz", "tx", "ty", "tz"].map(str::to_owned).to_vec())
        }
        _ => (1, Vec::new()),
    };
    let fits = match shape {
        [_] => width == 1,
        [rows, columns] => *rows == width || *columns == width,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let wanted = match width {
        1 => "(S,)".to_owned(),
        _ => format!("(S, {width}), in the order {}", order.join(", ")),
    };
    Err(value_error(format!("{called}: {name} has shape {shape:?}; give {wanted}")))
}
