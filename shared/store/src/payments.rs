//! Prompts: `PAY#id/PAY`, written before M-Pesa is called, and a pointer in the player's partition.
//! How one is credited stands in `credit`.

mod credit;

use aws_sdk_dynamodb::types::{AttributeValue, Put};
pub use credit::{Credit, Credited, LateReceipt};
use domain::{
    EntryAmount, GameweekId, Kes, MpesaPhone, UserId,
    payment::{Claim, State},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    idempotency::Binding,
    lists::{DELIST, enlist},
    players::partition,
    sessions::conditional,
    table::{Item, Key, n, s},
    transaction::{Outcome, Transaction},
};

const OPEN: &str = "PAYMENTS#open";
const SET_ASIDE: &str = "PAYMENTS#set-aside";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Ours and unguessable: the call's `checkoutId`.
    pub id: String,
    pub user_id: UserId,
    pub phone: MpesaPhone,
    pub amount: Kes,
    /// What it pays for, where it is not a plain deposit.
    #[serde(default)]
    pub entry: Option<ForEntry>,
    pub state: State,
    /// For the player: why it failed, or why it made no entry.
    #[serde(default)]
    pub reason: Option<String>,
    pub created_at: Timestamp,
    #[serde(default)]
    pub merchant_request_id: Option<String>,
    #[serde(default)]
    pub checkout_request_id: Option<String>,
    /// What the callbacks claimed; a claim of success is never overwritten by one of failure.
    #[serde(default)]
    pub claim: Option<Claim>,
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
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    KeyTaken,
    Prompt,
    Never,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pointer {
    checkout_id: String,
    ttl: i64,
}

/// The prompt that may be on a player's phone for a gameweek's entry.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenPrompt {
    checkout_id: String,
}

