//! Prompts: `PAY#id/PAY`, written before M-Pesa is called, and a pointer in the player's partition.
//! What is learned of one stands in `updates`, how it is credited in `credit`, in which lists it is found
//! in `queries`, and what an admin makes of those that do not add up in `set_aside`.

mod credit;
mod queries;
mod set_aside;
mod updates;

pub use credit::{Credit, Credited, LateReceipt};
use domain::{
    EntryAmount, GameweekId, Kes, MpesaPhone, UserId,
    accounts::own_limits::{OwnLimits, Spending, Spends},
    ledger::taxes::{TaxRate, Withheld},
    payments::{
        prompt::{CallbackClaim, PaymentState},
        receipt_match::SentPrompt,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
pub use set_aside::{AdminCredit, AdminCredited};

use crate::{
    AdminDecision, Store, StoreError,
    accounts::keys::partition,
    ledger::wallets::limits_update,
    platform::{
        conditions::{absent, is},
        idempotency::Binding,
        journals::{Journal, with_journal_position},
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        worklists::put_on_worklist,
        writes::Put,
    },
};

/// By these a player's prompts are found, as long as the account is there.
const POINTER: &str = "PAYMENT#";

/// Nothing final is known of it.
const OPEN: &str = "PAYMENTS#open";
/// For an admin: set aside, or credited and not as it should be.
const SET_ASIDE: &str = "PAYMENTS#set-aside";
/// Credited on M-Pesa's answer alone: a code that somebody types may be its receipt.
const WITHOUT_RECEIPT: &str = "PAYMENTS#without-receipt";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Ours and unguessable: the call's `checkoutId`.
    pub id: String,
    pub user_id: UserId,
    pub phone: MpesaPhone,
    pub amount: Kes,
    /// The rate of excise that was in force when it was sent: that is what its player was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excise: Option<TaxRate>,
    /// What the prompt shows as the account, and what M-Pesa's confirmation of it then carries; absent in what
    /// an older version sent.
    #[serde(default)]
    pub account: Option<String>,
    /// What it pays for, where it is not a plain deposit.
    #[serde(default)]
    pub entry: Option<ForEntry>,
    pub state: PaymentState,
    /// For the player: why it failed, or why it made no entry.
    #[serde(default)]
    pub reason: Option<String>,
    pub created_at: Timestamp,
    #[serde(default)]
    pub merchant_request_id: Option<String>,
    #[serde(default)]
    pub checkout_request_id: Option<String>,
    /// When those were learned.
    #[serde(default)]
    pub accepted_at: Option<Timestamp>,
    /// When M-Pesa's success first reached us, by a callback that names this prompt and its amount or by an
    /// answer: what the draw of an entry goes by, however late it is processed.
    #[serde(default)]
    pub success_heard_at: Option<Timestamp>,
    /// The receipt that a confirmation of the paybill told while the prompt was open, where it fits.
    #[serde(default)]
    pub told_receipt: Option<String>,
    /// What the callbacks claimed; a claim of success is never overwritten by one of failure.
    #[serde(default)]
    pub claim: Option<CallbackClaim>,
    #[serde(default)]
    pub receipt: Option<String>,
    /// A receipt that turned out to be its own and was credited to somebody before: for an admin.
    #[serde(default)]
    pub contested_receipt: Option<String>,
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
    /// Whether it made the entry it was for.
    #[serde(default)]
    pub entered: bool,
    /// Credited on the callback alone, or its receipt was another's: for an admin to see.
    #[serde(default)]
    pub flagged: bool,
    /// When the next question about it is due, in milliseconds since 1970.
    #[serde(default)]
    pub next_question: Option<i64>,
    /// What it was credited with, where that is not its amount as a matter of course: by an admin, or
    /// nothing, since its receipt was credited by another way.
    #[serde(default)]
    pub credited: Option<Kes>,
    /// Whether it holds room within its player's own limits, until it is credited or fails.
    #[serde(default)]
    pub holds_room: bool,
    /// The admin's word that closed it as a case.
    #[serde(default)]
    pub closed: Option<AdminDecision>,
}

impl Payment {
    /// As the rule of receipts sees it.
    #[must_use]
    pub fn as_sent(&self) -> SentPrompt {
        SentPrompt {
            amount: self.amount,
            account: self.account.clone(),
            phone: self.phone.clone(),
            state: self.state,
            has_receipt: self.receipt.is_some(),
            sent: self.created_at,
        }
    }

    /// What it does as the player's own limits see it.
    #[must_use]
    pub fn spends(&self) -> Spends {
        match &self.entry {
            Some(entry) => {
                Spends { spending: Spending::PaidEntry, paid_in: self.amount, staked: entry.amount.kes() }
            }
            None => Spends::of(Spending::Deposit, self.amount),
        }
    }

    /// The excise of `amount`, where the payment is credited with that.
    #[must_use]
    pub fn excise_of(&self, amount: Kes) -> Option<Withheld> {
        self.excise?.kept_of(amount)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForEntry {
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
}

/// What became of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intended {
    Written,
    /// Another prompt for the same entry has been sent meanwhile.
    PromptOpen,
    /// Another request has bound the key meanwhile.
    KeyTaken,
    /// The player's limits, or what is used of them, are not as they were read.
    LimitsMoved,
}

/// Room within a player's own limits that is held for a prompt.
#[derive(Debug, Clone, Copy)]
pub struct HeldRoom<'a> {
    /// As they were read.
    pub read: &'a OwnLimits,
    pub with_it: &'a OwnLimits,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CheckoutPointer {
    checkout_id: String,
}

/// The prompt that may be on a player's phone for a gameweek's entry.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenPrompt {
    checkout_id: String,
}

