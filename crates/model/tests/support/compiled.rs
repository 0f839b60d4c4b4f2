//! Generated code, compiled and run: folders, compilers, and a program that evaluates states it is fed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use steiner_model::{Code, ParameterUse, Quantity, SourceFile};

/// What all code here is called.
pub(crate) const PREFIX: &str = "r";

/// A folder of its own, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("steiner-code-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
    pub(crate) fn put(&self, file: &SourceFile) -> PathBuf {
        self.write(&file.name, &file.text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether a program is there; says so if not, past the test harness that hides what passing tests print.
pub(crate) fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        let _ = writeln!(std::io::stderr().lock(), "skipped: no {program} here to compile generated code");
    }
    there
}

/// Runs a command that must succeed; what it printed.
pub(crate) fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The same as text.
pub(crate) fn printed(command: &mut Command) -> String {
    String::from_utf8(run(command)).unwrap()
}

/// What turns generated code into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    Gcc,
    Clang,
    Rustc,
}

impl Compiler {
    pub(crate) const C: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];

    pub(crate) fn program(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
            Compiler::Rustc => "rustc",
        }
    }

    pub(crate) fn is_there(self) -> bool {
        is_there(self.program())
    }

    /// An executable of generated code and a `main`; every warning is an error.
    pub(crate) fn build(self, folder: &Folder, code: &Code, main: &str) -> PathBuf {
        let program = folder.0.join("main");
        match self {
            Compiler::Gcc | Compiler::Clang => {
                let [header, source] = code.c();
                folder.put(&header);
                build_c(
                    self.program(),
                    &["-O1"],
                    &[folder.put(&source), folder.write("main.c", main)],
                    &program,
                );
            }
            Compiler::Rustc => {
                let file = code.rust();
                let (source, module) = (folder.put(&file), file.name.trim_end_matches(".rs"));
                let rustc = || {
                    let mut command = Command::new("rustc");
                    command.args(["--edition=2024", "-Dwarnings", "-Copt-level=1", "-L"]).arg(&folder.0);
                    command
                };
                run(rustc().args(["--crate-type=rlib", "--out-dir"]).arg(&folder.0).arg(&source));
                let main = folder.write("main.rs", main);
                run(rustc().arg(format!("--extern={module}")).arg(&main).arg("-o").arg(&program));
            }
        }
        program
    }

    /// How many results of generated code are wrong, by its own test.
    pub(crate) fn self_test(self, name: &str, code: &Code) -> String {
        let folder = Folder::new(&format!("{name}-{}", self.program()));
        let prefix = code.c()[0].name.trim_end_matches("_dynamics.h").to_owned();
        let main = match self {
            Compiler::Rustc => format!("fn main() {{ print!(\"{{}}\", {prefix}_dynamics::self_test()) }}"),
            _ => format!(
                "#include <stdio.h>\n#include \"{prefix}_dynamics.h\"\n\
                 int main(void) {{ printf(\"%d\", {prefix}_self_test()); return 0; }}\n"
            ),
        };
        printed(&mut Command::new(self.build(&folder, code, &main)))
    }
}

/// Compiles C99 with every warning an error.
pub(crate) fn build_c(compiler: &str, flags: &[&str], sources: &[PathBuf], program: &Path) {
    run(Command::new(compiler)
        .args(["-std=c99", "-ffp-contract=fast", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args(flags)
        .arg("-o")
        .arg(program)
        .args(sources)
        .arg("-lm"));
}

/// What generated code is asked.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) qdd: Vec<f64>,
    pub(crate) tau: Vec<f64>,
}

/// What it answers: the quantity's array, or Y θ in place of Y.
pub(crate) type Answer = Vec<(Quantity, Vec<f64>)>;

/// Compiles code of the prefix [`PREFIX`] in doubles, runs its self-test, and evaluates all its functions at
/// some states with θ of the robot's own inertias.
pub(crate) fn answers(
    compiler: Compiler,
    name: &str,
    code: &Code,
    parameters: ParameterUse,
    states: &[State],
) -> Vec<Answer> {
    let folder = Folder::new(&format!("{name}-{}-{parameters:?}", compiler.program()));
    let main = match compiler {
        Compiler::Rustc => rust_main(code, parameters),
        _ => c_main(code, parameters),
    };
    let program = compiler.build(&folder, code, &main);
    let numbers = states.iter().flat_map(|s| s.q.iter().chain(&s.qd).chain(&s.qdd).chain(&s.tau));
    let input = folder.0.join("states");
    std::fs::write(&input, numbers.flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>()).unwrap();
    let output = run(Command::new(program).stdin(std::fs::File::open(input).unwrap()));
    let numbers: Vec<f64> =
        output.chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap())).collect();
    let (wrong, numbers) = numbers.split_first().unwrap();
    assert_eq!(*wrong, 0.0, "{name}: the self-test of the code for {}", compiler.program());
    let sizes: Vec<usize> = code.functions.iter().map(|f| answer_size(code, f.quantity)).collect();
    let width = sizes.iter().sum::<usize>();
    assert_eq!(numbers.len(), width * states.len(), "{name}");
    let answer = |row: &[f64]| {
        let mut at = 0;
        let parts = code.functions.iter().zip(&sizes).map(|(function, &size)| {
            at += size;
            (function.quantity, row[at - size..at].to_vec())
        });
        parts.collect()
    };
    numbers.chunks(width).map(answer).collect()
}

