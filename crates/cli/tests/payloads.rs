//! What an arm carries: unknown on one link, or known for some of the logs.

mod support;

use serde_json::Value;
use support::{ARM, Bench, text};

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// What a command that fails says.
fn refused(bench: &Bench, line: &str) -> String {
    let output = bench.steiner(line);
    assert_ne!(output.status.code(), Some(0), "{line}");
    text(&output.stderr)
}

#[test]
fn a_fixed_link_can_carry_the_payload() {
    let bench = Bench::new("payload");
    bench.write("arm.urdf", ARM);
    bench.write("loaded.urdf", ARM.replace("<mass value=\"0.3\"/>", "<mass value=\"1.1\"/>"));
    bench.done("simulate loaded.urdf --rate 200 --duration 10 --noise 0.01 -o log.csv");
    let found = bench.json("identify arm.urdf log.csv --payload tool");
    let payload = &found["payload"];
    assert_eq!((&payload["link"], &payload["body"]), (&"tool".into(), &"hand".into()));
    let (mass, sigma) = (number(&payload["mass"]), number(&payload["mass_sigma"]));
    assert!((mass - 0.8).abs() < 4.0 * sigma && sigma < 0.02, "{mass} ± {sigma}");
    for k in [0, 2] {
        let (x, sigma) = (number(&payload["com"][k]), number(&payload["com_sigma"][k]));
        assert!(x.abs() < 4.0 * sigma && sigma < 0.02, "{k}: {x} ± {sigma}");
    }
    assert!((number(&payload["file_mass"]) - 1.3).abs() < 1e-12);
    let printed = bench.done("identify arm.urdf log.csv --payload tool").replace("\n  ", " ");
    assert!(printed.contains("Payload on tool: 0."), "{printed}");
    assert!(printed.contains("on top of what the file has for hand, 1.3 kg"), "{printed}");
    assert!(printed.contains("holds for a perfectly known robot"), "{printed}");
    assert!(bench.json("identify arm.urdf log.csv")["payload"].is_null());
}

#[test]
fn logs_with_a_known_load_tell_gains() {
    let bench = Bench::new("known-load");
    bench.write("arm.urdf", ARM);
    // Another 2 kg at the tool's origin.
    bench.write("loaded.urdf", ARM.replace("<mass value=\"0.3\"/>", "<mass value=\"2.3\"/>"));
    bench.done("simulate arm.urdf --rate 200 --noise 0.005 --seed 1 -o empty.csv");
    bench.done("simulate loaded.urdf --rate 200 --noise 0.005 --seed 2 -o loaded.csv");
    // Forces in N·m count as currents of gain 1.
    let gains = "identify arm.urdf empty.csv loaded.csv --unknown-gain j1,j2,j3";
    assert!(refused(&bench, gains).contains("fix a mass or a gain"));
    let found = bench.json(&format!("{gains} --payload-of loaded.csv=2,0,0,0 --payload-on tool"));
    for joint in ["j1", "j2", "j3"] {
        let name = format!("{joint}.gain");
        let gain = number(&found["model"][&name]);
        assert!((gain - 1.0).abs() < 0.03, "{joint}: {gain}");
    }
    assert!(found["notes"].to_string().contains("known load of 2 kg at (0, 0, 0) m of tool"));
    for (flags, sentence) in [
        ("--payload-of other.csv=2", "name one of the logs: empty.csv, loaded.csv"),
        ("--payload-of loaded.csv=2 --payload-on tol", "did you mean `tool`?"),
        ("--payload-of loaded.csv", "write a log, a mass in kg"),
    ] {
        let said = refused(&bench, &format!("identify arm.urdf empty.csv loaded.csv {flags}"));
        assert!(said.contains(sentence), "{flags}: {said}");
    }
}

#[test]
fn an_unknown_load_is_weighed_with_what_the_other_logs_identify() {
    let bench = Bench::new("unknown-load");
    bench.write("arm.urdf", ARM);
    bench.write("loaded.urdf", ARM.replace("<mass value=\"0.3\"/>", "<mass value=\"1.1\"/>"));
    bench.done("simulate arm.urdf --rate 200 --noise 0.01 --seed 1 -o empty.csv");
    bench.done("simulate loaded.urdf --rate 200 --noise 0.01 --seed 2 -o loaded.csv");
    let asked = "identify arm.urdf empty.csv loaded.csv --payload-of loaded.csv=? --payload-on tool";
    let found = bench.json(asked);
    let payload = &found["payloads"][0];
    assert_eq!((&payload["log"], &payload["counts_arm"]), (&"loaded.csv".into(), &true.into()));
    let (mass, sigma) = (number(&payload["mass"]), number(&payload["mass_sigma"]));
    assert!((mass - 0.8).abs() < 4.0 * sigma && sigma < 0.04, "{mass} ± {sigma}");
    // The arm is that of the other log alone.
    let alone = bench.json("identify arm.urdf empty.csv");
    assert_eq!(found["parameters"], alone["parameters"]);
    let printed = bench.done(asked);
    assert!(printed.contains("loaded.csv: payload on tool: 0."), "{printed}");
    let said = refused(&bench, "identify arm.urdf loaded.csv --payload-of loaded.csv=?");
    assert!(said.contains("the others tell the robot's own parameters"), "{said}");
}
