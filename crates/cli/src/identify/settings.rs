//! What is asked of an identification: model, estimator and bounds.

use clap::Args;
use steiner::dynamics::Mechanism;
use steiner::identification::{
    Bounds, CentreBound, Estimator, FrictionTerm, FrictionWish, JointFriction, SettingNote, Settings,
};
use steiner::logs::{CoupledDrive, DryFriction};

use super::centre::{Centre, parse_centre};
use super::parse::{parse_drive, parse_mass};
use crate::arguments::{RobotArguments, parse_known};
use crate::output::Failure;
use crate::parse::parse_positive;

/// Which numbers are unknown.
#[derive(Args, Debug)]
#[command(next_help_heading = "Model")]
pub(super) struct UnknownArguments {
    /// What is measured: all, joints:a,b, base-wrench, wrench:joint, joined by +. By default what the log has.
    #[arg(long, value_name = "TERMS")]
    pub(super) measure: Option<String>,
    /// Leave rotor inertia and friction out of the model.
    #[arg(long)]
    no_drives: bool,
    /// Dry friction as tanh(q̇/speed) instead of sign(q̇); rad/s or m/s.
    #[arg(long, value_name = "SPEED", value_parser = parse_positive)]
    tanh: Option<f64>,
    /// A Stribeck term sign(q̇) exp(−(q̇/speed)²) for every drive; rad/s or m/s.
    #[arg(long, value_name = "SPEED", value_parser = parse_positive)]
    stribeck: Option<f64>,
    /// Friction beside viscous and Coulomb: auto (cross-validation decides for each joint), simple, or terms.
    ///
    /// simple is none. Terms are load, curve, asymmetric, harmonic, harmonic2, stribeck=SPEED; for one joint as
    /// in joint2:load.
    #[arg(long, value_name = "TERMS", default_value = "auto")]
    friction: FrictionWish,
    /// A motor that turns with several joints, as in wrist=joint5:1,joint6:1.
    ///
    /// `crosswise:wrist=…` is what each joint feels of the others alone. May be repeated.
    #[arg(long = "drive", value_name = "NAME=JOINT:FACTOR,…", value_parser = parse_drive)]
    drives: Vec<CoupledDrive>,
    /// Joints whose tau is a current with unknown gain; fix a mass, or leave one joint in N·m.
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    unknown_gain: Vec<String>,
    /// Parameters that are known, as in link6.m=0.09 (kg, kg m, kg m²); may be repeated.
    #[arg(long, value_name = "PARAMETER=VALUE,…", value_delimiter = ',', value_parser = parse_known)]
    fix: Vec<(String, f64)>,
    /// Only the ten parameters of this link are unknown; all others are the file's.
    #[arg(long, value_name = "LINK")]
    payload: Option<String>,
    /// Base parameters to keep where there is a choice.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    keep: Vec<String>,
    /// Base parameters to express by others where there is a choice.
    #[arg(long, value_name = "PARAMETER,…", value_delimiter = ',')]
    eliminate: Vec<String>,
    /// Use a joint's force only while it is at least as fast, as in joint1=0.05 (rad/s or m/s).
    #[arg(long, value_name = "JOINT=SPEED,…", value_delimiter = ',', value_parser = parse_known)]
    least_speed: Vec<(String, f64)>,
    /// A floating robot flies freely in this log: nothing carries it.
    #[arg(long)]
    free_flight: bool,
}

