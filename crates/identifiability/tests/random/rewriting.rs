//! The same robot, written differently.

use steiner_robot::{
    Actuation, CouplingDescription, Description, Frame, Joint, JointKind, Link, LoopKind, Orientation,
    TreeJoint,
};
use steiner_scalar::{Exact, Function};

pub type Vector = [Exact; 3];

pub fn zero() -> Vector {
    std::array::from_fn(|_| Exact::zero())
}

fn expression(text: &str) -> Exact {
    Exact::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn vector(text: [&str; 3]) -> Vector {
    text.map(expression)
}

/// A turn whose sines and cosines are exact: roll, pitch and yaw in multiples of 15°.
pub fn fifteens(steps: [i64; 3]) -> Orientation {
    Orientation::RollPitchYaw(steps.map(|n| Exact::pi() * Exact::fraction(n, 12)))
}

fn about_axis(k: usize, angle: Exact) -> Orientation {
    let mut angles = zero();
    angles[k] = angle;
    Orientation::RollPitchYaw(angles)
}

/// The frame from the other side.
pub fn inverse(frame: &Frame) -> Frame {
    frame.steps().iter().rev().fold(Frame::identity(), |all, step| {
        let turned = match &step.orientation {
            Orientation::RollPitchYaw(angles) => (0..3).fold(Frame::identity(), |turned, k| {
                turned.then(&Frame::new(zero(), about_axis(k, -angles[k].clone())))
            }),
            Orientation::Quaternion([w, x, y, z]) => {
                let conjugate = [w.clone(), -x.clone(), -y.clone(), -z.clone()];
                Frame::new(zero(), Orientation::Quaternion(conjugate))
            }
            Orientation::Matrix(rows) => {
                let transposed = std::array::from_fn(|r| std::array::from_fn(|c| rows[c][r].clone()));
                Frame::new(zero(), Orientation::Matrix(transposed))
            }
        };
        all.then(&turned).then(&Frame::translation(step.xyz.clone().map(|x| -x)))
    })
}

/// A vector of the outer axes in the axes of a frame turned by roll, pitch and yaw.
fn seen_from(angles: &Vector, v: &Vector) -> Vector {
    let mut v = v.clone();
    for k in [2, 1, 0] {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (sin, cos) = (angles[k].clone().call(Function::Sin), angles[k].clone().call(Function::Cos));
        let (x, y) = (v[i].clone(), v[j].clone());
        v[i] = cos.clone() * x.clone() + sin.clone() * y.clone();
        v[j] = cos * y - sin * x;
    }
    v
}

fn scaled(v: &Vector, by: [i64; 3]) -> Vector {
    std::array::from_fn(|k| v[k].clone() * Exact::integer(by[k]))
}

fn each_frame(description: &mut Description, mut change: impl FnMut(&mut Frame)) {
    for TreeJoint { joint, .. } in &mut description.joints {
        change(&mut joint.placement);
        change(&mut joint.body_frame);
    }
    for closure in &mut description.loops {
        change(&mut closure.predecessor.frame);
        change(&mut closure.successor.frame);
    }
}

/// Everything that hangs on a link, seen from a frame moved by `shift` on it.
fn hang(description: &mut Description, link: Option<&str>, shift: &Frame) {
    let back = inverse(shift);
    for joint in description.joints.iter_mut().filter(|joint| joint.parent.as_deref() == link) {
        joint.joint.placement = back.then(&joint.joint.placement);
    }
    for closure in &mut description.loops {
        for side in [&mut closure.predecessor, &mut closure.successor] {
            if side.link.as_deref() == link {
                side.frame = back.then(&side.frame);
            }
        }
    }
}

/// Moves the frame of every link.
pub fn with_moved_link_frames(mut description: Description, shift: impl Fn(usize) -> Frame) -> Description {
    for k in 0..description.links.len() {
        let (shift, name) = (shift(k), description.links[k].name.clone());
        for joint in description.joints.iter_mut().filter(|joint| joint.child == name) {
            joint.joint.body_frame = joint.joint.body_frame.then(&shift);
        }
        hang(&mut description, Some(&name), &shift);
    }
    description
}

/// Turns every joint frame, and moves it where the joint lets it, the axes staying where they are.
pub fn with_moved_joint_frames(
    mut description: Description,
    turn: impl Fn(usize) -> [i64; 3],
    by: &Exact,
) -> Description {
    for (k, TreeJoint { joint, .. }) in description.joints.iter_mut().enumerate() {
        let along = match joint.kind {
            JointKind::Spherical | JointKind::Universal { .. } | JointKind::Compound(_) => zero(),
            JointKind::Prismatic | JointKind::Floating | JointKind::Planar | JointKind::Fixed => {
                [by.clone(), Exact::zero(), by.clone() + by.clone()]
            }
            _ => joint.axis.clone().map(|x| x * by.clone()),
        };
        let orientation = fifteens(turn(k));
        let Orientation::RollPitchYaw(angles) = &orientation else { continue };
        joint.axis = seen_from(angles, &joint.axis);
        if let JointKind::Universal { axis2 } = &mut joint.kind {
            *axis2 = seen_from(angles, axis2);
        }
        let moved = Frame::new(along, orientation);
        joint.placement = joint.placement.then(&moved);
        joint.body_frame = inverse(&moved).then(&joint.body_frame);
    }
    for (k, closure) in description.loops.iter_mut().enumerate() {
        let orientation = fifteens(turn(k));
        let Orientation::RollPitchYaw(angles) = &orientation else { continue };
        closure.axis = seen_from(angles, &closure.axis);
        if let LoopKind::Universal { axis2 } = &mut closure.kind {
            *axis2 = seen_from(angles, axis2);
        }
        let moved = Frame::new(zero(), orientation);
        for side in [&mut closure.predecessor, &mut closure.successor] {
            side.frame = side.frame.then(&moved);
        }
    }
    description
}

fn scale_steps(frame: &mut Frame, by: &Exact) {
    *frame = frame.steps().iter().fold(Frame::identity(), |all, step| {
        let xyz = step.xyz.clone().map(|x| x * by.clone());
        all.then(&Frame::new(xyz, step.orientation.clone()))
    });
}

/// The joint a coordinate belongs to, and which of its coordinates it is.
fn joint_of<'d>(description: &'d Description, coordinate: &str) -> (&'d Joint, usize) {
    let (name, component) = coordinate.rsplit_once(':').unwrap_or((coordinate, "0"));
    let joint = description.joints.iter().find(|joint| joint.joint.name == name || joint.child == name);
    let joint = joint.unwrap_or_else(|| panic!("no joint {name}"));
    (&joint.joint, component.parse().unwrap_or(0))
}

