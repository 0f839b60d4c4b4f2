//! Which mechanisms with loops are decided in a field, and how: the table of `docs/benchmarks.md`.
//!
//! `bench/decided` prints it.

mod random;
mod support;

use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use random::linkages::{Linkage, planar_loops, six_bars, spatial_loops};
use random::machines::{
    Machine, bennetts, deltas, geared_loops, jacks, palletizers, parallel_plates, platforms, sarrus,
};
use steiner_dynamics::Mechanism;
use steiner_formats::zoo;
use steiner_identifiability::{Arithmetic, Measurement, structural_nullspace};
use support::{named, references};

/// How the answer for a mechanism with loops was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    GenericPoints,
    FilesConfiguration,
    Digits(u32),
    NotProven,
    Refused,
}

impl How {
    fn of(mechanism: &Mechanism) -> Self {
        let Ok(found) = structural_nullspace(mechanism, &Measurement::all()) else { return How::Refused };
        match (found.certificate.complete, found.certificate.arithmetic) {
            (false, _) => How::NotProven,
            (true, Arithmetic::Extended { digits, .. }) => How::Digits(digits),
            (true, Arithmetic::PrimeField) if found.certificate.from_below => How::FilesConfiguration,
            (true, Arithmetic::PrimeField) => How::GenericPoints,
        }
    }

    fn is_in_field(self) -> bool {
        matches!(self, How::GenericPoints | How::FilesConfiguration)
    }

    fn words(self) -> String {
        match self {
            How::GenericPoints => "F_p, at generic points".to_owned(),
            How::FilesConfiguration => "F_p, through the file's configuration".to_owned(),
            How::Digits(digits) => format!("{digits} digits"),
            How::NotProven => "not proven".to_owned(),
            How::Refused => "no answer".to_owned(),
        }
    }
}

/// Prints a line of the table for drawn mechanisms.
fn family<M: std::fmt::Debug>(
    name: &str,
    mechanisms: impl Strategy<Value = M>,
    drawn: impl Fn(&M) -> steiner_robot::Description,
) -> Vec<How> {
    let mut runner = TestRunner::deterministic();
    let draw = |_| mechanisms.new_tree(&mut runner).expect("a mechanism").current();
    let drawings: Vec<M> = (0..random::cases(6).cases).map(draw).collect();
    let found: Vec<How> = drawings.iter().map(|one| How::of(&random::mechanism(drawn(one)))).collect();
    let mut counts: BTreeMap<How, usize> = BTreeMap::new();
    found.iter().for_each(|how| *counts.entry(*how).or_default() += 1);
    let told: Vec<String> = counts.iter().map(|(how, count)| format!("{count} {}", how.words())).collect();
    println!("| {} random {name} | {} |", found.len(), told.join("; "));
    found
}

#[test]
fn nine_of_ten_mechanisms_with_loops_are_decided_in_a_field() {
    let mut found = Vec::new();
    let of_zoo = zoo::ENTRIES.iter().map(|entry| (entry.name.to_owned(), entry.name.to_owned()));
    let files = references().into_iter().map(|(name, path, _)| {
        let file = path.to_string_lossy().into_owned();
        (format!("reference {name}"), file)
    });
    for (name, file) in of_zoo.chain(files) {
        let mechanism = named(&file);
        if !mechanism.robot().loops.is_empty() {
            let how = How::of(&mechanism);
            println!("| {name} | {} |", how.words());
            found.push(how);
        }
    }
    found.extend(family("planar loops", planar_loops(), Linkage::description));
    found.extend(family("six-bars", six_bars(), Linkage::description));
    found.extend(family("spatial loops", spatial_loops(), Linkage::description));
    found.extend(family("palletizers", palletizers(), Linkage::description));
    found.extend(family("plates on parallel bars", parallel_plates(), Linkage::description));
    found.extend(family("Sarrus linkages", sarrus(), Linkage::description));
    found.extend(family("platforms", platforms(), Linkage::description));
    found.extend(family("Deltas", deltas(), Linkage::description));
    found.extend(family("screws in loops", jacks(), Linkage::description));
    found.extend(family("geared loops", geared_loops(), Machine::description));
    found.extend(family("Bennett linkages", bennetts(), Machine::description));
    let in_field = found.iter().filter(|how| how.is_in_field()).count();
    println!("| all | {in_field} of {} in F_p |", found.len());
    assert!(10 * in_field >= 9 * found.len(), "{in_field} of {} are decided in a field", found.len());
}
