//! What must not matter: where the base frame is, how links are cut, which hand and
//! which unit describe the robot.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use steiner_dynamics::Mechanism;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{
    Frame, JointKind, LoopKind, Orientation, PseudoInertia, Robot, RobotParts, evaluate_vector,
};
use steiner_scalar::Exact;
use support::{Noise, closed_mechanisms, discrepancy, random_configuration};

fn exact(v: [f64; 3]) -> [Exact; 3] {
    v.map(|x| Exact::from_f64(x).expect("a finite number"))
}

fn new_mechanism(robot: Robot) -> Mechanism {
    Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
}

fn checked(parts: RobotParts) -> Mechanism {
    new_mechanism(Robot::from_parts(parts).unwrap_or_else(|error| panic!("{error}")))
}

/// Trees with and without couplings, and all loops.
fn all_sorts() -> Vec<(String, Mechanism, f64)> {
    let mut out: Vec<(String, Mechanism, f64)> = (0..12)
        .map(|seed| {
            let mut noise = Noise::new(7000 + seed);
            let bodies = 2 + noise.below(6);
            let robot = random_robot::random_tree(
                &mut noise,
                bodies,
                seed % 3 == 0,
                if seed % 2 == 0 { 2 } else { 0 },
            );
            (format!("seed {seed}"), new_mechanism(robot), 1.0)
        })
        .collect();
    out.extend(closed_mechanisms(83).into_iter().map(|(name, mechanism, _)| (name, mechanism, 0.2)));
    out
}

/// How a second description of a robot relates to the first: each tree coordinate and its rates are
/// multiplied by one factor, its force by another.
struct Relation {
    coordinate: Vec<f64>,
    force: Vec<f64>,
}

impl Relation {
    fn equal(mechanism: &Mechanism) -> Self {
        Relation { coordinate: vec![1.0; mechanism.tree_dof()], force: vec![1.0; mechanism.tree_dof()] }
    }

    /// The same configuration in the second description.
    fn configuration(&self, robot: &Robot, tree: &[f64]) -> Vec<f64> {
        let mut out = tree.to_vec();
        let (velocities, configurations) = (robot.velocity_offsets(), robot.configuration_offsets());
        for (body, carrier) in robot.bodies.iter().enumerate() {
            // Of a quaternion (x, y, z, w) the vector part changes as the angles about the body axes do.
            for k in 0..carrier.joint.kind.dof() {
                out[configurations[body] + k] *= self.coordinate[velocities[body] + k];
            }
        }
        out
    }

