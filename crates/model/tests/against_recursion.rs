//! Forces, regressors, mass matrices and accelerations of a model against recursion along the tree.

mod support;

use std::fmt::Write;

use proptest::prelude::*;
use steiner_dynamics::Mechanism;
use steiner_model::{Psdm, PsdmOptions};
use support::{Random, derived, is_thorough, mechanism, named, relative};

/// The largest relative errors of τ, Yθ, D and q̈ over some states.
fn errors(mechanism: &Mechanism, model: &Psdm, states: usize) -> [f64; 4] {
    let theta = model.nominal();
    let arm = model.calibrate(&theta).unwrap();
    let evaluator = model.evaluator();
    let mut random = Random::new(7);
    let mut worst = [0.0f64; 4];
    for _ in 0..states {
        let (q, qd, qdd) = random.state(model.dof());
        let tau = mechanism.inverse_dynamics(&q, &qd, &qdd).unwrap();
        let regressor = evaluator.regressor(&q, &qd, &qdd).unwrap();
        let mass = mechanism.mass_matrix(&q).unwrap();
        let found = [
            relative(&arm.inverse_dynamics(&q, &qd, &qdd).unwrap(), &tau),
            relative(&regressor.apply(&theta), &tau),
            relative(arm.mass_matrix(&q).unwrap().entries(), mass.entries()),
            relative(&arm.forward_dynamics(&q, &qd, &tau).unwrap(), &qdd),
        ];
        worst.iter_mut().zip(found).for_each(|(worst, found)| *worst = worst.max(found));
    }
    worst
}

#[test]
fn the_zoos_arms_agree_with_recursion_to_eleven_digits() {
    let states = if is_thorough() { 10_000 } else { 200 };
    for name in ["two_link", "scara_sr6ia", "puma560", "kr6", "ur5", "gantry", "lbr7", "panda"] {
        let mechanism = named(name);
        let worst = errors(&mechanism, &derived(&mechanism), states);
        println!("{name}: τ {:.1e}, Yθ {:.1e}, D {:.1e}, q̈ {:.1e}", worst[0], worst[1], worst[2], worst[3]);
        assert!(worst[..3].iter().all(|error| *error < 1e-11), "{name}: {worst:?}");
        // The inverse of a mass matrix costs digits: 10⁴ and more between a shoulder and a wrist.
        assert!(worst[3] < 1e-8, "{name}: {worst:?}");
    }
}

#[test]
fn eight_joints_without_any_alignment_are_derived_and_agree() {
    if !is_thorough() {
        println!("skipped: set STEINER_THOROUGH for a model with millions of functions");
        return;
    }
    let joint = |k: usize| {
        let x = |a: f64| (a * (k + 1) as f64).sin();
        (true, [x(1.0), x(2.0), x(3.0)], [x(4.0), x(5.0), x(6.0)], 3)
    };
    let robot = mechanism(&arm_text(&(0..8).map(joint).collect::<Vec<_>>()));
    let worst = errors(&robot, &derived(&robot), 20);
    assert!(worst[..3].iter().all(|error| *error < 1e-11), "{worst:?}");
}

#[test]
fn angles_that_add_up_to_an_alignment_are_seen_as_one() {
    // 0.1 + 0.2 − 0.3 = 0: each is rounded by itself in F_p, and only together they make the axes parallel.
    let text = |angles: [f64; 3]| {
        format!(
            "name = \"planar\"\ngravity = [0, -9.81, 0]\n\
             [[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\nframe = {{ rpy = [{}, 0, 0] }}\n\
             [[body]]\nname = \"weld\"\nparent = \"a\"\njoint = \"fixed\"\nxyz = [1, 0, 0]\nrpy = [{}, 0, 0]\n\
             [[body]]\nname = \"b\"\nparent = \"weld\"\njoint = \"revolute\"\nrpy = [{}, 0, 0]\n",
            angles[0], angles[1], angles[2]
        )
    };
    let count = |angles| derived(&mechanism(&text(angles))).functions().len();
    assert_eq!(count([0.0; 3]), 18);
    assert_eq!(count([0.1, 0.2, -0.3]), 18);
    assert!(count([0.1, 0.2, -0.2]) > 18);
}

