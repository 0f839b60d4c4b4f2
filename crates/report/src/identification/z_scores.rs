//! The section on deviations in units of their uncertainty: of the parameters from the file, of the residuals from
//! the noise.

use maud::{Markup, html};
use steiner_identification::{Identification, Residual};

use super::forces_over_time::MODEL;
use super::knowledge::Knowledge;
use crate::plot::Plot;

/// Differences below this are not drawn smaller, standard deviations.
const LEAST: f64 = 0.05;
/// Beyond this, a difference is no chance.
const CHANCE: f64 = 3.0;
/// Names that fit side by side.
const MOST_NAMES: usize = 40;
/// Colours of validation, and of drives.
const VALIDATION: usize = 2;
const DRIVE: usize = 1;

/// Two charts; nothing where neither says something.
pub(super) fn z_scores(identification: &Identification) -> Option<Markup> {
    let charts = [against_the_file(identification), against_noise(identification)];
    charts.iter().any(Option::is_some).then(|| {
        html! {
            div.filters {
                @for (chart, words) in charts.into_iter().flatten() {
                    figure { (chart) figcaption { (words) } }
                }
            }
        }
    })
}

type Chart = (Markup, String);

/// |identified − file| / σ of every base parameter, above the body that it is of or whose joint it drives.
fn against_the_file(identification: &Identification) -> Option<Chart> {
    let problem = identification.problem();
    let bodies = problem.analysis().columns.inertial_len();
    let names: Vec<&str> = identification.consistency.iter().map(|link| link.link.as_str()).collect();
    let moved_by = |joint: &str| {
        let robot = problem.mechanism().robot();
        let body = robot.bodies.iter().find(|body| body.joint.name == joint)?;
        names.iter().position(|name| *name == body.name)
    };
    // Of bodies, then of drives.
    let mut points = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
    let (mut beyond, mut all) = (0, 0);
    for (k, (base, parameter)) in problem.base().iter().zip(&identification.parameters).enumerate() {
        if Knowledge::of(identification, k) == Knowledge::NotObservable || parameter.sigma == 0.0 {
            continue;
        }
        let (owner, drive) = (problem.label(base.column).owner, base.column >= bodies);
        let of_body = || names.iter().position(|name| **name == owner);
        let Some(at) = (if drive { moved_by(&owner) } else { of_body() }) else { continue };
        let z = (parameter.least_squares - parameter.prior).abs() / parameter.sigma;
        all += 1;
        beyond += usize::from(z > CHANCE);
        let (x, y) = &mut points[usize::from(drive)];
        x.push(at as f64 + if drive { 1.15 } else { 0.85 });
        y.push(z.max(LEAST));
    }
    if all == 0 || names.len() > MOST_NAMES {
        return None;
    }
    let [(x, y), (drive_x, drive_y)] = points;
    let mut plot = Plot::new("").size(520.0, 250.0).x_names(&names).y("|identified − file| / σ", "").log_y();
    plot = plot.scatter("body", x, y).colour(MODEL);
    if !drive_x.is_empty() {
        plot = plot.scatter("drive", drive_x, drive_y).colour(DRIVE);
    }
    plot = plot.at_y(CHANCE, "3 σ");
    let words = format!("{beyond} of {all} base parameters differ from the file by more than 3 σ");
    Some((plot.about("Differences to the file in standard deviations").markup(), words))
}

/// Residuals of every row over the noise that the estimator assigns to it.
fn against_noise(identification: &Identification) -> Option<Chart> {
    let rows = &identification.training.model.rows;
    let noise = &identification.noise;
    if rows.is_empty() || rows.len() > MOST_NAMES || noise.iter().any(|sigma| *sigma <= 0.0) {
        return None;
    }
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let ratios = |residual: &Residual| -> Vec<f64> {
        residual.rows.iter().zip(noise).map(|(row, sigma)| row.rms / sigma).collect()
    };
    let at = |shift: f64| -> Vec<f64> { (0..rows.len()).map(|k| k as f64 + 1.0 + shift).collect() };
    let mut plot = Plot::new("")
        .size(520.0, 250.0)
        .x_names(&names)
        .y("RMS of residual / noise", "")
        .y_range(0.0, None)
        .scatter("training", at(-0.1), ratios(&identification.training.model))
        .colour(MODEL)
        .at_y(1.0, "noise");
    if let Some(validation) = &identification.validation {
        plot = plot.scatter("validation", at(0.1), ratios(&validation.model)).colour(VALIDATION);
    }
    let words =
        "1 is the noise. If validation is far above training, the model does not carry over to other motions";
    Some((plot.about("Normalised residuals of every measured row").markup(), words.to_owned()))
}
