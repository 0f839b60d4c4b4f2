//! The keyword or call that remedies an error, which the libraries' sentences leave out, for they know none.

use std::borrow::Cow;
use std::error::Error;

use steiner::Remedy;
use steiner::files::legible;
use steiner::identification::Spelling;

/// Settings are keywords; `from` is no name in Python.
pub(crate) const KEYWORDS: Spelling = Spelling {
    prefix: "",
    separator: "_",
    cut: ["start", "end"],
    command: "steiner.",
    document: "to_dict()",
    numbers: ["={\"", "\": ", ", \"", "}"],
};

/// The sentence of an error, followed by what to write where that helps.
pub(crate) fn with_hint(error: &(dyn Error + 'static)) -> String {
    let sentence = match Remedy::of(error).and_then(written) {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    };
    legible(&sentence).into_owned()
}

fn written(remedy: Remedy) -> Option<Cow<'static, str>> {
    let words = match remedy {
        Remedy::MappingOrLock { joint } => {
            return Some(
                format!(
                    "mapping=; a joint that does not move: hold it with Robot(…, lock={{\"{joint}\": 0}})"
                )
                .into(),
            );
        }
        Remedy::ListBuiltIn => "steiner.zoo() lists the built-in ones",
        Remedy::PackagePath => "package_path=",
        Remedy::Floating => "floating=True",
        Remedy::WithoutMimic => "mimic=False",
        Remedy::ListJoints => "robot.joints lists them",
        Remedy::ListLinks => "robot.bodies lists the bodies",
        Remedy::AnyMethod => "method=\"auto\"",
        Remedy::Mapping => "mapping=",
        Remedy::CutOrSkipRows => "start= and end=, or skip_bad_rows=True",
        Remedy::AcceptCut => "accept_cut=True",
        Remedy::MappingOrTopics => "mapping=, topics=",
        Remedy::FreeFlight => "free_flight=True",
        Remedy::LessHeldOutOrFewerParameters => "hold_out=; fix=, payload=",
        Remedy::AnalyzeInstead => "steiner.analyze",
        Remedy::RecursiveCode | Remedy::RecursiveOrCoarser => "Robot.code with method=\"recursive\"",
        Remedy::Snap => "Robot with snap=",
        _ => return None,
    };
    Some(words.into())
}
