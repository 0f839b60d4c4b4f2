//! Wrenches in the axes of the lab, of single contacts and of all that carries a floating robot.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    ContactWrench, Identification, Settings, SimulatedContact, Simulation, identify, simulate,
};
use steiner_linalg::Vec3;
use steiner_logs::Recording;
use support::{mechanism, sensors};

fn simulation() -> Simulation {
    Simulation { duration: 20.0, rate: 100.0, drives: false, ..Simulation::default() }
}

fn on_feet(robot: &Mechanism) -> Recording {
    let wrench = ContactWrench::Random { force: 40.0, torque: 5.0 };
    let contacts = vec![
        SimulatedContact { link: "FL_foot".to_owned(), wrench },
        SimulatedContact { link: "RL_foot".to_owned(), wrench: ContactWrench::Carries },
    ];
    simulate(robot, &Simulation { contacts, ..simulation() }).unwrap()
}

/// The place of a link that is fixed to a body, at a sample: rotation and origin, as functions of vectors.
fn at_base(robot: &Mechanism, log: &Recording, link: &str, sample: usize, wrench: &[f64]) -> Vec<f64> {
    let (nq, tree) = (robot.configuration_size(), robot.tree());
    let mut poses = Vec::new();
    tree.poses_at(&log.q[nq * sample..][..nq], &mut poses);
    let world = tree.world_poses(&poses);
    let bodies = robot.robot().bodies.iter().enumerate();
    let (body, frame) = bodies
        .filter_map(|(k, body)| {
            Some((k, body.lumped.iter().find(|lumped| lumped.name == link)?.frame.pose()))
        })
        .next()
        .expect("a foot");
    let pose = world[tree.segment_of_body[body]].then(&frame);
    // Turned by where points go, moved by the force's moment about the base's origin.
    let origin = pose.point(Vec3([0.0; 3]));
    let turned = |x: &[f64]| pose.point(Vec3([x[0], x[1], x[2]])) - origin;
    let (force, torque) = (turned(&wrench[..3]), turned(&wrench[3..]));
    let torque = torque + origin.cross(force);
    force.0.into_iter().chain(torque.0).collect()
}

fn identified(robot: &Mechanism, log: &Recording, measure: &str) -> Identification {
    let settings =
        Settings { measure: sensors(measure), drives: false, consistent: None, ..Settings::default() };
    identify(robot, log, &settings).unwrap()
}

fn mass(found: &Identification) -> f64 {
    found.parameters.iter().find(|p| p.name.ends_with(".m")).expect("a mass").least_squares
}

#[test]
fn contacts_in_lab_axes_are_the_same_contacts() {
    let robot = mechanism("go2");
    let log = on_feet(&robot);
    let mut in_lab = log.clone();
    for signal in &mut in_lab.contacts {
        let rows = signal.values.chunks(6).enumerate();
        signal.values = rows.flat_map(|(k, w)| at_base(&robot, &log, &signal.place, k, w)).collect();
        signal.place += "@base";
    }
    for measure in ["all", "base-wrench"] {
        let (own, other) = (identified(&robot, &log, measure), identified(&robot, &in_lab, measure));
        assert!(other.training.least_squares.total < 1e-9, "{}", other.training.least_squares.total);
        for (a, b) in own.parameters.iter().zip(&other.parameters) {
            assert!((a.least_squares - b.least_squares).abs() < 1e-7, "{} {}", a.name, b.name);
        }
    }
    // In the wrong axes they are not.
    in_lab.contacts.iter_mut().for_each(|signal| signal.place = signal.place.replace("@base", ""));
    assert!(identified(&robot, &in_lab, "base-wrench").training.least_squares.total > 0.1);
}

#[test]
fn one_plate_weighs_a_floating_robot() {
    let robot = mechanism("go2");
    let truth: f64 = robot.robot().bodies.iter().map(|body| body.inertia.mass).sum();
    let log = simulate(&robot, &Simulation { base_wrench: true, ..simulation() }).unwrap();
    // The root feels nothing but the plate.
    assert!(log.tau.chunks(18).all(|tau| tau[..6].iter().all(|x| x.abs() < 1e-6)));
    let found = identified(&robot, &log, "base-wrench");
    assert!(found.training.least_squares.total < 1e-9, "{}", found.training.least_squares.total);
    assert!((mass(&found) - truth).abs() < 1e-6, "{} {truth}", mass(&found));
    // It is the sum of what feet feel, moved to the origin.
    let mut on_feet = on_feet(&robot);
    let contacts = std::mem::take(&mut on_feet.contacts);
    let sample = |k: usize| -> Vec<f64> {
        let parts = contacts.iter().map(|c| at_base(&robot, &on_feet, &c.place, k, &c.values[6 * k..][..6]));
        parts.fold(vec![0.0; 6], |sum, part| sum.iter().zip(part).map(|(a, b)| a + b).collect())
    };
    let total: Vec<f64> = (0..on_feet.count).flat_map(sample).collect();
    on_feet.base_wrench = Some(total);
    let found = identified(&robot, &on_feet, "base-wrench");
    assert!(found.training.least_squares.total < 1e-9, "{}", found.training.least_squares.total);
    assert!((mass(&found) - truth).abs() < 1e-6, "{} {truth}", mass(&found));
}
