//! Bags of ROS 2 messages (MCAP, rosbag2 `.db3`, the folder of a recording): joint
//! states, floating bases and wrenches as one log.
//!
//! Rows come at the header stamps of the joint states (at the time of recording where nobody
//! set them); wrenches, and joint states of other topics, are interpolated linearly onto them.
//! Time counts from the first row.

mod bodies;
mod cdr;
#[cfg(feature = "rosbag")]
mod db3;
mod files;
#[cfg(feature = "mcap")]
mod mcap;
mod messages;
mod streams;

pub(crate) use self::files::{BagFiles, files_of_folder};

use self::cdr::{JointState, MultiDofState, SixStamped};
use self::messages::{Message, MessageSource, TopicKind};
use self::streams::{Signal, Streams};
use super::chunk::{CHUNK_ROWS, Chunk};
use super::merge::{Merge, PATIENCE};
use super::reader::{LogOptions, RowSource};
use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

pub(crate) struct BagReader {
    file: String,
    source: Box<dyn MessageSource>,
    streams: Streams,
    names: Vec<String>,
    kept: Vec<usize>,
    merge: Merge,
    /// Memory for messages.
    state: JointState,
    start: Option<i64>,
    rows: u64,
    ended: bool,
    accept_cut: bool,
    notes: Vec<LogNote>,
}

impl BagReader {
    pub(crate) fn open(files: &BagFiles, options: &LogOptions) -> Result<Self, LogError> {
        let streams = Streams::survey(&mut *files.open()?, &files.name, options)?;
        let names: Vec<String> =
            ["t".to_owned()].into_iter().chain(streams.signals.iter().flat_map(Signal::columns)).collect();
        Ok(BagReader {
            file: files.name.clone(),
            source: files.open()?,
            merge: Merge::new(streams.signals[1..].iter().map(Signal::width), PATIENCE),
            notes: Vec::new(),
            kept: (0..names.len()).collect(),
            names,
            streams,
            state: JointState::default(),
            start: None,
            rows: 0,
            ended: false,
            accept_cut: options.accept_cut,
        })
    }

    fn push(&mut self, message: &Message) -> Result<(), LogError> {
        let topic = &self.source.topics()[message.topic];
        let garbled = || LogError::Damaged {
            file: self.file.clone(),
            problem: format!("a message of {} is garbled", topic.name),
        };
        let (signal, stamp, values) = match topic.tells() {
            None => return Ok(()),
            Some(TopicKind::Wrench | TopicKind::Twist) => {
                let read = SixStamped::read(&message.data).ok_or_else(garbled)?;
                let Some(signal) = self.streams.of_topic(&topic.name) else { return Ok(()) };
                (signal, read.stamp, read.values.to_vec())
            }
            Some(TopicKind::Bodies) => {
                let read = MultiDofState::read(&message.data).ok_or_else(garbled)?;
                let Some((signal, values)) = self.streams.bodies(&topic.name, &read) else { return Ok(()) };
                (signal, read.stamp, values)
            }
            Some(TopicKind::JointStates) => {
                self.state.read(&message.data).ok_or_else(garbled)?;
                let found = self.streams.joints(&topic.name, &self.state);
                let Some((signal, values)) = found else { return Ok(()) };
                (signal, self.state.stamp, values)
            }
        };
        let stamp = if self.streams.signals[signal].stamped { stamp } else { message.time };
        match signal {
            0 => self.merge.push_first(stamp, values),
            other => self.merge.push_other(other - 1, stamp, values),
        }
        Ok(())
    }

    fn end(&mut self) {
        self.ended = true;
        self.merge.end();
    }

    /// Rows that had to be left out, and why.
    fn closing_notes(&mut self) {
        let left_out = self.merge.left_out();
        for (signal, count) in self.streams.signals[1..].iter().zip(left_out) {
            if count > 0 {
                let (file, topic) = (self.file.clone(), signal.topic.clone());
                self.notes.push(ReadingNote::TopicSilent { file, topic, rows: count }.into());
            }
        }
    }
}

impl RowSource for BagReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn progress(&self) -> f64 {
        self.source.progress()
    }

    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); self.kept.len()];
        let mut rows = 0;
        while rows < CHUNK_ROWS {
            if let Some((stamp, values)) = self.merge.next() {
                let start = *self.start.get_or_insert(stamp);
                for (column, &k) in columns.iter_mut().zip(&self.kept) {
                    column.push(match k {
                        0 => stamp.saturating_sub(start) as f64 * 1e-9,
                        k => values[k - 1],
                    });
                }
                rows += 1;
                continue;
            }
            if self.ended {
                break;
            }
            match self.source.next() {
                Ok(Some(message)) => self.push(&message)?,
                Ok(None) => self.end(),
                Err(LogError::Cut { file, found, .. }) if self.accept_cut => {
                    self.notes.push(ReadingNote::EndsEarly { file, found }.into());
                    self.end();
                }
                Err(error) => return Err(error),
            }
        }
        if rows == 0 {
            self.closing_notes();
            if self.rows == 0 {
                return Err(LogError::NoMessages {
                    file: self.file.clone(),
                    found: "its topics never overlap in time, read one of them alone".to_owned(),
                });
            }
            return Ok(None);
        }
        self.rows += rows as u64;
        Ok(Some(Chunk::of(0, rows, columns)))
    }

    fn notes(&self) -> Vec<LogNote> {
        [&self.streams.notes[..], &self.notes[..]].concat()
    }
}
