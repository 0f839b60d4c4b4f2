//! `steiner analyze`: which parameters can be identified, proven.

use std::path::Path;

use steiner::files::write_atomically;
use steiner::identifiability::compare;
use steiner::identification::Excitation;
use steiner::report::{
    FurtherAnswers, analysis_document, analysis_html_with, comparison_json, excitation_json, log_notes,
    setting_note,
};
use steiner::{
    Analysis, LogExcitation, Mechanism, Question, SensorSet, analyze, excitation_of_logs, read_robot,
};

use crate::analysis_page::{analysis_page, comparison_page, excitation_page};
use crate::arguments::AnalyzeArguments;
use crate::hints::FLAGS;
use crate::logs::watch;
use crate::output::{Failure, print, stream_json, width};
use crate::places::Places;
use crate::progress::Progress;
use crate::symbolic;

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .reads_logs(&arguments.logs)
        .reads("the mapping", &arguments.reading.mapping)
        .writes("--html", arguments.html.as_ref())
        .check()?;
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
    let found = excitation(&mechanism, &question, &analysis, arguments)?;
    if let Some(path) = &arguments.html {
        let log = found.as_ref().map(|(excitation, notes)| (excitation, &notes[..]));
        let further = FurtherAnswers { comparison: &comparison, log, ..FurtherAnswers::default() };
        write_page(path, &analysis_html_with(&mechanism, &analysis, &further))?;
    }
    if arguments.json {
        let mut document = analysis_document(&mechanism, &analysis);
        if !arguments.compare.is_empty() {
            document.insert("comparison", comparison_json(&comparison));
        }
        if let Some((excitation, notes)) = &found {
            document.insert("log", excitation_json(&analysis, excitation, notes));
        }
        stream_json(|out| serde_json::to_writer_pretty(out, &document))
    } else {
        let mut page = analysis_page(&mechanism, &analysis, width());
        page += &comparison_page(&analysis, &comparison, width());
        if let Some((excitation, notes)) = &found {
            page += &excitation_page(&analysis, excitation, notes, width());
        }
        print(&page)
    }
}

/// What logs excited, with what was done to them; `None` without logs.
fn excitation(
    mechanism: &Mechanism,
    question: &Question,
    analysis: &Analysis,
    arguments: &AnalyzeArguments,
) -> Result<Option<(Excitation, Vec<String>)>, Failure> {
    if arguments.logs.is_empty() {
        return Ok(None);
    }
    let logs = arguments.reading.logs(&arguments.logs, &[], Some(question.measure.clone()))?;
    let progress = Progress::of("reading");
    let LogExcitation { excitation, notes } =
        excitation_of_logs(mechanism, question, analysis, &logs, watch(&progress, &logs))?;
    // Where no forces were recorded, nothing is held out.
    let held_out = logs.held_out_by_default().filter(|_| excitation.held_out > 0);
    let held_out = held_out.map(|note| setting_note(&note, FLAGS));
    Ok(Some((excitation, held_out.into_iter().chain(log_notes(&notes)).collect())))
}

fn write_page(path: &Path, page: &str) -> Result<(), Failure> {
    write_atomically(path, page).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another --html", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
