//! Codes that players typed: `MANUAL#id/MANUAL`, and in the player's partition `MANUAL#code`, which
//! names the request that stands for that code. Nobody holds a code until it is credited: confirming
//! claims the receipt in the transaction that moves the money, so of all ways one comes first. What
//! M-Pesa says of one, and when it is asked, stands in `checks`.

mod checks;

use domain::{
    Kes, UserId, Username,
    ledger::{
        postings::Posting,
        taxes::{TaxRates, amount_of},
    },
    payments::{
        receipt_match::{HELD_FOR, Payer, PromptMatch, ReceiptFacts, match_prompt},
        typed_code::{ReceiptCode, TypedCodeStatus},
        typed_code_check::Answered,
    },
    platform::limits::Limited,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, StoredPosting, WALLET_TRIES},
    payments::{paybill::PaybillPayment, receipts::Receipt},
    platform::{
        conditions::{absent, is},
        idempotency::Binding,
        limits::{Counter, Counting},
        table::{Item, Key, parse},
        transaction::{Outcome, Transaction, Unmet},
        worklists::put_on_worklist,
        writes::{Put, Update},
    },
};

const PENDING: &str = "MANUAL#pending";

/// A player's own clicks at once are met this often.
const TRIES: u32 = 8;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypedCode {
    pub id: String,
    pub user_id: UserId,
    pub username: Username,
    pub code: ReceiptCode,
    pub status: TypedCodeStatus,
    pub created_at: Timestamp,
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// The admin who confirmed or rejected it; nobody where a machine did.
    #[serde(default)]
    pub ended_by: Option<UserId>,
    /// What it was confirmed with, in KES.
    #[serde(default)]
    pub amount: Option<Kes>,
    /// Why it was rejected.
    #[serde(default)]
    pub reason: Option<String>,
    /// What M-Pesa has answered about it.
    #[serde(default)]
    pub known: Option<KnownCode>,
    /// When the next check of it is due, in milliseconds since 1970.
    #[serde(default)]
    #[serde(rename = "nextLook")]
    pub next_check: Option<i64>,
    /// No further check is wanted: it is the admin's alone.
    #[serde(default)]
    #[serde(rename = "looksOver")]
    pub checks_over: bool,
}

/// M-Pesa's answer about a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownCode {
    pub answered: Answered,
    /// Whom M-Pesa names as the payer.
    #[serde(default)]
    pub payer_name: Option<String>,
    /// When it was answered.
    pub at: Timestamp,
}

/// What became of a code that was sent in.
#[derive(Debug, Clone)]
pub enum Submitted {
    New,
    /// The same player's same code waits already, under this id.
    Waiting(String),
    AlreadyCredited,
    /// Too many codes of this player's.
    Limited(Limited),
    /// Another request has bound the key meanwhile.
    KeyTaken,
}

/// What became of an attempt to confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    Done,
    /// It is not pending any more: read it again.
    Ended,
    /// The receipt was credited before, to whomever.
    ReceiptTaken,
    /// M-Pesa has called the receipt reversed.
    Reversed,
    /// A prompt of this player and amount is open, or credited without a receipt.
    OwnPrompt,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypedCodePointer {
    #[serde(rename = "manualId")]
    typed_code_id: String,
    /// Those before it, of the same code, which were rejected.
    #[serde(default)]
    before: Vec<String>,
}

impl TypedCodePointer {
    fn ids(self) -> impl Iterator<Item = String> {
        self.before.into_iter().chain([self.typed_code_id])
    }
}

/// The typed codes that an item of their player's leads to.
pub(crate) fn pointed_at(pointer: Item) -> Result<Vec<Key>, StoreError> {
    let pointer: TypedCodePointer = parse("manual payment pointer", pointer)?;
    Ok(pointer.ids().map(|id| key(&id)).collect())
}

pub(crate) fn key(id: &str) -> Key {
    Key::new(format!("MANUAL#{id}"), "MANUAL")
}

fn pointer_key(player: &UserId, code: &ReceiptCode) -> Key {
    Key::new(partition(player), format!("MANUAL#{code}"))
}

