//! Roots and angles of F_p, p = 2⁶¹ − 1351: all descend from one root of unity, so
//! the identities of the reals hold.

use proptest::prelude::*;
use steiner_scalar::{Evaluated, Exact, Field, Fp, PRIME, Prime, Rational, Scalar};

fn exact(text: &str) -> Exact {
    Exact::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn in_field(text: &str) -> Fp {
    let Evaluated { value, rounded } = Fp::evaluate(&exact(text)).unwrap();
    assert!(!rounded, "{text} is exact in the field");
    value
}

fn sin_cos(angle: &Exact) -> (Fp, Fp) {
    let Evaluated { value, rounded } = Fp::evaluate_sin_cos(angle).unwrap();
    assert!(!rounded, "{angle} is exact in the field");
    value
}

fn degrees(n: i64) -> Exact {
    Exact::fraction(n, 180) * Exact::pi()
}

#[test]
fn the_modulus_is_a_prime_whose_predecessor_has_the_1800th_roots() {
    // Fermat to a few bases; the group order is checked by the roots below.
    for base in [2, 3, 5, 7, 11, 13] {
        assert_eq!(Fp::new(base).power(PRIME - 1), Fp::one());
    }
    assert_eq!((PRIME - 1) % 1800, 0);
    assert_eq!(PRIME, 2_305_843_009_213_692_601);
}

#[test]
fn square_roots_square_to_their_numbers() {
    for n in [2i64, 3, 5, 6, 7, 10, 14, 15, 21, 30, 35, 42, 70, 105, 210, 8, 12, 50, 18, 1_210] {
        let root = in_field(&format!("sqrt({n})"));
        assert_eq!(root * root, Fp::from_i64(n));
    }
    assert_eq!(in_field("sqrt(0.0288)"), in_field("0.12*sqrt(2)"));
    assert_eq!(in_field("sqrt(9/16)"), in_field("0.75"));
    assert_eq!(in_field("sqrt(0)"), Fp::zero());
}

#[test]
fn roots_multiply_as_in_the_reals() {
    assert_eq!(in_field("sqrt(2)*sqrt(3)"), in_field("sqrt(6)"));
    assert_eq!(in_field("sqrt(5)*sqrt(7)"), in_field("sqrt(35)"));
    assert_eq!(in_field("sqrt(10)/sqrt(2)"), in_field("sqrt(5)"));
}

#[test]
fn roots_and_angles_agree() {
    assert_eq!(in_field("sqrt(3)/2"), in_field("sin(pi/3)"));
    assert_eq!(in_field("sqrt(2)/2"), in_field("cos(pi/4)"));
    assert_eq!(in_field("(1 + sqrt(5))/4"), in_field("cos(pi/5)"));
    assert_eq!(in_field("(sqrt(6) - sqrt(2))/4"), in_field("sin(pi/12)"));
    assert_eq!(in_field("tan(pi/6)"), in_field("1/sqrt(3)"));
    assert_eq!(in_field("2 - sqrt(3)"), in_field("tan(pi/12)"));
}

#[test]
fn every_multiple_of_three_degrees_lies_on_the_circle() {
    for n in -240..=240 {
        let (s, c) = sin_cos(&degrees(3 * n));
        assert_eq!(s * s + c * c, Fp::one());
    }
    assert_eq!(sin_cos(&degrees(90)), (Fp::one(), Fp::zero()));
    assert_eq!(sin_cos(&degrees(180)), (Fp::zero(), -Fp::one()));
    assert_eq!(sin_cos(&degrees(-90)), (-Fp::one(), Fp::zero()));
}

#[test]
fn angles_that_are_multiples_of_15_18_and_3_degrees_add() {
    for step in [15, 18, 3] {
        for a in 0..360 / step {
            for b in [1, 2, 5, 7, 11] {
                let ((sa, ca), (sb, cb)) = (sin_cos(&degrees(a * step)), sin_cos(&degrees(b * step)));
                let sum = sin_cos(&degrees((a + b) * step));
                assert_eq!(sum, (sa * cb + ca * sb, ca * cb - sa * sb));
            }
        }
    }
}

#[test]
fn whole_turns_change_nothing() {
    assert_eq!(in_field("sin(pi/12 + 2000000*pi)"), in_field("sin(pi/12)"));
    assert_eq!(in_field("cos(-7*pi)"), -Fp::one());
}

#[test]
fn the_angle_of_a_pythagorean_triangle_is_rounded_but_its_sine_is_exact() {
    let angle = exact("asin(0.8)");
    assert!(Fp::evaluate(&angle).unwrap().rounded);
    assert_eq!(sin_cos(&angle), (in_field("4/5"), in_field("3/5")));
    assert_eq!(in_field("sin(asin(0.8))"), in_field("4/5"));
    assert_eq!(in_field("cos(asin(-0.8))"), in_field("0.6"));
    assert_eq!(sin_cos(&exact("acos(-0.6)")), (in_field("0.8"), in_field("-0.6")));
    assert_eq!(sin_cos(&exact("-atan(3/4)")), (in_field("-0.6"), in_field("0.8")));
    assert_eq!(in_field("cos(asin(1/3))"), in_field("2*sqrt(2)/3"));
    assert_eq!(in_field("tan(atan(7))"), in_field("7"));
    assert_eq!(sin_cos(&exact("asin(-1)")), (-Fp::one(), Fp::zero()));
}

#[test]
fn what_the_field_cannot_hold_says_that_it_is_rounded() {
    for text in ["pi", "sqrt(11)", "asin(0.3)", "sin(1)", "cos(pi/7)", "sqrt(2 + sqrt(2))", "tan(0.1)"] {
        assert!(Fp::evaluate(&exact(text)).unwrap().rounded, "{text}");
    }
    // A denominator divisible by p.
    assert!(Fp::evaluate(&exact(&format!("1/{PRIME}"))).unwrap().rounded);
}

#[test]
fn a_rounded_number_is_its_110_digit_decimal() {
    let root = exact("sqrt(11)");
    let decimal = exact(
        "3.3166247903553998491149327366706866839270885455893535970586\
         821461164846426090438467088433991282906509070125578",
    );
    assert_eq!(Fp::evaluate(&root).unwrap().value, Fp::evaluate(&decimal).unwrap().value);
    let decimal = exact("3.31662479035539984911493273667");
    assert_eq!(root.to_thirty_digits().unwrap(), decimal.to_rational().unwrap());
}

#[test]
fn an_angle_near_half_a_turn_is_measured_from_there() {
    for text in
        ["3.14159265358979323846264338327950288", "pi - 1e-20", "-(pi + 1e-20)", "3.1415926536", "pi + 1e-9"]
    {
        let Evaluated { value: (s, c), rounded } = Fp::evaluate_sin_cos(&exact(text)).unwrap();
        assert!(rounded);
        assert_eq!(s * s + c * c, Fp::one());
        assert_ne!((s, c), (Fp::zero(), -Fp::one()));
    }
    // π − δ mirrors δ.
    let (s, c) = Fp::evaluate_sin_cos(&exact("pi - 1e-12")).unwrap().value;
    let (sin_delta, cos_delta) = Fp::evaluate_sin_cos(&exact("1e-12")).unwrap().value;
    assert_eq!((s, c), (sin_delta, -cos_delta));
}

#[test]
fn a_printed_angle_whose_tangent_is_the_root_of_minus_one_does_not_panic() {
    let i = (2..).map(|g| Fp::new(g).power((PRIME - 1) / 4)).find(|z| *z * *z == -Fp::one()).unwrap();
    // The decimal n/10³⁰ in (0, 1) whose image is i; then θ = 2 atan(n/10³⁰).
    let scaled = i * Fp::new(10).power(30);
    let n = scaled.residue() as u128 + 100_000_000_000 * PRIME as u128;
    let digits = format!("{n:030}");
    assert_eq!(digits.len(), 30);
    let angle = exact(&format!("2*atan(0.{digits})"));
    let (s, c) = Fp::evaluate_sin_cos(&angle).unwrap().value;
    assert_eq!(s * s + c * c, Fp::one());
}

#[test]
fn errors_of_the_reals_are_errors_of_the_field() {
    for text in ["sqrt(-1)", "asin(1.5)", "1/0", "0^(-1)", "tan(pi/2)", "1/(pi - pi)"] {
        assert!(Fp::evaluate(&exact(text)).is_err(), "{text}");
    }
    assert!(Fp::evaluate_sin_cos(&exact("acos(2)")).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_generic_angle_is_rounded_and_exactly_on_the_circle(x in -1e4..1e4f64) {
        let angle = Exact::from_f64(x).unwrap();
        let Evaluated { value: (s, c), rounded } = Fp::evaluate_sin_cos(&angle).unwrap();
        prop_assert!(rounded);
        prop_assert_eq!(s * s + c * c, Fp::one());
    }

    #[test]
    fn rationals_map_homomorphically(a in any::<i64>(), b in 1u64.., c in any::<i64>(), d in 1u64..) {
        let (x, y) = (Exact::fraction(a, b), Exact::fraction(c, d));
        let value = |e: &Exact| Fp::evaluate(e).unwrap().value;
        prop_assert_eq!(value(&(x.clone() + y.clone())), value(&x) + value(&y));
        prop_assert_eq!(value(&(x.clone() * y.clone())), value(&x) * value(&y));
    }

    #[test]
    fn a_double_is_the_dyadic_rational_it_is(x in -1e300..1e300f64) {
        let exact = Rational::try_from(x).unwrap();
        prop_assert_eq!(Fp::from_f64(x), Fp::from_rational(&exact).unwrap());
    }
}

/// Sums, multiples and opposites of angles the field has are angles it has, and follow the addition theorems.
#[test]
fn sums_and_multiples_of_exact_angles_are_exact() {
    let pair = |text: &str| {
        let Evaluated { value, rounded } = Fp::evaluate_sin_cos(&exact(text)).unwrap();
        assert!(!rounded, "{text}");
        value
    };
    let t = in_field("3/7");
    let square = t * t;
    assert_eq!(pair("2*atan(3/7)").0 * (Fp::one() + square), t + t);
    assert_eq!(pair("2*atan(3/7)").1 * (Fp::one() + square), Fp::one() - square);
    assert_eq!(pair("2*atan(3/7) + pi/2"), (pair("2*atan(3/7)").1, -pair("2*atan(3/7)").0));
    assert_eq!(pair("pi/3 - 2*atan(3/7)").1, pair("2*atan(3/7) - pi/3").1);
    assert_eq!(pair("-4*atan(3/7)"), {
        let (s, c) = pair("2*atan(3/7)");
        (-(s * c + s * c), c * c - s * s)
    });
    assert_eq!(pair("asin(0.8) + acos(0.8)"), (Fp::one(), Fp::zero()));
    assert_eq!(pair("3*asin(0.8)").1, {
        let c = in_field("3/5");
        in_field("4") * c * c * c - in_field("3") * c
    });
    // An odd multiple of an arc tangent whose cosine is no number of the field.
    assert!(Fp::evaluate_sin_cos(&exact("3*atan(sqrt(2)/11)")).unwrap().rounded);
}

#[test]
fn a_prime_drawn_by_a_seed_has_the_same_numbers_of_geometry() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..40u64 {
        let prime = Prime::drawn(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        seen.insert(prime.value());
        assert_eq!(prime.value() % 1800, 1);
        prime.within(|| {
            assert_eq!(Prime::current(), prime);
            let p = u128::from(prime.value());
            for (a, b) in [(prime.value() - 1, prime.value() - 1), (1 << 60, (1 << 61) - (1 << 30)), (3, 5)] {
                let product = (u128::from(a) % p * (u128::from(b) % p) % p) as u64;
                assert_eq!((Fp::new(a) * Fp::new(b)).residue(), product);
            }
            assert_eq!(Fp::new(12345) * Fp::new(12345).inv(), Fp::one());
            for n in [2, 3, 5, 7] {
                let root = Fp::evaluate(&exact(&format!("sqrt({n})"))).unwrap();
                assert!(!root.rounded && root.value * root.value == Fp::new(n));
            }
            let (sin, cos) = Fp::evaluate_sin_cos(&exact("pi/5")).unwrap().value;
            assert_eq!(sin * sin + cos * cos, Fp::one());
        });
        assert_eq!(Prime::current(), Prime::DEFAULT);
    }
    assert!(seen.len() > 38);
}
