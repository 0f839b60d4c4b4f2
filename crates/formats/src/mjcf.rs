//! MJCF, the format of MuJoCo: the kinematic tree, its inertia (written or from
//! geoms) and equality constraints.
//!
//! A body without joints is fixed to its parent, a body with several has one compound joint. A body frame is
//! MuJoCo's, also where the joint's anchor lies elsewhere. Coordinates are MuJoCo's `qpos`, so `ref` counts,
//! and a free joint moves in world axes; only the order of quaternions differs (x, y, z, w here).
//!
//! What this does not do: meshes are never opened, so a body whose inertia would come from one has none and a
//! note says so; of actuators only the joints are read that they drive; tendons, contacts, springs and gravity
//! compensation are not read; `<replicate>`,
//! `<attach>`, `<composite>` and `<flexcomp>`, which generate bodies, are refused.

mod compiler;
mod defaults;
mod equality;
mod geoms;
mod inertial;
mod joints;
mod orientation;
mod sources;
mod tree;

use std::path::Path;

use compiler::Compiler;
use defaults::Defaults;
use sources::{Files, Sources};
use steiner_files::Place;
use steiner_robot::{Actuation, Description, SiblingOrder, no_displacement};
use steiner_scalar::Exact;
use tree::Reader;

use crate::actuators;
use crate::error::FormatError;
use crate::read::ReadOptions;
use crate::xml::Element;

/// Reads an MJCF document; `path` is where its includes are looked up.
pub(crate) fn parse(
    text: &str,
    place: Place,
    path: Option<&Path>,
    options: &ReadOptions,
) -> Result<Description, FormatError> {
    let files = Files::load(text, &place, path)?;
    let documents = files.documents()?;
    let sources = Sources::new(&files, &documents);
    let root = sources.root();
    if root.tag() != "mujoco" {
        return Err(
            root.wrong(format!("the root element is <{}>", root.tag()), "an MJCF file starts with <mujoco>")
        );
    }
    // Sections may repeat and come in any order; settings are global and precede what they govern.
    let sections = sources.children(&root);
    let all = |tag: &'static str| sections.iter().filter(move |section| section.tag() == tag);
    let compiler = Compiler::read(all("compiler"))?;
    let defaults = Defaults::read(&sources, all("default"))?;
    let description = Description {
        name: root.attribute("model").filter(|name| !name.is_empty()).unwrap_or("mujoco").to_owned(),
        place,
        gravity: gravity(&sources, all("option"))?,
        order: SiblingOrder::AsWritten,
        ..Description::default()
    };
    let mut reader = Reader::new(&sources, compiler, defaults, options.snap, description);
    for world in all("worldbody") {
        reader.world(world)?;
    }
    reader.finish_inertia()?;
    for section in all("equality") {
        reader.equality(section)?;
    }
    let mut description = reader.finish();
    let inside = |tag: &'static str| all(tag).flat_map(|section| sources.children(section));
    let tendons: Vec<(String, Vec<String>)> = inside("tendon")
        .filter(|tendon| tendon.tag() == "fixed")
        .filter_map(|tendon| {
            let joints = sources.children(&tendon);
            let joints = joints.iter().filter_map(|joint| joint.attribute("joint").map(str::to_owned));
            Some((tendon.attribute("name")?.to_owned(), joints.collect()))
        })
        .collect();
    if let Some(driven) = actuators::of_mjcf(inside("actuator"), &tendons) {
        actuators::mark(&mut description, &driven, Actuation::Passive);
    }
    Ok(description)
}

/// The last `gravity` of the options, or none at all when a flag disables it; `None` when the file is silent.
fn gravity<'s, 'a: 's>(
    sources: &Sources<'a>,
    options: impl Iterator<Item = &'s Element<'a>>,
) -> Result<Option<[Exact; 3]>, FormatError> {
    let mut gravity = None;
    let mut disabled = false;
    for option in options {
        gravity = option.vector("gravity")?.or(gravity);
        for flag in sources.children(option).iter().filter(|child| child.tag() == "flag") {
            match flag.attribute("gravity") {
                None => {}
                Some("enable") => disabled = false,
                Some("disable") => disabled = true,
                Some(other) => {
                    return Err(flag.wrong(format!("gravity=\"{other}\""), "write \"enable\" or \"disable\""));
                }
            }
        }
    }
    Ok(if disabled { Some(no_displacement()) } else { gravity })
}
