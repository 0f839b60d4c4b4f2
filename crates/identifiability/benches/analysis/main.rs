//! Times and answers of the analysis, called by `bench/analysis`: table 3 of \[sun2025\] with ours beside it,
//! the goals for speed, and how times grow with the number of bodies.
//!
//! `analysis [--markdown] [--quick]`

mod clock;
mod goals;
mod growth;
mod open_loops;
mod paper_sampling;
mod robots;
mod table;
mod table3;

use std::error::Error;

use clock::Clock;
use table::Style;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut style, mut clock) = (Style::Text, Clock::thorough());
    for argument in std::env::args().skip(1) {
        match &argument[..] {
            "--markdown" => style = Style::Markdown,
            "--quick" => clock = Clock::quick(),
            _ => return Err("usage: analysis [--markdown] [--quick]".into()),
        }
    }
    table3::table(&clock)?.print(style);
    open_loops::table()?.print(style);
    goals::table(&clock)?.print(style);
    for table in growth::tables(&clock)? {
        table.print(style);
    }
    Ok(())
}
