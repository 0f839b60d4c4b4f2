//! Double-double, quad-double and octo-double numbers against exact rationals and the identities of trigonometry.

use dashu_int::IBig;
use proptest::prelude::*;
use steiner_scalar::{
    DoubleDouble, Exact, Expansion, Field, OctoDouble, QuadDouble, Rational, Real, Scalar, Trigonometric,
    parse_decimal,
};

fn magnitude(r: Rational) -> Rational {
    if r < Rational::ZERO { -r } else { r }
}

fn exactly<const N: usize>(x: Expansion<N>) -> Rational {
    x.to_rational().expect("a finite number")
}

/// |computed − exact| ≤ ε·|exact|.
fn assert_relative<const N: usize>(computed: Expansion<N>, exact: &Rational) {
    let error = magnitude(exactly(computed) - exact);
    let allowed = exactly(Expansion::<N>::epsilon()) * magnitude(exact.clone());
    assert!(
        error <= allowed,
        "{computed:?} is not {} (error {})",
        exact.to_f64().value(),
        error.to_f64().value()
    );
}

/// |a − b| ≤ `units`·ε.
fn assert_close<const N: usize>(a: Expansion<N>, b: Expansion<N>, units: f64) {
    let error = (a - b).abs().to_f64() / Expansion::<N>::epsilon().to_f64();
    assert!(error <= units, "{a:?} and {b:?} differ by {error} units");
}

/// Integers of 63 bits strung together with a common exponent, so that all components carry digits.
fn busy<const N: usize>() -> impl Strategy<Value = Expansion<N>> {
    (prop::array::uniform8(any::<i64>()), -40i32..40).prop_map(|(digits, exponent)| {
        let limb = Rational::from(IBig::from(1) << 63);
        let sum = digits.iter().rev().fold(Rational::ZERO, |sum, &d| sum / &limb + Rational::from(d));
        let two_to_the = Rational::try_from(2f64.powi(exponent - 63)).unwrap();
        Expansion::from_rational(&(sum * two_to_the))
    })
}

fn check_arithmetic<const N: usize>(x: Expansion<N>, y: Expansion<N>) {
    let (rx, ry) = (exactly(x), exactly(y));
    assert_relative(x + y, &(&rx + &ry));
    assert_relative(x - y, &(&rx - &ry));
    assert_relative(x * y, &(&rx * &ry));
    if !ry.is_zero() {
        assert_relative(x / y, &(&rx / &ry));
    }
    let root = exactly(x.abs().sqrt());
    // (1 + δ)² = 1 + 2δ: the square of the root is off by twice its own error.
    let error = magnitude(&root * &root - magnitude(rx.clone()));
    assert!(error <= exactly(Expansion::<N>::epsilon()) * Rational::from(2) * magnitude(rx.clone()));
    assert_eq!(x < y, rx < ry);
    assert_eq!(x == y, rx == ry);
}

/// Differences of neighbours: everything but the last digits cancels.
fn check_cancellation<const N: usize>(x: Expansion<N>, tiny: Expansion<N>) {
    let y = x + x * tiny * Expansion::from_f64(2f64.powi(-60));
    assert_relative(y - x, &(exactly(y) - exactly(x)));
    assert_eq!(x < y, exactly(x) < exactly(y));
}

fn check_trigonometry<const N: usize>(a: Expansion<N>, b: Expansion<N>) {
    let (sa, ca) = a.sin_cos();
    let (sb, cb) = b.sin_cos();
    let (sum_sin, sum_cos) = (a + b).sin_cos();
    assert_close(sa * sa + ca * ca, Expansion::one(), 8.0);
    // a + b itself is rounded: half a unit of its size.
    let units = 8.0 + (a + b).abs().to_f64();
    assert_close(sum_sin, sa * cb + ca * sb, units);
    assert_close(sum_cos, ca * cb - sa * sb, units);
    let (minus_sin, minus_cos) = (-a).sin_cos();
    assert_close(minus_sin, -sa, 1.0);
    assert_close(minus_cos, ca, 1.0);
    assert!((sa.to_f64() - a.to_f64().sin()).abs() < 1e-15 * (1.0 + a.to_f64().abs()));
}

fn check_arctangent<const N: usize>(angle: Expansion<N>, radius: Expansion<N>) {
    let (s, c) = angle.sin_cos();
    assert_close((radius * s).atan2(radius * c), angle, 16.0);
}

