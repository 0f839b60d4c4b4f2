//! Which robot predicts the torques better, as far as the log can tell.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    ComparisonNote, Contestant, Settings, Simulation, compare_robots, identify, simulate,
};
use steiner_logs::Recording;
use steiner_robot::{Friction, Robot};
use support::altered::altered;
use support::compared::{compare, log, mechanism, with_joints_of};
use support::{sensors, written, zoo};

fn without_drives(robot: &Robot) -> Robot {
    let mut robot = robot.clone().into_parts();
    for body in &mut robot.bodies {
        body.joint.rotor_inertia = 0.0;
        body.joint.friction = Friction::default();
    }
    Robot::from_parts(robot).expect("a robot")
}

#[test]
fn the_truth_wins_on_every_joint() {
    let robot = altered(&zoo("panda"), 0.0, true);
    let (truth, wrong) = (mechanism(robot.clone()), mechanism(altered(&robot, 0.3, true)));
    let log = log(&truth, 0.01);
    let comparison = compare(&wrong, &truth, &log, &Settings::default());
    let outcome = &comparison.as_written;
    assert_eq!(outcome.nearer, Some(1));
    assert!(outcome.rows.iter().all(|[a, b]| a > b), "{:?}", outcome.rows);
    // Noise is all that the truth leaves: 1 % of the whole log, whose end is a little livelier than the rest.
    assert!((0.008..0.012).contains(&outcome.total[1]), "{}", outcome.total[1]);
    assert_eq!(outcome.won, [0, 40]);
    let fitted = comparison.drives_fitted.as_ref().expect("drives were fitted");
    assert_eq!(fitted.nearer, Some(1));
    assert!((comparison.samples, comparison.held_out) == (400, true));
    // The other way round, the other one wins.
    let turned = compare(&truth, &wrong, &log, &Settings::default());
    assert_eq!(turned.as_written.nearer, Some(0));
    assert_eq!(turned.as_written.total[0], outcome.total[1]);
}

#[test]
fn a_file_without_drives_is_judged_by_its_links() {
    // The same links as the truth but no drives, against wrong links with the right drives.
    let robot = altered(&zoo("puma560"), 0.0, true);
    let truth = mechanism(robot.clone());
    let bare = mechanism(without_drives(&robot));
    let wrong = mechanism(with_joints_of(&altered(&robot, 0.3, false), &robot));
    let log = log(&truth, 0.01);
    let comparison = compare(&wrong, &bare, &log, &Settings::default());
    let fitted = comparison.drives_fitted.as_ref().expect("drives were fitted");
    assert_eq!(fitted.nearer, Some(1), "{:?}", fitted.total);
    let ideal = compare(&truth, &truth, &log, &Settings::default()).as_written.total[0];
    assert!(
        (fitted.total[1] / ideal - 1.0).abs() < 0.02,
        "with drives it is the truth: {} {ideal}",
        fitted.total[1]
    );
    for (label, value) in &comparison.drives[1] {
        let (joint, parameter) = label.rsplit_once('.').expect("a label");
        let drive = &robot.bodies.iter().find(|body| body.joint.name == joint).expect("a joint").joint;
        let wanted = match parameter {
            // The inertia of the shoulder's drive drowns in what the links weigh.
            "Ia" if joint != "link2" => drive.rotor_inertia,
            "fv" => drive.friction.viscous,
            "fc" => drive.friction.coulomb,
            _ => continue,
        };
        assert!((value - wanted).abs() < 0.25 * wanted, "{label}: {value}, not {wanted}");
    }
}

#[test]
fn equals_are_equal_and_noise_alone_decides_nothing() {
    let robot = altered(&zoo("two_link"), 0.0, true);
    let truth = mechanism(robot.clone());
    let log = log(&truth, 0.05);
    let same = compare(&truth, &truth, &log, &Settings::default());
    assert_eq!((same.as_written.nearer, same.as_written.certainty), (None, 0.0));
    // Off by a millionth: nothing that 400 noisy samples could show.
    let hardly = mechanism(with_joints_of(&altered(&robot, 1e-6, true), &robot));
    let undecided = compare(&truth, &hardly, &log, &Settings::default());
    assert_eq!(undecided.as_written.nearer, None, "{:?}", undecided.as_written.certainty);
}

