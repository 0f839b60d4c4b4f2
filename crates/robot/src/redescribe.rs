//! The description of a robot with new inertias and drives, as an identification finds them.

use steiner_files::{Place, did_you_mean};

use crate::description::Description;
use crate::error::RobotError;
use crate::friction::Friction;
use crate::inertia::PseudoInertia;
use crate::lump::{Lumped, shared, whole_of};
use crate::note::LumpNote;
use crate::robot::Robot;

/// New numbers of a robot. What is not listed stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewDynamics {
    /// Moving bodies, or links on the ground, with the inertia of the link and all that is fixed to it, about
    /// the origin of its frame and in its axes.
    pub inertias: Vec<(String, PseudoInertia)>,
    /// Drives of joints.
    pub drives: Vec<NewDrive>,
}

/// The new drive of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDrive {
    /// Name of the joint.
    pub joint: String,
    /// Rotor inertia at the joint, kg·m² or kg.
    pub rotor_inertia: f64,
    /// Viscous and Coulomb friction, and offset.
    pub friction: Friction,
}

/// A description with new numbers.
#[derive(Clone, Debug)]
pub struct Redescribed {
    /// The new description.
    pub description: Description,
    /// What became of links that are fixed to each other.
    pub notes: Vec<LumpNote>,
}

impl Robot {
    /// What the robot's file would say with new numbers. The inertia of a lump is shared among its links as
    /// asked; lumps whose inertia does not change keep their numbers.
    pub fn redescribed(&self, new: &NewDynamics, lumped: Lumped) -> Result<Redescribed, RobotError> {
        let mut description = self.description.clone();
        let mut notes = Vec::new();
        for (link, whole) in &new.inertias {
            let parts = self.lump(link).ok_or_else(|| self.unknown_link(link))?;
            let before = match self.bodies.iter().find(|body| body.name == *link) {
                Some(body) => body.inertia,
                None => whole_of(&parts),
            };
            if before.parameters() == whole.parameters() {
                continue;
            }
            // What hangs on a joint that was only held must not lose its mass: the joint moves again.
            let held = parts.iter().skip(1).any(|part| self.description.is_held(&part.link));
            let lumped = if held && whole.check().is_ok() { Lumped::Proportional } else { lumped };
            let shares = shared(&parts, whole, lumped).map_err(|reason| RobotError::Unshareable {
                place: place_of(&description, link),
                link: link.clone(),
                reason,
            })?;
            notes.extend(shares.notes);
            for (part, inertia) in parts.iter().zip(shares.inertias) {
                let described = description.links.iter_mut().find(|other| other.name == part.link);
                if let Some(link) = described {
                    link.inertia = inertia;
                }
            }
        }
        for drive in &new.drives {
            let joint = description.joints.iter_mut().find(|joint| joint.joint.name == drive.joint);
            let joint = joint.ok_or_else(|| self.unknown_joint(&drive.joint))?;
            joint.joint.rotor_inertia = drive.rotor_inertia;
            joint.joint.friction = drive.friction;
        }
        Ok(Redescribed { description: description.unlocked(), notes })
    }

    pub(crate) fn unknown_link(&self, name: &str) -> RobotError {
        RobotError::UnknownLink {
            place: self.description.place.clone(),
            element: "new inertia".to_owned(),
            name: name.to_owned(),
            hint: did_you_mean(name, self.bodies.iter().map(|body| body.name.as_str())),
        }
    }

    pub(crate) fn unknown_joint(&self, name: &str) -> RobotError {
        RobotError::UnknownJoint {
            place: self.description.place.clone(),
            element: "new drive".to_owned(),
            name: name.to_owned(),
            hint: did_you_mean(name, self.description.joints.iter().map(|joint| joint.joint.name.as_str())),
        }
    }
}

fn place_of(description: &Description, link: &str) -> Place {
    let found = description.links.iter().find(|other| other.name == link);
    found.map_or_else(|| description.place.clone(), |link| link.place.clone())
}
