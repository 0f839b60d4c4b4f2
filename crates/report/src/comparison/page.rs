//! A comparison as one page: the verdict, residuals row by row, forces over time, the links of both.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identification::courses::{Curve, ModelCourse};
use steiner_identification::{Outcome, RobotComparison};
use steiner_robot::PseudoInertia;

use super::verdict;
use crate::identification::joints::{bars, over_time, times, titled};
use crate::identification::links::solids_picture;
use crate::identification::page::STYLE;
use crate::page::{page, section};
use crate::plot::Plot;
use crate::svg::escaped;
use crate::words::{number, percent};

/// Colours of the plots: what was measured, the first, the second.
const MEASURED: usize = 6;
const COLOURS: [usize; 2] = [0, 1];

/// A self-contained page about a comparison of two robots. The same input gives the same page.
pub fn robot_comparison_html(a: &Mechanism, b: &Mechanism, comparison: &RobotComparison) -> String {
    let names = comparison.names.each_ref().map(|name| escaped(name));
    let mut out = header(comparison);
    let about = format!(
        "Norm of what is left over the norm of what was measured. <span class=\"stroke model\"></span> {}, <span class=\"stroke second\"></span> {}. <i>As written</i> is what the files say; for \
         <i>drives fitted</i> the inertias of links are the files' and inertia, friction and offset of every drive are those that suit best.",
        names[0], names[1]
    );
    section(&mut out, "What each leaves of the forces", &about, &table(comparison));
    let about = format!(
        "<span class=\"stroke measured\"></span> measured, <span class=\"stroke model\"></span> {}, <span class=\"stroke second\"></span> {}; samples held out are shaded. Beside it the size of what each leaves with fitted drives.",
        names[0], names[1]
    );
    section(&mut out, "Forces over time", &about, &charts(comparison));
    if let Some(picture) = picture(a, b, &comparison.names) {
        let about = format!(
            "Each inertia drawn as the ellipsoid of uniform density that has it, to scale: dashed with a cross {}, filled with a dot {}.",
            names[0], names[1]
        );
        section(&mut out, "Their links", &about, &picture);
    }
    if comparison.drives.iter().any(|drives| !drives.is_empty()) {
        let about =
            "What was fitted for each, SI units: Ia inertia, fv viscous and fc Coulomb friction, offset.";
        section(&mut out, "Fitted drives", about, &drives(comparison));
    }
    out += "<footer>\n<p>SI units and radians. The JSON document has all digits.</p>\n</footer>\n";
    page(
        &format!("{} and {}: whose torques are nearer", comparison.names[0], comparison.names[1]),
        STYLE,
        &out,
    )
}

fn header(comparison: &RobotComparison) -> String {
    let mut out = format!(
        "<header>\n<p class=\"kicker\">Whose torques are nearer</p>\n<h1>{} <span class=\"muted\">and</span> {}</h1>\n<div class=\"counts\">\n",
        escaped(&comparison.names[0]),
        escaped(&comparison.names[1])
    );
    for (outcome, remark) in
        [(Some(&comparison.as_written), "as written"), (comparison.drives_fitted.as_ref(), "drives fitted")]
    {
        let Some(outcome) = outcome else { continue };
        for (k, name) in comparison.names.iter().enumerate() {
            let _ = writeln!(
                out,
                "<div><b>{}</b><span>left by {}</span><small>{remark}</small></div>",
                percent(outcome.total[k]),
                escaped(name)
            );
        }
    }
    out += "</div>\n<ul class=\"headline\">\n";
    for sentence in verdict(comparison) {
        let _ = writeln!(out, "<li>{}</li>", escaped(&sentence));
    }
    out += "</ul>\n";
    for note in &comparison.notes {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(note));
    }
    out += "</header>\n";
    out
}

