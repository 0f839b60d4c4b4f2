//! What is said about robots and their files, in words.

use steiner_robot::{LumpNote, RobotNote};

/// A sentence about what the reader of a robot's file could not take as it stands.
pub fn robot_note(note: &RobotNote) -> String {
    use RobotNote as N;
    match note {
        N::NotRead { place, element, meant } => {
            format!("{place}: {element} is not read (did you mean `{meant}`?)")
        }
        N::RangeNotUsed { place, element } => {
            format!("{place}: {element}: lower exceeds upper; the range is not used")
        }
        N::Inactive { place, element } => format!("{place}: {element} is inactive and ignored"),
        N::AlignmentIgnored { place } => {
            format!("{place}: align is ignored, the body frame stays as written")
        }
        N::DrivesIgnored { place, joint } => format!(
            "{place}: armature, damping and frictionloss of the several joints of `{joint}` are ignored"
        ),
        N::OnlyLinearDamping { place } => format!("{place}: only the linear term of damping is read"),
        N::SpringIgnored { place, element } => format!("{place}: the spring of {element} is ignored"),
        N::InertiaInMesh { place, body } => format!(
            "{place}: body `{body}` has no inertia here, for it would come from a mesh; give it an <inertial>"
        ),
        N::TotalMassIgnored { place } => {
            format!("{place}: settotalmass is ignored, for some masses come from meshes")
        }
        N::GravityCompensationIgnored { place, body } => {
            format!("{place}: the gravity compensation of body `{body}` is ignored")
        }
    }
}

/// A sentence about what became of links that are fixed to each other.
pub fn lump_note(note: &LumpNote) -> String {
    match note {
        LumpNote::TakenOver { link, emptied } => format!(
            "{link} has the inertia of all that is fixed to it; that of {} is zero in the file now.",
            emptied.join(", ")
        ),
        LumpNote::NearestBody { link, lump } => format!(
            "{link}: the file's inertia belongs to no body; the nearest that does stood for it when {lump}'s was shared."
        ),
        LumpNote::NoMass { link } => {
            format!("{link} and what is fixed to it have no mass in the file to share by; {link} has it all.")
        }
    }
}
