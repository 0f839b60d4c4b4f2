//! Special lengths, sorted for readers and as programs read them.

use serde_json::{Value, json};
use steiner_identifiability::{SpecialMember, SpecialMembers, SpecialOutcome, SpecialSource};

/// The `family` object of a document: conditions, with what becomes of the number of identifiable parameters.
pub fn special_json(identifiable: usize, special: &SpecialMembers) -> Value {
    let one = |member: &SpecialMember| {
        let (count, reason) = match &member.outcome {
            SpecialOutcome::Identifiable(count) => (Some(*count), None),
            SpecialOutcome::Fails(reason) => (None, Some(reason)),
        };
        let source = match member.source {
            SpecialSource::Factor => "factor",
            SpecialSource::Catalogue => "catalogue",
        };
        json!({
            "condition": member.condition, "source": source, "values": member.values, "identifiable": count,
            "fails": reason, "meaning": member.meaning,
        })
    };
    json!({
        "identifiable": identifiable,
        "members": special.members.iter().map(one).collect::<Vec<_>>(),
        "unsolved": special.unsolved,
        "left_out": special.left_out,
    })
}

/// What becomes of special members, sorted.
#[derive(Clone, Debug, Default)]
pub struct SpecialOutcomes<'a> {
    /// Those that change how much is identifiable, with how much it is.
    pub changed: Vec<(&'a SpecialMember, usize)>,
    /// Those that don't.
    pub same: Vec<&'a SpecialMember>,
    /// Reasons why there is no mechanism, each with the conditions it holds for.
    pub failing: Vec<(&'a str, Vec<&'a SpecialMember>)>,
}

impl<'a> SpecialOutcomes<'a> {
    /// Of a family in which so many combinations are identifiable in general.
    pub fn new(identifiable: usize, special: &'a SpecialMembers) -> Self {
        let mut out = SpecialOutcomes::default();
        for member in &special.members {
            match &member.outcome {
                SpecialOutcome::Identifiable(n) if *n != identifiable => out.changed.push((member, *n)),
                SpecialOutcome::Identifiable(_) => out.same.push(member),
                SpecialOutcome::Fails(reason) => {
                    match out.failing.iter_mut().find(|(known, _)| known == reason) {
                        Some((_, members)) => members.push(member),
                        None => out.failing.push((reason, vec![member])),
                    }
                }
            }
        }
        out
    }

    /// How many conditions were analysed.
    pub fn analysed(&self) -> usize {
        self.changed.len() + self.same.len()
    }
}
