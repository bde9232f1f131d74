//! What a league pays: all it collected, less the fee, to the best score; equal scores share (spec §1).

use crate::{
    EntryAmount, Kes,
    leagues::ranking::{self, Score},
};

/// How a league's money is divided. `prize × winners + fee + rounding = collected`, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    pub collected: Kes,
    /// The operator's share, rounded down to whole KES.
    pub fee: Kes,
    /// To each winner.
    pub prize: Kes,
    /// Positions (in the given order) of those who share the best score.
    pub winners: Vec<usize>,
    /// What does not divide among the winners.
    pub rounding: Kes,
}

/// Divides a league of `players` who each paid `amount`, of whom these scored.
///
/// # Panics
/// Nobody scored: a mistake of the caller.
#[must_use]
pub fn divide(amount: EntryAmount, players: usize, scores: &[Score], fee_percent: u8) -> Division {
    let best = scores.iter().max().expect("somebody scored");
    let winners: Vec<usize> =
        scores.iter().enumerate().filter(|(_, score)| *score == best).map(|(i, _)| i).collect();
    let collected = amount.kes().times(players);
    let fee = collected.percent_rounded_down(fee_percent);
    let (prize, rounding) = (collected - fee).split(winners.len());
    Division { collected, fee, prize, winners, rounding }
}

/// What a full league pays a single winner: shown before joining.
#[must_use]
pub fn full_league_prize(amount: EntryAmount, fee_percent: u8) -> Kes {
    let collected = amount.kes().times(crate::leagues::draw::LEAGUE_SIZE);
    collected - collected.percent_rounded_down(fee_percent)
}

/// How a member of a league stands before it is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberStanding {
    Scored(Score),
    /// Nothing is known of the team: behind everybody who scored, and the stake stays.
    Last,
    /// Not in the ranking; the entry is given back.
    LeftOut,
}

/// What one member of a settled league gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// From 1, equal scores sharing one; `None`: not ranked, and the entry given back.
    pub rank: Option<usize>,
    pub prize: Kes,
    pub refund: Kes,
}

/// How a league is settled. `Σ prizes + Σ refunds + fee + rounding = collected`, always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    pub collected: Kes,
    pub fee: Kes,
    pub rounding: Kes,
    /// In the given order of the members.
    pub shares: Vec<Share>,
}

/// Settles a league of players who each paid `amount`. Members with a score are ranked. A member whose team is not
/// known comes after them, and the stake stays in the pot. A member who is left out gets the entry back. If nobody has
/// a score, or fewer than two members are left, everybody gets the entry back (docs/decisions.md, "A team that
/// vanishes").
#[must_use]
pub fn settle(amount: EntryAmount, standings: &[MemberStanding], fee_percent: u8) -> Settled {
    let collected = amount.kes().times(standings.len());
    let refunded = Share { rank: None, prize: Kes::ZERO, refund: amount.kes() };
    let mut shares = vec![refunded; standings.len()];
    let scored: Vec<(usize, Score)> =
        (0..).zip(standings).filter_map(|(i, s)| Some((i, s.score()?))).collect();
    let playing = standings.iter().filter(|standing| **standing != MemberStanding::LeftOut).count();
    if scored.is_empty() || playing < 2 {
        return Settled { collected, fee: Kes::ZERO, rounding: Kes::ZERO, shares };
    }
    let scores: Vec<Score> = scored.iter().map(|(_, score)| *score).collect();
    let division = divide(amount, playing, &scores, fee_percent);
    let behind = Share { rank: Some(scored.len() + 1), prize: Kes::ZERO, refund: Kes::ZERO };
    for (share, standing) in shares.iter_mut().zip(standings) {
        if *standing != MemberStanding::LeftOut {
            *share = behind;
        }
    }
    for winner in &division.winners {
        shares[scored[*winner].0].prize = division.prize;
    }
    for (rank, (i, _)) in ranking::rank(scored, |(_, score)| *score) {
        shares[i].rank = Some(rank);
    }
    Settled { collected, fee: division.fee, rounding: division.rounding, shares }
}

