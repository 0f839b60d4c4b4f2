//! One screen for a terminal.

use steiner_dynamics::Mechanism;
use steiner_identification::{Answer, Check, CheckedLog, CheckedPart, LogDoubts, Spelling, Verdict};

use super::words::{
    combination, deviation, do_not_move, fates_count, friction_in_load, motion_advice, remedies,
    sensors_in_words, verdict_words, why,
};
use crate::fate::{Fate, fates, owners, parameters_with};
use crate::identification::{alarm_words, condition_words, group};
use crate::robot_notes::inertia_remarks;
use crate::spelling::{command, setting};
use crate::stories::{null_vectors, stories};
use crate::words::{count, listed, number, thousands, wrapped};

/// Lines of a screen.
const SCREEN: usize = 45;
/// Bodies that have a line of their own.
const MOST_BODIES: usize = 14;
/// Remarks about the file.
const MOST_REMARKS: usize = 4;
/// Names in one list.
const MOST_NAMES: usize = 12;

/// The answer in at most a screen of lines of `width` columns, where words allow.
pub fn check_page(mechanism: &Mechanism, check: &Check, width: usize, spelling: Spelling) -> String {
    let mut lines = Lines { out: String::new(), width, spelling };
    head(mechanism, &check.parts[0], &mut lines);
    file(mechanism, &mut lines);
    if let Some(log) = &check.parts[0].log {
        excitation(log, &mut lines);
    }
    doubts(&check.doubts, &mut lines);
    if let Some(note) = friction_in_load(mechanism, check) {
        lines.say(&format!("load: {note}"), 2);
    }
    match check.wanted.is_empty() {
        true => overview(&check.parts[0], &check.doubts, &mut lines),
        false => answers(mechanism, check, &mut lines),
    }
    lines.out
}

/// Text that is broken at the width.
struct Lines {
    out: String,
    width: usize,
    spelling: Spelling,
}

impl Lines {
    fn say(&mut self, text: &str, indent: usize) {
        self.out += &wrapped(text, indent, self.width);
    }

    fn count(&self) -> usize {
        self.out.matches('\n').count()
    }
}

fn head(mechanism: &Mechanism, part: &CheckedPart, lines: &mut Lines) {
    let analysis = &part.analysis;
    let drives = analysis.columns.len() > analysis.columns.inertial_len();
    let [alone, combined, none] = fates_count(analysis);
    lines.say(
        &format!(
            "{}, measuring {}: {}",
            mechanism.robot().name,
            analysis.measure,
            sensors_in_words(&analysis.measure)
        ),
        2,
    );
    let proven = match &analysis.certificate {
        Some(certificate) if certificate.complete => "",
        _ => "; NOT proven complete",
    };
    lines.say(
        &format!(
            "{} ({}): {alone} can be found alone, {combined} only in combination, {none} not at all; \
             {} in all{proven}",
            count(analysis.parameters(), "parameter"),
            if drives { "inertias, rotor inertias and friction" } else { "inertias, without drives" },
            count(analysis.identifiable(), "base parameter"),
        ),
        2,
    );
}

fn file(mechanism: &Mechanism, lines: &mut Lines) {
    let remarks = inertia_remarks(mechanism.robot());
    if remarks.is_empty() {
        return;
    }
    lines.say("file: check these inertias before you trust them", 2);
    for remark in remarks.iter().take(MOST_REMARKS) {
        lines.say(&format!("  {}: {}", remark.body, remark.text), 6);
    }
    if remarks.len() > MOST_REMARKS {
        let all = format!("`{}` has all of them", lines.spelling.document);
        lines.say(&format!("  and {} more ({all})", remarks.len() - MOST_REMARKS), 6);
    }
}

fn excitation(log: &CheckedLog, lines: &mut Lines) {
    let found = &log.found.excitation;
    lines.say(
        &format!(
            "log: {} samples; {} of {} excited; {}",
            thousands(found.samples),
            found.rank,
            count(found.inflation.len(), "base parameter"),
            condition_words(found.condition_number)
        ),
        2,
    );
    lines.say(&format!("  σ is for {}", noise_words(log, lines.spelling)), 6);
    if !log.motion.still.is_empty() {
        lines.say(&format!("  {}", do_not_move(&log.motion.still)), 6);
    }
}

