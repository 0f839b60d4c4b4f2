//! Charts as SVG: lines, steps, points, bars and histograms over linear or logarithmic axes.
//!
//! ```
//! use steiner_report::Plot;
//! let time: Vec<f64> = (0..500).map(|k| 0.01 * f64::from(k)).collect();
//! let swing: Vec<f64> = time.iter().map(|t| (-0.3 * t).exp() * (4.0 * t).cos()).collect();
//! let envelope: Vec<f64> = time.iter().map(|t| (-0.3 * t).exp()).collect();
//! let svg = Plot::new("A pendulum comes to rest")
//!     .x("time", "s")
//!     .y("angle", "rad")
//!     .line("pendulum", &time, &swing)
//!     .line("envelope", &time, &envelope)
//!     .dashed()
//!     .svg();
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! Points that are not finite, and on logarithmic axes those that are not positive, leave gaps. Curves of any
//! length cost a few points per pixel. Colours are those of Okabe and Ito, which people with any colour
//! vision tell apart; in a page they follow its light or dark mode.

mod axis;
mod draw;
mod marks;
mod names;
mod panels;
mod rules;
mod thin;

use axis::Axis;
use maud::Markup;

pub use panels::panels;

/// How values are laid along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    #[default]
    Linear,
    Logarithmic,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Line,
    /// Each value holds until the next one.
    Step,
    Points,
    /// `xs` are the edges, one more than there are heights.
    Bars,
    /// `xs` are the values to count.
    Histogram(usize),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Stroke {
    #[default]
    Solid,
    Dashed,
    Dotted,
}

impl Stroke {
    fn class(self) -> &'static str {
        match self {
            Stroke::Solid => "plot-line",
            Stroke::Dashed => "plot-line dashed",
            Stroke::Dotted => "plot-line dotted",
        }
    }
}

impl Series {
    /// The class of the group its marks are in.
    fn class(&self) -> String {
        let more = match (self.faint, self.fine) {
            (true, _) => " faint",
            (false, true) => " fine",
            (false, false) => "",
        };
        format!("colour-{}{more}", self.colour % draw::COLOURS)
    }
}

struct Series {
    name: String,
    mark: Mark,
    xs: Vec<f64>,
    ys: Vec<f64>,
    stroke: Stroke,
    markers: bool,
    faint: bool,
    fine: bool,
    right: bool,
    colour: usize,
}

/// An upright stretch of the chart that is shaded.
struct Band {
    low: f64,
    high: f64,
    name: String,
}

/// A dashed line across the chart at a value.
struct Rule {
    upright: bool,
    value: f64,
    name: String,
}

/// A chart in the making. Methods that change a series speak of the last one added.
#[must_use]
pub struct Plot {
    title: String,
    /// What the description begins with.
    about: String,
    size: (f64, f64),
    x: Axis,
    y: Axis,
    right: Axis,
    series: Vec<Series>,
    rules: Vec<Rule>,
    bands: Vec<Band>,
}

impl Plot {
    /// An empty chart of 760 by 420 px. An empty title takes no room.
    pub fn new(title: &str) -> Plot {
        Plot {
            title: title.to_owned(),
            about: String::new(),
            size: (760.0, 420.0),
            x: Axis::default(),
            y: Axis::default(),
            right: Axis::default(),
            series: Vec::new(),
            rules: Vec::new(),
            bands: Vec::new(),
        }
    }

    /// Another title.
    pub(crate) fn titled(mut self, title: &str) -> Plot {
        self.title = title.to_owned();
        self
    }

    /// Says what the chart is about to those who hear it, where no title says it to those who see it.
    pub(crate) fn about(mut self, about: &str) -> Plot {
        self.about = about.to_owned();
        self
    }

    /// Width and height, px; at least 160 by 120.
    pub fn size(mut self, width: f64, height: f64) -> Plot {
        self.size = (width.max(160.0), height.max(120.0));
        self
    }

