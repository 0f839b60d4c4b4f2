//! Gautier's numeric method, and what table 3 of \[sun2025\] shows of it.

mod random;

use random::{mechanism, zoo};
use steiner_identifiability::{Measurement, NumericOptions, criteria, drng_nullspace, numeric_nullspace};

/// Section 6.3: rank 27 by QR where 25 is right, with small 26th and 27th diagonal entries. A
/// point shared over a loop joint is shared no more when the loop is open; the machine has two
/// such joints with one point each.
#[test]
fn loops_left_open_by_a_millionth_show_two_parameters_too_many() {
    let (robot, all) = (mechanism(zoo("pkm_2rru_1rrs")), Measurement::all());
    let found = |closure_error| {
        numeric_nullspace(&robot, &all, &NumericOptions { closure_error, ..Default::default() }).unwrap()
    };
    let (closed, open) = (found(0.0), found(1e-6));
    assert_eq!((closed.rank_by_qr, closed.vectors.len()), (25, 45));
    assert_eq!((open.rank_by_qr, open.vectors.len()), (27, 43));
    assert!(open.diagonal[24] > 1e-4 && open.diagonal[25] < 1e-6, "{:?}", &open.diagonal[24..28]);
    assert!(open.diagonal[26] > 1e-10 && open.diagonal[27] < 1e-14, "{:?}", &open.diagonal[24..28]);
    // (101a) fails for what it found and holds for DRNG's vectors.
    assert!(!criteria(&robot, &all, &open.vectors).unwrap().hold());
    assert!(criteria(&robot, &all, &drng_nullspace(&robot).unwrap()).unwrap().hold());
}

/// A spherical loop joint hides one direction, a revolute one three.
#[test]
fn every_direction_hidden_by_a_loop_joint_shows_when_the_loop_is_open() {
    let (robot, all) = (mechanism(zoo("pkm_2prs_1psr")), Measurement::all());
    let rank = |closure_error| {
        let options = NumericOptions { closure_error, ..Default::default() };
        numeric_nullspace(&robot, &all, &options).unwrap().rank_by_qr
    };
    assert_eq!((rank(0.0), rank(1e-6)), (23, 27));
}
