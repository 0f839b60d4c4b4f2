//! Joints: what moves how, and what drives it.

use steiner_scalar::Exact;

use crate::frame::Frame;
use crate::friction::Friction;

/// The kind of a joint between a body and its parent.
///
/// | kind | configuration q | velocity |
/// |---|---|---|
/// | revolute, continuous | angle, rad | rad/s |
/// | prismatic | displacement, m | m/s |
/// | helical | angle, rad | rad/s |
/// | cylindrical | angle, displacement | their rates |
/// | universal | angle about `axis`, angle about `axis2` | their rates |
/// | spherical | quaternion x, y, z, w | angular velocity in body axes |
/// | planar | x, y, θ | vx, vy, ω in body axes |
/// | floating | position, quaternion x, y, z, w | linear, angular velocity in body axes |
/// | compound | those of its parts, in sequence | likewise |
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum JointKind {
    Revolute,
    Continuous,
    Prismatic,
    /// A screw; the pitch is in metres per radian.
    Helical {
        pitch: Exact,
    },
    Cylindrical,
    /// `axis` is fixed in the parent, `axis2` in the child.
    Universal {
        axis2: [Exact; 3],
    },
    Spherical,
    Planar,
    Floating,
    Fixed,
    /// Several joints of one MJCF body, without bodies between them.
    Compound(Vec<CompoundPart>),
}

/// One joint of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundPart {
    /// Its name in the file.
    pub name: String,
    /// Revolute, prismatic or spherical.
    pub kind: JointKind,
    /// Axis in the body frame at q = 0.
    pub axis: [Exact; 3],
    /// A point of the axis in the body frame at q = 0, m.
    pub anchor: [Exact; 3],
}

impl JointKind {
    /// The word files use.
    pub fn name(&self) -> &'static str {
        match self {
            JointKind::Revolute => "revolute",
            JointKind::Continuous => "continuous",
            JointKind::Prismatic => "prismatic",
            JointKind::Helical { .. } => "helical",
            JointKind::Cylindrical => "cylindrical",
            JointKind::Universal { .. } => "universal",
            JointKind::Spherical => "spherical",
            JointKind::Planar => "planar",
            JointKind::Floating => "floating",
            JointKind::Fixed => "fixed",
            JointKind::Compound(_) => "compound",
        }
    }

    /// Number of configuration coordinates.
    pub fn configuration_size(&self) -> usize {
        match self {
            JointKind::Spherical => 4,
            JointKind::Floating => 7,
            JointKind::Compound(parts) => parts.iter().map(|part| part.kind.configuration_size()).sum(),
            other => other.dof(),
        }
    }

    /// Number of velocities.
    pub fn dof(&self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute
            | JointKind::Continuous
            | JointKind::Prismatic
            | JointKind::Helical { .. } => 1,
            JointKind::Cylindrical | JointKind::Universal { .. } => 2,
            JointKind::Spherical | JointKind::Planar => 3,
            JointKind::Floating => 6,
            JointKind::Compound(parts) => parts.iter().map(|part| part.kind.dof()).sum(),
        }
    }

    /// Whether configuration and velocity coordinates correspond one to one (no quaternion inside).
    pub fn is_coordinatewise(&self) -> bool {
        self.configuration_size() == self.dof()
    }

    /// Whether the joint has an axis.
    pub fn has_axis(&self) -> bool {
        !matches!(
            self,
            JointKind::Spherical | JointKind::Floating | JointKind::Fixed | JointKind::Compound(_)
        )
    }
}

/// Limits of motion and effort, in the units of the joint's coordinate. Absent means unknown.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Limits {
    /// Least coordinate, rad or m.
    pub lower: Option<f64>,
    /// Greatest coordinate, rad or m.
    pub upper: Option<f64>,
    /// Greatest speed, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Greatest acceleration, rad/s² or m/s².
    pub acceleration: Option<f64>,
    /// Greatest jerk, rad/s³ or m/s³.
    pub jerk: Option<f64>,
    /// Greatest torque or force, N·m or N.
    pub effort: Option<f64>,
}

/// What drives a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Actuation {
    /// A motor, or nobody says.
    #[default]
    Motor,
    /// The file names motors, but none here: it may have forgotten one.
    Unnamed,
    /// Nothing: its force is zero but for friction.
    Passive,
}

