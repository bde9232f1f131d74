//! Limits that players set themselves: what they pay in, stake and lose in a day, week or month of Kenya (docs/decisions.md,
//! "Limits that a player sets"). What is used of them is kept with them, and changes with each posting.

mod limit;
mod month;

use jiff::{SignedDuration, Timestamp, civil::Date};
pub use limit::{DatedMovement, OwnLimit, Period};
pub use month::MonthSoFar;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::Kes;

/// A higher limit can be confirmed after so long.
pub const RAISED_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// And is forgotten where it is not confirmed within this: one cannot be kept ready for a bad moment.
const RAISE_GOOD_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Room that is held for a prompt is free again after so long, whatever became of the prompt.
const HELD_FOR: SignedDuration = SignedDuration::from_hours(24);
/// The highest limit, in KES.
pub const HIGHEST: Kes = Kes::new(10_000_000);

/// What somebody is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spending {
    /// By a prompt, to stay in the wallet.
    Deposit,
    /// Out of the wallet.
    Entry,
    /// By a prompt: it is paid in and staked.
    PaidEntry,
}

/// What a prompt is about to spend. With excise more is paid in than an entry stakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spends {
    pub spending: Spending,
    pub paid_in: Kes,
    pub staked: Kes,
}

impl Spends {
    /// Where both are the same.
    #[must_use]
    pub fn of(spending: Spending, amount: Kes) -> Self {
        Self { spending, paid_in: amount, staked: amount }
    }

    /// What of it counts against a limit.
    fn against(self, limit: OwnLimit) -> Kes {
        match self.spending.is_held_by(limit) {
            false => Kes::ZERO,
            true if limit.is_of_deposits() => self.paid_in,
            true => self.staked,
        }
    }
}

impl Spending {
    fn is_held_by(self, limit: OwnLimit) -> bool {
        match self {
            Self::Deposit => limit.is_of_deposits(),
            Self::Entry => !limit.is_of_deposits(),
            Self::PaidEntry => true,
        }
    }
}

/// A limit stands in the way; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "This is more than your own limit of {amount} {} allows: {left} is left. The next period begins on {}.",
    limit.name(),
    next.strftime("%-d %B %Y")
)]
pub struct LimitReached {
    pub limit: OwnLimit,
    pub amount: Kes,
    pub left: Kes,
    /// The day, in Kenya, on which all of it is free again.
    pub next: Date,
}

/// Why a higher limit does not begin to count; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RaiseError {
    #[error("There is no higher limit to confirm. Ask for it first.")]
    NothingAsked,
    #[error("A higher limit can be confirmed 24 hours after you asked for it.")]
    TooEarly,
}

/// That there is no such limit, or none of this amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("A limit is a whole number of shillings from 0 to 10,000,000, or none.")]
pub struct NotALimit;

/// `amount` as a limit.
///
/// # Errors
/// It is below zero, or more than [`HIGHEST`].
pub fn check_amount(amount: Kes) -> Result<Kes, NotALimit> {
    if (Kes::ZERO..=HIGHEST).contains(&amount) { Ok(amount) } else { Err(NotALimit) }
}

/// A higher limit, or none any more, that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raise {
    /// `None`: no limit.
    pub to: Option<Kes>,
    /// From when on it can be confirmed.
    pub from: Timestamp,
}

/// One limit, and what is used of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Slot {
    limit: OwnLimit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount: Option<Kes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raise: Option<Raise>,
    /// Whether `amount` was a raise that was confirmed: confirmed again it stays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    confirmed: bool,
    /// The period that `used` is of.
    since: Date,
    used: Kes,
}

/// Room that is held for a prompt which was sent: once paid it is never refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Held {
    payment: String,
    spending: Spending,
    /// What is paid in.
    amount: Kes,
    /// Where it is less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    staked: Option<Kes>,
    at: Timestamp,
}

/// A player's limits, with what is used of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLimits {
    /// How often they were written.
    version: u64,
    slots: Vec<Slot>,
    #[serde(default)]
    held: Vec<Held>,
}

