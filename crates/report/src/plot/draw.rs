//! A chart put together: room for the words, then the axes, then the marks.

use std::borrow::Cow;

use maud::PreEscaped;

use super::axis::{Axis, Ruler, Ticks};
use super::names::{self, Legend};
use super::{Mark, Plot, Scale, Series, marks, rules};
use crate::svg::{Drawing, text_width};

/// As many as the style has; a shape of marker for each.
pub(super) const COLOURS: usize = 7;
/// Size of the words, px.
pub(super) const SIZE: f64 = 12.0;

/// The rectangle of the data, px.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A series with the pixels it covers.
pub(super) struct Drawn<'a> {
    pub(super) series: &'a Series,
    pub(super) xs: Cow<'a, [f64]>,
    pub(super) ys: Cow<'a, [f64]>,
}

/// The three axes of a chart over its data.
pub(super) struct Rulers {
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    right: Ruler,
}

impl Rulers {
    pub(super) fn of(&self, series: &Series) -> &Ruler {
        if series.right { &self.right } else { &self.y }
    }
}

impl Drawn<'_> {
    /// Points as pairs; of bars the upper corners.
    pub(super) fn points(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + '_ {
        let count = self.xs.len().min(self.ys.len());
        (0..count).map(|k| (self.xs[k], self.ys[k]))
    }

    pub(super) fn is_bars(&self) -> bool {
        matches!(self.series.mark, Mark::Bars | Mark::Histogram(_))
    }
}

/// The light colours of the page's style in place of its variables, which programs
/// other than browsers don't know.
pub(super) fn own_style() -> PreEscaped<String> {
    const PAGE: &str = include_str!("../style.css");
    let mut style = include_str!("plot.css").to_owned();
    let light =
        PAGE.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(light, _)| light);
    for (name, value) in light.split(';').filter_map(|pair| pair.split_once(':')) {
        style = style.replace(&format!("var({})", name.trim()), value.trim());
    }
    PreEscaped(style + "svg { font-family: system-ui, \"Helvetica Neue\", \"DejaVu Sans\", sans-serif; }\n")
}

