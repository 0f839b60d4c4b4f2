//! The answer for programs.

use serde_json::{Value, json};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{Cure, Standing};
use steiner_identification::{Answer, Check, CheckedLog, MotionChange, Spelling};

use super::words::{fates_count, friction_in_load, remedies, verdict_key, why};
use crate::analysis::{excitation_json, robot_json};
use crate::identification::alarms_json;
use crate::log_notes::log_notes;
use crate::notes::analysis_notes;
use crate::robot_notes::inertia_remarks;
use crate::words::is_proven;

/// The document of a check; its keys are described in docs/check.md. Its sentences spell settings as whoever asked.
pub fn check_json(mechanism: &Mechanism, check: &Check, spelling: Spelling) -> Value {
    let analysis = &check.parts[0].analysis;
    let [alone, combined, none] = fates_count(analysis);
    let remarks: Vec<Value> = inertia_remarks(mechanism.robot())
        .into_iter()
        .map(|remark| json!({ "body": remark.body, "kind": remark.kind.name(), "text": remark.text }))
        .collect();
    json!({
        "robot": robot_json(mechanism),
        "measure": analysis.measure.to_string(),
        "drives": analysis.columns.len() > analysis.columns.inertial_len(),
        "parameters": analysis.parameters(),
        "identifiable": analysis.identifiable(),
        "alone": alone, "combined": combined, "no_effect": none,
        "complete": analysis.certificate.as_ref().is_some_and(|certificate| certificate.complete),
        "proven": analysis.certificate.as_ref().is_some_and(is_proven),
        "file": remarks,
        "log": check.parts[0].log.as_ref().map(|log| log_json(check, log)),
        "alarms": alarms_json(&check.doubts.alarms),
        "refusal": check.doubts.refusal,
        "ok": check.all_found(),
        "wanted": check.answers.iter().map(|answer| answer_json(check, answer, spelling)).collect::<Vec<_>>(),
        "notes": analysis_notes(analysis).into_iter().chain(friction_in_load(mechanism, check)).collect::<Vec<_>>(),
    })
}

fn log_json(check: &Check, log: &CheckedLog) -> Value {
    let mut out = excitation_json(&check.parts[0].analysis, &log.found.excitation, &log_notes(&log.notes));
    out["still"] = json!(log.motion.still);
    out["noise"] = log.found.noise.iter().map(|(row, sigma)| json!([row, sigma])).collect();
    out["noise_measured"] = json!(log.found.measured);
    out
}

fn answer_json(check: &Check, answer: &Answer, spelling: Spelling) -> Value {
    let structure = check.structure(answer);
    let combination = structure.and_then(|(analysis, structural)| match &structural.standing {
        Standing::Combined(terms) => {
            Some(terms.iter().map(|(c, x)| json!([analysis.labels[*c], x])).collect::<Vec<_>>())
        }
        _ => None,
    });
    let mut actions: Vec<Value> = structure
        .into_iter()
        .flat_map(|(_, structural)| &structural.cures)
        .map(|cure| match cure {
            Cure::Measure(set) => json!({ "measure": set.to_string() }),
            Cure::Know(labels) => json!({ "fix": labels }),
        })
        .collect();
    actions.extend(answer.advice.as_ref().map(|(change, remains)| {
        let joints = match change {
            MotionChange::Move(joint) | MotionChange::Faster(joint) => json!([joint]),
            _ => json!("all"),
        };
        json!({ "move": joints, "faster": matches!(change, MotionChange::Faster(_)), "sigma_factor": remains })
    }));
    json!({
        "want": check.wanted[answer.wanted].text,
        "parameter": answer.label,
        "verdict": verdict_key(answer.verdict),
        "ok": answer.verdict.is_good(),
        "combination": combination,
        "combination_poorly_excited": check.combination_is_poorly_excited(answer),
        "sigma": answer.sigma.filter(|sigma| sigma.is_finite()),
        "file_value": answer.file_value,
        "why": why(check, answer),
        "remedies": remedies(check, answer, spelling),
        "actions": actions,
    })
}
