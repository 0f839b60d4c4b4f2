//! Work that somebody ends.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use steiner_linalg::{Cancel, checkpoint, in_parallel};

fn endless() {
    loop {
        checkpoint();
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn cancelled_work_ends_at_its_next_checkpoint_on_all_its_threads() {
    let cancel = Cancel::default();
    let other = cancel.clone();
    let started = Instant::now();
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.cancel();
    });
    let threads = NonZeroUsize::new(3).unwrap();
    let done = cancel.run(|| in_parallel(6, threads, |_| endless()));
    assert!(done.is_none());
    assert!(started.elapsed() < Duration::from_secs(10));
    timer.join().unwrap();
    // The thread is free for other work.
    checkpoint();
    assert_eq!(Cancel::default().run(|| 7), Some(7));
}

#[test]
fn work_that_nobody_may_end_passes_its_checkpoints_and_panics_go_on() {
    checkpoint();
    let panics = std::panic::catch_unwind(|| Cancel::default().run(|| panic!("a defect")));
    assert_eq!(panics.unwrap_err().downcast_ref::<&str>(), Some(&"a defect"));
}
