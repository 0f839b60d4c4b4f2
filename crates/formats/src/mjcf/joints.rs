//! `<joint>` and `<freejoint>`: the motion of a body against its parent.

use std::collections::hash_map::Entry;

use steiner_robot::{
    Actuation, CompoundPart, Frame, Friction, GuessEntry, Joint, JointKind, Limits, Orientation, RobotError,
    RobotNote, no_displacement, quaternion_of,
};
use steiner_scalar::Exact;

use super::compiler::doubles;
use super::defaults::Styled;
use super::orientation::{direction, inverse, orientation_specifier};
use super::tree::{NamedJoint, Part, Reader, fresh};
use crate::error::FormatError;
use crate::xml::Element;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

/// A joint as written.
struct Written<'a> {
    name: Option<&'a str>,
    styled: Styled<'a>,
    kind: Kind,
    /// The `<frame>` around it, in the body.
    wrapper: Frame,
    axis: [Exact; 3],
    anchor: [Exact; 3],
    /// The coordinate at the reference pose, rad or m.
    reference: Exact,
}

impl Written<'_> {
    fn joint_kind(&self) -> JointKind {
        match self.kind {
            Kind::Hinge => JointKind::Revolute,
            Kind::Slide => JointKind::Prismatic,
            Kind::Ball => JointKind::Spherical,
            Kind::Free => JointKind::Floating,
        }
    }

    fn reference_configuration(&self) -> Vec<Exact> {
        match self.kind {
            Kind::Ball => vec![Exact::zero(), Exact::zero(), Exact::zero(), Exact::one()],
            _ => vec![self.reference.clone()],
        }
    }
}