    /// Compares the forces of both descriptions in the same states, in units of the first.
    fn check(&self, name: &str, first: &Mechanism, second: &Mechanism, size: f64, tolerance: f64) {
        let mut noise = Noise::new(89);
        let independent = &first.plan().independent;
        assert_eq!(independent, &second.plan().independent, "{name}");
        for _ in 0..2 {
            let q = random_configuration(first, &mut noise, size);
            let tree = first.tree_configuration(&q).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (qd, qdd) = (noise.vector(first.dof()), noise.vector(first.dof()));
            let q = first.independent_part(&tree);
            let tau = first.inverse_dynamics(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{name}: {error}"));
            let rates = |v: &[f64]| -> Vec<f64> {
                v.iter().zip(independent).map(|(x, &k)| x * self.coordinate[k]).collect()
            };
            let changed = self.configuration(first.robot(), &tree);
            let state = second
                .closure()
                .feasible(second.plan(), &changed, &rates(&qd), &rates(&qdd))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let y = steiner_dynamics::regressor(second.tree(), second.layout(), &state);
            let forces = y.apply(&second.robot().parameters());
            let found: Vec<f64> = forces.iter().zip(independent).map(|(f, &k)| f / self.force[k]).collect();
            let wrong = discrepancy(&tau, &found);
            assert!(wrong < tolerance, "{name}: {wrong:e}");
        }
    }
}

#[test]
fn turning_gravity_together_with_the_base_leaves_all_forces_as_they_were() {
    for (name, first, size) in all_sorts() {
        let mut robot = first.robot().clone().into_parts();
        // An arbitrary placement of everything that hangs on the world.
        let quaternion = [0.4, -0.3, 0.5, 0.7].map(|x: f64| Exact::from_f64(x).unwrap());
        let shift = Frame::new(exact([0.3, -1.1, 0.7]), Orientation::Quaternion(quaternion));
        let turned: Mat3<f64> = shift.pose().rotation;
        for body in robot.bodies.iter_mut().filter(|body| body.parent.is_none()) {
            body.joint.placement = shift.then(&body.joint.placement);
        }
        for closure in &mut robot.loops {
            for side in [&mut closure.predecessor, &mut closure.successor] {
                if side.body.is_none() {
                    side.frame = shift.then(&side.frame);
                }
            }
        }
        let gravity: Vec3<f64> = evaluate_vector(&robot.gravity).unwrap().value;
        robot.gravity = exact(turned.apply(gravity).0);
        Relation::equal(&first).check(&name, &first, &checked(robot), size, 1e-11);
    }
}

/// For each tree velocity, whether it is a length (true) or an angle.
fn lengths(robot: &RobotParts) -> Vec<bool> {
    robot
        .bodies
        .iter()
        .flat_map(|body| match body.joint.kind {
            JointKind::Prismatic => vec![true],
            JointKind::Cylindrical => vec![false, true],
            JointKind::Planar => vec![true, true, false],
            JointKind::Floating => vec![true, true, true, false, false, false],
            JointKind::Spherical => vec![false; 3],
            JointKind::Universal { .. } => vec![false; 2],
            _ => vec![false],
        })
        .collect()
}

fn scaled_vector(v: &[Exact; 3], by: [i64; 3]) -> [Exact; 3] {
    std::array::from_fn(|k| v[k].clone() * Exact::integer(by[k]))
}

/// A frame with its translations multiplied; orientations by `turn`.
fn rewritten(frame: &Frame, by: [i64; 3], turn: impl Fn(&Orientation) -> Orientation) -> Frame {
    frame.steps().iter().fold(Frame::identity(), |all, step| {
        all.then(&Frame::new(scaled_vector(&step.xyz, by), turn(&step.orientation)))
    })
}

#[test]
fn a_robot_written_in_millimetres_has_the_same_forces_in_its_units() {
    const K: i64 = 1000;
    for (name, first, size) in all_sorts() {
        let mut robot = first.robot().clone().into_parts();
        let by = [K; 3];
        let same = Orientation::clone;
        for body in &mut robot.bodies {
            body.joint.placement = rewritten(&body.joint.placement, by, same);
            body.joint.body_frame = rewritten(&body.joint.body_frame, by, same);
            if let JointKind::Helical { pitch } = &mut body.joint.kind {
                *pitch = pitch.clone() * Exact::integer(K);
            }
            let k = K as f64;
            let mut p = body.inertia.parameters();
            p[1..4].iter_mut().for_each(|x| *x *= k);
            p[4..].iter_mut().for_each(|x| *x *= k * k);
            body.inertia = PseudoInertia::from_parameters(&p);
        }
        for closure in &mut robot.loops {
            for side in [&mut closure.predecessor, &mut closure.successor] {
                side.frame = rewritten(&side.frame, by, same);
            }
        }
        let is_length = lengths(&robot);
        for coupling in &mut robot.couplings {
            let offsets = first.robot().velocity_offsets();
            let unit = |c: &steiner_robot::Coordinate| {
                if is_length[offsets[c.body.0] + c.component] { K } else { 1 }
            };
            let target = unit(&coupling.coordinate);
            coupling.offset = coupling.offset.clone() * Exact::integer(target);
            for (term, factor) in &mut coupling.terms {
                *factor = factor.clone() * Exact::integer(target) / Exact::integer(unit(term));
            }
        }
        // Power in kg mm²/s³ is a million times that in W: torques by 10⁶, forces by 10³.
        let k = K as f64;
        let relation = Relation {
            coordinate: is_length.iter().map(|&length| if length { k } else { 1.0 }).collect(),
            force: is_length.iter().map(|&length| if length { k } else { k * k }).collect(),
        };
        let reference = relation.configuration(first.robot(), first.reference_tree());
        robot.reference = reference.iter().map(|x| Exact::from_f64(*x).unwrap()).collect();
        robot.gravity = scaled_vector(&robot.gravity, by);
        robot.independent = Some(first.independent());
        relation.check(&name, &first, &checked(robot), size, 1e-10);
    }
}

#[test]
fn a_mirrored_robot_moves_mirrored_with_the_same_forces() {
    // Mirrored in the plane y = 0: S = diag(1, −1, 1). Rotations become S R S, axes
    // of turns are pseudovectors −S a.
    for (name, first, size) in all_sorts() {
        // The shortest turn of a planar joint's z to its normal is its own convention: planes are left out.
        if first.robot().bodies.iter().any(|body| body.joint.kind == JointKind::Planar) {
            continue;
        }
        let mut robot = first.robot().clone().into_parts();
        let by = [1, -1, 1];
        let turn = |o: &Orientation| -> Orientation {
            let negative = |x: &Exact| -x.clone();
            match o {
                Orientation::RollPitchYaw([r, p, y]) => {
                    Orientation::RollPitchYaw([negative(r), p.clone(), negative(y)])
                }
                Orientation::Quaternion([w, x, y, z]) => {
                    Orientation::Quaternion([w.clone(), negative(x), y.clone(), negative(z)])
                }
                Orientation::Matrix(m) => Orientation::Matrix(std::array::from_fn(|r| {
                    std::array::from_fn(|c| {
                        if (r == 1) != (c == 1) { negative(&m[r][c]) } else { m[r][c].clone() }
                    })
                })),
            }
        };
        for body in &mut robot.bodies {
            let joint = &mut body.joint;
            joint.placement = rewritten(&joint.placement, by, turn);
            joint.body_frame = rewritten(&joint.body_frame, by, turn);
            // With the axis mirrored as a vector, turns change sign and slides do not.
            joint.axis = scaled_vector(&joint.axis, by);
            match &mut joint.kind {
                JointKind::Universal { axis2 } => *axis2 = scaled_vector(axis2, by),
                // A right-hand thread becomes a left-hand one.
                JointKind::Helical { pitch } => *pitch = -pitch.clone(),
                _ => {}
            }
            let mut p = body.inertia.parameters();
            // my, Ixy, Iyz change sign.
            for k in [2, 5, 8] {
                p[k] = -p[k];
            }
            body.inertia = PseudoInertia::from_parameters(&p);
        }
        for closure in &mut robot.loops {
            closure.axis = scaled_vector(&closure.axis, by);
            if let LoopKind::Universal { axis2 } = &mut closure.kind {
                *axis2 = scaled_vector(axis2, by);
            }
            for side in [&mut closure.predecessor, &mut closure.successor] {
                side.frame = rewritten(&side.frame, by, turn);
            }
        }
        // The sign of each tree velocity.
        let sign: Vec<f64> = first
            .robot()
            .bodies
            .iter()
            .flat_map(|body| match body.joint.kind {
                JointKind::Prismatic => vec![1.0],
                JointKind::Cylindrical => vec![-1.0, 1.0],
                JointKind::Universal { .. } => vec![-1.0, -1.0],
                JointKind::Spherical => vec![-1.0, 1.0, -1.0],
                JointKind::Floating => vec![1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
                _ => vec![-1.0],
            })
            .collect();
        let offsets = first.robot().velocity_offsets();
        let signed = |c: &steiner_robot::Coordinate| sign[offsets[c.body.0] + c.component] as i64;
        for coupling in &mut robot.couplings {
            let target = signed(&coupling.coordinate);
            coupling.offset = coupling.offset.clone() * Exact::integer(target);
            for (term, factor) in &mut coupling.terms {
                *factor = factor.clone() * Exact::integer(target * signed(term));
            }
        }
        let relation = Relation { coordinate: sign.clone(), force: sign };
        let reference = relation.configuration(first.robot(), first.reference_tree());
        robot.reference = reference.iter().map(|x| Exact::from_f64(*x).unwrap()).collect();
        robot.gravity = scaled_vector(&robot.gravity, by);
        robot.independent = Some(first.independent());
        relation.check(&name, &first, &checked(robot), size, 1e-11);
    }
}

#[test]
fn a_link_cut_in_two_by_a_fixed_joint_is_the_same_body() {
    let with = |bodies: &str| {
        support::mechanism(&format!(
            r#"
name = "arm"
gravity = [1, 2, -9]
[[body]]
name = "shoulder"
parent = "base"
joint = "revolute"
axis = [0, 1, 0]
inertia = {{ mass = 2, com = [0.1, 0, 0.2], tensor = [0.02, 0.001, 0.03, 0, 0.002, 0.025] }}
{bodies}
[[body]]
name = "wrist"
parent = "{}"
joint = "universal"
xyz = {}
axis = [1, 0, 0]
axis2 = [0, 0, 1]
inertia = {{ mass = 1, com = [0, 0.05, 0.1], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }}
"#,
            if bodies.contains("flange") { "flange" } else { "shoulder" },
            // The flange is turned a quarter about x and moved to (0.3, 0.1, 0.2).
            if bodies.contains("flange") { "[0, 0.1, 0]" } else { "[0.3, 0.1, 0.3]" },
        ))
    };
    // The wrist hangs 0.1 along the flange's y, which is the shoulder's z.
    let cut = with(
        "[[body]]\nname = \"flange\"\nparent = \"shoulder\"\njoint = \"fixed\"\nxyz = [0.3, 0.1, 0.2]\n\
         rpy = [\"pi/2\", 0, 0]\n\
         inertia = { mass = 3, com = [0.01, 0.02, 0.03], tensor = [0.01, 0.002, 0.02, 0.003, 0.001, 0.015] }\n",
    );
    assert_eq!(cut.robot().bodies.len(), 2);
    // In one body: the flange's inertia moved by hand to the shoulder's frame.
    let mut whole = with("").robot().clone().into_parts();
    let quarter = Mat3([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
    let (m, com) = (3.0, Vec3([0.01, 0.02, 0.03]));
    let centre = Vec3([0.3, 0.1, 0.2]) + quarter.apply(com);
    let tensor = Mat3([[0.01, 0.002, 0.003], [0.002, 0.02, 0.001], [0.003, 0.001, 0.015]]);
    let turned = quarter * tensor * quarter.transpose();
    let c = centre.skew() * centre.skew();
    let about_origin = turned - c.scale(m);
    let i = about_origin.0;
    let added = [
        m,
        m * centre[0],
        m * centre[1],
        m * centre[2],
        i[0][0],
        i[0][1],
        i[1][1],
        i[0][2],
        i[1][2],
        i[2][2],
    ];
    let mut sum = whole.bodies[0].inertia.parameters();
    sum.iter_mut().zip(added).for_each(|(a, b)| *a += b);
    whole.bodies[0].inertia = PseudoInertia::from_parameters(&sum);
    // The wrist's axes turn with the flange.
    let turn = Frame::new(
        exact([0.0; 3]),
        Orientation::Matrix([exact([1.0, 0.0, 0.0]), exact([0.0, 0.0, -1.0]), exact([0.0, 1.0, 0.0])]),
    );
    whole.bodies[1].joint.placement = whole.bodies[1].joint.placement.then(&turn);
    let whole = checked(whole);
    let mut noise = Noise::new(97);
    for _ in 0..10 {
        let [q, qd, qdd] = [noise.vector(3), noise.vector(3), noise.vector(3)];
        let (a, b) =
            (cut.inverse_dynamics(&q, &qd, &qdd).unwrap(), whole.inverse_dynamics(&q, &qd, &qdd).unwrap());
        assert!(discrepancy(&a, &b) < 1e-13, "{a:?} {b:?}");
        let y = cut.regressor(&q, &qd, &qdd).unwrap().apply(&whole.robot().parameters());
        assert!(discrepancy(&a, &y) < 1e-13);
    }
}

#[test]
fn moving_a_body_frame_along_with_its_inertia_changes_no_force() {
    // `frame` places the body frame in the joint frame; forces of the joint do not
    // depend on it (floating rows do).
    for seed in 0..12 {
        let mut noise = Noise::new(7700 + seed);
        let bodies = 2 + noise.below(5);
        let first = new_mechanism(random_robot::random_tree(&mut noise, bodies, false, 0));
        let mut robot = first.robot().clone().into_parts();
        let moved = |body: &steiner_robot::Body| {
            matches!(
                body.joint.kind,
                JointKind::Revolute
                    | JointKind::Continuous
                    | JointKind::Prismatic
                    | JointKind::Helical { .. }
                    | JointKind::Cylindrical
                    | JointKind::Universal { .. }
            )
        };
        for index in 0..robot.bodies.len() {
            if !moved(&robot.bodies[index]) {
                continue;
            }
            let quaternion = [1.0, 0.5 * noise.uniform(), noise.uniform(), noise.uniform()];
            let v = noise.vector(3);
            let shift = Frame::new(
                exact([v[0], v[1], v[2]]),
                Orientation::Quaternion(quaternion.map(|x| Exact::from_f64(x).unwrap())),
            );
            let pose = shift.pose();
            let back = pose.inverse();
            let body = &mut robot.bodies[index];
            body.joint.body_frame = body.joint.body_frame.then(&shift);
            body.inertia = body.inertia.moved(&back.rotation, back.translation.0);
            // Children hang where they did.
            let inverse = Frame::new(
                exact(back.translation.0),
                Orientation::Quaternion([
                    Exact::from_f64(quaternion[0]).unwrap(),
                    Exact::from_f64(-quaternion[1]).unwrap(),
                    Exact::from_f64(-quaternion[2]).unwrap(),
                    Exact::from_f64(-quaternion[3]).unwrap(),
                ]),
            );
            for child in robot.bodies.iter_mut().filter(|b| b.parent.is_some_and(|p| p.0 == index)) {
                child.joint.placement = inverse.then(&child.joint.placement);
            }
        }
        Relation::equal(&first).check(&format!("seed {seed}"), &first, &checked(robot), 1.0, 1e-11);
    }
}

#[test]
fn the_puma_at_zero_holds_the_torques_its_literature_prints() {
    let robot = steiner_formats::read_robot("puma560", &steiner_formats::ReadOptions::default()).unwrap();
    let torques = Mechanism::new(robot).unwrap().gravity_force(&[0.0; 6]).unwrap();
    // Corke's toolbox prints 37.4837 and 0.2489 N·m for joints 2 and 3, and nothing for the others.
    for (found, printed) in torques.iter().zip([0.0, 37.4837, 0.2489, 0.0, 0.0, 0.0]) {
        assert!((found - printed).abs() < 6e-5, "{torques:?}");
    }
}
