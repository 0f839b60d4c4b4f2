//! Regressor entries by the letter of the paper: equation (49), R = L ∧ (E_m ∨ Ë_n), along algorithm 5, with
//! the points, lines, motors and products of the geometric algebra. Of this crate only the poses are used;
//! velocities, accelerations and Jacobian lines are built here from the robot's joints.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use steiner_dynamics::{Mechanism, Tree};
use steiner_linalg::Vec3;
use steiner_linalg::elimination::Matrix;
use steiner_pga::{Blade, Element, Join, Line, Meet, Motor, Point};
use steiner_robot::{Motion, Pose, Robot, evaluate_direction};
use steiner_scalar::{DoubleDouble, Evaluated, Real, Scalar};
use support::Noise;

fn value<T>(evaluated: Result<Evaluated<T>, steiner_scalar::EvaluationError>) -> T {
    evaluated.expect("a number").value
}

fn motor<R: Real>(pose: &Pose<R>) -> Motor<R> {
    Motor::from_rotation_translation(&pose.rotation, pose.translation).normalized()
}

/// What algorithm 5 requires of each segment: M, V, V̇ (gravity included) and
/// the lines of its own coordinates.
struct Carried<R> {
    motor: Motor<R>,
    velocity: Line<R>,
    acceleration: Line<R>,
    lines: Vec<Line<R>>,
}

/// Kinematics in the algebra, from the joints' stages and the poses.
fn carried<R: Real>(
    robot: &Robot,
    tree: &Tree<R>,
    world: &[Pose<R>],
    qd: &[R],
    qdd: &[R],
) -> Vec<Carried<R>> {
    let stages: Vec<_> = robot.bodies.iter().flat_map(|body| body.joint.stages()).collect();
    // Gravity is felt as an upward acceleration of everything: G in line 8.
    let rise = Line::ideal(-tree.gravity);
    let mut all: Vec<Carried<R>> = Vec::new();
    for (index, (segment, stage)) in tree.segments.iter().zip(&stages).enumerate() {
        let parent = segment.parent.map(|parent| &all[parent]);
        let base = Motor::identity();
        let before: Pose<R> = value(stage.before.evaluate());
        let after: Pose<R> = value(stage.after.evaluate());
        // `before` seen from the world: first the inner placement, then the outer.
        let fixed_side = motor(&before) * parent.map_or(base, |p| p.motor);
        let own = motor(&world[index]);
        let moving_side = motor(&after).reverse() * own;
        let axis: Vec3<R> = value(evaluate_direction(&stage.axis));
        let origin = Vec3::zero();
        let lines: Vec<Line<R>> = match &stage.motion {
            Motion::Rotation => vec![Line::through(origin, axis).moved_by(&fixed_side)],
            Motion::Screw { pitch } => {
                let pitch = value(R::evaluate(pitch));
                vec![Line::new(axis, axis.scale(pitch)).moved_by(&fixed_side)]
            }
            Motion::Translation => vec![Line::ideal(axis).moved_by(&fixed_side)],
            Motion::Ball => {
                // Body axes through the centre, which is where the moving side has its origin.
                let centre = moving_side.to_translation();
                (0..3)
                    .map(|k| {
                        let direction = Point::ideal(Vec3::unit(k)).moved_by(&own).position;
                        Line::through(centre, direction)
                    })
                    .collect()
            }
            Motion::Plane => {
                // The plane's x and y: z turned to the normal the shortest way, carried by the body.
                let z: Vec3<R> = Vec3::unit(2);
                let basis = Motor::rotation(R::one() + z.dot(axis), z.cross(axis)).normalized();
                let carried = basis * moving_side;
                vec![
                    Line::ideal(Vec3::unit(0)).moved_by(&carried),
                    Line::ideal(Vec3::unit(1)).moved_by(&carried),
                    Line::through(origin, z).moved_by(&carried),
                ]
            }
            Motion::Free => {
                let ideal = (0..3).map(|k| Line::ideal(Vec3::unit(k)).moved_by(&own));
                ideal.chain((0..3).map(|k| Line::through(origin, Vec3::unit(k)).moved_by(&own))).collect()
            }
        };
        let mut velocity = parent.map_or(Line::zero(), |p| p.velocity);
        let mut acceleration = parent.map_or(rise, |p| p.acceleration);
        for (k, line) in lines.iter().enumerate() {
            velocity = velocity + line.scale(qd[segment.velocity + k]);
        }
        for (k, line) in lines.iter().enumerate() {
            // Every line is carried by the moving side: L̇ = L × V (28).
            let (rate, rate2) = (qd[segment.velocity + k], qdd[segment.velocity + k]);
            acceleration = acceleration + line.scale(rate2) + line.velocity(velocity).scale(rate);
        }
        all.push(Carried { motor: own, velocity, acceleration, lines });
    }
    all
}

/// Lines of all coordinates that move a segment: the Jacobian of (98) as pairs (coordinate, line).
fn jacobian<R: Real>(tree: &Tree<R>, carried: &[Carried<R>], segment: usize) -> Vec<(usize, Line<R>)> {
    let mut out = Vec::new();
    let mut at = Some(segment);
    while let Some(index) = at {
        let first = tree.segments[index].velocity;
        out.extend(carried[index].lines.iter().enumerate().map(|(k, line)| (first + k, *line)));
        at = tree.segments[index].parent;
    }
    out
}

