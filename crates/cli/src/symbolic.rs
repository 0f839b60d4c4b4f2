//! `steiner analyze --symbolic`: base parameters as formulas.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Analysis, IdentifiabilityError, Method, PlanarQuestion, PlanarView, Question, SpecialMembers, Symbolic,
    planar_base_parameters, special_members, symbolic,
};
use steiner_report::{
    Family, Formulas, Sensitivity, analysis_html_with, analysis_json, formulas_code, formulas_latex,
    special_json, symbolic_json,
};
use steiner_robot::{Robot, write_atomically};

use crate::arguments::AnalyzeArguments;
use crate::output::{Failure, print, width};
use crate::progress::Progress;
use crate::symbolic_page::symbolic_page;

/// How formulas are asked for.
#[derive(Args, Debug)]
pub(crate) struct SymbolicArguments {
    /// Base parameters as formulas of the named lengths and angles; a file without names gets some (a2, d3, …).
    #[arg(long)]
    symbolic: bool,
    /// How formulas are written: for people (text, latex), for programs (json), or as functions of the lengths (rust, c, python).
    #[arg(long, value_name = "FORMAT", requires = "symbolic", conflicts_with = "json")]
    format: Option<FormulaFormat>,
    /// Write the formulas to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The derivative of every regrouping with respect to a length or angle, too (implies --symbolic).
    #[arg(long, value_name = "NAME")]
    sensitivity: Option<String>,
    /// For which special lengths another number of parameters is identifiable (implies --symbolic).
    #[arg(long)]
    family: bool,
    /// Four parameters per link of a mechanism that moves in a plane (m, mx, my, J), as products of lengths where the loops allow it; implies
    /// --symbolic. A file may say `planar = true`.
    #[arg(long)]
    planar: bool,
    /// Frames the parameters are about: file, or mdh for modified Denavit–Hartenberg frames (Khalil's).
    #[arg(long, value_name = "FRAMES", default_value = "file")]
    frames: Frames,
}

/// A way to write formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FormulaFormat {
    Text,
    Latex,
    Json,
    Rust,
    C,
    Python,
}

/// Frames of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Frames {
    File,
    Mdh,
}

impl SymbolicArguments {
    /// Whether formulas are asked for.
    pub(crate) fn wanted(&self) -> bool {
        self.symbolic || self.family || self.planar || self.sensitivity.is_some()
    }

