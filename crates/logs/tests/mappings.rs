//! Mapping files: anybody else's columns, units, signs, gears and files.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use steiner_logs::{Log, LogNote, LogOptions, Mapping, ReadingNote};
use steiner_report::log_note;

/// What is said about a log, in words.
fn said(notes: &[LogNote]) -> Vec<String> {
    notes.iter().map(log_note).collect()
}

/// A folder of its own for a test, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-mappings-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, content) in files {
        std::fs::write(folder.join(file), content).unwrap();
    }
    folder
}

fn column<'a>(log: &'a Log, name: &str) -> &'a [f64] {
    log.column(name).unwrap().unwrap_or_else(|| panic!("{name} is not in {:?}", log.names()))
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{found:?} instead of {expected:?}");
    }
}

#[test]
fn columns_that_bear_their_names_already_need_no_rule() {
    let folder = folder(
        "native",
        &[
            ("log.csv", "t,pos_a,qd_a,cur_a,note\n0,1,2,3,0\n0.1,4,5,6,0\n"),
            ("same.toml", "[columns]\n\"q_*\" = { from = \"pos_*\" }\n\"tau_*\" = { from = \"cur_*\" }\n"),
            ("degrees.toml", "[columns]\n\"q_*\" = { from = \"pos_*\", unit = \"deg\" }\n"),
        ],
    );
    let read = |name: &str| {
        let mapping = Mapping::read(&folder.join(name)).unwrap();
        let options = LogOptions { mapping: Some(mapping), ..LogOptions::default() };
        Log::read(&folder.join("log.csv"), &options).unwrap()
    };
    let same = read("same.toml");
    assert_eq!(same.names(), ["t", "q_a", "tau_a", "qd_a"]);
    close(column(&same, "qd_a"), &[2.0, 5.0]);
    assert!(same.notes.is_empty());
    // Positions in degrees make velocities doubtful: nobody says their unit.
    let degrees = read("degrees.toml");
    assert_eq!(degrees.names(), ["t", "q_a"]);
    let [LogNote::Reading(ReadingNote::NotMapped { columns, .. })] = &degrees.notes[..] else {
        panic!("{:?}", degrees.notes)
    };
    assert_eq!(columns, &["qd_a"]);
}

#[test]
fn units_signs_and_gains_become_si() {
    let folder = folder(
        "units",
        &[
            ("log.csv", "Time [ms],pos A,enc B,vel A,cur A,Fz\n100,90,5096,60,2,-1\n110,180,1000,30,-1,2\n"),
            (
                "map.toml",
                r#"
                [columns]
                t = { from = "Time [ms]", unit = "ms" }
                q_a = { from = "pos A", unit = "deg", sign = -1, offset = "pi/2" }
                q_b = { from = 2, unit = "counts", counts_per_revolution = 4096, zero = 1000, gear = 100 }
                qd_a = { from = "vel A", unit = "rpm" }
                tau_a = { from = "cur A", unit = "A", gain = 0.05, gear = 100, sign = -1 }
                wrench_tool_fz = { from = "Fz", unit = "kgf" }
                "#,
            ),
        ],
    );
    let mapping = Mapping::read(&folder.join("map.toml")).unwrap();
    let options = LogOptions { mapping: Some(mapping), ..LogOptions::default() };
    let log = Log::read(&folder.join("log.csv"), &options).unwrap();
    assert_eq!(log.names(), ["t", "q_a", "q_b", "qd_a", "tau_a", "wrench_tool_fz"]);
    close(column(&log, "t"), &[0.1, 0.11]);
    close(column(&log, "q_a"), &[0.0, -PI / 2.0]);
    close(column(&log, "q_b"), &[2.0 * PI / 100.0, 0.0]);
    close(column(&log, "qd_a"), &[2.0 * PI, PI]);
    close(column(&log, "tau_a"), &[-10.0, 5.0]);
    close(column(&log, "wrench_tool_fz"), &[-9.80665, 2.0 * 9.80665]);
    assert!(log.place(1).ends_with("log.csv:3"));
}

