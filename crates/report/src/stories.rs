//! The reasons why directions are invisible, told once for all the joints they hold for.

use steiner_identifiability::{Analysis, NullVector, Principle};

use crate::fate::{owners, split};
use crate::words::{count, listed};

/// One sentence and the vectors it is about.
#[derive(Clone, Debug)]
pub struct Story {
    /// Why the vectors are invisible.
    pub principle: Principle,
    /// The sentence.
    pub text: String,
    /// Indices of the vectors.
    pub vectors: Vec<usize>,
}

/// What stands for a name in the pattern of a sentence.
const SLOT: &str = "\u{1}";

/// Folds the sentences of all vectors: those that differ in names only become one. At most `most` names are spelt out.
pub fn stories(analysis: &Analysis, most: usize) -> Vec<Story> {
    let mut patterns: Vec<(Principle, String, Vec<usize>)> = Vec::new();
    for (k, vector) in analysis.vectors.iter().enumerate() {
        let pattern = match vector.entries[..] {
            [_] if vector.principle == Principle::Numeric => NO_EFFECT.to_owned(),
            _ => pattern(analysis, vector).0,
        };
        let known = patterns
            .iter_mut()
            .find(|(principle, other, _)| *principle == vector.principle && *other == pattern);
        match known {
            Some((_, _, vectors)) => vectors.push(k),
            None => patterns.push((vector.principle, pattern, vec![k])),
        }
    }
    // In the order of the principles' first appearance, all of one principle together.
    let mut order: Vec<Principle> = Vec::new();
    for (principle, _, _) in &patterns {
        if !order.contains(principle) {
            order.push(*principle);
        }
    }
    patterns.sort_by_key(|(principle, _, _)| order.iter().position(|other| other == principle));
    let tell = |(principle, pattern, vectors): (Principle, String, Vec<usize>)| {
        let text = told(analysis, &pattern, &vectors, most);
        Story { principle, text, vectors }
    };
    patterns.into_iter().map(tell).collect()
}

/// "(3 directions)", or nothing for one.
pub fn directions(story: &Story) -> String {
    match story.vectors.len() {
        1 => String::new(),
        n => format!(" ({})", count(n, "direction")),
    }
}

/// What a principle says, in general.
pub fn principle_sentence(principle: Principle) -> &'static str {
    match principle {
        Principle::SharedPoints => {
            "Two bodies share points through a joint: what one gains there, the other may lose."
        }
        Principle::FixedPoints => "A point or direction that never moves takes its moments out of sight.",
        Principle::PlanarRotation => {
            "A body that only turns about one direction shows its inertia about that direction alone."
        }
        Principle::TranslationOnly => "A body that never turns shows its mass alone.",
        Principle::SharedOrientation => {
            "Bodies that the mechanism keeps parallel turn alike: moments may move between them."
        }
        Principle::Gravity => "What neither accelerates nor is lifted or lowered is not felt.",
        Principle::LoopClosure => "Loops tie motions together that would tell bodies apart.",
        Principle::Gear => "Gears and drives move bodies in step: what moves together cannot be told apart.",
        Principle::Numeric => "Found by completion: true and proven, without an explanation from geometry.",
    }
}

const NO_EFFECT: &str = "no effect";

