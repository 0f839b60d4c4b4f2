//! Near-degenerate geometry: combinations that only small misalignments make identifiable.

/// A combination that would be invisible if almost aligned axes were aligned.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakDirection {
    /// (column, value), ascending.
    pub entries: Vec<(usize, f64)>,
    /// The bodies it involves, ascending.
    pub bodies: Vec<usize>,
    /// What it moves in the forces, relative to what its parameters move by themselves.
    pub relative_singular_value: f64,
    /// One sentence about it.
    pub text: String,
}
