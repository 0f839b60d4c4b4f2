//! Vectors and matrices of three dimensions: rotations from quaternions, products, and the laws of ×.

use proptest::prelude::*;
use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Field, Fp, Scalar};

fn residues() -> impl Strategy<Value = Vec3<Fp>> {
    prop::array::uniform3(any::<u64>()).prop_map(|v| Vec3(v.map(Fp::new)))
}

#[test]
fn the_quaternion_of_a_quarter_turn_takes_x_to_y() {
    let z = Vec3::<f64>::unit(2);
    let rotation = Mat3::from_quaternion(1.0, z);
    assert_eq!(rotation.apply(Vec3::unit(0)), Vec3::unit(1));
    assert_eq!(rotation.apply_transposed(Vec3::unit(1)), Vec3::unit(0));
    assert_eq!(rotation.column(0), Vec3::unit(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn vector_products_obey_their_laws_exactly(a in residues(), b in residues(), c in residues()) {
        prop_assert_eq!(a.cross(b), -b.cross(a));
        prop_assert_eq!(a.dot(a.cross(b)), Fp::zero());
        prop_assert_eq!(a.cross(b.cross(c)), b.scale(a.dot(c)) - c.scale(a.dot(b)));
        prop_assert_eq!(a.skew().apply(b), a.cross(b));
        prop_assert_eq!(a.plus_scaled(c[0], b), a + b.scale(c[0]));
    }

    #[test]
    fn a_quaternion_of_any_length_is_a_rotation(w in any::<u64>(), v in residues(), x in residues(), y in residues()) {
        let rotation = Mat3::from_quaternion(Fp::new(w), v);
        prop_assert_eq!(rotation * rotation.transpose(), Mat3::identity());
        prop_assert_eq!(rotation.apply(x).cross(rotation.apply(y)), rotation.apply(x.cross(y)));
        prop_assert_eq!(Mat3::from_quaternion(Fp::new(w).half(), Vec3(v.0.map(Scalar::half))), rotation);
        prop_assert_eq!(rotation.apply(v), v);
    }

    #[test]
    fn matrices_multiply_by_columns(a in prop::array::uniform3(residues()), b in prop::array::uniform3(residues())) {
        let (m, n) = (Mat3::from_columns(a), Mat3::from_columns(b));
        prop_assert_eq!(m * n, Mat3::from_columns(b.map(|column| m.apply(column))));
        prop_assert_eq!((m * n).transpose(), n.transpose() * m.transpose());
        prop_assert_eq!((m + n).apply(a[0]), m.apply(a[0]) + n.apply(a[0]));
        prop_assert_eq!(m.plus_scaled(b[0][0], &n), m + n.scale(b[0][0]));
        prop_assert_eq!(m.apply_transposed(b[0]), m.transpose().apply(b[0]));
    }
}
