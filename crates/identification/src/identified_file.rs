//! The robot's file with its identified numbers: a URDF or a native file patched in place, a native file for
//! everything else.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_formats::{
    Format, FormatError, ReadOptions, UrdfPatch, parse_text, patch_toml, patch_urdf, read_source, write_toml,
};
use steiner_logs::signals::significant;
use steiner_robot::{
    Description, LumpNote, Lumped, NewDrive, NewDynamics, PseudoInertia, Redescribed, TreeJoint,
};

use crate::identification::Identification;

/// The text of a file, and what its reader should know.
struct IdentifiedFile {
    /// All of it.
    text: String,
    /// What it cannot hold, and what else became of it.
    notes: Vec<FileNote>,
}

/// What the reader of a written file should know.
#[derive(Clone, Debug, PartialEq)]
pub enum FileNote {
    /// What became of links that are fixed to each other.
    Shared(LumpNote),
    /// Identified parameters that no robot file has a place for, by label.
    NoPlace(Vec<String>),
    /// Terms of friction that a URDF has no place for, by label: it gets the viscous and Coulomb friction that fit
    /// best without them.
    FurtherFriction(Vec<String>),
    /// Drive inertias, which a URDF has no place for: (joint, kg·m² or kg).
    DriveInertias(Vec<(String, f64)>),
    /// Constant forces of drives, which a URDF has no place for: (joint, N·m or N).
    Offsets(Vec<(String, f64)>),
    /// What a URDF has no place for is needed: the relative residuals of the model, of the file as written, and
    /// of the row that loses most with its name.
    Loses {
        /// Of the model.
        model: f64,
        /// Of the file.
        file: f64,
        /// The row whose residual grows most.
        worst: (String, f64),
    },
    /// The file could not be patched in place and lost its comments; the reason.
    WrittenAnew(FormatError),
}

/// The numbers of an identification that a robot's file can have.
fn new_dynamics(mechanism: &Mechanism, identification: &Identification) -> NewDynamics {
    let inertias = identification.consistency.iter().map(|link| (link.link.clone(), link.inertia)).collect();
    // Only one-dof joints have drives; those that were not asked for keep their numbers.
    let before = &mechanism.robot().bodies;
    let changed = identification.robot.bodies.iter().zip(before).filter(|(new, old)| {
        (new.joint.rotor_inertia, new.joint.friction) != (old.joint.rotor_inertia, old.joint.friction)
    });
    let drives = changed.map(|(new, _)| NewDrive {
        joint: new.joint.name.clone(),
        rotor_inertia: new.joint.rotor_inertia,
        friction: new.joint.friction,
    });
    NewDynamics { inertias, drives: drives.collect() }
}

fn redescribed(
    mechanism: &Mechanism,
    identification: &Identification,
    lumped: Lumped,
) -> Result<(Description, Vec<FileNote>), FormatError> {
    let file = mechanism.robot().description.place.file.to_string();
    if let Some(link) = identification.consistency.iter().find(|link| link.inertia.mass < 0.0) {
        return Err(FormatError::Output {
            file,
            problem: format!(
                "link `{}` was identified with a mass of {} kg, which no file can hold",
                link.link,
                significant(link.inertia.mass, 4)
            ),
            remedy: "identify a consistent model".to_owned(),
        });
    }
    let Redescribed { description, notes } =
        mechanism.robot().redescribed(&new_dynamics(mechanism, identification), lumped)?;
    let beyond = identification.problem().labels_beyond_drives();
    let beyond = (!beyond.is_empty()).then_some(FileNote::NoPlace(beyond));
    Ok((description, notes.into_iter().map(FileNote::Shared).chain(beyond).collect()))
}

/// The text of the URDF a mechanism was read from, with identified inertias and friction; `file` is what
/// messages call it.
fn identified_urdf(
    mechanism: &Mechanism,
    identification: &Identification,
    text: &str,
    file: &str,
    lumped: Lumped,
) -> Result<IdentifiedFile, FormatError> {
    let (mut description, mut notes) = redescribed(mechanism, identification, lumped)?;
    for (joint, simple) in &identification.simple_friction {
        let own = description.joints.iter_mut().filter(|other| other.joint.name == *joint);
        own.for_each(|other| other.joint.friction = *simple);
    }
    let patched =
        patch_urdf(text, file, &UrdfPatch::between(&mechanism.robot().description.unlocked(), &description))?;
    let driven = |number: fn(&TreeJoint) -> f64| -> Vec<(String, f64)> {
        let numbers = description.joints.iter().map(|joint| (joint.joint.name.clone(), number(joint)));
        numbers.filter(|(_, x)| *x != 0.0).collect()
    };
    let (rotors, offsets) =
        (driven(|joint| joint.joint.rotor_inertia), driven(|joint| joint.joint.friction.offset));
    notes.extend(loss(identification));
    let further = identification.problem().further_friction_labels();
    if !further.is_empty() {
        notes.push(FileNote::FurtherFriction(further));
    }
    if !rotors.is_empty() {
        notes.push(FileNote::DriveInertias(rotors));
    }
    if !offsets.is_empty() {
        notes.push(FileNote::Offsets(offsets));
    }
    Ok(IdentifiedFile { text: patched, notes })
}

