//! Motors are rigid motions: they act as matrices, compose as matrices, and come from and go to matrices.

mod sampling;

use proptest::prelude::*;
use sampling::*;
use steiner_linalg::{Mat3, Vec3};
use steiner_pga::{Element, Join, Line, Meet, Motor, Plane, Point};
use steiner_scalar::{DoubleDouble, Exact, Field, Fp, Real, Scalar};

type Matrix4<S> = [[S; 4]; 4];

fn times<S: Scalar>(a: Matrix4<S>, b: Matrix4<S>) -> Matrix4<S> {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).fold(S::zero(), |sum, k| sum + a[r][k] * b[k][c])))
}

#[track_caller]
fn assert_same_matrix<S: Sampled>(a: Matrix4<S>, b: Matrix4<S>, units: f64) {
    for (x, y) in a.as_flattened().iter().zip(b.as_flattened()) {
        assert!(S::error(*x - *y) <= units, "{a:?} ≠ {b:?}: {} units", S::error(*x - *y));
    }
}

#[test]
fn a_quarter_turn_about_z_takes_x_to_y() {
    let half_angle = std::f64::consts::FRAC_PI_4;
    let turn = Motor::rotation(half_angle.cos(), Vec3::new(0.0, 0.0, half_angle.sin()));
    assert_same(&Point::ideal(Vec3::unit(0)).moved_by(&turn), &Point::ideal(Vec3::unit(1)), 4.0);
    assert_same(&Plane::new(Vec3::unit(0), -2.0).moved_by(&turn), &Plane::new(Vec3::unit(1), -2.0), 4.0);
    let line = Line::through(Vec3::new(1.0, 0.0, 0.0), Vec3::unit(2));
    assert_same(&line.moved_by(&turn), &Line::through(Vec3::new(0.0, 1.0, 0.0), Vec3::unit(2)), 4.0);
}

