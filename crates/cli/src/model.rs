//! `steiner model`: the equations of motion in the parameters that can be identified.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use steiner::dynamics::Mechanism;
use steiner::files::write_atomically;
use steiner::formats::read_robot;
use steiner::model::{
    Choice, Code, CodeOptions, Notation, Operations, ParameterUse, Precision, Psdm, PsdmOptions, Quantity,
    SearchSpace,
};
use steiner::report::{count, robot_json};
use steiner::robot::Robot;
use steiner::{CodeMethod, generate_code};

use crate::arguments::{Language, ModelArguments, ModelMethod};
use crate::hints::with_hint;
use crate::output::{Failure, number, print, print_json, table, width, wrapped};
use crate::places::Places;
use crate::progress::Progress;
use crate::reduction::{Reduced, reduced};

/// States at which a model is compared with recursion.
const CHECKED_STATES: usize = 100;

pub(crate) fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .reads("the profile", arguments.reduction.file())
        .writes("--save", arguments.save.as_ref())
        .writes("--plot", arguments.reduction.plot.as_ref())
        .check()?;
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    // Only closed forms can be made smaller.
    let method = match (arguments.reduction.accuracy, arguments.method) {
        (Some(_), Some(ModelMethod::Recursive | ModelMethod::Fastest)) => {
            let remedy = "leave --method out, or write --method psdm";
            return Err(Failure::Message(format!("--accuracy is about closed forms; {remedy}")));
        }
        (Some(_), None) => Some(ModelMethod::Psdm),
        (_, method) => method,
    };
    refuse_idle_flags(arguments, method)?;
    let direct = match (arguments.emit, method) {
        (_, Some(ModelMethod::Recursive)) | (Some(_), None) => CodeMethod::Recursive,
        (_, Some(ModelMethod::Fastest)) => CodeMethod::Fastest,
        (_, Some(ModelMethod::Psdm)) | (None, None) => return closed_form(&robot, arguments),
    };
    let (code, choices) = {
        let _progress = (direct == CodeMethod::Fastest).then(|| Progress::of("compiling and timing"));
        generate_code(&robot, direct, &code_options(arguments, &robot))?
    };
    match arguments.emit {
        Some(language) => emit(&code, &choices, language, arguments, None),
        None => show_code(&code, &choices, arguments, None, None),
    }
}

/// The closed form of an arm, smaller if that was asked for: as code, as equations, or described.
fn closed_form(robot: &Robot, arguments: &ModelArguments) -> Result<(), Failure> {
    let mechanism = Mechanism::new(robot.clone())?;
    let started = Instant::now();
    let whole = derive(&mechanism, arguments)?;
    let seconds = started.elapsed().as_secs_f64();
    let smaller = reduced(&mechanism, &whole, &arguments.reduction, arguments.json)?;
    let model = smaller.as_ref().map_or(&whole, |smaller| &smaller.model);
    save(model, arguments)?;
    if let Some(language) = arguments.emit {
        let code = {
            let _progress = Progress::of("nesting sums");
            Code::closed_form(robot, model, &code_options(arguments, robot))?
        };
        return emit(&code, &[], language, arguments, smaller.as_ref());
    }
    if let Some(notation) = &arguments.equations {
        let notation = if notation == "latex" { Notation::Latex } else { Notation::Text };
        return print(&model.equations(notation));
    }
    describe(&mechanism, &whole, smaller.as_ref(), seconds, arguments)
}

