//! Every number type is a field: exactly in F_p, to its own precision in floating point.

use proptest::prelude::*;
use steiner_scalar::{
    DoubleDouble, Exact, F64x4, Field, Fp, LaneKernel, LaneSet, Lanes, PRIME, QuadDouble, Real, Scalar,
    in_lanes_of,
};

/// The laws that hold up to rounding. `near(a, b)` says whether a = b to that precision.
#[allow(clippy::eq_op)]
fn check_field_laws<S: Scalar>(a: S, b: S, c: S, near: impl Fn(S, S) -> bool) {
    assert!(near(a + b, b + a));
    assert!(near(a * b, b * a));
    assert!(near((a + b) + c, a + (b + c)));
    assert!(near((a * b) * c, a * (b * c)));
    assert!(near(a * (b + c), a * b + a * c));
    assert_eq!(a + S::zero(), a);
    assert_eq!(a * S::one(), a);
    assert_eq!(a - a, S::zero());
    assert_eq!(a + (-a), S::zero());
    assert!(near(a - b, -(b - a)));
    assert!(near(a.mul_add(b, c), a * b + c));
    assert!(near(a.half() + a.half(), a));
    if let Some(inverse) = a.try_inv() {
        assert!(near(a * inverse, S::one()));
        assert!(near(a.inv(), inverse));
    }
    let mut sum = a;
    sum += b;
    sum -= c;
    assert!(near(sum, a + b - c));
    assert_eq!(S::zero().try_inv(), None);
    assert_eq!(S::zero().pivot_weight(), 0.0);
    assert_eq!(S::from_i64(-7) + S::from_i64(7), S::zero());
    assert_eq!(S::from_f64(0.375) * S::from_i64(8), S::from_i64(3));
}

/// Doubles whose products and sums stay far from the ends of the range, away from zero.
fn moderate() -> impl Strategy<Value = f64> {
    (any::<bool>(), 1.0e-3..1.0e3f64).prop_map(|(negative, x)| if negative { -x } else { x })
}

/// Numbers whose every component is busy.
fn busy<R: Real>() -> impl Strategy<Value = R> {
    (moderate(), moderate()).prop_map(|(x, y)| R::from_f64(x) / R::from_f64(y))
}

fn near_real<R: Real>(tolerance: f64) -> impl Fn(R, R) -> bool {
    move |a, b| (a - b).abs().to_f64() <= tolerance * R::epsilon().to_f64()
}

/// The laws in lanes, for three numbers per lane.
struct Laws([[f64; 8]; 3]);

impl LaneKernel for Laws {
    type Output = ();
    fn run<L: Lanes>(self) {
        let [a, b, c] = self.0.map(|x| L::from_lanes(|lane| x[lane]));
        check_field_laws(a, b, c, |x, y| (x - y).within(1e-6));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn doubles_obey_the_field_laws_to_rounding(a in moderate(), b in moderate(), c in moderate()) {
        check_field_laws(a, b, c, near_real(1e10));
    }

    #[test]
    fn lanes_obey_the_field_laws_to_rounding(
        a in prop::array::uniform8(moderate()),
        b in prop::array::uniform8(moderate()),
        c in prop::array::uniform8(moderate()),
    ) {
        for set in LaneSet::available() {
            in_lanes_of(set, Laws([a, b, c]));
        }
    }

    #[test]
    fn double_doubles_obey_the_field_laws_to_30_digits(
        a in busy::<DoubleDouble>(), b in busy::<DoubleDouble>(), c in busy::<DoubleDouble>(),
    ) {
        let scale = (a.abs() + b.abs() + c.abs() + DoubleDouble::one()).to_f64();
        check_field_laws(a, b, c, near_real(scale.powi(3)));
    }

    #[test]
    fn quad_doubles_obey_the_field_laws_to_60_digits(
        a in busy::<QuadDouble>(), b in busy::<QuadDouble>(), c in busy::<QuadDouble>(),
    ) {
        let scale = (a.abs() + b.abs() + c.abs() + QuadDouble::one()).to_f64();
        check_field_laws(a, b, c, near_real(scale.powi(3)));
    }

    #[test]
    fn the_prime_field_obeys_the_field_laws_exactly(a in any::<u64>(), b in any::<u64>(), c in any::<u64>()) {
        check_field_laws(Fp::new(a), Fp::new(b), Fp::new(c), |x, y| x == y);
    }

    #[test]
    fn products_in_the_prime_field_agree_with_wide_integers(a in any::<u64>(), b in any::<u64>()) {
        let (x, y) = (Fp::new(a), Fp::new(b));
        let wide = |n: u128| (n % PRIME as u128) as u64;
        prop_assert_eq!((x * y).residue(), wide(x.residue() as u128 * y.residue() as u128));
        prop_assert_eq!((x + y).residue(), wide(x.residue() as u128 + y.residue() as u128));
    }

    #[test]
    fn integers_have_the_same_image_in_every_field(n in any::<i64>()) {
        let source = Exact::integer(n);
        prop_assert_eq!(Fp::from_i64(n), Fp::evaluate(&source).unwrap().value);
        prop_assert_eq!(QuadDouble::from_i64(n), QuadDouble::evaluate(&source).unwrap().value);
        prop_assert_eq!(DoubleDouble::from_i64(n), DoubleDouble::evaluate(&source).unwrap().value);
        prop_assert_eq!(f64::from_i64(n), source.to_f64().unwrap());
    }
}

#[test]
fn the_largest_residues_do_not_overflow() {
    let last = Fp::new(PRIME - 1);
    assert_eq!(last, -Fp::one());
    assert_eq!(last * last, Fp::one());
    assert_eq!(last + last, Fp::from_i64(-2));
    assert_eq!(Fp::new(u64::MAX).residue(), u64::MAX % PRIME);
    assert_eq!(Fp::from_i64(i64::MIN), -Fp::new(1 << 63));
}

#[test]
fn one_zero_lane_spoils_the_inverse() {
    assert_eq!(F64x4::new([1.0, 0.0, 2.0, 3.0]).try_inv(), None);
    assert_eq!(F64x4::new([1.0, 0.0, 2.0, 3.0]).pivot_weight(), 0.0);
    assert_eq!(F64x4::new([1.0, 4.0, 2.0, 8.0]).try_inv().unwrap().to_array(), [1.0, 0.25, 0.5, 0.125]);
}
