//! Base parameters in symbols.

use steiner_identifiability::{Question, Weight, symbolic};
use steiner_robot::{ReadOptions, read_robot};

#[test]
fn show() {
    let names = std::env::var("ROBOTS").unwrap_or("two_link puma560".to_owned());
    for name in names.split(' ') {
        let robot = read_robot(name, &ReadOptions::default()).unwrap();
        let (analysis, found) = symbolic(&robot, &Question::default()).unwrap();
        eprintln!(
            "{name}: {} variables, {} evaluations, {:.3} s (analysis {:.3} s), {} resist, digits {:?}",
            found.variables.len(),
            found.evaluations,
            found.seconds,
            analysis.seconds,
            found.resisting(),
            found.digits
        );
        for note in &found.notes {
            eprintln!("  note: {note}");
        }
        for parameter in &found.parameters {
            let terms: Vec<String> = parameter
                .terms
                .iter()
                .map(|(c, w)| match w {
                    Weight::Function(f) => format!("({})·{}", f.text(), analysis.labels[*c]),
                    Weight::Number { value, reason } => format!("[{value} {reason}]·{}", analysis.labels[*c]),
                })
                .collect();
            if !terms.is_empty() {
                eprintln!("  {} + {}", analysis.labels[parameter.column], terms.join(" + "));
            }
        }
    }
}
