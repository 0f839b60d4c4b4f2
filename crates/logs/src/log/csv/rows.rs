//! Rows of numbers, as fast as they can be read.

use crate::log::chunk::{Lines, Strange};

/// What stands between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One byte.
    Byte(u8),
    /// Any run of blanks.
    Blanks,
}

impl Separator {
    pub(crate) fn is(self, c: char) -> bool {
        match self {
            Separator::Byte(byte) => c == byte as char,
            Separator::Blanks => c == ' ' || c == '\t',
        }
    }
}

/// What one thread read.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Vec<f64>>,
    pub(crate) strange: Vec<Option<Strange>>,
    /// Lines of the rows, counted from the first line of the part.
    pub(crate) lines: Lines,
    pub(crate) line_breaks: usize,
    /// The line that has not as many fields as the header; nothing was read behind it.
    pub(crate) problem: Option<RowProblem>,
}

pub(crate) struct RowProblem {
    pub(crate) line: usize,
    pub(crate) found: usize,
    /// No line break comes after it.
    pub(crate) last: bool,
}

/// How rows are read.
pub(crate) struct RowReader<'a> {
    pub(crate) separator: Separator,
    pub(crate) slots: &'a [Option<usize>],
    pub(crate) kept: usize,
}

impl RowReader<'_> {
    pub(crate) fn read(&self, bytes: &[u8]) -> Part {
        let expected = bytes.len() / (8 * self.slots.len().max(1));
        let mut part = Part {
            columns: (0..self.kept).map(|_| Vec::with_capacity(expected)).collect(),
            strange: vec![None; self.kept],
            ..Part::default()
        };
        let mut at = 0;
        while at < bytes.len() {
            let blank = |byte: &u8| {
                matches!(byte, b' ' | b'\r') || (*byte == b'\t' && self.separator == Separator::Blanks)
            };
            while bytes.get(at).is_some_and(blank) {
                at += 1;
            }
            match bytes.get(at) {
                None => break,
                Some(b'\n') => at += 1,
                Some(b'#' | b'%') => at = line_end(bytes, at) + 1,
                Some(_) => match self.row(bytes, at, &mut part) {
                    Ok(end) => {
                        part.lines.push(part.rows, part.line_breaks);
                        part.rows += 1;
                        at = end + 1;
                    }
                    Err(found) => {
                        let last = line_end(bytes, at) == bytes.len();
                        part.problem = Some(RowProblem { line: part.line_breaks, found, last });
                        let rows = part.rows;
                        part.columns.iter_mut().for_each(|column| column.truncate(rows));
                        for strange in &mut part.strange {
                            strange.take_if(|strange| strange.row >= rows);
                        }
                        return part;
                    }
                },
            }
            part.line_breaks += 1;
        }
        part
    }

    /// Reads one row; where it ends (at the line break, or behind the last byte), or how many fields it has.
    #[inline]
    fn row(&self, bytes: &[u8], mut at: usize, part: &mut Part) -> Result<usize, usize> {
        let last = self.slots.len() - 1;
        for (column, slot) in self.slots.iter().enumerate() {
            let begin = at;
            let mut value = f64::NAN;
            let mut plain = false;
            if slot.is_some() {
                while bytes.get(at) == Some(&b' ') {
                    at += 1;
                }
                if let Ok((number, length)) = fast_float2::parse_partial::<f64, _>(&bytes[at..]) {
                    value = number;
                    at += length;
                    plain = value.is_finite();
                }
                if bytes.get(at) == Some(&b' ') && self.separator != Separator::Blanks {
                    while bytes.get(at) == Some(&b' ') {
                        at += 1;
                    }
                }
                plain &= self.at_field_end(bytes, at);
            }
            if !plain {
                at = self.field_end(bytes, begin);
                if slot.is_some() {
                    let text = String::from_utf8_lossy(&bytes[begin..at]);
                    let text = text.trim().trim_matches('"').trim();
                    value = text.parse().unwrap_or(f64::NAN);
                    if let (Some(slot), false) = (slot, value.is_finite()) {
                        let row = part.rows;
                        part.strange[*slot].get_or_insert_with(|| Strange { row, text: text.to_owned() });
                    }
                }
            }
            if let Some(slot) = slot {
                part.columns[*slot].push(value);
            }
            if self.separator == Separator::Blanks {
                while matches!(bytes.get(at), Some(b' ' | b'\t')) {
                    at += 1;
                }
            }
            if bytes.get(at) == Some(&b'\r') && matches!(bytes.get(at + 1), None | Some(b'\n')) {
                at += 1;
            }
            let ended = matches!(bytes.get(at), None | Some(b'\n'));
            match (column == last, ended) {
                (true, true) => return Ok(at),
                (true, false) => return Err(column + 1 + self.more_fields(bytes, at)),
                (false, true) => return Err(column + 1),
                (false, false) if self.separator != Separator::Blanks => at += 1,
                (false, false) => {}
            }
        }
        Ok(at)
    }

    #[inline]
    fn at_field_end(&self, bytes: &[u8], at: usize) -> bool {
        match bytes.get(at) {
            None | Some(b'\n') => true,
            Some(b'\r') => matches!(bytes.get(at + 1), None | Some(b'\n')),
            Some(byte) => self.separator.is(*byte as char),
        }
    }

    /// Where the field that starts here ends; separators in quotes belong to it.
    fn field_end(&self, bytes: &[u8], begin: usize) -> usize {
        let mut at = begin;
        let mut quoted = false;
        while at < bytes.len() && bytes[at] != b'\n' && (quoted || !self.at_field_end(bytes, at)) {
            quoted ^= bytes[at] == b'"';
            at += 1;
        }
        at
    }

    /// Fields from a separator to the end of the line.
    fn more_fields(&self, bytes: &[u8], mut at: usize) -> usize {
        let mut found = 0;
        while at < bytes.len() && bytes[at] != b'\n' && bytes[at] != b'\r' {
            if self.separator != Separator::Blanks {
                at += 1;
            }
            at = self.field_end(bytes, at);
            while self.separator == Separator::Blanks && matches!(bytes.get(at), Some(b' ' | b'\t')) {
                at += 1;
            }
            found += 1;
        }
        found
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| from + length)
}
