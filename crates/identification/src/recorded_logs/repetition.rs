//! Held-out samples that repeat the motion they are held out from, as those of a periodic motion do: they test the
//! noise, not another motion.

use steiner_logs::{Recording, Role};

/// Held-out samples that are looked up.
const LOOKED_UP: usize = 32;
/// Two states are one if they differ by less than this part of the spread of each coordinate, in the mean. Samples
/// of a second period seldom fall on those of the first.
const SAME: f64 = 0.1;
/// Places where a motion may begin to repeat, at most.
const PLACES: usize = 8;

/// The time after which held-out samples repeat training samples of the same recording, s.
pub(super) fn repetition(recording: &Recording) -> Option<f64> {
    let Recording { count, t, q, qd, .. } = recording;
    let widths = [q.len(), qd.len()].map(|size| size / (*count).max(1));
    let of = |role: Role| -> Vec<usize> {
        let parts = recording.parts().into_iter().filter(|part| part.role == role);
        parts.flat_map(|part| part.samples).collect()
    };
    let (training, held_out) = (of(Role::Training), of(Role::Validation));
    if t.len() != *count || training.len() < LOOKED_UP || held_out.len() < LOOKED_UP {
        return None;
    }
    let signals: Vec<(&[f64], usize, f64)> = [(q, widths[0]), (qd, widths[1])]
        .into_iter()
        .flat_map(|(values, width)| (0..width).map(move |k| (&values[k..], width)))
        .map(|(values, width)| (values, width, spread(values.iter().step_by(width))))
        .filter(|(.., spread)| *spread > 0.0)
        .collect();
    let apart = |a: usize, b: usize| {
        let one = |(values, width, spread): &(&[f64], usize, f64)| {
            ((values[width * a] - values[width * b]) / spread).powi(2)
        };
        (signals.iter().map(one).sum::<f64>() / signals.len() as f64).sqrt()
    };
    let looked_up: Vec<usize> =
        (0..LOOKED_UP).map(|k| held_out[(held_out.len() - 1) * k / (LOOKED_UP - 1)]).collect();
    // Where the state in the middle was met before: local minima, the nearest first.
    let middle = looked_up[LOOKED_UP / 2];
    let distances: Vec<f64> = training.iter().map(|&at| apart(middle, at)).collect();
    let mut places: Vec<(f64, usize)> = (1..training.len().saturating_sub(1))
        .filter(|&k| {
            distances[k] < SAME && distances[k] <= distances[k - 1] && distances[k] < distances[k + 1]
        })
        .map(|k| (distances[k], middle - training[k]))
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    places.truncate(PLACES);
    // Between two samples of the first period, either may be the nearer one.
    let repeats = |lag: usize| {
        looked_up.iter().all(|&at| {
            let near = [lag.saturating_sub(1), lag, lag + 1].into_iter().filter(|lag| *lag > 0 && *lag <= at);
            near.map(|lag| apart(at, at - lag)).fold(f64::INFINITY, f64::min) < SAME
        })
    };
    let lag = places.into_iter().map(|(_, lag)| lag).filter(|lag| repeats(*lag)).min()?;
    Some(t[middle] - t[middle - lag])
}

/// Standard deviation.
fn spread<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use steiner_logs::{Part, Recording, Role};

    use super::repetition;

    fn recorded(angle: impl Fn(f64) -> f64) -> Recording {
        let t: Vec<f64> = (0..2000).map(|k| 0.01 * k as f64).collect();
        let rate = |t: f64| (angle(t + 1e-4) - angle(t - 1e-4)) / 2e-4;
        Recording {
            count: t.len(),
            q: t.iter().map(|t| angle(*t)).collect(),
            qd: t.iter().map(|t| rate(*t)).collect(),
            t,
            parts: vec![
                Part { samples: 0..1500, role: Role::Training },
                Part { samples: 1500..2000, role: Role::Validation },
            ],
            ..Recording::default()
        }
    }

    #[test]
    fn a_periodic_motion_validates_itself_and_another_does_not() {
        let wave = |w: f64| move |t: f64| (TAU * t / w).sin() + 0.4 * (3.0 * TAU * t / w + 1.0).sin();
        let period = repetition(&recorded(wave(7.003))).expect("it repeats");
        assert!((period - 7.003).abs() < 0.02, "{period}");
        assert_eq!(repetition(&recorded(wave(20.0))), None);
        let slowing = |t: f64| (12.0 * (1.0 + t).ln()).sin() + 0.1 * t;
        assert_eq!(repetition(&recorded(slowing)), None);
    }
}
