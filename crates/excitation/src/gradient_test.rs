//! Gradients of the whole objective against its own differences.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_robot::Capsule;

use crate::basis::Shape;
use crate::clearance::{BodyCapsule, Obstacle};
use crate::design::{Design, LimitChange, TurnSum};
use crate::hull::Hull;
use crate::minimise::Barrier;
use crate::objective::Objective;
use crate::search::first_motion;
use crate::task::Task;

fn check(name: &str, change: impl Fn(&Mechanism, &mut Design), tolerance: f64) {
    let mechanism = Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap();
    check_of(name, &mechanism, change, tolerance);
}

fn check_of(name: &str, mechanism: &Mechanism, change: impl Fn(&Mechanism, &mut Design), tolerance: f64) {
    let mut design = Design::default();
    change(mechanism, &mut design);
    let task = Task::new(mechanism, &design).unwrap();
    let mut random = steiner_linalg::Stream::new(5);
    let x = first_motion(&task, &mut random).unwrap();
    let mut quiet = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(&task, 24, &mut quiet);
    objective.barrier = 0.1;
    objective.ridge = 1e-6;
    objective.value(&x).unwrap();
    let [linear, rest] = objective.gradient().unwrap();
    let gradient: Vec<f64> = linear.iter().zip(&rest).map(|(a, b)| a + b).collect();
    let size = gradient.iter().fold(0.0f64, |most, g| most.max(g.abs()));
    let step = 1e-5;
    for k in (0..x.len()).filter(|k| k % task.basis.len() > 0 || task.start[k / task.basis.len()].is_none()) {
        let mut moved = |by: f64| {
            let mut x = x.clone();
            x[k] += by;
            objective.value(&x).unwrap()
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!(
            (gradient[k] - difference).abs() < tolerance * size,
            "{name}, coefficient {k}: {} against {difference}, largest {size}",
            gradient[k]
        );
    }
}

#[test]
fn of_an_arm_with_drives_torques_powers_and_sums_of_turns() {
    check(
        "panda",
        |_, design| {
            let power = |joint: &str| LimitChange {
                joint: joint.to_owned(),
                power: Some(60.0),
                ..Default::default()
            };
            let acceleration = LimitChange {
                joint: "link3".to_owned(),
                acceleration: Some(9.0),
                jerk: Some(90.0),
                ..power("link3")
            };
            design.limits = vec![power("link1"), power("link2"), acceleration];
            let terms = vec![("link1".to_owned(), 1.0), ("link7".to_owned(), 0.5)];
            design.turn_sums = vec![TurnSum { terms, lower: -4.0, upper: 4.0 }];
        },
        1e-5,
    );
}

#[test]
fn of_splines_from_a_given_pose() {
    check(
        "puma560",
        |_, design| {
            design.shape = Shape::Spline { points: 6 };
            design.question.drives = false;
            design.start = vec![("link1".to_owned(), 0.1)];
        },
        1e-5,
    );
}

#[test]
fn of_distances() {
    check(
        "ur5",
        |mechanism, design| {
            let capsule = |body: usize| BodyCapsule {
                body: Some(body),
                capsule: steiner_robot::Capsule { from: [0.0; 3], to: [0.05, 0.1, 0.1], radius: 0.04 },
                hull: None,
            };
            design.capsules = (0..mechanism.robot().bodies.len()).map(capsule).collect();
            design.capsules.push(BodyCapsule {
                body: None,
                capsule: steiner_robot::Capsule {
                    from: [-0.3, 0.0, -0.2],
                    to: [-0.3, 0.0, 0.1],
                    radius: 0.05,
                },
                hull: None,
            });
            design.obstacles = vec![
                Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset: -0.6 },
                Obstacle::Box { from: [0.9, -0.2, 0.0], to: [1.2, 0.2, 0.4] },
            ];
        },
        1e-4,
    );
}

#[test]
fn of_loops() {
    for name in ["four_bar", "delta", "palletizer"] {
        check(name, |_, design| design.question.drives = false, 1e-4);
    }
}

