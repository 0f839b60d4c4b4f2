//! What a log may hold of one robot: names, and as much about each of them as reading a log takes.

/// What a log may hold of one robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels {
    /// The robot's name, for messages.
    pub robot: String,
    /// Its joints, those that follow others included.
    pub joints: Vec<JointChannel>,
    /// Its links, those fixed to others included.
    pub links: Vec<String>,
    /// Joints that are held at a value: they have no columns, and nobody minds if there are some.
    pub held: Vec<String>,
    /// The numbers of a configuration, in order.
    pub configuration: Vec<Channel>,
    /// The independent velocities, in order.
    pub velocities: Vec<Channel>,
}

/// One number of a robot's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// `joint`, or `joint:k` where a joint has several.
    pub name: String,
    /// Its joint, as an index into [`Channels::joints`].
    pub joint: usize,
    /// Its place among the numbers of the joint.
    pub component: usize,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointChannel {
    /// Name of the joint, as in `q_NAME`.
    pub name: String,
    /// Kind of its coordinates: angle, length, pose and so on.
    pub motion: JointMotion,
    /// Whether nothing drives it: its force is zero.
    pub passive: bool,
    /// Whether it stands on the ground.
    pub of_root: bool,
    /// Limits of position, velocity and force.
    pub limits: JointLimits,
}

/// How a joint moves, as far as its columns tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// One angle, rad.
    Angle,
    /// One angle, rad, that turns without end: jumps by whole turns mean nothing.
    EndlessAngle,
    /// One displacement, m.
    Length,
    /// Several numbers; each velocity is the rate of the number in its place.
    Several,
    /// x, y, θ; the velocity is in body axes.
    Planar,
    /// A quaternion x, y, z, w; the angular velocity is in body axes.
    Spherical,
    /// A position, and a quaternion x, y, z, w; the linear and angular velocity are in body axes.
    Floating,
    /// Numbers whose rates say nothing of single velocities.
    Mixed,
}

impl JointMotion {
    /// Whether it has one coordinate.
    pub fn is_single(self) -> bool {
        matches!(self, JointMotion::Angle | JointMotion::EndlessAngle | JointMotion::Length)
    }

    /// The numbers of a joint whose velocity is that of a body, and no rate of them.
    pub(crate) fn body_numbers(self) -> Option<usize> {
        match self {
            JointMotion::Planar => Some(3),
            JointMotion::Spherical => Some(4),
            JointMotion::Floating => Some(7),
            _ => None,
        }
    }
}

/// Limits of a joint, in the units of its coordinate. Absent means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLimits {
    /// Least coordinate, rad or m.
    pub lower: Option<f64>,
    /// Greatest coordinate, rad or m.
    pub upper: Option<f64>,
    /// Greatest speed, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Greatest torque or force, N·m or N.
    pub effort: Option<f64>,
}

/// What the name of a wrench ends with if it is in the axes of the base about its origin, not in those of its link.
pub const AT_BASE: &str = "@base";

/// The link of a wrench, and whether it is in the axes of the base about its origin.
pub fn wrench_link(place: &str) -> (&str, bool) {
    match place.strip_suffix(AT_BASE) {
        Some(link) => (link, true),
        None => (place, false),
    }
}

/// What exerts a wrench, by the name of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrenchPlace {
    /// The ground, on the whole robot.
    Base,
    /// The parent's side of a joint, on the child's.
    Joint,
    /// The environment, on a link.
    Link,
}

impl Channels {
    /// The joint of a number.
    pub(crate) fn joint_of(&self, channel: &Channel) -> &JointChannel {
        &self.joints[channel.joint]
    }

    /// Names of the numbers of a configuration.
    pub(crate) fn configuration_names(&self) -> Vec<String> {
        self.configuration.iter().map(|channel| channel.name.clone()).collect()
    }

    /// Names of the independent velocities.
    pub(crate) fn velocity_names(&self) -> Vec<String> {
        self.velocities.iter().map(|channel| channel.name.clone()).collect()
    }

    /// Where the number of a joint stands in a configuration.
    pub(crate) fn number(&self, joint: usize, component: usize) -> Option<usize> {
        self.configuration.iter().position(|channel| channel.joint == joint && channel.component == component)
    }

    /// Whether a velocity is one of a root that floats freely.
    pub(crate) fn floats(&self, velocity: &Channel) -> bool {
        let joint = self.joint_of(velocity);
        joint.of_root && joint.motion == JointMotion::Floating
    }

    /// Links come before joints: many robots give both the same names, and contacts are more
    /// common than sensors inside joints.
    pub(crate) fn wrench_place(&self, name: &str) -> WrenchPlace {
        let (link, at_base) = wrench_link(name);
        if at_base || self.links.iter().any(|other| other == link) {
            return WrenchPlace::Link;
        }
        match self.joints.iter().any(|joint| joint.name == name) {
            _ if name == "base" => WrenchPlace::Base,
            true => WrenchPlace::Joint,
            false => WrenchPlace::Link,
        }
    }
}
