//! Finite motions from twists and back, where it is easy and where it is not.

mod sampling;

use proptest::prelude::*;
use sampling::*;
use steiner_linalg::Vec3;
use steiner_pga::{Element, Line, Motor, Point};
use steiner_scalar::{DoubleDouble, Real, Scalar};

#[test]
fn a_screw_about_a_displaced_axis_turns_and_advances() {
    // A quarter turn about the vertical through (1, 0, 0) with a pitch of 0.2 m per radian.
    let angle = std::f64::consts::FRAC_PI_2;
    let axis = Line::through(Vec3::new(1.0, 0.0, 0.0), Vec3::unit(2));
    let twist = (axis + Line::ideal(Vec3::new(0.0, 0.0, 0.2))).scale(angle);
    let motion = Motor::screw(twist);
    let moved = Point::origin().moved_by(&motion);
    assert_same(&moved, &Point::finite(Vec3::new(1.0, -1.0, 0.2 * angle)), 8.0);
    assert_same(&motion.to_screw(), &twist, 16.0);
}

#[test]
fn a_pure_translation_is_its_own_exponential() {
    let t = Vec3::new(1.0, -2.0, 3.0);
    assert_eq!(Line::ideal(t.scale(0.5)).exp(), Motor::translation(t));
    assert_eq!(Motor::translation(t).log(), Line::ideal(t.scale(0.5)));
    assert_eq!(Line::<f64>::zero().exp(), Motor::identity());
    assert_eq!(Motor::<f64>::identity().log(), Line::zero());
}

#[test]
fn twists_add_up_along_one_axis() {
    let axis = Line::new(Vec3::new(0.3, -0.4, 1.2), Vec3::new(1.0, 2.0, 0.5));
    let parts = (0..10).fold(Motor::identity(), |m, _| m * axis.scale(0.1).exp());
    assert_same(&parts, &axis.exp(), 64.0);
}

/// exp as the power series of the algebra itself.
fn exponential_by_series<R: Real>(b: Line<R>) -> Motor<R> {
    let (mut sum, mut term) = (Motor::identity(), Motor::identity());
    for k in 1..120 {
        // M V/2 is what `rate` computes.
        term = term.rate(b).scale(R::from_i64(2)).scale(R::one() / R::from_i64(k));
        sum = sum + term;
    }
    sum
}

fn check_round_trips<R: Real + Sampled>(b: Line<R>, m: Motor<R>, size: R) {
    // log ∘ exp = id for rotations of less than a half turn, |direction| < π/2.
    let length = b.direction.dot(b.direction).sqrt();
    let within = size * R::from_f64(1.5) / (length + R::one());
    let b = Line::new(b.direction.scale(within), b.moment);
    let motor = b.exp();
    assert_zero(motor.norm_squared() - R::one(), 16.0);
    assert_zero(motor.study_residual(), 64.0);
    assert_same(&motor.log(), &b, 1e4);
    assert_same(&motor, &exponential_by_series(b), 1e4);
    // exp ∘ log = id for every motion; M and −M are the same one.
    let unit = m.normalized();
    let again = unit.log().exp();
    let again = if again.scalar * unit.scalar < R::zero() { -again } else { again };
    assert_same(&again, &unit, 1e4);
    assert!(unit.log().direction.dot(unit.log().direction).sqrt() <= R::pi().half() + R::epsilon().sqrt());
}

/// Rotations by `angle` about a skew axis with some pitch.
fn check_angle<R: Real + Sampled>(angle: R, units: f64) {
    let (two, three) = (R::from_i64(2), R::from_i64(3));
    // (1, 2, 2)/3 is a unit vector.
    let axis = Vec3([R::one() / three, two / three, two / three]);
    let position = Vec3([R::from_f64(0.5), R::from_f64(-1.25), R::from_f64(2.0)]);
    let pitch = Line::ideal(axis.scale(R::from_f64(0.375)));
    let b = Line::through(position, axis).scale(angle.half()) + pitch;
    let motor = b.exp();
    let (s, c) = angle.half().sin_cos();
    assert_zero(motor.scalar - c, 4.0);
    assert_same(&motor.rotor, &axis.scale(s), 4.0);
    // Points of the axis advance along it.
    let moved = Point::finite(position).moved_by(&motor);
    let advance = axis.scale(R::from_f64(0.75));
    assert_same(&moved, &Point::finite(position + advance), 256.0);
    let log = motor.log();
    let sign = if log.direction.dot(axis) * b.direction.dot(axis) < R::zero() { -R::one() } else { R::one() };
    if angle < R::pi() {
        assert_same(&log, &b, units);
        assert!(sign > R::zero());
    }
    let again = log.exp();
    let again = if again.rotor.dot(motor.rotor) < R::zero() { -again } else { again };
    assert_same(&again, &motor, units);
}

#[test]
fn small_angles_and_half_turns_lose_no_digits() {
    fn check<R: Real + Sampled>() {
        for exponent in [0, 1, 2, 4, 8, 12, 16, 20, 28, 40, 100, 200] {
            check_angle(R::from_f64(10f64.powi(-exponent)), 256.0);
        }
        let pi = R::pi();
        for exponent in [1, 4, 8, 12, 15] {
            check_angle(pi - R::from_f64(10f64.powi(-exponent)), 256.0);
            check_angle(pi + R::from_f64(10f64.powi(-exponent)), 256.0);
        }
        check_angle(pi, 256.0);
        // Where the series hands over to the closed form: θ = 1/2 is an angle of 1.
        for nudge in [-1e-3, -1e-15, 0.0, 1e-15, 1e-3] {
            check_angle(R::from_f64(1.0 + nudge), 256.0);
        }
    }
    check::<f64>();
    check::<DoubleDouble>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exponential_and_logarithm_undo_each_other_in_doubles(
        b in bivector::<f64>(), m in motion::<f64>(), size in 0.0..1.0f64,
    ) {
        check_round_trips(b, m, size);
    }

    #[test]
    fn exponential_and_logarithm_undo_each_other_in_30_digits(
        b in bivector::<DoubleDouble>(), m in motion::<DoubleDouble>(), size in 0.0..1.0f64,
    ) {
        check_round_trips(b, m, DoubleDouble::from_f64(size));
    }
}
