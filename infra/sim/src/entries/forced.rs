//! Full-time figures of a slot's fifteen players such that picks and live figures give exactly the
//! points that were set. Everybody plays whose club does, and the picks are those after the
//! substitutions for the others, so nothing can disturb the sum any more.

use super::lineup::Pick;
use crate::{noise::Noise, season::Player};

/// Points per place (0 to 14) so that the sum of multiplier × points is `points` and the sum over
/// multiplier 0 is `bench`. Both targets are at least 0, and so is each player's figure; who does not
/// play has 0.
pub(crate) fn spread(
    picks: &[Pick; 15],
    plays: impl Fn(&Player) -> bool,
    (points, bench): (i32, i32),
    noise: &mut Noise,
) -> [i32; 15] {
    let mut totals = [0; 15];
    share(&mut totals, &weights(picks, &plays, false), points);
    share(&mut totals, &weights(picks, &plays, true), bench);
    for multiplier in 0..=1 {
        vary(&mut totals, picks, &plays, multiplier, noise);
    }
    totals
}

/// Places of those who play with what their points count towards the target.
fn weights(picks: &[Pick; 15], plays: impl Fn(&Player) -> bool, bench: bool) -> Vec<(usize, i32)> {
    picks
        .iter()
        .enumerate()
        .filter(|(_, pick)| (pick.multiplier == 0) == bench && plays(&pick.player))
        .map(|(at, pick)| (at, i32::from(pick.multiplier.max(1))))
        .collect()
}

/// Everyone gets the same; what is left goes one point each to the heaviest first while it fits.
/// Exact because the places that count once are never fewer than what the captain leaves over.
fn share(totals: &mut [i32; 15], weights: &[(usize, i32)], target: i32) {
    let whole: i32 = weights.iter().map(|(_, weight)| weight).sum();
    if whole == 0 {
        return;
    }
    let mut left = target % whole;
    let mut heaviest_first = weights.to_vec();
    heaviest_first.sort_by_key(|(_, weight)| -weight);
    for (at, weight) in heaviest_first {
        totals[at] = target / whole;
        if weight <= left {
            totals[at] += 1;
            left -= weight;
        }
    }
    debug_assert_eq!(left, 0, "the points that were set do not add up");
}

/// Moves points between players who count the same, so that not everyone scores alike.
fn vary(
    totals: &mut [i32; 15],
    picks: &[Pick; 15],
    plays: impl Fn(&Player) -> bool,
    multiplier: u8,
    noise: &mut Noise,
) {
    let alike = |at: &usize| picks[*at].multiplier == multiplier && plays(&picks[*at].player);
    let alike: Vec<usize> = (0..15).filter(alike).collect();
    for pair in alike.chunks_exact(2) {
        let most = totals[pair[0]].min(5);
        let moved = i32::try_from(noise.below(usize::try_from(most + 1).unwrap_or(1))).unwrap_or(0);
        totals[pair[0]] -= moved;
        totals[pair[1]] += moved;
    }
}
