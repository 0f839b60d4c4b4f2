//! What was asked, with what the defaults became: as JSON, and as words for the page.

use serde_json::{Map, Value, json};
use steiner_identification::{Bounds, CentreBound, Estimator, FrictionTerm, JointFriction, Pull, Settings};
use steiner_logs::DryFriction;

use super::json::finite;
use crate::page::measure_words;
use crate::words::number;

pub(super) fn settings_json(settings: &Settings) -> Value {
    let pairs = |list: &[(String, f64)]| -> Map<String, Value> {
        list.iter().map(|(name, x)| (name.clone(), finite(*x))).collect()
    };
    let coupled: Vec<Value> = settings
        .coupled_drives
        .iter()
        .map(|drive| json!({ "name": drive.name, "joints": pairs(&drive.joints), "crosswise": drive.crosswise }))
        .collect();
    let dry_friction = match settings.dry_friction {
        DryFriction::Sign => json!({ "shape": "sign" }),
        DryFriction::Smoothed { speed } => json!({ "shape": "tanh", "speed": finite(speed) }),
    };
    let estimator = match settings.estimator {
        Estimator::Ordinary => json!({ "name": "ordinary" }),
        Estimator::Weighted => json!({ "name": "weighted" }),
        Estimator::Huber { threshold } => json!({ "name": "huber", "threshold": finite(threshold) }),
        Estimator::Instrumental => json!({ "name": "iv" }),
        Estimator::Simulation { window } => json!({ "name": "simulation", "window": finite(window) }),
        Estimator::Ridge { weight } => json!({ "name": "ridge", "weight": finite(weight) }),
    };
    json!({
        "measure": settings.measure.to_string(),
        "drives": settings.drives,
        "dry_friction": dry_friction,
        "stribeck_speed": stribeck_speed(settings).map(finite),
        "friction": settings.friction_terms.iter().map(friction_term).collect::<Vec<_>>(),
        "coupled_drives": coupled,
        "unknown_gains": settings.unknown_gains,
        "known": pairs(&settings.known),
        "payload": settings.payload,
        "keep": settings.keep,
        "eliminate": settings.eliminate,
        "least_speed": pairs(&settings.least_speed),
        "free_flight": settings.free_flight,
        "estimator": estimator,
        "consistent": settings.consistent.as_ref().map(bounds_json),
        "essential": settings.essential,
        "block": settings.block,
        "threads": settings.threads.map(std::num::NonZeroUsize::get),
    })
}

fn bounds_json(bounds: &Bounds) -> Value {
    let (pull, weight) = match bounds.pull {
        Pull::LogDet { weight } => ("log-det", weight),
        Pull::Entropic { weight } => ("entropic", weight),
        Pull::Quadratic { weight } => ("quadratic", weight),
    };
    let masses: Map<String, Value> = bounds
        .masses
        .iter()
        .map(|(link, least, most)| (link.clone(), json!([finite(*least), finite(*most)])))
        .collect();
    let centres: Map<String, Value> = bounds
        .centres
        .iter()
        .map(|(link, bound)| {
            let bound = match bound {
                CentreBound::Box { lower, upper } => json!({ "lower": lower, "upper": upper }),
                CentreBound::Hull(points) => json!({ "hull_points": points.len() }),
            };
            (link.clone(), bound)
        })
        .collect();
    json!({
        "pull": { "kind": pull, "weight": finite(weight) }, "masses": masses, "total_mass": bounds.total_mass,
        "centres": centres,
    })
}