/// The bar operator (100), and the pseudo-inertia's ten entries in terms of m, h, I:
/// Σ = ½ tr(I) 1 − I, so that Σ_xx = (I_yy + I_zz − I_xx)/2 and Σ_xy = −I_xy.
fn ten_columns<R: Real>(r: &[[R; 4]; 4]) -> [R; 10] {
    let pair = |m: usize, n: usize| r[m][n] + r[n][m];
    let bar = [
        r[0][0],
        pair(0, 1),
        pair(0, 2),
        r[1][1],
        pair(1, 2),
        r[2][2],
        pair(0, 3),
        pair(1, 3),
        pair(2, 3),
        r[3][3],
    ];
    let [xx, xy, xz, yy, yz, zz, hx, hy, hz, m] = bar;
    let half = |x: R| x.half();
    [m, hx, hy, hz, half(yy + zz - xx), -xy, half(xx + zz - yy), -xz, -yz, half(xx + yy - zz)]
}

/// Algorithm 5.
fn regressor_by_the_paper<R: Real>(robot: &Robot, q: &[R], qd: &[R], qdd: &[R]) -> Matrix<R> {
    let tree = Tree::<R>::new(robot).unwrap_or_else(|error| panic!("{error}"));
    let mut poses = Vec::new();
    tree.poses_at(q, &mut poses);
    let world = tree.world_poses(&poses);
    let carried = carried(robot, &tree, &world, qd, qdd);
    let mut y = Matrix::zeros(tree.dof, 10 * robot.bodies.len());
    for (body, &segment) in tree.segment_of_body.iter().enumerate() {
        let Carried { motor, velocity, acceleration, .. } = &carried[segment];
        // (33), (34), (35).
        let points = Point::frame().map(|point| point.moved_by(motor));
        let accelerations =
            points.map(|e| e.velocity(*acceleration) + e.velocity(*velocity).velocity(*velocity));
        for (coordinate, line) in jacobian(&tree, &carried, segment) {
            let r = points.map(|e| accelerations.map(|a| line.meet(e.join(a))));
            y.row_mut(coordinate)[10 * body..10 * body + 10].copy_from_slice(&ten_columns(&r));
        }
    }
    y
}

fn largest_difference<R: Real>(a: &Matrix<R>, b: &Matrix<R>) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    let scale = a.entries().iter().fold(1.0, |most: f64, x| most.max(x.to_f64().abs()));
    a.entries().iter().zip(b.entries()).fold(0.0, |most: f64, (x, y)| {
        let wrong = (*x - *y).to_f64().abs() / scale;
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

#[test]
fn every_entry_of_the_regressor_is_a_line_meeting_the_join_of_two_tetrahedral_points() {
    for seed in 0..48 {
        let mut noise = Noise::new(9000 + seed);
        let bodies = 1 + noise.below(8);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 3 == 0, 0);
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let q = support::random_configuration(&mechanism, &mut noise, 1.5);
        let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
        let y = mechanism.regressor(&q, &qd, &qdd).unwrap();
        let wrong = largest_difference(&y, &regressor_by_the_paper(mechanism.robot(), &q, &qd, &qdd));
        assert!(wrong < 1e-13, "seed {seed}: {wrong:e}");
    }
}

#[test]
fn the_same_holds_to_thirty_digits() {
    for seed in 0..6 {
        let mut noise = Noise::new(9500 + seed);
        let robot = random_robot::random_tree(&mut noise, 6, seed % 3 == 0, 0);
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let tree = Tree::<DoubleDouble>::new(mechanism.robot()).unwrap();
        let wide = |v: Vec<f64>| -> Vec<DoubleDouble> { v.into_iter().map(DoubleDouble::from_f64).collect() };
        let q = tree.displaced(&tree.neutral(), &wide(noise.vector(tree.dof)));
        let (qd, qdd) = (wide(noise.vector(tree.dof)), wide(noise.vector(tree.dof)));
        let mut poses = Vec::new();
        tree.poses_at(&q, &mut poses);
        let state = steiner_dynamics::Feasible {
            poses,
            velocity: qd.clone(),
            acceleration: qdd.clone(),
            reduction: None,
        };
        let y = steiner_dynamics::regressor(&tree, mechanism.layout(), &state);
        let wrong = largest_difference(&y, &regressor_by_the_paper(mechanism.robot(), &q, &qd, &qdd));
        assert!(wrong < 1e-28, "seed {seed}: {wrong:e}");
    }
}

#[test]
fn entry_49_holds_with_the_sixteen_coordinates_of_the_algebra_written_out() {
    let mut noise = Noise::new(17);
    let robot = random_robot::random_tree(&mut noise, 5, false, 0);
    let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
    let robot = mechanism.robot();
    let q = support::random_configuration(&mechanism, &mut noise, 1.5);
    let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
    let tree = mechanism.tree();
    let mut poses = Vec::new();
    tree.poses_at(&q, &mut poses);
    let all = carried(robot, tree, &tree.world_poses(&poses), &qd, &qdd);
    let y = mechanism.regressor(&q, &qd, &qdd).unwrap();
    let (mut ours, mut written_out) = (Vec::new(), Vec::new());
    for (body, &segment) in tree.segment_of_body.iter().enumerate() {
        let here = &all[segment];
        let (v, a) = (here.velocity.to_multivector(), here.acceleration.to_multivector());
        let m = here.motor.to_multivector();
        // (33), (34), (35) with sandwiches and commutators.
        let points = Point::frame().map(|p| p.to_multivector().sandwiched(&m));
        let accelerations = points.map(|e| e.commutator(&a) + e.commutator(&v).commutator(&v));
        for (coordinate, line) in jacobian(tree, &all, segment) {
            let line = line.to_multivector();
            let r = points.map(|e| accelerations.map(|a| line.outer(&e.join(&a)).coefficient(Blade::I)));
            for (k, entry) in ten_columns(&r).into_iter().enumerate() {
                ours.push(y[(coordinate, 10 * body + k)]);
                written_out.push(entry);
            }
        }
    }
    let wrong = support::discrepancy(&ours, &written_out);
    assert!(wrong < 1e-13, "{wrong:e}");
}
