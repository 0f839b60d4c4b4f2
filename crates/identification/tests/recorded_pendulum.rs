//! A low-cost double pendulum as it was recorded: defaults against cut-offs chosen by hand.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{Division, Identification, RecordedLogs, Settings, identify_from};
use steiner_logs::{Cutoff, LogOptions, Mapping, Processing, Role};

const MAPPING: &str = r#"
[columns]
t = { from = "time", unit = "s" }
"q_Joint*" = { from = "pos_meas*", unit = "rad" }
"qd_Joint*" = { from = "vel_meas*", unit = "rad/s" }
"tau_Joint*" = { from = "tau_meas*", unit = "Nm" }
"#;

/// Held-out error and cut-off of a run, and what was found.
fn held_out(arm: &Mechanism, log: &Path, cutoff: Cutoff) -> (f64, f64, Identification) {
    let mapping = Mapping::parse(MAPPING, "mapping", Path::new(".")).unwrap();
    let options = LogOptions { mapping: Some(mapping), ..LogOptions::default() };
    let processing = Processing { cutoff, ..Processing::default() };
    let mut source = RecordedLogs::new(arm, vec![(log.to_owned(), Role::Training)], &options, &processing)
        .divided(Division::Last(0.25));
    let settings = Settings { choose_friction: true, ..Settings::default() };
    let found = identify_from(arm, &mut source, &settings).unwrap();
    let error = found.validation.as_ref().unwrap().model.total;
    (error, source.settled()[0].cutoff.unwrap_or(f64::NAN), found)
}

#[test]
fn defaults_are_near_the_best_of_cut_offs_by_hand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/double_pendulum");
    if !folder.exists() {
        println!("skipped: no recordings in {}", folder.display());
        return;
    }
    let urdf = folder.join("double_pendulum.urdf");
    let robot = read_robot(&urdf.to_string_lossy(), &ReadOptions::default()).unwrap();
    let arm = Mechanism::new(robot).unwrap();
    let (mut ratios, mut moments) = (Vec::new(), Vec::new());
    for run in 0..6 {
        let log = folder.join(format!("trajectory_0{run}.csv.gz"));
        let (error, cutoff, found) = held_out(&arm, &log, Cutoff::Auto);
        let by_hand =
            [2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0].map(|hz| held_out(&arm, &log, Cutoff::Hertz(hz)).0);
        let best = by_hand.into_iter().fold(f64::INFINITY, f64::min);
        println!("run {run}: {:.1} % at {cutoff} Hz; best by hand {:.1} %", 100.0 * error, 100.0 * best);
        // Between 57 and 0.2 of the force were left when spectra alone decided.
        assert!(error < 0.14, "run {run}: {error} at {cutoff} Hz");
        assert!((1.5..8.0).contains(&cutoff), "run {run}: {cutoff} Hz");
        ratios.push(error / best);
        let moment = found.parameters.into_iter().find(|p| p.name == "Link2.mz").unwrap();
        println!("Link2.mz {} ± {}", moment.least_squares, moment.sigma);
        moments.push((moment.least_squares, moment.sigma));
    }
    // It is one machine: what is found of it does not depend on the run.
    let weight = |sigma: f64| sigma.powi(-2);
    let mean = moments.iter().map(|(x, sigma)| weight(*sigma) * x).sum::<f64>()
        / moments.iter().map(|(_, sigma)| weight(*sigma)).sum::<f64>();
    assert!(moments.iter().all(|(x, sigma)| (x - mean).abs() < 3.0 * sigma), "{mean}: {moments:?}");
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[3] < 1.3 && ratios[5] < 1.6, "{ratios:?}");
}
