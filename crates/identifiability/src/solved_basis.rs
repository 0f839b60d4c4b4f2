//! A sparse basis, solved for the columns that are to go: v_d = e_d + Σ_b c_db e_b.
//!
//! Rows keep only their entries, so what a chain of bodies costs is what its base parameters have of terms.

use crate::nullspace::NullVector;

/// (column, value), ascending.
type Row = Vec<(usize, f64)>;

/// Entries below this, relative to the largest of their vector, are zero.
const ZERO_ENTRY: f64 = 1e-10;

/// Least pivots, relative to their rows, in the passes over the columns. Above the first, pivots are as large as
/// lengths make them, and the order decides. Where axes are all but aligned there are others, as small as the
/// misalignment: solving for such a parameter would make that into its inverse, so they come later.
const PIVOTS: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-5, 1e-7];
/// The same for columns whose order somebody gave, or that are small for another reason: gears have large ratios.
const WANTED_PIVOTS: [f64; 2] = [1e-5, 1e-7];

/// The basis solved for dependent columns: (column, its row with a one there). Those somebody wants to go come
/// first, as long as they can; then others, large pivots first and in order among equals; then those to keep.
///
/// In units that make parameters of different kinds comparable, so that none is negligible for being small
/// in its own. Rows stay in these units.
pub(crate) fn solve_for(
    vectors: &[NullVector],
    units: &[f64],
    [wanted, others, rest]: &[Vec<usize>; 3],
    is_geared: impl Fn(usize) -> bool,
) -> Vec<(usize, Row)> {
    let mut open = Open::new(vectors, units);
    let mut solved: Vec<(usize, Row)> = Vec::with_capacity(vectors.len());
    let mut row_of_column: Vec<Option<usize>> = vec![None; units.len()];
    let passes = [(wanted, &WANTED_PIVOTS[..]), (others, &PIVOTS[..]), (rest, &WANTED_PIVOTS[..])];
    for (order, least) in passes.into_iter().flat_map(|(order, all)| all.iter().map(move |&x| (order, x))) {
        for &column in order {
            if row_of_column[column].is_some() || solved.len() == vectors.len() {
                continue;
            }
            let least = if is_geared(column) { least.min(WANTED_PIVOTS[0]) } else { least };
            let Some(row) = open.take(column, least) else { continue };
            row_of_column[column] = Some(solved.len());
            solved.push((column, row));
        }
    }
    // A row has no entry in the columns chosen before it: from the last to the first, each is freed of those
    // chosen after it.
    for k in (0..solved.len()).rev() {
        let (column, mut row) = (solved[k].0, std::mem::take(&mut solved[k].1));
        let own: Vec<(usize, usize)> =
            row.iter().filter_map(|&(c, _)| Some((c, row_of_column[c].filter(|_| c != column)?))).collect();
        for (c, later) in own {
            row = without(&row, c, &solved[later].1);
        }
        solved[k].1 = row;
    }
    solved
}

/// Rows that are not solved for a column yet.
struct Open {
    rows: Vec<Option<Row>>,
    /// For each column, rows that have an entry there, or had one.
    rows_of: Vec<Vec<usize>>,
}

impl Open {
    fn new(vectors: &[NullVector], units: &[f64]) -> Self {
        let mut rows_of = vec![Vec::new(); units.len()];
        let scaled = |(r, vector): (usize, &NullVector)| {
            let row: Row = vector.entries.iter().map(|&(c, x)| (c, x / units[c])).collect();
            let most = largest(&row);
            row.iter().for_each(|(c, _)| rows_of[*c].push(r));
            Some(row.into_iter().map(|(c, x)| (c, if most > 0.0 { x / most } else { x })).collect())
        };
        let rows = vectors.iter().enumerate().map(scaled).collect();
        Open { rows, rows_of }
    }

    fn entry(&self, row: usize, column: usize) -> Option<f64> {
        let row = self.rows[row].as_ref()?;
        row.binary_search_by_key(&column, |(c, _)| *c).ok().map(|k| row[k].1)
    }

    /// Takes out the row with the largest entry in a column, if that is large enough in its row, and frees the
    /// others of the column.
    fn take(&mut self, column: usize, least: f64) -> Option<Row> {
        let mut having = std::mem::take(&mut self.rows_of[column]);
        having.sort_unstable();
        having.dedup();
        having.retain(|&r| self.entry(r, column).is_some());
        let size = |r: usize| self.entry(r, column).map_or(0.0, f64::abs);
        let best = having.iter().copied().fold(None, |best: Option<usize>, r| match best {
            Some(other) if size(other) >= size(r) => best,
            _ => Some(r),
        });
        let large = |r: &usize| {
            let most = self.rows[*r].as_deref().map_or(0.0, largest);
            size(*r) > least * most
        };
        let Some(best) = best.filter(large) else {
            self.rows_of[column] = having;
            return None;
        };
        let pivot = self.entry(best, column)?;
        let chosen: Row = self.rows[best].take()?.into_iter().map(|(c, x)| (c, x / pivot)).collect();
        for r in having.into_iter().filter(|&r| r != best) {
            let Some(row) = self.rows[r].take() else { continue };
            let freed = without(&row, column, &chosen);
            chosen.iter().for_each(|(c, _)| self.rows_of[*c].push(r));
            self.rows[r] = Some(freed);
        }
        Some(chosen)
    }
}

fn largest(row: &[(usize, f64)]) -> f64 {
    row.iter().fold(0.0, |most: f64, (_, x)| most.max(x.abs()))
}

/// A row freed of a column by another that is one there.
fn without(row: &[(usize, f64)], column: usize, by: &[(usize, f64)]) -> Row {
    let Ok(at) = row.binary_search_by_key(&column, |(c, _)| *c) else { return row.to_vec() };
    let factor = row[at].1;
    let negligible = ZERO_ENTRY * largest(row).max(factor.abs());
    let mut out = Row::with_capacity(row.len() + by.len());
    let (mut a, mut b) = (row.iter().peekable(), by.iter().peekable());
    loop {
        let (c, x) = match (a.peek(), b.peek()) {
            (None, None) => return out,
            (Some(&&(c, x)), Some(&&(d, y))) if c == d => {
                a.next();
                b.next();
                (c, x - factor * y)
            }
            (Some(&&(c, x)), other) if other.is_none_or(|&&(d, _)| c < d) => {
                a.next();
                // Untouched, however small it is.
                out.push((c, x));
                continue;
            }
            (_, Some(&&(d, y))) => {
                b.next();
                (d, -factor * y)
            }
            (Some(_), None) => return out,
        };
        if c != column && x.abs() >= negligible && x != 0.0 {
            out.push((c, x));
        }
    }
}
