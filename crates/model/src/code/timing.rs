//! Timing on this machine: what code takes is measured, not guessed.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use steiner_symbols::Language;

use super::program::Code;

/// How code is compiled.
const FLAGS: [&str; 4] = ["-std=c99", "-O3", "-march=native", "-ffp-contract=fast"];

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

impl Code {
    /// Median times of all functions of some codes, ns, by code: compiled with the C compiler
    /// (`$CC`, or `cc`) and called in turns with the same random states. The codes have the same
    /// functions. Or why there are none.
    pub fn nanoseconds(codes: &[&Code]) -> Result<Vec<Vec<f64>>, String> {
        let Some(first) = codes.first() else { return Ok(Vec::new()) };
        let scratch =
            Scratch::new().map_err(|error| format!("there is no room for temporary files ({error})"))?;
        let named = |(k, code): (usize, &&Code)| Code { prefix: prefix(k), ..(**code).clone() }.c();
        let files = codes.iter().enumerate().flat_map(named).map(|file| (file.name, file.text));
        for (name, text) in files.chain([("main.c".to_owned(), timing_program(first, codes.len()))]) {
            std::fs::write(scratch.0.join(name), text)
                .map_err(|error| format!("temporary files cannot be written ({error})"))?;
        }
        let said = run(&scratch.0, codes.len())?;
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers.len() == codes.len() * first.functions.len() {
            // Function by function, code by code.
            true => Ok((0..codes.len())
                .map(|k| numbers[k..].iter().step_by(codes.len()).copied().collect())
                .collect()),
            false => Err(format!("the timing said `{}`", said.trim())),
        }
    }
}

/// What the names of a code start with while it is timed.
fn prefix(code: usize) -> String {
    format!("m{code}")
}

/// Compiles and runs the timing program.
fn run(folder: &Path, codes: usize) -> Result<String, String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let sources = (0..codes).map(|k| format!("{}_dynamics.c", prefix(k))).chain(["main.c".to_owned()]);
    // `gcc -m64` is a program and a flag.
    let mut words = compiler.split_whitespace();
    let compiled = Command::new(words.next().unwrap_or("cc"))
        .args(words)
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

/// A program that calls every function of some codes with the same states, in turns, and prints median times.
fn timing_program(code: &Code, codes: usize) -> String {
    let number = code.precision.type_name(Language::C);
    let includes =
        (0..codes).fold(String::new(), |text, k| text + &format!("#include \"{}_dynamics.h\"\n", prefix(k)));
    let mut text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n{includes}\nenum {{ STATES = 64, ROUNDS = 9, CODES = {codes} }};\n",
    );
    for array in ["q", "qd", "qdd", "tau", "theta", "Y", "M", "h"] {
        let states = if array == "theta" { "1" } else { "STATES" };
        let _ = writeln!(text, "static {number} {array}[{states}][{}];", code.size_of(array).max(1));
    }
    let mut tasks = Vec::new();
    for quantity in code.functions.iter().map(|function| function.quantity) {
        let arguments = code.arguments(quantity).into_iter().chain([quantity.result()]);
        let argument =
            |name: &str| if name == "theta" { "theta[0]".to_owned() } else { format!("{name}[k]") };
        let arguments: Vec<String> = arguments.map(argument).collect();
        let (name, arguments) = (quantity.name(), arguments.join(", "));
        let mut of_quantity = Vec::new();
        for prefix in (0..codes).map(prefix) {
            let _ = writeln!(
                text,
                "static void {prefix}_{name}_all(void) {{ for (int k = 0; k < STATES; ++k) {prefix}_{name}({arguments}); }}"
            );
            of_quantity.push(format!("{prefix}_{name}_all"));
        }
        tasks.push(format!("{{ {} }}", of_quantity.join(", ")));
    }
    let _ = write!(
        text,
        "
static void (*const tasks[][CODES])(void) = {{ {tasks} }};

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
        double times[CODES][ROUNDS];
        long passes = 1;
        while (seconds(tasks[t][0], passes) < 5e-3) passes *= 2;
        for (int round = 0; round < ROUNDS; ++round)
            for (int m = 0; m < CODES; ++m) times[m][round] = seconds(tasks[t][m], passes) / (double)(passes * STATES) * 1e9;
        for (int m = 0; m < CODES; ++m) {{
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
