//! Default settings against settings by hand on recorded logs, all judged in the same band.
//!
//! Residuals behind different filters cannot be compared: a lower cut-off hides more noise of the forces. So every
//! model predicts the held-out forces of one recording, filtered at the same cut-off, whatever its own was.
//!
//!   cargo bench --bench settings [-- FOLDER]     FOLDER has tx40 and double_pendulum (default ../shared/data)

use std::path::{Path, PathBuf};

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    Division, Estimator, FrictionTerm, Identification, JointFriction, RecordedLogs, Settings, Source,
    identify_from, predict,
};
use steiner_logs::{CoupledDrive, Cutoff, LogOptions, Mapping, Processing, Role};

type Failure = Box<dyn std::error::Error>;

const PENDULUM: &str = r#"
[columns]
t = { from = "time", unit = "s" }
"q_Joint*" = { from = "pos_meas*", unit = "rad" }
"qd_Joint*" = { from = "vel_meas*", unit = "rad/s" }
"tau_Joint*" = { from = "tau_meas*", unit = "Nm" }
"#;

/// One recording and what is tried on it.
struct Task {
    name: String,
    arm: Mechanism,
    log: PathBuf,
    options: LogOptions,
    division: Division,
    settings: Settings,
    /// Hz, by hand.
    cutoffs: Vec<f64>,
    /// Hz, in which all are judged.
    bands: Vec<f64>,
}

impl Task {
    fn source(&self, cutoff: Cutoff) -> RecordedLogs<'_> {
        let processing = Processing { cutoff, ..Processing::default() };
        let logs = vec![(self.log.clone(), Role::Training)];
        RecordedLogs::new(&self.arm, logs, &self.options, &processing).divided(self.division)
    }

    fn identified(&self, cutoff: Cutoff, settings: &Settings) -> Result<(f64, Identification), Failure> {
        let mut source = self.source(cutoff);
        let found = identify_from(&self.arm, &mut source, settings)?;
        Ok((source.settled()[0].cutoff.unwrap_or(f64::NAN), found))
    }

    /// Relative error on the held-out samples in a band.
    fn judged(&self, found: &Identification, band: f64) -> Result<f64, Failure> {
        let mut source = self.source(Cutoff::Hertz(band));
        source.carry(found.settings.friction());
        let (mut left, mut all) = (0.0, 0.0);
        source.chunks(&mut |recording| {
            let prediction = predict(found.problem(), recording, &found.all, std::num::NonZeroUsize::MIN)?;
            let rows = prediction.rows.len();
            for part in recording.parts().into_iter().filter(|part| part.role == Role::Validation) {
                for k in part.samples.start * rows..part.samples.end * rows {
                    if prediction.counted[k] {
                        left += (prediction.measured[k] - prediction.predicted[k]).powi(2);
                        all += prediction.measured[k].powi(2);
                    }
                }
            }
            Ok(())
        })?;
        Ok(f64::sqrt(left / all))
    }
}

fn tasks(folder: &Path) -> Result<Vec<Task>, Failure> {
    let arm = |file: PathBuf| -> Result<Mechanism, Failure> {
        Ok(Mechanism::new(read_robot(&file.display().to_string(), &ReadOptions::default())?)?)
    };
    let mapped = |mapping| LogOptions { mapping: Some(mapping), ..LogOptions::default() };
    let mapping = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mappings/tx40.toml");
    let joints = ["joint_5", "joint_6"].map(|joint| (joint.to_owned(), 1.0)).to_vec();
    let coupled_drives = vec![CoupledDrive { name: "wrist".to_owned(), joints, crosswise: true }];
    let mut out = vec![Task {
        name: "TX40".to_owned(),
        arm: arm(folder.join("tx40/tx40.urdf"))?,
        log: folder.join("tx40"),
        options: mapped(Mapping::read(&mapping)?),
        division: Division::Last(0.3333),
        settings: Settings { coupled_drives, ..Settings::default() },
        cutoffs: vec![5.0, 10.0, 15.0, 20.0, 30.0, 50.0],
        bands: vec![10.0, 20.0],
    }];
    for run in 0..6 {
        out.push(Task {
            name: format!("pendulum {run}"),
            arm: arm(folder.join("double_pendulum/double_pendulum.urdf"))?,
            log: folder.join(format!("double_pendulum/trajectory_0{run}.csv.gz")),
            options: mapped(Mapping::parse(PENDULUM, "mapping", Path::new("."))?),
            division: Division::Last(0.25),
            settings: Settings::default(),
            cutoffs: vec![2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0],
            bands: vec![3.0, 5.0],
        });
    }
    Ok(out)
}

fn main() -> Result<(), Failure> {
    use FrictionTerm::{Asymmetric, Load, Root};
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::args().skip(1).find(|word| !word.starts_with('-')).map_or(beside, PathBuf::from);
    if !folder.exists() {
        println!("skipped: no recordings in {}", folder.display());
        return Ok(());
    }
    let friction: [(&str, &[FrictionTerm]); 4] = [
        ("simple", &[]),
        ("load", &[Load]),
        ("load,curve", &[Load, Root]),
        ("load,curve,asymmetric", &[Load, Root, Asymmetric]),
    ];
    let estimators = [
        ("ordinary", Estimator::Ordinary),
        ("weighted", Estimator::Weighted),
        ("huber", Estimator::Huber { threshold: 1.345 }),
    ];
    println!(
        "| recording | band | defaults | best by hand | ratio | median by hand |\n|---|---|---|---|---|---|"
    );
    for task in tasks(&folder)? {
        let settings = Settings { choose_friction: true, ..task.settings.clone() };
        let (cutoff, defaults) = task.identified(Cutoff::Auto, &settings)?;
        let mut by_hand = Vec::new();
        for &hz in &task.cutoffs {
            for (terms, own) in &friction {
                for (estimator, of) in &estimators {
                    let friction_terms =
                        own.iter().map(|&term| JointFriction { joint: None, term }).collect();
                    let settings = Settings { friction_terms, estimator: *of, ..task.settings.clone() };
                    let (_, found) = task.identified(Cutoff::Hertz(hz), &settings)?;
                    by_hand.push((format!("{hz} Hz, {terms}, {estimator}"), found));
                }
            }
        }
        for band in task.bands.iter().copied().chain([cutoff]) {
            let own = task.judged(&defaults, band)?;
            let judged = by_hand.iter().map(|(name, found)| Ok((task.judged(found, band)?, name)));
            let mut judged: Vec<(f64, &String)> = judged.collect::<Result<_, Failure>>()?;
            judged.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (best, name) = judged[0];
            println!(
                "| {} | {band} Hz | {:.2} % ({cutoff} Hz) | {:.2} % ({name}) | {:.3} | {:.2} % |",
                task.name,
                100.0 * own,
                100.0 * best,
                own / best,
                100.0 * judged[judged.len() / 2].0
            );
        }
    }
    Ok(())
}