#[test]
fn an_identified_model_beats_the_file_it_came_from() {
    let robot = zoo("ur5");
    let truth = mechanism(altered(&robot, 0.3, true));
    let file = mechanism(robot);
    let log = log(&truth, 0.02);
    let found = identify(&file, &log, &Settings::default()).expect("an identification");
    let identified = mechanism(found.robot.clone());
    let comparison = compare(&file, &identified, &log, &Settings::default());
    assert_eq!(comparison.as_written.nearer, Some(1));
    assert_eq!(comparison.drives_fitted.as_ref().expect("fitted").nearer, Some(1));
    let said = found.validation.as_ref().expect("held out");
    let [before, after] = comparison.as_written.total;
    assert!(
        (after / said.model.total - 1.0).abs() < 1e-9,
        "the residual of the estimator: {after} {}",
        said.model.total
    );
    assert!((before / said.prior.total - 1.0).abs() < 1e-9);
}

#[test]
fn loops_floating_bases_and_weighed_ones_can_be_compared() {
    for name in ["four_bar", "go2"] {
        let robot = zoo(name);
        let (truth, wrong) = (mechanism(robot.clone()), mechanism(altered(&robot, 0.3, false)));
        let log = log(&truth, 0.01);
        let comparison = compare(&wrong, &truth, &log, &Settings::default());
        assert_eq!(comparison.as_written.nearer, Some(1), "{name}");
    }
    let robot = zoo("double_pendulum");
    let (truth, wrong) = (mechanism(robot.clone()), mechanism(altered(&robot, 0.3, false)));
    let simulation = Simulation { duration: 5.0, rate: 100.0, base_wrench: true, ..Simulation::default() };
    let log = simulate(&truth, &simulation).expect("a log");
    let settings = Settings { measure: sensors("base-wrench"), ..Settings::default() };
    let comparison = compare(&wrong, &truth, &log, &settings);
    assert_eq!(comparison.as_written.nearer, Some(1));
    assert!(
        comparison.drives_fitted.is_none() && comparison.notes[0] == ComparisonNote::NoDrivesMeasured,
        "{:?}",
        comparison.notes
    );
    assert!(!comparison.held_out && comparison.samples == 500, "{}", comparison.samples);
}

const ONE: &str = "[[body]]\nname = \"one\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\ninertia = { mass = 1, com = [0.1, 0, 0.2] }\n";

#[test]
fn what_cannot_be_compared_says_so() {
    let one = written(ONE);
    let other = written(&ONE.replace("one", "other"));
    let more = format!(
        "{ONE}[[body]]\nname = \"two\"\nparent = \"one\"\njoint = \"revolute\"\naxis = [1, 0, 0]\ninertia = {{ mass = 1 }}\n"
    );
    let two = written(&more);
    let both = |a: &Mechanism, first: &Recording, b: &Mechanism, second: &Recording| {
        compare_robots(
            Contestant { name: "A".to_owned(), mechanism: a, source: &mut &*first },
            Contestant { name: "B".to_owned(), mechanism: b, source: &mut &*second },
            &Settings::default(),
        )
    };
    let (log_one, log_two) = (log(&one, 0.0), log(&two, 0.0));
    assert_eq!(
        both(&one, &log_one, &other, &log_one).unwrap_err().to_string(),
        "what both robots measure is nothing; compare robots whose joints have the same names"
    );
    let half = Recording {
        parts: vec![steiner_logs::Part { samples: 0..500, role: steiner_logs::Role::Training }],
        ..log_one.clone()
    };
    assert_eq!(
        both(&one, &log_one, &one, &half).unwrap_err().to_string(),
        "the number of samples is 1000 for A and 500 for B; compare with the same log"
    );
    let comparison = both(&one, &log_one, &two, &log_two).expect("they share a joint");
    assert_eq!(comparison.rows, ["one"]);
    let only = ComparisonNote::OnlyOneHas { robot: "B".to_owned(), rows: vec!["two".to_owned()] };
    assert_eq!(comparison.notes, [only]);
}
