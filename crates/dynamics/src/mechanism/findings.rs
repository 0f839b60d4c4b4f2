//! What is found out about a mechanism once, however many ask for it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Mechanism;

/// Answers by the type of question and answer; a copy of the mechanism begins without.
#[derive(Default)]
pub(super) struct Findings(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Clone for Findings {
    fn clone(&self) -> Self {
        Findings::default()
    }
}

impl fmt::Debug for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Findings")
    }
}

/// An answer with its question.
struct Finding<K, T> {
    key: K,
    answer: Arc<T>,
}

impl Mechanism {
    /// What follows from the mechanism and a key alone, found once: later the answer is there. Types must be those of
    /// one question. A failure is not kept.
    pub fn found_once<K, T, E>(&self, key: K, find: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E>
    where
        K: PartialEq + Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        let known = || self.findings.0.lock().unwrap_or_else(PoisonError::into_inner);
        let there = known().iter().find_map(|one| {
            let one = one.downcast_ref::<Finding<K, T>>().filter(|one| one.key == key)?;
            Some(one.answer.clone())
        });
        if let Some(answer) = there {
            return Ok(answer);
        }
        // Nobody waits meanwhile: finding one thing may ask for another.
        let answer = Arc::new(find()?);
        known().push(Arc::new(Finding { key, answer: answer.clone() }));
        Ok(answer)
    }
}
