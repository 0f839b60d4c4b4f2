//! A file on disk is either the old one or the new one.

use std::io::Write;
use std::path::{Path, PathBuf};

use steiner_files::{stream_atomically, write_atomically};

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-files-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_replaced_whole_and_leaves_nothing_behind() {
    let folder = scratch("replace");
    let path = folder.join("robot.urdf");
    write_atomically(&path, "first").unwrap();
    write_atomically(&path, "second").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "second");
    assert_eq!(entries(&folder), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failed_write_loses_nothing() {
    let folder = scratch("fail");
    // A folder of that name stands in the way.
    let path = folder.join("robot.urdf");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), "kept").unwrap();
    assert!(write_atomically(&path, "text").is_err());
    assert_eq!(std::fs::read_to_string(path.join("inside")).unwrap(), "kept");
    assert_eq!(entries(&folder), 1);
    assert!(write_atomically(&folder.join("no/such/robot.urdf"), "text").is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("links");
    let (path, link) = (folder.join("robot.urdf"), folder.join("link.urdf"));
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    write_atomically(&link, "new").unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    write_atomically(Path::new("/dev/null"), "gone").unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_stream_that_breaks_off_leaves_the_old_file() {
    let folder = scratch("stream");
    let path = folder.join("log.npz");
    write_atomically(&path, "old").unwrap();
    let broken = stream_atomically(&path, |file| {
        file.write_all(b"half of the")?;
        Err(std::io::Error::other("no more"))
    });
    assert_eq!(broken.unwrap_err().to_string(), "no more");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    stream_atomically(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(entries(&folder), 1);
    std::fs::remove_dir_all(folder).unwrap();
}
