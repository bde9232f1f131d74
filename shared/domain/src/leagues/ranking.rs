//! Who stands where: points, then bench points, then shared (spec §1, §5).

use serde::{Deserialize, Serialize};

/// A team's official figures in one gameweek, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Σ multiplier × points, before transfers are paid for (docs/fpl.md: `points` is gross).
    pub gross: i32,
    /// What extra transfers cost, in points; never negative.
    pub transfers_cost: i32,
    /// Of the footballers on the bench: they decide where points are equal.
    pub points_on_bench: i32,
}

impl Figures {
    /// The points that count: net of transfers where the deduction is on.
    #[must_use]
    pub fn score(self, deduct_transfers: bool) -> Score {
        let cost = if deduct_transfers { self.transfers_cost } else { 0 };
        Score { points: self.gross - cost, points_on_bench: self.points_on_bench }
    }
}

/// What a league is ranked by, in points; higher is better, points before bench points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Score {
    pub points: i32,
    pub points_on_bench: i32,
}

/// Best first, each with its rank from 1; equal scores share a rank and the next rank skips them.
/// Within a shared rank the given order stays.
pub fn rank<T>(members: Vec<T>, score: impl Fn(&T) -> Score) -> Vec<(usize, T)> {
    let mut members = members;
    members.sort_by_key(|member| std::cmp::Reverse(score(member)));
    let mut ranked: Vec<(usize, T)> = Vec::with_capacity(members.len());
    for (i, member) in members.into_iter().enumerate() {
        let rank = match ranked.last() {
            Some((rank, before)) if score(before) == score(&member) => *rank,
            _ => i + 1,
        };
        ranked.push((rank, member));
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_then_bench_then_shared() {
        let members = vec![("a", 50, 3), ("b", 60, 1), ("c", 60, 9), ("d", 50, 3), ("e", 10, 0)];
        let ranked = rank(members, |(_, points, bench)| Score { points: *points, points_on_bench: *bench });
        let order: Vec<_> = ranked.iter().map(|(rank, (name, ..))| (*rank, *name)).collect();
        assert_eq!(order, [(1, "c"), (2, "b"), (3, "a"), (3, "d"), (5, "e")]);
    }

    #[test]
    fn the_deduction_decides_between_net_and_gross() {
        let figures = Figures { gross: 70, transfers_cost: 8, points_on_bench: 4 };
        assert_eq!(figures.score(true), Score { points: 62, points_on_bench: 4 });
        assert_eq!(figures.score(false), Score { points: 70, points_on_bench: 4 });
    }
}