/// What a closed form is made of and costs; `whole` before functions were left out.
fn describe(
    mechanism: &Mechanism,
    whole: &Psdm,
    smaller: Option<&Reduced>,
    seconds: f64,
    arguments: &ModelArguments,
) -> Result<(), Failure> {
    let model = smaller.map_or(whole, |smaller| &smaller.model);
    let space = SearchSpace::of(&model.motions());
    // Parameters declared zero are not zero in the file: then there is nothing to compare with.
    // Smaller models differ by intention.
    let error = match arguments.neglect.is_empty() && !arguments.drives && smaller.is_none() {
        true => Some(model.largest_error(mechanism, CHECKED_STATES)?),
        false => None,
    };
    let unfactored = model.unfactored_operations();
    // A model too large for code is still a model.
    let progress = Progress::of("nesting sums");
    let operations = model.operations();
    drop(progress);
    let names: Vec<&str> = model.parameters().iter().map(|parameter| parameter.label.as_str()).collect();
    if arguments.json {
        return print_json(&json!({
            "robot": robot_json(mechanism),
            "method": "psdm",
            "candidates": space.functions as u64,
            "samples": space.samples,
            "filtered": space.filtered as u64,
            "functions": model.functions().len(),
            "base_parameters": model.parameters().len(),
            "multiplications": operations.as_ref().map(|operations| operations.multiplications).ok(),
            "additions": operations.as_ref().map(|operations| operations.additions).ok(),
            "unfactored": { "multiplications": unfactored.0, "additions": unfactored.1 },
            "parameters": names,
            "values": model.nominal(),
            "derivation_seconds": seconds,
            "max_error": error,
            "reduction": smaller.map(|smaller| &smaller.json),
        }));
    }
    let mut page = match smaller {
        Some(smaller) => smaller.page.clone(),
        None => format!(
            "{}: {} in {}, of {} candidates\n",
            mechanism.robot().name,
            count(model.functions().len(), "function"),
            count(model.parameters().len(), "base parameter"),
            number(space.functions),
        ),
    };
    if let Some(error) = error {
        page += &format!(
            "differs from recursion by at most {error:.1e} at {CHECKED_STATES} random states (relative)\n"
        );
    }
    page += &match &operations {
        Ok(operations) => format!(
            "inverse dynamics as code: {} multiplications and {} additions ({} and {} before nesting)\n",
            number(operations.multiplications as f64),
            number(operations.additions as f64),
            number(unfactored.0 as f64),
            number(unfactored.1 as f64),
        ),
        Err(error) => wrapped(&with_hint(error), 0, width()),
    };
    if let (Some(_), Ok(operations), Ok(before)) = (smaller, &operations, whole.operations()) {
        page += &compared(operations, &before);
    }
    page += &wrapped(&format!("base parameters: {}", names.join(", ")), 2, width());
    page += "steiner model … --equations prints them, --save FILE keeps them, --emit c writes code\n";
    print(&page)
}

/// What leaving out functions saved: sums that many functions share may break up.
fn compared(operations: &Operations, before: &Operations) -> String {
    let [all, all_before] = [operations, before].map(|o| o.multiplications + o.additions);
    match all < all_before {
        true => format!(
            "the whole model takes {all_before} operations, {:.1} times as many\n",
            all_before as f64 / all as f64
        ),
        false => wrapped(
            &format!(
                "the whole model takes only {all_before} operations, because its sums nest better: tolerate more, or use that"
            ),
            2,
            width(),
        ),
    }
}

/// Flags that would say nothing are refused.
fn refuse_idle_flags(arguments: &ModelArguments, method: Option<ModelMethod>) -> Result<(), Failure> {
    let refuse = |sentence: &str| Err(Failure::Message(sentence.to_owned()));
    let closed = match (arguments.emit, method) {
        (_, Some(method)) => method == ModelMethod::Psdm,
        (emit, None) => emit.is_none(),
    };
    if !closed && (!arguments.neglect.is_empty() || arguments.save.is_some()) {
        return refuse("--neglect and --save are about closed forms; add --method psdm");
    }
    if arguments.equations.is_some() && (!closed || arguments.emit.is_some()) {
        return refuse("--equations prints a closed form; leave --emit and other methods out");
    }
    if closed
        && arguments.emit.is_none()
        && (!arguments.what.is_empty() || arguments.theta || arguments.float)
    {
        return refuse(
            "--what, --theta and --float are about code; add --emit c or --emit rust, or --method recursive or fastest to see what code costs",
        );
    }
    Ok(())
}

