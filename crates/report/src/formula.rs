//! Linear combinations of parameters, written shortly: 0.4318·(link3 + link4 + link5).m.

use std::collections::HashMap;

use steiner_robot::{Label, inertial_body, inertial_columns};

use crate::family::Family;
use crate::words::{number, thousands};

/// Digits of coefficients in formulas.
const DIGITS: usize = 6;
/// Sums of more bodies than this are written by branches where they can.
const MOST_BODIES: usize = 4;

/// Summands that a person reads; of longer sums the rest is counted.
const MOST_SUMMANDS: usize = 30;

/// One summand: a coefficient and the parameter of one or several owners, each with its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Summand {
    /// Sign of the first owner.
    pub negative: bool,
    /// Size of the coefficient, as text; empty for 1.
    pub factor: String,
    /// Bodies and joints whose parameters are summed.
    pub owners: Vec<SummandOwner>,
    /// Name of the parameter: `m`, `mx`, …
    pub parameter: String,
}

/// A body or joint in a summand.
#[derive(Clone, Debug, PartialEq)]
pub struct SummandOwner {
    /// Whether its sign is opposite to the first owner's.
    pub opposite: bool,
    /// Name of the body or joint.
    pub name: String,
    /// Whether it stands for all bodies it carries as well.
    pub with_branch: bool,
}

impl Summand {
    /// The summand as text, without its sign.
    pub fn text(&self) -> String {
        let dot = if self.factor.is_empty() { "" } else { "·" };
        format!("{}{dot}{}", self.factor, self.owned())
    }

