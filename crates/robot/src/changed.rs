//! Other robots made from one: its parts are changed freely and checked again.

use steiner_files::Place;
use steiner_scalar::Exact;

use crate::assemble::numbers::{check_joint, evaluated_pose, finite};
use crate::description::LoopKind;
use crate::error::RobotError;
use crate::inertia::{Inconsistency, PseudoInertia};
use crate::joint::JointKind;
use crate::lump::whole_of;
use crate::redescribe::NewDynamics;
use crate::robot::{Coordinate, Robot, RobotParts};

impl Robot {
    /// A robot of these parts: parents stand before children, every reference leads to
    /// something, every number has a value.
    pub fn from_parts(parts: RobotParts) -> Result<Robot, RobotError> {
        parts.check_tree()?;
        parts.check_relations()?;
        parts.check_numbers()?;
        Ok(Robot::trusted(parts))
    }

    /// The robot with its parts changed.
    pub fn changed(&self, change: impl FnOnce(&mut RobotParts)) -> Result<Robot, RobotError> {
        let mut parts = self.clone().into_parts();
        change(&mut parts);
        Robot::from_parts(parts)
    }

    /// The robot under another gravitational acceleration, m/s² in the base frame.
    pub fn with_gravity(&self, gravity: [Exact; 3]) -> Result<Robot, RobotError> {
        self.changed(|parts| parts.gravity = gravity)
    }

    /// The robot with another configuration (all tree coordinates) from which closure starts.
    pub fn with_reference(&self, reference: Vec<Exact>) -> Result<Robot, RobotError> {
        self.changed(|parts| parts.reference = reference)
    }

    /// The tree that is left when all loops are opened; which coordinates are independent is open again.
    pub fn without_loops(&self) -> Robot {
        let mut parts = self.clone().into_parts();
        parts.loops.clear();
        parts.independent = None;
        Robot::trusted(parts)
    }

    /// The robot with new inertias and drives, in its bodies as in its description. Of a lump, what is fixed
    /// keeps its inertia and the link that carries it takes up the difference.
    pub fn with_dynamics(&self, new: &NewDynamics) -> Result<Robot, RobotError> {
        let mut parts = self.clone().into_parts();
        for (name, whole) in &new.inertias {
            let lump = self.lump(name).ok_or_else(|| self.unknown_link(name))?;
            let body = parts.bodies.iter_mut().find(|body| body.name == *name);
            let before = body.as_ref().map_or_else(|| whole_of(&lump), |body| body.inertia);
            if before.parameters() == whole.parameters() {
                continue;
            }
            let changed = |own: Option<PseudoInertia>| {
                Some(own.unwrap_or(PseudoInertia::ZERO).plus(&whole.minus(&before)))
            };
            let own = match body {
                Some(body) => {
                    body.inertia = *whole;
                    &mut body.own_inertia
                }
                None => match parts.ground.iter_mut().find(|link| link.name == *name) {
                    Some(link) => &mut link.inertia,
                    None => return Err(self.unknown_link(name)),
                },
            };
            *own = changed(*own);
            let own = *own;
            let described = parts.description.links.iter_mut().filter(|link| link.name == *name);
            described.for_each(|link| link.inertia = own);
        }
        for drive in &new.drives {
            if !self.bodies.iter().any(|body| body.joint.name == drive.joint) {
                return Err(self.unknown_joint(&drive.joint));
            }
            let own = parts.bodies.iter_mut().map(|body| &mut body.joint);
            let described = parts.description.joints.iter_mut().map(|joint| &mut joint.joint);
            for joint in own.chain(described).filter(|joint| joint.name == drive.joint) {
                joint.rotor_inertia = drive.rotor_inertia;
                joint.friction = drive.friction;
            }
        }
        Robot::from_parts(parts)
    }
}

impl RobotParts {
    fn wrong(&self, element: String, problem: &str, remedy: &str) -> RobotError {
        let place = self.description.place.clone();
        RobotError::Element { place, element, problem: problem.to_owned(), remedy: remedy.to_owned() }
    }

