//! The paybill: what M-Pesa confirmed (`PAYBILL#code/PAYBILL`, kept as it came first), and where it was
//! told to confirm (`PAYBILL/REGISTERED`). A confirmation alone credits nobody: it is what prompts and typed
//! codes are held against, and what M-Pesa is asked about. Until it is known whose it is it is on a list.

use aws_sdk_dynamodb::types::Update;
use domain::{
    Kes, UserId,
    ledger::postings::Posting,
    payments::{
        receipt::{HELD_FOR, Meeting, Told, meet},
        typed_code::ReceiptCode,
    },
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    ledger::wallets::{Booking, WALLET_TRIES},
    payments::{receipts::Receipt, typed_codes::as_prompt},
    platform::{
        table::{Key, conditional, n, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

/// Nobody knows yet whose they are.
const TO_BE_JUDGED: &str = "PAYBILL#to-judge";

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
    /// When M-Pesa took it, to the second; absent of what an older version kept.
    #[serde(default)]
    pub paid_at: Option<Timestamp>,
    /// When it reached us.
    pub at: Timestamp,
    /// What became of it: the credit's cause, or that it is nobody's so far.
    #[serde(default)]
    pub judged: Option<String>,
    /// When the next check of it is due, in milliseconds since 1970.
    #[serde(default)]
    #[serde(rename = "nextLook")]
    pub next_check: Option<i64>,
}

/// What became of an attempt to credit a payment to the player whose account it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreditedToAccount {
    /// Credited now, under this cause.
    Done(String),
    /// The receipt was credited before, or the payment is judged already: read it again.
    Before,
    /// It may be the receipt of a prompt of this player's that is open, or credited without one.
    OwnPrompt,
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    WalletMoved,
    Booked,
    Receipt,
    Judged,
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
    /// Keeps a confirmation, among those that are to be judged. `false`: one of that receipt is there, and stays.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn keep_paybill_payment(&self, payment: &PaybillPayment) -> Result<bool, StoreError> {
        let mut item = key(&payment.code).item(payment);
        put_on_worklist(&mut item, TO_BE_JUDGED, &format!("{}#{}", payment.at, payment.code));
        self.put_once(item).await
    }

    /// The payments of which nobody knows yet whose they are, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn paybill_payments_to_judge(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<PaybillPayment>, StoreError> {
        self.worklist_page("paybill payment", TO_BE_JUDGED, after, limit).await
    }

    /// Notes what became of a payment, which is off the list then.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn judge_paybill_payment(&self, code: &str, judged: &str) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(code).attributes()))
            .update_expression(format!("SET judged = :judged REMOVE {OFF_WORKLIST}"))
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":judged", s(judged));
        conditional(update).await.map(drop)
    }

    /// Credits a payment to the player whose account it names: the payment, the receipt's claim, the wallet and
    /// the posting in one transaction. `told` is what M-Pesa tells of it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn credit_paybill_payment(
        &self,
        player: &UserId,
        code: &ReceiptCode,
        amount: Kes,
        told: &Told,
        at: Timestamp,
    ) -> Result<CreditedToAccount, StoreError> {
        let posting = Posting::paybill_payment(player, code, amount);
        let cause = posting.cause().key();
        let claim = Receipt::of(player, &posting, at);
        for _ in 0..WALLET_TRIES {
            // The wallet first: a prompt that is credited after this read moves it.
            let wallet = self.wallet(player).await?;
            let prompts = self.payments_since(player, at - HELD_FOR).await?;
            if prompts.iter().any(|prompt| meet(told, &as_prompt(prompt), at) != Meeting::Free) {
                return Ok(CreditedToAccount::OwnPrompt);
            }
            let judged = Update::builder()
                .table_name(&self.name)
                .set_key(Some(key(code.as_str()).attributes()))
                .update_expression(format!("SET judged = :cause REMOVE {OFF_WORKLIST}"))
                .condition_expression("attribute_exists(pk) AND attribute_not_exists(judged)")
                .expression_attribute_values(":cause", s(&cause));
            let mut transaction = Transaction::new();
            transaction
                .update(judged.build().expect("table, key and expression are given"), Refusal::Judged)
                .put(self.claim_receipt(code.as_str(), &claim), Refusal::Receipt);
            let bookings = [Booking { receipt: Some(code.as_str()), ..Booking::of(&posting) }];
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            self.book(&mut transaction, player, wallet, &bookings, at, refusals);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(CreditedToAccount::Done(cause)),
                Outcome::Refused(why) if why.iter().any(|why| *why != Refusal::WalletMoved) => {
                    return Ok(CreditedToAccount::Before);
                }
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Takes on the next check of a payment, due after `pause`. `false`: a later one is taken on already, or it
    /// is judged.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_paybill_check(
        &self,
        code: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(code).attributes()))
            .update_expression("SET nextLook = :next")
            .condition_expression(
                "attribute_exists(pk) AND attribute_not_exists(judged) \
                 AND (attribute_not_exists(nextLook) OR nextLook <= :now)",
            )
            .expression_attribute_values(":next", n((now + pause).as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await
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
