//! The few marks that drawings are made of. All text that comes from outside is escaped here.

use std::fmt::Write;

/// A point of the drawing, px, y downwards.
pub(crate) type Px = (f64, f64);

/// Text that is safe between tags and inside quoted attributes. Control characters are dropped.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

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

/// A drawing in the making.
#[derive(Default)]
pub(crate) struct Drawing {
    marks: String,
}

impl Drawing {
    /// Anything; the caller has escaped it.
    pub(crate) fn raw(&mut self, mark: &str) {
        self.marks += mark;
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): Px, (x2, y2): Px) {
        let _ = write!(
            self.marks,
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            px(x1),
            px(y1),
            px(x2),
            px(y2)
        );
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): Px, r: f64) {
        let _ =
            write!(self.marks, r#"<circle class="{class}" cx="{}" cy="{}" r="{}"/>"#, px(x), px(y), px(r));
    }

    pub(crate) fn polygon(&mut self, class: &str, points: &[Px]) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect();
        let _ = write!(self.marks, r#"<polygon class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub(crate) fn polyline(&mut self, class: &str, points: &[Px]) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect();
        let _ = write!(self.marks, r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub(crate) fn text(&mut self, class: &str, (x, y): Px, text: &str) {
        let _ = write!(
            self.marks,
            r#"<text class="{class}" x="{}" y="{}">{}</text>"#,
            px(x),
            px(y),
            escaped(text)
        );
    }

    /// Text that is read from below.
    pub(crate) fn upright_text(&mut self, class: &str, (x, y): Px, text: &str) {
        let _ = write!(
            self.marks,
            r#"<text class="{class}" transform="translate({} {}) rotate(-90)">{}</text>"#,
            px(x),
            px(y),
            escaped(text)
        );
    }

    /// Opens a rectangle beyond which nothing is drawn; coordinates stay those of the drawing.
    pub(crate) fn open_window(&mut self, (x, y): Px, (width, height): Px) {
        let (x, y, w, h) = (px(x), px(y), px(width), px(height));
        let _ = writeln!(
            self.marks,
            r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" overflow="hidden">"#
        );
    }

    pub(crate) fn close_window(&mut self) {
        self.marks += "</svg>\n";
    }

    /// Opens a group with attributes of our own making.
    pub(crate) fn open(&mut self, attributes: &str) {
        let _ = write!(self.marks, "<g {attributes}>");
    }

    /// Opens a group in the colour of a body.
    pub(crate) fn open_body(&mut self, body: usize) {
        self.open(&format!(r#"style="--h:{}""#, hue(body)));
    }

    /// What a pointer resting on the group shows.
    pub(crate) fn title(&mut self, text: &str) {
        let _ = write!(self.marks, "<title>{}</title>", escaped(text));
    }

    pub(crate) fn close(&mut self) {
        self.marks += "</g>\n";
    }

    /// The marks alone, to be drawn over others.
    pub(crate) fn finish_marks(self) -> String {
        self.marks
    }

    /// The whole drawing, in its own size where it fits and scaled down to the page where it may.
    pub(crate) fn finish(self, class: &str, description: &str, (width, height): (f64, f64)) -> String {
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            escaped(description),
            self.marks,
            w = px(width),
            h = px(height),
        )
    }

    /// The drawing as a file of its own, on white paper, with a style that needs nothing from outside.
    pub(crate) fn finish_file(
        self,
        class: &str,
        description: &str,
        (width, height): (f64, f64),
        style: &str,
    ) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-label=\"{}\">\n<style>\n{style}</style>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n{}</svg>\n",
            escaped(description),
            self.marks,
            w = px(width),
            h = px(height),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, fitted, px};

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(escaped("<b a=\"1\">&'\n"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;");
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
