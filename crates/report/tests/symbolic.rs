//! Formulas as code, run by the compilers and interpreters of other languages, and as LaTeX.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identifiability::{Question, Weight, analyze, special_members, symbolic};
use steiner_report::{
    Formulas, FurtherAnswers, SymbolicAnswer, Written, analysis_html_with, formulas_code, formulas_latex,
    symbolic_json,
};
use steiner_robot::Robot;
use steiner_symbols::Language;
use steiner_symbols::algebra::Notation;

fn formulas(name: &str) -> Formulas {
    formulas_of(&read_robot(name, &ReadOptions::default()).unwrap())
}

fn formulas_of(robot: &Robot) -> Formulas {
    let (analysis, found) = symbolic(robot, &Question::default()).unwrap();
    Formulas::derived(&analysis, &found)
}

/// Three parallel axes with lengths under the given names between them; the bodies are
/// `first`, `second` and one with a name.
fn arm(x: &str, y: &str, z: &str, last: &str) -> Robot {
    let text = format!(
        "name = \"arm\"\ngravity = [0, -9.81, 0]\n[lengths]\n\"{x}\" = 0.3\n\"{y}\" = 0.2\n\"{z}\" = 0.4\n\
         [[body]]\nname = \"first\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
         [[body]]\nname = \"second\"\nparent = \"first\"\njoint = \"revolute\"\nxyz = [\"{x}\", \"{y}\", 0]\naxis = [0, 0, 1]\n\
         [[body]]\nname = \"{last}\"\nparent = \"second\"\njoint = \"revolute\"\nxyz = [\"{z}\", 0, 0]\naxis = [0, 0, 1]\n"
    );
    let options = ReadOptions::default();
    let description = parse_text(&text, "arm.toml", Format::Toml, None, &options).unwrap();
    assemble(description, &options).unwrap()
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

/// The four-bar with one weight that resisted: the first that depends on lx1.
fn with_a_number() -> (Formulas, usize) {
    let mut formulas = formulas("four_bar");
    let place = formulas.terms().position(|(_, term)| match &term.weight {
        Weight::Function(function) => function.text().contains("lx1"),
        Weight::Number { .. } => false,
    });
    let place = place.expect("a weight with lx1");
    let term = formulas.parameters.iter_mut().flat_map(|parameter| &mut parameter.terms).nth(place).unwrap();
    term.weight = Weight::Number { value: term.value, reason: "for the test".to_owned() };
    (formulas, place)
}

#[test]
fn derivatives_of_numbers_are_unknown_and_not_zero() {
    let (formulas, place) = with_a_number();
    let sensitivity = formulas.sensitivity("lx1").unwrap();
    assert_eq!(sensitivity.unknown, 1);
    let folder = folder("unknown");
    let code = |language| formulas_code(&formulas, Some(&sensitivity), language);
    std::fs::write(folder.join("bar.py"), code(Language::Python)).unwrap();
    let program = "import bar, math; print([k for k, x in enumerate(bar.weights_by_lx1(bar.FILE_LENGTHS)) if math.isnan(x)])";
    if let Some(printed) = run(Command::new("python3").args(["-B", "-c", program]).current_dir(&folder)) {
        assert_eq!(printed.trim(), format!("[{place}]"));
    }
    assert!(code(Language::C).contains(&format!("weights[{place}] = NAN; /* not known */")));
    assert!(code(Language::Rust).contains(&format!("weights[{place}] = f64::NAN; // not known")));
    let document = symbolic_json(&formulas, Some(&sensitivity));
    let terms = document["sensitivity"]["base_parameters"][0]["terms"].as_array().unwrap().clone();
    assert!(terms.iter().any(|term| term[1].is_null() && term[2].is_null()), "{terms:?}");
    let latex = formulas_latex(&formulas, Some(&sensitivity));
    assert!(
        latex.contains(
            "? is the derivative of a weight that is a number: how it depends on lx1 is not known."
        )
    );
    assert!(latex.contains("?\\,m_"), "{latex}");
    assert!(formulas.remarks().iter().any(|note| note.starts_with("1 weight as a number, for")));
}

#[test]
fn derivative_functions_leave_out_what_is_zero() {
    let formulas = formulas("four_bar");
    let sensitivity = formulas.sensitivity("lx1").unwrap();
    for language in [Language::C, Language::Rust, Language::Python] {
        let code = formulas_code(&formulas, Some(&sensitivity), language);
        assert!(!code.contains("] = 0.0;\n    weights[") && !code.contains("] = 0.0\n"), "{code}");
    }
}

#[test]
fn a_name_means_one_thing_in_weights_derivatives_and_bodies() {
    let formulas = formulas_of(&arm("a", "b", "c", "r1"));
    for variable in ["a", "c"] {
        let sensitivity = formulas.sensitivity(variable).unwrap();
        let written = Written::new(&formulas, Some(&sensitivity), Notation::Unicode);
        let all = [written.definitions(), written.further_definitions()].concat();
        let mut names: Vec<&str> = all.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert!(!names.contains(&"r1²") && names.contains(&"r2²"), "{all:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len(), "{all:?}");
    }
}

#[test]
fn names_in_other_alphabets_compile() {
    let formulas = formulas_of(&arm("λ1", "größe", "腕", "αρμ"));
    let sensitivity = formulas.sensitivity("λ1").unwrap();
    assert!(
        formulas_code(&formulas, Some(&sensitivity), Language::Python).contains("def weights_by_lambda1(")
    );
    let text = formulas_latex(&formulas, Some(&sensitivity));
    assert!(text.contains("\\text{größe}") && !text.contains("\\mathrm{größe}"), "{text}");
    let folder = folder("alphabets");
    std::fs::write(folder.join("arm.tex"), text).unwrap();
    let mut command = Command::new("pdflatex");
    command.args(["-interaction=nonstopmode", "-halt-on-error", "arm.tex"]).current_dir(&folder);
    run(&mut command);
}

#[test]
fn pages_show_formulas_derivatives_and_special_lengths() {
    let robot = arm("lx1", "ly1", "lx2", "third");
    let question = Question::default();
    let (analysis, found) = symbolic(&robot, &question).unwrap();
    let formulas = Formulas::derived(&analysis, &found);
    let sensitivity = formulas.sensitivity("lx1").unwrap();
    let special = special_members(&found, &question, &mut |_, _| {});
    let mechanism = Mechanism::new(found.robot.clone()).unwrap();
    let answer =
        SymbolicAnswer { formulas: &formulas, sensitivity: Some(&sensitivity), special: Some(&special) };
    let page = analysis_html_with(
        &mechanism,
        &analysis,
        &FurtherAnswers { symbolic: Some(&answer), ..FurtherAnswers::default() },
    );
    support::assert_well_formed(&page);
    for part in [
        "<span class=\"weight\"><var>lx</var><sub>1</sub></span>·(second + third).m",
        "<h2>Derivatives with respect to <var>lx</var><sub>1</sub></h2>",
        "<h2>Special lengths</h2>",
        "<span>lx1 = ly1 = 0</span>",
        "<var>lx</var><sub>1</sub> = 0.3 m",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("rad)") && !page.contains(" rad</span>"));
    // Without gravity nothing tells where a mass is once the axes coincide.
    let still = robot.with_gravity(std::array::from_fn(|_| steiner_scalar::Exact::zero())).unwrap();
    let (analysis, found) = symbolic(&still, &question).unwrap();
    let special = special_members(&found, &question, &mut |_, _| {});
    let formulas = Formulas::derived(&analysis, &found);
    let answer = SymbolicAnswer { formulas: &formulas, sensitivity: None, special: Some(&special) };
    let page = analysis_html_with(
        &mechanism,
        &analysis,
        &FurtherAnswers { symbolic: Some(&answer), ..FurtherAnswers::default() },
    );
    support::assert_well_formed(&page);
    assert!(page.contains("<tr><th>lx1 = ly1 = 0</th><td>") && !page.contains("Derivatives with"));
    let plain =
        analysis_html_with(&mechanism, &analyze(&mechanism, &question).unwrap(), &FurtherAnswers::default());
    assert!(!plain.contains("Special lengths"));
}
