//! `--lock JOINT=VALUE`: joints that a log does not have because they did not move.

#[allow(dead_code)]
mod support;

use support::{ARM, Bench, text};

#[test]
fn a_log_without_a_joint_is_identified_with_that_joint_locked() {
    let bench = Bench::new("locked-joint");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --lock j3=0.5 --rate 100 --duration 10 --noise 0.001 -o log.csv");
    assert!(!bench.read("log.csv").lines().next().expect("a header").contains("j3"));
    let output = bench.steiner("identify arm.urdf log.csv");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("log.csv has no column `q_j3`"), "{message}");
    assert!(message.trim_end().ends_with("hold it with --lock j3=0)"), "{message}");
    let found = bench.json("identify arm.urdf log.csv --lock j3=0.5 -o out.urdf");
    let residual = found["residual"]["train"]["total"].as_f64().expect("a number");
    assert!(residual < 0.002, "{residual}");
    assert_eq!(found["alarms"], serde_json::json!([]));
    // Held elsewhere, the two links are another body.
    let elsewhere = bench.json("identify arm.urdf log.csv --lock j3=0");
    assert_eq!(elsewhere["robot"]["dof"], 2);
    let written = bench.read("out.urdf");
    assert!(written.contains("<joint name=\"j3\" type=\"revolute\">"), "{written}");
    let info = bench.json("info out.urdf");
    assert_eq!(info["robot"]["dof"], bench.json("info arm.urdf")["robot"]["dof"]);
    // Every link keeps its share of the mass: a joint that moves again must carry something.
    let hand =
        written.split("<link name=\"hand\">").nth(1).and_then(|rest| rest.split("<mass value=\"").nth(1));
    let mass: f64 = hand.and_then(|rest| rest.split('"').next()).expect("a mass").parse().expect("a number");
    assert!((0.5..1.5).contains(&mass), "{mass}");
    // Columns of a joint that is held are no strangers.
    bench.done("simulate arm.urdf --still j3 --rate 100 --duration 10 --noise 0.001 -o all.csv");
    let notes = bench.json("identify arm.urdf all.csv --lock j3=0")["notes"].to_string();
    assert!(!notes.contains("j3"), "{notes}");
    assert_eq!(bench.json("analyze arm.urdf --lock j3=0")["robot"]["dof"], 2);
}

#[test]
fn locks_that_make_no_sense_are_refused() {
    let bench = Bench::new("wrong-locks");
    for (lock, wanted) in [
        ("j9=0", "there is no joint `j9`"),
        ("j3", "write a joint and its value in rad or m, as in finger=0.04"),
        ("j3=ten", "`ten` is not a finite number"),
        ("j1=0,j2=0,j3=0", "the robot has no moving body"),
    ] {
        bench.write("arm.urdf", ARM);
        let output = bench.steiner(&format!("analyze arm.urdf --lock {lock}"));
        assert_ne!(output.status.code(), Some(0), "{lock}");
        assert!(text(&output.stderr).contains(wanted), "{lock}: {}", text(&output.stderr));
    }
}
