//! A look at a structure of Thrift's compact protocol before the decoder sees it: lists may promise billions of elements
//! that take no bytes, and the decoder would count them all.
//!
//! The decoder reads a field by its number, whatever kind of value it claims to be. Where both disagree it is lost,
//! and finds its billions among bytes that are none. So the kinds of all fields that it knows are compared with those
//! of the format (`parquet.thrift`).

/// Structures inside structures are followed this far, as by the decoder.
const DEEPEST: usize = 64;

/// What a structure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    /// Complete, or garbled in a way that the decoder finds out soon.
    Harmless,
    /// Longer than the bytes that are there.
    Unfinished,
    /// With more elements of lists than bytes, or with fields of kinds that the format does not have.
    Garbled,
}

/// The value of a field.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Truth,
    /// A number of this kind of Thrift's: 3 for 8 bits, 4 for 16, 5 for 32, 6 for 64, 7 for a double.
    Number(u8),
    Bytes,
    /// A structure, or one of several.
    Of(Fields),
    List(&'static Kind),
}

/// Fields by their numbers.
pub(crate) type Fields = &'static [(i16, Kind)];

const BYTE: Kind = Kind::Number(3);
const SHORT: Kind = Kind::Number(4);
const INT: Kind = Kind::Number(5);
const LONG: Kind = Kind::Number(6);
const EMPTY: Kind = Kind::Of(&[]);

