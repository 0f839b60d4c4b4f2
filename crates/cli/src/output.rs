//! Writing for people and for programs.

use std::io::{BufWriter, ErrorKind, Write};

use comfy_table::{CellAlignment, Table, TableComponent, presets};
pub(crate) use steiner::report::wrapped;

use crate::hints::with_hint;

/// Why a command did not finish.
pub(crate) enum Failure {
    /// One sentence for the user.
    Message(String),
    /// The answer was printed, and it is no.
    Refuted,
    /// Whoever read our output went away.
    BrokenPipe,
}

impl<E: std::error::Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Message(with_hint(&error))
    }
}

/// Prints a document on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(unwritten)
}

fn unwritten(error: std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Message(format!("standard output cannot be written ({error})")),
    }
}

/// Prints one JSON document as it is made.
pub(crate) fn stream_json(
    write: impl FnOnce(&mut dyn Write) -> serde_json::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    write(&mut out).map_err(|error| unwritten(error.into()))?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(unwritten)
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

/// Columns of the terminal; of text that goes elsewhere, the variable COLUMNS or 100.
pub(crate) fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    asked.or(Table::new().width().map(usize::from)).unwrap_or(100).clamp(40, 400)
}

/// Up to five significant digits, without trailing zeros.
pub(crate) fn number(x: f64) -> String {
    steiner::report::number(x, 5)
}
