//! Members of ZIP archives, as NPZ files have them, each a stream of its own (stored or deflated, ZIP64 too).

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::reader::unreadable;
use crate::error::LogError;

/// One file in the archive.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    deflated: bool,
    checksum: u32,
    compressed: u64,
    size: u64,
    /// Where its bytes start in the archive.
    start: u64,
}

/// The members of an archive.
pub(crate) fn directory(path: &Path, file: &str) -> Result<Vec<Member>, LogError> {
    let archive = File::open(path).map_err(|error| unreadable(file, error))?;
    let length = archive.metadata().map_err(|error| unreadable(file, error))?.len();
    let cut = |found: &str| LogError::Cut {
        file: file.to_owned(),
        found: found.to_owned(),
        remedy: "save it anew".to_owned(),
    };
    let damaged = |error: ZipError| match error {
        ZipError::Io(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => unreadable(file, error),
        _ => LogError::Damaged { file: file.to_owned(), problem: "its directory is garbled".to_owned() },
    };
    let mut archive = ZipArchive::new(BufReader::new(archive)).map_err(|error| match error {
        ZipError::InvalidArchive(_) => cut("its directory is missing"),
        other => damaged(other),
    })?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let member = Member {
            name: String::from_utf8_lossy(entry.name_raw()).into_owned(),
            deflated: entry.compression() == CompressionMethod::Deflated,
            checksum: entry.crc32(),
            compressed: entry.compressed_size(),
            size: entry.size(),
            start: entry.data_start().unwrap_or(length),
        };
        if entry.encrypted() || !(member.deflated || entry.compression() == CompressionMethod::Stored) {
            return Err(LogError::Unsupported {
                file: file.to_owned(),
                what: format!("an archive whose `{}` is encrypted or packed in an unusual way", member.name),
                remedy: "save it with numpy.savez or numpy.savez_compressed".to_owned(),
            });
        }
        if member.start.checked_add(member.compressed).is_none_or(|end| end > length) {
            return Err(cut(&format!("`{}` goes beyond its end", member.name)));
        }
        members.push(member);
    }
    Ok(members)
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
        let bytes = match member.deflated {
            false => Bytes::Stored(BufReader::with_capacity(1 << 16, archive)),
            true => {
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
