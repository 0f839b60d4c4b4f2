//! Products of matrices whose entries are SIMD lanes: skipping zeros must not skip the other samples.

use steiner_linalg::elimination::Matrix;
use steiner_scalar::{F64x4, LaneKernel, LaneSet, Lanes, in_lanes_of};

/// Entry (r, c) in one lane, zero in every third place so that most entries are zero in some lanes only.
fn value(r: usize, c: usize, lane: usize) -> f64 {
    if (r + 2 * c + lane).is_multiple_of(3) { 0.0 } else { (1 + 7 * r + 3 * c) as f64 - 2.0 * lane as f64 }
}

fn check<L: Lanes>() {
    let (left, right) = ((3, 4), (4, 5));
    let packed =
        |(rows, columns)| Matrix::<L>::from_fn(rows, columns, |r, c| L::from_lanes(|lane| value(r, c, lane)));
    let alone = |(rows, columns), lane| Matrix::<f64>::from_fn(rows, columns, |r, c| value(r, c, lane));
    let product = packed(left).times(&packed(right));
    let applied = packed(left).apply(packed(right).transpose().row(0));
    for lane in 0..L::WIDTH {
        let expected = alone(left, lane).times(&alone(right, lane));
        let found = Matrix::from_fn(product.rows(), product.columns(), |r, c| product[(r, c)].lane(lane));
        assert_eq!(found, expected, "lane {lane} of {}", L::WIDTH);
        for (r, entry) in applied.iter().enumerate() {
            assert_eq!(entry.lane(lane), expected[(r, 0)], "lane {lane} of {}", L::WIDTH);
        }
    }
}

#[test]
fn a_lane_that_is_zero_does_not_silence_the_others_in_a_product() {
    struct Products;
    impl LaneKernel for Products {
        type Output = ();
        fn run<L: Lanes>(self) {
            check::<L>();
        }
    }
    for set in LaneSet::available() {
        in_lanes_of(set, Products);
    }
}

#[test]
fn one_lane_alone_that_is_not_zero_still_counts_in_a_product() {
    for lane in 0..4 {
        let one = F64x4::from_lanes(|k| if k == lane { 2.0 } else { 0.0 });
        let product =
            Matrix::from_fn(1, 1, |_, _| one).times(&Matrix::from_fn(1, 1, |_, _| F64x4::new([3.0; 4])));
        assert_eq!(product[(0, 0)].to_array(), std::array::from_fn(|k| if k == lane { 6.0 } else { 0.0 }));
    }
}
