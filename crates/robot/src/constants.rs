//! Named lengths and angles: other values for them, and names where a file gives none.

use std::cell::RefCell;

use steiner_scalar::{EvaluationError, Exact};

use crate::description::{Constant, ConstantKind, LoopKind};
use crate::frame::{Frame, Orientation, Step};
use crate::joint::{Joint, JointKind};
use crate::robot::{BodyIndex, LoopJoint, Robot, RobotParts};

impl Robot {
    /// Every number of the geometry, the gears and the starting configuration through a function.
    fn map_numbers(&self, f: &dyn Fn(&Exact) -> Exact) -> RobotParts {
        let mut robot = self.clone().into_parts();
        let three = |v: &[Exact; 3]| std::array::from_fn(|k| f(&v[k]));
        robot.gravity = three(&self.gravity);
        for body in &mut robot.bodies {
            body.joint = mapped_joint(&body.joint, f);
            body.lumped.iter_mut().for_each(|link| link.frame = mapped_frame(&link.frame, f));
        }
        robot.ground.iter_mut().for_each(|link| link.frame = mapped_frame(&link.frame, f));
        for closure in &mut robot.loops {
            closure.predecessor.frame = mapped_frame(&closure.predecessor.frame, f);
            closure.successor.frame = mapped_frame(&closure.successor.frame, f);
            closure.axis = three(&closure.axis);
            if let LoopKind::Universal { axis2 } = &mut closure.kind {
                *axis2 = three(axis2);
            }
        }
        for coupling in &mut robot.couplings {
            coupling.terms.iter_mut().for_each(|(_, factor)| *factor = f(factor));
            coupling.offset = f(&coupling.offset);
        }
        robot.reference.iter_mut().for_each(|x| *x = f(x));
        robot
    }

    /// Every number of the geometry, the gears and the starting configuration.
    pub fn numbers(&self) -> Vec<Exact> {
        let numbers = RefCell::new(Vec::new());
        self.map_numbers(&|x| {
            numbers.borrow_mut().push(x.clone());
            x.clone()
        });
        numbers.into_inner()
    }

    /// The numbers that place the joints of each loop: those of the bodies between its two
    /// sides, and of the sides themselves.
    pub fn numbers_around_loops(&self) -> Vec<Vec<Exact>> {
        let towards_base = |body: Option<BodyIndex>| -> Vec<usize> {
            let parent = |body: &BodyIndex| self.bodies[body.0].parent;
            std::iter::successors(body, parent).map(|body| body.0).collect()
        };
        let around = |closure: &LoopJoint| {
            let sides = [&closure.predecessor, &closure.successor];
            let [one, other] = sides.map(|side| towards_base(side.body));
            let numbers = RefCell::new(Vec::new());
            let note = |x: &Exact| {
                numbers.borrow_mut().push(x.clone());
                x.clone()
            };
            let only_one = one.iter().filter(|body| !other.contains(body));
            for &body in only_one.chain(other.iter().filter(|body| !one.contains(body))) {
                mapped_joint(&self.bodies[body].joint, &note);
            }
            sides.iter().for_each(|side| _ = mapped_frame(&side.frame, &note));
            numbers.into_inner()
        };
        self.loops.iter().map(around).collect()
    }

    /// Named constants that are not defined by others.
    pub fn free_constants(&self) -> Vec<&Constant> {
        let names: Vec<&str> = self.constants.iter().map(|constant| constant.name.as_str()).collect();
        self.constants
            .iter()
            .filter(|constant| !constant.value.mentions(&|name| names.contains(&name)))
            .collect()
    }

    /// The same mechanism with other values for its named constants (m, rad). Constants defined by them
    /// follow; inertias and what the file said stay as they were.
    pub fn with_constants(&self, values: &[(String, Exact)]) -> Result<Robot, EvaluationError> {
        let mut constants: Vec<Constant> = Vec::with_capacity(self.constants.len());
        for constant in &self.constants {
            let given =
                values.iter().find(|(name, _)| *name == constant.name).map(|(_, value)| value.clone());
            let follows =
                |name: &str| constants.iter().find(|c: &&Constant| c.name == name).map(|c| c.value.clone());
            let value = given.unwrap_or_else(|| constant.value.with_symbols(&follows));
            value.to_f64()?;
            let symbol = Exact::symbol(constant.name.clone(), value.clone());
            constants.push(Constant { name: constant.name.clone(), kind: constant.kind, symbol, value });
        }
        let value = |name: &str| constants.iter().find(|c| c.name == name).map(|c| c.value.clone());
        let mut robot = self.map_numbers(&|x| x.with_symbols(&value));
        robot.constants = constants;
        Ok(Robot::trusted(robot))
    }

