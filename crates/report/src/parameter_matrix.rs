//! Base parameters against parameters: a dot for each coefficient, larger for larger ones, coloured by sign.

use maud::Markup;
use steiner_identifiability::{Analysis, BaseParameter};

use crate::analysis_page::fate_class;
use crate::fate::{fates, owners};
use crate::svg::{Drawing, fitted, px, text_width};

/// Beyond this many parameters, those that are base parameters by themselves get no row.
const MOST_COMPLETE: usize = 100;

/// Beyond this many dots nobody finds one.
const MOST_DOTS: usize = 10_000;

/// Rows are base parameters, columns parameters. `None` where there are too many to be seen.
pub(crate) fn parameter_matrix(analysis: &Analysis) -> Option<Markup> {
    let labels = &analysis.labels;
    let is_shown = |base: &&BaseParameter| labels.len() <= MOST_COMPLETE || base.terms.len() > 1;
    let base: Vec<&BaseParameter> = analysis.regrouping.base.iter().filter(is_shown).collect();
    if base.iter().map(|base| base.terms.len()).sum::<usize>() > MOST_DOTS {
        return None;
    }
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
    drawing.open("style", &format!("font-size:{}px", px(size)));
    let fates = fates(analysis);
    for (k, owner) in owners.iter().enumerate() {
        let (start, span) = (x[owner.first], owner.parameters.len() as f64 * cell);
        if k < analysis.bodies.len() {
            drawing.open_body(k);
        } else {
            drawing.open("class", "drive");
        }
        drawing.title(&owner.name);
        drawing.text("owner", (start + 2.0, 14.0), &fitted(&owner.name, 11.0, span));
        let band = [("x", start), ("y", 20.0), ("width", span), ("height", 3.0)];
        drawing.mark("rect", &[("class", "band")], &band);
        drawing.close();
        for (p, parameter) in owner.parameters.iter().enumerate() {
            let column = owner.first + p;
            let class = format!("column {}", fate_class(fates[column]));
            let shade = [("x", x[column]), ("y", top), ("width", cell), ("height", base.len() as f64 * cell)];
            drawing.mark("rect", &[("class", &class)], &shade);
            let foot = (x[column] + cell / 2.0 + 0.3 * size, top - 4.0);
            drawing.upright_text("parameter", foot, parameter);
        }
    }
    for (row, base) in base.iter().enumerate() {
        if row % 5 == 0 {
            drawing.line("rule", (left - 4.0, y(row)), (width - 6.0, y(row)));
        }
        let name = fitted(&labels[base.column], size, 220.0);
        drawing.text("row", (left - 6.0, y(row) + 0.5 * cell + 0.32 * size), &name);
        for &(column, factor) in &base.terms {
            let centre = (x[column] + cell / 2.0, y(row) + cell / 2.0);
            let class = match (column == base.column, factor < 0.0) {
                (true, _) => "own",
                (false, false) => "plus",
                (false, true) => "minus",
            };
            let title = format!("{}: {factor} · {}", labels[base.column], labels[column]);
            drawing.titled_circle(class, centre, 0.5 * cell * share(factor), &title);
        }
    }
    drawing.close();
    Some(drawing.finish("matrix", "Base parameters against parameters", (width, height)))
}

/// Radius of a coefficient's dot relative to the largest: the area grows with its logarithm from 0.001 to 10.
fn share(factor: f64) -> f64 {
    let decades = (factor.abs().max(1e-300).log10() + 3.0) / 4.0;
    (0.12 + 0.72 * decades.clamp(0.0, 1.0)).sqrt()
}
