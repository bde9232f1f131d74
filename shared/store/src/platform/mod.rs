//! What is kept in the area `platform`: what no area owns.

pub mod days;
pub(crate) mod error;
pub mod idempotency;
pub(crate) mod ids;
pub mod limits;
pub(crate) mod lists;
pub mod mailed;
pub(crate) mod table;
pub mod together;
pub mod tokens;
pub(crate) mod transaction;
