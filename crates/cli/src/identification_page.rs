//! What `steiner identify` says in a terminal.

use comfy_table::ContentArrangement;
use steiner::identification::{Essential, Identification, Residuals};
use steiner::report::{
    Knowledge, condition_words, count, group_name, headline, identification_note, link_summaries, number,
    percent, thousands, verdict_and_alarms,
};

use crate::output::{table, wrapped};

/// Rows of the table of links before the rest is left to --json and --html.
const MOST_LINKS: usize = 30;
/// Rows of the table of parameters before the rest is left to --table and --json.
const MOST_ROWS: usize = 80;

pub(crate) fn identification_page(answer: &Identification, width: usize) -> String {
    let mut page = String::new();
    let first = format!(
        "{}: {}{}, {} of them identifiable from this log of {} samples; {}",
        answer.robot.name,
        count(answer.parameters.len(), "base parameter"),
        of_links_and_drives(answer),
        answer.excitation.rank,
        thousands(answer.training.model.samples),
        condition_words(answer.excitation.condition_number)
    );
    page += &wrapped(&first, 2, width);
    let mut verdict = verdict_and_alarms(answer).into_iter();
    verdict.next().iter().for_each(|sentence| page += &wrapped(sentence, 2, width));
    verdict.for_each(|alarm| page += &wrapped(&format!("! {alarm}"), 2, width));
    headline(answer).iter().for_each(|sentence| page += &wrapped(sentence, 2, width));
    page += &link_table(answer, width);
    let mut parameters = table(&["base parameter", "value", "σ", "σ %", "file"], &[1, 2, 3, 4]);
    for (k, parameter) in answer.parameters.iter().enumerate().take(MOST_ROWS) {
        let knowledge = Knowledge::of(answer, k);
        let sigma = parameter.sigma;
        parameters.add_row([
            match knowledge.remark(parameter) {
                Some(remark) => format!("{} ({remark})", group_name(parameter)),
                None => group_name(parameter),
            },
            knowledge.value(parameter, |value| number(value, 5)),
            if sigma.is_finite() { number(sigma, 2) } else { "–".to_owned() },
            knowledge.relative_sigma(parameter),
            number(parameter.prior, 5),
        ]);
    }
    page += &format!("{parameters}\n");
    if answer.parameters.iter().any(|parameter| parameter.terms.len() > 1) {
        let group = "link.Ixx + … is a group: that parameter plus others that no torque can separate from it, so it \
            may be negative; --table FILE.csv lists the terms";
        page += &wrapped(group, 2, width);
    }
    if answer.parameters.len() > MOST_ROWS {
        let rest = answer.parameters.len() - MOST_ROWS;
        page += &format!("and {}: --table FILE.csv has them all\n", count(rest, "more parameter"));
    }
    page += &residual_table(answer, width);
    page += &impossible(answer, width);
    if let Some(essential) = &answer.essential {
        page += &essential_table(answer, essential);
    }
    for note in answer.notes.iter().map(identification_note) {
        page += &wrapped(&format!("- {note}"), 2, width);
    }
    if !answer.alarms.is_empty() {
        let with = format!("Identified with {}: see the top.", count(answer.alarms.len(), "alarm"));
        page += &wrapped(&with, 2, width);
    }
    page
}

/// " (36 of links, 22 of drives)": the analysis without drives counts only the former.
fn of_links_and_drives(answer: &Identification) -> String {
    let drives = answer.parameters.len() - answer.link_parameters();
    match drives {
        0 => String::new(),
        _ => format!(" ({} of links, {drives} of drives)", answer.link_parameters()),
    }
}

/// Masses and centres of mass, for those who do not want to open a page.
fn link_table(answer: &Identification, width: usize) -> String {
    let links = link_summaries(answer);
    if links.is_empty() {
        return String::new();
    }
    let mut rows = table(&["link", "mass, kg", "file", "centre of mass, m", "file"], &[2]);
    rows.set_content_arrangement(ContentArrangement::Dynamic).set_width(width as u16);
    for link in links.iter().take(MOST_LINKS) {
        rows.add_row([&link.link, &link.mass, &link.file_mass, &link.com, &link.file_com]);
    }
    let mut out = format!("{rows}\n");
    if links.len() > MOST_LINKS {
        let rest = count(links.len() - MOST_LINKS, "more link");
        out += &format!("and {rest}: --json and --html have them all\n");
    }
    if links.iter().any(|link| link.mass.contains("alone") || link.com.contains("alone")) {
        let remark = "not observable alone: forces depend on it only together with other parameters, and the \
            model's value is a guess that starts from the file's";
        out += &wrapped(remark, 2, width);
    }
    out
}

fn residual_table(answer: &Identification, width: usize) -> String {
    let evaluated = answer.validation.as_ref().unwrap_or(&answer.training);
    let (whose, judged) = match &answer.validation {
        Some(_) => ("held out", "held-out samples"),
        None => ("training", "training samples, as none were held out"),
    };
    let rms = format!("RMS {whose}");
    let mut residuals =
        table(&["residual of", "training", "held out", "least squares", "file", &rms], &[1, 2, 3, 4, 5]);
    let at = |residuals: &Residuals, k: usize| {
        [&residuals.model, &residuals.least_squares, &residuals.prior].map(|r| percent(r.rows[k].relative))
    };
    for (k, row) in answer.training.model.rows.iter().enumerate() {
        let [trained, ..] = at(&answer.training, k);
        let held_out = answer.validation.as_ref().map(|validation| at(validation, k));
        let [validated, squares, file] = held_out.unwrap_or_else(|| {
            let [_, squares, file] = at(&answer.training, k);
            ["–".to_owned(), squares, file]
        });
        let rms = number(evaluated.model.rows[k].rms, 3);
        residuals.add_row([row.name.clone(), trained, validated, squares, file, rms]);
    }
    let remark = format!(
        "residual: RMS of measured minus predicted forces, relative to the RMS of the measured ones, and in N·m or N; \
         least squares (without consistency), file and {rms} are of the {judged}"
    );
    format!("{residuals}\n{}", wrapped(&remark, 2, width))
}

/// Bodies that are not physically consistent, and why.
fn impossible(answer: &Identification, width: usize) -> String {
    let wrong: Vec<String> = answer
        .consistency
        .iter()
        .filter_map(|link| Some(format!("{} ({})", link.link, link.problem.as_ref()?)))
        .collect();
    match wrong.is_empty() {
        true => String::new(),
        false => {
            wrapped(&format!("Bodies that are not physically consistent: {}.", wrong.join(", ")), 2, width)
        }
    }
}

fn essential_table(answer: &Identification, essential: &Essential) -> String {
    let mut rows = table(&["essential parameter", "value", "σ"], &[1, 2]);
    for (k, &parameter) in essential.parameters.iter().enumerate() {
        rows.add_row([
            group_name(&answer.parameters[parameter]),
            number(essential.values[k], 5),
            number(essential.sigma[k], 2),
        ]);
    }
    format!("{rows}\n")
}
