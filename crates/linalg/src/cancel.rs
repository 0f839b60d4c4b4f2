//! Long work that somebody may end.
//!
//! An analysis has no natural place where it could be asked to stop: its time goes into elimination, deep below. So
//! long loops pass a [`checkpoint`], and whoever started the work on this thread holds a [`Cancel`]. Cancelled work
//! unwinds (without the message of a panic) up to [`Cancel::run`], as in incremental compilers; nothing of it is
//! left. Threads of [`parts_in_parallel`](crate::parts_in_parallel) belong to the work that started them.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// Whose work this thread does.
    static CURRENT: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// A wish that work ends; clones are the same wish.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// What unwinds.
struct Cancelled;

impl Cancel {
    /// Ends the work at its next checkpoint.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Does work on this thread; `None` if it was cancelled.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        // What is half done is dropped while unwinding, and nobody sees it.
        match catch_unwind(AssertUnwindSafe(|| belonging_to(Some(self.clone()), work))) {
            Ok(done) => Some(done),
            Err(payload) if payload.is::<Cancelled>() => None,
            Err(payload) => resume_unwind(payload),
        }
    }
}

/// The work that this thread does, for threads that help with it.
pub(crate) fn current() -> Option<Cancel> {
    CURRENT.with_borrow(Clone::clone)
}

/// Does work that belongs to other work.
pub(crate) fn belonging_to<T>(whose: Option<Cancel>, work: impl FnOnce() -> T) -> T {
    /// Puts back what was, also while unwinding.
    struct Before(Option<Cancel>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _before = Before(CURRENT.replace(whose));
    work()
}

/// A place where cancelled work ends. Takes a nanosecond or two; call it in every loop that may run for long.
#[inline]
pub fn checkpoint() {
    let cancelled = CURRENT.with_borrow(|own| own.as_ref().is_some_and(|own| own.0.load(Ordering::Relaxed)));
    if cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}
