//! Sums and products of doubles without error, and lists of them made short again.
//!
//! Sums and products of expansions sort their terms by order of magnitude, 2^-53 apart: adding up the terms
//! of one order leaves errors that belong to the next, and what falls below the last order is only added.
//! Where nothing cancels this is all; where leading terms do, the list is distilled instead, which takes as
//! many sweeps as it needs.
//!
//! # Reference
//! [hida2001]: the orders of magnitude of a product of quad-doubles.

use crate::fused::with_fma;

/// s + e = a + b exactly, s the rounded sum (Knuth).
#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

/// p + e = a·b exactly, p the rounded product.
#[inline(always)]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, f64::mul_add(a, b, -p))
}

/// Distils a list of doubles to `N` components: each sweep moves the rounded sum of what is left to the
/// front, until what is left cannot be seen in the result. Where leading terms cancel this takes more than
/// `N` sweeps, and the difference of neighbours keeps its last digits.
#[inline]
pub(super) fn distil<const N: usize>(terms: &mut [f64]) -> [f64; N] {
    let invisible = 2f64.powi(-53 * (N as i32 - 1) + 2);
    let length = terms.len();
    let mut out = [0.0; N];
    let mut last = 0;
    for front in 0..length {
        for i in (front + 1..length).rev() {
            (terms[i - 1], terms[i]) = two_sum(terms[i - 1], terms[i]);
        }
        let sum = terms[front];
        let (head, tail) = two_sum(out[last], sum);
        out[last] = head;
        if tail != 0.0 && last + 1 < N {
            last += 1;
            out[last] = tail;
        }
        let seen = if sum == 0.0 {
            terms[front..].iter().any(|x| *x != 0.0)
        } else {
            sum.abs() > out[0].abs() * invisible
        };
        if !seen {
            break;
        }
    }
    // The sweeps leave the components nearly disjoint; one more makes them so.
    for i in (1..N).rev() {
        (out[i - 1], out[i]) = two_sum(out[i - 1], out[i]);
    }
    for i in 1..N {
        (out[i - 1], out[i]) = two_sum(out[i - 1], out[i]);
    }
    out
}

/// A sum that lost more leading bits than these is distilled.
const CANCELLED: f64 = 1.0 / 1024.0;

/// Two components of a sum of three terms, one of each order; `None` if the first ones cancelled beside
/// their size, or are not finite.
#[inline(always)]
fn two_of_three([a, b, c]: [f64; 3], size: f64) -> Option<[f64; 2]> {
    let (b, c) = two_sum(b, c);
    let (a, b) = two_sum(a, b);
    let (b, c) = two_sum(b, c);
    let (a, b) = two_sum(a, if b == 0.0 { c } else { b + c });
    (a.abs() >= CANCELLED * size).then_some([a, b])
}

/// Four components of a sum of five terms, one of each order; `None` if the first ones cancelled beside
/// their size, or are not finite.
#[inline(always)]
fn four_of_five([a, b, c, d, e]: [f64; 5], size: f64) -> Option<[f64; 4]> {
    let (d, e) = two_sum(d, e);
    let (c, d) = two_sum(c, d);
    let (b, c) = two_sum(b, c);
    let (a, b) = two_sum(a, b);
    let (b, c) = two_sum(b, c);
    let (c, d) = two_sum(c, d);
    let (d, e) = two_sum(d, e);
    let [b, c, d, e] = match b != 0.0 && c != 0.0 && d != 0.0 {
        true => [b, c, d, e],
        false => without_gaps([b, c, d, e]),
    };
    let (a, b) = two_sum(a, b);
    let (b, c) = two_sum(b, c);
    let (c, d) = two_sum(c, d);
    (a.abs() >= CANCELLED * size).then_some([a, b, c, d + e])
}

/// Zeros last. One in between would waste the digits of a component.
#[cold]
fn without_gaps(terms: [f64; 4]) -> [f64; 4] {
    let mut out = [0.0; 4];
    let terms = terms.into_iter().filter(|x| *x != 0.0);
    out.iter_mut().zip(terms).for_each(|(place, x)| *place = x);
    out
}

// Sums and products are not inlined: dozens of operations at every sign of a formula make large
// programs, long to build and no faster.

/// The sum of two double-doubles, unless leading terms cancel.
#[inline(never)]
pub(super) fn sum_of_two([a0, a1]: [f64; 2], [b0, b1]: [f64; 2]) -> Option<[f64; 2]> {
    let (s0, e0) = two_sum(a0, b0);
    let (s1, e1) = two_sum(a1, b1);
    let (s1, e2) = two_sum(s1, e0);
    two_of_three([s0, s1, e1 + e2], a0.abs().max(b0.abs()))
}

