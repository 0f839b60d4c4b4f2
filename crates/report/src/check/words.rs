//! Verdicts, reasons and advice as phrases.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Aim, Analysis, Cure, Standing, WeakDirection, WeakReason};
use steiner_identification::{Answer, Check, CheckedPart, MotionChange, Spelling, Verdict};
use steiner_robot::{Actuation, Body, Friction, Label, Sensor, SensorSet};

use crate::family::Family;
use crate::formula::formula;
use crate::reasons::{reason_fact, weak_sentence};
use crate::spelling::{command, numbers_to_fill_in, setting};
use crate::words::{joined, number, percent};

/// More parameters than this nobody wants to find out otherwise.
const MOST_KNOWN: usize = 2;

/// Entries of a weak direction below this part of the largest are not told, nor more than so many.
const LARGE_PART: f64 = 0.1;
const MOST_ALIKE: usize = 4;

/// What a set of sensors is, in words: "the force of every joint, in motion".
pub(super) fn sensors_in_words(set: &SensorSet) -> String {
    let mut inside: Vec<String> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    for sensor in set.sensors() {
        match sensor {
            Sensor::All => words.push("the torque or force of every joint, in motion".to_owned()),
            Sensor::Static => {
                words.push("the torque or force of every joint, at rest in all poses".to_owned())
            }
            Sensor::Joints(joints) => {
                words.push(format!("the torque or force of {}, in motion", joints_named(joints)));
            }
            Sensor::JointWrench(joint) => inside.push(joint.clone()),
            Sensor::BaseWrench => words.push("a force plate under the robot".to_owned()),
        }
    }
    match inside.len() {
        0 => {}
        1 => words.push(format!("a force-torque sensor in {}", joints_named(&inside))),
        _ => words.push(format!("force-torque sensors in {}", joints_named(&inside))),
    }
    joined(&words)
}

/// "joint elbow", "joints elbow and wrist": in many files links have the same names.
fn joints_named(joints: &[String]) -> String {
    format!("{} {}", if joints.len() == 1 { "joint" } else { "joints" }, joined(joints))
}

/// The word of a verdict in documents.
pub(super) fn verdict_key(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Found => "found",
        Verdict::LogInDoubt => "log-in-doubt",
        Verdict::NotExcited => "not-excited",
        Verdict::PoorlyExcited => "poorly-excited",
        Verdict::BarelyVisible => "barely-visible",
        Verdict::Combined => "combined",
        Verdict::NoEffect => "no-effect",
        Verdict::AtRest => "at-rest",
        Verdict::Fixed => "fixed",
        Verdict::Known => "known",
    }
}

/// The verdict as a person reads it.
pub(super) fn verdict_words(check: &Check, answer: &Answer, logged: bool) -> &'static str {
    match answer.verdict {
        Verdict::Found if logged => "can be found from this log",
        Verdict::Found => "can be found",
        Verdict::LogInDoubt => "not from this log before it is mended",
        Verdict::NotExcited => "not from this log: its motion does not excite it",
        Verdict::PoorlyExcited => "hardly from this log: its motion excites it poorly",
        Verdict::BarelyVisible if is_hidden_by_loops(check, answer) => {
            "hardly: in all motions others look almost like it"
        }
        Verdict::BarelyVisible => "hardly: only small misalignments of axes make it visible",
        Verdict::Combined => "only in combination with others",
        Verdict::NoEffect => "not at all: nothing that is measured depends on it",
        Verdict::AtRest => "not at all: the link rests on the ground, and nothing weighs it",
        Verdict::Fixed => "not by itself",
        Verdict::Known => "known beforehand",
    }
}

fn is_hidden_by_loops(check: &Check, answer: &Answer) -> bool {
    let weak = check.weak_direction(answer);
    matches!(weak, Some((WeakDirection { reason: WeakReason::LoopsAlmostHide, .. }, _)))
}

/// The combination that can be found instead of a parameter.
pub(super) fn combination(mechanism: &Mechanism, check: &Check, answer: &Answer) -> Option<String> {
    let (analysis, structural) = check.structure(answer)?;
    let Standing::Combined(terms) = &structural.standing else { return None };
    let text = formula(&Family::new(mechanism, analysis), &names(analysis), terms);
    Some(match check.combination_is_poorly_excited(answer) && !check.doubts.must_be_mended() {
        true => format!("{text} (but this log excites it poorly)"),
        false => text,
    })
}

/// The names of the columns, of which those of a load are no body's.
fn names(analysis: &Analysis) -> Vec<Label> {
    let owned = analysis.names().into_iter().zip(&analysis.labels);
    let named = owned.map(|(name, label)| match label.rsplit_once('.') {
        Some((owner, _)) => Label { owner: owner.to_owned(), ..name },
        None => name,
    });
    named.collect()
}

