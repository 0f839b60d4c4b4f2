//! From a simulated log to a model that predicts: `simulate`, `identify`, `compare` and
//! `info`, as a user would run them.

mod support;

use serde_json::Value;
use support::{ARM, Bench, HAND};

/// The arm as its maker drew it: masses and centres off.
fn drawn() -> String {
    ARM.replace("mass value=\"2\"", "mass value=\"1.4\"").replace("0.15 0 0.02", "0.05 0 0")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn a_urdf_arm_goes_from_a_log_to_a_file_that_predicts() {
    let bench = Bench::new("arm");
    bench.write("arm.urdf", ARM);
    bench.write("drawn.urdf", drawn());
    bench.done("simulate arm.urdf --rate 200 --noise 0.01 --seed 1 -o log.csv");
    bench.done("simulate arm.urdf --rate 200 --noise 0.01 --seed 2 -o other.npz");
    let found = bench.json(
        "identify drawn.urdf log.csv --validate other.npz -o found.urdf --table found.csv --html found.html",
    );

    assert!(number(&found["residual"]["train"]["total"]) < 0.011);
    assert!(number(&found["residual"]["validation"]["total"]) < 0.0115);
    assert!(number(&found["residual"]["validation"]["prior"]["total"]) > 0.1);
    assert_eq!(found["residual"]["validation"]["samples"], 4000);

    // Only numbers changed: remarks and shapes are still there, and the file is one that every command reads.
    let file = bench.read("found.urdf");
    assert!(file.contains("<!-- a small arm -->") && file.contains("hand.obj"), "{file}");
    assert_eq!(bench.json("info found.urdf")["consistent"], true);
    let verdict = bench.json("compare drawn.urdf found.urdf other.npz");
    assert_eq!(verdict["drives_fitted"]["nearer"], "found.urdf", "{verdict}");
    assert!(bench.done("compare drawn.urdf found.urdf other.npz").contains("found.urdf"));

    let table = bench.read("found.csv");
    assert!(
        table.starts_with("name,value,sigma,relative_sigma_percent,prior,terms,white_sigma,robust_sigma\n"),
        "{table}"
    );
    assert_eq!(table.lines().count() - 1, found["parameters"].as_array().map_or(0, Vec::len));
    let page = bench.read("found.html");
    assert!(page.contains("</html>") && !page.contains("http://") && !page.contains("<script"));
    assert_eq!(
        bench.files(),
        ["arm.urdf", "drawn.urdf", "found.csv", "found.html", "found.urdf", "log.csv", "other.npz"]
    );
}

#[test]
fn the_document_has_the_promised_keys() {
    let bench = Bench::new("keys");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --noise 0.01 -o log.csv");
    let found = bench.json("identify arm.urdf log.csv");
    let parameters = found["parameters"].as_array().expect("a list");
    assert_eq!(parameters.len(), 25);
    for parameter in parameters {
        assert!(parameter["name"].is_string());
        for key in ["value", "sigma", "relative_sigma"] {
            assert!(parameter[key].is_number(), "{key} of {parameter}");
        }
    }
    for part in ["train", "validation"] {
        assert!(found["residual"][part]["total"].is_number());
        let joints = found["residual"][part]["joints"].as_object().expect("joints");
        assert_eq!(joints.keys().collect::<Vec<_>>(), ["j1", "j2", "j3"]);
        assert!(joints.values().all(|x| (0.0..0.02).contains(&number(x))), "{joints:?}");
    }
    assert!(number(&found["condition_number"]) > 1.0);
    let consistent = found["consistent"].as_object().expect("bodies");
    assert_eq!(consistent.keys().collect::<Vec<_>>(), ["upper", "fore", "hand"]);
    assert!(consistent.values().all(|can| *can == true));
    assert!(found["weakly_excited"].is_array());
    let settings = &found["settings"];
    assert_eq!(settings["measure"], "all");
    assert_eq!(settings["estimator"]["name"], "weighted");
    assert_eq!(settings["signals"][0]["samples"], 2000);
    let notes = found["notes"].to_string();
    assert!(notes.contains("the last 25 % of every log is held out for validation"), "{notes}");
}

#[test]
fn samples_are_set_aside_by_part_by_time_and_by_file() {
    let bench = Bench::new("divided");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --noise 0.01 -o log.csv");
    for (flags, training, validation) in [
        ("", 1500, Some(500)),
        ("--hold-out 0.4", 1200, Some(800)),
        ("--hold-out 0", 2000, None),
        ("--validate-from 16", 1600, Some(400)),
        ("--validate-to 3", 1700, Some(300)),
        ("--validate-from 5 --validate-to 9", 1600, Some(400)),
        ("--from 2 --to 12 --hold-out 0.1", 901, Some(100)),
        ("--validate log.csv", 2000, Some(2000)),
    ] {
        let residual = &bench.json(&format!("identify arm.urdf log.csv {flags}"))["residual"];
        assert_eq!(residual["train"]["samples"], training, "{flags}");
        assert_eq!(residual["validation"]["samples"].as_u64(), validation, "{flags}");
    }
}

#[test]
fn a_floating_robot_with_contacts_is_identified() {
    let bench = Bench::new("floating");
    bench
        .done("simulate go2 --carried-by base_link --contact FL_calf=20,2 --rate 50 --noise 0.01 -o log.csv");
    let found = bench.json("identify go2 log.csv");
    assert!(number(&found["residual"]["validation"]["total"]) < 0.012);
    let notes = found["notes"].to_string();
    assert!(notes.contains("the wrenches of FL_calf are taken as what the environment exerts"), "{notes}");
    assert!(!notes.contains("0 throughout"), "{notes}");
    // Without the joints' torques, from the balance of the floating root alone.
    let found = bench.json("identify go2 log.csv --measure base-wrench --no-drives");
    assert_eq!(found["residual"]["train"]["joints"].as_object().map(|rows| rows.len()), Some(6));
    assert!(number(&found["residual"]["validation"]["rms"]["base_link:2"]) < 3.0, "{}", found["residual"]);
}

#[test]
fn a_machine_with_loops_is_identified_and_written() {
    let bench = Bench::new("loops");
    let file = bench.done("zoo --show delta");
    bench.write("delta.toml", &file);
    bench.done("simulate delta.toml --rate 50 --noise 0.01 -o log.npz");
    let found = bench.json("identify delta.toml log.npz --no-drives -o found.toml");
    assert!(number(&found["residual"]["validation"]["total"]) < 0.015);
    assert_eq!(bench.json("info found.toml")["consistent"], true);
    let verdict = bench.json("compare delta.toml found.toml log.npz");
    assert!(number(&verdict["as_written"]["total"][1]) < 0.015, "{verdict}");
}

#[test]
fn a_geared_arm_shows_its_rotor_through_the_gear() {
    let bench = Bench::new("geared");
    bench.write(
        "geared.toml",
        r#"
name = "geared"
[[body]]
name = "link1"
parent = "base"
joint = "revolute"
axis = [0, 1, 0]
inertia = { mass = 2.0, com = [0.2, 0, 0], tensor = [0.01, 0, 0.03, 0, 0, 0.03] }
limits = { lower = -3, upper = 3, velocity = 3 }
[[body]]
name = "link2"
parent = "link1"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 1, 0]
inertia = { mass = 1.0, com = [0.1, 0, 0.02], tensor = [0.004, 0, 0.01, 0, 0, 0.01] }
limits = { lower = -3, upper = 3, velocity = 3 }
[[body]]
name = "rotor2"
parent = "link1"
joint = "revolute"
axis = [0, 1, 0]
inertia = { mass = 0.3, com = [0, 0, 0], tensor = [0.0001, 0, 0.0002, 0, 0, 0.0001] }
[[coupling]]
coordinate = "rotor2"
terms = [["link2", 50.0]]
"#,
    );
    bench.done("simulate geared.toml --rate 100 --noise 0.01 -o log.csv");
    let found = bench.json("identify geared.toml log.csv --no-drives -o found.toml");
    assert!(number(&found["residual"]["validation"]["total"]) < 0.012);
    assert_eq!(found["residual"]["train"]["joints"].as_object().map(|rows| rows.len()), Some(2));
    assert_eq!(bench.json("info found.toml")["consistent"], true);
}

