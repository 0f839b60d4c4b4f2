//! Floating robots: what carries them must be known.

#[allow(dead_code)]
mod support;

use support::{Bench, text};

/// A CSV log without the columns that begin so.
fn without(text: &str, prefixes: &[&str]) -> String {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let gone = |c: &usize| prefixes.iter().any(|prefix| rows[0][*c].starts_with(prefix));
    let kept: Vec<usize> = (0..rows[0].len()).filter(|c| !gone(c)).collect();
    let line = |row: &Vec<&str>| kept.iter().map(|&c| row[c]).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(line).collect()
}

#[test]
fn a_standing_robot_without_its_wrenches_is_asked_for_them() {
    let bench = Bench::new("standing-robot");
    bench.done("simulate go2 --carried-by RL_foot --no-drives --duration 10 --rate 100 -o stands.csv");
    bench.write("bare.csv", without(&bench.read("stands.csv"), &["wrench_", "tau_base_link"]));
    for measure in ["", " --measure base-wrench"] {
        let output = bench.steiner(&format!("identify go2 bare.csv{measure}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.starts_with("error: go2 floats, and the log has no wrench that carries it")
                && message.contains("record the wrenches of its contacts as wrench_LINK_fx … wrench_LINK_tz")
                && message.trim_end().ends_with("(--free-flight)"),
            "{message}"
        );
    }
    bench.done("identify go2 bare.csv --free-flight");
    bench.done("identify go2 stands.csv");
}

#[test]
fn positions_alone_are_right_up_to_the_ends_of_a_log() {
    let bench = Bench::new("positions-of-a-root");
    bench.done(
        "simulate go2 --carried-by RL_foot --contact FL_foot=60,0 --no-drives --positions-only \
         --duration 20 --rate 500 -o log.csv",
    );
    let found = bench.json("identify go2 log.csv --measure base-wrench");
    let residual = found["residual"]["train"]["least_squares"]["total"].as_f64().expect("a number");
    assert!(residual < 1e-5, "{residual}");
}

#[test]
fn a_robot_on_measured_feet_raises_no_alarm() {
    let bench = Bench::new("clean-feet");
    bench.done(
        "simulate go2 --carried-by RL_foot --contact FL_foot=40,5 --duration 20 --rate 100 --noise 0.005 --no-drives \
         -o feet.csv",
    );
    // The carrying leg's torques and contact nearly cancel: what is left of them is noise, and none of its force.
    for measure in ["", " --measure base-wrench"] {
        let seen = bench.done(&format!("identify go2 feet.csv --no-drives{measure}"));
        assert!(seen.contains("Verdict: nothing looks wrong"), "{seen}");
    }
}

#[test]
fn one_plate_under_a_floating_robot_is_enough() {
    let bench = Bench::new("one-plate");
    bench.done("simulate go2 --base-wrench --duration 20 --rate 100 --noise 0.002 --no-drives -o plate.csv");
    assert!(bench.read("plate.csv").lines().next().is_some_and(|names| names.contains("wrench_base_fx")));
    let seen = bench.done("identify go2 plate.csv --no-drives");
    assert!(seen.contains("base-wrench"), "{seen}");
    assert!(seen.contains("Verdict: nothing looks wrong"), "{seen}");
}
