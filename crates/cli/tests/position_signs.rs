//! Joints whose recorded positions count the other way: `steiner identify` names them, and not their neighbours.

mod support;

use support::Bench;
use support::columns::mirrored;

/// Each alarm's kind and sentence.
fn alarms(bench: &Bench, command: &str) -> Vec<(String, String)> {
    let found = bench.json(command);
    let list = found["alarms"].as_array().expect("a list").iter();
    let word = |alarm: &serde_json::Value, key: &str| alarm[key].as_str().expect("words").to_owned();
    list.map(|alarm| (word(alarm, "kind"), word(alarm, "text"))).collect()
}

#[test]
fn the_joint_that_counts_the_other_way_is_named() {
    for (robot, joints) in [
        ("ur5", ["link2", "link4"]),
        ("panda", ["link4", "link6"]),
        ("kr6", ["link3", "link5"]),
        ("two_link", ["link1", "link2"]),
    ] {
        let bench = Bench::new(&format!("mirrored-{robot}"));
        bench.done(&format!("simulate {robot} --noise 0.02 --rate 100 -o log.csv"));
        assert_eq!(alarms(&bench, &format!("identify {robot} log.csv")), [], "{robot}");
        for joint in joints {
            bench.write("mirrored.csv", mirrored(&bench.read("log.csv"), joint));
            let seen = alarms(&bench, &format!("identify {robot} mirrored.csv"));
            let [(kind, text)] = &seen[..] else { panic!("{robot} {joint}: {seen:?}") };
            assert_eq!(kind, "position_sign", "{robot} {joint}: {text}");
            assert!(text.starts_with(&format!("q_{joint}: the sign")), "{robot} {joint}: {text}");
        }
    }
}
