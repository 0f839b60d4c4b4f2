//! Which method is faster is measured, not guessed: both are compiled and timed on this machine, function by function.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use steiner_dynamics::Mechanism;
use steiner_robot::Robot;
use steiner_symbols::Language;

use super::error::CodeError;
use super::formulas::{Function, Quantity};
use super::method::Method;
use super::program::{Code, CodeOptions};
use crate::psdm::{Psdm, PsdmOptions};

/// How the candidates are compiled.
const FLAGS: [&str; 4] = ["-std=c99", "-O3", "-march=native", "-ffp-contract=fast"];

/// Why a function is made the way it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The function.
    pub quantity: Quantity,
    /// The method it is made by.
    pub method: Method,
    /// Time of one call by either method, ns: recursive, then psdm. `None` where it was not measured.
    pub nanoseconds: Option<[f64; 2]>,
    /// A sentence.
    pub reason: String,
}

impl Code {
    /// The faster of both methods for each function, measured with the C compiler (`$CC`, or `cc`), or, where there is none, by
    /// the number of operations.
    pub fn fastest(robot: &Robot, options: &CodeOptions) -> Result<(Self, Vec<Choice>), CodeError> {
        let mut recursive = Code::new(robot, options)?;
        let closed = match closed_form(robot, options) {
            Ok(closed) if closed.names() == recursive.names() => closed,
            Ok(_) => return Ok(recursive.unopposed("the closed form has other base parameters")),
            Err(CodeError::ClosedForm(error)) => return Ok(recursive.unopposed(&error.to_string())),
            Err(error) => return Err(error),
        };
        let times = measured(&recursive, &closed);
        let mut choices = Vec::with_capacity(recursive.functions.len());
        for (k, (function, other)) in recursive.functions.iter_mut().zip(closed.functions).enumerate() {
            let nanoseconds = times.as_ref().map(|times| times[k]).ok();
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

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("steiner-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Times of all functions by both methods, ns, or why there are none.
fn measured(recursive: &Code, closed: &Code) -> Result<Vec<[f64; 2]>, String> {
    let scratch =
        Scratch::new().map_err(|error| format!("there is no room for temporary files ({error})"))?;
    let named = |code: &Code, method: Method| Code { prefix: method.name().to_owned(), ..code.clone() }.c();
    let files = named(recursive, Method::Recursive).into_iter().chain(named(closed, Method::Psdm));
    let files = files.map(|file| (file.name, file.text));
    let main = timing_program(recursive);
    for (name, text) in files.chain([("main.c".to_owned(), main)]) {
        std::fs::write(scratch.0.join(name), text)
            .map_err(|error| format!("temporary files cannot be written ({error})"))?;
    }
    run(&scratch.0).and_then(|said| {
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let times: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        if times.len() == recursive.functions.len() {
            Ok(times)
        } else {
            Err(format!("the timing said `{}`", said.trim()))
        }
    })
}

/// Compiles and runs the timing program.
fn run(folder: &Path) -> Result<String, String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let sources = ["main.c", "recursive_dynamics.c", "psdm_dynamics.c"];
    let compiled = Command::new(&compiler)
        .args(FLAGS)
        .args(sources)
        .args(["-o", "timing", "-lm"])
        .current_dir(folder)
        .output()
        .map_err(|error| format!("the C compiler `{compiler}` does not run ({error})"))?;
    if !compiled.status.success() {
        let said = String::from_utf8_lossy(&compiled.stderr);
        return Err(format!("`{compiler}` fails: {}", said.lines().next().unwrap_or("it does not say why")));
    }
    let timed = Command::new(folder.join("timing"))
        .output()
        .map_err(|error| format!("the timing does not run ({error})"))?;
    Ok(String::from_utf8_lossy(&timed.stdout).into_owned())
}

/// A program that calls every function of both methods with the same states, in turns, and prints median times.
fn timing_program(code: &Code) -> String {
    let number = code.precision.type_name(Language::C);
    let mut text = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n#include \"recursive_dynamics.h\"\n#include \"psdm_dynamics.h\"\n\n\
         enum { STATES = 64, ROUNDS = 9 };\n",
    );
    for array in ["q", "qd", "qdd", "tau", "theta", "Y", "M", "h"] {
        let states = if array == "theta" { "1" } else { "STATES" };
        let _ = writeln!(text, "static {number} {array}[{states}][{}];", code.size_of(array).max(1));
    }
    for function in &code.functions {
        for method in [Method::Recursive, Method::Psdm] {
            let quantity = function.quantity;
            let arguments = code.arguments(quantity).into_iter().chain([quantity.result()]);
            let arguments: Vec<String> = arguments
                .map(|name| if name == "theta" { "theta[0]".to_owned() } else { format!("{name}[k]") })
                .collect();
            let (name, prefix) = (quantity.name(), method.name());
            let _ = writeln!(
                text,
                "static void {prefix}_{name}_all(void) {{ for (int k = 0; k < STATES; ++k) {prefix}_{name}({}); }}",
                arguments.join(", ")
            );
        }
    }
    let tasks: Vec<String> = code
        .functions
        .iter()
        .map(|function| function.quantity.name())
        .map(|name| format!("{{ recursive_{name}_all, psdm_{name}_all }}"))
        .collect();
    let _ = write!(
        text,
        "
static void (*const tasks[][2])(void) = {{ {tasks} }};

static double seconds(void (*task)(void), long passes)
{{
    const clock_t start = clock();
    for (long pass = 0; pass < passes; ++pass) task();
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}}

static int by_size(const void *a, const void *b)
{{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}}

static void fill({number} *array, size_t count, double size)
{{
    static unsigned long seed = 1;
    for (size_t k = 0; k < count; ++k) {{
        seed = (seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
        array[k] = ({number})(size * ((double)seed / 1073741824.0 - 1.0));
    }}
}}

int main(void)
{{
    fill(&q[0][0], sizeof q / sizeof q[0][0], 3.0);
    fill(&qd[0][0], sizeof qd / sizeof qd[0][0], 2.0);
    fill(&qdd[0][0], sizeof qdd / sizeof qdd[0][0], 5.0);
    fill(&tau[0][0], sizeof tau / sizeof tau[0][0], 5.0);
    fill(&theta[0][0], sizeof theta / sizeof theta[0][0], 1.0);
    for (size_t t = 0; t < sizeof tasks / sizeof tasks[0]; ++t) {{
        double times[2][ROUNDS];
        long passes = 1;
        while (seconds(tasks[t][0], passes) < 5e-3) passes *= 2;
        for (int round = 0; round < ROUNDS; ++round)
            for (int m = 0; m < 2; ++m) times[m][round] = seconds(tasks[t][m], passes) / (double)(passes * STATES) * 1e9;
        for (int m = 0; m < 2; ++m) {{
            qsort(times[m], ROUNDS, sizeof(double), by_size);
            printf(\"%.2f \", times[m][ROUNDS / 2]);
        }}
    }}
    return 0;
}}
",
        tasks = tasks.join(", ")
    );
    text
}
