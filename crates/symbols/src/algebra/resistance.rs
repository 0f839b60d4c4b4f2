//! Reasons why a formula was not found.

use std::fmt;

/// Why an entry was not recovered.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Resistance {
    /// The black box has no values near the centre.
    NoValues { tried: usize },
    /// Along one variable it is no rational function of low degree.
    NotRational { variable: String, points: usize },
    /// Degrees of numerator and denominator in the lengths do not differ by the dimension.
    Dimension { stated: i32, found: i32 },
    /// Too many coefficients for the linear system.
    TooManyUnknowns { unknowns: usize, most: usize },
    /// No quotient with the degrees found along lines has the values.
    NoSolution { unknowns: usize },
    /// A coefficient is no short rational, nor one with a square root.
    Coefficient { residue: u64 },
    /// The black box gave this entry no value at many samples.
    NoNumber { samples: usize },
    /// The lifted function differs from the black box at a fresh sample.
    Refuted,
    /// The lifted function differs from the reference in doubles.
    Reference { value: f64, reference: f64 },
}

impl fmt::Display for Resistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resistance::NoValues { tried } => {
                write!(f, "none of {tried} samples near the given lengths could be evaluated")
            }
            Resistance::NotRational { variable, points } => {
                write!(f, "{points} values along {variable} are those of no rational function of low degree")
            }
            Resistance::Dimension { stated, found } => {
                write!(
                    f,
                    "it scales with the power {found} of the lengths, not {stated} as its dimension says"
                )
            }
            Resistance::TooManyUnknowns { unknowns, most } => {
                write!(
                    f,
                    "its degrees allow {unknowns} coefficients, more than the {most} that are solved for"
                )
            }
            Resistance::NoSolution { unknowns } => {
                write!(f, "no quotient with its degrees ({unknowns} coefficients) has its values")
            }
            Resistance::Coefficient { .. } => {
                write!(f, "a coefficient is no short fraction, nor one with a square root of 2, 3, 5 or 7")
            }
            Resistance::NoNumber { samples } => {
                write!(f, "at {samples} samples its value was not recognised as an exact number")
            }
            Resistance::Refuted => write!(f, "the function found differs from the values at fresh lengths"),
            Resistance::Reference { value, reference } => {
                write!(f, "the function found gives {value:e} where {reference:e} is known")
            }
        }
    }
}
