//! What the user should know about formulas.

/// A remark about base parameters in symbols. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum SymbolicNote {
    /// Constants of equal value vary together: apart, another number of parameters would be identifiable.
    VaryTogether {
        /// The one that formulas name.
        name: String,
        /// Those that follow it.
        others: Vec<String>,
    },
    /// Constants stay numbers: with other values the mechanism does not assemble, or another number
    /// of parameters is identifiable.
    KeptAsNumbers {
        /// Names of the lengths and angles.
        names: Vec<String>,
    },
}
