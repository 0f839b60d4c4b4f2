//! The few marks that drawings are made of. Every tag and text of a drawing is written and escaped here.

use std::fmt::Write;

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

/// Attributes whose values are words.
type Words<'a> = &'a [(&'static str, &'a str)];
/// Attributes whose values are coordinates or lengths, px.
type Lengths<'a> = &'a [(&'static str, f64)];

/// A drawing in the making.
#[derive(Default)]
pub(crate) struct Drawing {
    marks: String,
}

impl Drawing {
    /// Text between tags or inside a quoted attribute.
    fn escaped(&mut self, text: &str) {
        // XML knows no control characters, escaped or not.
        let _ = Escaper::new(&mut self.marks).write_str(&text.replace(char::is_control, ""));
    }

    /// A tag up to its `end`, which is `>` or `/>`.
    fn tag(&mut self, name: &'static str, words: Words<'_>, lengths: Lengths<'_>, end: &'static str) {
        let _ = write!(self.marks, "<{name}");
        for (attribute, value) in words {
            let _ = write!(self.marks, " {attribute}=\"");
            self.escaped(value);
            self.marks.push('"');
        }
        for (attribute, length) in lengths {
            let _ = write!(self.marks, " {attribute}=\"{}\"", px(*length));
        }
        self.marks += end;
    }

    /// An element with nothing inside.
    pub(crate) fn mark(&mut self, name: &'static str, words: Words<'_>, lengths: Lengths<'_>) {
        self.tag(name, words, lengths, "/>");
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): Px, (x2, y2): Px) {
        self.mark("line", &[("class", class)], &[("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)]);
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): Px, r: f64) {
        self.mark("circle", &[("class", class)], &[("cx", x), ("cy", y), ("r", r)]);
    }

    /// A circle with what a pointer resting on it shows.
    pub(crate) fn titled_circle(&mut self, class: &str, (x, y): Px, r: f64, title: &str) {
        self.tag("circle", &[("class", class)], &[("cx", x), ("cy", y), ("r", r)], ">");
        self.title(title);
        self.marks += "</circle>";
    }

    pub(crate) fn polygon(&mut self, class: &str, points: &[Px]) {
        self.mark("polygon", &[("class", class), ("points", &joined(points))], &[]);
    }

    pub(crate) fn polyline(&mut self, class: &str, points: &[Px]) {
        self.mark("polyline", &[("class", class), ("points", &joined(points))], &[]);
    }

    pub(crate) fn text(&mut self, class: &str, (x, y): Px, text: &str) {
        self.tag("text", &[("class", class)], &[("x", x), ("y", y)], ">");
        self.escaped(text);
        self.marks += "</text>";
    }

    /// Text that is read from below.
    pub(crate) fn upright_text(&mut self, class: &str, (x, y): Px, text: &str) {
        let turned = format!("translate({} {}) rotate(-90)", px(x), px(y));
        self.tag("text", &[("class", class), ("transform", &turned)], &[], ">");
        self.escaped(text);
        self.marks += "</text>";
    }

    /// Opens a rectangle beyond which nothing is drawn; coordinates stay those of the drawing.
    pub(crate) fn open_window(&mut self, (x, y): Px, (width, height): Px) {
        let view = [x, y, width, height].map(px).join(" ");
        let place = [("x", x), ("y", y), ("width", width), ("height", height)];
        self.tag("svg", &[("viewBox", &view), ("overflow", "hidden")], &place, ">\n");
    }

    pub(crate) fn close_window(&mut self) {
        self.marks += "</svg>\n";
    }

    /// Opens a group with one attribute.
    pub(crate) fn open(&mut self, attribute: &'static str, value: &str) {
        self.tag("g", &[(attribute, value)], &[], ">");
    }

    /// Opens a group in the colour of a body.
    pub(crate) fn open_body(&mut self, body: usize) {
        self.open("style", &format!("--h:{}", hue(body)));
    }

    /// What a pointer resting on the group shows.
    pub(crate) fn title(&mut self, text: &str) {
        self.marks += "<title>";
        self.escaped(text);
        self.marks += "</title>";
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
        PreEscaped(self.on_sheet(&[("class", class)], description, size).marks)
    }

    /// The drawing as a file of its own, on white paper, with a style that needs nothing from outside.
    pub(crate) fn finish_file(
        self,
        class: &str,
        description: &str,
        size: (f64, f64),
        style: PreEscaped<String>,
    ) -> String {
        let mut file = Drawing { marks: format!("<style>\n{}</style>\n", style.0) };
        file.mark("rect", &[("fill", "#fff")], &[("width", size.0), ("height", size.1)]);
        file.marks.push('\n');
        file.draw(self);
        let words = [("xmlns", "http://www.w3.org/2000/svg"), ("class", class)];
        file.on_sheet(&words, description, size).marks
    }

    fn on_sheet(self, words: Words<'_>, description: &str, (width, height): (f64, f64)) -> Drawing {
        let view = format!("0 0 {} {}", px(width), px(height));
        let own: Words<'_> = &[("viewBox", &view), ("role", "img"), ("aria-label", description)];
        let mut sheet = Drawing::default();
        sheet.tag("svg", &[words, own].concat(), &[("width", width), ("height", height)], ">\n");
        sheet.draw(self);
        sheet.marks += "</svg>\n";
        sheet
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
