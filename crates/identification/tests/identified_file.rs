//! The identified robot as a file: read, identify, write, read again; nothing else
//! changes, and nothing is ever lost.

use crate::support;
use std::path::{Path, PathBuf};
use std::process::Command;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    FileNote, Identification, Settings, Simulation, identify, simulate, write_identified,
};
use steiner_robot::{Lumped, PseudoInertia, Robot};
use support::altered::altered;

const ARM: &str = r#"<?xml version="1.0"?>
<!-- A crane, by hand. -->
<robot name="crane">
    <link name="ground"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
    <link name="tower">
        <inertial> <!-- from the drawing -->
            <origin xyz="0.01 0 0.4" rpy="0 0 0.3"/>
            <mass value="8.0"/>
            <inertia ixx="0.3" ixy="0.001" ixz="0" iyy="0.31" iyz="0" izz="0.05"/>
        </inertial>
    </link>
    <link name="boom"><inertial><origin xyz="0.3 0.02 0"/><mass value="3"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.12" iyz="0" izz="0.125"/></inertial></link>
    <link name="camera"><inertial><mass value="0.4"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>
    <link name="marker"/>
    <link name="hook"/>
    <joint name="slew" type="revolute"> <parent link="ground"/> <child link="tower"/> <axis xyz="0 0 1"/>
        <limit lower="-2" upper="2" velocity="2" effort="100"/> </joint>
    <joint name="luff" type="revolute">
        <origin xyz="0.1 0 0.9" rpy="0.2 0.1 -0.4"/>
        <parent link="tower"/><child link="boom"/><axis xyz="0 1 0"/>
        <limit lower="-2" upper="2" velocity="2" effort="100"/>
        <dynamics damping="0.2"/>
    </joint>
    <joint name="mount" type="fixed"><origin xyz="0.5 0.1 0" rpy="0.4 1 -1"/><parent link="boom"/><child link="camera"/></joint>
    <joint name="dot" type="fixed"><origin xyz="0 0.1 0"/><parent link="camera"/><child link="marker"/></joint>
    <joint name="wrist" type="revolute">
        <origin xyz="0.7 0 0" rpy="1 0 0"/>
        <parent link="boom"/>
        <child link="hook"/>
        <axis xyz="0 0.6 0.8"/>
        <limit lower="-3" upper="3" velocity="3" effort="10"/>
    </joint>
</robot>
"#;