/// What a load takes up where the file has no friction at all, and forces of joints are measured.
pub(super) fn friction_in_load(mechanism: &Mechanism, check: &Check) -> Option<String> {
    let feels_friction = |part: &CheckedPart| {
        let columns = &part.analysis.columns;
        let is_drive = |sensor: &Sensor| matches!(sensor, Sensor::All | Sensor::Static | Sensor::Joints(_));
        part.payload.is_some()
            && columns.len() > columns.inertial_len()
            && part.analysis.measure.sensors().iter().any(is_drive)
    };
    let has_friction = |body: &Body| {
        body.joint.actuation != Actuation::Passive && body.joint.friction != Friction::default()
    };
    let lacks = check.parts.iter().any(feels_friction) && !mechanism.robot().bodies.iter().any(has_friction);
    lacks.then(|| {
        "the file has no friction, and all but the load is taken from the file: friction of a real robot would be \
         taken for a part of the load; identify the robot without a load first, and ask with that file"
            .to_owned()
    })
}

/// Why something cannot be found, in one sentence.
pub(super) fn why(check: &Check, answer: &Answer) -> Option<String> {
    if let (Aim::Fixed { link, body }, Verdict::Fixed) = (&check.wanted[answer.wanted].aim, answer.verdict) {
        return Some(match body {
            Some(body) => format!("{link} is fixed to {body}: no motion separates their inertias"),
            None => format!("{link} is fixed to the ground and never moves"),
        });
    }
    if answer.verdict.is_good() {
        return None;
    }
    if answer.verdict == Verdict::LogInDoubt {
        return Some(match check.doubts.refusal {
            Some(_) => "nothing can be identified from this log".to_owned(),
            None => "an identification from this log raises alarms".to_owned(),
        });
    }
    let part = &check.parts[answer.part];
    if let Verdict::NotExcited | Verdict::PoorlyExcited = answer.verdict {
        let still = part.log.as_ref().map_or(&[][..], |log| &log.motion.still);
        return match (&answer.advice, still.is_empty()) {
            (Some((MotionChange::Move(joint), _)), _) => Some(format!("{joint} does not move in this log")),
            (Some((MotionChange::Faster(joint), _)), _) => {
                Some(format!("{joint} moves too slowly or too little"))
            }
            (_, false) => Some(format!("{} in this log", do_not_move(still))),
            _ => None,
        };
    }
    let (analysis, structural) = check.structure(answer)?;
    if answer.verdict == Verdict::BarelyVisible {
        let (weak, column) = check.weak_direction(answer)?;
        return Some(match weak.reason {
            WeakReason::LoopsAlmostHide => almost_like(analysis, weak, column),
            WeakReason::AlmostAligned { .. } => {
                weak_sentence(analysis, weak).trim_end_matches('.').to_owned()
            }
        });
    }
    let vector = &analysis.vectors[structural.because?];
    let fact = reason_fact(analysis, vector)?;
    // What may belong to another body has no effect if it has none there.
    let (_, parameter) = structural.label.rsplit_once('.')?;
    let there = vector.entries.iter().map(|(column, _)| *column).find(|column| {
        let label = analysis.columns.label(*column);
        label.parameter == parameter
            && analysis.labels[*column] != structural.label
            && analysis.regrouping.unidentifiable.contains(column)
    });
    match (answer.verdict, there) {
        (Verdict::NoEffect, Some(column)) => {
            Some(format!("{fact}, and {} has no effect either", analysis.labels[column]))
        }
        _ => Some(fact),
    }
}

/// What looks almost like a parameter because loops tie the motions of all bodies together: the other large entries
/// of a weak direction, friction of joints as such.
fn almost_like(analysis: &Analysis, weak: &WeakDirection, column: usize) -> String {
    let largest = weak.entries.iter().fold(0.0, |most: f64, (_, x)| most.max(x.abs()));
    let is_large = |(c, x): &&(usize, f64)| *c != column && x.abs() > LARGE_PART * largest;
    let mut others: Vec<&(usize, f64)> = weak.entries.iter().filter(is_large).collect();
    others.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let mut listed: Vec<String> = Vec::new();
    for (c, _) in others {
        let label = analysis.columns.label(*c);
        let is_friction = ["fv", "fc", "offset"].contains(&label.parameter);
        let name = match is_friction {
            true => format!("friction of {}", label.owner),
            false => analysis.labels[*c].clone(),
        };
        if !listed.contains(&name) {
            listed.push(name);
        }
    }
    listed.truncate(MOST_ALIKE);
    match listed.is_empty() {
        true => "The loops leave it almost without effect in all configurations".to_owned(),
        false => format!(
            "The loops tie all motions together, so that changes of {} look almost like it",
            joined(&listed)
        ),
    }
}