fn answer_size(code: &Code, quantity: Quantity) -> usize {
    if quantity == Quantity::MassMatrix { code.dof() * code.dof() } else { code.dof() }
}

/// The arguments of a function; θ is the robot's own.
fn arguments(quantity: Quantity, parameters: ParameterUse, theta: &str, reference: &str) -> String {
    let arrays = quantity.arguments().iter().map(|name| format!("{reference}{name}"));
    let theta =
        (parameters == ParameterUse::Argument && quantity.takes_parameters()).then(|| theta.to_owned());
    arrays.chain(theta).collect::<Vec<_>>().join(", ")
}

fn c_main(code: &Code, parameters: ParameterUse) -> String {
    let mut body = String::new();
    for function in &code.functions {
        let (quantity, size) = (function.quantity, answer_size(code, function.quantity));
        let arguments = arguments(quantity, parameters, "r_theta", "");
        let _ = match quantity {
            Quantity::BaseRegressor => writeln!(
                body,
                "        {{ static double Y[R_DOF * R_PARAMETERS]; r_base_regressor({arguments}, Y);\n        \
                 for (int k = 0; k < R_DOF; ++k) {{ out[k] = 0; for (int j = 0; j < R_PARAMETERS; ++j) \
                 out[k] += Y[k * R_PARAMETERS + j] * r_theta[j]; }} }}"
            ),
            _ => writeln!(body, "        r_{}({arguments}, out);", quantity.name()),
        };
        let _ = writeln!(body, "        fwrite(out, sizeof(double), {size}, stdout);");
    }
    format!(
        "#include <stdio.h>\n#include \"r_dynamics.h\"\n\
         static size_t get(double *x, size_t count) {{ return fread(x, sizeof(double), count, stdin) == count; }}\n\
         int main(void)\n{{\n    static double q[R_CONFIGURATION], qd[R_DOF], qdd[R_DOF], tau[R_DOF], out[R_DOF * R_DOF];\n    \
         const double wrong = r_self_test();\n    fwrite(&wrong, sizeof(double), 1, stdout);\n    \
         while (get(q, R_CONFIGURATION) && get(qd, R_DOF) && get(qdd, R_DOF) && get(tau, R_DOF)) {{\n{body}    }}\n    \
         return 0;\n}}\n"
    )
}

fn rust_main(code: &Code, parameters: ParameterUse) -> String {
    let mut body = String::new();
    for function in &code.functions {
        let (quantity, size) = (function.quantity, answer_size(code, function.quantity));
        let arguments = arguments(quantity, parameters, "&r::THETA", "&");
        let _ = match quantity {
            Quantity::BaseRegressor => writeln!(
                body,
                "        let mut y = [0.0; r::DOF * r::PARAMETERS];\n        r::base_regressor({arguments}, &mut y);\n        \
                 for row in y.chunks(r::PARAMETERS) {{ put(&[row.iter().zip(&r::THETA).map(|(a, b)| a * b).sum()]); }}"
            ),
            _ => writeln!(
                body,
                "        let mut out = [0.0; {size}];\n        r::{}({arguments}, &mut out);\n        put(&out);",
                quantity.name()
            ),
        };
    }
    format!(
        "use r_dynamics as r;\nuse std::io::{{Read, Write}};\n\
         fn get<const N: usize>(input: &mut impl Read) -> Option<[f64; N]> {{\n    let mut x = [0.0; N];\n    \
         for x in &mut x {{ let mut bytes = [0; 8]; input.read_exact(&mut bytes).ok()?; *x = f64::from_ne_bytes(bytes); }}\n    \
         Some(x)\n}}\n\
         fn main() {{\n    let mut input = std::io::BufReader::new(std::io::stdin());\n    \
         let mut output = std::io::BufWriter::new(std::io::stdout());\n    \
         let mut put = |x: &[f64]| for x in x {{ output.write_all(&x.to_ne_bytes()).unwrap() }};\n    \
         put(&[r::self_test() as f64]);\n    \
         while let Some(q) = get::<{{ r::CONFIGURATION }}>(&mut input) {{\n        \
         let [qd, qdd, tau] = [0; 3].map(|_| get::<{{ r::DOF }}>(&mut input).unwrap());\n        \
         let _ = (&qd, &qdd, &tau);\n{body}    }}\n}}\n"
    )
}
