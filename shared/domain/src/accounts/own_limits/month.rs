//! What a month has brought so far, for its player to see.

use std::collections::HashSet;

use jiff::Timestamp;

use super::limit::{DatedMovement, Period, is_paid_in};
use crate::Kes;

/// What has happened to a wallet in a month of Kenya.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MonthSoFar {
    pub paid_in: Kes,
    pub staked: Kes,
    pub refunded: Kes,
    pub won: Kes,
    /// What was asked for in it and has not come back in it.
    pub taken_out: Kes,
}

impl MonthSoFar {
    /// Of the month that `now` is in.
    #[must_use]
    pub fn of<'a>(movements: impl Iterator<Item = DatedMovement<'a>>, now: Timestamp) -> Self {
        let month = Period::Month.start(now);
        let of_month: Vec<_> =
            movements.filter(|movement| Period::Month.start(movement.at) == month).collect();
        let asked: HashSet<&str> =
            of_month.iter().filter_map(|movement| movement.cause.strip_prefix("withdrawal#")).collect();
        let mut so_far = Self::default();
        for movement in of_month {
            let change = movement.change;
            match movement.kind() {
                kind if is_paid_in(kind) => so_far.paid_in = so_far.paid_in + change,
                "entry" => so_far.staked = so_far.staked - change,
                "refund" => so_far.refunded = so_far.refunded + change,
                "prize" => so_far.won = so_far.won + change,
                "withdrawal" => so_far.taken_out = so_far.taken_out - change,
                // What was asked for before counted then.
                "withdrawal-rejected" if asked.contains(movement.id()) => {
                    so_far.taken_out = so_far.taken_out - change;
                }
                _ => {}
            }
        }
        so_far
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_kenyas_and_what_came_back_counts_where_it_was_asked_for() {
        let (before, within, after) =
            ("2026-07-31T20:59:59Z", "2026-07-31T21:00:00Z", "2026-08-31T21:00:00Z");
        let movements = [
            ("deposit#1", 1_000, before),
            ("withdrawal#w1", -100, before),
            ("deposit#2", 500, within),
            ("manual#R1", 70, within),
            ("entry#2026-01", -50, within),
            ("entry#2026-02", -100, within),
            ("refund#2026-02", 100, within),
            ("prize#2026-01-50-00001", 450, within),
            ("withdrawal-rejected#w1", 100, within),
            ("withdrawal#w2", -200, within),
            ("withdrawal#w3", -60, within),
            ("withdrawal-rejected#w3", 60, within),
            ("correction#c", 5, within),
            ("deposit#3", 9, after),
        ];
        let dated = movements.map(|(cause, change, at)| {
            let at = at.parse().unwrap();
            DatedMovement { cause, change: Kes::new(change), at }
        });
        let expected = MonthSoFar {
            paid_in: Kes::new(570),
            staked: Kes::new(150),
            refunded: Kes::new(100),
            won: Kes::new(450),
            taken_out: Kes::new(200),
        };
        assert_eq!(MonthSoFar::of(dated.into_iter(), within.parse().unwrap()), expected);
    }
}
