//! The section on what is left of the forces: relative residuals of every measured row, before and after.

use maud::{Markup, html};
use steiner_identification::{Identification, Residuals, RowResidual};

use super::forces_over_time::LARGE;
use super::headline::evaluated;
use crate::words::{number, percent};

/// A row for each measured force, columns for the model, least squares and the file.
pub(super) fn residual_table(identification: &Identification) -> Markup {
    let training = &identification.training;
    let shown = || identification.validation.iter().chain([training]);
    let evaluated = evaluated(identification);
    let all = evaluated.model.rows.iter().chain(&evaluated.prior.rows).map(|row| row.relative);
    let greatest = all.filter(|x| x.is_finite()).fold(1e-12, f64::max);
    let noise = |r: usize| identification.noise.get(r).map_or("–".to_owned(), |sigma| number(*sigma, 3));
    html! {
        div.wide {
            table.numbers.residuals {
                caption { "Relative residuals" }
                thead { (heads(identification.validation.is_some())) }
                tbody {
                    @for (r, row) in training.model.rows.iter().enumerate() {
                        @let (own, file) = (&evaluated.model.rows[r], &evaluated.prior.rows[r]);
                        tr {
                            th scope="row" { (row.name) }
                            @for residuals in shown() { (shares_of_row(residuals, r)) }
                            td.n { (number(own.rms, 3)) }
                            td.n { (noise(r)) }
                            td { (bars(own.relative, file.relative, greatest)) }
                        }
                        "\n"
                    }
                }
                tfoot {
                    tr {
                        th scope="row" { "all" }
                        @for residuals in shown() { (shares_of_all(residuals)) }
                        td {} td {}
                        td { (bars(evaluated.model.total, evaluated.prior.total, greatest)) }
                    }
                }
            }
        }
    }
}

fn heads(has_validation: bool) -> Markup {
    html! {
        tr {
            th scope="col" rowspan="2" { "measured" }
            @if has_validation { th scope="colgroup" colspan="3" { "validation (held out)" } }
            th scope="colgroup" colspan="3" { "training" }
            th.n scope="col" rowspan="2" { "RMS " (if has_validation { "held out" } else { "training" }) ", N·m or N" }
            th.n scope="col" rowspan="2" { "noise" }
            th scope="col" rowspan="2" { "model and file" }
        }
        tr {
            @for _ in 0..1 + usize::from(has_validation) {
                @for whose in ["model", "least squares", "file"] { th.n scope="col" { (whose) } }
            }
        }
    }
}

fn shares_of_row(residuals: &Residuals, r: usize) -> Markup {
    let of = |rows: &[RowResidual]| rows[r].relative;
    shares(of(&residuals.model.rows), of(&residuals.least_squares.rows), of(&residuals.prior.rows))
}

fn shares_of_all(residuals: &Residuals) -> Markup {
    shares(residuals.model.total, residuals.least_squares.total, residuals.prior.total)
}

fn shares(model: f64, free: f64, file: f64) -> Markup {
    html! { td.n { b.bad[model > LARGE] { (percent(model)) } } td.n { (percent(free)) } td.n { (percent(file)) } }
}

/// Two bars, full at the greatest residual of the table.
pub(crate) fn bars(first: f64, second: f64, greatest: f64) -> Markup {
    let width = |x: f64| match x.is_finite() {
        true => (120.0 * (x / greatest).clamp(0.0, 1.0)).max(1.0).round(),
        false => 0.0,
    };
    html! {
        @for (class, x) in [("first", first), ("second", second)] {
            i.two.(class) style={ "width:" (width(x)) "px" } {}
        }
    }
}
