//! What an arm carries, sample by sample.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    CentreBound, Payload, PayloadEstimator, PayloadSettings, Settings, Simulation, Unseen, identify, simulate,
};
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{PseudoInertia, Robot};
use support::carried::{disturb, feed, load, loaded, noise, with_tool};
use support::{mechanism, thorough, with_drives, zoo};

fn panda() -> Robot {
    with_tool(&zoo("panda"))
}

fn arm(robot: &Robot) -> Mechanism {
    Mechanism::new(robot.clone()).unwrap()
}

fn quick(seed: u64) -> Simulation {
    Simulation { duration: 4.0, rate: 250.0, seed, ..Simulation::default() }
}

fn on_tool(arm: &Mechanism, settings: PayloadSettings) -> PayloadEstimator {
    PayloadEstimator::new(arm, "tool", settings).unwrap()
}

#[test]
fn samples_one_by_one_give_what_all_at_once_do() {
    let robot = panda();
    let truth = loaded(&robot, &load());
    let mut log = simulate(&truth, &quick(3)).unwrap();
    disturb(&mut log, 7, 0.4, 0.0, 5);
    let arm = arm(&robot);
    let noise = noise(7, 0.4);
    let mut estimator = on_tool(&arm, PayloadSettings { noise: Some(noise.clone()), ..Default::default() });
    feed(&mut estimator, &log, 7);
    // Normal equations of the dense regressor, in the frame of the body.
    let (mut normal, mut right) = (Matrix::<f64>::zeros(10, 10), [0.0; 10]);
    for k in 0..log.count {
        let of = |values: &[f64]| values[7 * k..7 * (k + 1)].to_vec();
        let (q, qd, qdd) = (of(&log.q), of(&log.qd), of(&log.qdd));
        let y = arm.regressor(&q, &qd, &qdd).unwrap();
        let own = arm.inverse_dynamics(&q, &qd, &qdd).unwrap();
        for r in 0..7 {
            let weight = 1.0 / (noise[r] * noise[r]);
            for i in 0..10 {
                right[i] += weight * y[(r, 60 + i)] * (log.tau[7 * k + r] - own[r]);
                (0..10).for_each(|j| normal[(i, j)] += weight * y[(r, 60 + i)] * y[(r, 60 + j)]);
            }
        }
    }
    let batch = Cholesky::new(normal).unwrap().solve(&right);
    let pose = robot.bodies[6].lumped.last().unwrap().frame.pose().inverse();
    let batch = PseudoInertia::from_parameters(&std::array::from_fn(|k| batch[k]));
    let batch = batch.moved(&pose.rotation, pose.translation.0).parameters();
    let (found, covariance) = estimator.least_squares();
    for k in 0..10 {
        let error = (found[k] - batch[k]).abs();
        assert!(error < 1e-3 * covariance[k][k].sqrt(), "{k}: {} beside {}", found[k], batch[k]);
    }
}

#[test]
fn a_load_is_found_without_noise() {
    let robot = panda();
    let truth = loaded(&robot, &load());
    let mut estimator = on_tool(&arm(&robot), PayloadSettings::default());
    feed(&mut estimator, &simulate(&truth, &quick(1)).unwrap(), 7);
    let found = estimator.estimate().unwrap();
    assert_eq!((found.samples, found.unseen.len(), found.counts_arm), (1000, 0, false));
    for (k, (a, b)) in found.inertia.parameters().iter().zip(load().parameters()).enumerate() {
        assert!((a - b).abs() < 2e-3, "{k}: {a} beside {b}");
    }
}

/// Errors of mass, centre and inertia about it, over their standard deviations.
fn errors(found: &Payload, truth: &PseudoInertia) -> Vec<f64> {
    let truth = truth.centred();
    let mut out = vec![(found.centred.mass - truth.mass) / found.mass_sigma];
    out.extend((0..3).map(|k| (found.centred.com[k] - truth.com[k]) / found.com_sigma[k]));
    out.extend((0..6).map(|k| (found.centred.tensor[k] - truth.tensor[k]) / found.tensor_sigma[k]));
    out
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64).sqrt()
}