macro_rules! for_all_precisions {
    ($($name:ident: |$x:ident, $y:ident| $body:expr, $strategy:expr;)*) => {
        mod double_double {
            use super::*;
            type Number = DoubleDouble;
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(64))]
                $(#[test] fn $name(($x, $y) in $strategy) { let _: Number = $x; $body })*
            }
        }
        mod quad_double {
            use super::*;
            type Number = QuadDouble;
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(64))]
                $(#[test] fn $name(($x, $y) in $strategy) { let _: Number = $x; $body })*
            }
        }
        mod octo_double {
            use super::*;
            type Number = OctoDouble;
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(64))]
                $(#[test] fn $name(($x, $y) in $strategy) { let _: Number = $x; $body })*
            }
        }
    };
}

/// Angles with digits beyond the first double, within the given bound.
fn angle<const N: usize>(bound: f64) -> impl Strategy<Value = Expansion<N>> {
    (-bound..bound, -1.0..1.0f64)
        .prop_map(|(x, y)| Expansion::from_f64(x) + Expansion::from_f64(y) / Expansion::from_i64(3_000_000))
}

for_all_precisions! {
    sums_products_quotients_and_roots_are_right_to_the_last_digits:
        |x, y| check_arithmetic(x, y), (busy(), busy());
    neighbours_subtract_without_losing_their_last_digits:
        |x, tiny| check_cancellation(x, tiny), (busy(), busy());
    sine_and_cosine_obey_the_addition_law:
        |a, b| check_trigonometry(a, b), (angle(10.0), angle(10.0));
    sine_and_cosine_obey_the_addition_law_after_many_turns:
        |a, b| check_trigonometry(a, b), (angle(1e5), angle(1e3));
    the_arctangent_undoes_sine_and_cosine:
        |a, r| check_arctangent(a, r), (angle(3.1), busy().prop_filter("a radius", |r| r.to_f64() > 0.0));
    a_number_survives_the_way_through_a_rational:
        |x, _y| assert_eq!(Expansion::from_rational(&exactly(x)), x), (busy(), Just(()));
}

#[test]
fn pi_has_70_digits() {
    let text = "3.141592653589793238462643383279502884197169399375105820974944592307816";
    let exact = parse_decimal(text).unwrap();
    let error = magnitude(exactly(QuadDouble::pi()) - &exact);
    assert!(error < parse_decimal("5e-64").unwrap(), "{}", error.to_f64().value());
    let error = magnitude(exactly(DoubleDouble::pi()) - &exact);
    assert!(error < parse_decimal("1e-32").unwrap());
}

/// Reference digits computed by an independent arbitrary-precision program (mpmath, 80 digits).
fn check_against_digits<const N: usize>(source: &str, digits: &str) {
    let value = Expansion::<N>::evaluate(&Exact::parse(source).unwrap()).unwrap().value;
    let exact = parse_decimal(digits).unwrap();
    let error = magnitude(exactly(value) - &exact);
    let allowed = exactly(Expansion::<N>::epsilon()) * Rational::from(4) * magnitude(exact);
    assert!(error <= allowed, "{source} to {N} doubles is off by {}", error.to_f64().value());
}

#[test]
fn known_values_agree_to_every_digit() {
    for (source, digits) in [
        ("sqrt(2)", "1.41421356237309504880168872420969807856967187537694807317667973799073247846"),
        ("sin(1)", "8.41470984807896506652502321630298999622563060798371065672751709991910404391e-1"),
        ("cos(1)", "5.40302305868139717400936607442976603732310420617922227670097255381100394774e-1"),
        ("tan(1.2)", "2.57215162212631893540999423603336395652940930604338927922563726223880705676"),
        ("asin(0.3)", "3.04692654015397507972002961227529166954560031706776387392977948746472992512e-1"),
        ("acos(0.3)", "1.26610367277949911125931873041222227514402466798077652309449434740743521063"),
        ("atan(7)", "1.42889927219073269641847007453719835909080294095908883810934226679046657638"),
        ("acos(-0.99)", "3.00005318026536601971685402630447586920318646883535262766679358925643545293"),
        ("sin(1e-12)", "9.99999999999999999999999833333333333333333333333341666666666666666666666666e-13"),
        ("pi^3/7", "4.42946809718568859649661643815734217174646979512644395630636258625805641678"),
        ("asin(1 - 2^(-40))", "1.57079497809574427052008494752052830421991378662230289674395292907921662091"),
        (
            "acos(1 - 2^(-40))",
            "1.34869915234871123674411922313787867091306525001374351936707469158223165260e-6",
        ),
        ("sin(1000)", "8.26879540532002560255887429109218141212724967847788320908123275819492881165e-1"),
        ("sin(22)", "-8.85130929040387592169025681577233246328920395133256644233083529808955201463e-3"),
        ("cos(355/2)", "-1.50721766814562016384053705316037019392754049538071924913695487589747778558e-5"),
    ] {
        check_against_digits::<2>(source, digits);
        check_against_digits::<4>(source, digits);
    }
}

