//! What the tests share.
#![allow(dead_code)]

pub(crate) mod altered;
pub(crate) mod carried;
pub(crate) mod compared;
pub(crate) mod tx40;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identification::{Identification, Problem};
use steiner_robot::{Friction, Robot, SensorSet};

/// A robot of the zoo.
pub(crate) fn zoo(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A robot of the zoo, ready to move.
pub(crate) fn mechanism(name: &str) -> Mechanism {
    Mechanism::new(zoo(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// Sensors as they are written.
pub(crate) fn sensors(text: &str) -> SensorSet {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A robot in the native format.
pub(crate) fn written(text: &str) -> Mechanism {
    let options = ReadOptions::default();
    let description =
        parse_text(text, "text", Format::Toml, None, &options).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(assemble(description, &options).unwrap_or_else(|error| panic!("{error}")))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The same robot with a drive in every joint that has one degree of freedom, in
/// proportion to what it carries.
pub(crate) fn with_drives(robot: Robot) -> Mechanism {
    let mut robot = robot.into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate().filter(|(_, body)| body.joint.kind.dof() == 1) {
        let size = body.inertia.mass.max(0.1);
        let part = 1.0 + 0.1 * k as f64;
        body.joint.rotor_inertia = 0.02 * size * part;
        body.joint.friction = Friction::simple(0.1 * size, 0.2 * size * part, 0.02 * size);
    }
    let robot = Robot::from_parts(robot).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// A robot whose inertias are those of the file times something between ½ and 2, still
/// of bodies: a file that is wrong.
pub(crate) fn wrong_file(robot: &Robot) -> Robot {
    let mut robot = robot.clone().into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate() {
        let factor = [0.6, 1.5, 0.8, 1.9][k % 4];
        let scaled = body.inertia.parameters().map(|x| factor * x);
        body.inertia = steiner_robot::PseudoInertia::from_parameters(&scaled);
        body.joint.rotor_inertia = 0.0;
        body.joint.friction = Friction::default();
    }
    Robot::from_parts(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// The true values of the base parameters an identification found.
pub(crate) fn truth(identification: &Identification, problem: &Problem) -> Vec<f64> {
    let value = |label: &String| {
        let k = problem.labels().iter().position(|other| other == label).expect("a label of the problem");
        problem.prior()[k]
    };
    let sum = |terms: &Vec<(String, f64)>| terms.iter().map(|(label, factor)| factor * value(label)).sum();
    identification.parameters.iter().map(|parameter| sum(&parameter.terms)).collect()
}

/// Largest error of least squares, relative to the size of each value or, where that is
/// small, to the largest of its kind.
pub(crate) fn worst_error(identification: &Identification, truth: &[f64]) -> f64 {
    let kind = |name: &str| name.rsplit_once('.').map_or("", |(_, kind)| &kind[..1]).to_owned();
    let largest = |k: usize| {
        let own = kind(&identification.parameters[k].name);
        let alike = identification.parameters.iter().zip(truth).filter(|(p, _)| kind(&p.name) == own);
        alike.fold(0.0, |most: f64, (_, x)| most.max(x.abs()))
    };
    let error = |k: usize| {
        let scale = truth[k].abs().max(0.1 * largest(k));
        (identification.parameters[k].least_squares - truth[k]).abs() / scale
    };
    (0..truth.len()).map(error).fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x) })
}

/// Whether everything shall be tried.
pub(crate) fn thorough() -> bool {
    std::env::var_os("STEINER_THOROUGH").is_some()
}
