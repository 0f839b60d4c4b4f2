//! States of a robot from arrays, and quantities at them: `steiner.Robot`'s methods over samples.

use numpy::{PyArrayDyn, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use steiner::dynamics::{DynamicsError, Samples, Zeros};
use steiner::identification::{DriveForces, IdentificationError};
use steiner::logs::DryFriction;

use crate::arrays::{Numbers, Rows, fill_in_slices, output, thread_count, value_error};
use crate::failures::refused;
use crate::model::filled;
use crate::robot::PyRobot;

/// Samples in lanes that take well below a second, closed loops included.
const SLICE: usize = 1 << 14;

/// An array that a method answers.
pub(crate) type Answered<'py> = PyResult<Bound<'py, PyArrayDyn<f64>>>;

/// Where results go and how many threads make them: out= and threads=.
pub(crate) struct Making<'py> {
    pub(crate) out: Option<Bound<'py, PyAny>>,
    pub(crate) threads: Option<isize>,
}

/// Configurations and two quantities with a number per degree of freedom.
pub(crate) struct Batch<'a> {
    q: Rows<'a>,
    qd: Rows<'a>,
    last: Rows<'a>,
}

impl Batch<'_> {
    /// As many samples as it takes to fill a slice, from one of them on.
    fn samples(&self, first: usize, count: usize) -> Samples<'_> {
        let of = |rows: &'_ Rows<'_>| -> std::ops::Range<usize> {
            let width = rows.values.len() / rows.count.max(1);
            first * width..(first + count) * width
        };
        Samples {
            q: &self.q.values[of(&self.q)],
            qd: &self.qd.values[of(&self.qd)],
            qdd: &self.last.values[of(&self.last)],
            count,
        }
    }
}

impl PyRobot {
    /// Arrays with names as states; the names of coordinates are in what is said about wrong shapes.
    pub(crate) fn batch<'a>(
        &self,
        [q, qd, last]: [(&'static str, &'a PyReadonlyArrayDyn<'_, f64>); 3],
    ) -> PyResult<Batch<'a>> {
        let order = || self.mechanism().independent_names().join(", ");
        let dof = self.mechanism().dof();
        let rows = [
            Rows::new(q.0, q.1, self.mechanism().configuration_size(), order)?,
            Rows::new(qd.0, qd.1, dof, order)?,
            Rows::new(last.0, last.1, dof, order)?,
        ];
        Rows::alike(&[q.0, qd.0, last.0], &rows)?;
        let [q, qd, last] = rows;
        Ok(Batch { q, qd, last })
    }

    /// Regressors at states.
    pub(crate) fn regressors<'py>(
        &self,
        py: Python<'py>,
        at: &Batch<'_>,
        making: Making<'py>,
    ) -> Answered<'py> {
        let layout = self.mechanism().layout();
        let zeros = if making.out.is_some() { Zeros::Write } else { Zeros::AlreadyThere };
        let out = output(py, making.out, &at.q.shape(&[layout.rows, layout.columns()]))?;
        let (threads, width) = (thread_count(making.threads)?, layout.rows * layout.columns());
        fill_in_slices(py, &out, (width, SLICE), |first, part| {
            let samples = at.samples(first, part.len() / width.max(1));
            self.mechanism().regressors(&samples, threads, zeros, part).map_err(refused)
        })?;
        Ok(out)
    }

    /// Forces at states by recursion, with 10 N parameters; `drives` adds those of rotors and friction.
    pub(crate) fn forces<'py>(
        &self,
        py: Python<'py>,
        at: &Batch<'_>,
        parameters: &[f64],
        drives: bool,
        making: Making<'py>,
    ) -> Answered<'py> {
        let dof = self.mechanism().dof();
        let out = output(py, making.out, &at.q.shape(&[dof]))?;
        let threads = thread_count(making.threads)?;
        fill_in_slices(py, &out, (dof, SLICE), |first, part| {
            let samples = at.samples(first, part.len() / dof.max(1));
            self.mechanism().inverse_dynamics_batch(parameters, &samples, threads, part).map_err(refused)?;
            if drives {
                self.add_drives(&samples, part).map_err(value_error)?;
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Adds the forces of drives to those of the bodies, sample by sample.
    fn add_drives(&self, samples: &Samples<'_>, forces: &mut [f64]) -> Result<(), IdentificationError> {
        let drives = DriveForces::new(self.mechanism(), DryFriction::Sign)?;
        let (nq, dof) = (self.mechanism().configuration_size(), self.mechanism().dof());
        for (k, forces) in forces.chunks_exact_mut(dof.max(1)).enumerate() {
            let (qd, qdd) = (&samples.qd[dof * k..][..dof], &samples.qdd[dof * k..][..dof]);
            drives.add(self.mechanism(), [&samples.q[nq * k..][..nq], qd, qdd], forces)?;
        }
        Ok(())
    }

    /// Accelerations that forces cause, rotors and friction of the file included where `drives` says so.
    pub(crate) fn accelerations<'py>(
        &self,
        py: Python<'py>,
        Batch { q, qd, last: tau }: &Batch<'_>,
        drives: bool,
        making: Making<'py>,
    ) -> Answered<'py> {
        let mechanism = self.mechanism();
        let out = output(py, making.out, &q.shape(&[mechanism.dof()]))?;
        let motors = drives.then(|| DriveForces::new(mechanism, DryFriction::Sign));
        let motors = motors.transpose().map_err(value_error)?;
        filled(py, out, q, thread_count(making.threads)?, |k, out| {
            let (q, qd, tau) = (q.sample(k), qd.sample(k), tau.sample(k));
            let found = match &motors {
                None => mechanism.forward_dynamics(q, qd, tau)?,
                Some(motors) => motors.forward_dynamics(mechanism, [q, qd, tau])?,
            };
            out.copy_from_slice(&found);
            Ok::<(), IdentificationError>(())
        })
    }

    /// A quantity of configurations, one by one; `shape` is that of one sample.
    pub(crate) fn at_configurations<'py>(
        &self,
        py: Python<'py>,
        q: &Numbers<'py>,
        shape: &[usize],
        making: Making<'py>,
        quantity: impl Fn(&[f64], &mut [f64]) -> Result<(), DynamicsError> + Sync,
    ) -> Answered<'py> {
        let order = || self.mechanism().independent_names().join(", ");
        let q = Rows::new("q", q, self.mechanism().configuration_size(), order)?;
        let out = output(py, making.out, &q.shape(shape))?;
        filled(py, out, &q, thread_count(making.threads)?, |k, out| quantity(q.sample(k), out))
    }

    /// Configurations of the tree written another way: Pinocchio's, or back.
    pub(crate) fn rewritten<'py>(
        &self,
        py: Python<'py>,
        q: &Numbers<'py>,
        [from, to]: [usize; 2],
        out: Option<Bound<'py, PyAny>>,
        write: impl Fn(&[f64]) -> Vec<f64> + Sync,
    ) -> Answered<'py> {
        let order = || {
            let joints = self.mechanism().robot().bodies.iter().map(|body| body.joint.name.as_str());
            joints.collect::<Vec<_>>().join(", ")
        };
        let q = Rows::new("q", q, from, order)?;
        let out = output(py, out, &q.shape(&[to]))?;
        filled(py, out, &q, thread_count(Some(1))?, |k, out| {
            out.copy_from_slice(&write(q.sample(k)));
            Ok::<(), std::convert::Infallible>(())
        })
    }
}