fn save(model: &Psdm, arguments: &ModelArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.save {
        model.save(path)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn derive(mechanism: &Mechanism, arguments: &ModelArguments) -> Result<Psdm, Failure> {
    let _progress = Progress::of("deriving the closed form");
    let (neglect, drives) = (arguments.neglect.clone(), arguments.drives);
    Ok(Psdm::derive(mechanism, &PsdmOptions { neglect, drives, ..PsdmOptions::default() })?)
}

fn code_options(arguments: &ModelArguments, robot: &Robot) -> CodeOptions {
    CodeOptions {
        quantities: match arguments.what.is_empty() {
            true => Quantity::usual(robot, arguments.drives),
            false => arguments.what.clone(),
        },
        parameters: match arguments.theta {
            true => ParameterUse::Argument,
            false => ParameterUse::Constants,
        },
        precision: if arguments.float { Precision::Single } else { Precision::Double },
        drives: arguments.drives,
        ..CodeOptions::default()
    }
}

/// Writes code, and says what was written.
fn emit(
    code: &Code,
    choices: &[Choice],
    language: Language,
    arguments: &ModelArguments,
    smaller: Option<&Reduced>,
) -> Result<(), Failure> {
    let (files, commands) = match language {
        Language::C => (code.c().to_vec(), code.c_commands()),
        Language::Rust => (vec![code.rust()], code.rust_commands()),
    };
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let unwritten = |error: std::io::Error| {
        Failure::Message(format!("{} cannot be written ({error}); give another -o", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(unwritten)?;
    for file in &files {
        write_atomically(&folder.join(&file.name), &file.text).map_err(unwritten)?;
    }
    let names = files.iter().map(|file| file.name.as_str()).collect();
    show_code(code, choices, arguments, Some(&Written { folder, names, commands }), smaller)
}

/// Where code was written, and how it is compiled and tested there.
struct Written<'a> {
    folder: &'a Path,
    names: Vec<&'a str>,
    commands: [String; 2],
}

/// What nobody asked to leave out, and this robot has no code for.
fn left_out<'a>(code: &'a Code, arguments: &ModelArguments) -> impl Iterator<Item = Quantity> + 'a {
    let all = arguments.what.is_empty();
    let made = |quantity: &Quantity| code.functions.iter().any(|function| function.quantity == *quantity);
    Quantity::ALL.into_iter().filter(move |quantity| all && !made(quantity))
}

/// What code costs, why it is made the way it is, and where it was written.
fn show_code(
    code: &Code,
    choices: &[Choice],
    arguments: &ModelArguments,
    written: Option<&Written<'_>>,
    smaller: Option<&Reduced>,
) -> Result<(), Failure> {
    let choice = |quantity| choices.iter().find(|choice| choice.quantity == quantity);
    if arguments.json {
        let functions = code.functions.iter().map(|function| {
            let operations = function.operations();
            let choice = choice(function.quantity);
            json!({
                "name": function.quantity.name(), "method": function.method.name(),
                "multiplications": operations.multiplications, "additions": operations.additions,
                "divisions": operations.divisions,
                "nanoseconds": choice.and_then(|choice| choice.nanoseconds)
                    .map(|[recursive, psdm]| json!({ "recursive": recursive, "psdm": psdm })),
                "reason": choice.map(|choice| &choice.reason),
            })
        });
        let method = match arguments.method {
            Some(ModelMethod::Fastest) => "fastest",
            Some(ModelMethod::Psdm) => "psdm",
            None if smaller.is_some() => "psdm",
            Some(ModelMethod::Recursive) | None => "recursive",
        };
        return print_json(&json!({
            "robot": code.robot(), "method": method, "base_parameters": code.parameters.len(),
            "functions": functions.collect::<Vec<Value>>(),
            "left_out": left_out(code, arguments).map(Quantity::name).collect::<Vec<_>>(),
            "files": written.map(|written| &written.names), "folder": written.map(|written| written.folder),
            "compile": written.map(|written| &written.commands[0]),
            "self_test": written.map(|written| &written.commands[1]),
            "reduction": smaller.map(|smaller| &smaller.json),
        }));
    }
    let mut page = smaller.map(|smaller| smaller.page.clone()).unwrap_or_default();
    page += &format!(
        "{}: {} in {}\n",
        code.robot(),
        count(code.functions.len(), "function"),
        count(code.parameters.len(), "base parameter")
    );
    let mut table = table(&["function", "method", "×", "+", "÷"], &[2, 3, 4]);
    for function in &code.functions {
        let operations = function.operations();
        table.add_row([
            function.quantity.name().to_owned(),
            function.method.name().to_owned(),
            operations.multiplications.to_string(),
            operations.additions.to_string(),
            operations.divisions.to_string(),
        ]);
    }
    page += &format!("{table}\n");
    for quantity in left_out(code, arguments) {
        let word = quantity.word();
        page += &format!("left out: {}; --what {word} says why\n", quantity.name());
    }
    for choice in choices {
        page += &format!("{}: {}, {}\n", choice.quantity.name(), choice.method.name(), choice.reason);
    }
    if let Some(Written { folder, names, commands: [compile, test] }) = written {
        let listed: Vec<String> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
        page += &format!("wrote {}\n", listed.join(", "));
        let place =
            if arguments.output.is_some() { format!(" in {}", folder.display()) } else { String::new() };
        let link = match names.iter().any(|name| name.ends_with(".c")) {
            true => "to link it into a program: add -lm\n",
            false => "",
        };
        page += &format!("to compile{place}: {compile}\n{link}to test it: {test}\n");
    }
    print(&page)
}
