//! `steiner check` with logs that have to be mended first: it repeats the alarms of an identification, and says NO.

mod support;

use serde_json::Value;
use support::checks::{log_of_arm, verdicts};
use support::columns::changed;
use support::{ARM, Bench, text};

/// The document of a check of a log, whose status is 1 exactly if something wanted is not found.
fn check(bench: &Bench, line: &str) -> Value {
    let output = bench.steiner(&format!("check {line} --json"));
    let document: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}: {}", text(&output.stderr)));
    assert_eq!(output.status.code() == Some(0), document["ok"] == true, "{line}");
    document
}

fn screen(bench: &Bench, line: &str) -> String {
    let page = text(&bench.steiner(&format!("check {line}")).stdout);
    assert!(page.lines().count() <= 45, "{page}");
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn alarms_are_those_of_an_identification() {
    let bench = Bench::new("check-alarms");
    bench.done("simulate ur5 --noise 0.02 --rate 200 -o clean.csv");
    let clean = bench.read("clean.csv");
    let degrees = |text: String, k: usize| {
        ["q", "qd", "qdd"].iter().fold(text, |log, what| {
            changed(&log, &format!("{what}_link{k}"), 180.0 / std::f64::consts::PI, 0)
        })
    };
    let exchanged = clean.replacen("tau_link2", "tau_x", 1).replacen("tau_link3", "tau_link2", 1);
    for (log, text, kind) in [
        ("degrees.csv", (1..=6).fold(clean.clone(), degrees), Some("position_unit")),
        ("flipped.csv", changed(&clean, "tau_link6", -1.0, 0), Some("scale")),
        ("exchanged.csv", exchanged.replacen("tau_x", "tau_link3", 1), Some("exchanged")),
        (
            "late.csv",
            (1..=6).fold(clean.clone(), |log, k| changed(&log, &format!("tau_link{k}"), 1.0, 3)),
            Some("lag"),
        ),
        ("again.csv", clean.clone(), None),
    ] {
        bench.write(log, text);
        let document = check(&bench, &format!("ur5 {log} --want link6.fv,link3.fv,link1.m"));
        assert_eq!(document["alarms"], bench.json(&format!("identify ur5 {log}"))["alarms"], "{log}");
        let verdict = if kind.is_some() { "log-in-doubt" } else { "found" };
        let wanted =
            [format!("link6.fv {verdict}"), format!("link3.fv {verdict}"), "link1.m no-effect".to_owned()];
        assert_eq!(verdicts(&document), wanted, "{log}");
        let sigmas: Vec<bool> = (0..2).map(|k| document["wanted"][k]["sigma"].is_null()).collect();
        assert_eq!(sigmas, [kind.is_some(); 2], "{log}");
        let page = screen(&bench, &format!("ur5 {log} --want link6.fv,link3.fv"));
        match kind {
            Some(kind) => {
                assert_eq!(document["alarms"][0]["kind"], kind, "{log}");
                assert!(
                    page.contains(
                        "NO: the log has to be mended first: 2 of 2 parameters asked for rest on it."
                    ),
                    "{page}"
                );
                assert!(
                    page.contains("! ") && page.contains("mend the log or how it is read, and ask again"),
                    "{page}"
                );
            }
            None => assert!(page.contains("YES: all 2 parameters asked for can be found"), "{page}"),
        }
    }
    // The same samples twice have half the information.
    let document = check(&bench, "ur5 clean.csv again.csv --want link6.fv");
    assert_eq!(document["alarms"][0]["kind"], "repeated_log");
    assert_eq!(verdicts(&document), ["link6.fv log-in-doubt"]);
    // What does not rest on the log is answered all the same, and nothing wanted is nothing refused.
    let known = check(&bench, "ur5 flipped.csv --want link6.Ia --fix link6.Ia=0.1");
    assert_eq!(verdicts(&known), ["link6.Ia known"]);
    assert_eq!(check(&bench, "ur5 flipped.csv")["ok"], true);
    assert!(!screen(&bench, "ur5 flipped.csv").contains("every base parameter can be found"));
}

#[test]
fn positions_without_forces_raise_alarms_too() {
    let bench = Bench::new("check-alarms-motion");
    bench.write("arm.urdf", ARM);
    log_of_arm(&bench, "none");
    let log = bench.read("motion.csv");
    let line = "arm.urdf motion.csv --want j1.fv,j3.fc --noise 0.01";
    assert_eq!(check(&bench, line)["alarms"], serde_json::json!([]));
    assert_eq!(verdicts(&check(&bench, line)), ["j1.fv found", "j3.fc found"]);
    bench.write("motion.csv", changed(&log, "q_j2", 180.0 / std::f64::consts::PI, 0));
    let document = check(&bench, line);
    assert_eq!(document["alarms"][0]["kind"], "position_unit");
    assert_eq!(verdicts(&document), ["j1.fv log-in-doubt", "j3.fc log-in-doubt"]);
}

#[test]
fn a_log_that_nothing_is_identified_from_answers_nothing() {
    let bench = Bench::new("check-refused");
    bench.done("simulate ur5 --noise 0.02 --rate 200 --duration 10 -o log.csv");
    // Thirty rows for three dozen parameters and friction: each is excited, and not one determined.
    let rows: Vec<String> = bench.read("log.csv").lines().take(5).map(str::to_owned).collect();
    bench.write("log.csv", rows.join("\n") + "\n");
    let refused = text(&bench.steiner("identify ur5 log.csv").stderr);
    let document = check(&bench, "ur5 log.csv --want link6.fv");
    let refusal = document["refusal"].as_str().unwrap_or_else(|| panic!("{refused}{document:#}"));
    assert!(refused.contains(refusal), "{refused} {refusal}");
    assert_eq!(document["ok"], false);
}

#[test]
fn a_combination_that_the_log_excites_poorly_says_so() {
    let bench = Bench::new("check-poor-combination");
    bench.write("arm.urdf", ARM);
    for (still, poor) in [("j3", true), ("none", false)] {
        log_of_arm(&bench, still);
        let line = "arm.urdf motion.csv --want hand.Ixx --noise 0.001";
        let document = check(&bench, line);
        assert_eq!(verdicts(&document), ["hand.Ixx combined"]);
        assert_eq!(document["wanted"][0]["combination_poorly_excited"], poor, "{still}");
        assert_eq!(screen(&bench, line).contains("(but this log excites it poorly)"), poor, "{still}");
    }
}

#[test]
fn a_load_on_a_robot_without_friction_is_told_what_it_takes_up() {
    let bench = Bench::new("check-frictionless");
    bench.write("arm.urdf", ARM);
    let bare = ARM.lines().map(|line| match line.split_once("<dynamics") {
        Some((before, _)) => format!("{before}</joint>\n"),
        None => format!("{line}\n"),
    });
    bench.write("bare.urdf", bare.collect::<String>());
    let said = "friction of a real robot would be taken for a part of the load";
    assert!(screen(&bench, "bare.urdf --want payload:hand.m").contains(said));
    assert!(check(&bench, "bare.urdf --want payload:hand.m")["notes"].to_string().contains(said));
    // A force-torque sensor feels no friction, the robot's own parameters are identified with it, and a file may have it.
    for line in [
        "bare.urdf --want payload:hand.m --measure wrench:j3",
        "bare.urdf --want payload:hand.m --measure base-wrench",
        "bare.urdf --want hand.m",
        "arm.urdf --want payload:hand.m",
    ] {
        assert!(!screen(&bench, line).contains(said), "{line}");
    }
}
