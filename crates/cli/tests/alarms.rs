//! What `steiner identify` says when something is wrong with a log, and that it says nothing when nothing is.

#[allow(dead_code)]
mod support;

use support::columns::changed;
use support::{Bench, text};

/// The kinds of alarms of an identification.
fn alarms(bench: &Bench, command: &str) -> Vec<String> {
    let found = bench.json(command);
    let list = found["alarms"].as_array().expect("a list").iter();
    list.map(|alarm| alarm["kind"].as_str().expect("a kind").to_owned()).collect()
}

#[test]
fn a_clean_log_raises_no_alarm() {
    let bench = Bench::new("clean-log");
    for robot in ["two_link", "ur5", "five_bar"] {
        bench.done(&format!("simulate {robot} --noise 0.02 --rate 200 -o log.csv"));
        assert_eq!(alarms(&bench, &format!("identify {robot} log.csv")), [""; 0], "{robot}");
        assert!(bench.done(&format!("identify {robot} log.csv")).contains("Verdict: nothing looks wrong."));
    }
}

#[test]
fn a_flipped_column_is_named() {
    let bench = Bench::new("flipped-column");
    for (robot, column) in [("ur5", "tau_link6"), ("scara_sr6ia", "tau_link3"), ("five_bar", "tau_a1")] {
        bench.done(&format!("simulate {robot} --noise 0.02 --rate 200 -o log.csv"));
        bench.write("flipped.csv", changed(&bench.read("log.csv"), column, -1.0, 0));
        assert_eq!(alarms(&bench, &format!("identify {robot} flipped.csv"))[0], "scale", "{robot}");
        let seen = bench.done(&format!("identify {robot} flipped.csv"));
        let joint = column.trim_start_matches("tau_");
        assert!(seen.contains(&format!("! {joint}: the sign of the recorded force looks flipped")), "{seen}");
        assert!(seen.contains("Verdict: do not use this model"), "{seen}");
    }
}

/// The fit alone would say that the robot is lighter.
#[test]
fn currents_for_torques_are_named() {
    let bench = Bench::new("currents");
    for robot in ["ur5", "two_link"] {
        bench.done(&format!("simulate {robot} --noise 0.02 --rate 200 -o log.csv"));
        let clean = bench.read("log.csv");
        let mut log = clean.clone();
        let names = clean.lines().next().expect("a header").split(',');
        for column in names.filter(|name| name.starts_with("tau_")) {
            log = changed(&log, column, 0.08, 0);
        }
        bench.write("amperes.csv", log);
        let found = bench.json(&format!("identify {robot} amperes.csv"));
        assert_eq!(found["alarms"][0]["kind"], "scale", "{robot}: {}", found["alarms"]);
        assert!(
            found["alarms"][0]["text"].as_str().expect("words").contains("12.5 times too small"),
            "{}",
            found["alarms"]
        );
    }
}

/// Parameters take up most of a wrong zero: the residual hardly shows it.
#[test]
fn a_joint_whose_zero_is_off_is_named() {
    let bench = Bench::new("zeros");
    for (robot, joint, offset) in [("ur5", "link2", 0.02), ("puma560", "link2", -0.03)] {
        bench.done(&format!("simulate {robot} --noise 0.005 --rate 200 --duration 30 -o log.csv"));
        let log = bench.read("log.csv");
        let (head, rows) = log.split_once('\n').expect("a header");
        let at = head.split(',').position(|name| name == format!("q_{joint}")).expect("the column");
        let shifted = |row: &str| {
            let mut values: Vec<String> = row.split(',').map(str::to_owned).collect();
            values[at] = (values[at].parse::<f64>().expect("a number") + offset).to_string();
            values.join(",")
        };
        let rows: Vec<String> = rows.lines().map(shifted).collect();
        bench.write("off.csv", format!("{head}\n{}\n", rows.join("\n")));
        let found = bench.json(&format!("identify {robot} off.csv"));
        let alarm = &found["alarms"][0];
        assert_eq!(alarm["kind"], "zero", "{}", found["alarms"]);
        let words = alarm["text"].as_str().expect("words");
        let name = format!("q_{joint} ");
        let (_, rest) = words.split_once(&name).unwrap_or_else(|| panic!("{words}"));
        let number = |text: &str| text.trim_end_matches(['.', ',']).parse::<f64>().expect("a number");
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (value, sigma) = (number(words[0]), number(words[2]));
        assert!((value + offset).abs() < 4.0 * sigma && sigma < 0.2 * offset.abs(), "{value} {sigma}");
        // A zero in a mapping file mends it.
        let column = |name: &str| {
            let offset = if name == format!("q_{joint}") { -offset } else { 0.0 };
            format!("{name} = {{ from = \"{name}\", offset = {offset} }}\n")
        };
        let mapping = format!("[columns]\n{}", head.split(',').map(column).collect::<String>());
        bench.write("mapping.toml", mapping);
        assert_eq!(alarms(&bench, &format!("identify {robot} off.csv --mapping mapping.toml")), [""; 0]);
    }
}