    /// Options that would be without effect are a mistake.
    pub(crate) fn refuse_alone(&self) -> Result<(), Failure> {
        match self.output.is_some() && !self.wanted() {
            true => Err(Failure::Message(
                "--output is for formulas; add --symbolic, or redirect standard output".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// The robot in the frames asked for.
    pub(crate) fn framed(&self, robot: Robot) -> Result<Robot, Failure> {
        match self.frames {
            Frames::File => Ok(robot),
            Frames::Mdh => Ok(robot.in_modified_frames()?),
        }
    }
}

pub(crate) fn run(robot: &Robot, question: &Question, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    refuse(arguments)?;
    let asked = &arguments.symbolic;
    let progress = Progress::of("deriving formulas");
    let planar = asked.planar || robot.planar;
    // Labels of the plane are not those of space.
    let spatial = match planar {
        true => Question { keep: Vec::new(), eliminate: Vec::new(), ..question.clone() },
        false => question.clone(),
    };
    let (analysis, found) = symbolic(robot, &spatial)?;
    drop(progress);
    let formulas = match planar {
        true => in_plane(robot, question, &analysis, &found)?,
        false => Formulas::derived(&analysis, &found),
    };
    let sensitivity: Option<Sensitivity> = asked
        .sensitivity
        .as_deref()
        .map(|name| formulas.sensitivity(name))
        .transpose()
        .map_err(Failure::Message)?;
    let special: Option<SpecialMembers> = asked.family.then(|| {
        let progress = Progress::of("examining special lengths");
        let mut counting = progress.counting("conditions");
        special_members(&found, &spatial, &mut counting)
    });
    let mechanism = Mechanism::new(found.robot.clone())?;
    if let Some(path) = &arguments.html {
        write(path, &analysis_html_with(&mechanism, &analysis, Some(&formulas)), "--html")?;
    }
    let format = match asked.format {
        Some(format) => format,
        None if arguments.json => FormulaFormat::Json,
        None => FormulaFormat::Text,
    };
    let code = |language| formulas_code(&formulas, sensitivity.as_ref(), language);
    let text = match format {
        FormulaFormat::Text => {
            // Branches are told by ten parameters per body.
            let family = if planar { Family::default() } else { Family::new(&mechanism, &analysis) };
            symbolic_page(&analysis, &formulas, &family, sensitivity.as_ref(), special.as_ref(), width())
        }
        FormulaFormat::Json => {
            let mut document = analysis_json(&mechanism, &analysis);
            document["symbolic"] = symbolic_json(&formulas, sensitivity.as_ref());
            if let Some(special) = &special {
                document["family"] = special_json(analysis.identifiable(), special);
            }
            format!("{document:#}\n")
        }
        FormulaFormat::Latex => formulas_latex(&formulas, sensitivity.as_ref()),
        FormulaFormat::Rust => code(steiner_symbols::Language::Rust),
        FormulaFormat::C => code(steiner_symbols::Language::C),
        FormulaFormat::Python => code(steiner_symbols::Language::Python),
    };
    match &asked.output {
        Some(path) => write(path, &text, "--output"),
        None => print(&text),
    }
}

/// Four parameters per link: products of lengths where they answer, otherwise the derived formulas seen in the plane.
fn in_plane(
    robot: &Robot,
    question: &Question,
    analysis: &Analysis,
    found: &Symbolic,
) -> Result<Formulas, Failure> {
    if question.measure != "all" || question.drives || !question.known.is_empty() {
        let reason = "a planar view is about all forces and the bodies alone; leave out --measure, --drives and --fix, or --planar";
        return Err(Failure::Message(reason.to_owned()));
    }
    let view = PlanarView::new(robot)?;
    let asked = PlanarQuestion {
        eliminate: question.eliminate.clone(),
        keep: question.keep.clone(),
        ..PlanarQuestion::default()
    };
    let started = Instant::now();
    let products = planar_base_parameters(&Mechanism::new(robot.clone())?, &asked);
    let reason = match &products {
        Ok(products) => {
            let seconds = started.elapsed().as_secs_f64();
            match Formulas::planar(robot, products, seconds) {
                Some(formulas) => return Ok(formulas),
                None => "not every weight is a product of lengths".to_owned(),
            }
        }
        Err(error @ IdentifiabilityError::UnknownParameter { .. }) => return Err(error.clone().into()),
        Err(error) => error.to_string(),
    };
    Formulas::in_plane(analysis, found, &view, &reason).map_err(Failure::Message)
}

/// Questions that formulas cannot answer.
fn refuse(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let refused = |reason: String| Err(Failure::Message(reason));
    if !arguments.logs.is_empty() {
        return refused(
            "formulas hold for every motion, a log for one; leave out the log, or --symbolic, --family and --sensitivity"
                .to_owned(),
        );
    }
    if arguments.method != Method::Auto {
        return refused(format!(
            "formulas are derived for the certified answer; leave out --method {}",
            arguments.method.name()
        ));
    }
    if !arguments.compare.is_empty() {
        return refused("--compare counts and has no formulas; run it without --symbolic".to_owned());
    }
    let format = arguments.symbolic.format;
    let writes_table = matches!(format, None | Some(FormulaFormat::Text | FormulaFormat::Json));
    if arguments.symbolic.family && !writes_table {
        return refused("--family is a table: use --format text or json".to_owned());
    }
    Ok(())
}

fn write(path: &std::path::Path, text: &str, option: &str) -> Result<(), Failure> {
    write_atomically(path, text).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another {option}", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
