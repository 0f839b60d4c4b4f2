//! Why an identification cannot be done.

use steiner_dynamics::DynamicsError;
use steiner_identifiability::IdentifiabilityError;

use steiner_logs::LogError;
use steiner_robot::RobotError;

/// Errors of an identification: the question, the data or the two together are at fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum IdentificationError {
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    #[error(transparent)]
    Identifiability(#[from] IdentifiabilityError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Robot(#[from] RobotError),
    #[error("`{what}` has {found} numbers where {count} samples of {width} make {wanted}")]
    Shape { what: String, found: usize, count: usize, width: usize, wanted: usize },
    #[error(
        "`{what}` is not finite in sample {sample}; leave the sample out, or the measurement if it never was taken"
    )]
    NotFinite { what: String, sample: usize },
    #[error("the force of {row} is asked for by `{measure}`, but it was not recorded; measure {others}")]
    NotRecorded { row: String, measure: String, others: String },
    #[error(
        "the log has no forces: no column tau_JOINT, and no wrench_LINK_fx … tz; record them, or ask only what its motion excites"
    )]
    NoForces,
    #[error("{robot}: there is no link `{link}`{hint}; name a body, or a link fixed to one")]
    UnknownLink { robot: String, link: String, hint: String },
    #[error("{robot}: link `{link}` is fixed to `{body}`, and they move as one body; name `{body}` instead")]
    FixedLink { robot: String, link: String, body: String },
    #[error(
        "{file}: the wrench of `{place}` is of no link or joint of {robot}{hint}; say in a mapping file where it acts, or leave it out"
    )]
    StrangeWrench { file: String, place: String, robot: String, hint: String },
    #[error(
        "{robot} floats, and the log has no wrench that carries it, but it does not fall (its base accelerates with {falls:.0} % of gravity); record the wrenches of its contacts as wrench_LINK_fx … wrench_LINK_tz, or say that it flies freely"
    )]
    Carried { robot: String, falls: f64 },
    #[error("{robot}: there is no joint `{joint}`{hint}, which {what} names")]
    UnknownJoint { robot: String, joint: String, hint: String, what: String },
    #[error(
        "{robot}: `{joint}` has several degrees of freedom or depends on others, and {what} needs one that is independent"
    )]
    NotOneCoordinate { robot: String, joint: String, what: String },
    #[error(
        "the gains of all measured forces are unknown and nothing is known in N·m: forces and parameters could grow together; fix a mass or a gain, or add a log with a known payload"
    )]
    NoScale,
    #[error(
        "the equations of a base that flies freely tell ratios of masses only; measure a torque of a joint too, or fix a mass"
    )]
    NoScaleInFlight,
    #[error(
        "the gains do not settle: the log cannot tell currents from forces; give one of the gains or the mass of a link, or record with a known payload"
    )]
    GainsUnsettled,
    #[error(
        "{samples} sample{} to learn from {} too few for {unknown} unknowns; record more, hold less out, or ask for less",
        if *samples == 1 { "" } else { "s" }, if *samples == 1 { "is" } else { "are" }
    )]
    TooFewSamples { samples: usize, unknown: usize },
    #[error(
        "no joint moves whose force was recorded ({}), and dry friction at rest is not determined; record a motion, or \
         leave drives and their friction out", rows.join(", ")
    )]
    NothingMoves { rows: Vec<String> },
    #[error(
        "the numbers of the log lead to no finite result; check the units of its columns, and look for huge values"
    )]
    NoFiniteResult,
    #[error("nothing can be identified from `{measure}` with what is known")]
    NothingToIdentify { measure: String },
    #[error("{what} is {value}; {remedy}")]
    Setting { what: String, value: String, remedy: String },
    #[error("the bounds contradict each other: {why}; loosen them")]
    Infeasible { why: String },
    #[error(
        "no consistent model could be found that is provably the best one{}; check the units and time stamps of the log, bound masses, or ask for least squares without consistency",
        if gap.is_finite() { format!(" (it may miss the minimum of ½χ² by {gap:.3e})") } else { String::new() }
    )]
    NotOptimal { gap: f64 },
    #[error(
        "the iv estimator filters the recorded motion a second time, and here it comes filtered already; identify from log files or from arrays of what was recorded"
    )]
    NoInstruments,
    #[error(
        "{log}: no motion was filtered, so that the iv estimator has no instruments; give a cut-off in Hz, or use the weighted estimator"
    )]
    NothingFiltered { log: String },
    #[error(
        "{log}: motion filtered a second time, for the iv estimator, has other samples near {time} s; use the weighted estimator"
    )]
    OtherSamples { log: String, time: f64 },
    #[error("the simulation estimator {why}; use the weighted estimator, or iv")]
    NotSimulated { why: String },
    #[error(
        "a simulation of {dof} joints over {steps} steps takes too long (at most {most}); identify from a part of the log with from and to, or use the weighted estimator"
    )]
    SimulationTooLong { steps: usize, dof: usize, most: usize },
    #[error(
        "simulated motion is not at its optimum after {seconds} s and {steps} steps; identify from a part of the log with from and to, choose shorter windows, as in simulation=0.3, or use the weighted estimator"
    )]
    SimulationSlow { seconds: u64, steps: usize },
    #[error(
        "simulated motion comes nowhere near an optimum; choose shorter windows, as in simulation=0.3, or use the weighted estimator"
    )]
    SimulationUnsettled,
    #[error("the work was interrupted")]
    Interrupted,
    #[error("the {what} of the motion cannot be reached: {why}; {remedy}")]
    NoMotion { what: String, why: String, remedy: String },
}
