//! Planar formulas as C and Python, run at random lengths and compared with the certified nullspace
//! of the mechanism that has them.

#[path = "../../identifiability/tests/planar_support/mod.rs"]
mod planar_support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use planar_support as make;
use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_identifiability::{
    Measurement, PlanarBaseParameters, PlanarQuestion, planar_base_parameters, structural_nullspace,
};
use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, decide_rank};
use steiner_report::{Formulas, formulas_code};
use steiner_robot::Robot;
use steiner_symbols::Language;

const SETS: usize = 4;

fn robot(text: &str) -> Robot {
    let options = ReadOptions::default();
    let description = parse_text(text, "planar.toml", Format::Toml, None, &options).unwrap();
    assemble(description, &options).unwrap()
}

/// The lines a command prints, as numbers; `None` where it isn't installed.
fn numbers(command: &mut Command) -> Option<Vec<Vec<f64>>> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: {command:?} ({error})");
            return None;
        }
    };
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let numbers = |line: &str| line.split_whitespace().map(|x| x.parse().unwrap()).collect();
    Some(printed.lines().map(numbers).collect())
}

/// The largest change of a base parameter along what is invisible, relative to its parts. With as many base
/// parameters as the rank, each with weight one of its own, it vanishes for the right weights alone.
fn change(formulas: &Formulas, found: &PlanarBaseParameters, member: &Robot, weights: &[f64]) -> f64 {
    let mechanism = Mechanism::new(member.clone()).unwrap();
    let nullspace = structural_nullspace(&mechanism, &Measurement::all()).unwrap();
    assert!(nullspace.certificate.complete, "{}", member.name);
    let null = found.view.projected(&nullspace.vectors);
    let size = |row: &[f64]| row.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let null = Matrix::from_fn(null.len(), formulas.labels.len(), |r, c| null[r][c] / size(&null[r]));
    let mut base = Matrix::zeros(formulas.parameters.len(), formulas.labels.len());
    formulas.terms().zip(weights).for_each(|((k, term), weight)| base[(k, term.column)] = *weight);
    let ranks = [&null, &base].map(|matrix| decide_rank(matrix.clone(), 1e-10).rank);
    assert_eq!(ranks[0] + ranks[1], formulas.labels.len());
    let mut worst = 0.0f64;
    for b in 0..base.rows() {
        let along = |n: usize| -> f64 { base.row(b).iter().zip(null.row(n)).map(|(x, y)| x * y).sum() };
        let most = (0..null.rows()).map(|n| along(n).abs()).fold(0.0, f64::max);
        worst = worst.max(most / size(base.row(b)));
    }
    worst
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planar_code").join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn listed(values: &[f64]) -> String {
    values.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ")
}

fn in_python(formulas: &Formulas, sets: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let folder = folder(&formulas.robot);
    std::fs::write(folder.join("formulas.py"), formulas_code(formulas, None, Language::Python)).unwrap();
    let mut using = "from formulas import weights\n".to_owned();
    for lengths in sets {
        let _ = writeln!(using, "print(*(repr(x) for x in weights([{}])))", listed(lengths));
    }
    std::fs::write(folder.join("using.py"), using).unwrap();
    numbers(Command::new("python3").arg(folder.join("using.py")))
}

fn in_c(formulas: &Formulas, sets: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let (name, count) = (&formulas.robot, formulas.terms().count());
    let mut text = formulas_code(formulas, None, Language::C);
    text += "#include <stdio.h>\nint main(void) {\n";
    for lengths in sets {
        let _ = write!(
            text,
            "{{ const double at[] = {{ {} }}; double w[{count}]; {name}_weights(at, 0, w);\n\
             for (int k = 0; k < {count}; ++k) printf(\"%.17g \", w[k]); printf(\"\\n\"); }}\n",
            listed(lengths)
        );
    }
    let (path, program) = (folder(name).join("formulas.c"), folder(name).join("formulas"));
    std::fs::write(&path, text + "return 0; }\n").unwrap();
    numbers(Command::new("cc").args(["-std=c99", "-O1", "-o"]).arg(&program).arg(path).arg("-lm"))?;
    numbers(&mut Command::new(program))
}

#[test]
fn code_of_planar_formulas_holds_at_random_lengths() {
    let mut stream = Stream::new(15);
    for text in [
        make::slider_crank(),
        make::five_bar(),
        make::six_bar(),
        make::three_rrr(),
        make::tree(),
        make::badly_framed(),
    ] {
        let robot = robot(&text);
        let mechanism = Mechanism::new(robot.clone()).unwrap();
        let found = planar_base_parameters(&mechanism, &PlanarQuestion::default()).unwrap();
        let formulas = Formulas::planar(&robot, &found, 0.0).unwrap();
        let mut members: Vec<Robot> = Vec::new();
        while members.len() < SETS {
            let factors: Vec<f64> = (0..16).map(|_| 1.0 + 0.2 * stream.uniform()).collect();
            let member = make::scaled(&robot, &factors);
            // Some lengths close no loop.
            if Mechanism::new(member.clone()).is_ok() {
                members.push(member);
            }
        }
        let lengths_of = |member: &Robot| Formulas::planar(member, &found, 0.0).unwrap().values().0;
        let sets: Vec<Vec<f64>> = members.iter().map(lengths_of).collect();
        for (language, printed) in [("Python", in_python(&formulas, &sets)), ("C", in_c(&formulas, &sets))] {
            let Some(printed) = printed else { continue };
            assert_eq!(printed.len(), SETS, "{language}");
            for (member, weights) in members.iter().zip(&printed) {
                assert_eq!(weights.len(), formulas.terms().count());
                let worst = change(&formulas, &found, member, weights);
                assert!(worst < 1e-9, "{}, {language}: {worst:e}", robot.name);
            }
        }
    }
}
