//! `<worldbody>`: bodies, depth first as MuJoCo numbers them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use steiner_files::{Place, did_you_mean};
use steiner_robot::{Description, Frame, Link, RobotNote, TreeJoint};
use steiner_scalar::Exact;

use super::compiler::Compiler;
use super::defaults::{Defaults, Styled};
use super::orientation::{frame_of, inverse};
use super::sources::Sources;
use crate::error::FormatError;
use crate::snap::Snapper;
use crate::xml::Element;

/// Longer chains than any model has; includes could otherwise nest without end.
const DEEPEST_BODY: usize = 200;

const GENERATORS: [&str; 4] = ["replicate", "attach", "composite", "flexcomp"];
const PARTS: [&str; 12] = [
    "body",
    "joint",
    "freejoint",
    "inertial",
    "geom",
    "site",
    "frame",
    "camera",
    "light",
    "plugin",
    "include",
    "replicate",
];

/// What reading a model gathers.
pub(super) struct Reader<'s, 'a> {
    pub(super) sources: &'s Sources<'a>,
    pub(super) compiler: Compiler,
    pub(super) defaults: Rc<Defaults<'a>>,
    pub(super) snapper: Snapper,
    pub(super) description: Description,
    /// Bodies without the world, in MuJoCo's order.
    pub(super) bodies: Vec<BodyRecord>,
    pub(super) sites: HashMap<&'a str, Site>,
    pub(super) joints: HashMap<&'a str, NamedJoint>,
    pub(super) body_names: HashSet<String>,
    pub(super) joint_names: HashSet<String>,
    /// Some body's inertia depends on a mesh.
    pub(super) needs_meshes: bool,
    pub(super) constraints: usize,
}

/// A body's name and where it stands when every joint is at its reference.
pub(super) struct BodyRecord {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) frame: Frame,
}

/// A site on a body (`None`: the world).
#[derive(Clone)]
pub(super) struct Site {
    pub(super) body: Option<usize>,
    pub(super) frame: Frame,
}

/// A joint that equality constraints can refer to.
pub(super) struct NamedJoint {
    /// What a coupling calls its coordinate.
    pub(super) coordinate: String,
    /// Hinge or slide.
    pub(super) scalar: bool,
    /// The coordinate at the reference pose, rad or m.
    pub(super) reference: Exact,
    pub(super) place: Place,
}

/// Something inside a body, with the `<frame>`s around it resolved.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub(super) element: Element<'a>,
    pub(super) frame: Frame,
    pub(super) childclass: Option<&'a str>,
}

impl<'s, 'a> Reader<'s, 'a> {
    pub(super) fn new(
        sources: &'s Sources<'a>,
        compiler: Compiler,
        defaults: Rc<Defaults<'a>>,
        snap: f64,
        description: Description,
    ) -> Self {
        let owned = |names: HashSet<&str>| names.into_iter().map(str::to_owned).collect();
        Reader {
            sources,
            compiler,
            defaults,
            snapper: Snapper::new(snap),
            description,
            bodies: Vec::new(),
            sites: HashMap::new(),
            joints: HashMap::new(),
            body_names: owned(sources.names(&["body"])),
            joint_names: owned(sources.names(&["joint", "freejoint"])),
            needs_meshes: false,
            constraints: 0,
        }
    }

