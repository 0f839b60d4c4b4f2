//! Files of named arrays (NPZ, MAT): which of them are columns of the log.
//!
//! A vector is a column; a matrix with one row per sample is as many columns as it has, called `name[k]` (a
//! wrench of six: `name_fx` … `name_tz`). A matrix with one column per sample is read as its transpose.

use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

/// The six components of a wrench, as columns are called.
pub const WRENCH: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];

/// What a file says about one of its arrays.
#[derive(Clone, Debug)]
pub(crate) struct ArrayShape {
    pub(crate) name: String,
    /// Rows and columns; a vector has one column.
    pub(crate) rows: u64,
    pub(crate) columns: u64,
}

/// A vector or matrix with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedArray {
    /// What it is called.
    pub name: String,
    /// Rows; a vector has as many as it has numbers.
    pub rows: usize,
    /// Columns; a vector has one.
    pub columns: usize,
    /// `rows × columns` numbers, column by column.
    pub values: Vec<f64>,
}

impl NamedArray {
    /// A matrix of one row is a vector, too.
    pub(crate) fn shape(&self) -> ArrayShape {
        let (rows, columns) = if self.rows == 1 { (self.columns, 1) } else { (self.rows, self.columns) };
        ArrayShape { name: self.name.clone(), rows: rows as u64, columns: columns as u64 }
    }
}

/// How an array becomes columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Samples of the log.
    pub(crate) samples: u64,
    /// For each array its columns' names and whether it is transposed; `None` for
    /// arrays that are not part of the log.
    pub(crate) arrays: Vec<Option<(Vec<String>, bool)>>,
    pub(crate) notes: Vec<LogNote>,
}

impl Layout {
    pub(crate) fn of(arrays: &[ArrayShape], file: &str) -> Result<Self, LogError> {
        // The clock says how many samples there are; without one, the longest array of the contract does.
        let longest = |array: &ArrayShape| array.rows.max(array.columns);
        let clock = arrays.iter().find(|array| array.name == "t").map(longest);
        let contract = arrays.iter().filter(|array| is_of_contract(&array.name)).map(longest).max();
        let Some(samples) = clock.or(contract).or_else(|| arrays.iter().map(longest).max()) else {
            return Err(LogError::Empty { file: file.to_owned() });
        };
        let mut out = Layout { samples, arrays: Vec::new(), notes: Vec::new() };
        for array in arrays {
            let transposed = array.rows != samples && array.columns == samples;
            let (rows, columns) =
                if transposed { (array.columns, array.rows) } else { (array.rows, array.columns) };
            if rows != samples || columns > 4096 {
                if is_of_contract(&array.name) {
                    return Err(LogError::Lengths {
                        file: file.to_owned(),
                        name: array.name.clone(),
                        found: longest(array),
                        others: if clock.is_some() { "t".to_owned() } else { "others".to_owned() },
                        wanted: samples,
                        remedy: "cut them to the same span",
                    });
                }
                out.arrays.push(None);
                continue;
            }
            if transposed && columns > 1 {
                let array = array.name.clone();
                out.notes.push(ReadingNote::Transposed { file: file.to_owned(), array }.into());
            }
            let name = &array.name;
            let names = match columns {
                1 => vec![name.clone()],
                6 if name.starts_with("wrench_") => WRENCH.iter().map(|c| format!("{name}_{c}")).collect(),
                _ => (0..columns).map(|k| format!("{name}[{k}]")).collect(),
            };
            out.arrays.push(Some((names, transposed)));
        }
        Ok(out)
    }
}

/// Whether a name is one that logs are made of: `t`, `q`, `q_<joint>`, `tau`, `wrench_<contact>`, ….
pub fn is_of_contract(name: &str) -> bool {
    let families = ["q", "qd", "qdd", "tau", "wrench"];
    name == "t"
        || families.iter().any(|family| {
            name.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        })
}
