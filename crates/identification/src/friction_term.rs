//! Friction of real joints, beside viscous and Coulomb friction and an offset.

use steiner_logs::SpeedShape;

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
