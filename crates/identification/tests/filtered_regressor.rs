//! Forces and regressor pass the same filter: without noise, no cut-off biases the parameters.

use crate::support;
use steiner_identification::{
    Estimator, LogPlace, Problem, RecordedLogs, Settings, Simulation, channels, identify_from, simulate,
};
use steiner_logs::{Cutoff, Log, LogOptions, Processing, Role, Thinning};
use support::{truth, with_drives, zoo};

#[test]
fn low_cut_offs_do_not_bias_inertias() {
    for name in ["ur5", "panda", "four_bar"] {
        let arm = with_drives(zoo(name));
        let simulation =
            Simulation { duration: 30.0, rate: 500.0, seed: 2, drives: false, ..Simulation::default() };
        let data = simulate(&arm, &simulation).unwrap();
        let log = Log::from_columns("log", data.columns(&channels(&arm), false)).unwrap();
        let settings = Settings {
            drives: false,
            estimator: Estimator::Ordinary,
            consistent: None,
            ..Settings::default()
        };
        let problem = Problem::new(&arm, &settings).unwrap();
        // The motion ends at 0.5 Hz: at 0.6 Hz the filter weakens it, which must not count twice.
        for (cutoff, thinning) in
            [(0.6, Thinning::Off), (1.5, Thinning::Auto), (3.0, Thinning::Auto), (3.0, Thinning::Off)]
        {
            let processing = Processing { cutoff: Cutoff::Hertz(cutoff), thinning, ..Processing::default() };
            let place = vec![(LogPlace::from(log.clone()), Role::Training)];
            let mut source = RecordedLogs::new(&arm, place, &LogOptions::default(), &processing);
            let found = identify_from(&arm, &mut source, &settings).unwrap();
            let left = found.training.least_squares.total;
            println!("{name} at {cutoff} Hz: residual {left:.1e}");
            assert!(left < 3e-4, "{name} at {cutoff} Hz: {left}");
            // With the regressor unfiltered, up to a tenth of an inertia was missing.
            let truth = truth(&found, &problem);
            let largest = truth.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            for (p, truth) in found.parameters.iter().zip(&truth).filter(|(p, _)| p.sigma < 0.01 * largest) {
                let off = (p.least_squares - truth).abs();
                // In loops other coordinates move faster than those that were drawn.
                let allowed = if cutoff < 1.0 { 1e-2 } else { 2e-3 };
                assert!(
                    off < allowed * largest,
                    "{name} at {cutoff} Hz: {} {} {truth}",
                    p.name,
                    p.least_squares
                );
            }
        }
    }
}
