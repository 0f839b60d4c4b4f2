//! What is needed of ZIP archives to read NPZ: the directory, and members as streams (stored or deflated, ZIP64 too).

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use super::reader::unreadable;
use crate::error::LogError;

const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
const DIRECTORY_ENTRY: u32 = 0x0201_4b50;
const LOCAL_ENTRY: u32 = 0x0403_4b50;

/// One file in the archive.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// 0 stored, 8 deflated.
    method: u16,
    checksum: u32,
    compressed: u64,
    size: u64,
    /// Where its bytes start in the archive.
    start: u64,
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// The members of an archive.
pub(crate) fn directory(path: &Path, file: &str) -> Result<Vec<Member>, LogError> {
    let mut archive = File::open(path).map_err(|error| unreadable(file, error))?;
    let length = archive.metadata().map_err(|error| unreadable(file, error))?.len();
    let cut = |found: &str| LogError::Cut {
        file: file.to_owned(),
        found: found.to_owned(),
        remedy: "save it anew".to_owned(),
    };
    let mut read = |start: u64, size: u64| -> Result<Vec<u8>, LogError> {
        if start.checked_add(size).is_none_or(|end| end > length) {
            return Err(cut("its directory points behind its end"));
        }
        let mut bytes = vec![0; size as usize];
        archive.seek(SeekFrom::Start(start)).map_err(|error| unreadable(file, error))?;
        archive.read_exact(&mut bytes).map_err(|error| unreadable(file, error))?;
        Ok(bytes)
    };
    // The end record is followed by a comment of at most 65,535 bytes.
    let tail_start = length.saturating_sub(22 + 65_535);
    let tail = read(tail_start, length - tail_start)?;
    let end = (0..tail.len().saturating_sub(21)).rev().find(|&at| number(&tail, at, 4) == u64::from(END));
    let end = end.ok_or_else(|| cut("its directory is missing"))?;
    let (mut entries, mut size, mut start) =
        (number(&tail, end + 10, 2), number(&tail, end + 12, 4), number(&tail, end + 16, 4));
    let locator = (tail_start + end as u64).checked_sub(20);
    if let Some(at) = locator {
        let bytes = read(at, 20)?;
        if number(&bytes, 0, 4) == u64::from(LOCATOR_64) {
            let record = read(number(&bytes, 8, 8), 56)?;
            if number(&record, 0, 4) == u64::from(END_64) {
                (entries, size, start) =
                    (number(&record, 32, 8), number(&record, 40, 8), number(&record, 48, 8));
            }
        }
    }
    let bytes = read(start, size)?;
    let damaged =
        || LogError::Damaged { file: file.to_owned(), problem: "its directory is garbled".to_owned() };
    let mut members = Vec::new();
    let mut at = 0;
    for _ in 0..entries {
        if bytes.len() < at + 46 || number(&bytes, at, 4) != u64::from(DIRECTORY_ENTRY) {
            return Err(damaged());
        }
        let (name, extra, comment) = (
            number(&bytes, at + 28, 2) as usize,
            number(&bytes, at + 30, 2) as usize,
            number(&bytes, at + 32, 2) as usize,
        );
        if bytes.len() < at + 46 + name + extra + comment {
            return Err(damaged());
        }
        let mut member = Member {
            name: String::from_utf8_lossy(&bytes[at + 46..at + 46 + name]).into_owned(),
            method: number(&bytes, at + 10, 2) as u16,
            checksum: number(&bytes, at + 16, 4) as u32,
            compressed: number(&bytes, at + 20, 4),
            size: number(&bytes, at + 24, 4),
            start: number(&bytes, at + 42, 4),
        };
        if number(&bytes, at + 8, 2) & 1 != 0 || !matches!(member.method, 0 | 8) {
            return Err(LogError::Unsupported {
                file: file.to_owned(),
                what: format!("an archive whose `{}` is encrypted or packed in an unusual way", member.name),
                remedy: "save it with numpy.savez or numpy.savez_compressed".to_owned(),
            });
        }
        sixty_four(&bytes[at + 46 + name..at + 46 + name + extra], &mut member);
        let local = read(member.start, 30)?;
        if number(&local, 0, 4) != u64::from(LOCAL_ENTRY) {
            return Err(damaged());
        }
        member.start += 30 + number(&local, 26, 2) + number(&local, 28, 2);
        if member.start.checked_add(member.compressed).is_none_or(|end| end > length) {
            return Err(cut(&format!("`{}` goes beyond its end", member.name)));
        }
        members.push(member);
        at += 46 + name + extra + comment;
    }
    Ok(members)
}

