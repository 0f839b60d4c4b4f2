//! Seed 004: identification from the base wrench alone, with contacts on links, and with axes that are not where a simple model has them.

mod support;

use steiner_dynamics::Mechanism;
use steiner_identification::{
    ContactCourse, Dataset, Identification, Problem, Reduced, Role, SensorFaults, Settings, SimulatedContact,
    Simulation, identify, simulate,
};
use support::{mechanism, truth, with_drives, worst_error, written, zoo};

fn base_wrench_settings() -> Settings {
    Settings { measure: "base-wrench".to_owned(), drives: false, consistent: None, ..Settings::default() }
}

fn contact(link: &str, force: f64, torque: f64) -> SimulatedContact {
    SimulatedContact { link: link.to_owned(), course: ContactCourse::Random { force, torque } }
}

#[test]
fn the_ground_pushes_back_what_momentum_asks() {
    // The wrench from the ground against finite differences of momentum, with contacts: no regressor, no recursion.
    let arm = mechanism("ur5");
    let simulation = Simulation { duration: 1.0, rate: 2000.0, base_wrench: true, ..Simulation::default() };
    let links: Vec<&str> = arm.robot().bodies.iter().map(|body| body.name.as_str()).collect();
    let simulation =
        Simulation { contacts: vec![contact(links[3], 5.0, 1.0), contact(links[5], 8.0, 0.5)], ..simulation };
    let data = simulate(&arm, &simulation).unwrap();
    let tree = arm.tree();
    let cloud = |ten: &steiner_robot::PseudoInertia| -> Vec<(f64, [f64; 3])> {
        // Six points about the centre of mass with the body's second moments Σ = L Lᵀ: along the columns of L.
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
            SimulatedContact { link: "base_link".to_owned(), course: ContactCourse::Carries },
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
    let settings = Settings { measure: format!("wrench:{joint}"), ..base_wrench_settings() };
    let found = identify(&arm, &data, &settings).unwrap();
    let problem = Problem::new(&arm, &settings).unwrap();
    let error = worst_error(&found, &truth(&found, &problem));
    assert!(error < 1e-7, "{error:.2e}");
    let name = arm.robot().bodies[0].joint.name.clone();
    let missing = Settings { measure: format!("wrench:{name}"), ..settings };
    let message = identify(&arm, &data, &missing).unwrap_err().to_string();
    assert!(message.contains("was not recorded"), "{message}");
}

/// The double pendulum of table II: a weighed base, two links about axes that lie `degrees` off x.
fn pendulum(degrees: f64) -> Mechanism {
    let (s, c) = degrees.to_radians().sin_cos();
    written(&format!(
        r#"
name = "pendulum"
gravity = [0, 0, -9.81]
[[body]]
name = "base_link"
parent = "base"
joint = "fixed"
inertia = {{ mass = 4.0, com = [0.0, 0.0, 0.05], tensor = [0.02, 0, 0.02, 0, 0, 0.03] }}
[[body]]
name = "link1"
parent = "base_link"
joint = "revolute"
xyz = [0, 0, 0.1]
axis = [{c}, {s}, 0]
inertia = {{ mass = 8.393, com = [0.138, 0.0, 0.2125], tensor = [0.2269, 0.0004, 0.2269, -0.003, 0.002, 0.0151] }}
[[body]]
name = "link2"
parent = "link1"
joint = "revolute"
xyz = [0, 0, 0.425]
axis = [{c}, {s}, 0]
inertia = {{ mass = 2.275, com = [0.007, 0.01, 0.2], tensor = [0.0494, 0.0003, 0.0494, -0.0006, 0.001, 0.0041] }}
"#
    ))
}

fn recorded(machine: &Mechanism, contacts: Vec<SimulatedContact>, faults: SensorFaults) -> Dataset {
    let simulation = Simulation {
        duration: 9.43,
        rate: 100.0,
        base_wrench: true,
        drives: false,
        contacts,
        faults,
        ..Simulation::default()
    };
    simulate(machine, &simulation).unwrap()
}

/// Relative errors by name, against the truth of a model's own regrouping.
fn errors(found: &Identification, model: &Mechanism) -> Vec<(String, f64)> {
    let problem = Problem::new(model, &base_wrench_settings()).unwrap();
    let truth = truth(found, &problem);
    found.parameters.iter().zip(truth).map(|(p, x)| (p.name.clone(), (p.least_squares - x) / x)).collect()
}

/// The condition number of the base regressor as papers quote it: unweighted, in SI units.
fn plain_condition(model: &Mechanism, data: &Dataset) -> f64 {
    let settings =
        Settings { estimator: steiner_identification::Estimator::Ordinary, ..base_wrench_settings() };
    identify(model, data, &settings).unwrap().excitation.raw_condition_number
}

#[test]
fn table_3_a_simplified_axis_spoils_products_of_inertia() {
    // The world turns about axes 5° off x; one model says so, the other takes x (and the frames of the other, which it cannot know).
    let full = pendulum(5.0);
    let simple = pendulum(0.0);
    let faults = SensorFaults { relative_force: 0.005, ..SensorFaults::default() };
    let data = recorded(&full, Vec::new(), faults);
    let settings = base_wrench_settings();
    let by_full = identify(&full, &data, &settings).unwrap();
    let by_simple = identify(&simple, &data, &settings).unwrap();
    assert_eq!((by_full.parameters.len(), by_simple.parameters.len()), (13, 13), "13 base parameters each");
    let (full_errors, simple_errors) = (errors(&by_full, &full), errors(&by_simple, &simple));
    let worst = |errors: &[(String, f64)], kinds: &[&str]| {
        let of_kind = errors.iter().filter(|(name, _)| kinds.iter().any(|kind| name.ends_with(kind)));
        of_kind.fold(0.0, |most: f64, (_, error)| most.max(error.abs()))
    };
    for ((name, simple), (_, full)) in simple_errors.iter().zip(&full_errors) {
        eprintln!("{name:16} simplified {:8.2} %   full {:8.2} %", 100.0 * simple, 100.0 * full);
    }
    let residual = |found: &Identification| found.training.least_squares.total;
    eprintln!(
        "ε of (5), relative: simplified {:.4}, full {:.4}; condition numbers {:.1} and {:.1} (the paper: 38.1 and 334.2)",
        residual(&by_simple),
        residual(&by_full),
        plain_condition(&simple, &data),
        plain_condition(&full, &data)
    );
    assert!(
        worst(&simple_errors, &["Ixy", "Ixz"]) > 0.2,
        "products of inertia are wrong by tens of per cent"
    );
    assert!(residual(&by_simple) < 0.05, "while the wrench looks harmless");
    for (parameter, (name, error)) in by_full.parameters.iter().zip(&full_errors) {
        let sigmas = (error * (parameter.least_squares / (1.0 + error))).abs() / parameter.sigma;
        assert!(sigmas < 4.0, "{name}: below the noise, {sigmas:.1} σ");
    }
}

#[test]
fn table_4_two_contacts() {
    let machine = mechanism("double_pendulum");
    let link = machine.robot().bodies[1].name.clone();
    let faults = SensorFaults {
        relative_force: 0.005,
        position: 1e-4,
        velocity: 1e-3,
        acceleration: 1e-2,
        ..SensorFaults::default()
    };
    let data = recorded(&machine, vec![contact(&link, 30.0, 5.0)], faults);
    let found = identify(&machine, &data, &base_wrench_settings()).unwrap();
    assert_eq!(found.parameters.len(), 13);
    let problem = Problem::new(&machine, &base_wrench_settings()).unwrap();
    for (parameter, truth) in found.parameters.iter().zip(truth(&found, &problem)) {
        let error = parameter.least_squares - truth;
        eprintln!("{:16} {truth:9.4} error {error:8.4}", parameter.name);
        // The paper's errors, absolute: at most 0.08 kg·m², 0.01 kg·m, 0.00 kg.
        let most = match parameter.name.rsplit_once('.').unwrap().1 {
            "m" | "mx" | "my" | "mz" => 0.01,
            _ => 0.08,
        };
        assert!(error.abs() < most, "{}: {error}", parameter.name);
    }
    eprintln!("condition number {:.1} (the paper: 36.5)", plain_condition(&machine, &data));
    let reduced = {
        let mut reduced = Reduced::new(&problem);
        reduced.absorb(&problem, &data, Role::Training, Settings::default().threads()).unwrap();
        reduced
    };
    assert_eq!(reduced.counts(), vec![943; 6]);
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
