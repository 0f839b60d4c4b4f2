//! Growing sets of independent vectors, in doubles and in the prime field.

use steiner_linalg::span::Span;
use steiner_scalar::{Field, Fp};

fn numbers<F: Field>(v: &[i64]) -> Vec<F> {
    v.iter().map(|&x| F::from_i64(x)).collect()
}

fn dependence_is_found_and_the_last_direction_solved<F: Field>(tolerance: f64) {
    let mut span = Span::<F>::new(tolerance);
    assert!(span.is_empty() && span.null_vector(3).is_none());
    assert!(span.insert(numbers(&[1, 2, 3])));
    assert!(span.insert(numbers(&[4, 5, 6])));
    // Twice the second less the first.
    assert!(!span.admits(&numbers(&[7, 8, 9])) && !span.insert(numbers(&[7, 8, 9])));
    assert_eq!(span.len(), 2);
    let x = span.null_vector(3).expect("one dimension is left");
    for equation in [[1, 2, 3], [4, 5, 6], [7, 8, 9]] {
        let product =
            numbers::<F>(&equation).into_iter().zip(&x).fold(F::zero(), |sum, (a, x)| sum + a * x.clone());
        assert!(product.pivot_weight() <= 1e-14);
    }
    assert!(span.insert(numbers(&[7, 8, 10])));
    assert!(span.null_vector(3).is_none());
}

#[test]
fn doubles_and_the_prime_field_know_what_depends() {
    dependence_is_found_and_the_last_direction_solved::<f64>(1e-12);
    dependence_is_found_and_the_last_direction_solved::<Fp>(0.0);
}
