//! The files of a bag: one, or the parts a long recording was split into.

use std::io::Read;
use std::path::{Path, PathBuf};

#[cfg(feature = "rosbag")]
use super::db3::Db3Messages;
#[cfg(feature = "mcap")]
use super::mcap::McapMessages;
use super::messages::{Message, MessageSource, Topic};
use crate::error::LogError;
use crate::log::features::if_built;
use crate::log::reader::unreadable;

/// The files of a bag, in order.
pub(crate) struct BagFiles {
    /// For messages.
    pub(crate) name: String,
    paths: Vec<PathBuf>,
}

/// Files of messages in a folder, in the order of their numbers.
pub(crate) fn files_of_folder(folder: &Path, name: &str) -> Result<BagFiles, LogError> {
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(name, error))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "db3" || e == "mcap"))
        .collect();
    if paths.is_empty() {
        return Err(LogError::Unsupported {
            file: name.to_owned(),
            what: "a folder without .mcap or .db3 files".to_owned(),
            remedy: "give the folder of one recording, or a file".to_owned(),
        });
    }
    // name_2 comes before name_10.
    paths.sort_by_key(|path| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let number = stem.rsplit('_').next().and_then(|digits| digits.parse::<u64>().ok());
        (number.unwrap_or(0), stem)
    });
    Ok(BagFiles { name: name.to_owned(), paths })
}

impl BagFiles {
    pub(crate) fn one(path: &Path, name: &str) -> Self {
        BagFiles { name: name.to_owned(), paths: vec![path.to_owned()] }
    }

    /// Opens the first of them; the others follow when it is read.
    pub(crate) fn open(&self) -> Result<Box<dyn MessageSource>, LogError> {
        let mut files = InSequence {
            paths: self.paths.clone(),
            next: 0,
            current: None,
            topics: Vec::new(),
            known: Vec::new(),
        };
        files.advance()?;
        Ok(Box::new(files))
    }
}

fn open_file(path: &Path) -> Result<Box<dyn MessageSource>, LogError> {
    let name = path.display().to_string();
    let mut start = [0u8; 8];
    let mut file = std::fs::File::open(path).map_err(|error| unreadable(&name, error))?;
    let read = file.read_exact(&mut start);
    match &start {
        b"\x89MCAP0\r\n" if read.is_ok() => {
            if_built!("mcap", "an MCAP file", &name, Ok(Box::new(McapMessages::open(path, &name)?)))
        }
        b"SQLite f" if read.is_ok() => {
            if_built!("rosbag", "a rosbag2 database", &name, Ok(Box::new(Db3Messages::open(path, &name)?)))
        }
        _ => Err(LogError::UnknownFormat { file: name }),
    }
}

/// Several files as one.
struct InSequence {
    paths: Vec<PathBuf>,
    next: usize,
    current: Option<Box<dyn MessageSource>>,
    topics: Vec<Topic>,
    /// For each topic of the current file its place among all.
    known: Vec<usize>,
}

impl InSequence {
    fn advance(&mut self) -> Result<bool, LogError> {
        let Some(path) = self.paths.get(self.next) else { return Ok(false) };
        self.current = Some(open_file(path)?);
        self.known.clear();
        self.next += 1;
        Ok(true)
    }

    fn learn_topics(&mut self) {
        let Some(current) = &self.current else { return };
        for topic in &current.topics()[self.known.len()..] {
            let place = self.topics.iter().position(|known| known == topic).unwrap_or_else(|| {
                self.topics.push(topic.clone());
                self.topics.len() - 1
            });
            self.known.push(place);
        }
    }
}

impl MessageSource for InSequence {
    fn topics(&self) -> &[Topic] {
        &self.topics
    }

    fn progress(&self) -> f64 {
        let inside = self.current.as_ref().map_or(0.0, |current| current.progress());
        (self.next.saturating_sub(1) as f64 + inside) / self.paths.len().max(1) as f64
    }

    fn next(&mut self) -> Result<Option<Message>, LogError> {
        loop {
            let Some(current) = &mut self.current else { return Ok(None) };
            let message = current.next()?;
            self.learn_topics();
            match message {
                Some(message) => {
                    let topic = self.known[message.topic];
                    return Ok(Some(Message { topic, ..message }));
                }
                None if self.advance()? => {}
                None => {
                    self.current = None;
                    return Ok(None);
                }
            }
        }
    }
}
