//! An identification as one page: how good, forces over time, the parameters, the links, what the log
//! excited, what was asked.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identification::{Identification, ResidualHistory};

use super::alarms::verdict_and_alarms;
use super::excitation::{condition_words, excitation_section};
use super::filters::filter_section;
use super::forces_over_time::force_charts;
use super::headline::{evaluated, headline};
use super::knowledge::group_name;
use super::links::link_section;
use super::parameters::parameter_table;
use super::residual_table::residual_table;
use super::settings::settings_words;
use super::z_scores::z_scores;
use crate::notes::identification_note;
use crate::page::{counts, headline_list, page, remarks, section, verdict_list};
use crate::words::{count, number, percent, thousands};

pub(crate) const STYLE: &str = include_str!("identification.css");

/// A self-contained page about an identification; `history` is that of the logs it was made from. The same
/// input gives the same page.
pub fn identification_html(identification: &Identification, history: &ResidualHistory) -> String {
    let mechanism = identification.problem().mechanism();
    let content = html! {
        (header(mechanism, identification))
        (section("Residuals", about_residuals(), residual_table(identification)))
        @if let Some(scores) = z_scores(identification) {
            (section("Differences in units of their uncertainty", Z_SCORES, scores))
        }
        (section("Forces over time", about_forces(), force_charts(identification, history)))
        @if let Some(filters) = filter_section(history) {
            (section("Cut-off of the filter", about_filters(), filters))
        }
        (section("Base parameters", about_parameters(), parameter_table(mechanism, identification)))
        (section("The links before and after", LINKS, link_section(mechanism, identification)))
        (section("What the log excited", EXCITATION, excitation_section(identification)))
        @if let Some(essential) = essential_parameters(identification) {
            (section("Essential parameters", ESSENTIAL, essential))
        }
        (section("How it was done", "", how_it_was_done(identification)))
        footer { p { (FOOTER) } }
    };
    page(&format!("{}: identified", mechanism.robot().name), STYLE, content)
}

const LINKS: &str = "Each inertia drawn as the ellipsoid of uniform density that has it: filled with a dot \
    for the identified one, dashed with a cross for the file's, to scale, in the reference configuration. \
    Grey numbers are not observable by themselves: the log determines only groups of parameters, and the \
    file's values, changed as little as the groups and physical consistency allow, decide how a group is shared out.";
const EXCITATION: &str = "How well this motion excites the base parameters.";
const Z_SCORES: &str = "Left: how far least squares are from the file, each base parameter above its body or joint. \
    Beyond 3 σ the log says that the file is wrong. Right: RMS of the residuals over the noise that the estimator \
    assigns to the sensor.";
const ESSENTIAL: &str =
    "The base parameters left when those that do not differ significantly from zero are removed one by one.";
const FOOTER: &str = "SI units and radians. The parameters of a body are m (kg), mx, my, mz (kg m) and Ixx, \
    Ixy, Iyy, Ixz, Iyz, Izz (kg m²) about the origin of its frame, in its axes; those of a drive are Ia \
    (inertia), fv (viscous friction), fc (Coulomb friction) and offset. A base parameter is named after its \
    first term. The JSON document has all digits.";

fn about_residuals() -> Markup {
    html! {
        "Relative residual: RMS of measured minus predicted, over RMS of measured. "
        i { "Model" } " is the final one, " i { "least squares" } " the best fit without physical consistency, " i { "file" }
        " the robot as it was read. Noise is the standard deviation that the estimator assigns to the sensor."
    }
}

fn about_parameters() -> Markup {
    html! {
        i { "σ" } " is the standard deviation, the larger of that for white noise (" i { "σ if white" }
        ") and one from blocks of neighbouring samples. The drawing: "
        span.key.sigma {} " least squares ± 2σ, " span.key.found {} " the model, "
        span.key.file {} " the file; each on its own scale."
    }
}

fn about_forces() -> Markup {
    html! {
        span.stroke.measured {} " measured, " span.stroke.model {} " model, "
        span.stroke.prior {} " the file's prediction; held-out samples are shaded. Below it measured minus \
        predicted (the extremes of short stretches), and against speed what the bodies leave of the force (dots) \
        with the friction of the model (line; friction that depends on load at its mean). Where a joint with dry \
        friction stands still, its force is not determined. Beside it the residual of the model: "
        span.key.model {} " training and " span.stroke.validation {} " validation as histograms, dotted the \
        normal distribution of the same RMS; and spectra of the measured signal and of the residuals of model \
        and file."
    }
}

