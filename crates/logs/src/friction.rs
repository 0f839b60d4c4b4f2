//! Dry friction as signals: what a drive's speed makes of it, sample by sample, treated as the forces were.
//!
//! The equations of motion are linear in their parameters, so that they hold between filtered forces and
//! filtered columns of the regressor. Columns of smooth motions hardly notice the difference, but sign(q̇)
//! jumps, and what a low-pass filter leaves of the jump is in the forces for some hundredths of a second
//! around every reversal. Where forces are filtered, dry friction is therefore evaluated at the full rate,
//! filtered and thinned out as they are, and carried beside them.

use crate::channels::Channels;

/// Slower than this, rad/s or m/s, a speed is what rounding leaves of standing still, and has no sign.
const ROUNDING: f64 = 1e-9;

/// Where exp(−x) is nothing.
const FADED: f64 = 200.0;

/// Dry friction over velocity.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum DryFriction {
    /// `sign(q̇)`; nothing at rest.
    #[default]
    Sign,
    /// `tanh(q̇ / speed)`: as `sign` beyond a few `speed` (rad/s or m/s), and
    /// smooth where velocities are noisy.
    Smoothed {
        /// rad/s or m/s
        speed: f64,
    },
}

impl DryFriction {
    /// Force per unit of the parameter at a speed in rad/s or m/s.
    #[inline(always)]
    pub fn at(&self, v: f64) -> f64 {
        match self {
            DryFriction::Sign if v == 0.0 => 0.0,
            DryFriction::Sign => v.signum(),
            DryFriction::Smoothed { speed } => (v / speed).tanh(),
        }
    }
}

/// A motor that turns with several joints, as those of coupled wrists do.
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledDrive {
    /// Its name: the parameters are `name.Ia`, `name.fv`, `name.fc`.
    pub name: String,
    /// (joint, factor): its speed is the sum of factor times joint velocity, and its force
    /// acts back with the same factors.
    pub joints: Vec<(String, f64)>,
    /// Only what a joint feels of the *others*: inertia and viscous friction leave out each joint's own
    /// term, which then is part of the joint's own drive (as published tables of coupled wrists have
    /// it). Then they may be negative.
    pub crosswise: bool,
}

/// How dry friction changes with speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SpeedShape {
    /// Not at all.
    #[default]
    Constant,
    /// exp(−(v/speed)²): what is more at rest than in motion.
    Stribeck {
        /// rad/s or m/s
        speed: f64,
    },
    /// √|v|: friction that grows fast at first and slowly later, as that of lubricated gears does.
    Root,
}

/// Dry friction over speed: sign(v) or what stands for it, times a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionLaw {
    /// sign(v), or what stands for it.
    pub dry: DryFriction,
    /// What multiplies it.
    pub shape: SpeedShape,
}

impl FrictionLaw {
    /// Force per unit of the parameter at a speed in rad/s or m/s.
    #[inline(always)]
    pub fn at(&self, speed: f64) -> f64 {
        let dry = self.dry.at(speed);
        match self.shape {
            SpeedShape::Constant => dry,
            SpeedShape::Stribeck { speed: usual } => {
                let square = (speed / usual).powi(2);
                // Not down to numbers whose squares underflow.
                if square < FADED { dry * (-square).exp() } else { 0.0 }
            }
            SpeedShape::Root => dry * speed.abs().sqrt(),
        }
    }
}

/// What multiplies a parameter of dry friction: a law of the speed of a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionFunction {
    /// The drive's speed is the sum of factor times velocity over these independent coordinates.
    pub speed: Vec<(usize, f64)>,
    /// What it makes of it.
    pub law: FrictionLaw,
}

impl FrictionFunction {
    /// Its values along velocities, `count × dof`, sample-major.
    pub fn along(&self, qd: &[f64], dof: usize) -> Vec<f64> {
        qd.chunks(dof.max(1))
            .map(|qd| self.law.at(self.speed.iter().map(|&(k, c)| c * qd[k]).sum()))
            .collect()
    }

    /// Its values along columns of velocities that were derived, each with `count` samples.
    pub(crate) fn along_columns(&self, qd: &[Vec<f64>], count: usize) -> Vec<f64> {
        let speed = |sample: usize| self.speed.iter().map(|&(k, c)| c * qd[k][sample]).sum::<f64>();
        let value = |speed: f64| if speed.abs() < ROUNDING { 0.0 } else { self.law.at(speed) };
        (0..count).map(|sample| value(speed(sample))).collect()
    }
}

/// A friction function along a recording whose forces were filtered, filtered alike.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionSignal {
    /// The function of the velocity that was filtered.
    pub function: FrictionFunction,
    /// One value for each sample.
    pub values: Vec<f64>,
}

/// Which dry friction a model has; says which signals a recording must carry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionModel {
    /// Shape of dry friction over velocity. Default `Sign`.
    pub dry: DryFriction,
    /// Dry friction that changes with speed, beside the constant one: (joint, or all joints; shape). Default
    /// none.
    pub shapes: Vec<(Option<String>, SpeedShape)>,
    /// Motors that turn with several joints. Default none.
    pub coupled_drives: Vec<CoupledDrive>,
}

impl FrictionModel {
    /// The functions of all drives that act on some of the `measured` independent coordinates.
    /// Drives of joints that follow others through loops have none: their speed is no fixed
    /// sum of independent velocities.
    pub(crate) fn functions(&self, channels: &Channels, measured: &[usize]) -> Vec<FrictionFunction> {
        let dry = FrictionLaw { dry: self.dry, shape: SpeedShape::Constant };
        let joint = |k: &usize| channels.joint_of(&channels.velocities[*k]);
        let single = |k: &usize| joint(k).motion.is_single();
        let mut out = Vec::new();
        for coordinate in measured.iter().copied().filter(single) {
            let name = &joint(&coordinate).name;
            let shaped = self.shapes.iter().filter(|(of, _)| of.as_ref().is_none_or(|of| of == name));
            let laws = shaped.map(|&(_, shape)| FrictionLaw { shape, ..dry });
            let own = std::iter::once(dry).chain(laws);
            out.extend(own.map(|law| FrictionFunction { speed: vec![(coordinate, 1.0)], law }));
        }
        let place =
            |name: &str| (0..channels.velocities.len()).filter(single).find(|k| joint(k).name == name);
        for drive in &self.coupled_drives {
            // Joints that do not exist are complained of when the problem is stated.
            let speed: Option<Vec<_>> =
                drive.joints.iter().map(|(joint, factor)| Some((place(joint)?, *factor))).collect();
            let felt = |speed: &Vec<(usize, f64)>| speed.iter().any(|(k, _)| measured.contains(k));
            out.extend(speed.filter(felt).map(|speed| FrictionFunction { speed, law: dry }));
        }
        out
    }
}
