//! How fast logs are read, and in how much memory: `read_log FILE…` streams each file, `read_log --whole FILE…` keeps it.

use std::time::Instant;

use steiner_identification::{Log, LogOptions, LogReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument == "--whole");
    for file in files {
        let start = Instant::now();
        let path = std::path::Path::new(&file);
        let options = LogOptions::default();
        let (rows, columns) = if flags.is_empty() {
            let mut reader = LogReader::open(path, &options)?;
            let mut rows = 0;
            while let Some(chunk) = reader.next_chunk()? {
                rows += chunk.rows;
            }
            (rows, reader.names().len())
        } else {
            let log = Log::read(path, &options)?;
            (log.samples(), log.names().len())
        };
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{file}: {rows} rows × {columns} columns in {seconds:.3} s, {:.2} million rows/s, peak memory {} MiB",
            rows as f64 / seconds / 1e6,
            peak_memory().map_or("?".to_owned(), |kib| (kib / 1024).to_string()),
        );
    }
    Ok(())
}

/// The largest resident size this process had, KiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}
