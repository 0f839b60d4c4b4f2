//! `steiner model --accuracy`: smaller models as a person or a program asks for them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use steiner::model::Psdm;

fn steiner(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steiner"));
    command.args(arguments).env_remove("COLUMNS").output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    let output = steiner(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("smaller_models");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn written(name: &str, content: &str) -> String {
    let path = folder().join(name);
    std::fs::write(&path, content).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn what_is_left_is_told_to_people_and_programs() {
    let page = text(&steiner(&["model", "scara_sr6ia", "--accuracy", "1e-2", "--profile", "slow"]).stdout);
    let first = page.lines().next().expect("a line");
    assert!(first.starts_with("scara_sr6ia: ") && first.contains("of 69 functions left"), "{page}");
    assert!(
        page.contains("relative error of the forces below") && page.contains("% of 20000 states (slow)"),
        "{page}"
    );
    assert!(page.contains("the whole model takes"), "{page}");

    let document = json(&["model", "scara_sr6ia", "--accuracy", "1e-2", "--profile", "slow", "--json"]);
    let reduction = &document["reduction"];
    assert_eq!(document["functions"], reduction["functions"]);
    assert!(first.contains(&format!("{} of 69", reduction["functions"])), "{first} {reduction}");
    assert_eq!((&reduction["functions_before"], &reduction["samples"]), (&69.into(), &20_000.into()));
    assert_eq!((&reduction["accuracy"], &reduction["confidence"]), (&0.01.into(), &0.999.into()));
    assert!(
        reduction["error"].as_f64() <= Some(0.01)
            && reduction["error"].as_f64() <= reduction["truncated_error"].as_f64()
    );
    let curve = reduction["curve"].as_array().expect("a curve");
    assert!(curve.len() > 20 && curve[0]["functions"] == 69);
    assert_eq!(curve[0]["errors"].as_array().map(Vec::len), Some(2));
    // A whole model has no such part.
    assert!(json(&["model", "scara_sr6ia", "--json"])["reduction"].is_null());
}

#[test]
fn the_smaller_model_is_the_one_that_is_kept_printed_drawn_and_written_as_code() {
    let goal = ["model", "scara_sr6ia", "--accuracy", "0.05", "--confidence", "0.95"];
    let with = |more: &[&str]| steiner(&[&goal[..], more].concat());
    let [file, plot, code] = ["small.psdm", "small.svg", "code"].map(|name| folder().join(name));
    let [file_name, plot_name, code_name] =
        [&file, &plot, &code].map(|path: &PathBuf| path.to_str().expect("UTF-8").to_owned());
    let output = with(&["--save", &file_name, "--plot", &plot_name, "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let functions = document["functions"].as_u64().expect("a number") as usize;
    assert!((3..60).contains(&functions), "{functions}");
    assert_eq!(document["reduction"]["confidences"], serde_json::json!([0.95, 0.999]));
    let model = Psdm::load(Path::new(&file)).expect("a model");
    assert_eq!(model.functions().len(), functions);
    let values: Vec<f64> = serde_json::from_value(document["values"].clone()).expect("numbers");
    // The reader of JSON may miss the last digit.
    assert!(model.nominal().iter().zip(&values).all(|(a, b)| (a - b).abs() <= 1e-15 * b.abs()), "{values:?}");

    let drawing = std::fs::read_to_string(&plot).expect("a drawing");
    for word in
        ["<svg xmlns", "functions removed (%)", "95 % of the states", "operations", "asked for", "taken"]
    {
        assert!(drawing.contains(word), "{word}");
    }
    let equations = text(&with(&["--equations"]).stdout);
    let whole = text(&steiner(&["model", "scara_sr6ia", "--equations"]).stdout);
    assert!(equations.starts_with("τ1 = ") && 2 * equations.len() < whole.len(), "{equations}");
    let emitted = with(&["--emit", "c", "--what", "inverse", "-o", &code_name]);
    assert_eq!(emitted.status.code(), Some(0), "{}", text(&emitted.stderr));
    let page = text(&emitted.stdout);
    assert!(page.contains("functions left") && page.contains("psdm") && page.contains("wrote "), "{page}");
}

#[test]
fn a_recorded_motion_or_ranges_can_be_the_task() {
    let mut log = "t,q_link1,q_link2,qd_link1,qd_link2,qdd_link1,qdd_link2\n".to_owned();
    for k in 0..200 {
        let t = 0.01 * f64::from(k);
        let row = [t, t.sin(), 0.0, t.cos(), 0.0, -t.sin(), 0.0].map(|x| x.to_string());
        log += &(row.join(",") + "\n");
    }
    let recorded = written("motion.csv", &log);
    let document = json(&["model", "two_link", "--accuracy", "1e-6", "--profile", &recorded, "--json"]);
    assert_eq!(document["reduction"]["samples"], 200);
    // The elbow is held still: what its motion adds is not needed.
    let still = document["functions"].as_u64().expect("a number");
    let ranges = "samples = 500\nq = 3\nqd = 1\nqdd = 10\n";
    let all = written("all.toml", ranges);
    let document = json(&["model", "two_link", "--accuracy", "1e-6", "--profile", &all, "--json"]);
    let moving = document["functions"].as_u64().expect("a number");
    assert!(still < moving, "{still} {moving}");
    let held = written("held.toml", &format!("{ranges}[joint.link2]\nq = 0\nqd = 0\nqdd = 0\n"));
    let document = json(&["model", "two_link", "--accuracy", "1e-6", "--profile", &held, "--json"]);
    assert!(document["functions"].as_u64() < Some(moving));
    let rates_only =
        "t,q_link1,q_link2\n".to_owned() + &(0..9).map(|k| format!("{k},{},0\n", k * k)).collect::<String>();
    let derived =
        steiner(&["model", "two_link", "--accuracy", "0.1", "--profile", &written("q.csv", &rates_only)]);
    assert!(text(&derived.stderr).contains("velocities are not recorded"), "{}", text(&derived.stderr));
}

#[test]
fn models_for_forward_dynamics_are_judged_by_accelerations() {
    let goal = ["model", "scara_sr6ia", "--accuracy", "0.01", "--profile", "fast", "--json"];
    let inverse = json(&goal);
    let forward = json(&[&goal[..], &["--for", "forward"]].concat());
    assert_eq!(
        (&inverse["reduction"]["of"], &forward["reduction"]["of"]),
        (&"forces".into(), &"accelerations".into())
    );
    assert!(forward["functions"].as_u64() > inverse["functions"].as_u64());
    let kept = json(&[&goal[..], &["--no-refit"]].concat());
    assert_eq!(kept["reduction"]["error"], kept["reduction"]["truncated_error"]);
}

#[test]
fn what_cannot_be_asked_is_refused_in_a_sentence() {
    let empty = written("empty.csv", "t,q_link1,q_link2,qd_link1,qd_link2,qdd_link1,qdd_link2\n");
    let foreign = written("foreign.toml", "q = 1\nqd = 1\nqdd = 1\n[joint.elbow]\nq = 2\n");
    let other = written("other.csv", "t,q_a\n0,1\n1,2\n2,3\n");
    for (arguments, status, expected) in [
        (&["--accuracy", "2"][..], 2, "above 0 and below 1"),
        (&["--accuracy", "0"], 2, "above 0 and below 1"),
        (&["--accuracy", "0.1", "--confidence", "1.5"], 2, "above 0 and up to 1"),
        (&["--profile", "slow"], 2, "--accuracy"),
        (&["--plot", "x.svg"], 2, "--accuracy"),
        (&["--accuracy", "0.1", "--for", "sideways"], 2, "inverse, forward"),
        (&["--accuracy", "0.1", "--method", "recursive"], 1, "--accuracy is about closed forms"),
        (&["--accuracy", "0.1", "--method", "fastest", "--emit", "c"], 1, "--accuracy is about closed forms"),
        (&["--accuracy", "0.1", "--profile", "nowhere.csv"], 1, "nowhere.csv cannot be read"),
        (&["--accuracy", "0.1", "--profile", "nowhere.toml"], 1, "nowhere.toml: "),
        (&["--accuracy", "0.1", "--profile", &empty], 1, "empty.csv has 0 samples"),
        (&["--accuracy", "0.1", "--profile", &other], 1, "has no column `q_link1`"),
        (&["--accuracy", "0.1", "--profile", &foreign], 1, "foreign.toml:4: two_link has no joint `elbow`"),
        (&["--accuracy", "0.1", "--plot", "/nowhere/x.svg"], 1, "give another --plot"),
    ] {
        let output = steiner(&[&["model", "two_link"], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
