//! `<equality>`: loops (connect, weld) and couplings (joint).

use steiner_files::did_you_mean;
use steiner_robot::{
    CouplingDescription, Frame, LoopDescription, LoopKind, LoopSide, Orientation, RobotError, RobotNote,
    no_displacement,
};
use steiner_scalar::Exact;

use super::compiler::boolean;
use super::defaults::Styled;
use super::orientation::numbers;
use super::tree::{NamedJoint, Reader, Site};
use crate::error::FormatError;
use crate::xml::Element;

impl<'a> Reader<'_, 'a> {
    /// An `<equality>` section.
    pub(super) fn equality(&mut self, section: &Element<'a>) -> Result<(), FormatError> {
        for element in self.sources.children(section) {
            let number = self.constraints;
            self.constraints += 1;
            let styled = Styled::new(element.clone(), "equality", None, &self.defaults)?;
            if boolean(styled.source("active"), "active")? == Some(false) {
                self.note(RobotNote::Inactive { place: element.place(), element: element.describe() });
                continue;
            }
            let name = match element.attribute("name").filter(|name| !name.is_empty()) {
                Some(name) => name.to_owned(),
                None => format!("equality_{number}"),
            };
            match element.tag() {
                "connect" => self.connect(&element, name)?,
                "weld" => self.weld(&element, name)?,
                "joint" => self.coupling(&element, name)?,
                tag => {
                    return Err(element.wrong(
                        format!("Steiner does not know the constraint <{tag}>"),
                        "express it by connect, weld or joint, or set active=\"false\"",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Two points stay together: a ball joint.
    fn connect(&mut self, element: &Element<'a>, name: String) -> Result<(), FormatError> {
        if let Some([first, second]) = self.sites_of(element)? {
            self.close(element, name, LoopKind::Spherical, first, second);
            return Ok(());
        }
        let (first, second) = self.bodies_of(element)?;
        element.required("anchor")?;
        let anchor = Frame::translation(numbers(element, "anchor")?);
        let predecessor = Site { body: first, frame: anchor.clone() };
        let frame = self.reference_pose(second, first).then(&anchor);
        self.close(element, name, LoopKind::Spherical, predecessor, Site { body: second, frame });
        Ok(())
    }

    /// Two bodies keep their relative pose.
    fn weld(&mut self, element: &Element<'a>, name: String) -> Result<(), FormatError> {
        if let Some([first, second]) = self.sites_of(element)? {
            self.close(element, name, LoopKind::Fixed, first, second);
            return Ok(());
        }
        let (first, second) = self.bodies_of(element)?;
        let relative = match element.attribute("relpose") {
            Some(_) => {
                let [x, y, z, quaternion @ ..]: [Exact; 7] = numbers(element, "relpose")?;
                // MuJoCo reads a zero quaternion as "as it stands".
                let given = quaternion.iter().any(|x| !x.is_zero());
                given.then(|| {
                    Frame::new([x, y, z], self.snapper.orientation(Orientation::Quaternion(quaternion)))
                })
            }
            None => None,
        };
        let (predecessor, successor) = match relative {
            // The weld point, `anchor` in the second body, then lies at the given pose in the first.
            Some(frame) => {
                let anchor = match element.attribute("anchor") {
                    Some(_) => numbers(element, "anchor")?,
                    None => no_displacement(),
                };
                (frame, Frame::translation(anchor))
            }
            None => (self.reference_pose(first, second), Frame::identity()),
        };
        let predecessor = Site { body: first, frame: predecessor };
        self.close(element, name, LoopKind::Fixed, predecessor, Site { body: second, frame: successor });
        Ok(())
    }

    fn close(&mut self, element: &Element<'a>, name: String, kind: LoopKind, first: Site, second: Site) {
        let side = |site: Site| LoopSide {
            link: site.body.map(|body| self.bodies[body].name.clone()),
            frame: site.frame,
        };
        let (predecessor, successor) = (side(first), side(second));
        let axis = [Exact::zero(), Exact::zero(), Exact::one()];
        let place = element.place();
        self.description.loops.push(LoopDescription { name, kind, predecessor, successor, axis, place });
    }

    /// q1 − ref1 = c0 + c1 (q2 − ref2).
    fn coupling(&mut self, element: &Element<'a>, name: String) -> Result<(), FormatError> {
        let mut coefficients = element.exacts("polycoef")?.unwrap_or_default();
        if coefficients.len() > 5 {
            return Err(element.wrong("polycoef has more than five numbers", "give at most five"));
        }
        let defaults = [Exact::zero(), Exact::one(), Exact::zero(), Exact::zero(), Exact::zero()];
        coefficients.extend(defaults.into_iter().skip(coefficients.len()));
        let first = self.scalar_joint(element, "joint1")?;
        let mut offset = first.reference.clone() + coefficients[0].clone();
        let mut terms = Vec::new();
        if element.attribute("joint2").is_some() {
            if coefficients[2..].iter().any(|x| !x.is_zero()) {
                return Err(element.wrong(
                    "polycoef is a nonlinear polynomial",
                    "keep the constant and linear terms, which are all Steiner couples by",
                ));
            }
            let second = self.scalar_joint(element, "joint2")?;
            let factor = coefficients[1].clone();
            offset = offset - factor.clone() * second.reference.clone();
            if !factor.is_zero() {
                terms.push((second.coordinate.clone(), factor));
            }
        }
        let coordinate = first.coordinate.clone();
        let place = element.place();
        self.description.couplings.push(CouplingDescription {
            name,
            coordinate,
            terms,
            offset,
            is_mimic: false,
            place,
        });
        Ok(())
    }

    fn scalar_joint(&self, element: &Element<'a>, key: &str) -> Result<&NamedJoint, FormatError> {
        let name = element.required(key)?;
        let joint = self.joints.get(name).ok_or_else(|| RobotError::UnknownJoint {
            place: element.place(),
            element: element.describe(),
            name: name.to_owned(),
            hint: did_you_mean(name, self.joints.keys().copied()),
        })?;
        if joint.scalar {
            Ok(joint)
        } else {
            Err(element
                .wrong(format!("{key}=\"{name}\" is a ball or free joint"), "couple hinges and slides only"))
        }
    }

    fn bodies_of(&self, element: &Element<'a>) -> Result<(Option<usize>, Option<usize>), FormatError> {
        let first = self.body_index(element, element.required("body1")?)?;
        let second = match element.attribute("body2") {
            Some(name) => self.body_index(element, name)?,
            None => None,
        };
        Ok((first, second))
    }

    fn body_index(&self, element: &Element<'a>, name: &str) -> Result<Option<usize>, FormatError> {
        if name == "world" {
            return Ok(None);
        }
        let found = self.bodies.iter().position(|body| body.name == name);
        let found = found.ok_or_else(|| RobotError::UnknownLink {
            place: element.place(),
            element: element.describe(),
            name: name.to_owned(),
            hint: did_you_mean(name, self.bodies.iter().map(|body| body.name.as_str())),
        })?;
        Ok(Some(found))
    }

    fn sites_of(&self, element: &Element<'a>) -> Result<Option<[Site; 2]>, FormatError> {
        let site = |key: &str| -> Result<Site, FormatError> {
            let name = element.required(key)?;
            self.sites.get(name).cloned().ok_or_else(|| {
                let hint = did_you_mean(name, self.sites.keys().copied());
                element.wrong(
                    format!("{key}: there is no site `{name}` with a place of its own{hint}"),
                    "define it with `pos`, or name the bodies",
                )
            })
        };
        if element.attribute("site1").is_none() && element.attribute("site2").is_none() {
            return Ok(None);
        }
        Ok(Some([site("site1")?, site("site2")?]))
    }
}