#[test]
fn standard_deviations_mean_what_they_say() {
    let robot = panda();
    let (truth, arm) = (loaded(&robot, &load()), arm(&robot));
    let seeds = if thorough() { 200 } else { 30 };
    // White noise, and noise that remembers for a part of a block.
    for (memory, least, most) in [(0.0, 0.75, 1.1), (0.9, 0.75, 1.2)] {
        let mut all = Vec::new();
        for seed in 1..=seeds {
            let mut log = simulate(&truth, &Simulation { duration: 20.0, ..quick(seed) }).unwrap();
            disturb(&mut log, 7, 0.4, memory, 100 + seed);
            let settings =
                PayloadSettings { noise: Some(noise(7, 0.4)), block: 100, ..PayloadSettings::default() };
            let mut estimator = on_tool(&arm, settings);
            feed(&mut estimator, &log, 7);
            let found = estimator.estimate().unwrap();
            assert_eq!(found.unseen, []);
            all.extend(errors(&found, &load()));
        }
        let z = root_mean_square(&all);
        eprintln!("memory {memory}: rms z {z:.3} of {}", all.len());
        assert!(least < z && z < most, "memory {memory}: rms z {z}");
    }
}

#[test]
fn errors_of_the_arm_count() {
    let truth = with_drives(panda());
    let carrying = loaded(truth.robot(), &load());
    let seeds = if thorough() { 100 } else { 16 };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for seed in 1..=seeds {
        // The arm is identified without a load, from noisy forces.
        let mut log = simulate(&truth, &quick(seed)).unwrap();
        disturb(&mut log, 7, 1.0, 0.0, 300 + seed);
        let identified = identify(&truth, &log, &Settings::default()).unwrap();
        let mut log = simulate(&carrying, &Simulation { duration: 16.0, ..quick(1000 + seed) }).unwrap();
        disturb(&mut log, 7, 1.0, 0.0, 600 + seed);
        let settings = PayloadSettings { least_speed: 0.0, ..PayloadSettings::default() };
        let mut estimator = PayloadEstimator::on_identified(&identified, "tool", settings.clone()).unwrap();
        feed(&mut estimator, &log, 7);
        let found = estimator.estimate().unwrap();
        assert!(found.counts_arm);
        with.extend(errors(&found, &load())[..4].to_vec());
        let known = Mechanism::new(identified.robot.clone()).unwrap();
        let mut estimator = on_tool(&known, PayloadSettings { noise: Some(noise(7, 1.0)), ..settings });
        feed(&mut estimator, &log, 7);
        without.extend(errors(&estimator.estimate().unwrap(), &load())[..4].to_vec());
    }
    let (with, without) = (root_mean_square(&with), root_mean_square(&without));
    eprintln!("rms z with the arm's errors {with:.3}, without {without:.3}");
    assert!(0.6 < with && with < 1.3, "with the arm's errors: rms z {with}");
    assert!(without > 1.5 * with, "without the arm's errors: rms z {without}");
}

#[test]
fn a_load_identified_from_a_log_has_the_deviations_it_says() {
    let robot = panda();
    let (truth, arm) = (loaded(&robot, &load()), arm(&robot));
    let settings = Settings { payload: Some("tool".to_owned()), drives: false, ..Settings::default() };
    let mut all = Vec::new();
    for seed in 1..=if thorough() { 100 } else { 12 } {
        let mut log = simulate(&truth, &quick(seed)).unwrap();
        disturb(&mut log, 7, 0.4, 0.0, 40 + seed);
        let found = identify(&arm, &log, &settings).unwrap().payload().unwrap();
        assert_eq!((found.body.as_str(), found.payload.link.as_str()), ("link7", "tool"));
        assert_eq!(found.file_mass, robot.bodies[6].inertia.mass);
        assert_eq!(found.payload.unseen, []);
        all.extend(errors(&found.payload, &load()));
    }
    let z = root_mean_square(&all);
    eprintln!("identified: rms z {z:.3} of {}", all.len());
    assert!(0.7 < z && z < 1.2, "rms z {z}");
}

