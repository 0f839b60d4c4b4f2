//! Generated code compiles without a warning and agrees with the library.

use std::path::{Path, PathBuf};
use std::process::Command;

use steiner_dynamics::Mechanism;
use steiner_model::{Code, CodeOptions, ParameterUse, Precision, Quantity, SourceFile};
use steiner_robot::{ReadOptions, Robot, read_robot};

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("steiner-code-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn write(&self, file: &SourceFile) -> PathBuf {
        let path = self.0.join(&file.name);
        std::fs::write(&path, &file.text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("SKIPPED: no {program} here");
    }
    there
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles C with every warning an error, together with a `main`, and runs it.
fn run_c(folder: &Folder, source: &Path, main: &str) -> String {
    let main = folder.write(&SourceFile { name: "main.c".to_owned(), text: main.to_owned() });
    let program = folder.0.join("main");
    run(Command::new("gcc")
        .args(["-std=c99", "-ffp-contract=fast", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o"])
        .args([&program, &main, source])
        .arg("-lm"));
    run(&mut Command::new(program))
}

fn self_test_in_c(model: &Code, name: &str) {
    let folder = Folder::new(name);
    let [header, source] = model.c();
    folder.write(&header);
    let source = folder.write(&source);
    let prefix = header.name.trim_end_matches("_dynamics.h");
    let main = format!(
        "#include <stdio.h>\n#include \"{0}\"\nint main(void) {{ printf(\"%d\", {prefix}_self_test()); return 0; }}\n",
        header.name
    );
    assert_eq!(run_c(&folder, &source, &main), "0", "{name}");
}

const ROBOTS: [(&str, bool); 6] = [
    ("panda", false),
    ("kr6", false),
    ("scara_sr6ia", false),
    ("gantry", false),
    ("ur5", false),
    ("go2", true),
];

#[test]
fn c_with_constants_passes_its_own_test() {
    if !is_there("gcc") {
        return;
    }
    for (name, floating) in ROBOTS {
        let model = Code::new(&robot(name, floating), &CodeOptions::default()).unwrap();
        self_test_in_c(&model, &format!("constants-{name}"));
    }
}

#[test]
fn c_with_parameters_as_arguments_and_in_floats_passes_too() {
    if !is_there("gcc") {
        return;
    }
    let cases = [
        ("puma560", false, Precision::Double),
        ("puma560", false, Precision::Single),
        ("two_link", true, Precision::Double),
    ];
    for (name, floating, precision) in cases {
        let options = CodeOptions { parameters: ParameterUse::Argument, precision, ..CodeOptions::default() };
        let model = Code::new(&robot(name, floating), &options).unwrap();
        self_test_in_c(&model, &format!("argument-{name}-{precision:?}"));
    }
}

#[test]
fn compilers_that_may_reorder_sums_do_no_harm() {
    if !is_there("gcc") {
        return;
    }
    let [header, source] = Code::new(&robot("puma560", false), &CodeOptions::default()).unwrap().c();
    let folder = Folder::new("fast-math");
    folder.write(&header);
    let source = folder.write(&source);
    let main = "#include <stdio.h>\n#include \"puma560_dynamics.h\"\nint main(void) { printf(\"%d\", puma560_self_test()); return 0; }\n";
    let main = folder.write(&SourceFile { name: "main.c".to_owned(), text: main.to_owned() });
    let program = folder.0.join("main");
    run(Command::new("gcc").args(["-O2", "-ffast-math", "-o"]).args([&program, &main, &source]).arg("-lm"));
    assert_eq!(run(&mut Command::new(program)), "0");
}

#[test]
fn each_function_stands_alone() {
    if !is_there("gcc") {
        return;
    }
    for quantity in Quantity::ALL {
        for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
            let options = CodeOptions { quantities: vec![quantity], parameters, ..CodeOptions::default() };
            let model = Code::new(&robot("scara_sr6ia", false), &options).unwrap();
            self_test_in_c(&model, &format!("alone-{}-{parameters:?}", quantity.name()));
        }
    }
}

#[test]
fn rust_without_std_passes_its_own_test() {
    if !is_there("rustc") {
        return;
    }
    let cases = [
        ("panda", false, Precision::Double),
        ("go2", true, Precision::Double),
        ("kr6", false, Precision::Single),
    ];
    for (name, floating, precision) in cases {
        let parameters = if floating { ParameterUse::Argument } else { ParameterUse::Constants };
        let options = CodeOptions { precision, parameters, ..CodeOptions::default() };
        let file = Code::new(&robot(name, floating), &options).unwrap().rust();
        let folder = Folder::new(&format!("rust-{name}"));
        let source = folder.write(&file);
        let module = file.name.trim_end_matches(".rs").to_owned();
        let out = ["--out-dir".into(), folder.0.clone().into_os_string()];
        let rustc = || {
            let mut command = Command::new("rustc");
            command.args(["--edition=2024", "-Dwarnings", "-Copt-level=1"]).args(&out);
            command
        };
        run(rustc().arg("--crate-type=rlib").arg(&source));
        let main = format!("fn main() {{ print!(\"{{}}\", {module}::self_test()) }}");
        let main = folder.write(&SourceFile { name: "main.rs".to_owned(), text: main });
        run(rustc().arg("-L").arg(&folder.0).arg(format!("--extern={module}")).arg(&main));
        assert_eq!(run(&mut Command::new(folder.0.join("main"))), "0", "{name}");
    }
}

/// Many states, by the compiled code itself: forces to 1e-11 of the largest.
#[test]
fn random_states_agree_with_the_recursion() {
    if !is_there("gcc") {
        return;
    }
    for (name, floating) in [("panda", false), ("lbr7", false), ("go2", true)] {
        let robot = robot(name, floating);
        let options = CodeOptions { prefix: Some("r".to_owned()), ..CodeOptions::default() };
        let model = Code::new(&robot, &options).unwrap();
        let folder = Folder::new(&format!("states-{name}"));
        let [header, source] = model.c();
        folder.write(&header);
        let source = folder.write(&source);
        // Forces and the accelerations that come back from them, for angles up to ±40 rad.
        let main = "#include <stdio.h>\n#include \"r_dynamics.h\"\n\
            static unsigned long long seed = 7;\n\
            static double number(double size) { seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;\n\
            return ((double)(seed >> 33) / 2147483648.0 * 2 - 1) * size; }\n\
            int main(void) { for (int n = 0; n < 100; ++n) {\n\
            double q[R_CONFIGURATION], qd[R_DOF], qdd[R_DOF], tau[R_DOF], back[R_DOF];\n\
            for (int k = 0; k < R_CONFIGURATION; ++k) q[k] = number(40);\n\
            for (int k = 0; k < R_DOF; ++k) { qd[k] = number(3); qdd[k] = number(9); }\n\
            r_inverse_dynamics(q, qd, qdd, tau); r_forward_dynamics(q, qd, tau, back);\n\
            for (int k = 0; k < R_CONFIGURATION; ++k) printf(\"%.17g \", q[k]);\n\
            for (int k = 0; k < R_DOF; ++k) printf(\"%.17g %.17g %.17g %.17g \", qd[k], qdd[k], tau[k], back[k]);\n\
            printf(\"\\n\"); } return 0; }\n";
        let mechanism = Mechanism::new(robot).unwrap();
        for line in run_c(&folder, &source, main).lines() {
            let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let (q, rest) = numbers.split_at(mechanism.configuration_size());
            let part = |k: usize| rest.chunks(4).map(|chunk| chunk[k]).collect::<Vec<_>>();
            let (qd, qdd, tau, back) = (part(0), part(1), part(2), part(3));
            let wanted = mechanism.inverse_dynamics(q, &qd, &qdd).unwrap();
            let size = wanted.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for k in 0..mechanism.dof() {
                assert!(
                    (tau[k] - wanted[k]).abs() <= 1e-11 * size,
                    "{name}: τ[{k}] {} {}",
                    tau[k],
                    wanted[k]
                );
                assert!((back[k] - qdd[k]).abs() < 1e-7, "{name}: q̈[{k}] {} {}", back[k], qdd[k]);
            }
        }
    }
}

#[test]
fn sines_and_cosines_are_right_to_two_units_in_the_last_place() {
    if !is_there("gcc") {
        return;
    }
    let options = CodeOptions { prefix: Some("r".to_owned()), ..CodeOptions::default() };
    let [header, source] = Code::new(&robot("ur5", false), &options).unwrap().c();
    let folder = Folder::new("angles");
    folder.write(&header);
    let main = format!(
        "#include <stdio.h>\n#include \"{}\"\n\
         int main(void) {{ double x[4], s[4], c[4];\n\
         for (long n = -400000; n < 400000; ++n) {{ const double size = n % 7 == 0 ? 1e5 : n % 3 == 0 ? 1e2 : 3.2;\n\
         for (int k = 0; k < 4; ++k) x[k] = (double)n / 400000 * size + 1e-3 * k;\n\
         if (n % 1000 == 0) x[3] = 1.5707963267948966 * (double)(n / 1000);\n\
         if (n == 5) {{ x[0] = 3e5; x[1] = 0; }}\n\
         r_sines_and_cosines(4, x, s, c);\n\
         for (int k = 0; k < 4; ++k) {{\n\
         const double errors[2] = {{ s[k] - sin(x[k]), c[k] - cos(x[k]) }}, sizes[2] = {{ fabs(sin(x[k])), fabs(cos(x[k])) }};\n\
         for (int e = 0; e < 2; ++e) if (!(fabs(errors[e]) <= 4.5e-16 * sizes[e])) printf(\"%d %.17g %g\\n\", e, x[k], errors[e] / sizes[e]);\n\
         }} }} return 0; }}\n",
        folder.write(&source).display()
    );
    let main = folder.write(&SourceFile { name: "main.c".to_owned(), text: main });
    let program = folder.0.join("main");
    run(Command::new("gcc")
        .args(["-std=c99", "-O2", "-ffp-contract=off", "-o"])
        .args([&program, &main])
        .arg("-lm"));
    assert_eq!(run(&mut Command::new(program)), "");
}

#[test]
fn what_cannot_be_generated_is_refused_by_name() {
    let error = Code::new(&robot("delta", false), &CodeOptions::default()).unwrap_err().to_string();
    assert!(error.contains("delta has closed loops"), "{error}");
    let nothing = CodeOptions { quantities: Vec::new(), ..CodeOptions::default() };
    let error = Code::new(&robot("panda", false), &nothing).unwrap_err().to_string();
    assert!(error.contains("no code was asked for"), "{error}");
}

#[test]
fn a_root_without_mass_has_no_forward_dynamics() {
    let massless = robot("two_link", true);
    let error = Code::new(&massless, &CodeOptions::default()).unwrap_err().to_string();
    assert!(error.contains("mass matrix is singular"), "{error}");
    let quantities = vec![Quantity::InverseDynamics, Quantity::BaseRegressor];
    assert!(Code::new(&massless, &CodeOptions { quantities, ..CodeOptions::default() }).is_ok());
}

/// Nothing of the geometry is 0 or 1, and no regrouping is a short decimal.
#[test]
fn a_robot_at_odd_angles_agrees_too() {
    if !is_there("gcc") {
        return;
    }
    let file = r#"
name = "odd"
gravity = [1.3, -2.1, -9.4]
[[body]]
name = "a"
parent = "base"
joint = "revolute"
xyz = [0.1, 0.2, 0.3]
rpy = [0.31, -0.77, 1.13]
axis = [1, 2, 3]
inertia = { mass = 2, com = [0.1, 0, 0.2], tensor = [0.2, 0.01, 0.3, 0.02, 0.03, 0.25] }
[[body]]
name = "b"
parent = "a"
joint = "prismatic"
xyz = [0.3, -0.1, 0.2]
rpy = [1.2, 0.4, -0.3]
axis = [0.2, 0.9, -0.4]
inertia = { mass = 1.5, com = [0.05, 0.1, -0.1], tensor = [0.1, 0.02, 0.12, 0.01, 0, 0.09] }
[[body]]
name = "c"
parent = "b"
joint = "helical"
pitch = 0.05
xyz = [0.1, 0.15, 0.4]
rpy = [0.2, 1.1, 0.7]
axis = [0.3, -0.2, 0.8]
inertia = { mass = 1, com = [0.02, 0.1, 0.15], tensor = [0.08, 0.01, 0.07, 0.01, 0.005, 0.06] }
[[body]]
name = "d"
parent = "a"
joint = "universal"
xyz = [-0.2, 0.1, 0.1]
rpy = [0.5, 0.2, 0.3]
axis = [0.1, 0.9, 0.2]
axis2 = [0.9, 0.1, 0.3]
inertia = { mass = 0.7, com = [0.02, 0.03, 0.15], tensor = [0.08, 0.01, 0.07, 0.01, 0.005, 0.06] }
[[body]]
name = "e"
parent = "d"
joint = "spherical"
xyz = [0.2, 0.1, 0.1]
rpy = [0.1, 0.6, 0.2]
inertia = { mass = 0.4, com = [0.02, -0.03, 0.1], tensor = [0.02, 0.001, 0.03, 0.001, 0.002, 0.025] }
"#;
    let options = ReadOptions::default();
    let folder = Folder::new("odd");
    let path = folder.write(&SourceFile { name: "odd.toml".to_owned(), text: file.to_owned() });
    let robot = read_robot(path.to_str().unwrap(), &options).unwrap();
    for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
        let model = Code::new(&robot, &CodeOptions { parameters, ..CodeOptions::default() }).unwrap();
        self_test_in_c(&model, &format!("odd-{parameters:?}"));
    }
}
