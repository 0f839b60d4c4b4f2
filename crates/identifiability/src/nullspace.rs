//! The answer: directions of parameter space that no motion shows, each with its reason.

use steiner_robot::ParameterList;

use crate::certificate::Certificate;
use crate::reason::{Principle, Reason, Site};

/// A direction in parameter space that no motion shows.
#[derive(Clone, Debug, PartialEq)]
pub struct NullVector {
    /// (column, value), ascending, one of the values being 1.
    pub entries: Vec<(usize, f64)>,
    /// The bodies it involves, ascending.
    pub bodies: Vec<usize>,
    /// Why it is invisible.
    pub reason: Reason,
}

impl NullVector {
    /// The principle by which it is invisible.
    pub fn principle(&self) -> Principle {
        self.reason.principle()
    }

    /// The name of the joint, loop or coupling it is about, if there is one.
    pub fn joint(&self) -> Option<&str> {
        self.reason.site.as_ref().map(Site::name)
    }
}

/// The structural nullspace of a regressor.
#[derive(Clone, Debug)]
pub struct Nullspace {
    /// Number of unknown parameters.
    pub parameters: usize,
    /// A sparse basis.
    pub vectors: Vec<NullVector>,
    /// What is proven about it.
    pub certificate: Certificate,
}

impl Nullspace {
    /// Number of base parameters (identifiable combinations): the rank.
    pub fn identifiable(&self) -> usize {
        self.parameters - self.vectors.len()
    }
}

/// The bodies whose parameters, or those of whose drives, entries change, ascending.
pub(crate) fn bodies_of(parameters: &ParameterList, entries: &[(usize, f64)]) -> Vec<usize> {
    let mut bodies: Vec<usize> = entries.iter().map(|&(column, _)| parameters.id(column).body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
