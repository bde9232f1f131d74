//! A player's year: what went into the wallet and out of it, and why. A year is Kenya's calendar's.

use jiff::Timestamp;

use super::reconciliation::day_of;
use crate::Kes;

/// What moved the wallet in a year; negative where it gave. Opening and all that moved come to the closing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statement {
    /// What the wallet held as the year began.
    pub opening: Kes,
    /// What the player paid in by M-Pesa: the whole amounts.
    pub paid_in: Kes,
    /// The excise on what was paid in, less the excise on payments that M-Pesa has taken back.
    pub excise: Kes,
    pub staked: Kes,
    /// Entries given back.
    pub given_back: Kes,
    pub won: Kes,
    /// Withdrawals that were asked for, less those that came back.
    pub taken_out: Kes,
    /// Payments that M-Pesa has taken back: the whole amounts.
    pub reversed: Kes,
    /// What of that was not in the wallet any more: the player owes it, or the operator bears it.
    pub not_covered: Kes,
    /// What an admin corrected, or M-Pesa's later word on a payout.
    pub corrected: Kes,
    /// What paid a debt.
    pub debts_paid: Kes,
    pub closing: Kes,
    /// The withholding tax that was kept back of withdrawals, once M-Pesa had paid the rest.
    pub withheld: Kes,
    /// Entries that were paid for in the year.
    pub entries: u64,
}

/// What a posting of a player has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// What the wallet gained.
    pub gained: Kes,
    /// The excise that was taken with it (negative: given back).
    pub excise: Kes,
    /// What M-Pesa has taken back and was not in the wallet any more.
    pub not_covered: Kes,
}

impl Statement {
    /// Adds a posting of the player, with the kind of its cause (`Cause::kind`). `false`: no kind of ours.
    pub fn add(&mut self, year: i16, (kind, at): (&str, Timestamp), moved: Moved) -> bool {
        let Moved { gained, excise, not_covered } = moved;
        let of = day_of(at).year();
        if of < year {
            self.opening = self.opening + gained;
        }
        if of <= year {
            self.closing = self.closing + gained;
        }
        let mut elsewhere = Kes::ZERO;
        let line = match kind {
            "deposit" | "manual" | "paybill" => &mut self.paid_in,
            "entry" => &mut self.staked,
            "refund" => &mut self.given_back,
            "prize" => &mut self.won,
            "withdrawal" | "withdrawal-rejected" => &mut self.taken_out,
            "reversal" => &mut self.reversed,
            "correction" => &mut self.corrected,
            "debt-paid" => &mut self.debts_paid,
            _ => &mut elsewhere,
        };
        if of == year {
            *line = *line + gained + excise - not_covered;
            self.excise = self.excise - excise;
            self.not_covered = self.not_covered + not_covered;
            self.entries += u64::from(kind == "entry");
        }
        elsewhere == Kes::ZERO
    }

    /// Adds what was kept back of a withdrawal (negative: what was not, after all).
    pub fn withhold(&mut self, year: i16, at: Timestamp, amount: Kes) {
        if day_of(at).year() == year {
            self.withheld = self.withheld + amount;
        }
    }

    /// All that moved in the year.
    #[must_use]
    pub fn moved(&self) -> Kes {
        let lines = [
            self.paid_in,
            self.excise,
            self.staked,
            self.given_back,
            self.won,
            self.taken_out,
            self.reversed,
            self.not_covered,
            self.corrected,
            self.debts_paid,
        ];
        lines.into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [&str; 11] = [
        "deposit",
        "manual",
        "paybill",
        "entry",
        "refund",
        "prize",
        "withdrawal",
        "withdrawal-rejected",
        "reversal",
        "correction",
        "debt-paid",
    ];

    fn movement() -> impl Strategy<Value = (usize, i64, (i64, i64, i64))> {
        (0..KINDS.len(), 1_735_000_000..1_830_000_000_i64, (-1000..1000_i64, -50..50_i64, 0..1000_i64))
    }

    fn moved((gained, excise, not_covered): (i64, i64, i64)) -> Moved {
        Moved { gained: Kes::new(gained), excise: Kes::new(excise), not_covered: Kes::new(not_covered) }
    }

    proptest! {
        #[test]
        fn opening_and_what_moved_come_to_the_closing(movements in prop::collection::vec(movement(), 0..60)) {
            let of = |year| {
                let mut statement = Statement::default();
                for (kind, at, amounts) in &movements {
                    let at = Timestamp::from_second(*at).unwrap();
                    prop_assert!(statement.add(year, (KINDS[*kind], at), moved(*amounts)));
                }
                prop_assert_eq!(statement.opening + statement.moved(), statement.closing);
                Ok(statement)
            };
            prop_assert_eq!(of(2025)?.closing, of(2026)?.opening);
            prop_assert_eq!(of(2026)?.closing, of(2027)?.opening);
        }
    }

    #[test]
    fn a_year_begins_at_kenyas_midnight() {
        let mut statement = Statement::default();
        for (at, gained) in
            [("2025-12-31T20:59:59Z", 1), ("2025-12-31T21:00:00Z", 20), ("2026-12-31T21:00:00Z", 300)]
        {
            assert!(statement.add(2026, ("deposit", at.parse().unwrap()), moved((gained, 0, 0))));
        }
        let expected = Statement {
            opening: Kes::new(1),
            paid_in: Kes::new(20),
            closing: Kes::new(21),
            ..Statement::default()
        };
        assert_eq!(statement, expected);
        let another = ("another", "2026-06-01T00:00:00Z".parse().unwrap());
        assert!(!statement.add(2026, another, moved((1, 0, 0))));
    }

    #[test]
    fn what_was_kept_back_in_the_year_is_a_line_beside_what_moved() {
        let mut statement = Statement::default();
        for (at, amount) in
            [("2025-12-31T20:59:59Z", 7), ("2025-12-31T21:00:00Z", 50), ("2026-08-20T09:00:00Z", -20)]
        {
            statement.withhold(2026, at.parse().unwrap(), Kes::new(amount));
        }
        assert_eq!(statement, Statement { withheld: Kes::new(30), ..Statement::default() });
    }

    #[test]
    fn excise_is_a_line_beside_what_was_paid() {
        let (mut statement, at) = (Statement::default(), "2026-08-20T09:00:00Z".parse().unwrap());
        for (kind, gained, excise) in [("deposit", 475, 25), ("paybill", 190, 10), ("reversal", -190, -10)] {
            assert!(statement.add(2026, (kind, at), moved((gained, excise, 0))));
        }
        let expected = Statement {
            paid_in: Kes::new(700),
            excise: Kes::new(-25),
            reversed: Kes::new(-200),
            closing: Kes::new(475),
            ..Statement::default()
        };
        assert_eq!(statement, expected);
    }

    #[test]
    fn what_is_taken_back_is_whole_whatever_the_wallet_covered() {
        let (mut statement, at) = (Statement::default(), "2026-08-20T09:00:00Z".parse().unwrap());
        for (kind, amounts) in
            [("deposit", (950, 50, 0)), ("entry", (-600, 0, 0)), ("reversal", (-350, -50, 600))]
        {
            assert!(statement.add(2026, (kind, at), moved(amounts)));
        }
        let expected = Statement {
            paid_in: Kes::new(1_000),
            staked: Kes::new(-600),
            reversed: Kes::new(-1_000),
            not_covered: Kes::new(600),
            entries: 1,
            ..Statement::default()
        };
        assert_eq!(statement, expected);
    }
}
