//! Parquet: one column per signal, or a column of lists of one length for several; any of the common
//! compressions, without Arrow.

mod lists;
mod pages;
mod panics;
mod thrift;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use parquet::basic::{Compression, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use steiner_linalg::parts_in_parallel;

use self::pages::{CheckedPages, Pages, check_place};
use self::panics::decoded;
use super::arrays::WRENCH;
use super::chunk::{CHUNK_ROWS, Chunk};
use super::reader::{RowSource, unreadable};
use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

pub(crate) struct ParquetReader {
    file: String,
    reader: SerializedFileReader<Pages>,
    names: Vec<String>,
    columns: Vec<Column>,
    /// For each name its column, and which number of a list it is.
    places: Vec<(usize, usize)>,
    kept: Vec<usize>,
    /// The columns that these stand in.
    used: Vec<usize>,
    rows: u64,
    read: u64,
    group: usize,
    /// Of the current row group, with the rows left in it.
    open: Option<(Vec<ColumnReader>, u64)>,
    notes: Vec<LogNote>,
}

#[derive(Clone)]
struct Column {
    /// Its place in the file.
    index: usize,
    /// The definition level of what is not null; 0 where nothing can be.
    level: i16,
    scale: f64,
    /// Stamps since 1970 count from the first one: as doubles they would lose their nanoseconds.
    stamps: bool,
    first_stamp: Option<i64>,
    /// Numbers of the list in every row, for a column of lists.
    list: Option<usize>,
}

/// Numbers of a list beyond which it is no state of a robot.
const LONGEST_LIST: usize = 4096;

impl ParquetReader {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let input = File::open(path).map_err(|error| unreadable(file, error))?;
        let mut tail = [0u8; 4];
        let whole = (&input).seek(std::io::SeekFrom::End(-4)).is_ok()
            && (&input).read_exact(&mut tail).is_ok()
            && &tail == b"PAR1";
        if !whole {
            return Err(LogError::Cut {
                file: file.to_owned(),
                found: "its footer is missing".to_owned(),
                remedy: "write it anew: without the footer nothing can be read".to_owned(),
            });
        }
        let length = input.metadata().map_err(|error| unreadable(file, error))?.len();
        let pages = Pages::new(input, length).map_err(|error| damaged(file, &error))?;
        let reader = decoded(|| SerializedFileReader::new(pages)).map_err(|error| damaged(file, &error))?;
        let metadata = reader.metadata().file_metadata();
        let (mut names, mut columns, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = Vec::new();
        for (k, column) in metadata.schema_descr().columns().iter().enumerate() {
            let name = column.path().string();
            let numeric = matches!(
                column.physical_type(),
                Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE
            );
            if !numeric {
                continue;
            }
            let name = if column.max_rep_level() > 0 { lists::name(column.path().parts()) } else { name };
            let list = match column.max_rep_level() {
                0 => None,
                1 => {
                    Some(decoded(|| lists::first_length(&reader, k)).map_err(|error| damaged(file, &error))?)
                }
                _ => Some(0),
            };
            if list.is_some_and(|length| !(1..=LONGEST_LIST).contains(&length)) {
                notes.push(ReadingNote::Lists { file: file.to_owned(), column: name }.into());
                continue;
            }
            let of_unit = |unit: &TimeUnit| match unit {
                TimeUnit::MILLIS => 1e-3,
                TimeUnit::MICROS => 1e-6,
                TimeUnit::NANOS => 1e-9,
            };
            let (scale, stamps) = match column.logical_type_ref() {
                Some(LogicalType::Timestamp(kind)) => (of_unit(&kind.unit), true),
                Some(LogicalType::Time(kind)) => (of_unit(&kind.unit), false),
                Some(LogicalType::Decimal(kind)) => (10f64.powi(-kind.scale), false),
                _ => (1.0, false),
            };
            if stamps {
                notes
                    .push(ReadingNote::FromFirstStamp { file: file.to_owned(), column: name.clone() }.into());
            }
            match list {
                None => names.push(name),
                Some(6) if name.starts_with("wrench_") => {
                    names.extend(WRENCH.iter().map(|component| format!("{name}_{component}")));
                }
                Some(length) => names.extend((0..length).map(|element| format!("{name}[{element}]"))),
            }
            places.extend((0..list.unwrap_or(1)).map(|element| (columns.len(), element)));
            columns.push(Column {
                index: k,
                level: column.max_def_level(),
                scale,
                stamps,
                first_stamp: None,
                list,
            });
        }
        let rows = metadata.num_rows().max(0) as u64;
        Ok(ParquetReader {
            file: file.to_owned(),
            kept: (0..names.len()).collect(),
            used: (0..columns.len()).collect(),
            names,
            columns,
            places,
            reader,
            rows,
            read: 0,
            group: 0,
            open: None,
            notes,
        })
    }

