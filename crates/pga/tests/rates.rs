//! Velocity, acceleration and power, (28) to (35), against finite differences in 30 digits.

mod sampling;

use proptest::prelude::*;
use sampling::*;
use steiner_linalg::Vec3;
use steiner_pga::{Element, Join, Line, Meet, Motor, Point};
use steiner_scalar::{DoubleDouble, Field, Scalar};

type D = DoubleDouble;

/// A motion with an exactly known velocity: M = exp(tA/2) M₀ exp(tB/2), V = M̃AM + B.
#[derive(Clone, Copy, Debug)]
struct Trajectory {
    a: Line<D>,
    b: Line<D>,
    start: Motor<D>,
}

impl Trajectory {
    fn pose(&self, t: D) -> Motor<D> {
        Motor::screw(self.a.scale(t)) * self.start * Motor::screw(self.b.scale(t))
    }
    fn velocity(&self, t: D) -> Line<D> {
        self.a.moved_by(&self.pose(t)) + self.b
    }
}

fn trajectory() -> impl Strategy<Value = Trajectory> {
    (bivector(), bivector(), motion()).prop_map(|(a, b, start)| Trajectory {
        a: a.scale(D::from_f64(0.1)),
        b: b.scale(D::from_f64(0.1)),
        start: start.normalized(),
    })
}

/// Samples around `t` and the five-point rules for the first and second derivative, of error h⁴ = 1e-20.
struct Differences<T>([T; 5]);

const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-15;

impl<T: Copy> Differences<T> {
    fn around(t: D, f: impl Fn(D) -> T) -> Self {
        Differences(std::array::from_fn(|k| f(t + D::from_f64(STEP) * D::from_i64(k as i64 - 2))))
    }
    fn combine(&self, weights: [i64; 5], power: i32, coordinates: impl Fn(&T) -> Vec<D>) -> Vec<D> {
        let scale = (D::from_i64(12) * (0..power).fold(D::one(), |h, _| h * D::from_f64(STEP))).inv();
        let mut out = vec![D::zero(); coordinates(&self.0[0]).len()];
        for (sample, weight) in self.0.iter().zip(weights) {
            for (sum, x) in out.iter_mut().zip(coordinates(sample)) {
                *sum += x * D::from_i64(weight) * scale;
            }
        }
        out
    }
}

impl<T: Copy + Coordinates<D>> Differences<T> {
    fn first(&self) -> Vec<D> {
        self.combine([1, -8, 0, 8, -1], 1, T::coordinates)
    }
    fn second(&self) -> Vec<D> {
        self.combine([-1, 16, -30, 16, -1], 2, T::coordinates)
    }
}

#[track_caller]
fn assert_near(computed: &[D], differences: &[D]) {
    use steiner_scalar::Real;
    for (x, y) in computed.iter().zip(differences) {
        let error = (*x - *y).abs().to_f64();
        assert!(error < TOLERANCE * (1.0 + x.abs().to_f64()), "{computed:?} ≠ {differences:?}: {error}");
    }
}

fn motor_from(coordinates: &[D]) -> Motor<D> {
    let c = coordinates;
    Motor {
        scalar: c[0],
        rotor: Vec3([c[1], c[2], c[3]]),
        translator: Vec3([c[4], c[5], c[6]]),
        pseudoscalar: c[7],
    }
}

fn line_from(c: &[D]) -> Line<D> {
    Line::new(Vec3([c[0], c[1], c[2]]), Vec3([c[3], c[4], c[5]]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_spatial_velocity_is_twice_the_reverse_times_the_rate(motion in trajectory(), t in D::any()) {
        let pose = motion.pose(t);
        let rate = motor_from(&Differences::around(t, |t| motion.pose(t)).first());
        let velocity = motion.velocity(t);
        assert_near(&velocity.coordinates(), &pose.spatial_velocity(&rate).coordinates());
        assert_near(&pose.rate(velocity).coordinates(), &rate.coordinates());
        // The same twist seen from the body.
        let in_body = pose.body_velocity(&rate);
        assert_near(&in_body.moved_by(&pose).coordinates(), &velocity.coordinates());
        // The length of an unnormalised motor doesn't matter.
        let (long, long_rate) = (pose.scale(D::from_i64(3)), rate.scale(D::from_i64(3)));
        assert_near(&long.spatial_velocity(&long_rate).coordinates(), &velocity.coordinates());
    }

    #[test]
    fn elements_move_at_their_commutator_with_the_velocity(
        motion in trajectory(), t in D::any(), x in point::<D>(), l in bivector::<D>(), p in plane::<D>(),
    ) {
        let velocity = motion.velocity(t);
        let pose = motion.pose(t);
        let rate = line_from(&Differences::around(t, |t| motion.velocity(t)).first());
        let points = Differences::around(t, |t| x.moved_by(&motion.pose(t)));
        let now = x.moved_by(&pose);
        assert_near(&now.velocity(velocity).coordinates(), &points.first());
        assert_near(&now.acceleration(velocity, rate).coordinates(), &points.second());
        let lines = Differences::around(t, |t| l.moved_by(&motion.pose(t)));
        let now = l.moved_by(&pose);
        assert_near(&now.velocity(velocity).coordinates(), &lines.first());
        assert_near(&now.acceleration(velocity, rate).coordinates(), &lines.second());
        let planes = Differences::around(t, |t| p.moved_by(&motion.pose(t)));
        let now = p.moved_by(&pose);
        assert_near(&now.velocity(velocity).coordinates(), &planes.first());
        assert_near(&now.acceleration(velocity, rate).coordinates(), &planes.second());
    }
}

fn check_classical_point<S: Sampled>(x: Vec3<S>, v: Line<S>, rate: Line<S>) {
    let (omega, alpha) = (v.direction, rate.direction);
    let velocity = v.moment + omega.cross(x);
    let point = Point::finite(x);
    assert_same(&point.velocity(v), &Point::ideal(velocity), 1e4);
    let acceleration = rate.moment + alpha.cross(x) + omega.cross(velocity);
    assert_same(&point.acceleration(v, rate), &Point::ideal(acceleration), 1e6);
    // Directions only turn.
    assert_same(&Point::ideal(x).velocity(v), &Point::ideal(omega.cross(x)), 1e4);
}

fn check_power<S: Sampled>(x: Vec3<S>, force: Vec3<S>, v: Line<S>) {
    // A force at a point of the body spends force · velocity.
    let wrench = Point::finite(x).join(Point::ideal(force));
    let velocity = Point::finite(x).velocity(v).position;
    assert_zero(wrench.meet(v) - force.dot(velocity), 1e5);
    assert_zero(v.meet(wrench) - wrench.meet(v), 1e5);
    // A couple spends torque · ω.
    assert_zero(Line::ideal(force).meet(v) - force.dot(v.direction), 1e5);
}

fn check_power_of_motion<S: Sampled>(m: Motor<S>, wrench: Line<S>, v: Line<S>) {
    // Power is the same seen from any frame; here times ‖M‖⁴.
    let n = m.norm_squared();
    assert_zero(wrench.moved_by(&m).meet(v.moved_by(&m)) - wrench.meet(v) * n * n, 1e12);
}

over_all_scalars! {
    a_point_moves_as_in_the_textbook, check_classical_point(x: vector, v: bivector, rate: bivector);
    the_wedge_of_wrench_and_twist_is_the_power, check_power(x: vector, force: vector, v: bivector);
    power_does_not_depend_on_the_frame, check_power_of_motion(m: motion, wrench: bivector, v: bivector);
}
