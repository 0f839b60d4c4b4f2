//! Arithmetic of exact numbers: plain rationals are folded, everything else stays as written.

use std::ops::{Add, Div, Mul, Neg, Sub};

use dashu_ratio::RBig;

use super::{Exact, Node, bounded};

/// Folds two plain rationals; named constants stay symbols.
fn fold(a: &Exact, b: &Exact, f: impl FnOnce(&RBig, &RBig) -> Option<RBig>) -> Option<Exact> {
    match (a.node(), b.node()) {
        (Node::Rational(x), Node::Rational(y)) => f(x, y).and_then(bounded).map(Exact::rational),
        _ => None,
    }
}

fn is_plain(x: &Exact, n: i64) -> bool {
    matches!(x.node(), Node::Rational(r) if *r == RBig::from(n))
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        if is_plain(&self, 0) {
            return other;
        }
        if is_plain(&other, 0) {
            return self;
        }
        fold(&self, &other, |x, y| Some(x + y)).unwrap_or_else(|| Exact::new(Node::Sum(self, other)))
    }
}

impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        if is_plain(&other, 0) {
            return self;
        }
        fold(&self, &other, |x, y| Some(x - y)).unwrap_or_else(|| Exact::new(Node::Difference(self, other)))
    }
}

impl Mul for Exact {
    type Output = Exact;
    fn mul(self, other: Exact) -> Exact {
        if is_plain(&self, 0) || is_plain(&other, 0) {
            return Exact::zero();
        }
        if is_plain(&self, 1) {
            return other;
        }
        if is_plain(&other, 1) {
            return self;
        }
        fold(&self, &other, |x, y| Some(x * y)).unwrap_or_else(|| Exact::new(Node::Product(self, other)))
    }
}

impl Div for Exact {
    type Output = Exact;
    fn div(self, other: Exact) -> Exact {
        if is_plain(&other, 1) {
            return self;
        }
        fold(&self, &other, |x, y| (!y.is_zero()).then(|| x / y))
            .unwrap_or_else(|| Exact::new(Node::Quotient(self, other)))
    }
}

impl Neg for Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        match self.node() {
            Node::Rational(r) => Exact::rational(-r.clone()),
            Node::Negation(a) => a.clone(),
            _ => Exact::new(Node::Negation(self)),
        }
    }
}
