//! Other values for the named constants of an expression.

use crate::exact::{Exact, Node};

impl Exact {
    /// The expression with other values for its named constants; those without one keep theirs. A constant
    /// defined by others follows them where its definition was kept, not where it was folded into a number.
    pub fn with_symbols(&self, value: &dyn Fn(&str) -> Option<Exact>) -> Exact {
        let of = |x: &Exact| x.with_symbols(value);
        match self.node() {
            Node::Rational(_) | Node::Pi => self.clone(),
            Node::Symbol { name, value: old } => {
                let new = value(name).unwrap_or_else(|| of(old));
                Exact::symbol(name.clone(), new)
            }
            Node::Sum(a, b) => of(a) + of(b),
            Node::Difference(a, b) => of(a) - of(b),
            Node::Product(a, b) => of(a) * of(b),
            Node::Quotient(a, b) => of(a) / of(b),
            Node::Negation(a) => -of(a),
            Node::Power(a, n) => of(a).pow(*n),
            Node::Call(function, a) => of(a).call(*function),
        }
    }

    /// Whether a named constant occurs in it.
    pub fn mentions(&self, is_named: &dyn Fn(&str) -> bool) -> bool {
        let any = |x: &Exact| x.mentions(is_named);
        match self.node() {
            Node::Rational(_) | Node::Pi => false,
            Node::Symbol { name, value } => is_named(name) || any(value),
            Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => {
                any(a) || any(b)
            }
            Node::Negation(a) | Node::Power(a, _) | Node::Call(_, a) => any(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_take_other_values_and_expressions_follow() {
        let l1 = Exact::symbol("l1", Exact::fraction(3, 10));
        let l2 = Exact::symbol("l2", Exact::integer(2));
        let x = (l1.clone() * l1.clone() + l2.clone()).sqrt() / l2;
        let moved = x.with_symbols(&|name| (name == "l1").then(|| Exact::integer(7)));
        assert_eq!(moved.to_string(), x.to_string());
        assert!((moved.to_f64().unwrap() - (51.0f64).sqrt() / 2.0).abs() < 1e-15);
        assert!(x.mentions(&|name| name == "l1") && !x.mentions(&|name| name == "l3"));
    }
}
