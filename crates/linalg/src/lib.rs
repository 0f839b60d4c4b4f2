//! Linear algebra for one algorithm in many scalars, and what numeric work needs besides: random streams,
//! threads and their end.

mod cancel;
pub mod cholesky;
pub mod eigen;
pub mod elimination;
pub mod orthogonal;
pub mod orthonormal;
mod parallel;
mod rank;
mod space;
pub mod span;
pub mod sparse_span;
pub mod square;
mod stream;
pub mod triangle;
mod vector;

pub use cancel::{Cancel, checkpoint};
pub use parallel::{all_threads, chunks_in_parallel, in_parallel, parts_in_parallel};
pub use rank::RankDecision;
pub use space::{Mat3, Vec3};
pub use stream::Stream;
pub use vector::{dot, norm};