#[test]
fn wrenches_of_native_robots_are_contacts_or_sensors_as_asked() {
    let bench = Bench::new("sensors");
    // Joint and link have one name, and the sensor carries what hangs below it.
    bench.done("simulate puma560 --wrench link4 --rate 100 --noise 0.01 -o log.csv");
    let sensed = bench.json("identify puma560 log.csv --measure all+wrench:link4");
    let rows = sensed["residual"]["validation"]["joints"].as_object().expect("rows").clone();
    assert_eq!(rows.len(), 12);
    assert!(
        number(&rows["wrench:link4.fz"]) < 0.02 && number(&sensed["residual"]["validation"]["total"]) < 0.02
    );
    let notes = sensed["notes"].to_string();
    assert!(notes.contains("is taken as what the sensor inside joint link4 measures"), "{notes}");
    let taken = bench.json("identify puma560 log.csv");
    assert_eq!(taken["residual"]["validation"]["joints"].as_object().map(|rows| rows.len()), Some(6));
    assert!(number(&taken["residual"]["validation"]["prior"]["total"]) > 0.02, "a sensor is no contact");
    let notes = taken["notes"].to_string();
    assert!(notes.contains("ask for it, as in all+wrench:link4"), "{notes}");
}

#[test]
fn centres_of_mass_stay_within_the_shapes_of_links() {
    let bench = Bench::new("shapes");
    bench.write("arm.urdf", ARM);
    bench.write("hand.obj", HAND);
    // The fore arm's true centre of mass lies outside of its shape: the bound must hold it back.
    bench.write("heavy.urdf", ARM.replace("0.15 0 0.02", "0.15 0 0.12"));
    bench.done("simulate heavy.urdf --rate 100 --noise 0.01 -o log.csv");
    let height = |found: &Value| {
        let links = found["links"].as_array().expect("links");
        let fore = links.iter().find(|link| link["link"] == "fore").expect("the fore arm");
        number(&fore["identified"]["com"][2])
    };
    let free = bench.json("identify arm.urdf log.csv");
    assert!(height(&free) > 0.06, "{}", height(&free));
    let bound = bench.json("identify arm.urdf log.csv --centre all=mesh");
    assert!(height(&bound) < 0.0505, "{}", height(&bound));
    let notes = bound["notes"].to_string();
    assert!(
        notes.contains("upper lies within the hull of its collision geometry: 8 vertices, 6 sides"),
        "{notes}"
    );
    // The hand carries the tool: the hull holds both.
    assert!(notes.contains("hand lies within the hull of its visual geometry"), "{notes}");
    assert_eq!(bound["settings"]["consistent"]["centres"].as_object().map(|links| links.len()), Some(3));
    let boxed = bench.json("identify arm.urdf log.csv --centre fore=0,-0.1,-0.1:0.4,0.1,0.03");
    assert!(height(&boxed) < 0.0301, "{}", height(&boxed));
}

