//! `steiner.check`: can these parameters be found from these sensors and this motion?

use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::report::{check_json, check_page};
use steiner::{CheckQuestion, Watch};

use crate::analysis::sensors;
use crate::arrays::value_error;
use crate::failures::Interruption;
use crate::hints::KEYWORDS;
use crate::keywords::Keywords;
use crate::logs::undivided;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::robot::PyRobot;

/// Columns of a page.
const WIDTH: usize = 100;

/// Whether parameters can be found from sensors and a motion; from `steiner.check`.
#[pyclass(name = "Check", module = "steiner", frozen)]
pub(crate) struct PyCheck {
    /// JSON as text, which keeps all digits wherever it goes.
    document: String,
    page: String,
    ok: bool,
}

impl PyCheck {
    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.document,))
    }
}

/// Can these parameters be found from these sensors and this motion? Which not, why, and what to measure or move
/// instead. want names parameters ("link6.m"), bodies ("link2"), "joint3.friction", "payload:link6" or patterns
/// ("*.m"). measure is by default what the log has, or "all"; noise is the standard deviation of forces in N·m or N where the log
/// does not tell.
#[pyfunction]
#[pyo3(
    signature = (robot, log=None, **settings),
    text_signature = "(robot, log=None, *, want=(), measure=None, drives=True, fix=None, noise=1.0, mapping=None, topics=None, \
        accept_cut=False, cutoff='auto', filter_order=4, padding=None, filter_forces=True, differences=8, derive=False, \
        trim='auto', thin='auto', resample='auto', start=None, end=None, skip_bad_rows=False, rest=0.02)"
)]
pub(crate) fn check(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    log: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyCheck> {
    let mechanism = robot.get().mechanism();
    let mut keywords = Keywords::new("check", settings);
    let measure: Option<String> = keywords.take("measure", "a string such as \"all\" or \"joints:a,b\"")?;
    let usual = CheckQuestion::default();
    let noise = keywords.number("noise")?.unwrap_or(usual.noise);
    if noise <= 0.0 {
        return Err(value_error(format!("noise is {noise}; give a standard deviation above 0, in N·m or N")));
    }
    let question = CheckQuestion {
        measure: measure.as_deref().map(sensors).transpose()?,
        drives: keywords.flag("drives", usual.drives)?,
        known: keywords.numbers("fix", "a dict such as {\"link6.m\": 0.09}")?,
        want: keywords.names("want")?.iter().flat_map(|names| names.split(',')).map(str::to_owned).collect(),
        noise,
    };
    // Keywords about logs are taken with or without one, so that none is called unknown.
    let nothing = PyDict::new(py);
    let logs = undivided(mechanism, log.unwrap_or(nothing.as_any()), &mut keywords);
    let logs = log.map(|_| logs).transpose()?;
    keywords.finish()?;
    let interruption = Interruption::default();
    let watch = || -> Watch<'_> { interruption.watch() };
    let found = py.detach(|| {
        let found = steiner::check(mechanism, &question, logs.as_ref(), &watch)?;
        Ok(PyCheck {
            document: check_json(mechanism, &found, KEYWORDS).to_string(),
            page: check_page(mechanism, &found, WIDTH, KEYWORDS),
            ok: found.all_found(),
        })
    });
    found.map_err(|error| interruption.exception(error))
}

#[pymethods]
impl PyCheck {
    /// Whether everything that was asked for can be found.
    #[getter]
    fn ok(&self) -> bool {
        self.ok
    }

    /// For each parameter that was asked for a dict: want, parameter, verdict, ok, combination, sigma, file_value, why,
    /// remedies, actions.
    #[getter]
    fn wanted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)?.get_item("wanted")
    }

    /// Inertias of the file that look wrong: dicts with body, kind, text.
    #[getter]
    fn file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)?.get_item("file")
    }

    /// What is wrong with the log, by an identification from it: dicts with kind, text.
    #[getter]
    fn alarms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)?.get_item("alarms")
    }

    /// The whole answer: what `steiner check --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dict(py)
    }

    /// The screen of the command, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escaped: String = py.import("html")?.call_method1("escape", (&self.page,))?.extract()?;
        Ok(format!("<pre>{escaped}</pre>"))
    }

    fn __str__(&self) -> &str {
        &self.page
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let document = self.dict(py)?;
        let wanted = document.get_item("wanted")?.len()?;
        let name = document.get_item("robot")?.get_item("name")?.repr()?;
        let answer = if self.ok { "can be found" } else { "cannot all be found" };
        Ok(format!("<steiner.Check {name}: {wanted} parameters asked for, {answer}>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let state = (packed(py, &self.document)?, packed(py, &self.page)?, self.ok);
        reduced::<PyCheck>(py, state)
    }
}

impl Pickled for PyCheck {
    const NAME: &'static str = "Check";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (document, page, ok): (Bound<'_, PyAny>, Bound<'_, PyAny>, bool) = state.extract()?;
        Ok(PyCheck { document: unpacked(&document)?, page: unpacked(&page)?, ok })
    }
}
