//! Which square roots the geometry of a mechanism is drawn with.
//!
//! A nullspace is made of rational operations on lengths, directions and sines: at rational
//! lengths and half-angle tangents it lies in the field of the numbers the file states otherwise,
//! such as √3 of a triangle of 60°.

use steiner_robot::{JointKind, LoopKind, Robot};
use steiner_scalar::{Exact, Function, Node};
use steiner_symbols::algebra::Radical;

/// All d, products of 2, 3, 5 and 7, whose roots may occur; ascending.
pub(crate) fn roots(robot: &Robot) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    robot.numbers().iter().for_each(|x| of_expression(x, &mut found));
    let axes = robot.bodies.iter().flat_map(|body| {
        let joint = &body.joint;
        let parts: Vec<&[Exact; 3]> = match &joint.kind {
            JointKind::Universal { axis2 } => vec![axis2],
            JointKind::Compound(parts) => parts.iter().map(|part| &part.axis).collect(),
            _ => Vec::new(),
        };
        parts.into_iter().chain([&joint.axis])
    });
    let closing = robot.loops.iter().flat_map(|closure| {
        let second = match &closure.kind {
            LoopKind::Universal { axis2 } => Some(axis2),
            _ => None,
        };
        second.into_iter().chain([&closure.axis])
    });
    // A direction is given at any length.
    for axis in axes.chain(closing) {
        let square = axis.iter().fold(Exact::zero(), |sum, x| sum + x.clone() * x.clone());
        of_expression(&square.sqrt(), &mut found);
    }
    closed_under_products(found)
}

/// The roots in an expression.
fn of_expression(x: &Exact, found: &mut Vec<u64>) {
    if let Some(turns) = x.pi_multiple() {
        let halves: Option<u64> = turns.denominator().clone().try_into().ok();
        found.extend(halves.map_or(&[][..], of_angle));
        return;
    }
    match x.node() {
        Node::Rational(_) | Node::Pi => {}
        Node::Symbol { value, .. } => of_expression(value, found),
        Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => {
            of_expression(a, found);
            of_expression(b, found);
        }
        Node::Negation(a) | Node::Power(a, _) => of_expression(a, found),
        Node::Call(function, a) => {
            if *function == Function::Sqrt
                && let Some(root) = Radical::from_exact(x)
            {
                found.extend(root.parts().map(|(d, _)| u64::from(d)).filter(|&d| d > 1));
            }
            of_expression(a, found);
        }
    }
}

/// Roots in sine and cosine of π over this; of 72° only that of 5 is square.
fn of_angle(denominator: u64) -> &'static [u64] {
    match denominator {
        3 | 6 => &[3],
        4 => &[2],
        12 => &[2, 3],
        5 | 10 => &[5],
        _ => &[],
    }
}

/// √2 and √3 bring √6.
fn closed_under_products(found: Vec<u64>) -> Vec<u64> {
    let square_free = |d: u64| {
        let once = [2, 3, 5, 7].into_iter().filter(|p| {
            let mut rest = d;
            let mut odd = false;
            while rest.is_multiple_of(*p) {
                (rest, odd) = (rest / p, !odd);
            }
            odd
        });
        once.product::<u64>()
    };
    let mut all: Vec<u64> = vec![1];
    for d in found {
        if !all.contains(&d) {
            let more: Vec<u64> = all.iter().map(|e| square_free(d * e)).collect();
            all.extend(more);
        }
    }
    all.retain(|&d| d > 1);
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_numbers_and_angles_are_found_with_their_products() {
        let of = |source: &str| {
            let mut found = Vec::new();
            of_expression(&Exact::parse(source).unwrap(), &mut found);
            closed_under_products(found)
        };
        assert_eq!(of("0.3*sqrt(3)/2"), [3]);
        assert_eq!(of("pi/4 + 0"), [2]);
        assert_eq!(of("cos(pi/12)"), [2, 3, 6]);
        assert_eq!(of("sqrt(12)*sqrt(5)"), [3, 5, 15]);
        assert!(of("sqrt(4) + pi/2").is_empty());
    }
}