impl OwnLimits {
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    #[must_use]
    pub fn amount(&self, limit: OwnLimit) -> Option<Kes> {
        self.slot(limit)?.amount
    }

    /// One that waits, or can be confirmed.
    #[must_use]
    pub fn raise(&self, limit: OwnLimit, now: Timestamp) -> Option<Raise> {
        Self::open_raise(self.slot(limit)?, now)
    }

    /// One that can still be confirmed.
    fn open_raise(slot: &Slot, now: Timestamp) -> Option<Raise> {
        slot.raise.filter(|raise| now < raise.from + RAISE_GOOD_FOR)
    }

    /// What is used in the current period, with what is held for prompts. Of a loss below nothing: won.
    #[must_use]
    pub fn used(&self, limit: OwnLimit, now: Timestamp) -> Kes {
        self.used_but_for(limit, None, now)
    }

    fn used_but_for(&self, limit: OwnLimit, payment: Option<&str>, now: Timestamp) -> Kes {
        let start = limit.period().start(now);
        let used = self.slot(limit).filter(|slot| slot.since >= start).map_or(Kes::ZERO, |slot| slot.used);
        let held = self.held.iter().filter(|held| held.is_good(now));
        let held = held.filter(|held| Some(held.payment.as_str()) != payment);
        used + held.map(|held| held.spends().against(limit)).sum()
    }

    /// What is left of a limit, where there is one.
    #[must_use]
    pub fn left(&self, limit: OwnLimit, now: Timestamp) -> Option<Kes> {
        Some((self.amount(limit)? - self.used(limit, now)).max(Kes::ZERO))
    }

