//! A designed motion as one page: how good, in space, limits, deviations, information, what would help.

use maud::{Markup, html};
use steiner_excitation::{Bound, Criterion, ExcitationError, Margin, history};

use super::MotionReport;
use super::history_charts::{distance_chart, information_charts, joint_cards};
use super::player::player;
use super::tables::{LARGE, ParameterLine, margin_table, parameter_lines, turns, unit_of};
use super::words::{
    blame_sentences, margin_percent, margin_words, motion_headline, quantity_words, weak_sentences,
};
use crate::page::{counts, headline_list, page, section};
use crate::words::{number, percent};

const STYLE: &str =
    concat!(include_str!("../identification/identification.css"), include_str!("excitation.css"));
/// Times of the charts and of the motion in space.
const TIMES: usize = 301;
/// Weak parameters that are listed.
const MOST_WEAK: usize = 10;
/// Distances, sums of turns and loops that are listed.
const MOST_OTHERS: usize = 12;

/// A self-contained page about a designed motion. The same input gives the same page.
pub fn motion_html(report: &MotionReport<'_>) -> Result<String, ExcitationError> {
    let history = history(report.mechanism, report.design, report.designed, TIMES)?;
    let content = html! {
        (header(report))
        @if let Some(player) = player(report, &history) {
            (section("The motion", about_player(report), player))
        }
        (section("What would help", HELP, what_would_help(report)))
        @if !report.designed.basis.is_static() {
            (section("Information over time", INFORMATION, information_charts(report, &history)))
        }
        (section("Expected deviations", DEVIATIONS, parameter_tables(report)))
        (section("Margins", MARGINS, margins(report)))
        @if let Some(chart) = distance_chart(report, &history) {
            (section("Distances", "The least distance of any two shapes that must not touch.", chart))
        }
        (section("Joints over time", JOINTS, joint_cards(report, &history)))
        footer { p { (FOOTER) } }
    };
    Ok(page(
        &format!("{}: a motion that shows its parameters", report.mechanism.robot().name),
        STYLE,
        content,
    ))
}

const DEVIATIONS: &str = "The standard deviation of each base parameter when it is identified from this motion with \
    the stated noise, and as a part of the file's value. An empty field: the value is about zero.";
const HELP: &str = "What stays weak, and which limits keep the motion from showing more: the change of log det, to \
    first order, if one limit were a tenth wider.";
const INFORMATION: &str = "Left: the mean deviation of all base parameters, were the motion broken off there. Right: \
    how much every sensor adds at each time, in base parameters' worth per second; over the whole motion all \
    sensors add up to the number of base parameters.";
const MARGINS: &str = "What is left of each limit where the motion comes nearest to it, as a part of half the range. \
    ● proven at every time, ○ checked at 2000 samples, ✗ violated.";
const JOINTS: &str = "Dashed: the limits. Torques follow from the inertias and friction of the file.";
const FOOTER: &str = "SI units and radians. The parameters of a body are m (kg), mx, my, mz (kg m) and Ixx, Ixy, \
    Iyy, Ixz, Iyz, Izz (kg m²) about the origin of its frame, in its axes; those of a drive are Ia (inertia), fv \
    (viscous friction), fc (Coulomb friction) and offset. A base parameter is named after its first term. The JSON \
    document has all digits and the coefficients.";

fn about_player(report: &MotionReport<'_>) -> String {
    let capsules = &report.design.capsules;
    let shapes = match capsules.iter().any(|own| own.hull.is_some()) {
        true => "Capsules and convex hulls",
        false => "Capsules",
    };
    let about = match (capsules.is_empty(), report.design.obstacles.is_empty()) {
        (true, _) => "Thin lines are the ways of the last bodies.".to_owned(),
        (false, true) => format!("{shapes} are what must not touch."),
        (false, false) => format!("{shapes} must not touch each other nor obstacles."),
    };
    format!("Drag to turn it, Ctrl and wheel to zoom. {about}")
}

fn header(report: &MotionReport<'_>) -> Markup {
    let designed = report.designed;
    let lines = parameter_lines(report);
    let mut relative: Vec<f64> = lines.iter().filter_map(|line| line.relative).collect();
    relative.sort_by(f64::total_cmp);
    let median = relative.get(relative.len() / 2).map_or("–".to_owned(), |r| percent(*r));
    let weak = lines.iter().filter(|line| line.is_weak()).count();
    let proven = designed.margins.iter().filter(|margin| margin.bound == Bound::Proven).count();
    let condition = match designed.criterion.0 {
        Criterion::Condition => "minimised",
        _ => "reported, not minimised",
    };
    let figures = vec![
        (number(designed.log_det, 4), "log det of the information", "per sample".to_owned()),
        (median, "median deviation", format!("of {} base parameters", lines.len())),
        (weak.to_string(), "weak parameters", format!("deviation above {}", percent(LARGE))),
        (number(designed.condition_number, 3), "condition number", condition.to_owned()),
        (format!("{proven}/{}", designed.margins.len()), "limits proven", "between samples, too".to_owned()),
    ];
    let sentences = motion_headline(report);
    html! {
        header {
            p.kicker { "A motion for identification" }
            h1 { (report.mechanism.robot().name) }
            @if !designed.feasible {
                div.verdict.alarmed { p { "Not feasible: do not run this motion." } }
            }
            (counts(&figures))
            (headline_list(&sentences))
        }
        "\n"
    }
}

