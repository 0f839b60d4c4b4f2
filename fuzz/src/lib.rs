//! What a user does with a file, up to the first answer: every target of `fuzz_targets` hands its bytes to one of these.
//!
//! Errors are answers; a panic, an endless loop or a gigabyte is none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use steiner::formats::{
    Format, UrdfPatch, assemble, body_shape, describe, parse_text, patch_toml, patch_urdf, write_toml,
};
use steiner::identification::channels;
use steiner::logs::{Channels, Log, LogError, LogReader, Mapping};
use steiner::model::{Profile, Psdm};
use steiner::report::{log_note, mechanism_note, robot_json, robot_note};
use steiner::robot::Description;
use steiner::{LogOptions, Mechanism, Processing, ReadOptions, Recording, Robot};

/// The robot that logs and profiles are read for.
static TWO_LINK: LazyLock<Mechanism> = LazyLock::new(|| {
    steiner::read_mechanism("two_link", &ReadOptions::default()).expect("a robot of the zoo")
});
static CHANNELS: LazyLock<Channels> = LazyLock::new(|| channels(&TWO_LINK));

/// A folder of this process for readers that want paths: in memory, where the system has such a place.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = parent.join(format!("steiner-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    folder
});

/// Lets `read` read a file that is there only meanwhile.
fn with_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let path = FOLDER.join(name);
    std::fs::write(&path, bytes).expect("room for a file");
    let read = read(&path);
    let _ = std::fs::remove_file(&path);
    read
}

/// A robot: described, written, patched, assembled, its loops closed, its notes and numbers in words.
pub fn read_robot(text: &str, format: Format) {
    let options = ReadOptions::default();
    let description = match parse_text(text, "robot", format, None, &options) {
        Ok(description) => description,
        Err(error) => return drop(error.to_string()),
    };
    let _ = write_toml(&description);
    let heavier = with_other_numbers(&description);
    match format {
        Format::Urdf => {
            drop(patch_urdf(text, "robot.urdf", &UrdfPatch::between(&description, &heavier)));
        }
        Format::Toml => drop(patch_toml(text, "robot.toml", &description, &heavier)),
        Format::Xacro | Format::Mjcf => {}
    }
    match assemble(description, &options) {
        Ok(robot) => move_robot(robot),
        Err(error) => drop(error.to_string()),
    }
}

/// The same robot with other inertias and frictions, as an identification would give.
fn with_other_numbers(description: &Description) -> Description {
    let mut other = description.clone();
    for inertia in other.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
        inertia.mass += 1.0;
    }
    for joint in &mut other.joints {
        joint.joint.friction.viscous += 0.25;
    }
    other
}

fn move_robot(robot: Robot) {
    let notes: Vec<String> = robot.notes.iter().map(robot_note).collect();
    drop(notes);
    let mechanism = match Mechanism::new(robot) {
        Ok(mechanism) => mechanism,
        Err(error) => return drop(error.to_string()),
    };
    mechanism.notes().iter().for_each(|note| assert!(!mechanism_note(*note).is_empty()));
    let _ = robot_json(&mechanism);
    let _ = channels(&mechanism);
    let _ = mechanism.gravity_force(&mechanism.reference());
}

/// The mesh of a link, as `steiner identify` reads it to bound centres of mass.
pub fn read_mesh(bytes: &[u8], ending: &str) {
    const ROBOT: &str = r#"<robot name="r"><link name="base"/><link name="arm"><collision>
        <geometry><mesh filename="mesh.ENDING" scale="0.001 0.001 0.001"/></geometry></collision></link>
        <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"#;
    let robot_text = ROBOT.replace("ENDING", ending);
    let options = ReadOptions::default();
    with_file("robot.urdf", robot_text.as_bytes(), |source| {
        let source = source.display().to_string();
        let description = describe(&source, &options).expect("a robot");
        let robot = assemble(description, &options).expect("a robot");
        with_file(&format!("mesh.{ending}"), bytes, |_| {
            let _ = body_shape(&robot, "arm", &source, &options).map_err(|error| error.to_string());
        });
    });
}

