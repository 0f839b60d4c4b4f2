//! What is needed of SQLite's file format to read a table from beginning to end: pages, the b-tree of a table, records.
//!
//! The format is documented at <https://sqlite.org/fileformat2.html>; the section of each rule is named where it is used.

mod record;

pub(crate) use self::record::Value;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use self::record::{record, varint};
use crate::error::LogError;
use crate::log::positioned::Positioned;
use crate::log::reader::unreadable;

/// No table is deeper: a page has at least two children.
const DEEPEST: usize = 32;
/// SQLite's own limit for a row is 1 GB.
const LARGEST_ROW: u64 = 1 << 30;

/// An open database.
#[derive(Clone)]
pub(crate) struct Database {
    file: String,
    input: Positioned,
    page_size: usize,
    /// Bytes of a page that are used (section 1.3.4).
    usable: usize,
    pages: u64,
}

impl Database {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let input = File::open(path).map_err(|error| unreadable(file, error))?;
        let size = input.metadata().map_err(|error| unreadable(file, error))?.len();
        let input = Positioned { file: Arc::new(input), at: 0 };
        let mut head = [0u8; 100];
        input.read_exact_at(0, &mut head).map_err(|_| cut(file, "its header is not complete"))?;
        let page_size = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 65_536,
            size => size as usize,
        };
        let usable = page_size.saturating_sub(head[20] as usize);
        if !page_size.is_power_of_two() || usable < 480 {
            return Err(LogError::Damaged {
                file: file.to_owned(),
                problem: "its header is garbled".to_owned(),
            });
        }
        let mut journal = path.as_os_str().to_owned();
        journal.push("-wal");
        if std::fs::metadata(&journal).is_ok_and(|metadata| metadata.len() > 32) {
            return Err(LogError::Unsupported {
                file: file.to_owned(),
                what: "a database with rows still in its -wal file".to_owned(),
                remedy: format!("fold them in with sqlite3 {file} 'pragma wal_checkpoint(truncate)'"),
            });
        }
        // The size in the header counts if the header was written with the last change (section 1.3.7).
        let current = head[24..28] == head[92..96];
        let said = if current { u64::from(be_word(&head[28..32])) } else { 0 };
        let pages = size / page_size as u64;
        if pages < said || size % page_size as u64 != 0 {
            return Err(cut(file, &format!("{pages} of {} pages are there", said.max(pages + 1))));
        }
        Ok(Database { file: file.to_owned(), input, page_size, usable, pages })
    }

    fn damaged(&self, problem: &str) -> LogError {
        LogError::Damaged { file: self.file.clone(), problem: problem.to_owned() }
    }

    fn page(&self, number: u32) -> Result<Vec<u8>, LogError> {
        if number == 0 || u64::from(number) > self.pages {
            return Err(self.damaged("a page points outside of the file"));
        }
        let mut page = vec![0; self.page_size];
        let start = u64::from(number - 1) * self.page_size as u64;
        self.input.read_exact_at(start, &mut page).map_err(|error| unreadable(&self.file, error))?;
        Ok(page)
    }

    /// First page of a table, and the names of its columns; `None` if there is no such table.
    pub(crate) fn table(&self, name: &str) -> Result<Option<(u32, Vec<String>)>, LogError> {
        let mut schema = self.rows(1);
        while let Some((_, row)) = schema.next()? {
            // type, name, tbl_name, rootpage, sql (section 2.6).
            let [kind, own_name, _, root, sql, ..] = &row[..] else { continue };
            if kind.text().as_deref() == Some("table") && own_name.text().as_deref() == Some(name) {
                let root = root.integer().and_then(|root| u32::try_from(root).ok());
                let columns = column_names(&sql.text().unwrap_or_default());
                return Ok(Some((root.ok_or_else(|| self.damaged("a table has no first page"))?, columns)));
            }
        }
        Ok(None)
    }

    /// The rows of a table, by their number.
    pub(crate) fn rows(&self, root: u32) -> Rows {
        Rows { database: self.clone(), stack: Vec::new(), root: Some(root), pages_read: 0 }
    }
}

fn cut(file: &str, found: &str) -> LogError {
    LogError::Cut {
        file: file.to_owned(),
        found: found.to_owned(),
        remedy: "save what is left with sqlite3's .recover".to_owned(),
    }
}

