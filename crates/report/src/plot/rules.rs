//! Lines across a chart at values that matter, with their names.

use super::draw::{Drawn, Frame, Rulers, SIZE};
use super::marks::pixel;
use super::{Plot, Rule};
use crate::svg::{Drawing, Px, text_width};

/// Where a rule lies, if it is inside: px from the left, or from the top.
fn place(rule: &Rule, rulers: &Rulers, frame: Frame) -> Option<f64> {
    let place = if rule.upright { rulers.x.place(rule.value) } else { rulers.y.place(rule.value) };
    let inside = (0.0..=1.0).contains(&place);
    inside.then_some(match rule.upright {
        true => frame.left + place * (frame.right - frame.left),
        false => frame.bottom - place * (frame.bottom - frame.top),
    })
}

pub(super) fn lines(out: &mut Drawing, plot: &Plot, rulers: &Rulers, frame: Frame) {
    for rule in &plot.rules {
        match (rule.upright, place(rule, rulers, frame)) {
            (true, Some(x)) => out.line("plot-rule", (x, frame.top), (x, frame.bottom)),
            (false, Some(y)) => out.line("plot-rule", (frame.left, y), (frame.right, y)),
            (_, None) => {}
        }
    }
}

/// Names stand where they cover the least: beside the top of an upright line, on
/// one of the ends of a level one.
pub(super) fn names(out: &mut Drawing, plot: &Plot, drawn: &[Drawn<'_>], rulers: &Rulers, frame: Frame) {
    for rule in plot.rules.iter().filter(|rule| !rule.name.is_empty()) {
        let Some(place) = place(rule, rulers, frame) else { continue };
        let room = text_width(&rule.name, SIZE) + 6.0;
        let (before, after) = match rule.upright {
            true => ((place - 5.0, frame.top + 11.0), (place + 5.0, frame.top + 11.0)),
            false => ((frame.right - 4.0, place - 4.0), (frame.left + 4.0, place - 4.0)),
        };
        let covered = |(x, y): Px, from: f64| {
            let leaves = x - from * room < frame.left || x + (1.0 - from) * room > frame.right;
            let sheet = [(x - from * room, y - SIZE), (x + (1.0 - from) * room, y + 3.0)];
            usize::from(leaves) * 1_000_000 + crossings(drawn, rulers, frame, sheet)
        };
        match covered(after, 0.0) < covered(before, 1.0) || (rule.upright && covered(after, 0.0) == 0) {
            true => out.text("plot-tick", after, &rule.name),
            false => out.text("plot-tick plot-end", before, &rule.name),
        }
    }
}

/// How many strokes of the data pass a rectangle.
fn crossings(drawn: &[Drawn<'_>], rulers: &Rulers, frame: Frame, [low, high]: [Px; 2]) -> usize {
    let passes = |a: Px, b: Px| {
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        if b.0 < low.0 || a.0 > high.0 {
            return false;
        }
        // Heights of the stroke where it enters and leaves the columns of the rectangle.
        let at = |x: f64| if b.0 > a.0 { a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0) } else { a.1 };
        let ends = [at(a.0.max(low.0)), if b.0 > a.0 { at(b.0.min(high.0)) } else { b.1 }];
        ends[0].min(ends[1]) <= high.1 && ends[0].max(ends[1]) >= low.1
    };
    let of_series = |d: &Drawn<'_>| {
        let mut before: Option<Px> = None;
        let mut count = 0;
        for point in d.points().map(|point| pixel(point, &rulers.x, rulers.of(d.series), frame)) {
            count += usize::from(passes(before.unwrap_or(point), point));
            before = Some(point);
        }
        count
    };
    drawn.iter().map(of_series).sum()
}