#[test]
fn files_stand_side_by_side_without_names_or_a_clock() {
    let folder = folder(
        "side",
        &[
            ("positions.txt", "0 10 20\n1 11 21\n2 12 22\n"),
            ("torques.csv", "tau2;tau1\n7,5;8\n8;9\n9;10\n"),
            (
                "map.toml",
                r#"
                rate = 200
                [[file]]
                path = "positions.txt"
                header = false
                [[file]]
                path = "torques.csv"
                [columns]
                q_j1 = { file = "positions", from = 1 }
                q_j2 = { file = "positions", from = 2 }
                "tau_j*" = { file = "torques", from = "tau*" }
                "#,
            ),
        ],
    );
    let log = Log::read(&folder.join("map.toml"), &LogOptions::default()).unwrap();
    assert_eq!(log.names(), ["t", "q_j1", "q_j2", "tau_j2", "tau_j1"]);
    close(column(&log, "t"), &[0.0, 0.005, 0.01]);
    close(column(&log, "q_j2"), &[20.0, 21.0, 22.0]);
    close(column(&log, "tau_j2"), &[7.5, 8.0, 9.0]);
    // One file is longer than the other: somebody forgot to cut it.
    std::fs::write(folder.join("torques.csv"), "tau2;tau1\n7;8\n8;9\n").unwrap();
    let error = Log::read(&folder.join("map.toml"), &LogOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("torques.csv ends after 2 rows") && error.contains("positions.txt goes on"),
        "{error}"
    );
    // The same mapping for files elsewhere.
    let other =
        self::folder("elsewhere", &[("positions.txt", "0 1 2\n"), ("torques.csv", "tau1,tau2\n3,4\n")]);
    let mapping = Mapping::read(&folder.join("map.toml")).unwrap();
    let log = Log::read(&other, &LogOptions { mapping: Some(mapping), ..LogOptions::default() }).unwrap();
    close(column(&log, "tau_j2"), &[4.0]);
}

#[test]
fn files_with_their_own_clocks_meet_on_the_first() {
    let wrench: String = (0..50).map(|k| format!("{},{}\n", 3 + 7 * k, 2 * (3 + 7 * k))).collect();
    let joints: String = (0..30).map(|k| format!("{},{}\n", 0.01 * k as f64, k)).collect();
    let folder = folder(
        "clocks",
        &[
            ("joints.csv", &format!("t,q\n{joints}")),
            ("ft.csv", &format!("stamp,Fx\n{wrench}")),
            (
                "map.toml",
                r#"
                [[file]]
                path = "joints.csv"
                [[file]]
                path = "ft.csv"
                time = { from = "stamp", unit = "ms" }
                [columns]
                q_a = { file = "joints", from = "q" }
                wrench_hand_fx = { file = "ft", from = "Fx" }
                "#,
            ),
        ],
    );
    let log = Log::read(&folder.join("map.toml"), &LogOptions::default()).unwrap();
    assert_eq!(log.names(), ["t", "q_a", "wrench_hand_fx"]);
    assert_eq!(log.samples(), 29); // the first row comes before the first force
    for k in 0..29 {
        // Fx is 2 per millisecond.
        let t = column(&log, "t")[k];
        assert!((column(&log, "wrench_hand_fx")[k] - 2000.0 * t).abs() < 1e-6);
        assert_eq!(column(&log, "q_a")[k], (k + 1) as f64);
    }
    let notes = said(&log.notes).join("\n");
    assert!(
        notes.contains("ft.csv is interpolated onto the stamps of") && notes.contains("1 rows are left out"),
        "{notes}"
    );
}

#[test]
fn coupled_wrists_are_taken_apart() {
    let folder = folder(
        "wrist",
        &[
            ("log.csv", "t,p5,p6,i5,i6\n0,90,48,0.5,0.25\n1,45,64,1,0\n"),
            (
                "map.toml",
                r#"
                [columns]
                q_m5 = { from = "p5" }
                q_m6 = { from = "p6" }
                tau_m5 = { from = "i5" }
                tau_m6 = { from = "i6" }
                [[reduction]]
                motors = ["m5", "m6"]
                joints = ["j5", "j6"]
                matrix = [[45, 0], [32, 32]]
                offset = ["pi/2", 0]
                "#,
            ),
        ],
    );
    let mapping = Mapping::read(&folder.join("map.toml")).unwrap();
    let log =
        Log::read(&folder.join("log.csv"), &LogOptions { mapping: Some(mapping), ..LogOptions::default() })
            .unwrap();
    assert_eq!(log.names(), ["t", "q_j5", "q_j6", "tau_j5", "tau_j6"]);
    close(column(&log, "q_j5"), &[2.0 + PI / 2.0, 1.0 + PI / 2.0]);
    close(column(&log, "q_j6"), &[-0.5, 1.0]);
    close(column(&log, "tau_j5"), &[30.5, 45.0]);
    close(column(&log, "tau_j6"), &[8.0, 0.0]);
}

