//! Questions and data that cannot be answered say so in a sentence.

use crate::support;
use steiner_identification::{
    Bounds, ContactWrench, Estimator, FrictionTerm, JointFriction, Pull, Settings, SimulatedContact,
    Simulation, identify, simulate,
};
use steiner_logs::{CoupledDrive, DryFriction, Part, Recording, Role, WrenchSignal};
use support::{mechanism, sensors};

fn data() -> Recording {
    simulate(&mechanism("two_link"), &Simulation { duration: 2.0, rate: 50.0, ..Simulation::default() })
        .unwrap()
}

fn complaint(data: &Recording, settings: &Settings) -> String {
    identify(&mechanism("two_link"), data, settings).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn data_of_the_wrong_shape_or_not_finite() {
    let settings = Settings::default();
    let mut bad = data();
    bad.qd.pop();
    assert_eq!(complaint(&bad, &settings), "`qd` has 199 numbers where 100 samples of 2 make 200");
    let mut bad = data();
    bad.tau[31] = f64::NAN;
    assert!(complaint(&bad, &settings).starts_with("`tau` is not finite in sample 15"));
    let mut bad = data();
    bad.measured.pop();
    assert!(complaint(&bad, &settings).starts_with("`measured` has 1 numbers"));
    let mut bad = data();
    bad.parts = vec![Part { samples: 50..120, role: Role::Training }];
    assert!(complaint(&bad, &settings).contains("parts follow each other within the 100 samples"));
    let mut bad = data();
    bad.contacts = vec![WrenchSignal { place: "link7".to_owned(), values: vec![0.0; 600] }];
    assert!(complaint(&bad, &settings).contains("there is no link `link7` (did you mean"));
}

#[test]
fn what_was_not_recorded_cannot_be_used() {
    let mut some = data();
    some.measured[0] = false;
    let message = complaint(&some, &Settings::default());
    let names = mechanism("two_link").independent_names();
    assert!(message.contains(&format!("measure joints:{}", names[1])), "{message}");
    let base = Settings { measure: sensors("base-wrench"), ..Settings::default() };
    assert!(complaint(&some, &base).contains("the force of the base"));
    // Fewer rows, fewer unknowns: with the right question it works.
    let right = Settings { measure: sensors(&format!("joints:{}", names[1])), ..Settings::default() };
    assert!(identify(&mechanism("two_link"), &some, &right).is_ok());
}

#[test]
fn too_little_to_learn_from() {
    let mut short = data();
    short.parts = vec![Part { samples: 0..3, role: Role::Training }];
    assert!(complaint(&short, &Settings::default()).contains("record more, hold less out"));
    let labels = mechanism("two_link").robot().labels();
    let all: Vec<(String, f64)> = labels.into_iter().map(|label| (label, 1.0)).collect();
    let settings = Settings { known: all, drives: false, ..Settings::default() };
    assert!(complaint(&data(), &settings).starts_with("nothing can be identified"));
}

#[test]
fn settings_that_make_no_sense() {
    let with = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        complaint(&data(), &settings)
    };
    assert!(with(&|s| s.dry_friction = DryFriction::Smoothed { speed: 0.0 }).contains("positive"));
    assert!(
        with(&|s| s.friction_terms = vec![JointFriction::of_all(FrictionTerm::Stribeck { speed: -1.0 })])
            .contains("the Stribeck speed is -1")
    );
    assert!(with(&|s| s.estimator = Estimator::Huber { threshold: f64::NAN }).contains("1.345 is usual"));
    assert!(with(&|s| s.estimator = Estimator::Ridge { weight: 0.0 }).contains("trusts the file"));
    assert!(with(&|s| s.measure = sensors("joints:elbow")).contains("there is no joint `elbow`"));
    assert!(with(&|s| s.payload = Some("gripper".to_owned())).contains("there is no link `gripper`"));
    assert!(with(&|s| s.least_speed = vec![("elbow".to_owned(), 1.0)]).contains("the least speed names"));
    assert!(with(&|s| s.unknown_gains = vec!["elbow".to_owned()]).contains("the unknown gain names"));
    assert!(with(&|s| s.known = vec![("link1.mass".to_owned(), 1.0)]).contains("there is no parameter"));
    let drive =
        CoupledDrive { name: "m".to_owned(), joints: vec![("elbow".to_owned(), 1.0)], crosswise: false };
    assert!(with(&|s| s.coupled_drives = vec![drive.clone()]).contains("the coupled drive `m` names"));
    let pull = Pull::Entropic { weight: 0.0 };
    assert!(
        with(&|s| s.consistent = Some(Bounds { pull, ..Bounds::default() }))
            .contains("the pull towards the file")
    );
}

#[test]
fn motions_that_cannot_be() {
    let arm = mechanism("two_link");
    let with = |simulation: Simulation| simulate(&arm, &simulation).map(|_| ()).unwrap_err().to_string();
    assert!(with(Simulation { rate: 0.0, ..Simulation::default() }).contains("give positive numbers"));
    assert!(with(Simulation { reach: 1.5, ..Simulation::default() }).contains("at most 1"));
    assert!(
        with(Simulation { still: vec!["elbow".to_owned()], ..Simulation::default() })
            .contains("stand still names")
    );
    let link = arm.robot().bodies[1].name.clone();
    let carried = SimulatedContact { link, wrench: ContactWrench::Carries };
    assert!(
        with(Simulation { contacts: vec![carried], ..Simulation::default() }).contains("no floating root")
    );
}
