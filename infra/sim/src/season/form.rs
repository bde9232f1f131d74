//! What a player does in a gameweek: minutes and points at full time, how they grow while the match
//! is on, and the happenings (goals, cards, …) whose points add up to the total.

use super::{Gameweek, Player, Position, Stage};
use crate::noise::Noise;

/// Minutes on the pitch and official points, of one player in one gameweek.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Figure {
    /// 0 to 90.
    pub(crate) minutes: u8,
    /// Points, −2 to about 30.
    pub(crate) total: i32,
}

impl Figure {
    /// This full-time figure as it stands at a stage of the match: nothing before kick-off, all of it at the final
    /// whistle, and never a step back on the way.
    pub(crate) fn at(self, stage: Stage) -> Self {
        Self { minutes: self.minutes.min(stage.minute), total: self.total * stage.progress / 1000 }
    }
}

/// One line of the official game's explanation of a player's points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Happening {
    pub(crate) identifier: &'static str,
    pub(crate) value: i32,
    pub(crate) points: i32,
}

/// The full-time figure of a player, the same each time.
pub(crate) fn made_up(player: &Player, gameweek: Gameweek) -> Figure {
    const SHORT: [(i32, usize); 5] = [(1, 74), (4, 12), (5, 6), (0, 6), (-1, 2)];
    const LONG: [(i32, usize); 12] = [
        (2, 38),
        (1, 8),
        (3, 11),
        (5, 8),
        (6, 13),
        (7, 6),
        (8, 6),
        (9, 3),
        (10, 2),
        (12, 3),
        (15, 1),
        (-1, 1),
    ];
    let mut noise = Noise::of("form", &[u64::from(player.id), u64::from(gameweek.number())]);
    let (minutes, totals): (usize, &[(i32, usize)]) = match noise.below(100) {
        0..13 => return Figure::default(),
        13..27 => (1 + noise.below(59), &SHORT),
        27..45 => (60 + noise.below(30), &LONG),
        _ => (90, &LONG),
    };
    Figure {
        minutes: u8::try_from(minutes).expect("a match has 90 minutes"),
        total: noise.weighted(totals).unwrap_or(0),
    }
}

/// Happenings whose points add up to the figure's total. A player without minutes has none.
pub(crate) fn happenings(position: Position, figure: Figure) -> Vec<Happening> {
    if figure.minutes == 0 && figure.total == 0 {
        return Vec::new();
    }
    let goal = match position {
        Position::Goalkeeper => 10,
        Position::Defender => 6,
        Position::Midfielder => 5,
        Position::Forward => 4,
    };
    let played = if figure.minutes >= 60 { 2 } else { 1 };
    let mut list = vec![line("minutes", i32::from(figure.minutes), played)];
    let mut left = figure.total - played;
    let mut take = |identifier: &'static str, worth: i32, at_most: i32, list: &mut Vec<Happening>| {
        let count = (left / worth).clamp(0, at_most);
        if count > 0 {
            list.push(line(identifier, count, count * worth));
            left -= count * worth;
        }
    };
    take("red_cards", -3, 1, &mut list);
    take("own_goals", -2, i32::MAX, &mut list);
    take("yellow_cards", -1, 1, &mut list);
    take("goals_scored", goal, 3, &mut list);
    take("assists", 3, i32::MAX, &mut list);
    take("bonus", 1, 2, &mut list);
    list
}

fn line(identifier: &'static str, value: i32, points: i32) -> Happening {
    Happening { identifier, value, points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::{Round, pool};

    #[test]
    fn happenings_add_up_to_any_total() {
        use Position::{Defender, Forward, Goalkeeper, Midfielder};
        for position in [Goalkeeper, Defender, Midfielder, Forward] {
            for minutes in [1, 59, 60, 90] {
                for total in -4..=40 {
                    let list = happenings(position, Figure { minutes, total });
                    assert_eq!(list.iter().map(|h| h.points).sum::<i32>(), total, "{position:?}");
                }
            }
            assert_eq!(happenings(position, Figure::default()), []);
        }
    }

    #[test]
    fn figures_grow_one_way_from_nothing_to_full_time() {
        for gameweek in [1, 20, 38].map(|n| Gameweek::new(n).unwrap()) {
            let kickoff = gameweek.first_kickoff();
            let instants = (0..58).map(|hour| kickoff + jiff::SignedDuration::from_hours(hour));
            let rounds: Vec<_> = instants.map(|now| Round::at(gameweek, now)).collect();
            for player in pool() {
                let full = made_up(&player, gameweek);
                let mut last = Figure::default();
                for round in &rounds {
                    let figure = full.at(round.stage(player.club));
                    assert!(figure.minutes >= last.minutes);
                    assert!(figure.total * full.total.signum() >= last.total * full.total.signum());
                    last = figure;
                }
                assert_eq!(full.at(rounds[0].stage(player.club)), Figure::default());
                assert_eq!(last, full);
            }
        }
    }
}
