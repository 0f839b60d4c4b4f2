//! `steiner analyze`: which parameters can be identified, proven.

use std::fmt::Write;

use serde_json::{Value, json};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Arithmetic, Certificate, Measurement, NullVector, Nullspace, Regrouping, regroup, structural_nullspace,
};
use steiner_robot::{PARAMETERS, read_robot};
use steiner_scalar::PRIME;

use crate::arguments::AnalyzeArguments;
use crate::info::robot_object;
use crate::output::{Failure, count, number, print, print_json, table};

/// Everything an answer is made of.
struct Answer {
    mechanism: Mechanism,
    measurement: Measurement,
    nullspace: Nullspace,
    regrouping: Regrouping,
    labels: Vec<String>,
    bodies: Vec<String>,
}

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let mechanism = Mechanism::new(robot)?;
    let measurement = Measurement::parse(&arguments.measure, &mechanism)?;
    let nullspace = structural_nullspace(&mechanism, &measurement)?;
    let regrouping = regroup(&nullspace);
    let (labels, bodies) = (measurement.labels(&mechanism), measurement.bodies(&mechanism));
    let answer = Answer { mechanism, measurement, nullspace, regrouping, labels, bodies };
    if arguments.json { print_json(&document(&answer)) } else { print(&page(&answer)) }
}

/// One sentence about a vector: what geometry says, or else what the numbers do.
fn sentence(answer: &Answer, vector: &NullVector) -> String {
    if !vector.text.is_empty() {
        return vector.text.clone();
    }
    let label = |column: usize| &answer.labels[column];
    match vector.entries[..] {
        [(column, _)] => format!("{} has no effect on what is measured.", label(column)),
        _ => {
            let entries: Vec<String> =
                vector.entries.iter().map(|&(c, x)| format!("{} by {}", label(c), number(x))).collect();
            format!("Changing {} together changes nothing that is measured.", entries.join(", "))
        }
    }
}

fn certificate_json(certificate: &Certificate, bodies: usize) -> Value {
    let geometry = if certificate.exact_geometry { "exact" } else { "rounded" };
    match certificate.arithmetic {
        Arithmetic::PrimeField => json!({
            "kind": "probabilistic", "arithmetic": "F_p", "prime": PRIME, "geometry": geometry,
            "rank": certificate.rank, "complete": certificate.complete, "null_verified": "F_p",
            "error_probability": certificate.error_probability(bodies),
        }),
        Arithmetic::Extended { digits, gap } => json!({
            "kind": "numeric", "arithmetic": "extended", "digits": digits, "gap": gap, "geometry": geometry,
            "rank": certificate.rank, "complete": certificate.complete, "null_verified": "extended",
        }),
    }
}

fn document(answer: &Answer) -> Value {
    let label = |column: usize| &answer.labels[column];
    let names = |columns: &[usize]| columns.iter().map(|&c| label(c)).collect::<Vec<_>>();
    let vectors: Vec<Value> = answer
        .nullspace
        .vectors
        .iter()
        .map(|vector| {
            json!({
                "principle": vector.principle.name(),
                "joint": vector.joint,
                "bodies": vector.bodies.iter().map(|&body| &answer.bodies[body]).collect::<Vec<_>>(),
                "text": sentence(answer, vector),
                "entries": vector.entries,
            })
        })
        .collect();
    let base: Vec<Value> = answer
        .regrouping
        .base
        .iter()
        .map(|base| {
            let terms: Vec<Value> = base.terms.iter().map(|&(c, x)| json!([label(c), x])).collect();
            json!({ "name": label(base.column), "terms": terms })
        })
        .collect();
    let nullspace = &answer.nullspace;
    json!({
        "robot": robot_object(&answer.mechanism),
        "method": "auto",
        "measure": answer.measurement.text,
        "labels": answer.labels,
        "parameters": nullspace.parameters,
        "identifiable": nullspace.identifiable(),
        "nullity": nullspace.vectors.len(),
        "nullspace": vectors,
        "base_parameters": base,
        "unidentifiable": names(&answer.regrouping.unidentifiable),
        "alone": names(&answer.regrouping.alone),
        "combined": names(&answer.regrouping.combined),
        "weak": [],
        "certificate": certificate_json(&nullspace.certificate, answer.bodies.len()),
    })
}

fn page(answer: &Answer) -> String {
    let nullspace = &answer.nullspace;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}, measuring {}: {} of {} parameters, {} unidentifiable directions",
        answer.mechanism.robot().name,
        answer.measurement.text,
        count(nullspace.identifiable(), "identifiable combination"),
        nullspace.parameters,
        nullspace.vectors.len(),
    );
    let _ = writeln!(out, "{}", certificate_sentence(&nullspace.certificate, answer.bodies.len()));
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
fn stories(answer: &Answer) -> String {
    let mut said: Vec<(&str, String, usize)> = Vec::new();
    for vector in &answer.nullspace.vectors {
        let (principle, text) = (vector.principle.name(), sentence(answer, vector));
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
