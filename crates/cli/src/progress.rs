//! What is being done, for people who wait: a line on a terminal that goes away by itself.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is done sooner says nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(500);

/// Shows what is being done, and for how long, until it is dropped. Where standard error
/// is no terminal, shows nothing.
pub(crate) struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
    reading: Arc<Mutex<Reading>>,
    counted: Arc<Mutex<String>>,
}

/// How far a pass over files is, and which pass it is.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    bytes: u64,
    pass: usize,
    part: f64,
}

impl Reading {
    /// A later part of this pass, or the beginning of another.
    fn advance(&mut self, part: f64) {
        if self.pass == 0 || part < self.part {
            self.pass += 1;
        }
        self.part = part;
    }

    /// A bar with words, while files are read.
    fn words(&self) -> String {
        if self.pass == 0 || self.part.is_nan() || self.part >= 1.0 {
            return String::new();
        }
        let full = (f64::from(BAR) * self.part) as usize;
        let bar: String = (0..BAR as usize).map(|k| if k < full { '█' } else { '·' }).collect();
        let (done, all) = (size(self.part * self.bytes as f64), size(self.bytes as f64));
        format!(" {bar} {:2.0} %, {done} of {all}, pass {}", 100.0 * self.part, self.pass)
    }
}

/// Characters of a bar.
const BAR: u8 = 20;

/// Bytes, in words.
fn size(bytes: f64) -> String {
    match bytes {
        x if x >= 1e9 => format!("{:.1} GB", x / 1e9),
        x if x >= 1e6 => format!("{:.0} MB", x / 1e6),
        x => format!("{:.0} kB", x / 1e3),
    }
}

impl Progress {
    pub(crate) fn of(work: &str) -> Progress {
        match std::io::stderr().is_terminal() {
            true => Progress::on(Box::new(std::io::stderr()), work, PATIENCE),
            false => Progress { running: None, reading: Arc::default(), counted: Arc::default() },
        }
    }

    /// To be told how much of a pass over files of so many bytes is done, from 0 to
    /// 1; passes may follow each other.
    pub(crate) fn reading(&self, bytes: u64) -> impl FnMut(f64) + use<> {
        let reading = self.reading.clone();
        *reading.lock().unwrap_or_else(PoisonError::into_inner) = Reading { bytes, ..Reading::default() };
        move |part| reading.lock().unwrap_or_else(PoisonError::into_inner).advance(part)
    }

    /// To be told how many of how many things are done.
    pub(crate) fn counting(&self, what: &'static str) -> impl FnMut(usize, usize) + use<> {
        let counted = self.counted.clone();
        move |done, all| {
            *counted.lock().unwrap_or_else(PoisonError::into_inner) = format!(" {done} of {all} {what}");
        }
    }

    /// To be told in words how far work is, from any thread.
    pub(crate) fn telling(&self) -> impl Fn(String) + Sync + use<> {
        let counted = self.counted.clone();
        move |words| *counted.lock().unwrap_or_else(PoisonError::into_inner) = words
    }

    fn on(mut out: Box<dyn Write + Send>, work: &str, patience: Duration) -> Progress {
        let (sender, receiver) = channel();
        let work = work.to_owned();
        let reading: Arc<Mutex<Reading>> = Arc::default();
        let counted: Arc<Mutex<String>> = Arc::default();
        let (read, counts) = (reading.clone(), counted.clone());
        let thread = std::thread::spawn(move || {
            let started = Instant::now();
            let mut wait = patience;
            let mut shown = false;
            // Whoever waits drops the sender when the work is done.
            while receiver.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                // A terminal that went away is no reason to stop working.
                let words = read.lock().unwrap_or_else(PoisonError::into_inner).words()
                    + &counts.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = write!(out, "\r{work}{words} … {} s\x1b[K", started.elapsed().as_secs());
                let _ = out.flush();
                (wait, shown) = (BETWEEN, true);
            }
            if shown {
                let _ = write!(out, "\r\x1b[K");
                let _ = out.flush();
            }
        });
        Progress { running: Some((sender, thread)), reading, counted }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            // The line is gone before anything else is written.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Progress, Reading};
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("a screen").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn seen(patience: Duration, work: Duration) -> String {
        let screen = Screen::default();
        let progress = Progress::on(Box::new(screen.clone()), "thinking", patience);
        std::thread::sleep(work);
        drop(progress);
        let bytes = screen.0.lock().expect("a screen").clone();
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn quick_work_says_nothing_and_slow_work_cleans_up() {
        assert_eq!(seen(Duration::from_secs(60), Duration::ZERO), "");
        let seen = seen(Duration::ZERO, Duration::from_millis(100));
        assert!(seen.starts_with("\rthinking … 0 s"), "{seen:?}");
        assert!(seen.ends_with("\r\x1b[K"), "{seen:?}");
    }

    #[test]
    fn a_bar_says_how_far_which_pass_and_of_how_much() {
        let mut reading = Reading { bytes: 1_600_000_000, ..Reading::default() };
        assert_eq!(reading.words(), "");
        reading.advance(0.25);
        assert_eq!(reading.words(), " █████··············· 25 %, 400 MB of 1.6 GB, pass 1");
        reading.advance(1.0);
        assert_eq!(reading.words(), "");
        reading.advance(0.01);
        assert_eq!(reading.words(), " ····················  1 %, 16 MB of 1.6 GB, pass 2");
    }

    #[test]
    fn what_is_told_is_shown() {
        let screen = Screen::default();
        let progress = Progress::on(Box::new(screen.clone()), "identifying", Duration::from_millis(20));
        progress.reading(2000)(0.5);
        std::thread::sleep(Duration::from_millis(200));
        drop(progress);
        let bytes = screen.0.lock().expect("a screen").clone();
        let seen = String::from_utf8(bytes).expect("UTF-8");
        assert!(seen.contains("50 %, 1 kB of 2 kB, pass 1 …"), "{seen:?}");
    }
}
