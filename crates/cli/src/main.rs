//! The `steiner` command: a thin front end of the library.
//!
//! Exit status: 0 done; 1 the input is bad or the question has no answer (one
//! sentence on standard error); 2 usage.

mod analysis_page;
mod analyze;
mod arguments;
mod check;
mod compare;
mod excite;
mod hints;
mod identification_page;
mod identify;
mod info;
mod logs;
mod model;
mod output;
mod parse;
mod places;
mod progress;
mod reduction;
mod signals;
mod simulate;
mod symbolic;
mod symbolic_page;
mod symbolic_planar;
mod zoo;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use output::Failure;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Excite(arguments) => excite::run(arguments),
        Command::Identify(arguments) => identify::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Model(arguments) => model::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Zoo(arguments) => zoo::run(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output left; that is not an error of ours.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Refuted) => ExitCode::from(1),
        Err(Failure::Message(message)) => {
            eprintln!("error: {}", steiner::files::legible(&message));
            ExitCode::from(1)
        }
    }
}
