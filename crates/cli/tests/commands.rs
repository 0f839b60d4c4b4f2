//! Whole commands as a person sees them. `STEINER_UPDATE_SNAPSHOTS=1` rewrites the
//! snapshots; read the difference.

mod support;

use std::path::PathBuf;
use std::process::{Command, Output};

use support::snapshot;

fn steiner(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steiner"));
    command.args(arguments).env_remove("COLUMNS").output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn what_a_person_sees_does_not_change_by_accident() {
    for (name, arguments) in [
        ("zoo.txt", &["zoo"][..]),
        ("info_puma560.txt", &["info", "puma560"]),
        ("info_delta.txt", &["info", "delta"]),
        ("info_go2.txt", &["info", "go2", "--gravity", "0,0,-1.62"]),
        ("info_kr6.txt", &["info", "kr6", "--floating"]),
        ("analyze_puma560.txt", &["analyze", "puma560"]),
        ("analyze_puma560_drives.txt", &["analyze", "puma560", "--drives", "--fix", "link1.m=1"]),
        ("analyze_puma560_static.txt", &["analyze", "puma560", "--measure", "static"]),
        ("analyze_go2.txt", &["analyze", "go2"]),
        ("analyze_delta.txt", &["analyze", "delta"]),
        ("analyze_puma560_symbolic.txt", &["analyze", "puma560", "--symbolic"]),
        (
            "analyze_four_bar_symbolic.txt",
            &["analyze", "four_bar", "--symbolic", "--family", "--sensitivity", "lx1"],
        ),
        ("analyze_four_bar_planar.txt", &["analyze", "four_bar", "--planar"]),
        ("analyze_puma560_drng.txt", &["analyze", "puma560", "--method", "drng", "--gravity", "0,0,0"]),
        (
            "analyze_puma560_compare.txt",
            &["analyze", "puma560", "--measure", "joints:link3", "--compare=wrench:link4;base-wrench"],
        ),
        (
            "analyze_double_pendulum_base_wrench.txt",
            &["analyze", "double_pendulum", "--measure", "base-wrench"],
        ),
    ] {
        let output = steiner(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        snapshot(name, &text(&output.stdout));
    }
}

#[test]
fn info_as_json_is_one_document_with_the_promised_keys() {
    for name in ["puma560", "delta", "go2", "palletizer"] {
        let output = steiner(&["info", name, "--json"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let robot = &document["robot"];
        assert_eq!(robot["name"], name);
        assert!(robot["bodies"].is_array());
        assert_eq!(robot["dof"], robot["mobility"]);
        assert!(robot["tree_dof"].as_u64() >= robot["dof"].as_u64());
        assert!(robot["loops"].is_u64());
        assert_eq!(
            document["labels"].as_array().map(Vec::len),
            robot["bodies"].as_array().map(|b| 10 * b.len())
        );
        assert_eq!(document["consistent"], true);
    }
}

#[test]
fn analyze_as_json_has_the_promised_keys_and_counts() {
    for (name, identifiable, arithmetic) in [("puma560", 36, "F_p"), ("delta", 34, "F_p"), ("go2", 94, "F_p")]
    {
        let output = steiner(&["analyze", name, "--json"]);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["identifiable"], identifiable, "{name}");
        let parameters = document["parameters"].as_u64().expect("a count");
        assert_eq!(document["nullity"], parameters - identifiable, "{name}");
        assert_eq!(
            document["nullspace"].as_array().map(Vec::len),
            document["nullity"].as_u64().map(|n| n as usize)
        );
        assert_eq!(document["base_parameters"].as_array().map(Vec::len), Some(identifiable as usize));
        assert_eq!(document["certificate"]["arithmetic"], arithmetic);
        assert_eq!(document["certificate"]["complete"], true);
        for key in ["robot", "method", "measure", "labels", "unidentifiable", "alone", "combined", "weak"] {
            assert!(!document[key].is_null(), "{name}: {key}");
        }
    }
}

#[test]
fn foreign_columns_are_mapped() {
    let folder = tempfolder("mapping");
    let (log, mapping) = (folder.join("log.csv"), folder.join("mapping.toml"));
    let mut rows = "ms;A;B\n".to_owned();
    for k in 0..200 {
        let t = 0.02 * f64::from(k);
        rows += &format!("{};{};{}\n", 20 * k, (2.0 * t).sin().to_degrees(), (3.1 * t).cos().to_degrees());
    }
    std::fs::write(&log, rows).expect("written");
    let columns = "t = { from = \"ms\", unit = \"ms\" }\nq_link1 = { from = \"A\", unit = \"deg\" }\nq_link2 = { from = 2, unit = \"deg\" }\n";
    std::fs::write(&mapping, format!("[columns]\n{columns}")).expect("written");
    let (log, mapping) = (log.display().to_string(), mapping.display().to_string());
    let page = text(&steiner(&["analyze", "two_link", &log, "--mapping", &mapping]).stdout);
    assert!(page.contains("6 of 6 base parameters identifiable from it"), "{page}");
    let wrong = steiner(&["analyze", "two_link", &log]);
    assert_eq!(wrong.status.code(), Some(1));
    let error = text(&wrong.stderr);
    assert!(
        error.contains(
            "log.csv has no column `q_link1` (its columns are ms, A, B); two_link needs q_link1, q_link2"
        ),
        "{error}"
    );
}

#[test]
fn a_log_is_asked_what_it_showed() {
    let path = tempfolder("log").join("log.csv");
    let mut log = "t,q_link1,q_link2\n".to_owned();
    for k in 0..200 {
        let t = 0.02 * f64::from(k);
        log += &format!("{t},{},{}\n", (2.0 * t).sin(), (3.1 * t).cos());
    }
    std::fs::write(&path, log).expect("written");
    let file = path.to_str().expect("UTF-8");
    let page = text(&steiner(&["analyze", "two_link", file]).stdout);
    assert!(page.contains("log of 198 samples: 6 of 6 base parameters identifiable from it"), "{page}");
    let output = steiner(&["analyze", "two_link", file, "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["log"]["rank"], document["identifiable"]);
    assert_eq!(document["log"]["samples"], 198);
    let wrong = steiner(&["analyze", "puma560", file]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("has no column `q_link3`"), "{}", text(&wrong.stderr));
}

#[test]
fn a_structure_that_cannot_move_is_an_answer_and_a_robot_without_bodies_is_not() {
    let folder = tempfolder("immobile");
    let triangle = folder.join("triangle.toml");
    std::fs::write(
        &triangle,
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n[[body]]\nname = \"b\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0.5, 0, 0]\n[[loop]]\nname = \"apex\"\njoint = \"revolute\"\npredecessor = { body = \"a\", xyz = [0.4, 0, 0] }\nsuccessor = { body = \"b\", xyz = [0.3, 0, 0] }\n[guess]\na = 0.6\nb = 2.2\n",
    )
    .expect("written");
    let output = steiner(&["analyze", triangle.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    assert!(page.contains("0 base parameters of 20 inertial parameters"), "{page}");
    assert!(page.contains("nothing can be identified") && page.contains("mobility 0"), "{page}");
    let empty = folder.join("empty.toml");
    std::fs::write(
        &empty,
        "name = \"stone\"\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"fixed\"\n",
    )
    .expect("written");
    let output = steiner(&["analyze", empty.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("has no moving body"), "{}", text(&output.stderr));
}

#[test]
fn a_model_is_counted_printed_kept_and_written_as_code() {
    let folder = tempfolder("model");
    let document: serde_json::Value =
        serde_json::from_slice(&steiner(&["model", "scara_sr6ia", "--json"]).stdout).expect("JSON");
    assert_eq!((&document["functions"], &document["base_parameters"]), (&69.into(), &8.into()));
    assert!(document["max_error"].as_f64() < Some(1e-11));
    let equations = text(&steiner(&["model", "two_link", "--equations"]).stdout);
    assert!(equations.starts_with("τ1 = ") && equations.contains("θ6 = link2.Izz"), "{equations}");
    let file = folder.join("two_link.psdm");
    let saved = steiner(&["model", "two_link", "--save", file.to_str().expect("UTF-8")]);
    assert_eq!(saved.status.code(), Some(0));
    assert!(file.exists());

    let code = folder.join("code");
    let output =
        steiner(&["model", "go2", "--emit", "c", "--what", "inverse", "-o", code.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("inverse_dynamics"));
    assert!(code.join("go2_dynamics.c").exists() && code.join("go2_dynamics.h").exists());
    // What the terminal says about compiling stands in the header too.
    let header = std::fs::read_to_string(code.join("go2_dynamics.h")).expect("text");
    let page = text(&output.stdout);
    let command = page.lines().find(|line| line.starts_with("to compile in ")).expect("a command");
    let command = command.split_once(": ").expect("a command").1;
    assert!(command.starts_with("cc -std=c99 ") && command.ends_with(" -c go2_dynamics.c"), "{command}");
    assert!(header.contains(command) && header.contains("Rigid bodies only"));
    let driven = steiner(&[
        "model",
        "puma560",
        "--emit",
        "rust",
        "--drives",
        "-o",
        code.to_str().expect("UTF-8"),
        "--json",
    ]);
    let document: serde_json::Value = serde_json::from_slice(&driven.stdout).expect("JSON");
    assert_eq!(document["base_parameters"], 58);
    assert!(document["self_test"].as_str().is_some_and(|command| command.contains("puma560_dynamics.rs")));
    let source = std::fs::read_to_string(code.join("puma560_dynamics.rs")).expect("text");
    assert!(source.contains("fc\n//!   sign(qd) + offset") && source.contains("link6.fc"), "{source}");

    for (arguments, expected) in [
        (&["model", "delta"][..], "`loop1` closes a loop"),
        (&["model", "go2"], "joint `base_link` is floating"),
        (&["model", "delta", "--emit", "c"], "has closed loops"),
    ] {
        let refused = steiner(arguments);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains(expected), "{}", text(&refused.stderr));
    }
}

#[test]
fn a_page_is_written_beside_the_answer_or_not_at_all() {
    let folder = tempfolder("html");
    let path = folder.join("four_bar.html");
    let file = path.to_str().expect("UTF-8");
    let output = steiner(&["analyze", "four_bar", "--html", file]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), format!("wrote {file}\n"));
    assert_eq!(text(&output.stdout), text(&steiner(&["analyze", "four_bar"]).stdout));
    snapshot("analyze_four_bar.html", &std::fs::read_to_string(&path).expect("a page"));
    let json = steiner(&["analyze", "four_bar", "--json", "--html", file]);
    assert!(serde_json::from_slice::<serde_json::Value>(&json.stdout).is_ok());

    let nowhere = folder.join("nowhere/page.html");
    let output = steiner(&["analyze", "four_bar", "--html", nowhere.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = text(&output.stderr);
    assert!(message.contains("cannot be written") && message.trim_end().lines().count() == 1, "{message}");
}

#[test]
fn lines_fit_the_width_that_is_asked_for() {
    let narrow = Command::new(env!("CARGO_BIN_EXE_steiner"))
        .args(["analyze", "go2"])
        .env("COLUMNS", "80")
        .output()
        .expect("the command runs");
    let text = text(&narrow.stdout);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{longest:?}");
}

#[test]
fn questions_about_sensors_that_do_not_exist_get_one_sentence() {
    for (measure, expected) in [
        ("everything", "`everything` is not a measurement"),
        ("joints:link9", "there is no joint `link9` (did you mean `link"),
        ("wrench:elbow", "there is no joint `elbow`"),
    ] {
        let output = steiner(&["analyze", "puma560", "--measure", measure]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    let passive = steiner(&["analyze", "four_bar", "--measure", "joints:b2"]);
    assert!(text(&passive.stderr).contains("is not an independent coordinate"), "{}", text(&passive.stderr));
}

#[test]
fn the_zoo_as_json_lists_every_robot() {
    let output = steiner(&["zoo", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["zoo"].as_array().map(Vec::len), Some(17));
}

#[test]
fn a_shown_zoo_file_reads_back_as_the_same_robot() {
    let folder = tempfolder("zoo");
    let path = folder.join("copy.toml");
    std::fs::write(&path, steiner(&["zoo", "--show", "four_bar"]).stdout).expect("written");
    let copy = steiner(&["info", &path.to_string_lossy()]);
    assert_eq!(text(&copy.stdout), text(&steiner(&["info", "four_bar"]).stdout));
}

#[test]
fn info_names_an_inertia_that_is_too_large_for_its_link() {
    let link = |k: usize, largest: f64| {
        format!(
            r#"<link name="l{k}"><inertial><origin xyz="0 0 0.05"/><mass value="1.2"/>
            <inertia ixx="{largest}" iyy="{largest}" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let joint = |k: usize| {
        format!(
            r#"<joint name="j{k}" type="revolute"><parent link="l{}"/><child link="l{k}"/><origin xyz="0 0 0.1"/>
            <axis xyz="1 0 0"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>"#,
            k - 1
        )
    };
    let urdf = |largest: f64| {
        let links = [link(0, 0.002), link(1, 0.002), link(2, largest)].concat();
        format!(r#"<robot name="arm">{links}{}{}</robot>"#, joint(1), joint(2))
    };
    let path = tempfolder("bulky").join("arm.urdf");
    let told = |largest: f64| {
        std::fs::write(&path, urdf(largest)).expect("written");
        text(&steiner(&["info", &path.to_string_lossy()]).stdout).contains("l2: radius of gyration")
    };
    assert!(told(0.22));
    assert!(!told(0.005));
}

#[test]
fn usage_errors_exit_with_two() {
    for arguments in [
        &["info"][..],
        &["nonsense"],
        &["info", "puma560", "--gravity", "1,2"],
        &["info", "puma560", "--snap", "9"],
    ] {
        assert_eq!(steiner(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

fn tempfolder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// (file name, content, what the one sentence says)
const BAD: &[(&str, &str, &str)] = &[
    (
        "missing_parent.toml",
        "[[body]]\nname = \"a\"\nparent = \"nobody\"\njoint = \"revolute\"\n",
        "missing_parent.toml:1: joint `a`: there is no link or body `nobody`",
    ),
    (
        "cycle.urdf",
        "<robot name=\"r\">\n<link name=\"o\"/><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>\n<joint name=\"k\" type=\"revolute\"><parent link=\"b\"/><child link=\"a\"/></joint>\n</robot>",
        "form a cycle",
    ),
    (
        "duplicate.toml",
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n",
        "duplicate.toml:5: link: the name `a` is used twice (first on line 1)",
    ),
    (
        "zero_axis.toml",
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, \"1-1\", 0]\n",
        "the axis is zero",
    ),
    (
        "nan.urdf",
        "<robot name=\"r\"><link name=\"o\"/>\n<link name=\"a\"><inertial><mass value=\"NaN\"/></inertial></link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"o\"/><child link=\"a\"/></joint></robot>",
        "nan.urdf:2: <mass> of <link name=\"a\">: value: `NaN` is not finite",
    ),
    (
        "negative_mass.urdf",
        "<robot name=\"r\"><link name=\"o\"/>\n<link name=\"a\"><inertial><mass value=\"-1\"/></inertial></link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"o\"/><child link=\"a\"/></joint></robot>",
        "the mass -1 kg is negative",
    ),
    (
        "bomb.urdf",
        "<?xml version=\"1.0\"?><!DOCTYPE b [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><robot name=\"&b;\"/>",
        "document type",
    ),
    (
        "unknown_kind.toml",
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"hinge\"\n",
        "unknown_kind.toml:4: body `a`: `hinge` is not a kind of joint; use one of revolute",
    ),
    (
        "unresolved.toml",
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [\"l7*2\", 0, 0]\n",
        "unresolved.toml:5: body `a`, xyz: `l7` in `l7*2` is not known",
    ),
    (
        "impossible.toml",
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n[[body]]\nname = \"b\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [5, 0, 0]\n[[loop]]\nname = \"gap\"\njoint = \"spherical\"\npredecessor = { body = \"a\", xyz = [1, 0, 0] }\nsuccessor = { body = \"b\", xyz = [1, 0, 0] }\n",
        "loop `gap` cannot be assembled",
    ),
];

#[test]
fn bad_files_get_one_sentence_and_exit_status_one() {
    let folder = tempfolder("bad");
    for (name, content, expected) in BAD {
        let path = folder.join(name);
        std::fs::write(&path, content).expect("written");
        for json in [&[][..], &["--json"]] {
            let mut arguments = vec!["info", path.to_str().expect("UTF-8")];
            arguments.extend(json);
            let output = steiner(&arguments);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}: {message}");
            assert!(output.stdout.is_empty(), "{name}");
            assert!(message.contains(expected), "{name}: {message}");
            assert_eq!(message.trim_end().lines().count(), 1, "{name}: {message}");
        }
    }
}

#[test]
fn names_and_expressions_that_go_on_for_pages_are_cut_where_errors_repeat_them() {
    let folder = tempfolder("pages");
    let long = "x".repeat(300_000);
    let header = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">";
    for (name, content) in [
        ("links.urdf", format!("<robot name=\"r\"><link name=\"a\"/><link name=\"{long}\"/></robot>")),
        ("kind.toml", format!("[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"{long}\"\n")),
        ("syntax.urdf", format!("<robot name=\"r\"><{long}></robot>")),
        ("names.xacro", format!("{header}<link name=\"${{{long}}}\"/></robot>")),
        ("sums.xacro", format!("{header}<link name=\"${{{}foo}}\"/></robot>", "1 + ".repeat(90_000))),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, content).expect("written");
        let output = steiner(&["info", path.to_str().expect("UTF-8")]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {message}");
        assert!(message.contains(name) && message.len() < 1500, "{name}: {} bytes", message.len());
    }
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_at_once() {
    let path = tempfolder("large").join("huge.urdf");
    let file = std::fs::File::create(&path).expect("created");
    file.set_len(100 << 20).expect("sparse");
    let started = std::time::Instant::now();
    let output = steiner(&["info", path.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("100 MB is more than"), "{}", text(&output.stderr));
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn a_reader_that_leaves_early_is_not_an_error() {
    use std::io::Read;
    let mut child = Command::new(env!("CARGO_BIN_EXE_steiner"))
        .args(["info", "delta", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut first = [0; 1];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut first).expect("some output");
    drop(stdout);
    let output = child.wait_with_output().expect("it ends");
    assert!(text(&output.stderr).is_empty(), "{}", text(&output.stderr));
}

#[test]
fn formulas_are_refused_with_a_reason_where_there_are_none() {
    for (arguments, part) in [
        (&["analyze", "puma560", "--symbolic", "--method", "numeric"][..], "leave out --method numeric"),
        (&["analyze", "puma560", "--symbolic", "log.csv"], "a log for one"),
        (&["analyze", "puma560", "--sensitivity", "a33"], "(did you mean `a3`?); use one of a3, d3, a4, d4"),
        (
            &["analyze", "delta", "--symbolic", "--frames", "mdh"],
            "is universal; keep the frames of the file (leave out --frames mdh)",
        ),
        (&["analyze", "puma560", "--planar"], "not planar, as `link2` leaves the plane"),
        (&["analyze", "puma560", "--planar"], "analyse it in space: leave out --planar\n"),
        (&["analyze", "four_bar", "--planar", "--measure", "static"], "--fix, or --planar"),
        (&["analyze", "four_bar", "--planar", "--eliminate", "b1.Izz"], "b1.Izz"),
        (&["analyze", "four_bar", "--planar", "--sensitivity", "lx4"], "no length or angle `lx4`"),
        (&["analyze", "puma560", "--symbolic", "--family", "--format", "c"], "use --format text or json"),
        (&["analyze", "puma560", "--symbolic", "--compare"], "run it without --symbolic"),
    ] {
        let output = steiner(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.starts_with("error: ") && message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn questions_about_formulas_imply_that_they_are_wanted() {
    for (arguments, code) in [
        (&["analyze", "two_link", "--sensitivity", "a1", "--format", "c"][..], 0),
        (&["analyze", "two_link", "--family", "--format", "json"], 0),
        (&["analyze", "four_bar", "--planar", "--format", "latex"], 0),
        (&["analyze", "two_link", "--format", "c"], 2),
        (&["analyze", "two_link", "--output", "formulas.txt"], 2),
    ] {
        let output = steiner(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
        if code == 2 {
            let message = text(&output.stderr);
            assert!(message.contains("--symbolic|--sensitivity <NAME>|--family|--planar"), "{message}");
        }
    }
}

#[test]
fn formulas_as_json_extend_the_document_of_the_analysis() {
    let output = steiner(&["analyze", "four_bar", "--symbolic", "--family", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["identifiable"], 8);
    let symbolic = &document["symbolic"];
    assert_eq!((&symbolic["path"], &symbolic["verified_at"]), (&"derived".into(), &6.into()));
    assert_eq!(symbolic["variables"].as_array().map(Vec::len), Some(4));
    assert_eq!(symbolic["base_parameters"].as_array().map(Vec::len), Some(8));
    assert_eq!(document["family"]["identifiable"], 8);
}

/// Formulas of these take many seconds: whatever is wrong with the question is said before.
#[test]
fn questions_about_formulas_are_checked_before_the_work() {
    let folder = tempfolder("formulas_checked");
    let page = folder.join("nowhere/page.html");
    let page = page.to_str().expect("UTF-8");
    for (arguments, part) in [
        (&["analyze", "stewart", "--planar"][..], "leave out --planar"),
        (&["analyze", "stewart", "--sensitivity", "nothing"], "no length or angle `nothing`"),
        (&["analyze", "stewart", "--symbolic", "-o", page], "cannot be written"),
        (&["analyze", "stewart", "--symbolic", "--html", page], "cannot be written"),
        (&["analyze", "stewart", "--symbolic", "-o", "/proc/formulas.txt"], "cannot be written"),
    ] {
        let started = std::time::Instant::now();
        let output = steiner(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(part) && message.lines().count() == 1, "{arguments:?}: {message}");
        let seconds = started.elapsed().as_secs_f64();
        assert!(seconds < 3.0, "{arguments:?}: {seconds} s");
    }
    let names: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn a_file_that_says_planar_and_is_not_is_told_so() {
    let file = tempfolder("says_planar").join("arm.toml");
    let arm = "name = \"arm\"\nplanar = true\n[[body]]\nname = \"one\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
               [[body]]\nname = \"two\"\nparent = \"one\"\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [1, 0, 0]\n";
    std::fs::write(&file, arm).expect("a file");
    let output = steiner(&["analyze", file.to_str().expect("UTF-8"), "--symbolic"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.ends_with("analyse it in space: remove `planar = true` from the file\n"), "{message}");
}

/// Weights by name: (base parameter, parameter) has an expression and a value.
fn weight<'a>(document: &'a serde_json::Value, base: &str, parameter: &str) -> Option<(&'a str, f64)> {
    let parameters = document["symbolic"]["base_parameters"].as_array()?;
    let terms = parameters.iter().find(|one| one["name"] == base)?["terms"].as_array()?;
    let term = terms.iter().find(|term| term[0] == parameter)?;
    Some((term[1].as_str()?, term[2].as_f64()?))
}

/// A wish for parameters that products of lengths don't suit: formulas are derived for the same wish.
#[test]
fn where_products_do_not_answer_formulas_are_derived_for_the_same_wishes() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/six_bar.toml");
    let output =
        steiner(&["analyze", file, "--planar", "--eliminate", "a.m,c.m,f.m,a.J,b.J,c.J,f.J", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["symbolic"]["path"], "derived");
    let (expression, value) = weight(&document, "e.m", "c.J").expect("a formula");
    let wanted = (0.81 + 0.04) / ((0.25 + 0.36) * (0.1225 + 0.5625));
    assert!((value / wanted - 1.0).abs() < 1e-12, "{expression}: {value}");
    assert!(expression.contains("bx^2 + by^2"), "{expression}");
    let note = document["symbolic"]["notes"][0].as_str().expect("a note");
    assert!(note.contains("4 weights are no single products of lengths"), "{note}");

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/files/carried_four_bar.toml");
    let output = steiner(&["analyze", file, "--planar", "--eliminate", "coupler.J", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(weight(&document, "coupler.mx", "coupler.J").map(|(text, _)| text), Some("-1/l2"));
    assert_eq!(weight(&document, "coupler.J", "coupler.J"), None);
    let note = document["symbolic"]["notes"][0].as_str().expect("a note");
    assert!(note.contains("A.5") && !note.contains("derive the symbols"), "{note}");
    let output = steiner(&["analyze", file, "--planar", "--eliminate", "coupler.Izz"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("coupler.Izz"), "{}", text(&output.stderr));
}

#[test]
fn a_planar_document_has_the_same_base_parameters_in_space() {
    let output = steiner(&["analyze", "five_bar", "--planar", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let symbolic = &document["symbolic"];
    assert_eq!(symbolic["path"], "planar");
    assert_eq!(symbolic["transfers"], 3);
    assert!(symbolic["verified_at"].as_u64() >= Some(3), "{}", symbolic["verified_at"]);
    let names = |of: &serde_json::Value| -> Vec<String> {
        let all = of.as_array().expect("base parameters").iter();
        all.map(|one| one["name"].as_str().expect("a name").replace(".Izz", ".J")).collect()
    };
    assert_eq!(names(&document["base_parameters"]), names(&symbolic["base_parameters"]));
}
