//! The condition numbers of sections VI and VII, over many excitations: the paper prints
//! neither frequencies nor amplitudes.

use steiner_identification::SensorFaults;

use super::pendulum::{PRINTED_CONDITIONS, columns_of_the_tables, evaluated, first_columns, recorded};
use super::{Pendulums, hand};

/// Excitations under which the paper's numbers appear.
pub(super) struct Nearest {
    /// For table III, by both of its condition numbers.
    pub(super) misaligned: u64,
    /// For table IV.
    pub(super) two_contacts: u64,
}

/// One excitation.
struct Conditions {
    seed: u64,
    /// Simplified; full with the columns of the tables; full with its first columns; two contacts.
    plain: [f64; 4],
    /// The same with normalised columns.
    scaled: [f64; 4],
}

pub(super) fn print(machines: &Pendulums, draws: u64) -> Nearest {
    let all: Vec<Conditions> = (1..=draws).map(|seed| conditions(machines, seed)).collect();
    println!("### Condition numbers of Y_b\n");
    println!("{draws} excitations; median and, in brackets, what 90 % of them lie between.\n");
    println!("| regressor | printed | ours | normalised columns | normal matrix |");
    println!("|---|---:|---:|---:|---:|");
    let [simplified, full, two] = PRINTED_CONDITIONS;
    let rows = [
        ("simplified, 4715 × 13", Some(simplified)),
        ("full, 5658 × 13, the columns that the tables name", None),
        ("full, 5658 × 13, the first independent columns of φ", Some(full)),
        ("two contacts, 4715 × 13", Some(two)),
    ];
    for (k, (name, printed)) in rows.into_iter().enumerate() {
        let printed = printed.map_or(String::new(), |x| format!("{x:.1}"));
        let [plain, scaled] = [0, 1].map(|which| {
            spread(all.iter().map(|c| if which == 0 { c.plain[k] } else { c.scaled[k] }).collect())
        });
        println!(
            "| {name} | {printed} | {} | {} | {:.0} |",
            words(plain),
            words(scaled),
            plain[1] * plain[1]
        );
    }
    let near = |x: f64| (x / simplified).ln().abs() < 0.1;
    let beside: Vec<[f64; 2]> =
        all.iter().filter(|c| near(c.plain[0])).map(|c| [c.plain[2], c.plain[1]]).collect();
    if !beside.is_empty() {
        println!(
            "\nOf the {} excitations with {simplified} ± 10 % for the simplified model, the full one has {} with its first columns and {} with those of the tables (printed: {full}).",
            beside.len(),
            words(spread(beside.iter().map(|x| x[0]).collect())),
            words(spread(beside.iter().map(|x| x[1]).collect())),
        );
    }
    let distance = |pairs: &[(f64, f64)]| pairs.iter().map(|(a, b)| (a / b).ln().abs()).sum::<f64>();
    let least = |of: &dyn Fn(&Conditions) -> f64| {
        all.iter().min_by(|a, b| of(a).total_cmp(&of(b))).expect("at least one excitation")
    };
    let both = least(&|c| distance(&[(c.plain[0], simplified), (c.plain[2], full)]));
    let contact = least(&|c| distance(&[(c.plain[3], two)]));
    println!(
        "\nNearest to what is printed: excitation {} with {:.1} and {:.1}, and {} with {:.1} for two contacts. The tables and figures below are made with them.\n",
        both.seed, both.plain[0], both.plain[2], contact.seed, contact.plain[3]
    );
    Nearest { misaligned: both.seed, two_contacts: contact.seed }
}

fn conditions(machines: &Pendulums, seed: u64) -> Conditions {
    let exact = SensorFaults::default();
    let data = recorded(&machines.full, seed, Vec::new(), exact);
    let held = recorded(&machines.simple, seed, hand(), exact);
    let evaluated = [
        evaluated(&machines.simple, &data, &columns_of_the_tables()),
        evaluated(&machines.full, &data, &columns_of_the_tables()),
        evaluated(&machines.full, &data, &first_columns()),
        evaluated(&machines.simple, &held, &columns_of_the_tables()),
    ];
    Conditions {
        seed,
        plain: std::array::from_fn(|k| evaluated[k].condition()),
        scaled: std::array::from_fn(|k| evaluated[k].found.excitation.condition_number),
    }
}

/// 5 %, 50 % and 95 % of some values.
pub(super) fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [0.05, 0.5, 0.95].map(|part| values[(part * (values.len() - 1) as f64).round() as usize])
}

fn words([low, middle, high]: [f64; 3]) -> String {
    format!("{middle:.1} ({low:.1} – {high:.1})")
}
