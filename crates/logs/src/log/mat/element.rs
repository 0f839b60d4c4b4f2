//! Data elements of a MAT file: a kind, a length, and bytes; matrices are elements made of elements.

use crate::log::arrays::NamedArray;
use crate::log::number_kind::NumberKind;

pub(crate) const MATRIX: u32 = 14;
pub(crate) const COMPRESSED: u32 = 15;

/// Structures inside structures are followed this far.
const DEEPEST: usize = 8;

pub(crate) struct Element<'a> {
    pub(crate) kind: u32,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Element<'a> {
    /// Takes the next element off `rest`; `None` if it is not complete.
    pub(crate) fn take(rest: &mut &'a [u8], big_endian: bool) -> Option<Self> {
        let tag = word(rest, 0, big_endian)?;
        if tag >> 16 != 0 {
            // A small element: length and kind share a word, and the bytes follow in the next.
            let (kind, length) = (tag & 0xffff, (tag >> 16) as usize);
            let bytes = rest.get(4..4 + length).filter(|_| length <= 4)?;
            *rest = rest.get(8..)?;
            return Some(Element { kind, bytes });
        }
        let length = word(rest, 4, big_endian)? as usize;
        let bytes = rest.get(8..8usize.checked_add(length)?)?;
        let padded = if tag == COMPRESSED { length } else { length.div_ceil(8) * 8 };
        // The padding of the very last element may be missing.
        *rest = rest.get(8 + padded..).unwrap_or_default();
        Some(Element { kind: tag, bytes })
    }

    fn number_kind(&self) -> Option<NumberKind> {
        Some(match self.kind {
            1 => NumberKind::Signed(1),
            2 => NumberKind::Unsigned(1),
            3 => NumberKind::Signed(2),
            4 => NumberKind::Unsigned(2),
            5 => NumberKind::Signed(4),
            6 => NumberKind::Unsigned(4),
            7 => NumberKind::Float32,
            9 => NumberKind::Float64,
            12 => NumberKind::Signed(8),
            13 => NumberKind::Unsigned(8),
            _ => return None,
        })
    }
}

fn word(bytes: &[u8], at: usize, big_endian: bool) -> Option<u32> {
    let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
}

/// Collects the numeric matrices of a matrix element, those of its fields under
/// `name.field`; `None` if it is garbled.
pub(crate) fn matrices(
    bytes: &[u8],
    big_endian: bool,
    called: &str,
    depth: usize,
    out: &mut Vec<NamedArray>,
) -> Option<()> {
    let mut rest = bytes;
    if rest.is_empty() {
        return Some(()); // an empty field
    }
    let flags = Element::take(&mut rest, big_endian)?;
    let flags = word(flags.bytes, 0, big_endian)?;
    let (class, complex) = (flags & 0xff, flags & 0x800 != 0);
    if class == 17 {
        return Some(()); // an object of MATLAB's own, laid out differently
    }
    let dimensions = Element::take(&mut rest, big_endian)?;
    let mut sizes = Vec::new();
    dimensions.number_kind()?.append(dimensions.bytes, big_endian, 0, 1, &mut sizes);
    let name = Element::take(&mut rest, big_endian)?;
    let name = match called {
        "" => String::from_utf8_lossy(name.bytes).into_owned(),
        field => field.to_owned(),
    };
    let numeric = (6..=15).contains(&class) && !complex && sizes.len() == 2;
    if numeric {
        let content = Element::take(&mut rest, big_endian)?;
        let mut values = Vec::new();
        content.number_kind()?.append(content.bytes, big_endian, 0, 1, &mut values);
        let (rows, columns) = (sizes[0] as u64, sizes[1] as u64);
        if rows.checked_mul(columns) != Some(values.len() as u64) {
            return None;
        }
        if values.len() > 1 {
            let (rows, columns) = (rows as usize, columns as usize);
            out.push(NamedArray { name, rows, columns, values });
        }
        return Some(());
    }
    let single_structure = class == 2 && sizes.iter().product::<f64>() == 1.0;
    if single_structure && depth < DEEPEST {
        let length = Element::take(&mut rest, big_endian)?;
        let length = word(length.bytes, 0, big_endian)? as usize;
        let names = Element::take(&mut rest, big_endian)?;
        if length == 0 {
            return None;
        }
        for field in names.bytes.chunks(length) {
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            let field = format!("{name}.{}", String::from_utf8_lossy(&field[..end]));
            let value = Element::take(&mut rest, big_endian)?;
            if value.kind == MATRIX {
                matrices(value.bytes, big_endian, &field, depth + 1, out)?;
            }
        }
    }
    Some(())
}
