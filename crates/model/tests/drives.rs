//! Drives in generated code: the recursion of rigid bodies, with the drive of each joint added by hand.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::{Question, analyze};
use steiner_linalg::elimination::Matrix;
use steiner_model::{Code, CodeOptions, ParameterUse, Quantity};
use steiner_robot::{Friction, FurtherFriction, Robot, Stribeck};
use support::agreement::{Physics, agree, truths};
use support::compiled::{Compiler, State};

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

/// Gives every joint with one degree of freedom a drive of its own; some have no inertia, some no friction.
fn driven(robot: Robot) -> Robot {
    let mut robot = robot.into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate().filter(|(_, body)| body.joint.kind.dof() == 1) {
        let x = k as f64;
        body.joint.rotor_inertia = if k % 3 == 1 { 0.0 } else { 0.5 + 0.1 * x };
        let friction = Friction::simple(1.5 - 0.07 * x, 0.9 + 0.2 * x, 0.3 - 0.11 * x);
        body.joint.friction = if k % 4 == 2 { Friction::default() } else { friction };
    }
    Robot::from_parts(robot).unwrap()
}

/// A robot whose coordinates are those of its joints, with its drives.
struct WithDrives(Mechanism);

impl WithDrives {
    fn joints(&self) -> impl Iterator<Item = (usize, &steiner_robot::Joint)> {
        let robot = self.0.robot();
        let joints = robot.velocity_offsets().into_iter().zip(robot.bodies.iter().map(|body| &body.joint));
        joints.filter(|(_, joint)| joint.kind.dof() == 1)
    }
}

impl Physics for WithDrives {
    fn forces(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        let mut tau = self.0.forces(q, qd, qdd);
        for (k, joint) in self.joints() {
            let Friction { viscous, coulomb, offset, .. } = joint.friction;
            let dry = if qd[k] > 0.0 { coulomb } else { -coulomb };
            tau[k] += joint.rotor_inertia * qdd[k] + viscous * qd[k] + dry + offset;
        }
        tau
    }
    fn mass(&self, q: &[f64]) -> Matrix<f64> {
        let mut mass = self.0.mass(q);
        for (k, joint) in self.joints() {
            mass[(k, k)] += joint.rotor_inertia;
        }
        mass
    }
}

#[test]
fn drives_add_their_inertia_friction_and_offset() {
    let robots = [
        ("puma560", robot("puma560", false)),
        ("scara", driven(robot("scara_sr6ia", false))),
        ("gantry", driven(robot("gantry", false))),
        ("go2", driven(robot("go2", true))),
    ];
    let compilers = [Compiler::Gcc, Compiler::Clang, Compiler::Rustc];
    let compilers: Vec<Compiler> = compilers.into_iter().filter(|compiler| compiler.is_there()).collect();
    for (name, robot) in robots {
        let physics = WithDrives(Mechanism::new(robot.clone()).unwrap());
        let truths = truths(&physics.0, &physics, 2_000);
        for (k, &compiler) in compilers.iter().enumerate() {
            // Either use of the parameters in each language, without compiling everything twice.
            let parameters = [ParameterUse::Constants, ParameterUse::Argument][(k + name.len()) % 2];
            let options = CodeOptions { drives: true, parameters, ..CodeOptions::default() };
            agree(compiler, &format!("drives-{name}"), &robot, &options, &truths);
        }
    }
}

#[test]
fn the_inertia_of_a_drive_joins_that_of_the_body_where_forces_cannot_tell_them() {
    let puma = robot("puma560", false);
    let code = Code::new(&puma, &CodeOptions { drives: true, ..CodeOptions::default() }).unwrap();
    let question = Question { drives: true, ..Question::default() };
    let analysis = analyze(&Mechanism::new(puma.clone()).unwrap(), &question).unwrap();
    assert_eq!(code.parameters.len(), analysis.identifiable());
    // The first axis turns one inertia, and so does the second, which is parallel to the third.
    let formula = |name: &str| code.parameters.iter().find(|p| p.name == name).map(|p| p.formula());
    assert!(formula("link1.Izz").unwrap().ends_with("+ link1.Ia"));
    assert!(formula("link2.Izz").unwrap().ends_with("+ link2.Ia"));
    assert_eq!(formula("link3.Ia").unwrap(), "link3.Ia");
    assert_eq!(formula("link1.Ia"), None);
    for joint in ["link1", "link6"] {
        for which in ["fv", "fc", "offset"] {
            assert!(formula(&format!("{joint}.{which}")).is_some());
        }
    }
    let own = code.parameters.iter().find(|p| p.name == "link1.fc").unwrap();
    assert_eq!(own.value, puma.bodies[0].joint.friction.coulomb);
}

