//! Random descriptions of robots, with everything a native file can say.

use steiner_files::Place;
use steiner_robot::{
    Actuation, CouplingDescription, Description, Frame, Friction, GuessEntry, Joint, JointKind, Limits, Link,
    LoopDescription, LoopKind, LoopSide, Mention, Orientation, TreeJoint,
};
use steiner_scalar::Exact;

use super::dice::Dice;

fn random_number(dice: &mut Dice) -> Exact {
    let text = match dice.below(8) {
        0 => "0".to_owned(),
        1 => format!("{}", dice.below(7) as i64 - 3),
        2 => "sqrt(3)/2".to_owned(),
        3 => "1/3".to_owned(),
        4 => "-2.5e-9".to_owned(),
        5 => format!("{:e}", dice.signed() * 1e40),
        _ => format!("{:.3}", dice.signed()),
    };
    Exact::parse(&text).unwrap()
}

fn random_angle(dice: &mut Dice) -> Exact {
    let text = match dice.below(5) {
        0 | 1 => "0".to_owned(),
        2 => format!("{}*pi/12", dice.below(25) as i64 - 12),
        3 => format!("{:.4}", 3.0 * dice.signed()),
        _ => "atan(1/3)".to_owned(),
    };
    Exact::parse(&text).unwrap()
}

fn random_frame(dice: &mut Dice) -> Frame {
    let mut frame = Frame::identity();
    for _ in 0..dice.below(4) {
        let length = |dice: &mut Dice| Exact::parse(&format!("{:.2}", dice.signed())).unwrap();
        let xyz = [length(dice), length(dice), Exact::zero()];
        let orientation = match dice.below(4) {
            0 => Orientation::Quaternion(std::array::from_fn(|k| {
                if k == 0 { Exact::one() } else { Exact::parse(&format!("{:.2}", dice.signed())).unwrap() }
            })),
            _ => Orientation::RollPitchYaw([random_angle(dice), random_angle(dice), random_angle(dice)]),
        };
        frame = frame.then(&Frame::new(xyz, orientation));
    }
    frame
}

fn random_axis(dice: &mut Dice) -> [Exact; 3] {
    [random_number(dice), random_number(dice), Exact::one()]
}

/// Parallel to none of the random axes.
fn second_axis() -> [Exact; 3] {
    [Exact::one(), Exact::one(), Exact::parse("-sqrt(7)").unwrap()]
}

/// Up to seven bodies, perhaps with a loop and a coupling.
pub fn random_description(dice: &mut Dice) -> Description {
    let place = Place::file("random");
    let mut d =
        Description { name: format!("random \"{}\"\n\\", dice.below(9)), place, ..Description::default() };
    let count = 1 + dice.below(7);
    let mut one_dof = Vec::new();
    for k in 0..count {
        let kind = match dice.below(if k == 0 { 9 } else { 11 }) {
            0..=2 => JointKind::Revolute,
            3 => JointKind::Continuous,
            4 => JointKind::Prismatic,
            5 => JointKind::Helical { pitch: random_number(dice) },
            6 => JointKind::Cylindrical,
            7 => JointKind::Universal { axis2: second_axis() },
            8 => JointKind::Floating,
            9 => JointKind::Spherical,
            _ => JointKind::Fixed,
        };
        let (link, joint) = (format!("link {k}é"), format!("{}.joint", 9 - k));
        if kind.dof() == 1 {
            one_dof.push(joint.clone());
        }
        let limit = |dice: &mut Dice| dice.chance(30).then(|| dice.signed());
        d.links.push(Link {
            name: link.clone(),
            inertia: dice.chance(70).then(|| dice.inertia()),
            capsules: Vec::new(),
            place: Place::file("random"),
        });
        d.joints.push(TreeJoint {
            joint: Joint {
                name: joint,
                kind,
                placement: random_frame(dice),
                axis: random_axis(dice),
                body_frame: random_frame(dice),
                limits: Limits {
                    velocity: limit(dice),
                    effort: limit(dice),
                    upper: limit(dice),
                    ..Limits::default()
                },
                rotor_inertia: dice.signed().abs(),
                friction: Friction::simple(dice.signed(), 0.0, dice.signed()),
                actuation: if dice.chance(20) { Actuation::Passive } else { Actuation::Motor },
            },
            parent: (k > 0 && dice.chance(90)).then(|| format!("link {}é", dice.below(k))),
            child: link,
            place: Place::file("random"),
        });
    }
    if dice.chance(50) {
        d.loops.push(LoopDescription {
            name: "loop".to_owned(),
            kind: if dice.chance(50) {
                LoopKind::Universal { axis2: second_axis() }
            } else {
                LoopKind::Fixed
            },
            predecessor: LoopSide { link: None, frame: random_frame(dice) },
            successor: LoopSide { link: Some(d.links[0].name.clone()), frame: random_frame(dice) },
            axis: random_axis(dice),
            place: Place::file("random"),
        });
    }
    if let [first, .., last] = &one_dof[..] {
        d.couplings.push(CouplingDescription {
            name: "gear".to_owned(),
            coordinate: first.clone(),
            terms: vec![(last.clone(), random_number(dice))],
            offset: random_number(dice),
            is_mimic: dice.chance(50),
            place: Place::file("random"),
        });
        d.guess.push(GuessEntry {
            coordinate: last.clone(),
            values: vec![random_number(dice)],
            place: Place::file("random"),
        });
        d.independent = Some(vec![Mention { name: last.clone(), place: Place::file("random") }]);
        d.dependent = vec![Mention { name: first.clone(), place: Place::file("random") }];
    }
    d.gravity = dice.chance(50).then(|| random_axis(dice));
    d.planar = dice.chance(20);
    d
}
