//! Tests in the area `settlement`: winners and what a league pays.

mod preview;
pub mod waiting;
