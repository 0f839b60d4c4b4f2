//! The header of an array in NumPy's format.

use crate::error::LogError;
use crate::log::number_kind::NumberKind;
use crate::log::zip::MemberStream;
use crate::note::NoNumbers;

/// What the header says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayHeader {
    pub(crate) kind: NumberKind,
    pub(crate) big_endian: bool,
    pub(crate) column_major: bool,
    pub(crate) shape: Vec<u64>,
    /// Bytes before the numbers.
    pub(crate) length: u64,
}

/// Reads the header; `Ok(Err(_))` for what holds no plain numbers.
pub(crate) fn read_header(
    stream: &mut MemberStream,
    name: &str,
    file: &str,
) -> Result<Result<ArrayHeader, NoNumbers>, LogError> {
    let damaged =
        |what: &str| LogError::Damaged { file: file.to_owned(), problem: format!("`{name}` {what}") };
    let mut start = [0u8; 8];
    if stream.left() < 10 {
        return Err(damaged("is too short for an array"));
    }
    stream.read_exact(&mut start)?;
    if &start[..6] != b"\x93NUMPY" {
        return Ok(Err(NoNumbers::NoArray));
    }
    let mut length = [0u8; 4];
    let size = if start[6] == 1 { 2 } else { 4 };
    stream.read_exact(&mut length[..size])?;
    let length = u32::from_le_bytes(length) as u64;
    if length > stream.left().min(1 << 20) {
        return Err(damaged("has a garbled header"));
    }
    let mut text = vec![0; length as usize];
    stream.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let header = parse(&text).map_err(|why| damaged(&format!("has a garbled header ({why})")))?;
    Ok(header.map(|header| ArrayHeader { length: 8 + size as u64 + length, ..header }))
}

/// Parses `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`.
fn parse(text: &str) -> Result<Result<ArrayHeader, NoNumbers>, &'static str> {
    let after = |key: &str| -> Option<&str> {
        let at = text.find(&format!("'{key}'"))?;
        text[at + key.len() + 2..].trim_start().strip_prefix(':').map(str::trim_start)
    };
    let column_major = after("fortran_order").ok_or("no fortran_order")?.starts_with("True");
    let shape = after("shape").and_then(|rest| rest.strip_prefix('(')).ok_or("no shape")?;
    let shape = &shape[..shape.find(')').ok_or("no shape")?];
    let shape: Vec<u64> = shape
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(|size| size.trim_end_matches('L').parse().map_err(|_| "the shape is no list of numbers"))
        .collect::<Result<_, _>>()?;
    let descr = after("descr").ok_or("no descr")?;
    let Some(kind) = descr.strip_prefix('\'').and_then(|rest| rest.split('\'').next()) else {
        return Ok(Err(NoNumbers::Records));
    };
    let (order, kind) = match kind.split_at_checked(1) {
        Some((order @ ("<" | ">" | "|" | "="), kind)) => (order, kind),
        _ => ("<", kind),
    };
    let kind = match kind {
        "f4" => NumberKind::Float32,
        "f8" => NumberKind::Float64,
        "b1" | "u1" => NumberKind::Unsigned(1),
        "u2" => NumberKind::Unsigned(2),
        "u4" => NumberKind::Unsigned(4),
        "u8" => NumberKind::Unsigned(8),
        "i1" => NumberKind::Signed(1),
        "i2" => NumberKind::Signed(2),
        "i4" => NumberKind::Signed(4),
        "i8" => NumberKind::Signed(8),
        other => return Ok(Err(NoNumbers::Kind(other.to_owned()))),
    };
    Ok(Ok(ArrayHeader { kind, big_endian: order == ">", column_major, shape, length: 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_kind_order_and_shape() {
        let header =
            parse("{'descr': '>f4', 'fortran_order': True, 'shape': (7, 2), }  \n").unwrap().unwrap();
        assert_eq!((header.kind, header.big_endian, header.column_major), (NumberKind::Float32, true, true));
        assert_eq!(header.shape, [7, 2]);
        assert_eq!(
            parse("{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }").unwrap().unwrap().shape,
            [5]
        );
        assert!(parse("{'descr': '|O', 'fortran_order': False, 'shape': (), }").unwrap().is_err());
        assert!(
            parse("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }").unwrap().is_err()
        );
        assert!(parse("{'descr': '<f8', 'shape': (3,)}").is_err());
    }
}
