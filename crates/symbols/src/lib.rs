//! Formulas as graphs: what does an algorithm compute, and what is the shortest code for it?
//!
//! Two answers. [`algebra`] recovers what an algorithm computes as rational functions of named lengths and
//! angles, from its values alone, to be read. The rest of the crate records how it computes, to be run.
//!
//! A numeric kernel that is generic over its scalar runs here with [`Traced`] numbers, which record what
//! is done to them. The record is a [`Graph`]: equal subexpressions are one node, signs sit on the edges
//! (so that −x costs nothing and x − y shares with y − x), and what is 0, 1 or a constant disappears as
//! it is built. [`factor`] takes out common factors, and a [`Printer`] writes what is left as
//! straight-line C, Rust or Python.
//!
//! ```
//! use steiner_linalg::Vec3;
//! use steiner_symbols::{Language, Precision, Printer, count, trace};
//!
//! let (graph, outputs) = trace(|tracer| {
//!     let x = Vec3([tracer.input("x[0]"), tracer.input("x[1]"), tracer.input("x[2]")]);
//!     let z = Vec3::unit(2);
//!     let turned = z.cross(x) + x.cross(z); // nothing
//!     vec![turned[0].expression(), z.cross(x)[0].expression(), x.dot(x).expression()]
//! });
//! assert_eq!(graph.evaluate(&outputs, &|_| 3.0), [0.0, -3.0, 27.0]);
//! let operations = count(&graph, &outputs);
//! assert_eq!((operations.multiplications, operations.additions), (3, 2));
//! let named: Vec<_> = outputs.iter().enumerate().map(|(k, &e)| (format!("y[{k}]"), e)).collect();
//! let code = Printer::new(Language::C, Precision::Double).statements(&graph, &named);
//! assert!(code.contains("    y[1] = -x[1];"));
//! ```

pub mod algebra;
mod cost;
mod factor;
mod graph;
mod greek;
mod identifier;
mod nested;
mod print;
mod schedule;
mod simplify;
mod traced;

pub use cost::{Operations, count};
pub use factor::factor;
pub use graph::{Expression, Graph, Node};
pub use identifier::identifier;
pub use nested::{MOST_ALPHABETS, ProductTerm, nested_sums};
pub use print::{Language, Precision, Printer};
pub use schedule::{Order, Step, schedule};
pub use traced::{Traced, Tracer, trace};