/// What is wrong with the log, the most important first.
fn doubts(doubts: &LogDoubts, lines: &mut Lines) {
    if let Some(refusal) = &doubts.refusal {
        lines.say(&format!("! {} refuses this log: {refusal}", command(lines.spelling, "identify")), 2);
    }
    for alarm in doubts.alarms.iter().take(MOST_REMARKS) {
        lines.say(&format!("! {}", alarm_words(alarm)), 2);
    }
    if doubts.alarms.len() > MOST_REMARKS {
        let all = format!("`{}` has all of them", lines.spelling.document);
        lines.say(&format!("! and {} more ({all})", count(doubts.alarms.len() - MOST_REMARKS, "alarm")), 2);
    }
}

/// The noise of the forces: what the log tells of it, and of which rows it does not.
fn noise_words(log: &CheckedLog, spelling: Spelling) -> String {
    let rows = || log.found.noise.iter().zip(&log.found.measured);
    let range = |is_measured: bool| {
        let sigma = || rows().filter(|(_, own)| **own == is_measured).map(|((_, sigma), _)| *sigma);
        let (least, most) = sigma().fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
        let least = if least < most { format!("{} to ", number(least, 2)) } else { String::new() };
        format!("{least}{} N·m or N", number(most, 2))
    };
    let assumed: Vec<String> = rows().filter(|(_, own)| !**own).map(|((name, _), _)| name.clone()).collect();
    let told = format!("noise of {} (residuals of a first fit)", range(true));
    let not_told = format!("assumed, as the log does not tell; `{}` sets it", setting(spelling, "noise"));
    match assumed.len() {
        0 => told,
        n if n == rows().count() => format!("noise of {} ({not_told})", range(false)),
        _ => format!("{told}; of {} {} ({not_told})", listed(&assumed, MOST_NAMES), range(false)),
    }
}

/// Without a wish: what becomes of each body, the reasons, what the log lacks.
fn overview(part: &CheckedPart, doubts: &LogDoubts, lines: &mut Lines) {
    let analysis = &part.analysis;
    if let Some(log) = part.log.as_ref().filter(|_| !doubts.must_be_mended()) {
        weak(part, log, lines);
    }
    let (owners, fates) = (owners(analysis), fates(analysis));
    if owners.len() <= 2 * MOST_BODIES {
        lines.say("", 0);
        for (k, owner) in owners.iter().enumerate() {
            let kind = if k < analysis.bodies.len() { "" } else { " (drive)" };
            let words =
                [(Fate::Alone, "alone"), (Fate::Grouped, "in combination"), (Fate::NoEffect, "not at all")];
            let told = words.iter().filter_map(|(fate, word)| {
                let parameters = parameters_with(owner, &fates, *fate);
                (!parameters.is_empty()).then(|| format!("{word}: {parameters}"))
            });
            lines.say(&format!("  {}{kind}  {}", owner.name, told.collect::<Vec<_>>().join("; ")), 6);
        }
    }
    let (stories, analyze) = (stories(analysis), command(lines.spelling, "analyze"));
    if !stories.is_empty() {
        lines.say("", 0);
        lines.say(&format!("why not all of them ({analyze} has the details):"), 2);
    }
    for story in stories {
        if lines.count() + 3 > SCREEN {
            lines.say(&format!("  … ({analyze} has the rest)"), 6);
            break;
        }
        lines.say(&format!("  {}{}", story.text, null_vectors(&story)), 6);
    }
    if lines.count() + 2 <= SCREEN {
        lines.say("", 0);
        lines.say("Ask for what you need (want: *.m, link2, joint3.friction, payload:link): then you read what to do.", 2);
    }
}