#[test]
fn huge_angles_are_reduced_without_loss() {
    // These doubles are integers or decimals read exactly, so that the angle itself carries no error.
    for (x, sine) in [
        (1000.0, "8.26879540532002560255887429109218141212724967847788320908123275819492881165e-1"),
        (1000000.0, "-3.49993502171292952117652486780771469061406605328716273857059054644641226395e-1"),
        (355.0, "-3.01443533594884492143302800086500995902558070663246491057898482406735383655e-5"),
        (
            1000000000000000.0,
            "8.58272793170235835523886390848406646600203408220729707815341771787736326531e-1",
        ),
        (
            4.611686018427388e+18,
            "-7.02922443619208876415381557847023832178867770763107602995362916361516530281e-1",
        ),
        (1e+22, "-8.52200849767188801772705893753029368261762150410043656256509326025910311992e-1"),
        (1e+100, "-3.80637731005028666071870923332107303221267538162815385285649183499327831610e-1"),
        (1.7e+308, "-5.95256084863207665478095313089141659439592006549204826417756103692604666990e-1"),
        (-10000000000.0, "4.87506025087510691527794294348106041676447316922786885745254537845158563447e-1"),
    ] {
        let exact = parse_decimal(sine).unwrap();
        let error = |y: Rational| magnitude(y - &exact).to_f64().value();
        let wide = DoubleDouble::from_f64(x).sin_cos().0;
        assert!(error(exactly(wide)) < 1e-30, "sin({x}) = {wide:?}");
        let wider = QuadDouble::from_f64(x).sin_cos().0;
        assert!(error(exactly(wider)) < 1e-61, "sin({x}) = {wider:?}");
    }
}

#[test]
fn quarter_turns_of_the_plane_have_exact_angles() {
    fn check<const N: usize>() {
        let (zero, one, pi) = (Expansion::<N>::zero(), Expansion::<N>::one(), Expansion::<N>::pi());
        assert_close(zero.atan2(one), zero, 0.0);
        assert_close(one.atan2(zero), pi.half(), 4.0);
        assert_close(zero.atan2(-one), pi, 4.0);
        assert_close((-one).atan2(zero), -pi.half(), 4.0);
        assert_close(one.atan2(one), pi.half().half(), 4.0);
        assert_eq!(zero.atan2(zero), zero);
    }
    check::<2>();
    check::<4>();
}

#[test]
fn the_arctangent_keeps_its_digits_for_tiny_and_huge_coordinates() {
    fn check<const N: usize>() {
        let three = Expansion::<N>::from_i64(3);
        let angle = three.atan2(Expansion::from_i64(4));
        for scale in [1e-200, 1e-160, 1e160, 1e200] {
            let scale = Expansion::from_f64(scale);
            assert_close((three * scale).atan2(Expansion::from_i64(4) * scale), angle, 4.0);
        }
    }
    check::<2>();
    check::<4>();
}

#[test]
fn numbers_out_of_reach_are_not_finite_instead_of_wrong() {
    let huge = DoubleDouble::from_f64(1e300);
    assert!(!(huge * huge).is_finite());
    assert!(!DoubleDouble::from_f64(-1.0).sqrt().is_finite());
    assert!(!DoubleDouble::from_f64(f64::INFINITY).sin_cos().0.is_finite());
    assert!(!(DoubleDouble::one() / DoubleDouble::zero()).is_finite());
    assert_eq!(DoubleDouble::zero().sqrt(), DoubleDouble::zero());
    assert_eq!(DoubleDouble::from_f64(f64::NAN).to_rational(), None);
}
