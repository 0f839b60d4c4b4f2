//! The decoder panics at some damaged files. These are damage like any other: no panic reaches a user, nor a
//! line about one the terminal.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::{ParquetError, Result};

thread_local! {
    /// Whether this thread is inside the decoder.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Lets the decoder work; its panics are errors. What it was working on must not be used afterwards.
pub(super) fn decoded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                others(panic);
            }
        }));
    });
    let before = DECODING.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    DECODING.set(before);
    outcome.unwrap_or_else(|_| Err(ParquetError::General("the values of a page are garbled".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_decoder_is_an_error_and_the_next_file_is_read() {
        let nothing: &[u8] = &[];
        assert!(decoded(|| Ok(nothing[nothing.len()])).is_err());
        assert_eq!(decoded(|| Ok(1)).unwrap(), 1);
        assert!(!DECODING.get());
    }
}
