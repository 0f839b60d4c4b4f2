//! Exact numbers as text that reads back as the same number.

use std::fmt;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Exact, Node};

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(self, 0, f)
    }
}

/// A terminating decimal when the denominator allows it, a fraction otherwise.
fn write_rational(r: &RBig, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut denominator = r.denominator().clone();
    let mut places = 0;
    for prime in [2u8, 5] {
        let mut count = 0;
        while (&denominator % UBig::from(prime)).is_zero() {
            denominator /= UBig::from(prime);
            count += 1;
        }
        places = places.max(count);
    }
    if denominator != UBig::ONE || places > 40 {
        return write!(f, "{}/{}", r.numerator(), r.denominator());
    }
    let scaled = r * RBig::from(IBig::from(10).pow(places));
    let digits = scaled.numerator().clone();
    let sign = if digits < IBig::ZERO { "-" } else { "" };
    let digits = format!("{:0>width$}", digits.to_string().trim_start_matches('-'), width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    if part.is_empty() { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{part}") }
}

/// Precedence: 0 sum, 1 product, 2 power, 3 atom.
fn write_node(x: &Exact, outer: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let own = match x.node() {
        Node::Sum(..) | Node::Difference(..) | Node::Negation(..) => 0,
        Node::Rational(r) if *r < RBig::ZERO => 0,
        Node::Rational(r) if *r.denominator() != UBig::ONE => 1,
        Node::Product(..) | Node::Quotient(..) => 1,
        Node::Power(..) => 2,
        _ => 3,
    };
    if own < outer {
        f.write_str("(")?;
    }
    match x.node() {
        Node::Rational(r) => write_rational(r, f)?,
        Node::Pi => f.write_str("pi")?,
        Node::Symbol { name, .. } => f.write_str(name)?,
        Node::Sum(a, b) => {
            write_node(a, 0, f)?;
            f.write_str(" + ")?;
            write_node(b, 1, f)?;
        }
        Node::Difference(a, b) => {
            write_node(a, 0, f)?;
            f.write_str(" - ")?;
            write_node(b, 1, f)?;
        }
        Node::Product(a, b) => {
            write_node(a, 1, f)?;
            f.write_str("*")?;
            write_node(b, 2, f)?;
        }
        Node::Quotient(a, b) => {
            write_node(a, 1, f)?;
            f.write_str("/")?;
            write_node(b, 2, f)?;
        }
        Node::Negation(a) => {
            f.write_str("-")?;
            write_node(a, 1, f)?;
        }
        Node::Power(a, n) => {
            // `a^2^3` would read as a to the eighth.
            write_node(a, 3, f)?;
            if *n < 0 { write!(f, "^({n})")? } else { write!(f, "^{n}")? }
        }
        Node::Call(function, a) => {
            write!(f, "{function}(")?;
            write_node(a, 0, f)?;
            f.write_str(")")?;
        }
    }
    if own < outer {
        f.write_str(")")?;
    }
    Ok(())
}
