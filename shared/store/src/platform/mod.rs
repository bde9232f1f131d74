//! What is kept in the area `platform`: what no area owns.

pub mod concurrency;
pub(crate) mod conditions;
pub(crate) mod error;
pub mod idempotency;
pub(crate) mod ids;
pub mod journals;
pub mod kinds;
pub(crate) mod leases;
pub mod limits;
pub mod mailed;
pub mod partitions;
pub mod rounds;
pub(crate) mod table;
pub mod tokens;
pub(crate) mod transaction;
pub(crate) mod worklists;
pub(crate) mod writes;