pub(crate) fn key(id: &str) -> Key {
    Key::new(format!("PAY#{id}"), "PAY")
}

/// Its place on a list: by time.
fn position(payment: &Payment) -> String {
    format!("{}#{}", payment.created_at, payment.id)
}

fn prompt_key(player: &UserId, gameweek: GameweekId) -> Key {
    Key::new(partition(player), format!("PROMPT#{gameweek}"))
}

impl Store {
    /// The prompt that this player was last sent for an entry into `gameweek`.
    pub async fn last_prompt(
        &self,
        player: &UserId,
        gameweek: GameweekId,
    ) -> Result<Option<Payment>, StoreError> {
        match self.get::<OpenPrompt>("prompt", prompt_key(player, gameweek)).await? {
            Some(prompt) => self.payment(&prompt.checkout_id).await,
            None => Ok(None),
        }
    }

    /// Writes the intent before M-Pesa is called, and binds the request's key to it. For an entry,
    /// `instead_of` is the last prompt that was read. `room`: what is held for it in the same transaction.
    pub async fn create_payment(
        &self,
        payment: &Payment,
        instead_of: Option<&str>,
        binding: Option<&Binding>,
        room: Option<HeldRoom<'_>>,
    ) -> Result<Intended, StoreError> {
        let item = key(&payment.id).item(payment);
        let mut item = with_journal_position(item, Journal::Payments, payment.created_at);
        put_on_worklist(&mut item, OPEN, &position(payment));
        let pointer = CheckoutPointer { checkout_id: payment.id.clone() };
        let pointer_key =
            Key::new(partition(&payment.user_id), format!("{POINTER}{}#{}", payment.created_at, payment.id));
        let mut transaction = Transaction::new();
        transaction
            .put(Put::new(item), Unmet::Never)
            .put(Put::new(pointer_key.item(&pointer)), Unmet::Never)
            .put(self.phone_of(&payment.user_id, &payment.phone), Unmet::Never);
        if let Some(entry) = &payment.entry {
            let prompt = OpenPrompt { checkout_id: payment.id.clone() };
            let item = prompt_key(&payment.user_id, entry.gameweek).item(&prompt);
            let seen = match instead_of {
                None => absent("pk"),
                Some(seen) => is("checkoutId", seen),
            };
            transaction.put(Put::over(item).only_if(seen), Unmet::Pointer);
        }
        if let Some(binding) = binding {
            let put = self.bind(binding, &payment.id, payment.created_at);
            transaction.put(put, Unmet::Key);
        }
        if let Some(HeldRoom { read, with_it }) = room {
            transaction.update(limits_update(&payment.user_id, Some(read), with_it), Unmet::Wallet);
        }
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Intended::Written,
            Outcome::Refused(why) if why.contains(&Unmet::Key) => Intended::KeyTaken,
            Outcome::Refused(why) if why.contains(&Unmet::Pointer) => Intended::PromptOpen,
            Outcome::Refused(why) if why.contains(&Unmet::Wallet) => Intended::LimitsMoved,
            Outcome::Refused(_) => {
                return Err(StoreError::Refused("a new payment's id was taken".into()));
            }
        })
    }

    pub async fn payment(&self, id: &str) -> Result<Option<Payment>, StoreError> {
        self.get("payment", key(id)).await
    }
}