/// (what, how it was): one line for each decision worth reading.
pub(super) fn settings_words(settings: &Settings) -> Vec<(&'static str, String)> {
    let mut out = vec![("Measured", measure_words(&settings.measure.to_string()))];
    let estimator = match settings.estimator {
        Estimator::Ordinary => "ordinary least squares: every row counts the same".to_owned(),
        Estimator::Weighted => "weighted least squares: rows count by the noise of their sensor".to_owned(),
        Estimator::Huber { threshold } => {
            format!("Huber's: residuals beyond {} times the noise count linearly", number(threshold, 4))
        }
        Estimator::Instrumental => {
            "weighted least squares with instrumental variables: motion filtered at half the cut-off"
                .to_owned()
        }
        Estimator::Simulation { window } => {
            format!("output error: motion simulated in windows of {} s", number(window, 3))
        }
        Estimator::Ridge { weight } => {
            format!("weighted least squares with a pull of {} towards the file", number(weight, 3))
        }
    };
    out.push(("Estimator", estimator));
    out.push(("Consistency", consistency_words(settings.consistent.as_ref())));
    let drives = match (settings.drives, settings.dry_friction) {
        (false, _) => "the file's".to_owned(),
        (true, DryFriction::Sign) => {
            "inertia, viscous and Coulomb friction (sign of the velocity) and offset of every one-dof joint"
                .to_owned()
        }
        (true, DryFriction::Smoothed { speed }) => format!(
            "inertia, viscous and Coulomb friction (tanh of the velocity over {}) and offset of every one-dof joint",
            number(speed, 4)
        ),
    };
    out.push(("Drives", drives));
    if !settings.friction_terms.is_empty() {
        let words = |of: &JointFriction| {
            format!("{}: {}", of.joint.as_deref().unwrap_or("all joints"), term_words(of.term))
        };
        let chosen = if settings.choose_friction { " (chosen by blocks left out)" } else { "" };
        let all: Vec<String> = settings.friction_terms.iter().map(words).collect();
        out.push(("Further friction", format!("{}{chosen}", all.join("; "))));
    }
    let list = |what: &'static str, items: Vec<String>, out: &mut Vec<(&'static str, String)>| {
        if !items.is_empty() {
            out.push((what, items.join(", ")));
        }
    };
    list(
        "Coupled drives",
        settings.coupled_drives.iter().map(|drive| drive.name.clone()).collect(),
        &mut out,
    );
    list("Unknown gains", settings.unknown_gains.clone(), &mut out);
    let valued =
        |pairs: &[(String, f64)]| pairs.iter().map(|(l, x)| format!("{l} = {}", number(*x, 6))).collect();
    list("Known", valued(&settings.known), &mut out);
    list(
        "Payload",
        settings.payload.iter().map(|link| format!("only {link} is unknown")).collect(),
        &mut out,
    );
    list("Least speed", valued(&settings.least_speed), &mut out);
    if let Some(block) = settings.block {
        out.push((
            "Blocks",
            format!("{block} samples, for uncertainties that do not trust noise to be white"),
        ));
    }
    out
}

fn consistency_words(bounds: Option<&Bounds>) -> String {
    let Some(bounds) = bounds else { return "not asked for".to_owned() };
    let (kind, weight) = match bounds.pull {
        Pull::LogDet { weight } => ("a log-det", weight),
        Pull::Entropic { weight } => ("an entropic", weight),
        Pull::Quadratic { weight } => ("a quadratic", weight),
    };
    let mut out = format!(
        "every body physically consistent; where the log is silent, {kind} pull of {} towards the file decides",
        number(weight, 3)
    );
    for (link, least, most) in &bounds.masses {
        out += &format!("; {link} weighs {} to {} kg", number(*least, 4), number(*most, 4));
    }
    if let Some(total) = bounds.total_mass {
        out += &format!("; all bodies weigh {} kg", number(total, 5));
    }
    for (link, bound) in &bounds.centres {
        let inside = match bound {
            CentreBound::Box { .. } => "a box",
            CentreBound::Hull(_) => "a hull",
        };
        out += &format!("; the centre of mass of {link} lies in {inside}");
    }
    out
}

/// The Stribeck speed of all joints.
fn stribeck_speed(settings: &Settings) -> Option<f64> {
    settings.friction_terms.iter().find_map(|of| match (&of.joint, of.term) {
        (None, FrictionTerm::Stribeck { speed }) => Some(speed),
        _ => None,
    })
}

fn friction_term(of: &JointFriction) -> Value {
    let speed = match of.term {
        FrictionTerm::Stribeck { speed } => Some(finite(speed)),
        _ => None,
    };
    json!({ "joint": of.joint, "term": of.term.name(), "speed": speed })
}

/// A term of friction in words.
pub(crate) fn term_words(term: FrictionTerm) -> String {
    match term {
        FrictionTerm::Stribeck { speed } => {
            format!("Stribeck friction that fades beyond {}", number(speed, 3))
        }
        FrictionTerm::Root => "friction with the root of the speed".to_owned(),
        FrictionTerm::Asymmetric => "viscous friction that differs between the directions".to_owned(),
        FrictionTerm::Load => "friction that grows with the load".to_owned(),
        FrictionTerm::Harmonic { multiple: 1 } => "a torque once per turn".to_owned(),
        FrictionTerm::Harmonic { .. } => "a torque twice per turn".to_owned(),
    }
}
