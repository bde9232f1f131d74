//! The local run: the product's functions on one machine, with what `template.yaml` puts around
//! them (routes, queues, schedules, table) and the stand-ins for the outside world.
//!
//! Invariants: it adds no behaviour of its own to the functions; everything that waits is under
//! `DATA_DIR` before it is acknowledged; time is the simulated clock's; several worlds may run in
//! one process (there is no global state).

mod answers;
pub mod aws;
mod docs;
mod edge;
pub mod fixtures;
mod jobs;
pub mod process;
mod running;
mod server;
pub mod settings;
mod sim_api;
pub mod simulators;
pub mod snapshot;
mod start;
pub mod template;
pub mod verify;
mod web;
pub mod world;

pub use running::{
    Admin, LocalRun, OperatorsAct, deployed_operator, note_paybill_address, operator, paybill_addresses,
};
pub use settings::{DataDir, Limits, Refusal, Settings};
pub use world::jump::{JumpError, Target};

/// A world in one process makes and drops small things without end: with the C library's allocator that is a sixth of
/// a test's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What stands for an account and a region in ARNs and addresses.
pub const ACCOUNT: &str = "000000000000";
pub const REGION: &str = "local";
