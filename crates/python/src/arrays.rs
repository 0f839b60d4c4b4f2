//! NumPy arrays in and out: one sample or a batch of them, the caller's buffer or a new one.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Deref;

use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use steiner::linalg::all_threads;
use steiner::linalg::elimination::Matrix;

/// An array, or anything NumPy can make one of: lists, integers, other precisions, any order in memory. Arrays of
/// f64 are not copied.
pub(crate) struct Numbers<'py>(PyReadonlyArrayDyn<'py, f64>);

impl<'py> Deref for Numbers<'py> {
    type Target = PyReadonlyArrayDyn<'py, f64>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for Numbers<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
            return Ok(Numbers(array.try_readonly().map_err(value_error)?));
        }
        let array = py.import("numpy")?.call_method1("asarray", (object,))?;
        let dtype = array.getattr("dtype")?;
        // What is no real number becomes one silently otherwise: complex ones, texts, dates.
        let kind: String = dtype.getattr("kind")?.extract()?;
        if !"fiubO".contains(&kind) {
            return Err(PyTypeError::new_err(format!("numbers of type {}; give real numbers", dtype.str()?)));
        }
        let doubles = array.call_method1("astype", ("float64",))?;
        let doubles = doubles.cast_into::<PyArrayDyn<f64>>().map_err(PyErr::from)?;
        Ok(Numbers(doubles.try_readonly().map_err(value_error)?))
    }
}

pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Samples of one quantity, one after another: the caller's own memory where it is in order.
pub(crate) struct Rows<'a> {
    pub(crate) values: Cow<'a, [f64]>,
    pub(crate) count: usize,
    pub(crate) is_single: bool,
}

impl<'a> Rows<'a> {
    /// From an array of shape (width,) or (S, width); `order` says what the numbers of a sample are.
    pub(crate) fn new(
        what: &str,
        array: &'a PyReadonlyArrayDyn<'_, f64>,
        width: usize,
        order: impl FnOnce() -> String,
    ) -> PyResult<Self> {
        let shape = array.shape();
        let (count, is_single, found) = match *shape {
            [found] => (1, true, found),
            [count, found] => (count, false, found),
            _ => {
                return Err(value_error(format!(
                    "{what} has shape {shape:?}; give ({width},) or (S, {width})"
                )));
            }
        };
        if found != width {
            return Err(value_error(format!(
                "{what} has shape {shape:?}; give ({width},) or (S, {width}), in the order {}",
                order()
            )));
        }
        // Slices of columns would be slices too.
        let values = match array.as_slice() {
            Ok(values) if array.is_c_contiguous() => Cow::Borrowed(values),
            _ => Cow::Owned(array.as_array().iter().copied().collect()),
        };
        Ok(Rows { values, count, is_single })
    }

    /// Checks that several quantities speak of the same samples.
    pub(crate) fn alike(names: &[&str], all: &[Rows<'_>]) -> PyResult<()> {
        let listed = |words: Vec<String>| match &words[..] {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            words => words.join(""),
        };
        let names = || listed(names.iter().map(|name| (*name).to_owned()).collect());
        if all.iter().any(|rows| rows.is_single != all[0].is_single) {
            return Err(value_error(format!(
                "{} mix one sample with batches; give all as (n,) or all as (S, n)",
                names()
            )));
        }
        if all.iter().any(|rows| rows.count != all[0].count) {
            let counts = listed(all.iter().map(|rows| rows.count.to_string()).collect());
            return Err(value_error(format!(
                "{} have {counts} samples; give the same number of each",
                names()
            )));
        }
        Ok(())
    }

    /// (S, …) for a batch, (…) for one sample.
    pub(crate) fn shape(&self, rest: &[usize]) -> Vec<usize> {
        let batch = (!self.is_single).then_some(self.count);
        batch.into_iter().chain(rest.iter().copied()).collect()
    }

    /// The numbers of one sample.
    pub(crate) fn sample(&self, index: usize) -> &[f64] {
        let width = self.values.len() / self.count.max(1);
        &self.values[index * width..(index + 1) * width]
    }
}

/// Numbers of one dimension and a certain length.
pub(crate) fn vector(what: &str, array: &PyReadonlyArrayDyn<'_, f64>, width: usize) -> PyResult<Vec<f64>> {
    if array.shape() != [width] {
        return Err(value_error(format!("{what} has shape {:?}; give ({width},)", array.shape())));
    }
    Ok(array.as_array().iter().copied().collect())
}

/// How many threads to use: as asked, or all.
pub(crate) fn thread_count(threads: Option<isize>) -> PyResult<NonZeroUsize> {
    let Some(n) = threads else { return Ok(all_threads()) };
    let positive = usize::try_from(n).ok().and_then(NonZeroUsize::new);
    positive.ok_or_else(|| value_error(format!("threads is {n}; give at least 1")))
}

/// The caller's array, or a new one of the right shape.
pub(crate) fn output<'py>(
    py: Python<'py>,
    out: Option<Bound<'py, PyAny>>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let Some(out) = out else { return Ok(PyArrayDyn::zeros(py, shape.to_vec(), false)) };
    let Ok(out) = out.cast_into::<PyArrayDyn<f64>>() else {
        return Err(value_error(format!(
            "out is not an array of float64; give a C-contiguous float64 array of shape {shape:?}"
        )));
    };
    if out.shape() != shape || !out.is_c_contiguous() {
        let order = if out.is_c_contiguous() { "" } else { " and is not C-contiguous" };
        return Err(value_error(format!(
            "out has shape {:?}{order}; give a C-contiguous float64 array of shape {shape:?}",
            out.shape()
        )));
    }
    Ok(out)
}

/// Fills an array in slices of at most so many samples, `width` numbers each, without the interpreter's lock;
/// between slices Ctrl-C is heard. `fill` is told the first sample of a slice.
pub(crate) fn fill_in_slices<'py>(
    py: Python<'py>,
    out: &Bound<'py, PyArrayDyn<f64>>,
    (width, samples): (usize, usize),
    mut fill: impl FnMut(usize, &mut [f64]) -> PyResult<()> + Send,
) -> PyResult<()> {
    let mut writable: PyReadwriteArrayDyn<'_, f64> = out.try_readwrite().map_err(value_error)?;
    let slice = writable.as_slice_mut().map_err(value_error)?;
    for (k, part) in slice.chunks_mut((samples * width).max(1)).enumerate() {
        if k > 0 {
            py.check_signals()?;
        }
        py.detach(|| fill(k * samples, part))?;
    }
    Ok(())
}

/// A new array with the entries of a matrix.
pub(crate) fn matrix_to_numpy<'py>(
    py: Python<'py>,
    matrix: &Matrix<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let flat = PyArray1::from_slice(py, matrix.entries());
    Ok(flat.reshape([matrix.rows(), matrix.columns()])?.cast_into::<PyArray2<f64>>()?)
}
