//! Limits hold between the samples: random arms, shapes and limits, looked at 20,000 times a second and with
//! distances by brute force.

use std::num::NonZeroUsize;

use steiner_dynamics::{Mechanism, Samples};
use steiner_excitation::{
    BodyCapsule, Bound, Design, Designed, ExcitationError, LimitChange, Obstacle, Quantity, Shape, design,
};
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::Question;
use steiner_linalg::{Stream, Vec3};
use steiner_robot::Capsule;

fn thorough() -> bool {
    std::env::var_os("STEINER_THOROUGH").is_some()
}

/// An arm of turning and sliding joints in general position, with drives and friction.
fn random_arm(seed: u64, random: &mut Stream) -> Mechanism {
    let mut text = String::from("name = \"arm\"\ngravity = [0.3, -0.2, -9.81]\n");
    let count = 2 + (seed % 4) as usize;
    for k in 0..count {
        let mut any = |most: f64| most * random.uniform();
        let parent = if k == 0 { "base".to_owned() } else { format!("link{}", k - 1) };
        let slides = (seed + k as u64).is_multiple_of(4);
        // A range that does not hold zero, too.
        let (lower, upper) = if slides { (0.2, 0.7) } else { (-1.0 + any(1.0), 1.5 + any(0.5)) };
        text += &format!(
            "[[body]]\nname = \"link{k}\"\nparent = \"{parent}\"\njoint = \"{}\"\n\
             xyz = [{}, {}, {}]\naxis = [{}, {}, {}]\n\
             inertia = {{ mass = {}, com = [{}, {}, {}], tensor = [0.02, 0.001, 0.03, 0.002, 0, 0.025] }}\n\
             friction = {{ viscous = 0.3, coulomb = {} }}\n\
             limits = {{ lower = {lower}, upper = {upper}, velocity = {}, effort = {} }}\n",
            if slides { "prismatic" } else { "revolute" },
            any(0.3),
            any(0.3),
            0.2 + any(0.1),
            any(1.0),
            any(1.0),
            1.0 + any(0.3),
            1.5 + any(1.0),
            any(0.1),
            any(0.1),
            any(0.1),
            0.5 + any(0.4),
            2.0 + any(1.0),
            80.0 + any(20.0),
        );
    }
    let path = std::env::temp_dir().join(format!("steiner-arm-{}-{seed}.toml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let robot = read_robot(&path.display().to_string(), &ReadOptions::default()).unwrap();
    std::fs::remove_file(&path).unwrap();
    Mechanism::new(robot).unwrap()
}

/// What a proven margin says must hold at every sample.
fn check_proven(mechanism: &Mechanism, found: &Designed, case: &str) {
    let motion = found.trajectory(mechanism, 20_000.0);
    let (count, dof) = (motion.t.len(), mechanism.dof());
    let samples = Samples { q: &motion.q, qd: &motion.qd, qdd: &motion.qdd, count };
    let mut forces = vec![0.0; count * dof];
    let parameters = mechanism.robot().parameters();
    mechanism.inverse_dynamics_batch(&parameters, &samples, NonZeroUsize::MIN, &mut forces).unwrap();
    let names = mechanism.independent_names();
    let mut checked = 0;
    for margin in found.margins.iter().filter(|margin| margin.bound == Bound::Proven) {
        let Some(k) = names.iter().position(|name| *name == margin.of) else { continue };
        let limits = found.limits.iter().find(|limits| limits.name == margin.of).unwrap();
        let friction = &mechanism.robot().bodies[k].joint.friction;
        for t in 0..count {
            let (q, v, a) = (motion.q[t * dof + k], motion.qd[t * dof + k], motion.qdd[t * dof + k]);
            let inside = match margin.quantity {
                Quantity::Position => limits.lower <= q && q <= limits.upper,
                Quantity::Velocity => v.abs() <= limits.velocity,
                Quantity::Acceleration => a.abs() <= limits.acceleration.unwrap(),
                Quantity::Jerk => continue,
                Quantity::Effort => {
                    let dry = friction.coulomb * if v == 0.0 { 0.0 } else { v.signum() };
                    let force = forces[t * dof + k] + friction.viscous * v + dry + friction.offset;
                    force.abs() <= limits.effort.unwrap()
                }
                _ => continue,
            };
            assert!(inside, "{case}: {margin:?} at {} s", motion.t[t]);
        }
        checked += 1;
    }
    assert!(checked >= 2 * dof, "{case}: {:?}", found.margins);
}

#[test]
fn of_random_arms_and_shapes() {
    let cases = if thorough() { 60 } else { 10 };
    let (mut efforts, mut proven) = (0, 0);
    for seed in 0..cases {
        let mut random = Stream::new(seed);
        let arm = random_arm(seed, &mut random);
        let shape = match seed % 3 {
            0 => Shape::Fourier { harmonics: 2 + (seed % 4) as usize, periods: 1 + (seed % 2) as usize },
            1 => Shape::Spline { points: 6 + (seed % 5) as usize },
            _ => Shape::Fourier { harmonics: 5, periods: 1 },
        };
        let change = LimitChange {
            joint: "link0".to_owned(),
            acceleration: Some(3.0 + random.uniform()),
            jerk: Some(40.0),
            ..LimitChange::default()
        };
        let wish =
            Design { shape, starts: Some(1), seed, duration: 6.0, limits: vec![change], ..Design::default() };
        let found = match design(&arm, &wish, &|_| false) {
            Ok(found) => found,
            // A random arm may be too heavy for its drives.
            Err(ExcitationError::NoRoom { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        assert!(found.feasible, "seed {seed}: {:?}", found.margins);
        check_proven(&arm, &found, &format!("seed {seed}, {shape:?}"));
        for margin in found.margins.iter().filter(|margin| margin.quantity == Quantity::Effort) {
            efforts += 1;
            proven += usize::from(margin.bound == Bound::Proven);
        }
    }
    println!("{proven} of {efforts} efforts proven");
    assert!(efforts > 10 && 10 * proven >= 9 * efforts, "{proven} of {efforts}");
}

/// A capsule along every link of an arm whose joints are apart.
fn capsules(mechanism: &Mechanism, radius: f64) -> Vec<BodyCapsule> {
    let bodies = &mechanism.robot().bodies;
    let mut out = Vec::new();
    for (body, own) in bodies.iter().enumerate() {
        let next = bodies.iter().find(|other| other.parent.is_some_and(|parent| parent.0 == body));
        let end = next.map_or([0.0, 0.0, 0.1], |next| next.joint.placement.pose().translation.0);
        // Where the axis of the joint is, seen from the body.
        let start = own.joint.body_frame.inverse_pose();
        out.push(BodyCapsule {
            body: Some(body),
            capsule: Capsule { from: start, to: end, radius },
            hull: None,
        });
    }
    out
}

trait InversePose {
    fn inverse_pose(&self) -> [f64; 3];
}

impl InversePose for steiner_robot::Frame {
    fn inverse_pose(&self) -> [f64; 3] {
        self.pose().inverse().translation.0
    }
}

/// Floor, wall and four boxes around an arm.
fn surroundings() -> Vec<Obstacle> {
    let cube = |x: f64, y: f64, z: f64| Obstacle::Box {
        from: [x - 0.1, y - 0.1, z - 0.1],
        to: [x + 0.1, y + 0.1, z + 0.1],
    };
    vec![
        Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset: -0.05 },
        Obstacle::Plane { normal: [1.0, 0.0, 0.0], offset: -0.5 },
        cube(0.55, 0.45, 0.3),
        cube(0.55, -0.45, 0.3),
        cube(0.0, 0.6, 0.8),
        cube(0.1, -0.6, 0.7),
    ]
}

/// The distance of two capsules, or of one from an obstacle, by many points along them.
fn roughly(a: (Vec3<f64>, Vec3<f64>), other: &Result<(Vec3<f64>, Vec3<f64>), &Obstacle>) -> f64 {
    let points = |(from, to): (Vec3<f64>, Vec3<f64>)| {
        (0..=40).map(move |k| from.plus_scaled(f64::from(k) / 40.0, to - from))
    };
    let mut least = f64::INFINITY;
    for p in points(a) {
        let distance = match other {
            Ok(b) => points(*b).map(|o| (p - o).dot(p - o).sqrt()).fold(f64::INFINITY, f64::min),
            Err(Obstacle::Plane { normal, offset }) => Vec3(*normal).dot(p) - offset,
            Err(Obstacle::Box { from, to }) => {
                let gap = Vec3(std::array::from_fn(|k| p[k] - p[k].clamp(from[k], to[k])));
                gap.dot(gap).sqrt()
            }
        };
        least = least.min(distance);
    }
    least
}

#[test]
fn among_floor_wall_and_boxes() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let mut capsules = capsules(&arm, 0.05);
    // A column on the ground beside the arm, as a link of its file would be.
    let column = Capsule { from: [-0.35, -0.35, 0.0], to: [-0.35, -0.35, 0.5], radius: 0.05 };
    capsules.push(BodyCapsule { body: None, capsule: column, hull: None });
    let obstacles = surroundings();
    for seed in 0..if thorough() { 20 } else { 1 } {
        let mut wish = Design {
            capsules: capsules.clone(),
            obstacles: obstacles.clone(),
            ignored: steiner_excitation::mostly_touching(&arm, &capsules, 0.01),
            seed,
            starts: if thorough() { None } else { Some(1) },
            ..Design::default()
        };
        wish.question.drives = false;
        let found = design(&arm, &wish, &|_| false).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        println!("seed {seed}: {:.2} s, log det {:.1}", found.seconds, found.log_det);
        assert!(found.feasible, "seed {seed}: {:?}", found.margins);
        check_proven(&arm, &found, &format!("seed {seed}"));
        let distances = found.margins.iter().filter(|margin| margin.quantity == Quantity::Distance);
        assert!(distances.clone().count() > 20);
        distances.for_each(|margin| assert_eq!(margin.bound, Bound::Proven, "{margin:?}"));
        // Brute force, a hundred times a second.
        let motion = found.trajectory(&arm, 100.0);
        let tree = arm.tree();
        for q in motion.q.chunks_exact(arm.configuration_size()) {
            let mut poses = Vec::new();
            tree.poses_at(q, &mut poses);
            let world = tree.world_poses(&poses);
            let ends = |k: usize| {
                let Capsule { from, to, .. } = capsules[k].capsule;
                let place = |point: [f64; 3]| match capsules[k].body {
                    Some(body) => world[tree.segment_of_body[body]].point(Vec3(point)),
                    None => Vec3(point),
                };
                (place(from), place(to))
            };
            let column = capsules.len() - 1;
            for a in 1..column {
                assert!(roughly(ends(a), &Ok(ends(column))) >= 0.1 + 0.01, "{a} and the column");
                for obstacle in &obstacles {
                    assert!(roughly(ends(a), &Err(obstacle)) >= 0.05 + 0.01);
                }
                for b in (0..a.saturating_sub(1)).filter(|b| !wish.ignored.contains(&(Some(*b), Some(a)))) {
                    assert!(roughly(ends(a), &Ok(ends(b))) >= 0.1 + 0.01, "{a} {b}");
                }
            }
        }
    }
}

#[test]
fn threads_change_no_motion_among_obstacles() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let capsules = capsules(&arm, 0.05);
    let found = |threads: usize| {
        let mut wish = Design {
            ignored: steiner_excitation::mostly_touching(&arm, &capsules, 0.01),
            capsules: capsules.clone(),
            obstacles: surroundings(),
            seed: 3,
            starts: Some(2),
            threads: NonZeroUsize::new(threads).unwrap(),
            ..Design::default()
        };
        wish.question.drives = false;
        design(&arm, &wish, &|_| false).unwrap()
    };
    let (alone, together) = (found(1), found(3));
    assert!(alone.feasible);
    assert_eq!(alone.coefficients, together.coefficients);
}

#[test]
fn refusals_say_what_is_in_the_way() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let capsules = capsules(&arm, 0.05);
    let refused = |change: &dyn Fn(&mut Design)| {
        let mut wish = Design { starts: Some(1), self_collision: false, ..Design::default() };
        wish.question.drives = false;
        change(&mut wish);
        design(&arm, &wish, &|_| false).map(|found| found.margins).unwrap_err().to_string()
    };
    let in_a_box = refused(&|wish| {
        wish.capsules = capsules.clone();
        wish.obstacles = vec![Obstacle::Box { from: [-2.0; 3], to: [2.0; 3] }];
    });
    assert!(in_a_box.contains("box 1"), "{in_a_box}");
    let start = refused(&|wish| {
        wish.capsules = capsules.clone();
        wish.obstacles = vec![Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset: 0.0 }];
        let joints = arm.independent_names();
        let down = |(k, name): (usize, &String)| (name.clone(), if k == 1 { 1.2 } else { 0.0 });
        wish.start = joints.iter().enumerate().map(down).collect();
    });
    assert!(start.contains("plane 1") && start.contains("where the motion begins"), "{start}");
    let weak = refused(&|wish| {
        let effort = LimitChange {
            joint: arm.independent_names()[1].clone(),
            effort: Some(0.1),
            ..Default::default()
        };
        let range = LimitChange { range: Some((-0.5, 0.5)), ..effort };
        wish.limits = vec![range];
    });
    assert!(weak.contains("at rest"), "{weak}");
    let narrow = refused(&|wish| {
        let joint = arm.independent_names()[2].clone();
        wish.limits = vec![LimitChange { joint, range: Some((0.3, 0.3)), ..Default::default() }];
    });
    assert!(narrow.contains("is limited to 0.3"), "{narrow}");
}

