//! Speed beside its goals.

use std::error::Error;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Measurement, Question, analyze, drng_nullspace, rpna, structural_nullspace, symbolic,
};

use crate::clock::{Call, Clock, call, duration};
use crate::robots::{humanoid, zoo};
use crate::table::Table;

/// What is timed of a robot.
#[derive(Clone, Copy)]
enum Work {
    Drng,
    Rpna,
    Certified,
    Symbolic,
    WholeAnswer,
}

impl Work {
    fn name(self) -> &'static str {
        match self {
            Work::Drng => "DRNG",
            Work::Rpna => "RPNA",
            Work::Certified => "certified (auto)",
            Work::Symbolic => "in symbols of all lengths, analysis included",
            Work::WholeAnswer => "with base parameters and weak directions",
        }
    }

    fn call(self, mechanism: &Mechanism) -> Call<'_> {
        let all = Measurement::all();
        match self {
            Work::Drng => call(move || drng_nullspace(mechanism)),
            Work::Rpna => call(move || rpna(mechanism, &all)),
            Work::Certified => call(move || structural_nullspace(mechanism, &all)),
            Work::Symbolic => call(move || symbolic(mechanism.robot(), &Question::default())),
            Work::WholeAnswer => call(move || analyze(mechanism, &Question::default())),
        }
    }
}

/// Method, robot, goal in seconds, and the time of Octave where it was measured.
const GOALS: [(Work, &str, f64, Option<f64>); 11] = [
    (Work::Drng, "puma560", 20e-6, None),
    (Work::Drng, "go2", 60e-6, None),
    (Work::Rpna, "puma560", 1e-3, Some(22e-3)),
    (Work::Rpna, "go2", 3e-3, Some(52e-3)),
    (Work::Certified, "puma560", 10e-3, None),
    (Work::Certified, "go2", 60e-3, None),
    (Work::Certified, "humanoid", 0.5, None),
    (Work::Certified, "delta", 2.0, None),
    (Work::Certified, "pkm_2rru_1rrs", 2.0, None),
    (Work::Symbolic, "puma560", 1.0, None),
    (Work::Symbolic, "panda", 3.0, None),
];

/// The table: goals first, then what a whole answer takes.
pub(crate) fn table(clock: &Clock) -> Result<Table, Box<dyn Error>> {
    let mut table = Table::new(
        "**Goals**: the median of the rounds decides",
        2,
        &[
            "method",
            "robot",
            "goal",
            "median",
            "met",
            "best round",
            "worst round",
            "fastest call",
            "Octave",
            "ratio",
        ],
    );
    let mut robots: Vec<&str> = Vec::new();
    for (_, robot, ..) in GOALS {
        if !robots.contains(&robot) {
            robots.push(robot);
        }
    }
    let mechanisms = robots
        .into_iter()
        .map(|name| Ok((name, if name == "humanoid" { humanoid()? } else { zoo(name)? })))
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let named =
        |name: &str| mechanisms.iter().find(|(known, _)| *known == name).map(|(_, mechanism)| mechanism);
    let goals = GOALS.iter().map(|&(work, robot, goal, octave)| (work, robot, Some(goal), octave));
    let whole = mechanisms.iter().map(|(robot, _)| (Work::WholeAnswer, *robot, None, None));
    let rows: Vec<_> = goals.chain(whole).collect();
    let calls: Vec<Call> =
        rows.iter().filter_map(|&(work, robot, ..)| Some(work.call(named(robot)?))).collect();
    for ((work, robot, goal, octave), time) in rows.into_iter().zip(clock.times(&calls)) {
        let met = |goal: f64| if time.median <= goal { "yes" } else { "no" }.to_owned();
        table.push(vec![
            work.name().to_owned(),
            robot.to_owned(),
            goal.map(duration).unwrap_or_default(),
            duration(time.median),
            goal.map(met).unwrap_or_default(),
            duration(time.rounds.0),
            duration(time.rounds.1),
            duration(time.fastest),
            octave.map(duration).unwrap_or_default(),
            octave.map(|octave| format!("{:.0}", octave / time.median)).unwrap_or_default(),
        ]);
    }
    Ok(table)
}
