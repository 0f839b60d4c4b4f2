//! Writing a file so that a crash or a full disk leaves the old one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces the file at `path` by `text`: all of it or, on failure, nothing; see [`stream_atomically`].
pub fn write_atomically(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    stream_atomically(path, |file| file.write_all(contents.as_ref()))
}

/// Replaces the file at `path` by what `write` puts into the file it is given: all
/// of it or, on failure, nothing.
///
/// The contents go to a temporary file in the same folder, reach the disk, and the file is then renamed over
/// `path`. A link keeps pointing where it did, and an existing file keeps its permissions. What is not a
/// plain file (a pipe, `/dev/stdout`) is written to directly.
pub fn stream_atomically<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    match &existing {
        Some(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        Some(found) if !found.is_file() => {
            return write(&mut OpenOptions::new().write(true).open(&target)?);
        }
        _ => {}
    }
    let (temporary, mut file) = create_beside(&target)?;
    let written = write(&mut file).and_then(|()| {
        if let Some(found) = &existing {
            file.set_permissions(found.permissions())?;
        }
        file.sync_all()?;
        drop(file);
        Ok(fs::rename(&temporary, &target)?)
    });
    if written.is_err() {
        // The original error matters more than a leftover.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    // The rename itself reaches the disk with the folder; some file systems cannot sync one.
    if let Ok(folder) = File::open(folder_of(&target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A new file in the folder of `target`, under a name nobody has.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    // Names may be as long as the file system allows: keep a recognisable start only.
    let start: String = name.to_string_lossy().chars().take(40).collect();
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder_of(target).join(format!(".{start}.{}.{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => return other.map(|file| (temporary, file)),
        }
    }
}