const STATISTICS: Kind = Kind::Of(&[
    (1, Kind::Bytes),
    (2, Kind::Bytes),
    (3, LONG),
    (4, LONG),
    (5, Kind::Bytes),
    (6, Kind::Bytes),
    (7, Kind::Truth),
    (8, Kind::Truth),
]);
const TIME: Kind = Kind::Of(&[(1, Kind::Truth), (2, Kind::Of(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]))]);
const LOGICAL_TYPE: Kind = Kind::Of(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Kind::Of(&[(1, INT), (2, INT)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Kind::Of(&[(1, BYTE), (2, Kind::Truth)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Kind::Of(&[(1, BYTE)])),
    (17, Kind::Of(&[(1, Kind::Bytes)])),
    (18, Kind::Of(&[(1, Kind::Bytes), (2, INT)])),
]);
const SCHEMA_ELEMENT: Kind = Kind::Of(&[
    (1, INT),
    (2, INT),
    (3, INT),
    (4, Kind::Bytes),
    (5, INT),
    (6, INT),
    (7, INT),
    (8, INT),
    (9, INT),
    (10, LOGICAL_TYPE),
]);
const KEY_VALUE: Kind = Kind::Of(&[(1, Kind::Bytes), (2, Kind::Bytes)]);
const BOX: Kind = Kind::Of(&[
    (1, Kind::Number(7)),
    (2, Kind::Number(7)),
    (3, Kind::Number(7)),
    (4, Kind::Number(7)),
    (5, Kind::Number(7)),
    (6, Kind::Number(7)),
    (7, Kind::Number(7)),
    (8, Kind::Number(7)),
]);
const COLUMN: Kind = Kind::Of(&[
    (1, INT),
    (2, Kind::List(&INT)),
    (3, Kind::List(&Kind::Bytes)),
    (4, INT),
    (5, LONG),
    (6, LONG),
    (7, LONG),
    (8, Kind::List(&KEY_VALUE)),
    (9, LONG),
    (10, LONG),
    (11, LONG),
    (12, STATISTICS),
    (13, Kind::List(&Kind::Of(&[(1, INT), (2, INT), (3, INT)]))),
    (14, LONG),
    (15, INT),
    (16, Kind::Of(&[(1, LONG), (2, Kind::List(&LONG)), (3, Kind::List(&LONG))])),
    (17, Kind::Of(&[(1, BOX), (2, Kind::List(&INT))])),
]);
const COLUMN_KEY: Kind = Kind::Of(&[(1, Kind::List(&Kind::Bytes)), (2, Kind::Bytes)]);
const COLUMN_CHUNK: Kind = Kind::Of(&[
    (1, Kind::Bytes),
    (2, LONG),
    (3, COLUMN),
    (4, LONG),
    (5, INT),
    (6, LONG),
    (7, INT),
    (8, Kind::Of(&[(1, EMPTY), (2, COLUMN_KEY)])),
    (9, Kind::Bytes),
]);
const ROW_GROUP: Kind = Kind::Of(&[
    (1, Kind::List(&COLUMN_CHUNK)),
    (2, LONG),
    (3, LONG),
    (4, Kind::List(&Kind::Of(&[(1, INT), (2, Kind::Truth), (3, Kind::Truth)]))),
    (5, LONG),
    (6, LONG),
    (7, SHORT),
]);

/// The end of a file: `FileMetaData`.
pub(crate) const FOOTER: Fields = &[
    (1, INT),
    (2, Kind::List(&SCHEMA_ELEMENT)),
    (3, LONG),
    (4, Kind::List(&ROW_GROUP)),
    (5, Kind::List(&KEY_VALUE)),
    (6, Kind::Bytes),
    (7, Kind::List(&Kind::Of(&[(1, EMPTY)]))),
    (9, Kind::Bytes),
];

/// What stands before a page: `PageHeader`.
pub(crate) const PAGE_HEADER: Fields = &[
    (1, INT),
    (2, INT),
    (3, INT),
    (4, INT),
    (5, Kind::Of(&[(1, INT), (2, INT), (3, INT), (4, INT), (5, STATISTICS)])),
    (6, EMPTY),
    (7, Kind::Of(&[(1, INT), (2, INT), (3, Kind::Truth)])),
    (
        8,
        Kind::Of(&[
            (1, INT),
            (2, INT),
            (3, INT),
            (4, INT),
            (5, INT),
            (6, INT),
            (7, Kind::Truth),
            (8, STATISTICS),
        ]),
    ),
];

/// Looks at the structure these bytes start with.
pub(crate) fn look_at(bytes: &[u8], fields: Fields) -> Structure {
    let mut cursor = Cursor { rest: bytes, elements: bytes.len() as u64 };
    match cursor.structure(fields, 0) {
        Ok(()) => Structure::Harmless,
        Err(found) => found,
    }
}

/// The size of a page and its size when packed, in bytes, as the decoder takes them from its header: fields 2
/// and 3, of 32 bits. `None` where they are not there, or are something else.
pub(crate) fn page_sizes(bytes: &[u8]) -> Option<(i32, i32)> {
    let mut cursor = Cursor { rest: bytes, elements: bytes.len() as u64 };
    let (mut field, mut sizes) = (0i16, [None; 2]);
    loop {
        let head = cursor.byte().ok()?;
        let kind = head & 0xf;
        if kind == 0 {
            return sizes[0].zip(sizes[1]);
        }
        field = match head >> 4 {
            0 => zigzag(cursor.number().ok()?) as i16,
            further => field.checked_add(i16::from(further))?,
        };
        match (field, kind) {
            // Whatever does not fit is cut off.
            (2 | 3, 5) => sizes[usize::from(field == 3)] = Some(zigzag(cursor.number().ok()?) as i32),
            (2 | 3, _) => return None,
            _ => cursor.value(kind, None, 0).ok()?,
        }
    }
}

fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

struct Cursor<'a> {
    rest: &'a [u8],
    /// How many elements all lists may still have.
    elements: u64,
}

impl Cursor<'_> {
    fn skip(&mut self, count: u64) -> Result<(), Structure> {
        let count = usize::try_from(count).map_err(|_| Structure::Unfinished)?;
        self.rest = self.rest.get(count..).ok_or(Structure::Unfinished)?;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Structure> {
        let (first, rest) = self.rest.split_first().ok_or(Structure::Unfinished)?;
        self.rest = rest;
        Ok(*first)
    }

    /// A number in groups of seven bits.
    fn number(&mut self) -> Result<u64, Structure> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Structure::Garbled) // the decoder goes on, and what it gets is any number
    }

    fn structure(&mut self, fields: Fields, depth: usize) -> Result<(), Structure> {
        let mut number = 0i16;
        loop {
            let head = self.byte()?;
            if head & 0xf == 0 {
                return Ok(()); // whatever number it has, for the decoder too
            }
            number = match head >> 4 {
                0 => zigzag(self.number()?) as i16, // the field's number, not its distance to the one before
                further => number.checked_add(i16::from(further)).ok_or(Structure::Garbled)?,
            };
            let known = fields.iter().find(|(own, _)| *own == number).map(|(_, kind)| *kind);
            self.value(head & 0xf, known, depth)?;
        }
    }

    fn elements(
        &mut self,
        count: u64,
        kinds: &[u8],
        known: Option<Kind>,
        depth: usize,
    ) -> Result<(), Structure> {
        self.elements = self.elements.checked_sub(count).ok_or(Structure::Garbled)?;
        for _ in 0..count {
            kinds.iter().try_for_each(|kind| self.value(*kind, known, depth))?;
        }
        Ok(())
    }

    /// A value of a kind of Thrift's, where the format knows one, of that.
    fn value(&mut self, kind: u8, known: Option<Kind>, depth: usize) -> Result<(), Structure> {
        if depth == DEEPEST {
            return Err(Structure::Harmless);
        }
        let fits = match known {
            None => true,
            Some(Kind::Truth) => matches!(kind, 1 | 2),
            // Numbers of 16, 32 and 64 bits are written alike.
            Some(Kind::Number(own)) => kind == own || matches!((kind, own), (4..=6, 4..=6)),
            Some(Kind::Bytes) => kind == 8,
            Some(Kind::List(_)) => matches!(kind, 9 | 10),
            Some(Kind::Of(_)) => kind == 12,
        };
        if !fits {
            return Err(Structure::Garbled);
        }
        match kind {
            1 | 2 => Ok(()), // a truth value is its own kind
            3 => self.skip(1),
            4..=6 => self.number().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.number()?;
                self.skip(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                let of = match known {
                    Some(Kind::List(of)) => Some(*of),
                    _ => None,
                };
                self.elements(count, &[head & 0xf], of, depth + 1)
            }
            11 => match self.number()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 0xf], None, depth + 1)
                }
            },
            12 => {
                let fields: Fields = match known {
                    Some(Kind::Of(fields)) => fields,
                    _ => &[],
                };
                self.structure(fields, depth + 1)
            }
            13 => self.skip(16),
            _ => Err(Structure::Harmless),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_a_page_are_read_as_the_decoder_reads_them() {
        // A data page (0) of 300 bytes, packed into 7, then a checksum (field 4) of −1 and a structure.
        let header = [0x15, 0, 0x15, 0xd8, 0x04, 0x15, 14, 0x15, 1, 0x1c, 0, 0];
        assert_eq!(page_sizes(&header), Some((300, 7)));
        // Without its kind, fields out of order and with their numbers, more than 32 bits.
        assert_eq!(page_sizes(&[0x35, 14, 0x05, 4, 0xd8, 0x84, 0x80, 0x80, 0x80, 0x01, 0]), Some((300, 7)));
        // Cut short, without one of them, or with words for numbers.
        assert_eq!(page_sizes(&header[..4]), None);
        assert_eq!(page_sizes(&[0x15, 0, 0x15, 0xd8, 0x04, 0]), None);
        assert_eq!(page_sizes(&[0x15, 0, 0x18, 1, 65, 0x15, 14, 0]), None);
    }

    #[test]
    fn lists_that_promise_more_than_there_are_bytes_are_garbled() {
        // Field 1, a number; field 2, a list of three bytes; the end.
        assert_eq!(look_at(&[0x15, 0x80, 0x01, 0x19, 0x33, 7, 7, 7, 0], &[]), Structure::Harmless);
        assert_eq!(look_at(&[0x15, 0x80], &[]), Structure::Unfinished);
        // A list of 2³¹ − 1 truth values, which take no bytes, and a map of them.
        assert_eq!(look_at(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0], &[]), Structure::Garbled);
        assert_eq!(look_at(&[0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x11, 0], &[]), Structure::Garbled);
        // The same behind an inner structure that ends with a number.
        assert_eq!(
            look_at(&[0x1c, 0x30, 0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0], &[]),
            Structure::Garbled
        );
        // Structures without an end are followed no further than the decoder goes.
        assert_eq!(look_at(&[0x1c; 1000], &[]), Structure::Harmless);
        assert_eq!(look_at(&[0x1c; 10], &[]), Structure::Unfinished);
    }

    #[test]
    fn fields_of_other_kinds_than_the_format_has_are_garbled() {
        // A version, an empty schema, no rows, no groups of rows; the end.
        assert_eq!(look_at(&[0x15, 2, 0x19, 0x0c, 0x16, 0, 0x19, 0x0c, 0], FOOTER), Structure::Harmless);
        // As many writers put empty lists.
        assert_eq!(look_at(&[0x15, 2, 0x19, 0, 0x16, 0, 0x19, 0, 0], FOOTER), Structure::Harmless);
        // Words where the number of rows stands: the decoder reads their length as that number, and goes on inside.
        let hidden = [0x15, 2, 0x19, 0x0c, 0x18, 7, 0x29, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0];
        assert_eq!(look_at(&hidden, FOOTER), Structure::Garbled);
        // The same inside: the name of a column (field 4 of its schema) as a number.
        assert_eq!(look_at(&[0x15, 2, 0x19, 0x1c, 0x45, 7, 0, 0], FOOTER), Structure::Garbled);
        // What the format does not know may be anything.
        assert_eq!(look_at(&[0x15, 2, 0x08, 200, 1, 1, 65, 0], FOOTER), Structure::Harmless);
        assert_eq!(look_at(&[0x15, 0, 0x18, 1, 65, 0x15, 14, 0], PAGE_HEADER), Structure::Garbled);
    }
}
