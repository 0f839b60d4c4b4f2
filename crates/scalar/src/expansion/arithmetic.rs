//! Sums, products and quotients of expansions.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::Expansion;
use super::error_free::{distil, product_of_four, product_of_two, sum_of_four, sum_of_two, two_product};
use crate::field::Scalar;

impl<const N: usize> Add for Expansion<N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let quick = match N {
            2 => self.by(other, sum_of_two),
            4 => self.by(other, sum_of_four),
            _ => None,
        };
        quick.unwrap_or_else(|| self.distilled_sum(other))
    }
}

impl<const N: usize> Expansion<N> {
    #[cold]
    fn distilled_sum(self, other: Self) -> Self {
        let mut terms = [0.0; 16];
        for i in 0..N {
            terms[2 * i] = self.0[i];
            terms[2 * i + 1] = other.0[i];
        }
        Expansion(distil(&mut terms[..2 * N]))
    }
}

impl<const N: usize> Sub for Expansion<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + (-other)
    }
}

impl<const N: usize> Neg for Expansion<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Expansion(self.0.map(|x| -x))
    }
}

impl<const N: usize> Mul for Expansion<N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let quick = match N {
            2 => self.by(other, product_of_two),
            4 => self.by(other, product_of_four),
            _ => None,
        };
        quick.unwrap_or_else(|| self.distilled_product(other))
    }
}

impl<const N: usize> Expansion<N> {
    #[cold]
    fn distilled_product(self, other: Self) -> Self {
        // Products of order i + j < N with their errors, then the plain products of order N, largest first.
        let mut terms = [0.0; 96];
        let mut count = 0;
        let mut errors = [0.0; 16];
        let mut error_count = 0;
        for order in 0..=N {
            let inherited = error_count;
            let mut fresh = [0.0; 16];
            let mut fresh_count = 0;
            for i in 0..=order.min(N - 1) {
                let j = order - i;
                if j >= N {
                    continue;
                }
                if order < N {
                    let (p, e) = two_product(self.0[i], other.0[j]);
                    terms[count] = p;
                    fresh[fresh_count] = e;
                    fresh_count += 1;
                } else {
                    terms[count] = self.0[i] * other.0[j];
                }
                count += 1;
            }
            for e in &errors[..inherited] {
                terms[count] = *e;
                count += 1;
            }
            errors = fresh;
            error_count = fresh_count;
        }
        Expansion(distil(&mut terms[..count]))
    }
}

impl<const N: usize> Div for Expansion<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Long division: each quotient digit is a double.
        let mut rest = self;
        let mut digits = [0.0; 16];
        let lead = other.0[0];
        if lead == 0.0 || !lead.is_finite() || !self.0[0].is_finite() {
            return Self::from_f64(self.0[0] / lead);
        }
        for digit in digits.iter_mut().take(N + 1) {
            *digit = rest.0[0] / lead;
            rest -= other * Self::from_f64(*digit);
        }
        Expansion(distil(&mut digits[..N + 1]))
    }
}

impl<const N: usize> AddAssign for Expansion<N> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for Expansion<N> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
