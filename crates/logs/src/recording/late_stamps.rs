//! Stamps that are late although samples are not: those of a network, or of a busy computer.
//!
//! Samples that were taken at uneven times move evenly in the time of their stamps. Samples that were taken at even
//! times and stamped when they arrived do not: they jump to and fro there, and move evenly from row to row. The
//! positions tell which of the two a log is.

use std::collections::VecDeque;
use std::ops::Range;

use super::columns::Columns;
use super::rows::Rows;

/// Stamps are taken as late where positions are so much smoother from row to row than in their time.
const SMOOTHER: f64 = 2.0;
/// Samples count as lost where positions are so much smoother with fewer of them.
const CLEARLY: f64 = 1.1;
/// Pauses are longer than this many intervals…
const PAUSE: f64 = 5.5;
/// …and than this multiple of the latest stamp.
const LATEST: f64 = 1.5;
/// Late stamps make up for a long interval within so many rows, or it is a pause.
const CATCHES_UP: usize = 200;
/// Rows from which on a clock can be told.
const ROWS: usize = 50;

/// An even clock behind late stamps.
#[derive(Clone, Debug)]
pub(crate) struct EvenClock {
    /// s.
    pub(crate) interval: f64,
    /// How much later the latest stamp is than the earliest, s.
    pub(crate) latest: f64,
    /// How much smoother positions are.
    pub(crate) smoother: f64,
    /// Whether samples are lost.
    loses: bool,
    last: Option<Last>,
}

/// Where a clock stands, s.
#[derive(Clone, Debug)]
struct Last {
    stamp: f64,
    /// When it was taken.
    tick: f64,
    /// By how much the soonest of the latest stamps came after its tick.
    soonest: f64,
}

impl EvenClock {
    /// The even clock of rows whose stamps are late; `None` where stamps can be believed, or differ from even ones by
    /// less than this part of an interval.
    pub(crate) fn of(rows: &Rows, columns: &Columns, even: f64) -> Option<Self> {
        let times = &rows.times;
        if times.len() < ROWS {
            return None;
        }
        let longest = longest_without_pause(times);
        let rows_of: Vec<f64> = longest.clone().map(|k| k as f64).collect();
        let stretch = &times[longest];
        let intervals = [(slope_below(&rows_of, stretch), false), (interval_below(stretch), true)];
        let mut best: Option<EvenClock> = None;
        for (interval, loses) in intervals {
            let Some(interval) = interval else { continue };
            let latest = latest(stretch, interval);
            if latest <= even * interval {
                return None;
            }
            let mut clock = EvenClock { interval, latest, smoother: 1.0, loses, last: None };
            clock.smoother = clock.clone().smoother_than(rows, columns);
            // Lost samples must be worth it.
            let more = if loses { CLEARLY } else { 1.0 };
            if best.as_ref().is_none_or(|best| clock.smoother > more * best.smoother) {
                best = Some(clock);
            }
        }
        best.filter(|clock| clock.smoother >= SMOOTHER)
    }

    /// How much smoother positions are in its time than in that of their stamps.
    fn smoother_than(mut self, rows: &Rows, columns: &Columns) -> f64 {
        let times = &rows.times;
        let mut ticks = times.clone();
        self.set(&mut ticks);
        let (mut logs, mut moving) = (0.0, 0usize);
        for values in columns.q.iter().map(|&slot| &rows.columns[slot]) {
            let of = |clock: &[f64]| roughness(clock, values, &ticks, self.interval);
            let (stamped, ticked) = (of(times), of(&ticks));
            if stamped > 0.0 && ticked > 0.0 {
                logs += (stamped / ticked).ln();
                moving += 1;
            }
        }
        if moving == 0 { 1.0 } else { (logs / moving as f64).exp() }
    }

    /// The same clock at its beginning.
    pub(crate) fn anew(&self) -> Self {
        EvenClock { last: None, ..self.clone() }
    }

    /// Puts ticks in place of stamps; goes on where it ended.
    pub(crate) fn set(&mut self, times: &mut [f64]) {
        let pause = PAUSE * self.interval + LATEST * self.latest;
        let mut begin = 0;
        while begin < times.len() {
            let ends = |k: &usize| times[*k] - times[*k - 1] > pause;
            let end = (begin + 1..times.len()).find(ends).unwrap_or(times.len());
            let first = times[begin];
            let goes_on = self.last.as_ref().is_some_and(|last| first - last.stamp <= pause);
            if !goes_on {
                // Never before what was.
                let after = self.last.as_ref().map_or(first, |last| last.tick + PAUSE * self.interval);
                let tick = first.max(after) - self.interval;
                self.last = Some(Last { stamp: first, tick, soonest: f64::INFINITY });
            }
            self.set_stretch(&mut times[begin..end]);
            begin = end;
        }
    }

    /// Ticks of stamps without a pause. Lost samples make all later stamps late: their ticks are left out.
    fn set_stretch(&mut self, times: &mut [f64]) {
        let Some(last) = &mut self.last else { return };
        let (interval, stamps) = (self.interval, times.to_vec());
        let late: Vec<f64> =
            stamps.iter().enumerate().map(|(k, t)| t - last.tick - (k + 1) as f64 * interval).collect();
        let soonest_to_come = least_of_windows(&late);
        let mut lost = 0.0;
        for (k, tick) in times.iter_mut().enumerate() {
            let more = ((soonest_to_come[k] - lost * interval - last.soonest) / interval).round();
            // At the end of what was read little is to come, and all of it may be late.
            if self.loses && more >= 1.0 && more.is_finite() && k + CATCHES_UP <= late.len() {
                lost += more;
            }
            *tick = last.tick + ((k + 1) as f64 + lost) * interval;
            // What was soon long ago is forgotten slowly: clocks drift.
            last.soonest =
                (last.soonest + interval / (10 * CATCHES_UP) as f64).min(late[k] - lost * interval);
        }
        let count = times.len() as f64 + lost;
        (last.stamp, last.tick) = (stamps[stamps.len() - 1], last.tick + count * interval);
    }
}

