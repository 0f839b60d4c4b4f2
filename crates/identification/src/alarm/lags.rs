//! Forces that come later or earlier than their motion.

use super::Alarm;
use crate::identification::{ForceLag, Identification};
use crate::problem::MeasuredForce;
use crate::scores::Lag;

/// A lag is an alarm if it explains this part of the square of the residual, which friction that the model lacks may do
/// up to there on real arms…
const LAG_EXPLAINS: f64 = 0.15;
/// …beyond so many times what chance explains, one over the number of samples…
const BEYOND: f64 = 5.0;
/// …and is longer than this, s.
const LEAST_LAG: f64 = 5e-4;

/// A lag that explains less than so many times what chance does is none.
const CHANCE: f64 = 15.0;

/// What a fit shows of the lags of forces, by so many independent samples of each row.
pub(crate) fn force_lags(found: &Identification, lags: &[Lag], told_by: &[usize]) -> Vec<ForceLag> {
    let rows = lags.iter().zip(found.problem().rows()).zip(told_by);
    let one = |((lag, row), &samples): ((&Lag, &MeasuredForce), &usize)| ForceLag {
        row: row.name.clone(),
        seconds: lag.seconds(),
        explains: lag.explains(),
        samples,
        by_chance: lag.explains() <= CHANCE / samples.max(1) as f64,
    };
    rows.map(one).collect()
}

/// Forces that come earlier or later than their motion.
pub(super) fn late_forces(found: &Identification) -> Option<Alarm> {
    let seconds = |lag: &ForceLag| lag.seconds.filter(|s| s.abs() > LEAST_LAG);
    let explains = |lag: &ForceLag| {
        let by_chance = BEYOND / lag.samples.max(1) as f64;
        seconds(lag).is_some() && lag.explains > LAG_EXPLAINS + by_chance
    };
    // Without drives in the model, friction looks like a lag.
    let is_late = found.lags.iter().any(explains) && found.settings.drives;
    // What delays one force often delays all.
    let late = found.lags.iter().filter(|lag| !lag.by_chance || explains(lag));
    let rows = late.filter_map(|lag| Some((lag.row.clone(), seconds(lag)?)));
    is_late.then(|| Alarm::Lag { rows: rows.collect() })
}
