//! Names of the unknowns: which parameter of which body, and where it stands
//! among the columns of a regressor.

use std::fmt;
use std::ops::Range;

/// One of the ten inertial parameters of a body, or of the four of the drive of its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParameterKind {
    /// Mass, kg.
    M,
    /// First moment along x about the body-frame origin, kg·m.
    Mx,
    /// First moment along y, kg·m.
    My,
    /// First moment along z, kg·m.
    Mz,
    /// Moment of inertia about x through the body-frame origin, kg·m².
    Ixx,
    /// Product of inertia, kg·m².
    Ixy,
    /// Moment of inertia about y, kg·m².
    Iyy,
    /// Product of inertia, kg·m².
    Ixz,
    /// Product of inertia, kg·m².
    Iyz,
    /// Moment of inertia about z, kg·m².
    Izz,
    /// Inertia of the drive as the joint feels it, kg·m² or kg.
    Ia,
    /// Viscous friction, N·m·s/rad or N·s/m.
    Fv,
    /// Coulomb friction, N·m or N.
    Fc,
    /// Constant offset of the drive's force, N·m or N.
    Offset,
}

use ParameterKind as K;

impl ParameterKind {
    /// The ten of a body, in the order of every regressor.
    pub const INERTIAL: [K; 10] = [K::M, K::Mx, K::My, K::Mz, K::Ixx, K::Ixy, K::Iyy, K::Ixz, K::Iyz, K::Izz];
    /// The four of a drive, in the order of every regressor.
    pub const DRIVE: [K; 4] = [K::Ia, K::Fv, K::Fc, K::Offset];

    /// The part of a label behind the dot.
    pub const fn name(self) -> &'static str {
        match self {
            K::M => "m",
            K::Mx => "mx",
            K::My => "my",
            K::Mz => "mz",
            K::Ixx => "Ixx",
            K::Ixy => "Ixy",
            K::Iyy => "Iyy",
            K::Ixz => "Ixz",
            K::Iyz => "Iyz",
            K::Izz => "Izz",
            K::Ia => "Ia",
            K::Fv => "fv",
            K::Fc => "fc",
            K::Offset => "offset",
        }
    }

    /// Whether it is one of the ten of a body.
    pub fn is_inertial(self) -> bool {
        K::INERTIAL.contains(&self)
    }

    /// The power of length in the unit of an inertial parameter: 0 for a mass, 1 for a first moment,
    /// 2 for an inertia; 0 for drives.
    pub fn length_power(self) -> i32 {
        match self {
            K::Mx | K::My | K::Mz => 1,
            K::Ixx | K::Ixy | K::Iyy | K::Ixz | K::Iyz | K::Izz => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which parameter of which body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId {
    /// Position in [`ParameterList::bodies`]; for a drive, the body behind its joint.
    pub body: usize,
    /// Which of its parameters.
    pub kind: ParameterKind,
}

/// The name of a column: whose parameter, and which. Written `owner.parameter`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The body, joint or motor.
    pub owner: String,
    /// `m`, `mx`, … `Izz`, `Ia`, …
    pub parameter: &'static str,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.owner, self.parameter)
    }
}

/// A body whose parameters are columns of a regressor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterBody {
    /// Name of the body's link.
    pub link: String,
    /// The joint that carries it; `None` for a link at rest on the ground.
    pub joint: Option<String>,
}

/// The columns of a regressor: ten for each body, then four for each drive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterList {
    bodies: Vec<ParameterBody>,
    /// The bodies behind the joints whose drives have parameters.
    driven: Vec<usize>,
}

const TEN: usize = K::INERTIAL.len();
const FOUR: usize = K::DRIVE.len();

impl ParameterList {
    /// The columns of bodies, and of the drives of some of them.
    pub fn new(bodies: Vec<ParameterBody>, driven: Vec<usize>) -> Self {
        ParameterList { bodies, driven }
    }