    /// The same limits with what `movements`, all of the wallet's, have used of them.
    #[must_use]
    pub fn reckoned<'a>(
        mut self,
        movements: impl Iterator<Item = DatedMovement<'a>> + Clone,
        now: Timestamp,
    ) -> Self {
        self.slots = OwnLimit::VARIANTS
            .iter()
            .map(|limit| {
                let since = limit.period().start(now);
                let current = movements.clone().filter(|one| limit.period().start(one.at) == since);
                let used = current.map(|movement| limit.used_by(&movement)).sum();
                let kept = self.slot(*limit).copied().unwrap_or(Slot::unset(*limit, now));
                Slot { since, used, ..kept }
            })
            .collect();
        self.written(now)
    }

    /// Counts a movement of the wallet. What was held for the prompt that paid it is free.
    #[must_use]
    pub fn booked(mut self, movement: DatedMovement<'_>) -> Self {
        if let Some(payment) = movement.cause.strip_prefix("deposit#") {
            self.held.retain(|held| held.payment != payment);
        }
        for slot in &mut self.slots {
            let since = slot.limit.period().start(movement.at);
            if since > slot.since {
                (slot.since, slot.used) = (since, Kes::ZERO);
            }
            if since == slot.since {
                slot.used = slot.used + slot.limit.used_by(&movement);
            }
        }
        self.written(movement.at)
    }

    /// Whether `amount` may be spent.
    ///
    /// # Errors
    /// A limit has less than that left: the first such one.
    pub fn check(&self, spending: Spending, amount: Kes, now: Timestamp) -> Result<(), LimitReached> {
        self.check_each(Spends::of(spending, amount), now)
    }

    fn check_each(&self, spends: Spends, now: Timestamp) -> Result<(), LimitReached> {
        for slot in self.slots.iter().filter(|slot| spends.spending.is_held_by(slot.limit)) {
            let Some(most) = slot.amount else { continue };
            if self.used(slot.limit, now) + spends.against(slot.limit) > most {
                let left = (most - self.used(slot.limit, now)).max(Kes::ZERO);
                let next = slot.limit.period().next(now);
                return Err(LimitReached { limit: slot.limit, amount: most, left, next });
            }
        }
        Ok(())
    }

    /// Whether the entry may be made that `payment` has paid: it may where room was held for it.
    ///
    /// # Errors
    /// No room is held for it, and a limit of entries has less than `amount` left.
    pub fn check_paid(&self, payment: &str, amount: Kes, now: Timestamp) -> Result<(), LimitReached> {
        if self.held.iter().any(|held| held.payment == payment && held.is_good(now)) {
            return Ok(());
        }
        self.check(Spending::Entry, amount, now)
    }

    /// Holds room for a prompt.
    ///
    /// # Errors
    /// A limit has less left than the prompt would use: the first such one.
    pub fn hold(mut self, payment: &str, spends: Spends, now: Timestamp) -> Result<Self, LimitReached> {
        self.check_each(spends, now)?;
        let Spends { spending, paid_in: amount, staked } = spends;
        let staked = (staked != amount).then_some(staked);
        self.held.push(Held { payment: payment.to_owned(), spending, amount, staked, at: now });
        Ok(self.written(now))
    }

    /// Gives the room back that was held for a prompt. `None`: none was.
    #[must_use]
    pub fn released(mut self, payment: &str, now: Timestamp) -> Option<Self> {
        let before = self.held.len();
        self.held.retain(|held| held.payment != payment);
        (self.held.len() < before).then(|| self.written(now))
    }

    /// Sets a limit: a lower one, or a first one, counts at once and takes the place of a higher one that was asked for; a
    /// higher one, or none, waits to be confirmed. Asked for again it waits no longer than before.
    #[must_use]
    pub fn set(mut self, limit: OwnLimit, to: Option<Kes>, now: Timestamp) -> Self {
        let slot = self.slot_mut(limit, now);
        slot.confirmed = false;
        let raises = match (slot.amount, to) {
            (Some(amount), Some(to)) => to > amount,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if !raises {
            (slot.amount, slot.raise) = (to, None);
        } else if Self::open_raise(slot, now).is_none_or(|raise| raise.to != to) {
            slot.raise = Some(Raise { to, from: now + RAISED_AFTER });
        }
        self.written(now)
    }

    /// Puts a higher limit in force that was asked for a day ago. Said again, it is in force.
    ///
    /// # Errors
    /// No higher limit waits to be confirmed, or it was asked for less than a day ago.
    pub fn confirm(mut self, limit: OwnLimit, now: Timestamp) -> Result<Self, RaiseError> {
        let slot = self.slot_mut(limit, now);
        match Self::open_raise(slot, now) {
            Some(raise) if now < raise.from => return Err(RaiseError::TooEarly),
            Some(raise) => (slot.amount, slot.raise, slot.confirmed) = (raise.to, None, true),
            None if slot.confirmed => {}
            None => return Err(RaiseError::NothingAsked),
        }
        Ok(self.written(now))
    }

    fn slot(&self, limit: OwnLimit) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.limit == limit)
    }

    fn slot_mut(&mut self, limit: OwnLimit, now: Timestamp) -> &mut Slot {
        let at = self.slots.iter().position(|slot| slot.limit == limit).unwrap_or_else(|| {
            self.slots.push(Slot::unset(limit, now));
            self.slots.len() - 1
        });
        &mut self.slots[at]
    }

    fn written(mut self, now: Timestamp) -> Self {
        self.version += 1;
        self.held.retain(|held| held.is_good(now));
        self
    }
}

impl Slot {
    /// No limit, and nothing used of it.
    fn unset(limit: OwnLimit, now: Timestamp) -> Self {
        let since = limit.period().start(now);
        Self { limit, amount: None, raise: None, confirmed: false, since, used: Kes::ZERO }
    }
}

impl Held {
    fn spends(&self) -> Spends {
        let staked = self.staked.unwrap_or(self.amount);
        Spends { spending: self.spending, paid_in: self.amount, staked }
    }

    fn is_good(&self, now: Timestamp) -> bool {
        now < self.at + HELD_FOR
    }
}

#[cfg(test)]
mod tests;
