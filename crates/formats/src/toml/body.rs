//! `[[body]]`: a link and the joint that carries it.

use steiner_robot::{
    Actuation, Capsule, CentredInertia, Frame, Inconsistency, Joint, JointKind, Limits, Link, PseudoInertia,
    RobotError, TreeJoint,
};
use steiner_scalar::Exact;
use toml_edit::Item;

use super::{JOINT_KINDS, Reader, Section, WORLD};
use crate::error::FormatError;

impl Reader<'_> {
    pub(super) fn body(
        &mut self,
        section: &Section<'_>,
        number: usize,
    ) -> Result<(Link, TreeJoint), FormatError> {
        let table = section.table;
        let line = section.line;
        let unnamed = format!("body {number}");
        let missing =
            |this: &Self, key: &str| this.wrong(line, &unnamed, format!("`{key}` is missing"), "add it");
        let name_item = table.get("name").ok_or_else(|| missing(self, "name"))?;
        let name = self.string(name_item, &unnamed, line)?;
        let element = format!("body `{name}`");
        let section = Section { table, element: element.clone(), line };
        self.known_keys(
            &section,
            &[
                "name",
                "parent",
                "joint",
                "joint_name",
                "xyz",
                "rpy",
                "rotation",
                "dh",
                "mdh",
                "axis",
                "axis2",
                "pitch",
                "frame",
                "inertia",
                "limits",
                "rotor_inertia",
                "friction",
                "passive",
                "capsules",
            ],
        )?;
        if name == WORLD {
            return Err(self.wrong(line, &element, "`base` is the fixed world", "choose another name"));
        }
        let missing =
            |this: &Self, key: &str| this.wrong(line, &element, format!("`{key}` is missing"), "add it");
        let parent_item = table.get("parent").ok_or_else(|| missing(self, "parent"))?;
        let parent = self.string(parent_item, &format!("{element}, parent"), line)?;
        let kind = self.joint_kind(&section)?;
        let (placement, standard_frame) = self.placement(&section)?;
        let body_frame = match table.get("frame") {
            Some(item) => {
                let inner = self.section(item, &format!("{element}, frame"), line)?;
                self.known_keys(&inner, &["xyz", "rpy", "rotation"])?;
                standard_frame.then(&self.frame(&inner)?)
            }
            None => standard_frame,
        };
        let axis = match table.get("axis") {
            Some(item) => self.vector(item, &format!("{element}, axis"), line)?,
            None => [Exact::zero(), Exact::zero(), Exact::one()],
        };
        let inertia = match table.get("inertia") {
            Some(item) => Some(self.inertia(item, &element, line)?),
            None => None,
        };
        let rotor_inertia = match table.get("rotor_inertia") {
            Some(item) => self.double(item, &format!("{element}, rotor_inertia"), line)?,
            None => 0.0,
        };
        let joint_name = match table.get("joint_name") {
            Some(item) => self.string(item, &format!("{element}, joint_name"), line)?,
            None => name.clone(),
        };
        let joint = Joint {
            name: joint_name,
            kind,
            placement,
            axis,
            body_frame,
            limits: self.limits(&section)?,
            rotor_inertia,
            actuation: self.actuation(&section)?,
            friction: self.friction(&section)?,
        };
        let link =
            Link { name: name.clone(), inertia, capsules: self.capsules(&section)?, place: self.at(line) };
        let parent = (parent != WORLD).then_some(parent);
        Ok((link, TreeJoint { joint, parent, child: name, place: self.at(line) }))
    }

    pub(super) fn placement(&mut self, section: &Section<'_>) -> Result<(Frame, Frame), FormatError> {
        let Section { table, element, line } = section;
        let given: Vec<&str> = ["xyz", "rpy", "rotation", "dh", "mdh"]
            .into_iter()
            .filter(|key| table.contains_key(key))
            .collect();
        for (key, modified) in [("dh", false), ("mdh", true)] {
            let Some(item) = table.get(key) else { continue };
            if given.len() > 1 {
                let problem = format!("{key} comes together with {}", given.join(", "));
                return Err(self.wrong(
                    self.line(item, *line),
                    element,
                    problem,
                    "keep one way of placing the joint",
                ));
            }
            return self.denavit_hartenberg(item, &format!("{element}, {key}"), *line, modified);
        }
        Ok((self.frame(section)?, Frame::identity()))
    }

    pub(super) fn joint_kind(&self, section: &Section<'_>) -> Result<JointKind, FormatError> {
        let Section { table, element, line } = section;
        let item = table.get("joint").ok_or_else(|| {
            self.wrong(*line, element, "`joint` is missing", &format!("use one of {JOINT_KINDS}"))
        })?;
        let kind = self.string(item, &format!("{element}, joint"), *line)?;
        let only_for = |key: &str, wanted: &str| match table.get(key) {
            Some(item) if kind != wanted => Err(self.wrong(
                self.line(item, *line),
                element,
                format!("`{key}` belongs to a {wanted} joint"),
                "remove it",
            )),
            other => Ok(other),
        };
        let axis2 = only_for("axis2", "universal")?;
        let pitch = only_for("pitch", "helical")?;
        let need = |key: &str| self.wrong(*line, element, format!("a {kind} joint needs `{key}`"), "add it");
        Ok(match kind.as_str() {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "helical" => {
                let item = pitch.ok_or_else(|| need("pitch"))?;
                JointKind::Helical { pitch: self.number_item(item, &format!("{element}, pitch"), *line)? }
            }
            "cylindrical" => JointKind::Cylindrical,
            "universal" => {
                let item = axis2.ok_or_else(|| need("axis2"))?;
                JointKind::Universal { axis2: self.vector(item, &format!("{element}, axis2"), *line)? }
            }
            "spherical" => JointKind::Spherical,
            "planar" => JointKind::Planar,
            "floating" => JointKind::Floating,
            "fixed" => JointKind::Fixed,
            _ => {
                return Err(FormatError::UnknownJointKind {
                    place: self.at(self.line(item, *line)),
                    element: element.clone(),
                    kind,
                    known: JOINT_KINDS.to_owned(),
                });
            }
        })
    }

    pub(super) fn inertia(
        &self,
        item: &Item,
        element: &str,
        line: u32,
    ) -> Result<PseudoInertia, FormatError> {
        let element = format!("{element}, inertia");
        let section = self.section(item, &element, line)?;
        self.known_keys(&section, &["mass", "com", "tensor"])?;
        let get = |key: &str| section.table.get(key);
        let mass = match get("mass") {
            Some(item) => self.double(item, &format!("{element}.mass"), section.line)?,
            None => return Err(self.wrong(section.line, &element, "`mass` is missing", "add it, kg")),
        };
        if mass < 0.0 {
            return Err(RobotError::Inertia {
                place: self.at(section.line),
                element,
                reason: format!("the mass {mass} kg is negative"),
            }
            .into());
        }
        let com = match get("com") {
            Some(item) => self.doubles::<3>(item, &format!("{element}.com"), section.line)?,
            None => [0.0; 3],
        };
        let tensor = match get("tensor") {
            Some(item) => self.doubles::<6>(item, &format!("{element}.tensor"), section.line)?,
            None => [0.0; 6],
        };
        let inertia = PseudoInertia::from_centred(&CentredInertia { mass, com, tensor });
        if inertia.check() == Err(Inconsistency::NotFinite) {
            return Err(RobotError::Inertia {
                place: self.at(section.line),
                element,
                reason: "its moments about the body's origin overflow".to_owned(),
            }
            .into());
        }
        Ok(inertia)
    }

    pub(super) fn limits(&self, section: &Section<'_>) -> Result<Limits, FormatError> {
        let Some(item) = section.table.get("limits") else { return Ok(Limits::default()) };
        let element = format!("{}, limits", section.element);
        let inner = self.section(item, &element, section.line)?;
        self.known_keys(&inner, &["lower", "upper", "velocity", "acceleration", "jerk", "effort"])?;
        let get = |key: &str| {
            inner
                .table
                .get(key)
                .map(|item| self.double(item, &format!("{element}.{key}"), inner.line))
                .transpose()
        };
        let limits = Limits {
            lower: get("lower")?,
            upper: get("upper")?,
            velocity: get("velocity")?,
            acceleration: get("acceleration")?,
            jerk: get("jerk")?,
            effort: get("effort")?,
        };
        if let (Some(lower), Some(upper)) = (limits.lower, limits.upper)
            && lower > upper
        {
            return Err(self.wrong(
                inner.line,
                &element,
                format!("lower {lower} exceeds upper {upper}"),
                "swap them",
            ));
        }
        Ok(limits)
    }

    fn actuation(&self, section: &Section<'_>) -> Result<Actuation, FormatError> {
        let Some(item) = section.table.get("passive") else { return Ok(Actuation::default()) };
        let line = self.line(item, section.line);
        match item.as_bool() {
            Some(true) => Ok(Actuation::Passive),
            Some(false) => Ok(Actuation::Motor),
            None => {
                let element = format!("{}, passive", section.element);
                Err(self.wrong(line, &element, "neither true nor false", "write passive = true"))
            }
        }
    }

    pub(super) fn capsules(&self, section: &Section<'_>) -> Result<Vec<Capsule>, FormatError> {
        let element = format!("{}, capsules", section.element);
        let capsules = self.sections(section.table.get("capsules"), &element)?;
        let read = |inner: Section<'_>| {
            self.known_keys(&inner, &["from", "to", "radius"])?;
            let missing =
                |key: &str| self.wrong(inner.line, &element, format!("`{key}` is missing"), "add it, m");
            let get = |key: &str| inner.table.get(key).ok_or_else(|| missing(key));
            Ok(Capsule {
                from: self.doubles(get("from")?, &element, inner.line)?,
                to: self.doubles(get("to")?, &element, inner.line)?,
                radius: self.double(get("radius")?, &element, inner.line)?,
            })
        };
        capsules.into_iter().map(read).collect()
    }
}
