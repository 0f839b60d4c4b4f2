//! The closed forms agree with the products of the sixteen-dimensional algebra.

mod sampling;

use sampling::*;
use steiner_linalg::Vec3;
use steiner_pga::{Blade, Element, Join, Line, Meet, Motor, Multivector, Plane, Point};
use steiner_scalar::{Field, Fp, Scalar};

fn blade(b: Blade) -> Multivector<f64> {
    Multivector::from_blades(&[(b, 1.0)])
}

#[test]
fn basis_vectors_square_to_one_but_for_the_plane_at_infinity() {
    let vectors = [Blade::E0, Blade::E1, Blade::E2, Blade::E3];
    for (i, &a) in vectors.iter().enumerate() {
        assert_eq!(blade(a) * blade(a), Multivector::scalar(if i == 0 { 0.0 } else { 1.0 }));
        for &b in vectors.iter().filter(|&&b| b != a) {
            assert_eq!(blade(a) * blade(b), -(blade(b) * blade(a)));
            assert_eq!(blade(a) * blade(b), blade(a).outer(&blade(b)));
        }
    }
}

#[test]
fn named_blades_are_products_in_the_order_of_their_indices() {
    let product = |factors: &[Blade]| factors.iter().fold(Multivector::scalar(1.0), |m, &b| m * blade(b));
    let [e0, e1, e2, e3] = [Blade::E0, Blade::E1, Blade::E2, Blade::E3];
    for (named, factors) in [
        (Blade::E23, &[e2, e3][..]),
        (Blade::E31, &[e3, e1]),
        (Blade::E12, &[e1, e2]),
        (Blade::E01, &[e0, e1]),
        (Blade::E032, &[e0, e3, e2]),
        (Blade::E013, &[e0, e1, e3]),
        (Blade::E021, &[e0, e2, e1]),
        (Blade::E123, &[e1, e2, e3]),
        (Blade::I, &[e0, e1, e2, e3]),
    ] {
        assert_eq!(blade(named), product(factors));
    }
}

#[test]
fn the_dual_exchanges_the_pairs_of_equation_16() {
    for (trivector, vector) in [
        (Blade::E032, Blade::E1),
        (Blade::E013, Blade::E2),
        (Blade::E021, Blade::E3),
        (Blade::E123, Blade::E0),
    ] {
        assert_eq!(blade(trivector).dual(), blade(vector));
        assert_eq!(blade(vector).dual(), blade(trivector));
    }
    for b in Blade::ALL {
        assert_eq!(blade(b).dual().dual(), blade(b));
    }
}

#[test]
fn the_join_of_two_points_has_the_coordinates_of_equation_18() {
    let (p, q) = (Point::new(Vec3::new(1.0, 2.0, 3.0), 2.0), Point::new(Vec3::new(-1.0, 0.5, 4.0), 3.0));
    let line = p.join(q);
    assert_eq!(line.direction, Vec3::new(-5.0, -5.0, -1.0));
    assert_eq!(line.moment, Vec3::new(6.5, -7.0, 2.5));
}

fn check_meets<S: Sampled>(a: Plane<S>, b: Plane<S>, l: Line<S>, p: Point<S>, k: Line<S>) {
    let units = 1e4;
    let [ma, mb, ml, mp, mk] =
        [a.to_multivector(), b.to_multivector(), l.to_multivector(), p.to_multivector(), k.to_multivector()];
    assert_same(&a.meet(b).to_multivector(), &ma.outer(&mb), units);
    assert_same(&a.meet(b), &-b.meet(a), units);
    assert_same(&a.meet(l).to_multivector(), &ma.outer(&ml), units);
    assert_same(&l.meet(a).to_multivector(), &ml.outer(&ma), units);
    let pseudoscalar = |x: S| Multivector::from_blades(&[(Blade::I, x)]);
    assert_same(&pseudoscalar(a.meet(p)), &ma.outer(&mp), units);
    assert_same(&pseudoscalar(p.meet(a)), &mp.outer(&ma), units);
    assert_same(&pseudoscalar(l.meet(k)), &ml.outer(&mk), units);
    assert_same(&pseudoscalar(k.meet(l)), &ml.outer(&mk), units);
    assert_zero(l.simplicity() + l.simplicity() - l.meet(l), units);
}

fn check_joins<S: Sampled>(p: Point<S>, q: Point<S>, l: Line<S>) {
    let units = 1e4;
    let [mp, mq, ml] = [p.to_multivector(), q.to_multivector(), l.to_multivector()];
    assert_same(&p.join(q).to_multivector(), &mp.join(&mq), units);
    assert_same(&p.join(q), &-q.join(p), units);
    assert_same(&p.join(l).to_multivector(), &mp.join(&ml), units);
    assert_same(&l.join(p).to_multivector(), &ml.join(&mp), units);
    assert_same(&p.dual().to_multivector(), &mp.dual(), 0.0);
    assert_same(&l.dual().to_multivector(), &ml.dual(), 0.0);
    assert_same(&p.dual().dual(), &p, 0.0);
    // (17) for the elements themselves.
    assert_same(&p.join(q), &p.dual().meet(q.dual()).dual(), units);
    assert_same(&p.join(l), &p.dual().meet(l.dual()).dual(), units);
}

