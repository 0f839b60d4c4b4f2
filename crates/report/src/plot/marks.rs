//! The marks of a series: curves, points, bars.

use super::axis::Ruler;
use super::draw::{COLOURS, Drawn, Frame, Rulers};
use super::{Mark, Series, thin};
use crate::svg::{Drawing, Px};

/// Coordinates far outside are pulled in: no program draws 10³⁰⁰ pixels.
pub(super) fn pixel(point: (f64, f64), x: &Ruler, y: &Ruler, frame: Frame) -> Px {
    let near = |place: f64| if place.is_nan() { place } else { place.clamp(-20.0, 20.0) };
    let (across, up) = (near(x.place(point.0)), near(y.place(point.1)));
    (frame.left + across * (frame.right - frame.left), frame.bottom - up * (frame.bottom - frame.top))
}

pub(super) fn marks(out: &mut Drawing, d: &Drawn<'_>, rulers: &Rulers, frame: Frame) {
    let series = d.series;
    let y = rulers.of(series);
    let colour = series.colour % COLOURS;
    out.open("class", &series.class());
    if !series.name.is_empty() {
        out.title(&series.name);
    }
    let pixels = d.points().map(|point| pixel(point, &rulers.x, y, frame));
    match series.mark {
        Mark::Line => lines(out, series, thin::curve(pixels)),
        Mark::Step => {
            let mut before: Option<Px> = None;
            let corners = pixels.flat_map(|point| {
                let corner = before.map(|last| (point.0, last.1));
                before = Some(point);
                corner.into_iter().chain([point])
            });
            lines(out, series, thin::curve(corners));
        }
        Mark::Points => {
            let points = thin::cloud(pixels);
            let radius = if points.len() > 400 { 1.4 } else { 2.6 };
            for point in points {
                marker(out, colour, point, radius);
            }
        }
        Mark::Bars | Mark::Histogram(_) => {
            let floor = if y.log { frame.bottom } else { pixel((0.0, 0.0), &rulers.x, y, frame).1 };
            for (k, &height) in d.ys.iter().enumerate().take(d.xs.len().saturating_sub(1)) {
                let (x1, end) = pixel((d.xs[k], height), &rulers.x, y, frame);
                let x2 = pixel((d.xs[k + 1], height), &rulers.x, y, frame).0;
                if (x1 + x2 + end).is_finite() && end != floor {
                    out.polygon("plot-bar", &[(x1, floor), (x1, end), (x2, end), (x2, floor)]);
                }
            }
        }
    }
    out.close();
}

fn lines(out: &mut Drawing, series: &Series, pieces: Vec<Vec<Px>>) {
    for piece in &pieces {
        match piece[..] {
            // A point between two gaps would be a line without length.
            [point] => out.circle("plot-point", point, 1.6),
            _ => out.polyline(series.stroke.class(), piece),
        }
    }
}

/// Markers of a curve, which may reach over the edge.
pub(super) fn markers(out: &mut Drawing, d: &Drawn<'_>, rulers: &Rulers, frame: Frame) {
    if !d.series.markers || !matches!(d.series.mark, Mark::Line | Mark::Step) {
        return;
    }
    let colour = d.series.colour % COLOURS;
    let inside = |&(x, y): &Px| {
        (frame.left - 0.1..=frame.right + 0.1).contains(&x)
            && (frame.top - 0.1..=frame.bottom + 0.1).contains(&y)
    };
    let pixels = d.points().map(|point| pixel(point, &rulers.x, rulers.of(d.series), frame));
    let places = thin::spaced(pixels.filter(inside), 14.0);
    out.open("class", &format!("colour-{colour}"));
    for place in places {
        marker(out, colour, place, 3.2);
    }
    out.close();
}

/// A shape for each colour, of about the same area.
pub(super) fn marker(out: &mut Drawing, colour: usize, (x, y): Px, r: f64) {
    let polygon = |out: &mut Drawing, corners: &[Px]| {
        let corners: Vec<Px> = corners.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
        out.polygon("plot-point", &corners);
    };
    match colour {
        1 => polygon(out, &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(out, &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)]),
        3 => polygon(out, &[(0.0, -1.4), (1.1, 0.0), (0.0, 1.4), (-1.1, 0.0)]),
        4 => polygon(out, &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)]),
        _ => out.circle("plot-point", (x, y), r),
    }
}

/// What stands before a name in the legend.
pub(super) fn swatch(out: &mut Drawing, d: &Drawn<'_>, (x, y): Px) {
    let colour = d.series.colour % COLOURS;
    let line = matches!(d.series.mark, Mark::Line | Mark::Step);
    if line {
        out.line(d.series.stroke.class(), (x, y), (x + 20.0, y));
    }
    if d.is_bars() {
        out.polygon(
            "plot-bar",
            &[(x + 3.0, y - 5.0), (x + 17.0, y - 5.0), (x + 17.0, y + 5.0), (x + 3.0, y + 5.0)],
        );
    }
    if d.series.mark == Mark::Points || (line && d.series.markers) {
        marker(out, colour, (x + 10.0, y), 3.2);
    }
}