pub(super) fn drawing(plot: &Plot) -> Drawing {
    let drawn: Vec<Drawn<'_>> = plot.series.iter().map(|series| resolved(series, &plot.x)).collect();
    let rulers = rulers(plot, &drawn);
    let two = drawn.iter().any(|d| d.series.right);
    let (width, height) = plot.size;

    let legend = names::legend(&drawn, &rulers, width);
    let legend_height = if let Legend::Rows(rows) = &legend { 18.0 * rows.len() as f64 + 4.0 } else { 0.0 };
    let top = 10.0 + if plot.title.is_empty() { 0.0 } else { 24.0 } + legend_height;
    let bottom = height - 24.0 - if plot.x.label(0).is_empty() { 0.0 } else { 18.0 };
    let wished = (bottom - top) / 42.0;
    let (y_ticks, right_ticks) = (rulers.y.ticks(wished), rulers.right.ticks(wished));
    let beside = |axis: &Axis, ticks: &Ticks| {
        let widest = ticks.major.iter().map(|(_, label)| text_width(label, SIZE)).fold(0.0, f64::max);
        widest + 14.0 + if axis.label(ticks.exponent).is_empty() { 0.0 } else { 18.0 }
    };
    let left = beside(&plot.y, &y_ticks);
    let right = width
        - match &legend {
            _ if two => beside(&plot.right, &right_ticks),
            Legend::Direct { room } => *room,
            Legend::Rows(_) => 18.0,
        };
    let frame = Frame { left, top, right: right.max(left + 40.0), bottom: bottom.max(top + 30.0) };

    let mut out = Drawing::default();
    if !plot.title.is_empty() {
        let title = crate::svg::fitted(&plot.title, 15.0, width - 16.0);
        out.text("plot-title", (frame.left.min(60.0), 22.0), &title);
    }
    let x_ticks = match &plot.x.names[..] {
        [] => x_ticks(&rulers.x, frame.right - frame.left),
        names => {
            let room = (frame.right - frame.left) / names.len() as f64 - 6.0;
            rulers.x.named_ticks(&names::shortened(names, room))
        }
    };
    bands(&mut out, plot, &rulers, frame, false);
    axes(&mut out, plot, frame, &x_ticks, &y_ticks, two.then_some(&right_ticks), &drawn);
    out.open_window((frame.left, frame.top), (frame.right - frame.left, frame.bottom - frame.top));
    rules::lines(&mut out, plot, &rulers, frame);
    for d in drawn.iter().filter(|d| d.is_bars()).chain(drawn.iter().filter(|d| !d.is_bars())) {
        marks::marks(&mut out, d, &rulers, frame);
    }
    out.close_window();
    for d in &drawn {
        marks::markers(&mut out, d, &rulers, frame);
    }
    bands(&mut out, plot, &rulers, frame, true);
    rules::names(&mut out, plot, &drawn, &rulers, frame);
    if !drawn.iter().any(|d| {
        d.points()
            .any(|(x, y)| plot.x.shows(x) && if d.series.right { &plot.right } else { &plot.y }.shows(y))
    }) {
        let middle = (0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
        out.text("plot-tick plot-centred", middle, "nothing to show");
    }
    match legend {
        Legend::Direct { .. } => names::direct(&mut out, &drawn, &rulers, frame),
        Legend::Rows(rows) => {
            names::rows(&mut out, &drawn, &rows, frame.left.min(60.0), top - legend_height + 4.0)
        }
    }
    out
}

/// Histograms counted, the rest as it is.
fn resolved<'a>(series: &'a Series, x: &Axis) -> Drawn<'a> {
    let Mark::Histogram(bins) = series.mark else {
        return Drawn { series, xs: series.xs.as_slice().into(), ys: series.ys.as_slice().into() };
    };
    let ruler = x.ruler(series.xs.iter().copied(), 0.0);
    let mut counts = vec![0.0; bins];
    for &value in series.xs.iter().filter(|&&value| x.shows(value)) {
        let place = ruler.place(value);
        if (0.0..=1.0).contains(&place) {
            counts[((place * bins as f64) as usize).min(bins - 1)] += 1.0;
        }
    }
    let edge = |k: usize| {
        let along = ruler.low + (ruler.high - ruler.low) * k as f64 / bins as f64;
        if ruler.log { 10f64.powf(along) } else { along }
    };
    let counts = if series.xs.iter().any(|&value| x.shows(value)) { counts } else { Vec::new() };
    Drawn { series, xs: (0..=bins).map(edge).collect::<Vec<_>>().into(), ys: counts.into() }
}

