//! A double with a witness in F_p: the double says how much, the witness whether it is zero.
//!
//! The paper compares coefficients with a tolerance, (26) and section 3.4.3. A residue of the
//! same expression modulo a prime near 2⁶¹ needs none: it is zero if the coefficient is, and
//! otherwise with a chance of 10⁻¹⁸ only.

use steiner_scalar::{Field, Fp, Scalar};

/// A number and its residue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witnessed {
    pub(crate) value: f64,
    pub(crate) witness: Fp,
}

impl Witnessed {
    /// A double of which the witness knows whether it is zero.
    pub(crate) fn new(value: f64, witness: Fp) -> Self {
        let value = if witness == Fp::zero() { 0.0 } else { value };
        Witnessed { value, witness }
    }
    pub(crate) fn zero() -> Self {
        Witnessed { value: 0.0, witness: Fp::zero() }
    }
    /// A double that is meant exactly.
    pub(crate) fn exact(value: f64) -> Self {
        Witnessed { value, witness: Fp::from_f64(value) }
    }
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        Witnessed { value: self.value * other.value, witness: self.witness * other.witness }
    }
    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        self.witness == Fp::zero()
    }
    /// Without the rounding error of what is zero.
    #[inline(always)]
    pub(crate) fn settled(self) -> Self {
        Self::new(self.value, self.witness)
    }
    #[inline(always)]
    pub(crate) fn plus_product(self, a: Self, b: Self) -> Self {
        Witnessed { value: self.value + a.value * b.value, witness: self.witness + a.witness * b.witness }
    }
}
