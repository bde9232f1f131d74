//! When a second admin is wanted for what moves money, and what was done without one lately
//! (docs/decisions.md, "What an admin may do, and what carries it").

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Kes;

/// What is done without a second admin is summed over so long.
pub const SUMMED_OVER: SignedDuration = SignedDuration::from_hours(24);
/// A proposal can be approved for so long.
pub const PROPOSAL_LASTS: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Whoever approves has been an admin for so long.
pub const ADMIN_FOR: SignedDuration = SignedDuration::from_hours(24);

/// One act that no second admin has approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnapprovedAct {
    /// What it was on: done again on the same, it takes the place of the one before.
    pub on: String,
    pub at: Timestamp,
    pub amount: Kes,
}

/// What was done lately without a second admin: by one admin, for one player, or to one number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(Vec<UnapprovedAct>);

impl Sum {
    /// What it is with `one` at its time.
    #[must_use]
    pub fn with(&self, one: UnapprovedAct) -> Self {
        let counts = |done: &&UnapprovedAct| done.on != one.on && one.at < done.at + SUMMED_OVER;
        let mut done: Vec<UnapprovedAct> = self.0.iter().filter(counts).cloned().collect();
        done.push(one);
        Self(done)
    }

    #[must_use]
    pub fn total(&self) -> Kes {
        Kes::new(self.0.iter().map(|done| done.amount.get()).sum())
    }

    /// When the last of it counts no more.
    #[must_use]
    pub fn ends(&self) -> Option<Timestamp> {
        self.0.iter().map(|done| done.at + SUMMED_OVER).max()
    }
}

/// Why a second admin is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum SecondAdminReason {
    #[error("Acts of this kind always need a second admin.")]
    Always,
    #[error("It is above the amount that one admin may move alone.")]
    Amount,
    #[error(
        "What the admin who asks for it has moved alone within 24 hours would pass the amount that one admin may."
    )]
    Admin,
    #[error("What was moved for this player within 24 hours would pass the amount that one admin may.")]
    Player,
    #[error("What was moved for this number within 24 hours would pass the amount that one admin may.")]
    Number,
}

/// Why a second admin is wanted for an act; `None`: one may do it alone. `most` is what one may move alone, at once
/// and in each of the sums, which are those with this act in them. The first reason is told.
pub fn second_admin_reason(
    always: bool,
    amount: Option<Kes>,
    sums: impl IntoIterator<Item = (SecondAdminReason, Kes)>,
    most: Kes,
) -> Option<SecondAdminReason> {
    let at_once = [
        always.then_some(SecondAdminReason::Always),
        amount.filter(|one| *one > most).map(|_| SecondAdminReason::Amount),
    ];
    let summed = sums.into_iter().filter(|(_, sum)| *sum > most).map(|(why, _)| why);
    at_once.into_iter().flatten().chain(summed).next()
}

/// Whether who is an admin since `since` may approve what another has proposed.
#[must_use]
pub fn may_approve(since: Option<Timestamp>, now: Timestamp) -> bool {
    since.is_some_and(|since| now >= since + ADMIN_FOR)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(hour: i64) -> Timestamp {
        "2026-08-20T09:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_hours(hour)
    }

    fn done(on: &str, hour: i64, amount: i64) -> UnapprovedAct {
        UnapprovedAct { on: on.to_owned(), at: at(hour), amount: Kes::new(amount) }
    }

    #[test]
    fn what_is_a_day_old_counts_no_more() {
        let sum = Sum::default().with(done("a", 0, 6000)).with(done("b", 1, 3000));
        assert_eq!(sum.total(), Kes::new(9000));
        assert_eq!(sum.with(done("c", 23, 500)).total(), Kes::new(9500));
        assert_eq!(sum.with(done("c", 24, 500)).total(), Kes::new(3500));
        assert_eq!(sum.with(done("c", 24, 500)).ends(), Some(at(48)));
    }

    #[test]
    fn the_same_again_counts_once() {
        let sum = Sum::default().with(done("a", 0, 6000)).with(done("a", 2, 6000));
        assert_eq!(sum.total(), Kes::new(6000));
    }

    #[rstest]
    #[case::small(false, Some(10_000), 10_000, 10_000, None)]
    #[case::large(false, Some(10_001), 0, 0, Some(SecondAdminReason::Amount))]
    #[case::in_steps(false, Some(1), 10_001, 0, Some(SecondAdminReason::Admin))]
    #[case::by_several_for_one_player(false, Some(1), 10_000, 10_001, Some(SecondAdminReason::Player))]
    #[case::the_first_reason_is_told(false, Some(10_001), 10_001, 10_001, Some(SecondAdminReason::Amount))]
    #[case::of_a_kind_that_always_needs_two(true, Some(1), 1, 1, Some(SecondAdminReason::Always))]
    #[case::always_whatever_the_amount(true, None, 0, 0, Some(SecondAdminReason::Always))]
    #[case::no_amount(false, None, 0, 0, None)]
    fn a_second_admin_is_wanted_above_what_one_may_move(
        #[case] always: bool,
        #[case] amount: Option<i64>,
        #[case] by_admin: i64,
        #[case] for_player: i64,
        #[case] why: Option<SecondAdminReason>,
    ) {
        let sums = [
            (SecondAdminReason::Admin, Kes::new(by_admin)),
            (SecondAdminReason::Player, Kes::new(for_player)),
        ];
        assert_eq!(second_admin_reason(always, amount.map(Kes::new), sums, Kes::new(10_000)), why);
    }

    #[test]
    fn who_approves_has_been_an_admin_for_a_day() {
        assert!(may_approve(Some(at(0)), at(24)));
        assert!(!may_approve(Some(at(1)), at(24)));
        assert!(!may_approve(None, at(24)));
    }
}
