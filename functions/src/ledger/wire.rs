//! What calls of several areas show of money.

use domain::ledger::taxes::Withheld;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithheldTax {
    /// Of the whole amount; it was in force when the withdrawal was asked for, or the deposit paid.
    #[schema(example = 5.0)]
    percent: f64,
    /// In KES, rounded down: the cents are the player's.
    #[schema(example = 25)]
    amount: i64,
}

impl From<Withheld> for WithheldTax {
    fn from(Withheld { rate, amount }: Withheld) -> Self {
        Self { percent: rate.percent(), amount: amount.get() }
    }
}
