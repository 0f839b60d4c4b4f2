//! Pipes and devices are told from files before they are opened.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use steiner_files::special_file;

#[test]
fn a_device_is_no_file() {
    assert_eq!(special_file(Path::new("/dev/null")), Some("a device"));
}

#[test]
fn a_named_pipe_is_no_file() {
    let pipe = std::env::temp_dir().join(format!("steiner-pipe-{}", std::process::id()));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let found = special_file(&pipe);
    std::fs::remove_file(&pipe).unwrap();
    assert_eq!(found, Some("a named pipe"));
}

#[test]
fn files_folders_and_what_is_not_there_are_nothing_special() {
    for path in [file!(), env!("CARGO_MANIFEST_DIR"), "/no/such/file"] {
        assert_eq!(special_file(Path::new(path)), None);
    }
}