    /// Without sign and coefficient: `(a + b).m`.
    pub fn owned(&self) -> String {
        let mut names = String::new();
        for (k, owner) in self.owners.iter().enumerate() {
            names += match (k, owner.opposite) {
                (0, _) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            names += &owner.name;
            names += if owner.with_branch { "…" } else { "" };
        }
        let is_sum = self.owners.len() > 1 || self.has_branch();
        let names = if is_sum { format!("({names})") } else { names };
        format!("{names}.{}", self.parameter)
    }

    /// Whether a body in it stands for all it carries as well.
    pub fn has_branch(&self) -> bool {
        self.owners.iter().any(|owner| owner.with_branch)
    }
}

/// What a parameter is multiplied with: a number, or a formula as text.
pub trait Coefficient {
    /// Whether it is written with a minus.
    fn is_negative(&self) -> bool;
    /// Whether both are written alike but for the sign.
    fn has_size_of(&self, other: &Self) -> bool;
    /// Its size as text, to stand in front of a parameter; empty for 1.
    fn size(&self) -> String;
    /// A number that is equal for those of one size, or one more or less.
    fn bucket(&self) -> i64;
}

impl Coefficient for f64 {
    fn is_negative(&self) -> bool {
        *self < 0.0
    }
    fn has_size_of(&self, other: &f64) -> bool {
        (other.abs() - self.abs()).abs() <= 1e-9 * other.abs()
    }
    fn size(&self) -> String {
        let text = number(self.abs(), DIGITS);
        if text == "1" { String::new() } else { text }
    }
    fn bucket(&self) -> i64 {
        (self.abs().max(f64::MIN_POSITIVE).ln() * 1e8).round() as i64
    }
}

/// Gathers the terms of a combination: those with coefficients of one size and the same parameter become one
/// summand. The first term stays by itself, for the combination is named after it.
pub fn summands<C: Coefficient>(family: &Family, names: &[Label], terms: &[(usize, C)]) -> Vec<Summand> {
    let (first, others) = terms.split_at(terms.len().min(1));
    let mut out = gathered(family, names, first);
    out.extend(gathered(family, names, others));
    out
}

/// The same where no combination is named after the first term.
pub(crate) fn gathered<C: Coefficient>(
    family: &Family,
    names: &[Label],
    terms: &[(usize, C)],
) -> Vec<Summand> {
    let parameter_of = |column: usize| names[column].parameter;
    let mut groups: Vec<Vec<&(usize, C)>> = Vec::new();
    let mut known: HashMap<(&str, i64), Vec<usize>> = HashMap::new();
    for term in terms {
        let (parameter, bucket) = (parameter_of(term.0), term.1.bucket());
        let near = (bucket - 1..=bucket + 1).filter_map(|bucket| known.get(&(parameter, bucket))).flatten();
        match near.copied().filter(|&group| term.1.has_size_of(&groups[group][0].1)).min() {
            Some(group) => groups[group].push(term),
            None => {
                known.entry((parameter, bucket)).or_default().push(groups.len());
                groups.push(vec![term]);
            }
        }
    }
    let mut out = Vec::new();
    for group in groups {
        let factor = group[0].1.size();
        let worthwhile = group.len() > 2 || group.len() == 2 && !factor.is_empty();
        let signs: Vec<(usize, bool)> = group.iter().map(|(c, x)| (*c, x.is_negative())).collect();
        let parts: Vec<&[(usize, bool)]> = if worthwhile { vec![&signs] } else { signs.chunks(1).collect() };
        for part in parts {
            let (column, negative) = part[0];
            out.push(Summand {
                negative,
                factor: factor.clone(),
                owners: owners(family, names, part),
                parameter: parameter_of(column).to_owned(),
            });
        }
    }
    out
}

/// The owners of terms with one parameter: whole branches as one where there are many.
fn owners(family: &Family, names: &[Label], terms: &[(usize, bool)]) -> Vec<SummandOwner> {
    let mut rest: HashMap<usize, bool> = terms.iter().copied().collect();
    let mut out = Vec::new();
    for &(column, negative) in terms {
        let sign = |column: usize| rest.get(&column).copied();
        if sign(column).is_none() {
            continue;
        }
        let body = inertial_body(column);
        let of_member =
            |member: usize| inertial_columns(member).start + column - inertial_columns(body).start;
        let branch = family.branch(body).filter(|branch| {
            terms.len() > MOST_BODIES
                && branch.iter().all(|&member| sign(of_member(member)) == Some(negative))
        });
        let with_branch = branch.is_some();
        let alone = [body];
        for &member in branch.unwrap_or(&alone) {
            rest.remove(&of_member(member));
        }
        out.push(SummandOwner {
            opposite: negative != terms[0].1,
            name: names[column].owner.clone(),
            with_branch,
        });
    }
    out
}

/// A combination as text that breaks at its spaces. `(a…).m` is the sum over a and all bodies it carries; of
/// long sums the beginning.
pub fn formula<C: Coefficient>(family: &Family, names: &[Label], terms: &[(usize, C)]) -> String {
    let summands = summands(family, names, terms);
    let shown = shown(&summands);
    sum_of(shown) + &not_shown(summands.len() - shown.len())
}

/// The beginning of a sum that a person reads.
pub(crate) fn shown(summands: &[Summand]) -> &[Summand] {
    // One more takes no more room than the remark that it is missing.
    if summands.len() > MOST_SUMMANDS + 1 { &summands[..MOST_SUMMANDS] } else { summands }
}

/// Says that summands are left out.
pub(crate) fn not_shown(summands: usize) -> String {
    if summands == 0 { String::new() } else { format!(" + {} more terms", thousands(summands)) }
}

/// Summands as text, with their signs.
pub fn sum_of(summands: &[Summand]) -> String {
    let mut out = String::new();
    for (k, summand) in summands.iter().enumerate() {
        out += match (k, summand.negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        out += &summand.text();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Family, Label, formula};

    #[test]
    fn equal_coefficients_are_gathered() {
        let name = |(owner, parameter): (&str, &'static str)| Label { owner: owner.to_owned(), parameter };
        let names = [("a", "mx"), ("b", "m"), ("c", "m"), ("d", "m"), ("b", "mx"), ("c", "mx")].map(name);
        let terms = [(0, 1.0), (1, 0.25), (2, -0.25), (3, 0.25), (4, 1.0), (5, -1.0)];
        let none = Family::default();
        assert_eq!(formula(&none, &names, &terms), "a.mx + 0.25·(b - c + d).m + b.mx - c.mx");
        assert_eq!(formula(&none, &names, &[(1, -2.0)]), "-2·b.m");
    }
}
