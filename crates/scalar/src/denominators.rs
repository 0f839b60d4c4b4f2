//! How fine the differences of some exact numbers can be.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;

use crate::exact::{Exact, Node};

/// The denominators of many numbers. Two that differ do so by at least one over the least common multiple of
/// theirs: decimals of ten digits by 1e-10, one of them and a third by a third of that.
#[derive(Clone, Debug, Default)]
pub struct Denominators {
    /// Highest powers of two and five.
    twos: usize,
    fives: usize,
    /// The two largest of what else is in them, as decimal logarithms, with the numbers.
    others: Vec<(f64, UBig)>,
}

impl Denominators {
    /// Decimal digits of the finest difference that two of the numbers can have.
    pub fn digits(&self) -> f64 {
        let others: f64 = self.others.iter().map(|(size, _)| size).sum();
        self.twos as f64 * 2f64.log10() + self.fives as f64 * 5f64.log10() + others
    }

    /// Takes in the rational numbers of an expression.
    pub fn take(&mut self, x: &Exact) {
        match x.node() {
            Node::Rational(r) => self.take_rational(r),
            Node::Pi => {}
            Node::Symbol { value: a, .. } | Node::Negation(a) | Node::Call(_, a) | Node::Power(a, _) => {
                self.take(a)
            }
            Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => {
                self.take(a);
                self.take(b);
            }
        }
    }

    fn take_rational(&mut self, r: &RBig) {
        let mut rest = r.denominator().clone();
        let twos = rest.trailing_zeros().unwrap_or(0);
        rest >>= twos;
        let five = UBig::from(5u8);
        let mut fives = 0;
        while (&rest % &five).is_zero() {
            rest /= &five;
            fives += 1;
        }
        self.twos = self.twos.max(twos);
        self.fives = self.fives.max(fives);
        let size = rest.bit_len() as f64 * 2f64.log10();
        if rest.is_one() || self.others.iter().any(|(_, other)| *other == rest) {
            return;
        }
        self.others.push((size, rest));
        self.others.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.others.truncate(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(numbers: &[&str]) -> f64 {
        let mut denominators = Denominators::default();
        numbers.iter().for_each(|text| denominators.take(&Exact::parse(text).unwrap()));
        denominators.digits()
    }

    #[test]
    fn decimals_differ_in_their_last_digit_and_fractions_by_less() {
        assert!((digits(&["0.25", "1e-12", "3"]) - 12.0).abs() < 1e-9);
        assert!(digits(&["0.3333333333", "1/3"]) > 10.4 && digits(&["sqrt(3)/2", "pi/4"]) < 1.0);
    }
}
