//! `steiner analyze`: which parameters can be identified, proven.

use std::path::Path;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Question, analyze};
use steiner_report::{analysis_html, analysis_json};
use steiner_robot::{read_robot, write_atomically};

use crate::analysis_page::analysis_page;
use crate::arguments::AnalyzeArguments;
use crate::output::{Failure, print, print_json, width};

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let question = Question {
        measure: arguments.measure.clone(),
        method: arguments.method,
        certify: !arguments.no_certify,
        drives: arguments.drives,
        known: arguments.fix.clone(),
        keep: arguments.keep.clone(),
        eliminate: arguments.eliminate.clone(),
    };
    let analysis = analyze(&mechanism, &question)?;
    if let Some(path) = &arguments.html {
        write_page(path, &mechanism, &analysis)?;
    }
    if arguments.json {
        print_json(&analysis_json(&mechanism, &analysis))
    } else {
        print(&analysis_page(&mechanism, &analysis, width()))
    }
}

fn write_page(path: &Path, mechanism: &Mechanism, analysis: &Analysis) -> Result<(), Failure> {
    let page = analysis_html(mechanism, analysis);
    write_atomically(path, &page).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another --html", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
