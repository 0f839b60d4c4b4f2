//! What to type against an error: the flag or command that the libraries' sentences
//! leave out, for they know none.

use std::borrow::Cow;
use std::error::Error;

use steiner::Remedy;
use steiner::identification::Spelling;

/// Settings are flags.
pub(crate) const FLAGS: Spelling = Spelling {
    prefix: "--",
    separator: "-",
    cut: ["--from", "--to"],
    command: "steiner ",
    document: "--json",
    numbers: [" ", "=", ",", ""],
};

/// The sentence of an error, followed by what to type where that helps.
pub(crate) fn with_hint(error: &(dyn Error + 'static)) -> String {
    match Remedy::of(error).and_then(typed) {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

fn typed(remedy: Remedy) -> Option<Cow<'static, str>> {
    let words = match remedy {
        Remedy::MappingOrLock { joint } => {
            return Some(
                format!("--mapping; a joint that does not move: hold it with --lock {joint}=0").into(),
            );
        }
        Remedy::ListBuiltIn => "`steiner zoo` lists the built-in ones",
        Remedy::PackagePath => "--package-path",
        Remedy::Floating => "--floating",
        Remedy::WithoutMimic => "--no-mimic",
        Remedy::FramesOfTheFile => "leave out --frames mdh",
        Remedy::ListJoints | Remedy::ListLinks => "`steiner info` lists them",
        Remedy::AnyMethod => "--method auto",
        Remedy::Mapping => "--mapping",
        Remedy::CutOrSkipRows => "--from and --to, or --skip-bad-rows",
        Remedy::AcceptCut => "--accept-cut",
        Remedy::MappingOrTopics => "--mapping, --topics",
        Remedy::FreeFlight => "--free-flight",
        Remedy::LessHeldOutOrFewerParameters => "--hold-out; --fix, --payload",
        Remedy::KnownLoad => "--payload-of LOG=MASS, --fix, or fewer joints in --unknown-gain",
        Remedy::AnalyzeInstead => "`steiner analyze`",
        Remedy::RecursiveCode => "--method recursive",
        Remedy::RecursiveOrCoarser => "--method recursive, --accuracy",
        Remedy::Snap => "--snap",
        _ => return None,
    };
    Some(words.into())
}