/// What M-Pesa tells of a receipt: its answer and its confirmation together. Of the payer the answer says more,
/// of the account only the confirmation says anything.
#[must_use]
pub fn receipt_facts(known: Option<&KnownCode>, confirmed: Option<&PaybillPayment>) -> ReceiptFacts {
    let found = known.map(|known| &known.answered).filter(|said| said.completed || said.reversed);
    let masked = || confirmed.and_then(|confirmed| confirmed.phone.as_deref()).map(Payer::parse);
    let payer = found.and_then(|said| said.payer.clone()).map(Payer::Whole);
    ReceiptFacts {
        amount: found.and_then(|said| said.amount).or_else(|| confirmed?.amount),
        account: confirmed.and_then(|confirmed| confirmed.account_reference.clone()),
        payer: payer.or_else(masked).unwrap_or_default(),
        at: confirmed.and_then(|confirmed| confirmed.paid_at).or_else(|| found?.finalised_at),
    }
}

impl Store {
    /// Puts a typed code before the admins. The same player's same code waits only once; each one that
    /// is new counts against `counter`, in the same step.
    pub async fn submit_typed_code(
        &self,
        typed_code: &TypedCode,
        counter: &Counter,
        binding: Option<&Binding>,
    ) -> Result<Submitted, StoreError> {
        for _ in 0..TRIES {
            if self.receipt(typed_code.code.as_str()).await?.is_some() {
                return Ok(Submitted::AlreadyCredited);
            }
            let pointer_key = pointer_key(&typed_code.user_id, &typed_code.code);
            let seen: Option<TypedCodePointer> =
                self.get("manual payment pointer", pointer_key.clone()).await?;
            if let Some(seen) = &seen
                && let Some(waiting) = self.typed_code(&seen.typed_code_id).await?
                && waiting.status == TypedCodeStatus::Pending
            {
                return Ok(Submitted::Waiting(waiting.id));
            }
            let counting = match self.counting(counter, typed_code.created_at).await? {
                Counting::Counted(counting) => counting,
                Counting::Limited(limited) => return Ok(Submitted::Limited(limited)),
            };
            let mut item = key(&typed_code.id).item(typed_code);
            put_on_worklist(&mut item, PENDING, &format!("{}#{}", typed_code.created_at, typed_code.id));
            let mut before = seen.as_ref().map(|seen| seen.before.clone()).unwrap_or_default();
            before.extend(seen.as_ref().map(|seen| seen.typed_code_id.clone()));
            let pointer =
                pointer_key.item(&TypedCodePointer { typed_code_id: typed_code.id.clone(), before });
            let pointer = Put::over(pointer).only_if(match &seen {
                None => absent("pk"),
                Some(seen) => is("manualId", &seen.typed_code_id),
            });
            let mut transaction = Transaction::new();
            transaction
                .put(Put::new(item), Unmet::Never)
                .put(pointer, Unmet::Pointer)
                .put(counting, Unmet::Limit);
            if let Some(binding) = binding {
                let put = self.bind(binding, &typed_code.id, typed_code.created_at);
                transaction.put(put, Unmet::Key);
            }
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Submitted::New),
                Outcome::Refused(why) if why.contains(&Unmet::Key) => return Ok(Submitted::KeyTaken),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a typed code"))
    }

    /// Every code that a player has typed: their ids.
    pub async fn typed_code_ids(&self, player: &UserId) -> Result<Vec<String>, StoreError> {
        let pointers: Vec<TypedCodePointer> =
            self.all("manual payment pointer", &partition(player), "MANUAL#").await?;
        Ok(pointers.into_iter().flat_map(TypedCodePointer::ids).collect())
    }

    /// Every code that a player has typed, as it stands.
    pub async fn typed_codes_of(&self, player: &UserId) -> Result<Vec<TypedCode>, StoreError> {
        let ids = self.typed_code_ids(player).await?;
        self.get_many("manual payment", ids.iter().map(|id| key(id)).collect()).await
    }

    pub async fn typed_code(&self, id: &str) -> Result<Option<TypedCode>, StoreError> {
        self.get("manual payment", key(id)).await
    }

