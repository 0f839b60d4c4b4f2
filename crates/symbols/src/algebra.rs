//! Exact formulas: polynomials and rational functions of named lengths and angles, recovered from
//! values and written to be read.
//!
//! Entries of regroupings are rational functions of lengths and of sines and cosines of angles. They are not
//! carried through an algorithm symbolically: the algorithm runs in the prime field at chosen values, and
//! [`interpolate`] recovers what it computes.
//!
//! | type | what |
//! |---|---|
//! | [`Names`] | the lengths and angles, in the order of everything written |
//! | [`Radical`] | coefficients Σ q √d |
//! | [`Polynomial`] | sums over lengths, cosines and sines, with sin² = 1 − cos² |
//! | [`RationalFunction`] | quotients in lowest terms, one form for equal functions |
//! | [`interpolate`] | functions from a black box in F_p; [`recognise_rational`] brings reals there |
//! | [`Factored`] | products for the reader, with common sums under names |

mod common;
mod factored;
mod factorise;
mod gcd;
mod half_angle;
mod harmonics;
mod interpolate;
mod latex_text;
mod lattice;
mod lift;
mod monomial;
mod names;
mod polynomial;
mod radical;
mod rational_function;
mod read;
mod reading;
mod recognise;
mod resistance;
mod sample;
mod shape;
mod source;
mod support;
mod terms;
mod to_graph;
mod univariate;
mod write;

pub use common::{Abbreviated, abbreviate};
pub use factored::{Definition, Factored};
pub use factorise::{Factorisation, factorise};
pub use interpolate::{
    BlackBox, Interpolation, Recovered, Reference, Settings, Values, interpolate, interpolate_partial,
};
pub use latex_text::latex_escaped;
pub use lift::{lift, lift_rational};
pub use monomial::Monomial;
pub use names::{Names, Variable};
pub use polynomial::Polynomial;
pub use radical::Radical;
pub use rational_function::RationalFunction;
pub use read::ReadError;
pub use recognise::{Digits, EVIDENCE_BITS, recognise_radical, recognise_rational, recognise_residue};
pub use resistance::Resistance;
pub use sample::Sample;
pub use to_graph::Inputs;
pub use write::Notation;
