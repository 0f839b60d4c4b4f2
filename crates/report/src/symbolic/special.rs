//! Special lengths, as programs read them.

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
