//! Paths that are no files: opening a pipe without a writer waits for ever, a device may never end.

use std::path::Path;

/// What a path is, if it is neither a regular file nor a folder: `a named pipe`, `a device`, `a socket`.
///
/// Pipes that a shell has opened already (`/dev/fd/63`, as `<(xacro arm.xacro)` gives) are like files.
#[cfg(unix)]
pub fn special_file(path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata(path).ok()?.file_type();
    let opened = ["/dev/fd", "/dev/stdin", "/proc"].iter().any(|place| path.starts_with(place));
    if kind.is_fifo() && !opened {
        Some("a named pipe")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        None
    }
}

/// Other systems have no such paths.
#[cfg(not(unix))]
pub fn special_file(_: &Path) -> Option<&'static str> {
    None
}
