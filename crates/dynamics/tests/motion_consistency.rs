//! Velocities and accelerations of feasible states against differences of closed configurations
//! along a smooth path, in 30 digits: the loop equations, their derivatives and the joints are the
//! test's own (support/classical.rs).

#[path = "support/classical.rs"]
mod classical;
#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use classical::{Classical, d};
use steiner_dynamics::{Closure, Mechanism, Tree};
use steiner_scalar::{DoubleDouble, Field, Real};
use support::{Noise, closed_mechanisms, random_configuration};

/// Largest |a − b| over the largest |a|.
fn discrepancy(a: &[DoubleDouble], b: &[DoubleDouble]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().fold(1.0, |most: f64, x| most.max(x.to_f64().abs()));
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| {
        let wrong = (*x - *y).to_f64().abs() / scale;
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

fn wide(v: &[f64]) -> Vec<DoubleDouble> {
    v.iter().map(|x| d(*x)).collect()
}

/// How far velocities and accelerations (in doubles, in double-doubles) and poses (in double-doubles) are
/// from those of the classical motion.
fn check(name: &str, mechanism: &Mechanism, noise: &mut Noise, size: f64, tight: f64, doubles: f64) {
    let robot = mechanism.robot();
    let classical = Classical::new(robot);
    let start = random_configuration(mechanism, noise, size);
    let tree_q = mechanism.tree_configuration(&start).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
    let motion = classical.motion(&tree_q, &mechanism.plan().independent, &qd, &qdd);

    let closure = Closure::<DoubleDouble>::new(robot).unwrap_or_else(|error| panic!("{name}: {error}"));
    let state = closure
        .feasible(mechanism.plan(), &wide(&tree_q), &wide(&qd), &wide(&qdd))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let wrong = discrepancy(&motion.velocity, &state.velocity);
    assert!(wrong < tight, "{name}: velocities differ by {wrong:e}");
    let wrong = discrepancy(&motion.acceleration, &state.acceleration);
    assert!(wrong < tight, "{name}: accelerations differ by {wrong:e}");
    // The same closed placements of all bodies, to the digits of both closures.
    let still = vec![DoubleDouble::zero(); classical.dof];
    let world = closure.tree.world_poses(&state.poses);
    for (body, pose) in classical.poses(&motion.base, &still).iter().enumerate() {
        let ours = &world[closure.tree.segment_of_body[body]];
        for r in 0..3 {
            let row =
                [ours.rotation.0[r][0], ours.rotation.0[r][1], ours.rotation.0[r][2], ours.translation[r]];
            let wrong = discrepancy(&pose[r], &row);
            assert!(wrong < 1e-24, "{name}: body {body} is placed {wrong:e} apart");
        }
    }

    let q = mechanism.independent_part(&tree_q);
    let state = mechanism.feasible(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{name}: {error}"));
    let wrong = discrepancy(&motion.velocity, &wide(&state.velocity));
    assert!(wrong < doubles, "{name}: velocities in doubles differ by {wrong:e}");
    let wrong = discrepancy(&motion.acceleration, &wide(&state.acceleration));
    assert!(wrong < doubles, "{name}: accelerations in doubles differ by {wrong:e}");
}

#[test]
fn loops_and_couplings_of_the_zoo_and_the_references_move_as_their_closed_paths() {
    for (name, mechanism, mut noise) in closed_mechanisms(31) {
        check(&name, &mechanism, &mut noise, 0.25, 1e-12, 1e-11);
    }
}

#[test]
fn chains_of_all_joint_kinds_closed_by_every_kind_of_loop_joint_move_as_their_closed_paths() {
    for (index, kind) in random_robot::LOOP_KINDS.iter().enumerate() {
        for seed in 0..6 {
            let mut noise = Noise::new(6000 + 100 * index as u64 + seed);
            let chain = random_robot::loop_chain(&mut noise, kind);
            let robot = random_robot::random_loop(&mut noise, &chain, kind);
            let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{kind} {seed}: {error}"));
            check(&format!("{kind} {seed} {chain:?}"), &mechanism, &mut noise, 0.2, 1e-9, 1e-9);
        }
    }
}

#[test]
fn random_couplings_move_as_their_closed_paths() {
    for seed in 0..16 {
        let mut noise = Noise::new(5000 + seed);
        let bodies = 3 + noise.below(5);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 2 == 0, 2);
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        check(&format!("seed {seed}"), &mechanism, &mut noise, 1.0, 1e-13, 1e-13);
    }
}

/// x of the plate follows the turn of the arm, while velocities of the plate are in its own turned
/// axes: no constant row relates them.
#[test]
fn a_coupling_of_a_planar_joints_displacement_is_refused_and_one_of_its_angle_holds() {
    let plate = |coordinate: &str| {
        support::robot(&format!(
            r#"
            name = "plate"
            [[body]]
            name = "arm"
            parent = "base"
            joint = "revolute"
            inertia = {{ mass = 1, com = [0.1, 0, 0], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }}
            [[body]]
            name = "plate"
            parent = "arm"
            joint = "planar"
            axis = [1, 2, 2]
            inertia = {{ mass = 2, com = [0.1, 0.2, 0], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }}
            [[coupling]]
            coordinate = "{coordinate}"
            terms = [["arm", 0.3]]
            "#
        ))
    };
    let refused = Mechanism::new(plate("plate:0")).expect_err("x is no integral of a velocity");
    assert!(refused.to_string().contains("plate:0"), "{refused}");
    let mechanism = Mechanism::new(plate("plate:2")).unwrap_or_else(|error| panic!("{error}"));
    check("plate", &mechanism, &mut Noise::new(3), 0.7, 1e-13, 1e-13);
}

#[test]
fn displacing_a_tree_moves_its_bodies_with_the_velocity_of_the_displacement() {
    for seed in 0..24 {
        let mut noise = Noise::new(8000 + seed);
        let bodies = 1 + noise.below(8);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 3 == 0, 0);
        let tree = Tree::<DoubleDouble>::new(&robot).unwrap_or_else(|error| panic!("{error}"));
        let q = tree.displaced(&tree.neutral(), &wide(&noise.vector(tree.dof)));
        let rate = wide(&noise.vector(tree.dof));
        let h = 1.0 / (1u64 << 33) as f64;
        let world = |t: f64| {
            let step: Vec<DoubleDouble> = rate.iter().map(|x| *x * d(t)).collect();
            let mut poses = Vec::new();
            tree.poses_at(&tree.displaced(&q, &step), &mut poses);
            tree.world_poses(&poses)
        };
        let (ahead, here, behind) = (world(h), world(0.0), world(-h));
        let mut poses = Vec::new();
        tree.poses_at(&q, &mut poses);
        let columns = tree.jacobian(&poses);
        for (segment, lines) in columns.iter().enumerate() {
            let mut twist = steiner_dynamics::Column::zero();
            for (line, &k) in lines.iter().zip(&tree.ancestry[segment]) {
                twist = twist.plus_scaled(rate[k], line);
            }
            let w = d(0.5 / h);
            let turning = here[segment].rotation.transpose()
                * (ahead[segment].rotation - behind[segment].rotation).scale(w);
            let moving = here[segment]
                .rotation
                .apply_transposed((ahead[segment].translation - behind[segment].translation).scale(w));
            let seen = [turning.0[2][1], turning.0[0][2], turning.0[1][0], moving[0], moving[1], moving[2]];
            let told: Vec<DoubleDouble> = twist.angular.0.into_iter().chain(twist.linear.0).collect();
            let wrong = discrepancy(&told, &seen);
            assert!(wrong < 1e-18, "seed {seed}, segment {segment}: {wrong:e}");
        }
    }
}
