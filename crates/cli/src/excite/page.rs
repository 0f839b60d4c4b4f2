//! What `steiner excite` says in a terminal.

use steiner::excitation::Bound;
use steiner::report::{
    MotionReport, ParameterLine, blame_sentences, count, margin_percent, margin_table, motion_headline,
    number, parameter_lines,
};

use crate::output::{table, wrapped};

/// Parameters of the table; the others are better known.
const MOST_PARAMETERS: usize = 12;
/// Distances, sums of turns and loops that are listed.
const MOST_OTHERS: usize = 5;

pub(super) fn motion_page(report: &MotionReport<'_>, width: usize) -> String {
    let mut page = String::new();
    let mut sentences = motion_headline(report).into_iter();
    let first = sentences.next().unwrap_or_default().replacen("A motion", "a motion", 1);
    page += &wrapped(&format!("{}: {first}", report.mechanism.robot().name), 2, width);
    sentences.for_each(|sentence| page += &wrapped(&sentence, 2, width));
    page += &margins(report);
    page += &parameters(report);
    let blame = blame_sentences(report);
    if !blame.is_empty() {
        page += "what would help:\n";
        blame.iter().for_each(|sentence| page += &wrapped(&format!("  {sentence}"), 4, width));
    }
    let designed = report.designed;
    page += &format!(
        "found in {} s from {}{}\n",
        number(designed.seconds, 3),
        count(designed.starts, "start"),
        if designed.stopped { ", stopped" } else { "" }
    );
    page
}

fn margins(report: &MotionReport<'_>) -> String {
    let margins = margin_table(report);
    let mut head = vec!["margin left".to_owned()];
    head.extend(margins.quantities.iter().map(|quantity| quantity.name().to_owned()));
    let names: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut out = table(&names, &(1..names.len()).collect::<Vec<_>>());
    for (joint, cells) in &margins.joints {
        let mut row = vec![joint.clone()];
        row.extend(cells.iter().map(|cell| match cell {
            None => "–".to_owned(),
            Some(margin) => match margin.bound {
                Bound::Proven => margin_percent(margin.margin),
                Bound::Sampled => format!("{} ~", margin_percent(margin.margin)),
                Bound::Violated => format!("{} !", margin_percent(margin.margin)),
            },
        }));
        out.add_row(row);
    }
    let mut page = format!("{out}\n");
    let sampled = report.designed.margins.iter().any(|margin| margin.bound == Bound::Sampled);
    if sampled {
        page += "~ checked at samples, not proven between them\n";
    }
    for margin in margins.others.iter().take(MOST_OTHERS) {
        page += &format!(
            "{}: {} {} (limit {}) at {} s, {}\n",
            margin.of,
            margin.quantity.name(),
            number(margin.value, 4),
            number(margin.limit, 4),
            number(margin.time, 3),
            margin.bound.name()
        );
    }
    page
}

/// The least certain first.
fn parameters(report: &MotionReport<'_>) -> String {
    let mut lines = parameter_lines(report);
    let all = lines.len();
    let key = |line: &ParameterLine| match (line.sd.is_finite(), line.relative) {
        (false, _) => f64::INFINITY,
        (true, relative) => relative.unwrap_or(0.0),
    };
    lines.sort_by(|a, b| key(b).total_cmp(&key(a)));
    let after = report.after.is_some();
    let mut head = vec!["least certain", "file's value"];
    head.extend(after.then_some("σ by the logs"));
    head.extend(["σ expected", "σ %"]);
    let mut out = table(&head, &(1..head.len()).collect::<Vec<_>>());
    let sigma = |sd: f64| if sd.is_finite() { number(sd, 2) } else { "not seen".to_owned() };
    for line in lines.iter().take(MOST_PARAMETERS) {
        let mut row = vec![line.shown(), number(line.value, 4)];
        row.extend(line.before.map(sigma));
        row.push(sigma(line.sd));
        row.push(line.relative.map_or(String::new(), |relative| number(100.0 * relative, 3)));
        out.add_row(row);
    }
    let mut page = format!("{out}\n");
    if all > MOST_PARAMETERS {
        page += &format!("and {} that are more certain: --html or --json\n", all - MOST_PARAMETERS);
    }
    page
}
