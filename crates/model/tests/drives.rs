//! Drives in generated code: the recursion of rigid bodies, with the drive of each joint added by hand.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::{Question, analyze};
use steiner_linalg::elimination::Matrix;
use steiner_model::{Code, CodeOptions, ParameterUse};
use steiner_robot::{Friction, Robot};
use support::agreement::{Physics, agree, truths};
use support::compiled::Compiler;

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

/// Gives every joint with one degree of freedom a drive of its own; some have no inertia, some no friction.
fn driven(robot: Robot) -> Robot {
    let mut robot = robot.into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate().filter(|(_, body)| body.joint.kind.dof() == 1) {
        let x = k as f64;
        body.joint.rotor_inertia = if k % 3 == 1 { 0.0 } else { 0.5 + 0.1 * x };
        let friction = Friction { viscous: 1.5 - 0.07 * x, coulomb: 0.9 + 0.2 * x, offset: 0.3 - 0.11 * x };
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
            let Friction { viscous, coulomb, offset } = joint.friction;
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
