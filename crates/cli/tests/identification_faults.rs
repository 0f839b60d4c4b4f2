//! What can be wrong with logs, questions and places to write to: one sentence with place and remedy, exit
//! status 1, and nothing damaged.

mod support;

use std::process::Command;

use support::{ARM, Bench, data, text};

/// A folder with the arm and a good log of it.
fn bench(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --duration 10 --noise 0.01 -o good.csv");
    bench
}

/// The cells of a CSV log, header first.
fn cells(bench: &Bench) -> Vec<Vec<String>> {
    bench.read("good.csv").lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn csv(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| row.join(",") + "\n").collect()
}

/// A log with the columns that a test keeps.
fn with_columns(rows: &[Vec<String>], keep: impl Fn(&str) -> bool) -> String {
    let kept: Vec<usize> = (0..rows[0].len()).filter(|&c| keep(&rows[0][c])).collect();
    csv(&rows.iter().map(|row| kept.iter().map(|&c| row[c].clone()).collect()).collect::<Vec<_>>())
}

/// A log with columns of a prefix multiplied.
fn scaled(rows: &[Vec<String>], prefix: &str, factor: f64) -> String {
    let mut rows = rows.to_vec();
    for c in (0..rows[0].len()).filter(|&c| rows[0][c].starts_with(prefix)).collect::<Vec<_>>() {
        for row in rows.iter_mut().skip(1) {
            row[c] = (factor * row[c].parse::<f64>().expect("a number")).to_string();
        }
    }
    csv(&rows)
}

