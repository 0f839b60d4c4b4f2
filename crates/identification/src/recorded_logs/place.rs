//! Where a log is: in a file, or in memory.

use std::path::PathBuf;
use std::sync::Arc;

use steiner_logs::{Log, LogError, LogOptions, LogReader};

/// Where a log is.
#[derive(Clone, Debug)]
pub enum LogPlace {
    /// A file, or a folder of a bag.
    File(PathBuf),
    /// In memory; it is not copied.
    Memory(Arc<Log>),
}

impl From<PathBuf> for LogPlace {
    fn from(path: PathBuf) -> Self {
        LogPlace::File(path)
    }
}

impl From<Log> for LogPlace {
    fn from(log: Log) -> Self {
        LogPlace::Memory(Arc::new(log))
    }
}

impl LogPlace {
    pub(super) fn open(&self, options: &LogOptions) -> Result<LogReader, LogError> {
        match self {
            LogPlace::File(path) => LogReader::open(path, options),
            LogPlace::Memory(log) => LogReader::of(log, options),
        }
    }

    /// What messages call it.
    pub fn path(&self) -> PathBuf {
        match self {
            LogPlace::File(path) => path.clone(),
            LogPlace::Memory(log) => PathBuf::from(&log.source),
        }
    }

    /// Its size, or that of the files in its folder; 0 where nobody can say.
    pub fn bytes(&self) -> u64 {
        let path = match self {
            LogPlace::Memory(log) => return 8 * (log.samples() * log.names().len()) as u64,
            LogPlace::File(path) => path,
        };
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => std::fs::read_dir(path)
                .map(|files| files.flatten().filter_map(|file| file.metadata().ok()).map(|m| m.len()).sum())
                .unwrap_or(0),
            Ok(found) => found.len(),
            Err(_) => 0,
        }
    }
}
