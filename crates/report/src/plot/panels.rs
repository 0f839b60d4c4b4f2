//! Several charts on one sheet, row by row.

use super::{Plot, draw};
use crate::svg::{Drawing, px};

/// Charts side by side as one SVG file: `columns` to a row, each in its own size, rows as high as the highest
/// of them. The description is for those who hear it.
pub fn panels(description: &str, plots: &[Plot], columns: usize) -> String {
    let mut sheet = Drawing::default();
    let (mut width, mut top) = (0.0f64, 0.0);
    for row in plots.chunks(columns.max(1)) {
        let mut left = 0.0;
        for plot in row {
            sheet.open("transform", &format!("translate({} {})", px(left), px(top)));
            sheet.draw(draw::drawing(plot));
            sheet.close();
            left += plot.size.0;
        }
        width = width.max(left);
        top += row.iter().fold(0.0, |most: f64, plot| most.max(plot.size.1));
    }
    sheet.finish_file("plot", description, (width, top), draw::own_style())
}
