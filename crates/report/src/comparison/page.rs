//! A comparison as one page: the verdict, residuals row by row, forces over time, the links of both.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identification::residual_history::{Curve, ModelHistory};
use steiner_identification::{Outcome, RobotComparison};
use steiner_robot::PseudoInertia;

use super::verdict;
use crate::identification::forces_over_time::{MEASURED, over_time, times};
use crate::identification::links::solids_picture;
use crate::identification::page::STYLE;
use crate::identification::residual_table::bars;
use crate::notes::comparison_note;
use crate::page::{counts, headline_list, page, remarks, section};
use crate::plot::Plot;
use crate::words::{number, percent};

/// Colours of the plots: the first, the second.
const COLOURS: [usize; 2] = [0, 1];

/// A self-contained page about a comparison of two robots. The same input gives the same page.
pub fn robot_comparison_html(a: &Mechanism, b: &Mechanism, comparison: &RobotComparison) -> String {
    let [first, second] = &comparison.names;
    let about_residuals = html! {
        "Relative residual: RMS of measured minus predicted, over RMS of measured. "
        span.stroke.model {} " " (first) ", " span.stroke.second {} " " (second) ". "
        i { "As written" } " is what the files say; for " i { "drives fitted" } " the inertias of links are \
        the files' and inertia, friction and offset of every drive are fitted to the training samples."
    };
    let about_forces = html! {
        span.stroke.measured {} " measured, " span.stroke.model {} " " (first) ", "
        span.stroke.second {} " " (second) "; samples held out are shaded. Beside it the RMS residual of \
        each with fitted drives."
    };
    let about_links = html! {
        "Each inertia drawn as the ellipsoid of uniform density that has it, to scale: dashed with a cross "
        (first) ", filled with a dot " (second) "."
    };
    let about_drives =
        "What was fitted for each, SI units: Ia inertia, fv viscous and fc Coulomb friction, offset.";
    let content = html! {
        (header(comparison))
        (section("Relative residuals", about_residuals, residual_table(comparison)))
        (section("Forces over time", about_forces, force_charts(comparison)))
        @if let Some(picture) = inertia_picture(a, b, &comparison.names) {
            (section("Their links", about_links, picture))
        }
        @if comparison.drives.iter().any(|drives| !drives.is_empty()) {
            (section("Fitted drives", about_drives, drive_table(comparison)))
        }
        footer { p { "SI units and radians. The JSON document has all digits." } }
    };
    page(&format!("{first} and {second}: which model predicts the torques better"), STYLE, content)
}

/// How the two did as written and, where drives were fitted, with those.
fn outcomes(comparison: &RobotComparison) -> impl Iterator<Item = (&'static str, &Outcome)> {
    let fitted = comparison.drives_fitted.as_ref().map(|outcome| ("drives fitted", outcome));
    [("as written", &comparison.as_written)].into_iter().chain(fitted)
}

fn header(comparison: &RobotComparison) -> Markup {
    let [first, second] = &comparison.names;
    let left_by = comparison.names.each_ref().map(|name| format!("left by {name}"));
    let mut figures = Vec::new();
    for (remark, outcome) in outcomes(comparison) {
        for (total, words) in outcome.total.iter().zip(&left_by) {
            figures.push((percent(*total), words.as_str(), remark.to_owned()));
        }
    }
    html! {
        header {
            p.kicker { "Which model predicts the measured torques better" }
            h1 { (first) " " span.muted { "and" } " " (second) }
            (counts(&figures))
            (headline_list(&verdict(comparison)))
            (remarks(&comparison.notes.iter().map(comparison_note).collect::<Vec<_>>()))
        }
        "\n"
    }
}

fn residual_table(comparison: &RobotComparison) -> Markup {
    html! {
        div.wide {
            table.numbers.residuals {
                caption { "Relative residuals of both" }
                thead {
                    tr {
                        th scope="col" rowspan="2" { "measured" }
                        @for (words, _) in outcomes(comparison) {
                            th scope="colgroup" colspan="3" { (words) }
                        }
                    }
                    tr {
                        @for _ in outcomes(comparison) {
                            @for name in &comparison.names { th.n scope="col" { (name) } }
                            th scope="col" {}
                        }
                    }
                }
                tbody {
                    @for (r, name) in comparison.rows.iter().enumerate() {
                        tr {
                            th scope="row" { (name) }
                            @for (_, outcome) in outcomes(comparison) { (shares(outcome, outcome.rows[r])) }
                        }
                        "\n"
                    }
                }
                tfoot {
                    tr {
                        th scope="row" { "all" }
                        @for (_, outcome) in outcomes(comparison) { (shares(outcome, outcome.total)) }
                    }
                }
            }
        }
    }
}

