//! Masses that nobody would believe.

use steiner_robot::inertial_count;

use super::Alarm;
use crate::identification::Identification;

/// A mass beyond this times the file's, and the sum of all.
const MASS: f64 = 2.0;
const TOTAL_MASS: f64 = 1.5;

/// Masses that nobody would believe.
pub(super) fn incredible(found: &Identification) -> Vec<Alarm> {
    let problem = found.problem();
    let bounds = found.settings.consistent.as_ref();
    if bounds.is_some_and(|bounds| bounds.total_mass.is_some()) {
        return Vec::new();
    }
    let is_bounded =
        |link: &str| bounds.is_some_and(|bounds| bounds.masses.iter().any(|(bounded, ..)| bounded == link));
    let mass = |values: &[f64], body: usize| values[inertial_count(body)];
    let (mut out, mut sums) = (Vec::new(), (0.0, 0.0));
    for (body, link) in found.consistency.iter().enumerate() {
        let (file, now) = (mass(problem.prior(), body), mass(&found.all, body));
        sums = (sums.0 + file, sums.1 + now);
        // A mass that stands alone and is well known is no matter of belief.
        let certain = found.parameters.iter().any(|parameter| {
            parameter.name == problem.labels()[inertial_count(body)]
                && parameter.terms.len() == 1
                && parameter.sigma < 0.1 * parameter.value
        });
        if file > 0.0 && now > MASS * file && now - file > 0.1 && !certain && !is_bounded(&link.link) {
            out.push(Alarm::Mass { link: link.link.clone(), file, found: now });
        }
    }
    let (file, now) = sums;
    if file > 0.0 && problem.known().is_empty() && !(file / MASS..=TOTAL_MASS * file).contains(&now) {
        let sigma = total_mass_sigma(found).filter(|sigma| *sigma < WELL_KNOWN * now);
        out.push(Alarm::TotalMass { file, found: now, sigma });
    }
    out
}

/// A sum of masses with a smaller relative deviation is known.
const WELL_KNOWN: f64 = 0.1;

/// Standard deviation of the sum of all masses, kg, where it is a combination of base parameters: those that are
/// named after a mass, because each is in no other group than its own.
fn total_mass_sigma(found: &Identification) -> Option<f64> {
    let problem = found.problem();
    let masses: Vec<usize> = (0..found.consistency.len()).map(inertial_count).collect();
    let own: Vec<usize> =
        (0..problem.base().len()).filter(|&k| masses.contains(&problem.base()[k].column)).collect();
    let mut sum = vec![0.0; problem.labels().len()];
    for &k in &own {
        problem.base()[k].terms.iter().for_each(|&(column, factor)| sum[column] += factor);
    }
    masses.iter().for_each(|&column| sum[column] -= 1.0);
    let is_sum = sum.iter().all(|rest| rest.abs() < 1e-9);
    let sigma = found.combination_sigma(&own.iter().map(|&k| (k, 1.0)).collect::<Vec<_>>());
    (is_sum && sigma.is_finite()).then_some(sigma)
}