fn refused(bench: &Bench, line: &str, expected: &str) {
    for json in ["", " --json"] {
        let output = bench.steiner(&format!("{line}{json}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(message.starts_with("error: ") && message.contains(expected), "{line}: {message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{line}: {message}");
    }
}

/// What a command says that goes on all the same.
fn noted(bench: &Bench, line: &str, expected: &str) {
    let found = bench.json(line);
    let notes: Vec<&str> =
        found["notes"].as_array().expect("notes").iter().filter_map(|n| n.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains(expected)), "{line}: {notes:#?}");
    // The same for people, whatever the lines are broken at.
    let seen = bench.done(line).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(seen.contains(expected), "{line}: {seen}");
}

#[test]
fn logs_with_faults_are_refused_with_place_and_remedy() {
    let bench = bench("faulty-logs");
    let rows = cells(&bench);
    let at = |column: &str| rows[0].iter().position(|name| name == column).expect("a column");
    let mut broken = rows.clone();
    broken[501][at("q_j2")] = "nan".to_owned();
    bench.write("nan.csv", csv(&broken));
    bench.write("back.csv", csv(&[&rows[..801], &rows[700..]].concat()));
    bench.write(
        "coarse.csv",
        csv(&rows
            .iter()
            .enumerate()
            .map(|(k, row)| {
                let mut row = row.clone();
                row[0] = if k == 0 { row[0].clone() } else { (k / 5).to_string() };
                row
            })
            .collect::<Vec<_>>()),
    );
    bench.write("no_joint.csv", with_columns(&rows, |name| !name.ends_with("_j3")));
    bench.write("no_force.csv", with_columns(&rows, |name| name != "tau_j3"));
    bench.write("no_forces.csv", with_columns(&rows, |name| !name.starts_with("tau")));
    bench.write("header.csv", csv(&rows[..1]));
    bench.write("one.csv", csv(&rows[..2]));
    bench.write("empty.csv", "");
    bench.write("empty.npz", "");
    bench.write("short.csv", csv(&rows[..800]).trim_end().rsplit_once(',').expect("cells").0);
    let identify = |log: &str| format!("identify arm.urdf {log}");
    refused(
        &bench,
        &identify("nan.csv"),
        "nan.csv:502: `nan` in column `q_j2` is not a finite number; cut the log there, or leave such rows out (--from and --to, or --skip-bad-rows",
    );
    refused(&bench, &identify("back.csv"), "back.csv:802: time 6.99 s does not follow 7.99 s; sort the log");
    refused(
        &bench,
        &identify("coarse.csv"),
        "the clock is coarser than the sampling; remove the column t and give `rate`",
    );
    refused(
        &bench,
        &identify("no_joint.csv"),
        "no_joint.csv has no column `q_j3`; arm needs q_j1, q_j2, q_j3",
    );
    refused(
        &bench,
        &identify("no_force.csv --measure all"),
        "the force of j3 is asked for by `all`, but it was not recorded; measure joints:j1,j2",
    );
    refused(&bench, &identify("no_forces.csv"), "the log has no forces: no column tau_JOINT");
    refused(&bench, &identify("header.csv"), "header.csv has 0 samples");
    refused(&bench, &identify("one.csv"), "too few for 25 unknowns; record more");
    refused(
        &bench,
        &identify("empty.csv"),
        "empty.csv is empty; a log starts with a header such as t,q_joint1",
    );
    refused(&bench, &identify("empty.npz"), "empty.npz is empty");
    refused(
        &bench,
        &identify("short.csv"),
        "short.csv ends in the middle (line 800 has 12 values where the header has 13); copy it again, or read it up to there (--accept-cut)",
    );
    refused(&bench, &identify("gone.csv"), "gone.csv cannot be read (there is no such file); check the path");
    refused(&bench, &identify("arm.urdf"), "arm.urdf");
    refused(
        &bench,
        "identify puma560 good.csv",
        "good.csv has no column `q_link1` (it has q_j1, q_j2, q_j3: joints of another robot, or these under other names?); puma560 needs q_link1",
    );
    refused(
        &bench,
        "compare puma560 arm.urdf good.csv",
        "joints of another robot, or these under other names?",
    );
    refused(
        &bench,
        &identify("good.csv --validate no_force.csv"),
        "what the logs measure is not the same: all in good.csv, joints:j1,j2 in no_force.csv; give logs with the same forces",
    );
    refused(&bench, &identify("good.csv --from 50"), "good.csv has 0 samples in the time that is wanted");
    refused(
        &bench,
        &identify("good.csv --hold-out 0.995"),
        "5 samples to learn from are too few for 25 unknowns",
    );
}

#[test]
fn what_looks_strange_is_said() {
    let bench = bench("strange-logs");
    let rows = cells(&bench);
    bench.write("gap.csv", csv(&[&rows[..400], &rows[600..]].concat()));
    bench.write("repeated.csv", csv(&[&rows[..400], &rows[399..]].concat()));
    bench.write("degrees.csv", scaled(&rows, "q", 57.29577951308232));
    bench.write("millinewton.csv", scaled(&rows, "tau", 1000.0));
    bench.write("no_force.csv", with_columns(&rows, |name| name != "tau_j3"));
    let mut broken = rows.clone();
    broken[501][1] = "inf".to_owned();
    bench.write("broken.csv", csv(&broken));
    bench.write("short.csv", csv(&rows[..800]).trim_end().rsplit_once(',').expect("cells").0);
    let identify = |log: &str| format!("identify arm.urdf {log}");
    noted(&bench, &identify("gap.csv"), "the clock pauses once (longest 2.01 s, after 3.98 s)");
    noted(
        &bench,
        &identify("repeated.csv"),
        "1 row with the time of the row before left out (first: repeated.csv:401, 3.98 s)",
    );
    noted(
        &bench,
        &identify("broken.csv --skip-bad-rows"),
        "1 row with entries that are no numbers left out (first: broken.csv:502)",
    );
    noted(&bench, &identify("short.csv --accept-cut"), "the last line (800) is cut short and left out");
    noted(&bench, &identify("degrees.csv"), "its limit is 2: degrees? a mapping file can give its unit");
    noted(&bench, &identify("millinewton.csv"), "its limit is 60: N·mm, or a current in mA?");
    noted(&bench, &identify("good.csv --trim 100"), "--trim cuts nothing off good.csv");
    noted(&bench, &identify("good.csv --validate-from 1e9"), "no samples are held out");
    noted(&bench, &identify("no_force.csv"), "identified from what the logs measure: joints:j1,j2");
}

#[test]
fn a_joint_that_never_moves_is_named() {
    let bench = bench("still");
    bench.done("simulate arm.urdf --rate 100 --duration 10 --noise 0.01 --still j3 -o still.csv");
    noted(&bench, "identify arm.urdf still.csv", "q_j3 never moves");
    let found = bench.json("identify arm.urdf still.csv");
    let weak: Vec<&str> =
        found["weakly_excited"].as_array().expect("names").iter().filter_map(|n| n.as_str()).collect();
    for name in ["j3.Ia", "j3.fv", "j3.fc"] {
        assert!(weak.contains(&name), "{name}: {weak:?}");
    }
    assert!(found["condition_number"].is_null());
    assert!(found["consistent"].as_object().expect("bodies").values().all(|can| *can == true));
    let seen = bench.done("identify arm.urdf still.csv");
    assert!(seen.contains("j3.Ia (not observable: the file's value)"), "{seen}");
}

#[test]
fn files_that_end_in_the_middle_are_refused_in_every_format() {
    let bench = Bench::new("cut");
    bench.done("simulate two_link --rate 100 --duration 4 -o log.npz");
    let whole = std::fs::read(bench.path("log.npz")).expect("a log");
    bench.write("cut.npz", &whole[..2 * whole.len() / 3]);
    refused(
        &bench,
        "identify two_link cut.npz",
        "cut.npz ends in the middle (its directory is missing); copy it again",
    );
    for name in ["snappy.parquet", "none.mcap", "bag.db3", "compressed.mat"] {
        let whole = std::fs::read(data(name)).expect("a file of the tests");
        for share in [0.2, 0.4, 0.6] {
            bench.write(name, &whole[..(share * whole.len() as f64) as usize]);
            let output = bench.steiner(&format!("identify two_link {name}"));
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}, {share}: {message}");
            assert!(
                message.contains(name)
                    && (message.contains("ends in the middle") || message.contains("is damaged")),
                "{name}, {share}: {message}"
            );
            assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        }
    }
}

#[test]
fn wrong_questions_are_refused_with_what_there_is() {
    let bench = bench("questions");
    bench.write("unknown_joint.toml", "[columns]\nt = { from = \"t\" }\nq_j9 = { from = \"q_j1\" }\n");
    bench.write("unknown_column.toml", "[columns]\nq_j1 = { from = \"pos 1\" }\n");
    bench.write("plane.stl", "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendsolid\n");
    bench.write("plane.urdf", ARM.replace("hand.obj", "plane.stl"));
    bench.write("collada.urdf", ARM.replace("hand.obj", "plane.dae"));
    bench.write("packaged.urdf", ARM.replace("hand.obj", "package://nowhere/hand.stl"));
    bench.write("cut.stl", [0u8; 100]);
    bench.write("cut.urdf", ARM.replace("hand.obj", "cut.stl"));
    let identify = |flags: &str| format!("identify arm.urdf good.csv {flags}");
    for (flags, expected) in [
        (
            "--payload tol",
            "arm: there is no link `tol` (did you mean `tool`?); name a body, or a link fixed to one (`steiner info` lists them)",
        ),
        (
            "--mass tool=1:2",
            "arm: link `tool` is fixed to `hand`, and they move as one body; name `hand` instead",
        ),
        ("--fix hand.mass=1", "arm: there is no parameter `hand.mass`; a body has m, mx, my, mz"),
        ("--keep hand.Ixxx", "there is no parameter `hand.Ixxx` (did you mean `hand.Ixx`?)"),
        (
            "--mass hand=3:2",
            "the bounds contradict each other: the mass of hand shall be at least 3 kg and at most 2 kg",
        ),
        (
            "--mass hand=3:4,fore=3:4 --total-mass 2",
            "hand, fore weigh at least 6 kg together, and all bodies 2 kg; loosen them",
        ),
        ("--mass hnd=1:2", "arm: there is no link `hnd` (did you mean `hand`?)"),
        ("--centre hand=0,0,0:0,0,0", "the centre of mass of hand in a box or hull without inside"),
        ("--centre hnd=mesh", "--centre hnd=mesh: arm has no moving body `hnd` (did you mean `hand`?)"),
        (
            "--centre hand=mesh",
            "arm.urdf:15: <mesh> of <link name=\"hand\">: the mesh hand.obj cannot be read",
        ),
        (
            "--measure wrench:j3",
            "the force of the sensor in j3 is asked for by `wrench:j3`, but it was not recorded",
        ),
        ("--measure wrench:j8", "arm: there is no joint `j8`"),
        ("--measure torque", "`torque`"),
        ("--unknown-gain j1,j2,j3", "forces and parameters could grow together; fix a mass or a gain"),
        ("--unknown-gain j7", "arm: there is no joint `j7`"),
        ("--least-speed j7=1", "arm: there is no joint `j7`"),
        ("--drive both=j2:1,j7:1", "arm: there is no joint `j7`"),
        ("--cutoff 80", "80 Hz is not between 0 and half the sampling rate, 50 Hz"),
        (
            "--mapping unknown_joint.toml",
            "unknown_joint.toml:3: columns.q_j9: arm has no joint `j9` (did you mean `j1`?); its joints are j1, j2, j3",
        ),
        (
            "--mapping unknown_column.toml",
            "unknown_column.toml:2: columns.q_j1: good.csv has no column `pos 1`; its 13 columns are t, q_j1",
        ),
        ("--mapping gone.toml", "gone.toml cannot be read (there is no such file)"),
        ("--validate-from 5 --validate-to 3", "--validate-from 5 is not before --validate-to 3; swap them"),
        ("-o found.txt", "found.txt: its ending says no format; end it in .urdf or .toml"),
    ] {
        refused(&bench, &identify(flags), expected);
    }
    for (robot, expected) in [
        ("plane.urdf", "the visual geometry of hand lies in a plane and has no inside"),
        ("collada.urdf", "plane.dae cannot be read"),
        (
            "packaged.urdf",
            "the package `nowhere` of the mesh package://nowhere/hand.stl is nowhere to be found; add the folder that holds it",
        ),
        ("cut.urdf", "cut.stl"),
    ] {
        let robot_file = bench.read(robot).replace("<sphere radius=\"0.04\"/>", "<box size=\"0 0 0\"/>");
        bench.write(robot, robot_file);
        refused(&bench, &format!("identify {robot} good.csv --centre hand=mesh"), expected);
    }
    refused(&bench, "identify puma560 good.csv --centre all=mesh", "puma560 has no shape for any link");
    for (flags, expected) in [
        ("--wrench j8", "there is no joint `j8`"),
        ("--contact hnd", "there is no link `hnd`"),
        ("--friction j8=1,1", "--friction j8: arm has no joint `j8`"),
        ("--gain j8=2", "they are j1, j2, j3"),
        ("--still j8", "j8"),
        ("--carried-by hand", "floating"),
    ] {
        refused(&bench, &format!("simulate arm.urdf --rate 50 --duration 2 -o new.csv {flags}"), expected);
    }
    assert!(!bench.path("new.csv").exists());
}

/// Runs a command that may write files of up to 4 KiB: what a full disk does,
/// where it fills up in the middle.
fn on_a_full_disk(bench: &Bench, line: &str) -> String {
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_steiner")).args(line.split_whitespace());
    let output = command.current_dir(&bench.0).output().expect("a shell");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{line}: {message}");
    assert_eq!(message.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{message}");
    message
}

#[test]
#[cfg(unix)]
fn a_full_disk_damages_nothing_and_leaves_nothing_behind() {
    let bench = bench("full-disk");
    // A remark makes the file longer than what the disk has left.
    let robot = ARM.replace("<!-- a small arm -->", &format!("<!-- {} -->", "a long remark ".repeat(400)));
    bench.write("arm.urdf", &robot);
    let before = bench.files();
    let message = on_a_full_disk(&bench, "identify arm.urdf good.csv -o arm.urdf");
    assert!(
        message.contains("arm.urdf: cannot be written")
            && message.contains("what was there before is untouched"),
        "{message}"
    );
    let message = on_a_full_disk(&bench, "identify arm.urdf good.csv -o new.urdf");
    assert!(message.contains("new.urdf: cannot be written"), "{message}");
    let message = on_a_full_disk(&bench, "identify arm.urdf good.csv --html new.html");
    assert!(
        message.contains("new.html cannot be written") && message.contains("give another --html"),
        "{message}"
    );
    let message = on_a_full_disk(&bench, "simulate arm.urdf -o good.csv");
    assert!(message.contains("good.csv cannot be written"), "{message}");
    assert_eq!(bench.read("arm.urdf"), robot);
    assert_eq!(bench.files(), before, "no temporary file stays");
    for (line, expected) in [
        ("identify arm.urdf good.csv -o good.csv/x.urdf", "good.csv/x.urdf: it cannot be written"),
        ("identify arm.urdf good.csv -o gone/x.toml", "gone/x.toml: it cannot be written"),
        ("simulate arm.urdf -o gone/x.csv", "gone/x.csv: it cannot be written"),
        ("compare arm.urdf arm.urdf good.csv --html gone/x.html", "give another --html"),
    ] {
        refused(&bench, line, expected);
    }
    assert_eq!(bench.files(), before);
    // With room, the robot's own file is replaced.
    bench.done("identify arm.urdf good.csv -o arm.urdf");
    assert_ne!(bench.read("arm.urdf"), robot);
    assert_eq!(bench.files(), before);
}

#[test]
fn a_wrench_of_a_link_that_is_not_there_is_named() {
    let bench = bench("strange-wrench");
    let mut rows = cells(&bench);
    for (k, row) in rows.iter_mut().enumerate() {
        let parts = ["fx", "fy", "fz", "tx", "ty", "tz"];
        row.extend(parts.map(|part| if k == 0 { format!("wrench_hnd_{part}") } else { "0".to_owned() }));
    }
    bench.write("strange.csv", csv(&rows));
    refused(
        &bench,
        "identify arm.urdf strange.csv",
        "strange.csv: the wrench of `hnd` is of no link or joint of arm (did you mean `hand`?); say in a mapping file where it acts",
    );
    bench.write("part.csv", with_columns(&rows, |name| name != "wrench_hnd_tz"));
    refused(&bench, "identify arm.urdf part.csv", "part.csv has no column `wrench_hnd_tz`");
}
