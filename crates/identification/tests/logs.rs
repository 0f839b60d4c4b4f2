//! Logs, good and bad.

use steiner_dynamics::Mechanism;
use steiner_identification::{Log, LogError, Motion};
use steiner_robot::{ReadOptions, read_robot};

fn robot(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap()
}

fn log(text: &str) -> Log {
    Log::parse_csv(text, "log.csv").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn recorded_velocities_and_accelerations_are_taken_as_they_are() {
    let text = "# recorded yesterday\nt;q_link1;q_link2;qd_link1;qd_link2;qdd_link1;qdd_link2\n0;1;2;3;4;5;6\n0.1;7;8;9;10;11;12\n";
    let motion = Motion::of(&robot("two_link"), &log(text)).unwrap();
    assert_eq!(motion.samples(), 2);
    assert_eq!(
        (&motion.q[1], &motion.qd[1], &motion.qdd[0]),
        (&vec![7.0, 8.0], &vec![9.0, 10.0], &vec![5.0, 6.0])
    );
    assert!(motion.notes.is_empty());
}

#[test]
fn differences_are_exact_for_parabolas_at_any_spacing() {
    // q1 = 1 + 2 t + 3 t², q2 = −t².
    let mut text = "t,q_link1,q_link2\n".to_owned();
    for t in [0.0, 0.1, 0.25, 0.3, 0.5f64] {
        text += &format!("{t},{},{}\n", 1.0 + 2.0 * t + 3.0 * t * t, -t * t);
    }
    let motion = Motion::of(&robot("two_link"), &log(&text)).unwrap();
    assert_eq!(motion.samples(), 3);
    for (k, t) in [0.1, 0.25, 0.3].into_iter().enumerate() {
        assert!((motion.qd[k][0] - (2.0 + 6.0 * t)).abs() < 1e-12);
        assert!((motion.qd[k][1] + 2.0 * t).abs() < 1e-12);
        assert!((motion.qdd[k][0] - 6.0).abs() < 1e-10 && (motion.qdd[k][1] + 2.0).abs() < 1e-10);
    }
    assert_eq!(
        motion.notes,
        [
            "velocities are not recorded: central differences, unfiltered",
            "accelerations are not recorded: central differences, unfiltered"
        ]
    );
}

#[test]
fn what_is_recorded_is_used_and_what_nobody_needs_may_be_anything() {
    let text = "t,q_link1,q_link2,qd_link1,qdd_link1,qdd_link2,mode\n0,0,0,9,7,8,auto\n1,1,2,9,7,8,auto\n2,2,4,9,7,8,hand\n";
    let motion = Motion::of(&robot("two_link"), &log(text)).unwrap();
    assert_eq!((&motion.qd[0], &motion.qdd[0]), (&vec![9.0, 2.0], &vec![7.0, 8.0]));
    assert_eq!(motion.notes, ["velocities of link2 are not recorded: central differences, unfiltered"]);
    // 170 degrees are not radians.
    let mut text = "t,q_link1,q_link2,q_link3,q_link4,q_link5,q_link6\n".to_owned();
    (0..4).for_each(|k| text += &format!("{k},{},0,0,0,0,0\n", 50 * k));
    let motion = Motion::of(&robot("puma560"), &log(&text)).unwrap();
    assert!(motion.notes[2].starts_with("q_link1 reaches 150"), "{:?}", motion.notes);
}

#[test]
fn only_the_independent_coordinates_of_a_loop_are_needed() {
    let five_bar = robot("five_bar");
    let names = five_bar.independent_names();
    let header: Vec<String> = names.iter().map(|name| format!("q_{name}")).collect();
    let text = format!("t,{}\n0,0.1,0.2\n1,0.2,0.3\n2,0.3,0.5\n", header.join(","));
    assert_eq!(Motion::of(&five_bar, &log(&text)).unwrap().q, [[0.2, 0.3]]);
}

#[test]
fn a_floating_base_needs_its_velocities() {
    let go2 = robot("go2");
    let mut header = vec!["t".to_owned()];
    header.extend((0..7).map(|k| format!("q_base_link:{k}")));
    header.extend(go2.independent_names()[6..].iter().map(|name| format!("q_{name}")));
    let zeros = vec!["0"; header.len()].join(",");
    let text = format!("{}\n{zeros}\n", header.join(","));
    let error = Motion::of(&go2, &log(&text)).unwrap_err().to_string();
    assert!(error.contains("`qd_base_link:0`") && error.contains("record them"), "{error}");
}

#[test]
fn every_mistake_has_its_place_and_remedy() {
    let read = |text: &str| -> String {
        let motion = Log::parse_csv(text, "log.csv").and_then(|log| Motion::of(&robot("two_link"), &log));
        motion.unwrap_err().to_string()
    };
    for (text, expected) in [
        ("", "log.csv is empty; a log starts with a header"),
        ("# nothing but remarks\n", "log.csv is empty"),
        ("t,q_link1,q_link2\n0,1\n", "log.csv:2: 2 values where the header has 3"),
        ("t,q_link1,q_link2\n0,1,2\n0.1,x,2\n", "log.csv:3: `x` in column `q_link1` is not a finite number"),
        ("t,q_link1,q_link2\n0,1,inf\n", "`inf` in column `q_link2` is not a finite number"),
        ("t,q_link1,q_link1\n0,1,2\n", "the column `q_link1` appears twice"),
        ("t,q_link1,q_lnk2\n0,1,2\n", "log.csv has no column `q_link2` (did you mean `q_lnk2`?)"),
        ("q_link1,q_link2\n0,1\n1,2\n2,3\n", "there is no column `t` (s)"),
        ("t,q_link1,q_link2\n0,1,2\n0.1,1,2\n", "log.csv has 2 samples; derivatives need at least 3"),
        ("t,q_link1,q_link2\n0,1,2\n0.1,1,2\n0.1,1,2\n", "log.csv:4: time 0.1 s does not follow 0.1 s"),
    ] {
        let message = read(text);
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1);
    }
    let missing = Log::read_csv(std::path::Path::new("no such log.csv")).unwrap_err();
    assert!(
        matches!(missing, LogError::Unreadable { .. }) && missing.to_string().contains("no such log.csv")
    );
}
