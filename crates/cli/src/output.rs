//! Writing for people and for programs.

use std::io::{ErrorKind, Write};

use comfy_table::{CellAlignment, Table, TableComponent, presets};

/// Why a command did not finish.
pub(crate) enum Failure {
    /// One sentence for the user.
    Message(String),
    /// Whoever read our output went away.
    BrokenPipe,
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Message(error.to_string())
    }
}

/// Prints a document on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Message(format!("standard output cannot be written ({error})")),
    })
}

/// Prints one JSON document.
pub(crate) fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// A table with light rules and numbers to the right in the given columns.
pub(crate) fn table(header: &[&str], numeric: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_header(header.to_vec());
    table.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
    for &column in numeric {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Up to five significant digits, without trailing zeros.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let digits = (4 - x.abs().log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// "1 loop", "2 loops".
pub(crate) fn count(n: usize, noun: &str) -> String {
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ => format!("{n} {noun}s"),
    }
}
