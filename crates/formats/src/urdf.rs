//! URDF and URDF+ (loops and couplings, \[chignoli2024\]).

use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node};
use steiner_scalar::Exact;

use crate::error::FormatError;
use crate::read::ReadOptions;
use crate::snap::Snapper;
use crate::xml::Element;
use steiner_files::{Place, did_you_mean};
use steiner_robot::RobotError;
use steiner_robot::{CentredInertia, Inconsistency, PseudoInertia, Tensor};
use steiner_robot::{
    CouplingDescription, Description, Link, LoopDescription, LoopKind, LoopSide, Mention, SiblingOrder,
    TreeJoint,
};
use steiner_robot::{Frame, Pose, no_displacement};
use steiner_robot::{Friction, Joint, JointKind, Limits};

/// A gear spans a few joints, not a thousand.
const LONGEST_COUPLING: usize = 1000;

/// The attributes of `<inertia>`, in the order of [`Tensor`].
pub(crate) const TENSOR_KEYS: [&str; 6] = ["ixx", "ixy", "iyy", "ixz", "iyz", "izz"];

const JOINT_KINDS: &str = "revolute, continuous, prismatic, planar, floating, fixed, spherical";
const LOOP_KINDS: &str = "revolute, continuous, prismatic, planar, fixed, spherical, universal, cylindrical";

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
    notes: Vec<String>,
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
        let hint = did_you_mean(element.tag(), known.iter().copied());
        if !hint.is_empty() {
            self.notes.push(format!("{}: {} is not read{hint}", element.place(), element.describe()));
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

    fn joint(
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
                    self.notes.push(format!(
                        "{}: {}: lower exceeds upper; the range is not used",
                        limit.place(),
                        limit.describe()
                    ));
                    (limits.lower, limits.upper) = (None, None);
                }
            }
        }
        let mut friction = Friction::default();
        if let Some(dynamics) = element.child("dynamics") {
            friction.viscous = dynamics.double("damping")?.unwrap_or(0.0);
            friction.coulomb = dynamics.double("friction")?.unwrap_or(0.0);
        }
        let mimic = match element.child("mimic") {
            Some(mimic) => Some(CouplingDescription {
                name: name.clone(),
                coordinate: name.clone(),
                terms: vec![(
                    mimic.required("joint")?.to_owned(),
                    mimic.exact("multiplier")?.unwrap_or_else(Exact::one),
                )],
                offset: mimic.exact("offset")?.unwrap_or_else(Exact::zero),
                is_mimic: true,
                place: mimic.place(),
            }),
            None => None,
        };
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
            friction,
        };
        Ok((TreeJoint { joint, parent: Some(parent), child, place: element.place() }, mimic, independent))
    }

    fn closure(&mut self, element: &Element<'a>) -> Result<LoopDescription, FormatError> {
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

/// ratio · Σ q(common ancestor → predecessor) = Σ q(common ancestor → successor), solved for one joint.
fn coupling(
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
    // Solve for a joint declared dependent, the successor's before the predecessor's, or else for the successor's own.
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

/// The joint that carries each link.
struct JointAbove<'d>(HashMap<&'d str, &'d TreeJoint>);

impl<'d> JointAbove<'d> {
    fn new(description: &'d Description) -> Self {
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

/// The link without a parent stands on the ground.
fn root_joint(description: &mut Description) -> Result<(), FormatError> {
    let links: HashSet<&str> = description.links.iter().map(|link| link.name.as_str()).collect();
    let joins_unknown = |joint: &TreeJoint| {
        let parent = joint.parent.as_deref();
        !links.contains(joint.child.as_str()) || parent.is_some_and(|parent| !links.contains(parent))
    };
    if description.joints.iter().any(joins_unknown) {
        // The root cannot be told; assembling names the unknown link.
        return Ok(());
    }
    let children: HashSet<&str> = description.joints.iter().map(|joint| joint.child.as_str()).collect();
    let mut roots = description.links.iter().filter(|link| !children.contains(link.name.as_str()));
    let root = roots.next().cloned();
    let second = roots.next();
    let Some(root) = root else {
        return match description.links.first() {
            Some(link) => {
                Err(RobotError::Cycle { place: link.place.clone(), link: link.name.clone() }.into())
            }
            None => Err(RobotError::Element {
                place: description.place.clone(),
                element: "<robot>".to_owned(),
                problem: "it has no links".to_owned(),
                remedy: "add <link> and <joint> elements".to_owned(),
            }
            .into()),
        };
    };
    if children.len() < description.joints.len() {
        // Some link is the child of two joints; assembling names it, and it explains a second root.
        return Ok(());
    }
    if let Some(second) = second {
        return Err(FormatError::TwoRoots {
            place: second.place.clone(),
            first: root.name.clone(),
            second: second.name.clone(),
        });
    }
    // A file may have a joint of this name itself.
    let taken: HashSet<&str> = description.joints.iter().map(|joint| joint.joint.name.as_str()).collect();
    let mut name = "root_joint".to_owned();
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    let joint = Joint {
        name,
        kind: JointKind::Fixed,
        placement: Frame::identity(),
        axis: x_axis(),
        body_frame: Frame::identity(),
        limits: Limits::default(),
        rotor_inertia: 0.0,
        friction: Friction::default(),
    };
    description.joints.push(TreeJoint {
        joint,
        parent: None,
        child: root.name.clone(),
        place: root.place.clone(),
    });
    Ok(())
}

fn x_axis() -> [Exact; 3] {
    [Exact::one(), Exact::zero(), Exact::zero()]
}

fn axis_of(element: &Element<'_>) -> Result<[Exact; 3], FormatError> {
    match element.child("axis") {
        Some(axis) => Ok(axis.vector("xyz")?.unwrap_or_else(x_axis)),
        None => Ok(x_axis()),
    }
}

pub(crate) fn origin_frame(origin: &Element<'_>, snapper: &mut Snapper) -> Result<Frame, FormatError> {
    let xyz = origin.vector("xyz")?.unwrap_or_else(no_displacement);
    let rpy = origin.vector("rpy")?.unwrap_or_else(no_displacement);
    Ok(Frame::new(xyz, snapper.roll_pitch_yaw(rpy)))
}
