//! `steiner excite` as a person uses it: motions, files, and refusals of one sentence with a remedy.

mod support;

use serde_json::{Value, json};
use support::{ARM, Bench, HAND, text};

/// A quick search: one start, one thread, few samples.
const QUICK: &str = "--starts 1 --threads 1 --rate 100";
/// The same with few samples.
const COARSE: &str = "--starts 1 --threads 1 --rate 10";

fn arm(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("arm.urdf", ARM);
    bench.write("hand.obj", HAND);
    bench
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_document_has_what_programs_ask_for_and_files_follow_their_endings() {
    let bench = arm("excite-document");
    let found = bench.json(&format!("excite arm.urdf {COARSE} -o motion.json --html page.html"));
    for key in ["log_det", "condition_number", "sd", "margins", "bounds", "seconds", "coefficients", "noise"]
    {
        assert!(!found[key].is_null(), "{key}");
    }
    assert_eq!((&found["criterion"], &found["feasible"]), (&json!("d"), &json!(true)));
    assert_eq!((&found["bounds"]["violated"], &found["files"][0]), (&json!(0), &json!("motion.json")));
    let margins = found["margins"].as_array().expect("margins");
    for key in ["of", "quantity", "value", "limit", "time", "margin", "bound", "unit"] {
        assert!(margins.iter().all(|margin| !margin[key].is_null()), "{key}");
    }
    // The upper arm and the hand must not touch.
    assert!(margins.iter().any(|margin| margin["quantity"] == "distance"), "{margins:?}");
    let sd = found["sd"].as_object().expect("deviations");
    assert_eq!(sd.len(), found["base_parameters"].as_array().expect("parameters").len());
    assert!(sd.values().all(|sd| number(sd) > 0.0));

    let message: Value = serde_json::from_str(&bench.read("motion.json")).expect("JSON");
    assert_eq!(message["joint_names"], json!(["j1", "j2", "j3"]));
    let points = message["points"].as_array().expect("points");
    assert_eq!(points.len(), 101);
    assert_eq!(points[1]["time_from_start"], json!({"sec": 0, "nanosec": 100_000_000}));
    assert_eq!(points[0]["accelerations"].as_array().map(Vec::len), Some(3));

    let page = bench.read("page.html");
    for part in ["<canvas", "Expected deviations", "Information over time", "Margins", "Joints over time"] {
        assert!(page.contains(part), "{part}");
    }
    for foreign in ["src=\"", "href=\"", "NaN", "inf "] {
        assert!(!page.contains(foreign), "{foreign}");
    }

    bench.done(&format!("excite arm.urdf {COARSE} -o motion.yaml"));
    let yaml = bench.read("motion.yaml");
    assert!(yaml.contains("joint_names: [\"j1\", \"j2\", \"j3\"]\npoints:\n- positions: ["), "{yaml}");
    bench.done(&format!("excite arm.urdf {COARSE} -o motion.xml --validate second.npz"));
    let keys = bench.read("motion.xml");
    assert!(keys.starts_with("<mujoco>\n  <keyframe>\n    <key name=\"t0\" time=\"0.0\" qpos=\""), "{keys}");
    assert_eq!(keys.matches("<key ").count(), points.len());
    assert!(bench.files().contains(&"second.npz".to_owned()));
}

#[test]
fn the_same_seed_gives_the_same_motion_and_another_seed_another() {
    let bench = arm("excite-seed");
    let motion = |seed: u32| {
        let line = format!("excite arm.urdf {QUICK} --duration 4 --no-self-collision --seed {seed}");
        bench.json(&line)["coefficients"].clone()
    };
    assert_eq!(motion(3), motion(3));
    assert_ne!(motion(3), motion(4));
}

#[test]
fn a_motion_is_simulated_and_identified_as_certainly_as_promised() {
    let bench = arm("excite-identify");
    let found = bench.json(&format!("excite arm.urdf {QUICK} -o motion.csv --noise 0.05"));
    let written = bench.read("motion.csv");
    assert!(written.starts_with("t,q_j1,q_j2,q_j3,qd_j1,qd_j2,qd_j3,qdd_j1,qdd_j2,qdd_j3\n"), "{written}");
    assert_eq!(written.lines().count(), 1 + 1001);
    bench.done("simulate arm.urdf --trajectory motion.csv --force-noise 0.05 -o log.csv");
    let identified = bench.json("identify arm.urdf log.csv --cutoff off --hold-out 0 --friction simple");
    let parameters = identified["parameters"].as_array().expect("parameters");
    assert_eq!(parameters.len(), found["sd"].as_object().map_or(0, serde_json::Map::len));
    for parameter in parameters {
        let name = parameter["name"].as_str().expect("a name");
        let ratio = number(&parameter["white_sigma"]) / number(&found["sd"][name]);
        assert!((0.8..1.25).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn after_a_poor_log_the_worst_deviations_are_halved() {
    let bench = arm("excite-after");
    bench.done("simulate arm.urdf --still j2 --duration 8 --rate 100 --force-noise 0.05 -o poor.csv");
    let found = bench.json(&format!("excite arm.urdf {QUICK} --after poor.csv --duration 8"));
    let noise = number(&found["noise"]["j1"]);
    assert!((0.04..0.06).contains(&noise), "{noise}");
    // null: the log does not show it.
    let before = |parameter: &Value| parameter["sd_before"].as_f64().unwrap_or(f64::INFINITY);
    let mut ratios: Vec<f64> = found["base_parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|parameter| number(&parameter["sd"]) / before(parameter))
        .collect();
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[4] < 0.5, "{ratios:?}");
    assert!(ratios.iter().all(|ratio| *ratio < 1.0), "{ratios:?}");
}

#[test]
fn limits_start_and_sums_are_those_that_were_given() {
    let bench = arm("excite-limits");
    let found = bench.json(&format!(
        "excite arm.urdf {QUICK} --no-self-collision --limit all=a=9 --limit j1=-0.5:0.7,v=1.5,jerk=80,power=60 \
        --start j1=0.1 --sum j2+j3=-1:1 --speed 0.5 --torque-margin 0.25"
    ));
    let margins = found["margins"].as_array().expect("margins");
    let limit = |quantity: &str, joint: &str| {
        let own = margins.iter().find(|margin| margin["quantity"] == quantity && margin["of"] == joint);
        number(&own.unwrap_or_else(|| panic!("{quantity} of {joint}"))["limit"]).abs()
    };
    assert_eq!(limit("acceleration", "j2"), 9.0);
    assert_eq!(limit("velocity", "j1"), 0.75);
    assert_eq!(limit("jerk", "j1"), 80.0);
    assert_eq!(limit("power", "j1"), 60.0);
    assert_eq!(limit("effort", "j3"), 15.0);
    assert!(margins.iter().any(|margin| margin["quantity"] == "sum of turns"), "{margins:?}");
    let series = found["coefficients"]["j1"].as_array().expect("coefficients");
    // The constant and all cosines.
    let start = number(&series[0]) + series[2..].iter().step_by(2).map(number).sum::<f64>();
    assert!((start - 0.1).abs() < 1e-9, "{start}");
}

#[test]
fn poses_splines_purposes_and_obstacles_are_understood() {
    let bench = arm("excite-wishes");
    let json = |line: &str| bench.json(&format!("excite arm.urdf {QUICK} --duration 5 {line}"));
    assert_eq!(json("--measure static")["shape"]["kind"], "poses");
    assert_eq!(json("--shape spline=6 --criterion a")["shape"]["points"], 6);
    assert_eq!(json("--for hand --no-drives --floor 0.05")["feasible"], true);
}

#[test]
fn what_cannot_be_done_is_refused_in_one_sentence_with_a_remedy() {
    let bench = arm("excite-refusals");
    bench.write("wrong.csv", "t,q_elbow\n0,0\n0.1,0.1\n0.2,0.1\n");
    bench.write("lost.urdf", ARM.replace("hand.obj", "gone.obj"));
    bench.write("small.toml", "name = \"small\"\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\ninertia = { mass = 1, com = [0.1, 0, 0], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }\n");
    for (line, parts) in [
        ("arm.urdf -o motion.bag", &["motion.bag", ".csv", ".yaml"][..]),
        ("arm.urdf -o nowhere/motion.csv", &["no folder nowhere", "-o"]),
        ("arm.urdf --limit j9=v=1", &["no joint 'j9'", "did you mean"]),
        ("arm.urdf --limit j1=1:1", &["no motion is possible", "j1", "larger than zero"]),
        ("arm.urdf --start j1=9", &["no motion is possible", "j1"]),
        ("arm.urdf --still j1,j2,j3", &["no joint can move"]),
        ("arm.urdf --noise elbow=1", &["no measured row 'elbow'"]),
        ("arm.urdf --for gripper", &["no link 'gripper'"]),
        ("arm.urdf --harmonics 1", &["harmonics", "2 to 100"]),
        ("arm.urdf --shape square", &["square", "fourier", "spline"]),
        ("arm.urdf --limit j2=effort=0.01", &["no motion is possible", "j2", "0.01"]),
        ("arm.urdf --floor 2", &["no motion is possible", "plane"]),
        ("arm.urdf --after gone.csv", &["gone.csv"]),
        ("arm.urdf --after wrong.csv", &["wrong.csv", "q_j1", "--mapping"]),
        ("arm.urdf --lock j3=0 -o motion.xml", &["MuJoCo", "j3"]),
        ("lost.urdf", &["gone.obj", "cannot be read", "--no-self-collision"]),
        ("gone.urdf", &["gone.urdf"]),
        ("small.toml --floor -1", &["no shapes", "--radius"]),
        ("go2", &["no motion is possible", "stand"]),
    ] {
        let output = bench.steiner(&format!("excite {line} {QUICK}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "{line}: {message}"));
    }
    for line in
        ["--limit j1", "--obstacle ball:1", "--sum j1", "--criterion best", "--noise -1", "--seconds 0"]
    {
        let output = bench.steiner(&format!("excite arm.urdf {line}"));
        assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output.stderr));
    }
    assert!(bench.files().iter().all(|name| !name.starts_with("motion")), "{:?}", bench.files());
}

/// Words with `#` for every number: numbers depend on the last digits of the processor's lanes.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| "().,;:".contains(c));
        let is_number = bare.trim_start_matches(['-', '±']).parse::<f64>().is_ok();
        out += &if is_number { word.replace(bare, "#") } else { word.to_owned() };
        out.push(' ');
    }
    out.trim_end().to_owned()
}

#[test]
fn what_a_person_reads_first_does_not_change_by_accident() {
    let bench = arm("excite-words");
    let seen = bench.done(&format!("excite arm.urdf {COARSE} --limit j2=a=20"));
    // The first sentences, without which limit is nearest, and what a table is headed by.
    let head: Vec<&str> = seen.lines().take_while(|line| !line.starts_with('─')).collect();
    let head = without_numbers(&head.join(" ").split_whitespace().collect::<Vec<_>>().join(" "));
    let (before, rest) = head.split_once("; nearest:").expect("the nearest limit");
    let (_, after) = rest.split_once(" ASSUMED").expect("an assumption");
    let tables: Vec<String> = seen
        .lines()
        .filter(|line| line.contains("margin left") || line.contains("least certain"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let seen = format!("{before}\nASSUMED{after}\n{}\n", tables.join("\n"));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/excite_arm.txt");
    if std::env::var_os("STEINER_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &seen).expect("a snapshot is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(seen, kept, "if that is meant, run with STEINER_UPDATE_SNAPSHOTS=1");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_best_motion_so_far() {
    use std::process::{Command, Stdio};
    let bench = arm("excite-ctrl-c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_steiner"));
    command.args(["excite", "two_link", "--seconds", "120", "--threads", "1", "-o", "motion.csv"]);
    command.current_dir(&bench.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.spawn().expect("the command runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let interrupted = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupted.is_ok_and(|status| status.success()));
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("the best motion so far"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("stopped"), "{}", text(&output.stdout));
    assert!(bench.read("motion.csv").starts_with("t,q_link1"));
}
