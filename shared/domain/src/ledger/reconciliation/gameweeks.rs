//! What is told to everybody of the last gameweeks: entries, prizes, fees, and how long a withdrawal took.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{CategoryTotal, Figure, Scope, Totals};
use crate::{GameweekId, Kes};

/// A gameweek, from its deadline to the next one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameweekWindow {
    pub id: GameweekId,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// What moved in a gameweek.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameweekTotals {
    pub entries: CategoryTotal,
    pub prizes: Kes,
    pub refunds: CategoryTotal,
    pub fees: Kes,
    pub rounding: Kes,
    /// How many of the withdrawals that were asked for in it took at most so many minutes.
    payouts: BTreeMap<u32, u64>,
}

impl GameweekTotals {
    pub(super) fn add(&mut self, figure: Figure, amount: Kes) {
        match figure {
            Figure::Entries => self.entries.add(amount),
            Figure::Refunds => self.refunds.add(amount),
            Figure::Prizes => self.prizes = self.prizes + amount,
            Figure::Fees => self.fees = self.fees + amount,
            Figure::Rounding => self.rounding = self.rounding + amount,
            Figure::Deposits | Figure::Withdrawals => {}
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.entries.merge(other.entries);
        self.refunds.merge(other.refunds);
        self.prizes = self.prizes + other.prizes;
        self.fees = self.fees + other.fees;
        self.rounding = self.rounding + other.rounding;
        for (minutes, count) in other.payouts {
            *self.payouts.entry(minutes).or_default() += count;
        }
    }

    /// How many withdrawals that were asked for in it are paid.
    #[must_use]
    pub fn payouts(&self) -> u64 {
        self.payouts.values().sum()
    }

    /// Half of the payouts took at most so many minutes.
    #[must_use]
    pub fn median_minutes(&self) -> Option<u32> {
        let half = self.payouts().div_ceil(2);
        let mut seen = 0;
        self.payouts.iter().find_map(|(minutes, count)| {
            seen += count;
            (seen >= half && half > 0).then_some(*minutes)
        })
    }
}

/// The totals of the gameweek that a posting's id begins with, where it is one of the scope's.
pub(super) fn of_posting<'a>(
    gameweeks: &'a mut BTreeMap<GameweekId, GameweekTotals>,
    scope: &Scope,
    id: &str,
) -> Option<&'a mut GameweekTotals> {
    let id: GameweekId = id.get(..7)?.parse().ok()?;
    scope.gameweeks.iter().any(|window| window.id == id).then(|| gameweeks.entry(id).or_default())
}

/// So many minutes, counted up to a step that is small beside them.
fn rounded_up(took: SignedDuration) -> u32 {
    let minutes = u32::try_from(took.as_mins().max(0)).unwrap_or(u32::MAX - 360).max(1);
    let step = match minutes {
        0..10 => 1,
        10..120 => 5,
        120..1440 => 30,
        _ => 360,
    };
    minutes.div_ceil(step) * step
}

impl Totals {
    /// A withdrawal that was asked for and is paid.
    pub fn paid_out(&mut self, scope: &Scope, asked: Timestamp, paid: Timestamp) {
        if paid >= scope.as_of {
            return;
        }
        let window = scope.gameweeks.iter().find(|window| (window.from..window.until).contains(&asked));
        let Some(window) = window else { return };
        let totals = self.gameweeks.entry(window.id).or_default();
        *totals.payouts.entry(rounded_up(paid.duration_since(asked))).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;

    use super::*;

    const GAMEWEEK: GameweekId = GameweekId { season: 2026, number: 3 };

    #[test]
    fn the_totals_of_two_parts_are_those_of_both() {
        let mut part =
            GameweekTotals { payouts: BTreeMap::from([(5, 1), (30, 2)]), ..GameweekTotals::default() };
        for (figure, amount) in [
            (Figure::Entries, 50),
            (Figure::Prizes, 30),
            (Figure::Refunds, 10),
            (Figure::Fees, 7),
            (Figure::Rounding, 1),
        ] {
            part.add(figure, Kes::new(amount));
        }
        let mut whole = GameweekTotals::default();
        whole.merge(part.clone());
        whole.merge(part);
        let expected = GameweekTotals {
            entries: CategoryTotal(Kes::new(100), 2),
            prizes: Kes::new(60),
            refunds: CategoryTotal(Kes::new(20), 2),
            fees: Kes::new(14),
            rounding: Kes::new(2),
            payouts: BTreeMap::from([(5, 2), (30, 4)]),
        };
        assert_eq!(whole, expected);
    }

    /// Minutes at which a withdrawal was asked for and paid; the gameweek is from 100 to 200, and is read at 1000.
    #[test]
    fn a_withdrawal_counts_where_it_was_asked_for_once_it_is_paid() {
        let at = |minutes| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let scope = Scope {
            as_of: at(1000),
            float_at: None,
            float_takes_in: true,
            suspects: BTreeSet::new(),
            gameweeks: vec![GameweekWindow { id: GAMEWEEK, from: at(100), until: at(200) }],
        };
        let mut totals = Totals::default();
        for (asked, paid) in [(99, 150), (100, 103), (150, 153), (199, 999), (199, 1000), (200, 210)] {
            totals.paid_out(&scope, at(asked), at(paid));
        }
        let told = &totals.gameweeks[&GAMEWEEK];
        assert_eq!(told.payouts, BTreeMap::from([(3, 2), (810, 1)]));
        assert_eq!(told.payouts(), 3);
    }

    #[rstest]
    #[case(0, 1)]
    #[case(9, 9)]
    #[case(11, 15)]
    #[case(119, 120)]
    #[case(121, 150)]
    #[case(1441, 1800)]
    #[case(1_000_000_000, 1_000_000_080)]
    #[case(5_000_000_000, 4_294_967_040)]
    fn minutes_are_counted_up(#[case] minutes: i64, #[case] counted: u32) {
        assert_eq!(rounded_up(SignedDuration::from_mins(minutes)), counted);
    }

    #[rstest]
    #[case(&[], None)]
    #[case(&[(5, 1)], Some(5))]
    #[case(&[(1, 2), (30, 2)], Some(1))]
    #[case(&[(1, 2), (30, 3)], Some(30))]
    fn half_took_at_most_the_median(#[case] payouts: &[(u32, u64)], #[case] median: Option<u32>) {
        let totals = GameweekTotals { payouts: payouts.iter().copied().collect(), ..Default::default() };
        assert_eq!(totals.median_minutes(), median);
    }
}