/// Writes couplings anew, each coordinate being multiplied by a factor.
fn with_multiplied_coordinates(
    description: &Description,
    factor: impl Fn(&Joint, usize) -> Exact,
) -> Vec<CouplingDescription> {
    let of = |coordinate: &str| {
        let (joint, component) = joint_of(description, coordinate);
        factor(joint, component)
    };
    let mut couplings = description.couplings.clone();
    for coupling in &mut couplings {
        let target = of(&coupling.coordinate);
        coupling.offset = coupling.offset.clone() * target.clone();
        for (term, ratio) in &mut coupling.terms {
            *ratio = ratio.clone() * target.clone() / of(term);
        }
    }
    couplings
}

/// All lengths and pitches multiplied.
pub fn with_scaled_lengths(mut description: Description, by: &Exact) -> Description {
    description.couplings =
        with_multiplied_coordinates(&description, |joint, component| match (&joint.kind, component) {
            (JointKind::Prismatic, _) | (JointKind::Cylindrical, 1) => by.clone(),
            _ => Exact::one(),
        });
    each_frame(&mut description, |frame| scale_steps(frame, by));
    for TreeJoint { joint, .. } in &mut description.joints {
        if let JointKind::Helical { pitch } = &mut joint.kind {
            *pitch = pitch.clone() * by.clone();
        }
    }
    description
}

/// The robot in a mirror, x being −x: S = diag(−1, 1, 1), rotations become S R S.
pub fn mirrored(mut description: Description) -> Description {
    const BY: [i64; 3] = [-1, 1, 1];
    let turn = |orientation: &Orientation| match orientation {
        Orientation::RollPitchYaw([r, p, y]) => {
            Orientation::RollPitchYaw([r.clone(), -p.clone(), -y.clone()])
        }
        Orientation::Quaternion([w, x, y, z]) => {
            Orientation::Quaternion([w.clone(), x.clone(), -y.clone(), -z.clone()])
        }
        Orientation::Matrix(rows) => Orientation::Matrix(std::array::from_fn(|r| {
            std::array::from_fn(|c| Exact::integer(BY[r] * BY[c]) * rows[r][c].clone())
        })),
    };
    // With axes mirrored as vectors, turns change their sense and slides do not.
    description.couplings = with_multiplied_coordinates(&description, |joint, component| {
        let slides =
            matches!((&joint.kind, component), (JointKind::Prismatic, _) | (JointKind::Cylindrical, 1));
        Exact::integer(if slides { 1 } else { -1 })
    });
    each_frame(&mut description, |frame| {
        *frame = frame.steps().iter().fold(Frame::identity(), |all, step| {
            all.then(&Frame::new(scaled(&step.xyz, BY), turn(&step.orientation)))
        });
    });
    for TreeJoint { joint, .. } in &mut description.joints {
        joint.axis = scaled(&joint.axis, BY);
        match &mut joint.kind {
            JointKind::Universal { axis2 } => *axis2 = scaled(axis2, BY),
            // A right-hand thread becomes a left-hand one.
            JointKind::Helical { pitch } => *pitch = -pitch.clone(),
            _ => {}
        }
    }
    for closure in &mut description.loops {
        closure.axis = scaled(&closure.axis, BY);
        if let LoopKind::Universal { axis2 } = &mut closure.kind {
            *axis2 = scaled(axis2, BY);
        }
    }
    description.gravity = description.gravity.map(|gravity| scaled(&gravity, BY));
    description
}

