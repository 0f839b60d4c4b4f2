//! What is said about robots and their files, in words.

use steiner_robot::{LumpNote, Robot, RobotNote};

use crate::words::number;

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

/// What is wrong with an inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InertiaFault {
    /// No body can have it.
    Impossible,
    /// It is that of something much larger than the link.
    TooLarge,
    /// It is that of a point, on a link that is not one.
    TooSmall,
}

impl InertiaFault {
    /// The word documents use.
    pub fn name(self) -> &'static str {
        match self {
            InertiaFault::Impossible => "impossible",
            InertiaFault::TooLarge => "too-large",
            InertiaFault::TooSmall => "too-small",
        }
    }
}

/// A remark about the inertia that a file gives a body.
#[derive(Clone, Debug, PartialEq)]
pub struct InertiaRemark {
    /// Name of the body.
    pub body: String,
    /// What is wrong.
    pub kind: InertiaFault,
    /// The same in words, with numbers.
    pub text: String,
}

/// What looks wrong with the inertias of a robot's file: first what no body can have, then what does not fit the
/// size of its link.
pub fn inertia_remarks(robot: &Robot) -> Vec<InertiaRemark> {
    let remark = |body: &str, kind, text| InertiaRemark { body: body.to_owned(), kind, text };
    let impossible = robot.bodies.iter().filter_map(|body| {
        let fault = body.inertia.check().err()?;
        Some(remark(&body.name, InertiaFault::Impossible, fault.to_string()))
    });
    let large = robot.bulky_bodies().into_iter().map(|bulky| {
        let (radius, reach) = (number(bulky.radius, 5), number(bulky.reach, 5));
        let text = format!(
            "radius of gyration {radius} m, but its own and its neighbours' joints and surfaces are within {reach} m: check its inertia"
        );
        remark(&bulky.body, InertiaFault::TooLarge, text)
    });
    let small = robot.slight_bodies().into_iter().map(|slight| {
        let (radius, reach) = (number(slight.radius, 2), number(slight.reach, 3));
        let text = format!(
            "radius of gyration {radius} m, but its joints or surface are {reach} m from the centre of mass: check its inertia"
        );
        remark(&slight.body, InertiaFault::TooSmall, text)
    });
    impossible.chain(large).chain(small).collect()
}