#[test]
fn drives_add_their_inertia_to_their_own_joint() {
    let puma = named("puma560");
    let options = PsdmOptions { drives: true, ..PsdmOptions::default() };
    let model = Psdm::derive(&puma, &options).unwrap();
    assert!(model.has_drives());
    let own: Vec<&str> =
        model.parameters().iter().map(|p| &p.label[..]).filter(|l| l.ends_with(".Ia")).collect();
    println!("{} base parameters, of the drives {own:?}", model.parameters().len());
    // The first two joints' drives turn with what their links' inertias do; the others are told apart.
    assert_eq!(own, ["link3.Ia", "link4.Ia", "link5.Ia", "link6.Ia"]);
    assert_eq!(model.parameters().len(), derived(&puma).parameters().len() + 4);
    let arm = model.calibrate(&model.nominal()).unwrap();
    let mut random = Random::new(3);
    for _ in 0..20 {
        let (q, qd, qdd) = random.state(6);
        let mut tau = puma.inverse_dynamics(&q, &qd, &qdd).unwrap();
        let drives = puma.robot().bodies.iter().map(|body| body.joint.rotor_inertia);
        tau.iter_mut().zip(drives).zip(&qdd).for_each(|((tau, ia), qdd)| *tau += ia * qdd);
        assert!(relative(&arm.inverse_dynamics(&q, &qd, &qdd).unwrap(), &tau) < 1e-11);
    }
}

#[test]
fn without_gravity_no_function_has_it() {
    let text = arm_text(&[(true, [0.1, 0.2, 0.3], [0.0, 0.0, 1.0], 1); 2]).replace("-9.81", "0");
    let still = mechanism(&text);
    let model = derived(&still);
    assert!(model.functions_of(steiner_model::Acceleration::Gravity).is_empty());
    assert!(errors(&still, &model, 20)[0] < 1e-11);
}

/// One joint: revolute?, where, axis, which of some orientations.
type RandomJoint = (bool, [f64; 3], [f64; 3], usize);

fn arm_text(joints: &[RandomJoint]) -> String {
    // Right angles, angles that F_p knows, and angles that it has to round.
    let orientations = ["[0, 0, 0]", "[\"pi/2\", 0, 0]", "[0, \"pi/3\", 0]", "[0.3, -0.7, 1.1]"];
    let mut text = String::from("name = \"arm\"\ngravity = [0, 0, -9.81]\n");
    for (k, (revolute, xyz, axis, orientation)) in joints.iter().enumerate() {
        let parent = if k == 0 { "base".to_owned() } else { format!("link{k}") };
        let joint = if *revolute { "revolute" } else { "prismatic" };
        writeln!(
            text,
            "[[body]]\nname = \"link{}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\nxyz = {xyz:?}\naxis = {axis:?}\n\
             rpy = {}\nframe = {{ xyz = [0.05, 0, {}] }}\n\
             inertia = {{ mass = {}, com = [0.02, -0.03, 0.1], tensor = [0.03, 0.001, 0.04, -0.002, 0.003, 0.05] }}",
            k + 1,
            orientations[orientation % orientations.len()],
            0.1 * k as f64,
            1.0 + 0.5 * k as f64,
        )
        .unwrap();
    }
    text
}

fn random_joint() -> impl Strategy<Value = RandomJoint> {
    let length = prop_oneof![Just(0.0), (-500..500i32).prop_map(|x| f64::from(x) / 1000.0)];
    let axis = prop_oneof![
        Just([0.0, 0.0, 1.0]),
        Just([0.0, -1.0, 0.0]),
        // Neither has a unit vector in rational numbers.
        Just([1.0, 2.0, -1.0]),
        Just([1.0, 3.0, 1.0]),
    ];
    (proptest::bool::weighted(0.75), [length.clone(), length.clone(), length], axis, 0..4usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if is_thorough() { 256 } else { 48 }))]
    #[test]
    fn any_serial_arm_agrees_with_recursion(joints in proptest::collection::vec(random_joint(), 1..6)) {
        let robot = mechanism(&arm_text(&joints));
        let model = derived(&robot);
        let worst = errors(&robot, &model, 10);
        prop_assert!(worst[..3].iter().all(|error| *error < 1e-11), "{:?}", worst);
    }

    #[test]
    fn no_function_of_a_random_arm_is_superfluous(joints in proptest::collection::vec(random_joint(), 1..5)) {
        // Every function is seen by some force with parameters of order one.
        let model = derived(&mechanism(&arm_text(&joints)));
        for function in 0..model.functions().len() {
            let seen = (0..model.dof()).flat_map(|i| model.reduction(i).row(function).map(|(_, x)| x.abs()));
            prop_assert!(seen.fold(0.0, f64::max) > 1e-12);
        }
    }
}