/// Names of the columns in a CREATE TABLE statement.
fn column_names(sql: &str) -> Vec<String> {
    let inside = sql.find('(').zip(sql.rfind(')')).and_then(|(open, close)| sql.get(open + 1..close));
    let (mut depth, mut start) = (0, 0);
    let mut names = Vec::new();
    let inside = inside.unwrap_or_default();
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                let name = inside[start..at].split_whitespace().next().unwrap_or_default();
                names.push(name.trim_matches(['"', '`', '[', ']', '\'']).to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

/// A walk through the b-tree of a table.
pub(crate) struct Rows {
    database: Database,
    /// Pages from the root to where the walk is, with the next cell of each.
    stack: Vec<(Vec<u8>, usize, usize)>,
    root: Option<u32>,
    pages_read: u64,
}

impl Rows {
    fn push(&mut self, number: u32) -> Result<(), LogError> {
        self.pages_read += 1;
        if self.stack.len() >= DEEPEST || self.pages_read > self.database.pages {
            return Err(self.database.damaged("a table runs in circles"));
        }
        let page = self.database.page(number)?;
        // The header of the file stands in front of the first page's.
        let head = if number == 1 { 100 } else { 0 };
        self.stack.push((page, head, 0));
        Ok(())
    }

    /// Part of the pages of the file that were walked.
    pub(crate) fn progress(&self) -> f64 {
        self.pages_read as f64 / self.database.pages.max(1) as f64
    }

    /// The next row: its number and values.
    pub(crate) fn next(&mut self) -> Result<Option<(i64, Vec<Value>)>, LogError> {
        if let Some(root) = self.root.take() {
            self.push(root)?;
        }
        let garbled = |database: &Database| database.damaged("a page of a table is garbled");
        while let Some((page, head, cell)) = self.stack.last_mut() {
            let (kind, count) = (page[*head], u16_at(page, *head + 3).unwrap_or(0) as usize);
            let interior = match kind {
                0x05 => true,
                0x0d => false,
                _ => return Err(garbled(&self.database)),
            };
            let index = *cell;
            *cell += 1;
            if index > count || (index == count && !interior) {
                self.stack.pop();
                continue;
            }
            if interior {
                // The right-most child stands in the header (section 1.6).
                let at = match index == count {
                    true => Some(*head + 8),
                    false => u16_at(page, *head + 12 + 2 * index).map(usize::from),
                };
                let child = at.and_then(|at| page.get(at..at + 4)).map(be_word);
                let child = child.ok_or_else(|| garbled(&self.database))?;
                self.push(child)?;
                continue;
            }
            let at = u16_at(page, *head + 8 + 2 * index).map(usize::from);
            let cell = at.and_then(|at| page.get(at..)).map(<[u8]>::to_vec);
            let cell = cell.ok_or_else(|| garbled(&self.database))?;
            let (row, payload) = self.payload(&cell)?;
            let values = record(&payload).ok_or_else(|| self.database.damaged("a row is garbled"))?;
            return Ok(Some((row, values)));
        }
        Ok(None)
    }

    /// The record of a leaf cell, with what went over to other pages (section 1.6).
    fn payload(&self, cell: &[u8]) -> Result<(i64, Vec<u8>), LogError> {
        let garbled = || self.database.damaged("a row is garbled");
        let mut rest = cell;
        let size = varint(&mut rest).ok_or_else(garbled)?;
        let row = varint(&mut rest).ok_or_else(garbled)? as i64;
        if size > LARGEST_ROW {
            return Err(garbled());
        }
        let (size, usable) = (size as usize, self.database.usable);
        let most = usable - 35;
        let least = (usable - 12) * 32 / 255 - 23;
        let fitting = least + size.saturating_sub(least) % (usable - 4);
        let local = match size {
            _ if size <= most => size,
            _ if fitting <= most => fitting,
            _ => least,
        };
        let mut payload = rest.get(..local).ok_or_else(garbled)?.to_vec();
        let mut next = match local < size {
            true => rest.get(local..local + 4).map(be_word).ok_or_else(garbled)?,
            false => 0,
        };
        while payload.len() < size {
            let page = self.database.page(next)?;
            next = be_word(&page[..4]);
            let part = (size - payload.len()).min(usable - 4);
            payload.extend_from_slice(&page[4..4 + part]);
        }
        Ok((row, payload))
    }
}

fn u16_at(page: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*page.get(at)?, *page.get(at + 1)?]))
}

fn be_word(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
}