/// What the log excites poorly, with what to move.
fn weak(part: &CheckedPart, log: &CheckedLog, lines: &mut Lines) {
    let weak = &log.found.excitation.weak;
    if weak.is_empty() {
        return lines.say("  every base parameter can be found from this log", 6);
    }
    let mut by_advice: Vec<(String, Vec<String>)> = Vec::new();
    for entry in weak {
        let base = &part.analysis.regrouping.base;
        let Some(base) = base.get(entry.parameter) else { continue };
        let name = group(&part.analysis.labels[base.column], base.terms.len());
        let advice = log.motion.advice(entry.parameter).map_or_else(
            || format!("record another motion ({})", command(lines.spelling, "excite")),
            |(change, _)| motion_advice(&change, 0.0, lines.spelling),
        );
        match by_advice.iter_mut().find(|(other, _)| *other == advice) {
            Some((_, names)) => names.push(name),
            None => by_advice.push((advice, vec![name])),
        }
    }
    for (advice, names) in by_advice.iter().take(MOST_REMARKS) {
        lines.say(&format!("  poorly excited: {}; {advice}", listed(names, MOST_NAMES)), 6);
    }
}

/// Answers that differ in nothing but the parameter.
struct Group<'a> {
    verdict: Verdict,
    why: Option<String>,
    remedies: Vec<String>,
    members: Vec<&'a Answer>,
}

fn answers(mechanism: &Mechanism, check: &Check, lines: &mut Lines) {
    let logged = check.parts[0].log.is_some();
    let good = check.answers.iter().filter(|answer| answer.verdict.is_good()).count();
    let all = check.answers.len();
    let from = if logged { "these sensors and this log" } else { "these sensors" };
    lines.say("", 0);
    let in_doubt = check.answers.iter().filter(|answer| answer.verdict == Verdict::LogInDoubt).count();
    let parameters = if all == 1 { "parameter asked for rests" } else { "parameters asked for rest" };
    lines.say(
        &match (good, all) {
            _ if in_doubt > 0 => {
                format!("NO: the log has to be mended first: {in_doubt} of {all} {parameters} on it.")
            }
            (1, 1) => format!("YES: it can be found from {from}."),
            (0, 1) => format!("NO: it cannot be found from {from}."),
            (0, _) => format!("NO: none of {all} parameters asked for can be found from {from}."),
            _ if good == all => format!("YES: all {all} parameters asked for can be found from {from}."),
            _ => format!("NO: {} of {all} parameters asked for cannot be found from {from}.", all - good),
        },
        2,
    );
    let mut groups: Vec<Group<'_>> = Vec::new();
    for answer in &check.answers {
        let (why, remedies) = (why(check, answer), remedies(check, answer, lines.spelling));
        let same = |group: &&mut Group<'_>| {
            group.verdict == answer.verdict && group.why == why && group.remedies == remedies
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.members.push(answer),
            None => groups.push(Group { verdict: answer.verdict, why, remedies, members: vec![answer] }),
        }
    }
    groups.sort_by_key(|group| group.verdict.is_good());
    let left: usize = groups.len();
    for (k, group) in groups.iter().enumerate() {
        if lines.count() + 5 > SCREEN {
            let all = format!("`{}` has all of them", lines.spelling.document);
            return lines.say(&format!("… and {} more ({all})", count(left - k, "group")), 2);
        }
        tell(mechanism, check, group, logged, lines);
    }
}

fn tell(mechanism: &Mechanism, check: &Check, group: &Group<'_>, logged: bool, lines: &mut Lines) {
    let names: Vec<String> = group
        .members
        .iter()
        .map(|answer| match deviation(answer) {
            Some(sigma) => format!("{} ({sigma})", answer.label),
            None => answer.label.clone(),
        })
        .collect();
    let mark = if group.verdict.is_good() { "+" } else { "-" };
    let verdict = verdict_words(check, group.members[0], logged);
    lines.say(&format!("{mark} {}: {verdict}", listed(&names, MOST_NAMES)), 4);
    let combinations: Vec<String> =
        group.members.iter().filter_map(|answer| combination(mechanism, check, answer)).collect();
    for text in combinations.iter().take(MOST_REMARKS) {
        lines.say(&format!("    found instead: {text}"), 8);
    }
    if let Some(why) = &group.why {
        lines.say(&format!("    why: {why}."), 8);
    }
    if !group.remedies.is_empty() {
        lines.say(&format!("    what to do: {}.", group.remedies.join("; or ")), 8);
    }
}
