//! The verdict of `steiner identify`, what a newcomer reads, and what scripts can rely on.

#[allow(dead_code)]
mod support;

use support::{ARM, Bench, text};

fn kinds(found: &serde_json::Value) -> Vec<&str> {
    found["alarms"].as_array().expect("a list").iter().filter_map(|alarm| alarm["kind"].as_str()).collect()
}

/// One line, however the terminal broke it.
fn unbroken(seen: &str) -> String {
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn strict_fails_on_alarms_and_writes_all_the_same() {
    let bench = Bench::new("strict");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    let clean = bench.done("identify ur5 log.csv --strict");
    assert!(!clean.contains("Identified with"), "{clean}");
    // The same log again validates nothing.
    let command = "identify ur5 log.csv --validate log.csv -o found.toml --table found.csv";
    let seen = bench.done(command);
    assert!(seen.trim_end().ends_with("Identified with 1 alarm: see the top."), "{seen}");
    std::fs::remove_file(bench.path("found.toml")).expect("it was written");
    let output = bench.steiner(&format!("{command} --strict"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("error: identified with 1 alarm, which --strict does not accept"));
    assert_eq!(text(&output.stdout), seen);
    assert_eq!(bench.files(), ["found.csv", "found.toml", "log.csv"]);
}

#[test]
fn logs_that_repeat_each_other_are_named() {
    let bench = Bench::new("repeated");
    bench.done("simulate ur5 --noise 0.02 --rate 100 --seed 1 -o a.csv");
    bench.done("simulate ur5 --noise 0.02 --rate 100 --seed 2 -o b.csv");
    assert_eq!(kinds(&bench.json("identify ur5 a.csv --validate b.csv")), [""; 0]);
    // The second half of a log, with a clock of its own.
    let whole = bench.read("a.csv");
    let rows: Vec<&str> = whole.lines().collect();
    let later = |line: &&str| {
        let (t, rest) = line.split_once(',').expect("a clock first");
        format!("{},{rest}", t.parse::<f64>().expect("a time") + 100.0)
    };
    let half: Vec<String> = rows[rows.len() / 2..].iter().map(later).collect();
    bench.write("half.csv", format!("{}\n{}\n", rows[0], half.join("\n")));
    let found = bench.json("identify ur5 a.csv --validate half.csv");
    assert_eq!(kinds(&found), ["repeated_log"]);
    let words = found["alarms"][0]["text"].as_str().expect("words");
    assert!(
        words.starts_with("half.csv: 100 % of its samples are those of a.csv, which is trained on"),
        "{words}"
    );
    // A copy with five decimals.
    let shorter = |line: &&str| {
        let values = line.split(',').map(|value| format!("{:.5}", value.parse::<f64>().expect("a number")));
        values.collect::<Vec<_>>().join(",")
    };
    let copy: Vec<String> = rows[1..].iter().map(shorter).collect();
    bench.write("copy.csv", format!("{}\n{}\n", rows[0], copy.join("\n")));
    assert_eq!(kinds(&bench.json("identify ur5 a.csv --validate copy.csv")), ["repeated_log"]);
    // The same motion again is another recording.
    bench.done("simulate ur5 --noise 0.001 --rate 100 --seed 1 -o again.csv");
    assert_eq!(kinds(&bench.json("identify ur5 a.csv --validate again.csv")), [""; 0]);
    let twice = bench.json("identify ur5 a.csv half.csv");
    assert_eq!(kinds(&twice), ["repeated_log"]);
    assert!(twice["alarms"][0]["text"].as_str().expect("words").contains("count twice"));
}

#[test]
fn values_that_the_log_does_not_determine_do_not_look_identified() {
    let bench = Bench::new("not-identified");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    let seen = bench.done("identify ur5 log.csv");
    // Torques of an arm on the ground tell no mass by itself.
    let line = seen.lines().find(|line| line.contains("link2 ") && line.contains("model ")).expect("a link");
    assert!(line.contains("not observable alone (model "), "{line}");
    let found = bench.json("identify ur5 log.csv");
    assert_eq!(found["links"][1]["observable"]["mass"], "in groups");
    assert!(found["links"][1]["mass_sigma"].is_null());
    assert_eq!(found["verdict"], "Verdict: nothing looks wrong.");
    // A payload is known with everything about it.
    let payload = bench.json("identify ur5 log.csv --payload link6");
    assert_eq!(payload["links"][5]["observable"]["com"], "alone");
    let (mass, sigma) = (&payload["links"][5]["identified"]["mass"], &payload["links"][5]["mass_sigma"]);
    let (mass, sigma) = (mass.as_f64().expect("a mass"), sigma.as_f64().expect("a σ"));
    assert!((mass - 0.1879).abs() < 4.0 * sigma && sigma < 0.05, "{mass} ± {sigma}");
    let seen = bench.done("identify ur5 log.csv --payload link6");
    assert!(!seen.lines().any(|line| line.contains("link2 ") && line.contains("kg")), "{seen}");
}

#[test]
fn invented_masses_are_in_the_verdict() {
    let bench = Bench::new("invented");
    let file = bench.done("zoo --show ur5");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    let without: String =
        file.lines().filter(|line| !line.starts_with("inertia")).map(|l| format!("{l}\n")).collect();
    bench.write("bare.toml", without);
    let seen = unbroken(&bench.done("identify bare.toml log.csv"));
    assert!(seen.contains("are invented: neither the file nor this log gives them."), "{seen}");
}

#[test]
fn a_total_mass_says_whether_the_log_determines_it() {
    let bench = Bench::new("total-mass");
    let file = bench.done("zoo --show ur5");
    let heavy: String = file.lines().map(|line| doubled(line) + "\n").collect();
    bench.write("heavy.toml", heavy);
    bench.done("simulate heavy.toml --noise 0.02 --rate 100 --base-wrench -o plate.csv");
    bench.done("simulate heavy.toml --noise 0.02 --rate 100 -o torques.csv");
    let total = |log: &str| {
        let found = bench.json(&format!("identify ur5 {log}"));
        let alarms = found["alarms"].as_array().expect("a list").clone();
        let alarm = alarms.into_iter().find(|alarm| alarm["kind"] == "total_mass").expect("an alarm");
        alarm["text"].as_str().expect("words").to_owned()
    };
    // A force plate weighs the robot: 34.09 kg.
    let seen = total("plate.csv");
    let weight = seen.strip_prefix("All links together weigh ").and_then(|rest| rest.split_once(" ± "));
    let (kg, rest) = weight.unwrap_or_else(|| panic!("{seen}"));
    let (sigma, _) = rest.split_once(" kg by this log").expect("σ");
    let (kg, sigma): (f64, f64) = (kg.parse().expect("kg"), sigma.parse().expect("kg"));
    assert!((kg - 34.09).abs() < 4.0 * sigma && sigma < 0.1, "{seen}");
    let seen = total("torques.csv");
    assert!(seen.contains("This log does not determine their sum"), "{seen}");
}

/// A line of a native file with twice the mass.
fn doubled(line: &str) -> String {
    let Some((before, rest)) = line.split_once("mass = ") else { return line.to_owned() };
    let (mass, after) = rest.split_once(',').expect("more than a mass");
    format!("{before}mass = {},{after}", 2.0 * mass.parse::<f64>().expect("a mass"))
}

#[test]
fn without_excitation_there_is_no_condition_number() {
    let bench = Bench::new("no-condition");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    let still = bench.read("log.csv");
    let rows: Vec<Vec<&str>> = still.lines().map(|line| line.split(',').collect()).collect();
    let stands = |name: &str| ["q_link6", "qd_link6", "qdd_link6"].contains(&name);
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(&rows[0]).map(|(cell, name)| if stands(name) { "0" } else { cell });
        cells.collect::<Vec<_>>().join(",") + "\n"
    };
    let text: String = std::iter::once(rows[0].join(",") + "\n").chain(rows[1..].iter().map(line)).collect();
    bench.write("still.csv", text);
    let seen = unbroken(&bench.done("identify ur5 still.csv"));
    assert!(seen.contains("some are not excited at all, so there is no finite condition number"), "{seen}");
    assert!(!seen.contains("inf "), "{seen}");
}

#[test]
fn a_native_file_keeps_the_joints_of_a_urdf() {
    let bench = Bench::new("joint-names");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --noise 0.02 --rate 100 -o log.csv");
    let first = bench.json("identify arm.urdf log.csv -o found.toml");
    let second = bench.json("identify found.toml log.csv");
    assert_eq!(
        first["residual"]["train"]["joints"].as_object().expect("joints").keys().collect::<Vec<_>>(),
        second["residual"]["train"]["joints"].as_object().expect("joints").keys().collect::<Vec<_>>()
    );
    // Columns of another program, by a mapping that names joints.
    let header = bench.read("log.csv").lines().next().expect("a header").to_owned();
    let columns: Vec<String> = header
        .split(',')
        .filter(|name| name.starts_with("q_") || name.starts_with("tau_"))
        .map(|name| format!("\"{name}\" = {{ from = \"foreign {name}\" }}\n"))
        .collect();
    let renamed = bench.read("log.csv").replacen(
        &header,
        &header.replace(",q_", ",foreign q_").replace(",tau_", ",foreign tau_"),
        1,
    );
    bench.write("foreign.csv", renamed);
    bench.write("mapping.toml", format!("[columns]\n{}", columns.concat()));
    for robot in ["arm.urdf", "found.toml"] {
        bench.done(&format!("identify {robot} foreign.csv --mapping mapping.toml"));
    }
}
