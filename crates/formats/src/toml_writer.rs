//! Writing a description as a native mechanism file, so that reading it back gives the same robot.
//!
//! Geometry is written as the expressions it is kept in. A chain of displacements becomes one: its product is
//! taken exactly, with the sines and cosines of its angles as expressions.

mod frames;
mod names;
mod values;

use std::fmt::Write;

use frames::modified_dh;
use names::Names;
use steiner_robot::{
    Actuation, ConstantKind, CouplingDescription, Description, Friction, JointKind, Limits, Link, LinkTree,
    LoopDescription, LoopKind, LoopSide, PseudoInertia, RobotError, TreeJoint, check_names,
};
use values::{capsule, inline, key, list, number, numbers, quoted};

use crate::decimal::{shortest, unprintable};
use crate::error::FormatError;
use crate::toml::WORLD;

pub(crate) use values::{friction_entry, inertia_entry};

/// The native mechanism file (TOML) of a description from any format.
///
/// Bodies are written in the robot's order, and joints keep their names, so that logs and mappings of the one
/// file fit the other; a link called `base` is renamed, since that is the fixed world. URDF `<mimic>` becomes a
/// plain coupling. A chain of displacements whose exact product is too long for a reader is rounded to 30 digits.
///
/// # What this does not do
/// Several MJCF joints in one body have no native form and are an error.
pub fn write_toml(description: &Description) -> Result<String, FormatError> {
    check_names(description)?;
    let tree = LinkTree::new(description)?;
    let order = tree.visit(description)?;
    let mut writer = Writer { description, names: Names::new(description), out: String::new() };
    writer.head();
    for link in order {
        writer.body(&description.links[link], &description.joints[tree.joint_above[link]])?;
    }
    for closure in &description.loops {
        writer.closure(closure);
    }
    for coupling in &description.couplings {
        writer.coupling(coupling);
    }
    writer.guess();
    Ok(writer.out)
}

