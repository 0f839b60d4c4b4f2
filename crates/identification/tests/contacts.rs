//! Seed 004: identification from the base wrench alone, with contacts on links, and with axes that are not
//! where a simple model has them. The paper's tables are in `multi_contact_paper.rs`.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    ContactWrench, Problem, Settings, SimulatedContact, Simulation, identify, simulate,
};
use support::{mechanism, sensors, truth, with_drives, worst_error, written, zoo};

fn base_wrench_settings() -> Settings {
    Settings { measure: sensors("base-wrench"), drives: false, consistent: None, ..Settings::default() }
}

fn contact(link: &str, force: f64, torque: f64) -> SimulatedContact {
    SimulatedContact { link: link.to_owned(), wrench: ContactWrench::Random { force, torque } }
}

#[test]
fn the_ground_pushes_back_what_momentum_asks() {
    // The wrench from the ground against finite differences of momentum, with
    // contacts: no regressor, no recursion.
    let arm = mechanism("ur5");
    let simulation = Simulation { duration: 1.0, rate: 2000.0, base_wrench: true, ..Simulation::default() };
    let links: Vec<&str> = arm.robot().bodies.iter().map(|body| body.name.as_str()).collect();
    let simulation =
        Simulation { contacts: vec![contact(links[3], 5.0, 1.0), contact(links[5], 8.0, 0.5)], ..simulation };
    let data = simulate(&arm, &simulation).unwrap();
    let tree = arm.tree();
    let cloud = |ten: &steiner_robot::PseudoInertia| -> Vec<(f64, [f64; 3])> {
        // Six points about the centre of mass with the body's second moments Σ = L Lᵀ: along the columns of
        // L.
        let centred = ten.centred();
        let [xx, xy, yy, xz, yz, zz] = centred.tensor;
        let half = 0.5 * (xx + yy + zz);
        let s = [[half - xx, -xy, -xz], [-xy, half - yy, -yz], [-xz, -yz, half - zz]];
        let mut l = [[0.0f64; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let rest = s[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
                l[i][j] = if i == j {
                    rest.max(0.0).sqrt()
                } else if l[j][j] > 0.0 {
                    rest / l[j][j]
                } else {
                    0.0
                };
            }
        }
        let m = ten.mass / 6.0;
        let reach = (0.5 / m).sqrt();
        (0..3)
            .flat_map(|k| [1.0, -1.0].map(|sign| (k, sign)))
            .map(|(k, sign)| (m, std::array::from_fn(|i| centred.com[i] + sign * reach * l[i][k])))
            .collect()
    };
    let positions = |sample: usize| -> Vec<(f64, [f64; 3])> {
        let q = &data.q[6 * sample..6 * sample + 6];
        let mut poses = Vec::new();
        tree.poses_at(q, &mut poses);
        let world = tree.world_poses(&poses);
        let bodies = arm.robot().bodies.iter().enumerate();
        bodies
            .flat_map(|(k, body)| {
                let pose = world[tree.segment_of_body[k]];
                cloud(&body.inertia).into_iter().map(move |(m, x)| (m, pose.point(x.into()).0))
            })
            .collect()
    };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dt: f64 = 1.0 / 2000.0;
    for sample in [100, 700, 1500] {
        let (before, now, after) = (positions(sample - 1), positions(sample), positions(sample + 1));
        let mut wanted = [0.0; 6];
        for k in 0..now.len() {
            let m = now[k].0;
            let force: [f64; 3] = std::array::from_fn(|i| {
                let acceleration = (before[k].1[i] - 2.0 * now[k].1[i] + after[k].1[i]) / (dt * dt);
                m * (acceleration + if i == 2 { 9.81 } else { 0.0 })
            });
            let torque = cross(now[k].1, force);
            (0..3).for_each(|i| wanted[i] += force[i]);
            (0..3).for_each(|i| wanted[3 + i] += torque[i]);
        }
        let mut poses = Vec::new();
        tree.poses_at(&data.q[6 * sample..6 * sample + 6], &mut poses);
        let world = tree.world_poses(&poses);
        for signal in &data.contacts {
            let body = links.iter().position(|link| *link == signal.place).unwrap();
            let pose = world[tree.segment_of_body[body]];
            let w = &signal.values[6 * sample..6 * sample + 6];
            let force = pose.rotation.apply([w[0], w[1], w[2]].into()).0;
            let torque = pose.rotation.apply([w[3], w[4], w[5]].into()).0;
            let moment = cross(pose.translation.0, force);
            (0..3).for_each(|i| wanted[i] -= force[i]);
            (0..3).for_each(|i| wanted[3 + i] -= torque[i] + moment[i]);
        }
        let measured = &data.base_wrench.as_ref().unwrap()[6 * sample..6 * sample + 6];
        for i in 0..6 {
            assert!((measured[i] - wanted[i]).abs() < 0.02, "{sample} {i}: {} {}", measured[i], wanted[i]);
        }
    }
}

#[test]
fn base_wrench_alone_suffices_with_any_number_of_contacts() {
    for contacts in [0, 1, 2] {
        // Loops take longer: only with two.
        let names = ["double_pendulum", "ur5", "delta"];
        for name in &names[..if contacts == 2 { 3 } else { 2 }] {
            let machine = mechanism(name);
            let links: Vec<String> = machine.robot().bodies.iter().map(|body| body.name.clone()).collect();
            let chosen = [&links[links.len() - 1], &links[links.len() / 2]];
            let simulation = Simulation {
                duration: 6.0,
                rate: 100.0,
                base_wrench: true,
                contacts: chosen[..contacts].iter().map(|link| contact(link, 20.0, 3.0)).collect(),
                ..Simulation::default()
            };
            let mut data = simulate(&machine, &simulation).unwrap();
            data.measured.fill(false);
            data.tau.fill(0.0);
            let settings = base_wrench_settings();
            let found = identify(&machine, &data, &settings).unwrap();
            let problem = Problem::new(&machine, &settings).unwrap();
            let error = worst_error(&found, &truth(&found, &problem));
            eprintln!(
                "{name:16} {contacts} contacts: {} base parameters, error {error:.1e}",
                found.parameters.len()
            );
            assert!(error < 1e-7, "{name}: {error:.2e}");
            if contacts > 0 {
                data.contacts.clear();
                let blind = identify(&machine, &data, &settings).unwrap();
                assert!(
                    blind.training.least_squares.total > 0.01,
                    "{name}: contacts that nobody knows of show"
                );
            }
        }
    }
}

#[test]
fn a_quadruped_hangs_from_a_sensor() {
    let go2 = mechanism("go2");
    let simulation = Simulation {
        duration: 8.0,
        rate: 100.0,
        drives: false,
        contacts: vec![
            contact("FL_foot", 20.0, 0.0),
            SimulatedContact { link: "base_link".to_owned(), wrench: ContactWrench::Carries },
        ],
        ..Simulation::default()
    };
    let mut data = simulate(&go2, &simulation).unwrap();
    let largest = data.tau.chunks(18).flat_map(|tau| &tau[..6]).fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(largest < 1e-9, "nothing but contacts moves the root: {largest}");
    // Joint torques unknown: the six equations of the root and the contacts are enough.
    for k in 6..18 {
        data.measured[k] = false;
    }
    let found = identify(&go2, &data, &base_wrench_settings()).unwrap();
    let problem = Problem::new(&go2, &base_wrench_settings()).unwrap();
    let error = worst_error(&found, &truth(&found, &problem));
    assert!(error < 1e-7, "{error:.2e}");
}

#[test]
fn a_sensor_inside_a_joint_feels_what_it_carries() {
    let arm = mechanism("puma560");
    let joint = arm.robot().bodies[2].joint.name.clone();
    let last = arm.robot().bodies[5].name.clone();
    let simulation = Simulation {
        duration: 6.0,
        rate: 100.0,
        joint_wrenches: vec![joint.clone()],
        contacts: vec![contact(&last, 10.0, 1.0)],
        ..Simulation::default()
    };
    let data = simulate(&arm, &simulation).unwrap();
    let settings = Settings { measure: sensors(&format!("wrench:{joint}")), ..base_wrench_settings() };
    let found = identify(&arm, &data, &settings).unwrap();
    let problem = Problem::new(&arm, &settings).unwrap();
    let error = worst_error(&found, &truth(&found, &problem));
    assert!(error < 1e-7, "{error:.2e}");
    let name = arm.robot().bodies[0].joint.name.clone();
    let missing = Settings { measure: sensors(&format!("wrench:{name}")), ..settings };
    let message = identify(&arm, &data, &missing).unwrap_err().to_string();
    assert!(message.contains("was not recorded"), "{message}");
}

/// The zoo's quadruped with every axis 5° off, each to a side of its own.
fn crooked_quadruped() -> Mechanism {
    let text = steiner_formats::zoo::find("go2").unwrap().text;
    let (s, c) = 5.0_f64.to_radians().sin_cos();
    let mut count = 0.0;
    let lines = text.lines().map(|line| {
        let straight = match line {
            "axis = [1, 0, 0]" => 0,
            "axis = [0, 1, 0]" => 1,
            _ => return line.to_owned(),
        };
        count += 1.0;
        let (across, along) = f64::sin_cos(2.4 * count);
        let mut axis = [s * across; 3];
        (axis[straight], axis[2]) = (c, s * along);
        format!("axis = {axis:?}")
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(count, 12.0);
    written(&text)
}

#[test]
fn a_crooked_quadruped_stands_on_measured_feet() {
    // Equations (15)–(18) with a root that floats: four contacts, no joint
    // torques, no axis along a coordinate.
    let crooked = crooked_quadruped();
    let feet = ["FL_foot", "FR_foot", "RR_foot"].map(|foot| contact(foot, 60.0, 0.0));
    let carries = SimulatedContact { link: "RL_foot".to_owned(), wrench: ContactWrench::Carries };
    let simulation = Simulation {
        duration: 10.0,
        rate: 100.0,
        drives: false,
        contacts: feet.into_iter().chain([carries]).collect(),
        ..Simulation::default()
    };
    let mut data = simulate(&crooked, &simulation).unwrap();
    data.measured[6..].fill(false);
    data.tau.fill(0.0);
    let settings = base_wrench_settings();
    let found = identify(&crooked, &data, &settings).unwrap();
    let problem = Problem::new(&crooked, &settings).unwrap();
    let error = worst_error(&found, &truth(&found, &problem));
    eprintln!("{} base parameters, error {error:.1e}", found.parameters.len());
    assert!(error < 1e-7, "{error:.2e}");
    // Unlike the pendulum's, this log gives a simplified model away: it also misplaces the
    // feet, and the wrenches on them.
    let straight = mechanism("go2");
    let by_straight = identify(&straight, &data, &settings).unwrap();
    let problem = Problem::new(&straight, &settings).unwrap();
    let (left, error) =
        (by_straight.training.least_squares.total, worst_error(&by_straight, &truth(&by_straight, &problem)));
    eprintln!("axes taken for straight: {:.2} % left, error {error:.2}", 100.0 * left);
    assert!(left > 0.1 && error > 1.0, "{left} {error}");
}

#[test]
fn drives_do_not_show_in_the_base_wrench() {
    let machine = with_drives(zoo("ur5"));
    let simulation = Simulation { duration: 3.0, rate: 100.0, base_wrench: true, ..Simulation::default() };
    let data = simulate(&machine, &simulation).unwrap();
    let settings = Settings { drives: true, ..base_wrench_settings() };
    let found = identify(&machine, &data, &settings).unwrap();
    assert!(found.parameters.iter().all(|parameter| !parameter.name.ends_with(".fc")));
}