/// A joint between a body and its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name; in a TOML file that of the body.
    pub name: String,
    /// Kind of the joint: revolute, prismatic and so on.
    pub kind: JointKind,
    /// The joint frame in the parent's body frame at q = 0.
    pub placement: Frame,
    /// Direction of the axis in the joint frame, any length.
    pub axis: [Exact; 3],
    /// The body frame in the moving joint frame.
    pub body_frame: Frame,
    /// Limits of motion.
    pub limits: Limits,
    /// Inertia of the drive reflected to the joint, kg·m² or kg.
    pub rotor_inertia: f64,
    /// Friction of the drive.
    pub friction: Friction,
    /// What drives it.
    pub actuation: Actuation,
}

/// An elementary motion: every joint is one or several of these in sequence, and in each the motion is fixed
/// in the child, so that velocities propagate without a rate of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Elementary motion of the stage.
    pub motion: Motion,
    /// Direction of the motion in the stage's frame, any length; unused for balls and free motions.
    pub axis: [Exact; 3],
    /// Where the motion happens, in the previous stage's end (or the parent's body frame).
    pub before: Frame,
    /// The stage's end in its moving frame.
    pub after: Frame,
}

/// Elementary motions that joints are made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// About an axis.
    Rotation,
    /// Along an axis.
    Translation,
    /// About an axis, advancing by `pitch` metres per radian.
    Screw {
        /// Pitch, m/rad.
        pitch: Exact,
    },
    /// About a point: quaternion, angular velocity in body axes.
    Ball,
    /// In the plane normal to the axis: x, y, θ.
    Plane,
    /// Free.
    Free,
}

impl Motion {
    /// Number of configuration coordinates.
    pub fn configuration_size(&self) -> usize {
        match self {
            Motion::Ball => 4,
            Motion::Free => 7,
            other => other.dof(),
        }
    }
    /// Number of velocities.
    pub fn dof(&self) -> usize {
        match self {
            Motion::Rotation | Motion::Translation | Motion::Screw { .. } => 1,
            Motion::Ball | Motion::Plane => 3,
            Motion::Free => 6,
        }
    }
}

impl Joint {
    /// The elementary motions the joint is made of, in sequence from the parent. A fixed joint has none.
    pub fn stages(&self) -> Vec<Stage> {
        let single = |motion| {
            vec![Stage {
                motion,
                axis: self.axis.clone(),
                before: self.placement.clone(),
                after: self.body_frame.clone(),
            }]
        };
        let pair = |first: Motion, second: Motion, axis2: &[Exact; 3]| {
            vec![
                Stage {
                    motion: first,
                    axis: self.axis.clone(),
                    before: self.placement.clone(),
                    after: Frame::identity(),
                },
                Stage {
                    motion: second,
                    axis: axis2.clone(),
                    before: Frame::identity(),
                    after: self.body_frame.clone(),
                },
            ]
        };
        match &self.kind {
            JointKind::Fixed => Vec::new(),
            JointKind::Revolute | JointKind::Continuous => single(Motion::Rotation),
            JointKind::Prismatic => single(Motion::Translation),
            JointKind::Helical { pitch } => single(Motion::Screw { pitch: pitch.clone() }),
            JointKind::Cylindrical => pair(Motion::Rotation, Motion::Translation, &self.axis),
            JointKind::Universal { axis2 } => pair(Motion::Rotation, Motion::Rotation, axis2),
            JointKind::Spherical => single(Motion::Ball),
            JointKind::Planar => single(Motion::Plane),
            JointKind::Floating => single(Motion::Free),
            JointKind::Compound(parts) => compound_stages(self, parts),
        }
    }
}

fn compound_stages(joint: &Joint, parts: &[CompoundPart]) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    for part in parts {
        let motion = match &part.kind {
            JointKind::Prismatic => Motion::Translation,
            JointKind::Spherical => Motion::Ball,
            _ => Motion::Rotation,
        };
        let anchor = Frame::translation(part.anchor.clone());
        let before = if stages.is_empty() { joint.placement.then(&anchor) } else { anchor };
        let after = Frame::translation(part.anchor.clone().map(|x| -x));
        stages.push(Stage { motion, axis: part.axis.clone(), before, after });
    }
    if let Some(last) = stages.last_mut() {
        last.after = last.after.then(&joint.body_frame);
    }
    stages
}
