//! Writing into a URDF: the numbers that change are exchanged, and everything else comes back byte for byte.
//!
//! The original text is never printed anew. Each change is an edit of a byte range, so that comments, blanks,
//! the order and quotes of attributes, meshes and line ends survive.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use steiner_files::{Place, did_you_mean};
use steiner_robot::{Description, PseudoInertia, RobotError, from_matrix, to_matrix};

use crate::decimal::{fewest_digits, printable, printable_centre, shortest, tensor_slack, unprintable};
use crate::error::FormatError;
use crate::urdf::{Inertial, TENSOR_KEYS};
use crate::xml::{Element, tag_end};

/// The order in which URDFs print the entries of a tensor.
const WRITTEN_ORDER: [&str; 6] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];

/// What to change in a URDF.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UrdfPatch {
    /// New inertia of a link, about the origin of the link frame and in its axes, by the link's name.
    pub inertials: BTreeMap<String, PseudoInertia>,
    /// New friction of a joint, by the joint's name.
    pub friction: BTreeMap<String, JointFriction>,
}

/// What `<dynamics damping friction>` can say about a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointFriction {
    /// `damping`: N·m·s/rad or N·s/m.
    pub viscous: f64,
    /// `friction`: N·m or N.
    pub coulomb: f64,
}

impl UrdfPatch {
    /// What is new in a description of the same robot.
    pub fn between(old: &Description, new: &Description) -> Self {
        let inertials = new.links.iter().filter_map(|link| {
            let before = old.links.iter().find(|other| other.name == link.name)?;
            Some((link.name.clone(), link.inertia.filter(|_| link.inertia != before.inertia)?))
        });
        let friction = new.joints.iter().filter_map(|joint| {
            let before = old.joints.iter().find(|other| other.joint.name == joint.joint.name)?;
            let said = |joint: &steiner_robot::Joint| JointFriction {
                viscous: joint.friction.viscous,
                coulomb: joint.friction.coulomb,
            };
            let now = said(&joint.joint);
            (now != said(&before.joint)).then(|| (joint.joint.name.clone(), now))
        });
        UrdfPatch { inertials: inertials.collect(), friction: friction.collect() }
    }
}

/// The text of a URDF with the patch applied; `file` is what messages call it.
///
/// A number that the file already has keeps its digits. The rotation of an existing inertial frame stays, and
/// the tensor is written in its axes. A missing `<inertial>`, `<dynamics>`, element or attribute is added
/// with the file's indentation, unless its default says the same.
pub fn patch_urdf(text: &str, file: &str, patch: &UrdfPatch) -> Result<String, FormatError> {
    let place = Place::file(file);
    let document = crate::xml::parse(text, &place)?;
    let root = Element::new(document.root_element(), &document, &place);
    if root.tag() != "robot" {
        return Err(root.wrong(format!("the root element is <{}>", root.tag()), "a URDF starts with <robot>"));
    }
    if let Some(macros) = root.children().find(is_xacro) {
        return Err(macros.wrong(
            "this is xacro, whose links come into being when it is expanded",
            "expand it and patch the URDF that comes out",
        ));
    }
    let mut editor = Editor { text, edits: Vec::new(), layout: Layout::of(text, &root) };
    let links = by_name(&root, "link");
    for (name, inertia) in &patch.inertials {
        let Some(link) = links.get(name.as_str()) else {
            return Err(RobotError::UnknownLink {
                place,
                element: "new inertia".to_owned(),
                name: name.clone(),
                hint: did_you_mean(name, links.keys().copied()),
            }
            .into());
        };
        if let Some(reason) = unprintable(inertia) {
            return Err(link.inertia(reason));
        }
        editor.inertia(link, inertia)?;
    }
    let joints = by_name(&root, "joint");
    for (name, friction) in &patch.friction {
        let Some(joint) = joints.get(name.as_str()) else {
            return Err(RobotError::UnknownJoint {
                place,
                element: "new friction".to_owned(),
                name: name.clone(),
                hint: did_you_mean(name, joints.keys().copied()),
            }
            .into());
        };
        if !friction.viscous.is_finite() || !friction.coulomb.is_finite() {
            return Err(joint.wrong("its new friction is not finite", "give finite numbers"));
        }
        editor.friction(joint, friction)?;
    }
    Ok(editor.apply())
}

fn is_xacro(element: &Element<'_>) -> bool {
    element.node.descendants().any(|node| {
        node.is_element() && node.tag_name().namespace().is_some_and(|space| space.contains("xacro"))
    })
}

/// The elements of a kind; of two with one name, the first.
fn by_name<'a>(root: &Element<'a>, tag: &str) -> HashMap<&'a str, Element<'a>> {
    let mut found = HashMap::new();
    for element in root.children().filter(|element| element.tag() == tag) {
        if let Some(name) = element.attribute("name") {
            found.entry(name).or_insert(element);
        }
    }
    found
}

