//! The document of an identification, as programs read it.

use serde_json::{Map, Value, json};
use steiner_identification::{
    CutoffTrials, FrictionTerm, FrictionTrials, Identification, Residual, Residuals,
};
use steiner_logs::signals::significant;
use steiner_robot::PseudoInertia;

use super::alarms::{alarms_json, verdict};
use super::link_summary::{com_sigma, mass_sigma};
use super::links::{Link, Observable, links};
use super::settings::settings_json;
use crate::analysis::{certificate_json, robot_json};
use crate::notes::identification_note;
use crate::payload::{identified_payload_json, weighed_json};

/// A number, or null where there is none.
pub(crate) fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

/// The whole answer. Residuals are relative (1 is all of what was measured), `sigma` is the larger of
/// `white_sigma` and `robust_sigma`, `relative_sigma` its fraction of the value, values are in SI units;
/// what has no finite value is null.
pub fn identification_json(identification: &Identification) -> Value {
    let mechanism = identification.problem().mechanism();
    let links = links(mechanism, identification);
    let weak = identification.weakly_excited();
    let parameters: Vec<Value> = identification
        .parameters
        .iter()
        .zip(&identification.excitation.inflation)
        .map(|(parameter, inflation)| {
            json!({
                "name": parameter.name,
                "value": finite(parameter.value),
                "sigma": finite(parameter.sigma),
                "relative_sigma": finite(parameter.relative_sigma / 100.0),
                "relative_sigma_percent": finite(parameter.relative_sigma),
                "white_sigma": finite(parameter.white_sigma),
                "robust_sigma": parameter.robust_sigma.map(finite),
                "least_squares": finite(parameter.least_squares),
                "prior": finite(parameter.prior),
                "terms": parameter.terms.iter().map(|(label, x)| json!([label, x])).collect::<Vec<_>>(),
                "inflation": finite(*inflation),
                "observable": parameter.sigma.is_finite(),
                "weakly_excited": weak.contains(&parameter.name.as_str()),
            })
        })
        .collect();
    let all: Map<String, Value> = identification
        .labels()
        .iter()
        .zip(&identification.all)
        .map(|(l, x)| (l.clone(), finite(*x)))
        .collect();
    let optimality = identification.optimality.map(|optimality| {
        json!({
            "objective": finite(optimality.objective), "stationarity": finite(optimality.stationarity),
            "gap": finite(optimality.gap), "least": finite(optimality.least), "violation": finite(optimality.violation),
        })
    });
    let essential = identification.essential.as_ref().map(|essential| {
        let one = |k: usize| {
            let name = &identification.parameters[essential.parameters[k]].name;
            json!({ "name": name, "value": finite(essential.values[k]), "sigma": finite(essential.sigma[k]) })
        };
        json!({
            "parameters": (0..essential.parameters.len()).map(one).collect::<Vec<_>>(),
            "condition_number": finite(essential.condition_number),
        })
    });
    let consistent: Map<String, Value> = identification
        .consistency
        .iter()
        .map(|link| (link.link.clone(), json!(link.is_consistent())))
        .collect();
    let bodies = identification.consistency.len();
    json!({
        "robot": robot_json(mechanism),
        "parameters": parameters,
        "residual": {
            "train": residuals(&identification.training),
            "validation": identification.validation.as_ref().map(residuals),
        },
        "condition_number": finite(identification.excitation.condition_number),
        "consistent": consistent,
        "weakly_excited": weak,
        "settings": settings_json(&identification.settings),
        "rank": identification.excitation.rank,
        "excitation": excitation(identification),
        "links": links.iter().enumerate().map(|(body, link)| link_json(identification, body, link)).collect::<Vec<_>>(),
        "noise": named(identification.training.model.rows.iter().map(|row| &row.name).zip(&identification.noise)),
        "model": all,
        "essential": essential,
        "optimality": optimality,
        "certificate": identification.problem().analysis().certificate.as_ref().map(|certificate| certificate_json(certificate, bodies)),
        "payload": identification.payload().as_ref().map(identified_payload_json),
        "payloads": weighed_json(identification),
        "cutoff_trials": identification.cutoff_trials.as_ref().map(cutoff_trials),
        "friction_trials": identification.friction_trials.iter().map(friction_trials).collect::<Vec<_>>(),
        "lags": identification.lags.iter().map(|lag| (lag.row.clone(), json!(lag.seconds))).collect::<Map<_, _>>(),
        "aligned": identification.aligned.iter().map(|(row, x)| (row.clone(), finite(*x))).collect::<Map<_, _>>(),
        "verdict": verdict(identification),
        "alarms": alarms_json(&identification.alarms),
        "notes": identification.notes.iter().map(identification_note).collect::<Vec<_>>(),
    })
}

