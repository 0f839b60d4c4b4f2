//! What all pages share: one file with its style inside, sections, and the words for what is measured.

use std::fmt::Write;

use crate::svg::escaped;

const STYLE: &str = concat!(include_str!("style.css"), include_str!("plot/plot.css"));

/// A whole page: no network, no scripts, light and dark. `style` is added to the common one; `content` is ours, with names escaped.
pub(crate) fn page(title: &str, style: &str, content: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{content}</main>\n</body>\n</html>\n"
    )
}

pub(crate) fn section(out: &mut String, title: &str, about: &str, content: &str) {
    let about = if about.is_empty() { String::new() } else { format!("<p class=\"about\">{about}</p>\n") };
    let _ = write!(out, "<section>\n<h2>{title}</h2>\n{about}{content}</section>\n");
}

/// What the terms of a measurement mean.
pub(crate) fn measure_words(measure: &str) -> String {
    let term = |term: &str| match term.trim().split_once(':') {
        None => match term.trim() {
            "all" => "every generalised force".to_owned(),
            "static" => "every generalised force, at rest".to_owned(),
            "base-wrench" => "the wrench between the ground and the robot".to_owned(),
            other => other.to_owned(),
        },
        Some(("joints", names)) => format!("the forces of {names}"),
        Some(("wrench", name)) => format!("the wrench inside {name}"),
        Some(_) => term.to_owned(),
    };
    measure.split('+').map(term).collect::<Vec<_>>().join(", and ")
}
