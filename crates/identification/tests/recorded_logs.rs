//! Identification from files, part by part: the same as from memory.

use std::cell::Cell;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    Division, Estimator, IdentificationError, LogPlace, RecordedLogs, SensorFaults, Settings, Simulation,
    channels, identify, identify_from, simulate,
};
use steiner_logs::{Log, LogOptions, Mapping, NamedArray, Processing, ReadingNote, Recording, Role};
use steiner_robot::SensorSet;

#[test]
fn parts_of_files_identify_what_the_whole_does() {
    let arm = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let simulation = Simulation { duration: 90.0, rate: 1000.0, faults, ..Simulation::default() };
    let mut simulated = simulate(&arm, &simulation).unwrap();
    let folder = std::env::temp_dir().join(format!("steiner-recorded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("log.npz");
    simulated.write(&channels(&arm), &file, true).unwrap();
    simulated.hold_out(1.0 / 3.0);
    let settings = Settings { estimator: Estimator::Weighted, ..Settings::default() };
    let whole = identify(&arm, &simulated, &settings).unwrap();

    // What is simulated does not say where joints stand, so that files shall not, either.
    let processing = Processing { rest: 0.0, ..Processing::default() };
    let furthest = Cell::new(0.0f64);
    let logs = vec![(file.clone(), Role::Training)];
    let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing)
        .validating_from(60.0)
        .on_progress(|part| furthest.set(furthest.get().max(part)));
    let parts = identify_from(&arm, &mut source, &settings).unwrap();
    assert!(source.notes().is_empty(), "{:?}", source.notes());
    assert_eq!(source.settled().len(), 1);
    drop(source);
    assert!(furthest.get() > 0.99);
    for (a, b) in parts.parameters.iter().zip(&whole.parameters) {
        assert!((a.value - b.value).abs() < 1e-6 * b.sigma.max(1e-9), "{}: {} {}", a.name, a.value, b.value);
    }
    let recording =
        Recording::read(&channels(&arm), &file, &LogOptions::default(), &Processing::default()).unwrap();
    assert_eq!((recording.count, recording.measured.len()), (90_000, 6));

    // Read part by part for every pass, with the last third set aside, or kept in
    // memory: the same to the last digit.
    let answers = [0, usize::MAX].map(|bytes| {
        let logs = vec![(file.clone(), Role::Training)];
        let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing)
            .divided(Division::Last(1.0 / 3.0))
            .keeping(bytes);
        assert_eq!(source.measures().unwrap(), SensorSet::all());
        let found = identify_from(&arm, &mut source, &settings).unwrap();
        assert_eq!(source.read()[0].samples, 90_000);
        let validation = found.validation.unwrap();
        assert_eq!((found.training.model.samples, validation.model.samples), (60_000, 30_000));
        let values: Vec<f64> = found.parameters.iter().map(|parameter| parameter.value).collect();
        (values, validation.model.total)
    });
    assert_eq!(answers[0], answers[1]);
    // Nothing set aside, kept or not.
    for (bytes, division) in
        [(0, Division::Last(0.0)), (usize::MAX, Division::Last(0.0)), (0, Division::Nothing)]
    {
        let logs = vec![(file.clone(), Role::Training)];
        let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing)
            .divided(division)
            .keeping(bytes);
        let found = identify_from(&arm, &mut source, &settings).unwrap();
        assert_eq!((found.training.model.samples, found.validation.is_none()), (90_000, true));
    }
    for (value, parameter) in answers[0].0.iter().zip(&whole.parameters) {
        assert!((value - parameter.value).abs() < 1e-6 * parameter.sigma.max(1e-9), "{}", parameter.name);
    }

    // Somebody changes their mind after the first part, whether the log is kept or read anew.
    for bytes in [0, 1 << 30] {
        let mut asked = 0;
        let logs = vec![(file.clone(), Role::Training)];
        let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing)
            .keeping(bytes)
            .cancel_when(|| {
                asked += 1;
                asked >= 2
            });
        let stopped = identify_from(&arm, &mut source, &settings);
        drop(source);
        assert_eq!((stopped.unwrap_err(), asked), (IdentificationError::Interrupted, 2));
    }

    let logs = vec![(folder.join("none.npz"), Role::Training)];
    let mut source = RecordedLogs::new(&arm, logs, &LogOptions::default(), &processing);
    let error = identify_from(&arm, &mut source, &settings).unwrap_err().to_string();
    assert!(error.contains("none.npz cannot be read"), "{error}");
}

