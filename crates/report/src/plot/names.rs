//! Whose curve is whose: a name beside the end of each curve where that is
//! possible, a legend above otherwise.

use super::Mark;
use super::draw::{Drawn, Frame, Rulers, SIZE};
use super::marks::{pixel, swatch};
use crate::svg::{Drawing, fitted, text_width};

/// Names that stand beside each other, each with so much room, px: without the ending that all have, and cut
/// where that is not enough.
pub(super) fn shortened(names: &[String], room: f64) -> Vec<String> {
    let fits = |names: &[String]| names.iter().all(|name| text_width(name, SIZE) <= room);
    if fits(names) {
        return names.to_vec();
    }
    let ending = names[0].rfind('_').map_or("", |at| &names[0][at..]);
    let without: Option<Vec<String>> = names
        .iter()
        .map(|name| name.strip_suffix(ending).filter(|rest| !rest.is_empty()).map(str::to_owned))
        .collect();
    let names = without.filter(|_| names.len() > 1).unwrap_or_else(|| names.to_vec());
    names.iter().map(|name| crate::svg::fitted(name, SIZE, room)).collect()
}

/// Distance between names, px.
const APART: f64 = 15.0;

pub(super) enum Legend {
    /// Names beside the ends, which need so much room on the right, px.
    Direct { room: f64 },
    /// Indices of the series, row by row.
    Rows(Vec<Vec<usize>>),
}

/// Where a curve leaves the chart: its last point that is inside.
fn end(d: &Drawn<'_>, rulers: &Rulers) -> Option<(f64, f64)> {
    let inside = |place: f64| (-1e-9..=1.0 + 1e-9).contains(&place);
    d.points().rev().find(|&(x, y)| inside(rulers.x.place(x)) && inside(rulers.of(d.series).place(y)))
}

pub(super) fn legend(drawn: &[Drawn<'_>], rulers: &Rulers, width: f64) -> Legend {
    let named = || drawn.iter().filter(|d| !d.series.name.is_empty());
    let widest = named().map(|d| text_width(&d.series.name, SIZE)).fold(0.0, f64::max);
    let direct = widest < 0.25 * width
        && named().count() <= 8
        && named().all(|d| {
            let curve = matches!(d.series.mark, Mark::Line | Mark::Step) && !d.series.right;
            curve && end(d, rulers).is_some_and(|(x, _)| rulers.x.place(x) > 0.97)
        });
    if direct {
        return Legend::Direct { room: if widest > 0.0 { widest + 34.0 } else { 18.0 } };
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    let mut used = 0.0;
    for (index, d) in drawn.iter().enumerate().filter(|(_, d)| !d.series.name.is_empty()) {
        let own = entry_width(&d.series.name, width);
        if used + own > width - 70.0 && rows.last().is_some_and(|row| !row.is_empty()) {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += own;
        if let Some(row) = rows.last_mut() {
            row.push(index);
        }
    }
    rows.retain(|row| !row.is_empty());
    Legend::Rows(rows)
}

fn entry_width(name: &str, width: f64) -> f64 {
    text_width(name, SIZE).min(0.8 * width) + 46.0
}

pub(super) fn rows(out: &mut Drawing, drawn: &[Drawn<'_>], rows: &[Vec<usize>], left: f64, top: f64) {
    for (row, indices) in rows.iter().enumerate() {
        let y = top + 18.0 * row as f64;
        let mut x = left;
        for d in indices.iter().map(|&index| &drawn[index]) {
            out.open("class", &d.series.class());
            swatch(out, d, (x, y));
            out.text("plot-name", (x + 26.0, y + 4.0), &fitted(&d.series.name, SIZE, 600.0));
            out.close();
            x += entry_width(&d.series.name, 750.0);
        }
    }
}

/// Names beside the ends, moved apart where they would cover one another.
pub(super) fn direct(out: &mut Drawing, drawn: &[Drawn<'_>], rulers: &Rulers, frame: Frame) {
    let named = drawn.iter().filter(|d| !d.series.name.is_empty());
    let ends = named.filter_map(|d| {
        let end = end(d, rulers)?;
        Some((d, pixel(end, &rulers.x, rulers.of(d.series), frame)))
    });
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let wished: Vec<f64> = ends.iter().map(|(_, end)| end.1).collect();
    for ((d, (x, y)), place) in ends.iter().zip(moved_apart(&wished, frame.top, frame.bottom)) {
        out.open("class", &d.series.class());
        out.line("plot-leader", (x + 2.0, *y), (frame.right + 16.0, place));
        out.text("plot-name", (frame.right + 20.0, place + 4.0), &d.series.name);
        out.close();
    }
}

/// Heights near the wished ones (ascending), far enough from one another and inside while there is room.
fn moved_apart(wished: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let apart = APART.min((bottom - top) / (wished.len().max(2) - 1) as f64);
    // Blocks of touching names settle at the mean of what their members want.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &wish in wished {
        blocks.push((wish, 1));
        while let [.., (above, n), (below, m)] = blocks[..] {
            let half = 0.5 * apart * (n + m) as f64;
            if below - above >= half {
                break;
            }
            let total = (n + m) as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push(((above * n as f64 + below * m as f64) / total, n + m));
        }
    }
    let mut places: Vec<f64> = blocks
        .iter()
        .flat_map(|&(centre, n)| (0..n).map(move |k| centre + apart * (k as f64 - 0.5 * (n - 1) as f64)))
        .collect();
    let mut floor = top;
    for place in &mut places {
        *place = place.max(floor);
        floor = *place + apart;
    }
    let mut ceiling = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(ceiling);
        ceiling = *place - apart;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{APART, moved_apart};

    #[test]
    fn long_names_lose_their_common_ending_first() {
        let names = ["shoulder_pan_joint", "elbow_joint"].map(str::to_owned);
        assert_eq!(super::shortened(&names, 500.0), names);
        assert_eq!(super::shortened(&names, 90.0), ["shoulder_pan", "elbow"]);
        assert!(super::shortened(&names, 40.0)[0].ends_with('…'));
    }

    #[test]
    fn names_that_fit_stay_where_they_are() {
        assert_eq!(moved_apart(&[10.0, 50.0, 90.0], 0.0, 100.0), [10.0, 50.0, 90.0]);
    }

    #[test]
    fn names_at_one_height_spread_about_it_and_stay_inside() {
        assert_eq!(moved_apart(&[50.0, 50.0], 0.0, 100.0), [50.0 - 0.5 * APART, 50.0 + 0.5 * APART]);
        let crowded = moved_apart(&[99.0; 5], 0.0, 100.0);
        assert_eq!(crowded[4], 100.0);
        assert!(crowded.windows(2).all(|pair| pair[1] - pair[0] >= APART - 1e-9));
        assert!(moved_apart(&[3.0; 30], 0.0, 100.0).iter().all(|y| (-1e-9..=100.0 + 1e-9).contains(y)));
    }
}
