//! Code for the dynamics of a robot.

use steiner_dynamics::Mechanism;
use steiner_model::{Choice, Code, CodeError, CodeOptions, Psdm, PsdmOptions};
use steiner_robot::Robot;

/// Algorithm of the generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodeMethod {
    /// Recursion along the tree, unrolled: for every tree.
    #[default]
    Recursive,
    /// The closed form of a serial arm, nested.
    Psdm,
    /// Whichever of the two is faster on this machine, for each function.
    Fastest,
}

/// Makes the code of a robot that is a tree; with [`CodeMethod::Fastest`] also what was chosen for each
/// function, and why.
pub fn generate_code(
    robot: &Robot,
    method: CodeMethod,
    options: &CodeOptions,
) -> Result<(Code, Vec<Choice>), CodeError> {
    match method {
        CodeMethod::Recursive => Ok((Code::new(robot, options)?, Vec::new())),
        CodeMethod::Psdm => {
            let options_of_model = PsdmOptions { drives: options.drives, ..PsdmOptions::default() };
            let model = Psdm::derive(&Mechanism::new(robot.clone())?, &options_of_model)?;
            Ok((Code::closed_form(robot, &model, options)?, Vec::new()))
        }
        CodeMethod::Fastest => Code::fastest(robot, options),
    }
}
