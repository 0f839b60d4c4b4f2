//! Base parameters in symbols.

pub(crate) mod weights;
