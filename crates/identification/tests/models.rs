//! What else can be unknown: gears, coupled wrists, Stribeck friction, gains, payloads.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Estimator, FrictionTerm, Identification, IdentificationNote, JointFriction, Problem, SensorFaults,
    Settings, Simulation, identify, predict, simulate, simulate_along,
};
use steiner_logs::{CoupledDrive, DryFriction};
use support::{mechanism, sensors, truth, with_drives, worst_error, written, zoo};

fn value(found: &Identification, name: &str) -> f64 {
    let parameter = found.parameters.iter().find(|parameter| parameter.name == name);
    parameter.unwrap_or_else(|| panic!("no base parameter {name}")).least_squares
}

fn quick() -> Simulation {
    Simulation { duration: 8.0, rate: 100.0, ..Simulation::default() }
}

#[test]
fn geared_rotors_come_back() {
    // A two-link arm whose motors turn fast behind gears: the second sits on the base and drives over a belt.
    let geared = written(
        r#"
name = "geared"
[[body]]
name = "link1"
parent = "base"
joint = "revolute"
axis = [0, 1, 0]
inertia = { mass = 3, com = [0.2, 0, 0.01], tensor = [0.02, 0, 0.05, 0, 0, 0.05] }
[[body]]
name = "link2"
parent = "link1"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 0, 1]
inertia = { mass = 2, com = [0.15, 0.02, 0], tensor = [0.01, 0, 0.03, 0, 0, 0.03] }
[[body]]
name = "rotor1"
parent = "base"
joint = "revolute"
xyz = [0, 0.1, 0]
axis = [0, 1, 0]
inertia = { mass = 0.5, com = [0.001, 0, 0], tensor = [0.0002, 0, 0.0004, 0, 0, 0.0002] }
[[body]]
name = "rotor2"
parent = "link1"
joint = "revolute"
xyz = [0.1, 0, 0.05]
axis = [1, 0, 0]
inertia = { mass = 0.4, com = [0, 0.002, 0.001], tensor = [0.0003, 0, 0.0002, 0, 0, 0.0002] }
[[coupling]]
coordinate = "rotor1"
terms = [["link1", 50]]
[[coupling]]
coordinate = "rotor2"
terms = [["link2", 30]]
"#,
    );
    let geared = with_drives(geared.robot().clone());
    let data = simulate(&geared, &quick()).unwrap();
    let found = identify(&geared, &data, &Settings::default()).unwrap();
    let problem = Problem::new(&geared, &Settings::default()).unwrap();
    let error = worst_error(&found, &truth(&found, &problem));
    assert!(error < 1e-7 && found.excitation.rank == found.parameters.len(), "{error:.2e}");
    assert!(found.is_consistent());
}

#[test]
fn a_coupled_wrist_has_a_motor_of_its_own() {
    let arm = with_drives(zoo("puma560"));
    let joints: Vec<String> = arm.robot().bodies.iter().map(|body| body.joint.name.clone()).collect();
    for crosswise in [false, true] {
        let drive = CoupledDrive {
            name: "m6".to_owned(),
            joints: vec![(joints[4].clone(), 1.0), (joints[5].clone(), 1.0)],
            crosswise,
        };
        let truth = [0.03, 0.2, 0.4];
        let simulation = Simulation { coupled_drives: vec![(drive.clone(), truth)], ..quick() };
        let data = simulate(&arm, &simulation).unwrap();
        let settings = Settings { coupled_drives: vec![drive], ..Settings::default() };
        let found = identify(&arm, &data, &settings).unwrap();
        for (name, wanted) in ["m6.Ia", "m6.fv", "m6.fc"].iter().zip(truth) {
            assert!((value(&found, name) - wanted).abs() < 1e-8, "{name}: {}", value(&found, name));
        }
        assert!(found.training.least_squares.total < 1e-12);
        let without = identify(&arm, &data, &Settings::default()).unwrap();
        assert!(without.training.least_squares.total > 1e-3, "it is missed where nobody asks for it");
    }
    // On one joint alone it is that joint's own drive, and the problem says so.
    let drive =
        CoupledDrive { name: "m1".to_owned(), joints: vec![(joints[0].clone(), 2.0)], crosswise: false };
    let settings = Settings { coupled_drives: vec![drive], ..Settings::default() };
    let problem = Problem::new(&arm, &settings).unwrap();
    let regrouped = |label: &str| {
        let own = |note: &&IdentificationNote| matches!(note, IdentificationNote::Regrouped { label: l, .. } if l == label);
        problem.notes().iter().any(|note| own(&note))
    };
    assert!(regrouped("m1.fv"), "{:?}", problem.notes());
    let viscous = problem
        .base()
        .iter()
        .find(|base| problem.labels()[base.column] == format!("{}.fv", joints[0]))
        .unwrap();
    assert!(
        viscous
            .terms
            .iter()
            .any(|(c, factor)| problem.labels()[*c] == "m1.fv" && (factor - 4.0).abs() < 1e-7)
    );
}

