//! `steiner analyze`: which parameters can be identified, proven.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_files::write_atomically;
use steiner_formats::read_robot;
use steiner_identifiability::{Analysis, Question, Showing, Shown, analyze, compare};
use steiner_identification::channels;
use steiner_logs::{LogOptions, LogReader, Mapping, Processing, RecordingStream};
use steiner_report::{analysis_html, analysis_json, comparison_json, shown_json};
use steiner_robot::SensorSet;

use crate::analysis_page::{analysis_page, comparison_page, shown_page};
use crate::arguments::AnalyzeArguments;
use crate::output::{Failure, print, print_json, width};
use crate::symbolic;

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let robot = arguments.symbolic.framed(read_robot(&arguments.robot.robot, &arguments.robot.options())?)?;
    let question = Question {
        measure: arguments.measure.parse()?,
        method: arguments.method,
        certify: !arguments.no_certify,
        drives: arguments.drives,
        known: arguments.fix.clone(),
        keep: arguments.keep.clone(),
        eliminate: arguments.eliminate.clone(),
    };
    if arguments.symbolic.wanted() {
        return symbolic::run(&robot, &question, arguments);
    }
    let mechanism = Mechanism::new(robot)?;
    let analysis = analyze(&mechanism, &question)?;
    let others = arguments.compare.iter().map(|set| set.parse()).collect::<Result<Vec<SensorSet>, _>>()?;
    let comparison = compare(&mechanism, &question, &analysis, &others)?;
    let shown = shown(&mechanism, &question, &analysis, arguments)?;
    if let Some(path) = &arguments.html {
        write_page(path, &mechanism, &analysis)?;
    }
    if arguments.json {
        let mut document = analysis_json(&mechanism, &analysis);
        if !arguments.compare.is_empty() {
            document["comparison"] = comparison_json(&comparison);
        }
        if let Some((shown, notes)) = &shown {
            document["log"] = shown_json(&analysis, shown, notes);
        }
        print_json(&document)
    } else {
        let mut page = analysis_page(&mechanism, &analysis, width());
        page += &comparison_page(&analysis, &comparison, width());
        if let Some((shown, notes)) = &shown {
            page += &shown_page(&analysis, shown, notes, width());
        }
        print(&page)
    }
}

/// What recorded motions showed, with what was done to them.
fn shown(
    mechanism: &Mechanism,
    question: &Question,
    analysis: &Analysis,
    arguments: &AnalyzeArguments,
) -> Result<Option<(Shown, Vec<String>)>, Failure> {
    if arguments.logs.is_empty() {
        return Ok(None);
    }
    let mapping = arguments.mapping.as_deref().map(Mapping::read).transpose()?;
    let options = LogOptions { mapping, ..LogOptions::default() };
    let mut showing = Showing::new(mechanism, question.measurement(mechanism)?, &analysis.regrouping);
    let (channels, mut notes) = (channels(mechanism), Vec::new());
    for path in &arguments.logs {
        let reader = LogReader::open(path, &options)?;
        let mut stream = RecordingStream::new(&channels, reader, &Processing::default())?;
        while let Some(part) = stream.next_part()? {
            for k in 0..part.count {
                let row = |values: &[f64], width: usize| values[k * width..(k + 1) * width].to_vec();
                let (q, qd) = (row(&part.q, mechanism.configuration_size()), row(&part.qd, mechanism.dof()));
                showing.sample(&q, &qd, &row(&part.qdd, mechanism.dof())).map_err(|error| {
                    Failure::Message(format!("{}, {} s: {error}", path.display(), part.t[k]))
                })?;
            }
        }
        for note in stream.notes() {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    Ok(Some((showing.finish(), notes)))
}

fn write_page(path: &Path, mechanism: &Mechanism, analysis: &Analysis) -> Result<(), Failure> {
    let page = analysis_html(mechanism, analysis);
    write_atomically(path, &page).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another --html", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