/// Sizes beyond four bytes stand in an extra field, in this order, those that don't fit alone.
fn sixty_four(extra: &[u8], member: &mut Member) {
    let mut at = 0;
    while extra.len() >= at + 4 {
        let (tag, size) = (number(extra, at, 2), number(extra, at + 2, 2) as usize);
        let field = extra.get(at + 4..at + 4 + size).unwrap_or_default();
        if tag == 1 {
            let mut next = field.chunks_exact(8);
            for value in [&mut member.size, &mut member.compressed, &mut member.start] {
                if *value == 0xffff_ffff
                    && let Some(bytes) = next.next()
                {
                    *value = number(bytes, 0, 8);
                }
            }
        }
        at += 4 + size;
    }
}

/// The bytes of one member, through a handle of its own.
pub(crate) struct MemberStream {
    bytes: Bytes,
    member: Member,
    file: String,
    read: u64,
    /// Of what was read; `None` once something was skipped.
    checksum: Option<crc32fast::Hasher>,
}

enum Bytes {
    Stored(BufReader<File>),
    Deflated(Box<flate2::read::DeflateDecoder<BufReader<Take<File>>>>),
}

impl MemberStream {
    pub(crate) fn open(path: &Path, file: &str, member: &Member) -> Result<Self, LogError> {
        let mut archive = File::open(path).map_err(|error| unreadable(file, error))?;
        archive.seek(SeekFrom::Start(member.start)).map_err(|error| unreadable(file, error))?;
        let bytes = match member.method {
            0 => Bytes::Stored(BufReader::with_capacity(1 << 16, archive)),
            _ => {
                let limited = BufReader::with_capacity(1 << 16, archive.take(member.compressed));
                Bytes::Deflated(Box::new(flate2::read::DeflateDecoder::new(limited)))
            }
        };
        Ok(MemberStream {
            bytes,
            member: member.clone(),
            file: file.to_owned(),
            read: 0,
            checksum: Some(crc32fast::Hasher::new()),
        })
    }

    fn damaged(&self) -> LogError {
        let name = self.member.name.trim_end_matches(".npy");
        LogError::Damaged {
            file: self.file.clone(),
            problem: format!("`{name}` cannot be unpacked or has a wrong checksum"),
        }
    }

    /// Fills the buffer; the checksum is compared at the end of the member.
    pub(crate) fn read_exact(&mut self, buffer: &mut [u8]) -> Result<(), LogError> {
        self.read += buffer.len() as u64;
        if self.read > self.member.size {
            return Err(self.damaged());
        }
        let done = match &mut self.bytes {
            Bytes::Stored(bytes) => bytes.read_exact(buffer),
            Bytes::Deflated(bytes) => bytes.read_exact(buffer),
        };
        done.map_err(|_| self.damaged())?;
        if let Some(checksum) = &mut self.checksum {
            checksum.update(buffer);
            if self.read == self.member.size && checksum.clone().finalize() != self.member.checksum {
                return Err(self.damaged());
            }
        }
        Ok(())
    }

    /// Passes over some bytes: at once where they are stored, by unpacking them where they are deflated.
    pub(crate) fn skip(&mut self, count: u64) -> Result<(), LogError> {
        if count == 0 {
            return Ok(());
        }
        self.checksum = None;
        self.read += count;
        let done = match &mut self.bytes {
            Bytes::Stored(bytes) => bytes.seek_relative(count as i64).map(|()| count),
            Bytes::Deflated(bytes) => std::io::copy(&mut bytes.by_ref().take(count), &mut std::io::sink()),
        };
        match done {
            Ok(skipped) if skipped == count && self.read <= self.member.size => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    /// Bytes not yet read.
    pub(crate) fn left(&self) -> u64 {
        self.member.size.saturating_sub(self.read)
    }
}
