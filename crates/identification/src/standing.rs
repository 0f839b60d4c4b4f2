//! Samples that do not count because joints with dry friction stood.

use crate::accumulate::Reduced;
use crate::note::IdentificationNote;
use crate::problem::Problem;

/// How much of the samples for training and of those held out the log's own measure of rest leaves out, with
/// the speeds (rad/s or m/s) of all rows; `None` if nothing.
pub(crate) fn standing(
    problem: &Problem,
    samples: [&Reduced; 2],
    least_speeds: &[f64],
) -> Option<IdentificationNote> {
    let by_log = |(row, speed): &(usize, f64)| problem.rows()[*row].least_speed.is_none() && *speed > 0.0;
    let counted = samples.map(Reduced::counts);
    let never_counts = |(row, _): &(usize, f64)| counted.iter().all(|counts| counts[*row] == 0);
    let (still, rows): (Vec<_>, Vec<_>) =
        least_speeds.iter().copied().enumerate().filter(by_log).partition(never_counts);
    let still: Vec<String> = still.into_iter().map(|(row, _)| problem.rows()[row].name.clone()).collect();
    let range = |values: Vec<f64>| {
        values.iter().fold((f64::INFINITY, 0.0f64), |(least, most), x| (least.min(*x), most.max(*x)))
    };
    let left_out = |reduced: &Reduced| {
        let counts = reduced.counts();
        let share = |&(r, _): &(usize, f64)| 1.0 - counts[r] as f64 / reduced.samples.max(1) as f64;
        let shares: Vec<f64> = rows.iter().map(share).collect();
        (reduced.samples > 0 && shares.iter().any(|share| *share > 0.0)).then(|| range(shares))
    };
    let [training, validation] = samples.map(left_out);
    (!still.is_empty() || training.is_some() || validation.is_some()).then(|| IdentificationNote::Standing {
        still,
        speed: range(rows.iter().map(|(_, speed)| *speed).collect()),
        training,
        validation,
    })
}
