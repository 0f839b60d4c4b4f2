//! What the user should know about an answer.

use crate::analysis::Method;

/// A remark about an analysis. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisNote {
    /// What was remarked when the mechanism was assembled.
    Mechanism(steiner_dynamics::MechanismNote),
    /// The file's configuration is singular, and branches of the motion may meet there: the answer is about the
    /// branch through this configuration.
    Branch {
        /// Names of coordinates of the tree and their values, rad or m: those that loops tie together.
        at: Vec<(String, f64)>,
    },
    /// A force plate feels these links, but they have no parameters: the root in front of them has no
    /// inertia.
    Unweighed {
        /// Names of the links.
        links: Vec<String>,
    },
    /// A published method missed some directions.
    Missed {
        /// The published method that was used.
        method: Method,
        /// How many it found.
        found: usize,
        /// How many there are.
        nullity: usize,
    },
    /// A published method claims more directions than there are; the others show, but very little.
    Exceeds {
        /// The published method that was used.
        method: Method,
        /// How many it claims.
        claimed: usize,
        /// How many there are.
        nullity: usize,
    },
    /// Some directions that a published method claims are visible.
    Wrong {
        /// The published method that was used.
        method: Method,
        /// How many are visible.
        wrong: usize,
        /// How many it claims.
        claimed: usize,
        /// How many there are.
        nullity: usize,
    },
    /// Rounding the geometry may have undone an alignment: doubles see another rank, and the
    /// robot is too large for 31 digits.
    RoundingDisputed,
    /// Nothing can be identified from what is measured.
    NothingIdentifiable,
    /// A parameter that should be eliminated stays.
    NotEliminated {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
        /// It is identifiable by itself; otherwise no other can stand for its group.
        alone: bool,
    },
    /// A parameter that should be kept is not.
    NotKept {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
        /// It has no effect on what is measured; otherwise others of its group are kept.
        no_effect: bool,
    },
}
