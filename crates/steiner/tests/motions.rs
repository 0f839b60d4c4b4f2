//! Motions as files, and shapes of robots.

use steiner::excitation::Trajectory;
use steiner::{MotionFormat, ReadOptions, read_mechanism, shape_of, write_motion};

#[test]
fn keyframes_have_quaternions_with_w_first_and_linear_velocities_in_the_world() {
    let robot = read_mechanism("go2", &ReadOptions::default()).unwrap();
    let (nq, nv) = (robot.configuration_size(), robot.dof());
    // The trunk is turned by a quarter about z and goes 2 m/s along its own x.
    let mut q = robot.reference();
    let half = 0.5f64.sqrt();
    q[..7].copy_from_slice(&[1.0, 2.0, 3.0, 0.0, 0.0, half, half]);
    let mut qd = vec![0.0; nv];
    qd[0] = 2.0;
    let motion = Trajectory { t: vec![0.0], q, qd, qdd: vec![0.0; nv] };
    let path = std::env::temp_dir().join(format!("steiner-keys-{}.xml", std::process::id()));
    write_motion(&robot, &motion, &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let numbers = |name: &str| -> Vec<f64> {
        let rest = text.split(&format!("{name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().split(' ').map(|x| x.parse().unwrap()).collect()
    };
    let (qpos, qvel) = (numbers("qpos"), numbers("qvel"));
    assert_eq!((qpos.len(), qvel.len()), (nq, nv));
    assert_eq!(qpos[..7], [1.0, 2.0, 3.0, half, 0.0, 0.0, half]);
    assert!(qvel[0].abs() < 1e-12 && (qvel[1] - 2.0).abs() < 1e-12, "{qvel:?}");
}

#[test]
fn endings_have_formats_and_others_are_refused() {
    for (name, format) in [
        ("a.CSV", MotionFormat::Csv),
        ("a.npz", MotionFormat::Npz),
        ("a.yml", MotionFormat::Yaml),
        ("a.json", MotionFormat::Json),
        ("a.xml", MotionFormat::Mujoco),
    ] {
        assert_eq!(MotionFormat::of(name.as_ref()), Ok(format));
    }
    let refused = MotionFormat::of("motion.bag".as_ref()).unwrap_err().to_string();
    assert!(refused.contains("motion.bag") && refused.contains(".yaml"), "{refused}");
}

#[test]
fn links_without_a_shape_get_capsules_from_joint_to_joint_only_if_asked() {
    let arm = read_mechanism("puma560", &ReadOptions::default()).unwrap();
    let none = shape_of(&arm, "puma560", &ReadOptions::default(), None, 0.01).unwrap();
    assert!(none.capsules.is_empty() && none.without.len() == 6);
    let thin = shape_of(&arm, "puma560", &ReadOptions::default(), Some(0.03), 0.01).unwrap();
    assert!(thin.without.is_empty() && thin.sources.iter().all(|(_, made_of)| *made_of == "joints"));
    // The axes of the wrist meet: its capsules touch wherever the joints are. Upper arm and hand do not.
    assert!(thin.touching.contains(&(Some(3), Some(5))), "{:?}", thin.touching);
    assert!(!thin.touching.contains(&(Some(1), Some(5))), "{:?}", thin.touching);
}

#[test]
fn the_hull_of_a_plate_is_kept_apart_where_its_capsule_would_mostly_touch() {
    // The plate on the last link reaches over the first from 0.1 m above, where one capsule is 0.3 m thick.
    let link = |name: &str, size: &str, at: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\
             </inertial><collision><origin xyz=\"{at}\"/><geometry><box size=\"{size}\"/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, at: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/><origin xyz=\"{at}\"/>\
             <axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" velocity=\"1\" effort=\"9\"/></joint>"
        )
    };
    let text = format!(
        "<robot name=\"plate\"><link name=\"base\"/>{}{}{}{}{}{}</robot>",
        link("low", "0.1 0.1 0.04", "0 0 0"),
        link("middle", "0.04 0.04 0.04", "0 0 0.07"),
        link("plate", "0.6 0.6 0.02", "0 0 0"),
        joint("a", "base", "low", "0 0 0"),
        joint("b", "low", "middle", "0 0 0"),
        joint("c", "middle", "plate", "0 0 0.22")
    );
    let path = std::env::temp_dir().join(format!("steiner-plate-{}.urdf", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let file = path.display().to_string();
    let robot = read_mechanism(&file, &ReadOptions::default()).unwrap();
    let shape = shape_of(&robot, &file, &ReadOptions::default(), None, 0.01).unwrap();
    std::fs::remove_file(&path).unwrap();
    let has_hull =
        |body: usize| shape.capsules.iter().any(|own| own.body == Some(body) && own.hull.is_some());
    assert!(shape.touching.is_empty(), "{:?}", shape.touching);
    assert!(has_hull(2) && !has_hull(1), "{:?}", shape.capsules);
}
