//! The comparison of two robots as a document, a page and a verdict.

mod support;

use steiner_identification::{Settings, Simulation, simulate};
use steiner_report::{robot_comparison_html, robot_comparison_json, verdict};
use support::altered::altered;
use support::compared::{compare, log, with_joints_of};
use support::{assert_self_contained, assert_well_formed, mechanism, sensors, snapshot, words, zoo};

#[test]
fn documents_and_pages_keep_their_shape() {
    let robot = altered(&zoo("two_link"), 0.0, true);
    let (truth, wrong) = (mechanism(robot.clone()), mechanism(altered(&robot, 0.3, true)));
    let comparison = compare(&wrong, &truth, &log(&truth, 0.01), &Settings::default());
    let document = robot_comparison_json(&comparison);
    assert_eq!(document["robots"], serde_json::json!(["A.urdf", "B.urdf"]));
    assert_eq!(document["as_written"]["nearer"], "B.urdf");
    assert_eq!(document["as_written"]["joints"]["link2"][1].as_f64(), Some(comparison.as_written.rows[1][1]));
    assert_eq!(
        document["drives_fitted"]["total"][0].as_f64(),
        comparison.drives_fitted.as_ref().map(|o| o.total[0])
    );
    let page = robot_comparison_html(&wrong, &truth, &comparison);
    assert_well_formed(&page);
    assert_self_contained(&page);
    snapshot("comparison_two_link.txt", &words(&page));
    assert_eq!(page, robot_comparison_html(&wrong, &truth, &comparison));
}

#[test]
fn a_verdict_says_when_there_is_nothing_to_decide() {
    let robot = altered(&zoo("two_link"), 0.0, true);
    let truth = mechanism(robot.clone());
    let log = log(&truth, 0.05);
    let same = compare(&truth, &truth, &log, &Settings::default());
    assert!(verdict(&same)[0].contains("the two predict the same"), "{:?}", verdict(&same));
    // Inertias off by a millionth: nothing that 400 noisy samples could show.
    let hardly = mechanism(with_joints_of(&altered(&robot, 1e-6, true), &robot));
    let undecided = compare(&truth, &hardly, &log, &Settings::default());
    assert!(verdict(&undecided)[0].contains("this log cannot decide"), "{:?}", verdict(&undecided));
}

#[test]
fn loops_floating_bases_and_weighed_ones_have_pages() {
    let whole = |name: &str, simulation: &Simulation, settings: &Settings| {
        let robot = zoo(name);
        let (truth, wrong) = (mechanism(robot.clone()), mechanism(altered(&robot, 0.3, false)));
        let log = simulate(&truth, simulation).expect("a log");
        let page = robot_comparison_html(&wrong, &truth, &compare(&wrong, &truth, &log, settings));
        assert_well_formed(&page);
        assert_self_contained(&page);
    };
    let simulation = Simulation { duration: 5.0, rate: 100.0, ..Simulation::default() };
    whole("four_bar", &simulation, &Settings::default());
    whole("go2", &simulation, &Settings::default());
    let weighed = Settings { measure: sensors("base-wrench"), ..Settings::default() };
    whole("double_pendulum", &Simulation { base_wrench: true, ..simulation }, &weighed);
}
