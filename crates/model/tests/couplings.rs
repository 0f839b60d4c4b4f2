//! Gears, mimic joints and differentials in generated code.

mod support;

use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_linalg::elimination::Matrix;
use steiner_model::{Code, CodeOptions, ParameterUse};
use steiner_robot::{CentredInertia, Friction, PseudoInertia, Robot};
use support::agreement::{Physics, agree, truths};
use support::compiled::Compiler;
use support::mechanism;

/// On a free base: a geared rotor, a wrist differential driven by two motors, a rack, a
/// screw; offsets and negative ratios.
const MACHINE: &str = r#"
name = "machine"
gravity = [1, -2, -9.3]
[[body]]
name = "hull"
parent = "base"
joint = "floating"
inertia = { mass = 8, com = [0.02, 0.01, -0.03], tensor = [0.3, 0.01, 0.4, 0.02, -0.01, 0.35] }
[[body]]
name = "rotor"
parent = "hull"
joint = "revolute"
xyz = [0.05, 0, 0.3]
axis = [0, 1, 0]
inertia = { mass = 0.4, com = [0, 0, 0], tensor = [0.001, 0, 0.002, 0, 0, 0.001] }
[[body]]
name = "arm"
parent = "hull"
joint = "revolute"
xyz = [0.2, 0, 0.4]
axis = [0, 1, 0]
inertia = { mass = 2, com = [0.2, 0.01, 0.02], tensor = [0.01, 0.001, 0.04, 0, 0.002, 0.04] }
[[body]]
name = "left"
parent = "arm"
joint = "revolute"
xyz = [0.3, 0.05, 0]
rpy = [0.3, 0.1, 0]
axis = [0, 1, 0]
inertia = { mass = 0.3, com = [0, 0.01, 0], tensor = [0.001, 0, 0.001, 0, 0, 0.002] }
[[body]]
name = "right"
parent = "arm"
joint = "revolute"
xyz = [0.3, -0.05, 0]
axis = [0, 1, 0]
inertia = { mass = 0.3, com = [0, -0.01, 0], tensor = [0.001, 0, 0.001, 0, 0, 0.002] }
[[body]]
name = "pitch"
parent = "arm"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 1, 0]
inertia = { mass = 0.5, com = [0.02, 0, 0.01], tensor = [0.002, 0, 0.002, 0, 0, 0.002] }
[[body]]
name = "roll"
parent = "pitch"
joint = "revolute"
xyz = [0.1, 0, 0]
axis = [1, 0, 0]
inertia = { mass = 0.6, com = [0.05, 0.02, 0.01], tensor = [0.002, 0, 0.003, 0, 0, 0.003] }
[[body]]
name = "rack"
parent = "hull"
joint = "prismatic"
xyz = [-0.2, 0, 0.1]
axis = [1, 0, 1]
inertia = { mass = 0.9, com = [0.05, 0.02, 0.01], tensor = [0.002, 0, 0.003, 0, 0, 0.003] }
[[body]]
name = "screw"
parent = "rack"
joint = "helical"
pitch = 0.02
xyz = [-0.1, 0.1, 0.1]
axis = [0, 0, 1]
inertia = { mass = 0.7, com = [0.03, 0.02, 0.01], tensor = [0.002, 0, 0.003, 0, 0, 0.003] }
[[coupling]]
coordinate = "rotor"
terms = [["arm", -9.5]]
offset = 0.3
[[coupling]]
coordinate = "left"
terms = [["pitch", 1], ["roll", "3/7"]]
[[coupling]]
coordinate = "right"
terms = [["pitch", 1], ["roll", "-3/7"]]
offset = "pi/5"
[[coupling]]
coordinate = "rack"
terms = [["arm", "0.05*sqrt(2)"]]
offset = 0.1
[[coupling]]
coordinate = "screw"
terms = [["rack", -40]]
"#;

fn compilers() -> Vec<Compiler> {
    let all = [Compiler::Gcc, Compiler::Clang, Compiler::Rustc];
    all.into_iter().filter(|compiler| compiler.is_there()).collect()
}

#[test]
fn a_machine_of_gears_agrees_with_the_recursion() {
    let machine = mechanism(MACHINE);
    assert_eq!((machine.dof(), machine.tree_dof()), (9, 14));
    let truths = truths(&machine, &machine, 2_000);
    for (compiler, parameters) in
        compilers().into_iter().zip([ParameterUse::Argument, ParameterUse::Constants])
    {
        let options = CodeOptions { parameters, ..CodeOptions::default() };
        agree(compiler, "machine", machine.robot(), &options, &truths);
    }
    let [header, _] = Code::new(machine.robot(), &CodeOptions::default()).unwrap().c();
    assert!(header.text.contains("rotor = -9.5 arm + 0.3"), "{}", header.text);
    assert!(
        header.text.contains("#define MACHINE_DOF 9 ")
            && header.text.contains("#define MACHINE_CONFIGURATION 10 ")
    );
}

/// A gripper whose second finger mimics the first, in an arm; and what Gᵀ makes of
/// the same robot without <mimic>.
const GRIPPER: &str = r#"<robot name="gripper">
<link name="world"/>
<link name="upper"><inertial><origin xyz="0.1 0.02 0.3"/><mass value="3"/>
  <inertia ixx="0.05" ixy="0.001" ixz="0.002" iyy="0.06" iyz="0" izz="0.02"/></inertial></link>
<link name="a"><inertial><origin xyz="0.01 0.02 0.1"/><mass value="0.2"/>
  <inertia ixx="0.0005" ixy="0" ixz="0" iyy="0.0006" iyz="0" izz="0.0002"/></inertial></link>
