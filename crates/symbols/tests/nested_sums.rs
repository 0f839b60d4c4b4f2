//! Nested sums have the values of the sums they were made from, and fewer operations.

use proptest::prelude::*;
use steiner_symbols::{Expression, Graph, MOST_ALPHABETS, ProductTerm, count, nested_sums};

/// Alphabets of one and some inputs.
fn alphabets(graph: &mut Graph, sizes: &[usize]) -> Vec<Vec<Expression>> {
    let letter = |graph: &mut Graph, alphabet: usize, k: usize| match k {
        0 => Expression::ONE,
        _ => graph.input(&format!("x{alphabet}_{k}")),
    };
    sizes.iter().enumerate().map(|(a, &size)| (0..size).map(|k| letter(graph, a, k)).collect()).collect()
}

/// The value of an input, never near zero.
fn value(alphabet: usize, k: usize) -> f64 {
    if k == 0 { 1.0 } else { 0.7 + 0.31 * alphabet as f64 - 0.43 * k as f64 }
}

fn by_name(name: &str) -> f64 {
    let (alphabet, k) = name[1..].split_once('_').unwrap();
    value(alphabet.parse().unwrap(), k.parse().unwrap())
}

fn term(output: u16, digits: &[u8], factor: f64) -> ProductTerm {
    let mut all = [0; MOST_ALPHABETS];
    all[..digits.len()].copy_from_slice(digits);
    ProductTerm { output, digits: all, factor }
}

fn plain(outputs: usize, terms: &[ProductTerm]) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0); outputs];
    for term in terms {
        let product: f64 = term.digits.iter().enumerate().map(|(a, &k)| value(a, k as usize)).product();
        sums[term.output as usize].0 += term.factor * product;
        sums[term.output as usize].1 += (term.factor * product).abs();
    }
    sums
}

fn terms(sizes: Vec<usize>) -> impl Strategy<Value = (Vec<usize>, Vec<ProductTerm>)> {
    let digits: Vec<_> = sizes.iter().map(|&size| 0..size as u8).collect();
    // Few different numbers, so that there is something to share.
    let factor = prop_oneof![Just(1.0), Just(-1.0), Just(0.5), -3.0..3.0f64];
    let term = (0..3u16, digits, factor).prop_map(|(output, digits, factor)| term(output, &digits, factor));
    prop::collection::vec(term, 0..60).prop_map(move |terms| (sizes.clone(), terms))
}

proptest! {
    #[test]
    fn the_values_stay(
        (sizes, terms) in prop::collection::vec(1..5usize, 1..5).prop_flat_map(terms)
    ) {
        let mut graph = Graph::new();
        let alphabets = alphabets(&mut graph, &sizes);
        let outputs = nested_sums(&mut graph, &alphabets, 3, &terms);
        let found = graph.evaluate(&outputs, &by_name);
        for (found, (wanted, size)) in found.iter().zip(plain(3, &terms)) {
            prop_assert!((found - wanted).abs() <= 1e-12 * size, "{found} instead of {wanted}");
        }
    }
}

#[test]
fn a_product_of_sums_is_found() {
    // (1 + 2 x)(1 + 3 y)(1 + 5 z) in one result, seven times that in another: three
    // sums, two products and one more.
    let (mut graph, mut terms) = (Graph::new(), Vec::new());
    let alphabets = alphabets(&mut graph, &[2, 2, 2]);
    for bits in 0..8u8 {
        let digits: Vec<u8> = (0..3).map(|k| bits >> k & 1).collect();
        let factor: f64 =
            digits.iter().zip([2.0, 3.0, 5.0]).map(|(&d, x)| if d == 1 { x } else { 1.0 }).product();
        terms.push(term(0, &digits, factor));
        terms.push(term(1, &digits, 7.0 * factor));
    }
    let outputs = nested_sums(&mut graph, &alphabets, 2, &terms);
    let operations = count(&graph, &outputs);
    // s, y s, 3 y s and so on: a product for the value and one for the number.
    assert!(operations.additions == 3 && operations.multiplications <= 6, "{operations:?}");
}

#[test]
fn numbers_go_inward_where_they_cost_nothing() {
    // (3 + 6 x) y: no product for the 3.
    let mut graph = Graph::new();
    let alphabets = alphabets(&mut graph, &[2, 2]);
    let outputs = nested_sums(&mut graph, &alphabets, 1, &[term(0, &[0, 1], 3.0), term(0, &[1, 1], 6.0)]);
    let operations = count(&graph, &outputs);
    assert_eq!((operations.multiplications, operations.additions), (2, 1));
}

#[test]
fn nothing_is_zero() {
    let mut graph = Graph::new();
    let alphabets = alphabets(&mut graph, &[2]);
    assert_eq!(nested_sums(&mut graph, &alphabets, 2, &[]), [Expression::ZERO; 2]);
}
