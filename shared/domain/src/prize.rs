//! What a league pays: all it collected, less the fee, to the best score; equal scores share
//! (decisions, "Leagues").

use crate::{
    EntryAmount, Kes,
    ranking::{self, Score},
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

/// Divides a league of `scores.len()` players who each paid `amount`.
///
/// # Panics
/// A league has players: an empty one is a mistake of the caller.
#[must_use]
pub fn divide(amount: EntryAmount, scores: &[Score], fee_percent: u8) -> Division {
    let best = scores.iter().max().expect("a league has players");
    let winners: Vec<usize> =
        scores.iter().enumerate().filter(|(_, score)| *score == best).map(|(i, _)| i).collect();
    let collected = amount.kes().times(scores.len());
    let fee = collected.percent_rounded_down(fee_percent);
    let (prize, rounding) = (collected - fee).split(winners.len());
    Division { collected, fee, prize, winners, rounding }
}

/// What a full league pays a single winner: shown before joining.
#[must_use]
pub fn full_league_prize(amount: EntryAmount, fee_percent: u8) -> Kes {
    let collected = amount.kes().times(crate::league::LEAGUE_SIZE);
    collected - collected.percent_rounded_down(fee_percent)
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

/// Settles a league of players who each paid `amount`: who has a score is ranked, who has none is
/// left out and gets the entry back. Fewer than two left: everybody does (decisions, "Leagues").
#[must_use]
pub fn settle(amount: EntryAmount, scores: &[Option<Score>], fee_percent: u8) -> Settled {
    let ranked: Vec<usize> = (0..scores.len()).filter(|i| scores[*i].is_some()).collect();
    let refunded = Share { rank: None, prize: Kes::ZERO, refund: amount.kes() };
    let mut shares = vec![refunded; scores.len()];
    let collected = amount.kes().times(scores.len());
    if ranked.len() < 2 {
        return Settled { collected, fee: Kes::ZERO, rounding: Kes::ZERO, shares };
    }
    let their = |i: usize| scores[i].expect("only those with a score are ranked");
    let division = divide(amount, &ranked.iter().map(|i| their(*i)).collect::<Vec<_>>(), fee_percent);
    for winner in &division.winners {
        shares[ranked[*winner]].prize = division.prize;
    }
    for (rank, i) in ranking::rank(ranked, |i| their(*i)) {
        shares[i].rank = Some(rank);
        shares[i].refund = Kes::ZERO;
    }
    Settled { collected, fee: division.fee, rounding: division.rounding, shares }
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
            let d = divide(amount, &scores, fee_percent);
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
            scores in prop::collection::vec(prop::option::weighted(0.8, score()), 0..=10),
            fee_percent in 0_u8..=100,
            amount in prop::sample::select(EntryAmount::ALL.to_vec()),
        ) {
            let settled = settle(amount, &scores, fee_percent);
            prop_assert_eq!(settled.collected, amount.kes().times(scores.len()));
            prop_assert_eq!(settled.shares.len(), scores.len());
            let sum = |of: fn(&Share) -> Kes| settled.shares.iter().map(of).sum::<Kes>();
            let (prizes, refunds) = (sum(|share| share.prize), sum(|share| share.refund));
            prop_assert_eq!(prizes + refunds + settled.fee + settled.rounding, settled.collected);

            let ranked: Vec<Score> = scores.iter().copied().flatten().collect();
            if ranked.len() < 2 {
                let refunded = Share { rank: None, prize: Kes::ZERO, refund: amount.kes() };
                prop_assert!(settled.shares.iter().all(|share| *share == refunded));
                prop_assert_eq!((settled.fee, settled.rounding), (Kes::ZERO, Kes::ZERO));
                return Ok(());
            }
            let played_for = amount.kes().times(ranked.len());
            prop_assert_eq!(settled.fee, played_for.percent_rounded_down(fee_percent));
            let winners = settled.shares.iter().filter(|share| share.rank == Some(1)).count();
            prop_assert!(winners >= 1);
            prop_assert!((0..i64::try_from(winners).unwrap()).contains(&settled.rounding.get()));
            for (share, score) in settled.shares.iter().zip(&scores) {
                let better = |score: &Score| ranked.iter().filter(|other| *other > score).count();
                prop_assert_eq!(share.rank, score.as_ref().map(|score| better(score) + 1));
                let refund = if score.is_none() { amount.kes() } else { Kes::ZERO };
                prop_assert_eq!(share.refund, refund);
                let won = if share.rank == Some(1) { (played_for - settled.fee).split(winners).0 } else { Kes::ZERO };
                prop_assert_eq!(share.prize, won);
            }
        }
    }

    #[rstest]
    #[case::one_wins(&[Some(60), Some(50), Some(40)], &[(Some(1), 135, 0), (Some(2), 0, 0), (Some(3), 0, 0)], (15, 0))]
    #[case::two_share(&[Some(60), Some(40), Some(60)], &[(Some(1), 67, 0), (Some(3), 0, 0), (Some(1), 67, 0)], (15, 1))]
    #[case::one_is_left_out(&[Some(60), None, Some(50)], &[(Some(1), 90, 0), (None, 0, 50), (Some(2), 0, 0)], (10, 0))]
    #[case::one_is_no_league(&[None, Some(60), None], &[(None, 0, 50), (None, 0, 50), (None, 0, 50)], (0, 0))]
    #[case::fewer_than_nothing_wins(&[Some(-3), Some(-4)], &[(Some(1), 90, 0), (Some(2), 0, 0)], (10, 0))]
    fn a_league_of_fifties(
        #[case] points: &[Option<i32>],
        #[case] shares: &[(Option<usize>, i64, i64)],
        #[case] (fee, rounding): (i64, i64),
    ) {
        let score = |points: i32| Score { points, points_on_bench: 0 };
        let scores: Vec<Option<Score>> = points.iter().map(|points| points.map(score)).collect();
        let settled = settle(EntryAmount::Fifty, &scores, 10);
        let got: Vec<_> =
            settled.shares.iter().map(|share| (share.rank, share.prize.get(), share.refund.get())).collect();
        assert_eq!(got, shares);
        assert_eq!((settled.fee.get(), settled.rounding.get()), (fee, rounding));
    }
}
