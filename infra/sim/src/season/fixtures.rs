//! Who plays whom, when, and how it stands. Each club plays each other twice, once a gameweek; the
//! ten matches run from Saturday to Monday and all end before the gameweek's end of play.
//!
//! In a double gameweek eight clubs play a second time, in matches beyond those 380. In a blank one
//! a match is called off, in a void one all ten; what is called off has no date any more.

use jiff::{SignedDuration, Timestamp};

use super::{COUNT, Gameweek, Kind, Phase, Season};
use crate::noise::Noise;

/// Real time from kick-off to the final whistle.
const MATCH: SignedDuration = SignedDuration::from_mins(115);
/// Minutes from the first kick-off to each match's: Saturday, Sunday, Monday.
const KICKOFFS: [i64; 10] = [0, 120, 120, 120, 120, 270, 1500, 1500, 1650, 3300];
/// The second matches of a double gameweek are on Monday, their clubs' first ones on Saturday.
const SECOND_KICKOFFS: [i64; 4] = [3180, 3180, 3300, 3300];
const CLUBS: usize = 20;
const WEEKS: usize = COUNT as usize;
/// Match numbers of the second matches begin after the ordinary ones.
const ORDINARY_MATCHES: usize = 380;

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

pub(crate) fn fixtures(gameweek: Gameweek) -> Vec<Fixture> {
    let mut matches = ten(gameweek);
    match gameweek.kind() {
        Kind::Normal => {}
        Kind::Double => {
            let second = second_matches(gameweek, &matches);
            matches.extend(second);
            matches.sort_by_key(|fixture| fixture.kickoff);
        }
        Kind::Blank => drop(matches.remove(off(gameweek, &matches))),
        Kind::Void => matches.clear(),
    }
    matches
}

/// The matches of a gameweek that are not played in it. Their kick-off is what it would have been.
pub(crate) fn called_off(gameweek: Gameweek) -> Vec<Fixture> {
    let mut matches = ten(gameweek);
    match gameweek.kind() {
        Kind::Normal | Kind::Double => Vec::new(),
        Kind::Blank => vec![matches.swap_remove(off(gameweek, &matches))],
        Kind::Void => matches,
    }
}

fn ten(gameweek: Gameweek) -> Vec<Fixture> {
    let week = week(gameweek);
    // Another season begins elsewhere in the same circle.
    let mut pairs = pairs((week + 7 * usize::from(gameweek.season().before())) % WEEKS);
    Noise::of(gameweek.season(), "kick-offs", &[week as u64]).shuffle(&mut pairs);
    let ids = week * KICKOFFS.len() + 1..;
    ids.zip(pairs.into_iter().zip(KICKOFFS))
        .map(|(id, (clubs, minutes))| Fixture::new(gameweek, id, clubs, minutes))
        .collect()
}

/// Four more matches between the clubs of the first four.
fn second_matches(gameweek: Gameweek, ten: &[Fixture]) -> Vec<Fixture> {
    let ids = ORDINARY_MATCHES + week(gameweek) * SECOND_KICKOFFS.len() + 1..;
    let pairs = [0, 2].into_iter().flat_map(|at| {
        let (one, other) = (&ten[at], &ten[at + 1]);
        [(one.home, other.home), (other.away, one.away)]
    });
    ids.zip(pairs.zip(SECOND_KICKOFFS))
        .map(|(id, (clubs, minutes))| Fixture::new(gameweek, id, clubs, minutes))
        .collect()
}

/// The place of the match that is called off in a blank gameweek. Not the first, which begins the
/// gameweek, and not one of two neighbours: a reserved squad has its goalkeepers from neighbours
/// (see [`super::Player::reserved`]), and no team of one may be without any.
fn off(gameweek: Gameweek, ten: &[Fixture]) -> usize {
    let start = Noise::of(gameweek.season(), "called off", &[week(gameweek) as u64]).below(9);
    let apart = |at: &usize| {
        let distance = ten[*at].home.abs_diff(ten[*at].away);
        distance != 1 && usize::from(distance) != CLUBS - 1
    };
    (0..9).map(|step| 1 + (start + step) % 9).find(apart).expect("neighbours rarely meet")
}

