//! MCAP: messages of channels, packed in chunks. Records are read one after the other; the index at the end is not needed.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::messages::{Message, MessageSource, Topic};
use crate::error::LogError;
use crate::log::reader::unreadable;

/// Larger records are taken for damage.
const LARGEST_RECORD: u64 = 1 << 31;

pub(crate) struct McapMessages {
    file: String,
    input: BufReader<File>,
    size: u64,
    read: u64,
    /// Records of the chunk that is being read, and the place in it.
    chunk: Vec<u8>,
    at: usize,
    schemas: HashMap<u16, String>,
    channels: HashMap<u16, usize>,
    topics: Vec<Topic>,
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
            read: 8,
            chunk: Vec::new(),
            at: 0,
            schemas: HashMap::new(),
            channels: HashMap::new(),
            topics: Vec::new(),
            ended: false,
        };
        // A file without a readable summary is read all the same: its channels are met on the way.
        messages.summary();
        messages.input.seek(SeekFrom::Start(8)).map_err(|error| unreadable(file, error))?;
        messages.read = 8;
        Ok(messages)
    }

    /// Learns the channels from the summary that a finished recording has at its end.
    fn summary(&mut self) -> Option<()> {
        // The footer (20 bytes) in its record (9 more), then the magic again (8).
        self.input.seek(SeekFrom::Start(self.size.checked_sub(37)?)).ok()?;
        let mut footer = [0u8; 37];
        self.input.read_exact(&mut footer).ok()?;
        let start = Fields(&footer[9..]).number(8)?;
        if footer[0] != 0x02 || !footer.ends_with(b"\x89MCAP0\r\n") || start < 8 || start >= self.size {
            return None;
        }
        self.input.seek(SeekFrom::Start(start)).ok()?;
        self.read = start;
        loop {
            let (kind, content) = self.record().ok()?;
            match kind {
                0x02 => return Some(()),
                0x03 | 0x04 => drop(self.understand(kind, &content)?),
                _ => {}
            }
        }
    }

    fn cut(&self) -> LogError {
        LogError::Cut {
            file: self.file.clone(),
            found: format!("after {} of its bytes the recording was not finished", self.read),
            remedy: "repair it with `mcap recover`".to_owned(),
        }
    }

    fn damaged(&self, problem: &str) -> LogError {
        LogError::Damaged { file: self.file.clone(), problem: problem.to_owned() }
    }

    /// The next record of the file itself: its kind and content.
    fn record(&mut self) -> Result<(u8, Vec<u8>), LogError> {
        let mut head = [0u8; 9];
        self.input.read_exact(&mut head).map_err(|_| self.cut())?;
        let length = Fields(&head[1..]).number(8).unwrap_or(u64::MAX);
        if length > self.size - self.read.min(self.size) {
            return Err(self.cut());
        }
        if length > LARGEST_RECORD {
            return Err(self.damaged("a record is impossibly long"));
        }
        let mut content = vec![0; length as usize];
        self.input.read_exact(&mut content).map_err(|_| self.cut())?;
        self.read += 9 + length;
        Ok((head[0], content))
    }

    fn unpack(&self, content: &[u8]) -> Result<Vec<u8>, LogError> {
        let mut fields = Fields(content);
        let head = (|| {
            fields.number(16)?; // times of the first and the last message
            let size = fields.number(8)?;
            let checksum = fields.number(4)? as u32;
            let compression = fields.text()?;
            let length = fields.number(8)?;
            Some((size, checksum, compression, fields.bytes(length as usize)?))
        })();
        let Some((size, checksum, compression, packed)) = head.filter(|head| head.0 <= LARGEST_RECORD) else {
            return Err(self.damaged("a chunk is garbled"));
        };
        let mut unpacked = Vec::with_capacity(size.min(1 << 24) as usize);
        let done = match compression.as_str() {
            "" => {
                unpacked.extend_from_slice(packed);
                Ok(())
            }
            "zstd" => zstd::stream::read::Decoder::new(packed)
                .and_then(|decoder| decoder.take(size + 1).read_to_end(&mut unpacked).map(drop)),
            "lz4" => {
                let decoder = lz4_flex::frame::FrameDecoder::new(packed);
                decoder.take(size + 1).read_to_end(&mut unpacked).map(drop)
            }
            other => {
                return Err(LogError::Unsupported {
                    file: self.file.clone(),
                    what: format!("an MCAP file packed with `{other}`"),
                    remedy: "write it with zstd, lz4 or no compression".to_owned(),
                });
            }
        };
        let intact = checksum == 0 || crc32fast::hash(&unpacked) == checksum;
        match done {
            Ok(()) if unpacked.len() as u64 == size && intact => Ok(unpacked),
            _ => Err(self.damaged("a chunk cannot be unpacked or has a wrong checksum")),
        }
    }

    /// Learns from a record, or makes a message of it; `None` if it is garbled.
    fn understand(&mut self, kind: u8, content: &[u8]) -> Option<Option<Message>> {
        let mut fields = Fields(content);
        match kind {
            0x03 => {
                let id = fields.number(2)? as u16;
                self.schemas.insert(id, fields.text()?);
            }
            0x04 => {
                let id = fields.number(2)? as u16;
                let schema = fields.number(2)? as u16;
                let name = fields.text()?;
                let encoding = fields.text()?;
                let kind = self.schemas.get(&schema).cloned().unwrap_or_default();
                let topic = Topic { name, kind, encoding };
                let index = self.topics.iter().position(|known| *known == topic).unwrap_or_else(|| {
                    self.topics.push(topic);
                    self.topics.len() - 1
                });
                self.channels.insert(id, index);
            }
            0x05 => {
                let channel = fields.number(2)? as u16;
                fields.number(4)?;
                let time = fields.number(8)? as i64;
                fields.number(8)?;
                let topic = *self.channels.get(&channel)?;
                return Some(Some(Message { topic, time, data: fields.0.to_vec() }));
            }
            _ => {}
        }
        Some(None)
    }

    /// The next record inside the chunk that is open.
    fn inner_record(&mut self) -> Result<Option<Message>, LogError> {
        let chunk = std::mem::take(&mut self.chunk);
        let mut fields = Fields(&chunk[self.at..]);
        let record = fields.number(1).zip(fields.number(8));
        let content = record.and_then(|(kind, length)| Some((kind as u8, fields.bytes(length as usize)?)));
        let found = content.and_then(|(kind, content)| {
            self.at += 9 + content.len();
            // Other messages are passed over without a copy.
            let topic = |bytes: &[u8]| self.channels.get(&(Fields(bytes).number(2)? as u16)).copied();
            let wanted = kind != 0x05 || topic(content).is_none_or(|topic| self.topics[topic].is_read());
            if wanted { self.understand(kind, content) } else { Some(None) }
        });
        self.chunk = chunk;
        found.ok_or_else(|| self.damaged("a record in a chunk is garbled"))
    }
}