    /// The first name that a column has.
    fn first_name(&self, column: usize) -> usize {
        self.places.iter().position(|place| place.0 == column).unwrap_or(0)
    }

    /// The columns of the next row group that has rows.
    fn open_group(&mut self) -> Result<bool, LogError> {
        while self.group < self.reader.num_row_groups() {
            let group = decoded(|| self.reader.get_row_group(self.group));
            let group = group.map_err(|error| damaged(&self.file, &error))?;
            self.group += 1;
            let rows = group.metadata().num_rows().max(0) as u64;
            if rows > 0 {
                let reader = |&k: &usize| {
                    let index = self.columns[k].index;
                    let column = group.metadata().column(index);
                    let pages =
                        check_place(column).and_then(|()| decoded(|| group.get_column_page_reader(index)));
                    let pages = pages.map_err(|error| match column.compression() {
                        // The decoder is built without the one and has never had the other.
                        Compression::BROTLI(_) | Compression::LZO => unsupported(&self.file, &error),
                        _ => damaged(&self.file, &error),
                    })?;
                    Ok(get_column_reader(column.column_descr_ptr(), CheckedPages::new(pages)))
                };
                let readers: Result<Vec<ColumnReader>, LogError> = self.used.iter().map(reader).collect();
                self.open = Some((readers?, rows));
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn damaged(file: &str, error: &ParquetError) -> LogError {
    match error {
        ParquetError::NYI(_) => unsupported(file, error),
        _ => LogError::Damaged { file: file.to_owned(), problem: first_line(&error.to_string()).to_owned() },
    }
}

fn unsupported(file: &str, error: &ParquetError) -> LogError {
    LogError::Unsupported {
        file: file.to_owned(),
        what: format!("a Parquet file with something not read here ({})", first_line(&error.to_string())),
        remedy: "write it with snappy, gzip, zstd, lz4 or no compression".to_owned(),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("unknown").trim_start_matches("Parquet error: ").trim_end_matches('.')
}

impl RowSource for ParquetReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn progress(&self) -> f64 {
        self.read as f64 / self.rows.max(1) as f64
    }

    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
        let used: BTreeSet<usize> = columns.iter().map(|&k| self.places[k].0).collect();
        self.used = used.into_iter().collect();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        if self.open.is_none() && !self.open_group()? {
            return Ok(None);
        }
        let Some((mut readers, left)) = self.open.take() else { return Ok(None) };
        let rows = left.min(CHUNK_ROWS as u64) as usize;
        let threads = steiner_linalg::all_threads().get();
        let mut columns: Vec<Column> = self.used.iter().map(|&k| self.columns[k].clone()).collect();
        // Decoding and unpacking is the work: the columns are shared out among the cores.
        let share = readers.len().div_ceil(threads).max(1);
        let work = |readers: &mut [ColumnReader], columns: &mut [Column]| -> Result<Vec<Vec<Vec<f64>>>, _> {
            readers
                .iter_mut()
                .zip(columns)
                .map(|(reader, column)| decoded(|| read_column(reader, rows, column)))
                .collect()
        };
        let parts = readers.chunks_mut(share).zip(columns.chunks_mut(share));
        let read: Result<Vec<Vec<Vec<Vec<f64>>>>, ParquetError> =
            parts_in_parallel(parts, |_, (readers, columns)| work(readers, columns)).into_iter().collect();
        for (&k, column) in self.used.iter().zip(columns) {
            self.columns[k] = column;
        }
        let mut read: Vec<Vec<Vec<f64>>> =
            read.map_err(|error| damaged(&self.file, &error))?.into_iter().flatten().collect();
        for (lists, &k) in read.iter().zip(&self.used) {
            if lists.iter().any(|column| column.len() != rows) {
                let (name, length) = (&self.names[self.first_name(k)], self.columns[k].list);
                return Err(match length {
                    None => LogError::Damaged {
                        file: self.file.clone(),
                        problem: format!("`{name}` has fewer rows than the file says"),
                    },
                    Some(length) => LogError::Unsupported {
                        file: self.file.clone(),
                        what: format!(
                            "a Parquet file with lists of several lengths (`{name}` … begins with {length} numbers)"
                        ),
                        remedy: "write lists of one length".to_owned(),
                    },
                });
            }
        }
        let values = self.kept.iter().map(|&k| {
            let (column, element) = self.places[k];
            let place = self.used.partition_point(|&used| used < column);
            std::mem::take(&mut read[place][element])
        });
        let values: Vec<Vec<f64>> = values.collect();
        self.read += rows as u64;
        if left > rows as u64 {
            self.open = Some((readers, left - rows as u64));
        }
        Ok(Some(Chunk::of(0, rows, values)))
    }

    fn notes(&self) -> Vec<LogNote> {
        self.notes.clone()
    }
}

/// The next rows of a column, number by number of its lists.
fn read_column(
    reader: &mut ColumnReader,
    rows: usize,
    column: &mut Column,
) -> Result<Vec<Vec<f64>>, ParquetError> {
    let (level, scale, list) = (column.level, column.scale, column.list);
    match reader {
        ColumnReader::DoubleColumnReader(reader) => numbers(reader, rows, (level, list), |x| x * scale),
        ColumnReader::FloatColumnReader(reader) => {
            numbers(reader, rows, (level, list), |x| f64::from(x) * scale)
        }
        ColumnReader::Int64ColumnReader(reader) if column.stamps => {
            numbers(reader, rows, (level, list), |x| {
                let first = *column.first_stamp.get_or_insert(x);
                x.wrapping_sub(first) as f64 * scale
            })
        }
        ColumnReader::Int64ColumnReader(reader) => numbers(reader, rows, (level, list), |x| x as f64 * scale),
        ColumnReader::Int32ColumnReader(reader) => {
            numbers(reader, rows, (level, list), |x| f64::from(x) * scale)
        }
        ColumnReader::BoolColumnReader(reader) => {
            numbers(reader, rows, (level, list), |x| f64::from(u8::from(x)))
        }
        _ => Ok(vec![vec![f64::NAN; rows]]),
    }
}

/// `rows` values of a column; what is null is NaN.
fn numbers<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    (level, list): (i16, Option<usize>),
    mut number: impl FnMut(T::T) -> f64,
) -> Result<Vec<Vec<f64>>, ParquetError> {
    let (mut values, mut levels, mut repeats) = (Vec::with_capacity(rows), Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        let repeats = list.is_some().then_some(&mut repeats);
        let (records, _, _) = reader.read_records(rows - read, Some(&mut levels), repeats, &mut values)?;
        if records == 0 {
            break;
        }
        read += records;
    }
    if list.is_none() && (level == 0 || values.len() == read) {
        return Ok(vec![values.into_iter().map(number).collect()]);
    }
    let mut present = values.into_iter();
    let mut next = || present.next().map_or(f64::NAN, &mut number);
    let flat: Vec<f64> = levels.iter().map(|found| if *found == level { next() } else { f64::NAN }).collect();
    Ok(match list {
        None => vec![flat],
        Some(length) => lists::by_element(&flat, &repeats, length),
    })
}
