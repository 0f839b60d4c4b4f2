//! What becomes of each parameter.

use steiner_identifiability::{Analysis, DRIVE_PARAMETERS};
use steiner_robot::{PARAMETERS, inertial_columns};

/// What becomes of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Identifiable by itself.
    Alone,
    /// Identifiable in combination with others only.
    Grouped,
    /// Without effect on what is measured.
    NoEffect,
    /// Known beforehand.
    Known,
}

impl Fate {
    /// All of them, the good news first.
    pub const ALL: [Fate; 4] = [Fate::Alone, Fate::Grouped, Fate::NoEffect, Fate::Known];

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Alone => "alone",
            Fate::Grouped => "in a group",
            Fate::NoEffect => "no effect",
            Fate::Known => "known",
        }
    }
}

/// The fate of each column.
pub fn fates(analysis: &Analysis) -> Vec<Fate> {
    let mut fates = vec![Fate::Grouped; analysis.labels.len()];
    let lists = [
        (Fate::Alone, &analysis.regrouping.alone),
        (Fate::NoEffect, &analysis.regrouping.unidentifiable),
        (Fate::Grouped, &analysis.regrouping.combined),
    ];
    for (fate, columns) in lists {
        columns.iter().for_each(|&column| fates[column] = fate);
    }
    analysis.known.iter().for_each(|&(column, _)| fates[column] = Fate::Known);
    fates
}

/// A body with its ten parameters, or a joint with the four of its drive.
#[derive(Clone, Debug)]
pub struct Owner {
    /// Name of the body, or of the joint of a drive.
    pub name: String,
    /// First of its columns.
    pub first: usize,
    /// Names of its parameters.
    pub parameters: &'static [&'static str],
}

/// Who owns the columns: the bodies, then the drives.
pub fn owners(analysis: &Analysis) -> Vec<Owner> {
    let list = &analysis.columns;
    let bodies = list.bodies().iter().enumerate().map(|(k, body)| Owner {
        name: body.link.clone(),
        first: inertial_columns(k).start,
        parameters: &PARAMETERS,
    });
    let drives = (0..list.driven().len()).map(|k| {
        let first = list.drive_columns(k).start;
        Owner { name: list.owner(list.id(first)).to_owned(), first, parameters: &DRIVE_PARAMETERS }
    });
    bodies.chain(drives).collect()
}

/// The parameters of an owner that share a fate: "all ten", "all but m my", "mx Ixx".
pub fn parameters_with(owner: &Owner, fates: &[Fate], fate: Fate) -> String {
    let of = |wanted: bool| -> Vec<&str> {
        let parameters = owner.parameters.iter().enumerate();
        let kept = parameters.filter(|(k, _)| (fates[owner.first + k] == fate) == wanted);
        kept.map(|(_, name)| *name).collect()
    };
    let (with, without) = (of(true), of(false));
    match (with.len(), without.len()) {
        (10, _) => "all ten".to_owned(),
        (4, 0) => "all four".to_owned(),
        (_, 1..=3) if owner.parameters.len() == 10 => format!("all but {}", without.join(" ")),
        _ => with.join(" "),
    }
}
