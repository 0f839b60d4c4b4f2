//! The two ways to the same forces.

/// How formulas are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Newton and Euler's recursion along the tree, unrolled: for every tree.
    #[default]
    Recursive,
    /// The closed form of a serial arm, nested: for up to nine revolute and prismatic joints.
    Psdm,
}

impl Method {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Recursive => "recursive",
            Method::Psdm => "psdm",
        }
    }
}
