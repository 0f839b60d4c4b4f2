//! `steiner.formulas`: base parameters as formulas of lengths and angles.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::identifiability::{Question, special_members};
use steiner::report::{formulas_code, formulas_latex, modified_frames, special_json, symbolic_json};
use steiner::symbols::Language;
use steiner::{FormulaAnswer, FormulaError, FormulaWish, formulas as derived};

use crate::analysis::{python, sensors};
use crate::arrays::value_error;
use crate::failures::{interruptible, refused};
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
///
/// planar: four parameters per link (m, mx, my, J) of a mechanism that moves in a plane, as products of lengths
/// where the loops allow it (by default what the file says). sensitivity: a length or angle, for the derivatives of
/// all formulas with respect to it (`sensitivity`). family: for which special lengths another number of parameters is
/// identifiable (`family`). frames: "file", or "mdh" for modified Denavit–Hartenberg frames (Khalil's).
#[pyfunction]
#[pyo3(signature = (robot, measure="all", *, drives=false, fix=None, keep=None, eliminate=None, planar=None, sensitivity=None, family=false, frames="file"))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn formulas(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    measure: &str,
    drives: bool,
    fix: Option<BTreeMap<String, f64>>,
    keep: Option<Vec<String>>,
    eliminate: Option<Vec<String>>,
    planar: Option<bool>,
    sensitivity: Option<&str>,
    family: bool,
    frames: &str,
) -> PyResult<PyFormulas> {
    let question = Question {
        measure: sensors(measure)?,
        drives,
        known: fix.unwrap_or_default().into_iter().collect(),
        keep: keep.unwrap_or_default(),
        eliminate: eliminate.unwrap_or_default(),
        ..Question::default()
    };
    let own = robot.get().mechanism().robot();
    let framed = match frames {
        "file" => None,
        "mdh" => Some(own.in_modified_frames().map_err(refused)?),
        other => return Err(value_error(format!("frames={other:?}: use file or mdh"))),
    };
    let robot = framed.as_ref().unwrap_or(own);
    let wish = FormulaWish { planar: planar.unwrap_or(robot.planar), sensitivity, family };
    interruptible(py, || {
        let mut answer =
            derived(robot, &question, wish).map_err(|error| not_written(error, planar.is_some()))?;
        if framed.is_some() {
            answer.formulas.notes.insert(0, modified_frames(answer.mechanism.robot()));
        }
        let FormulaAnswer { analysis, formulas, derived, question, .. } = &answer;
        let sensitivity =
            sensitivity.map(|name| formulas.sensitivity(name)).transpose().map_err(value_error)?;
        let special = derived.as_ref().filter(|_| family).map(|found| {
            let special = special_members(found, question, &mut |_, _| ());
            special_json(analysis.identifiable(), &special)
        });
        let mut document = symbolic_json(formulas, sensitivity.as_ref());
        if let Some(special) = special {
            document["family"] = special;
        }
        Ok(PyFormulas {
            robot: robot.name.clone(),
            document,
            latex: formulas_latex(formulas, sensitivity.as_ref()),
            codes: [Language::Python, Language::C, Language::Rust]
                .map(|language| formulas_code(formulas, sensitivity.as_ref(), language)),
        })
    })
}

/// Why there are no formulas, with the keyword that helps.
fn not_written(error: FormulaError, asked: bool) -> PyErr {
    let otherwise = if asked { "planar=True" } else { "`planar = true` in the file" };
    match error {
        FormulaError::Identifiability(error) => refused(error),
        FormulaError::Dynamics(error) => refused(error),
        FormulaError::NotAllForces => {
            value_error(format!("{error}; leave out measure, drives and fix, or {otherwise}"))
        }
        FormulaError::LeavesPlane(_) => value_error(format!("{error}: leave out {otherwise}")),
        FormulaError::UnwrittenInPlane { .. } => value_error(format!("{error}, or leave out planar=True")),
        FormulaError::Sentence(_) => value_error(error),
    }
}

/// {base parameter: {parameter: weight}}, weights as SymPy reads them.
fn weights<'py>(py: Python<'py>, base_parameters: &Value) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    for base in base_parameters.as_array().into_iter().flatten() {
        let own = PyDict::new(py);
        for term in base["terms"].as_array().into_iter().flatten() {
            own.set_item(term[0].as_str(), term[1].as_str().map(|text| text.replace('^', "**")))?;
        }
        out.set_item(base["name"].as_str(), own)?;
    }
    Ok(out)
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
        weights(py, &self.document["base_parameters"])
    }

    /// The derivatives of all weights with respect to the length or angle that was asked for, as terms; None
    /// without.
    #[getter]
    fn sensitivity<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let found = self.document.get("sensitivity");
        found.map(|found| weights(py, &found["base_parameters"])).transpose()
    }

    /// Special lengths, where they were asked for: identifiable, members (condition, values, identifiable,
    /// meaning), unsolved, left_out; None without.
    #[getter]
    fn family<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["family"])
    }

    /// What a user should know, a sentence each.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["notes"])
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
