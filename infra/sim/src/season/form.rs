//! What a player does in a gameweek: minutes and points at full time of each match, how they grow
//! while it is on, and the happenings (goals, cards, …) whose points add up to the total.

use std::ops::Add;

use super::{Gameweek, Kind, MatchStage, Player, Position, Round, fixtures::MOST_MATCHES};
use crate::noise::Noise;

/// Minutes on the pitch and official points of one player, in one match or a whole gameweek.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Figure {
    /// 0 to 90 a match.
    pub(crate) minutes: u8,
    /// Points, −2 to about 30.
    pub(crate) total: i32,
}

impl Add for Figure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { minutes: self.minutes + other.minutes, total: self.total + other.total }
    }
}

impl Figure {
    /// This full-time figure as it stands at a stage of the match: nothing before kick-off, all of it at the final
    /// whistle, and never a step back on the way.
    fn at(self, stage: MatchStage) -> Self {
        Self { minutes: self.minutes.min(stage.minute), total: self.total * stage.progress / 1000 }
    }
}

/// A player's full-time figures in a gameweek, one for each match that the club may have, by kick-off.
/// Only those of matches that are really played count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Figures([Figure; MOST_MATCHES]);

impl Figures {
    /// `total` points over as many matches as the club plays, 90 minutes in each.
    pub(crate) fn fixed(total: i32, matches: usize) -> Self {
        let second = if matches > 1 { total / 2 } else { 0 };
        Self([total - second, second].map(|total| Figure { minutes: 90, total }))
    }

    /// The club's matches with what the player has done in each so far.
    pub(crate) fn in_matches(self, club: u8, round: &Round) -> impl Iterator<Item = (MatchStage, Figure)> {
        round.stages(club).iter().zip(self.0).map(|(stage, full)| (*stage, full.at(*stage)))
    }

    pub(crate) fn so_far(self, club: u8, round: &Round) -> Figure {
        self.in_matches(club, round).fold(Figure::default(), |sum, (_, figure)| sum + figure)
    }
}

/// One line of the official game's explanation of a player's points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Happening {
    pub(crate) identifier: &'static str,
    pub(crate) value: i32,
    pub(crate) points: i32,
}

/// The full-time figures of a player, the same each time.
pub(crate) fn made_up(player: &Player, gameweek: Gameweek) -> Figures {
    let (player, week) = (u64::from(player.id), u64::from(gameweek.number()));
    let first = in_match(Noise::of(gameweek.season(), "form", &[player, week]));
    let second = match gameweek.kind() {
        Kind::Double => in_match(Noise::of(gameweek.season(), "form", &[player, week, 2])),
        Kind::Normal | Kind::Blank | Kind::Void => Figure::default(),
    };
    Figures([first, second])
}

fn in_match(mut noise: Noise) -> Figure {
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
    use crate::season::{Calendar, pool};

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
        let weeks = [(1, Kind::Normal), (20, Kind::Double), (38, Kind::Normal)];
        for gameweek in weeks.map(|(number, kind)| Calendar::with(number, kind).get(number).unwrap()) {
            let kickoff = gameweek.first_kickoff();
            let instants = (0..58).map(|hour| kickoff + jiff::SignedDuration::from_hours(hour));
            let rounds: Vec<_> = instants.map(|now| Round::at(gameweek, now)).collect();
            for player in pool() {
                let full = made_up(&player, gameweek);
                let mut last: Vec<_> = full.in_matches(player.club, &rounds[0]).collect();
                assert!(last.iter().all(|(_, figure)| *figure == Figure::default()));
                for round in &rounds {
                    let figures: Vec<_> = full.in_matches(player.club, round).collect();
                    for (((_, then), (_, now)), full) in last.iter().zip(&figures).zip(full.0) {
                        assert!(now.minutes >= then.minutes);
                        assert!(now.total * full.total.signum() >= then.total * full.total.signum());
                    }
                    last = figures;
                }
                assert!(last.iter().zip(full.0).all(|((_, last), full)| *last == full));
            }
        }
    }

    #[test]
    fn a_fixed_total_is_shared_by_the_matches() {
        for (kind, minutes, total) in
            [(Kind::Normal, 90, 17), (Kind::Double, 180, 17), (Kind::Blank, 0, 0), (Kind::Void, 0, 0)]
        {
            let gameweek = Calendar::with(4, kind).get(4).unwrap();
            let round = Round::full_time(gameweek);
            let most = match kind {
                Kind::Blank => (1..=20).find(|club| round.stages(*club).is_empty()),
                _ => (1..=20).max_by_key(|club| round.stages(*club).len()),
            };
            let club = most.unwrap();
            let figures = Figures::fixed(17, round.stages(club).len());
            assert_eq!(figures.so_far(club, &round), Figure { minutes, total }, "{kind:?}");
        }
    }
}