impl<'a> Reader<'_, 'a> {
    /// The joint that carries a body whose frame at the reference pose is `frame` in its parent.
    pub(super) fn joint_of(
        &mut self,
        body: &Element<'a>,
        parts: &[Part<'a>],
        body_name: &str,
        parent: Option<usize>,
        frame: &Frame,
    ) -> Result<Joint, FormatError> {
        let mut written = Vec::new();
        for part in parts.iter().filter(|part| matches!(part.element.tag(), "joint" | "freejoint")) {
            written.push(self.written(part)?);
        }
        let mut joint = Joint {
            name: match &written[..] {
                [Written { name: Some(name), .. }] => (*name).to_owned(),
                _ => self.unnamed_joint(body_name),
            },
            kind: JointKind::Fixed,
            placement: frame.clone(),
            axis: z_axis(),
            body_frame: Frame::identity(),
            limits: Limits::default(),
            rotor_inertia: 0.0,
            actuation: Actuation::default(),
            friction: Friction::default(),
        };
        match &written[..] {
            [] => {}
            [one] if one.kind == Kind::Free => {
                if parent.is_some() {
                    return Err(one.styled.own.wrong(
                        "a free joint below another body",
                        "put the body directly under <worldbody>",
                    ));
                }
                joint.kind = JointKind::Floating;
                // The coordinates are the body's pose in the world, as MuJoCo's are; the file's pose starts a
                // solve.
                joint.placement = Frame::identity();
                self.guess_pose(&joint.name, frame, one)?;
            }
            [one] => {
                self.place_single(&mut joint, one)?;
                self.guess(&joint.name, one.reference_configuration(), &[one]);
            }
            several => {
                self.place_compound(&mut joint, body, several)?;
                let values = several.iter().flat_map(Written::reference_configuration).collect();
                self.guess(&joint.name, values, &several.iter().collect::<Vec<_>>());
            }
        }
        self.register(&joint, &written)?;
        Ok(joint)
    }

    fn unnamed_joint(&mut self, body: &str) -> String {
        // Bodies and joints have separate names in MuJoCo, so another joint may bear this body's.
        if self.joint_names.insert(body.to_owned()) {
            return body.to_owned();
        }
        fresh(format!("{body}_joint"), &mut self.joint_names)
    }

    fn written(&mut self, part: &Part<'a>) -> Result<Written<'a>, FormatError> {
        let element = &part.element;
        let free = element.tag() == "freejoint";
        let styled = if free { Styled::plain(element.clone()) } else { self.styled(part)? };
        let kind = match styled.attribute("type") {
            _ if free => Kind::Free,
            None | Some("hinge") => Kind::Hinge,
            Some("slide") => Kind::Slide,
            Some("ball") => Kind::Ball,
            Some("free") => Kind::Free,
            Some(other) => {
                return Err(FormatError::UnknownJointKind {
                    place: styled.source("type").place(),
                    element: element.describe(),
                    kind: other.to_owned(),
                    known: "hinge, slide, ball, free".to_owned(),
                });
            }
        };
        if let Some(key) = orientation_specifier(&Styled::plain(element.clone()))? {
            return Err(element.wrong(format!("a joint has no `{key}`"), "turn its axis or its body"));
        }
        if element.attribute("align") == Some("true") {
            self.note(RobotNote::AlignmentIgnored { place: element.place() });
        }
        let axis = styled.source("axis").vector("axis")?.unwrap_or_else(z_axis);
        if matches!(kind, Kind::Hinge | Kind::Slide) && axis.iter().all(Exact::is_zero) {
            return Err(RobotError::ZeroAxis {
                place: styled.source("axis").place(),
                element: element.describe(),
            }
            .into());
        }
        let printed = styled.source("ref").exact("ref")?.unwrap_or_else(Exact::zero);
        let reference = match kind {
            Kind::Hinge => self.compiler.angle(printed, &mut self.snapper),
            Kind::Slide => printed,
            // MuJoCo ignores it too.
            Kind::Ball | Kind::Free => Exact::zero(),
        };
        let anchor = match kind {
            // A translation is the same wherever its axis lies.
            Kind::Slide | Kind::Free => no_displacement(),
            Kind::Hinge | Kind::Ball => styled.source("pos").vector("pos")?.unwrap_or_else(no_displacement),
        };
        let name = element.attribute("name").filter(|name| !name.is_empty());
        Ok(Written { name, styled, kind, wrapper: part.frame.clone(), axis, anchor, reference })
    }

    /// One joint: the joint frame stands at the anchor, and the body frame where MuJoCo has it.
    fn place_single(&mut self, joint: &mut Joint, one: &Written<'a>) -> Result<(), FormatError> {
        let mut at = one.wrapper.clone();
        if !one.anchor.iter().all(Exact::is_zero) {
            at = at.then(&Frame::translation(one.anchor.clone()));
        }
        joint.kind = one.joint_kind();
        joint.placement = joint.placement.then(&at);
        joint.axis = one.axis.clone();
        joint.body_frame = inverse(&at);
        if !one.reference.is_zero() {
            // The body stands as written where the coordinate is `ref`: move zero there.
            let back = -one.reference.clone();
            let shift = match one.kind {
                Kind::Hinge => {
                    Orientation::about(&one.axis, back).map(|turn| Frame::new(no_displacement(), turn))
                }
                _ => direction(&one.axis).map(|axis| Frame::translation(axis.map(|x| x * back.clone()))),
            };
            joint.placement = joint.placement.then(&shift.unwrap_or_default());
        }
        joint.limits = self.limits(one)?;
        let (rotor_inertia, friction) = self.drive(one)?;
        joint.rotor_inertia = rotor_inertia;
        joint.friction = friction;
        Ok(())
    }

    fn place_compound(
        &mut self,
        joint: &mut Joint,
        body: &Element<'a>,
        several: &[Written<'a>],
    ) -> Result<(), FormatError> {
        let mut parts = Vec::with_capacity(several.len());
        // What the references of earlier slides displace all that follows by.
        let mut shift = no_displacement();
        let (mut first, mut driven) = (0, false);
        for one in several {
            let element = &one.styled.own;
            let refuse = |problem: &str, remedy: &str| Err(element.wrong(problem, remedy));
            if one.kind == Kind::Free {
                return refuse(
                    "a free joint beside other joints",
                    "a body that moves freely needs no other joint",
                );
            }
            if !one.wrapper.steps().is_empty() {
                return refuse("a <frame> around one of several joints", "write the joint outside the frame");
            }
            let kind = one.joint_kind();
            let dof = kind.dof();
            parts.push(CompoundPart {
                name: one.name.map_or_else(|| format!("{}:{first}", joint.name), str::to_owned),
                kind,
                axis: one.axis.clone(),
                anchor: std::array::from_fn(|k| one.anchor[k].clone() + shift[k].clone()),
            });
            first += dof;
            match (one.kind, direction(&one.axis)) {
                _ if one.reference.is_zero() => {}
                (Kind::Slide, Some(axis)) => {
                    shift =
                        std::array::from_fn(|k| shift[k].clone() - one.reference.clone() * axis[k].clone());
                }
                _ => {
                    return refuse(
                        "`ref` of a hinge beside other joints",
                        "leave it out and turn the body instead",
                    );
                }
            }
            driven |= self.drive(one)? != (0.0, Friction::default());
        }
        if driven {
            self.note(RobotNote::DrivesIgnored { place: body.place(), joint: joint.name.clone() });
        }
        joint.kind = JointKind::Compound(parts);
        if !shift.iter().all(Exact::is_zero) {
            joint.body_frame = Frame::translation(shift);
        }
        Ok(())
    }

    fn limits(&self, one: &Written<'a>) -> Result<Limits, FormatError> {
        let styled = &one.styled;
        let mut limits = Limits::default();
        let applies = |key: &str, given: bool| match styled.attribute(key) {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            None | Some("auto") => Ok(given && self.compiler.autolimits),
            Some(other) => Err(styled
                .source(key)
                .wrong(format!("{key}=\"{other}\""), "write \"true\", \"false\" or \"auto\"")),
        };
        let pair = |key: &str| match doubles(styled.source(key), key)?.as_deref() {
            None => Ok(None),
            Some([lower, upper]) => Ok(Some([*lower, *upper])),
            Some(_) => Err(styled
                .source(key)
                .wrong(format!("{key} needs two numbers"), "give the lower and the upper bound")),
        };
        let range = pair("range")?;
        if applies("limited", range.is_some())? && matches!(one.kind, Kind::Hinge | Kind::Slide) {
            let convert = |x: f64| if one.kind == Kind::Hinge { self.compiler.rough_angle(x) } else { x };
            limits.lower = range.map(|[lower, _]| convert(lower));
            limits.upper = range.map(|[_, upper]| convert(upper));
        }
        let force = pair("actuatorfrcrange")?;
        if applies("actuatorfrclimited", force.is_some())? {
            limits.effort = force.map(|[lower, upper]| lower.abs().max(upper.abs()));
        }
        Ok(limits)
    }

    /// Reflected inertia and friction.
    fn drive(&mut self, one: &Written<'a>) -> Result<(f64, Friction), FormatError> {
        let styled = &one.styled;
        let damping = doubles(styled.source("damping"), "damping")?.unwrap_or_default();
        if damping.iter().skip(1).any(|x| *x != 0.0) {
            self.note(RobotNote::OnlyLinearDamping { place: styled.source("damping").place() });
        }
        let viscous = damping.first().copied().unwrap_or(0.0);
        let coulomb = styled.source("frictionloss").double("frictionloss")?.unwrap_or(0.0);
        let armature = styled.source("armature").double("armature")?.unwrap_or(0.0);
        let stiffness = doubles(styled.source("stiffness"), "stiffness")?.unwrap_or_default();
        if stiffness.iter().any(|x| *x != 0.0) {
            self.note(RobotNote::SpringIgnored { place: styled.own.place(), element: styled.own.describe() });
        }
        Ok((armature, Friction::simple(viscous, coulomb, 0.0)))
    }

    /// Remembers the names equality constraints may use.
    fn register(&mut self, joint: &Joint, written: &[Written<'a>]) -> Result<(), FormatError> {
        let single = written.len() == 1;
        let mut component = 0;
        for one in written {
            let scalar = matches!(one.kind, Kind::Hinge | Kind::Slide);
            let coordinate = if single { joint.name.clone() } else { format!("{}:{component}", joint.name) };
            component += one.joint_kind().dof();
            let Some(name) = one.name else { continue };
            let place = one.styled.own.place();
            let named = NamedJoint { coordinate, scalar, reference: one.reference.clone(), place };
            match self.joints.entry(name) {
                Entry::Vacant(slot) => {
                    slot.insert(named);
                }
                Entry::Occupied(first) => {
                    return Err(RobotError::Duplicate {
                        place: named.place,
                        element: "joint".to_owned(),
                        name: name.to_owned(),
                        first: first.get().place.line.unwrap_or(0),
                    }
                    .into());
                }
            }
        }
        Ok(())
    }

    /// A closure solve starts where MuJoCo does: at the references.
    fn guess(&mut self, joint: &str, values: Vec<Exact>, of: &[&Written<'a>]) {
        if of.iter().any(|one| !one.reference.is_zero()) {
            let place = of[0].styled.own.place();
            self.description.guess.push(GuessEntry { coordinate: joint.to_owned(), values, place });
        }
    }

    fn guess_pose(&mut self, joint: &str, frame: &Frame, one: &Written<'a>) -> Result<(), FormatError> {
        let element = &one.styled.own;
        let pose = frame.evaluate::<f64>().map_err(|error| element.number(error.to_string()))?.value;
        let [w, x, y, z] = quaternion_of(&pose.rotation);
        let [px, py, pz] = pose.translation.0;
        let numbers = [px, py, pz, x, y, z, w];
        if numbers == [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0] {
            return Ok(());
        }
        let values = numbers.map(|x| Exact::from_f64(x).unwrap_or_else(Exact::zero)).to_vec();
        let place = element.place();
        self.description.guess.push(GuessEntry { coordinate: joint.to_owned(), values, place });
        Ok(())
    }
}

fn z_axis() -> [Exact; 3] {
    [Exact::zero(), Exact::zero(), Exact::one()]
}
