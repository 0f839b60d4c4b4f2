//! What meets and joins mean: Theorem 1, its corollaries, and elements at infinity.

mod sampling;

use sampling::*;
use steiner_linalg::Vec3;
use steiner_pga::{Join, Line, Meet, Plane, Point};
use steiner_scalar::Scalar;

fn x<S: Scalar>(x: i64, y: i64, z: i64) -> Vec3<S> {
    Vec3([x, y, z].map(S::from_i64))
}

#[test]
fn three_planes_meet_in_the_point_they_share() {
    let planes = [x(1, 0, 0), x(0, 1, 0), x(0, 0, 1)].map(|n| Plane::<f64>::through(x(1, 2, 3), n));
    let point = planes[0].meet(planes[1]).meet(planes[2]);
    assert_eq!(point, Point::finite(x(1, 2, 3)));
}

#[test]
fn a_line_through_two_planes_is_the_line_through_two_points() {
    // z = 1 and y = 2 meet along x.
    let line = Plane::new(x(0, 1, 0), -2.0).meet(Plane::new(x(0, 0, 1), -1.0));
    assert_eq!(line, Point::finite(x(0, 2, 1)).join(Point::finite(x(1, 2, 1))));
    assert_eq!(line, Line::through(x(7, 2, 1), x(1, 0, 0)));
}

#[test]
fn parallel_planes_meet_at_infinity() {
    let line = Plane::new(x(0, 0, 1), -2.0).meet(Plane::new(x(0, 0, 1), -5.0));
    assert_eq!(line, Line::ideal(x(0, 0, 3)));
    assert_eq!(Plane::at_infinity().meet(Plane::new(x(0, 0, 1), -5.0)), Line::ideal(x(0, 0, 1)));
}

#[test]
fn a_line_meets_a_parallel_plane_and_infinity_in_its_direction() {
    let line = Line::<f64>::through(x(1, 2, 3), x(1, 0, 0));
    assert_eq!(Plane::new(x(0, 0, 1), -1.0).meet(line).weight, 0.0);
    assert_eq!(Plane::at_infinity().meet(line), Point::ideal(x(-1, 0, 0)));
}

#[test]
fn three_points_span_the_plane_through_them() {
    let [a, b, c] = [x(1, 0, 0), x(0, 1, 0), x(0, 0, 1)].map(Point::<f64>::finite);
    // x + y + z = 1, up to a factor.
    let plane = a.join(b).join(c);
    assert_eq!(plane, a.join(b.join(c)));
    assert_eq!(plane.scale(-plane.offset.recip()), Plane::new(x(1, 1, 1), -1.0));
    // Three directions span infinity.
    let [u, v, w] = [x(1, 0, 0), x(0, 1, 0), x(0, 0, 1)].map(Point::<f64>::ideal);
    assert_eq!(u.join(v).join(w), Plane::at_infinity());
}

#[test]
fn a_point_and_a_direction_join_in_the_wrench_of_a_point_mass() {
    // (21): a mass of 2 kg at p with acceleration a needs the force 2a at p.
    let (p, a) = (x::<f64>(1, 2, 3), x(4, 5, 6));
    let wrench = Point::finite(p).join(Point::ideal(a)).scale(2.0);
    assert_eq!(wrench, Line::new(a.scale(2.0), p.cross(a.scale(2.0))));
}

#[test]
fn skew_lines_do_not_lie_in_one_plane() {
    // The x axis, and the y axis lifted by one: the wedge is the distance times the sine, up to sign.
    let (a, b) = (Line::<f64>::through(x(0, 0, 0), x(1, 0, 0)), Line::through(x(0, 0, 1), x(0, 1, 0)));
    assert_eq!(a.meet(b).abs(), 1.0);
    assert_eq!(a.meet(Line::through(x(0, 0, 1), x(1, 0, 0))), 0.0);
}

fn check_theorem_1<S: Sampled>(a: Plane<S>, b: Plane<S>, c: Plane<S>) {
    // Lines in the plane a.
    assert_zero(a.meet(b).meet(a.meet(c)), 1e7);
    // The converse for lines in general position: L₁ ∧ L₂ is the determinant of four planes, which
    // vanishes only if they share a point.
    let d = Plane::new(b.normal + c.normal, a.offset + S::one());
    let wedge: S = a.meet(b).meet(c.meet(d));
    let determinant = a.meet(b).meet(c).meet(d);
    assert_zero(wedge - determinant, 1e7);
}

fn check_corollary_1<S: Sampled>(p: Point<S>, r: Point<S>, q: Point<S>, k: Point<S>) {
    let line = p.join(r);
    for on_line in [p, r, p + r, p.scale(k.weight) + r] {
        assert_zero(line.meet(on_line.join(q)), 1e8);
        assert_zero(line.meet(on_line.join(Point::ideal(k.position))), 1e8);
    }
    // An ideal point is on the line in its direction.
    let direction = Point::ideal(k.position);
    assert_zero(p.join(direction).meet(direction.join(q)), 1e8);
}

fn check_corollary_2<S: Sampled>(moment: Vec3<S>, p: Vec3<S>, q: Vec3<S>) {
    let join = Point::ideal(p).join(Point::ideal(q));
    assert_eq!(join.direction, Vec3::zero());
    assert_zero(Line::ideal(moment).meet(join), 0.0);
    // All of them lie in the plane at infinity.
    assert_zero(Plane::at_infinity().meet(Point::ideal(p)), 0.0);
    assert_same(&Plane::at_infinity().meet(Line::ideal(moment)), &Point::ideal(Vec3::zero()), 0.0);
}

fn check_incidence<S: Sampled>(p: Point<S>, q: Point<S>, r: Point<S>, a: Plane<S>, b: Plane<S>) {
    let plane = p.join(q).join(r);
    for point in [p, q, r, p + q] {
        assert_zero(plane.meet(point), 1e7);
    }
    assert_same(&plane.meet(p.join(q)), &Point::ideal(Vec3::zero()), 1e8);
    assert_zero(p.join(q).simplicity(), 1e6);
    let line = a.meet(b);
    assert_zero(line.simplicity(), 1e6);
    let on_line = line.meet(Plane::new(q.position, q.weight));
    assert_zero(a.meet(on_line), 1e7);
    assert_zero(b.meet(on_line), 1e7);
    assert_same(&on_line.join(line), &Plane::new(Vec3::zero(), S::zero()), 1e8);
}

over_all_scalars! {
    lines_in_one_plane_have_no_wedge, check_theorem_1(a: plane, b: plane, c: plane);
    a_line_through_a_point_of_a_line_has_no_wedge_with_it, check_corollary_1(p: point, r: point, q: point, k: point);
    everything_at_infinity_lies_in_one_plane, check_corollary_2(moment: vector, p: vector, q: vector);
    what_is_joined_contains_and_what_is_met_is_contained, check_incidence(p: point, q: point, r: point, a: plane, b: plane);
}
