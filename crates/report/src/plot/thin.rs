//! Long curves with no more points than the screen can show.

use crate::svg::Px;

/// Columns per pixel: lines are smoothed over neighbouring pixels, so one column is a little coarse.
const COLUMNS: f64 = 2.0;

/// A curve as pieces without gaps: points that can't be shown (NaN) end a piece. Of the neighbouring
/// points in one column of pixels the first, the lowest, the highest and the last stay, which draw
/// the same stroke as all of them.
pub(super) fn curve(points: impl Iterator<Item = Px>) -> Vec<Vec<Px>> {
    let mut pieces: Vec<Vec<Px>> = Vec::new();
    let mut piece = Vec::new();
    let mut column: Vec<Px> = Vec::new();
    for point in points {
        if point.0.is_nan() || point.1.is_nan() {
            flush(&mut column, &mut piece);
            if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
            continue;
        }
        if column.first().is_some_and(|first| (COLUMNS * first.0).floor() != (COLUMNS * point.0).floor()) {
            flush(&mut column, &mut piece);
        }
        column.push(point);
    }
    flush(&mut column, &mut piece);
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// Moves what a column needs to its piece.
fn flush(column: &mut Vec<Px>, piece: &mut Vec<Px>) {
    if column.len() <= 4 {
        piece.append(column);
        return;
    }
    let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
    let indices = || 0..column.len();
    let lowest = indices().min_by(by_height).unwrap_or(0);
    let highest = indices().max_by(by_height).unwrap_or(0);
    let mut kept = [0, lowest, highest, column.len() - 1];
    kept.sort_unstable();
    let mut before = None;
    for index in kept {
        if before != Some(index) {
            piece.push(column[index]);
        }
        before = Some(index);
    }
    column.clear();
}

/// Scattered points, those that fall on one another drawn once.
pub(super) fn cloud(points: impl Iterator<Item = Px>) -> Vec<Px> {
    let mut seen = std::collections::HashSet::new();
    let cell = |x: f64| x.round() as i64;
    points
        .filter(|p| !p.0.is_nan() && !p.1.is_nan())
        .filter(|p| seen.insert((cell(p.0), cell(p.1))))
        .collect()
}

/// Points at least so far from the one before: places for markers.
pub(super) fn spaced(points: impl Iterator<Item = Px>, distance: f64) -> Vec<Px> {
    let mut kept: Vec<Px> = Vec::new();
    for point in points {
        if kept.last().is_none_or(|last| (last.0 - point.0).hypot(last.1 - point.1) >= distance) {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{cloud, curve};

    #[test]
    fn a_million_points_become_thousands_and_keep_every_spike() {
        let spike = |k: usize| k % 99_991 == 50_000;
        let points =
            (0..1_000_000).map(|k| (k as f64 * 700.0 / 1e6, if spike(k) { -40.0 } else { (k as f64).sin() }));
        let thin = curve(points.clone());
        assert_eq!(thin.len(), 1);
        assert!(thin[0].len() <= 4 * 2 * 700, "{} points", thin[0].len());
        let spikes: Vec<f64> = points.filter(|p| p.1 == -40.0).map(|p| p.0).collect();
        let kept: Vec<f64> = thin[0].iter().filter(|p| p.1 == -40.0).map(|p| p.0).collect();
        assert_eq!(spikes, kept);
    }

    #[test]
    fn each_column_keeps_its_extremes_and_its_order() {
        let points: Vec<_> = (0..1000).map(|k| (k as f64 / 100.0, ((k * 7919) % 1000) as f64)).collect();
        let thin = &curve(points.iter().copied())[0];
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for column in 0..20 {
            let inside = |p: &&(f64, f64)| (p.0 * 2.0).floor() as i32 == column;
            let ends = |points: &[(f64, f64)]| {
                let heights = || points.iter().filter(inside).map(|p| p.1);
                (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max))
            };
            assert_eq!(ends(&points), ends(thin), "column {column}");
        }
    }

    #[test]
    fn short_curves_stay_as_they_are_and_gaps_stay_gaps() {
        let nan = f64::NAN;
        let points = [(nan, 0.0), (0.0, 1.0), (0.1, 2.0), (0.2, nan), (nan, nan), (5.0, 3.0)];
        assert_eq!(curve(points.into_iter()), [vec![(0.0, 1.0), (0.1, 2.0)], vec![(5.0, 3.0)]]);
        assert_eq!(curve([].into_iter()), Vec::<Vec<_>>::new());
    }

    #[test]
    fn points_on_one_another_are_drawn_once() {
        let points = (0..10_000).map(|k| (f64::from(k % 7), f64::from(k % 3)));
        assert_eq!(cloud(points.chain([(f64::NAN, 1.0)])).len(), 21);
    }
}
