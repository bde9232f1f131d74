//! The paybill: what M-Pesa confirmed (`PAYBILL#code/PAYBILL`, kept as it came first), and where it was
//! told to confirm (`PAYBILL/REGISTERED`). A confirmation alone credits nobody: it is what prompts and typed
//! codes are held against, and what M-Pesa is asked about. Until it is known whose it is it is on a list.

use domain::{
    Kes, UserId,
    ledger::{
        postings::Posting,
        taxes::{TaxRates, amount_of},
    },
    payments::{
        receipt_match::{HELD_FOR, PromptMatch, ReceiptFacts, match_prompt},
        typed_code::ReceiptCode,
    },
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    ledger::wallets::{Booking, WALLET_TRIES},
    payments::receipts::Receipt,
    platform::{
        conditions::{absent, due, exists},
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        worklists::put_on_worklist,
        writes::Update,
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
    /// The receipt was credited before, the payment is judged already, or what is personal of the account begins to go:
    /// read it again.
    Before,
    /// M-Pesa has called the receipt reversed.
    Reversed,
    /// It may be the receipt of a prompt of this player's that is open, or credited without one.
    OwnPrompt,
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

pub(crate) fn key(code: &str) -> Key {
    Key::new(format!("PAYBILL#{code}"), "PAYBILL")
}

fn registered_key() -> Key {
    Key::new("PAYBILL", "REGISTERED")
}

impl Store {
    /// Keeps a confirmation, among those that are to be judged. `false`: one of that receipt is there, and stays.
    pub async fn keep_paybill_payment(&self, payment: &PaybillPayment) -> Result<bool, StoreError> {
        let mut item = key(&payment.code).item(payment);
        put_on_worklist(&mut item, TO_BE_JUDGED, &format!("{}#{}", payment.at, payment.code));
        self.put_once(item).await
    }

    /// The payments of which nobody knows yet whose they are, oldest first.
    pub async fn paybill_payments_to_judge(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<PaybillPayment>, StoreError> {
        self.worklist_page("paybill payment", TO_BE_JUDGED, after, limit).await
    }

    /// Notes what became of a payment, which is off the list then. What is known of it already stays.
    pub async fn judge_paybill_payment(&self, code: &str, judged: &str) -> Result<(), StoreError> {
        let update = Update::of(key(code))
            .set("judged", judged)
            .off_worklist()
            .only_if(exists("pk").and(absent("judged")));
        self.update(update).await.map(drop)
    }

    /// Credits a payment to the player whose account it names: the payment, the receipt's claim, the wallet and
    /// the posting in one transaction. `told` is what M-Pesa tells of it: of its day the rate of `excise` is.
    pub async fn credit_paybill_payment(
        &self,
        player: &UserId,
        code: &ReceiptCode,
        amount: Kes,
        (facts, excise): (&ReceiptFacts, &TaxRates),
        at: Timestamp,
    ) -> Result<CreditedToAccount, StoreError> {
        let tax = excise.withheld(amount, facts.at.unwrap_or(at));
        let posting = Posting::paybill_payment(player, code, amount).excised(amount_of(tax));
        let cause = posting.cause().key();
        let claim = Receipt::of(player, &posting, at);
        for _ in 0..WALLET_TRIES {
            // The wallet first: a prompt that is credited after this read moves it.
            let wallet = self.wallet(player).await?;
            let prompts = self.payments_since(player, at - HELD_FOR).await?;
            if prompts.iter().any(|prompt| match_prompt(facts, &prompt.as_sent(), at) != PromptMatch::Free) {
                return Ok(CreditedToAccount::OwnPrompt);
            }
            let judged = Update::of(key(code.as_str()))
                .set("judged", &cause)
                .off_worklist()
                .only_if(exists("pk"))
                .only_if(absent("judged"));
            let mut transaction = Transaction::new();
            transaction
                .update(judged, Unmet::Decided)
                .put(self.claim_receipt(code.as_str(), &claim), Unmet::Receipt)
                .check(self.not_called_reversed(code.as_str()), Unmet::Reversed);
            let bookings = [Booking { receipt: Some(code.as_str()), tax, ..Booking::of(&posting) }];
            self.book_if(&mut transaction, player, &wallet, &bookings, at, absent("erasingAt"));
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(CreditedToAccount::Done(cause)),
                Outcome::Refused(why)
                    if why.iter().any(|why| !matches!(why, Unmet::Reversed | Unmet::Wallet)) =>
                {
                    return Ok(CreditedToAccount::Before);
                }
                Outcome::Refused(why) if why.contains(&Unmet::Reversed) => {
                    return Ok(CreditedToAccount::Reversed);
                }
                Outcome::Refused(_) if self.wallet(player).await? == wallet => {
                    return Ok(CreditedToAccount::Before);
                }
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Claims the next check of a payment, due after `pause`. `false`: a later one is claimed already, or it
    /// is judged.
    pub async fn claim_paybill_check(
        &self,
        code: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(code))
            .set("nextLook", (now + pause).as_millisecond())
            .only_if(exists("pk"))
            .only_if(absent("judged"))
            .only_if(due("nextLook", now));
        self.update(update).await
    }

    /// What M-Pesa confirmed under a receipt.
    pub async fn paybill_payment(&self, code: &str) -> Result<Option<PaybillPayment>, StoreError> {
        self.get("paybill payment", key(code)).await
    }

    /// Where M-Pesa was last told to confirm payments.
    pub async fn registered_paybill(&self) -> Result<Option<Registered>, StoreError> {
        self.get("paybill", registered_key()).await
    }

    pub async fn note_registered_paybill(&self, registered: &Registered) -> Result<(), StoreError> {
        self.put(registered_key().item(registered)).await
    }
}
