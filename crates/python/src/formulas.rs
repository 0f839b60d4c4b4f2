//! `steiner.formulas`: base parameters as formulas of lengths and angles.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::identifiability::{Question, symbolic};
use steiner::report::{Formulas, formulas_code, formulas_latex, symbolic_json};
use steiner::symbols::Language;

use crate::analysis::{python, sensors};
use crate::arrays::value_error;
use crate::failures::refused;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::robot::PyRobot;

/// Base parameters as formulas of lengths and angles; from `steiner.formulas`.
///
/// Called with other lengths (m) and angles (rad) by name, it answers the matrix B with base = B @ parameters; what
/// is left out is the file's.
#[pyclass(name = "Formulas", module = "steiner", frozen)]
pub(crate) struct PyFormulas {
    robot: String,
    document: Value,
    latex: String,
    /// Python, C, Rust.
    codes: [String; 3],
}

/// Base parameters as formulas of the robot's named lengths and angles; a file without names gets some (a2, d3, …).
/// The question is that of analyze.
#[pyfunction]
#[pyo3(signature = (robot, measure="all", *, drives=false, fix=None, keep=None, eliminate=None))]
pub(crate) fn formulas(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    measure: &str,
    drives: bool,
    fix: Option<BTreeMap<String, f64>>,
    keep: Option<Vec<String>>,
    eliminate: Option<Vec<String>>,
) -> PyResult<PyFormulas> {
    let question = Question {
        measure: sensors(measure)?,
        drives,
        known: fix.unwrap_or_default().into_iter().collect(),
        keep: keep.unwrap_or_default(),
        eliminate: eliminate.unwrap_or_default(),
        ..Question::default()
    };
    let robot = robot.get().mechanism().robot();
    py.detach(|| {
        let named = if robot.constants.is_empty() { robot.with_named_constants() } else { robot.clone() };
        let (analysis, found) = symbolic(&named, &question).map_err(refused)?;
        let formulas = Formulas::derived(&analysis, &found);
        Ok(PyFormulas {
            robot: named.name.clone(),
            document: symbolic_json(&formulas, None),
            latex: formulas_latex(&formulas, None),
            codes: [Language::Python, Language::C, Language::Rust]
                .map(|language| formulas_code(&formulas, None, language)),
        })
    })
}

#[pymethods]
impl PyFormulas {
    /// Lengths (m) and angles (rad) with the values of the file.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for variable in self.document["variables"].as_array().into_iter().flatten() {
            out.set_item(variable["name"].as_str(), variable["value"].as_f64())?;
        }
        Ok(out)
    }

    /// {base parameter: {parameter: its weight}} as texts that SymPy reads: sympy.sympify(text). Texts may use
    /// definitions.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for base in self.document["base_parameters"].as_array().into_iter().flatten() {
            let own = PyDict::new(py);
            for term in base["terms"].as_array().into_iter().flatten() {
                own.set_item(term[0].as_str(), term[1].as_str().map(|text| text.replace('^', "**")))?;
            }
            out.set_item(base["name"].as_str(), own)?;
        }
        Ok(out)
    }

    /// What texts abbreviate, as "x = …".
    #[getter]
    fn definitions(&self) -> Vec<String> {
        let all = self.document["definitions"].as_array().into_iter().flatten();
        all.filter_map(|text| Some(text.as_str()?.replace('^', "**"))).collect()
    }

    /// A LaTeX document.
    #[getter]
    fn latex(&self) -> &str {
        &self.latex
    }

    /// Functions of the lengths: "python", "c" or "rust".
    #[pyo3(signature = (language="python"))]
    fn code(&self, language: &str) -> PyResult<&str> {
        let place = ["python", "c", "rust"].iter().position(|other| *other == language);
        let place =
            place.ok_or_else(|| value_error(format!("language={language:?}: use python, c or rust")))?;
        Ok(&self.codes[place])
    }

    /// B (base parameters, parameters) for other lengths and angles.
    #[pyo3(signature = (**values))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        values: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.import("steiner._formulas")?.call_method("evaluated", (&self.codes[0],), values)
    }

    /// What `steiner analyze --symbolic --json` prints under symbolic.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document)
    }

    /// The formulas for notebooks.
    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        py.import("steiner._formulas")?.call_method1("shown", (&self.latex,))?.extract()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let [python, c, rust] = &self.codes;
        let texts = [&self.document.to_string(), &self.latex, python, c, rust];
        let texts = texts.iter().map(|text| packed(py, text)).collect::<PyResult<Vec<_>>>()?;
        reduced::<PyFormulas>(py, (&self.robot, texts))
    }

    fn __repr__(&self) -> String {
        let count = |key: &str| self.document[key].as_array().map_or(0, Vec::len);
        format!(
            "<steiner.Formulas {:?}: {} base parameters of {} lengths and angles>",
            self.robot,
            count("base_parameters"),
            count("variables")
        )
    }
}

impl Pickled for PyFormulas {
    const NAME: &'static str = "Formulas";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (robot, texts): (String, [Bound<'_, PyAny>; 5]) = state.extract()?;
        let mut texts = texts.iter().map(unpacked);
        let mut next = || texts.next().unwrap_or_else(|| Ok(String::new()));
        let document = serde_json::from_str(&next()?).map_err(value_error)?;
        Ok(PyFormulas { robot, document, latex: next()?, codes: [next()?, next()?, next()?] })
    }
}
