//! Linear algebra for one algorithm in many scalars, and what numeric work needs besides: random streams and threads.

pub mod elimination;
pub mod orthogonal;
mod parallel;
mod space;
mod stream;

pub use parallel::{all_threads, in_parallel};
pub use space::{Mat3, Vec3};
pub use stream::Stream;
