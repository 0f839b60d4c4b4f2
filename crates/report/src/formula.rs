//! Linear combinations of parameters, written shortly: 0.4318·(link3 + link4 + link5).m.

use crate::family::Family;
use crate::fate::split;
use crate::words::number;

/// Digits of coefficients in formulas.
const DIGITS: usize = 6;
/// Sums of more bodies than this are written by branches where they can.
const MOST_BODIES: usize = 4;

/// One summand: a coefficient and the parameter of one or several owners, each with its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Summand {
    /// Sign of the first owner.
    pub negative: bool,
    /// Size of the coefficient, as text; empty for 1.
    pub factor: String,
    /// The owners.
    pub owners: Vec<SummandOwner>,
    /// m, mx, …
    pub parameter: String,
}

/// A body or joint in a summand.
#[derive(Clone, Debug, PartialEq)]
pub struct SummandOwner {
    /// Whether its sign is opposite to the first owner's.
    pub opposite: bool,
    /// Its name.
    pub name: String,
    /// Whether it stands for all bodies it carries as well.
    pub with_branch: bool,
}

impl Summand {
    /// Without its sign.
    pub fn text(&self) -> String {
        let dot = if self.factor.is_empty() { "" } else { "·" };
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
        let is_sum = self.owners.len() > 1 || self.owners.iter().any(|owner| owner.with_branch);
        let names = if is_sum { format!("({names})") } else { names };
        format!("{}{dot}{names}.{}", self.factor, self.parameter)
    }
}

/// Gathers the terms of a combination: those with coefficients of one size and the same parameter become one summand.
/// The first term stays by itself, for the combination is named after it.
pub fn summands(family: &Family, labels: &[String], terms: &[(usize, f64)]) -> Vec<Summand> {
    let parameter_of = |column: usize| split(&labels[column]).1;
    let mut gathered: Vec<Vec<(usize, f64)>> = Vec::new();
    for (k, &(column, x)) in terms.iter().enumerate() {
        let same = |group: &&mut Vec<(usize, f64)>| {
            let (other, y) = group[0];
            parameter_of(other) == parameter_of(column) && (y.abs() - x.abs()).abs() <= 1e-9 * y.abs()
        };
        match gathered.iter_mut().skip(1).find(same).filter(|_| k > 0) {
            Some(group) => group.push((column, x)),
            None => gathered.push(vec![(column, x)]),
        }
    }
    let mut out = Vec::new();
    for group in gathered {
        let text = number(group[0].1.abs(), DIGITS);
        let factor = if text == "1" { String::new() } else { text };
        let worthwhile = group.len() > 2 || group.len() == 2 && !factor.is_empty();
        let parts: Vec<&[(usize, f64)]> = if worthwhile { vec![&group] } else { group.chunks(1).collect() };
        for part in parts {
            let (column, x) = part[0];
            out.push(Summand {
                negative: x < 0.0,
                factor: factor.clone(),
                owners: owners(family, labels, part),
                parameter: parameter_of(column).to_owned(),
            });
        }
    }
    out
}

/// The owners of terms with one parameter: whole branches as one where there are many.
fn owners(family: &Family, labels: &[String], terms: &[(usize, f64)]) -> Vec<SummandOwner> {
    let mut rest = terms.to_vec();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let (column, x) = rest[0];
        let sign = |column: usize| rest.iter().find(|(other, _)| *other == column).map(|(_, y)| *y < 0.0);
        let (body, parameter) = (column / 10, column % 10);
        let branch = family.branch(body).filter(|branch| {
            terms.len() > MOST_BODIES
                && branch.iter().all(|member| sign(10 * member + parameter) == Some(x < 0.0))
        });
        let taken: Vec<usize> = match branch {
            Some(branch) => branch.iter().map(|member| 10 * member + parameter).collect(),
            None => vec![column],
        };
        rest.retain(|(other, _)| !taken.contains(other));
        out.push(SummandOwner {
            opposite: (x < 0.0) != (terms[0].1 < 0.0),
            name: split(&labels[column]).0.to_owned(),
            with_branch: branch.is_some(),
        });
    }
    out
}

/// A combination as text that breaks at its spaces. `(a…).m` is the sum over a and all bodies it carries.
pub fn formula(family: &Family, labels: &[String], terms: &[(usize, f64)]) -> String {
    let mut out = String::new();
    for (k, summand) in summands(family, labels, terms).iter().enumerate() {
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
    use super::{Family, formula};

    #[test]
    fn equal_coefficients_are_gathered() {
        let labels: Vec<String> = ["a.mx", "b.m", "c.m", "d.m", "b.mx", "c.mx"].map(str::to_owned).into();
        let terms = [(0, 1.0), (1, 0.25), (2, -0.25), (3, 0.25), (4, 1.0), (5, -1.0)];
        let none = Family::default();
        assert_eq!(formula(&none, &labels, &terms), "a.mx + 0.25·(b - c + d).m + b.mx - c.mx");
        assert_eq!(formula(&none, &labels, &[(1, -2.0)]), "-2·b.m");
    }
}
