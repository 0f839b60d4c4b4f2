//! Hints for misspelt names.

/// " (did you mean `x`?)" when some known name is close, "" otherwise.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    close_name(name, known).map_or_else(String::new, |close| format!(" (did you mean `{close}`?)"))
}

/// The known name that a misspelt one is close to.
pub fn close_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let known: Vec<&str> = known.into_iter().collect();
    let (distance, close) = known.iter().map(|k| (edit_distance(name, k), *k)).min()?;
    // One slip in a short name, one in four letters of a long one; of a single letter nothing would remain.
    if length > 1 && distance <= 1.max(length / 4) {
        return Some(close);
    }
    // Or the only name that it is a part of: `elbow` of `elbow_joint`.
    let mut longer = known.into_iter().filter(|k| length > 2 && k.contains(name));
    longer.next().filter(|_| longer.next().is_none())
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one name into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let lower = |s: &str| s.chars().take(64).map(|c| c.to_ascii_lowercase()).collect::<Vec<char>>();
    let (a, b) = (lower(a), lower(b));
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let substituted = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = substituted.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
