//! `<coupling>` of URDF+: a linear relation along the paths to two links.

use std::collections::HashMap;

use steiner_files::did_you_mean;
use steiner_robot::{CouplingDescription, Description, JointKind, RobotError, TreeJoint};
use steiner_scalar::Exact;

use crate::error::FormatError;
use crate::xml::Element;

/// A gear spans a few joints, not a thousand.
const LONGEST_COUPLING: usize = 1000;

/// ratio · Σ q(common ancestor → predecessor) = Σ q(common ancestor → successor), solved for one joint.
pub(super) fn coupling(
    element: &Element<'_>,
    description: &Description,
    above: &JointAbove<'_>,
) -> Result<CouplingDescription, FormatError> {
    let name = element.required("name")?.to_owned();
    let ratio = match element.child("ratio") {
        Some(ratio) => ratio.exact("value")?.unwrap_or_else(Exact::one),
        None => Exact::one(),
    };
    let path = |tag: &str| -> Result<Vec<&TreeJoint>, FormatError> {
        let side = element.required_child(tag)?;
        let link = side.required("link")?;
        if !description.links.iter().any(|known| known.name == link) {
            return Err(RobotError::UnknownLink {
                place: side.place(),
                element: side.describe(),
                name: link.to_owned(),
                hint: did_you_mean(link, description.links.iter().map(|known| known.name.as_str())),
            }
            .into());
        }
        Ok(above.path_to_root(link))
    };
    let (mut first, mut second) = (path("predecessor")?, path("successor")?);
    while let (Some(a), Some(b)) = (first.last(), second.last()) {
        if a.joint.name != b.joint.name {
            break;
        }
        first.pop();
        second.pop();
    }
    // Terms of ratio · Σ first − Σ second = 0, each with the side it comes from.
    let moving = |joints: Vec<&'_ TreeJoint>, factor: Exact, is_successor: bool| {
        let moves = |joint: &&TreeJoint| joint.joint.kind != JointKind::Fixed;
        let term = move |joint: &TreeJoint| (joint.joint.name.clone(), factor.clone(), is_successor);
        joints.into_iter().filter(moves).map(term).collect::<Vec<_>>()
    };
    let mut terms = moving(first, ratio, false);
    terms.extend(moving(second, Exact::integer(-1), true));
    if terms.len() > LONGEST_COUPLING {
        return Err(
            element.wrong(format!("it spans {} joints", terms.len()), "couple links nearer to each other")
        );
    }
    // Solve for a joint declared dependent, the successor's before the predecessor's,
    // or else for the successor's own.
    let declared = |name: &str| description.dependent.iter().any(|mention| mention.name == name);
    let chosen = terms
        .iter()
        .position(|(joint, _, is_successor)| *is_successor && declared(joint))
        .or_else(|| terms.iter().position(|(joint, ..)| declared(joint)))
        .or_else(|| terms.iter().position(|(.., is_successor)| *is_successor))
        .or(if terms.is_empty() { None } else { Some(0) });
    let Some(chosen) = chosen else {
        return Err(element.wrong("no moving joint lies between its links", "couple links that move"));
    };
    let (coordinate, factor, _) = terms.remove(chosen);
    if factor.is_zero() {
        return Err(element.wrong("the ratio is zero", "give the gear ratio"));
    }
    let terms = terms.into_iter().map(|(joint, other, _)| (joint, -(other / factor.clone()))).collect();
    let offset = Exact::zero();
    Ok(CouplingDescription { name, coordinate, terms, offset, is_mimic: false, place: element.place() })
}

/// The joint that carries each link.
pub(super) struct JointAbove<'d>(HashMap<&'d str, &'d TreeJoint>);

impl<'d> JointAbove<'d> {
    pub(super) fn new(description: &'d Description) -> Self {
        JointAbove(description.joints.iter().rev().map(|joint| (joint.child.as_str(), joint)).collect())
    }

    /// The joints from a link up to the root, the link's own first.
    fn path_to_root(&self, link: &str) -> Vec<&'d TreeJoint> {
        let mut path = Vec::new();
        let mut current = Some(link);
        while let Some(joint) = current.and_then(|link| self.0.get(link)) {
            path.push(*joint);
            if path.len() > self.0.len() {
                break; // a cycle; assembling reports it
            }
            current = joint.parent.as_deref();
        }
        path
    }
}