/// Links and loops in the opposite order, as far as parents come before children.
pub fn with_reversed_order(mut description: Description) -> Description {
    description.links.reverse();
    description.joints.reverse();
    description.loops.reverse();
    description
}

/// A link cut in two: what it carries hangs on a second link, welded to it.
pub fn with_split_link(mut description: Description, k: usize, weld: &Frame) -> Description {
    let name = description.links[k].name.clone();
    let half = format!("{name} half");
    hang(&mut description, Some(&name), weld);
    for joint in description.joints.iter_mut().filter(|joint| joint.parent.as_deref() == Some(&name)) {
        joint.parent = Some(half.clone());
    }
    for closure in &mut description.loops {
        for side in [&mut closure.predecessor, &mut closure.successor] {
            if side.link.as_deref() == Some(&name) {
                side.link = Some(half.clone());
            }
        }
    }
    let place = description.place.clone();
    let weld = Joint { name: half.clone(), kind: JointKind::Fixed, placement: weld.clone(), ..neutral() };
    description.links.insert(
        k + 1,
        Link { name: half.clone(), inertia: None, capsules: Vec::new(), place: place.clone() },
    );
    description.joints.push(TreeJoint { joint: weld, parent: Some(name), child: half, place });
    description
}

/// A joint without any property.
pub fn neutral() -> Joint {
    Joint {
        name: String::new(),
        kind: JointKind::Fixed,
        placement: Frame::identity(),
        axis: [Exact::zero(), Exact::zero(), Exact::one()],
        body_frame: Frame::identity(),
        limits: Default::default(),
        rotor_inertia: 0.0,
        actuation: Actuation::default(),
        friction: Default::default(),
    }
}

/// A floating tree held by another link: the joints on the way to it are passed in the opposite sense.
pub fn re_rooted(mut description: Description, new_root: &str) -> Description {
    let above = |description: &Description, link: &str| {
        description
            .joints
            .iter()
            .position(|joint| joint.child == link)
            .unwrap_or_else(|| panic!("no link {link}"))
    };
    let mut path = Vec::new();
    let mut at = above(&description, new_root);
    while let Some(parent) = description.joints[at].parent.clone() {
        path.push(at);
        at = above(&description, &parent);
    }
    let reversed: Vec<String> = path.iter().map(|&k| description.joints[k].joint.name.clone()).collect();
    description.couplings = with_multiplied_coordinates(&description, |joint, _| {
        Exact::integer(if reversed.contains(&joint.name) { -1 } else { 1 })
    });
    // The two angles of a universal joint change places.
    for coupling in &mut description.couplings {
        let names = coupling.terms.iter_mut().map(|(name, _)| name).chain([&mut coupling.coordinate]);
        for name in names {
            let Some((joint, component)) = name.rsplit_once(':') else { continue };
            if reversed.iter().any(|other| other == joint) {
                let is = |j: &&TreeJoint| j.joint.name == joint;
                let kind = description.joints.iter().find(is).map(|j| &j.joint.kind);
                if matches!(kind, Some(JointKind::Universal { .. })) {
                    *name = format!("{joint}:{}", if component == "0" { 1 } else { 0 });
                }
            }
        }
    }
    for k in path {
        let TreeJoint { joint, parent, child, .. } = &mut description.joints[k];
        let (placement, body_frame) = (inverse(&joint.body_frame), inverse(&joint.placement));
        (joint.placement, joint.body_frame) = (placement, body_frame);
        if let JointKind::Universal { axis2 } = &mut joint.kind {
            std::mem::swap(axis2, &mut joint.axis);
        }
        let below = child.clone();
        *child = parent.take().unwrap_or_default();
        *parent = Some(below);
    }
    description.joints[at].child = new_root.to_owned();
    description
}
