//! A rosbag2 `.db3`: tables `topics` and `messages` of a SQLite database, read without a trace beside it.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::messages::{Message, MessageSource, Topic};
use crate::error::LogError;
use crate::log::reader::unreadable;

/// Messages that are fetched at a time, unless their bytes are more than the second number.
const BATCH: (usize, usize) = (100, 1 << 20);
/// More topics than any robot has: pages that refer to each other in circles have no end.
const MOST_TOPICS: usize = 100_000;
/// Larger values are refused by SQLite: a table may compute them.
const LARGEST_VALUE: i32 = 1 << 28;
/// Joint states of a thousand joints have a hundred kB: a packed message that grows beyond this is damaged.
const LARGEST_MESSAGE: u64 = 64 << 20;

pub(crate) struct Db3Messages {
    file: String,
    database: Connection,
    topics: Vec<Topic>,
    by_id: HashMap<i64, usize>,
    /// Selects the messages behind a row, with the bytes of those that are read.
    select: String,
    fetched: VecDeque<(i64, Message)>,
    /// The row fetched last, the one handed out last, and the last of the table.
    fetched_row: i64,
    row: i64,
    last_row: i64,
}

impl Db3Messages {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let database = connect(path, file)?;
        refuse_views(&database, file)?;
        let (topics, by_id) = topics(&database).map_err(|error| refusal(file, &error))?;
        if topics.len() > MOST_TOPICS {
            let problem = format!("it has more than {MOST_TOPICS} topics");
            return Err(LogError::Damaged { file: file.to_owned(), problem });
        }
        let read = by_id.iter().filter(|(_, topic)| topics[**topic].is_read());
        let ids: Vec<String> = read.map(|(id, _)| id.to_string()).collect();
        // Every row is seen here, so that rows out of order end the reading; the bytes of other topics are not fetched.
        let select = format!(
            "SELECT rowid, topic_id, timestamp, CASE WHEN topic_id IN ({}) THEN data END FROM messages
             WHERE rowid > ?1 ORDER BY rowid",
            ids.join(", ")
        );
        let last_row = database
            .query_row("SELECT coalesce(max(rowid), 0) FROM messages", [], |row| row.get(0))
            .map_err(|error| refusal(file, &error))?;
        Ok(Db3Messages {
            file: file.to_owned(),
            database,
            topics,
            by_id,
            select,
            fetched: VecDeque::new(),
            fetched_row: i64::MIN,
            row: 0,
            last_row,
        })
    }

    fn garbled(&self, row: i64) -> LogError {
        LogError::Damaged { file: self.file.clone(), problem: format!("message {row} is garbled") }
    }

    /// Fetches the next messages, if there are more.
    fn fetch(&mut self) -> Result<(), LogError> {
        let refused = |error: rusqlite::Error| refusal(&self.file, &error);
        let mut statement = self.database.prepare_cached(&self.select).map_err(refused)?;
        let mut rows = statement.query([self.fetched_row]).map_err(refused)?;
        let mut bytes = 0;
        while self.fetched.len() < BATCH.0 && bytes < BATCH.1 {
            let Some(row) = rows.next().map_err(refused)? else { break };
            let number: i64 = row.get(0).map_err(refused)?;
            if number <= self.fetched_row {
                return Err(self.garbled(number));
            }
            self.fetched_row = number;
            let values = (row.get_ref(1), row.get_ref(2), row.get_ref(3));
            let (Ok(ValueRef::Integer(topic)), Ok(ValueRef::Integer(time)), Ok(data)) = values else {
                return Err(self.garbled(number));
            };
            let Some(&topic) = self.by_id.get(&topic).filter(|topic| self.topics[**topic].is_read()) else {
                continue;
            };
            let (ValueRef::Blob(data) | ValueRef::Text(data)) = data else {
                return Err(self.garbled(number));
            };
            let data = match data.starts_with(b"\x28\xb5\x2f\xfd") {
                // Bags may pack every message by itself.
                true => unpacked(data).ok_or_else(|| self.garbled(number))?,
                false => data.to_vec(),
            };
            bytes += data.len();
            self.fetched.push_back((number, Message { topic, time, data }));
        }
        Ok(())
    }
}

impl MessageSource for Db3Messages {
    fn topics(&self) -> &[Topic] {
        &self.topics
    }

    fn progress(&self) -> f64 {
        self.row as f64 / self.last_row.max(1) as f64
    }

    fn next(&mut self) -> Result<Option<Message>, LogError> {
        if self.fetched.is_empty() {
            self.fetch()?;
        }
        let next = self.fetched.pop_front();
        self.row = next.as_ref().map_or(self.last_row, |(row, _)| *row);
        Ok(next.map(|(_, message)| message))
    }
}