fn key(id: &str) -> Key {
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
    ///
    /// # Errors
    /// The table is not answering.
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
    /// `instead_of` is the last prompt that was read.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn create_payment(
        &self,
        payment: &Payment,
        instead_of: Option<&str>,
        binding: Option<&Binding>,
    ) -> Result<Intended, StoreError> {
        let mut item = key(&payment.id).item(payment);
        enlist(&mut item, OPEN, &position(payment));
        let pointer = Pointer {
            checkout_id: payment.id.clone(),
            ttl: payment.created_at.as_second() + 3 * 24 * 60 * 60,
        };
        let pointer_key =
            Key::new(partition(&payment.user_id), format!("PAYMENT#{}#{}", payment.created_at, payment.id));
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_put(item), Refusal::Never)
            .put(self.new_put(pointer_key.item(&pointer)), Refusal::Never);
        if let Some(entry) = &payment.entry {
            let prompt = OpenPrompt { checkout_id: payment.id.clone() };
            let item = prompt_key(&payment.user_id, entry.gameweek).item(&prompt);
            transaction.put(self.replacing_prompt(item, instead_of), Refusal::Prompt);
        }
        if let Some(binding) = binding {
            let put = self.bind(binding, &payment.id, payment.created_at);
            transaction.put(put, Refusal::KeyTaken);
        }
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Intended::Written,
            Outcome::Refused(why) if why.contains(&Refusal::KeyTaken) => Intended::KeyTaken,
            Outcome::Refused(why) if why.contains(&Refusal::Prompt) => Intended::PromptOpen,
            Outcome::Refused(_) => {
                return Err(StoreError::Refused("a new payment's id was taken".into()));
            }
        })
    }

    fn replacing_prompt(&self, item: Item, instead_of: Option<&str>) -> Put {
        let put = Put::builder().table_name(&self.name).set_item(Some(item));
        let put = match instead_of {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(seen) => {
                put.condition_expression("checkoutId = :seen").expression_attribute_values(":seen", s(seen))
            }
        };
        put.build().expect("table and item are given")
    }

    /// # Errors
    /// The table is not answering.
    pub async fn payment(&self, id: &str) -> Result<Option<Payment>, StoreError> {
        self.get("payment", key(id)).await
    }

    /// A player's prompts since `since`, newest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn payments_since(
        &self,
        player: &UserId,
        since: Timestamp,
    ) -> Result<Vec<Payment>, StoreError> {
        let pointers: Vec<Pointer> = self.all("payment pointer", &partition(player), "PAYMENT#").await?;
        let keys = pointers.iter().map(|pointer| key(&pointer.checkout_id)).collect();
        let mut payments: Vec<Payment> = self.get_many("payment", keys).await?;
        payments.retain(|payment| payment.created_at >= since);
        payments.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
        Ok(payments)
    }

    /// Payments that nothing final is known of, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn open_payments(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Payment>, StoreError> {
        self.listed("payment", OPEN, after, limit).await
    }

    /// Notes the ids that M-Pesa gave it, from whichever comes first, reply or callback.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn attach_daraja_ids(
        &self,
        id: &str,
        merchant_request_id: &str,
        checkout_request_id: &str,
    ) -> Result<(), StoreError> {
        let update = self
            .payment_update(id)
            .update_expression("SET merchantRequestId = :merchant, checkoutRequestId = :checkout")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(checkoutRequestId)")
            .expression_attribute_values(":merchant", s(merchant_request_id))
            .expression_attribute_values(":checkout", s(checkout_request_id));
        conditional(update).await.map(drop)
    }

    /// Notes what a callback claimed. The first claim stays, but that a claim of success takes the
    /// place of one of failure, and puts a failed payment back among the open ones.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_claim(&self, payment: &Payment, claim: &Claim) -> Result<(), StoreError> {
        let value = serde_dynamo::to_attribute_value::<_, AttributeValue>(claim)
            .map_err(|source| StoreError::Corrupt { entity: "claim", source })?;
        let update = || self.payment_update(&payment.id).expression_attribute_values(":claim", value.clone());
        if !claim.paid {
            let update = update()
                .update_expression("SET claim = :claim")
                .condition_expression("attribute_exists(pk) AND attribute_not_exists(claim)");
            return conditional(update).await.map(drop);
        }
        let better = "attribute_exists(pk) AND (attribute_not_exists(claim) OR claim.paid = :no)";
        let paid = || {
            update()
                .expression_attribute_names("#state", "state")
                .expression_attribute_values(":no", AttributeValue::Bool(false))
                .expression_attribute_values(":pending", s(State::Pending.as_str()))
                .expression_attribute_values(":failed", s(State::Failed.as_str()))
        };
        let mut listed = Item::new();
        enlist(&mut listed, OPEN, &position(payment));
        let opened = paid()
            .update_expression("SET claim = :claim, listPk = :list, listSk = :position")
            .condition_expression(format!("{better} AND #state IN (:pending, :failed)"))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        if conditional(opened).await? {
            return Ok(());
        }
        let decided = paid()
            .update_expression("SET claim = :claim")
            .condition_expression(format!("{better} AND NOT #state IN (:pending, :failed)"));
        conditional(decided).await.map(drop)
    }

    /// Takes on the next question about a payment, due after `pause`. `false`: a later one is taken on
    /// already, so that a payment has one line of questions however often its messages are delivered.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_question(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = self
            .payment_update(id)
            .update_expression("SET nextQuestion = :next")
            .condition_expression(
                "attribute_exists(pk) AND (attribute_not_exists(nextQuestion) OR nextQuestion <= :now)",
            )
            .expression_attribute_values(":next", n((now + pause).as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await
    }

    /// Marks it failed: provisional, a success may still come. `false` where it was decided before, or
    /// where a callback has claimed a success meanwhile.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn fail_payment(&self, id: &str, reason: &str, at: Timestamp) -> Result<bool, StoreError> {
        let update = self
            .payment_update(id)
            .update_expression(format!(
                "SET #state = :failed, reason = :reason, decidedAt = :at REMOVE {DELIST}"
            ))
            .condition_expression("#state = :pending AND (attribute_not_exists(claim) OR claim.paid = :no)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":failed", s(State::Failed.as_str()))
            .expression_attribute_values(":pending", s(State::Pending.as_str()))
            .expression_attribute_values(":reason", s(reason))
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await
    }

    /// Sets it aside for an admin: credits nothing until one acts. `false` where it was decided before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_payment_aside(
        &self,
        payment: &Payment,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        enlist(&mut listed, SET_ASIDE, &position(payment));
        let update = self
            .payment_update(&payment.id)
            .update_expression(
                "SET #state = :aside, reason = :reason, decidedAt = :at, listPk = :list, listSk = :position",
            )
            .condition_expression("#state IN (:pending, :failed)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":aside", s(State::SetAside.as_str()))
            .expression_attribute_values(":pending", s(State::Pending.as_str()))
            .expression_attribute_values(":failed", s(State::Failed.as_str()))
            .expression_attribute_values(":reason", s(reason))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        conditional(update).await
    }

    fn payment_update(
        &self,
        id: &str,
    ) -> aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder {
        self.client.update_item().table_name(&self.name).set_key(Some(key(id).attributes()))
    }
}
