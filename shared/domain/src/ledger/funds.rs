//! What the money in a wallet is: deposits that were never played, and what is left of each prize. Read from
//! the movements, whenever it matters; a wallet itself is one number.

use std::collections::HashMap;

use crate::Kes;

/// A movement of one wallet: its posting's key and what the wallet gained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement<'a> {
    /// `deposit#…`, `entry#2026-03`, `prize#2026-03-50-00001`, …
    pub cause: &'a str,
    pub change: Kes,
}

impl<'a> Movement<'a> {
    /// The league whose prize it is.
    #[must_use]
    pub fn prize(&self) -> Option<&'a str> {
        self.cause.strip_prefix("prize#")
    }

    fn parts(&self) -> (&'a str, &'a str) {
        self.cause.split_once('#').unwrap_or((self.cause, ""))
    }
}

/// How much of the wallet is deposits that never were in an entry. An entry takes those first, and one that
/// is given back was never played; a withdrawal takes them last.
#[must_use]
pub fn unplayed<'a>(movements: impl IntoIterator<Item = Movement<'a>>) -> Kes {
    let (mut unplayed, mut other) = (Kes::ZERO, Kes::ZERO);
    // What each entry and each withdrawal took of the unplayed.
    let mut taken: HashMap<(&str, &str), Kes> = HashMap::new();
    for movement in movements {
        let (kind, what) = movement.parts();
        let gained = movement.change;
        if gained.is_positive() {
            let back = match kind {
                "prize" => Kes::ZERO,
                "refund" => taken.remove(&("entry", what)).unwrap_or(Kes::ZERO),
                "withdrawal-rejected" => taken.remove(&("withdrawal", what)).unwrap_or(Kes::ZERO),
                _ => gained,
            };
            let back = back.min(gained);
            unplayed = unplayed + back;
            other = other + gained - back;
            continue;
        }
        let asked = -gained;
        let of_unplayed = match kind {
            "withdrawal" => (asked - other).max(Kes::ZERO).min(unplayed),
            _ => asked.min(unplayed),
        };
        unplayed = unplayed - of_unplayed;
        other = (other - (asked - of_unplayed)).max(Kes::ZERO);
        taken.insert((kind, what), of_unplayed);
    }
    unplayed
}

/// The letters of a gameweek in a league's id, `2026-03-50-00001`.
const GAMEWEEK: usize = 7;

/// Gives to each prize as much of `gained` as was taken from it, and answers the rest.
fn put_back(prizes: &mut [(&str, Kes)], taken: Option<Vec<(usize, Kes)>>, gained: Kes) -> Kes {
    let mut rest = gained;
    for (prize, amount) in taken.unwrap_or_default() {
        let part = amount.min(rest);
        prizes[prize].1 = prizes[prize].1 + part;
        rest = rest - part;
    }
    rest
}

