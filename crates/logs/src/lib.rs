//! Recordings of robots: log files read with care, and what they say as uniform, filtered signals.
//!
//! A log has columns `t` (s), then `q_<joint>`, `qd_<joint>`, `qdd_<joint>` (rad or m, per s, per s²) and
//! `tau_<joint>` (N·m or N), `q_<joint>:<k>` for the k-th number of a joint that has several, and
//! `wrench_<contact>_{fx,fy,fz,tx,ty,tz}`. [`LogReader`] reads CSV, Parquet, NPZ, MAT, MCAP and rosbag2, a
//! [`Mapping`] says what other columns mean, and [`Recording`] is what a log tells about a robot, with
//! velocities and accelerations [derived](signals) where they were not recorded; [`RecordingStream`] the same
//! for logs larger than memory. Robots are known by the names of their [`Channels`] alone; what there is to
//! say about a log is a [`LogNote`].

mod channels;
mod error;
mod friction;
mod log;
mod note;
mod rate_fault;
mod recording;
pub mod signals;
mod words;

pub use channels::{AT_BASE, Channel, Channels, JointChannel, JointLimits, JointMotion, wrench_link};
pub use error::LogError;
pub use friction::{
    CoupledDrive, DryFriction, FrictionFunction, FrictionLaw, FrictionModel, FrictionSignal, SpeedShape,
};
pub use log::{Chunk, Log, LogOptions, LogReader, Mapping, NamedArray, WRENCH, is_of_contract};
pub use note::{
    BagSignal, DerivedQuantity, LikelyUnit, LogNote, NoNumbers, ProcessingNote, ReadingNote, Suspicion,
    UnevenStamps,
};
pub use rate_fault::{RateDisagreement, RateFault};
pub use recording::{
    Around, CoordinateSpectra, Cutoff, Fingerprint, Kernel, Part, Processing, Recording, RecordingStream,
    Resample, Role, STILL, Settled, SpectraOfFilter, Thinning, Trim, WrenchSignal,
};
