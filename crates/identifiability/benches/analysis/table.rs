//! A table for people or for a document.

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Markdown,
}

/// Rows under a header. The title may emphasise as Markdown does; the first `left` columns
/// are words, the others numbers.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) left: usize,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: impl Into<String>, left: usize, header: &[&str]) -> Self {
        let header = header.iter().map(|word| (*word).to_owned()).collect();
        Table { title: title.into(), left, header, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.header.len(), "a row of another table");
        self.rows.push(row);
    }

    pub(crate) fn print(&self, style: Style) {
        match style {
            Style::Text => self.print_text(),
            Style::Markdown => self.print_markdown(),
        }
    }

    fn print_text(&self) {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let length = |cell: &String| cell.chars().count();
        let widths: Vec<usize> = (0..self.header.len())
            .map(|c| lines().map(|line| length(&line[c])).max().unwrap_or_default())
            .collect();
        println!("{}\n", self.title.replace("**", ""));
        for line in lines() {
            let cells = line.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| {
                if c < self.left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            println!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        println!();
    }

    fn print_markdown(&self) {
        let line = |cells: &[String]| println!("| {} |", cells.join(" | "));
        println!("{}\n", self.title);
        line(&self.header);
        let rule = |c: usize| if c < self.left { "---" } else { "---:" };
        println!("|{}|", (0..self.header.len()).map(rule).collect::<Vec<_>>().join("|"));
        self.rows.iter().for_each(|row| line(row));
        println!();
    }
}
