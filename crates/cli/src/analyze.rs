//! `steiner analyze`: which parameters can be identified, proven.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Arithmetic, Certificate, Question, Regrouping, analyze};
use steiner_report::analysis_json;
use steiner_robot::{PARAMETERS, read_robot};
use steiner_scalar::PRIME;

use crate::arguments::AnalyzeArguments;
use crate::output::{Failure, count, print, print_json, table};

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let question = Question {
        measure: arguments.measure.clone(),
        method: arguments.method,
        certify: !arguments.no_certify,
        drives: arguments.drives,
        known: arguments.fix.clone(),
        keep: arguments.keep.clone(),
        eliminate: arguments.eliminate.clone(),
    };
    let analysis = analyze(&mechanism, &question)?;
    if arguments.json {
        print_json(&analysis_json(&mechanism, &analysis))
    } else {
        print(&page(&mechanism, &analysis))
    }
}

fn page(mechanism: &Mechanism, answer: &Analysis) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}, measuring {}: {} of {} parameters, {} unidentifiable directions",
        mechanism.robot().name,
        answer.measure,
        count(answer.identifiable(), "identifiable combination"),
        answer.parameters(),
        answer.vectors.len(),
    );
    if let Some(certificate) = &answer.certificate {
        let _ = writeln!(out, "{}", certificate_sentence(certificate, answer.bodies.len()));
    }
    let mut table = table(&["body", "alone", "in a group", "without effect"], &[]);
    for (body, name) in answer.bodies.iter().enumerate() {
        let of_body = |columns: &[usize]| {
            let own = columns.iter().filter(|&&column| column / 10 == body);
            own.map(|&column| PARAMETERS[column % 10]).collect::<Vec<_>>().join(" ")
        };
        let Regrouping { alone, combined, unidentifiable, .. } = &answer.regrouping;
        table.add_row([name.clone(), of_body(alone), of_body(combined), of_body(unidentifiable)]);
    }
    let _ = writeln!(out, "{table}");
    for base in answer.regrouping.base.iter().filter(|base| base.terms.len() > 1) {
        let others = base.terms[1..].iter().map(|&(column, factor)| {
            let sign = if factor < 0.0 { '-' } else { '+' };
            let size = if factor.abs() == 1.0 { String::new() } else { format!("{}·", factor.abs()) };
            format!(" {sign} {size}{}", answer.labels[column])
        });
        let _ = writeln!(out, "{}{}", answer.labels[base.column], others.collect::<String>());
    }
    out += &stories(answer);
    out
}

/// The sentences of all vectors, each said once, behind the principle it follows from.
fn stories(answer: &Analysis) -> String {
    let mut said: Vec<(&str, String, usize)> = Vec::new();
    for vector in &answer.vectors {
        let (principle, text) = (vector.principle.name(), vector.text.clone());
        match said.iter_mut().find(|(_, other, _)| *other == text) {
            Some((_, _, times)) => *times += 1,
            None => said.push((principle, text, 1)),
        }
    }
    let mut out = String::from("\nwhy the rest is invisible:\n");
    for (principle, text, times) in said {
        let times = if times == 1 { String::new() } else { format!(" ({times} directions)") };
        let _ = writeln!(out, "  {principle}: {text}{times}");
    }
    out
}

fn certificate_sentence(certificate: &Certificate, bodies: usize) -> String {
    let complete = if certificate.complete { "complete" } else { "not complete" };
    let geometry = if certificate.exact_geometry { "" } else { ", geometry rounded to 30 digits" };
    match certificate.arithmetic {
        Arithmetic::PrimeField => format!(
            "certificate: {complete}, rank {} in the prime field of {PRIME}{geometry} (chance of error {:.0e})",
            certificate.rank,
            certificate.error_probability(bodies)
        ),
        Arithmetic::Extended { digits, gap } => {
            format!(
                "certificate: {complete}, rank {} to {digits} digits{geometry} (gap {gap:.0e})",
                certificate.rank
            )
        }
    }
}