    /// Quantity and unit of the horizontal axis; either may be empty.
    pub fn x(mut self, quantity: &str, unit: &str) -> Plot {
        self.x.named(quantity, unit);
        self
    }

    /// Names that stand at 1, 2, … of the horizontal axis in place of numbers,
    /// for things that are not numbers.
    pub fn x_names<N: AsRef<str>>(mut self, names: &[N]) -> Plot {
        self.x.names = names.iter().map(|name| name.as_ref().to_owned()).collect();
        (self.x.low, self.x.high) = (Some(0.5), Some(names.len() as f64 + 0.5));
        self
    }

    /// Quantity and unit of the vertical axis on the left; either may be empty.
    pub fn y(mut self, quantity: &str, unit: &str) -> Plot {
        self.y.named(quantity, unit);
        self
    }

    /// Quantity and unit of the vertical axis on the right, for the series that
    /// [`Plot::on_right`] puts there.
    pub fn y_right(mut self, quantity: &str, unit: &str) -> Plot {
        self.right.named(quantity, unit);
        self
    }

    /// Makes the horizontal axis logarithmic.
    pub fn log_x(mut self) -> Plot {
        self.x.scale = Scale::Logarithmic;
        self
    }

    /// Makes the vertical axis on the left logarithmic.
    pub fn log_y(mut self) -> Plot {
        self.y.scale = Scale::Logarithmic;
        self
    }

    /// Makes the vertical axis on the right logarithmic.
    pub fn log_y_right(mut self) -> Plot {
        self.right.scale = Scale::Logarithmic;
        self
    }

    /// Ends of the horizontal axis; the data decide where an end is `None`.
    pub fn x_range(mut self, low: impl Into<Option<f64>>, high: impl Into<Option<f64>>) -> Plot {
        (self.x.low, self.x.high) = (low.into(), high.into());
        self
    }

    /// Ends of the vertical axis on the left; the data decide where an end is `None`.
    pub fn y_range(mut self, low: impl Into<Option<f64>>, high: impl Into<Option<f64>>) -> Plot {
        (self.y.low, self.y.high) = (low.into(), high.into());
        self
    }

    /// Ends of the vertical axis on the right; the data decide where an end is `None`.
    pub fn y_right_range(mut self, low: impl Into<Option<f64>>, high: impl Into<Option<f64>>) -> Plot {
        (self.right.low, self.right.high) = (low.into(), high.into());
        self
    }

    /// Points joined by straight lines. Values are paired as far as both lists go, here and below; a series
    /// without a name is not in the legend.
    pub fn line(self, name: &str, xs: impl AsRef<[f64]>, ys: impl AsRef<[f64]>) -> Plot {
        self.series(name, Mark::Line, xs.as_ref(), ys.as_ref())
    }

    /// A staircase: each value holds until the next one.
    pub fn step(self, name: &str, xs: impl AsRef<[f64]>, ys: impl AsRef<[f64]>) -> Plot {
        self.series(name, Mark::Step, xs.as_ref(), ys.as_ref())
    }

    /// Points alone.
    pub fn scatter(self, name: &str, xs: impl AsRef<[f64]>, ys: impl AsRef<[f64]>) -> Plot {
        self.series(name, Mark::Points, xs.as_ref(), ys.as_ref())
    }

    /// Bars from zero (or the low end of a logarithmic axis), each between two neighbouring
    /// edges: one edge more than heights.
    pub fn bars(self, name: &str, edges: impl AsRef<[f64]>, heights: impl AsRef<[f64]>) -> Plot {
        self.series(name, Mark::Bars, edges.as_ref(), heights.as_ref())
    }

    /// Bars that count how many values fall between edges equally far apart on the axis.
    pub fn histogram(self, name: &str, values: impl AsRef<[f64]>, bins: usize) -> Plot {
        self.series(name, Mark::Histogram(bins.clamp(1, 10_000)), values.as_ref(), &[])
    }

