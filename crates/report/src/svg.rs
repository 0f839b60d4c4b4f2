//! The few marks that drawings are made of. Every tag and every text of a drawing is written, and escaped, here.

use std::fmt::{Display, Write};

use maud::{Escaper, Markup, PreEscaped};

/// A point of the drawing, px, y downwards.
pub(crate) type Px = (f64, f64);

/// A coordinate to a tenth of a pixel.
pub(crate) fn px(x: f64) -> String {
    let tenths = if x.is_finite() { (10.0 * x).round() } else { 0.0 };
    // No negative zero.
    let text = format!("{:.1}", (tenths + 0.0) / 10.0);
    text.strip_suffix(".0").unwrap_or(&text).replace("-0.0", "0")
}

/// Width of a text, px: a guess that is right for Latin letters and generous for the rest.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let letters = text.chars().map(|c| match c {
        'i' | 'l' | 'j' | '.' | ',' | ':' | ' ' => 0.34,
        't' | 'f' | 'r' | '(' | ')' => 0.45,
        'm' | 'w' | 'M' | 'W' => 0.86,
        c if c.is_uppercase() => 0.68,
        c if (c as u32) < 0x1100 => 0.6,
        _ => 1.05,
    });
    size * letters.sum::<f64>()
}

/// A text cut to a width.
pub(crate) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        if text_width(&out, size) + 1.6 * size > width {
            break;
        }
        out.push(c);
    }
    out + "…"
}

/// Names without the word `_link` that most of them end with.
pub(crate) fn short_names(names: &[String]) -> Vec<&str> {
    let suffixes = ["_link", "_Link", "_LINK", "_body"];
    let often =
        |suffix: &&&str| 2 * names.iter().filter(|name| name.ends_with(**suffix)).count() > names.len();
    let suffix = suffixes.iter().find(often).copied().unwrap_or("");
    let short =
        |name: &str| name.len() - if name.ends_with(suffix) && name != suffix { suffix.len() } else { 0 };
    names.iter().map(|name| &name[..short(name)]).collect()
}

/// The hue of the k-th body: neighbours differ most (golden angle).
pub(crate) fn hue(k: usize) -> usize {
    (205 + (k * 137 + k / 2)) % 360
}

/// Names and values of attributes.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A drawing in the making.
#[derive(Default)]
pub(crate) struct Drawing {
    marks: String,
}

impl Drawing {
    /// Text between tags or inside a quoted attribute. XML knows no control characters, escaped or not: they are dropped.
    fn words(&mut self, text: impl Display) {
        let text = text.to_string().replace(char::is_control, "");
        let _ = Escaper::new(&mut self.marks).write_str(&text);
    }

    /// A tag up to its `end`, which is `>` or `/>`.
    fn tag(&mut self, name: &'static str, attributes: Attributes<'_>, end: &'static str) {
        let _ = write!(self.marks, "<{name}");
        for (attribute, value) in attributes {
            let _ = write!(self.marks, " {attribute}=\"");
            self.words(value);
            self.marks.push('"');
        }
        self.marks += end;
    }

    /// An element with a text inside.
    fn text_element(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.tag(name, attributes, ">");
        self.words(text);
        let _ = write!(self.marks, "</{name}>");
    }