/// A file without inertias, so that the fit decides: of two joints nothing tells which column is flipped, and of
/// six joints no neighbour is blamed.
#[test]
fn neighbours_are_blamed_only_where_nothing_tells() {
    let bench = Bench::new("neighbours");
    for (robot, column, both) in [("two_link", "tau_link2", true), ("ur5", "tau_link3", false)] {
        bench.done(&format!("simulate {robot} --noise 0.02 --rate 100 --seed 5 -o log.csv"));
        let file = bench.done(&format!("zoo --show {robot}"));
        let bare = file.lines().filter(|line| !line.starts_with("inertia")).collect::<Vec<_>>();
        bench.write("bare.toml", bare.join("\n"));
        bench.write("flipped.csv", changed(&bench.read("log.csv"), column, -1.0, 0));
        let found = bench.json("identify bare.toml flipped.csv");
        let list = found["alarms"].as_array().expect("a list").iter();
        let scales: Vec<&str> =
            list.filter(|a| a["kind"] == "scale").filter_map(|a| a["text"].as_str()).collect();
        assert_eq!(scales.len(), 1, "{scales:?}");
        let joint = column.trim_start_matches("tau_");
        match both {
            true => assert!(scales[0].contains("this log does not tell which") && scales[0].contains(joint)),
            false => assert!(scales[0].starts_with(&format!("{joint}: the sign")), "{scales:?}"),
        }
    }
}

#[test]
fn another_unit_is_named() {
    let bench = Bench::new("other-unit");
    bench.done("simulate panda --noise 0.02 --rate 200 -o log.csv");
    bench.write("millis.csv", changed(&bench.read("log.csv"), "tau_link7", 1000.0, 0));
    let seen = bench.done("identify panda millis.csv");
    assert!(seen.contains("! link7: the recorded force looks 1000 times too large"), "{seen}");
}

#[test]
fn a_lag_of_torques_is_named() {
    let bench = Bench::new("lag");
    bench.done("simulate ur5 --noise 0.02 --rate 200 --duration 30 -o log.csv");
    let late = |text: String, k: usize| changed(&text, &format!("tau_link{k}"), 1.0, 6);
    bench.write("late.csv", (1..=6).fold(bench.read("log.csv"), late));
    let seen = bench.done("identify ur5 late.csv");
    assert!(seen.contains("Recorded forces lag or lead the motion") && seen.contains("ms later"), "{seen}");
}

/// Parameters may come from a band in which a lag hardly shows; it bends them all the same.
#[test]
fn a_lag_is_named_whatever_band_parameters_come_from() {
    let bench = Bench::new("slow-lag");
    for seed in [3, 4] {
        bench.done(&format!(
            "simulate ur5 --noise 0.01 --rate 250 --duration 40 --seed {seed} --friction all=1,2 --positions-only -o log.csv"
        ));
        assert_eq!(alarms(&bench, "identify ur5 log.csv"), [""; 0]);
        let late = |text: String, k: usize| changed(&text, &format!("tau_link{k}"), 1.0, 5);
        bench.write("late.csv", (1..=6).fold(bench.read("log.csv"), late));
        let found = bench.json("identify ur5 late.csv --align");
        let lags: Vec<f64> =
            found["aligned"].as_object().expect("lags").values().filter_map(|lag| lag.as_f64()).collect();
        assert!(lags.len() >= 3 && lags.iter().all(|lag| (lag - 0.02).abs() < 4e-3), "{lags:?}");
        assert_eq!(alarms(&bench, "identify ur5 late.csv")[0], "lag");
    }
}

