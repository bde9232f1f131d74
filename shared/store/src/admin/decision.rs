//! An admin's word on something: who, why and when.

use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminDecision {
    /// The admin.
    pub by: UserId,
    pub reason: String,
    pub at: Timestamp,
}
