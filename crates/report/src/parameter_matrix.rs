//! Base parameters against parameters: a dot for each coefficient, larger for larger ones, coloured by sign.

use steiner_identifiability::{Analysis, BaseParameter};

use crate::fate::{Fate, fates, owners};
use crate::svg::{Drawing, fitted, px, text_width};

/// Beyond this many parameters, those that are base parameters by themselves get no row.
const MOST_COMPLETE: usize = 100;

/// Rows are base parameters, columns parameters.
pub(crate) fn parameter_matrix(analysis: &Analysis) -> String {
    let labels = &analysis.labels;
    let is_shown = |base: &&BaseParameter| labels.len() <= MOST_COMPLETE || base.terms.len() > 1;
    let base: Vec<&BaseParameter> = analysis.regrouping.base.iter().filter(is_shown).collect();
    // Small robots get room, large ones stay within reach of a scroll bar.
    let cell = (1000.0 / labels.len().max(1) as f64).clamp(10.0, 15.0);
    let size = 0.82 * cell;
    let names = base.iter().map(|base| text_width(&labels[base.column], size));
    let left = names.fold(40.0, f64::max).min(220.0) + 8.0;
    let gap = 0.5 * cell;
    let owners = owners(analysis);
    let mut x = vec![0.0; labels.len()];
    for (k, owner) in owners.iter().enumerate() {
        for (p, _) in owner.parameters.iter().enumerate() {
            x[owner.first + p] = left + (owner.first + p) as f64 * cell + k as f64 * gap;
        }
    }
    let top = 16.0 + 18.0 + 3.6 * size;
    let y = |row: usize| top + row as f64 * cell;
    let (width, height) = (x.last().map_or(left, |x| x + cell) + 6.0, y(base.len()) + 8.0);

    let mut drawing = Drawing::default();
    drawing.raw(&format!("<g style=\"font-size:{}px\">", px(size)));
    let fates = fates(analysis);
    for (k, owner) in owners.iter().enumerate() {
        let (start, span) = (x[owner.first], owner.parameters.len() as f64 * cell);
        if k < analysis.bodies.len() {
            drawing.open_body(k);
        } else {
            drawing.open("class=\"drive\"");
        }
        drawing.title(&owner.name);
        drawing.text("owner", (start + 2.0, 14.0), &fitted(&owner.name, 11.0, span));
        drawing.raw(&format!(
            "<rect class=\"band\" x=\"{}\" y=\"20\" width=\"{}\" height=\"3\"/>",
            px(start),
            px(span)
        ));
        drawing.close();
        for (p, parameter) in owner.parameters.iter().enumerate() {
            let column = owner.first + p;
            let class = match fates[column] {
                Fate::Alone => "alone",
                Fate::Grouped => "group",
                Fate::NoEffect => "none",
                Fate::Known => "known",
            };
            let middle = x[column] + cell / 2.0;
            drawing.raw(&format!(
                "<rect class=\"column {class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                px(x[column]),
                px(top),
                px(cell),
                px(base.len() as f64 * cell)
            ));
            drawing.raw(&format!(
                "<text class=\"parameter\" transform=\"translate({} {}) rotate(-90)\">{parameter}</text>",
                px(middle + 0.3 * size),
                px(top - 4.0)
            ));
        }
    }
    for (row, base) in base.iter().enumerate() {
        if row % 5 == 0 {
            drawing.line("rule", (left - 4.0, y(row)), (width - 6.0, y(row)));
        }
        let name = fitted(&labels[base.column], size, 220.0);
        drawing.text("row", (left - 6.0, y(row) + 0.5 * cell + 0.32 * size), &name);
        for &(column, factor) in &base.terms {
            let (cx, cy) = (x[column] + cell / 2.0, y(row) + cell / 2.0);
            let class = match (column == base.column, factor < 0.0) {
                (true, _) => "own",
                (false, false) => "plus",
                (false, true) => "minus",
            };
            drawing.raw(&format!(
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>",
                px(cx),
                px(cy),
                px(0.5 * cell * share(factor))
            ));
            drawing.raw(&crate::svg::escaped(&format!(
                "{}: {factor} · {}",
                labels[base.column], labels[column]
            )));
            drawing.raw("</title></circle>");
        }
        drawing.raw("\n");
    }
    drawing.raw("</g>");
    drawing.finish("matrix", "Base parameters against parameters", (width, height))
}

/// Radius of a coefficient's dot relative to the largest: the area grows with its logarithm from 0.001 to 10.
fn share(factor: f64) -> f64 {
    let decades = (factor.abs().max(1e-300).log10() + 3.0) / 4.0;
    (0.12 + 0.72 * decades.clamp(0.0, 1.0)).sqrt()
}
