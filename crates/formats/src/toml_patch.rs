//! Writing into a native mechanism file: inertias and drives are exchanged, and everything
//! else comes back byte for byte.

use std::ops::Range;

use steiner_files::Place;
use steiner_robot::{Description, RobotError};
use toml_edit::{Item, TableLike};

use crate::decimal::{shortest, unprintable};
use crate::error::FormatError;
use crate::toml_writer::{friction_entry, inertia_entry};

/// The text of a native file with the inertias, rotor inertias and friction of `new`, a description of the
/// robot that the text describes; `file` is what messages call it. What `old`, the description of the text
/// itself, says already keeps its characters.
///
/// # What this does not do
/// An `inertia` or `friction` written as a table of its own, or with dotted keys, is refused: there is
/// no one place to put the new one.
pub fn patch_toml(
    text: &str,
    file: &str,
    old: &Description,
    new: &Description,
) -> Result<String, FormatError> {
    let place = Place::file(file);
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|error| FormatError::Syntax {
        place: place.clone(),
        reason: error.message().lines().next().unwrap_or("not TOML").to_owned(),
    })?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let tables = bodies(document.as_table().get("body"));
    let name_of = |table: &dyn TableLike| table.get("name").and_then(Item::as_str).map(str::to_owned);
    let names: Vec<String> = tables.iter().filter_map(|table| name_of(*table)).collect();
    for link in new.links.iter().filter(|link| !names.contains(&link.name)) {
        // A root that was set free may be a body that the text does not have.
        if !changes(&link.name, old, new)?.is_empty() {
            return Err(RobotError::Element {
                place,
                element: format!("body `{}`", link.name),
                problem: "it is not in the file, but has new numbers".to_owned(),
                remedy: "write a new file".to_owned(),
            }
            .into());
        }
    }
    for table in tables {
        let Some(name) = name_of(table) else { continue };
        let name = name.as_str();
        for (key, value) in changes(name, old, new)? {
            let edit = match table.get(key) {
                Some(item) => exchanged(item, value),
                None => added(text, table, key, &value),
            };
            edits.push(edit.ok_or_else(|| RobotError::Element {
                place: place.clone(),
                element: format!("body `{name}`"),
                problem: format!("its `{key}` is not written as one value"),
                remedy: format!("write `{key} = …` on one line"),
            })?);
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len() + 1024);
    let mut at = 0;
    for (range, value) in &edits {
        out += &text[at..range.start];
        out += value;
        at = range.end;
    }
    Ok(out + &text[at..])
}

fn bodies(item: Option<&Item>) -> Vec<&dyn TableLike> {
    match item {
        Some(Item::ArrayOfTables(tables)) => tables.iter().map(|table| table as &dyn TableLike).collect(),
        Some(Item::Value(toml_edit::Value::Array(tables))) => {
            tables.iter().filter_map(|value| value.as_inline_table()).map(|t| t as &dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// Keys of a body with their new values.
fn changes(
    name: &str,
    old: &Description,
    new: &Description,
) -> Result<Vec<(&'static str, String)>, FormatError> {
    let mut out = Vec::new();
    let link = |d: &Description| d.links.iter().find(|link| link.name == name).and_then(|link| link.inertia);
    if let Some(inertia) = link(new).filter(|inertia| link(old) != Some(*inertia)) {
        if let Some(reason) = unprintable(&inertia) {
            let element = format!("body `{name}`");
            return Err(RobotError::Inertia { place: new.place.clone(), element, reason }.into());
        }
        out.push(("inertia", inertia_entry(&inertia)));
    }
    let joint = |d: &Description| {
        d.joints.iter().find(|joint| joint.child == name).map(|j| (j.joint.rotor_inertia, j.joint.friction))
    };
    if let (Some((rotor_before, friction_before)), Some((rotor, friction))) = (joint(old), joint(new)) {
        if rotor != rotor_before {
            out.push(("rotor_inertia", shortest(rotor)));
        }
        if friction != friction_before {
            out.push(("friction", friction_entry(&friction)));
        }
    }
    Ok(out)
}

/// The bytes of a value, and what takes their place.
fn exchanged(item: &Item, value: String) -> Option<(Range<usize>, String)> {
    let bytes = item.as_value()?.span()?;
    Some((bytes, value))
}

/// A new key behind the last one of the table: on a line of its own, or behind a comma in an inline table.
fn added(text: &str, table: &dyn TableLike, key: &str, value: &str) -> Option<(Range<usize>, String)> {
    let ends = table.iter().filter_map(|(_, item)| item.as_value()?.span().map(|span| span.end));
    let end = ends.max()?;
    if text[end..].trim_start_matches([' ', '\t']).starts_with(['\r', '\n', '#'])
        || text[end..].trim().is_empty()
    {
        let line_end = text[end..].find('\n').map_or(text.len(), |length| end + length);
        let line_end = if text[..line_end].ends_with('\r') { line_end - 1 } else { line_end };
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        return Some((line_end..line_end, format!("{newline}{key} = {value}")));
    }
    Some((end..end, format!(", {key} = {value}")))
}
