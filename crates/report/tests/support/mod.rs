//! What the tests share: robots that are wrong in a known way, snapshots, and pages looked at.
#![allow(dead_code)]

#[path = "../../../identification/tests/support/altered.rs"]
pub(crate) mod altered;
#[path = "../../../identification/tests/support/compared.rs"]
pub(crate) mod compared;

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_robot::{Robot, SensorSet};

pub(crate) fn zoo(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).expect("a robot")
}

pub(crate) fn mechanism(robot: Robot) -> Mechanism {
    Mechanism::new(robot).expect("a mechanism")
}

/// Sensors as they are written.
pub(crate) fn sensors(text: &str) -> SensorSet {
    text.parse().expect("sensors")
}

pub(crate) fn read(text: &str, format: Format) -> Robot {
    let options = ReadOptions::default();
    assemble(parse_text(text, "robot", format, None, &options).expect("a description"), &options)
        .expect("a robot")
}

/// Compares with a kept text; `STEINER_UPDATE_SNAPSHOTS=1` rewrites it.
pub(crate) fn snapshot(name: &str, seen: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("STEINER_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, seen).expect("a snapshot is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(seen, kept, "{name} changed; if that is meant, run with STEINER_UPDATE_SNAPSHOTS=1");
}

/// Every tag that is opened is closed, in order.
pub(crate) fn assert_well_formed(page: &str) {
    const EMPTY: [&str; 2] = ["meta", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes something else");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

/// Nothing from outside, and nothing that is no number.
pub(crate) fn assert_self_contained(page: &str) {
    for outside in ["http:", "https:", "<script", "@import", "url(", "NaN", "inf,", "\"inf\"", ">inf<"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// What a person reads on a page: one line for each block, numbers as `#`, drawings by their description.
pub(crate) fn words(page: &str) -> String {
    let body = page.split_once("<main>").map_or(page, |(_, body)| body);
    let mut text = String::new();
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        text += &rest[..start];
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        match name {
            "p" | "h1" | "h2" | "h3" | "li" | "tr" | "table" | "dt" | "section" | "div" | "caption"
            | "footer" => text.push('\n'),
            "td" | "th" | "dd" => text.push('\t'),
            _ => {}
        }
        if name == "svg" && !tag.starts_with('/') {
            let label = tag.split_once("aria-label=\"").and_then(|(_, label)| label.split_once('"'));
            text += &format!("[{}]", label.map_or("", |(label, _)| label));
            // Skip to the end of the drawing; windows inside it are drawings too.
            let (mut depth, mut at) = (1, end + 1);
            while depth > 0 {
                let next = at + rest[at..].find("svg").expect("a drawing ends");
                depth = match &rest[next - 1..next] {
                    "/" => depth - 1,
                    "<" => depth + 1,
                    _ => depth,
                };
                at = next + 3;
            }
            rest = &rest[at + 1..];
            continue;
        }
        rest = &rest[end + 1..];
    }
    let numbered = |line: &str| {
        let words = line.split_whitespace().map(|word| {
            let bare: String = word.chars().filter(|c| !"(),;×%[]".contains(*c)).collect();
            let number = bare.replace('−', "-").replace(',', "").parse::<f64>().is_ok();
            if number && !word.is_empty() { "#".to_owned() } else { word.to_owned() }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let lines = text.lines().map(numbered).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
