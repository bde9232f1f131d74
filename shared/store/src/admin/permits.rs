//! What an admin's act carries into its own transaction beside its record
//! (docs/decisions.md, "What an admin may do, and what carries it"): the approval that it is done by, what is
//! summed of acts without one (`SUM#…/SUM`), and what is paid out in a day (`PAIDOUT#day/PAIDOUT`). Whatever the
//! act is, these are written with it or not at all.

use domain::{
    KENYA, Kes, MpesaPhone, UserId,
    admin::approvals::{Sum, UnapprovedAct},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Store, StoreError,
    admin::who::Who,
    platform::{
        conditions::{absent, at_most, exists},
        table::Key,
        writes::{Check, Put, Update, Write},
    },
    time_ordered_id,
};

pub use crate::platform::error::Withheld;

/// Leave for one act of an admin, with what has to hold when it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The id of the act's record.
    pub act: String,
    /// Whose act it is: who has proposed it, where another has approved it.
    pub who: Who,
    pub by: By,
    /// The number that the money goes to or came from, as far as it was known when this was granted.
    pub number: Option<MpesaPhone>,
    /// What it pays out, where it does.
    pub paid_out: Option<DailyPayout>,
}

impl Permit {
    /// Leave without conditions: for what moves no money.
    #[must_use]
    pub fn plain(who: Who, at: Timestamp) -> Self {
        Self { act: time_ordered_id(at), who, by: By::One(Vec::new()), number: None, paid_out: None }
    }

    /// Leave for a step that comes before the act itself and has a record of its own. Its proposal and its admins are checked
    /// as the act's are, but the step uses no approval and counts in no sum: the act does.
    #[must_use]
    pub fn for_earlier_step(&self, at: Timestamp) -> Self {
        let by = match &self.by {
            By::One(_) => By::One(Vec::new()),
            By::Approval(approved) | By::UnusedApproval(approved) => By::UnusedApproval(approved.clone()),
            By::Nobody => By::Nobody,
        };
        Self { by, ..Self::plain(self.who.clone(), at) }
    }
}

/// By what it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// One admin alone, and how that is summed.
    One(Vec<CountedSum>),
    /// Another admin's approval.
    Approval(Approved),
    /// Another admin's approval, for a step before the act that uses it: the proposal has to wait still, and goes on waiting.
    UnusedApproval(Approved),
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
pub struct DailyPayout {
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
pub struct CountedSum {
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

fn day_key(at: Timestamp) -> Key {
    Key::new(format!("PAIDOUT#{}", KENYA.to_datetime(at).strftime("%Y-%m-%d")), "PAIDOUT")
}

impl Store {
    /// A sum as it is with one more act in it.
    pub async fn counted(&self, of: SumOf, one: &UnapprovedAct) -> Result<CountedSum, StoreError> {
        let stored: Option<Stored> = self.get("sum", of.key()).await?;
        let seen = stored.as_ref().map(|stored| stored.version);
        let sum = stored.unwrap_or_default().done.with(one.clone());
        Ok(CountedSum { of, seen, sum })
    }

    /// What was paid out so far on the day of Kenya that `at` is on.
    pub async fn paid_out_on(&self, at: Timestamp) -> Result<Kes, StoreError> {
        #[derive(Deserialize)]
        struct Day {
            paid: Kes,
        }
        Ok(self.get::<Day>("day's payouts", day_key(at)).await?.map(|day| day.paid).unwrap_or_default())
    }

    /// Takes `amount` off the day's sum of payouts, for the transaction that finds that a payout certainly did not
    /// leave. `sent_at` is when its permit added the amount, so the right day is reduced and never falls below zero.
    pub(crate) fn not_paid_out(&self, amount: Kes, sent_at: Timestamp) -> Update {
        Update::of(day_key(sent_at)).add("paid", -amount)
    }

    /// What the transaction of an act has to write beside its record.
    pub(super) fn beside(&self, permit: &Permit) -> Vec<(Write, Withheld)> {
        let mut writes: Vec<(Write, Withheld)> = match &permit.by {
            By::One(counted) => counted.iter().map(|one| (counting_in(one), Withheld::SumMoved)).collect(),
            By::UnusedApproval(approved) => {
                vec![(Write::Check(self.still_waits(approved)), Withheld::NotWaiting)]
            }
            By::Approval(approved) => vec![(Write::Update(self.approved(approved)), Withheld::NotWaiting)],
            By::Nobody => vec![(never(), Withheld::NotApproved)],
        };
        if let Some(paid_out) = &permit.paid_out {
            writes.push((Write::Update(paying_out(paid_out)), Withheld::Ceiling));
        }
        // Who has lost the role while the act was under way moves nothing, nor does what they have proposed.
        let approver = match &permit.by {
            By::Approval(approved) | By::UnusedApproval(approved) => Some(&approved.by),
            By::One(_) | By::Nobody => None,
        };
        let admins = [Some(&permit.who), approver].into_iter().flatten().filter_map(Who::person);
        writes.extend(admins.map(|(id, _)| (Write::Check(self.may_act(id)), Withheld::NotAdmin)));
        writes
    }
}

fn counting_in(counted: &CountedSum) -> Write {
    let ttl = counted.sum.ends().map_or(0, |ends| ends.as_second() + 1);
    let version = counted.seen.unwrap_or(0) + 1;
    let item = counted.of.key().item(&Stored { version, done: counted.sum.clone(), ttl });
    Write::Put(Put::over_version(item, counted.seen))
}

fn paying_out(paid_out: &DailyPayout) -> Update {
    let room = paid_out.most - paid_out.amount;
    let first = absent("paid");
    let within = at_most("paid", room);
    Update::of(day_key(paid_out.at)).add("paid", paid_out.amount).only_if(if room < Kes::ZERO {
        within
    } else {
        first.or(within)
    })
}

/// A condition that never holds.
fn never() -> Write {
    let nowhere = Key::new("APPROVAL#none", "APPROVAL");
    Write::Check(Check::that(nowhere, exists("pk").and(absent("pk"))))
}