#[test]
fn everything_the_model_can_have_can_be_asked_for() {
    let bench = Bench::new("asked");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --noise 0.005 --rotor-inertia j1=0.2 --gain j2=12.5 -o log.csv");
    let found = bench.json("identify arm.urdf log.csv --unknown-gain j2");
    let value = |found: &Value, name: &str| {
        let parameters = found["parameters"].as_array().expect("a list");
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name);
        number(&parameter.unwrap_or_else(|| panic!("{name}"))["value"])
    };
    assert!((value(&found, "j2.gain") - 12.5).abs() < 0.5, "{}", value(&found, "j2.gain"));

    bench.done("simulate arm.urdf --rate 100 --noise 0.01 --friction all=1,0.7,0.2 -o log.csv");
    let found = bench.json("identify arm.urdf log.csv --tanh 0.01");
    assert!((value(&found, "j2.fv") - 1.0).abs() < 0.1 && (value(&found, "j3.fc") - 0.7).abs() < 0.1);
    assert!((value(&found, "j1.offset") - 0.2).abs() < 0.05);
    for (flags, wanted) in [
        ("--stribeck 0.1", "\"j1.fs\""),
        ("--stribeck 0.1 --fix j1.fs=0", "\"j2.fs\""),
        ("--payload hand --no-drives", "\"payload\": \"hand\""),
        ("--fix hand.m=1.3,hand.mx=0.08", "\"hand.m\": 1.3"),
        ("--estimator huber", "\"huber\""),
        ("--estimator iv --derive --cutoff 20", "\"iv\""),
        ("--estimator ridge=100", "\"weight\": 100.0"),
        ("--estimator ordinary --no-consistency", "\"ordinary\""),
        ("--essential", "\"essential\": {"),
        ("--drive both=j2:1,j3:1", "\"both.fv\""),
        ("--mass hand=1:1.4 --total-mass 6.3", "\"total_mass\": 6.3"),
        ("--least-speed j1=0.05", "\"j1\": 0.05"),
        ("--thin 5 --cutoff 20", "\"thinned_by\": 5"),
        ("--derive --trim 0.5", "\"derived_velocities\": ["),
        ("--block 50", "\"block\": 50"),
    ] {
        let printed = bench.done(&format!("identify arm.urdf log.csv {flags} --json"));
        assert!(printed.contains(wanted), "{flags}: {wanted}");
    }
    let payload = bench.json("identify arm.urdf log.csv --payload hand --no-drives");
    let names: Vec<&str> =
        payload["parameters"].as_array().expect("a list").iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.iter().all(|name| name.starts_with("hand.")), "{names:?}");
}