<link name="b"><inertial><origin xyz="-0.01 0.02 0.1"/><mass value="0.25"/>
  <inertia ixx="0.0005" ixy="0" ixz="0" iyy="0.0007" iyz="0" izz="0.0003"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/><axis xyz="0 1 0"/>
  <dynamics damping="0.7" friction="0.2"/><limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
<joint name="finger1" type="prismatic"><parent link="upper"/><child link="a"/><origin xyz="0 0 0.6"/><axis xyz="1 0 0"/>
  <dynamics damping="0.5" friction="0.3"/><limit lower="0" upper="0.1" effort="9" velocity="9"/></joint>
<joint name="finger2" type="revolute"><parent link="upper"/><child link="b"/><origin xyz="0.1 0 0.6" rpy="0.2 0 0.4"/>
  <axis xyz="-1 0 0"/><dynamics damping="0.4" friction="0.1"/><limit lower="0" upper="0.1" effort="9" velocity="9"/>
  <mimic joint="finger1" multiplier="-2.5" offset="0.02"/></joint>
</robot>"#;

/// q = G q_a + g, τ_a = Gᵀ τ, M_a = Gᵀ M G, with the drives of all three joints.
struct Mimicking(Mechanism);

const G: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [0.0, -2.5]];

fn spread(x: &[f64], offset: f64) -> Vec<f64> {
    vec![x[0], x[1], -2.5 * x[1] + offset]
}

impl Physics for Mimicking {
    fn forces(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        let (qd, qdd) = (spread(qd, 0.0), spread(qdd, 0.0));
        let mut tau = self.0.forces(&spread(q, 0.02), &qd, &qdd);
        for (k, body) in self.0.robot().bodies.iter().enumerate() {
            let Friction { viscous, coulomb, offset, .. } = body.joint.friction;
            tau[k] += body.joint.rotor_inertia * qdd[k] + viscous * qd[k] + coulomb * qd[k].signum() + offset;
        }
        (0..2).map(|a| (0..3).map(|k| G[k][a] * tau[k]).sum()).collect()
    }
    fn mass(&self, q: &[f64]) -> Matrix<f64> {
        let tree = self.0.mass(&spread(q, 0.02));
        let inertia = |k: usize| self.0.robot().bodies[k].joint.rotor_inertia;
        let entry = |j: usize, k: usize| tree[(j, k)] + if j == k { inertia(k) } else { 0.0 };
        Matrix::from_fn(2, 2, |a, b| {
            (0..9).map(|at| G[at / 3][a] * entry(at / 3, at % 3) * G[at % 3][b]).sum()
        })
    }
}

fn gripper(mimic: bool) -> Robot {
    let options = ReadOptions { mimic, ..ReadOptions::default() };
    let description = parse_text(GRIPPER, "gripper", Format::Urdf, None, &options).unwrap();
    let mut robot = assemble(description, &options).unwrap().into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate() {
        body.joint.rotor_inertia = [0.02, 0.1, 0.003][k];
        body.joint.friction.offset = [0.1, -0.2, 0.3][k];
    }
    Robot::from_parts(robot).unwrap()
}

#[test]
fn mimic_joints_and_their_drives_act_through_the_joint_they_follow() {
    let physics = Mimicking(Mechanism::new(gripper(false)).unwrap());
    assert_eq!(physics.0.robot().bodies[2].joint.name, "finger2");
    let robot = gripper(true);
    let truths = truths(&Mechanism::new(robot.clone()).unwrap(), &physics, 2_000);
    for compiler in compilers() {
        for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
            let options = CodeOptions { drives: true, parameters, ..CodeOptions::default() };
            agree(compiler, "gripper", &robot, &options, &truths);
        }
    }
}

#[test]
fn geared_reference_mechanisms_agree_with_the_recursion() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/mechanisms");
    if !folder.is_dir() {
        eprintln!("skipped: the reference mechanisms are not beside the project");
        return;
    }
    for name in ["gear1_par", "gear9_par", "gear9_float_par"] {
        let file = folder.join(format!("{name}.toml"));
        let mut robot = read_robot(file.to_str().unwrap(), &ReadOptions::default()).unwrap().into_parts();
        assert!(!robot.couplings.is_empty());
        // Their files give no inertias.
        for (k, body) in robot.bodies.iter_mut().enumerate() {
            let x = 0.1 * k as f64;
            body.inertia = PseudoInertia::from_centred(&CentredInertia {
                mass: 1.0 + x,
                com: [0.05, -0.02 - 0.1 * x, 0.1],
                tensor: [0.02, 0.001, 0.03, 0.002, -0.003, 0.025 + 0.1 * x],
            });
        }
        let mechanism = Mechanism::new(Robot::from_parts(robot).unwrap()).unwrap();
        let truths = truths(&mechanism, &mechanism, 1_000);
        for compiler in compilers() {
            agree(compiler, name, mechanism.robot(), &CodeOptions::default(), &truths);
        }
    }
}

#[test]
fn what_couplings_leave_no_code_for_is_said() {
    let planar = r#"
name = "puck"
[[body]]
name = "disc"
parent = "base"
joint = "planar"
[[body]]
name = "wheel"
parent = "base"
joint = "revolute"
[[coupling]]
coordinate = "disc:2"
terms = [["wheel", 2]]
"#;
    let error = Code::new(mechanism(planar).robot(), &CodeOptions::default()).unwrap_err().to_string();
    assert!(error.contains("puck has a coupling that decides the angle of a planar joint"), "{error}");
    let stuck = r#"
name = "stuck"
[[body]]
name = "a"
parent = "base"
joint = "revolute"
[[coupling]]
coordinate = "a"
terms = []
"#;
    let error = Code::new(mechanism(stuck).robot(), &CodeOptions::default()).unwrap_err().to_string();
    assert!(error.contains("stuck cannot move"), "{error}");
}