/// How they are found.
#[derive(Args, Debug)]
#[command(next_help_heading = "Estimate")]
pub(super) struct EstimateArguments {
    /// weighted, ordinary, huber, iv, simulation or ridge.
    ///
    /// weighted: least squares, each joint by its noise. huber: for logs with shocks. iv: instrumental variables,
    /// where noisy accelerations would make inertias too small. simulation: output error, for small robots
    /// (simulation=0.5 for windows of 0.5 s). ridge: a pull towards the file's inertias (ridge=100 takes them as
    /// known to 10 %).
    #[arg(long, value_name = "ESTIMATOR", default_value = "weighted")]
    estimator: Estimator,
    /// Take least squares as they are, even if no body could have such inertias.
    #[arg(long, conflicts_with_all = ["mass", "total_mass", "centre"])]
    no_consistency: bool,
    /// Bounds on a link's mass in kg, as in link1=3:5.
    #[arg(long, value_name = "LINK=LEAST:MOST", value_delimiter = ',', value_parser = parse_mass)]
    mass: Vec<(String, f64, f64)>,
    /// Mass of all bodies together, kg.
    #[arg(long, value_name = "KG", value_parser = parse_positive)]
    total_mass: Option<f64>,
    /// Where a link's centre of mass can be: in a box, or within its mesh (link1=mesh, all=mesh).
    ///
    /// A box is two corners in the link's frame, m, as in link1=-0.1,-0.1,0:0.1,0.1,0.3. link1=mesh is the
    /// convex hull of its shape in the URDF; all=mesh is every link that has one. May be repeated.
    #[arg(long, value_name = "LINK=WHERE", value_parser = parse_centre, allow_hyphen_values = true)]
    centre: Vec<(String, Centre)>,
    /// Remove base parameters that do not differ significantly from zero.
    #[arg(long)]
    essential: bool,
    /// Length in samples of the blocks for σ under correlated noise (default: at least 40 blocks).
    #[arg(long, value_name = "SAMPLES", value_parser = clap::value_parser!(u64).range(1..))]
    block: Option<u64>,
}

impl UnknownArguments {
    /// Shape of dry friction over velocity.
    fn dry_friction(&self) -> DryFriction {
        self.tanh.map_or(DryFriction::Sign, |speed| DryFriction::Smoothed { speed })
    }

    fn friction_terms(&self) -> Vec<JointFriction> {
        let mut terms: Vec<JointFriction> = self
            .stribeck
            .iter()
            .map(|&speed| JointFriction::of_all(FrictionTerm::Stribeck { speed }))
            .collect();
        if let FrictionWish::Terms(wanted) = &self.friction {
            terms.extend_from_slice(wanted);
        }
        terms
    }

    /// Whether the log decides about friction: not where terms were asked for, drives are not in the model, or
    /// only a payload is unknown.
    fn chooses_friction(&self) -> bool {
        let asked = self.stribeck.is_some() || self.no_drives || self.payload.is_some();
        self.friction == FrictionWish::Auto && !asked
    }

    /// The settings of an identification; what is measured is for the logs to say.
    pub(super) fn settings(
        &self,
        estimate: &EstimateArguments,
        centres: Vec<(String, CentreBound)>,
    ) -> Settings {
        let bounds = Bounds {
            masses: estimate.mass.clone(),
            total_mass: estimate.total_mass,
            centres,
            ..Bounds::default()
        };
        Settings {
            drives: !self.no_drives,
            dry_friction: self.dry_friction(),
            friction_terms: self.friction_terms(),
            friction_of_file: self.friction == FrictionWish::Auto,
            choose_friction: self.chooses_friction(),
            coupled_drives: self.drives.clone(),
            unknown_gains: self.unknown_gain.clone(),
            known: self.fix.clone(),
            payload: self.payload.clone(),
            keep: self.keep.clone(),
            eliminate: self.eliminate.clone(),
            least_speed: self.least_speed.clone(),
            free_flight: self.free_flight,
            estimator: estimate.estimator,
            consistent: (!estimate.no_consistency).then_some(bounds),
            essential: estimate.essential,
            block: estimate.block.map(|block| block as usize),
            ..Settings::default()
        }
    }
}

impl EstimateArguments {
    /// Bounds on centres of mass, shapes read from their files; what was read goes to the notes.
    pub(super) fn centres(
        &self,
        mechanism: &Mechanism,
        robot: &RobotArguments,
        notes: &mut Vec<SettingNote>,
    ) -> Result<Vec<(String, CentreBound)>, Failure> {
        super::centre::bounds(&self.centre, mechanism, robot, notes)
    }
}
