//! The books, recomputed: every posting added up by account and by day, beside what the records of
//! payments and withdrawals say (docs/decisions.md, "The books are read whole, at night"). Adding up in parts, in any
//! order, gives the same.
//!
//! A day is the operator's: from midnight to midnight in Kenya.

mod compare;
mod float;
mod gameweeks;

use std::collections::{BTreeMap, BTreeSet};

pub use compare::{
    Difference, Kind, WalletSeen, WalletVerdict, compare, confirmed, has_new_difference, judge_wallet,
};
pub use float::{FloatSeen, FloatVerdict, judge_float};
pub use gameweeks::{GameweekTotals, GameweekWindow};
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    GameweekId, KENYA, Kes,
    ledger::postings::{EXCISE, Leg, WITHHOLDING},
};

/// What is younger than this when the books are read is left for the next time: a step that is under way
/// may still write it. No function runs as long.
pub const SETTLED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// All wallets together, as one account.
pub const WALLETS: &str = "wallets";
/// What all players owe together (negative), as one account.
pub const DEBTS: &str = "debts";

/// So many records of suspect days are kept apart in one part of the table. A day with more is told as a
/// whole.
const MOST_RECORDS: usize = 2_000;

/// What is shown for each day, in KES.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Deposits,
    Entries,
    Prizes,
    Fees,
    Rounding,
    Withdrawals,
    Refunds,
}

/// What our postings are held against, day by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Prompts that are credited.
    Prompts,
    /// Typed codes that are confirmed.
    #[serde(rename = "codes")]
    TypedCodes,
    /// Withdrawals that were asked for.
    Asked,
    /// Withdrawals whose money went back.
    Returned,
    /// Withdrawals that are paid.
    PaidOut,
}

impl Category {
    pub const ALL: [Self; 5] = [Self::Prompts, Self::TypedCodes, Self::Asked, Self::Returned, Self::PaidOut];
}

/// What one side of a category says: KES and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CategoryTotal(pub Kes, pub u64);

/// Our postings, and the records that they are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CategoryTotals {
    #[serde(rename = "b")]
    pub booked: CategoryTotal,
    #[serde(rename = "r")]
    pub recorded: CategoryTotal,
}

/// One day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DayTotals {
    #[serde(rename = "f")]
    figures: [Kes; 7],
    #[serde(rename = "l")]
    categories: [CategoryTotals; 5],
}

impl DayTotals {
    #[must_use]
    pub fn figure(&self, figure: Figure) -> Kes {
        self.figures[figure as usize]
    }

    #[must_use]
    pub fn category(&self, category: Category) -> CategoryTotals {
        self.categories[category as usize]
    }
}

/// What is read, and up to when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Postings and records from before this count.
    pub as_of: Timestamp,
    /// When M-Pesa told what is in our account, where it did.
    pub float_at: Option<Timestamp>,
    /// Whether what players pay comes into that account.
    pub float_takes_in: bool,
    /// Days whose categories did not agree: their records are kept apart.
    pub suspects: BTreeSet<(Category, Date)>,
    /// The last gameweeks, whose figures are told to everybody.
    pub gameweeks: Vec<GameweekWindow>,
}

/// A posting, as it is kept.
#[derive(Debug, Clone, Copy)]
pub struct Booked<'a> {
    /// Its kind, `#`, and what it is about.
    pub cause: &'a str,
    pub legs: &'a [Leg],
    pub at: Timestamp,
}

/// A record that a posting belongs to.
#[derive(Debug, Clone, Copy)]
pub struct CategoryRecord<'a> {
    pub category: Category,
    pub id: &'a str,
    pub amount: Kes,
    pub at: Timestamp,
}

/// What was added up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Totals {
    pub accounts: BTreeMap<String, Kes>,
    pub days: BTreeMap<Date, DayTotals>,
    pub wallets: u64,
    /// Of those, how many hold money as of the reading, and how many owe some.
    pub holders: u64,
    pub debtors: u64,
    /// Deposits of which excise was taken.
    pub excised: u64,
    /// Withdrawals of which withholding tax was kept back.
    pub withheld: u64,
    /// Of the scope's gameweeks.
    pub gameweeks: BTreeMap<GameweekId, GameweekTotals>,
    /// Wallets that moved whenever they were read again.
    pub moving: u64,
    /// Prompts that wait for an admin.
    pub set_asides: u64,
    /// What M-Pesa reports as paid with them, where it is in nobody's wallet.
    pub set_aside: CategoryTotal,
    /// Payments to the paybill of the last days that are in nobody's wallet.
    pub unclaimed: CategoryTotal,
    /// Those of them that are in `set_aside` too.
    pub unclaimed_set_aside: CategoryTotal,
    /// What our account with M-Pesa should hold by the books when M-Pesa told what it holds.
    pub float: Kes,
    /// What may be on its way just then, either way.
    pub uncertain: Kes,
    /// By day and category, each record's two sides, where the day does not agree.
    suspects: Vec<SuspectDay>,
}

