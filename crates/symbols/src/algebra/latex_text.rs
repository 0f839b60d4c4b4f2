//! Text that LaTeX typesets outside of mathematics.

use crate::greek;

/// Text for LaTeX outside of mathematics, pdfLaTeX included: what means something there is escaped, Greek
/// letters and signs are put into mathematics, and letters its fonts lack are given by their number.
///
/// ```
/// use steiner_symbols::algebra::latex_escaped;
/// assert_eq!(latex_escaped("größe_λ 腕"), "größe\\_\\ensuremath{\\lambda} U+8155");
/// ```
pub fn latex_escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\^{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => out.extend(['\\', c]),
            '–' => out.push_str("--"),
            '—' => out.push_str("---"),
            '…' => out.push_str("\\ldots{}"),
            '·' => out.push_str("\\ensuremath{\\cdot}"),
            '−' => out.push_str("\\ensuremath{-}"),
            '√' => out.push_str("\\ensuremath{\\surd}"),
            '°' => out.push_str("\\ensuremath{^\\circ}"),
            '²' => out.push_str("\\ensuremath{^2}"),
            c if c.is_ascii() || is_typeset(c) => out.push(c),
            c => match greek::latex(c) {
                Some(letter) => out += &format!("\\ensuremath{{{letter}}}"),
                None => out += &format!("U+{:04X}", u32::from(c)),
            },
        }
    }
    out
}

/// Whether a letter is made of one of ASCII and an accent that the fonts of plain LaTeX have.
fn is_typeset(c: char) -> bool {
    let lacking = "ÐðÞþĄąĐđĘęĮįŲųĸŊŋĦħŦŧĿŀŉſ";
    matches!(c, 'À'..='ſ') && c.is_alphabetic() && !lacking.contains(c)
}