fn week(gameweek: Gameweek) -> usize {
    usize::from(gameweek.number()) - 1
}

/// How many matches a club has in a gameweek at most.
pub(crate) const MOST_MATCHES: usize = 2;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MatchStage {
    pub(crate) fixture: u32,
    /// Thousandths: 0 at kick-off, 1000 at the final whistle.
    pub(crate) progress: i32,
    /// 0 to 90.
    pub(crate) minute: u8,
}

/// Where every club stands in a gameweek at an instant.
pub(crate) struct Round {
    stages: [[MatchStage; MOST_MATCHES]; CLUBS],
    played: [usize; CLUBS],
}

impl Round {
    pub(crate) fn at(gameweek: Gameweek, now: Timestamp) -> Self {
        let mut round = Self { stages: Default::default(), played: [0; CLUBS] };
        for fixture in fixtures(gameweek) {
            let stage = fixture.stage(now);
            for club in [fixture.home, fixture.away] {
                let club = usize::from(club) - 1;
                round.stages[club][round.played[club]] = stage;
                round.played[club] += 1;
            }
        }
        round
    }

    pub(crate) fn full_time(gameweek: Gameweek) -> Self {
        Self::at(gameweek, gameweek.end_of_play())
    }

    /// The club's matches by kick-off: one, two in a double gameweek, or none. `club` is a number from
    /// 1 to 20.
    pub(crate) fn stages(&self, club: u8) -> &[MatchStage] {
        let club = usize::from(club) - 1;
        &self.stages[club][..self.played[club]]
    }
}

impl Fixture {
    fn new(gameweek: Gameweek, id: usize, (home, away): (u8, u8), minutes: i64) -> Self {
        Self {
            id: u32::try_from(id).expect("a season has some hundreds of matches"),
            gameweek,
            home,
            away,
            kickoff: gameweek.first_kickoff() + SignedDuration::from_mins(minutes),
            home_goals: goals(
                gameweek.season(),
                "home goals",
                id,
                &[(0, 24), (1, 33), (2, 25), (3, 12), (4, 6)],
            ),
            away_goals: goals(
                gameweek.season(),
                "away goals",
                id,
                &[(0, 32), (1, 34), (2, 22), (3, 9), (4, 3)],
            ),
        }
    }

    fn stage(&self, now: Timestamp) -> MatchStage {
        MatchStage { fixture: self.id, progress: self.progress(now), minute: self.minute(now) }
    }

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

    fn progress(&self, now: Timestamp) -> i32 {
        let elapsed = now.duration_since(self.kickoff).as_millis().clamp(0, MATCH.as_millis());
        i32::try_from(elapsed * 1000 / MATCH.as_millis()).expect("it is at most 1000")
    }

    /// The minute that is being played, 0 to 90.
    pub(crate) fn minute(&self, now: Timestamp) -> u8 {
        u8::try_from(self.progress(now) * 90 / 1000).expect("it is at most 90")
    }

    pub(crate) fn score(&self, now: Timestamp) -> Option<(usize, usize)> {
        let minute = self.minute(now);
        let scored = |goals: &[u8]| goals.iter().filter(|goal| **goal <= minute).count();
        self.started(now).then(|| (scored(&self.home_goals), scored(&self.away_goals)))
    }
}

/// The pairs of a week by the circle method; the second half of the season swaps the grounds.
fn pairs(week: usize) -> Vec<(u8, u8)> {
    let round = week % (CLUBS - 1);
    let turned = |place: usize| if place == 0 { 0 } else { (place - 1 + round) % (CLUBS - 1) + 1 };
    (0..CLUBS / 2)
        .map(|place| {
            let (one, other) = (number(turned(place)), number(turned(CLUBS - 1 - place)));
            let swapped = (place + round) % 2 == 1;
            if swapped != (week >= CLUBS - 1) { (other, one) } else { (one, other) }
        })
        .collect()
}