struct Writer<'d> {
    description: &'d Description,
    names: Names<'d>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, key: &str, value: impl AsRef<str>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{key} = {}", value.as_ref());
    }

    fn title(&mut self, title: &str) {
        let _ = writeln!(self.out, "\n{title}");
    }

    fn head(&mut self) {
        let d = self.description;
        if !d.name.trim().is_empty() {
            self.line("name", quoted(&d.name));
        }
        if let Some(gravity) = &d.gravity {
            self.line("gravity", numbers(gravity));
        }
        if let Some(independent) = &d.independent {
            let named = independent.iter().map(|mention| quoted(&self.names.coordinate(&mention.name)));
            self.line("independent", list(named));
        }
        let dependent: Vec<String> = d
            .dependent
            .iter()
            .filter(|mention| !self.is_fixed(&mention.name))
            .map(|mention| quoted(&self.names.coordinate(&mention.name)))
            .collect();
        if !dependent.is_empty() {
            self.line("dependent", list(dependent));
        }
        if d.planar {
            self.line("planar", "true");
        }
        if d.links.iter().any(|link| link.name == WORLD) {
            let _ = writeln!(self.out, "# The link `{WORLD}` is called `{}` here.", self.names.base);
        }
        for (title, kind) in [("[lengths]", ConstantKind::Length), ("[angles]", ConstantKind::Angle)] {
            let constants: Vec<_> = d.constants.iter().filter(|constant| constant.kind == kind).collect();
            if !constants.is_empty() {
                self.title(title);
            }
            for constant in constants {
                self.line(&key(&constant.name), number(&constant.value));
            }
        }
    }

    /// A fixed joint has no coordinate that could be dependent.
    fn is_fixed(&self, name: &str) -> bool {
        !self.names.moved_by.contains_key(name)
            && self
                .description
                .joints
                .iter()
                .any(|joint| joint.joint.name == name && joint.joint.kind == JointKind::Fixed)
    }

    fn body(&mut self, link: &Link, tree_joint: &TreeJoint) -> Result<(), FormatError> {
        let joint = &tree_joint.joint;
        if matches!(joint.kind, JointKind::Compound(_)) {
            return Err(RobotError::Element {
                place: tree_joint.place.clone(),
                element: format!("joint `{}`", joint.name),
                problem: "several joints of one MJCF body have no form in a native file".to_owned(),
                remedy: "keep the MJCF file, or give each joint a body of its own".to_owned(),
            }
            .into());
        }
        self.title("[[body]]");
        self.line("name", quoted(self.names.link(&link.name)));
        let parent = tree_joint.parent.as_deref().map_or(WORLD, |parent| self.names.link(parent));
        let parent = quoted(parent);
        self.line("parent", parent);
        self.line("joint", quoted(joint.kind.name()));
        if let Some(name) = self.names.own_name(tree_joint) {
            let name = quoted(name);
            self.line("joint_name", name);
        }
        match modified_dh(&joint.placement) {
            Some(entries) => self.line("mdh", inline(entries)),
            None => {
                for (key, value) in self.frame_entries(&joint.placement) {
                    self.line(key, value);
                }
            }
        }
        if joint.kind.has_axis() {
            self.line("axis", numbers(&joint.axis));
        }
        match &joint.kind {
            JointKind::Universal { axis2 } => self.line("axis2", numbers(axis2)),
            JointKind::Helical { pitch } => self.line("pitch", number(pitch)),
            _ => {}
        }
        let frame = self.frame_entries(&joint.body_frame);
        if !frame.is_empty() {
            self.line("frame", inline(frame));
        }
        if let Some(inertia) = &link.inertia {
            self.inertia(link, inertia)?;
        }
        self.limits(&joint.limits);
        if joint.rotor_inertia != 0.0 {
            self.line("rotor_inertia", shortest(joint.rotor_inertia));
        }
        if joint.friction != Friction::default() {
            self.line("friction", friction_entry(&joint.friction));
        }
        if joint.actuation != Actuation::Motor {
            self.line("passive", "true");
        }
        if !link.capsules.is_empty() {
            self.line("capsules", list(link.capsules.iter().map(capsule)));
        }
        Ok(())
    }

    fn inertia(&mut self, link: &Link, inertia: &PseudoInertia) -> Result<(), FormatError> {
        if let Some(reason) = unprintable(inertia) {
            let (place, element) = (link.place.clone(), format!("body `{}`", link.name));
            return Err(RobotError::Inertia { place, element, reason }.into());
        }
        self.line("inertia", inertia_entry(inertia));
        Ok(())
    }

    fn limits(&mut self, limits: &Limits) {
        let mut entries = vec![
            ("lower", limits.lower),
            ("upper", limits.upper),
            ("velocity", limits.velocity),
            ("acceleration", limits.acceleration),
            ("jerk", limits.jerk),
            ("effort", limits.effort),
        ];
        if let (Some(lower), Some(upper)) = (limits.lower, limits.upper)
            && lower > upper
        {
            let _ = writeln!(self.out, "# Left out: limits with lower {lower} above upper {upper}.");
            entries.drain(..2);
        }
        let known: Vec<_> = entries
            .into_iter()
            .filter_map(|(key, limit)| limit.filter(|x| x.is_finite()).map(|x| (key, shortest(x))))
            .collect();
        if !known.is_empty() {
            self.line("limits", inline(known));
        }
    }

    fn closure(&mut self, closure: &LoopDescription) {
        self.title("[[loop]]");
        self.line("name", quoted(&closure.name));
        self.line("joint", quoted(closure.kind.name()));
        for (key, side) in [("predecessor", &closure.predecessor), ("successor", &closure.successor)] {
            let entries = self.side_entries(side);
            self.line(key, inline(entries));
        }
        self.line("axis", numbers(&closure.axis));
        if let LoopKind::Universal { axis2 } = &closure.kind {
            self.line("axis2", numbers(axis2));
        }
    }

    fn side_entries(&self, side: &LoopSide) -> Vec<(&'static str, String)> {
        let body = side.link.as_deref().map_or(WORLD, |link| self.names.link(link));
        let mut entries = vec![("body", quoted(body))];
        entries.extend(self.frame_entries(&side.frame));
        entries
    }

    fn coupling(&mut self, coupling: &CouplingDescription) {
        // Of <mimic>, what is fixed mimics nothing and adds nothing.
        let counts = |name: &str| !(coupling.is_mimic && self.is_fixed(name));
        if !counts(&coupling.coordinate) {
            return;
        }
        let terms =
            coupling.terms.iter().filter(|(name, _)| counts(name)).map(|(name, factor)| {
                format!("[{}, {}]", quoted(&self.names.coordinate(name)), number(factor))
            });
        let (coordinate, terms) = (self.names.coordinate(&coupling.coordinate), list(terms));
        self.title("[[coupling]]");
        if coupling.name != coordinate && !coupling.name.trim().is_empty() {
            self.line("name", quoted(&coupling.name));
        }
        self.line("coordinate", quoted(&coordinate));
        self.line("terms", terms);
        if !coupling.offset.is_zero() {
            self.line("offset", number(&coupling.offset));
        }
    }

    fn guess(&mut self) {
        let guess = &self.description.guess;
        if guess.is_empty() {
            return;
        }
        self.title("[guess]");
        let named: Vec<_> = guess
            .iter()
            .map(|entry| (key(&self.names.coordinate(&entry.coordinate)), &entry.values))
            .collect();
        for (at, (name, values)) in named.iter().enumerate() {
            // Of two guesses for one coordinate the later holds.
            if named[at + 1..].iter().any(|(later, _)| later == name) {
                continue;
            }
            match values.as_slice() {
                [one] => self.line(name, number(one)),
                several => self.line(name, list(several.iter().map(number))),
            }
        }
    }
}