#[test]
fn arrays_in_memory_identify_what_the_file_does_also_through_a_mapping() {
    let arm = Mechanism::new(read_robot("two_link", &ReadOptions::default()).unwrap()).unwrap();
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let data =
        simulate(&arm, &Simulation { duration: 4.0, rate: 200.0, faults, ..Simulation::default() }).unwrap();
    let folder = std::env::temp_dir().join(format!("steiner-in-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("log.npz");
    data.write(&channels(&arm), &file, true).unwrap();
    let found = |place: LogPlace, mapping: Option<Mapping>| -> Vec<f64> {
        let options = LogOptions { mapping, ..LogOptions::default() };
        let logs = vec![(place, Role::Training)];
        let mut logs =
            RecordedLogs::new(&arm, logs, &options, &Processing::default()).divided(Division::Last(0.25));
        let settings = Settings { measure: logs.measures().unwrap(), ..Settings::default() };
        let answer = identify_from(&arm, &mut logs, &settings).unwrap();
        assert_eq!(answer.validation.unwrap().model.samples, 200);
        answer.all
    };
    let from_file = found(file.into(), None);

    let columns = Log::from_columns("the log", data.columns(&channels(&arm), true)).unwrap();
    assert_eq!(found(columns.into(), None), from_file);

    // Matrices with one row per sample, and one with a column per sample.
    let n = data.count;
    let by_column = |values: &[f64]| -> Vec<f64> {
        (0..2).flat_map(|k| values.iter().skip(k).step_by(2).copied()).collect()
    };
    let array = |name: &str, rows, columns, values: Vec<f64>| NamedArray {
        name: name.to_owned(),
        rows,
        columns,
        values,
    };
    let arrays = |names: [&str; 5]| {
        vec![
            array(names[0], n, 1, data.t.clone()),
            array(names[1], n, 2, by_column(&data.q)),
            array(names[2], 2, n, data.qd.clone()),
            array(names[3], n, 2, by_column(&data.qdd)),
            array(names[4], n, 2, by_column(&data.tau)),
            array("comment", 3, 1, vec![1.0, 2.0, 3.0]),
        ]
    };
    let log = Log::from_arrays("the log", arrays(["t", "q", "qd", "qdd", "tau"])).unwrap();
    let transposed = ReadingNote::Transposed { file: "the log".to_owned(), array: "qd".to_owned() };
    assert_eq!(log.notes, [transposed.into()]);
    assert_eq!(found(log.into(), None), from_file);

    let columns: Vec<(String, Vec<f64>)> = data
        .columns(&channels(&arm), true)
        .into_iter()
        .map(|(name, values)| match name.starts_with("q_") {
            true => (name.replace("q_", "encoder_"), values.iter().map(|x| -1000.0 * x).collect()),
            false => (name, values),
        })
        .collect();
    let text = r#"
        [columns]
        t = { from = "t" }
        "q_*" = { from = "encoder_*", scale = -0.001 }
        "qd_*" = { from = "qd_*" }
        "qdd_*" = { from = "qdd_*" }
        "tau_*" = { from = "tau_*" }
    "#;
    let mapping = Mapping::parse(text, "mapping.toml", &folder).unwrap();
    let mapped = found(Log::from_columns("the log", columns).unwrap().into(), Some(mapping));
    for (a, b) in mapped.iter().zip(&from_file) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1e-3), "{a} {b}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Gaps may leave stretches of a few samples between them: they count like all others.
#[test]
fn stretches_of_a_few_samples_do_no_harm() {
    let arm = Mechanism::new(read_robot("panda", &ReadOptions::default()).unwrap()).unwrap();
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let recording = simulate(&arm, &Simulation { rate: 100.0, faults, ..Simulation::default() }).unwrap();
    let whole = identify(&arm, &recording, &Settings::default()).unwrap();
    for few in 1..6 {
        let mut cut = recording.clone();
        let part = |samples| steiner_logs::Part { samples, role: Role::Training };
        cut.parts =
            vec![part(0..few), part(few..1000), part(1000..1000 + few), part(1000 + few..recording.count)];
        let found = identify(&arm, &cut, &Settings::default()).unwrap();
        assert_eq!(found.excitation.rank, whole.excitation.rank);
        for (a, b) in found.parameters.iter().zip(&whole.parameters) {
            assert!((a.least_squares - b.least_squares).abs() < 1e-6 * b.sigma, "{few}: {}", a.name);
        }
    }
}