#[test]
fn all_forces_in_another_unit_are_named() {
    let bench = Bench::new("all-units");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    // The file knows nothing of the friction that the robot has.
    bench.done("simulate ur5 --noise 0.02 --rate 100 --friction all=2,3 -o rubs.csv");
    for log in ["log.csv", "rubs.csv"] {
        for (factor, words) in [
            (1000.0, "all recorded forces look 1000 times too large"),
            (-1.0, "the signs of all recorded forces look flipped"),
        ] {
            let all = |text: String, k: usize| changed(&text, &format!("tau_link{k}"), factor, 0);
            bench.write("wrong.csv", (1..=6).fold(bench.read(log), all));
            let seen = bench.done("identify ur5 wrong.csv").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(seen.contains(words) && seen.contains("Verdict: do not use"), "{log}: {seen}");
        }
    }
}

#[test]
fn a_force_that_is_missing_is_said() {
    let bench = Bench::new("missing-force");
    bench.done("simulate ur5 --noise 0.02 --rate 100 -o log.csv");
    bench.write("typo.csv", bench.read("log.csv").replace("tau_link3", "tau_lnk3"));
    let seen = bench.done("identify ur5 typo.csv");
    assert!(seen.contains("! typo.csv has no column tau_link3 (did you mean tau_lnk3"), "{seen}");
    bench.write("other.csv", bench.read("log.csv").replace("tau_link3", "temperature"));
    let seen = bench.done("identify ur5 other.csv");
    assert!(seen.contains("other.csv has no column tau_link3: this force is taken as unknown"), "{seen}");
    assert!(seen.contains("Verdict: nothing looks wrong"), "{seen}");
}

#[test]
fn a_force_beyond_its_limit_is_an_alarm() {
    let bench = Bench::new("beyond-limit");
    let file = bench.done("zoo --show two_link");
    assert!(file.contains("[[body]]"));
    let urdf = r#"<robot name="arm"><link name="base"/>
<link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="0.2"/><inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="40" velocity="3"/></joint>
<joint name="j2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="4" velocity="3"/></joint></robot>"#;
    bench.write("arm.urdf", urdf);
    bench.done("simulate arm.urdf --noise 0.02 --rate 100 --friction all=1,3 -o log.csv");
    bench.write("millis.csv", changed(&bench.read("log.csv"), "tau_j2", 1000.0, 0));
    let kinds = alarms(&bench, "identify arm.urdf millis.csv");
    assert!(["signal", "scale"].contains(&kinds[0].as_str()), "{kinds:?}");
    // A current has any unit.
    assert!(!alarms(&bench, "identify arm.urdf millis.csv --unknown-gain j2").contains(&"signal".to_owned()));
}

#[test]
fn links_that_are_points_in_the_file_are_found_all_the_same() {
    let bench = Bench::new("points");
    bench.done("simulate ur5 --noise 0.01 --rate 200 --duration 30 -o log.csv");
    let file = bench.done("zoo --show ur5");
    let points: Vec<String> = file
        .lines()
        .map(|line| match line.find("tensor = [") {
            Some(at) => format!("{}tensor = [0, 0, 0, 0, 0, 0] }}", &line[..at]),
            None => line.to_owned(),
        })
        .collect();
    bench.write("points.toml", points.join("\n"));
    let found = bench.json("identify points.toml log.csv --friction simple");
    let residual = &found["residual"]["train"];
    let (model, least) = (residual["total"].as_f64(), residual["least_squares"]["total"].as_f64());
    assert!(model.unwrap() < 1.02 * least.unwrap(), "{residual}");
    for parameter in found["parameters"].as_array().expect("a list") {
        let of = |key: &str| parameter[key].as_f64().unwrap_or(f64::NAN);
        let off = (of("value") - of("least_squares")).abs();
        assert!(!(off > 5.0 * of("sigma")), "{parameter}");
    }
}