/// How the file breaks and indents lines.
struct Layout {
    line_end: &'static str,
    unit: String,
}

impl Layout {
    fn of(text: &str, root: &Element<'_>) -> Self {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let unit =
            root.children().find_map(|child| indentation(text, &child)).filter(|unit| !unit.is_empty());
        Layout { line_end, unit: unit.unwrap_or("  ").to_owned() }
    }
}

/// The blanks before an element that starts its line; `None` when something else stands before it.
fn indentation<'t>(text: &'t str, element: &Element<'_>) -> Option<&'t str> {
    let before = &text[..element.node.range().start];
    let line = &before[before.rfind('\n')? + 1..];
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t')).then_some(line)
}

/// An element to be added, with elements inside.
struct NewElement {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<NewElement>,
}

impl NewElement {
    /// Its lines with their depths.
    fn lines(&self, depth: usize, out: &mut Vec<(usize, String)>) {
        let mut open = format!("<{}", self.tag);
        for (key, value) in &self.attributes {
            open += &format!(" {key}=\"{value}\"");
        }
        if self.children.is_empty() {
            out.push((depth, open + "/>"));
            return;
        }
        out.push((depth, open + ">"));
        for child in &self.children {
            child.lines(depth + 1, out);
        }
        out.push((depth, format!("</{}>", self.tag)));
    }
}

enum Among {
    First,
    Last,
}

struct Editor<'t> {
    text: &'t str,
    edits: Vec<(Range<usize>, String)>,
    layout: Layout,
}

impl<'t> Editor<'t> {
    fn apply(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(self.text.len() + 1024);
        let mut at = 0;
        for (range, new) in &self.edits {
            out += &self.text[at..range.start];
            out += new;
            at = range.end;
        }
        out + &self.text[at..]
    }

    fn inertia(&mut self, link: &Element<'_>, new: &PseudoInertia) -> Result<(), FormatError> {
        let Some(inertial) = link.child("inertial") else {
            self.add(link, Among::First, &new_inertial(new));
            return Ok(());
        };
        let old = Inertial::read(&inertial)?;
        if old.inertia_in_link() == *new {
            return Ok(());
        }
        if new.mass != old.mass {
            self.set(&inertial.required_child("mass")?, "value", shortest(new.mass));
        }
        // The file's centre stays wherever it yields the new first moment to the last bit.
        let mut com = old.pose.translation.0;
        let mut com_changes = [false; 3];
        for k in 0..3 {
            if new.mass * com[k] != new.first[k] {
                com[k] = printable_centre(new.mass, new.first[k]);
                com_changes[k] = true;
            }
        }
        if com_changes.contains(&true) {
            self.centre(&inertial, com, com_changes);
        }
        let rotation = old.pose.rotation;
        let turned = rotation.transpose() * to_matrix(new.tensor_about(com)) * rotation;
        let slack = tensor_slack(new);
        let mut changes = Vec::new();
        for ((key, new), old) in TENSOR_KEYS.into_iter().zip(from_matrix(&turned)).zip(old.tensor) {
            if (new - old).abs() > slack {
                changes.push((key, shortest(fewest_digits(new, slack))));
            }
        }
        match inertial.child("inertia") {
            Some(element) => {
                for (key, value) in changes {
                    self.set(&element, key, value);
                }
            }
            None if changes.is_empty() => {}
            None => {
                let value = |key| {
                    changes
                        .iter()
                        .find(|(known, _)| *known == key)
                        .map_or("0".into(), |(_, value)| value.clone())
                };
                let attributes = WRITTEN_ORDER.into_iter().map(|key| (key, value(key))).collect();
                self.add(
                    &inertial,
                    Among::Last,
                    &NewElement { tag: "inertia", attributes, children: vec![] },
                );
            }
        }
        Ok(())
    }

    fn centre(&mut self, inertial: &Element<'_>, com: [f64; 3], changes: [bool; 3]) {
        let whole = com.map(shortest).join(" ");
        let Some(origin) = inertial.child("origin") else {
            let attributes = vec![("xyz", whole), ("rpy", "0 0 0".to_owned())];
            self.add(inertial, Among::First, &NewElement { tag: "origin", attributes, children: vec![] });
            return;
        };
        let Some((range, raw)) = self.value(&origin, "xyz") else {
            self.set(&origin, "xyz", whole);
            return;
        };
        let words: Vec<&str> = raw.split_whitespace().collect();
        // Written with character references, the words are not where they seem.
        if words.len() != 3 || raw.contains('&') {
            self.edits.push((range, whole));
            return;
        }
        let mut at = 0;
        for ((word, x), changes) in words.into_iter().zip(com).zip(changes) {
            let start = at + raw[at..].find(word).unwrap_or(0);
            at = start + word.len();
            if changes {
                self.edits.push((range.start + start..range.start + at, shortest(x)));
            }
        }
    }

