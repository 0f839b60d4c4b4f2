//! Whether what a caller gives has the sizes and numbers it should.

use super::Mechanism;
use crate::error::DynamicsError;

impl Mechanism {
    fn order(&self) -> String {
        let names = self.independent_names();
        if names.len() <= 8 { names.join(", ") } else { format!("{}, …", names[..8].join(", ")) }
    }

    pub(crate) fn check(
        &self,
        what: &'static str,
        values: &[f64],
        wanted: usize,
    ) -> Result<(), DynamicsError> {
        if values.len() != wanted {
            return Err(DynamicsError::Shape { what, found: values.len(), wanted, order: self.order() });
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(DynamicsError::NotFinite { what, index, value: values[index] }),
            None => Ok(()),
        }
    }

    /// Checks one configuration; `sample` is its number in a batch.
    pub(crate) fn check_configuration(&self, q: &[f64], sample: Option<usize>) -> Result<(), DynamicsError> {
        for &(start, body) in &self.quaternions {
            if q[start..start + 4].iter().all(|x| x.abs() < 1e-9) {
                let sample = sample.map_or(String::new(), |k| format!(" in sample {k}"));
                let joint = self.robot.bodies[body].joint.name.clone();
                return Err(DynamicsError::ZeroQuaternion { joint, sample });
            }
        }
        Ok(())
    }

    /// Ten finite numbers for each body.
    pub(crate) fn check_parameters(&self, parameters: &[f64]) -> Result<(), DynamicsError> {
        let (what, wanted) = ("parameters", 10 * self.robot.bodies.len());
        if parameters.len() != wanted {
            let order = format!("ten for each of {} bodies", self.robot.bodies.len());
            return Err(DynamicsError::Shape { what, found: parameters.len(), wanted, order });
        }
        match parameters.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(DynamicsError::NotFinite { what, index, value: parameters[index] }),
            None => Ok(()),
        }
    }

    /// The caller's output has the size of the result.
    pub(crate) fn check_buffer(&self, found: usize, wanted: usize) -> Result<(), DynamicsError> {
        if found == wanted {
            return Ok(());
        }
        Err(DynamicsError::Shape {
            what: "the output buffer",
            found,
            wanted,
            order: "samples × rows × columns".to_owned(),
        })
    }
}
