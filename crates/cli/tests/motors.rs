//! Joints with and without motors: drives, forces and independent coordinates follow the motors that a file names.

#[allow(dead_code)]
mod support;

use serde_json::Value;
use support::{ARM, Bench, text};

/// A five-bar: two cranks on the ground, two rods that meet; its motors are m1 and m2.
fn five_bar(actuator: &str) -> String {
    let bar = |crank: &str, rod: &str, x: f64, end: &str| {
        format!(
            "<body name=\"{crank}_link\" pos=\"{x} 0 0\"><joint name=\"{crank}\" axis=\"0 1 0\"/>\
             <inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"0.01 0.01 0.001\"/>\
             <body name=\"{rod}_link\" pos=\"0 0 0.2\"><joint name=\"{rod}\" axis=\"0 1 0\"/>\
             <inertial pos=\"{end}\" mass=\"0.5\" diaginertia=\"0.01 0.01 0.001\"/></body></body>"
        )
    };
    let (left, right) = (bar("m1", "p1", 0.0, "0.1 0 0.1"), bar("m2", "p2", 0.4, "-0.1 0 0.1"));
    format!(
        "<mujoco model=\"five_bar\"><worldbody>{left}{right}</worldbody><equality>\
         <connect body1=\"p1_link\" body2=\"p2_link\" anchor=\"0.2 0 0.2\"/></equality>{actuator}</mujoco>"
    )
}

fn names(document: &Value, key: &str) -> Vec<String> {
    let list = document[key].as_array().unwrap_or_else(|| panic!("{key}: {document}"));
    list.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

const MOTORS: &str = "<actuator><motor joint=\"m1\"/><position joint=\"m2\"/></actuator>";

#[test]
fn motors_are_preferred_as_independent_coordinates() {
    let bench = Bench::new("motors-first");
    bench.write("bar.xml", five_bar(MOTORS));
    assert_eq!(names(&bench.json("info bar.xml"), "independent"), ["m1", "m2"]);
    bench.done("simulate bar.xml --rate 100 --duration 10 --noise 0.001 -o log.csv");
    let header = bench.read("log.csv").lines().next().expect("a header").to_owned();
    assert!(header.contains("tau_m1,tau_m2") && !header.contains("p1"), "{header}");
    // Motors have drives, pins have none.
    let found = bench.json("identify bar.xml log.csv");
    let drives: Vec<&String> = found["model"]
        .as_object()
        .expect("parameters")
        .keys()
        .filter(|label| label.ends_with(".Ia"))
        .collect();
    assert_eq!(drives, ["m1.Ia", "m2.Ia"], "{drives:?}");
}

#[test]
fn independent_coordinates_can_be_chosen() {
    let bench = Bench::new("independent");
    bench.write("bar.xml", five_bar(MOTORS));
    let chosen = bench.json("info bar.xml --independent p1,m2");
    let mut chosen = names(&chosen, "independent");
    chosen.sort();
    assert_eq!(chosen, ["m2", "p1"]);
    for (wanted, sentence) in
        [("m1", "m1"), ("m1,m9", "there is no joint `m9`"), ("m1,m2,p1", "[m1, p1, m2]")]
    {
        let output = bench.steiner(&format!("info bar.xml --independent {wanted}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{wanted}");
        assert!(message.contains(sentence) && message.trim_end().lines().count() == 1, "{wanted}: {message}");
    }
    // A tree has all of its joints.
    bench.write("arm.urdf", ARM);
    let output = bench.steiner("info arm.urdf --independent j1,j2");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn files_that_name_no_motors_have_one_in_every_joint() {
    let bench = Bench::new("all-motors");
    bench.write("bar.xml", five_bar(""));
    let labels = bench.json("analyze bar.xml --drives").to_string();
    assert!(["m1.Ia", "m2.Ia", "p1.Ia", "p2.Ia"].iter().all(|label| labels.contains(label)));
    // An actuator that pulls at a site may drive any joint.
    bench.write("site.xml", five_bar("<actuator><motor joint=\"m1\"/><general site=\"tip\"/></actuator>"));
    assert!(bench.json("analyze site.xml --drives").to_string().contains("p1.Ia"));
}

#[test]
fn transmissions_and_controllers_name_motors() {
    let bench = Bench::new("transmissions");
    let transmission =
        |joint: &str| format!("<transmission name=\"t_{joint}\"><joint name=\"{joint}\"/></transmission>");
    let controller = "<ros2_control name=\"c\" type=\"system\"><joint name=\"j1\"><command_interface name=\"effort\"/>\
                      </joint><joint name=\"j2\"><command_interface name=\"effort\"/></joint>\
                      <joint name=\"j3\"><state_interface name=\"position\"/></joint></ros2_control>";
    for more in [transmission("j1") + &transmission("j2"), controller.to_owned()] {
        bench.write("arm.urdf", ARM.replace("</robot>", &format!("{more}</robot>")));
        // A motor may be forgotten there: the joint keeps its drive.
        let labels = bench.json("analyze arm.urdf --drives").to_string();
        assert!(["j1.Ia", "j2.Ia", "j3.Ia"].iter().all(|label| labels.contains(label)), "{labels}");
    }
}

#[test]
fn a_passive_joint_has_friction_but_no_rotor_and_no_force() {
    let bench = Bench::new("passive-joint");
    let acrobot = |passive: &str| {
        let inertia = "inertia = { mass = 1, com = [0.1, 0, -0.3], tensor = [0.02, 0, 0.02, 0, 0, 0.01] }";
        format!(
            "[[body]]\nname = \"upper\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\n{inertia}\n{passive}\n\
             [[body]]\nname = \"lower\"\nparent = \"upper\"\njoint = \"revolute\"\nxyz = [0, 0, -0.5]\naxis = [0, 1, 0]\n\
             {inertia}\n"
        )
    };
    bench.write("acrobot.toml", acrobot("passive = true"));
    bench.write("driven.toml", acrobot(""));
    // Its force is known to be zero, and nobody asks for a column.
    bench.done("simulate driven.toml --rate 100 --duration 5 -o log.csv");
    let log = bench.read("log.csv");
    let rows: Vec<Vec<&str>> = log.lines().map(|line| line.split(',').collect()).collect();
    let kept: Vec<usize> = (0..rows[0].len()).filter(|&c| rows[0][c] != "tau_upper").collect();
    let line = |row: &Vec<&str>| kept.iter().map(|&c| row[c]).collect::<Vec<_>>().join(",") + "\n";
    bench.write("less.csv", rows.iter().map(line).collect::<String>());
    let found = bench.json("identify acrobot.toml less.csv");
    assert_eq!(found["settings"]["measure"], "all");
    let names: Vec<&str> =
        found["parameters"].as_array().expect("a list").iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.contains(&"upper.fv") && names.contains(&"upper.fc"), "{names:?}");
    assert!(!names.contains(&"upper.Ia") && !names.contains(&"upper.offset"), "{names:?}");
    let found = bench.json("identify driven.toml less.csv");
    assert_eq!(found["settings"]["measure"], "joints:lower");
    bench.write("wrong.toml", acrobot("passive = 1"));
    let message = text(&bench.steiner("info wrong.toml").stderr);
    assert!(message.contains("passive: neither true nor false; write passive = true"), "{message}");
    // What is written from a file that names its motors names its passive joints.
    bench.write("bar.xml", five_bar(MOTORS));
    bench.done("simulate bar.xml --rate 100 --duration 10 --noise 0.001 -o log.csv");
    bench.done("identify bar.xml log.csv -o out.toml");
    assert_eq!(bench.read("out.toml").matches("passive = true").count(), 2);
}
