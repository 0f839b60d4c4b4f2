//! MAT, version 5 (MATLAB's `-v6` and, compressed, `-v7`; what SciPy's `savemat` writes): numeric matrices by
//! name, also inside structures (`data.q`). Matrices are stored column by column and read whole.

mod element;

use std::io::Read;
use std::path::Path;

use self::element::{Element, matrices};
use super::Log;
use super::arrays::NamedArray;
use super::reader::unreadable;
use crate::error::LogError;

/// Length of the file's header.
const HEADER: usize = 128;
/// What the matrices of a file may unpack to, bytes: numbers are read as doubles, so that bytes become eight times as many.
const MOST_UNPACKED: u64 = 32 << 20;
/// … or this many times its length, if that is more. Recorded numbers shrink to a half; files made to fill memory to a thousandth.
const MOST_TIMES: u64 = 20;

/// Reads all numeric matrices of a file.
pub(crate) fn read(path: &Path, file: &str) -> Result<Log, LogError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(file, error))?;
    let mut arrays = parse(&bytes, file)?;
    // All in one structure: its name tells nothing.
    let structure =
        arrays.first().and_then(|array| array.name.rfind('.').map(|end| array.name[..=end].to_owned()));
    if let Some(prefix) = structure.filter(|prefix| arrays.iter().all(|array| array.name.starts_with(prefix)))
    {
        arrays.iter_mut().for_each(|array| drop(array.name.drain(..prefix.len())));
    }
    Log::from_arrays(file, arrays)
}

fn parse(bytes: &[u8], file: &str) -> Result<Vec<NamedArray>, LogError> {
    if bytes.len() < HEADER {
        return Err(cut(file, "its header is not complete"));
    }
    let big_endian = match &bytes[126..128] {
        b"IM" => false,
        b"MI" => true,
        _ => return Err(damaged(file, "its header says no byte order")),
    };
    let mut found = Vec::new();
    let mut left = MOST_UNPACKED.max(MOST_TIMES * bytes.len() as u64);
    let mut rest = &bytes[HEADER..];
    while !rest.is_empty() {
        let element = Element::take(&mut rest, big_endian)
            .ok_or_else(|| cut(file, "its last matrix is not complete"))?;
        let unpacked;
        let element = match element.kind {
            element::COMPRESSED => {
                unpacked = unpack(element.bytes, &mut left, file)?;
                Element::take(&mut &unpacked[..], big_endian)
                    .ok_or_else(|| damaged(file, "a compressed matrix is not complete"))?
            }
            _ => element,
        };
        if element.kind == element::MATRIX {
            matrices(element.bytes, big_endian, "", 0, &mut found)
                .ok_or_else(|| damaged(file, "a matrix is garbled"))?;
        }
    }
    Ok(found)
}

/// Unpacks a matrix, and takes its length off what all of them may have together.
fn unpack(packed: &[u8], left: &mut u64, file: &str) -> Result<Vec<u8>, LogError> {
    let mut content = Vec::new();
    let mut unpacking = flate2::read::ZlibDecoder::new(packed).take(*left + 1);
    let length = unpacking
        .read_to_end(&mut content)
        .map_err(|_| damaged(file, "a compressed matrix cannot be unpacked"))?;
    *left = left.checked_sub(length as u64).ok_or_else(|| LogError::Unsupported {
        file: file.to_owned(),
        what: format!("a MAT file that unpacks to more than {MOST_TIMES} times its length"),
        remedy: "save it in MATLAB with save(file, '-v6')".to_owned(),
    })?;
    Ok(content)
}

fn cut(file: &str, found: &str) -> LogError {
    LogError::Cut { file: file.to_owned(), found: found.to_owned(), remedy: "save it anew".to_owned() }
}

fn damaged(file: &str, problem: &str) -> LogError {
    LogError::Damaged { file: file.to_owned(), problem: problem.to_owned() }
}
