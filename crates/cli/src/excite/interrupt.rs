//! Ctrl-C ends a search with the best motion so far; pressed again, it ends the command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a command that Ctrl-C ended, as shells have it.
const ENDED_BY_CTRL_C: i32 = 130;

/// Whether somebody pressed Ctrl-C.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that is impossible, Ctrl-C ends the command as it always does.
    pub(super) fn listen() -> Self {
        let own = Interrupt::default();
        let pressed = own.0.clone();
        let _ = ctrlc::set_handler(move || {
            if pressed.swap(true, Ordering::Relaxed) {
                std::process::exit(ENDED_BY_CTRL_C);
            }
        });
        own
    }

    pub(super) fn pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
