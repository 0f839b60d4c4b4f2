//! Times on a machine that others use too: medians, in rounds that take all calls in turn.

use std::hint::black_box;
use std::time::Instant;

/// How long to measure.
pub(crate) struct Clock {
    /// Rounds, each of which times every call.
    rounds: usize,
    /// Time a call is repeated for in a round, s; it is called once at least.
    seconds: f64,
}

/// Times of one call, s.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// The median of the medians of the rounds.
    pub(crate) median: f64,
    /// The fastest call: where other work takes its share in slices of milliseconds,
    /// a longer call is seldom spared.
    pub(crate) fastest: f64,
    /// The smallest and the largest median of a round.
    pub(crate) rounds: (f64, f64),
}

/// What is timed.
pub(crate) type Call<'a> = Box<dyn Fn() + 'a>;

/// A call whose result nobody needs.
pub(crate) fn call<'a, T>(work: impl Fn() -> T + 'a) -> Call<'a> {
    Box::new(move || {
        black_box(work());
    })
}

impl Clock {
    pub(crate) fn thorough() -> Self {
        Clock { rounds: 5, seconds: 0.2 }
    }

    pub(crate) fn quick() -> Self {
        Clock { rounds: 1, seconds: 0.05 }
    }

    /// Times of all calls, which take turns so that a busy minute of the machine is shared by all.
    pub(crate) fn times(&self, calls: &[Call]) -> Vec<Times> {
        let mut medians = vec![Vec::new(); calls.len()];
        let mut fastest = vec![f64::INFINITY; calls.len()];
        for _ in 0..self.rounds {
            for (k, call) in calls.iter().enumerate() {
                let sorted = self.one_round(call);
                medians[k].push(sorted[sorted.len() / 2]);
                fastest[k] = sorted[0].min(fastest[k]);
            }
        }
        let summary = |(mut medians, fastest): (Vec<f64>, f64)| {
            medians.sort_by(f64::total_cmp);
            let rounds = (medians[0], medians[medians.len() - 1]);
            Times { median: medians[medians.len() / 2], fastest, rounds }
        };
        medians.into_iter().zip(fastest).map(summary).collect()
    }

    /// Times of one call after the other, rising.
    fn one_round(&self, call: &Call) -> Vec<f64> {
        let started = Instant::now();
        let mut times = Vec::new();
        while times.is_empty() || (started.elapsed().as_secs_f64() < self.seconds && times.len() < 100_000) {
            let before = Instant::now();
            call();
            times.push(before.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        times
    }
}

/// Three digits and a unit.
pub(crate) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}