/// A sentence with its names taken out, and the names.
fn pattern(analysis: &Analysis, vector: &NullVector) -> (String, Vec<String>) {
    let bodies = vector.bodies.iter().filter_map(|&body| analysis.bodies.get(body));
    let drives = vector.entries.iter().map(|&(column, _)| split(&analysis.labels[column]).0);
    let mut names: Vec<&str> =
        bodies.map(String::as_str).chain(vector.joint.as_deref()).chain(drives).collect();
    names.retain(|name| !name.is_empty());
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    let (mut out, mut found) = (String::new(), Vec::new());
    let mut rest = vector.text.as_str();
    while let Some(next) = rest.chars().next() {
        let inside_a_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let starts = |name: &&&str| {
            rest.strip_prefix(**name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        match names.iter().find(starts).filter(|_| !inside_a_word) {
            Some(name) => {
                out += SLOT;
                found.push((*name).to_owned());
                rest = &rest[name.len()..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    (out, found)
}

/// One sentence for all vectors of a pattern.
fn told(analysis: &Analysis, pattern_text: &str, vectors: &[usize], most: usize) -> String {
    if pattern_text == NO_EFFECT {
        return no_effect(analysis, vectors, most);
    }
    let mut instances: Vec<Vec<String>> = Vec::new();
    for &k in vectors {
        let (_, names) = pattern(analysis, &analysis.vectors[k]);
        if !instances.contains(&names) {
            instances.push(names);
        }
    }
    let first = &analysis.vectors[vectors[0]].text;
    if instances.len() == 1 {
        return first.clone();
    }
    let column = |slot: usize| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in instances.iter().filter_map(|names| names.get(slot)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    };
    let slots = pattern_text.matches(SLOT).count();
    // What joints do between their two bodies.
    let between = format!("may move between {SLOT} and {SLOT}");
    if slots == 3 && pattern_text.contains(&between) {
        let joints = listed(&column(0), most);
        let text = pattern_text.replacen(&between, &format!("may move between the bodies of {joints}"), 1);
        return text.replacen(&format!(" of {SLOT}"), "", 1).replacen(
            &format!("that {SLOT}"),
            "that the joint",
            1,
        );
    }
    // Two bodies at a loop joint.
    let pair = format!("{SLOT} and {SLOT}");
    if slots == 3 && pattern_text.contains(&format!("{pair} share at {SLOT}")) {
        let text = pattern_text.replacen(&pair, "the two bodies", 1);
        return text.replacen(SLOT, &listed(&column(2), most), 1);
    }
    // Pairs of bodies.
    if slots == 2 && pattern_text.starts_with(&pair) {
        let pairs: Vec<String> = instances.iter().map(|names| names.join(" and ")).collect();
        return pattern_text.replacen(&pair, &listed(&pairs, most / 2 + 1), 1);
    }
    // A body and its joint.
    if slots == 2 && column(0).len() == instances.len() && pattern_text.starts_with("Moments of ") {
        let text = pattern_text.replacen(SLOT, &listed(&column(0), most), 1);
        return text.replacen(SLOT, "their joints", 1).replace(": it does not move", ": these do not move");
    }
    if slots == 1 && pattern_text.starts_with(SLOT) {
        return pattern_text.replacen(SLOT, &format!("Each of {}", listed(&column(0), most)), 1);
    }
    if slots == 1 {
        return pattern_text.replacen(SLOT, &listed(&column(0), most), 1);
    }
    let body = |names: &Vec<String>| names.iter().find(|name| analysis.bodies.contains(name)).cloned();
    let others: Vec<String> = instances[1..].iter().filter_map(body).collect();
    match others.is_empty() {
        true => first.clone(),
        false => format!("{} Likewise for {}.", first, listed(&others, most)),
    }
}

/// Parameters without effect that no principle speaks for, by owner.
fn no_effect(analysis: &Analysis, vectors: &[usize], most: usize) -> String {
    let columns: Vec<usize> = vectors.iter().map(|&k| analysis.vectors[k].entries[0].0).collect();
    let owned: Vec<String> = owners(analysis)
        .iter()
        .filter_map(|owner| {
            let own = |k: &usize| columns.contains(&(owner.first + k));
            let names: Vec<&str> =
                (0..owner.parameters.len()).filter(own).map(|k| owner.parameters[k]).collect();
            (!names.is_empty()).then(|| format!("{} ({})", owner.name, names.join(" ")))
        })
        .collect();
    let verb = if columns.len() == 1 { "has" } else { "have" };
    format!("{} {verb} no effect on what is measured.", listed(&owned, most))
}