/// Residuals of both, the lesser in bold, and bars.
fn shares(outcome: &Outcome, [a, b]: [f64; 2]) -> Markup {
    let finite = outcome.rows.iter().flatten().filter(|x| x.is_finite());
    let greatest = finite.fold(1e-12, |most: f64, x| most.max(*x));
    html! {
        @for (x, other) in [(a, b), (b, a)] {
            td.n { @if x < other { b { (percent(x)) } } @else { (percent(x)) } }
        }
        td { (bars(a, b, greatest)) }
    }
}

fn force_charts(comparison: &RobotComparison) -> Markup {
    let fitted = comparison.drives_fitted.as_ref().unwrap_or(&comparison.as_written);
    html! {
        @for (r, name) in comparison.rows.iter().enumerate() {
            div.joint-card {
                h3 { (name) }
                div.charts { (forces(&comparison.as_written, r)) (left(fitted, r)) }
            }
            "\n"
        }
    }
}

const CHART: (f64, f64) = (545.0, 260.0);

fn forces(outcome: &Outcome, r: usize) -> Markup {
    let [first, _] = &outcome.history;
    let row = &first.rows[r];
    let mut plot = over_time(&first.timeline, row.unit, CHART).titled("As written");
    let (t, y) = times(&row.measured);
    plot = plot.line("", t, y).colour(MEASURED).faint();
    both(plot, outcome, r, |model| &model.predicted).about(&row.name).markup()
}

fn left(outcome: &Outcome, r: usize) -> Markup {
    let [first, _] = &outcome.history;
    let row = &first.rows[r];
    let plot = over_time(&first.timeline, row.unit, CHART)
        .titled("What is left with fitted drives")
        .y("residual, RMS", row.unit)
        .y_range(0.0, None);
    both(plot, outcome, r, |model| &model.residual).about(&row.name).markup()
}

/// A curve of each: the second dashed and on top, so that equal ones are both to be seen.
fn both(mut plot: Plot, outcome: &Outcome, r: usize, curve: fn(&ModelHistory) -> &Curve) -> Plot {
    for (k, history) in outcome.history.iter().enumerate() {
        let Some(model) = history.rows[r].models.first() else { continue };
        let (t, y) = times(curve(model));
        plot = plot.line("", t, y).colour(COLOURS[k]);
        plot = if k == 1 { plot.dashed() } else { plot };
    }
    plot
}

/// Both inertias of every body, where the two have the same bodies.
fn inertia_picture(a: &Mechanism, b: &Mechanism, whose: &[String; 2]) -> Option<Markup> {
    let names = |mechanism: &Mechanism| -> Vec<String> {
        mechanism.robot().bodies.iter().map(|body| body.name.clone()).collect()
    };
    if names(a) != names(b) {
        return None;
    }
    let pairs: Vec<(&PseudoInertia, &PseudoInertia)> = a
        .robot()
        .bodies
        .iter()
        .zip(&b.robot().bodies)
        .map(|(own, other)| (&own.inertia, &other.inertia))
        .collect();
    Some(solids_picture(b, &names(b), [&whose[0], &whose[1]], &pairs))
}

fn drive_table(comparison: &RobotComparison) -> Markup {
    let [first, second] = &comparison.drives;
    let mut labels: Vec<&String> = first.iter().map(|(label, _)| label).collect();
    let more: Vec<&String> =
        second.iter().map(|(label, _)| label).filter(|label| !labels.contains(label)).collect();
    labels.extend(more);
    let value = |drives: &[(String, f64)], label: &String| {
        let found = drives.iter().find(|(other, _)| other == label);
        found.map_or("–".to_owned(), |(_, x)| if x.abs() < 1e-9 { "0".to_owned() } else { number(*x, 4) })
    };
    html! {
        div.wide {
            table.numbers {
                caption { "Fitted drives" }
                thead {
                    tr {
                        th scope="col" { "parameter" }
                        @for name in &comparison.names { th.n scope="col" { (name) } }
                    }
                }
                tbody {
                    @for label in labels {
                        tr {
                            th scope="row" { (label) }
                            @for drives in &comparison.drives { td.n { (value(drives, label)) } }
                        }
                    }
                }
            }
        }
    }
}