#[test]
fn an_arm_at_rest_shows_the_mass_but_not_the_height_of_its_centre() {
    let robot = panda();
    let (truth, arm) = (loaded(&robot, &load()), arm(&robot));
    let (q, still) = ([0.3, -0.4, 0.2, -1.9, 0.5, 1.4, 0.1], [0.0; 7]);
    let forces = truth.gravity_force(&q).unwrap();
    let mut random = steiner_linalg::Stream::new(9);
    let mut estimator = on_tool(&arm, PayloadSettings::default());
    for _ in 0..3000 {
        let tau: Vec<f64> = forces.iter().map(|x| x + 0.05 * random.normal()).collect();
        estimator.update(&q, &still, &still, &tau).unwrap();
    }
    let found = estimator.estimate().unwrap();
    assert!((found.centred.mass - 1.7).abs() < 4.0 * found.mass_sigma && found.mass_sigma < 0.05);
    let [Unseen::CentreAlong { direction }, Unseen::Moments { names }] = &found.unseen[..] else {
        panic!("{:?}", found.unseen)
    };
    assert_eq!(names.len(), 6);
    // Gravity in the axes of the tool.
    let state = arm.feasible(&q, &still, &still).unwrap();
    let world = arm.tree().world_poses(&state.poses)[arm.tree().segment_of_body[6]];
    let tool = world.then(&robot.bodies[6].lumped.last().unwrap().frame.pose());
    let down = tool.rotation.apply_transposed(steiner_linalg::Vec3([0.0, 0.0, 1.0]));
    let along: f64 = direction.iter().zip(down.0).map(|(a, b)| a * b).sum();
    assert!(along.abs() > 0.999, "{direction:?} beside {down:?}");
    // The two directions that are seen are right.
    let error: Vec<f64> = (0..3).map(|k| found.centred.com[k] - load().centred().com[k]).collect();
    let lengthwise: f64 = error.iter().zip(down.0).map(|(a, b)| a * b).sum();
    let across: f64 = (0..3).map(|k| (error[k] - lengthwise * down.0[k]).powi(2)).sum::<f64>().sqrt();
    assert!(across < 0.01, "{across} m across gravity");
}

#[test]
fn what_is_forgotten_makes_room_for_another_load() {
    let robot = panda();
    let (arm, empty, full) = (arm(&robot), arm(&robot), loaded(&robot, &load()));
    let settings = |forgetting| PayloadSettings { forgetting, block: 25, ..PayloadSettings::default() };
    let mut forgetful = on_tool(&arm, settings(0.99));
    let mut faithful = on_tool(&arm, settings(1.0));
    for (k, truth) in [&empty, &full].into_iter().enumerate() {
        let mut log = simulate(truth, &quick(7)).unwrap();
        disturb(&mut log, 7, 0.1, 0.0, k as u64);
        feed(&mut forgetful, &log, 7);
        feed(&mut faithful, &log, 7);
    }
    let (new, both) = (forgetful.estimate().unwrap(), faithful.estimate().unwrap());
    let off = (new.centred.mass - 1.7).abs();
    assert!(off < 4.0 * new.mass_sigma && new.mass_sigma < 0.1, "{off}, σ {}", new.mass_sigma);
    assert!((both.centred.mass - 1.7).abs() > 0.3, "{}", both.centred.mass);
    faithful.reset();
    assert_eq!(faithful.estimate().unwrap().unseen, [Unseen::Everything]);
}

#[test]
fn nothing_carried_is_no_mass_and_no_centre() {
    let robot = panda();
    let arm = arm(&robot);
    let mut log = simulate(&arm, &quick(2)).unwrap();
    disturb(&mut log, 7, 0.4, 0.0, 1);
    let mut estimator = on_tool(&arm, PayloadSettings { noise: Some(noise(7, 0.4)), ..Default::default() });
    feed(&mut estimator, &log, 7);
    let found = estimator.estimate().unwrap();
    assert!(found.centred.mass < 4.0 * found.mass_sigma);
    assert_eq!(found.unseen, [Unseen::Centre { has_mass: false }]);
}

