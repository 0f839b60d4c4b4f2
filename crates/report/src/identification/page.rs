//! An identification as one page: how good, forces over time, the parameters, the links, what the log
//! excited, what was asked.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identification::{Courses, Identification};

use super::excitation::excitation_section;
use super::filters::filter_section;
use super::forces_over_time::force_charts;
use super::headline::{headline, judged};
use super::links::link_section;
use super::parameters::parameter_table;
use super::residual_table::residual_table;
use super::settings::settings_words;
use crate::notes::identification_note;
use crate::page::{counts, headline_list, page, remarks, section};
use crate::words::{count, number, percent, thousands};

pub(crate) const STYLE: &str = include_str!("identification.css");

/// A self-contained page about an identification; `courses` are those of the logs it was made from. The same
/// input gives the same page.
pub fn identification_html(identification: &Identification, courses: &Courses) -> String {
    let mechanism = identification.problem().mechanism();
    let content = html! {
        (header(mechanism, identification))
        (section("Residuals", about_residuals(), residual_table(identification)))
        (section("Forces over time", about_forces(), force_charts(identification, courses)))
        @if let Some(filters) = filter_section(courses) {
            (section("Where the filter ends", about_filters(), filters))
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
    What no motion can show of a link is the file's, or follows from what the link must be to exist.";
const EXCITATION: &str = "How well this motion tells the base parameters apart.";
const ESSENTIAL: &str =
    "What remains when base parameters that the log cannot tell from zero are taken out one by one.";
const FOOTER: &str = "SI units and radians. The parameters of a body are m (kg), mx, my, mz (kg m) and Ixx, \
    Ixy, Iyy, Ixz, Iyz, Izz (kg m²) about the origin of its frame, in its axes; those of a drive are Ia \
    (inertia), fv (viscous friction), fc (Coulomb friction) and offset. A base parameter is named after its \
    first term. The JSON document has all digits.";

fn about_residuals() -> Markup {
    html! {
        "Relative residual: RMS of measured minus predicted, over RMS of measured. " i { "Model" } " is the final one, "
        i { "least squares" } " the best fit without physical consistency, " i { "file" }
        " the robot as it was read. Noise is what the estimator takes for it."
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
        span.stroke.prior {} " the file's prediction; samples that were held out are shaded; where a joint \
        with dry friction stands, no model can tell its force. Beside it what the model leaves: "
        span.key.model {} " training and " span.stroke.validation {} " validation as histograms, dotted the \
        normal distribution of the same size; and spectra of the measured signal and of what model and file \
        leave of it."
    }
}

fn about_filters() -> Markup {
    html! {
        "Spectra of the accelerations that were derived: " span.stroke.measured {} " unfiltered, "
        span.stroke.model {} " filtered. Motion falls to a valley, noise rises from it; a good cut-off \
        keeps the motion and stands before the noise. Another one can be given."
    }
}

fn header(mechanism: &Mechanism, identification: &Identification) -> Markup {
    let robot = mechanism.robot();
    let residuals = judged(identification);
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
    let figures = [
        (percent(residuals.model.total), "relative residual", samples.to_owned()),
        (percent(residuals.prior.total), "with the file's inertias", "on the same samples".to_owned()),
        (identification.parameters.len().to_string(), "base parameters", excited),
        (
            format!("{consistent}/{bodies}"),
            "physically consistent bodies",
            count(robot.bodies.len(), "moving body"),
        ),
    ];
    html! {
        header {
            p.kicker { "What was identified" }
            h1 { (robot.name) }
            (counts(&figures))
            (headline_list(&headline(identification)))
            (remarks(&identification.notes.iter().map(identification_note).collect::<Vec<_>>()))
        }
        "\n"
    }
}

fn essential_parameters(identification: &Identification) -> Option<Markup> {
    let essential = identification.essential.as_ref()?;
    Some(html! {
        p {
            b { (essential.parameters.len()) } " of "
            (count(identification.parameters.len(), "base parameter")) ", condition number "
            (number(essential.condition_number, 3)) "."
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
                            th scope="row" { (identification.parameters[parameter].name) }
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
        let proof = format!("that these are all, and no more, is {state} (rank {rank} of bodies and drives)");
        lines.push(("Base parameters", proof));
    }
    html! { dl.settings { @for (what, how) in lines { dt { (what) } dd { (how) } } } }
}
