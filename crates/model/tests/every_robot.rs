//! Generated code of every tree in the zoo agrees with the library's recursion at 10,000 random states.
//!
//! A few robots every day; all of them, fixed and floating, with `STEINER_THOROUGH`.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot, zoo};
use steiner_model::{Code, CodeError, CodeOptions, ParameterUse, Quantity};
use steiner_robot::Robot;
use support::agreement::{agree, truths};
use support::compiled::Compiler;
use support::is_thorough;

const STATES: usize = 10_000;

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

/// The trees of the zoo: (name, floating), serial ones first.
fn trees(every_day: &[(&'static str, bool)]) -> Vec<(&'static str, bool)> {
    if !is_thorough() {
        return every_day.to_vec();
    }
    let is_tree = |name: &str| robot(name, false).loops.is_empty();
    let names: Vec<&str> = zoo::ENTRIES.iter().map(|entry| entry.name).filter(|name| is_tree(name)).collect();
    [false, true].into_iter().flat_map(|floating| names.iter().map(move |&name| (name, floating))).collect()
}

/// What can be generated for a robot: a root without mass has no forward dynamics.
fn quantities(robot: &Robot) -> Vec<Quantity> {
    match Code::new(robot, &CodeOptions::default()) {
        Err(CodeError::SingularMass { .. }) => Quantity::ALL[..4].to_vec(),
        code => code.map(|_| Quantity::ALL.to_vec()).unwrap(),
    }
}

fn agrees(compilers: &[Compiler], every_day: &[(&'static str, bool)]) {
    let compilers: Vec<Compiler> = compilers.iter().copied().filter(|compiler| compiler.is_there()).collect();
    for (name, floating) in trees(every_day) {
        let robot = robot(name, floating);
        let mechanism = Mechanism::new(robot.clone()).unwrap();
        let truths = truths(&mechanism, &mechanism, STATES);
        let (quantities, label) =
            (quantities(&robot), format!("{name}{}", if floating { "-floating" } else { "" }));
        for &compiler in &compilers {
            for &parameters in
                &[ParameterUse::Constants, ParameterUse::Argument][..1 + usize::from(is_thorough())]
            {
                let options =
                    CodeOptions { quantities: quantities.clone(), parameters, ..CodeOptions::default() };
                agree(compiler, &label, &robot, &options, &truths);
            }
        }
    }
}

#[test]
fn c_agrees_with_the_recursion() {
    let every_day =
        [("two_link", false), ("puma560", false), ("scara_sr6ia", false), ("panda", false), ("go2", true)];
    agrees(&Compiler::C, &every_day);
}

#[test]
fn rust_agrees_with_the_recursion() {
    agrees(&[Compiler::Rustc], &[("double_pendulum", false), ("gantry", false), ("lbr7", false)]);
}
