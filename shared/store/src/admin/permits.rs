//! What an admin's act carries into its own transaction beside its record
//! (docs/decisions.md, "What an admin may do, and what carries it"): the approval that it is done by, what is
//! summed of acts without one (`SUM#…/SUM`), and what is paid out in a day (`PAIDOUT#day/PAIDOUT`). Whatever the
//! act is, these are written with it or not at all.

use std::fmt;

use aws_sdk_dynamodb::types::{ConditionCheck, Put, TransactWriteItem, Update};
use domain::{
    Kes, MpesaPhone, UserId,
    admin::approval::{Done, Sum},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Store, StoreError,
    admin::audit::{AuditRecord, Who},
    platform::table::{Key, n},
    time_ordered_id,
};

/// Why an act was not written, apart from what the act itself says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withheld {
    /// The proposal does not wait any more.
    NotWaiting,
    /// Nobody has approved it.
    NotApproved,
    /// Another act has changed a sum since it was read.
    SumMoved,
    /// The day's ceiling.
    Ceiling,
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotWaiting => "This proposal does not wait any more.",
            Self::NotApproved => "Another admin has to approve this.",
            Self::SumMoved => "Another act was done at the same time.",
            Self::Ceiling => "Today's ceiling for payouts is reached.",
        })
    }
}

/// Leave for one act of an admin, with what has to hold when it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The id of the act's record.
    pub act: String,
    /// Whose act it is: who has proposed it, where another has approved it.
    pub who: Who,
    pub by: By,
    /// What it pays out, where it does.
    pub paid_out: Option<PaidOut>,
}

impl Permit {
    /// Leave without conditions: for what moves no money.
    #[must_use]
    pub fn plain(who: Who, at: Timestamp) -> Self {
        Self { act: time_ordered_id(at), who, by: By::One(Vec::new()), paid_out: None }
    }
}

/// By what it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// One admin alone, and how that is summed.
    One(Vec<Counted>),
    /// Another admin's approval.
    Approval(Approved),
    /// Nothing: it may look, and say how things stand, but not write.
    Nobody,
}

/// An approval, as the act's transaction writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    pub id: String,
    /// Names the proposal that was read.
    pub version: String,
    pub by: Who,
    pub reason: Option<String>,
    pub at: Timestamp,
}

/// What goes out on a day of Kenya, and the most that may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidOut {
    pub amount: Kes,
    pub most: Kes,
    pub at: Timestamp,
}

/// Whose acts are summed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SumOf {
    Admin(UserId),
    Player(UserId),
    Number(MpesaPhone),
}

/// A sum as it was read, with one more act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    pub of: SumOf,
    seen: Option<u64>,
    pub sum: Sum,
}

#[derive(Default, Serialize, Deserialize)]
struct Stored {
    version: u64,
    done: Sum,
    /// Seconds since 1970. What is old counts no more before it is gone.
    ttl: i64,
}

impl SumOf {
    fn key(&self) -> Key {
        let whose = match self {
            Self::Admin(id) => format!("admin#{id}"),
            Self::Player(id) => format!("player#{id}"),
            Self::Number(phone) => format!("number#{}", hex::encode(Sha256::digest(phone.as_str()))),
        };
        Key::new(format!("SUM#{whose}"), "SUM")
    }
}

/// Kenya is three hours ahead of UTC all year.
const KENYA: SignedDuration = SignedDuration::from_hours(3);

fn day_key(at: Timestamp) -> Key {
    Key::new(format!("PAIDOUT#{}", (at + KENYA).strftime("%Y-%m-%d")), "PAIDOUT")
}

/// The record of an act, and what is written beside it.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub put: Put,
    pub beside: Vec<(TransactWriteItem, Withheld)>,
}

impl From<Put> for Recorded {
    fn from(put: Put) -> Self {
        Self { put, beside: Vec::new() }
    }
}

impl Store {
    /// A sum as it is with one more act in it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn counted(&self, of: SumOf, one: &Done) -> Result<Counted, StoreError> {
        let stored: Option<Stored> = self.get("sum", of.key()).await?;
        let seen = stored.as_ref().map(|stored| stored.version);
        let sum = stored.unwrap_or_default().done.with(one.clone());
        Ok(Counted { of, seen, sum })
    }

    /// What was paid out so far on the day of Kenya that `at` is on.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn paid_out_on(&self, at: Timestamp) -> Result<Kes, StoreError> {
        #[derive(Deserialize)]
        struct Day {
            paid: Kes,
        }
        Ok(self.get::<Day>("day's payouts", day_key(at)).await?.map(|day| day.paid).unwrap_or_default())
    }

    /// What an act's transaction has to write beside the record.
    pub(crate) fn beside(&self, act: &AuditRecord) -> Vec<(TransactWriteItem, Withheld)> {
        let Some(permit) = act.permit() else { return Vec::new() };
        let mut items = match &permit.by {
            By::One(counted) => {
                counted.iter().map(|one| (self.counting_in(one), Withheld::SumMoved)).collect()
            }
            By::Approval(approved) => vec![(update(self.approved(approved)), Withheld::NotWaiting)],
            By::Nobody => vec![(self.never(), Withheld::NotApproved)],
        };
        if let Some(paid_out) = &permit.paid_out {
            items.push((update(self.paying_out(paid_out)), Withheld::Ceiling));
        }
        items
    }

    fn counting_in(&self, counted: &Counted) -> TransactWriteItem {
        let ttl = counted.sum.ends().map_or(0, |ends| ends.as_second() + 1);
        let version = counted.seen.unwrap_or(0) + 1;
        let item = counted.of.key().item(&Stored { version, done: counted.sum.clone(), ttl });
        let put = match counted.seen {
            None => self.new_put(item),
            Some(seen) => Put::builder()
                .table_name(&self.name)
                .set_item(Some(item))
                .condition_expression("version = :seen")
                .expression_attribute_values(":seen", n(seen))
                .build()
                .expect("table and item are given"),
        };
        TransactWriteItem::builder().put(put).build()
    }

    fn paying_out(&self, paid_out: &PaidOut) -> Update {
        let room = paid_out.most - paid_out.amount;
        let condition = if room < Kes::default() {
            "paid <= :room"
        } else {
            "attribute_not_exists(paid) OR paid <= :room"
        };
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(day_key(paid_out.at).attributes()))
            .update_expression("ADD paid :amount")
            .condition_expression(condition)
            .expression_attribute_values(":amount", n(paid_out.amount.get()))
            .expression_attribute_values(":room", n(room.get()))
            .build()
            .expect("table, key and expression are given")
    }

    /// For the transaction that finds that a payout of `sent_at` certainly did not leave. That is when its permit was
    /// given, so it takes back what that day has counted, and needs no floor.
    pub(crate) fn not_paid_out(&self, amount: Kes, sent_at: Timestamp) -> Update {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(day_key(sent_at).attributes()))
            .update_expression("ADD paid :amount")
            .expression_attribute_values(":amount", n(-amount.get()))
            .build()
            .expect("table, key and expression are given")
    }

    /// A condition that never holds.
    fn never(&self) -> TransactWriteItem {
        let check = ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(Key::new("APPROVAL#none", "APPROVAL").attributes()))
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(pk)");
        let check = check.build().expect("table, key and condition are given");
        TransactWriteItem::builder().condition_check(check).build()
    }
}

fn update(update: Update) -> TransactWriteItem {
    TransactWriteItem::builder().update(update).build()
}
