//! Work by several threads: in numbered pieces, or on parts that each belong to one thread. Panics go on in
//! the caller.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cancel::{belonging_to, checkpoint, current};

/// One thread per core.
pub fn all_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The results of numbered pieces of work, in order. Threads take the next piece when they are done with one.
pub fn in_parallel<T: Send>(count: usize, threads: NonZeroUsize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = parts_in_parallel(0..threads.get().min(count), |_, _| {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            checkpoint();
            done.push((index, work(index)));
        }
    });
    let mut results: Vec<(usize, T)> = done.into_iter().flatten().collect();
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The results of work on equal chunks of a slice, in order: `work` gets the index of a chunk's first
/// element and the chunk.
pub fn chunks_in_parallel<E: Send, T: Send>(
    slice: &mut [E],
    threads: NonZeroUsize,
    work: impl Fn(usize, &mut [E]) -> T + Sync,
) -> Vec<T> {
    let share = slice.len().div_ceil(threads.get()).max(1);
    parts_in_parallel(slice.chunks_mut(share), |k, chunk| work(k * share, chunk))
}

/// The results of work on parts, in order: the first by the calling thread, each other by a thread of its
/// own.
pub fn parts_in_parallel<P: Send, T: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(usize, P) -> T + Sync,
) -> Vec<T> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    let mut others = parts.peekable();
    if others.peek().is_none() {
        return vec![work(0, first)];
    }
    std::thread::scope(|scope| {
        let (work, whose) = (&work, current());
        let start = |(k, part): (usize, P)| {
            let whose = whose.clone();
            scope.spawn(move || belonging_to(whose, || work(k + 1, part)))
        };
        let running: Vec<_> = others.enumerate().map(start).collect();
        let mut results = vec![work(0, first)];
        for other in running {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}
