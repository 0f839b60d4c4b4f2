//! An identification as one page: how good, the parameters, forces over time, the links, what the log excited, what was asked.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identification::{Courses, Identification};

use super::excitation::excitation_section;
use super::filters::filter_section;
use super::headline::{headline, judged};
use super::joints::{course_section, residual_table};
use super::links::link_section;
use super::parameters::parameter_section;
use super::settings::settings_words;
use crate::page::{page, section};
use crate::svg::escaped;
use crate::words::{count, number, percent, thousands};

pub(crate) const STYLE: &str = include_str!("identification.css");

const RESIDUALS: &str = "Norm of what is left over the norm of what was measured. <i>Model</i> is the final one, <i>least squares</i> the best fit \
    without the demand that bodies can exist, <i>file</i> the robot as it was read. Noise is what the estimator takes for it.";
const PARAMETERS: &str = "<i>σ</i> is the standard deviation, the larger of that for white noise (<i>σ if white</i>) and one from blocks of neighbouring samples. The drawing: \
    <span class=\"key sigma\"></span> least squares ± 2σ, <span class=\"key found\"></span> the model, <span class=\"key file\"></span> the file; each on its own scale.";
const COURSES: &str = "<span class=\"stroke measured\"></span> measured, <span class=\"stroke model\"></span> model, <span class=\"stroke prior\"></span> the file's prediction; \
    samples that were held out are shaded; where a joint with dry friction stands, no model can tell its force. Beside it what the model leaves: <span class=\"key model\"></span> training and <span class=\"stroke validation\"></span> validation as \
    histograms, dotted the normal distribution of the same size; and spectra of the measured signal and of what model and file leave of it.";
const LINKS: &str = "Each inertia drawn as the ellipsoid of uniform density that has it: filled with a dot for the identified one, dashed with a cross for the file's, to scale, in the \
    reference configuration. What no motion can show of a link is the file's, or follows from what the link must be to exist.";
const FILTERS: &str = "Spectra of the accelerations that were derived: <span class=\"stroke measured\"></span> unfiltered, <span class=\"stroke model\"></span> filtered. Motion falls \
    to a valley, noise rises from it; a good cut-off keeps the motion and stands before the noise. <code>--cutoff</code> moves it.";
const EXCITATION: &str = "How well this motion tells the base parameters apart.";

/// A self-contained page about an identification; `courses` are those of the logs it was made from. The same input gives the same page.
pub fn identification_html(identification: &Identification, courses: &Courses) -> String {
    let mechanism = identification.problem().mechanism();
    let mut out = header(mechanism, identification);
    section(&mut out, "What is left of the forces", RESIDUALS, &residual_table(identification));
    section(&mut out, "Forces over time", COURSES, &course_section(identification, courses));
    if let Some(filters) = filter_section(courses) {
        section(&mut out, "Where the filter ends", FILTERS, &filters);
    }
    section(&mut out, "Base parameters", PARAMETERS, &parameter_section(mechanism, identification));
    section(&mut out, "The links before and after", LINKS, &link_section(mechanism, identification));
    section(&mut out, "What the log excited", EXCITATION, &excitation_section(identification));
    if let Some(essential) = essential(identification) {
        section(&mut out, "Essential parameters", ESSENTIAL, &essential);
    }
    section(&mut out, "How it was done", "", &how(identification));
    out += FOOTER;
    page(&format!("{}: identified", mechanism.robot().name), STYLE, &out)
}

const ESSENTIAL: &str =
    "What remains when base parameters that the log cannot tell from zero are taken out one by one.";
const FOOTER: &str = "<footer>\n<p>SI units and radians. The parameters of a body are m (kg), mx, my, mz (kg m) and Ixx, Ixy, Iyy, Ixz, Iyz, Izz (kg m²) about the origin of its frame, \
    in its axes; those of a drive are Ia (inertia), fv (viscous friction), fc (Coulomb friction) and offset. A base parameter is named after its first term. \
    The JSON document has all digits.</p>\n</footer>\n";

