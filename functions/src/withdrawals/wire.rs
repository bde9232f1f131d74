//! A withdrawal as calls show it.

use app::withdrawals::list::WithdrawalWithFlags;
use domain::{
    UserId,
    withdrawals::requests::{Flag, PayoutCorrection, PayoutState, WithdrawalStatus},
};
use jiff::Timestamp;
use serde::Serialize;
use store::withdrawals::Withdrawal;
use utoipa::ToSchema;

use crate::{ledger::wire::WithheldTax, platform::http::OneOf};

// A schema is made from a field's name: it knows no `OneOf<Status>`.
pub type StatusWord = OneOf<WithdrawalStatus>;
pub type PayoutWord = OneOf<PayoutState>;
type FlagWord = OneOf<Flag>;
type CorrectionWord = OneOf<PayoutCorrection>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    #[schema(example = "Wanjiku")]
    username: String,
    /// `07…` or `01…`.
    #[schema(example = "0712345678")]
    mpesa_number: String,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// What is kept back of it, where there is a tax.
    tax: Option<WithheldTax>,
    /// What M-Pesa pays, or an admin sends by hand, in KES.
    #[schema(example = 500)]
    pays: i64,
    #[schema(inline)]
    status: StatusWord,
    created_at: Timestamp,
    /// Why it was rejected.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// For the admin: whether there are flags.
    #[schema(example = false)]
    flagged: bool,
    /// For the admin, what to look at before paying: `new-number`, `after-reset`, `never-played`, `suspended`,
    /// `frozen`.
    #[schema(inline, example = json!(["new-number"]))]
    flags: Vec<FlagWord>,
    /// It is not paid before then. Null: it does not wait, or has ended.
    #[schema(example = json!(null))]
    waits_until: Option<Timestamp>,
    /// An admin says to have sent it by hand, and until then another one decides that: nobody else pays or ends it before.
    /// Null: nobody has said so.
    #[schema(example = json!(null))]
    said_sent_until: Option<Timestamp>,
    /// By M-Pesa: `sent` until it says what became of it, then `done` or `failed`; null where it was not
    /// sent.
    #[schema(inline)]
    payout: Option<PayoutWord>,
    /// M-Pesa's, of a payout that is done.
    #[schema(example = "NLJ7RT61SV")]
    receipt: Option<String>,
    /// Whom M-Pesa has registered under the number, once it has said so.
    #[schema(example = "WANJIKU MWANGI")]
    recipient_name: Option<String>,
    /// For the admin: what does not add up about it.
    #[schema(example = json!(null))]
    trouble: Option<String>,
    /// What M-Pesa has said after it had ended: `paid` (the money that had gone back is taken again),
    /// `failed` (it is back in the wallet), `paid-twice` (the operator's loss).
    #[schema(inline)]
    corrected: Option<CorrectionWord>,
}

impl From<WithdrawalWithFlags> for WithdrawalItem {
    fn from(WithdrawalWithFlags { withdrawal, flags }: WithdrawalWithFlags) -> Self {
        let waits_until = withdrawal.waits_until().filter(|_| withdrawal.status == WithdrawalStatus::Pending);
        let said = withdrawal.said_sent_until.filter(|_| withdrawal.status == WithdrawalStatus::Pending);
        let pays = withdrawal.paid_amount().get();
        let payout = withdrawal.payout;
        Self {
            flagged: !flags.is_empty(),
            flags: flags.into_iter().map(OneOf).collect(),
            waits_until,
            said_sent_until: said.and_then(|millis| Timestamp::from_millisecond(millis).ok()),
            payout: payout.as_ref().map(|payout| OneOf(payout.state)),
            receipt: payout.as_ref().and_then(|payout| payout.receipt.clone()),
            recipient_name: payout.and_then(|payout| payout.recipient),
            trouble: withdrawal.trouble,
            corrected: withdrawal.corrected.map(OneOf),
            id: withdrawal.id,
            user_id: withdrawal.user_id,
            username: withdrawal.username.to_string(),
            mpesa_number: withdrawal.phone.local(),
            amount: withdrawal.amount.get(),
            tax: withdrawal.tax.map(WithheldTax::from),
            pays,
            status: OneOf(withdrawal.status),
            created_at: withdrawal.created_at,
            reason: withdrawal.reason,
        }
    }
}

impl From<Withdrawal> for WithdrawalItem {
    fn from(withdrawal: Withdrawal) -> Self {
        WithdrawalWithFlags::from(withdrawal).into()
    }
}
