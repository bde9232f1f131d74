//! Who plays whom, when, and how it stands. Each club plays each other twice, once a gameweek; the
//! ten matches run from Saturday to Monday and all end before the gameweek's end of play.

use jiff::{SignedDuration, Timestamp};

use super::{Gameweek, Phase};
use crate::noise::Noise;

/// Real time from kick-off to the final whistle.
const MATCH: SignedDuration = SignedDuration::from_mins(115);
/// Minutes from the first kick-off to each match's: Saturday, Sunday, Monday.
const KICKOFFS: [i64; 10] = [0, 120, 120, 120, 120, 270, 1500, 1500, 1650, 3300];
const CLUBS: usize = 20;

/// One match. Clubs are numbers from 1 to 20, goals the minutes in which they fall.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) id: u32,
    pub(crate) gameweek: Gameweek,
    pub(crate) home: u8,
    pub(crate) away: u8,
    pub(crate) kickoff: Timestamp,
    home_goals: Vec<u8>,
    away_goals: Vec<u8>,
}

/// The ten matches of a gameweek, by kick-off.
pub(crate) fn fixtures(gameweek: Gameweek) -> Vec<Fixture> {
    let week = usize::from(gameweek.number()) - 1;
    let mut pairs = pairs(week);
    Noise::of("kick-offs", &[week as u64]).shuffle(&mut pairs);
    pairs
        .into_iter()
        .zip(KICKOFFS)
        .enumerate()
        .map(|(place, ((home, away), minutes))| {
            let id = week * KICKOFFS.len() + place + 1;
            Fixture {
                id: u32::try_from(id).expect("a season has 380 matches"),
                gameweek,
                home,
                away,
                kickoff: gameweek.first_kickoff() + SignedDuration::from_mins(minutes),
                home_goals: goals("home goals", id, &[(0, 24), (1, 33), (2, 25), (3, 12), (4, 6)]),
                away_goals: goals("away goals", id, &[(0, 32), (1, 34), (2, 22), (3, 9), (4, 3)]),
            }
        })
        .collect()
}

/// How far a club's match has got.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stage {
    /// The match's id.
    pub(crate) fixture: u32,
    /// Thousandths: 0 at kick-off, 1000 at the final whistle.
    pub(crate) progress: i32,
    /// 0 to 90.
    pub(crate) minute: u8,
}

/// Where every club stands in a gameweek at an instant.
pub(crate) struct Round([Stage; CLUBS]);

impl Round {
    pub(crate) fn at(gameweek: Gameweek, now: Timestamp) -> Self {
        let mut stages = [Stage::default(); CLUBS];
        for fixture in fixtures(gameweek) {
            let (progress, minute) = (fixture.progress(now), fixture.minute(now));
            for club in [fixture.home, fixture.away] {
                stages[usize::from(club) - 1] = Stage { fixture: fixture.id, progress, minute };
            }
        }
        Self(stages)
    }

    /// `club` is a number from 1 to 20.
    pub(crate) fn stage(&self, club: u8) -> Stage {
        self.0[usize::from(club) - 1]
    }
}

impl Fixture {
    pub(crate) fn started(&self, now: Timestamp) -> bool {
        now >= self.kickoff
    }

    /// The final whistle has gone.
    pub(crate) fn over(&self, now: Timestamp) -> bool {
        now >= self.kickoff + MATCH
    }

    /// The result stands: the whole gameweek has been played.
    pub(crate) fn confirmed(&self, now: Timestamp) -> bool {
        self.gameweek.phase_at(now) >= Phase::Finished
    }

    /// How far the match has got, in thousandths.
    fn progress(&self, now: Timestamp) -> i32 {
        let elapsed = now.duration_since(self.kickoff).as_millis().clamp(0, MATCH.as_millis());
        i32::try_from(elapsed * 1000 / MATCH.as_millis()).expect("it is at most 1000")
    }

    /// The minute that is being played, 0 to 90.
    pub(crate) fn minute(&self, now: Timestamp) -> u8 {
        u8::try_from(self.progress(now) * 90 / 1000).expect("it is at most 90")
    }

    /// Home and away goals, none before kick-off.
    pub(crate) fn score(&self, now: Timestamp) -> Option<(usize, usize)> {
        let minute = self.minute(now);
        let scored = |goals: &[u8]| goals.iter().filter(|goal| **goal <= minute).count();
        self.started(now).then(|| (scored(&self.home_goals), scored(&self.away_goals)))
    }
}

/// The pairs of a week by the circle method; the second half of the season swaps the grounds.
fn pairs(week: usize) -> Vec<(u8, u8)> {
    let round = week % (CLUBS - 1);
    let seat = |place: usize| if place == 0 { 0 } else { (place - 1 + round) % (CLUBS - 1) + 1 };
    (0..CLUBS / 2)
        .map(|place| {
            let (one, other) = (number(seat(place)), number(seat(CLUBS - 1 - place)));
            let swapped = (place + round) % 2 == 1;
            if swapped != (week >= CLUBS - 1) { (other, one) } else { (one, other) }
        })
        .collect()
}

fn number(seat: usize) -> u8 {
    u8::try_from(seat).expect("there are twenty seats") + 1
}

fn goals(purpose: &str, fixture: usize, weights: &[(usize, usize)]) -> Vec<u8> {
    let mut noise = Noise::of(purpose, &[fixture as u64]);
    let count = noise.weighted(weights).unwrap_or(0);
    (0..count).map(|_| u8::try_from(noise.below(89) + 1).unwrap_or(90)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_club_plays_once_a_gameweek_and_meets_every_other_home_and_away() {
        let mut met = HashSet::new();
        for gameweek in Gameweek::all() {
            let matches = fixtures(gameweek);
            let clubs: HashSet<_> = matches.iter().flat_map(|m| [m.home, m.away]).collect();
            assert_eq!((matches.len(), clubs.len()), (10, 20));
            met.extend(matches.iter().map(|m| (m.home, m.away)));
        }
        assert_eq!(met.len(), 380);
    }

    #[test]
    fn every_match_is_over_before_the_end_of_play() {
        for gameweek in Gameweek::all() {
            let matches = fixtures(gameweek);
            assert_eq!(matches[0].kickoff, gameweek.first_kickoff());
            assert!(matches.iter().all(|m| m.over(gameweek.end_of_play())));
        }
    }

    #[test]
    fn a_score_only_grows_and_is_absent_before_kick_off() {
        for fixture in fixtures(Gameweek::new(5).unwrap()) {
            assert_eq!(fixture.score(fixture.kickoff - SignedDuration::from_secs(1)), None);
            assert_eq!(fixture.score(fixture.kickoff), Some((0, 0)));
            let mut last = (0, 0);
            for minutes in 0..130 {
                let now = fixture.kickoff + SignedDuration::from_mins(minutes);
                let score = fixture.score(now).unwrap();
                assert!(score.0 >= last.0 && score.1 >= last.1);
                last = score;
            }
            assert_eq!(last, (fixture.home_goals.len(), fixture.away_goals.len()));
        }
    }
}