/// Forces move what only rotors make inert.
#[test]
fn a_robot_without_inertias_but_with_drives_has_forward_dynamics() {
    let mut arm = robot("two_link", false).into_parts();
    for body in &mut arm.bodies {
        body.inertia = steiner_robot::PseudoInertia::from_parameters(&[0.0; 10]);
        body.joint.rotor_inertia = 0.4;
    }
    let arm = Robot::from_parts(arm).unwrap();
    let error = Code::new(&arm, &CodeOptions::default()).unwrap_err().to_string();
    assert!(error.contains("mass matrix is singular"), "{error}");
    Code::new(&arm, &CodeOptions { drives: true, ..CodeOptions::default() }).unwrap();
}

/// All friction of the files, written out once more; the terms beside viscous and Coulomb friction apart.
struct Rubbing(WithDrives);

impl Rubbing {
    fn further(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        let mut load = self.0.0.forces(q, qd, qdd);
        // The rotors of the first joint, and of the second, whose axis is parallel to the third and fourth, are not
        // told from their links.
        for (k, joint) in self.0.joints().filter(|(k, _)| *k < 2) {
            load[k] += joint.rotor_inertia * qdd[k];
        }
        let mut out = vec![0.0; load.len()];
        for (k, joint) in self.0.joints() {
            let FurtherFriction { load: part, root, asymmetric, stribeck, harmonics } =
                joint.friction.further;
            let (s, v) = (qd[k].signum(), qd[k].abs());
            out[k] = s * (part * load[k].abs() + root * v.sqrt()) + asymmetric * v;
            if stribeck.force != 0.0 {
                out[k] += s * stribeck.force * f64::exp(-(v / stribeck.speed) * (v / stribeck.speed));
            }
            let [[s1, c1], [s2, c2]] = harmonics;
            out[k] += s1 * q[k].sin() + c1 * q[k].cos() + s2 * (2.0 * q[k]).sin() + c2 * (2.0 * q[k]).cos();
        }
        out
    }
}

fn rubbing(robot: Robot) -> Robot {
    let change = |parts: &mut steiner_robot::RobotParts| {
        for (k, body) in parts.bodies.iter_mut().enumerate() {
            let x = 1.0 + 0.1 * k as f64;
            body.joint.friction.further = match k % 3 {
                0 => FurtherFriction { load: 0.1 * x, root: 0.7, ..FurtherFriction::default() },
                1 => FurtherFriction {
                    load: 0.05,
                    asymmetric: 0.3 * x,
                    stribeck: Stribeck { force: 2.0, speed: 1.5 },
                    harmonics: [[0.4, -0.6], [0.1, 0.2 * x]],
                    ..FurtherFriction::default()
                },
                _ => FurtherFriction::default(),
            };
        }
    };
    robot.changed(change).unwrap()
}

#[test]
fn further_friction_of_the_file_is_part_of_forces_and_accelerations() {
    let compilers = [Compiler::Gcc, Compiler::Rustc].into_iter().filter(|compiler| compiler.is_there());
    for (k, compiler) in compilers.enumerate() {
        let robot = rubbing(driven(robot("ur5", false)));
        let physics = Rubbing(WithDrives(Mechanism::new(robot.clone()).unwrap()));
        let mut truths = truths(&physics.0.0, &physics.0, 2_000);
        for truth in &mut truths {
            let State { q, qd, qdd, tau } = &mut truth.state;
            tau.iter_mut().zip(physics.further(q, qd, qdd)).for_each(|(tau, f)| *tau += f);
        }
        let parameters = [ParameterUse::Constants, ParameterUse::Argument][k];
        // Y, M and h are without it: the self-test of the code knows.
        let quantities = vec![Quantity::InverseDynamics, Quantity::MassMatrix, Quantity::BiasForces];
        let options = CodeOptions { drives: true, parameters, quantities, ..CodeOptions::default() };
        agree(compiler, "further-ur5", &robot, &options, &truths);
        let all = CodeOptions { drives: true, parameters, ..CodeOptions::default() };
        let error = Code::new(&robot, &all).unwrap_err().to_string();
        assert!(error.contains("grows with its load"), "{error}");
        assert_eq!(Quantity::usual(&robot, true), Quantity::ALL[..4]);
        // Without it, accelerations are there, too.
        let no_load = |parts: &mut steiner_robot::RobotParts| {
            parts.bodies.iter_mut().for_each(|body| body.joint.friction.further.load = 0.0);
        };
        let robot = robot.changed(no_load).unwrap();
        let physics = Rubbing(WithDrives(Mechanism::new(robot.clone()).unwrap()));
        for truth in &mut truths {
            let State { q, qd, qdd, tau } = &mut truth.state;
            *tau = physics.0.forces(q, qd, qdd);
            tau.iter_mut().zip(physics.further(q, qd, qdd)).for_each(|(tau, f)| *tau += f);
        }
        let quantities = vec![Quantity::InverseDynamics, Quantity::ForwardDynamics];
        let options = CodeOptions { drives: true, parameters, quantities, ..CodeOptions::default() };
        agree(compiler, "curved-ur5", &robot, &options, &truths);
    }
}