fn rulers(plot: &Plot, drawn: &[Drawn<'_>]) -> Rulers {
    let horizontal = drawn.iter().flat_map(|d| {
        // The last edge of bars has no height of its own.
        let last = if d.is_bars() && !d.ys.is_empty() { d.xs.get(d.ys.len()).copied() } else { None };
        d.points().map(|(x, _)| x).chain(last)
    });
    let upright = plot.rules.iter().filter(|rule| rule.upright).map(|rule| rule.value);
    let points_alone = drawn.iter().any(|d| d.series.mark == Mark::Points);
    let vertical = |right: bool| {
        let axis = if right { &plot.right } else { &plot.y };
        let own = || drawn.iter().filter(move |d| d.series.right == right);
        let bars = own().any(Drawn::is_bars);
        let level = plot.rules.iter().filter(|rule| !rule.upright && !right).map(|rule| rule.value);
        // Bars stand on zero: it belongs to the axis, without a margin below it.
        let zero = (bars && axis.scale == Scale::Linear).then_some(0.0);
        let values = || own().flat_map(Drawn::points).map(|(_, y)| y).chain(zero);
        let mut axis = axis.clone();
        if zero.is_some() && axis.low.is_none() && values().all(|y| y >= 0.0 || y.is_nan()) {
            axis.low = zero;
        }
        axis.ruler(values().chain(level), 0.05)
    };
    Rulers {
        x: plot.x.ruler(horizontal.chain(upright), if points_alone { 0.03 } else { 0.0 }),
        y: vertical(false),
        right: vertical(true),
    }
}

/// As many ticks as their labels leave room for.
fn x_ticks(ruler: &Ruler, length: f64) -> Ticks {
    let mut spacing = 60.0;
    for _ in 0..3 {
        let ticks = ruler.ticks(length / spacing);
        let widest = ticks.major.iter().map(|(_, label)| text_width(label, SIZE)).fold(0.0, f64::max);
        let apart =
            ticks.major.windows(2).map(|pair| length * (pair[1].0 - pair[0].0)).fold(length, f64::min);
        if widest + 8.0 <= apart || ticks.major.len() < 2 {
            return ticks;
        }
        spacing = 1.5 * spacing.max(widest);
    }
    ruler.ticks(1.0)
}

fn axes(
    out: &mut Drawing,
    plot: &Plot,
    frame: Frame,
    x: &Ticks,
    y: &Ticks,
    right: Option<&Ticks>,
    drawn: &[Drawn<'_>],
) {
    let Frame { left, top, right: end, bottom } = frame;
    let across = |place: f64| left + place * (end - left);
    let up = |place: f64| bottom - place * (bottom - top);
    for (place, _) in &x.major {
        out.line("plot-grid", (across(*place), top), (across(*place), bottom));
    }
    for (place, _) in &y.major {
        out.line("plot-grid", (left, up(*place)), (end, up(*place)));
    }
    for &place in &x.minor {
        out.line("plot-minor", (across(place), bottom), (across(place), bottom - 3.0));
    }
    for &place in &y.minor {
        out.line("plot-minor", (left, up(place)), (left + 3.0, up(place)));
    }
    out.line("plot-frame", (left, bottom), (end, bottom));
    for (place, label) in &x.major {
        out.line("plot-frame", (across(*place), bottom), (across(*place), bottom + 4.0));
        out.text("plot-tick plot-centred", (across(*place), bottom + 17.0), label);
    }
    for (place, label) in &y.major {
        out.text("plot-tick plot-end", (left - 7.0, up(*place) + 4.0), label);
    }
    out.text("plot-centred", (0.5 * (left + end), bottom + 37.0), &plot.x.label(x.exponent));
    let middle = 0.5 * (top + bottom);
    out.upright_text(&owner_class(drawn, false, right.is_some()), (14.0, middle), &plot.y.label(y.exponent));
    if let Some(ticks) = right {
        for (place, label) in &ticks.major {
            out.line("plot-frame", (end, up(*place)), (end + 4.0, up(*place)));
            out.text("plot-tick", (end + 8.0, up(*place) + 4.0), label);
        }
        for &place in &ticks.minor {
            out.line("plot-minor", (end, up(place)), (end - 3.0, up(place)));
        }
        out.line("plot-frame", (end, top), (end, bottom));
        let label = plot.right.label(ticks.exponent);
        out.upright_text(&owner_class(drawn, true, true), (plot.size.0 - 5.0, middle), &label);
    }
}

/// Of two axes, one that serves a single colour wears it.
fn owner_class(drawn: &[Drawn<'_>], right: bool, two: bool) -> String {
    let mut colours = drawn.iter().filter(|d| d.series.right == right).map(|d| d.series.colour % COLOURS);
    match colours.next() {
        Some(colour) if two && colours.all(|other| other == colour) => {
            format!("plot-centred inked colour-{colour}")
        }
        _ => "plot-centred".to_owned(),
    }
}

fn bands(out: &mut Drawing, plot: &Plot, rulers: &Rulers, frame: Frame, names: bool) {
    for band in &plot.bands {
        let across = |value: f64| {
            let place = rulers.x.place(value);
            frame.left + place.clamp(0.0, 1.0) * (frame.right - frame.left)
        };
        let (low, high) = (across(band.low), across(band.high));
        if (high - low).is_nan() || high - low <= 0.0 {
            continue;
        }
        let Frame { top, bottom, .. } = frame;
        match names {
            false => out.polygon("plot-band", &[(low, top), (low, bottom), (high, bottom), (high, top)]),
            true if text_width(&band.name, SIZE) + 8.0 < high - low => {
                out.text("plot-tick plot-end plot-over", (high - 4.0, top + 12.0), &band.name);
            }
            true => {}
        }
    }
}
