//! Generated code of any tree.

use steiner::dynamics::Mechanism;
use steiner::model::{CodeOptions, ParameterUse, Precision, Quantity};
use steiner::{CodeMethod, generate_code};

use pyo3::prelude::*;

use crate::arrays::value_error;

/// What code to write: the words of the command line.
pub(crate) struct CodeRequest<'a> {
    pub(crate) language: &'a str,
    pub(crate) what: Option<Vec<String>>,
    pub(crate) theta: bool,
    pub(crate) float: bool,
    pub(crate) drives: bool,
    pub(crate) method: &'a str,
    pub(crate) prefix: Option<String>,
}

/// The code of a robot: names and texts of files.
pub(crate) fn generated(mechanism: &Mechanism, request: CodeRequest<'_>) -> PyResult<Vec<(String, String)>> {
    let CodeRequest { language, what, theta, float, drives, method, prefix } = request;
    let is_c = match language {
        "c" => true,
        "rust" => false,
        _ => return Err(value_error(format!("language={language:?}: use c or rust"))),
    };
    let quantity = |word: String| {
        let unknown = || value_error(format!("what={word:?}: use {}", Quantity::WORDS.join(", ")));
        Quantity::worded(&word).ok_or_else(unknown)
    };
    let options = CodeOptions {
        prefix,
        quantities: match what {
            Some(words) => words.into_iter().map(quantity).collect::<PyResult<_>>()?,
            None => Quantity::usual(mechanism.robot(), drives),
        },
        parameters: if theta { ParameterUse::Argument } else { ParameterUse::Constants },
        precision: if float { Precision::Single } else { Precision::Double },
        drives,
    };
    let method = match method {
        "recursive" => CodeMethod::Recursive,
        "psdm" => CodeMethod::Psdm,
        "fastest" => CodeMethod::Fastest,
        _ => return Err(value_error(format!("method={method:?}: use recursive, psdm or fastest"))),
    };
    let (code, _) = generate_code(mechanism.robot(), method, &options).map_err(value_error)?;
    let files = if is_c { code.c().to_vec() } else { vec![code.rust()] };
    Ok(files.into_iter().map(|file| (file.name, file.text)).collect())
}
