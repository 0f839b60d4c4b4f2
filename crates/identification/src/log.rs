//! A log as it was recorded: named columns of numbers.

use std::path::Path;

use crate::error::LogError;

/// Named columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Where it came from, for messages.
    pub source: String,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    /// For each column the first text that is no finite number, with its sample: only whoever needs the column minds.
    strange: Vec<Option<(usize, String)>>,
    /// Line of each sample in the source.
    lines: Vec<usize>,
}

impl Log {
    /// Reads a CSV file: a header, then numbers, separated by commas, semicolons or tabs; lines that start with `#` are remarks.
    pub fn read_csv(path: &Path) -> Result<Self, LogError> {
        let file = path.display().to_string();
        let unreadable = |reason: String| LogError::Unreadable { file: file.clone(), reason };
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text".to_owned()))?;
        Self::parse_csv(&text, &file)
    }

    /// Reads the text of a CSV file.
    pub fn parse_csv(text: &str, file: &str) -> Result<Self, LogError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(k, line)| (k + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (_, header) = lines.next().ok_or_else(|| LogError::Empty { file: file.to_owned() })?;
        let separator = [',', ';', '\t'].into_iter().find(|c| header.contains(*c)).unwrap_or(',');
        let clean = |text: &str| text.trim().trim_matches('"').to_owned();
        let names: Vec<String> = header.split(separator).map(clean).collect();
        for (k, name) in names.iter().enumerate() {
            if names[..k].contains(name) {
                return Err(LogError::Twice { file: file.to_owned(), column: name.clone() });
            }
        }
        let mut log = Log {
            source: file.to_owned(),
            columns: vec![Vec::new(); names.len()],
            strange: vec![None; names.len()],
            names,
            lines: Vec::new(),
        };
        for (line, row) in lines {
            let found = row.split(separator).count();
            if found != log.names.len() {
                let wanted = log.names.len();
                return Err(LogError::WrongCount { file: file.to_owned(), line, found, wanted });
            }
            for (k, text) in row.split(separator).enumerate() {
                let value = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                if value.is_none() && log.strange[k].is_none() {
                    log.strange[k] = Some((log.lines.len(), text.trim().to_owned()));
                }
                log.columns[k].push(value.unwrap_or(f64::NAN));
            }
            log.lines.push(line);
        }
        Ok(log)
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.lines.len()
    }

    /// Names of the columns, as in the header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A column by its name, if it is there; all of its values are finite.
    pub fn column(&self, name: &str) -> Result<Option<&[f64]>, LogError> {
        let Some(k) = self.names.iter().position(|other| other == name) else { return Ok(None) };
        match &self.strange[k] {
            Some((sample, text)) => Err(LogError::NotANumber {
                file: self.source.clone(),
                line: self.line(*sample),
                column: name.to_owned(),
                text: text.clone(),
            }),
            None => Ok(Some(&self.columns[k])),
        }
    }

    /// The line of the source a sample stands on.
    pub fn line(&self, sample: usize) -> usize {
        self.lines.get(sample).copied().unwrap_or(0)
    }
}
