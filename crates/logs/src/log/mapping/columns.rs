//! One column of a log: where it comes from and how its numbers are turned into SI.

use super::units::Family;

/// Where a column stands in its file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum From {
    /// By its name, perhaps with one `*`.
    Name(String),
    /// By its place, from 0.
    Index(usize),
}

/// A rule for one column, or for all that a `*` stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnRule {
    /// The column of the log, perhaps with one `*`.
    pub(crate) name: String,
    pub(crate) family: Family,
    /// Index of its file.
    pub(crate) file: usize,
    pub(crate) from: From,
    pub(crate) scaling: Scaling,
    /// Whether a file may be without it.
    pub(crate) optional: bool,
    pub(crate) line: u32,
}

/// x = factor · (raw − zero) + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scaling {
    pub(crate) factor: f64,
    pub(crate) zero: f64,
    pub(crate) offset: f64,
}

impl Scaling {
    pub(crate) const NONE: Scaling = Scaling { factor: 1.0, zero: 0.0, offset: 0.0 };

    pub(crate) fn one(self, raw: f64) -> f64 {
        self.factor * (raw - self.zero) + self.offset
    }

    pub(crate) fn apply(self, raw: &[f64]) -> Vec<f64> {
        raw.iter().map(|x| self.one(*x)).collect()
    }
}

impl ColumnRule {
    /// The columns of a file with these names that the rule speaks of: (name in the log, place in the file).
    pub(crate) fn matches(&self, names: &[String]) -> Vec<(String, usize)> {
        match &self.from {
            From::Index(index) => {
                (*index < names.len()).then(|| (self.name.clone(), *index)).into_iter().collect()
            }
            From::Name(from) => match (self.name.split_once('*'), from.split_once('*')) {
                (Some((before, after)), Some((head, tail))) => names
                    .iter()
                    .enumerate()
                    .filter_map(|(k, name)| {
                        let middle = name.strip_prefix(head)?.strip_suffix(tail)?;
                        (!middle.is_empty()).then(|| (format!("{before}{middle}{after}"), k))
                    })
                    .collect(),
                _ => names
                    .iter()
                    .position(|name| name == from)
                    .map(|k| (self.name.clone(), k))
                    .into_iter()
                    .collect(),
            },
        }
    }
}
