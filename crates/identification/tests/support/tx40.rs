//! The recording of a Stäubli TX40 that lies beside the project, and how it was
//! processed where it was published.

use std::path::{Path, PathBuf};

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::Settings;
use steiner_logs::signals::Decimation;
use steiner_logs::{CoupledDrive, Cutoff, LogOptions, Mapping, Processing, Resample, Thinning, Trim};

/// Slower than this, rad/s, a joint's torque was not used.
pub(crate) const LEAST_SPEEDS: [f64; 6] = [0.05009, 0.05009, 0.07505, 0.07156, 0.05585, 0.12217];

/// The folder with the recording.
pub(crate) fn recording() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tx40");
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// The mapping of the guide: two files of motors without a clock become a log of joints.
pub(crate) fn options() -> LogOptions {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mappings/tx40.toml");
    LogOptions { mapping: Some(Mapping::read(&path).unwrap()), ..LogOptions::default() }
}

/// The arm.
pub(crate) fn arm(folder: &Path) -> Mechanism {
    let file = folder.join("tx40.urdf").display().to_string();
    Mechanism::new(read_robot(&file, &ReadOptions::default()).unwrap()).unwrap()
}

/// The published processing.
pub(crate) fn published() -> Processing {
    Processing {
        cutoff: Cutoff::Hertz(100.0),
        padding: Some(12),
        filter_forces: false,
        differences: 2,
        trim: Trim::Samples(20),
        thinning: Thinning::By(vec![(10, Decimation::Chebyshev); 2]),
        resample: Resample::Never,
        ..Processing::default()
    }
}

/// Its drives: one for each joint, and motor 6, which turns with joint 5, too.
pub(crate) fn settings() -> Settings {
    let joints = ["joint_5", "joint_6"].map(|joint| (joint.to_owned(), 1.0)).to_vec();
    Settings {
        coupled_drives: vec![CoupledDrive { name: "wrist".to_owned(), joints, crosswise: true }],
        ..Settings::default()
    }
}
