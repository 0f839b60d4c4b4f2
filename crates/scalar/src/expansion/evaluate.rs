//! The value of an exact source in extended precision.

use super::Expansion;
use super::trigonometry::sin_cos_pi;
use crate::exact::{EvaluationError, Exact, Function, Node};
use crate::field::{Field, Real, Trigonometric};

/// Evaluates an expression; its divisions by zero and arguments outside of domains are errors.
pub(super) fn evaluate_real<const N: usize>(source: &Exact) -> Result<Expansion<N>, EvaluationError> {
    let not_in_domain =
        |function: Function| EvaluationError::Domain { function, expression: source.to_string() };
    Ok(match source.node() {
        Node::Rational(r) => Expansion::from_rational(r),
        Node::Pi => Expansion::pi(),
        Node::Symbol { value, .. } => evaluate_real(value)?,
        Node::Sum(a, b) => evaluate_real::<N>(a)? + evaluate_real(b)?,
        Node::Difference(a, b) => evaluate_real::<N>(a)? - evaluate_real(b)?,
        Node::Product(a, b) => evaluate_real::<N>(a)? * evaluate_real(b)?,
        Node::Quotient(a, b) => {
            let divisor = evaluate_real::<N>(b)?;
            if divisor.0[0] == 0.0 {
                return Err(EvaluationError::DivisionByZero { expression: source.to_string() });
            }
            evaluate_real::<N>(a)? / divisor
        }
        Node::Negation(a) => -evaluate_real::<N>(a)?,
        Node::Power(a, n) => {
            let base = evaluate_real::<N>(a)?;
            if *n < 0 && base.0[0] == 0.0 {
                return Err(EvaluationError::DivisionByZero { expression: source.to_string() });
            }
            let mut power = Expansion::one();
            for _ in 0..n.unsigned_abs() {
                power = power * base;
            }
            if *n < 0 { Expansion::one() / power } else { power }
        }
        Node::Call(function, a) => {
            // An angle that is a rational multiple of π is reduced before it is rounded.
            if let (Function::Sin | Function::Cos | Function::Tan, Some(turns)) = (function, a.pi_multiple())
            {
                let (sin, cos) = sin_cos_pi::<N>(&turns);
                return match function {
                    Function::Sin => Ok(sin),
                    Function::Cos => Ok(cos),
                    _ if cos.0[0] == 0.0 => {
                        Err(EvaluationError::DivisionByZero { expression: source.to_string() })
                    }
                    _ => Ok(sin / cos),
                };
            }
            let mut x = evaluate_real::<N>(a)?;
            let (zero, one) = (Expansion::zero(), Expansion::one());
            // sqrt(1 - sin(pi/3)^2 - 0.25) is 0: what rounding moved over the edge of a domain is put back.
            let is_exact = matches!(a.node(), Node::Rational(_) | Node::Symbol { .. });
            let slack = if is_exact { zero } else { Expansion::epsilon().scale(16.0) };
            match function {
                Function::Sqrt if x < zero && x >= -slack => x = zero,
                Function::Asin | Function::Acos if x.abs() > one && x.abs() <= one + slack => {
                    x = if x > zero { one } else { -one };
                }
                _ => {}
            }
            match function {
                Function::Sqrt if x < zero => return Err(not_in_domain(*function)),
                Function::Sqrt => x.sqrt(),
                Function::Sin => x.sin_cos().0,
                Function::Cos => x.sin_cos().1,
                Function::Tan => {
                    let (sin, cos) = x.sin_cos();
                    sin / cos
                }
                Function::Asin | Function::Acos if x.abs() > one => return Err(not_in_domain(*function)),
                // (1 − x)(1 + x) keeps the digits that 1 − x² loses near ±1.
                Function::Asin => x.atan2(((one - x) * (one + x)).sqrt()),
                Function::Acos => ((one - x) * (one + x)).sqrt().atan2(x),
                Function::Atan => x.atan2(one),
            }
        }
    })
}