/// What other cut-offs would have given.
fn cutoff_trials(trials: &CutoffTrials) -> Value {
    let one = |(times, error): &(f64, f64)| json!({ "times": times, "error": finite(*error) });
    json!({
        "chosen": trials.chosen,
        "predicts": trials.predicts,
        "suggested": trials.suggested,
        "bands": trials.bands.iter().map(one).collect::<Vec<_>>(),
        "deviations": trials.deviations.iter().map(|(times, sd)| json!({ "times": times, "sd": finite(*sd) })).collect::<Vec<_>>(),
        "tried": trials.errors.iter().map(one).collect::<Vec<_>>(),
    })
}

/// What further friction would have given.
fn friction_trials(trials: &FrictionTrials) -> Value {
    let term = |term: &FrictionTerm| match term {
        FrictionTerm::Stribeck { speed } => format!("stribeck={}", significant(*speed, 3)),
        _ => term.name().to_owned(),
    };
    let one = |(tried, error): &(FrictionTerm, f64)| json!({ "term": term(tried), "error": finite(*error) });
    json!({
        "joint": trials.joint,
        "simple": finite(trials.simple),
        "tried": trials.tried.iter().map(one).collect::<Vec<_>>(),
        "chosen": trials.chosen.iter().map(term).collect::<Vec<_>>(),
        "error": finite(trials.error),
    })
}

fn named<'a>(pairs: impl Iterator<Item = (&'a String, &'a f64)>) -> Map<String, Value> {
    pairs.map(|(name, x)| (name.clone(), finite(*x))).collect()
}

/// Total and per joint of the model, beside those of least squares and of the robot's file.
fn residuals(residuals: &Residuals) -> Value {
    let one = |residual: &Residual| {
        let rows = || residual.rows.iter();
        json!({
            "total": finite(residual.total),
            "joints": named(rows().map(|row| (&row.name, &row.relative))),
            "rms": named(rows().map(|row| (&row.name, &row.rms))),
        })
    };
    let mut document = one(&residuals.model);
    document["samples"] = json!(residuals.model.samples);
    document["counted"] =
        residuals.model.rows.iter().map(|row| (row.name.clone(), json!(row.count))).collect();
    document["least_squares"] = one(&residuals.least_squares);
    document["prior"] = one(&residuals.prior);
    document
}

fn excitation(identification: &Identification) -> Value {
    let excitation = &identification.excitation;
    let name = |k: usize| &identification.parameters[k].name;
    let weak: Vec<Value> = excitation
        .weak
        .iter()
        .map(|weak| {
            json!({
                "name": name(weak.parameter), "inflation": finite(weak.inflation),
                "confused_with": weak.confused_with.iter().map(|&k| name(k)).collect::<Vec<_>>(),
            })
        })
        .collect();
    let dominated: Vec<Value> =
        excitation.dominated_by.iter().map(|&(k, part)| json!([name(k), finite(part)])).collect();
    json!({
        "condition_number": finite(excitation.condition_number),
        "raw_condition_number": finite(excitation.raw_condition_number),
        "dominated_by": dominated,
        "weak": weak,
    })
}

fn link_json(identification: &Identification, body: usize, link: &Link) -> Value {
    let one = |inertia: &PseudoInertia| {
        let centred = inertia.centred();
        json!({
            "mass": finite(centred.mass),
            "com": centred.com.map(finite),
            "principal_moments": inertia.principal_moments().map(finite),
            "consistent": inertia.check().is_ok(),
        })
    };
    let observable = link.observable.map(|observable| match observable {
        Observable::Yes => "alone",
        Observable::InGroups => "in groups",
        Observable::No => "no",
    });
    let com_sigmas = [0, 1, 2].map(|axis| com_sigma(identification, body, axis).map(finite));
    json!({
        "link": link.name,
        "consistent": link.problem.is_none(),
        "problem": link.problem,
        "least_eigenvalue": finite(link.least_eigenvalue),
        "identified": one(&link.identified),
        "prior": one(&link.prior),
        "lumped": link.lumped,
        "observable": { "mass": observable[0], "com": observable[1], "moments": observable[2] },
        "mass_sigma": mass_sigma(identification, body).map(finite),
        "com_sigma": com_sigmas,
    })
}