    /// The typed codes that wait for an admin, oldest first.
    pub async fn pending_typed_codes(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<TypedCode>, StoreError> {
        self.worklist_page("manual payment", PENDING, after, limit).await
    }

    /// Confirms a pending code: claims the receipt, if M-Pesa has not called it reversed, and puts `amount` into the player's
    /// wallet, less the `excise` of the day of the payment (of today if M-Pesa does not tell that day). `act` is the
    /// admin's act; `None` if a machine confirms.
    pub async fn confirm_typed_code(
        &self,
        typed_code: &TypedCode,
        (amount, excise): (Kes, &TaxRates),
        act: Option<&AuditRecord>,
        at: Timestamp,
    ) -> Result<Confirmed, StoreError> {
        let confirmed = self.paybill_payment(typed_code.code.as_str()).await?;
        // What is credited is what the prompts are held against, whatever M-Pesa says it is.
        let facts = ReceiptFacts {
            amount: Some(amount),
            ..receipt_facts(typed_code.known.as_ref(), confirmed.as_ref())
        };
        let tax = excise.withheld(amount, facts.at.unwrap_or(at));
        let posting = Posting::typed_code(&typed_code.user_id, &typed_code.code, amount);
        let posting = posting.excised(amount_of(tax));
        let claim = Receipt::of(&typed_code.user_id, &posting, at);
        for _ in 0..WALLET_TRIES {
            // The wallet first: a prompt that is credited after this read moves it.
            let wallet = self.wallet(&typed_code.user_id).await?;
            let prompts = self.payments_since(&typed_code.user_id, at - HELD_FOR).await?;
            if prompts.iter().any(|prompt| match_prompt(&facts, &prompt.as_sent(), at) != PromptMatch::Free) {
                return Ok(Confirmed::OwnPrompt);
            }
            let mut transaction = Transaction::new();
            transaction
                .update(
                    ended(&typed_code.id, TypedCodeStatus::Confirmed, act, at).set("amount", amount),
                    Unmet::Decided,
                )
                .put(self.claim_receipt(typed_code.code.as_str(), &claim), Unmet::Receipt);
            if let Some(act) = act {
                transaction.put(self.recorded(act), Unmet::Never);
            }
            transaction.check(self.not_called_reversed(typed_code.code.as_str()), Unmet::Reversed);
            let receipt = Some(typed_code.code.as_str());
            let bookings = [Booking { receipt, tax, ..Booking::of(&posting) }];
            self.book(&mut transaction, &typed_code.user_id, &wallet, &bookings, at);
            let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(Confirmed::Done) };
            if why.contains(&Unmet::Decided) {
                return Ok(Confirmed::Ended);
            } else if why.contains(&Unmet::Receipt) || why.contains(&Unmet::Booked) {
                return Ok(Confirmed::ReceiptTaken);
            } else if why.contains(&Unmet::Reversed) {
                return Ok(Confirmed::Reversed);
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Pending → rejected. `false` where it was not pending any more.
    pub async fn reject_typed_code(
        &self,
        id: &str,
        reason: Option<&str>,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = ended(id, TypedCodeStatus::Rejected, Some(act), act.at).set_some("reason", reason);
        self.act(act, update).await
    }

    /// What M-Pesa tells of a receipt that was credited to a player by a posting of a code.
    pub async fn facts_of_posting(
        &self,
        player: &UserId,
        posting: &StoredPosting,
    ) -> Result<ReceiptFacts, StoreError> {
        let Some(code) = posting.receipt.as_deref() else { return Ok(ReceiptFacts::default()) };
        let pointer_key = Key::new(partition(player), format!("MANUAL#{code}"));
        let typed_code = match self.get::<TypedCodePointer>("manual payment pointer", pointer_key).await? {
            Some(pointer) => self.typed_code(&pointer.typed_code_id).await?,
            None => None,
        };
        let known = typed_code.and_then(|typed_code| typed_code.known);
        Ok(receipt_facts(known.as_ref(), self.paybill_payment(code).await?.as_ref()))
    }

    /// The credits of codes that a player typed, and of payments to the paybill with their account.
    pub(crate) async fn code_postings(&self, player: &UserId) -> Result<Vec<StoredPosting>, StoreError> {
        let mut postings: Vec<StoredPosting> =
            self.all("posting", &partition(player), "POST#manual#").await?;
        postings.extend(self.all::<StoredPosting>("posting", &partition(player), "POST#paybill#").await?);
        Ok(postings)
    }
}

/// Pending → `status`; by an admin, or by a machine.
fn ended(id: &str, status: TypedCodeStatus, act: Option<&AuditRecord>, at: Timestamp) -> Update {
    let admin = act.and_then(AuditRecord::admin);
    waiting_code(id).set("status", status).set("endedAt", at).set_some("endedBy", admin).off_worklist()
}

/// Changes of a code, where it waits.
fn waiting_code(id: &str) -> Update {
    Update::of(key(id)).only_if(is("status", TypedCodeStatus::Pending))
}