    fn friction(&mut self, joint: &Element<'_>, new: &JointFriction) -> Result<(), FormatError> {
        let entries = [("damping", new.viscous), ("friction", new.coulomb)];
        let Some(dynamics) = joint.child("dynamics") else {
            if *new != JointFriction::default() {
                let attributes = entries.map(|(key, value)| (key, shortest(value))).to_vec();
                self.add(joint, Among::Last, &NewElement { tag: "dynamics", attributes, children: vec![] });
            }
            return Ok(());
        };
        for (key, value) in entries {
            if dynamics.double(key)?.unwrap_or(0.0) != value {
                self.set(&dynamics, key, shortest(value));
            }
        }
        Ok(())
    }

    /// The bytes of an attribute's value, as written between the quotes.
    fn value(&self, element: &Element<'_>, key: &str) -> Option<(Range<usize>, &'t str)> {
        let whole = element.node.attribute_node(key)?.range();
        let end = whole.end - 1;
        let quote = self.text.as_bytes()[end] as char;
        let start = whole.start + self.text[whole.start..end].find(quote)? + 1;
        Some((start..end, &self.text[start..end]))
    }

    /// Exchanges or adds an attribute whose value is a number.
    fn set(&mut self, element: &Element<'_>, key: &str, value: String) {
        if let Some((range, _)) = self.value(element, key) {
            self.edits.push((range, value));
            return;
        }
        let end = self.inside_start_tag(element);
        self.edits.push((end..end, format!(" {key}=\"{value}\"")));
    }

    /// One past the `>` of the start tag.
    fn start_tag_end(&self, element: &Element<'_>) -> usize {
        let range = element.node.range();
        tag_end(self.text, range.start).unwrap_or(range.end)
    }

    /// Just after the last attribute of the start tag (or after its name).
    fn inside_start_tag(&self, element: &Element<'_>) -> usize {
        let (start, end) = (element.node.range().start, self.start_tag_end(element));
        let tag = self.text[start..end].trim_end_matches('>').trim_end_matches('/').trim_end();
        start + tag.len()
    }

    fn add(&mut self, parent: &Element<'_>, among: Among, new: &NewElement) {
        let Layout { line_end, unit } = &self.layout;
        let text = self.text;
        let own = indentation(text, parent);
        let tag_end = self.start_tag_end(parent);
        let closes_itself = text[..tag_end].ends_with("/>");
        let neighbour = match among {
            Among::First => parent.children().next(),
            Among::Last => parent.children().last(),
        };
        // The indentation of the new lines; `None` puts them where there are no lines.
        let indent = match &neighbour {
            Some(child) => indentation(text, child).map(str::to_owned),
            None => own.map(|own| format!("{own}{unit}")),
        };
        let mut lines = Vec::new();
        new.lines(0, &mut lines);
        let mut block = String::new();
        for (depth, line) in lines {
            if let Some(indent) = &indent {
                block += line_end;
                block += indent;
                block += &unit.repeat(depth);
            }
            block += &line;
        }
        let closing_line = || own.filter(|_| indent.is_some()).map(|own| format!("{line_end}{own}"));
        if closes_itself {
            let start = parent.node.range().start + 1;
            let name_length = text[start..tag_end].find(|c: char| c.is_whitespace() || c == '/').unwrap_or(0);
            let name = &text[start..start + name_length];
            let closing = closing_line().unwrap_or_default();
            let from = self.inside_start_tag(parent);
            self.edits.push((from..tag_end, format!(">{block}{closing}</{name}>")));
            return;
        }
        let position = match (among, &neighbour) {
            (Among::Last, Some(child)) => child.node.range().end,
            _ => tag_end,
        };
        // An empty element on one line gets its end tag on a line of its own.
        let content_end = text[tag_end..].find('<').map_or(tag_end, |length| tag_end + length);
        if neighbour.is_none() && !text[tag_end..content_end].contains('\n') {
            block += &closing_line().unwrap_or_default();
        }
        self.edits.push((position..position, block));
    }
}

fn new_inertial(inertia: &PseudoInertia) -> NewElement {
    let printed = printable(inertia);
    let element = |tag, attributes| NewElement { tag, attributes, children: vec![] };
    let entry = |key| TENSOR_KEYS.into_iter().zip(printed.tensor).find(|(known, _)| *known == key);
    let tensor = WRITTEN_ORDER.into_iter().filter_map(entry).map(|(key, x)| (key, shortest(x))).collect();
    let origin = vec![("xyz", printed.com.map(shortest).join(" ")), ("rpy", "0 0 0".to_owned())];
    NewElement {
        tag: "inertial",
        attributes: vec![],
        children: vec![
            element("origin", origin),
            element("mass", vec![("value", shortest(printed.mass))]),
            element("inertia", tensor),
        ],
    }
}
