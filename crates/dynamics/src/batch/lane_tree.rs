//! The tree of a mechanism in the lanes of this processor, made when first asked for.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use steiner_scalar::Lanes;

use crate::tree::Tree;

/// A place for the tree in lanes. Which lanes is known at run time only, and is always the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneTree(OnceLock<Arc<dyn Any + Send + Sync>>);

impl LaneTree {
    /// The tree in lanes; made anew where other lanes were asked for first.
    pub(crate) fn of<L: Lanes>(&self, tree: &Tree<f64>) -> Arc<Tree<L>> {
        let kept = self.0.get_or_init(|| Arc::new(tree.broadcast::<L>()));
        Arc::clone(kept).downcast().unwrap_or_else(|_| Arc::new(tree.broadcast()))
    }
}
