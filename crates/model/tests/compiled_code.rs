//! Generated code in its variants: parameters as arguments, single precision, one function
//! alone, other compilers' liberties.

mod support;

use std::process::Command;

use steiner_formats::{ReadOptions, read_robot};
use steiner_model::{Code, CodeOptions, ParameterUse, Precision, Quantity};
use steiner_robot::Robot;
use support::compiled::{Compiler, Folder, PREFIX, build_c, printed};
use support::mechanism;

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

#[test]
fn c_with_parameters_as_arguments_and_in_floats_passes_too() {
    if !Compiler::Gcc.is_there() {
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
        assert_eq!(Compiler::Gcc.self_test(&format!("argument-{name}-{precision:?}"), &model), "0", "{name}");
    }
}

#[test]
fn compilers_that_may_reorder_sums_do_no_harm() {
    if !Compiler::Gcc.is_there() {
        return;
    }
    let options = CodeOptions { prefix: Some(PREFIX.to_owned()), ..CodeOptions::default() };
    let [header, source] = Code::new(&robot("puma560", false), &options).unwrap().c();
    let folder = Folder::new("fast-math");
    folder.put(&header);
    let main = "#include \"r_dynamics.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\", r_self_test()); return 0; }\n";
    let (sources, program) = ([folder.put(&source), folder.write("main.c", main)], folder.0.join("main"));
    build_c("gcc", &["-O2", "-ffast-math"], &sources, &program);
    assert_eq!(printed(&mut Command::new(program)), "0");
}

#[test]
fn each_function_stands_alone() {
    if !Compiler::Gcc.is_there() {
        return;
    }
    for quantity in Quantity::ALL {
        for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
            let options = CodeOptions { quantities: vec![quantity], parameters, ..CodeOptions::default() };
            let model = Code::new(&robot("scara_sr6ia", false), &options).unwrap();
            let name = format!("alone-{}-{parameters:?}", quantity.name());
            assert_eq!(Compiler::Gcc.self_test(&name, &model), "0", "{name}");
        }
    }
}

#[test]
fn rust_with_parameters_as_arguments_and_in_floats_passes_too() {
    if !Compiler::Rustc.is_there() {
        return;
    }
    let cases = [
        ("puma560", false, ParameterUse::Argument, Precision::Double),
        ("two_link", true, ParameterUse::Argument, Precision::Double),
        ("kr6", false, ParameterUse::Constants, Precision::Single),
    ];
    for (name, floating, parameters, precision) in cases {
        let options = CodeOptions { precision, parameters, ..CodeOptions::default() };
        let code = Code::new(&robot(name, floating), &options).unwrap();
        assert!(code.rust().text.contains("#![no_std]\n#![forbid(unsafe_code)]\n"));
        assert_eq!(Compiler::Rustc.self_test(&format!("variant-{name}"), &code), "0", "{name}");
    }
}

#[test]
fn sines_and_cosines_are_right_to_two_units_in_the_last_place() {
    if !Compiler::Gcc.is_there() {
        return;
    }
    let options = CodeOptions { prefix: Some(PREFIX.to_owned()), ..CodeOptions::default() };
    let [header, source] = Code::new(&robot("ur5", false), &options).unwrap().c();
    let folder = Folder::new("angles");
    folder.put(&header);
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
        folder.put(&source).display()
    );
    let program = folder.0.join("main");
    build_c("gcc", &["-O2", "-ffp-contract=off"], &[folder.write("main.c", &main)], &program);
    assert_eq!(printed(&mut Command::new(program)), "");
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
    if !Compiler::Gcc.is_there() {
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
    let odd = mechanism(file);
    for parameters in [ParameterUse::Constants, ParameterUse::Argument] {
        let model = Code::new(odd.robot(), &CodeOptions { parameters, ..CodeOptions::default() }).unwrap();
        assert_eq!(Compiler::Gcc.self_test(&format!("odd-{parameters:?}"), &model), "0", "{parameters:?}");
    }
}

/// What the files and the terminal say about compiling, word for word, in a shell.
#[test]
fn the_commands_in_the_files_compile_and_test_them() {
    let code = Code::new(&robot("scara_sr6ia", false), &CodeOptions::default()).unwrap();
    let (c, rust) = (code.c(), code.rust());
    let cases = [
        (
            Compiler::Gcc,
            code.c_commands(),
            c.to_vec(),
            "scara_sr6ia_dynamics.o",
            "scara_sr6ia: 0 wrong results\n",
        ),
        (
            Compiler::Rustc,
            code.rust_commands(),
            vec![rust],
            "libscara_sr6ia_dynamics.rlib",
            "test result: ok. 1 passed",
        ),
    ];
    for (compiler, commands, files, object, said) in cases {
        if !compiler.is_there() {
            continue;
        }
        let folder = Folder::new(&format!("commands-{}", compiler.program()));
        for file in &files {
            folder.put(file);
        }
        for command in &commands {
            assert!(files[0].text.contains(&format!("  {command}\n")), "{command}");
        }
        let shell =
            |command: &String| printed(Command::new("sh").args(["-c", command]).current_dir(&folder.0));
        shell(&commands[0]);
        assert!(folder.0.join(object).exists());
        assert!(shell(&commands[1]).contains(said));
    }
}

/// Warnings that embedded projects turn on.
#[test]
fn c_keeps_its_widths_and_names_apart() {
    if !Compiler::Gcc.is_there() {
        return;
    }
    let strict = ["-O1", "-Wconversion", "-Wshadow", "-Wdouble-promotion", "-Wstrict-prototypes", "-Wvla"];
    for precision in [Precision::Double, Precision::Single] {
        let options = CodeOptions {
            prefix: Some(PREFIX.to_owned()),
            drives: true,
            precision,
            ..CodeOptions::default()
        };
        let [header, source] = Code::new(&robot("puma560", false), &options).unwrap().c();
        let folder = Folder::new(&format!("strict-{precision:?}"));
        folder.put(&header);
        let (sources, program) = ([folder.put(&source)], folder.0.join("main"));
        build_c("gcc", &[&strict[..], &["-DR_SELF_TEST"]].concat(), &sources, &program);
        assert_eq!(printed(&mut Command::new(program)), "r: 0 wrong results\n");
    }
}

/// No sines are needed, so there is no function for them to be complained of.
#[test]
fn a_mass_matrix_without_angles_compiles_without_a_warning() {
    let options = CodeOptions { quantities: vec![Quantity::MassMatrix], ..CodeOptions::default() };
    let code = Code::new(&robot("gantry", false), &options).unwrap();
    for compiler in [Compiler::Gcc, Compiler::Rustc] {
        if compiler.is_there() {
            assert_eq!(compiler.self_test("still", &code), "0");
        }
    }
}