    /// A line across the chart at a height of the left axis, named at the end where the name covers less.
    pub fn at_y(mut self, value: f64, name: &str) -> Plot {
        self.rules.push(Rule { upright: false, value, name: name.to_owned() });
        self
    }

    /// An upright line, named at its top.
    pub fn at_x(mut self, value: f64, name: &str) -> Plot {
        self.rules.push(Rule { upright: true, value, name: name.to_owned() });
        self
    }

    /// Shades what lies between two values of the horizontal axis, named at its top.
    pub fn band(mut self, low: f64, high: f64, name: &str) -> Plot {
        self.bands.push(Band { low, high, name: name.to_owned() });
        self
    }

    /// Leaves the names of bands to the chart above.
    pub(crate) fn unnamed_bands(mut self) -> Plot {
        self.bands.iter_mut().for_each(|band| band.name.clear());
        self
    }

    /// Draws the last series thin and pale: it is there to be compared with.
    pub fn faint(self) -> Plot {
        self.last(|series| series.faint = true)
    }

    /// Draws the last series thin, but not pale: it lies on a broad one.
    pub(crate) fn fine(self) -> Plot {
        self.last(|series| series.fine = true)
    }

    /// Draws the last series with dashes.
    pub fn dashed(self) -> Plot {
        self.last(|series| series.stroke = Stroke::Dashed)
    }

    /// Draws the last series with dots.
    pub fn dotted(self) -> Plot {
        self.last(|series| series.stroke = Stroke::Dotted)
    }

    /// Puts a marker on the points of the last series, as many as there is room for;
    /// its shape goes with the colour.
    pub fn markers(self) -> Plot {
        self.last(|series| series.markers = true)
    }

    /// Measures the last series by the axis on the right.
    pub fn on_right(self) -> Plot {
        self.last(|series| series.right = true)
    }

    /// Gives the last series the colour of the k-th one: for pairs that belong together.
    pub fn colour(self, k: usize) -> Plot {
        self.last(|series| series.colour = k)
    }

    /// The chart for a page that has the style of our pages.
    pub fn svg(&self) -> String {
        self.markup().into_string()
    }

    /// The same, for a page of our own.
    pub(crate) fn markup(&self) -> Markup {
        draw::drawing(self).finish("plot", &self.description(), self.size)
    }

    /// The chart as a file of its own, light, with all it needs.
    pub fn file(&self) -> String {
        draw::drawing(self).finish_file("plot", &self.description(), self.size, draw::own_style())
    }

    fn series(mut self, name: &str, mark: Mark, xs: &[f64], ys: &[f64]) -> Plot {
        let colour = self.series.len();
        // Past the seven colours dashes and dots tell apart.
        let stroke = [Stroke::Solid, Stroke::Dashed, Stroke::Dotted][(colour / draw::COLOURS) % 3];
        let (name, xs, ys) = (name.to_owned(), xs.to_vec(), ys.to_vec());
        self.series.push(Series {
            name,
            mark,
            xs,
            ys,
            stroke,
            markers: false,
            faint: false,
            fine: false,
            right: false,
            colour,
        });
        self
    }

    fn last(mut self, change: impl FnOnce(&mut Series)) -> Plot {
        if let Some(series) = self.series.last_mut() {
            change(series);
        }
        self
    }

    /// For those who hear the page.
    fn description(&self) -> String {
        let axes = [self.y.label(0), self.right.label(0)].into_iter().filter(|label| !label.is_empty());
        let axes = axes.collect::<Vec<_>>().join(" and ");
        let against = [axes, self.x.label(0)].into_iter().filter(|label| !label.is_empty());
        let against = against.collect::<Vec<_>>().join(" against ");
        let parts = [self.title.clone(), against].into_iter().filter(|part| !part.is_empty());
        let shown = parts.collect::<Vec<_>>().join(": ");
        if self.about.is_empty() { shown } else { format!("{}. {shown}", self.about) }
    }
}
