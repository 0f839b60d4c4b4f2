//! Construction with simplification: what a sum, product or quotient becomes before it is a node.

use steiner_scalar::{DoubleDouble, Field, Real, Scalar, Trigonometric};

use crate::graph::{Expression, Graph, Node};

/// Sums of constants below this, relative to their terms, are zero: a few units in the last of thirty digits.
const CANCELLED: f64 = 1e-29;

/// A number that is an integer up to rounding in double-double, as that integer.
pub(crate) fn settled(x: DoubleDouble) -> DoubleDouble {
    let nearest = DoubleDouble::from_f64(x.to_f64().round());
    if (x - nearest).abs().to_f64() < CANCELLED { nearest } else { x }
}

impl Graph {
    /// a + b.
    pub fn sum(&mut self, a: Expression, b: Expression) -> Expression {
        if a == Expression::ZERO {
            return b;
        }
        if b == Expression::ZERO {
            return a;
        }
        if let (Some(x), Some(y)) = (self.value_of(a), self.value_of(b)) {
            let sum = x + y;
            let size = x.abs().to_f64().max(y.abs().to_f64());
            let cancelled = sum.abs().to_f64() <= CANCELLED * size;
            return if cancelled { Expression::ZERO } else { self.constant(settled(sum)) };
        }
        let shorter = self.collected(a, b).or_else(|| self.cancelled(a, b)).or_else(|| self.gathered(a, b));
        shorter.unwrap_or_else(|| {
            let (first, second) = if a.node() < b.node() { (a, b) } else { (b, a) };
            let negative = first.is_negative();
            self.intern(Node::Sum(first.magnitude(), second.negated_if(negative))).negated_if(negative)
        })
    }

    /// a − b.
    pub fn difference(&mut self, a: Expression, b: Expression) -> Expression {
        self.sum(a, b.negated())
    }

    /// k₁ x + k₂ x = (k₁ + k₂) x.
    fn collected(&mut self, a: Expression, b: Expression) -> Option<Expression> {
        let ((k1, x), (k2, y)) = (self.multiple(a), self.multiple(b));
        if x != y {
            return None;
        }
        let factor = self.sum(k1, k2);
        Some(self.product(factor, x))
    }

    /// An expression as a constant times something without sign.
    fn multiple(&self, e: Expression) -> (Expression, Expression) {
        match *self.node(e) {
            Node::Product(k, x) if self.value_of(k).is_some() => (k.negated_if(e.is_negative()), x),
            _ => (Expression::ONE.negated_if(e.is_negative()), e.magnitude()),
        }
    }

    /// (x + y) + (z − x) = y + z, and the like where one side is a single term;
    /// constants of both sides are added.
    fn cancelled(&mut self, a: Expression, b: Expression) -> Option<Expression> {
        let (left, right) = (self.terms(a), self.terms(b));
        for (i, &x) in left.iter().enumerate() {
            for (j, &y) in right.iter().enumerate() {
                let both_constant = self.value_of(x).is_some() && self.value_of(y).is_some();
                if x != y.negated() && !both_constant {
                    continue;
                }
                let others = |terms: &[Expression], skipped: usize| {
                    terms
                        .iter()
                        .enumerate()
                        .find(|(k, _)| *k != skipped)
                        .map_or(Expression::ZERO, |(_, &e)| e)
                };
                let (p, q) = (others(&left, i), others(&right, j));
                let rest = self.sum(p, q);
                let constant = self.sum(x, y);
                return Some(self.sum(rest, constant));
            }
        }
        None
    }

    /// c₁ + k (c₂ + x) = (c₁ + k c₂) + k x: one addition less, or two where the constants
    /// cancel, as in a − a (1 − cos q).
    fn gathered(&mut self, a: Expression, b: Expression) -> Option<Expression> {
        let (constant, multiple) = if self.value_of(a).is_some() { (a, b) } else { (b, a) };
        self.value_of(constant)?;
        let (k, inner) = self.multiple(multiple);
        let (Node::Sum(x, y), true) = (*self.node(inner), k.magnitude() != Expression::ONE) else {
            return None;
        };
        let (c, x) = if self.value_of(x).is_some() { (x, y) } else { (y, x) };
        self.value_of(c)?;
        let shift = self.product(k, c);
        let constant = self.sum(constant, shift);
        let rest = self.product(k, x);
        Some(self.sum(constant, rest))
    }