#[test]
fn bounds_hold_and_bodies_are_consistent() {
    let robot = panda();
    let mut log = simulate(&loaded(&robot, &load()), &quick(4)).unwrap();
    disturb(&mut log, 7, 2.0, 0.0, 8);
    let centre = CentreBound::Box { lower: [-0.05, -0.05, 0.0], upper: [0.05, 0.05, 0.05] };
    let settings = PayloadSettings {
        noise: Some(noise(7, 2.0)),
        mass: Some((0.5, 1.5)),
        centre: Some(centre),
        ..PayloadSettings::default()
    };
    let mut estimator = on_tool(&arm(&robot), settings);
    feed(&mut estimator, &log, 7);
    let found = estimator.estimate().unwrap();
    assert!((0.5..=1.5 + 1e-9).contains(&found.centred.mass) && found.inertia.check().is_ok());
    assert!(found.centred.com[2] <= 0.05 + 1e-9 && found.centred.com[0].abs() <= 0.05 + 1e-9);
}

#[test]
fn a_delta_robot_shows_the_mass_on_its_platform_alone() {
    let delta = mechanism("delta");
    let body = delta.robot().bodies.len() - 1;
    let name = delta.robot().bodies[body].name.clone();
    let both = delta.robot().bodies[body].inertia.plus(&load());
    let truth = Mechanism::new(delta.robot().changed(|parts| parts.bodies[body].inertia = both).unwrap());
    let log = simulate(&truth.unwrap(), &Simulation { duration: 2.0, ..quick(1) }).unwrap();
    let settings = PayloadSettings { least_speed: 0.0, ..PayloadSettings::default() };
    let mut estimator = PayloadEstimator::new(&delta, &name, settings).unwrap();
    feed(&mut estimator, &log, 3);
    // The platform never turns: it shows its mass and nothing else.
    let found = estimator.estimate().unwrap();
    assert_eq!(found.samples, 500);
    assert!((found.centred.mass - 1.7).abs() < 0.01, "{}", found.centred.mass);
    let [Unseen::Centre { has_mass: true }, Unseen::Moments { names }] = &found.unseen[..] else {
        panic!("{:?}", found.unseen)
    };
    assert_eq!(names.len(), 6);
}

#[test]
fn bad_questions_and_samples_are_refused() {
    let arm = arm(&panda());
    let refused = |link: &str, settings: PayloadSettings| {
        PayloadEstimator::new(&arm, link, settings).unwrap_err().to_string()
    };
    let usual = PayloadSettings::default;
    assert!(refused("tol", usual()).contains("there is no link `tol` (did you mean `tool`?)"));
    let message = refused("tool", PayloadSettings { noise: Some(vec![1.0; 6]), ..usual() });
    assert!(message.contains("one positive number for each of 7 joints"), "{message}");
    assert!(
        refused("tool", PayloadSettings { forgetting: 1.5, ..usual() }).contains("the forgetting is 1.5")
    );
    assert!(refused("tool", PayloadSettings { block: 0, ..usual() }).contains("at least one sample"));
    let message = refused("tool", PayloadSettings { mass: Some((2.0, 1.0)), ..usual() });
    assert!(message.contains("the mass of tool shall be at least 2 kg"), "{message}");
    let mut estimator = on_tool(&arm, usual());
    let seven = [0.0; 7];
    assert!(estimator.update(&seven, &seven, &seven, &[0.0; 6]).is_err());
    assert!(estimator.update(&seven[..3], &seven, &seven, &seven).is_err());
    assert!(estimator.update(&seven, &seven, &[f64::NAN; 7], &seven).is_err());
    assert!(estimator.update(&seven, &seven, &seven, &[f64::INFINITY; 7]).is_err());
    assert_eq!(estimator.samples(), 0);
}
