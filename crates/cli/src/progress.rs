//! What is being done, for people who wait: a line on a terminal that goes away by itself.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is done sooner says nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(500);

/// Shows what is being done, and for how long, until it is dropped. Where standard error is no terminal, shows nothing.
pub(crate) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    pub(crate) fn of(work: &str) -> Progress {
        match std::io::stderr().is_terminal() {
            true => Progress::on(Box::new(std::io::stderr()), work, PATIENCE),
            false => Progress(None),
        }
    }

    fn on(mut out: Box<dyn Write + Send>, work: &str, patience: Duration) -> Progress {
        let (sender, receiver) = channel();
        let work = work.to_owned();
        let thread = std::thread::spawn(move || {
            let started = Instant::now();
            let mut wait = patience;
            let mut shown = false;
            // Whoever waits drops the sender when the work is done.
            while receiver.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                // A terminal that went away is no reason to stop working.
                let _ = write!(out, "\r{work} … {} s\x1b[K", started.elapsed().as_secs());
                let _ = out.flush();
                (wait, shown) = (BETWEEN, true);
            }
            if shown {
                let _ = write!(out, "\r\x1b[K");
                let _ = out.flush();
            }
        });
        Progress(Some((sender, thread)))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.0.take() {
            drop(sender);
            // The line is gone before anything else is written.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
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
}