    /// The bodies, in order.
    pub fn bodies(&self) -> &[ParameterBody] {
        &self.bodies
    }

    /// The bodies behind the joints whose drives have parameters, in the order of their columns.
    pub fn driven(&self) -> &[usize] {
        &self.driven
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        TEN * self.bodies.len() + FOUR * self.driven.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of columns of the bodies, which come before those of the drives.
    pub fn inertial_len(&self) -> usize {
        TEN * self.bodies.len()
    }

    /// What a column is.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn id(&self, column: usize) -> ParameterId {
        match column.checked_sub(self.inertial_len()) {
            None => ParameterId { body: column / TEN, kind: K::INERTIAL[column % TEN] },
            Some(k) => ParameterId { body: self.driven[k / FOUR], kind: K::DRIVE[k % FOUR] },
        }
    }

    /// The column of a parameter; `None` for the drive of a joint whose drive has no parameters.
    pub fn column(&self, id: ParameterId) -> Option<usize> {
        match K::INERTIAL.iter().position(|kind| *kind == id.kind) {
            Some(k) => (id.body < self.bodies.len()).then(|| inertial_columns(id.body).start + k),
            None => {
                let k = K::DRIVE.iter().position(|kind| *kind == id.kind)?;
                let drive = self.driven.iter().position(|body| *body == id.body)?;
                Some(self.drive_columns(drive).start + k)
            }
        }
    }

    /// The columns of the k-th drive.
    pub fn drive_columns(&self, drive: usize) -> Range<usize> {
        let first = self.inertial_len() + FOUR * drive;
        first..first + FOUR
    }

    /// The columns of a body with those of its drive.
    pub fn columns_of(&self, body: usize) -> Vec<usize> {
        let drive = self.driven.iter().position(|other| *other == body);
        inertial_columns(body).chain(drive.map(|k| self.drive_columns(k)).into_iter().flatten()).collect()
    }

    /// The body or joint whose name stands before the dot of a label.
    pub fn owner(&self, id: ParameterId) -> &str {
        let body = &self.bodies[id.body];
        match (&body.joint, id.kind.is_inertial()) {
            (Some(joint), false) => joint,
            _ => &body.link,
        }
    }

    /// The label of a column: `link.m`, `joint.Ia`.
    pub fn label(&self, column: usize) -> Label {
        let id = self.id(column);
        Label { owner: self.owner(id).to_owned(), parameter: id.kind.name() }
    }

    /// The labels of all columns, as they are written.
    pub fn labels(&self) -> Vec<String> {
        (0..self.len()).map(|column| self.label(column).to_string()).collect()
    }
}

/// The columns of a body's ten parameters: bodies come first, in order.
#[inline]
pub fn inertial_columns(body: usize) -> Range<usize> {
    TEN * body..TEN * (body + 1)
}

/// Number of columns of so many bodies.
#[inline]
pub fn inertial_count(bodies: usize) -> usize {
    TEN * bodies
}

/// Which of the ten parameters an inertial column is.
#[inline]
pub fn inertial_slot(column: usize) -> usize {
    column % TEN
}

/// The body that an inertial column belongs to.
#[inline]
pub fn inertial_body(column: usize) -> usize {
    column / TEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_parameters_are_two_names_of_one_thing() {
        let body = |link: &str, joint: Option<&str>| ParameterBody {
            link: link.to_owned(),
            joint: joint.map(str::to_owned),
        };
        let list = ParameterList::new(vec![body("plate", None), body("arm", Some("elbow"))], vec![1]);
        assert_eq!(list.len(), 24);
        for column in 0..list.len() {
            assert_eq!(list.column(list.id(column)), Some(column));
        }
        assert_eq!(
            [0, 19, 20].map(|column| list.label(column).to_string()),
            ["plate.m", "arm.Izz", "elbow.Ia"]
        );
        assert_eq!(list.column(ParameterId { body: 0, kind: ParameterKind::Fv }), None);
        assert_eq!(list.columns_of(1).len(), 14);
    }
}