#[test]
fn small_strokes_are_motion() {
    let bench = Bench::new("strokes");
    bench.write(
        "stage.toml",
        "gravity = [0, 0, -9.81]\n[[body]]\nname = \"x\"\nparent = \"base\"\njoint = \"prismatic\"\naxis = [1, 0, 0]\n\
         inertia = { mass = 2, com = [0, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }\n",
    );
    let lines = (0..4000).map(|k| {
        let (t, w) = (0.002 * f64::from(k), 2.0 * std::f64::consts::PI * 5.0);
        let (q, qd, qdd) = (4e-4 * (w * t).sin(), 4e-4 * w * (w * t).cos(), -4e-4 * w * w * (w * t).sin());
        let noise = 0.005 * f64::from((k * k * 7919) % 13 - 6) / 6.0;
        format!("{t},{q},{qd},{qdd},{}\n", 2.0 * qdd + 0.3 * qd.signum() + noise)
    });
    bench.write("log.csv", format!("t,q_x,qd_x,qdd_x,tau_x\n{}", lines.collect::<String>()));
    let found = bench.json("identify stage.toml log.csv --friction simple");
    let total = found["residual"]["train"]["total"].as_f64().expect("a residual");
    assert!(total < 0.02, "{total}");
    // A limit of the user's own is not taken for a log in which nothing moves.
    let refused = text(&bench.steiner("identify stage.toml log.csv --least-speed x=50").stderr);
    assert!(!refused.contains("no joint moves"), "{refused}");
}

#[test]
fn a_gain_that_nothing_fixes_is_not_believed() {
    let bench = Bench::new("gain");
    bench.done("simulate puma560 --noise 0.05 --rate 100 --duration 40 --friction all=2,4 -o log.csv");
    let found = bench.json("identify puma560 log.csv --unknown-gain link2");
    let gain = found["parameters"].as_array().expect("a list").iter().find(|p| p["name"] == "link2.gain");
    let gain = gain.expect("the gain");
    let (value, sigma) =
        (gain["value"].as_f64().expect("a number"), gain["sigma"].as_f64().expect("a number"));
    assert!((value - 1.0).abs() < 4.0 * sigma && sigma < 0.05, "{value} ± {sigma}");
    // Of five unknown gains, one wrist in N·m cannot fix the scale.
    let all = "identify puma560 log.csv --unknown-gain link1,link2,link3,link5,link6";
    assert!(alarms(&bench, all).contains(&"gain".to_owned()));
}

#[test]
fn a_payload_far_from_the_file_is_found() {
    let bench = Bench::new("far-payload");
    let file = bench.done("zoo --show ur5");
    let (empty, loaded) = (
        "mass = 0.1879, com = [0, 0, -0.001159], tensor = [0.0001, 0, 0.0001, 0, 0, 0.0001]",
        "mass = 3, com = [0, 0.15, 0.16], tensor = [0.01, 0, 0.01, 0, 0, 0.01]",
    );
    assert!(file.contains(empty), "{file}");
    bench.write("a.toml", &file);
    bench.write("b.toml", file.replace(empty, loaded));
    bench.done("simulate b.toml --noise 0.03 --duration 40 --rate 100 -o load.csv");
    let found = bench.json("identify a.toml load.csv --payload link6");
    let mass = found["model"]["link6.m"].as_f64().expect("a mass");
    assert!((mass - 3.0).abs() < 0.02, "{mass}");
    let (model, least) =
        (&found["residual"]["train"]["total"], &found["residual"]["train"]["least_squares"]["total"]);
    assert!(model.as_f64().unwrap() < 1.01 * least.as_f64().unwrap(), "{model} {least}");
}

#[test]
fn recorded_rates_that_are_none_are_named() {
    let bench = Bench::new("strange-rates");
    bench.done("simulate ur5 --noise 0.02 --rate 200 --duration 30 -o log.csv");
    let late = |text: String, k: usize| changed(&text, &format!("qd_link{k}"), 1.0, 2);
    bench.write("late.csv", (1..=6).fold(bench.read("log.csv"), late));
    assert_eq!(alarms(&bench, "identify ur5 late.csv")[0], "rates");
    let seen = bench.done("identify ur5 late.csv").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        seen.contains(
            "! qd_link1, qd_link2, qd_link3, qd_link4, qd_link5, qd_link6: the recorded velocities"
        )
    );
    assert!(seen.contains("they come up to 10 ms too late"), "{seen}");
    // Derived from the positions they are right.
    assert_eq!(alarms(&bench, "identify ur5 late.csv --derive"), [""; 0]);
}

#[test]
fn positions_in_degrees_are_named() {
    let bench = Bench::new("degrees");
    bench.done("simulate ur5 --noise 0.02 --rate 200 --duration 10 --positions-only -o log.csv");
    let degrees = |text: String, k: usize| changed(&text, &format!("q_link{k}"), 57.29577951308232, 0);
    bench.write("degrees.csv", (1..=6).fold(bench.read("log.csv"), degrees));
    assert!(alarms(&bench, "identify ur5 degrees.csv").contains(&"position_unit".to_owned()));
    let seen = bench.done("identify ur5 degrees.csv").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(seen.contains("degrees? a mapping file can give its unit"), "{seen}");
}