/// "joint3 does not move", "joint3 and joint4 do not move".
pub(super) fn do_not_move(joints: &[String]) -> String {
    format!("{} {} not move", joined(joints), if joints.len() == 1 { "does" } else { "do" })
}

/// What to do about it, each a phrase; the best first.
pub(super) fn remedies(check: &Check, answer: &Answer, spelling: Spelling) -> Vec<String> {
    match (&answer.verdict, &check.wanted[answer.wanted].aim) {
        (Verdict::Fixed, Aim::Fixed { link, body: Some(body) }) => {
            return vec![format!(
                "ask for {body}, which includes it, or for payload:{link}: two logs, with and without it"
            )];
        }
        (Verdict::Fixed, _) => {
            return vec!["leave it out: it has no effect on the robot's motion".to_owned()];
        }
        _ => {}
    }
    if answer.verdict == Verdict::LogInDoubt {
        return vec![match check.doubts.refusal {
            Some(_) => "record what is missing, and ask again".to_owned(),
            None => "mend the log or how it is read, and ask again".to_owned(),
        }];
    }
    if let Verdict::NotExcited | Verdict::PoorlyExcited = answer.verdict {
        return vec![answer.advice.as_ref().map_or_else(
            || {
                let designs = format!("{} designs one", command(spelling, "excite"));
                format!("record another motion: {designs} for the limits of the robot")
            },
            |(change, remains)| motion_advice(change, *remains, spelling),
        )];
    }
    let Some((_, structural)) = check.structure(answer) else { return Vec::new() };
    let advice: Vec<String> = structural.cures.iter().filter_map(|cure| cure_words(cure, spelling)).collect();
    match (advice.is_empty(), answer.verdict) {
        (true, Verdict::BarelyVisible) if is_hidden_by_loops(check, answer) => {
            let motion = format!("{} designs one", command(spelling, "excite"));
            vec![format!("ask again with a log or a motion ({motion}): σ then says how well it can be found")]
        }
        (true, Verdict::BarelyVisible) => {
            let snap = setting(spelling, "snap");
            vec![format!("keep the file's value, or read the axes as aligned (`{snap}`) and ask again")]
        }
        (true, Verdict::Combined) => {
            vec!["use the combination: it is all that these forces depend on".to_owned()]
        }
        (true, Verdict::NoEffect) => {
            vec![
                "keep the file's value: these forces do not depend on it, and no other sensor that was tried shows it"
                    .to_owned(),
            ]
        }
        (true, Verdict::AtRest) => {
            vec![
                "keep the file's value: the motion does not depend on it, and no sensor that was tried weighs the \
                 link alone"
                    .to_owned(),
            ]
        }
        _ => advice,
    }
}

/// What moving otherwise would bring.
pub(super) fn motion_advice(change: &MotionChange, remains: f64, spelling: Spelling) -> String {
    let bring = match remains > 0.0 {
        true => format!(" (σ would fall to about {} of this)", percent(remains)),
        false => String::new(),
    };
    match change {
        MotionChange::Move(joint) => format!("move {joint}{bring}"),
        MotionChange::Faster(joint) => format!("move {joint} twice as fast{bring}"),
        _ => {
            let excite = command(spelling, "excite");
            format!("move all joints, and faster{bring}: {excite} designs such a motion")
        }
    }
}

fn cure_words(cure: &Cure, spelling: Spelling) -> Option<String> {
    match cure {
        Cure::Measure(set) => {
            Some(format!("measure {set} as well ({}): then it can be found", sensors_in_words(set)))
        }
        Cure::Know(labels) if labels.len() > MOST_KNOWN => None,
        Cure::Know(labels) => {
            let them = if labels.len() == 1 { "it" } else { "them" };
            Some(format!(
                "find out {} in another way and give {them}: {}",
                joined(labels),
                numbers_to_fill_in(spelling, "fix", labels)
            ))
        }
    }
}

/// "σ 0.012, 4.1 % of the file's value".
pub(super) fn deviation(answer: &Answer) -> Option<String> {
    let sigma = answer.sigma.filter(|sigma| sigma.is_finite())?;
    let value = answer.file_value.filter(|value| *value != 0.0 && sigma < value.abs());
    let share = value
        .map_or(String::new(), |value| format!(", {} of the file's value", percent(sigma / value.abs())));
    Some(format!("σ {}{share}", number(sigma, 2)))
}

/// How many parameters are found alone, in combination, not at all, known.
pub(super) fn fates_count(analysis: &Analysis) -> [usize; 3] {
    let found = &analysis.regrouping;
    [found.alone.len(), found.combined.len(), found.unidentifiable.len()]
}
