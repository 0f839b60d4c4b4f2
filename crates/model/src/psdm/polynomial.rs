//! Sparse polynomials over the base parameters: which monomial meets which parameter, how much.

use super::joint_tables::JointTables;
use super::monomial::{Derivative, Monomial};
use super::witnessed::Witnessed;

/// One coefficient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// Monomial and parameter in one word, so that sorting is one comparison.
    key: u64,
    pub(crate) coefficient: Witnessed,
}

/// Base parameters per monomial that a key has room for.
const PARAMETER_BITS: u32 = 8;

impl Term {
    pub(crate) fn new(monomial: Monomial, parameter: usize, coefficient: Witnessed) -> Self {
        Term { key: monomial.0 << PARAMETER_BITS | parameter as u64, coefficient }
    }
    pub(crate) fn monomial(&self) -> Monomial {
        Monomial(self.key >> PARAMETER_BITS)
    }
    pub(crate) fn parameter(&self) -> usize {
        (self.key & ((1 << PARAMETER_BITS) - 1)) as usize
    }
}

/// Terms by monomial and parameter, without zeros.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polynomial(pub(crate) Vec<Term>);

impl Polynomial {
    /// Sorts, adds what is alike and drops what its witness says is zero.
    pub(crate) fn collect(mut terms: Vec<Term>) -> Self {
        terms.sort_unstable_by_key(|term| term.key);
        let mut kept = 0;
        let mut at = 0;
        while at < terms.len() {
            let mut sum = terms[at];
            at += 1;
            while at < terms.len() && terms[at].key == sum.key {
                let next = terms[at].coefficient;
                sum.coefficient.value += next.value;
                sum.coefficient.witness += next.witness;
                at += 1;
            }
            if !sum.coefficient.is_zero() {
                terms[kept] = sum;
                kept += 1;
            }
        }
        terms.truncate(kept);
        Polynomial(terms)
    }

    /// Appends the terms of `factor · ∂self/∂q_joint`.
    pub(crate) fn differentiate_into(
        &self,
        tables: &JointTables,
        joint: usize,
        factor: Witnessed,
        out: &mut Vec<Term>,
    ) {
        let shift = 4 * joint as u32 + PARAMETER_BITS;
        // A joint has few functions: multiplied once, not per term.
        let scale = |derivative: &Derivative| derivative.iter().map(|&(d, x)| (d, x.times(factor))).collect();
        let scaled: Vec<Derivative> = tables.derivatives.iter().map(scale).collect();
        for term in &self.0 {
            let digit = (term.key >> shift & 15) as usize;
            let rest = term.key & !(15 << shift);
            for &(digit, derivative) in &scaled[digit] {
                let coefficient = derivative.times(term.coefficient);
                out.push(Term { key: rest | digit << shift, coefficient });
            }
        }
    }
}
