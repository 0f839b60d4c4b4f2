//! Settings that are written as words: sensors, cut-offs, trims, motions, estimators.
#![no_main]

use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use steiner::SensorSet;
use steiner::identification::{Estimator, MotionKind};
use steiner::logs::{Cutoff, Resample, Thinning, Trim};

fuzz_target!(|text: &str| {
    if let Ok(sensors) = SensorSet::from_str(text) {
        let _ = sensors.to_string();
    }
    let _ =
        (Cutoff::from_str(text), Trim::from_str(text), Thinning::from_str(text), Resample::from_str(text));
    let _ = (MotionKind::from_str(text), Estimator::from_str(text));
});
