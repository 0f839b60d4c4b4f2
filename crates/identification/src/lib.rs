//! Logs of robots: what was recorded, read with care, as the motion of a mechanism;
//! and the parameters found in it.
//!
//! Logs are read by `steiner_logs`; [`channels`] tells it which columns a mechanism may have.
//! [`RecordedLogs`] hands them over part by part.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_identification::channels;
//! use steiner_logs::{Log, Processing, Recording};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let arm = Mechanism::new(read_robot("two_link", &ReadOptions::default()).unwrap()).unwrap();
//! let text = "t,q_link1,q_link2\n0,0,0\n0.1,0.01,0.02\n0.2,0.04,0.02\n0.3,0.09,0.01\n";
//! let log = Log::parse_csv(text, "log.csv").unwrap();
//! let recording = Recording::of(&channels(&arm), &log, &Processing::default()).unwrap();
//! assert_eq!(recording.count, 2); // the two borders have no derivative
//! assert_eq!(recording.q[..2], [0.01, 0.02]);
//! ```
//!
//! # Identification
//! What was recorded is linear in the unknowns: for every measured row and sample, Y_r β = y_r + Σ_k J_kᵀ Γ_k
//! with the base parameters β of bodies and drives ([`Problem`]). One pass reduces a log to small triangles
//! ([`Reduced`]); [`identify`] weighs rows by their noise, states uncertainties, and returns the nearest
//! physically consistent model. [`simulate`] makes logs to try it with.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_identification::{SensorFaults, Settings, Simulation, identify, simulate};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let arm = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
//! let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
//! let log = simulate(&arm, &Simulation { duration: 10.0, rate: 100.0, faults, ..Simulation::default() }).unwrap();
//! let found = identify(&arm, &log, &Settings::default()).unwrap();
//! assert_eq!(found.parameters.len(), 58); // 36 of bodies, 22 of drives
//! assert!(found.training.model.total < 0.011 && found.is_consistent());
//! ```

mod accumulate;
mod accumulator;
mod alarm;
mod align;
mod all_parameters;
mod attenuation;
mod channels;
mod check;
mod checked;
mod comparison;
mod consistent;
mod deviations;
mod drive_forces;
mod estimate;
mod excitation;
mod failure;
mod free_flight;
mod friction_in_files;
mod friction_term;
mod friction_trials;
mod identification;
mod identified_file;
mod identify;
mod information;
mod lateness;
mod long_run;
mod metric;
mod motion_trials;
mod note;
mod output_error;
mod payload;
mod predict;
mod problem;
mod recorded_logs;
pub mod residual_history;
mod residuals;
mod rotors_in_load;
mod scores;
mod setting_note;
mod settings;
mod simulate;
mod standing;
mod thinned;
mod words;
mod zeros;

pub use accumulate::{Reduced, Source, TrialPairs};
pub use accumulator::{Accumulator, BlockScores, ScorePoint};
pub use alarm::Alarm;
pub use align::{Aligned, identify_aligned};
pub use channels::channels;
pub use check::{Answer, Check, CheckedLog, CheckedPart, LogDoubts, Verdict};
pub use comparison::{Contestant, Outcome, RobotComparison, compare_robots};
pub use consistent::{
    Bounds, CentreBound, ConsistentEstimate, HalfSpace, Optimality, Program as ConsistentProgram, Pull,
    convex_hull, enclosing_sides,
};
pub use drive_forces::DriveForces;
pub use estimate::{Essential, essential_parameters};
pub use excitation::{Excitation, WeaklyExcited, excitation_of};
pub use failure::IdentificationError;
pub use friction_term::{FrictionTerm, JointFriction};
pub use friction_trials::FrictionTrials;
pub use identification::{
    ForceLag, Identification, IdentifiedParameter, LinkConsistency, Residual, Residuals, RowResidual,
};
pub use identified_file::{FileNote, identified_format, write_identified};
pub use identify::{identify, identify_from};
pub use information::{LogInformation, information_of};
pub use motion_trials::{MotionChange, MotionTrial, MotionTrials, motion_trials};
pub use note::{ComparisonNote, IdentificationNote};
pub use payload::{IdentifiedPayload, MOMENTS, Payload, PayloadEstimator, PayloadSettings, Unseen};
pub use predict::{Prediction, predict};
pub use problem::{MeasuredForce, Problem};
pub use recorded_logs::{
    CutoffTrials, Division, KnownLoad, LogPlace, NoteOfLog, ReadLog, RecordedLogs, RepeatedLog,
};
pub use residual_history::ResidualHistory;
pub use setting_note::{SettingNote, Spelling};
pub use settings::{Estimator, Settings};
pub use simulate::{
    ContactWrench, MotionKind, SensorFaults, SimulatedContact, Simulation, simulate, simulate_along,
};
pub use words::FrictionWish;
pub use zeros::ZeroError;