#[test]
fn a_joint_that_holds_still_keeps_its_torque_limit() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let joint = arm.robot().bodies[2].joint.name.clone();
    let limits = |effort: f64| {
        vec![LimitChange { joint: joint.clone(), effort: Some(effort), ..LimitChange::default() }]
    };
    let wish = |effort: f64| Design {
        starts: Some(1),
        still: vec![joint.clone()],
        limits: limits(effort),
        // Friction of a joint that stands still does not show.
        question: Question { drives: false, ..Question::default() },
        ..Design::default()
    };
    let found = design(&arm, &wish(60.0), &|_| false).unwrap();
    let own = found.margins.iter().find(|m| m.of == joint && m.quantity == Quantity::Effort).unwrap();
    assert!(own.bound != Bound::Violated && own.value.abs() <= 60.0, "{own:?}");
    // Gravity alone takes more where the forearm is level.
    let message = design(&arm, &wish(0.01), &|_| false).unwrap_err().to_string();
    assert!(message.contains(&joint), "{message}");
}

#[test]
fn a_joint_whose_range_is_empty_is_not_moved() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let joint = arm.robot().bodies[1].joint.name.clone();
    let locked = LimitChange { joint: joint.clone(), range: Some((0.5, 0.5)), ..LimitChange::default() };
    let wish = Design { starts: Some(1), limits: vec![locked], ..Design::default() };
    let message = design(&arm, &wish, &|_| false).unwrap_err().to_string();
    assert!(message.contains(&joint) && message.contains("stand still"), "{message}");
}
