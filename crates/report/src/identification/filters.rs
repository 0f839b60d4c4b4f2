//! The section on filters: spectra of the derived accelerations, with the cut-off.

use maud::{Markup, html};
use steiner_identification::residual_history::{FilterOfLog, ResidualHistory};
use steiner_logs::CoordinateSpectra;

use super::forces_over_time::{MEASURED, MODEL};
use crate::plot::Plot;
use crate::words::{number, percent};

/// Coordinates that are drawn for each log.
const MOST: usize = 12;
/// Points of a curve.
const POINTS: usize = 240;

/// The spectra of all logs; `None` where nothing was derived.
pub(super) fn filter_section(history: &ResidualHistory) -> Option<Markup> {
    let mut derived =
        history.filters.iter().filter(|filter| !filter.spectra.coordinates.is_empty()).peekable();
    derived.peek()?;
    Some(html! {
        @for filter in derived {
            h3 { (filter.log) }
            p { (words(filter)) }
            div.filters {
                @for coordinate in filter.spectra.coordinates.iter().take(MOST) {
                    figure { (spectra_chart(coordinate, filter.cutoff)) figcaption { (coordinate.name) } }
                }
            }
        }
    })
}

fn words(filter: &FilterOfLog) -> String {
    let FilterOfLog { cutoff, spectra, .. } = filter;
    let error = spectra.coordinates.iter().filter_map(|c| c.expected_error).fold(0.0, f64::max);
    let mut out = match cutoff {
        Some(hertz) => format!("Filtered at {} Hz; ", number(*hertz, 4)),
        None => "Not filtered; ".to_owned(),
    };
    out += &match spectra.suggested {
        Some(hertz) => format!(
            "the spectra suggest {} Hz, where filtered accelerations are expected to err by up to {}.",
            number(hertz, 4),
            percent(error)
        ),
        None => "the spectra suggest no filter.".to_owned(),
    };
    if spectra.coordinates.len() > MOST {
        out += &format!(" The first {MOST} coordinates are drawn.");
    }
    out
}

fn spectra_chart(coordinate: &CoordinateSpectra, cutoff: Option<f64>) -> Markup {
    // Amplitudes; a few hundred points, and none at 0 Hz.
    let curve = |spectrum: &steiner_logs::signals::Spectrum| -> (Vec<f64>, Vec<f64>) {
        let last = spectrum.frequency.last().copied().unwrap_or(0.0);
        let mut next = 0.0;
        let points = spectrum.frequency.iter().zip(&spectrum.density).filter(|(f, density)| {
            let wanted = **f > 0.0 && **density > 0.0 && **f >= next;
            if wanted {
                next = **f * (last / spectrum.frequency[1].max(f64::MIN_POSITIVE)).powf(1.0 / POINTS as f64);
            }
            wanted
        });
        points.map(|(f, density)| (*f, density.sqrt())).unzip()
    };
    let mut plot = Plot::new("").size(300.0, 220.0).x("frequency", "Hz").y("", "per s²/√Hz").log_x().log_y();
    let (f, y) = curve(&coordinate.before);
    plot = plot.line("", f, y).colour(MEASURED).faint();
    if let Some(after) = &coordinate.after {
        let (f, y) = curve(after);
        // What lies far below is rounding.
        let most = y.iter().fold(0.0f64, |most, x| most.max(*x));
        let (f, y): (Vec<f64>, Vec<f64>) = f.into_iter().zip(y).filter(|(_, y)| *y > 1e-6 * most).unzip();
        plot = plot.line("", f, y).colour(MODEL);
    }
    if let Some(hertz) = cutoff {
        plot = plot.at_x(hertz, &format!("{} Hz", number(hertz, 3)));
    }
    let about = format!("{}: spectra of the acceleration before and after the filter", coordinate.name);
    plot.about(&about).markup()
}