    /// An element with nothing inside.
    pub(crate) fn mark(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes, "/>");
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): Px, (x2, y2): Px) {
        self.mark(
            "line",
            &[("class", &class), ("x1", &px(x1)), ("y1", &px(y1)), ("x2", &px(x2)), ("y2", &px(y2))],
        );
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): Px, r: f64) {
        self.mark("circle", &[("class", &class), ("cx", &px(x)), ("cy", &px(y)), ("r", &px(r))]);
    }

    /// A circle with what a pointer resting on it shows.
    pub(crate) fn titled_circle(&mut self, class: &str, (x, y): Px, r: f64, title: &str) {
        self.tag("circle", &[("class", &class), ("cx", &px(x)), ("cy", &px(y)), ("r", &px(r))], ">");
        self.title(title);
        self.marks += "</circle>";
    }

    pub(crate) fn polygon(&mut self, class: &str, points: &[Px]) {
        self.mark("polygon", &[("class", &class), ("points", &joined(points))]);
    }

    pub(crate) fn polyline(&mut self, class: &str, points: &[Px]) {
        self.mark("polyline", &[("class", &class), ("points", &joined(points))]);
    }

    pub(crate) fn text(&mut self, class: &str, (x, y): Px, text: &str) {
        self.text_element("text", &[("class", &class), ("x", &px(x)), ("y", &px(y))], text);
    }

    /// Text that is read from below.
    pub(crate) fn upright_text(&mut self, class: &str, (x, y): Px, text: &str) {
        let transform = format!("translate({} {}) rotate(-90)", px(x), px(y));
        self.text_element("text", &[("class", &class), ("transform", &transform)], text);
    }

    /// Opens a rectangle beyond which nothing is drawn; coordinates stay those of the drawing.
    pub(crate) fn open_window(&mut self, (x, y): Px, (width, height): Px) {
        let (x, y, w, h) = (px(x), px(y), px(width), px(height));
        let view = format!("{x} {y} {w} {h}");
        let place: Attributes<'_> = &[
            ("x", &x),
            ("y", &y),
            ("width", &w),
            ("height", &h),
            ("viewBox", &view),
            ("overflow", &"hidden"),
        ];
        self.tag("svg", place, ">\n");
    }

    pub(crate) fn close_window(&mut self) {
        self.marks += "</svg>\n";
    }

    /// Opens a group with one attribute.
    pub(crate) fn open(&mut self, attribute: &'static str, value: impl Display) {
        self.tag("g", &[(attribute, &value)], ">");
    }

    /// Opens a group in the colour of a body.
    pub(crate) fn open_body(&mut self, body: usize) {
        self.open("style", format_args!("--h:{}", hue(body)));
    }

    /// What a pointer resting on the group shows.
    pub(crate) fn title(&mut self, text: &str) {
        self.text_element("title", &[], text);
    }

    pub(crate) fn close(&mut self) {
        self.marks += "</g>\n";
    }

    /// Another drawing over this one.
    pub(crate) fn draw(&mut self, other: Drawing) {
        self.marks += &other.marks;
    }

    /// The whole drawing, in its own size where it fits and scaled down to the page where it may.
    pub(crate) fn finish(self, class: &str, description: &str, size: (f64, f64)) -> Markup {
        let mut whole = Drawing::default();
        whole.open_sheet(&[], class, description, size);
        whole.draw(self);
        whole.marks += "</svg>\n";
        PreEscaped(whole.marks)
    }

    /// The drawing as a file of its own, on white paper, with a style that needs nothing from outside.
    pub(crate) fn finish_file(
        self,
        class: &str,
        description: &str,
        size: (f64, f64),
        style: &PreEscaped<String>,
    ) -> String {
        let mut file = Drawing::default();
        file.open_sheet(&[("xmlns", &"http://www.w3.org/2000/svg")], class, description, size);
        let _ = writeln!(file.marks, "<style>\n{}</style>", style.0);
        file.mark("rect", &[("width", &px(size.0)), ("height", &px(size.1)), ("fill", &"#fff")]);
        file.marks.push('\n');
        file.draw(self);
        file.marks += "</svg>\n";
        file.marks
    }

    fn open_sheet(&mut self, first: Attributes<'_>, class: &str, description: &str, (width, height): Px) {
        let (w, h) = (px(width), px(height));
        let view = format!("0 0 {w} {h}");
        let others: Attributes<'_> = &[
            ("class", &class),
            ("viewBox", &view),
            ("width", &w),
            ("height", &h),
            ("role", &"img"),
            ("aria-label", &description),
        ];
        self.tag("svg", &[first, others].concat(), ">\n");
    }
}

fn joined(points: &[Px]) -> String {
    points.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Drawing, fitted, px};

    #[test]
    fn names_cannot_leave_their_place() {
        let mut drawing = Drawing::default();
        drawing.text("\"><b>", (0.0, 0.0), "<b a=\"1\">&\n\u{1}");
        let seen = drawing.finish("plot", "</svg>\"", (1.0, 1.0)).into_string();
        for part in [
            "class=\"&quot;&gt;&lt;b&gt;\"",
            ">&lt;b a=&quot;1&quot;&gt;&amp;</text>",
            "aria-label=\"&lt;/svg&gt;&quot;\"",
        ] {
            assert!(seen.contains(part), "{seen}");
        }
    }

    #[test]
    fn coordinates_are_short_and_always_numbers() {
        assert_eq!(
            [-0.04, 1.0, 2.25, f64::NAN, 1e3].map(px),
            ["0", "1", "2.3", "0", "1000"].map(str::to_owned)
        );
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(fitted("short", 10.0, 100.0), "short");
        assert!(fitted("a_very_long_name_of_a_link", 10.0, 60.0).ends_with('…'));
    }
}