#[test]
fn a_translation_moves_points_and_planes_but_not_directions() {
    let shift = Motor::translation(Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(Point::origin().moved_by(&shift), Point::finite(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(Point::ideal(Vec3::unit(1)).moved_by(&shift), Point::ideal(Vec3::unit(1)));
    assert_eq!(Plane::new(Vec3::unit(2), 0.0).moved_by(&shift), Plane::new(Vec3::unit(2), -3.0));
    assert_eq!(Plane::at_infinity().moved_by(&shift), Plane::at_infinity());
}

#[test]
fn the_motor_on_the_left_happens_first() {
    let half_angle = std::f64::consts::FRAC_PI_4;
    let turn = Motor::rotation(half_angle.cos(), Vec3::new(0.0, 0.0, half_angle.sin()));
    let shift = Motor::translation(Vec3::new(1.0, 0.0, 0.0));
    // Turning leaves the origin, then it is shifted along x.
    assert_same(&(turn * shift).to_translation(), &Vec3::new(1.0, 0.0, 0.0), 4.0);
    // Shifted along x first, the origin is turned to y.
    assert_same(&(shift * turn).to_translation(), &Vec3::new(0.0, 1.0, 0.0), 4.0);
}

#[test]
fn a_rotation_of_15_degrees_is_exact_in_the_prime_field() {
    let sin_cos = |text: &str| {
        let pair = Fp::evaluate_sin_cos(&Exact::parse(text).unwrap()).unwrap();
        assert!(!pair.rounded);
        pair.value
    };
    let z = Vec3::unit(2);
    let (s, c) = sin_cos("pi/12");
    let turn = Motor::turn(z, s, c);
    assert_eq!(
        turn.to_rotation(),
        Mat3([[c, -s, Fp::zero()], [s, c, Fp::zero()], [Fp::zero(), Fp::zero(), Fp::one()]])
    );
    // Twelve of them are half a turn, twenty-four leave everything in place.
    let half = (0..12).fold(Motor::identity(), |product, _| product * turn);
    let (s, c) = sin_cos("pi");
    assert_eq!(half.to_homogeneous(), Motor::turn(z, s, c).to_homogeneous());
    assert_eq!((half * half).to_homogeneous(), Motor::identity().to_homogeneous());
}

#[test]
fn a_turn_by_any_angle_has_the_rotation_of_its_half_angle() {
    let axis = Vec3::new(2.0, -1.0, 2.0).scale(1.0 / 3.0);
    for k in -24..=24 {
        let angle = k as f64 * std::f64::consts::PI / 12.0;
        let (s, c) = angle.sin_cos();
        let expected = Motor::rotation((angle / 2.0).cos(), axis.scale((angle / 2.0).sin()));
        assert_same_matrix(Motor::turn(axis, s, c).to_homogeneous(), expected.to_homogeneous(), 8.0);
    }
}

fn check_action<S: Sampled>(m: Motor<S>, x: Vec3<S>, d: Vec3<S>) {
    let (r, t) = (m.to_rotation(), m.to_translation());
    let n = m.norm_squared();
    let units = 1e6;
    let rotated = Point::finite(x).moved_by(&m);
    assert_same(&rotated, &Point::finite(r.apply(x) + t).scale(n), units);
    let line = Line::through(x, d).moved_by(&m);
    assert_same(&line, &Line::through(r.apply(x) + t, r.apply(d)).scale(n), units * 100.0);
    let plane = Plane::through(x, d).moved_by(&m);
    assert_same(&plane, &Plane::through(r.apply(x) + t, r.apply(d)).scale(n), units * 100.0);
    let product = r * r.transpose();
    for k in 0..3 {
        assert_same(&Vec3(product.0[k]), &Vec3::unit(k), 1e3);
    }
    assert_zero(m.study_residual(), units);
}

fn check_composition<S: Sampled>(first: Motor<S>, then: Motor<S>, x: Point<S>) {
    let both = first * then;
    assert_same_matrix(both.to_homogeneous(), times(then.to_homogeneous(), first.to_homogeneous()), 1e5);
    assert_same(&x.moved_by(&both), &x.moved_by(&first).moved_by(&then), 1e10);
    let back = both * both.reverse();
    assert_same(&back, &Motor::identity().scale(both.norm_squared()), 1e9);
}

fn check_conversion<S: Sampled>(m: Motor<S>) {
    let again = Motor::from_rotation_translation(&m.to_rotation(), m.to_translation());
    assert_same_matrix(again.to_homogeneous(), m.to_homogeneous(), 1e5);
    // The columns of (45).
    let matrix = m.to_homogeneous();
    for (c, column) in m.to_frame().iter().enumerate() {
        for r in 0..3 {
            assert_eq!(column.position[r], matrix[r][c]);
        }
        assert_eq!(column.weight, if c == 3 { S::one() } else { S::zero() });
    }
}

fn check_invariance<S: Sampled>(m: Motor<S>, p: Point<S>, q: Point<S>, l: Line<S>, a: Plane<S>) {
    // Joins and meets move with what they are made of.
    let n = m.norm_squared();
    let (units, cubic) = (1e10, 1e12);
    assert_same(&p.join(q).moved_by(&m).scale(n), &p.moved_by(&m).join(q.moved_by(&m)), units);
    assert_same(&a.meet(l).moved_by(&m).scale(n), &a.moved_by(&m).meet(l.moved_by(&m)), cubic);
    assert_zero(l.moved_by(&m).meet(p.join(q).moved_by(&m)) - l.meet(p.join(q)) * n * n, cubic);
}

over_all_scalars! {
    a_motor_acts_as_its_rotation_and_translation, check_action(m: motion, x: vector, d: vector);
    motors_compose_as_rigid_motions, check_composition(first: motion, then: motion, x: point);
    a_motor_goes_to_a_matrix_and_back, check_conversion(m: motion);
    incidence_is_invariant_under_motion, check_invariance(m: motion, p: point, q: point, l: bivector, a: plane);
}

#[test]
fn half_turns_come_back_from_their_matrices() {
    fn check<S: Sampled>() {
        for axis in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, -1, 1], [1, 2, -2]] {
            let axis = Vec3(axis.map(S::from_i64));
            let turn = Motor::from_quaternion_translation(S::zero(), axis, Vec3([1, 2, 3].map(S::from_i64)));
            let again = Motor::from_rotation_translation(&turn.to_rotation(), turn.to_translation());
            assert_same_matrix(again.to_homogeneous(), turn.to_homogeneous(), 100.0);
        }
        let identity = Motor::from_rotation_translation(&Mat3::<S>::identity(), Vec3::zero());
        assert_same_matrix(identity.to_homogeneous(), Motor::identity().to_homogeneous(), 0.0);
    }
    check::<f64>();
    check::<DoubleDouble>();
    check::<Fp>();
}

fn check_normalisation<R: Real + Sampled>(m: Motor<R>, e: Motor<R>) {
    let unit = m.normalized();
    assert_zero(unit.norm_squared() - R::one(), 16.0);
    assert_zero(unit.study_residual(), 1e4);
    assert_same_matrix(unit.to_homogeneous(), m.to_homogeneous(), 1e5);
    // From off the group, back onto it; points don't notice.
    let off = Motor { pseudoscalar: m.pseudoscalar + e.pseudoscalar, translator: e.translator, ..m };
    let on = off.normalized();
    assert_zero(on.study_residual(), 1e5);
    assert_zero(on.norm_squared() - R::one(), 16.0);
    assert_same(&on.to_translation(), &off.to_translation(), 1e7);
    // Multiplying by a length changes nothing.
    assert_same(&m.scale(R::from_i64(3)).normalized(), &unit, 1e4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn normalising_brings_doubles_back_to_the_group(m in motion::<f64>(), e in even::<f64>()) {
        check_normalisation(m, e);
    }

    #[test]
    fn normalising_brings_30_digits_back_to_the_group(m in motion::<DoubleDouble>(), e in even::<DoubleDouble>()) {
        check_normalisation(m, e);
    }
}
