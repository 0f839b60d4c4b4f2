//! `<inertial>`.

use steiner_robot::{CentredInertia, Frame, Inconsistency, Pose, PseudoInertia, Tensor};

use super::origin_frame;
use crate::error::FormatError;
use crate::snap::Snapper;
use crate::xml::Element;

/// The attributes of `<inertia>`, in the order of [`Tensor`].
pub(crate) const TENSOR_KEYS: [&str; 6] = ["ixx", "ixy", "iyy", "ixz", "iyz", "izz"];

/// What an `<inertial>` element says.
pub(crate) struct Inertial {
    pub(crate) mass: f64,
    /// Inertia about the centre of mass, in the axes of the inertial frame.
    pub(crate) tensor: Tensor,
    /// The inertial frame in the link frame; its origin is the centre of mass.
    pub(crate) pose: Pose<f64>,
}

impl Inertial {
    pub(crate) fn read(inertial: &Element<'_>) -> Result<Self, FormatError> {
        let mass_element = inertial.required_child("mass")?;
        let mass = mass_element.required_double("value")?;
        if mass < 0.0 {
            return Err(mass_element.inertia(format!("the mass {mass} kg is negative")));
        }
        let mut tensor = [0.0; 6];
        if let Some(element) = inertial.child("inertia") {
            for (entry, key) in tensor.iter_mut().zip(TENSOR_KEYS) {
                *entry = element.double(key)?.unwrap_or(0.0);
            }
        }
        // The inertial frame is a measurement, not geometry: its angles are not snapped.
        let frame = match inertial.child("origin") {
            Some(origin) => origin_frame(&origin, &mut Snapper::new(0.0))?,
            None => Frame::identity(),
        };
        let pose = frame.evaluate::<f64>().map_err(|error| inertial.number(error.to_string()))?.value;
        let read = Inertial { mass, tensor, pose };
        if read.inertia_in_link().check() == Err(Inconsistency::NotFinite) {
            return Err(inertial.inertia("its moments about the link's origin overflow".to_owned()));
        }
        Ok(read)
    }

    pub(crate) fn inertia_in_link(&self) -> PseudoInertia {
        let centred = CentredInertia { mass: self.mass, com: [0.0; 3], tensor: self.tensor };
        PseudoInertia::from_centred(&centred).moved(&self.pose.rotation, self.pose.translation.0)
    }
}