    /// A `<worldbody>` section: its bodies stand on the ground, its geoms weigh nothing.
    pub(super) fn world(&mut self, world: &Element<'a>) -> Result<(), FormatError> {
        let parts = self.parts(world, world.attribute("childclass"))?;
        for part in &parts {
            match part.element.tag() {
                "site" => self.site(part, None)?,
                "body" => self.body(part, None, 1)?,
                "joint" | "freejoint" | "inertial" => {
                    return Err(part.element.wrong("the world cannot move", "put it inside a <body>"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn body(&mut self, part: &Part<'a>, parent: Option<usize>, depth: usize) -> Result<(), FormatError> {
        let element = &part.element;
        if depth > DEEPEST_BODY {
            return Err(element
                .wrong(format!("bodies are nested more than {DEEPEST_BODY} deep"), "shorten the chain"));
        }
        let own = frame_of(&Styled::plain(element.clone()), &self.compiler, &mut self.snapper)?;
        let frame = part.frame.then(&own);
        let index = self.bodies.len();
        let name = match element.attribute("name").filter(|name| !name.is_empty()) {
            Some("world") => return Err(element.wrong("`world` is the name of the ground", "rename it")),
            Some(name) => name.to_owned(),
            None => fresh(format!("body_{}", index + 1), &mut self.body_names),
        };
        self.bodies.push(BodyRecord { name: name.clone(), parent, frame: frame.clone() });
        if element.attribute("gravcomp").is_some_and(|value| value.trim().parse() != Ok(0.0)) {
            self.note(RobotNote::GravityCompensationIgnored { place: element.place(), body: name.clone() });
        }
        let parts = self.parts(element, element.attribute("childclass").or(part.childclass))?;
        let joint = self.joint_of(element, &parts, &name, parent, &frame)?;
        let (inertia, capsules) = self.inertia_of(&parts, &name)?;
        let place = element.place();
        self.description.joints.push(TreeJoint {
            joint,
            parent: parent.map(|parent| self.bodies[parent].name.clone()),
            child: name.clone(),
            place: place.clone(),
        });
        self.description.links.push(Link { name, inertia, capsules, place });
        for part in &parts {
            match part.element.tag() {
                "site" => self.site(part, Some(index))?,
                "body" => self.body(part, Some(index), depth + 1)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// What a body or the world consists of, in order; `<frame>`s dissolve into their contents.
    fn parts(
        &mut self,
        body: &Element<'a>,
        childclass: Option<&'a str>,
    ) -> Result<Vec<Part<'a>>, FormatError> {
        let mut parts = Vec::new();
        let root = Part { element: body.clone(), frame: Frame::identity(), childclass };
        let mut waiting = self.inside(&root);
        while let Some(mut part) = waiting.pop() {
            let tag = part.element.tag();
            if tag == "frame" {
                let styled = Styled::plain(part.element.clone());
                let own = frame_of(&styled, &self.compiler, &mut self.snapper)?;
                part.frame = part.frame.then(&own);
                part.childclass = part.element.attribute("childclass").or(part.childclass);
                let inside = self.inside(&part);
                waiting.extend(inside);
            } else if GENERATORS.contains(&tag) {
                return Err(part.element.wrong(
                    format!("Steiner does not expand <{tag}>"),
                    "let MuJoCo write out the compiled model (mj_saveLastXML) and read that",
                ));
            } else if PARTS.contains(&tag) {
                parts.push(part);
            } else {
                let hint = did_you_mean(tag, PARTS);
                return Err(part
                    .element
                    .wrong(format!("<{tag}> is not part of a body{hint}"), "correct the name or remove it"));
            }
        }
        Ok(parts)
    }

    /// The children of a body or frame in reverse, as a stack hands them out.
    fn inside(&self, outer: &Part<'a>) -> Vec<Part<'a>> {
        let children = self.sources.children(&outer.element).into_iter().rev();
        children.map(|element| Part { element, ..outer.clone() }).collect()
    }

    fn site(&mut self, part: &Part<'a>, body: Option<usize>) -> Result<(), FormatError> {
        let Some(name) = part.element.attribute("name") else { return Ok(()) };
        // A site drawn between two points has no place of its own to attach to.
        let styled = self.styled(part)?;
        if styled.attribute("fromto").is_none() {
            let own = frame_of(&styled, &self.compiler, &mut self.snapper)?;
            self.sites.insert(name, Site { body, frame: part.frame.then(&own) });
        }
        Ok(())
    }

    pub(super) fn styled(&self, part: &Part<'a>) -> Result<Styled<'a>, FormatError> {
        Styled::new(part.element.clone(), part.element.tag(), part.childclass, &self.defaults)
    }

    pub(super) fn note(&mut self, note: RobotNote) {
        self.description.notes.push(note);
    }

    /// Where body `to` stands in body `from` when every joint is at its reference, exactly.
    pub(super) fn reference_pose(&self, from: Option<usize>, to: Option<usize>) -> Frame {
        let path = |mut body: Option<usize>| {
            let mut path = Vec::new();
            while let Some(index) = body {
                path.push(index);
                body = self.bodies[index].parent;
            }
            path
        };
        let (mut up, mut down) = (path(from), path(to));
        while !up.is_empty() && up.last() == down.last() {
            up.pop();
            down.pop();
        }
        let chain = |path: &[usize]| {
            path.iter().rev().fold(Frame::identity(), |frame, &body| frame.then(&self.bodies[body].frame))
        };
        inverse(&chain(&up)).then(&chain(&down))
    }

    pub(super) fn finish(mut self) -> Description {
        self.description.snapped = self.snapper.snapped;
        self.description
    }
}

/// A name nobody bears yet, now taken.
pub(super) fn fresh(mut name: String, taken: &mut HashSet<String>) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}