#[test]
fn of_joints_that_follow() {
    let link = |k: usize, xyz: &str| {
        format!(
            "[[body]]\nname = \"b{k}\"\nparent = \"{}\"\njoint = \"revolute\"\nxyz = [0.3, 0, 0.1]\naxis = {xyz}\n\
             inertia = {{ mass = 2, com = [0.2, 0.02, 0.05], tensor = [0.03, 0.001, 0.04, 0.002, 0, 0.05] }}\n\
             friction = {{ viscous = 0.2, coulomb = 0.3 }}\n\
             limits = {{ lower = -2, upper = 2, velocity = 3, effort = 50 }}\n",
            if k == 0 { "base".to_owned() } else { format!("b{}", k - 1) }
        )
    };
    let text = format!(
        "name = \"arm\"\ngravity = [0, 0, -9.81]\n{}{}{}[[coupling]]\ncoordinate = \"b2\"\nterms = [[\"b1\", \"-1.5\"]]\noffset = \"0.2\"\n",
        link(0, "[0, 0, 1]"),
        link(1, "[0, 1, 0]"),
        link(2, "[0, 1, 0]")
    );
    let path = std::env::temp_dir().join(format!("steiner-gradient-{}.toml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    check(&path.display().to_string(), |_, _| {}, 1e-4);
    let at_rest = |_: &Mechanism, design: &mut Design| {
        design.question.measure = "static".parse().unwrap();
        design.question.drives = false;
    };
    check(&path.display().to_string(), at_rest, 1e-4);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn of_poses_and_wrenches() {
    let measure = |text: &'static str| {
        move |_: &Mechanism, design: &mut Design| {
            design.question.measure = text.parse().unwrap();
            design.question.drives = false;
        }
    };
    check("puma560", measure("static"), 1e-4);
    check("scara_sr6ia", measure("base-wrench"), 1e-4);
}

#[test]
fn of_feet_on_the_ground() {
    let go2 = read_robot("go2", &ReadOptions::default()).unwrap();
    let feet = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"].map(|foot| foot.parse().unwrap());
    let mechanism = Mechanism::new(crate::standing(&go2, &feet, &[]).unwrap()).unwrap();
    let change = |_: &Mechanism, design: &mut Design| {
        design.question.drives = false;
        design.friction = Some(0.6);
        design.shape = Shape::Fourier { harmonics: 2, periods: 1 };
    };
    check_of("go2", &mechanism, change, 1e-4);
}

/// An arm among a floor, a box and its own links, some of them as hulls.
fn among_obstacles(arm: &Mechanism) -> Design {
    let mut capsules: Vec<BodyCapsule> = (0..6)
        .map(|body| BodyCapsule {
            body: Some(body),
            capsule: Capsule { from: [0.0; 3], to: [0.0, 0.02, 0.1], radius: 0.04 },
            hull: None,
        })
        .collect();
    for own in capsules.iter_mut().step_by(2) {
        let points = (0..8).map(|k| std::array::from_fn(|i| 0.02 * f64::from(k >> i & 1))).collect();
        own.hull = Some(Hull { points, radius: 0.01 });
    }
    Design {
        ignored: crate::mostly_touching(arm, &capsules, 0.01),
        capsules,
        obstacles: vec![
            Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset: -0.3 },
            Obstacle::Box { from: [0.4, 0.2, 0.0], to: [0.6, 0.5, 0.4] },
        ],
        ..Design::default()
    }
}

#[test]
fn what_is_known_of_a_motion_changes_no_value_of_another() {
    let arm = Mechanism::new(read_robot("ur5", &ReadOptions::default()).unwrap()).unwrap();
    let mut task = Task::new(&arm, &among_obstacles(&arm)).unwrap();
    let mut random = steiner_linalg::Stream::new(2);
    let mut x = first_motion(&task, &mut random).unwrap();
    let (mut refused, mut compared) = (0, 0);
    for threads in [1, 3] {
        task.threads = std::num::NonZeroUsize::new(threads).unwrap();
        for barrier in [1.0, 1e-3] {
            let mut quiet = |_: &[f64], _: f64| false;
            let mut objective = Objective::new(&task, 64, &mut quiet);
            objective.barrier = barrier;
            objective.value(&x).unwrap();
            objective.gradient().unwrap();
            for case in 0..60 {
                // From hardly moved to far away.
                let size = 10f64.powi(-(case % 6));
                let moved: Vec<f64> = x.iter().map(|x| x + size * random.normal()).collect();
                let mut quiet = |_: &[f64], _: f64| false;
                let mut alone = Objective::new(&task, 64, &mut quiet);
                alone.barrier = barrier;
                match (objective.value(&moved), alone.value(&moved)) {
                    (None, None) => refused += 1,
                    (Some(known), Some(fresh)) => {
                        compared += 1;
                        assert!((known - fresh).abs() < 1e-8 * fresh.abs(), "{case}: {known} {fresh}");
                        let known = objective.gradient().unwrap();
                        let fresh = alone.gradient().unwrap();
                        for (known, fresh) in known.iter().flatten().zip(fresh.iter().flatten()) {
                            assert!((known - fresh).abs() < 1e-5 * (1.0 + fresh.abs()), "{known} {fresh}");
                        }
                        x = moved;
                    }
                    (known, fresh) => panic!("{case}: {known:?} {fresh:?}"),
                }
            }
        }
    }
    assert!(refused > 20 && compared > 60, "{refused} {compared}");
}
