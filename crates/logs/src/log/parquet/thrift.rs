//! A look at a structure of Thrift's compact protocol before the decoder sees it: lists may promise billions of elements
//! that take no bytes, and the decoder would count them all.

/// Structures inside structures are followed this far, as by the decoder.
const DEEPEST: usize = 64;

/// What a structure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    /// Complete, or garbled in a way that the decoder finds out soon.
    Harmless,
    /// Longer than the bytes that are there.
    Unfinished,
    /// With more elements of lists than bytes.
    Endless,
}

/// Looks at the structure these bytes start with.
pub(crate) fn look_at(bytes: &[u8]) -> Structure {
    let mut cursor = Cursor { rest: bytes, elements: bytes.len() as u64 };
    match cursor.structure(0) {
        Ok(()) => Structure::Harmless,
        Err(found) => found,
    }
}

/// The whole numbers among the first fields of a structure, up to the first that is none: of the header of a
/// page its kind, its size and its size when packed, in bytes.
pub(crate) fn leading_numbers(bytes: &[u8]) -> Vec<i64> {
    let mut cursor = Cursor { rest: bytes, elements: 0 };
    let mut numbers = Vec::new();
    // Each with the number of the field after the one before, as every writer has it.
    while let Ok(head) = cursor.byte()
        && matches!(head, 0x14..=0x16)
        && let Ok(number) = cursor.number()
    {
        numbers.push((number >> 1) as i64 ^ -((number & 1) as i64));
    }
    numbers
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
        Err(Structure::Endless) // the decoder goes on, and what it gets is any number
    }

    fn structure(&mut self, depth: usize) -> Result<(), Structure> {
        loop {
            let head = self.byte()?;
            if head & 0xf == 0 {
                return Ok(()); // whatever number it has, for the decoder too
            }
            if head >> 4 == 0 {
                self.number()?; // the field's number, not its distance to the one before
            }
            self.value(head & 0xf, depth)?;
        }
    }

    fn elements(&mut self, count: u64, kinds: &[u8], depth: usize) -> Result<(), Structure> {
        self.elements = self.elements.checked_sub(count).ok_or(Structure::Endless)?;
        for _ in 0..count {
            kinds.iter().try_for_each(|kind| self.value(*kind, depth))?;
        }
        Ok(())
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<(), Structure> {
        if depth == DEEPEST {
            return Err(Structure::Harmless);
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
                self.elements(count, &[head & 0xf], depth + 1)
            }
            11 => match self.number()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 0xf], depth + 1)
                }
            },
            12 => self.structure(depth + 1),
            13 => self.skip(16),
            _ => Err(Structure::Harmless),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_a_page_are_read_as_it_claims_them() {
        // A data page (0) of 300 bytes, packed into 7, then a checksum (field 4) of −1 and a structure.
        assert_eq!(
            leading_numbers(&[0x15, 0, 0x15, 0xd8, 0x04, 0x15, 14, 0x15, 1, 0x1c, 0, 0]),
            [0, 300, 7, -1]
        );
        assert_eq!(leading_numbers(&[0x15, 0, 0x15, 0xd8]), [0]);
        assert_eq!(leading_numbers(&[]), [0; 0]);
    }

    #[test]
    fn lists_that_promise_more_than_there_are_bytes_are_endless() {
        // Field 1, a number; field 2, a list of three bytes; the end.
        assert_eq!(look_at(&[0x15, 0x80, 0x01, 0x19, 0x33, 7, 7, 7, 0]), Structure::Harmless);
        assert_eq!(look_at(&[0x15, 0x80]), Structure::Unfinished);
        // A list of 2³¹ − 1 truth values, which take no bytes, and a map of them.
        assert_eq!(look_at(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0]), Structure::Endless);
        assert_eq!(look_at(&[0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x11, 0]), Structure::Endless);
        // The same behind an inner structure that ends with a number.
        assert_eq!(look_at(&[0x1c, 0x30, 0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0]), Structure::Endless);
        // Structures without an end are followed no further than the decoder goes.
        assert_eq!(look_at(&[0x1c; 1000]), Structure::Harmless);
        assert_eq!(look_at(&[0x1c; 10]), Structure::Unfinished);
    }
}
