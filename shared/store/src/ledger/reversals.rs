//! A payment that M-Pesa has taken back: booked with a mark on its receipt in one transaction, so once, and
//! listed for the admins. And whose turn it is to be asked about.

use aws_sdk_dynamodb::types::{AttributeValue, Update};
use domain::{
    Kes, UserId,
    ledger::{postings::Posting, taking_back::Taken},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::payments::receipts::{Receipt, key};
use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES},
    platform::{
        table::{Item, conditional, n, s},
        transaction::{Outcome, Transaction},
        worklists::put_on_worklist,
    },
    withdrawals::requests::Taking,
};

/// For the admins: what M-Pesa has taken back.
const REVERSED: &str = "RECEIPTS#reversed";

/// What has become of the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    pub at: Timestamp,
    /// What came out of the player's wallet.
    pub wallet: Kes,
    /// What the player owed for it.
    pub debt: Kes,
    /// What the operator has lost.
    pub loss: Kes,
}

impl Reversal {
    #[must_use]
    pub fn amount(&self) -> Kes {
        self.wallet + self.debt + self.loss
    }
}

/// What became of booking one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reversed {
    Now(Reversal),
    /// It was booked before.
    Before(Reversal),
    /// Its credit is gone, or was of nothing: there is nothing to take back.
    NothingCredited,
}

/// A receipt with its code.
#[derive(Debug, Clone, Deserialize)]
pub struct DatedReceipt {
    pk: String,
    #[serde(flatten)]
    pub receipt: Receipt,
}

impl DatedReceipt {
    /// M-Pesa's code.
    #[must_use]
    pub fn code(&self) -> &str {
        self.pk.strip_prefix("RECEIPT#").unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    WalletMoved,
    Booked,
    Receipt,
}

impl Store {
    /// Takes what `code` was credited with out of its player's wallet again; what the player has asked for and
    /// nobody has paid goes back into it first. `owes`: what is not covered then is a debt of the player, and
    /// not the operator's loss.
    ///
    /// # Errors
    /// The table is not answering, or there is no such receipt.
    pub async fn reverse_receipt(
        &self,
        code: &str,
        owes: bool,
        act: impl Fn(&Reversal) -> AuditRecord,
        at: Timestamp,
    ) -> Result<Taking<Reversed>, StoreError> {
        for _ in 0..WALLET_TRIES {
            let receipt = self.receipt(code).await?;
            let receipt =
                receipt.ok_or_else(|| StoreError::Refused(format!("receipt {code} is nobody's")))?;
            if let Some(before) = receipt.reversal {
                return Ok(Taking::Is(Reversed::Before(before)));
            }
            let player = &receipt.user_id;
            let wallet = self.wallet(player).await?;
            let credited = self.posting(player, &receipt.cause).await?.map_or(Kes::ZERO, |p| p.amount);
            if !credited.is_positive() {
                return Ok(Taking::Is(Reversed::NothingCredited));
            }
            let unpaid = self.unpaid_to_cover(player, credited, wallet).await?;
            if !unpaid.is_empty() {
                return Ok(Taking::First(unpaid));
            }
            let taken = Taken::of(credited, wallet.balance, owes);
            let reversal = Reversal { at, wallet: taken.wallet, debt: taken.debt, loss: taken.loss };
            let posting = Posting::reversal(player, code, taken);
            let mut transaction = Transaction::new();
            transaction
                .update(self.reversed(code, player, &reversal), Refusal::Receipt)
                .put(self.recorded(&act(&reversal)), Refusal::Booked);
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            self.book(&mut transaction, player, wallet, &[Booking::of(&posting)], at, refusals);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Taking::Is(Reversed::Now(reversal))),
                Outcome::Refused(why)
                    if why.contains(&Refusal::Booked) && !why.contains(&Refusal::Receipt) =>
                {
                    return Err(StoreError::Refused(format!(
                        "the reversal of {code} is booked without a mark"
                    )));
                }
                // Another was first, or the wallet has moved: it is read again.
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    fn reversed(&self, code: &str, player: &UserId, reversal: &Reversal) -> Update {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, REVERSED, &format!("{}#{code}", reversal.at));
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(code).attributes()))
            .update_expression("SET reversal = :reversal, listPk = :list, listSk = :position")
            .condition_expression("userId = :player AND attribute_not_exists(reversal)")
            .expression_attribute_values(":reversal", attribute(reversal))
            .expression_attribute_values(":player", s(player.as_str()))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone())
            .build()
            .expect("table, key and expression are given")
    }

    /// What M-Pesa has taken back, newest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn reversed_receipts(&self, limit: usize) -> Result<Vec<DatedReceipt>, StoreError> {
        self.worklist_newest("receipt", REVERSED, limit).await
    }

    /// Takes on the question about a receipt. `false`: it was asked about within `pause`, or is taken back.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_receipt_question(
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
            .update_expression("SET askedAt = :now")
            .condition_expression(
                "attribute_exists(pk) AND attribute_not_exists(reversal) \
                 AND (attribute_not_exists(askedAt) OR askedAt <= :before)",
            )
            .expression_attribute_values(":now", n(now.as_millisecond()))
            .expression_attribute_values(":before", n((now - pause).as_millisecond()));
        conditional(update).await
    }

    /// Notes that M-Pesa says that a receipt stands.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_receipt_stands(&self, code: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(code).attributes()))
            .update_expression("SET standsAt = :at")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await.map(drop)
    }
}

fn attribute(reversal: &Reversal) -> AttributeValue {
    serde_dynamo::to_attribute_value(reversal).expect("a reversal is a map of plain values")
}