/// A category of a day that does not agree: each record's two sides, booked and recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SuspectDay {
    #[serde(rename = "line")]
    category: Category,
    date: Date,
    records: BTreeMap<String, (Kes, Kes)>,
    /// Not all of them are here.
    cut: bool,
}

/// The day, in Kenya, of an instant.
#[must_use]
pub fn day_of(at: Timestamp) -> Date {
    KENYA.to_datetime(at).date()
}

impl Totals {
    /// Adds a posting. One whose legs do not sum to zero is a difference of its own.
    pub fn add_posting(&mut self, scope: &Scope, posting: Booked<'_>) -> Option<Difference> {
        let sum: Kes = posting.legs.iter().map(|leg| leg.amount).sum();
        if posting.at < scope.as_of {
            self.book(scope, posting);
        }
        for leg in posting.legs {
            if leg.account == "mpesa:out" || (scope.float_takes_in && leg.account == "mpesa:in") {
                self.move_float(scope, posting.at, -leg.amount);
            }
        }
        (sum != Kes::ZERO).then(|| Difference::of(Kind::Posting, posting.cause, 0, sum.get()))
    }

    fn book(&mut self, scope: &Scope, posting: Booked<'_>) {
        let (kind, id) = posting.cause.split_once('#').unwrap_or((posting.cause, ""));
        let date = day_of(posting.at);
        let mut to_wallet = Kes::ZERO;
        for leg in posting.legs {
            let name = match leg.account.split_once(':') {
                Some(("wallet", _)) => WALLETS,
                Some(("debt", _)) => DEBTS,
                _ => leg.account.as_str(),
            };
            to_wallet = if name == WALLETS { to_wallet + leg.amount } else { to_wallet };
            let account = self.accounts.entry(name.to_owned()).or_default();
            *account = *account + leg.amount;
        }
        let on = |name: &str| -> Kes {
            posting.legs.iter().filter(|leg| leg.account == name).map(|leg| leg.amount).sum()
        };
        let paid_in = -on("mpesa:in");
        self.excised += u64::from(on(EXCISE).is_positive());
        self.withheld += u64::from(on(WITHHOLDING).is_positive());
        let figures: &[(Figure, Kes)] = match kind {
            "deposit" | "manual" | "paybill" => &[(Figure::Deposits, paid_in)],
            "entry" => &[(Figure::Entries, -to_wallet)],
            "prize" => &[(Figure::Prizes, to_wallet)],
            "refund" => &[(Figure::Refunds, to_wallet)],
            "fee" => &[(Figure::Fees, on("fees")), (Figure::Rounding, on("rounding"))],
            // Also what M-Pesa has said of a payout after its end; a correction by hand has no such leg.
            "withdrawal-done" | "correction" => &[(Figure::Withdrawals, on("mpesa:out"))],
            _ => &[],
        };
        let day = self.days.entry(date).or_default();
        for (figure, amount) in figures {
            if let Some(totals) = gameweeks::of_posting(&mut self.gameweeks, scope, id) {
                totals.add(*figure, *amount);
            }
            day.figures[*figure as usize] = day.figures[*figure as usize] + *amount;
        }
        let category = match kind {
            "deposit" => Some((Category::Prompts, paid_in)),
            "manual" => Some((Category::TypedCodes, paid_in)),
            "withdrawal" => Some((Category::Asked, -to_wallet)),
            "withdrawal-rejected" => Some((Category::Returned, to_wallet)),
            "withdrawal-done" => Some((Category::PaidOut, on("mpesa:out"))),
            _ => None,
        };
        let Some((category, amount)) = category else { return };
        day.categories[category as usize].booked.add(amount);
        if let Some(both) = self.suspect(scope, category, date, id) {
            both.0 = both.0 + amount;
        }
    }