/// A log: read whole, also where it was cut, and made a recording of a robot.
pub fn read_log(bytes: &[u8], ending: &str) {
    with_file(&format!("log.{ending}"), bytes, |path| {
        if read_log_with(path, &LogOptions::default()).is_err() {
            let _ = read_log_with(path, &LogOptions { accept_cut: true, ..LogOptions::default() });
        }
    });
}

fn read_log_with(path: &Path, options: &LogOptions) -> Result<(), LogError> {
    let read = Log::read(path, options);
    match read {
        Ok(log) => record(&log),
        Err(error) => {
            let _ = error.to_string();
            return Err(error);
        }
    }
    Ok(())
}

fn record(log: &Log) {
    log.notes.iter().for_each(|note| drop(log_note(note)));
    for processing in [Processing::default(), Processing::as_recorded()] {
        match Recording::of(&CHANNELS, log, &processing) {
            Ok(recording) => recording.notes.iter().for_each(|note| drop(log_note(note))),
            Err(error) => drop(error.to_string()),
        }
    }
}

/// A mapping: over a log in memory if it names no files, else as a log by itself with files beside it.
pub fn read_mapping(text: &str) {
    const LEFT: &[u8] = b"time,pos1,pos2,cur1,cur2\n0,1,2,3,4\n10,1.1,2.1,3.1,4.1\n20,1.2,2.3,3,4\n";
    const RIGHT: &[u8] = b"0 5 6 7\n0.015 5.5 6.5 7.5\n0.03 5 6 7\n";
    static LOG: LazyLock<Arc<Log>> = LazyLock::new(|| {
        let text = std::str::from_utf8(LEFT).expect("text");
        Arc::new(Log::parse_csv(text, "left.csv").expect("a log"))
    });
    let mapping = match Mapping::parse(text, "mapping.toml", &FOLDER) {
        Ok(mapping) => mapping,
        Err(error) => return drop(error.to_string()),
    };
    let _ = mapping.stranger(&CHANNELS).map(|error| error.to_string());
    if !mapping.has_files() {
        let options = LogOptions { mapping: Some(mapping), ..LogOptions::default() };
        let read = LogReader::of(&LOG, &options).and_then(LogReader::read_all);
        return read.map_or_else(|error| drop(error.to_string()), |log| record(&log));
    }
    // Only the files beside it: a path that leads elsewhere would read what no test wrote.
    if mapping.file_paths().iter().any(|path| path.parent() != Some(&FOLDER)) {
        return;
    }
    with_file("left.csv", LEFT, |_| {
        with_file("right.txt", RIGHT, |_| {
            with_file("mapping.toml", text.as_bytes(), |path| {
                drop(read_log_with(path, &LogOptions::default()));
            });
        });
    });
}

/// A saved model: read, written, read again, evaluated.
pub fn read_model(text: &str) {
    let model = match Psdm::from_text(text) {
        Ok(model) => model,
        Err(error) => return drop(error.to_string()),
    };
    let again = Psdm::from_text(&model.to_text());
    assert!(again.is_ok(), "what was written is not read: {again:?}");
    let state = vec![0.5; model.dof()];
    if let Ok(arm) = model.calibrate(&model.nominal()) {
        let _ = arm.inverse_dynamics(&state, &state, &state);
        let _ = arm.forward_dynamics(&state, &state, &state);
    }
    let _ = model.evaluator().regressor(&state, &state, &state);
}

/// The profile of a task, and its states unless there are very many.
pub fn read_profile(text: &str) {
    match Profile::parse(text, "profile.toml", TWO_LINK.robot()) {
        Ok(profile) if profile.samples <= 20_000 => drop(profile.states()),
        Ok(_) => {}
        Err(error) => drop(error.to_string()),
    }
}
