//! Friction of real joints, beside viscous and Coulomb friction and an offset.

use steiner_logs::SpeedShape;
use steiner_robot::{FurtherFriction, Robot, Stribeck};

/// A term of a joint's friction, linear in its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionTerm {
    /// `fs` sign(q̇) exp(−(q̇/speed)²): more friction near rest.
    Stribeck {
        /// rad/s or m/s
        speed: f64,
    },
    /// `fr` sign(q̇) √|q̇|: a curve in speed.
    Root,
    /// `fa` |q̇|: viscous friction that differs between the directions.
    Asymmetric,
    /// `fl` sign(q̇) |τ|, where τ is what inertia and gravity ask of the joint: gears rub more under load.
    Load,
    /// `s1` sin(n q) and `c1` cos(n q): what gears and torque sensors add once (n = 1) or twice (n = 2) in a
    /// turn.
    Harmonic {
        /// n, 1 or 2.
        multiple: u8,
    },
}

impl FrictionTerm {
    /// What people call it; a Stribeck term needs a speed besides.
    pub fn name(self) -> &'static str {
        match self {
            FrictionTerm::Stribeck { .. } => "stribeck",
            FrictionTerm::Root => "curve",
            FrictionTerm::Asymmetric => "asymmetric",
            FrictionTerm::Load => "load",
            FrictionTerm::Harmonic { multiple: 1 } => "harmonic",
            FrictionTerm::Harmonic { .. } => "harmonic2",
        }
    }

    /// Whether it is a torque that depends on position.
    pub(crate) fn is_harmonic(self) -> bool {
        matches!(self, FrictionTerm::Harmonic { .. })
    }

    /// The term of that name, if it needs no speed.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let terms = [
            FrictionTerm::Root,
            FrictionTerm::Asymmetric,
            FrictionTerm::Load,
            FrictionTerm::Harmonic { multiple: 1 },
            FrictionTerm::Harmonic { multiple: 2 },
        ];
        terms.into_iter().find(|term| term.name() == name)
    }

    /// What its parameters are called.
    pub(crate) fn parameters(self) -> &'static [&'static str] {
        match self {
            FrictionTerm::Stribeck { .. } => &["fs"],
            FrictionTerm::Root => &["fr"],
            FrictionTerm::Asymmetric => &["fa"],
            FrictionTerm::Load => &["fl"],
            FrictionTerm::Harmonic { multiple: 1 } => &["s1", "c1"],
            FrictionTerm::Harmonic { .. } => &["s2", "c2"],
        }
    }

    /// The terms that a file states of a joint.
    fn stated(further: &FurtherFriction) -> Vec<Self> {
        let terms = [
            (further.load != 0.0, FrictionTerm::Load),
            (further.root != 0.0, FrictionTerm::Root),
            (further.asymmetric != 0.0, FrictionTerm::Asymmetric),
            (further.stribeck.force != 0.0, FrictionTerm::Stribeck { speed: further.stribeck.speed }),
            (further.harmonics[0] != [0.0; 2], FrictionTerm::Harmonic { multiple: 1 }),
            (further.harmonics[1] != [0.0; 2], FrictionTerm::Harmonic { multiple: 2 }),
        ];
        terms.into_iter().filter_map(|(stated, term)| stated.then_some(term)).collect()
    }

    /// The place of one of its parameters in the friction of a joint.
    fn place(self, further: &mut FurtherFriction, which: usize) -> &mut f64 {
        match self {
            FrictionTerm::Stribeck { .. } => &mut further.stribeck.force,
            FrictionTerm::Root => &mut further.root,
            FrictionTerm::Asymmetric => &mut further.asymmetric,
            FrictionTerm::Load => &mut further.load,
            FrictionTerm::Harmonic { multiple } => &mut further.harmonics[usize::from(multiple > 1)][which],
        }
    }

    /// One of its parameters as a file states it; a Stribeck term of another speed is another term.
    pub(crate) fn value(self, mut further: FurtherFriction, which: usize) -> f64 {
        match self {
            FrictionTerm::Stribeck { speed } if speed != further.stribeck.speed => 0.0,
            _ => *self.place(&mut further, which),
        }
    }

    /// Puts one of its parameters into the friction of a joint.
    pub(crate) fn put(self, further: &mut FurtherFriction, which: usize, value: f64) {
        if let FrictionTerm::Stribeck { speed } = self {
            further.stribeck = Stribeck { force: further.stribeck.force, speed };
        }
        *self.place(further, which) = value;
    }

    /// What a recording must carry of it, filtered as the forces are.
    pub(crate) fn shape(self) -> Option<SpeedShape> {
        match self {
            FrictionTerm::Stribeck { speed } => Some(SpeedShape::Stribeck { speed }),
            FrictionTerm::Root => Some(SpeedShape::Root),
            _ => None,
        }
    }
}

/// A term of the friction of one joint, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFriction {
    /// The joint; `None` for every joint with a drive.
    pub joint: Option<String>,
    /// The term.
    pub term: FrictionTerm,
}

impl JointFriction {
    /// A term of every joint.
    pub fn of_all(term: FrictionTerm) -> Self {
        JointFriction { joint: None, term }
    }

    /// Whether a joint has it.
    pub(crate) fn is_of(&self, joint: &str) -> bool {
        self.joint.as_deref().is_none_or(|own| own == joint)
    }
}

/// The further terms that a robot's file states of its joints, without those of joints and names that are there
/// already.
pub(crate) fn stated_by(robot: &Robot, given: &[JointFriction]) -> Vec<JointFriction> {
    let mut out = Vec::new();
    for joint in robot.bodies.iter().map(|body| &body.joint).filter(|joint| joint.kind.dof() == 1) {
        for term in FrictionTerm::stated(&joint.friction.further) {
            let is_same = |of: &JointFriction| of.is_of(&joint.name) && of.term.name() == term.name();
            if !given.iter().any(is_same) {
                out.push(JointFriction { joint: Some(joint.name.clone()), term });
            }
        }
    }
    out
}