/// A message that was packed by itself; `None` if it is garbled or larger than any message that is read.
fn unpacked(data: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let unpacking = zstd::stream::Decoder::with_buffer(data).ok()?;
    let length = unpacking.take(LARGEST_MESSAGE + 1).read_to_end(&mut out).ok()?;
    (length as u64 <= LARGEST_MESSAGE).then_some(out)
}

/// The topics, and their places by their numbers.
fn topics(database: &Connection) -> rusqlite::Result<(Vec<Topic>, HashMap<i64, usize>)> {
    let mut statement = database.prepare("SELECT id, name, type, serialization_format FROM topics")?;
    let mut rows = statement.query([])?;
    let (mut topics, mut by_id) = (Vec::new(), HashMap::new());
    while let Some(row) = rows.next()?.filter(|_| topics.len() <= MOST_TOPICS) {
        let text = |k: usize| -> rusqlite::Result<String> {
            let bytes = row.get_ref(k)?.as_bytes().unwrap_or_default();
            Ok(String::from_utf8_lossy(bytes).into_owned())
        };
        by_id.insert(row.get(0)?, topics.len());
        topics.push(Topic { name: text(1)?, kind: text(2)?, encoding: text(3)? });
    }
    Ok((topics, by_id))
}

/// Opens a database so that nothing is ever written beside it: as one that nobody changes, or, if rows are
/// still in its -wal file, with the -shm file that the recording left.
fn connect(path: &Path, file: &str) -> Result<Connection, LogError> {
    let beside = |ending: &str| -> PathBuf {
        let mut name = OsString::from(path);
        name.push(ending);
        name.into()
    };
    let option = match std::fs::metadata(beside("-wal")) {
        Ok(log) if log.len() > 32 && beside("-shm").exists() => "readonly_shm=1",
        Ok(log) if log.len() > 32 => {
            return Err(LogError::Unsupported {
                file: file.to_owned(),
                what: "a database with rows still in its -wal file".to_owned(),
                remedy: format!(
                    "copy its -shm file beside it, or fold them in with sqlite3 {file} 'pragma wal_checkpoint(truncate)'"
                ),
            });
        }
        _ => {
            refuse_cut(path, file)?;
            "immutable=1"
        }
    };
    let path = std::path::absolute(path).map_err(|error| unreadable(file, error))?;
    let address = format!("file:{}?mode=ro&{option}", escaped(&path));
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(address, flags).map_err(|error| refusal(file, &error))?;
    database.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE).map_err(|error| refusal(file, &error))?;
    Ok(database)
}

/// What a bag keeps in tables may be views or virtual tables in another database: queries without an end.
fn refuse_views(database: &Connection, file: &str) -> Result<(), LogError> {
    let tables: i64 = database
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('topics', 'messages')
             AND sql NOT LIKE 'create virtual%'",
            [],
            |row| row.get(0),
        )
        .map_err(|error| refusal(file, &error))?;
    if tables == 2 { Ok(()) } else { Err(no_bag(file.to_owned())) }
}

fn no_bag(file: String) -> LogError {
    LogError::Unsupported {
        file,
        what: "a database without the tables of a rosbag2".to_owned(),
        remedy: "give a .db3 that `ros2 bag record` wrote".to_owned(),
    }
}

/// A path as part of a URI.
fn escaped(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("{root}{escaped}")
}

/// Compares the length of the file with what its header says (sections 1.3.2 and 1.3.7 of
/// <https://sqlite.org/fileformat2.html>).
fn refuse_cut(path: &Path, file: &str) -> Result<(), LogError> {
    let cut = |found: &str| LogError::Cut {
        file: file.to_owned(),
        found: found.to_owned(),
        remedy: "save what is left with sqlite3's .recover".to_owned(),
    };
    let mut input = std::fs::File::open(path).map_err(|error| unreadable(file, error))?;
    let size = input.metadata().map_err(|error| unreadable(file, error))?.len();
    let mut head = [0u8; 100];
    input.read_exact(&mut head).map_err(|_| cut("its header is not complete"))?;
    let number =
        |at: usize, length: usize| head[at..at + length].iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
    let page = if number(16, 2) == 1 { 65_536 } else { number(16, 2) };
    // The size counts if the header was written with the last change.
    let said = if number(24, 4) == number(92, 4) { number(28, 4) } else { 0 };
    if page.is_power_of_two() && (size / page < said || size % page != 0) {
        return Err(cut(&format!("{} of {} pages are there", size / page, said.max(size / page + 1))));
    }
    Ok(())
}

fn refusal(file: &str, error: &rusqlite::Error) -> LogError {
    let file = file.to_owned();
    match error.sqlite_error_code() {
        // A statement does not fit: a table or a column is missing.
        Some(ErrorCode::Unknown) => no_bag(file),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::SystemIoFailure) => {
            LogError::Unreadable { file, reason: error.to_string(), missing: false }
        }
        _ => LogError::Damaged { file, problem: error.to_string() },
    }
}
