//! Code of closed forms agrees with the library's recursion at 10,000 random states, drives included; and the
//! faster method is found by measuring.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot, zoo};
use steiner_model::{Code, CodeOptions, JointMotion, Method, ParameterUse, Psdm, PsdmOptions, Quantity};
use steiner_robot::Robot;
use support::agreement::{code_agrees, truths};
use support::compiled::{Compiler, PREFIX};
use support::{derived, is_thorough, named};

const STATES: usize = 10_000;

fn robot(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).unwrap()
}

fn options(parameters: ParameterUse) -> CodeOptions {
    CodeOptions { prefix: Some(PREFIX.to_owned()), parameters, ..CodeOptions::default() }
}

/// The serial arms of the zoo, or some of them.
fn arms(every_day: &[&'static str]) -> Vec<&'static str> {
    if !is_thorough() {
        return every_day.to_vec();
    }
    let is_arm = |name: &str| Psdm::derive(&named(name), &PsdmOptions::default()).is_ok();
    zoo::ENTRIES.iter().map(|entry| entry.name).filter(|name| is_arm(name)).collect()
}

fn agrees(compilers: &[Compiler], every_day: &[&'static str]) {
    for name in arms(every_day) {
        let mechanism = named(name);
        let (model, truths) = (derived(&mechanism), truths(&mechanism, &mechanism, STATES));
        for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
            let code = Code::closed_form(&robot(name), &model, &options(parameters)).unwrap();
            for &compiler in compilers.iter().filter(|compiler| compiler.is_there()) {
                code_agrees(compiler, &format!("{name} closed"), &code, parameters, &truths);
            }
        }
    }
}

#[test]
fn c_of_closed_forms_agrees_with_the_recursion() {
    agrees(&Compiler::C, &["two_link", "scara_sr6ia", "puma560", "gantry"]);
}

#[test]
fn rust_of_closed_forms_agrees_with_the_recursion() {
    agrees(&[Compiler::Rustc], &["double_pendulum", "ur5"]);
}

#[test]
fn both_methods_have_the_same_parameters() {
    for name in arms(&["two_link", "scara_sr6ia", "puma560", "kr6", "panda"]) {
        for drives in [false, true] {
            let options =
                CodeOptions { quantities: vec![Quantity::MassMatrix], drives, ..CodeOptions::default() };
            let recursive = Code::new(&robot(name), &options).unwrap();
            let model =
                Psdm::derive(&named(name), &PsdmOptions { drives, ..PsdmOptions::default() }).unwrap();
            let closed = Code::closed_form(&robot(name), &model, &options).unwrap();
            let names = |code: &Code| code.parameters.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
            // An offset can stand for a weight that pulls along a slide; a closed form keeps both.
            let slides = model.joints().iter().any(|joint| joint.motion == JointMotion::Prismatic);
            if drives && slides {
                assert!(names(&recursive).iter().all(|label| names(&closed).contains(label)));
                continue;
            }
            assert_eq!(names(&recursive), names(&closed), "{name}");
            for (a, b) in recursive.parameters.iter().zip(&closed.parameters) {
                assert!((a.value - b.value).abs() <= 1e-12 * a.value.abs().max(1e-3), "{name}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn the_faster_method_is_chosen_and_why_is_said() {
    if !Compiler::C.iter().any(|compiler| compiler.is_there()) {
        eprintln!("skipped: no C compiler");
        return;
    }
    let quantities = vec![Quantity::InverseDynamics, Quantity::MassMatrix];
    for drives in [false, true] {
        let options =
            CodeOptions { quantities: quantities.clone(), drives, ..options(ParameterUse::Constants) };
        let (code, choices) = Code::fastest(&robot("puma560"), &options).unwrap();
        for (function, choice) in code.functions.iter().zip(&choices) {
            let [recursive, psdm] = choice.nanoseconds.unwrap();
            let wanted = if psdm < recursive { Method::Psdm } else { Method::Recursive };
            assert_eq!(
                (function.quantity, function.method, choice.method),
                (choice.quantity, wanted, wanted)
            );
            assert!(choice.reason.contains("ns against"), "{}", choice.reason);
        }
    }
    let (_, choices) =
        Code::fastest(&robot("go2"), &CodeOptions { quantities, ..CodeOptions::default() }).unwrap();
    assert!(choices.iter().all(|choice| choice.method == Method::Recursive));
    assert!(choices[0].reason.starts_with("the only way: go2"), "{}", choices[0].reason);
}

#[test]
fn code_of_a_reduced_model_computes_the_reduced_model() {
    // Neglected parameters: what the code is tested with is the smaller model, not the robot.
    let mechanism = named("puma560");
    let neglect = ["link3.Ixy", "link2.mz"].map(str::to_owned).to_vec();
    let model = Psdm::derive(&mechanism, &PsdmOptions { neglect, ..PsdmOptions::default() });
    let model = model.unwrap();
    let code = Code::closed_form(&robot("puma560"), &model, &options(ParameterUse::Constants)).unwrap();
    let arm = model.calibrate(&model.nominal()).unwrap();
    let mut random = support::Random::new(3);
    let function = &code.functions[0];
    for _ in 0..20 {
        let (q, qd, qdd) = random.state(6);
        let value = |name: &str| {
            let (array, place) = name.trim_end_matches(']').split_once('[').unwrap();
            let place: usize = place.parse().unwrap();
            match array {
                "q" => q[place],
                "qd" => qd[place],
                _ => qdd[place],
            }
        };
        let found = function.graph.evaluate(&function.outputs, &value);
        let wanted = arm.inverse_dynamics(&q, &qd, &qdd).unwrap();
        assert!(support::relative(&found, &wanted) < 1e-12);
    }
}

#[test]
fn a_mechanism_that_is_no_arm_is_refused_by_its_closed_form() {
    let error =
        Psdm::derive(&Mechanism::new(robot("four_bar")).unwrap(), &PsdmOptions::default()).unwrap_err();
    assert!(error.to_string().contains("closes a loop"), "{error}");
}
