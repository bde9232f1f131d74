//! Time and everything that waits for it: the clock, the queues, the rules, and the engine that
//! brings what is due to the functions.

pub mod clock;
pub mod consumer;
#[cfg(test)]
mod consumer_tests;
pub mod db;
pub mod engine;
#[cfg(test)]
mod engine_tests;
pub mod event;
mod fire_now;
pub mod jump;
pub mod queue;
#[cfg(test)]
mod queue_tests;
pub mod rules;
#[cfg(test)]
mod rules_tests;
pub mod schedule;

use std::pin::Pin;

pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