    /// The signed terms of a sum of two, or the expression itself.
    fn terms(&self, e: Expression) -> Vec<Expression> {
        match *self.node(e) {
            Node::Sum(x, y) => vec![x.negated_if(e.is_negative()), y.negated_if(e.is_negative())],
            _ => vec![e],
        }
    }

    /// a · b.
    pub fn product(&mut self, a: Expression, b: Expression) -> Expression {
        let negative = a.is_negative() != b.is_negative();
        let (a, b) = (a.magnitude(), b.magnitude());
        // The constant first, or the older node.
        let swap = match (self.value_of(a), self.value_of(b)) {
            (Some(_), None) => false,
            (None, Some(_)) => true,
            _ => b < a,
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.product_of_magnitudes(a, b).negated_if(negative)
    }

    fn product_of_magnitudes(&mut self, a: Expression, b: Expression) -> Expression {
        if a == Expression::ZERO || b == Expression::ZERO {
            return Expression::ZERO;
        }
        if a == Expression::ONE {
            return b;
        }
        let Some(x) = self.value_of(a) else {
            // A reciprocal stays one: it is made to be shared by many products.
            return self.intern(Node::Product(a, b));
        };
        match *self.node(b) {
            Node::Constant(y) => self.constant(settled(x * y)),
            Node::Product(k, rest) => match self.value_of(k) {
                Some(y) => {
                    let factor = self.constant(settled(x * y));
                    self.product(factor, rest)
                }
                None => self.intern(Node::Product(a, b)),
            },
            _ => self.intern(Node::Product(a, b)),
        }
    }

    /// a / b. Division by a constant is a multiplication.
    pub fn quotient(&mut self, a: Expression, b: Expression) -> Expression {
        let negative = a.is_negative() != b.is_negative();
        let (a, b) = (a.magnitude(), b.magnitude());
        let quotient = match self.value_of(b) {
            _ if a == Expression::ZERO || b == Expression::ONE => a,
            _ if a == b => Expression::ONE,
            Some(y) if b != Expression::ZERO => {
                let inverse = self.constant(DoubleDouble::one() / y);
                self.product(a, inverse)
            }
            _ => self.intern(Node::Quotient(a, b)),
        };
        quotient.negated_if(negative)
    }

    /// sin a.
    pub fn sine(&mut self, a: Expression) -> Expression {
        match self.value_of(a) {
            Some(x) => self.constant(settled(x.sin_cos().0)),
            None => self.intern(Node::Sine(a.magnitude())).negated_if(a.is_negative()),
        }
    }

    /// cos a.
    pub fn cosine(&mut self, a: Expression) -> Expression {
        match self.value_of(a) {
            Some(x) => self.constant(settled(x.sin_cos().1)),
            None => self.intern(Node::Cosine(a.magnitude())),
        }
    }

    /// sign a: 1, −1 or 0. That of a multiple is that of what is multiplied.
    pub fn sign(&mut self, a: Expression) -> Expression {
        if let Some(x) = self.value_of(a) {
            let size = if x == DoubleDouble::zero() { Expression::ZERO } else { Expression::ONE };
            return size.negated_if(x.to_f64() < 0.0);
        }
        let (factor, a) = self.multiple(a);
        self.intern(Node::Sign(a)).negated_if(factor.is_negative())
    }

    /// √a.
    pub fn root(&mut self, a: Expression) -> Expression {
        match self.value_of(a) {
            Some(x) if x.to_f64() >= 0.0 => self.constant(settled(x.sqrt())),
            _ => self.intern(Node::Root(a)),
        }
    }

    /// exp a.
    pub fn exponential(&mut self, a: Expression) -> Expression {
        match self.value_of(a) {
            Some(x) if x == DoubleDouble::zero() => Expression::ONE,
            _ => self.intern(Node::Exponential(a)),
        }
    }
}
