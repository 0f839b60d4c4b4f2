//! URDF and URDF+ (loops and couplings, \[chignoli2024\]).

mod coupling;
mod inertial;
mod joint;
mod root;

use coupling::{JointAbove, coupling};
use roxmltree::{Document, Node};

use crate::actuators;
use crate::error::FormatError;
use crate::read::ReadOptions;
use crate::snap::Snapper;
use crate::xml::Element;

pub(crate) use inertial::{Inertial, TENSOR_KEYS};
use root::root_joint;
use steiner_files::{Place, close_name};
use steiner_robot::{Actuation, Description, Frame, Link, Mention, RobotNote, SiblingOrder, no_displacement};

/// Reads a URDF or URDF+ document.
pub(crate) fn parse(text: &str, place: Place, options: &ReadOptions) -> Result<Description, FormatError> {
    let document = crate::xml::parse(text, &place)?;
    let mut reader =
        Reader { document: &document, place, snapper: Snapper::new(options.snap), notes: Vec::new() };
    let mut description = reader.robot()?;
    description.snapped = reader.snapper.snapped;
    Ok(description)
}

struct Reader<'a> {
    document: &'a Document<'a>,
    place: Place,
    snapper: Snapper,
    notes: Vec<RobotNote>,
}

impl<'a> Reader<'a> {
    fn element(&self, node: Node<'a, 'a>) -> Element<'a> {
        Element::new(node, self.document, &self.place)
    }

    fn robot(&mut self) -> Result<Description, FormatError> {
        let root = self.element(self.document.root_element());
        if root.tag() != "robot" {
            return Err(
                root.wrong(format!("the root element is <{}>", root.tag()), "a URDF starts with <robot>")
            );
        }
        let mut description = Description {
            name: root.attribute("name").unwrap_or("robot").to_owned(),
            place: self.place.clone(),
            order: SiblingOrder::DepthFirstByJointName,
            ..Description::default()
        };
        for child in root.children() {
            match child.tag() {
                "link" => description.links.push(self.link(&child)?),
                "joint" => {
                    let (joint, mimic, independent) = self.joint(&child)?;
                    if !independent {
                        description
                            .dependent
                            .push(Mention { name: joint.joint.name.clone(), place: joint.place.clone() });
                    }
                    description.couplings.extend(mimic);
                    description.joints.push(joint);
                }
                "loop" => description.loops.push(self.closure(&child)?),
                _ => {}
            }
            self.note_slips(
                &child,
                &["link", "joint", "loop", "coupling", "material", "transmission", "gazebo"],
            );
            let known: &[&str] = match child.tag() {
                "link" => &["inertial", "visual", "collision"],
                "joint" => {
                    &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration"]
                }
                "loop" => &["predecessor", "successor", "axis", "axis2", "origin"],
                "coupling" => &["predecessor", "successor", "ratio"],
                _ => continue,
            };
            child.children().for_each(|part| self.note_slips(&part, known));
        }
        actuators::mark(&mut description, &actuators::of_urdf(&root), Actuation::Unnamed);
        description.notes = std::mem::take(&mut self.notes);
        root_joint(&mut description)?;
        let above = JointAbove::new(&description);
        let mut couplings = Vec::new();
        for child in root.children().filter(|child| child.tag() == "coupling") {
            couplings.push(coupling(&child, &description, &above)?);
        }
        description.couplings.extend(couplings);
        Ok(description)
    }

    /// URDF allows any element, so a misspelt one is no error; but somebody meant something.
    fn note_slips(&mut self, element: &Element<'a>, known: &[&str]) {
        if known.contains(&element.tag()) {
            return;
        }
        if let Some(meant) = close_name(element.tag(), known.iter().copied()) {
            let (place, element) = (element.place(), element.describe());
            self.notes.push(RobotNote::NotRead { place, element, meant: meant.to_owned() });
        }
    }

    fn link(&mut self, link: &Element<'a>) -> Result<Link, FormatError> {
        let name = link.required("name")?.to_owned();
        let inertia = match link.child("inertial") {
            Some(inertial) => Some(Inertial::read(&inertial)?.inertia_in_link()),
            None => None,
        };
        Ok(Link { name, inertia, capsules: Vec::new(), place: link.place() })
    }

    fn origin(&mut self, parent: &Element<'a>) -> Result<Frame, FormatError> {
        match parent.child("origin") {
            Some(origin) => origin_frame(&origin, &mut self.snapper),
            None => Ok(Frame::identity()),
        }
    }
}

pub(crate) fn origin_frame(origin: &Element<'_>, snapper: &mut Snapper) -> Result<Frame, FormatError> {
    let xyz = origin.vector("xyz")?.unwrap_or_else(no_displacement);
    let rpy = origin.vector("rpy")?.unwrap_or_else(no_displacement);
    Ok(Frame::new(xyz, snapper.roll_pitch_yaw(rpy)))
}
