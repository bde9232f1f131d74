//! What time it is, as a value: the system's in a Lambda, the simulated season's in the local run,
//! one that stands still in a test. Nothing else in the product asks a device for the time.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;

/// A source of the current instant (UTC). Cheap to clone.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    pub fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// A clock that says what `now` says.
    pub fn from_fn(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

/// A clock that stands still until it is set, for tests. Clones are one clock.
#[derive(Clone)]
pub struct HandClock(Arc<Mutex<Timestamp>>);

impl HandClock {
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    pub fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// The same clock as the product reads it.
    pub fn clock(&self) -> Clock {
        let hand = self.clone();
        Clock::from_fn(move || hand.now())
    }
}