/// A CSV log with another function of the values of one column and their rows.
fn mapped(text: &str, column: &str, function: impl Fn(usize, f64) -> f64) -> String {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let at = names.iter().position(|name| *name == column).expect("the column");
    let mut out = names.join(",") + "\n";
    for (k, line) in lines.enumerate() {
        let mut row: Vec<String> = line.split(',').map(str::to_owned).collect();
        row[at] = function(k, row[at].parse().expect("a number")).to_string();
        out += &(row.join(",") + "\n");
    }
    out
}

#[test]
fn forces_that_stand_still_are_named() {
    let bench = Bench::new("standing-forces");
    bench.done("simulate panda --noise 0.02 --rate 200 --seed 3 -o log.csv");
    let log = bench.read("log.csv");
    let frozen = std::cell::Cell::new(0.0);
    let freeze = |k: usize, x: f64| {
        if k == 2000 {
            frozen.set(x);
        }
        if k < 2000 { x } else { frozen.get() }
    };
    let steps = |_: usize, x: f64| (x / 0.5).round() * 0.5;
    for (file, text, said) in [
        (
            "frozen.csv",
            mapped(&log, "tau_link4", freeze),
            "tau_link4 stands at one value for 50.0 % of the samples",
        ),
        (
            "clipped.csv",
            mapped(&log, "tau_link4", |_, x| x.clamp(-8.0, 8.0)),
            "tau_link4 stands at its limit, ",
        ),
        ("nothing.csv", mapped(&log, "tau_link4", |_, _| 0.0), "tau_link4 is 0 throughout: was it recorded?"),
        ("slow.csv", mapped(&log, "t", |_, t| 1000.0 * t), "t goes in steps of 5 s: milliseconds?"),
    ] {
        bench.write(file, text);
        let command = format!("identify panda {file} --derive");
        let seen = bench.done(&command).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(seen.contains(&format!("! {said}")), "{file}: {seen}");
        assert!(alarms(&bench, &command).contains(&"signal".to_owned()), "{file}");
    }
    // Coarse steps of a sensor are no reason for alarm.
    bench.write("coarse.csv", mapped(&log, "tau_link4", steps));
    assert_eq!(alarms(&bench, "identify panda coarse.csv"), [""; 0]);
}

/// Two torque columns in each other's place spoil every mass: the alarm is about the columns alone.
#[test]
fn exchanged_columns_are_named_and_masses_are_not() {
    let bench = Bench::new("exchanged-columns");
    bench.done("simulate ur5 --noise 0.02 --rate 200 -o log.csv");
    let text = bench.read("log.csv");
    let (header, rest) = text.split_once('\n').expect("a header");
    let header =
        header.replace("tau_link2", "tau_x").replace("tau_link3", "tau_link2").replace("tau_x", "tau_link3");
    bench.write("exchanged.csv", format!("{header}\n{rest}"));
    assert_eq!(alarms(&bench, "identify ur5 exchanged.csv"), ["exchanged"]);
    let seen = bench.done("identify ur5 exchanged.csv");
    assert!(seen.contains("! link2 and link3: the recorded forces look exchanged"), "{seen}");
}

/// All positions in degrees are one mistake, and one alarm.
#[test]
fn degrees_are_one_alarm() {
    let bench = Bench::new("degrees");
    bench.done("simulate ur5 --noise 0.02 --rate 200 -o log.csv");
    let mut text = bench.read("log.csv");
    for joint in 1..=6 {
        for rate in ["q", "qd", "qdd"] {
            text = changed(&text, &format!("{rate}_link{joint}"), 180.0 / std::f64::consts::PI, 0);
        }
    }
    bench.write("degrees.csv", text);
    assert_eq!(alarms(&bench, "identify ur5 degrees.csv"), ["position_unit"]);
}

/// What a barrier has at nothing is written as nothing.
#[test]
fn friction_at_its_bound_is_written_as_zero() {
    let bench = Bench::new("friction-at-bound");
    bench.done("simulate ur5 --noise 0.02 --rate 200 -o log.csv");
    bench.done("identify ur5 log.csv -o out.toml");
    for line in
        bench.read("out.toml").lines().filter(|line| line.contains("friction") || line.contains("rotor"))
    {
        assert!(!line.contains("e-1"), "{line}");
    }
}