fn about_filters() -> Markup {
    html! {
        "Spectra of the accelerations that were derived: " span.stroke.measured {} " unfiltered, "
        span.stroke.model {} " filtered. Motion falls with frequency, noise rises; a good cut-off lies \
        in the valley between them. Another one can be given."
    }
}

fn header(mechanism: &Mechanism, identification: &Identification) -> Markup {
    let robot = mechanism.robot();
    let residuals = evaluated(identification);
    let consistent = identification.consistency.iter().filter(|link| link.is_consistent()).count();
    let bodies = identification.consistency.len();
    let samples = match identification.validation {
        Some(_) => "on held-out samples",
        None => "on the training samples",
    };
    let excited = match identification.excitation.weak.len() {
        0 => "all excited".to_owned(),
        weak => format!("{weak} poorly excited"),
    };
    let worst = residuals.model.rows.iter().max_by(|a, b| a.relative.total_cmp(&b.relative));
    let worst = worst.filter(|row| row.relative.is_finite() && residuals.model.rows.len() > 1);
    let worst = worst.map(|row| (percent(row.relative), "largest single residual", row.name.clone()));
    let mut figures = vec![(percent(residuals.model.total), "relative residual", samples.to_owned())];
    figures.extend(worst);
    figures.extend([
        (percent(residuals.prior.total), "with the file's inertias", "on the same samples".to_owned()),
        (identification.parameters.len().to_string(), "base parameters", excited),
        (
            format!("{consistent}/{bodies}"),
            "physically consistent bodies",
            count(robot.bodies.len(), "moving body"),
        ),
    ]);
    html! {
        header {
            p.kicker { "What was identified" }
            h1 { (robot.name) }
            (verdict_list(&verdict_and_alarms(identification)))
            (counts(&figures))
            (headline_list(&headline(identification)))
            (folded_notes(identification))
        }
        "\n"
    }
}

/// Notes, which nobody need read first.
fn folded_notes(identification: &Identification) -> Markup {
    let notes: Vec<String> = identification.notes.iter().map(identification_note).collect();
    html! {
        @if !notes.is_empty() {
            details.notes {
                summary { (count(notes.len(), "note")) " on logs, signals and settings" }
                (remarks(&notes))
            }
        }
    }
}

fn essential_parameters(identification: &Identification) -> Option<Markup> {
    let essential = identification.essential.as_ref()?;
    Some(html! {
        p {
            b { (essential.parameters.len()) } " of "
            (count(identification.parameters.len(), "base parameter")) ", "
            (condition_words(essential.condition_number)) "."
        }
        div.wide {
            table.numbers {
                caption { "Essential parameters" }
                thead {
                    tr { @for head in ["base parameter", "value", "σ"] { th scope="col" { (head) } } }
                }
                tbody {
                    @for (k, &parameter) in essential.parameters.iter().enumerate() {
                        tr {
                            th scope="row" { (group_name(&identification.parameters[parameter])) }
                            td.n { (number(essential.values[k], 5)) }
                            td.n { (number(essential.sigma[k], 2)) }
                        }
                    }
                }
            }
        }
    })
}

fn how_it_was_done(identification: &Identification) -> Markup {
    let training = thousands(identification.training.model.samples);
    let samples = match &identification.validation {
        Some(validation) => {
            format!("{training} for training, {} for validation", thousands(validation.model.samples))
        }
        None => format!("{training} for training, none held out"),
    };
    let mut lines = vec![("Samples", samples)];
    lines.extend(settings_words(&identification.settings));
    if let Some(optimality) = identification.optimality {
        let solved = format!(
            "to a gap of {} in an objective of {}; least eigenvalue {} in units of the file's",
            number(optimality.gap, 2),
            number(optimality.objective, 4),
            number(optimality.least, 2)
        );
        lines.push(("Solved", solved));
    }
    if let Some(certificate) = &identification.problem().analysis().certificate {
        let state = if certificate.complete { "proven" } else { "not proven" };
        let rank = certificate.rank;
        let proof = format!("{state} to be all (rank {rank} of bodies and drives)");
        lines.push(("Base parameters", proof));
    }
    html! { dl.settings { @for (what, how) in lines { dt { (what) } dd { (how) } } } }
}
