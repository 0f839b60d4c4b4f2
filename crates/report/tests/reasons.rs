//! Reasons as the reader sees them: joint, line or point with coordinates and frame,
//! bodies; grouped, and still true.

mod support;

use std::collections::BTreeSet;

use steiner_identifiability::{Analysis, Cause, Question, analyze};
use steiner_report::{Story, reason_sentence, stories};
use support::{mechanism, zoo};

fn answer(name: &str) -> Analysis {
    analyze(&mechanism(zoo(name)), &Question::default()).expect("an answer")
}

/// The bodies that a text names, as whole words.
fn named(analysis: &Analysis, text: &str) -> BTreeSet<usize> {
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    (0..analysis.bodies.len()).filter(|&body| words.contains(&analysis.bodies[body].as_str())).collect()
}

/// The bodies that a vector speaks of: those it changes, those of its reason, and the
/// one in whose frame its place is.
fn spoken_of(analysis: &Analysis, vector: usize) -> BTreeSet<usize> {
    let vector = &analysis.vectors[vector];
    let frame = vector.reason.place.as_ref().and_then(|place| place.body);
    vector.bodies.iter().chain(&vector.reason.bodies).copied().chain(frame).collect()
}

/// What a story tells, instance by instance.
fn told(story: &Story) -> &[String] {
    if story.instances.is_empty() { std::slice::from_ref(&story.text) } else { &story.instances }
}

#[test]
fn a_joint_axis_has_coordinates_and_a_frame() {
    let puma = answer("puma560");
    let sentence = |cause: Cause, joint: &str| {
        let own =
            |k: &usize| puma.vectors[*k].reason.cause == cause && puma.vectors[*k].joint() == Some(joint);
        let found = (0..puma.vectors.len()).find(own).expect("a vector of this joint");
        reason_sentence(&puma, &puma.vectors[found])
    };
    assert_eq!(
        sentence(Cause::MassOnSharedAxis, "link4"),
        "A point mass on the axis of joint link4 (the line through (0.0203, 0.4318, 0) along y of link3) can belong \
         to link3 or link4: nothing measured changes."
    );
    assert!(
        sentence(Cause::FixedAxis, "link1")
            .starts_with("link1 only turns about joint link1, an axis fixed in the base (the line through (0, 0, 0) along z of the base): ")
    );
}

#[test]
fn every_instance_of_every_story_names_its_own_bodies() {
    for name in ["puma560", "scara_sr6ia", "five_bar", "delta"] {
        let analysis = answer(name);
        let stories = stories(&analysis);
        let mut all: Vec<usize> = stories.iter().flat_map(|story| story.vectors.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..analysis.vectors.len()).collect::<Vec<_>>(), "{name}: each vector is told once");
        for story in &stories {
            for instance in told(story) {
                let bodies = named(&analysis, instance);
                let own = |&vector: &usize| bodies.is_subset(&spoken_of(&analysis, vector));
                assert!(!bodies.is_empty() && story.vectors.iter().any(own), "{name}: {instance}");
            }
            for &vector in &story.vectors {
                let bodies = BTreeSet::from_iter(analysis.vectors[vector].reason.bodies.iter().copied());
                let tells = |instance: &String| bodies.is_subset(&named(&analysis, instance));
                assert!(told(story).iter().any(tells), "{name}: {:?}", analysis.vectors[vector].reason);
            }
        }
    }
}

#[test]
fn what_is_said_of_one_side_of_a_five_bar_names_nothing_of_the_other() {
    let analysis = answer("five_bar");
    let side = |body: usize| analysis.bodies[body].chars().next();
    let mut of_one_side = 0;
    for story in stories(&analysis) {
        for instance in told(&story) {
            let first = instance.split([' ', ':']).next().unwrap_or_default();
            let Some(body) = analysis.bodies.iter().position(|name| name == first) else { continue };
            assert!(
                named(&analysis, instance).into_iter().all(|other| side(other) == side(body)),
                "{instance}"
            );
            of_one_side += 1;
        }
    }
    assert!(of_one_side > 0);
}
