//! MJCF: trees, inertia, equality constraints. Numbers were printed by MuJoCo 4.0.0 for the same documents.

use std::fs;

use steiner_files::Place;
use steiner_formats::{Format, FormatError, ReadOptions, assemble, parse_text, read_robot};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Joint, JointKind, LoopKind, Motion, Pose, Robot, RobotNote, evaluate_direction};
use steiner_scalar::{Exact, Fp};

fn read(text: &str, snap: f64) -> Result<Robot, FormatError> {
    let options = ReadOptions { snap, ..ReadOptions::default() };
    assemble(parse_text(text, "model.xml", Format::Mjcf, None, &options)?, &options)
}

fn robot(text: &str) -> Robot {
    read(text, 1e-5).unwrap()
}

fn complaint(text: &str) -> String {
    read(text, 1e-5).expect_err("the document is wrong").to_string()
}

/// One joint's worth of XML inside a world, with further sections.
fn model(settings: &str, world: &str, after: &str) -> String {
    format!("<mujoco>\n{settings}\n<worldbody>\n{world}\n</worldbody>\n{after}\n</mujoco>")
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

/// Mass, centre and tensor (xx, xy, yy, xz, yz, zz) about the centre, body axes.
type Printed = (&'static str, f64, [f64; 3], [f64; 6]);

fn assert_inertias(robot: &Robot, printed: &[Printed], tolerance: f64) {
    for (name, mass, com, tensor) in printed {
        let link = robot.description.links.iter().find(|link| link.name == *name).unwrap();
        let centred = link.inertia.unwrap().centred();
        assert!(close(centred.mass, *mass, 1e-12), "{name}: {} kg", centred.mass);
        for k in 0..3 {
            assert!(close(centred.com[k], com[k], 1e-12), "{name}: {:?}", centred.com);
        }
        let scale = tensor.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        for k in 0..6 {
            assert!(
                (centred.tensor[k] - tensor[k]).abs() < tolerance * scale,
                "{name}: {:?} is not {tensor:?}",
                centred.tensor
            );
        }
    }
}

/// Where a body stands in its parent, for one-number coordinates.
fn pose_of(joint: &Joint, coordinates: &[f64]) -> Pose<f64> {
    let mut pose = Pose::identity();
    for (k, stage) in joint.stages().iter().enumerate() {
        let axis = evaluate_direction::<f64>(&stage.axis).map(|axis| axis.value).unwrap_or(Vec3::zero());
        let q = coordinates[k];
        let moved = match stage.motion {
            Motion::Rotation => Pose {
                rotation: Mat3::from_quaternion((q / 2.0).cos(), axis.scale((q / 2.0).sin())),
                translation: Vec3::zero(),
            },
            _ => Pose { rotation: Mat3::identity(), translation: axis.scale(q) },
        };
        pose = pose.then(&stage.before.pose()).then(&moved).then(&stage.after.pose());
    }
    pose
}

fn world_poses(robot: &Robot, q: &[f64]) -> Vec<Pose<f64>> {
    let mut poses: Vec<Pose<f64>> = Vec::new();
    let mut next = 0;
    for body in &robot.bodies {
        let dof = body.joint.kind.dof();
        let own = pose_of(&body.joint, &q[next..next + dof]);
        next += dof;
        poses.push(body.parent.map_or(own, |parent| poses[parent.0].then(&own)));
    }
    poses
}

fn assert_pose(pose: &Pose<f64>, position: [f64; 3], rows: [f64; 9]) {
    for k in 0..3 {
        assert!(
            close(pose.translation.0[k], position[k], 1e-12),
            "{:?} is not {position:?}",
            pose.translation
        );
    }
    for k in 0..9 {
        assert!(close(pose.rotation.0[k / 3][k % 3], rows[k], 1e-12), "{:?} is not {rows:?}", pose.rotation);
    }
}

const ARM: &str = r#"
<mujoco model="arm">
  <compiler angle="degree" eulerseq="xyz"/>
  <default>
    <joint armature="0.1" damping="2"/>
    <geom density="500"/>
    <default class="finger">
      <joint type="slide" armature="0.01"/>
      <geom density="2700"/>
    </default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="base" pos="0 0 0.1">
      <geom type="box" size=".1 .1 .05"/>
      <body name="upper" pos="0 0 .2" euler="90 0 90">
        <joint name="shoulder" axis="0 1 0" pos="0.01 0.02 0.03" range="-90 45"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size=".04"/>
        <geom type="sphere" size=".05" pos=".3 .1 0" mass=".7"/>
        <body pos=".3 .1 0" quat="0.70710678 0 0.70710678 0">
          <joint axis="0 0 1" frictionloss=".3"/>
          <inertial pos=".01 .02 .03" mass="1.5" fullinertia=".01 .02 .025 .001 .002 .003"/>
          <body name="palm" pos="0 0 .1" axisangle="1 1 0 60">
            <geom type="ellipsoid" size=".02 .03 .04" euler="10 20 30" pos="0 .01 0"/>
            <geom type="cylinder" size=".02 .05" pos=".01 0 0" zaxis="1 2 3" group="3"/>
            <geom type="box" size=".02 .05 .01" xyaxes="1 1 0 0 1 1" group="4"/>
            <body name="left" childclass="finger" pos="0 .02 .05">
              <joint name="left" axis="0 1 0" range="0 .04"/>
              <geom type="box" size=".005 .01 .03" pos="0 0 .03"/>
            </body>
            <body name="right" pos="0 -.02 .05">
              <joint name="right" class="finger" axis="0 -1 0" range="0 .04"/>
              <inertial pos="0 0 .03" euler="0 0 45" mass=".02" diaginertia="3e-6 4e-6 5e-6"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

#[test]
fn an_arm_has_the_names_joints_and_inertias_mujoco_gives_it() {
    let robot = read(ARM, 0.0).unwrap();
    assert_eq!(robot.name, "arm");
    let names: Vec<&str> = robot.description.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["base", "upper", "body_3", "palm", "left", "right"]);
    let joints: Vec<&str> = robot.bodies.iter().map(|body| body.joint.name.as_str()).collect();
    assert_eq!(joints, ["shoulder", "body_3", "left", "right"]);
    assert_eq!(robot.tree_dof(), 4);
    let printed: [Printed; 6] = [
        ("base", 2.0, [0.0; 3], [0.008333333333333, 0.0, 0.008333333333333, 0.0, 0.0, 0.01333333333333]),
        (
            "upper",
            1.628808347817,
            [0.2144643061541, 0.07148810205136, 0.0],
            [0.003448716283827, -0.006081348634267, 0.0196656459752, 0.0, 0.0, 0.02169276218663],
        ),
        ("body_3", 1.5, [0.01, 0.02, 0.03], [0.01, 0.001, 0.02, 0.002, 0.003, 0.025]),
        (
            "palm",
            0.1530973355292,
            [0.004104046151724, 0.003283236921379, 0.0],
            [
                0.0001126733333698,
                1.431228430102e-06,
                0.0001019216342777,
                -2.272308700491e-06,
                -2.991121791488e-05,
                6.772698920376e-05,
            ],
        ),
        ("left", 0.0324, [0.0, 0.0, 0.03], [1.08e-05, 0.0, 9.99e-06, 0.0, 0.0, 1.35e-06]),
        ("right", 0.02, [0.0, 0.0, 0.03], [3.5e-06, -5e-07, 3.5e-06, 0.0, 0.0, 5e-06]),
    ];
    assert_inertias(&robot, &printed, 1e-11);
    let poses = world_poses(&robot, &[0.0; 4]);
    let root = 0.612372435696;
    // MuJoCo's own quaternion of body_3 is printed to eight digits.
    let position = [-0.0543813782152, 0.0256186217848, 0.712752551286];
    assert_pose(&poses[3], position, [-0.25, -0.75, root, 0.75, 0.25, root, -root, root, 0.5]);
}

#[test]
fn classes_limits_and_drives_reach_the_joints() {
    let robot = robot(ARM);
    let shoulder = &robot.bodies[0].joint;
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_eq!(shoulder.limits.lower, Some(-quarter));
    assert_eq!(shoulder.limits.upper, Some(quarter / 2.0));
    assert_eq!((shoulder.rotor_inertia, shoulder.friction.viscous), (0.1, 2.0));
    assert_eq!(robot.bodies[1].joint.friction.coulomb, 0.3);
    let left = &robot.bodies[2].joint;
    assert_eq!(left.kind, JointKind::Prismatic);
    assert_eq!((left.rotor_inertia, left.friction.viscous), (0.01, 2.0));
    assert_eq!((left.limits.lower, left.limits.upper), (Some(0.0), Some(0.04)));
}

#[test]
fn degrees_and_quaternions_become_exact_geometry() {
    let robot = robot(ARM);
    // The quaternion 0.70710678 0 0.70710678 0 is a rounded quarter turn; 60 degrees about 1 1 0 is exact.
    assert_eq!(robot.snapped, 0, "eight digits of a quaternion of any length are exactly a quarter turn");
    for body in &robot.bodies {
        for stage in body.joint.stages() {
            assert!(!stage.before.evaluate::<Fp>().unwrap().rounded, "{}", body.name);
            assert!(!stage.after.evaluate::<Fp>().unwrap().rounded, "{}", body.name);
        }
    }
    let nearly = self::robot(&model("", r#"<body euler="0 0 89.9999"><joint/></body>"#, ""));
    assert_eq!(nearly.snapped, 1);
    assert!(!nearly.bodies[0].joint.placement.evaluate::<Fp>().unwrap().rounded);
}

const SHAPES: &str = r#"
<mujoco>
  <compiler inertiagrouprange="0 2" boundinertia="0.0005"/>
  <worldbody>
    <body name="capsule"><freejoint/><geom type="capsule" size=".1 .2"/></body>
    <body name="cylinder" pos="1 0 0"><freejoint/><geom type="cylinder" size=".1 .2" shellinertia="true"/></body>
    <body name="ellipsoid" pos="2 0 0"><freejoint/><geom type="ellipsoid" fromto="0 0 0 .1 .2 .3" size=".05"/></body>
    <body name="box" pos="3 0 0"><freejoint/><geom type="box" size=".1 .2 .3" shellinertia="true"/><geom size="1" group="3"/></body>
    <body name="pod" pos="4 0 0"><freejoint/><geom type="capsule" size=".1 .2" shellinertia="true"/></body>
    <body name="egg" pos="5 0 0"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" shellinertia="true" mass="2"/></body>
    <body name="needle" pos="6 0 0"><freejoint/><geom type="cylinder" fromto="0 0 0 .3 0 .1" size=".01"/><geom type="sphere" size=".02"/></body>
  </worldbody>
</mujoco>"#;

#[test]
fn every_primitive_shape_weighs_what_mujoco_says() {
    let printed: [Printed; 7] = [
        (
            "capsule",
            16.75516081914557,
            [0.0; 3],
            [0.4461061568098, 0.0, 0.4461061568098, 0.0, 0.0, 0.07958701389094],
        ),
        (
            "cylinder",
            314.1592653589793,
            [0.0; 3],
            [7.278022980816, 0.0, 7.278022980816, 0.0, 0.0, 2.827433388231],
        ),
        (
            "ellipsoid",
            1.959127226423,
            [0.05, 0.1, 0.15],
            [
                0.01378385941448,
                -0.001819189567393,
                0.01105507506339,
                -0.002728784351089,
                -0.005457568702179,
                0.006507101144906,
            ],
        ),
        ("box", 880.0, [0.0; 3], [54.13333333333, 0.0, 42.13333333333, 0.0, 0.0, 24.26666666667]),
        ("pod", 376.9911184308, [0.0; 3], [12.98524963484, 0.0, 12.98524963484, 0.0, 0.0, 3.351032163829]),
        ("egg", 2.0, [0.0; 3], [0.07381850644697, 0.0, 0.05745481388431, 0.0, 0.0, 0.03309112132274]),
        // Its smallest moment is raised to `boundinertia`.
        (
            "needle",
            0.1328562042963,
            [0.1121654986128, 0.0, 0.0373884995376],
            [0.0005962177976551, 0.0, 0.001462177976551, -0.0002886533929652, 0.0, 0.001365960178896],
        ),
    ];
    assert_inertias(&robot(SHAPES), &printed, 1e-9);
}

#[test]
fn masses_are_balanced_bounded_and_scaled_as_the_compiler_is_told() {
    let bodies = r#"
        <body name="a"><joint/><inertial pos="0 0 0" mass=".5" diaginertia="1 2 4"/></body>
        <body name="b"><joint/><inertial pos="0 0 0" mass="1.5" diaginertia="1 2 2"/></body>"#;
    let scaled = robot(&model(r#"<compiler balanceinertia="true" settotalmass="10"/>"#, bodies, ""));
    let moment = 11.666666666666668;
    let printed: [Printed; 2] = [
        ("a", 2.5, [0.0; 3], [moment, 0.0, moment, 0.0, 0.0, moment]),
        ("b", 7.5, [0.0; 3], [5.0, 0.0, 10.0, 0.0, 0.0, 10.0]),
    ];
    assert_inertias(&scaled, &printed, 1e-12);
    let bounded = robot(&model(
        r#"<compiler boundinertia=".001" boundmass="1"/>"#,
        r#"<body name="c"><joint/>
           <inertial pos="0 0 0" mass=".5" fullinertia=".0002 .003 .004 .0001 0 0"/></body>"#,
        "",
    ));
    let moments = bounded.bodies[0].inertia.principal_moments();
    assert_eq!(bounded.bodies[0].inertia.mass, 1.0);
    assert!(close(moments[0], 0.001, 1e-15) && close(moments[1], 0.00300356688476182, 1e-14));
}

#[test]
fn a_body_whose_mass_lies_in_a_mesh_gets_a_note_and_no_inertia() {
    let text = model(
        "",
        r#"<body name="hull"><joint/><geom type="mesh" mesh="hull"/><geom size=".1"/></body>
           <body name="trim"><joint/><geom type="mesh" mesh="trim" mass="0"/><geom size=".1" mass="2"/></body>"#,
        "",
    );
    let robot = robot(&text);
    assert_eq!(robot.bodies[0].own_inertia, None);
    let place = Place::file("model.xml").at_line(4);
    assert_eq!(robot.notes[0], RobotNote::InertiaInMesh { place, body: "hull".to_owned() });
    assert_eq!(robot.bodies[1].inertia.mass, 2.0);
}

#[test]
fn inertia_from_geom_and_groups_are_obeyed() {
    let body = r#"<body name="a"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom size=".1" mass="2"/><geom size=".1" mass="4" group="3"/></body>
        <body name="b"><joint/><geom size=".1" mass="8"/></body>"#;
    let mass = |compiler: &str| {
        let robot = robot(&model(compiler, body, ""));
        [robot.bodies[0].inertia.mass, robot.bodies[1].inertia.mass]
    };
    assert_eq!(mass(""), [1.0, 8.0]);
    assert_eq!(mass(r#"<compiler inertiafromgeom="true"/>"#), [6.0, 8.0]);
    assert_eq!(mass(r#"<compiler inertiafromgeom="true" inertiagrouprange="0 2"/>"#), [2.0, 8.0]);
    assert_eq!(mass(r#"<compiler inertiafromgeom="false"/>"#), [1.0, 0.0]);
}

const MOTION: &str = r#"
    <body name="cart" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1" ref="1.25"/>
      <joint name="pitch" type="hinge" axis="0 1 0" pos="0.1 0 0.2"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="leg" pos="0 0.3 -0.4" euler="0 30 0">
        <joint name="knee" axis="0 2 0" pos="0.05 0 0.1" ref="30"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <body name="foot" pos="0 0 -0.5">
          <joint name="ankle" axis="1 1 0" pos="0 0 0.1" ref="90"/>
          <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          <body name="toe" pos=".1 0 0">
            <joint name="toe" type="slide" axis="1 0 1" ref="0.2"/>
            <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          </body>
        </body>
      </body>
    </body>"#;

#[test]
fn anchors_references_and_compound_joints_move_bodies_as_in_mujoco() {
    let robot = read(&model(r#"<compiler angle="degree"/>"#, MOTION, ""), 0.0).unwrap();
    assert!(matches!(&robot.bodies[0].joint.kind, JointKind::Compound(parts) if parts.len() == 3));
    let poses = world_poses(&robot, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    let (c, s) = (0.9553364891256, 0.2955202066613);
    assert_pose(
        &poses[0],
        [0.04536230975517, 0.0, -0.01151527715899],
        [c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c],
    );
    let (c, s) = (0.7648421872845, 0.6442176872377);
    assert_pose(
        &poses[1],
        [-0.06817074764033, 0.3, -0.4066444631775],
        [c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c],
    );
    let rows = [
        0.9655293269539,
        -0.2006871396695,
        -0.1657642626236,
        0.2602872306979,
        0.7397127693021,
        0.6205445805637,
        -0.001917375154077,
        -0.6423003120836,
        0.7664506721047,
    ];
    assert_pose(&poses[2], [-0.309281396273, 0.2379455419436, -0.7892264053018], rows);
    assert_pose(&poses[3], [0.01347925655998, 0.5131111237446, -0.5731754713305], rows);
    // A closure solve starts at the references, where the file draws the bodies.
    let reference: Vec<f64> = robot.reference.iter().map(|x| x.to_f64().unwrap()).collect();
    let (sixth, half) = (std::f64::consts::FRAC_PI_6, std::f64::consts::FRAC_PI_2);
    assert_eq!(reference, [0.0, 1.25, 0.0, sixth, half, 0.2]);
}

#[test]
fn a_free_joint_moves_in_world_axes_and_remembers_where_it_was_drawn() {
    let text = model(
        "",
        r#"<body name="torso" pos="1 2 3" euler="0 0 180"><freejoint name="root"/><geom size=".1"/>
             <body name="head"><joint type="ball" pos="0 0 .1"/><geom size=".1"/></body></body>"#,
        "",
    );
    let robot = robot(&text);
    let joint = &robot.bodies[0].joint;
    assert_eq!((joint.name.as_str(), &joint.kind), ("root", &JointKind::Floating));
    assert!(joint.placement.steps().is_empty());
    let reference: Vec<f64> = robot.reference.iter().map(|x| x.to_f64().unwrap()).collect();
    assert_eq!(reference[..3], [1.0, 2.0, 3.0]);
    assert!(close(reference[5].abs(), 1.0, 1e-15));
    assert_eq!(robot.bodies[1].joint.kind, JointKind::Spherical);
    assert!(robot.is_floating());
}

#[test]
fn frames_carry_joints_geoms_and_bodies() {
    // MuJoCo: joint at 1.1 0 0 along x; geom at 1.2 0 0.
    let robot = robot(&model(
        "",
        r#"<body name="a"><frame pos="1 0 0" euler="0 90 0"><joint pos="0 0 .1"/><geom size=".1" pos="0 0 .2"/>
             <body name="b" pos="0 0 .3"><joint/><geom size=".1"/></body></frame></body>"#,
        "",
    ));
    let com = robot.bodies[0].inertia.centred().com;
    assert!(close(com[0], 1.2, 1e-15) && close(com[2], 0.0, 1e-15));
    let turned = world_poses(&robot, &[std::f64::consts::PI, 0.0]);
    // Half a turn about x leaves the anchor's x alone and the body frame at the origin.
    assert!(turned[0].translation.0.iter().all(|x| x.abs() < 1e-15));
    assert!(close(turned[0].rotation.0[1][1], -1.0, 1e-15));
    let placed = world_poses(&robot, &[0.0, 0.0]);
    assert!(close(placed[1].translation.0[0], 1.3, 1e-15));
}

const LINKAGE: &str = r#"
    <body name="crank"><joint name="crank" axis="0 1 0"/><geom size=".1"/>
      <body name="coupler" pos="0 0 .3"><joint name="coupler" axis="0 1 0"/><geom size=".1"/></body></body>
    <body name="rocker" pos="1 0 0" euler="0 90 0"><joint name="rocker" axis="0 1 0" ref="90"/><geom size=".1"/>
      <site name="tip" pos="0 0 .5"/></body>"#;

#[test]
fn connect_and_weld_close_loops_that_hold_at_the_reference() {
    let text = model(
        "",
        LINKAGE,
        r#"<equality>
             <connect name="pin" body1="coupler" body2="rocker" anchor=".1 0 .2"/>
             <weld body1="coupler" body2="rocker"/>
             <weld body1="coupler" relpose=".1 .2 .3 1 0 0 0" anchor=".5 0 0"/>
             <connect active="false" body1="crank" anchor="0 0 0"/>
           </equality>"#,
    );
    let robot = robot(&text);
    let kinds: Vec<&LoopKind> = robot.loops.iter().map(|closure| &closure.kind).collect();
    assert_eq!(kinds, [&LoopKind::Spherical, &LoopKind::Fixed, &LoopKind::Fixed]);
    let names: Vec<&str> = robot.loops.iter().map(|closure| closure.name.as_str()).collect();
    assert_eq!(names, ["pin", "equality_1", "equality_2"]);
    let q: Vec<f64> = robot.reference.iter().map(|x| x.to_f64().unwrap()).collect();
    let poses = world_poses(&robot, &q);
    let at = |side: &steiner_robot::Attachment| {
        let frame = side.frame.pose();
        side.body.map_or(frame, |body| poses[body.0].then(&frame))
    };
    for closure in &robot.loops[..2] {
        let (one, other) = (at(&closure.predecessor), at(&closure.successor));
        let apart = one.translation - other.translation;
        assert!(apart.dot(apart) < 1e-28, "{}: {apart:?}", closure.name);
    }
    assert!(robot.loops[2].successor.body.is_none());
    let anchor = robot.loops[2].successor.frame.pose().translation.0;
    assert_eq!(anchor, [0.5, 0.0, 0.0]);
    // Geometry stays exact through the inverse chain.
    assert!(!robot.loops[0].successor.frame.evaluate::<Fp>().unwrap().rounded);
    assert!(robot.notes.iter().any(|note| matches!(note, RobotNote::Inactive { .. })));
}

#[test]
fn sites_may_close_a_loop() {
    let text = model(
        "",
        &format!(r#"{LINKAGE}<site name="wall" pos="2 0 0"/>"#),
        r#"<equality><connect site1="tip" site2="wall"/></equality>"#,
    );
    let robot = robot(&text);
    assert_eq!(robot.loops[0].predecessor.frame.pose().translation.0, [0.0, 0.0, 0.5]);
    assert!(robot.loops[0].successor.body.is_none());
}

#[test]
fn joint_equalities_become_couplings_about_the_references() {
    let text = model(
        "",
        LINKAGE,
        r#"<equality><joint joint1="rocker" joint2="crank" polycoef=".1 2"/>
             <joint joint1="coupler" polycoef=".25"/></equality>"#,
    );
    let robot = robot(&text);
    let [geared, held] = &robot.couplings[..] else { panic!("two couplings") };
    assert_eq!(geared.terms.len(), 1);
    assert_eq!(geared.terms[0].1, Exact::integer(2));
    assert!(close(geared.offset.to_f64().unwrap(), 0.1 + std::f64::consts::FRAC_PI_2, 1e-15));
    assert!(held.terms.is_empty());
    assert_eq!(held.offset.to_f64().unwrap(), 0.25);
}

#[test]
fn gravity_is_read_and_can_be_switched_off() {
    let body = r#"<body><joint/><geom size=".1"/></body>"#;
    assert_eq!(robot(&model("", body, "")).gravity_vector(), [0.0, 0.0, -9.81]);
    let given = model(r#"<option gravity="0 -1.62 0"/>"#, body, "");
    assert_eq!(robot(&given).gravity_vector(), [0.0, -1.62, 0.0]);
    let none = model(r#"<option gravity="0 -1.62 0"><flag gravity="disable"/></option>"#, body, "");
    assert_eq!(robot(&none).gravity_vector(), [0.0; 3]);
}

#[test]
fn bodies_and_joints_may_share_names_and_nameless_ones_never_clash() {
    let robot = robot(&model(
        "",
        r#"<body name="elbow"/><body name="body_3"><joint name="elbow"/><geom size=".1"/></body>
           <body><joint/><geom size=".1"/></body>"#,
        "",
    ));
    let names: Vec<&str> = robot.description.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["elbow", "body_3", "body_3_"]);
    assert_eq!(robot.coordinates_named("elbow").unwrap()[0].body.0, 0);
}

#[test]
fn includes_are_spliced_in_and_may_not_repeat() {
    let folder = std::env::temp_dir().join(format!("steiner-mjcf-{}", std::process::id()));
    fs::create_dir_all(folder.join("parts")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write(
        "main.xml",
        r#"<mujoco><include file="settings.xml"/><worldbody><body name="a"><joint/><geom size=".1"/>
             <include file="parts/arm.xml"/></body></worldbody></mujoco>"#,
    );
    write("settings.xml", r#"<mujocoinclude><compiler angle="radian"/></mujocoinclude>"#);
    write(
        "parts/arm.xml",
        r#"<mujocoinclude><body name="b" euler="0 0 1"><joint range="-1 1"/><geom size=".1"/></body>
             <include file="tool.xml"/></mujocoinclude>"#,
    );
    write(
        "parts/tool.xml",
        r#"<mujocoinclude><body name="c"><joint/><geom size=".1"/></body></mujocoinclude>"#,
    );
    let main = folder.join("main.xml");
    let robot = read_robot(main.to_str().unwrap(), &ReadOptions::default()).unwrap();
    let names: Vec<&str> = robot.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(robot.bodies[1].joint.limits.upper, Some(1.0));
    write("parts/tool.xml", r#"<mujocoinclude><include file="arm.xml"/></mujocoinclude>"#);
    let error = read_robot(main.to_str().unwrap(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("included a second time"), "{error}");
    write("settings.xml", "<mujocoinclude><default>\n<joint damping=\"x\"/></default></mujocoinclude>");
    write("parts/tool.xml", "<mujocoinclude/>");
    let error = read_robot(main.to_str().unwrap(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("settings.xml:2") && error.contains("`x` is not a number"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_complaint_names_file_line_element_and_remedy() {
    let body = |inside: &str| model("", &format!("<body name=\"a\">\n{inside}</body>"), "");
    let linked = |equality: &str| model("", LINKAGE, &format!("<equality>{equality}</equality>"));
    let cases = [
        (body(r#"<joint type="hing"/>"#), "model.xml:5", "`hing` is not a kind of joint"),
        (body(r#"<joint axis="0 0 0"/>"#), "model.xml:5", "the axis is zero"),
        (body(r#"<joint axis="0 1"/>"#), "model.xml:5", "has 2 numbers"),
        (body(r#"<joint class="nope"/>"#), "model.xml:5", "there is no default class `nope`"),
        (body(r#"<joint quat="1 0 0 0"/>"#), "model.xml:5", "a joint has no `quat`"),
        (body(r#"<joint/><joint ref="20"/>"#), "model.xml:5", "`ref` of a hinge beside other joints"),
        (body("<freejoint/><joint/>"), "model.xml:5", "a free joint beside other joints"),
        (body("<joint/><body><freejoint/></body>"), "model.xml:5", "a free joint below another body"),
        (body(r#"<joint/><geom type="cone" size=".1"/>"#), "model.xml:5", "`cone` is not a kind of geom"),
        (body(r#"<joint/><geom type="box" size=".1"/>"#), "model.xml:5", "needs more sizes"),
        (body(r#"<joint/><geom size="-1"/>"#), "model.xml:5", "make it positive"),
        (body(r#"<joint/><inertial pos="0 0 0" mass="-1"/>"#), "model.xml:5", "the mass -1 kg is negative"),
        (body(r#"<joint/><geom size="1e200"/>"#), "model.xml:4", "its mass or moments overflow"),
        (body(r#"<joint/><inertial mass="1"/>"#), "model.xml:5", "`pos` is missing"),
        (body(r#"<replicate count="3"/>"#), "model.xml:5", "does not expand <replicate>"),
        (body(r#"<attach model="x"/>"#), "model.xml:5", "does not expand <attach>"),
        (body(r#"<jiont/>"#), "model.xml:5", "did you mean `joint`?"),
        (body(r#"<body quat="0 0 0 0"/>"#), "model.xml:5", "the quaternion is zero"),
        (body(r#"<body quat="1 0 0 0" euler="0 0 0"/>"#), "model.xml:5", "orient it more than once"),
        (body(r#"<body xyaxes="1 0 0 2 0 0"/>"#), "model.xml:5", "zero or parallel"),
        (body(r#"<include file="x.xml"/>"#), "model.xml:5", "without a folder"),
        (model(r#"<compiler angle="grad"/>"#, "", ""), "model.xml:2", "angle=\"grad\""),
        (model(r#"<compiler eulerseq="xyw"/>"#, "", ""), "model.xml:2", "eulerseq=\"xyw\""),
        (linked(r#"<connect body1="crnk" anchor="0 0 0"/>"#), "model.xml", "did you mean `crank`?"),
        (linked(r#"<connect body1="crank"/>"#), "model.xml", "`anchor` is missing"),
        (linked(r#"<joint joint1="crank" joint2="rockr"/>"#), "model.xml", "did you mean `rocker`?"),
        (
            linked(r#"<joint joint1="crank" joint2="rocker" polycoef="0 1 .5"/>"#),
            "model.xml",
            "polycoef is a nonlinear polynomial",
        ),
        (linked(r#"<tendon tendon1="t"/>"#), "model.xml", "does not know the constraint <tendon>"),
        ("<robot/>".to_owned(), "model.xml:1", "an MJCF file starts with <mujoco>"),
        ("<mujoco>".to_owned(), "model.xml:1", "not well formed"),
        (model("", "", ""), "model.xml", "no moving body"),
        (model("", "<joint/>", ""), "model.xml:4", "the world cannot move"),
    ];
    for (text, place, problem) in cases {
        let message = complaint(&text);
        assert!(message.starts_with(place) && message.contains(problem), "{problem}: {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn long_chains_and_wide_trees_are_read_and_endless_ones_refused() {
    let chain = |count: usize| {
        let open = r#"<body pos="0 0 .1"><joint axis="0 1 0"/><geom size=".1"/>"#.repeat(count);
        model("", &format!("{open}{}", "</body>".repeat(count)), "")
    };
    assert_eq!(robot(&chain(150)).bodies.len(), 150);
    assert!(complaint(&chain(5000)).contains("nested more than"));
    let wide = r#"<body><joint/><geom size=".1"/></body>"#.repeat(3000);
    assert_eq!(robot(&model("", &wide, "")).bodies.len(), 3000);
}