    fn check_tree(&self) -> Result<(), RobotError> {
        if self.bodies.is_empty() {
            return Err(RobotError::NothingMoves { place: self.description.place.clone() });
        }
        for (k, body) in self.bodies.iter().enumerate() {
            let element = || format!("body `{}`", body.name);
            if body.parent.is_some_and(|parent| parent.0 >= k) {
                return Err(self.wrong(element(), "its parent does not precede it", "put parents first"));
            }
            if body.joint.kind == JointKind::Fixed {
                return Err(self.wrong(element(), "its joint is fixed", "lump it into its parent"));
            }
            if self.bodies[..k].iter().any(|other| other.name == body.name) {
                return Err(self.wrong(element(), "two bodies have this name", "give each its own name"));
            }
        }
        Ok(())
    }

    fn has(&self, coordinate: &Coordinate) -> bool {
        let body = self.bodies.get(coordinate.body.0);
        body.is_some_and(|body| coordinate.component < body.joint.kind.dof())
    }

    fn check_relations(&self) -> Result<(), RobotError> {
        for closure in &self.loops {
            let sides = [closure.predecessor.body, closure.successor.body];
            let exists = sides.iter().flatten().all(|body| body.0 < self.bodies.len());
            if !exists || sides[0] == sides[1] {
                let element = format!("loop `{}`", closure.name);
                return Err(self.wrong(element, "it does not join two bodies", "attach it to two bodies"));
            }
        }
        for coupling in &self.couplings {
            let terms = || coupling.terms.iter().map(|(term, _)| term);
            let exist = self.has(&coupling.coordinate) && terms().all(|term| self.has(term));
            if !exist || terms().any(|term| *term == coupling.coordinate) {
                let element = format!("coupling `{}`", coupling.name);
                return Err(self.wrong(element, "it does not relate two coordinates", "name others"));
            }
        }
        let listed = self.independent.iter().flatten().chain(&self.dependent).chain(&self.guessed);
        for coordinate in listed {
            if !self.has(coordinate) {
                let element = format!("coordinate {} of body {}", coordinate.component, coordinate.body.0);
                return Err(self.wrong(element, "there is none", "name one of the robot's"));
            }
        }
        if self.reference.len() != self.tree_configuration_size() {
            let problem = format!("it has {} numbers", self.reference.len());
            let remedy = format!("give {}", self.tree_configuration_size());
            return Err(self.wrong("reference configuration".to_owned(), &problem, &remedy));
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), RobotError> {
        let place: &Place = &self.description.place;
        for body in &self.bodies {
            check_joint(&body.joint, place)?;
            for link in &body.lumped {
                evaluated_pose(&link.frame, place, &link.name)?;
            }
            if body.inertia.check() == Err(Inconsistency::NotFinite) {
                let element = format!("body `{}`", body.name);
                let reason = "its moments are not finite".to_owned();
                return Err(RobotError::Inertia { place: place.clone(), element, reason });
            }
        }
        for link in &self.ground {
            evaluated_pose(&link.frame, place, &link.name)?;
        }
        for closure in &self.loops {
            evaluated_pose(&closure.predecessor.frame, place, &closure.name)?;
            evaluated_pose(&closure.successor.frame, place, &closure.name)?;
            let second = match &closure.kind {
                LoopKind::Universal { axis2 } => axis2.as_slice(),
                _ => &[],
            };
            for x in closure.axis.iter().chain(second) {
                finite(x, place, || format!("loop `{}`", closure.name))?;
            }
        }
        for coupling in &self.couplings {
            for x in coupling.terms.iter().map(|(_, factor)| factor).chain([&coupling.offset]) {
                finite(x, place, || format!("coupling `{}`", coupling.name))?;
            }
        }
        for x in self.gravity.iter().chain(&self.reference) {
            finite(x, place, || "gravity or reference configuration".to_owned())?;
        }
        Ok(())
    }
}