#[test]
fn every_mistake_names_its_line_and_key() {
    let folder = folder("mistakes", &[("a.csv", "t,x,y\n0,1,2\n"), ("b.csv", "z\n1\n")]);
    let read = |text: &str| -> String {
        let log = Mapping::parse(text, "map.toml", &folder).and_then(|mapping| {
            let own = mapping.has_files();
            let options = LogOptions { mapping: Some(mapping), ..LogOptions::default() };
            Log::read(if own { Path::new(&folder) } else { Path::new("a.csv") }, &options)
        });
        let path = folder.join("a.csv");
        match log {
            Err(error) if !error.to_string().starts_with("a.csv cannot be read") => error.to_string(),
            // The file is in the folder of the test.
            _ => {
                let options = LogOptions {
                    mapping: Some(Mapping::parse(text, "map.toml", &folder).unwrap()),
                    ..LogOptions::default()
                };
                Log::read(&path, &options).unwrap_err().to_string()
            }
        }
    };
    let two = "[[file]]\npath = \"a.csv\"\n[[file]]\npath = \"b.csv\"\n";
    for (text, expected) in [
        ("rate = 5\n", "map.toml: [columns]: it is missing"),
        ("rate = [1\n", "map.toml:1: file: "),
        ("speed = 5\n[columns]\n", "map.toml:1: the file: unknown key `speed`"),
        ("rate = 0\n[columns]\n", "map.toml:1: rate: 0 Hz is no rate"),
        (
            "[columns]\nx = { from = \"x\" }\n",
            "map.toml:2: columns.x: no log has such a column; call it t, q_<joint>",
        ),
        ("[columns]\nq_x = 3\n", "map.toml:2: columns.q_x: a table is expected"),
        ("[columns]\nq_x = { unit = \"deg\" }\n", "map.toml:2: columns.q_x: `from` is missing"),
        (
            "[columns]\nq_x = { from = \"x\", unit = \"Nm\" }\n",
            "map.toml:2: columns.q_x: `Nm` is no unit of such a column; use one of rad, deg",
        ),
        (
            "[columns]\nq_x = { from = \"x\", untit = \"deg\" }\n",
            "unknown key `untit` (did you mean `unit`?)",
        ),
        ("[columns]\nq_x = { from = \"x\", sign = 2 }\n", "columns.q_x.sign: 2 is no sign; write 1 or -1"),
        ("[columns]\nq_x = { from = \"x\", scale = 0 }\n", "columns.q_x.scale: it is zero"),
        (
            "[columns]\nq_x = { from = \"x\", offset = \"pie\" }\n",
            "map.toml:2: columns.q_x.offset: a number is expected",
        ),
        ("[columns]\nq_x = { from = \"x\", unit = \"counts\" }\n", "`counts_per_revolution` is missing"),
        (
            "[columns]\ntau_x = { from = \"x\", unit = \"A\" }\n",
            "`gain` is missing; give the torque constant",
        ),
        ("[columns]\ntau_x = { from = \"x\", gain = 2 }\n", "`gain` without amperes; write unit = \"A\""),
        ("[columns]\nt = { from = \"t\", gear = 2 }\n", "`gear` has no meaning"),
        ("[columns]\n\"q_*\" = { from = \"x\" }\n", "don't have one * each"),
        ("[columns]\n\nq_x = { from = \"X\" }\n", "map.toml:3: columns.q_x:"),
        (
            "[columns]\nq_x = { from = \"xx\" }\n",
            "has no column `xx` (did you mean `x`?); its 3 columns are t, x, y",
        ),
        ("[columns]\nq_x = { from = 9 }\n", "has no column number 9"),
        ("[columns]\nq_x = { from = \"x\" }\n\"q_*\" = { from = \"*\" }\n", "`q_x` is given twice"),
        ("rate = 10\n[columns]\nt = { from = \"t\" }\n", "map.toml:3: t: both `t` and `rate` are given"),
        (
            &format!("{two}[columns]\nq_x = {{ from = \"x\" }}\n"),
            "map.toml:6: columns.q_x: `file` is missing; name one of a, b",
        ),
        (&format!("{two}[columns]\nq_x = {{ file = \"c\", from = \"x\" }}\n"), "there is no [[file]] `c`"),
        ("[[file]]\nname = \"a\"\n[columns]\n", "map.toml:1: [[file]]: `path` is missing"),
        ("[[file]]\npath = \"c.csv\"\n[columns]\nq_x = { from = \"x\" }\n", "there is no file"),
        (
            "[columns]\nq_m = { from = \"x\" }\n[[reduction]]\nmotors = [\"m\"]\njoints = [\"j\"]\nmatrix = [[0]]\n",
            "map.toml:6: reduction.matrix: it is singular",
        ),
        (
            "[columns]\nq_m = { from = \"x\" }\n[[reduction]]\nmotors = [\"m\"]\njoints = [\"j\"]\nmatrix = [[1, 2]]\n",
            "reduction.matrix: it is not square",
        ),
        (
            "[columns]\nq_m = { from = \"x\" }\n[[reduction]]\nmotors = [\"m\", \"n\"]\njoints = [\"j\", \"k\"]\nmatrix = [[1, 0], [0, 1]]\n",
            "map.toml:3: [[reduction]]: there is no column `q_n`",
        ),
        (
            "[columns]\nq_x = { from = \"x\" }\n[[reduction]]\nmotors = [\"m\"]\njoints = [\"j\"]\nmatrix = [[1]]\n",
            "no column is one of the motors m",
        ),
    ] {
        let message = read(text);
        assert!(message.contains(expected), "{text}\n{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

const PLATE: &str = "t,Fx,Fy,Fz,COPx,COPy,Tz\n0,10,0,700,50,-20,3000\n0.1,0,0,0,999,-999,0\n";

#[test]
fn a_force_plate_becomes_a_wrench_in_lab_axes() {
    let columns = "[columns]\n\
        wrench_plate_fx = { from = \"Fx\", unit = \"N\" }\nwrench_plate_fy = { from = \"Fy\", unit = \"N\" }\n\
        wrench_plate_fz = { from = \"Fz\", unit = \"N\" }\nwrench_plate_px = { from = \"COPx\", unit = \"mm\" }\n\
        wrench_plate_py = { from = \"COPy\", unit = \"mm\" }\nwrench_plate_tz = { from = \"Tz\", unit = \"N·mm\" }\n";
    let place = "[[wrench]]\nsensor = \"plate\"\nlink = \"foot\"\naxes = \"base\"\nxyz = [0.6, 0.4, 0.1]\n\
        rpy = [\"pi\", 0, 0]\nsign = -1\n";
    let folder = folder(
        "plate",
        &[
            ("plate.csv", PLATE),
            ("plate.toml", &format!("{columns}{place}")),
            ("nowhere.toml", columns),
            ("ground.toml", &format!("{columns}[[wrench]]\nsensor = \"plate\"\nlink = \"base\"\n")),
            ("lost.toml", &format!("{columns}[[wrench]]\nsensor = \"plates\"\nlink = \"base\"\n")),
            ("moon.toml", &format!("{columns}{}", place.replace("\"base\"", "\"moon\""))),
        ],
    );
    let read = |name: &str| {
        let options = LogOptions {
            mapping: Some(Mapping::read(&folder.join(name)).map_err(|error| error.to_string())?),
            ..LogOptions::default()
        };
        Log::read(&folder.join("plate.csv"), &options).map_err(|error| error.to_string())
    };
    let log = read("plate.toml").unwrap();
    let names = ["fx", "fy", "fz", "tx", "ty", "tz"].map(|end| format!("wrench_foot@base_{end}"));
    assert_eq!(log.names()[1..], names);
    // On the robot, half a turn about x; where the plate feels nothing, its centre of pressure is nowhere.
    close(column(&log, &names[0]), &[-10.0, 0.0]);
    close(column(&log, &names[2]), &[700.0, 0.0]);
    // (0.65, 0.42, 0.1) × (−10, 0, 700), and 3 N·m.
    close(column(&log, &names[3]), &[0.42 * 700.0, 0.0]);
    close(column(&log, &names[4]), &[0.1 * -10.0 - 0.65 * 700.0, 0.0]);
    close(column(&log, &names[5]), &[0.42 * 10.0 + 3.0, 0.0]);
    let ground = read("ground.toml").unwrap();
    close(column(&ground, "wrench_base_ty"), &[-0.05 * 700.0, 0.0]);
    for (name, expected) in [
        ("nowhere.toml", "`wrench_plate_px` is a centre of pressure, but no [[wrench]] uses it"),
        ("lost.toml", "there is no column `wrench_plates_fx`"),
        ("moon.toml", "`moon` is no frame"),
    ] {
        let error = read(name).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
