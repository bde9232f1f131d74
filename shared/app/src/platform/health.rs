//! Whether the table answers. Anybody may ask, as often as they like: the table is asked now and then.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use store::{Store, StoreError};

/// An answer of the table's is good for so long.
const GOOD_FOR: Duration = Duration::from_secs(10);

/// When the table last answered this process.
#[derive(Default)]
pub struct Health(Mutex<Option<Instant>>);

impl Health {
    /// # Errors
    /// The table does not answer, or is not there.
    pub async fn check(&self, store: &Store) -> Result<(), StoreError> {
        let answered = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answered().is_some_and(|at| at.elapsed() < GOOD_FOR) {
            return Ok(());
        }
        store.calendar().await?;
        *answered() = Some(Instant::now());
        Ok(())
    }
}
