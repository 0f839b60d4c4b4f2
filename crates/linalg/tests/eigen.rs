//! Eigenvalues of symmetric matrices: a literal case, and what they have to satisfy.

use proptest::prelude::*;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::square::{Square, identity, times, transposed};

#[test]
fn eigenvalues_of_a_literal_matrix_ascend() {
    let (values, vectors) = symmetric_eigen(&[[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, -4.0]]);
    assert!(values.iter().zip([-4.0, 1.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{values:?}");
    assert_eq!(vectors[2].map(f64::abs), [1.0, 0.0, 0.0]);
    assert!((vectors[0][2] - vectors[1][2]).abs() < 1e-15);
}

#[test]
fn tiny_entries_beside_large_ones_do_not_overflow_the_angle() {
    let (values, _) = symmetric_eigen(&[[1.0, 1e-300], [1e-300, 2.0]]);
    assert_eq!(values, [1.0, 2.0]);
}

fn spectrum_reproduces<const N: usize>(half: &Square<N>) {
    let m: Square<N> = std::array::from_fn(|r| std::array::from_fn(|c| half[r][c] + half[c][r]));
    let (values, v) = symmetric_eigen(&m);
    assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
    let scaled: Square<N> = std::array::from_fn(|r| std::array::from_fn(|c| v[r][c] * values[c]));
    let (again, unit) = (times(&scaled, &transposed(&v)), times(&transposed(&v), &v));
    for r in 0..N {
        for c in 0..N {
            assert!(
                (again[r][c] - m[r][c]).abs() < 1e-13 && (unit[r][c] - identity::<N>()[r][c]).abs() < 1e-14
            );
        }
    }
}

proptest! {
    #[test]
    fn values_and_vectors_reproduce_the_matrix(
        three in proptest::array::uniform3(proptest::array::uniform3(-1.0f64..1.0)),
        four in proptest::array::uniform4(proptest::array::uniform4(-1.0f64..1.0)),
    ) {
        spectrum_reproduces(&three);
        spectrum_reproduces(&four);
    }
}
