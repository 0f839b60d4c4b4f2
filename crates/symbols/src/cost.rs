//! What straight-line code for a graph costs.

use crate::graph::{Expression, Graph, Node};

/// Operations of a straight-line program. Signs are not counted: they go into additions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Multiplications.
    pub multiplications: usize,
    /// Additions and subtractions; a sign is one, of two comparisons.
    pub additions: usize,
    /// Divisions, square roots and exponential functions.
    pub divisions: usize,
    /// Pairs of sine and cosine of one angle.
    pub angles: usize,
}

/// Counts the operations that some outputs need.
pub fn count(graph: &Graph, outputs: &[Expression]) -> Operations {
    let mut operations = Operations::default();
    let mut angles = std::collections::HashSet::new();
    let needed = graph.needed(outputs);
    for (node, _) in graph.nodes().iter().zip(&needed).filter(|(_, needed)| **needed) {
        match node {
            Node::Constant(_) | Node::Input(_) => {}
            Node::Sum(..) | Node::Sign(_) => operations.additions += 1,
            Node::Product(..) => operations.multiplications += 1,
            Node::Quotient(..) | Node::Root(_) | Node::Exponential(_) => operations.divisions += 1,
            Node::Sine(a) | Node::Cosine(a) => {
                angles.insert(*a);
            }
        }
    }
    operations.angles = angles.len();
    operations
}
