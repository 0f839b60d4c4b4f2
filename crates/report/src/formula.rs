//! Linear combinations of parameters, written shortly: 0.4318·(link3 + link4 + link5).m.

use crate::fate::split;
use crate::words::number;

/// Digits of coefficients in formulas.
const DIGITS: usize = 6;

/// One summand: a coefficient and the parameter of one or several owners, each with its sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Summand {
    /// Sign of the first owner.
    pub negative: bool,
    /// Size of the coefficient, as text; empty for 1.
    pub factor: String,
    /// (opposite to the first, name)
    pub owners: Vec<(bool, String)>,
    /// m, mx, …
    pub parameter: String,
}

impl Summand {
    /// Without its sign.
    pub fn text(&self) -> String {
        let dot = if self.factor.is_empty() { "" } else { "·" };
        let names = self.owners.iter().enumerate().map(|(k, (opposite, name))| match (k, opposite) {
            (0, _) => name.clone(),
            (_, true) => format!(" - {name}"),
            (_, false) => format!(" + {name}"),
        });
        let names: String = names.collect();
        let names = if self.owners.len() > 1 { format!("({names})") } else { names };
        format!("{}{dot}{names}.{}", self.factor, self.parameter)
    }
}

/// Gathers the terms of a combination: those with coefficients of one size and the same parameter become one summand.
pub fn summands(labels: &[String], terms: &[(usize, f64)]) -> Vec<Summand> {
    let mut gathered: Vec<(f64, &str, Vec<(f64, &str)>)> = Vec::new();
    for (k, &(column, x)) in terms.iter().enumerate() {
        let (owner, parameter) = split(&labels[column]);
        let same = |(size, other, _): &&mut (f64, &str, Vec<(f64, &str)>)| {
            *other == parameter && (*size - x.abs()).abs() <= 1e-9 * *size
        };
        // The first term names the combination and stays by itself.
        match gathered.iter_mut().skip(1).find(same).filter(|_| k > 0) {
            Some((_, _, owners)) => owners.push((x, owner)),
            None => gathered.push((x.abs(), parameter, vec![(x, owner)])),
        }
    }
    let mut out = Vec::new();
    for (size, parameter, owners) in gathered {
        let text = number(size, DIGITS);
        let factor = if text == "1" { String::new() } else { text };
        let worthwhile = owners.len() > 2 || owners.len() == 2 && !factor.is_empty();
        let parts: Vec<&[(f64, &str)]> = if worthwhile { vec![&owners] } else { owners.chunks(1).collect() };
        for part in parts {
            let negative = part[0].0 < 0.0;
            let owners = part.iter().map(|&(x, owner)| ((x < 0.0) != negative, owner.to_owned())).collect();
            let (factor, parameter) = (factor.clone(), parameter.to_owned());
            out.push(Summand { negative, factor, owners, parameter });
        }
    }
    out
}

/// A combination as text that breaks at its spaces.
pub fn formula(labels: &[String], terms: &[(usize, f64)]) -> String {
    let mut out = String::new();
    for (k, summand) in summands(labels, terms).iter().enumerate() {
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
    use super::formula;

    #[test]
    fn equal_coefficients_are_gathered() {
        let labels: Vec<String> = ["a.mx", "b.m", "c.m", "d.m", "b.mx", "c.mx"].map(str::to_owned).into();
        let terms = [(0, 1.0), (1, 0.25), (2, -0.25), (3, 0.25), (4, 1.0), (5, -1.0)];
        assert_eq!(formula(&labels, &terms), "a.mx + 0.25·(b - c + d).m + b.mx - c.mx");
        assert_eq!(formula(&labels, &[(1, -2.0)]), "-2·b.m");
    }
}