    /// The same mechanism with a name for every length that isn't zero, and for every
    /// angle that is no multiple of 15°.
    ///
    /// The joint of body k (from 1) is at a‹k›, b‹k›, d‹k› along x, y, z of the parent's body frame; Denavit
    /// and Hartenberg's lengths keep their letters. What is behind the joint in the body (`frame`) is named
    /// likewise. Zeros stay zeros: alignments stay.
    pub fn with_named_constants(&self) -> Robot {
        let mut robot = self.clone().into_parts();
        let mut names = Names { constants: robot.constants.clone() };
        for (k, body) in robot.bodies.iter_mut().enumerate() {
            body.joint.placement = names.frame(&body.joint.placement, &format!("{}", k + 1));
            body.joint.body_frame = names.frame(&body.joint.body_frame, &format!("{}", k + 1));
            if let JointKind::Helical { pitch } = &mut body.joint.kind {
                *pitch = names.length(pitch, &format!("h{}", k + 1));
            }
        }
        for (k, closure) in robot.loops.iter_mut().enumerate() {
            let suffix = if k == 0 { String::new() } else { format!("{}", k + 1) };
            closure.predecessor.frame = names.frame(&closure.predecessor.frame, &format!("p{suffix}"));
            closure.successor.frame = names.frame(&closure.successor.frame, &format!("s{suffix}"));
        }
        robot.constants = names.constants;
        Robot::trusted(robot)
    }
}

fn mapped_frame(frame: &Frame, f: &dyn Fn(&Exact) -> Exact) -> Frame {
    frame.map_steps(|step| Step {
        xyz: std::array::from_fn(|k| f(&step.xyz[k])),
        orientation: match &step.orientation {
            Orientation::RollPitchYaw(angles) => {
                Orientation::RollPitchYaw(std::array::from_fn(|k| f(&angles[k])))
            }
            Orientation::Quaternion(q) => Orientation::Quaternion(std::array::from_fn(|k| f(&q[k]))),
            Orientation::Matrix(m) => {
                Orientation::Matrix(std::array::from_fn(|r| std::array::from_fn(|c| f(&m[r][c]))))
            }
        },
    })
}

fn mapped_joint(joint: &Joint, f: &dyn Fn(&Exact) -> Exact) -> Joint {
    let three = |v: &[Exact; 3]| std::array::from_fn(|k| f(&v[k]));
    let mut out = joint.clone();
    out.placement = mapped_frame(&joint.placement, f);
    out.body_frame = mapped_frame(&joint.body_frame, f);
    out.axis = three(&joint.axis);
    match &mut out.kind {
        JointKind::Helical { pitch } => *pitch = f(pitch),
        JointKind::Universal { axis2 } => *axis2 = three(axis2),
        JointKind::Compound(parts) => {
            for part in parts {
                part.axis = three(&part.axis);
                part.anchor = three(&part.anchor);
            }
        }
        _ => {}
    }
    out
}

/// Names given so far.
struct Names {
    constants: Vec<Constant>,
}

impl Names {
    fn frame(&mut self, frame: &Frame, suffix: &str) -> Frame {
        frame.map_steps(|step| {
            let xyz = std::array::from_fn(|k| {
                self.length(&step.xyz[k], &format!("{}{suffix}", ["a", "b", "d"][k]))
            });
            let orientation = match &step.orientation {
                Orientation::RollPitchYaw(angles) => Orientation::RollPitchYaw(std::array::from_fn(|k| {
                    self.angle(&angles[k], &format!("{}{suffix}", ["roll", "pitch", "yaw"][k]))
                })),
                other => other.clone(),
            };
            Step { xyz, orientation }
        })
    }

    /// A name for a number that is not zero and has none; negative lengths keep their sign outside.
    fn length(&mut self, x: &Exact, name: &str) -> Exact {
        let known: Vec<String> = self.constants.iter().map(|constant| constant.name.clone()).collect();
        if x.is_zero() || x.mentions(&|name| known.iter().any(|other| other == name)) {
            return x.clone();
        }
        match x.to_f64() {
            Ok(value) if value < 0.0 => -self.named(-x.clone(), name, ConstantKind::Length),
            _ => self.named(x.clone(), name, ConstantKind::Length),
        }
    }

    fn angle(&mut self, x: &Exact, name: &str) -> Exact {
        let known: Vec<String> = self.constants.iter().map(|constant| constant.name.clone()).collect();
        let is_special =
            x.is_zero() || x.pi_multiple().is_some_and(|r| (r * steiner_scalar::Rational::from(12)).is_int());
        if is_special || x.mentions(&|name| known.iter().any(|other| other == name)) {
            return x.clone();
        }
        self.named(x.clone(), name, ConstantKind::Angle)
    }

    fn named(&mut self, value: Exact, wanted: &str, kind: ConstantKind) -> Exact {
        let taken = |name: &str| self.constants.iter().any(|constant| constant.name == name);
        let candidates = std::iter::once(wanted.to_owned()).chain((2..).map(|k| format!("{wanted}_{k}")));
        let Some(name) = candidates.into_iter().find(|name| !taken(name)) else { return value };
        let symbol = Exact::symbol(name.clone(), value.clone());
        self.constants.push(Constant { name, kind, symbol: symbol.clone(), value });
        symbol
    }
}
