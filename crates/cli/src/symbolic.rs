//! `steiner analyze --symbolic`: base parameters as formulas.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use steiner::files::write_atomically;
use steiner::identifiability::{Method, Question, SpecialMembers, special_members};
use steiner::report::{
    Family, Formulas, FurtherAnswers, Sensitivity, SymbolicAnswer, analysis_html_with, analysis_json,
    formulas_code, formulas_latex, modified_frames, special_json, symbolic_json,
};
use steiner::robot::Robot;
use steiner::{FormulaAnswer, FormulaWish, formulas};

use crate::arguments::AnalyzeArguments;
use crate::output::{Failure, print, width};
use crate::places::Places;
use crate::progress::Progress;
use crate::symbolic_page::symbolic_page;
use crate::symbolic_planar::refused;

/// How formulas are asked for.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("formulas").args(["symbolic", "sensitivity", "family", "planar"]).multiple(true))]
pub(crate) struct SymbolicArguments {
    /// Base parameters as formulas of the named lengths and angles; a file
    /// without names gets some (a2, d3, …).
    #[arg(long)]
    symbolic: bool,
    /// How formulas are written: for people (text, latex), for programs (json), or as functions of
    /// the lengths (rust, c, python).
    #[arg(long, value_name = "FORMAT", requires = "formulas", conflicts_with = "json")]
    format: Option<FormulaFormat>,
    /// Write the formulas to a file instead of standard output.
    #[arg(short, long, value_name = "FILE", requires = "formulas")]
    output: Option<PathBuf>,
    /// The derivative of every regrouping with respect to a length or angle, too (implies --symbolic).
    #[arg(long, value_name = "NAME")]
    pub(crate) sensitivity: Option<String>,
    /// For which special lengths another number of parameters is identifiable (implies --symbolic).
    #[arg(long)]
    pub(crate) family: bool,
    /// Four parameters per link of a mechanism that moves in a plane (m, mx, my, J), as products of lengths
    /// where the loops allow it; implies --symbolic. A file may say `planar = true`.
    #[arg(long)]
    pub(crate) planar: bool,
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

    /// The derivatives asked for.
    pub(crate) fn differentiated(&self, formulas: &Formulas) -> Result<Option<Sensitivity>, Failure> {
        let name = self.sensitivity.as_deref();
        name.map(|name| formulas.sensitivity(name)).transpose().map_err(Failure::Message)
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
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .writes("--html", arguments.html.as_ref())
        .writes("--output", asked.output.as_ref())
        .check_folders()?;
    let planar = asked.planar || robot.planar;
    let wish = FormulaWish { planar, sensitivity: asked.sensitivity.as_deref(), family: asked.family };
    let progress = Progress::of("deriving formulas");
    let answer = formulas(robot, question, wish);
    drop(progress);
    let mut answer = answer.map_err(|error| refused(error, asked.planar))?;
    if asked.frames == Frames::Mdh {
        answer.formulas.notes.insert(0, modified_frames(answer.mechanism.robot()));
    }
    let FormulaAnswer { analysis, formulas, mechanism, .. } = &answer;
    let sensitivity = asked.differentiated(formulas)?;
    let special: Option<SpecialMembers> = answer.derived.as_ref().filter(|_| asked.family).map(|found| {
        let progress = Progress::of("examining special lengths");
        let mut counting = progress.counting("conditions");
        special_members(found, &answer.question, &mut counting)
    });
    let shown = SymbolicAnswer { formulas, sensitivity: sensitivity.as_ref(), special: special.as_ref() };
    if let Some(path) = &arguments.html {
        write(
            path,
            &analysis_html_with(
                mechanism,
                analysis,
                &FurtherAnswers { symbolic: Some(&shown), ..FurtherAnswers::default() },
            ),
            "--html",
        )?;
    }
    let format = match asked.format {
        Some(format) => format,
        None if arguments.json => FormulaFormat::Json,
        None => FormulaFormat::Text,
    };
    let code = |language| formulas_code(formulas, sensitivity.as_ref(), language);
    let text = match format {
        FormulaFormat::Text => {
            // Branches are told by ten parameters per body.
            let family = if planar { Family::default() } else { Family::new(mechanism, analysis) };
            symbolic_page(analysis, &shown, &family, width())
        }
        FormulaFormat::Json => {
            let mut document = analysis_json(mechanism, analysis);
            document["symbolic"] = symbolic_json(formulas, sensitivity.as_ref());
            if let Some(special) = &special {
                document["family"] = special_json(analysis.identifiable(), special);
            }
            format!("{document:#}\n")
        }
        FormulaFormat::Latex => formulas_latex(formulas, sensitivity.as_ref()),
        FormulaFormat::Rust => code(steiner::symbols::Language::Rust),
        FormulaFormat::C => code(steiner::symbols::Language::C),
        FormulaFormat::Python => code(steiner::symbols::Language::Python),
    };
    match &asked.output {
        Some(path) => write(path, &text, "--output"),
        None => print(&text),
    }
}

/// Questions that formulas cannot answer.
fn refuse(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let no = |reason: String| Err(Failure::Message(reason));
    if !arguments.logs.is_empty() {
        return no(
            "formulas hold for every motion, a log for one; leave out the log, or --symbolic, --family and --sensitivity"
                .to_owned(),
        );
    }
    if arguments.method != Method::Auto {
        return no(format!(
            "formulas are derived for the certified answer; leave out --method {}",
            arguments.method.name()
        ));
    }
    if !arguments.compare.is_empty() {
        return no("--compare counts and has no formulas; run it without --symbolic".to_owned());
    }
    let format = arguments.symbolic.format;
    let writes_table = matches!(format, None | Some(FormulaFormat::Text | FormulaFormat::Json));
    if arguments.symbolic.family && !writes_table {
        return no("--family is a table: use --format text or json".to_owned());
    }
    Ok(())
}

fn write(path: &Path, text: &str, option: &str) -> Result<(), Failure> {
    write_atomically(path, text).map_err(|error| {
        Failure::Message(format!("{} cannot be written ({error}); give another {option}", path.display()))
    })?;
    eprintln!("wrote {}", path.display());
    Ok(())
}
