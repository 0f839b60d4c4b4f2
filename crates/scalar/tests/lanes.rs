//! SIMD lanes behave as that many doubles side by side.

use proptest::prelude::*;
use steiner_scalar::{F64x4, F64x8, Scalar, Trigonometric};

/// A few units in the last place of one.
const CLOSE: f64 = 3.0 * 2.0e-16;

fn assert_sines(lanes: &[f64], sines: &[f64], cosines: &[f64]) {
    for ((x, s), c) in lanes.iter().zip(sines).zip(cosines) {
        let (sin, cos) = x.sin_cos();
        assert!((s - sin).abs() <= CLOSE, "sin({x}) = {sin}, not {s}");
        assert!((c - cos).abs() <= CLOSE, "cos({x}) = {cos}, not {c}");
    }
}

fn check_four(lanes: [f64; 4]) {
    let (s, c) = F64x4::new(lanes).sin_cos();
    assert_sines(&lanes, &s.to_array(), &c.to_array());
}

fn check_eight(lanes: [f64; 8]) {
    let (s, c) = F64x8::new(lanes).sin_cos();
    assert_sines(&lanes, &s.to_array(), &c.to_array());
}

#[test]
fn sine_and_cosine_are_close_all_over_the_fast_range() {
    for k in 0..50_000 {
        let x = -1000.0 + 0.04 * k as f64;
        check_four([x, x + 0.01, x + 0.02, x + 0.03]);
        check_eight(std::array::from_fn(|i| x + 0.005 * i as f64));
    }
}

#[test]
fn sine_and_cosine_are_close_at_multiples_of_a_quarter_turn() {
    for k in -640..640 {
        let x = k as f64 * std::f64::consts::FRAC_PI_4;
        check_four([x, x.next_up(), x.next_down(), x + 1e-9]);
    }
}

#[test]
fn not_a_number_stays_in_its_lane() {
    let (s, c) = F64x4::new([f64::NAN, 0.5, f64::INFINITY, -2.0]).sin_cos();
    let (s, c) = (s.to_array(), c.to_array());
    assert!(s[0].is_nan() && s[2].is_nan() && c[0].is_nan() && c[2].is_nan());
    assert_eq!((s[1], c[3]), (0.5f64.sin(), 2.0f64.cos()));
}

#[test]
fn a_transposed_block_holds_one_sample_per_run() {
    let four: [F64x4; 4] = std::array::from_fn(|r| F64x4::new(std::array::from_fn(|c| (10 * r + c) as f64)));
    for (c, run) in F64x4::transpose(four).iter().enumerate() {
        assert_eq!(run.to_array(), std::array::from_fn(|r| (10 * r + c) as f64));
    }
    let eight: [F64x8; 8] = std::array::from_fn(|r| F64x8::new(std::array::from_fn(|c| (10 * r + c) as f64)));
    for (c, run) in F64x8::transpose(eight).iter().enumerate() {
        assert_eq!(run.to_array(), std::array::from_fn(|r| (10 * r + c) as f64));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sine_and_cosine_are_close_beyond_the_fast_range(lanes in prop::array::uniform8(-1e12..1e12f64)) {
        check_eight(lanes);
        check_four([lanes[0], lanes[1] * 1e-12, lanes[2], lanes[3] * 1e-9]);
    }

    #[test]
    fn lanes_do_not_mix(a in prop::array::uniform4(-10.0..10.0f64), b in prop::array::uniform4(1.0..10.0f64)) {
        let (x, y) = (F64x4::new(a), F64x4::new(b));
        let each = |f: fn(f64, f64) -> f64| std::array::from_fn::<f64, 4, _>(|i| f(a[i], b[i]));
        prop_assert_eq!((x + y).to_array(), each(|a, b| a + b));
        prop_assert_eq!((x - y).to_array(), each(|a, b| a - b));
        prop_assert_eq!((x * y).to_array(), each(|a, b| a * b));
        prop_assert_eq!((-x).to_array(), each(|a, _| -a));
        prop_assert_eq!(y.inv().to_array(), each(|_, b| 1.0 / b));
        prop_assert_eq!(x.mul_add(y, x).to_array(), each(|a, b| Scalar::mul_add(a, b, a)));
    }
}
