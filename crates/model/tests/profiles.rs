//! Ranges of joints as tasks: the paper's two, and files.

mod support;

use std::f64::consts::PI;

use steiner_model::{ModelError, Profile};
use support::named;

fn parsed(robot: &str, text: &str) -> Result<Profile, ModelError> {
    Profile::parse(text, "task.toml", named(robot).robot())
}

#[test]
fn the_papers_profiles_are_symmetric_and_prismatic_joints_keep_their_limits() {
    let scara = named("scara_sr6ia");
    let [slow, fast] = [Profile::slow(scara.robot()).unwrap(), Profile::fast(scara.robot()).unwrap()];
    let limits = &scara.robot().bodies[2].joint.limits;
    assert_eq!(slow.joints[0], [(-PI, PI), (-0.1, 0.1), (-1.0, 1.0)]);
    assert_eq!(fast.joints[3], [(-PI, PI), (-1.0, 1.0), (-10.0, 10.0)]);
    assert_eq!(fast.joints[2][0], (limits.lower.unwrap(), limits.upper.unwrap()));
}

#[test]
fn states_fill_their_ranges_evenly_and_are_the_same_every_time() {
    let profile =
        parsed("two_link", "samples = 5000\nseed = 7\nq = [1, 2]\nqd = 0.5\nqdd = [-3, 0]").unwrap();
    let states = profile.states();
    assert_eq!(states, profile.states());
    assert_ne!(states, Profile { seed: 8, ..profile.clone() }.states());
    assert_eq!((states.count, states.q.len(), states.qdd.len()), (5000, 10_000, 10_000));
    for (values, low, high) in [(&states.q, 1.0, 2.0), (&states.qd, -0.5, 0.5), (&states.qdd, -3.0, 0.0)] {
        assert!(values.iter().all(|x| (low..=high).contains(x)));
        for tenth in 0..10 {
            let from = low + (high - low) * f64::from(tenth) / 10.0;
            let inside = values.iter().filter(|x| (from..from + 0.1 * (high - low)).contains(*x)).count();
            // Four standard deviations of 10,000 draws with p = 0.1.
            assert!(inside.abs_diff(1000) < 120, "{inside} from {from}");
        }
    }
    // q of one joint says nothing about the other.
    let product = |k: usize| (states.q[2 * k] - 1.5) * (states.q[2 * k + 1] - 1.5);
    assert!((0..5000).map(product).sum::<f64>().abs() / 5000.0 < 4.0 / (12.0 * 5000f64.sqrt()));
}

#[test]
fn single_joints_may_differ_and_limits_fill_gaps() {
    let text =
        "q = \"pi/2\"\nqd = 1\n[joint.link2]\nq = [-0.5, \"pi/4\"]\nqdd = 3\n[joint.link3]\nqd = [0, 0]";
    let profile = parsed("kr6", text).unwrap();
    assert_eq!((profile.samples, profile.seed), (20_000, 1));
    assert_eq!(profile.joints[0], [(-PI / 2.0, PI / 2.0), (-1.0, 1.0), (-25.0, 25.0)]);
    assert_eq!(profile.joints[1], [(-0.5, PI / 4.0), (-1.0, 1.0), (-3.0, 3.0)]);
    assert_eq!(profile.joints[2][1], (0.0, 0.0));
    // Nothing at all: the limits of the robot.
    let limits = &named("kr6").robot().bodies[0].joint.limits.clone();
    let all = parsed("kr6", "").unwrap().joints[0];
    assert_eq!(all[0], (limits.lower.unwrap(), limits.upper.unwrap()));
    assert_eq!(all[1].1, limits.velocity.unwrap());
}

#[test]
fn what_is_wrong_with_a_profile_is_said_with_its_line() {
    for (text, line, part) in [
        ("q = [-1, 1]\nspeed = 3", 2, "unknown key `speed`"),
        ("sampels = 3", 1, "did you mean `samples`?"),
        ("\n\n[joint.link9]\nq = 1", 3, "has no joint `link9` (did you mean `link"),
        ("[joint.link1]\nv = 1", 2, "unknown key `v`"),
        ("joint = 3", 1, "`joint` is no table"),
        ("q = [1, 2, 3]", 1, "`q` has 3 numbers"),
        ("q = [2, 1]", 1, "ends at 1 before it starts at 2"),
        ("qd = -1", 1, "ends at -1 before it starts at 1"),
        ("qd = [0, \"two\"]", 1, "`\"two\"` in `qd` is not a number"),
        ("qd = inf", 1, "`inf` in `qd` is not a number"),
        ("qd = true", 1, "is not a number"),
        ("qd = { from = 1 }", 1, "is not a number"),
        ("samples = 0", 1, "`samples` is 0"),
        ("samples = 1e4", 1, "`samples` is 1e4"),
        ("seed = -1", 1, "`seed` is -1"),
        ("samples = 100000000", 1, "up to 10000000"),
        ("q = [1, 2\nqd = 3", 2, ""),
    ] {
        let refused = parsed("kr6", text).unwrap_err();
        let message = refused.to_string();
        assert!(message.starts_with(&format!("task.toml:{line}: ")), "{text:?}: {message}");
        assert!(message.contains(part), "{text:?}: {message}");
    }
}

#[test]
fn ranges_that_nobody_knows_are_asked_for() {
    let slider = support::mechanism(
        "name = \"slider\"\n[[body]]\nname = \"cart\"\nparent = \"base\"\njoint = \"prismatic\"\ninertia = { mass = 1, com = [0, 0, 0], tensor = [1, 0, 1, 0, 0, 1] }",
    );
    let refused = Profile::fast(slider.robot()).unwrap_err().to_string();
    assert_eq!(refused, "fast: slider does not say how far joint `cart` travels; give `q` in a profile file");
    let refused = Profile::parse("q = 1\nqd = 1", "task.toml", slider.robot()).unwrap_err();
    assert!(matches!(&refused, ModelError::NoRange { key: "qdd", .. }), "{refused}");
    let missing = Profile::read(std::path::Path::new("/nowhere/task.toml"), slider.robot()).unwrap_err();
    assert!(matches!(missing, ModelError::Access { .. }));
}