/// What is left of each prize in the wallet, by league, oldest first. Money that leaves is taken first from money that
/// is no prize, then from prizes that may be paid out, then from held ones (`is_held`), each time the oldest first.
/// Money that comes back returns to where it was taken from. A new prize first repays what the entry of its gameweek
/// took from older prizes: staking held money does not free it.
#[must_use]
pub fn prizes_left<'a>(
    movements: impl IntoIterator<Item = Movement<'a>>,
    is_held: impl Fn(&str) -> bool,
) -> Vec<(&'a str, Kes)> {
    let mut free = Kes::ZERO;
    let mut prizes: Vec<(&str, Kes)> = Vec::new();
    let mut taken: HashMap<(&str, &str), Vec<(usize, Kes)>> = HashMap::new();
    for movement in movements {
        let (kind, what) = movement.parts();
        let gained = movement.change;
        if gained.is_positive() {
            let back = match kind {
                "prize" => {
                    let stake = what.get(..GAMEWEEK).and_then(|gameweek| taken.remove(&("entry", gameweek)));
                    let rest = put_back(&mut prizes, stake, gained);
                    prizes.push((what, rest));
                    continue;
                }
                "refund" => taken.remove(&("entry", what)),
                "withdrawal-rejected" => taken.remove(&("withdrawal", what)),
                _ => None,
            };
            free = free + put_back(&mut prizes, back, gained);
            continue;
        }
        let mut asked = -gained;
        let of_free = asked.min(free);
        free = free - of_free;
        asked = asked - of_free;
        let mut of_prizes = Vec::new();
        let mut order: Vec<usize> = (0..prizes.len()).collect();
        order.sort_by_key(|prize| is_held(prizes[*prize].0));
        for prize in order {
            let left = &mut prizes[prize].1;
            let part = asked.min(*left);
            if part.is_positive() {
                *left = *left - part;
                asked = asked - part;
                of_prizes.push((prize, part));
            }
        }
        taken.insert((kind, what), of_prizes);
    }
    prizes.retain(|(_, left)| left.is_positive());
    prizes
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn movements<'a>(of: &'a [(&'a str, i64)]) -> impl Iterator<Item = Movement<'a>> + 'a {
        of.iter().map(|(cause, change)| Movement { cause, change: Kes::new(*change) })
    }

    #[rstest]
    #[case::deposited(&[("deposit#a", 500)], 500)]
    #[case::typed(&[("manual#a", 500)], 500)]
    #[case::played(&[("deposit#a", 500), ("entry#2026-01", -50)], 450)]
    #[case::given_back(&[("deposit#a", 500), ("entry#2026-01", -50), ("refund#2026-01", 50)], 500)]
    #[case::won(&[("deposit#a", 50), ("entry#2026-01", -50), ("prize#2026-01-50-00001", 450)], 0)]
    #[case::prizes_leave_first(&[("deposit#a", 500), ("entry#2026-01", -50), ("prize#l", 450), ("withdrawal#w", -450)], 450)]
    #[case::then_deposits(&[("deposit#a", 500), ("withdrawal#w", -300)], 200)]
    #[case::rejected(&[("deposit#a", 500), ("withdrawal#w", -300), ("withdrawal-rejected#w", 300)], 500)]
    #[case::a_prize_comes_back(&[("deposit#a", 50), ("entry#2026-01", -50), ("prize#l", 450), ("withdrawal#w", -450),
        ("withdrawal-rejected#w", 450)], 0)]
    #[case::deposits_are_played_first(&[("prize#l", 450), ("deposit#a", 50), ("entry#2026-01", -50)], 0)]
    #[case::a_prize_was_played_and_given_back(&[("prize#l", 450), ("entry#2026-01", -50), ("refund#2026-01", 50)], 0)]
    #[case::a_stake_of_deposits_leaves_the_prize(&[("prize#l", 450), ("deposit#a", 100), ("entry#2026-01", -50),
        ("withdrawal#w", -450)], 50)]
    fn deposits_that_were_never_played(#[case] of: &[(&str, i64)], #[case] expected: i64) {
        assert_eq!(unplayed(movements(of)), Kes::new(expected));
    }

    #[rstest]
    #[case::none(&[("deposit#a", 500)], &[])]
    #[case::won(&[("prize#l1", 450), ("prize#l2", 90)], &[("l1", 450), ("l2", 90)])]
    #[case::other_money_first(&[("deposit#a", 500), ("prize#l1", 450), ("withdrawal#w", -600)], &[("l1", 350)])]
    #[case::the_oldest_first(&[("prize#l1", 450), ("prize#l2", 90), ("entry#2026-02", -250), ("entry#2026-03", -250)],
        &[("l2", 40)])]
    #[case::rejected(&[("prize#l1", 450), ("withdrawal#w", -300), ("withdrawal-rejected#w", 300)], &[("l1", 450)])]
    #[case::refunded(&[("prize#l1", 450), ("entry#2026-02", -50), ("refund#2026-02", 50)], &[("l1", 450)])]
    #[case::back_as_it_was(&[("deposit#a", 40), ("prize#l1", 450), ("entry#2026-02", -50), ("refund#2026-02", 50),
        ("withdrawal#w", -40)], &[("l1", 450)])]
    #[case::played_and_won(&[("prize#2026-01-50-00001", 450), ("entry#2026-02", -50), ("prize#2026-02-50-00007", 450)],
        &[("2026-01-50-00001", 450), ("2026-02-50-00007", 400)])]
    #[case::played_and_shared(&[("prize#2026-01-50-00001", 450), ("entry#2026-02", -50), ("prize#2026-02-50-00007", 45)],
        &[("2026-01-50-00001", 445)])]
    #[case::played_and_lost(&[("prize#2026-01-50-00001", 450), ("entry#2026-02", -50), ("entry#2026-03", -50),
        ("prize#2026-03-50-00007", 450)], &[("2026-01-50-00001", 400), ("2026-03-50-00007", 400)])]
    #[case::played_with_other_money(&[("prize#2026-01-50-00001", 450), ("deposit#a", 50), ("entry#2026-02", -50),
        ("prize#2026-02-50-00007", 450)], &[("2026-01-50-00001", 450), ("2026-02-50-00007", 450)])]
    fn what_is_left_of_prizes(#[case] of: &[(&str, i64)], #[case] expected: &[(&str, i64)]) {
        let expected: Vec<_> = expected.iter().map(|(league, left)| (*league, Kes::new(*left))).collect();
        assert_eq!(prizes_left(movements(of), |_| false), expected);
    }

    /// The older one may not be paid out: what leaves is of the newer one, in whatever way.
    #[rstest]
    #[case::the_other_goes_out(&[("prize#held", 450), ("prize#l2", 450), ("withdrawal#w", -450)], &[("held", 450)])]
    #[case::and_comes_back(&[("prize#held", 450), ("prize#l2", 450), ("withdrawal#w", -450), ("withdrawal-rejected#w", 450)],
        &[("held", 450), ("l2", 450)])]
    #[case::or_is_taken_again(&[("prize#held", 450), ("prize#l2", 450), ("withdrawal#w", -450), ("withdrawal-rejected#w", 450),
        ("correction#c", -450)], &[("held", 450)])]
    #[case::the_other_is_played(&[("prize#held", 450), ("prize#l2", 450), ("entry#2026-02", -50)], &[("held", 450), ("l2", 400)])]
    #[case::it_was_all_there_was(&[("prize#held", 450), ("withdrawal#w", -100), ("prize#l2", 450)],
        &[("held", 350), ("l2", 450)])]
    fn what_may_not_be_paid_out_stays(#[case] of: &[(&str, i64)], #[case] expected: &[(&str, i64)]) {
        let expected: Vec<_> = expected.iter().map(|(league, left)| (*league, Kes::new(*left))).collect();
        assert_eq!(prizes_left(movements(of), |league| league == "held"), expected);
    }

    #[test]
    fn a_prize_names_its_league() {
        let league = |cause| Movement { cause, change: Kes::new(450) }.prize();
        assert_eq!((league("prize#2026-01-50-00001"), league("deposit#a")), (Some("2026-01-50-00001"), None));
    }

    /// Never more than the wallet holds, whatever happens in whatever order.
    #[test]
    fn parts_are_never_more_than_the_whole() {
        let steps = ["deposit#", "prize#", "entry#", "withdrawal#", "correction#"];
        for seed in 0_u64..200 {
            let (mut state, mut balance) = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, 0_i64);
            let mut of: Vec<(String, i64)> = Vec::new();
            for n in 0..40 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let kind = steps[usize::try_from(state >> 40).unwrap() % steps.len()];
                let amount = i64::try_from((state >> 20) % 300).unwrap() + 1;
                let change =
                    if kind == "deposit#" || kind == "prize#" { amount } else { -amount.min(balance) };
                if change == 0 {
                    continue;
                }
                of.push((format!("{kind}{n}"), change));
                balance += change;
                if kind == "withdrawal#" && state % 3 == 0 {
                    of.push((format!("withdrawal-rejected#{n}"), -change));
                    balance -= change;
                }
                let all = || of.iter().map(|(cause, change)| Movement { cause, change: Kes::new(*change) });
                let left: Kes = prizes_left(all(), |league| league.ends_with('3'))
                    .into_iter()
                    .map(|(_, left)| left)
                    .sum();
                assert!(left <= Kes::new(balance) && unplayed(all()) <= Kes::new(balance), "{of:?}");
                assert!(unplayed(all()) >= Kes::ZERO);
            }
        }
    }
}
