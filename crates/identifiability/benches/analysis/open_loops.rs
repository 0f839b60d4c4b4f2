//! What loops that are not quite closed do to the numeric rank: why table 3 of
//! \[sun2025\] has 27 where 25 is right.

use std::error::Error;

use steiner_identifiability::{Measurement, drng_nullspace, structural_nullspace};

use crate::paper_sampling::{PRS_PSR, RRU_RRS, TRIED};
use crate::robots::zoo;
use crate::table::Table;

/// Both machines, sampled as in the paper, loops closed to rounding and ever less.
pub(crate) fn table() -> Result<Table, Box<dyn Error>> {
    let mut table = Table::new(
        "**Loops left open**: the rank by QR when sampled as in the paper; Y N is what DRNG's nullspace leaves of the regressor",
        1,
        &[
            "robot",
            "left open, rad or m",
            "states used / tried",
            "true rank",
            "rank by QR",
            "diagonal of R from the last true entry to the 28th",
            "‖Y N‖",
        ],
    );
    for experiment in [RRU_RRS, PRS_PSR] {
        let mechanism = zoo(experiment.robot)?;
        let rank = structural_nullspace(&mechanism, &Measurement::all())?.certificate.rank;
        let vectors = drng_nullspace(&mechanism)?;
        for error in [0.0, 1e-12, 1e-9, 1e-6] {
            let sampled = experiment.sample(&mechanism, error);
            let qr = sampled.qr();
            let found = sampled.rank(&qr);
            let last = rank.max(28);
            let shown = |x: &f64| format!("{x:.0e}");
            let diagonal: Vec<String> = qr.diagonal()[rank - 1..last].iter().map(shown).collect();
            table.push(vec![
                experiment.title.to_owned(),
                if error == 0.0 { "rounding".to_owned() } else { format!("{error:.0e}") },
                format!("{} / {TRIED}", sampled.used),
                rank.to_string(),
                found.to_string(),
                diagonal.join(", "),
                format!("{:.1e}", sampled.shown_of(&vectors)),
            ]);
        }
    }
    Ok(table)
}