    /// Adds the record of a payment or a withdrawal.
    pub fn add_record(&mut self, scope: &Scope, record: CategoryRecord<'_>) {
        if record.at >= scope.as_of {
            return;
        }
        let date = day_of(record.at);
        self.days.entry(date).or_default().categories[record.category as usize].recorded.add(record.amount);
        if let Some(both) = self.suspect(scope, record.category, date, record.id) {
            both.1 = both.1 + record.amount;
        }
    }

    fn suspect(
        &mut self,
        scope: &Scope,
        category: Category,
        date: Date,
        id: &str,
    ) -> Option<&mut (Kes, Kes)> {
        if !scope.suspects.contains(&(category, date)) {
            return None;
        }
        let kept: usize = self.suspects.iter().map(|day| day.records.len()).sum();
        let day = self.suspect_day(category, date);
        if kept >= MOST_RECORDS && !day.records.contains_key(id) {
            day.cut = true;
            return None;
        }
        Some(day.records.entry(id.to_owned()).or_default())
    }

    fn suspect_day(&mut self, category: Category, date: Date) -> &mut SuspectDay {
        let place = self.suspects.iter().position(|day| (day.category, day.date) == (category, date));
        let place = place.unwrap_or_else(|| {
            self.suspects.push(SuspectDay { category, date, records: BTreeMap::new(), cut: false });
            self.suspects.len() - 1
        });
        &mut self.suspects[place]
    }

    /// Adds what was added up elsewhere.
    pub fn merge(&mut self, other: Self) {
        for (name, amount) in other.accounts {
            let account = self.accounts.entry(name).or_default();
            *account = *account + amount;
        }
        for (date, theirs) in other.days {
            self.days.entry(date).or_default().merge(theirs);
        }
        for day in other.suspects {
            let own = self.suspect_day(day.category, day.date);
            own.cut |= day.cut;
            for (id, (booked, recorded)) in day.records {
                let both = own.records.entry(id).or_default();
                *both = (both.0 + booked, both.1 + recorded);
            }
        }
        self.wallets += other.wallets;
        self.holders += other.holders;
        self.debtors += other.debtors;
        self.excised += other.excised;
        self.withheld += other.withheld;
        for (id, theirs) in other.gameweeks {
            self.gameweeks.entry(id).or_default().merge(theirs);
        }
        self.moving += other.moving;
        self.set_asides += other.set_asides;
        self.set_aside.merge(other.set_aside);
        self.unclaimed.merge(other.unclaimed);
        self.unclaimed_set_aside.merge(other.unclaimed_set_aside);
        self.float = self.float + other.float;
        self.uncertain = self.uncertain + other.uncertain;
    }

    /// Payments to the paybill of the last days that are in nobody's wallet, without those that are set aside.
    #[must_use]
    pub fn unclaimed_beside_set_aside(&self) -> CategoryTotal {
        let CategoryTotal(amount, count) = self.unclaimed_set_aside;
        CategoryTotal(self.unclaimed.0 - amount, self.unclaimed.1.saturating_sub(count))
    }

    /// The records of a suspect day that do not agree, each with what is booked and what is recorded; none
    /// where there are too many to be told apart.
    #[must_use]
    pub fn culprits(&self, category: Category, date: Date) -> Vec<(&str, Kes, Kes)> {
        let of_day =
            self.suspects.iter().filter(|day| (day.category, day.date) == (category, date) && !day.cut);
        let records = of_day.flat_map(|day| &day.records);
        let differing = records.filter(|(_, (booked, recorded))| booked != recorded);
        differing.map(|(id, (booked, recorded))| (id.as_str(), *booked, *recorded)).collect()
    }
}

impl DayTotals {
    fn merge(&mut self, other: Self) {
        for (own, theirs) in self.figures.iter_mut().zip(other.figures) {
            *own = *own + theirs;
        }
        for (own, theirs) in self.categories.iter_mut().zip(other.categories) {
            own.booked.merge(theirs.booked);
            own.recorded.merge(theirs.recorded);
        }
    }
}

impl CategoryTotal {
    pub fn add(&mut self, amount: Kes) {
        self.merge(Self(amount, 1));
    }

    fn merge(&mut self, other: Self) {
        *self = Self(self.0 + other.0, self.1 + other.1);
    }
}

#[cfg(test)]
mod tests;
