//! Table 3 of \[sun2025\]: dimensions of the nullspaces of four robots and times of
//! each method, the paper's and ours.

use std::error::Error;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Cause, Measurement, Method, NullVector, NumericOptions, Question, Reason, analyze, criteria,
    drng_nullspace, numeric_nullspace, rpna, structural_nullspace,
};

use crate::clock::{Call, Clock, call, duration};
use crate::paper_sampling::{Experiment, LEFT_OPEN, PRS_PSR, RRU_RRS, TRIED};
use crate::robots::zoo;
use crate::table::Table;

/// A row of the paper: nullity and time in MATLAB, s.
type Published = (usize, f64);

struct Printed {
    title: &'static str,
    robot: &'static str,
    /// How the paper samples, where loops let it not sample anywhere.
    sampling: Option<Experiment>,
    numeric: Published,
    rpna: Option<Published>,
    drng: Published,
}

static PRINTED: [Printed; 4] = [
    Printed {
        title: "Puma560",
        robot: "puma560",
        sampling: None,
        numeric: (24, 74.33e-3),
        rpna: Some((24, 54.47e-3)),
        drng: (24, 0.67e-3),
    },
    Printed {
        title: "Go2",
        robot: "go2",
        sampling: None,
        numeric: (36, 144.10e-3),
        rpna: Some((36, 59.96e-3)),
        drng: (36, 1.52e-3),
    },
    Printed {
        title: "2RRU-1RRS",
        robot: "pkm_2rru_1rrs",
        sampling: Some(RRU_RRS),
        numeric: (43, 46.36),
        rpna: None,
        drng: (45, 1.81e-3),
    },
    Printed {
        title: "2PRS-1PSR",
        robot: "pkm_2prs_1psr",
        sampling: Some(PRS_PSR),
        numeric: (47, 41.79),
        rpna: None,
        drng: (47, 2.26e-3),
    },
];

/// A method applied to a robot.
struct Entry<'a> {
    robot: &'static str,
    method: &'static str,
    published: Option<Published>,
    /// `None` if the method refuses the robot.
    outcome: Option<Outcome<'a>>,
}

struct Outcome<'a> {
    nullity: usize,
    /// Whether these are all and none of them false.
    complete: bool,
    /// (101a), (101b), and whether both hold.
    criteria: [String; 3],
    states: String,
    again: Call<'a>,
}

/// The table.
pub(crate) fn table(clock: &Clock) -> Result<Table, Box<dyn Error>> {
    let mut table = Table::new(
        "**Table 3** of [sun2025], ours beside it",
        2,
        &[
            "robot",
            "method",
            "paper's nullity",
            "nullity",
            "complete",
            "(101a)",
            "(101b)",
            "hold",
            "states used / tried",
            "paper's time",
            "median",
            "ratio",
            "fastest",
        ],
    );
    let mechanisms = PRINTED.iter().map(|printed| zoo(printed.robot)).collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    let mut calls = Vec::new();
    for (printed, mechanism) in PRINTED.iter().zip(&mechanisms) {
        for entry in entries(printed, mechanism)? {
            let paper = entry.published;
            let mut row = vec![entry.robot.to_owned(), entry.method.to_owned()];
            row.push(paper.map_or(String::new(), |(nullity, _)| nullity.to_string()));
            let timed = entry.outcome.is_some();
            match entry.outcome {
                None => row.extend(["refused", "", "", "", "", ""].map(str::to_owned)),
                Some(Outcome { nullity, complete, criteria, states, again }) => {
                    row.extend([nullity.to_string(), yes_or_no(complete)]);
                    row.extend(criteria);
                    row.push(states);
                    calls.push(again);
                }
            }
            rows.push((row, paper, timed));
        }
    }
    let mut times = clock.times(&calls).into_iter();
    for (mut row, paper, timed) in rows {
        let ours = if timed { times.next() } else { None };
        let ratio = paper.zip(ours).map(|((_, paper), ours)| format!("{:.0}", paper / ours.median));
        let [median, fastest] =
            [ours.map(|time| duration(time.median)), ours.map(|time| duration(time.fastest))];
        let shown = [paper.map(|(_, seconds)| duration(seconds)), median, ratio, fastest];
        row.extend(shown.map(Option::unwrap_or_default));
        table.push(row);
    }
    Ok(table)
}

