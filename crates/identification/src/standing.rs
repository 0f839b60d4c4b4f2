//! What is said of samples that do not count because joints with dry friction stood.

use crate::accumulate::Reduced;
use crate::problem::Problem;
use steiner_logs::signals::significant;

/// How much of the samples for training and of those held out the log's own measure of rest leaves out, with the speeds (rad/s or m/s) of all rows; `None` if nothing.
pub(crate) fn standing(problem: &Problem, samples: [&Reduced; 2], least_speeds: &[f64]) -> Option<String> {
    let by_log = |(row, speed): &(usize, f64)| problem.rows[*row].least_speed.is_none() && *speed > 0.0;
    let rows: Vec<(usize, f64)> = least_speeds.iter().copied().enumerate().filter(by_log).collect();
    let range = |values: Vec<f64>| {
        let (least, most) = values.iter().fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let [least, most] = [least, most].map(|x| significant(x, 2));
        if least == most { format!("{least}") } else { format!("{least} to {most}") }
    };
    let left_out = |reduced: &Reduced| -> Vec<f64> {
        let counts = reduced.counts();
        rows.iter().map(|&(r, _)| 100.0 * (1.0 - counts[r] as f64 / reduced.samples.max(1) as f64)).collect()
    };
    let [training, validation] = samples;
    let parts = [(training, "samples for training"), (validation, "those held out")];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|(reduced, _)| reduced.samples > 0 && left_out(reduced).iter().any(|percent| *percent > 0.0))
        .map(|(reduced, which)| format!("{} % of {which}", range(left_out(reduced))))
        .collect();
    (!told.is_empty()).then(|| {
        format!(
            "forces count only while their joint moves, since dry friction at rest may be anything: slower than {} rad/s or m/s, {} are left out",
            range(rows.iter().map(|(_, speed)| *speed).collect()),
            told.join(" and ")
        )
    })
}
