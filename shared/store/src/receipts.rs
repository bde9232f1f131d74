//! `RECEIPT#code`: whom an M-Pesa receipt was credited to. Claimed in the transaction that credits, by
//! whatever way it comes, so that one receipt is credited once.

use aws_sdk_dynamodb::types::Put;
use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError, table::Key};

/// Who holds a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub user_id: UserId,
    /// The cause of the posting that it was credited by.
    pub cause: String,
    pub at: Timestamp,
}

fn key(code: &str) -> Key {
    Key::new(format!("RECEIPT#{code}"), "RECEIPT")
}

impl Store {
    /// The claim on a receipt, where it was credited.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn receipt(&self, code: &str) -> Result<Option<Receipt>, StoreError> {
        self.get("receipt", key(code)).await
    }

    /// For a transaction: refused where the receipt is claimed.
    pub(crate) fn claim_receipt(&self, code: &str, receipt: &Receipt) -> Put {
        self.new_put(key(code).item(receipt))
    }
}
