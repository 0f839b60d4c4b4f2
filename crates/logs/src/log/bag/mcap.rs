//! MCAP: messages of channels, packed in chunks. Records are read one after the other; the
//! index at the end is not needed.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use mcap::McapError;
use mcap::records::{Record, op};
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use super::messages::{Message, MessageSource, Topic};
use crate::error::LogError;
use crate::log::reader::unreadable;

/// Larger records and chunks are taken for damage: a few bytes may promise to become that many when unpacked.
const LARGEST_RECORD: usize = 1 << 28;
/// The footer (20 bytes) in its record (9 more), then the magic again (8).
const END: usize = 37;

pub(crate) struct McapMessages {
    file: String,
    input: BufReader<File>,
    size: u64,
    read: u64,
    records: LinearReader,
    channels: Channels,
    ended: bool,
}

impl McapMessages {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let input = File::open(path).map_err(|error| unreadable(file, error))?;
        let size = input.metadata().map_err(|error| unreadable(file, error))?.len();
        let mut messages = McapMessages {
            file: file.to_owned(),
            input: BufReader::with_capacity(1 << 20, input),
            size,
            read: 0,
            records: LinearReader::new(),
            channels: Channels::default(),
            ended: false,
        };
        // A file without a readable summary is read all the same: its channels are met on the way.
        messages.learn_from_summary();
        messages.start_at(mcap::MAGIC.len() as u64).map_err(|error| unreadable(file, error))?;
        Ok(messages)
    }

    /// Reads records from this place on.
    fn start_at(&mut self, place: u64) -> std::io::Result<()> {
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_skip_end_magic(true)
            .with_prevalidate_chunk_crcs(true)
            .with_record_length_limit(LARGEST_RECORD);
        self.records = LinearReader::new_with_options(options);
        self.read = self.input.seek(SeekFrom::Start(place))?;
        self.ended = false;
        Ok(())
    }

    /// Learns the channels from the summary that a finished recording has at its end.
    fn learn_from_summary(&mut self) -> Option<()> {
        self.input.seek(SeekFrom::Start(self.size.checked_sub(END as u64)?)).ok()?;
        let mut ends = [mcap::MAGIC, &[0; END]].concat();
        self.input.read_exact(&mut ends[mcap::MAGIC.len()..]).ok()?;
        let start = mcap::read::footer(&ends).ok()?.summary_start;
        if start == 0 || start >= self.size {
            return None;
        }
        self.start_at(start).ok()?;
        while self.next().ok()?.is_some() {}
        Some(())
    }

    fn refusal(&self, error: McapError) -> LogError {
        let left = self.size - self.read;
        let problem = match error {
            McapError::UnsupportedCompression(name) => {
                return LogError::Unsupported {
                    file: self.file.clone(),
                    what: format!("an MCAP file packed with `{name}`"),
                    remedy: "write it with zstd, lz4 or no compression".to_owned(),
                };
            }
            McapError::RecordTooLarge { len, .. } | McapError::ChunkTooLarge(len) if len > left => {
                return self.cut();
            }
            McapError::RecordTooLarge { .. } | McapError::ChunkTooLarge(_) => "a record is impossibly long",
            McapError::BadChunkCrc { .. } | McapError::DecompressionError(_) | McapError::Io(_) => {
                "a chunk cannot be unpacked or has a wrong checksum"
            }
            McapError::BadChunkLength { .. } | McapError::UnexpectedEoc => "a chunk is garbled",
            _ => "a record is garbled",
        };
        LogError::Damaged { file: self.file.clone(), problem: problem.to_owned() }
    }

    fn cut(&self) -> LogError {
        LogError::Cut {
            file: self.file.clone(),
            found: format!("after {} of its bytes the recording was not finished", self.read),
            remedy: "repair it with `mcap recover`".to_owned(),
        }
    }
}

impl MessageSource for McapMessages {
    fn topics(&self) -> &[Topic] {
        &self.channels.topics
    }

    fn progress(&self) -> f64 {
        self.read as f64 / self.size.max(1) as f64
    }

    fn next(&mut self) -> Result<Option<Message>, LogError> {
        while !self.ended {
            let understood = match self.records.next_event() {
                None | Some(Ok(LinearReadEvent::Record { opcode: op::DATA_END | op::FOOTER, .. })) => {
                    self.ended = true;
                    Ok(None)
                }
                // Asked for before memory is taken: a garbled length may be anything.
                Some(Ok(LinearReadEvent::ReadRequest(need))) if need as u64 > self.size - self.read => {
                    return Err(self.cut());
                }
                Some(Ok(LinearReadEvent::ReadRequest(need))) => {
                    let filled = self.input.read_exact(self.records.insert(need));
                    filled.map_err(|error| unreadable(&self.file, error))?;
                    self.records.notify_read(need);
                    self.read += need as u64;
                    Ok(None)
                }
                Some(Ok(LinearReadEvent::Record { opcode, data })) => self.channels.understand(opcode, data),
                Some(Err(error)) => Err(error),
            };
            if let Some(message) = understood.map_err(|error| self.refusal(error))? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}

/// What the records so far said about the channels.
#[derive(Default)]
struct Channels {
    schemas: HashMap<u16, String>,
    /// Topic of each channel.
    topic_of: HashMap<u16, usize>,
    topics: Vec<Topic>,
}

impl Channels {
    /// Learns from a record, or makes a message of it if its topic is read.
    fn understand(&mut self, opcode: u8, data: &[u8]) -> Result<Option<Message>, McapError> {
        // Chunks are taken apart by the reader, unless a record before has gone beyond the end of its own.
        if opcode == op::CHUNK {
            return Err(McapError::UnexpectedEoc);
        }
        if !matches!(opcode, op::SCHEMA | op::CHANNEL | op::MESSAGE) {
            return Ok(None);
        }
        match mcap::parse_record(opcode, data)? {
            Record::Schema { header, .. } => drop(self.schemas.insert(header.id, header.name)),
            Record::Channel(channel) => {
                let kind = self.schemas.get(&channel.schema_id).cloned().unwrap_or_default();
                let topic = Topic { name: channel.topic, kind, encoding: channel.message_encoding };
                let index = self.topics.iter().position(|known| *known == topic).unwrap_or_else(|| {
                    self.topics.push(topic);
                    self.topics.len() - 1
                });
                self.topic_of.insert(channel.id, index);
            }
            Record::Message { header, data } => {
                let unknown = || McapError::UnknownChannel(header.sequence, header.channel_id);
                let topic = *self.topic_of.get(&header.channel_id).ok_or_else(unknown)?;
                if self.topics[topic].is_read() {
                    let time = header.log_time as i64;
                    return Ok(Some(Message { topic, time, data: data.into_owned() }));
                }
            }
            _ => {}
        }
        Ok(None)
    }
}