fn mechanism(robot: Robot) -> Mechanism {
    Mechanism::new(robot).expect("a mechanism")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("identified_{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file, and what was identified for it from a log of a robot whose inertias and drives are others.
fn identified(path: &Path) -> (Mechanism, Identification) {
    let file =
        mechanism(read_robot(path.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot"));
    let truth = mechanism(altered(file.robot(), 0.3, true));
    let log = simulate(&truth, &Simulation { duration: 10.0, rate: 100.0, ..Simulation::default() })
        .expect("a log");
    let found = identify(&file, &log, &Settings::default()).expect("an identification");
    (file, found)
}

fn crane(name: &str) -> (PathBuf, Mechanism, Identification) {
    let path = folder(name).join("crane.urdf");
    // The hook gets something to weigh; in the file it has no inertia at all.
    std::fs::write(&path, ARM).expect("written");
    let file =
        mechanism(read_robot(path.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot"));
    let heavier = altered(file.robot(), 0.3, true)
        .changed(|parts| parts.bodies[2].inertia = parts.bodies[1].inertia)
        .expect("a robot");
    let truth = mechanism(heavier);
    let log = simulate(&truth, &Simulation { duration: 10.0, rate: 100.0, ..Simulation::default() })
        .expect("a log");
    let found = identify(&file, &log, &Settings::default()).expect("an identification");
    (path, file, found)
}

fn assert_same_inertias(found: &Identification, robot: &Robot, what: &str) {
    for (link, body) in found.consistency.iter().zip(&robot.bodies) {
        let (a, b) = (link.inertia.parameters(), body.inertia.parameters());
        for range in [0..1, 1..4, 4..10] {
            let scale = a[range.clone()].iter().fold(0.0f64, |most, x| most.max(x.abs()));
            for k in range {
                assert!((a[k] - b[k]).abs() <= 1e-12 * scale, "{what}: {} {k}: {} {}", link.link, a[k], b[k]);
            }
        }
    }
}

/// The text without `<inertial>` and `<dynamics>`, and without blanks.
fn the_rest(urdf: &str) -> String {
    let mut out = String::new();
    let mut rest = urdf;
    while let Some(start) = rest.find("<inertial>") {
        out += &rest[..start];
        let end = rest[start..].find("</inertial>").expect("it ends") + start + "</inertial>".len();
        rest = &rest[end..];
    }
    out += rest;
    let mut bare = String::new();
    let mut rest = out.as_str();
    while let Some(start) = rest.find("<dynamics") {
        bare += &rest[..start];
        rest = &rest[start + rest[start..].find("/>").expect("it ends") + 2..];
    }
    bare += rest;
    bare.replace("<link name=\"hook\"></link>", "<link name=\"hook\"/>")
        .split_whitespace()
        .collect::<String>()
        .replace("<linkname=\"hook\"></link>", "<linkname=\"hook\"/>")
}

#[test]
fn a_urdf_comes_back_with_its_new_inertias_and_nothing_else_changed() {
    let (path, file, found) = crane("urdf");
    for lumped in [Lumped::MovingLink, Lumped::Proportional] {
        let target = path.with_file_name(format!("{lumped:?}.urdf"));
        let notes =
            write_identified(path.to_str().expect("UTF-8"), &target, &file, &found, lumped).expect("written");
        let text = std::fs::read_to_string(&target).expect("there");
        assert_eq!(the_rest(&text), the_rest(ARM), "{text}");
        assert!(text.contains("<inertial> <!-- from the drawing -->"));
        let again = read_robot(target.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot");
        assert_same_inertias(&found, &again, &format!("{lumped:?}"));
        for (body, wanted) in again.bodies.iter().zip(&found.robot.bodies) {
            assert_eq!(body.joint.friction.viscous, wanted.joint.friction.viscous);
            assert_eq!(body.joint.friction.coulomb, wanted.joint.friction.coulomb);
        }
        for link in &again.description.links {
            assert!(link.inertia.is_none_or(|inertia| inertia.check().is_ok()), "{}", link.name);
        }
        let camera = again.bodies[1].lumped[0].inertia.expect("it keeps its element");
        assert_eq!(camera == PseudoInertia::ZERO, lumped == Lumped::MovingLink);
        assert!(again.bodies[1].lumped[1].inertia.is_none(), "the marker weighs nothing before and after");
        let joints = |note: &FileNote| match note {
            FileNote::DriveInertias(drives) | FileNote::Offsets(drives) => {
                drives.iter().map(|(joint, _)| joint.clone()).collect()
            }
            _ => Vec::new(),
        };
        let (shared, drives): (Vec<FileNote>, Vec<FileNote>) =
            notes.into_iter().partition(|note| matches!(note, FileNote::Shared(_)));
        let [FileNote::Loses { model, file, .. }, FileNote::DriveInertias(_), FileNote::Offsets(_)] =
            &drives[..]
        else {
            panic!("{drives:?}")
        };
        assert!(*model < 1e-8 && (1e-3..0.1).contains(file), "{drives:?}");
        assert!(drives[1..].iter().all(|note| joints(note) == ["slew", "luff", "wrist"]), "{drives:?}");
        assert_eq!(shared.len(), usize::from(lumped == Lumped::MovingLink), "the camera: {shared:?}");
    }
}

#[test]
fn a_file_may_replace_itself_and_survives_what_goes_wrong() {
    let (path, file, found) = crane("itself");
    let source = path.to_str().expect("UTF-8");
    // What cannot be written leaves the file as it is.
    let mut impossible = found.clone();
    impossible.consistency[0].inertia.mass = -1.0;
    let error =
        write_identified(source, &path, &file, &impossible, Lumped::MovingLink).unwrap_err().to_string();
    assert!(error.ends_with("link `tower` was identified with a mass of -1 kg, which no file can hold; identify a consistent model"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("there"), ARM);
    let missing = path.with_file_name("missing").join("crane.urdf");
    let error =
        write_identified(source, &missing, &file, &found, Lumped::MovingLink).unwrap_err().to_string();
    assert!(
        error.contains("cannot be written (") && error.ends_with("what was there before is untouched"),
        "{error}"
    );
    write_identified(source, &path, &file, &found, Lumped::MovingLink).expect("written");
    assert_same_inertias(&found, &read_robot(source, &ReadOptions::default()).expect("a robot"), "itself");
    let leftovers = std::fs::read_dir(path.parent().expect("a folder")).expect("there").count();
    assert_eq!(leftovers, 1, "no temporary file stays");
}

#[test]
fn native_files_hold_drives_too() {
    let folder = folder("native");
    for name in ["puma560", "four_bar"] {
        let path = folder.join(format!("{name}.toml"));
        let text = format!("# by hand\n{}", steiner_formats::zoo::find(name).expect("in the zoo").text);
        std::fs::write(&path, &text).expect("written");
        let (file, found) = identified(&path);
        let target = folder.join(format!("{name}_identified.toml"));
        let notes =
            write_identified(path.to_str().expect("UTF-8"), &target, &file, &found, Lumped::MovingLink)
                .expect("written");
        assert!(notes.is_empty(), "{notes:?}");
        let written = std::fs::read_to_string(&target).expect("there");
        assert!(written.starts_with("# by hand\n"));
        let again = read_robot(target.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot");
        assert_same_inertias(&found, &again, name);
        for (body, wanted) in again.bodies.iter().zip(&found.robot.bodies) {
            assert_eq!(body.joint.rotor_inertia, wanted.joint.rotor_inertia, "{name}");
            assert_eq!(body.joint.friction, wanted.joint.friction, "{name}");
        }
        // A robot of the zoo is no file; it comes out as one.
        let (file, found) = (mechanism(support::zoo(name)), found);
        let target = folder.join(format!("{name}_zoo.toml"));
        write_identified(name, &target, &file, &found, Lumped::Proportional).expect("written");
        assert_same_inertias(
            &found,
            &read_robot(target.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot"),
            name,
        );
    }
}

#[test]
fn other_formats_become_native_files() {
    let path = folder("mjcf").join("pendulum.xml");
    let text = r#"<mujoco model="pendulum"><worldbody><body name="arm"><joint name="hinge" type="hinge" axis="0 1 0" armature="0.1"/>
        <inertial pos="0 0 -0.3" mass="2" diaginertia="0.1 0.1 0.01"/><body name="bob" pos="0 0 -0.6"><inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/></body>
        </body></worldbody></mujoco>"#;
    std::fs::write(&path, text).expect("written");
    let (file, found) = identified(&path);
    let source = path.to_str().expect("UTF-8");
    let target = path.with_file_name("pendulum.toml");
    write_identified(source, &target, &file, &found, Lumped::Proportional).expect("written");
    let again = read_robot(target.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot");
    assert_same_inertias(&found, &again, "mjcf");
    let error = |target: &str| {
        write_identified(source, &path.with_file_name(target), &file, &found, Lumped::MovingLink)
            .unwrap_err()
            .to_string()
    };
    assert!(
        error("pendulum.urdf").ends_with("pendulum.xml is no URDF that could be patched; write a .toml file")
    );
    assert!(error("pendulum").ends_with("its ending says no format; end it in .urdf or .toml"));
}

#[test]
fn xacro_is_refused_with_the_remedy_and_becomes_a_native_file() {
    let path = folder("xacro").join("crane.urdf.xacro");
    let text = ARM.replace("<robot name=\"crane\">", "<robot name=\"crane\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:property name=\"m\" value=\"8.0\"/>").replace("value=\"8.0\"/>\n            <inertia", "value=\"${m}\"/>\n            <inertia");
    std::fs::write(&path, &text).expect("written");
    let (file, found) = identified(&path);
    let source = path.to_str().expect("UTF-8");
    let error = write_identified(source, &path.with_file_name("out.urdf"), &file, &found, Lumped::MovingLink)
        .unwrap_err();
    assert!(
        error.to_string().ends_with(
            "is xacro, whose links come into being when it is expanded; expand it (`xacro in.xacro > out.urdf`) and identify with the URDF that comes out, or write a .toml file"
        ),
        "{error}"
    );
    let target = path.with_file_name("out.toml");
    write_identified(source, &target, &file, &found, Lumped::MovingLink).expect("written");
    assert_same_inertias(
        &found,
        &read_robot(target.to_str().expect("UTF-8"), &ReadOptions::default()).expect("a robot"),
        "xacro",
    );
}

/// The Python of the virtual environment that `scripts/test` makes, or the one
/// `STEINER_PYTHON` names, if it has Pinocchio.
fn python_with_pinocchio() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let python = std::env::var_os("STEINER_PYTHON").map_or(own, PathBuf::from);
    let imported = Command::new(&python).args(["-c", "import pinocchio"]).output();
    if imported.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    use std::io::Write;
    let _ =
        writeln!(std::io::stderr().lock(), "skipped: no Python with Pinocchio (scripts/test installs it)");
    None
}

const RNEA: &str = "
import sys, json, numpy as np, pinocchio as pin
model = pin.buildModelFromUrdf(sys.argv[1])
data = model.createData()
states = json.loads(sys.stdin.read())
out = [list(pin.rnea(model, data, np.array(q), np.array(v), np.array(a))) for q, v, a in states]
print(json.dumps({'names': list(model.names)[1:], 'tau': out, 'mass': pin.computeTotalMass(model)}))
";

#[test]
fn pinocchio_computes_the_same_torques_from_the_written_file() {
    use std::io::Write;
    let Some(python) = python_with_pinocchio() else { return };
    let (path, file, found) = crane("pinocchio");
    let states: Vec<[[f64; 3]; 3]> = (0..20)
        .map(|k| {
            std::array::from_fn(|j| std::array::from_fn(|i| (1.3 * (9 * k + 3 * j + i) as f64 + 0.2).sin()))
        })
        .collect();
    for lumped in [Lumped::MovingLink, Lumped::Proportional] {
        let target = path.with_file_name("written.urdf");
        let source = path.to_str().expect("UTF-8");
        write_identified(source, &target, &file, &found, lumped).expect("a file");
        let mut child = Command::new(&python)
            .args(["-c", RNEA])
            .arg(&target)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("Python runs");
        let text = serde_json::to_string(&states).expect("numbers");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("read");
        let output = child.wait_with_output().expect("it ends");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["names"], serde_json::json!(["slew", "luff", "wrist"]));
        // Our own dynamics of the identified robot, without its drives, which Pinocchio does not know.
        let mut bare = found.robot.clone().into_parts();
        for body in &mut bare.bodies {
            body.joint.rotor_inertia = 0.0;
            body.joint.friction = steiner_robot::Friction::default();
        }
        let bare = mechanism(Robot::from_parts(bare).expect("a robot"));
        for (k, [q, v, a]) in states.iter().enumerate() {
            let own = bare.inverse_dynamics(q, v, a).expect("a state");
            for (i, own) in own.iter().enumerate() {
                let theirs = answer["tau"][k][i].as_f64().expect("a number");
                assert!((own - theirs).abs() < 1e-10 * (1.0 + own.abs()), "{lumped:?}: {own} {theirs}");
            }
        }
        let mass: f64 = found.consistency.iter().map(|link| link.inertia.mass).sum();
        assert!((answer["mass"].as_f64().expect("a number") - mass).abs() < 1e-12 * mass);
    }
}

#[test]
fn a_root_set_free_is_written_all_the_same() {
    let folder = folder("floating");
    let options = ReadOptions { floating: true, ..ReadOptions::default() };
    let settings = Simulation { duration: 10.0, rate: 100.0, ..Simulation::default() };
    // A URDF whose root floats: the root has an inertia to be found, and the
    // file stays that of a fixed robot.
    let urdf = folder.join("crane.urdf");
    let rooted = ARM.replace(
        "<link name=\"ground\">",
        "<link name=\"ground\"><inertial><mass value=\"20\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>",
    );
    std::fs::write(&urdf, rooted).expect("written");
    // A native file with two bodies on the ground: the root is a body that the file does not have.
    let toml = folder.join("pair.toml");
    let body = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [{x}, 0, 0]\n\
             inertia = {{ mass = 2, com = [0.1, 0, 0.2], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }}\n"
        )
    };
    std::fs::write(&toml, body("left", -1.0) + &body("right", 1.0)).expect("written");
    for path in [urdf, toml] {
        let source = path.to_str().expect("UTF-8");
        let file = mechanism(read_robot(source, &options).expect("a robot"));
        let truth = mechanism(altered_in_place(file.robot()));
        let log = simulate(&truth, &settings).expect("a log");
        let found = identify(&file, &log, &Settings { drives: false, ..Settings::default() }).expect("found");
        let extension = path.extension().and_then(|e| e.to_str()).expect("an ending");
        let target = folder.join(format!("written.{extension}"));
        let notes = write_identified(source, &target, &file, &found, Lumped::MovingLink).expect("written");
        let again = read_robot(target.to_str().expect("UTF-8"), &options).expect("a robot");
        assert_same_inertias(&found, &again, source);
        assert_eq!(again.is_floating(), file.robot().is_floating());
        let anew = notes.iter().any(|note| matches!(note, FileNote::WrittenAnew(_)));
        assert_eq!(anew, extension == "toml", "{notes:?}");
    }
}

/// Other inertias, without asking a reader.
fn altered_in_place(robot: &Robot) -> Robot {
    let mut robot = robot.clone().into_parts();
    for (k, body) in robot.bodies.iter_mut().enumerate() {
        let mut ten = body.inertia.parameters().map(|x| x * (1.2 - 0.1 * k as f64));
        if ten[0] == 0.0 {
            ten = [3.0, 0.1, 0.0, 0.2, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        }
        body.inertia = PseudoInertia::from_parameters(&ten);
    }
    Robot::from_parts(robot).expect("a robot")
}