/// The sum of two quad-doubles, unless leading terms cancel.
#[inline(never)]
pub(super) fn sum_of_four([a0, a1, a2, a3]: [f64; 4], [b0, b1, b2, b3]: [f64; 4]) -> Option<[f64; 4]> {
    let (s0, e0) = two_sum(a0, b0);
    let (s1, e1) = two_sum(a1, b1);
    let (s2, e2) = two_sum(a2, b2);
    let (s3, e3) = two_sum(a3, b3);
    let (s1, f1) = two_sum(s1, e0);
    let (s2, f2) = two_sum(s2, e1);
    let (s2, g2) = two_sum(s2, f1);
    let (s3, f3) = two_sum(s3, e2);
    let (t3, g3) = two_sum(f2, g2);
    let (s3, h3) = two_sum(s3, t3);
    four_of_five([s0, s1, s2, s3, e3 + (f3 + (g3 + h3))], a0.abs().max(b0.abs()))
}

/// The product of two double-doubles, unless it is not finite.
#[inline(never)]
pub(super) fn product_of_two(a: [f64; 2], b: [f64; 2]) -> Option<[f64; 2]> {
    with_fma(|| fused_product_of_two(a, b))
}

#[inline(always)]
fn fused_product_of_two([a0, a1]: [f64; 2], [b0, b1]: [f64; 2]) -> Option<[f64; 2]> {
    let (p0, q0) = two_product(a0, b0);
    let (p01, q01) = two_product(a0, b1);
    let (p10, q10) = two_product(a1, b0);
    let (s, e) = two_sum(p01, p10);
    let (s1, f) = two_sum(s, q0);
    two_of_three([p0, s1, f64::mul_add(a1, b1, (q01 + q10) + (e + f))], p0.abs())
}

/// The product of two quad-doubles, unless it is not finite.
#[inline(never)]
pub(super) fn product_of_four(a: [f64; 4], b: [f64; 4]) -> Option<[f64; 4]> {
    with_fma(|| fused_product_of_four(a, b))
}

#[inline(always)]
fn fused_product_of_four([a0, a1, a2, a3]: [f64; 4], [b0, b1, b2, b3]: [f64; 4]) -> Option<[f64; 4]> {
    let (p0, q0) = two_product(a0, b0);
    // First order: two products and an error.
    let (p01, q01) = two_product(a0, b1);
    let (p10, q10) = two_product(a1, b0);
    let (u, e1) = two_sum(p01, p10);
    let (s1, e2) = two_sum(u, q0);
    // Second order: three products, four errors.
    let (p02, q02) = two_product(a0, b2);
    let (p11, q11) = two_product(a1, b1);
    let (p20, q20) = two_product(a2, b0);
    let (u, f1) = two_sum(p02, p20);
    let (v, f2) = two_sum(q01, q10);
    let (w, f3) = two_sum(e1, e2);
    let (u, f4) = two_sum(u, p11);
    let (v, f5) = two_sum(v, w);
    let (s2, f6) = two_sum(u, v);
    // Third order: four products, nine errors.
    let (p03, q03) = two_product(a0, b3);
    let (p12, q12) = two_product(a1, b2);
    let (p21, q21) = two_product(a2, b1);
    let (p30, q30) = two_product(a3, b0);
    let (u, g1) = two_sum(p03, p30);
    let (v, g2) = two_sum(p12, p21);
    let (w, g3) = two_sum(q02, q20);
    let (x, g4) = two_sum(f1, f2);
    let (y, g5) = two_sum(f3, f4);
    let (z, g6) = two_sum(f5, f6);
    let (u, g7) = two_sum(u, v);
    let (w, g8) = two_sum(w, q11);
    let (x, g9) = two_sum(x, y);
    let (x, g10) = two_sum(x, z);
    let (u, g11) = two_sum(u, w);
    let (s3, g12) = two_sum(u, x);
    // Fourth: what is left is only added.
    let products = f64::mul_add(a1, b3, f64::mul_add(a3, b1, a2 * b2));
    let errors = ((q03 + q30) + (q12 + q21)) + products;
    let below = ((g1 + g2) + (g3 + g4)) + ((g5 + g6) + (g7 + g8)) + ((g9 + g10) + (g11 + g12));
    four_of_five([p0, s1, s2, s3, errors + below], p0.abs())
}