fn header(mechanism: &Mechanism, identification: &Identification) -> String {
    let robot = mechanism.robot();
    let residuals = judged(identification);
    let consistent = identification.consistency.iter().filter(|link| link.is_consistent()).count();
    let bodies = identification.consistency.len();
    let held_out = if identification.validation.is_some() {
        "on samples never seen"
    } else {
        "on the samples it learnt from"
    };
    let mut out = format!(
        "<header>\n<p class=\"kicker\">What was identified</p>\n<h1>{}</h1>\n<div class=\"counts\">\n",
        escaped(&robot.name)
    );
    let weak = identification.excitation.weak.len();
    for (value, words, remark) in [
        (percent(residuals.model.total), "of the forces left", held_out.to_owned()),
        (percent(residuals.prior.total), "left by the file", "on the same samples".to_owned()),
        (
            identification.parameters.len().to_string(),
            "base parameters",
            if weak == 0 { "all excited".to_owned() } else { format!("{weak} weakly excited") },
        ),
        (format!("{consistent}/{bodies}"), "bodies that can exist", count(robot.bodies.len(), "moving body")),
    ] {
        let _ = writeln!(out, "<div><b>{value}</b><span>{words}</span><small>{remark}</small></div>");
    }
    out += "</div>\n<ul class=\"headline\">\n";
    for sentence in headline(identification) {
        let _ = writeln!(out, "<li>{}</li>", escaped(&sentence));
    }
    out += "</ul>\n";
    for note in identification.notes.iter().chain(mechanism.notes()) {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(note));
    }
    out += "</header>\n";
    out
}

fn essential(identification: &Identification) -> Option<String> {
    let essential = identification.essential.as_ref()?;
    let mut out = format!(
        "<p><b>{}</b> of {}, condition number {}.</p>\n<div class=\"wide\"><table class=\"numbers\"><caption>Essential parameters</caption><thead><tr><th scope=\"col\">base parameter</th>\
         <th scope=\"col\">value</th><th scope=\"col\">σ</th></tr></thead><tbody>\n",
        essential.parameters.len(),
        count(identification.parameters.len(), "base parameter"),
        number(essential.condition_number, 3),
    );
    for (k, &parameter) in essential.parameters.iter().enumerate() {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&identification.parameters[parameter].name),
            number(essential.values[k], 5),
            number(essential.sigma[k], 2),
        );
    }
    out += "</tbody></table></div>\n";
    Some(out)
}

fn how(identification: &Identification) -> String {
    let mut out = String::from("<dl class=\"settings\">\n");
    let mut line = |what: &str, how: &str| {
        let _ = writeln!(out, "<dt>{what}</dt><dd>{}</dd>", escaped(how));
    };
    line(
        "Samples",
        &match &identification.validation {
            Some(validation) => format!(
                "{} for training, {} for validation",
                thousands(identification.training.model.samples),
                thousands(validation.model.samples)
            ),
            None => {
                format!("{} for training, none held out", thousands(identification.training.model.samples))
            }
        },
    );
    for (what, how) in settings_words(&identification.settings) {
        line(what, &how);
    }
    if let Some(optimality) = identification.optimality {
        line(
            "Solved",
            &format!(
                "to a gap of {} in an objective of {}; least eigenvalue {} in units of the file's",
                number(optimality.gap, 2),
                number(optimality.objective, 4),
                number(optimality.least, 2)
            ),
        );
    }
    if let Some(certificate) = &identification.problem().analysis().certificate {
        let state = if certificate.complete { "proven" } else { "not proven" };
        line(
            "Base parameters",
            &format!(
                "that these are all, and no more, is {state} (rank {} of bodies and drives)",
                certificate.rank
            ),
        );
    }
    out += "</dl>\n";
    out
}