fn number(place: usize) -> u8 {
    u8::try_from(place).expect("there are twenty places") + 1
}

fn goals(season: Season, purpose: &str, fixture: usize, weights: &[(usize, usize)]) -> Vec<u8> {
    let mut noise = Noise::of(season, purpose, &[fixture as u64]);
    let count = noise.weighted(weights).unwrap_or(0);
    (0..count).map(|_| u8::try_from(noise.below(89) + 1).unwrap_or(90)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::season::{Calendar, Player};

    fn clubs(matches: &[Fixture]) -> Vec<u8> {
        matches.iter().flat_map(|m| [m.home, m.away]).collect()
    }

    #[test]
    fn every_club_plays_once_a_gameweek_and_meets_every_other_home_and_away() {
        for season in Season::ALL {
            let mut met = HashSet::new();
            for gameweek in Calendar::ordinary(season).all() {
                let matches = fixtures(gameweek);
                let clubs: HashSet<_> = clubs(&matches).into_iter().collect();
                assert_eq!((matches.len(), clubs.len()), (10, 20));
                met.extend(matches.iter().map(|m| (m.home, m.away)));
            }
            assert_eq!(met.len(), 380);
        }
    }

    #[test]
    fn eight_clubs_play_twice_in_a_double_gameweek_one_match_after_the_other() {
        let mut ids = HashSet::new();
        for number in 1..=38 {
            let gameweek = Calendar::with(number, Kind::Double).get(number).unwrap();
            let matches = fixtures(gameweek);
            assert!(matches.iter().all(|m| m.home != m.away && ids.insert(m.id)));
            let mut twice = 0;
            for club in 1..=20 {
                let of_club: Vec<_> = matches.iter().filter(|m| m.home == club || m.away == club).collect();
                assert_eq!(Round::full_time(gameweek).stages(club).len(), of_club.len());
                match of_club.as_slice() {
                    [_] => {}
                    [first, second] => {
                        assert!(first.over(second.kickoff));
                        twice += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((matches.len(), twice), (14, 8));
        }
        assert_eq!(ids.len(), 38 * 14);
    }

    #[test]
    fn a_blank_gameweek_lacks_one_match_and_leaves_every_reserved_squad_a_goalkeeper() {
        for number in 1..=38 {
            let gameweek = Calendar::with(number, Kind::Blank).get(number).unwrap();
            let (played, off) = (fixtures(gameweek), called_off(gameweek));
            assert_eq!((played.len(), off.len()), (9, 1));
            assert_eq!(clubs(&played).into_iter().chain(clubs(&off)).collect::<HashSet<_>>().len(), 20);
            let round = Round::full_time(gameweek);
            for slot in 0..20 {
                let squad = Player::reserved(slot);
                let absent = |player: &&Player| round.stages(player.club).is_empty();
                assert!(squad[..2].iter().filter(absent).count() < 2);
                assert!(squad.iter().filter(absent).count() <= 2);
            }
        }
    }

    #[test]
    fn nobody_plays_in_a_void_gameweek() {
        let gameweek = Calendar::with(7, Kind::Void).get(7).unwrap();
        assert!(fixtures(gameweek).is_empty());
        assert_eq!(called_off(gameweek).len(), 10);
        assert!((1..=20).all(|club| Round::full_time(gameweek).stages(club).is_empty()));
    }

    #[test]
    fn every_match_is_over_before_the_end_of_play() {
        for kind in [Kind::Normal, Kind::Double, Kind::Blank] {
            for number in 1..=38 {
                let gameweek = Calendar::with(number, kind).get(number).unwrap();
                let matches = fixtures(gameweek);
                assert_eq!(matches[0].kickoff, gameweek.first_kickoff());
                assert!(matches.iter().all(|m| m.over(gameweek.end_of_play())));
            }
        }
    }

    #[test]
    fn a_score_only_grows_and_is_absent_before_kick_off() {
        for fixture in fixtures(Calendar::first().get(5).unwrap()) {
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
