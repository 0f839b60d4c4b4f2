//! `<joint>`, and `<loop>` of URDF+.

use steiner_robot::{
    Actuation, CouplingDescription, Frame, Friction, Joint, JointKind, Limits, LoopDescription, LoopKind,
    LoopSide, RobotNote, TreeJoint,
};
use steiner_scalar::Exact;

use super::Reader;
use crate::error::FormatError;
use crate::xml::Element;

const JOINT_KINDS: &str = "revolute, continuous, prismatic, planar, floating, fixed, spherical";
const LOOP_KINDS: &str = "revolute, continuous, prismatic, planar, fixed, spherical, universal, cylindrical";

impl<'a> Reader<'a> {
    /// The joint, what it mimics, and whether it is independent.
    pub(super) fn joint(
        &mut self,
        element: &Element<'a>,
    ) -> Result<(TreeJoint, Option<CouplingDescription>, bool), FormatError> {
        let name = element.required("name")?.to_owned();
        let word = element.required("type")?;
        let kind = match word {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "planar" => JointKind::Planar,
            "floating" => JointKind::Floating,
            "spherical" => JointKind::Spherical,
            "fixed" => JointKind::Fixed,
            _ => {
                return Err(FormatError::UnknownJointKind {
                    place: element.place(),
                    element: element.describe(),
                    kind: word.to_owned(),
                    known: JOINT_KINDS.to_owned(),
                });
            }
        };
        let parent = element.required_child("parent")?.required("link")?.to_owned();
        let child = element.required_child("child")?.required("link")?.to_owned();
        let limits = self.limits(element, &kind)?;
        let mut friction = Friction::default();
        if let Some(dynamics) = element.child("dynamics") {
            friction.viscous = dynamics.double("damping")?.unwrap_or(0.0);
            friction.coulomb = dynamics.double("friction")?.unwrap_or(0.0);
        }
        let mimic = mimic(element, &name)?;
        let independent = match element.attribute("independent") {
            None | Some("true" | "1") => true,
            Some("false" | "0") => false,
            Some(other) => {
                return Err(element.wrong(format!("independent=\"{other}\""), "write \"true\" or \"false\""));
            }
        };
        let joint = Joint {
            name,
            axis: axis_of(element)?,
            placement: self.origin(element)?,
            kind,
            body_frame: Frame::identity(),
            limits,
            rotor_inertia: 0.0,
            actuation: Actuation::default(),
            friction,
        };
        Ok((TreeJoint { joint, parent: Some(parent), child, place: element.place() }, mimic, independent))
    }

    fn limits(&mut self, element: &Element<'a>, kind: &JointKind) -> Result<Limits, FormatError> {
        let mut limits = Limits::default();
        if let Some(limit) = element.child("limit") {
            limits.velocity = limit.double("velocity")?;
            limits.effort = limit.double("effort")?;
            limits.acceleration = limit.double("acceleration")?;
            limits.jerk = limit.double("jerk")?;
            if matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
                limits.lower = limit.double("lower")?;
                limits.upper = limit.double("upper")?;
                if limits.lower > limits.upper && limits.upper.is_some() {
                    self.notes
                        .push(RobotNote::RangeNotUsed { place: limit.place(), element: limit.describe() });
                    (limits.lower, limits.upper) = (None, None);
                }
            }
        }
        Ok(limits)
    }

    pub(super) fn closure(&mut self, element: &Element<'a>) -> Result<LoopDescription, FormatError> {
        let name = element.required("name")?.to_owned();
        let axis2 = match element.child("axis2") {
            Some(axis) => Some(axis.vector("xyz")?.unwrap_or_else(x_axis)),
            None => None,
        };
        let word = element.required("type")?;
        let kind = match word {
            "revolute" | "continuous" => LoopKind::Revolute,
            "prismatic" => LoopKind::Prismatic,
            "planar" => LoopKind::Planar,
            "fixed" => LoopKind::Fixed,
            "spherical" => LoopKind::Spherical,
            "cylindrical" => LoopKind::Cylindrical,
            "universal" => match axis2 {
                Some(axis2) => LoopKind::Universal { axis2 },
                None => return Err(element.wrong("a universal loop needs <axis2 xyz=…>", "add it")),
            },
            _ => {
                return Err(FormatError::UnknownJointKind {
                    place: element.place(),
                    element: element.describe(),
                    kind: word.to_owned(),
                    known: LOOP_KINDS.to_owned(),
                });
            }
        };
        let mut side = |tag: &str| -> Result<LoopSide, FormatError> {
            let side = element.required_child(tag)?;
            Ok(LoopSide { link: Some(side.required("link")?.to_owned()), frame: self.origin(&side)? })
        };
        let (predecessor, successor) = (side("predecessor")?, side("successor")?);
        let axis = axis_of(element)?;
        Ok(LoopDescription { name, kind, predecessor, successor, axis, place: element.place() })
    }
}

/// `<mimic>`, a coupling of the joint.
fn mimic(element: &Element<'_>, name: &str) -> Result<Option<CouplingDescription>, FormatError> {
    let Some(mimic) = element.child("mimic") else { return Ok(None) };
    let factor = mimic.exact("multiplier")?.unwrap_or_else(Exact::one);
    Ok(Some(CouplingDescription {
        name: name.to_owned(),
        coordinate: name.to_owned(),
        terms: vec![(mimic.required("joint")?.to_owned(), factor)],
        offset: mimic.exact("offset")?.unwrap_or_else(Exact::zero),
        is_mimic: true,
        place: mimic.place(),
    }))
}

pub(super) fn x_axis() -> [Exact; 3] {
    [Exact::one(), Exact::zero(), Exact::zero()]
}

fn axis_of(element: &Element<'_>) -> Result<[Exact; 3], FormatError> {
    match element.child("axis") {
        Some(axis) => Ok(axis.vector("xyz")?.unwrap_or_else(x_axis)),
        None => Ok(x_axis()),
    }
}
