//! A payload in words: one line with what is known, and a sentence for everything that is not.

use std::path::PathBuf;

use serde_json::{Value, json};
use steiner_identification::{
    Identification, IdentificationNote, IdentifiedPayload, MOMENTS, Payload, Unseen,
};

use crate::identification::json::finite;
use crate::words::{count, number};

/// "payload on tool: 1.702 ± 0.004 kg at (0.020 ± 0.001, …) m": what is seen, in the link's frame.
pub fn payload_line(payload: &Payload) -> String {
    let Payload { link, centred, .. } = payload;
    if payload.unseen.contains(&Unseen::Everything) {
        return format!("payload on {link}: nothing can be said after {}", count(payload.samples, "sample"));
    }
    if payload.unseen.contains(&Unseen::Mass) {
        return format!("payload on {link}: its mass is not seen");
    }
    let mut line = format!("payload on {link}: {} kg", within(centred.mass, payload.mass_sigma));
    let is_seen = |sigma: &[f64]| sigma.iter().any(|x| x.is_finite());
    if is_seen(&payload.com_sigma) {
        let axes: Vec<String> = (0..3).map(|k| within(centred.com[k], payload.com_sigma[k])).collect();
        line += &format!(" at ({}) m in its frame", axes.join(", "));
    }
    if is_seen(&payload.tensor_sigma) {
        let moment =
            |k: usize| format!("{} {}", MOMENTS[k], within(centred.tensor[k], payload.tensor_sigma[k]));
        let moments: Vec<String> =
            (0..6).filter(|&k| payload.tensor_sigma[k].is_finite()).map(moment).collect();
        line += &format!("; about its centre of mass {} kg m²", moments.join(", "));
    }
    line
}

/// What is not seen and what to do about it, and what the standard deviations leave out. A sentence each.
pub fn payload_remarks(payload: &Payload) -> Vec<String> {
    let link = &payload.link;
    let unseen = |unseen: &Unseen| match unseen {
        Unseen::Everything => format!("Nothing is seen yet of what {link} carries: record more samples."),
        Unseen::Mass => {
            format!("The mass on {link} is not seen yet: move the joints that lift it against gravity.")
        }
        Unseen::Centre { has_mass: false } => {
            format!("The mass on {link} is too small beside its σ to have a centre of mass.")
        }
        Unseen::Centre { has_mass: true } => {
            format!("The centre of mass on {link} is not seen yet: turn {link} about horizontal axes.")
        }
        Unseen::CentreAlong { direction: [x, y, z] } => format!(
            "The centre of mass along ({x:.2}, {y:.2}, {z:.2}) of {link}'s axes is not seen yet: turn {link} so that this direction is no longer vertical."
        ),
        Unseen::Moments { names } => {
            let are = if names.len() == 1 { "is" } else { "are" };
            format!(
                "{} about the centre of mass {are} not seen yet: turn {link} with higher accelerations.",
                names.join(", ")
            )
        }
    };
    let mut out: Vec<String> = payload.unseen.iter().map(unseen).collect();
    if !payload.counts_arm {
        out.push(format!(
            "σ of the payload on {link} holds for a perfectly known robot: errors of the robot's own parameters are not in it."
        ));
    }
    out
}

/// Loads that an identification found: on the one link that it was asked for, as the difference to the
/// file, and in logs with unknown loads. Each is a line, then remarks.
pub(crate) fn identified_payloads(identification: &Identification) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(IdentifiedPayload { payload, body, file_mass }) = identification.payload() {
        let file = match file_mass == 0.0 {
            true => format!("; that is all of it: the file has no inertia for {body}"),
            false => format!("; on top of what the file has for {body}, {} kg", number(file_mass, 4)),
        };
        out.push(format!("{}{file}.", payload_line(&payload).replacen("payload", "Payload", 1)));
        out.extend(payload_remarks(&payload));
    }
    for (log, payload) in weighed(identification) {
        out.push(format!("{}: {}.", log.display(), payload_line(payload)));
        out.extend(payload_remarks(payload));
    }
    out
}

/// Logs with unknown loads, and what they are.
fn weighed(identification: &Identification) -> impl Iterator<Item = (&PathBuf, &Payload)> {
    identification.notes.iter().filter_map(|note| match note {
        IdentificationNote::Weighed { log, payload } => Some((log, &**payload)),
        _ => None,
    })
}

/// Loads of logs with unknown loads, for programs.
pub(crate) fn weighed_json(identification: &Identification) -> Vec<Value> {
    let one = |(log, payload): (&PathBuf, &Payload)| {
        let mut document = payload_json(payload);
        document["log"] = json!(log.display().to_string());
        document
    };
    weighed(identification).map(one).collect()
}

/// The load on the one link that was asked for, for programs.
pub(crate) fn identified_payload_json(found: &IdentifiedPayload) -> Value {
    let mut document = payload_json(&found.payload);
    document["body"] = json!(found.body);
    document["file_mass"] = finite(found.file_mass);
    document
}

/// A load for programs. Values that are not seen are null, as are their standard deviations.
fn payload_json(payload: &Payload) -> Value {
    let seen = |value: f64, sigma: f64| if sigma.is_finite() { finite(value) } else { Value::Null };
    let values = |values: &[f64], sigma: &[f64]| -> Vec<Value> {
        values.iter().zip(sigma).map(|(&value, &sigma)| seen(value, sigma)).collect()
    };
    let sigmas = |sigma: &[f64]| -> Vec<Value> { sigma.iter().map(|&x| finite(x)).collect() };
    let Payload { centred, mass_sigma, com_sigma, tensor_sigma, .. } = payload;
    json!({
        "link": payload.link,
        "mass": seen(centred.mass, *mass_sigma),
        "mass_sigma": finite(*mass_sigma),
        "com": values(&centred.com, com_sigma),
        "com_sigma": sigmas(com_sigma),
        "inertia": values(&centred.tensor, tensor_sigma),
        "inertia_sigma": sigmas(tensor_sigma),
        "counts_arm": payload.counts_arm,
        "remarks": payload_remarks(payload),
    })
}

/// A value with two digits of its standard deviation, "1.7021 ± 0.0042"; "–" where it is not seen.
fn within(value: f64, sigma: f64) -> String {
    if !sigma.is_finite() {
        return "–".to_owned();
    }
    let digits = if sigma > 0.0 { (1.0 - sigma.log10().floor()).clamp(0.0, 9.0) as usize } else { 9 };
    format!("{value:.digits$} ± {sigma:.digits$}")
}
