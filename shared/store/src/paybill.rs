//! The paybill: what M-Pesa confirmed (`PAYBILL#code/PAYBILL`, kept as it came first), and where it was
//! told to confirm (`PAYBILL/REGISTERED`). A confirmation credits nobody: it is what a typed code is
//! held against.

use domain::Kes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Store, StoreError, table::Key};

/// A payment to the paybill, as M-Pesa confirmed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaybillPayment {
    /// The M-Pesa receipt.
    pub code: String,
    /// Whole KES, where it was that.
    #[serde(default)]
    pub amount: Option<Kes>,
    /// The paybill's number.
    pub shortcode: String,
    /// What the payer entered.
    #[serde(default)]
    pub account_reference: Option<String>,
    /// Masked: `2547 ***** 126`.
    #[serde(default)]
    pub phone: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
    /// When it reached us.
    pub at: Timestamp,
}

/// Where M-Pesa was told to confirm payments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Registered {
    pub shortcode: String,
    /// SHA-256 (hex) of the address, which carries a mac.
    pub address_hash: String,
    pub at: Timestamp,
}

fn key(code: &str) -> Key {
    Key::new(format!("PAYBILL#{code}"), "PAYBILL")
}

fn registered_key() -> Key {
    Key::new("PAYBILL", "REGISTERED")
}

impl Store {
    /// Keeps a confirmation. `false`: one of that receipt is there, and stays.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn keep_paybill_payment(&self, payment: &PaybillPayment) -> Result<bool, StoreError> {
        self.put_once(key(&payment.code).item(payment)).await
    }

    /// What M-Pesa confirmed under a receipt.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn paybill_payment(&self, code: &str) -> Result<Option<PaybillPayment>, StoreError> {
        self.get("paybill payment", key(code)).await
    }

    /// Where M-Pesa was last told to confirm payments.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn registered_paybill(&self) -> Result<Option<Registered>, StoreError> {
        self.get("paybill", registered_key()).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn note_registered_paybill(&self, registered: &Registered) -> Result<(), StoreError> {
        self.put(registered_key().item(registered)).await
    }
}
