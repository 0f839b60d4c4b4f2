//! NPZ: NumPy's arrays by name, read in step through one handle each.

mod npy;

use std::path::{Path, PathBuf};

use steiner_linalg::{all_threads, chunks_in_parallel};

use self::npy::ArrayHeader;
use super::arrays::{ArrayShape, Layout};
use super::chunk::{CHUNK_ROWS, Chunk};
use super::reader::RowSource;
use super::zip::{Member, MemberStream, directory};
use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

pub(crate) struct NpzReader {
    path: PathBuf,
    file: String,
    arrays: Vec<Array>,
    names: Vec<String>,
    /// Array and column in it, for each name.
    columns: Vec<(usize, usize)>,
    kept: Vec<usize>,
    samples: u64,
    at: u64,
    /// Opened with the first chunk.
    feeds: Option<Vec<Feed>>,
    notes: Vec<LogNote>,
}

struct Array {
    member: Member,
    header: ArrayHeader,
    columns: usize,
    /// Whether the numbers of a sample stand together (or all of one column).
    by_sample: bool,
}

/// A stream of numbers that fills one column, or all columns of an array.
struct Feed {
    stream: MemberStream,
    array: usize,
    /// Places in the chunk and columns of the array they hold.
    slots: Vec<(usize, usize)>,
    /// Numbers per sample in the stream.
    width: usize,
}

/// A place in the chunk and its numbers.
type FilledSlot = (usize, Vec<f64>);

impl Feed {
    /// The next rows of the columns this stream holds.
    fn read(&mut self, header: &ArrayHeader, rows: usize, out: &mut Vec<FilledSlot>) -> Result<(), LogError> {
        let mut bytes = vec![0; rows * self.width * header.kind.size()];
        self.stream.read_exact(&mut bytes)?;
        for &(slot, column) in &self.slots {
            let mut values = Vec::with_capacity(rows);
            header.kind.append(&bytes, header.big_endian, column, self.width, &mut values);
            out.push((slot, values));
        }
        Ok(())
    }
}

impl NpzReader {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let mut found = Vec::new();
        let mut notes = Vec::new();
        for member in directory(path, file)? {
            let Some(name) = member.name.strip_suffix(".npy").map(str::to_owned) else { continue };
            let mut stream = MemberStream::open(path, file, &member)?;
            match npy::read_header(&mut stream, &name, file)? {
                Err(holds) => {
                    notes
                        .push(ReadingNote::ArrayLeftOut { file: file.to_owned(), array: name, holds }.into());
                }
                Ok(header) if header.shape.is_empty() || header.shape.len() > 2 => {}
                Ok(header) => {
                    let numbers = header.shape.iter().try_fold(1u64, |all, size| all.checked_mul(*size));
                    let bytes = numbers.and_then(|numbers| numbers.checked_mul(header.kind.size() as u64));
                    if bytes != Some(stream.left()) {
                        return Err(LogError::Damaged {
                            file: file.to_owned(),
                            problem: format!("`{name}` has not as many numbers as it says"),
                        });
                    }
                    found.push((name, member, header));
                }
            }
        }
        let shapes: Vec<ArrayShape> = found
            .iter()
            .map(|(name, _, header)| ArrayShape {
                name: name.clone(),
                rows: header.shape[0],
                columns: header.shape.get(1).copied().unwrap_or(1),
            })
            .collect();
        let layout = Layout::of(&shapes, file)?;
        notes.extend(layout.notes);
        let mut reader = NpzReader {
            path: path.to_owned(),
            file: file.to_owned(),
            arrays: Vec::new(),
            names: Vec::new(),
            columns: Vec::new(),
            kept: Vec::new(),
            samples: layout.samples,
            at: 0,
            feeds: None,
            notes,
        };
        for ((_, member, header), place) in found.into_iter().zip(layout.arrays) {
            let Some((names, transposed)) = place else { continue };
            let columns = names.len();
            let by_sample = columns == 1 || header.column_major == transposed;
            reader.columns.extend((0..columns).map(|k| (reader.arrays.len(), k)));
            reader.names.extend(names);
            reader.arrays.push(Array { member, header, columns, by_sample });
        }
        reader.kept = (0..reader.names.len()).collect();
        Ok(reader)
    }

    fn open_feeds(&self) -> Result<Vec<Feed>, LogError> {
        let mut feeds: Vec<Feed> = Vec::new();
        for (slot, &name) in self.kept.iter().enumerate() {
            let (index, column) = self.columns[name];
            let array = &self.arrays[index];
            if array.by_sample
                && let Some(feed) = feeds.iter_mut().find(|feed| feed.array == index)
            {
                feed.slots.push((slot, column));
                continue;
            }
            let mut stream = MemberStream::open(&self.path, &self.file, &array.member)?;
            // The header is read, not skipped, so that the checksum of the whole member can be compared.
            stream.read_exact(&mut vec![0; array.header.length as usize])?;
            let (slots, width) = match array.by_sample {
                true => (vec![(slot, column)], array.columns),
                false => {
                    stream.skip(column as u64 * self.samples * array.header.kind.size() as u64)?;
                    (vec![(slot, 0)], 1)
                }
            };
            feeds.push(Feed { stream, array: index, slots, width });
        }
        Ok(feeds)
    }
}

impl RowSource for NpzReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(&self) -> Option<u64> {
        Some(self.samples)
    }

    fn progress(&self) -> f64 {
        self.at as f64 / self.samples.max(1) as f64
    }

    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        // Wide arrays in fewer rows, so that a chunk stays a chunk.
        let widest = self.arrays.iter().map(|array| array.columns).max().unwrap_or(1).max(1);
        let most = CHUNK_ROWS.min(((1 << 24) / widest).max(1));
        let rows = (self.samples - self.at).min(most as u64) as usize;
        if rows == 0 {
            return Ok(None);
        }
        let mut feeds = match self.feeds.take() {
            Some(feeds) => feeds,
            None => self.open_feeds()?,
        };
        let arrays = &self.arrays;
        let read =
            chunks_in_parallel(&mut feeds, all_threads(), |_, feeds| -> Result<Vec<FilledSlot>, LogError> {
                let mut out = Vec::new();
                for feed in feeds {
                    feed.read(&arrays[feed.array].header, rows, &mut out)?;
                }
                Ok(out)
            });
        let mut columns = vec![Vec::new(); self.kept.len()];
        for part in read {
            part?.into_iter().for_each(|(slot, values)| columns[slot] = values);
        }
        self.feeds = Some(feeds);
        self.at += rows as u64;
        Ok(Some(Chunk::of(0, rows, columns)))
    }

    fn notes(&self) -> Vec<LogNote> {
        self.notes.clone()
    }
}
