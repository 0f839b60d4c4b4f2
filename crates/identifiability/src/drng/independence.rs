//! Which vectors of loop joints are new.
//!
//! An echelon by bodies: a row belongs to the last body it touches and has a pivot among that body's
//! parameters. A vector is reduced from its last body towards the base, since the rows of a body only
//! reach bodies before it; it is new as soon as something of a body is left. The vectors of a tree
//! joint are such rows as they come.

use std::collections::BTreeMap;

use super::JointVector;
use super::model::TetrahedralModel;

/// What is left of a dependent vector is below this part of it.
const NOISE: f64 = 1e-9;

type Block = [f64; 10];

struct Row {
    pivot: usize,
    /// Of the body it belongs to, 1 at the pivot.
    own: Block,
    /// Of earlier bodies.
    others: Vec<(usize, Block)>,
}

pub(super) struct Independence {
    /// For each body, rows in the order of their coming: each is zero at the pivots before its own.
    rows: Vec<Vec<Row>>,
    /// Brings mass, first moments and inertia to one unit, so that small parts
    /// of small machines are no noise.
    weights: Block,
}

impl Independence {
    /// With the vectors of the tree joints.
    pub(super) fn of_tree(model: &TetrahedralModel, vectors: &[JointVector]) -> Self {
        let origins = model.tree.iter().chain(&model.loops).map(|link| link.in_parent.origin());
        let reach = origins.fold(0.0, |most: f64, p| most.max(p.dot(p))).sqrt();
        let length = if reach > 0.0 { reach } else { 1.0 };
        let mut weights = [1.0; 10];
        weights[0] = length * length;
        weights[1..4].fill(length);
        let rows = std::iter::repeat_with(Vec::new).take(model.tree.len()).collect();
        let mut known = Independence { rows, weights };
        for vector in vectors {
            known.insert(vector);
        }
        known
    }

    /// Takes a vector in if it is independent of those already there, and says whether it was.
    pub(super) fn insert(&mut self, vector: &JointVector) -> bool {
        let weighted = |block: &Block| -> Block { std::array::from_fn(|k| block[k] * self.weights[k]) };
        let mut open = BTreeMap::from([(vector.child, weighted(&vector.in_child))]);
        if let Some(parent) = vector.parent {
            subtract(open.entry(parent).or_default(), -1.0, &weighted(&vector.in_parent));
        }
        let size = open.values().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        while let Some((body, mut block)) = open.pop_last() {
            for row in &self.rows[body] {
                let factor = block[row.pivot];
                if factor == 0.0 {
                    continue;
                }
                subtract(&mut block, factor, &row.own);
                block[row.pivot] = 0.0;
                for (other, values) in &row.others {
                    subtract(open.entry(*other).or_default(), factor, values);
                }
            }
            let largest = |best: usize, k: usize| if block[k].abs() > block[best].abs() { k } else { best };
            let pivot = (0..10).fold(0, largest);
            if block[pivot].abs() > NOISE * size {
                let scale = 1.0 / block[pivot];
                let own = block.map(|x| x * scale);
                let others =
                    open.into_iter().map(|(other, values)| (other, values.map(|x| x * scale))).collect();
                self.rows[body].push(Row { pivot, own, others });
                return true;
            }
        }
        false
    }
}

fn subtract(from: &mut Block, factor: f64, values: &Block) {
    for (x, value) in from.iter_mut().zip(values) {
        *x -= factor * value;
    }
}
