//! Settings and commands, spelt as whoever asked spells them.

use steiner_identification::Spelling;

/// A setting: `--hold-out`, `hold_out`.
pub(crate) fn setting(spelling: Spelling, name: &str) -> String {
    format!("{}{}", spelling.prefix, name.replace('_', spelling.separator))
}

/// A command: `steiner excite`, `steiner.excite`.
pub(crate) fn command(spelling: Spelling, name: &str) -> String {
    format!("`{}{name}`", spelling.command)
}

/// A setting that takes numbers, to be filled in: `--fix a.m=…,b.m=…`, `fix={"a.m": …, "b.m": …}`.
pub(crate) fn numbers_to_fill_in(spelling: Spelling, name: &str, labels: &[String]) -> String {
    let [first, equals, next, last] = spelling.numbers;
    let numbers: Vec<String> = labels.iter().map(|label| format!("{label}{equals}…")).collect();
    format!("`{}{first}{}{last}`", setting(spelling, name), numbers.join(next))
}
