//! What all pages share: one file with its style inside, sections, and the words for what is measured.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use crate::svg::hue;

const STYLE: &str = concat!(include_str!("style.css"), include_str!("plot/plot.css"));

/// A whole page: no network, no scripts, light and dark. `style` is added to the common one.
pub(crate) fn page(title: &str, style: &'static str, content: Markup) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { "\n" (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            "\n"
            body { main { (content) } }
        }
        "\n"
    };
    page.into_string()
}

/// A section under its title, with words about it where there are any.
pub(crate) fn section(title: impl Render, about: impl Render, content: Markup) -> Markup {
    let about = about.render();
    html! {
        section {
            h2 { (title) } "\n"
            @if !about.0.is_empty() { p.about { (about) } "\n" }
            (content)
        }
        "\n"
    }
}

/// The large figures of a header: value, words, remark.
pub(crate) fn counts(figures: &[(String, &str, String)]) -> Markup {
    html! {
        div.counts {
            @for (value, words, remark) in figures {
                div { b { (value) } span { (words) } small { (remark) } }
            }
        }
    }
}

/// The sentences a header says after its figures.
pub(crate) fn headline_list(sentences: &[String]) -> Markup {
    html! { ul.headline { @for sentence in sentences { li { (sentence) } } } }
}

/// The verdict and, where there are any, the alarms behind it.
pub(crate) fn verdict_list(sentences: &[String]) -> Markup {
    let (first, alarms) =
        sentences.split_first().map_or((None, &[][..]), |(first, rest)| (Some(first), rest));
    html! {
        @if let Some(first) = first {
            div.verdict.alarmed[!alarms.is_empty()] {
                p { (first) }
                @if !alarms.is_empty() { ul { @for alarm in alarms { li { (alarm) } } } }
            }
        }
    }
}

/// Notes, a paragraph each.
pub(crate) fn remarks(notes: &[String]) -> Markup {
    html! { @for note in notes { p.remark { (note) } } }
}

/// A dot in the colour of a body.
pub(crate) fn body_chip(body: usize) -> Markup {
    html! { i.chip style={ "--h:" (hue(body)) } {} }
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
