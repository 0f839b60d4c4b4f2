//! How fast logs are read, and in how much memory.
//!
//! `read_log FILE…` streams each file, `--whole` keeps it in memory, `--robot NAME` makes a recording of it
//! (filtered and differentiated where that must be).

use std::path::Path;
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::channels;
use steiner_logs::{Log, LogOptions, LogReader, Processing, Recording, RecordingStream};
use steiner_report::log_note;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut whole, mut robot, mut files) = (false, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--whole" => whole = true,
            "--robot" => robot = arguments.next(),
            _ => files.push(argument),
        }
    }
    let mechanism = match &robot {
        Some(name) => Some(Mechanism::new(read_robot(name, &ReadOptions::default())?)?),
        None => None,
    };
    for file in files {
        let start = Instant::now();
        let (rows, samples) = read(Path::new(&file), whole, mechanism.as_ref())?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{file}: {rows} rows, {samples} samples in {seconds:.3} s, {:.2} million rows/s, peak memory {} MiB",
            rows as f64 / seconds / 1e6,
            peak_memory().map_or("?".to_owned(), |kib| (kib / 1024).to_string()),
        );
    }
    Ok(())
}

/// Rows read and samples made.
fn read(
    path: &Path,
    whole: bool,
    mechanism: Option<&Mechanism>,
) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let (options, processing) = (LogOptions::default(), Processing::default());
    let mut reader = LogReader::open(path, &options)?;
    Ok(match (mechanism, whole) {
        (None, true) => {
            let log = Log::read(path, &options)?;
            (log.samples(), log.samples())
        }
        (None, false) => {
            let mut rows = 0;
            while let Some(chunk) = reader.next_chunk()? {
                rows += chunk.rows;
            }
            (rows, rows)
        }
        (Some(mechanism), true) => {
            let recording = Recording::read(&channels(mechanism), path, &options, &processing)?;
            recording.notes.iter().for_each(|note| println!("  {}", log_note(note)));
            (reader.rows().unwrap_or(0) as usize, recording.count)
        }
        (Some(mechanism), false) => {
            let rows = reader.rows().unwrap_or(0) as usize;
            let channels = channels(mechanism);
            let mut stream = RecordingStream::new(&channels, reader, &processing)?;
            let mut samples = 0;
            while let Some(part) = stream.next_part()? {
                samples += part.count;
            }
            stream.notes().iter().for_each(|note| println!("  {}", log_note(note)));
            (rows, samples)
        }
    })
}

/// The largest resident size this process had, KiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