/// What the URDF loses of the model, if that can be seen in the forces.
fn loss(identification: &Identification) -> Option<FileNote> {
    let residuals = identification.validation.as_ref().unwrap_or(&identification.training);
    let (model, file) = (&residuals.model, &residuals.urdf);
    // In currents, a file predicts nothing.
    if !identification.settings.unknown_gains.is_empty()
        || file.total.is_nan()
        || file.total <= 1.1 * model.total
    {
        return None;
    }
    let grown = |k: usize| file.rows[k].relative - model.rows[k].relative;
    let worst = (0..file.rows.len()).max_by(|&a, &b| grown(a).total_cmp(&grown(b)))?;
    let worst = (file.rows[worst].name.clone(), file.rows[worst].relative);
    Some(FileNote::Loses { model: model.total, file: file.total, worst })
}

/// The native file of the robot with identified inertias and drives: `source`, the native text it was read
/// from, patched in place, or a new one.
fn identified_toml(
    mechanism: &Mechanism,
    identification: &Identification,
    source: Option<&str>,
    lumped: Lumped,
) -> Result<IdentifiedFile, FormatError> {
    let (description, mut notes) = redescribed(mechanism, identification, lumped)?;
    let old = mechanism.robot().description.unlocked();
    let patched = source.map(|text| patch_toml(text, &old.place.file, &old, &description));
    let text = match patched {
        Some(Ok(text)) => text,
        Some(Err(error)) => {
            notes.push(FileNote::WrittenAnew(error));
            write_toml(&description)?
        }
        None => write_toml(&description)?,
    };
    Ok(IdentifiedFile { text, notes })
}

/// The text of the robot's file, its format, and the format that a file called `target` can have; refused
/// where it can have none. To be asked before a long identification.
pub fn identified_format(source: &str, target: &Path) -> Result<(String, Format, Format), FormatError> {
    let (text, format) = read_source(source)?;
    let refuse = |problem: String, remedy: &str| {
        let file = target.display().to_string();
        Err(FormatError::Output { file, problem, remedy: remedy.to_owned() })
    };
    let extension = target.extension().map_or(String::new(), |e| e.to_string_lossy().to_lowercase());
    match (extension.as_str(), format) {
        ("toml", _) => Ok((text, format, Format::Toml)),
        ("urdf", Format::Urdf) => Ok((text, format, Format::Urdf)),
        ("urdf", Format::Xacro) => refuse(
            format!("{source} is xacro, whose links come into being when it is expanded"),
            "expand it (`xacro in.xacro > out.urdf`) and identify with the URDF that comes out, or write a .toml file",
        ),
        ("urdf", _) => refuse(format!("{source} is no URDF that could be patched"), "write a .toml file"),
        _ => refuse("its ending says no format".to_owned(), "end it in .urdf or .toml"),
    }
}

/// Writes the identified robot: `source` is the file (or zoo name) the mechanism was read from, `target` ends
/// in `.urdf` or `.toml` and may be the same file. The text is read back and compared before it replaces
/// anything. Answers what a user should know.
pub fn write_identified(
    source: &str,
    target: &Path,
    mechanism: &Mechanism,
    identification: &Identification,
    lumped: Lumped,
) -> Result<Vec<FileNote>, FormatError> {
    let (text, format, written_format) = identified_format(source, target)?;
    let file = target.display().to_string();
    let written = match written_format {
        Format::Urdf => identified_urdf(mechanism, identification, &text, source, lumped)?,
        _ => {
            let own = (format == Format::Toml).then_some(text.as_str());
            identified_toml(mechanism, identification, own, lumped)?
        }
    };
    let (wanted, _) = redescribed(mechanism, identification, lumped)?;
    let options = ReadOptions::default();
    let read = parse_text(&written.text, &file, written_format, None, &options)?;
    if let Some(link) = differing_link(&wanted, &read) {
        return Err(FormatError::Output {
            file,
            problem: format!("the inertia of link `{link}` would not read back as identified"),
            remedy: "report this, with the robot's file".to_owned(),
        });
    }
    write_atomically(target, &written.text)
        .map_err(|error| FormatError::Unwritable { file: file.clone(), reason: error.to_string() })?;
    Ok(written.notes)
}

/// The first link whose inertia differs by more than rounding. A link called `base` has another name in
/// native files.
fn differing_link(wanted: &Description, read: &Description) -> Option<String> {
    let differs = |a: &PseudoInertia, b: &PseudoInertia| {
        let (a, b) = (a.parameters(), b.parameters());
        ![0..1, 1..4, 4..10].into_iter().all(|range| {
            let scale = a[range.clone()].iter().fold(0.0f64, |most, x| most.max(x.abs()));
            range.into_iter().all(|k| (a[k] - b[k]).abs() <= 1e-12 * scale)
        })
    };
    wanted.links.iter().find_map(|link| {
        let other = read.links.iter().find(|other| other.name == link.name);
        let same = match (&link.inertia, other.map(|other| &other.inertia)) {
            (Some(a), Some(Some(b))) => !differs(a, b),
            (None, _) => true,
            (Some(_), None) => link.name == "base",
            (Some(_), Some(None)) => false,
        };
        (!same).then(|| link.name.clone())
    })
}
