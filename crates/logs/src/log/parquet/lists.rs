//! Columns of lists: as many numbers in every row, each a column of the log.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::pages::{CheckedPages, Pages, check_place};

/// The name of a list, of which Parquet names the numbers: `state.list.element`, or `state.array` as older
/// writers have it.
pub(super) fn name(parts: &[String]) -> String {
    let inner = match parts {
        [.., middle, _] if parts.len() > 2 && (middle == "list" || middle == "bag") => 2,
        _ => 1,
    };
    parts[..parts.len().saturating_sub(inner).max(1)].join(".")
}

/// How many numbers the first row has; 0 where there are no rows.
pub(super) fn first_length(file: &SerializedFileReader<Pages>, index: usize) -> Result<usize, ParquetError> {
    let Some(group) = (0..file.num_row_groups()).find(|&k| file.metadata().row_group(k).num_rows() > 0)
    else {
        return Ok(0);
    };
    let group = file.get_row_group(group)?;
    let column = group.metadata().column(index);
    check_place(column)?;
    let pages = CheckedPages::new(group.get_column_page_reader(index)?);
    match get_column_reader(column.column_descr_ptr(), pages) {
        ColumnReader::DoubleColumnReader(reader) => length_of_one(reader),
        ColumnReader::FloatColumnReader(reader) => length_of_one(reader),
        ColumnReader::Int64ColumnReader(reader) => length_of_one(reader),
        ColumnReader::Int32ColumnReader(reader) => length_of_one(reader),
        ColumnReader::BoolColumnReader(reader) => length_of_one(reader),
        _ => Ok(0),
    }
}

fn length_of_one<T: DataType>(mut reader: ColumnReaderImpl<T>) -> Result<usize, ParquetError> {
    let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    reader.read_records(1, Some(&mut levels), Some(&mut repeats), &mut values)?;
    Ok(values.len())
}

/// Rows of lists as one column per number. A row that is null as a whole has one entry; a column that is
/// shorter than the others tells of a row of another length.
pub(super) fn by_element(flat: &[f64], repeats: &[i16], length: usize) -> Vec<Vec<f64>> {
    let mut out = vec![Vec::with_capacity(flat.len() / length.max(1)); length];
    let starts: Vec<usize> =
        (0..flat.len()).filter(|&k| repeats.get(k).is_none_or(|repeat| *repeat == 0)).collect();
    let ends = starts.iter().skip(1).copied().chain([flat.len()]);
    for (start, end) in starts.iter().copied().zip(ends) {
        let row = &flat[start..end];
        match row {
            _ if row.len() == length => out.iter_mut().zip(row).for_each(|(column, x)| column.push(*x)),
            [only] if only.is_nan() => out.iter_mut().for_each(|column| column.push(f64::NAN)),
            _ => break,
        }
    }
    out
}
