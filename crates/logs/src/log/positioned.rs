//! A file that several threads read at once, each where it wants.

use std::fs::File;
use std::io::{Read, Result};
use std::sync::Arc;

/// A place in a shared file; reading moves this place alone.
#[derive(Clone, Debug)]
pub(crate) struct Positioned {
    pub(crate) file: Arc<File>,
    pub(crate) at: u64,
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.at);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.at);
        let read = read?;
        self.at += read as u64;
        Ok(read)
    }
}