fn check_even_products<S: Sampled>(m: Motor<S>, n: Motor<S>, o: Motor<S>) {
    let units = 1e6;
    assert_same(&(m * n).to_multivector(), &(m.to_multivector() * n.to_multivector()), units);
    assert_same(&m.reverse().to_multivector(), &m.to_multivector().reverse(), 0.0);
    assert_same(&(m * n).reverse(), &(n.reverse() * m.reverse()), units);
    assert_same(&((m * n) * o), &(m * (n * o)), units);
    assert_same(&m.to_multivector().motor(), &m, 0.0);
    let norm = m.reverse() * m;
    assert_zero(norm.scalar - m.norm_squared(), units);
    assert_zero(norm.pseudoscalar - m.study_residual() - m.study_residual(), units);
    assert_same(&norm.bivector(), &Line::zero(), units);
}

fn check_sandwiches<S: Sampled>(m: Motor<S>, a: Plane<S>, l: Line<S>, p: Point<S>) {
    let units = 1e7;
    let motor = m.to_multivector();
    assert_same(&a.moved_by(&m).to_multivector(), &a.to_multivector().sandwiched(&motor), units);
    assert_same(&l.moved_by(&m).to_multivector(), &l.to_multivector().sandwiched(&motor), units);
    assert_same(&p.moved_by(&m).to_multivector(), &p.to_multivector().sandwiched(&motor), units);
}

fn check_commutators<S: Sampled>(a: Plane<S>, l: Line<S>, p: Point<S>, v: Line<S>, rate: Line<S>) {
    fn check<S: Sampled, E: Element<S>>(x: E, v: Line<S>, rate: Line<S>) {
        let (mx, mv, mr) = (x.to_multivector(), v.to_multivector(), rate.to_multivector());
        let velocity = mx.commutator(&mv);
        assert_same(&x.velocity(v).to_multivector(), &velocity, 1e5);
        let acceleration = velocity.commutator(&mv) + mx.commutator(&mr);
        assert_same(&x.acceleration(v, rate).to_multivector(), &acceleration, 1e6);
    }
    check(a, v, rate);
    check(l, v, rate);
    check(p, v, rate);
}

fn check_algebra<S: Sampled>(m: Motor<S>, n: Motor<S>, l: Line<S>) {
    // A multivector with all grades busy.
    let a =
        m.to_multivector() + l.dual().to_multivector() * Multivector::from_blades(&[(Blade::E1, S::one())]);
    let b = n.to_multivector() + Multivector::from_blades(&[(Blade::E2, S::one()), (Blade::E013, n.scalar)]);
    let c = l.to_multivector() + Multivector::from_blades(&[(Blade::E0, m.scalar), (Blade::E123, n.scalar)]);
    let units = 1e7;
    assert_same(&((a * b) * c), &(a * (b * c)), units);
    assert_same(&(a.outer(&b)).outer(&c), &a.outer(&b.outer(&c)), units);
    assert_same(&(a.join(&b)).join(&c), &a.join(&b.join(&c)), units);
    assert_same(&(a * b).reverse(), &(b.reverse() * a.reverse()), units);
    let grades = (0..=4).fold(Multivector::zero(), |sum, k| sum + a.grade(k));
    assert_same(&grades, &a, 0.0);
    assert_same(&(a.even() + a.grade(1) + a.grade(3)), &a, 0.0);
    // Jacobi.
    let zero =
        a.commutator(&b.commutator(&c)) + b.commutator(&c.commutator(&a)) + c.commutator(&a.commutator(&b));
    assert_same(&zero, &Multivector::zero(), units);
}

over_all_scalars! {
    meets_are_outer_products, check_meets(a: plane, b: plane, l: bivector, p: point, k: bivector);
    joins_are_vee_products, check_joins(p: point, q: point, l: bivector);
    motors_multiply_by_the_geometric_product, check_even_products(m: even, n: even, o: even);
    moving_is_the_sandwich_even_for_elements_off_the_study_quadric, check_sandwiches(m: even, a: plane, l: bivector, p: point);
    rates_are_commutators, check_commutators(a: plane, l: bivector, p: point, v: bivector, rate: bivector);
    the_algebra_is_associative, check_algebra(m: even, n: even, l: bivector);
}

#[test]
fn lanes_compute_what_each_lane_would() {
    use steiner_scalar::F64x4;
    let motors = [0.3, -1.2, 2.5, 0.0].map(|x| {
        Motor::from_quaternion_translation(1.0, Vec3::new(x, 0.5 - x, 0.2), Vec3::new(x, 1.0, -2.0 * x))
    });
    let pack = |f: fn(&Motor<f64>) -> f64| F64x4::new(std::array::from_fn(|i| f(&motors[i])));
    let lanes = Motor {
        scalar: pack(|m| m.scalar),
        rotor: Vec3([pack(|m| m.rotor[0]), pack(|m| m.rotor[1]), pack(|m| m.rotor[2])]),
        translator: Vec3([pack(|m| m.translator[0]), pack(|m| m.translator[1]), pack(|m| m.translator[2])]),
        pseudoscalar: pack(|m| m.pseudoscalar),
    };
    let point = Vec3::new(0.1, 0.2, 0.3);
    let moved = Point::finite(Vec3(point.0.map(F64x4::from_f64))).moved_by(&(lanes * lanes)).position();
    for i in 0..4 {
        let expected = Point::finite(point).moved_by(&(motors[i] * motors[i])).position();
        for k in 0..3 {
            assert!((moved[k].to_array()[i] - expected[k]).abs() < 1e-13);
        }
    }
}

#[test]
fn a_number_from_the_prime_field_is_compared_exactly() {
    assert!(Fp::error(Fp::one()) > 1e300);
    assert_eq!(Fp::error(Fp::zero()), 0.0);
}