fn table(comparison: &RobotComparison) -> String {
    let names = comparison.names.each_ref().map(|name| escaped(name));
    let outcomes: Vec<(&str, &Outcome)> =
        [("as written", Some(&comparison.as_written)), ("drives fitted", comparison.drives_fitted.as_ref())]
            .into_iter()
            .filter_map(|(words, outcome)| Some((words, outcome?)))
            .collect();
    let mut out = String::from(
        "<div class=\"wide\"><table class=\"numbers residuals\"><caption>Relative residuals of both</caption><thead><tr><th scope=\"col\" rowspan=\"2\">measured</th>",
    );
    for (words, _) in &outcomes {
        let _ = write!(out, "<th scope=\"colgroup\" colspan=\"3\">{words}</th>");
    }
    out += "</tr>\n<tr>";
    for _ in &outcomes {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">{}</th><th scope=\"col\"></th>",
            names[0], names[1]
        );
    }
    out += "</tr></thead><tbody>\n";
    let greatest = |outcome: &Outcome| {
        outcome.rows.iter().flatten().filter(|x| x.is_finite()).fold(1e-12, |most: f64, x| most.max(*x))
    };
    let cells = |outcome: &Outcome, [a, b]: [f64; 2]| {
        let words =
            |x: f64, other: f64| if x < other { format!("<b>{}</b>", percent(x)) } else { percent(x) };
        format!(
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>",
            words(a, b),
            words(b, a),
            bars(a, b, greatest(outcome))
        )
    };
    for (r, name) in comparison.rows.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(name));
        outcomes.iter().for_each(|(_, outcome)| out += &cells(outcome, outcome.rows[r]));
        out += "</tr>\n";
    }
    out += "</tbody><tfoot><tr><th scope=\"row\">all</th>";
    outcomes.iter().for_each(|(_, outcome)| out += &cells(outcome, outcome.total));
    out += "</tr></tfoot></table></div>\n";
    out
}

fn charts(comparison: &RobotComparison) -> String {
    let mut out = String::new();
    for (r, name) in comparison.rows.iter().enumerate() {
        let _ =
            writeln!(out, "<div class=\"joint-card\">\n<h3>{}</h3>\n<div class=\"charts\">", escaped(name));
        out += &forces(&comparison.as_written, r);
        out += &left(comparison.drives_fitted.as_ref().unwrap_or(&comparison.as_written), r);
        out += "</div>\n</div>\n";
    }
    out
}

const CHART: (f64, f64) = (545.0, 260.0);

fn forces(outcome: &Outcome, r: usize) -> String {
    let [first, _] = &outcome.courses;
    let row = &first.rows[r];
    let mut plot = over_time(&first.timeline, row.unit, CHART).titled("As written");
    let (t, y) = times(&row.measured);
    plot = plot.line("", t, y).colour(MEASURED).faint();
    plot = both(plot, outcome, r, |model| &model.predicted);
    titled(&plot.svg(), &row.name)
}

fn left(outcome: &Outcome, r: usize) -> String {
    let [first, _] = &outcome.courses;
    let row = &first.rows[r];
    let mut plot = over_time(&first.timeline, row.unit, CHART)
        .titled("What is left with fitted drives")
        .y("left, rms", row.unit)
        .y_range(0.0, None);
    plot = both(plot, outcome, r, |model| &model.left);
    titled(&plot.svg(), &row.name)
}

/// A curve of each: the second dashed and on top, so that equal ones are both to be seen.
fn both(mut plot: Plot, outcome: &Outcome, r: usize, curve: fn(&ModelCourse) -> &Curve) -> Plot {
    for (k, courses) in outcome.courses.iter().enumerate() {
        let Some(model) = courses.rows[r].models.first() else { continue };
        let (t, y) = times(curve(model));
        plot = plot.line("", t, y).colour(COLOURS[k]);
        plot = if k == 1 { plot.dashed() } else { plot };
    }
    plot
}

/// Both inertias of every body, where the two have the same bodies.
fn picture(a: &Mechanism, b: &Mechanism, whose: &[String; 2]) -> Option<String> {
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

fn drives(comparison: &RobotComparison) -> String {
    let names = comparison.names.each_ref().map(|name| escaped(name));
    let mut out = format!(
        "<div class=\"wide\"><table class=\"numbers\"><caption>Fitted drives</caption><thead><tr><th scope=\"col\">parameter</th><th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">{}</th></tr></thead><tbody>\n",
        names[0], names[1]
    );
    let mut labels: Vec<&String> = comparison.drives[0].iter().map(|(label, _)| label).collect();
    let more: Vec<&String> =
        comparison.drives[1].iter().map(|(label, _)| label).filter(|label| !labels.contains(label)).collect();
    labels.extend(more);
    for label in labels {
        let value = |k: usize| {
            let found = comparison.drives[k].iter().find(|(other, _)| other == label);
            found.map_or("–".to_owned(), |(_, x)| if x.abs() < 1e-9 { "0".to_owned() } else { number(*x, 4) })
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(label),
            value(0),
            value(1)
        );
    }
    out += "</tbody></table></div>\n";
    out
}