impl MemberStanding {
    fn score(self) -> Option<Score> {
        match self {
            Self::Scored(score) => Some(score),
            Self::Last | Self::LeftOut => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[test]
    fn full_leagues_pay_450_900_and_2250() {
        let prizes = EntryAmount::ALL.map(|amount| full_league_prize(amount, 10).get());
        assert_eq!(prizes, [450, 900, 2_250]);
    }

    /// Few enough that many are equal.
    fn score() -> impl Strategy<Value = Score> {
        (-1..4_i32, -1..3_i32).prop_map(|(points, points_on_bench)| Score { points, points_on_bench })
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_made(
            scores in prop::collection::vec(score(), 1..=10),
            fee_percent in 0_u8..=100,
            amount in prop::sample::select(EntryAmount::ALL.to_vec()),
        ) {
            let d = divide(amount, scores.len(), &scores, fee_percent);
            prop_assert_eq!(d.prize.times(d.winners.len()) + d.fee + d.rounding, d.collected);
            prop_assert!(d.rounding.get() < i64::try_from(d.winners.len()).unwrap());
            prop_assert!(d.rounding >= Kes::ZERO && d.prize >= Kes::ZERO);
            let best = scores.iter().max().unwrap();
            for (i, score) in scores.iter().enumerate() {
                prop_assert_eq!(d.winners.contains(&i), score == best);
            }
        }

        #[test]
        fn a_settled_league_adds_up(
            standings in prop::collection::vec(standing(), 0..=10),
            fee_percent in 0_u8..=100,
            amount in prop::sample::select(EntryAmount::ALL.to_vec()),
        ) {
            let settled = settle(amount, &standings, fee_percent);
            prop_assert_eq!(settled.collected, amount.kes().times(standings.len()));
            prop_assert_eq!(settled.shares.len(), standings.len());
            let sum = |of: fn(&Share) -> Kes| settled.shares.iter().map(of).sum::<Kes>();
            let (prizes, refunds) = (sum(|share| share.prize), sum(|share| share.refund));
            prop_assert_eq!(prizes + refunds + settled.fee + settled.rounding, settled.collected);

            let scored: Vec<Score> = standings.iter().copied().filter_map(MemberStanding::score).collect();
            let playing = standings.iter().filter(|standing| **standing != MemberStanding::LeftOut).count();
            if playing < 2 || scored.is_empty() {
                let refunded = Share { rank: None, prize: Kes::ZERO, refund: amount.kes() };
                prop_assert!(settled.shares.iter().all(|share| *share == refunded));
                prop_assert_eq!((settled.fee, settled.rounding), (Kes::ZERO, Kes::ZERO));
                return Ok(());
            }
            let played_for = amount.kes().times(playing);
            prop_assert_eq!(settled.fee, played_for.percent_rounded_down(fee_percent));
            let winners = settled.shares.iter().filter(|share| share.rank == Some(1)).count();
            prop_assert!(winners >= 1);
            prop_assert!((0..i64::try_from(winners).unwrap()).contains(&settled.rounding.get()));
            for (share, standing) in settled.shares.iter().zip(&standings) {
                let better = |score: &Score| scored.iter().filter(|other| *other > score).count();
                let rank = match standing {
                    MemberStanding::Scored(score) => Some(better(score) + 1),
                    MemberStanding::Last => Some(scored.len() + 1),
                    MemberStanding::LeftOut => None,
                };
                prop_assert_eq!(share.rank, rank);
                let left_out = *standing == MemberStanding::LeftOut;
                prop_assert_eq!(share.refund, if left_out { amount.kes() } else { Kes::ZERO });
                let won = if share.rank == Some(1) { (played_for - settled.fee).split(winners).0 } else { Kes::ZERO };
                prop_assert_eq!(share.prize, won);
            }
        }

        /// Whoever makes a team vanish is never better off, and nobody else is worse off: the winner's prize is
        /// the same or more, and no stake comes back.
        #[test]
        fn to_vanish_brings_nothing(
            scores in prop::collection::vec(score(), 2..=10),
            vanished in prop::collection::vec(any::<bool>(), 10),
            amount in prop::sample::select(EntryAmount::ALL.to_vec()),
        ) {
            let known: Vec<MemberStanding> = scores.iter().copied().map(MemberStanding::Scored).collect();
            let hidden = |(standing, vanished): (&MemberStanding, &bool)| if *vanished { MemberStanding::Last } else { *standing };
            let unread: Vec<MemberStanding> = known.iter().zip(&vanished).map(hidden).collect();
            prop_assume!(unread.iter().any(|standing| *standing != MemberStanding::Last));
            let (before, after) = (settle(amount, &known, 10), settle(amount, &unread, 10));
            prop_assert_eq!((before.collected, before.fee), (after.collected, after.fee));
            for (i, (before, after)) in before.shares.iter().zip(&after.shares).enumerate() {
                prop_assert_eq!(after.refund, Kes::ZERO);
                let honest = if vanished[i] { after.prize == Kes::ZERO } else { after.prize >= before.prize };
                prop_assert!(honest);
            }
        }
    }

    fn standing() -> impl Strategy<Value = MemberStanding> {
        prop_oneof![6 => score().prop_map(MemberStanding::Scored), 1 => Just(MemberStanding::Last), 1 => Just(MemberStanding::LeftOut)]
    }

    const OUT: i32 = i32::MIN;
    const UNKNOWN: i32 = i32::MAX;

    #[rstest]
    #[case::one_wins(&[60, 50, 40], &[(Some(1), 135, 0), (Some(2), 0, 0), (Some(3), 0, 0)], (15, 0))]
    #[case::two_share(&[60, 40, 60], &[(Some(1), 67, 0), (Some(3), 0, 0), (Some(1), 67, 0)], (15, 1))]
    #[case::one_is_left_out(&[60, OUT, 50], &[(Some(1), 90, 0), (None, 0, 50), (Some(2), 0, 0)], (10, 0))]
    #[case::one_is_no_league(&[OUT, 60, OUT], &[(None, 0, 50), (None, 0, 50), (None, 0, 50)], (0, 0))]
    #[case::fewer_than_nothing_wins(&[-3, -4], &[(Some(1), 90, 0), (Some(2), 0, 0)], (10, 0))]
    #[case::two_are_unknown(&[UNKNOWN, 9, UNKNOWN], &[(Some(2), 0, 0), (Some(1), 135, 0), (Some(2), 0, 0)], (15, 0))]
    #[case::fewer_than_nothing_is_more_than_unknown(&[-3, UNKNOWN], &[(Some(1), 90, 0), (Some(2), 0, 0)], (10, 0))]
    #[case::all_are_unknown(&[UNKNOWN, UNKNOWN], &[(None, 0, 50), (None, 0, 50)], (0, 0))]
    fn a_league_of_fifties(
        #[case] points: &[i32],
        #[case] shares: &[(Option<usize>, i64, i64)],
        #[case] (fee, rounding): (i64, i64),
    ) {
        let standing = |points: &i32| match *points {
            OUT => MemberStanding::LeftOut,
            UNKNOWN => MemberStanding::Last,
            points => MemberStanding::Scored(Score { points, points_on_bench: 0 }),
        };
        let standings: Vec<MemberStanding> = points.iter().map(standing).collect();
        let settled = settle(EntryAmount::Fifty, &standings, 10);
        let got: Vec<_> =
            settled.shares.iter().map(|share| (share.rank, share.prize.get(), share.refund.get())).collect();
        assert_eq!(got, shares);
        assert_eq!((settled.fee.get(), settled.rounding.get()), (fee, rounding));
    }
}
