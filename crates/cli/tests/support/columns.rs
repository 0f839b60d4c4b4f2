//! Logs with columns that are wrong.

/// A CSV log with one column changed: from the row's own value and that of `delay` rows before.
pub(crate) fn changed(text: &str, column: &str, factor: f64, delay: usize) -> String {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let at = rows[0].iter().position(|name| *name == column).expect("the column");
    let line = |k: usize| {
        let value: f64 = rows[k.saturating_sub(delay).max(1)][at].parse().expect("a number");
        let value = format!("{}", factor * value);
        let mut row = rows[k].clone();
        row[at] = &value;
        row.join(",")
    };
    let lines: Vec<String> = std::iter::once(rows[0].join(",")).chain((1..rows.len()).map(line)).collect();
    lines.join("\n") + "\n"
}

/// A CSV log in which a coordinate counts the other way, rates included where they were recorded.
pub(crate) fn mirrored(text: &str, joint: &str) -> String {
    let names: Vec<String> = ["q", "qd", "qdd"].map(|what| format!("{what}_{joint}")).into();
    let recorded =
        |name: &&String| text.lines().next().is_some_and(|row| row.split(',').any(|own| own == *name));
    names.iter().filter(recorded).fold(text.to_owned(), |log, name| changed(&log, name, -1.0, 0))
}
