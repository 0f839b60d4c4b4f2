//! Orthonormal bases that grow, in doubles and in double-double.

use steiner_linalg::orthonormal::{Orthonormal, beside, direction};
use steiner_linalg::{Stream, dot, norm};
use steiner_scalar::{DoubleDouble, Real};

fn numbers<R: Real>(stream: &mut Stream, count: usize) -> Vec<R> {
    (0..count).map(|_| R::from_f64(stream.uniform())).collect()
}

fn a_basis_and_its_complement_are_everything<R: Real>(rounding: f64) {
    let mut stream = Stream::new(5);
    let mut basis = Orthonormal::<R>::default();
    let first = numbers::<R>(&mut stream, 6);
    assert!(basis.insert(first.clone(), |length| length > 1e-9));
    // Almost the same, but for one part in a hundred million.
    let nearly: Vec<R> =
        first.iter().zip(numbers::<R>(&mut stream, 6)).map(|(a, b)| *a + b * R::from_f64(1e-8)).collect();
    assert!(!basis.insert(nearly.clone(), |length| length > 1e-6));
    assert!(basis.insert(nearly, |length| length > 1e-9));
    assert!(basis.insert(numbers(&mut stream, 6), |length| length > 1e-9));
    assert!(!basis.insert(first.clone(), |length| length > rounding), "it is there already");
    let mut all = basis.vectors().to_vec();
    all.extend(basis.complement(6));
    assert_eq!((basis.len(), all.len()), (3, 6));
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let wanted = if i == j { 1.0 } else { 0.0 };
            assert!((dot(a, b).to_f64() - wanted).abs() < rounding, "{i} {j}");
        }
    }
    let v = numbers::<R>(&mut stream, 6);
    assert!(norm(&beside(&all, v)).to_f64() < 10.0 * rounding);
}

#[test]
fn bases_grow_and_have_complements() {
    a_basis_and_its_complement_are_everything::<f64>(1e-15);
    a_basis_and_its_complement_are_everything::<DoubleDouble>(1e-30);
}

#[test]
fn short_vectors_have_no_direction() {
    assert_eq!(direction(vec![0.0, -4.0], 1.0), Some(vec![0.0, -1.0]));
    assert_eq!(direction(vec![3.0, 4.0], 5.0), None);
}
