//! Formulas as code, run by the compilers and interpreters of other languages, and as LaTeX.

use std::path::{Path, PathBuf};
use std::process::Command;

use steiner_identifiability::{Question, Weight, symbolic};
use steiner_report::{Formulas, formulas_code, formulas_latex, symbolic_json};
use steiner_robot::{ReadOptions, read_robot};
use steiner_symbols::Language;

fn formulas(name: &str) -> Formulas {
    let robot = read_robot(name, &ReadOptions::default()).unwrap();
    let (analysis, found) = symbolic(&robot, &Question::default()).unwrap();
    Formulas::derived(&analysis, &found)
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// What a command prints, or `None` where it isn't installed.
fn run(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: {command:?} ({error})");
            return None;
        }
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}{}", String::from_utf8_lossy(&output.stdout));
    Some(String::from_utf8(output.stdout).unwrap())
}

fn error_of(printed: &str) -> f64 {
    printed.trim().strip_prefix("largest error ").expect("an error").parse().unwrap()
}

#[test]
fn code_in_three_languages_gives_the_weights_of_the_analysis() {
    for name in ["puma560", "four_bar", "panda"] {
        let formulas = formulas(name);
        let first = formulas.variables[0].name.clone();
        let sensitivity = formulas.sensitivity(&first).unwrap();
        let folder = folder(name);
        let file = |ending: &str, language: Language| {
            let path = folder.join(format!("{name}.{ending}"));
            std::fs::write(&path, formulas_code(&formulas, Some(&sensitivity), language)).unwrap();
            path
        };
        let python = file("py", Language::Python);
        if let Some(printed) = run(Command::new("python3").arg(&python)) {
            assert!(error_of(&printed) < 1e-12, "{name}: {printed}");
        }
        let (c, program) = (file("c", Language::C), folder.join("from_c"));
        let macro_name = format!("-D{}_SELF_CHECK", name.to_uppercase());
        let compiled = run(Command::new("cc")
            .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", &macro_name, "-o"])
            .arg(&program)
            .arg(&c)
            .arg("-lm"));
        if let Some(printed) = compiled.and_then(|_| run(&mut Command::new(&program))) {
            assert!(error_of(&printed) < 1e-12, "{name}: {printed}");
        }
        let (rust, main, program) =
            (file("rs", Language::Rust), folder.join("main.rs"), folder.join("from_rust"));
        let using = format!(
            "#[path = {:?}]\n#[allow(dead_code)]\nmod formulas;\nfn main() {{ println!(\"largest error {{:e}}\", formulas::self_check()); }}\n",
            rust.file_name().unwrap()
        );
        std::fs::write(&main, using).unwrap();
        let compiled = run(Command::new("rustc").args(["--edition", "2024", "-o"]).arg(&program).arg(&main));
        if let Some(printed) = compiled.and_then(|_| run(&mut Command::new(&program))) {
            assert!(error_of(&printed) < 1e-12, "{name}: {printed}");
        }
    }
}

#[test]
fn derivatives_are_those_of_finite_differences() {
    for name in ["kr6", "four_bar"] {
        let formulas = formulas(name);
        let (lengths, angles) = formulas.values();
        for (k, variable) in formulas.names.lengths.iter().enumerate() {
            let sensitivity = formulas.sensitivity(variable).unwrap();
            assert_eq!(sensitivity.unknown, 0);
            for (row, term) in formulas.terms() {
                let Weight::Function(function) = &term.weight else { panic!("a number") };
                let at = |step: f64| {
                    let mut lengths = lengths.clone();
                    lengths[k] += step;
                    function.evaluate(&lengths, &angles)
                };
                let step = 1e-5;
                let difference = (at(step) - at(-step)) / (2.0 * step);
                let base = formulas.parameters[row].column;
                let found = sensitivity.parameters.iter().find(|parameter| parameter.column == base);
                let found = found.and_then(|p| p.terms.iter().find(|other| other.column == term.column));
                let derivative = found.map_or(0.0, |found| found.value);
                assert!(
                    (derivative - difference).abs() < 1e-6 * difference.abs().max(1.0),
                    "{name}: ∂/∂{variable} of {}: {derivative} and {difference}",
                    formulas.labels[term.column]
                );
            }
        }
    }
}

#[test]
fn lengths_that_are_not_there_are_refused_with_a_hint() {
    let formulas = formulas("four_bar");
    let message = formulas.sensitivity("lx4").unwrap_err();
    assert!(
        message.starts_with("four_bar: there is no length or angle `lx4` (did you mean `lx"),
        "{message}"
    );
}

#[test]
fn expressions_in_json_are_complete_and_have_their_values() {
    let formulas = formulas("four_bar");
    let document = symbolic_json(&formulas, None);
    let (lengths, angles) = formulas.values();
    let mut terms = 0;
    for parameter in document["base_parameters"].as_array().unwrap() {
        for term in parameter["terms"].as_array().unwrap() {
            let (text, value) = (term[1].as_str().unwrap(), term[2].as_f64().unwrap());
            let function = steiner_symbols::algebra::RationalFunction::parse(&formulas.names, text)
                .expect("an expression");
            assert!((function.evaluate(&lengths, &angles) - value).abs() < 1e-12 * value.abs().max(1.0));
            terms += 1;
        }
    }
    assert!(terms > 12);
    assert_eq!(document["path"], "derived");
    assert_eq!(document["verified_at"], 6);
}

#[test]
fn latex_compiles() {
    let formulas = formulas("puma560");
    let sensitivity = formulas.sensitivity("a3").ok();
    let text = formulas_latex(&formulas, sensitivity.as_ref());
    assert_eq!(text.matches("\\begin{align*}").count(), text.matches("\\end{align*}").count());
    assert!(text.starts_with("% Base parameters of puma560"));
    if std::env::var_os("STEINER_THOROUGH").is_none() {
        return eprintln!("skipped: pdflatex; set STEINER_THOROUGH");
    }
    let folder = folder("latex");
    std::fs::write(folder.join("puma560.tex"), text).unwrap();
    let mut command = Command::new("pdflatex");
    command.args(["-interaction=nonstopmode", "-halt-on-error", "puma560.tex"]).current_dir(&folder);
    if let Some(log) = run(&mut command) {
        assert!(!log.contains("Overfull"), "{log}");
    }
}