/// The least of every value and the `CATCHES_UP` behind it.
fn least_of_windows(values: &[f64]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; values.len()];
    let mut rising: VecDeque<usize> = VecDeque::new();
    for k in (0..values.len()).rev() {
        while rising.back().is_some_and(|&j| values[j] >= values[k]) {
            rising.pop_back();
        }
        rising.push_back(k);
        while rising.front().is_some_and(|&j| j > k + CATCHES_UP) {
            rising.pop_front();
        }
        least[k] = values[rising[0]];
    }
    least
}

/// The longest stretch of stamps without a pause: an interval that those behind it don't make up for.
fn longest_without_pause(times: &[f64]) -> Range<usize> {
    let far = (times.len() / 8).clamp(1, 2 * CATCHES_UP);
    let mut spans: Vec<f64> = (far..times.len()).map(|k| (times[k] - times[k - far]) / far as f64).collect();
    let middle = spans.len() / 2;
    let usual = *spans.select_nth_unstable_by(middle, f64::total_cmp).1;
    let is_pause = |k: &usize| {
        let stays = |j: usize| {
            times[j] - times[k - 1] - (j + 1 - k) as f64 * usual > 0.5 * (times[*k] - times[k - 1])
        };
        times[*k] - times[k - 1] > PAUSE * usual && (*k..times.len().min(k + CATCHES_UP)).all(stays)
    };
    let mut starts = vec![0];
    starts.extend((1..times.len()).filter(is_pause));
    starts.push(times.len());
    starts.windows(2).max_by_key(|pair| pair[1] - pair[0]).map_or(0..times.len(), |pair| pair[0]..pair[1])
}

/// The interval of an even clock that no stamp comes before. First the lower quartile of short parts: lost samples only
/// lengthen theirs; with it lost samples are counted, and the whole tells the interval more exactly.
fn interval_below(times: &[f64]) -> Option<f64> {
    let parts = (times.len() / CATCHES_UP).max(1);
    let rows: Vec<f64> = (0..times.len()).map(|k| k as f64).collect();
    let size = times.len().div_ceil(parts);
    let mut slopes: Vec<f64> = times
        .chunks(size)
        .zip(rows.chunks(size))
        .filter_map(|(times, rows)| slope_below(rows, times))
        .collect();
    slopes.sort_unstable_by(f64::total_cmp);
    let near = *slopes.get(slopes.len().checked_sub(1)? / 4)?;
    let latest = latest(times, near);
    let mut ticks = times.to_vec();
    EvenClock { interval: near, latest, smoother: 1.0, loses: true, last: None }.set(&mut ticks);
    let first = *ticks.first()?;
    ticks.iter_mut().for_each(|tick| *tick = ((*tick - first) / near).round());
    slope_below(&ticks, times)
}

/// The slope of the line below all stamps that is nearest to them: an edge of their lower convex hull.
fn slope_below(ticks: &[f64], times: &[f64]) -> Option<f64> {
    let mut hull: Vec<usize> = Vec::new();
    let slope = |a: usize, b: usize| (times[b] - times[a]) / (ticks[b] - ticks[a]);
    for k in 0..times.len() {
        while let [.., a, b] = hull[..]
            && slope(a, b) >= slope(b, k)
        {
            hull.pop();
        }
        hull.push(k);
    }
    let middle = times.len() / 2;
    let edge = hull.windows(2).find(|edge| edge[1] > middle)?;
    Some(slope(edge[0], edge[1])).filter(|interval| *interval > 0.0)
}

/// How much later the latest stamp is than an even clock that later stamps keep to, s.
fn latest(times: &[f64], interval: f64) -> f64 {
    let mut soonest = f64::INFINITY;
    let mut most = 0.0f64;
    for (k, t) in times.iter().enumerate().rev() {
        let late = t - k as f64 * interval;
        soonest = soonest.min(late);
        most = most.max(late - soonest);
    }
    most
}

/// How far values are from the straight line between their neighbours, root mean square; pauses of the ticks don't count.
fn roughness(times: &[f64], values: &[f64], ticks: &[f64], interval: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for k in 1..times.len() - 1 {
        if ticks[k + 1] - ticks[k - 1] > PAUSE * interval {
            continue;
        }
        let part = (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1]);
        let between = values[k - 1] + part * (values[k + 1] - values[k - 1]);
        sum += (values[k] - between).powi(2);
        count += 1;
    }
    (sum / count.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{interval_below, latest, longest_without_pause};

    #[test]
    fn an_even_clock_lies_below_late_stamps() {
        // Every seventh row carries the stamps of all since the last: one pause of a second in between.
        let arrival = |k: usize| 0.002 * (k / 7 * 7 + 6) as f64 + if k >= 3000 { 1.0 } else { 0.0 };
        let times: Vec<f64> = (0..7000).map(|k| arrival(k) + 1e-6 * (k % 7) as f64).collect();
        let longest = longest_without_pause(&times);
        assert_eq!(longest, 3000..7000);
        let interval = interval_below(&times[longest.clone()]).unwrap();
        assert!((interval - 0.002).abs() < 1e-8, "{interval}");
        assert!((latest(&times[longest], interval) - 0.012).abs() < 1e-4);
    }
}