#[test]
fn smooth_dry_friction_and_stribeck() {
    let arm = with_drives(zoo("scara_sr6ia"));
    let smooth = DryFriction::Smoothed { speed: 0.2 };
    let data = simulate(&arm, &Simulation { dry_friction: smooth, ..quick() }).unwrap();
    let settings = Settings {
        dry_friction: smooth,
        friction_terms: vec![JointFriction::of_all(FrictionTerm::Stribeck { speed: 0.1 })],
        ..Settings::default()
    };
    let found = identify(&arm, &data, &settings).unwrap();
    assert!(found.training.least_squares.total < 1e-12);
    let joint = arm.robot().bodies[0].joint.name.clone();
    assert!(value(&found, &format!("{joint}.fs")).abs() < 1e-8);
    let wanted = arm.robot().bodies[0].joint.friction.coulomb;
    assert!((value(&found, &format!("{joint}.fc")) - wanted).abs() < 1e-8);
}

#[test]
fn unknown_gains_follow_from_what_is_known() {
    let arm = with_drives(zoo("puma560"));
    let mut data = simulate(&arm, &quick()).unwrap();
    let gains = [2.0, 1.5, 0.8];
    let joints: Vec<String> = arm.robot().bodies.iter().map(|body| body.joint.name.clone()).collect();
    for sample in 0..data.count {
        (0..3).for_each(|k| data.tau[6 * sample + k] /= gains[k]);
    }
    let settings = Settings { unknown_gains: joints[..3].to_vec(), consistent: None, ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    for (joint, gain) in joints.iter().zip(gains) {
        let error = value(&found, &format!("{joint}.gain")) - gain;
        assert!(error.abs() < 1e-6, "{joint}: {error:.2e}");
    }
    // The prediction is in N·m again.
    let problem = Problem::new(&arm, &settings).unwrap();
    let predicted = predict(&problem, &data, &found.all, settings.threads()).unwrap();
    assert!(predicted.relative_error() < 1e-6);
    let all = Settings { unknown_gains: joints, ..settings };
    let message = identify(&arm, &data, &all).unwrap_err().to_string();
    assert!(message.contains("fix a mass or a gain"), "{message}");
}

#[test]
fn a_payload_is_found_alone() {
    let arm = with_drives(zoo("panda"));
    let last = arm.robot().bodies.len() - 1;
    let load = steiner_robot::PseudoInertia::from_centred(&steiner_robot::CentredInertia {
        mass: 1.7,
        com: [0.02, -0.01, 0.15],
        tensor: [0.004, 0.0, 0.004, 0.0, 0.0, 0.002],
    });
    let with_load = arm.robot().bodies[last].inertia.plus(&load);
    let loaded = arm.robot().changed(|parts| parts.bodies[last].inertia = with_load).unwrap();
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let data = simulate(&Mechanism::new(loaded).unwrap(), &Simulation { faults, ..quick() }).unwrap();
    let name = arm.robot().bodies[last].name.clone();
    let settings = Settings { payload: Some(name.clone()), ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    assert!(found.parameters.len() <= 10 && found.parameters.iter().all(|p| p.name.starts_with(&name)));
    let identified = found.robot.bodies[last].inertia;
    for (k, (a, b)) in identified.parameters().iter().zip(with_load.parameters()).enumerate() {
        let parameter = found.parameters.iter().find(|p| p.name == problem_label(&name, k));
        let sigma = parameter.map_or(f64::NAN, |p| p.white_sigma);
        assert!((a - b).abs() < 5.0 * sigma, "{}: {a} beside {b}, σ {sigma}", problem_label(&name, k));
    }
    // Nothing else was touched.
    for (a, b) in found.robot.bodies[..last].iter().zip(&arm.robot().bodies) {
        assert_eq!(a.inertia, b.inertia);
        assert_eq!(a.joint.friction, b.joint.friction);
    }
}

fn problem_label(body: &str, k: usize) -> String {
    format!("{body}.{}", steiner_robot::PARAMETERS[k])
}

#[test]
fn shocks_mislead_least_squares_but_not_huber() {
    let arm = with_drives(zoo("puma560"));
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let mut data = simulate(&arm, &Simulation { faults, duration: 10.0, ..quick() }).unwrap();
    // Every fortieth sample somebody kicks the table.
    for sample in (0..data.count).step_by(40) {
        (0..6).for_each(|k| data.tau[6 * sample + k] += 40.0 * if sample % 3 == 0 { 1.0 } else { 0.6 });
    }
    let problem = Problem::new(&arm, &Settings::default()).unwrap();
    let error = |estimator: Estimator| {
        let found =
            identify(&arm, &data, &Settings { estimator, consistent: None, ..Settings::default() }).unwrap();
        let wanted = truth(&found, &problem);
        let square: f64 =
            found.parameters.iter().zip(&wanted).map(|(p, x)| (p.least_squares - x).powi(2)).sum();
        square.sqrt()
    };
    let (plain, robust) = (error(Estimator::Weighted), error(Estimator::Huber { threshold: 1.345 }));
    eprintln!("error of weighted least squares {plain:.3}, of Huber's {robust:.3}");
    assert!(robust < 0.3 * plain, "{robust} beside {plain}");
}

#[test]
fn a_ridge_leads_from_least_squares_to_the_file() {
    let robot = zoo("ur5");
    let faults = SensorFaults { relative_force: 0.05, ..SensorFaults::default() };
    let data = simulate(&with_drives(robot.clone()), &Simulation { faults, reach: 0.3, ..quick() }).unwrap();
    let wrong = Mechanism::new(support::wrong_file(&robot)).unwrap();
    let with = |weight: f64| {
        let settings =
            Settings { estimator: Estimator::Ridge { weight }, consistent: None, ..Settings::default() };
        identify(&wrong, &data, &settings).unwrap()
    };
    let (weak, strong) = (with(1e-10), with(1e14));
    for parameter in &weak.parameters {
        let difference = (parameter.value - parameter.least_squares).abs();
        assert!(difference < 0.02 * parameter.white_sigma, "{}: {difference}", parameter.name);
    }
    for (all, file) in strong.all.iter().zip(wrong.robot().parameters()) {
        assert!((all - file).abs() < 1e-6 * (1.0 + file.abs()), "{all} {file}");
    }
    let (a, b) = (with(1.0), with(100.0));
    assert!(weak.training.model.total <= a.training.model.total * (1.0 + 1e-3));
    assert!(a.training.model.total <= b.training.model.total);
    assert!(b.training.model.total <= strong.training.model.total);
}

#[test]
fn essential_parameters_predict_as_well() {
    let arm = with_drives(zoo("puma560"));
    let faults = SensorFaults { relative_force: 0.03, ..SensorFaults::default() };
    let data = simulate(&arm, &Simulation { faults, ..quick() }).unwrap();
    let found = identify(&arm, &data, &Settings { essential: true, ..Settings::default() }).unwrap();
    let essential = found.essential.as_ref().unwrap();
    eprintln!("{} of {} base parameters are essential", essential.parameters.len(), found.parameters.len());
    assert!(essential.parameters.len() < found.parameters.len());
    assert!(essential.condition_number <= found.excitation.condition_number);
    for (value, sigma) in essential.values.iter().zip(&essential.sigma) {
        assert!(value.abs() > 2.5 * sigma, "what is left can be told from zero");
    }
}

#[test]
fn a_joint_that_never_moves_is_named() {
    let arm = with_drives(zoo("ur5"));
    let still = arm.robot().bodies[2].joint.name.clone();
    let data = simulate(&arm, &Simulation { still: vec![still.clone()], ..quick() }).unwrap();
    let found = identify(&arm, &data, &Settings::default()).unwrap();
    assert!(found.excitation.rank < found.parameters.len());
    let weak = found.weakly_excited();
    for term in ["fv", "fc"] {
        assert!(weak.contains(&format!("{still}.{term}").as_str()), "{weak:?}");
    }
    let viscous = found.parameters.iter().find(|p| p.name == format!("{still}.fv")).unwrap();
    assert_eq!(viscous.sigma, f64::INFINITY);
    assert_eq!(viscous.least_squares, viscous.prior, "the file's where nothing is seen");
    assert!(found.excitation.condition_number.is_infinite() && found.is_consistent());
    let (shown, of) = (found.excitation.rank, found.parameters.len());
    assert!(found.notes.contains(&IdentificationNote::PartlyShown { shown, of }), "{:?}", found.notes);
    // Everything that moves is found all the same.
    let other = arm.robot().bodies[0].joint.name.clone();
    assert!(
        (value(&found, &format!("{other}.fv")) - arm.robot().bodies[0].joint.friction.viscous).abs() < 1e-8
    );
}

#[test]
fn predictions_on_another_motion_are_within_the_noise() {
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    for name in ["puma560", "go2", "delta"] {
        let truth = with_drives(zoo(name));
        let wrong = Mechanism::new(support::wrong_file(truth.robot())).unwrap();
        let data = simulate(&truth, &Simulation { faults, seed: 5, ..quick() }).unwrap();
        let other = simulate(&truth, &Simulation { faults, seed: 6, ..quick() }).unwrap();
        let found = identify(&wrong, &data, &Settings::default()).unwrap();
        let problem = Problem::new(&wrong, &Settings::default()).unwrap();
        let predicted = predict(&problem, &other, &found.all, Settings::default().threads()).unwrap();
        let error = predicted.relative_error();
        eprintln!("{name}: {error:.4} on another motion");
        assert!(error < 0.0225, "{name}: {error}");
        // The robot that came out says the same by recursion.
        let robot = Mechanism::new(found.robot.clone()).unwrap();
        let clean = simulate(&robot, &Simulation { seed: 6, ..quick() }).unwrap();
        for (a, b) in clean.tau.iter().zip(&predicted.predicted).take(100) {
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{name}: {a} {b}");
        }
    }
}

#[test]
fn known_parameters_are_taken_as_given() {
    let arm = mechanism("two_link");
    let data = simulate(&arm, &Simulation { drives: false, ..quick() }).unwrap();
    let link = arm.robot().bodies[1].name.clone();
    let mass = arm.robot().bodies[1].inertia.mass;
    let settings =
        Settings { known: vec![(format!("{link}.m"), mass)], drives: false, ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    let problem = Problem::new(&arm, &settings).unwrap();
    assert!(worst_error(&found, &truth(&found, &problem)) < 1e-9);
    assert_eq!(found.robot.bodies[1].inertia.mass, mass);
}

#[test]
fn at_rest_only_weights_show() {
    let arm = mechanism("puma560");
    let mut states = simulate(&arm, &Simulation { drives: false, ..quick() }).unwrap();
    states.qd.fill(0.0);
    states.qdd.fill(0.0);
    let data = simulate_along(&arm, states, &Simulation { drives: false, ..quick() }).unwrap();
    let settings = Settings { measure: sensors("static"), drives: false, ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    let problem = Problem::new(&arm, &settings).unwrap();
    assert!(found.parameters.len() < 36 && found.excitation.rank == found.parameters.len());
    assert!(worst_error(&found, &truth(&found, &problem)) < 1e-9);
    assert!(
        found.parameters.iter().all(|parameter| !parameter.name.contains(".I")),
        "no inertia without motion"
    );
}

#[test]
fn sensors_can_be_combined() {
    let arm = with_drives(zoo("ur5"));
    let joints = arm.independent_names();
    let simulation = Simulation { base_wrench: true, joint_wrenches: vec![joints[3].clone()], ..quick() };
    let mut data = simulate(&arm, &simulation).unwrap();
    // Only two joints have torque sensors.
    for (k, measured) in data.measured.iter_mut().enumerate() {
        *measured = k == 1 || k == 2;
    }
    let measure = sensors(&format!("joints:{},{}+base-wrench+wrench:{}", joints[1], joints[2], joints[3]));
    let settings = Settings { measure, ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    let problem = Problem::new(&arm, &settings).unwrap();
    assert_eq!(problem.rows().len(), 2 + 6 + 6);
    assert!(
        found.excitation.rank == found.parameters.len()
            && worst_error(&found, &truth(&found, &problem)) < 1e-7
    );
    assert!(found.is_consistent());
}
