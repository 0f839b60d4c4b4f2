//! Which method is faster is measured, not guessed: both are compiled and timed on this
//! machine, function by function.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_robot::Robot;

use super::error::CodeError;
use super::formulas::{Function, Quantity};
use super::method::Method;
use super::program::{Code, CodeOptions};
use crate::psdm::{Psdm, PsdmOptions};

/// Why a function is made the way it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The generated function that was timed.
    pub quantity: Quantity,
    /// The method it is made by.
    pub method: Method,
    /// Time of one call by either method, ns: recursive, then psdm. `None` where it was not measured.
    pub nanoseconds: Option<[f64; 2]>,
    /// A sentence.
    pub reason: String,
}

impl Code {
    /// The faster of both methods for each function, measured with the C compiler (`$CC`, or `cc`), or, where
    /// there is none, by the number of operations.
    pub fn fastest(robot: &Robot, options: &CodeOptions) -> Result<(Self, Vec<Choice>), CodeError> {
        let mut recursive = Code::new(robot, options)?;
        let closed = match closed_form(robot, options) {
            Ok(closed) if closed.names() == recursive.names() => closed,
            Ok(_) => return Ok(recursive.unopposed("the closed form has other base parameters")),
            Err(CodeError::ClosedForm(error)) => return Ok(recursive.unopposed(&error.to_string())),
            Err(error) => return Err(error),
        };
        let times = Code::nanoseconds(&[&recursive, &closed]);
        let mut choices = Vec::with_capacity(recursive.functions.len());
        for (k, (function, other)) in recursive.functions.iter_mut().zip(closed.functions).enumerate() {
            let nanoseconds = times.as_ref().map(|times| [times[0][k], times[1][k]]).ok();
            let operations = [&*function, &other].map(operations);
            let (psdm_wins, mut reason) = match nanoseconds {
                Some([a, b]) => (
                    b < a,
                    format!("{} ns against {} ns on this machine", a.min(b).round(), a.max(b).round()),
                ),
                None => {
                    let [a, b] = operations;
                    (b < a, format!("{} operations against {}", a.min(b), a.max(b)))
                }
            };
            if let Err(why) = &times {
                let _ = write!(reason, "; not measured, because {why}");
            }
            if psdm_wins {
                *function = other;
            }
            choices.push(Choice {
                quantity: function.quantity,
                method: function.method,
                nanoseconds,
                reason,
            });
        }
        Ok((recursive, choices))
    }

    fn names(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    fn unopposed(self, why: &str) -> (Self, Vec<Choice>) {
        let choice = |function: &Function| Choice {
            quantity: function.quantity,
            method: Method::Recursive,
            nanoseconds: None,
            reason: format!("the only way: {why}"),
        };
        let choices = self.functions.iter().map(choice).collect();
        (self, choices)
    }
}

fn operations(function: &Function) -> usize {
    let operations = function.operations();
    operations.multiplications + operations.additions
}

fn closed_form(robot: &Robot, options: &CodeOptions) -> Result<Code, CodeError> {
    let model = Psdm::derive(
        &Mechanism::new(robot.clone())?,
        &PsdmOptions { drives: options.drives, ..PsdmOptions::default() },
    )?;
    Code::closed_form(robot, &model, options)
}