/// Bodies and drives side by side.
fn parameter_tables(report: &MotionReport<'_>) -> Markup {
    let after = report.after.is_some();
    let of_drive = |line: &ParameterLine| {
        ["Ia", "fv", "fc", "offset"].iter().any(|term| line.name.ends_with(&format!(".{term}")))
    };
    let (drives, bodies): (Vec<ParameterLine>, Vec<ParameterLine>) =
        parameter_lines(report).into_iter().partition(of_drive);
    html! {
        div.tables {
            @for (title, lines) in [("Bodies", bodies), ("Drives", drives)] {
                @if !lines.is_empty() { div.wide { (parameter_table(title, &lines, after)) } }
            }
        }
    }
}

fn parameter_table(title: &str, lines: &[ParameterLine], after: bool) -> Markup {
    html! {
        table.numbers.deviations {
            caption { (title) ": base parameters and their expected deviations" }
            thead {
                tr {
                    th scope="col" { "base parameter" }
                    th.n scope="col" { "file's value" }
                    @if after { th.n scope="col" { "σ by the logs" } }
                    th.n scope="col" { "σ" }
                    th.n scope="col" { "σ, %" }
                    td {}
                }
            }
            tbody { @for line in lines { (parameter_row(line, after)) } }
        }
    }
}

fn parameter_row(line: &ParameterLine, after: bool) -> Markup {
    // A logarithmic bar from 0.1 % to 100 %.
    let bar = |relative: f64| (120.0 * ((relative.log10() + 3.0) / 3.0).clamp(0.02, 1.0)).round();
    let sigma = |sd: f64| if sd.is_finite() { number(sd, 2) } else { "not seen".to_owned() };
    html! {
        tr.weak-row[line.is_weak()] {
            th scope="row" { (line.shown()) }
            td.n { (number(line.value, 4)) }
            @if after { td.n { (line.before.map_or(String::new(), sigma)) } }
            td.n { (sigma(line.sd)) }
            td.n { (line.relative.map_or(String::new(), percent)) }
            td {
                @if let Some(relative) = line.relative {
                    i.share.weak-share[relative > LARGE] style={ "width:" (bar(relative)) "px" } {}
                }
            }
        }
    }
}

fn what_would_help(report: &MotionReport<'_>) -> Markup {
    let (weak, blame) = (weak_sentences(report), blame_sentences(report));
    html! {
        @if weak.is_empty() {
            p { "No base parameter stays weak: every deviation is below " (percent(LARGE)) " of its value, or the \
                value is about zero." }
        } @else {
            h3 { "Weak" }
            ul {
                @for sentence in weak.iter().take(MOST_WEAK) { li { (sentence) } }
                @if weak.len() > MOST_WEAK { li { (weak.len() - MOST_WEAK) " more, marked in the table below" } }
            }
        }
        @if blame.is_empty() {
            p { "No single limit is to blame: a tenth more of any would change little. More time, or a longer motion, \
                is what is left." }
        } @else {
            h3 { "Limits" }
            ul { @for sentence in &blame { li { (sentence) "." } } }
        }
    }
}

/// A limit; those about zero without their sign.
fn limit_size(margin: &Margin) -> String {
    let signed = margin.quantity == steiner_excitation::Quantity::Position;
    number(if signed { margin.limit } else { margin.limit.abs() }, 3)
}

fn margins(report: &MotionReport<'_>) -> Markup {
    let table = margin_table(report);
    let mark = |margin: &Margin| match margin.bound {
        Bound::Proven => "●",
        Bound::Sampled => "○",
        Bound::Violated => "✗",
    };
    html! {
        div.wide {
            table.numbers.margins {
                caption { "Margins of the joints" }
                thead {
                    tr {
                        th scope="col" { "joint" }
                        @for quantity in &table.quantities { th.n scope="col" { (quantity_words(*quantity)) } }
                    }
                }
                tbody {
                    @for (joint, cells) in &table.joints {
                        tr {
                            th scope="row" { (joint) }
                            @for cell in cells {
                                @match cell {
                                    None => td.n { "–" },
                                    Some(margin) => td.n.bad[margin.bound == Bound::Violated]
                                        title=(margin_words(report, margin)) {
                                        (margin_percent(margin.margin)) " "
                                        small { "of " (limit_size(margin)) " "
                                            (unit_of(margin.quantity, turns(report, &margin.of))) }
                                        " " (mark(margin))
                                    },
                                }
                            }
                        }
                    }
                }
            }
        }
        @if !table.others.is_empty() {
            ul {
                @for margin in table.others.iter().take(MOST_OTHERS) {
                    li { (margin_words(report, margin)) " " (mark(margin)) }
                }
                @if table.others.len() > MOST_OTHERS {
                    li { (table.others.len() - MOST_OTHERS) " more, which are farther away" }
                }
            }
        }
    }
}
