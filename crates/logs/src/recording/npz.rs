//! Recordings as NPZ: a ZIP archive with one uncompressed array of doubles for each column, as `numpy.savez`
//! makes it.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use steiner_files::stream_atomically;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes the columns under their names, to a temporary file first.
pub(super) fn write_npz(path: &Path, columns: &[(String, Vec<f64>)]) -> ZipResult<()> {
    stream_atomically(path, |file: &mut File| {
        // Pipes cannot go back to fill in sizes and checksums.
        let can_seek = file.stream_position().is_ok();
        let out = BufWriter::with_capacity(1 << 16, file);
        if can_seek {
            write_members(ZipWriter::new(out), columns)
        } else {
            write_members(ZipWriter::new_stream(out), columns)
        }
    })
}

fn write_members<W: Write + Seek>(
    mut archive: ZipWriter<W>,
    columns: &[(String, Vec<f64>)],
) -> ZipResult<()> {
    // 64-bit sizes throughout, so that long logs need no special case; no date, so
    // that equal logs are equal files.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(true);
    let mut bytes = Vec::new();
    for (name, values) in columns {
        archive.start_file(format!("{name}.npy"), options)?;
        let head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.len());
        // The numbers start at a multiple of 64; the last character of the head is a new line.
        let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
        archive.write_all(b"\x93NUMPY\x01\x00")?;
        archive.write_all(&(length as u16).to_le_bytes())?;
        archive.write_all(format!("{head:<width$}\n", width = length - 1).as_bytes())?;
        for block in values.chunks(1 << 13) {
            bytes.clear();
            block.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            archive.write_all(&bytes)?;
        }
    }
    archive.finish()?.flush()?;
    Ok(())
}
