//! The velocities that move each segment, listed when somebody asks: a long chain has as many as pairs of
//! segments, and most questions need none of them.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

/// For each segment, the velocity coordinates of itself and its ancestors, root first.
#[derive(Clone, Debug, Default)]
pub struct Ancestry {
    /// The parent of each segment, and its own velocities.
    segments: Vec<(Option<usize>, Range<usize>)>,
    listed: OnceLock<Vec<Vec<usize>>>,
}

impl Ancestry {
    /// Takes in the next segment.
    pub(crate) fn push(&mut self, parent: Option<usize>, own: Range<usize>) {
        self.segments.push((parent, own));
        self.listed = OnceLock::new();
    }

    #[cold]
    fn list(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::with_capacity(self.segments.len());
        for (parent, own) in &self.segments {
            let inherited = parent.map_or(&[][..], |parent| &all[parent]);
            all.push(inherited.iter().copied().chain(own.clone()).collect());
        }
        all
    }
}

impl Deref for Ancestry {
    type Target = [Vec<usize>];
    #[inline]
    fn deref(&self) -> &[Vec<usize>] {
        self.listed.get_or_init(|| self.list())
    }
}
