//! Identification from files, part by part: the same as from memory.

use std::cell::Cell;

use steiner_dynamics::Mechanism;
use steiner_identification::{
    Estimator, LogOptions, Processing, RecordedLogs, Recording, Role, SensorFaults, Settings, Simulation,
    identify, identify_from, simulate,
};
use steiner_robot::{ReadOptions, read_robot};

#[test]
fn parts_of_files_identify_what_the_whole_does() {
    let arm = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let simulation = Simulation { duration: 90.0, rate: 1000.0, faults, ..Simulation::default() };
    let mut dataset = simulate(&arm, &simulation).unwrap();
    let folder = std::env::temp_dir().join(format!("steiner-recorded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("log.npz");
    dataset.write(&arm, &file, true).unwrap();
    dataset.hold_out(1.0 / 3.0);
    let settings = Settings { estimator: Estimator::Weighted, ..Settings::default() };
    let whole = identify(&arm, &dataset, &settings).unwrap();

    // What is simulated does not say where joints stand, so that files shall not, either.
    let processing = Processing { rest: 0.0, ..Processing::default() };
    let furthest = Cell::new(0.0f64);
    let logs = vec![(file.clone(), Role::Training)];
    let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing)
        .validating_from(60.0)
        .telling(|part| furthest.set(furthest.get().max(part)));
    let parts = identify_from(&arm, &mut source, &settings).unwrap();
    assert!(source.notes().is_empty(), "{:?}", source.notes());
    assert_eq!(source.settled().len(), 1);
    drop(source);
    assert!(furthest.get() > 0.99);
    for (a, b) in parts.parameters.iter().zip(&whole.parameters) {
        assert!((a.value - b.value).abs() < 1e-6 * b.sigma.max(1e-9), "{}: {} {}", a.name, a.value, b.value);
    }
    let recording = Recording::read(&arm, &file, &LogOptions::default(), &Processing::default()).unwrap();
    assert_eq!((recording.count(), recording.measured.len()), (90_000, 6));

    let logs = vec![(folder.join("none.npz"), Role::Training)];
    let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &Processing::default());
    let error = identify_from(&arm, &mut source, &settings).unwrap_err().to_string();
    assert!(error.contains("none.npz cannot be read"), "{error}");
}
