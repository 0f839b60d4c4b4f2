//! The rationals as a field: exact, of any size, and not `Copy`.

use dashu_ratio::RBig;

use crate::exact::{Evaluated, EvaluationError, Exact};
use crate::field::Field;

impl Field for RBig {
    const EXACT: bool = true;
    fn zero() -> Self {
        RBig::ZERO
    }
    fn one() -> Self {
        RBig::ONE
    }
    fn from_i64(n: i64) -> Self {
        RBig::from(n)
    }
    fn try_inv(&self) -> Option<Self> {
        (!self.is_zero()).then(|| RBig::ONE / self)
    }
    fn pivot_weight(&self) -> f64 {
        if self.is_zero() { 0.0 } else { 1.0 }
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        match source.to_rational() {
            Some(value) => Ok(Evaluated { value, rounded: false }),
            None => Ok(Evaluated { value: source.to_thirty_digits()?, rounded: true }),
        }
    }
}
