//! The header of a text file: names, separator, and whether numbers are written with a comma.

use super::rows::Separator;
use crate::error::LogError;

/// What the first lines say about the rest.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) names: Vec<String>,
    pub(crate) separator: Separator,
    pub(crate) decimal_comma: bool,
}

impl Layout {
    /// Finds the header, where the rows start, and the line they start on; `None`
    /// if more of the file is needed.
    pub(crate) fn find(
        bytes: &[u8],
        at_end: bool,
        file: &str,
        no_header: bool,
    ) -> Result<Option<(Self, usize, usize)>, LogError> {
        let start = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let mut remark: Option<&[u8]> = None;
        let mut at = start;
        let mut number = 1;
        let mut content: Vec<(usize, usize, usize, &[u8])> = Vec::new(); // start, end, line, text
        while at < bytes.len() && content.len() < 2 {
            let end = match bytes[at..].iter().position(|byte| *byte == b'\n') {
                Some(length) => at + length + 1,
                None if at_end => bytes.len(),
                None => break,
            };
            let text = bytes[at..end].trim_ascii();
            match text.first() {
                None => {}
                Some(b'#' | b'%') if content.is_empty() => remark = Some(text[1..].trim_ascii()),
                Some(b'#' | b'%') => {}
                Some(_) => content.push((at, end, number, text)),
            }
            at = end;
            number += 1;
        }
        if content.is_empty() || (content.len() < 2 && !at_end) {
            return Ok(None);
        }
        let (first_start, first_end, first_line, first) = content[0];
        let (separator, fields) = split(first);
        let data = |row: &[u8], separator: Separator| {
            let text = String::from_utf8_lossy(row).into_owned();
            separator != Separator::Byte(b',') && text.contains(',') && !text.contains('.')
        };
        let numeric = fields.iter().all(|field| {
            let plain =
                if separator == Separator::Byte(b',') { field.clone() } else { field.replace(',', ".") };
            plain.parse::<f64>().is_ok()
        });
        if no_header {
            let names = (0..fields.len()).map(|k| k.to_string()).collect();
            let layout = Layout { names, separator, decimal_comma: data(first, separator) };
            return Ok(Some((layout, first_start, first_line)));
        }
        if numeric {
            // NumPy's savetxt hides the header in a remark; its separator may have blanks around it.
            let named =
                remark.map(split).filter(|(_, names)| names.len() == fields.len() && fields.len() > 1);
            let Some((_, names)) = named else {
                return Err(LogError::NoHeader { file: file.to_owned(), line: first_line });
            };
            let layout = Layout { names: unnamed(names), separator, decimal_comma: data(first, separator) };
            return Ok(Some((layout, first_start, first_line)));
        }
        let decimal_comma = content.get(1).is_some_and(|(_, _, _, row)| data(row, separator));
        let layout = Layout { names: unnamed(fields), separator, decimal_comma };
        Ok(Some((layout, first_end, first_line + 1)))
    }
}

/// Columns without a name are called by their place.
fn unnamed(names: Vec<String>) -> Vec<String> {
    let name = |(k, name): (usize, String)| if name.is_empty() { format!("column {k}") } else { name };
    names.into_iter().enumerate().map(name).collect()
}

/// The separator of a header and the fields between.
fn split(header: &[u8]) -> (Separator, Vec<String>) {
    let text = String::from_utf8_lossy(header);
    let count = |wanted: char| {
        let mut quoted = false;
        text.chars()
            .filter(|c| {
                quoted ^= *c == '"';
                !quoted && *c == wanted
            })
            .count()
    };
    let most = [',', ';', '\t'].into_iter().max_by_key(|c| (count(*c), *c == ',')).filter(|c| count(*c) > 0);
    let separator = match most {
        Some(c) => Separator::Byte(c as u8),
        None => Separator::Blanks,
    };
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            // Two quotes inside quotes stand for one.
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            c if !quoted && separator.is(c) => {
                let blank_run = separator == Separator::Blanks && field.is_empty();
                if !blank_run {
                    fields.push(std::mem::take(&mut field).trim().to_owned());
                }
            }
            c => field.push(c),
        }
    }
    fields.push(field.trim().to_owned());
    (separator, fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_names_keep_their_separators_and_quotes() {
        let (separator, fields) = split(br#" "a, b" ,"say ""q""",c"#);
        assert_eq!(separator, Separator::Byte(b','));
        assert_eq!(fields, ["a, b", "say \"q\"", "c"]);
        assert_eq!(split(b"t  q_1").1, ["t", "q_1"].map(str::to_owned)[..]);
    }
}