#[test]
fn positions_alone_are_filtered_and_the_page_shows_where() {
    let bench = Bench::new("positions");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --no-drives --rate 500 --position-noise 1e-5 --noise 0.01 --positions-only -o log.csv");
    let found = bench.json("identify arm.urdf log.csv --no-drives --html page.html");
    let signals = &found["settings"]["signals"][0];
    assert!(number(&signals["cutoff"]) > 1.0 && signals["derived_accelerations"][2] == "j3", "{signals}");
    assert!(number(&found["residual"]["validation"]["total"]) < 0.02);
    let page = bench.read("page.html");
    assert!(page.contains("Cut-off of the filter") && page.contains("the spectra suggest"));
}

#[test]
fn the_motion_of_a_log_can_be_followed() {
    let bench = Bench::new("followed");
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --duration 5 -o first.csv");
    bench.done("simulate arm.urdf --trajectory first.csv -o second.csv");
    let (first, second) = (bench.read("first.csv"), bench.read("second.csv"));
    assert_eq!(first.lines().next(), second.lines().next());
    let middle = |text: &str| -> Vec<f64> {
        let line = text.lines().nth(250).expect("a row");
        line.split(',').map(|x| x.parse().expect("a number")).collect()
    };
    assert!(middle(&first).iter().zip(middle(&second)).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn help_teaches_by_examples() {
    let bench = Bench::new("help");
    for command in ["simulate", "identify", "compare"] {
        let help = bench.done(&format!("{command} --help"));
        let examples = help.split("Examples:").nth(1).expect("examples");
        assert!(examples.lines().filter(|line| line.contains("steiner")).count() >= 3, "{help}");
    }
}
