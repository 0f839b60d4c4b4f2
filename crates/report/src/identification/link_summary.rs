//! Mass and centre of mass of each link for a quick look: what the log determines, with its uncertainty, beside
//! what the file says.

use steiner_identification::Identification;
use steiner_robot::{PseudoInertia, inertial_count, whole_of};

use super::knowledge::NOT_ALONE;
use crate::words::{measured_value, number};

/// A link in words.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSummary {
    /// Its name.
    pub link: String,
    /// The file's mass, kg.
    pub file_mass: String,
    /// "2.71 ± 0.02", "not observable alone (model 2.7)", "from the file".
    pub mass: String,
    /// The file's centre of mass in the link's frame, m.
    pub file_com: String,
    /// "(0.120 ± 0.003, –, 0.010 ± 0.001)", or why not; – is a coordinate that is not observable alone.
    pub com: String,
}

/// Where the log says nothing and nothing was moved.
const FROM_FILE: &str = "from the file";

/// What is known of one of a link's first four parameters, m, mx, my, mz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Known {
    /// It was given.
    Given,
    /// It is this base parameter, and no other is in its group.
    Alone(usize),
    /// The log determines it together with others only.
    InGroups,
    /// The log says nothing about it.
    Nothing,
}

/// Of any column of a problem.
pub(super) fn known(identification: &Identification, column: usize) -> Known {
    let problem = identification.problem();
    if problem.known().iter().any(|known| known.0 == column) {
        return Known::Given;
    }
    let mut excited = (problem.base().iter().zip(&identification.parameters).enumerate())
        .filter(|(_, (base, found))| {
            found.sigma.is_finite() && base.terms.iter().any(|term| term.0 == column)
        })
        .peekable();
    match (excited.peek().is_some(), excited.find(|(_, (base, _))| base.terms.len() == 1)) {
        (_, Some((k, _))) => Known::Alone(k),
        (true, None) => Known::InGroups,
        (false, None) => Known::Nothing,
    }
}

/// Standard deviation of a link's mass, kg; `None` where the log does not determine it alone.
pub(super) fn mass_sigma(identification: &Identification, body: usize) -> Option<f64> {
    match known(identification, inertial_count(body)) {
        Known::Alone(k) => Some(identification.parameters[k].sigma),
        Known::Given => Some(0.0),
        Known::InGroups | Known::Nothing => None,
    }
}

/// Standard deviation of a coordinate of a link's centre of mass c = s / m, m; `None` where the log does not
/// determine mass and first moment s alone. To first order, m² var c = var s − 2 c cov(s, m) + c² var m.
pub(super) fn com_sigma(identification: &Identification, body: usize, axis: usize) -> Option<f64> {
    let first = inertial_count(body);
    let (mass, c) =
        (identification.all[first], identification.all[first + 1 + axis] / identification.all[first]);
    let [of_mass, of_moment] = [first, first + 1 + axis].map(|column| known(identification, column));
    let parts: Vec<(usize, f64)> = match (of_mass, of_moment) {
        (Known::Alone(m), Known::Alone(s)) => vec![(s, 1.0 / mass), (m, -c / mass)],
        (Known::Given, Known::Alone(s)) => vec![(s, 1.0 / mass)],
        (Known::Alone(m), Known::Given) => vec![(m, -c / mass)],
        (Known::Given, Known::Given) => Vec::new(),
        _ => return None,
    };
    let sigma = identification.combination_sigma(&parts);
    sigma.is_finite().then_some(sigma)
}

/// A summary of each link that has something unknown.
pub fn link_summaries(identification: &Identification) -> Vec<LinkSummary> {
    let robot = identification.problem().mechanism().robot();
    let bodies = identification.consistency.iter().enumerate();
    let unknown = bodies.filter(|(body, _)| {
        let first = inertial_count(*body);
        (first..first + 10).any(|column| known(identification, column) != Known::Given)
    });
    let one = |(body, link): (usize, &steiner_identification::LinkConsistency)| {
        let file = whole_of(&robot.lump(&link.link).unwrap_or_default());
        LinkSummary {
            link: link.link.clone(),
            file_mass: number(file.mass, 4),
            mass: mass_words(identification, body, (&file, &link.inertia)),
            file_com: place(&file).unwrap_or_else(|| "–".to_owned()),
            com: com_words(identification, body, (&file, &link.inertia)),
        }
    };
    unknown.map(one).collect()
}

type BeforeAfter<'a> = (&'a PseudoInertia, &'a PseudoInertia);

fn mass_words(identification: &Identification, body: usize, (file, found): BeforeAfter<'_>) -> String {
    let column = inertial_count(body);
    match (known(identification, column), mass_sigma(identification, body)) {
        (Known::Given, _) => format!("{} (given)", number(found.mass, 4)),
        (Known::Alone(_), Some(sigma)) => within(found.mass, sigma),
        (Known::InGroups, _) => format!("{NOT_ALONE} (model {})", number(found.mass, 4)),
        _ if same(file.mass, found.mass, file.mass) => FROM_FILE.to_owned(),
        _ => format!("not observable (model {})", number(found.mass, 4)),
    }
}

fn com_words(identification: &Identification, body: usize, (file, found): BeforeAfter<'_>) -> String {
    let first = inertial_count(body);
    let sigmas: Vec<Option<f64>> = (0..3).map(|axis| com_sigma(identification, body, axis)).collect();
    if sigmas.iter().all(Option::is_none) {
        let nothing = (first..first + 4).all(|column| known(identification, column) == Known::Nothing);
        let words = match nothing {
            true if place(file) == place(found) => FROM_FILE,
            true => "not observable",
            false => NOT_ALONE,
        };
        return words.to_owned();
    }
    let com = found.centred().com;
    let axes: Vec<String> = sigmas
        .iter()
        .zip(com)
        .map(|(sigma, c)| match sigma {
            Some(0.0) => number(c, 3),
            Some(sigma) => within(c, *sigma),
            None => "–".to_owned(),
        })
        .collect();
    format!("({})", axes.join(", "))
}

/// The centre of mass of an inertia; none without mass.
fn place(inertia: &PseudoInertia) -> Option<String> {
    let com = inertia.centred().com;
    let scale = com.iter().fold(0.0f64, |most, c| most.max(c.abs()));
    let text = |c: f64| if c.abs() <= 1e-6 * scale.max(1e-3) { "0".to_owned() } else { number(c, 3) };
    let known = inertia.mass > 0.0 && com.iter().all(|c| c.is_finite());
    known.then(|| format!("({}, {}, {})", text(com[0]), text(com[1]), text(com[2])))
}

fn within(value: f64, sigma: f64) -> String {
    format!("{} ± {}", measured_value(value, sigma), number(sigma, 2))
}

fn same(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-3 * scale.abs()
}