impl MessageSource for McapMessages {
    fn topics(&self) -> &[Topic] {
        &self.topics
    }

    fn progress(&self) -> f64 {
        self.read as f64 / self.size.max(1) as f64
    }

    fn next(&mut self) -> Result<Option<Message>, LogError> {
        while !self.ended {
            if self.at < self.chunk.len() {
                match self.inner_record()? {
                    Some(message) => return Ok(Some(message)),
                    None => continue,
                }
            }
            let (kind, content) = self.record()?;
            match kind {
                0x06 => {
                    self.chunk = self.unpack(&content)?;
                    self.at = 0;
                }
                0x0f | 0x02 => self.ended = true,
                _ => {
                    let understood = self.understand(kind, &content);
                    match understood.ok_or_else(|| self.damaged("a record is garbled"))? {
                        Some(message) => return Ok(Some(message)),
                        None => continue,
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Little-endian fields, taken one after the other.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
    /// A number of up to eight bytes (the lowest eight of longer ones).
    fn number(&mut self, size: usize) -> Option<u64> {
        let bytes = self.bytes(size)?;
        Some(bytes.iter().take(8).rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
    fn text(&mut self) -> Option<String> {
        let length = self.number(4)? as usize;
        Some(String::from_utf8_lossy(self.bytes(length)?).into_owned())
    }
}