fn entries<'a>(printed: &'a Printed, mechanism: &'a Mechanism) -> Result<Vec<Entry<'a>>, Box<dyn Error>> {
    let all = Measurement::all();
    let entry = |method, published, outcome| Entry { robot: printed.title, method, published, outcome };
    let certified = structural_nullspace(mechanism, &all)?;
    let loops = printed.sampling.as_ref();
    let mut entries = Vec::new();

    let complete = certified_complete(mechanism, Method::Numeric)?;
    let outcome = numeric(mechanism, NumericOptions::default(), |_| complete)?;
    entries.push(entry("numeric", loops.is_none().then_some(printed.numeric), Some(outcome)));
    if let Some(sampling) = loops {
        let options = NumericOptions { closure_error: LEFT_OPEN, ..Default::default() };
        let outcome = numeric(mechanism, options, |nullity| nullity == certified.vectors.len())?;
        entries.push(entry("numeric, loops left open by 1e-6", None, Some(outcome)));
        let outcome = as_in_the_paper(sampling, mechanism, certified.vectors.len())?;
        entries.push(entry("the same, sampled as in the paper", Some(printed.numeric), Some(outcome)));
    }

    let outcome = match rpna(mechanism, &all) {
        Err(_) => None,
        Ok(vectors) => {
            let again = call(move || rpna(mechanism, &Measurement::all()));
            Some(structural(mechanism, &vectors, certified_complete(mechanism, Method::Rpna)?, again)?)
        }
    };
    entries.push(entry("RPNA", printed.rpna, outcome));

    let vectors = drng_nullspace(mechanism)?;
    let again = call(move || drng_nullspace(mechanism));
    let outcome = structural(mechanism, &vectors, certified_complete(mechanism, Method::Drng)?, again)?;
    entries.push(entry("DRNG", Some(printed.drng), Some(outcome)));

    let again = call(move || structural_nullspace(mechanism, &Measurement::all()));
    let outcome = structural(mechanism, &certified.vectors, certified.certificate.complete, again)?;
    entries.push(entry("certified (auto)", None, Some(outcome)));
    Ok(entries)
}

/// Whether the certificate finds the answer of a method complete.
fn certified_complete(mechanism: &Mechanism, method: Method) -> Result<bool, Box<dyn Error>> {
    let certificate = analyze(mechanism, &Question { method, ..Default::default() })?.certificate;
    Ok(certificate.is_some_and(|certificate| certificate.complete))
}

fn structural<'a>(
    mechanism: &Mechanism,
    vectors: &[NullVector],
    complete: bool,
    again: Call<'a>,
) -> Result<Outcome<'a>, Box<dyn Error>> {
    let evaluated = criteria(mechanism, &Measurement::all(), vectors)?;
    let criteria = [
        format!("{} of {}", evaluated.rank_on_complement, evaluated.complement),
        format!("{:.0e}", evaluated.residual),
        yes_or_no(evaluated.hold()),
    ];
    Ok(Outcome { nullity: vectors.len(), complete, criteria, states: String::new(), again })
}

fn numeric(
    mechanism: &Mechanism,
    options: NumericOptions,
    complete: impl Fn(usize) -> bool,
) -> Result<Outcome<'_>, Box<dyn Error>> {
    let found = numeric_nullspace(mechanism, &Measurement::all(), &options)?;
    let again = call(move || numeric_nullspace(mechanism, &Measurement::all(), &options));
    let states = format!("{} / {}", found.samples, found.attempts);
    let outcome = structural(mechanism, &found.vectors, complete(found.vectors.len()), again)?;
    Ok(Outcome { states, ..outcome })
}

/// The numeric method on the paper's samples, loops as open as a general solver leaves them.
fn as_in_the_paper<'a>(
    sampling: &'a Experiment,
    mechanism: &'a Mechanism,
    certified: usize,
) -> Result<Outcome<'a>, Box<dyn Error>> {
    let work = move || {
        let sampled = sampling.sample(mechanism, LEFT_OPEN);
        let qr = sampled.qr();
        let vectors = qr.nullspace(sampled.rank(&qr));
        (sampled.used, vectors)
    };
    let (used, directions) = work();
    let vector = |direction: &Vec<f64>| NullVector {
        entries: direction.iter().copied().enumerate().collect(),
        bodies: Vec::new(),
        reason: Reason { cause: Cause::Unexplained, site: None, bodies: Vec::new(), place: None },
    };
    let vectors: Vec<NullVector> = directions.iter().map(vector).collect();
    let outcome = structural(mechanism, &vectors, vectors.len() == certified, call(work))?;
    Ok(Outcome { states: format!("{used} / {TRIED}"), ..outcome })
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}
