//! Teams as they stand on the pitch, from what is kept of them: the frozen picks, the last reading, the matches and the
//! official list. Nothing is asked of the official game for it. Picks are there from the draw on, which is after the deadline.

use domain::{
    FplId, GameweekId,
    leagues::points::{Breakdown, Element, FootballerPoints, Line, Placed, Squad},
};
use jiff::Timestamp;
use store::leagues::{
    League,
    footballers::{Footballer, Footballers},
    points::{ClubStage, GameweekPoints, Matches},
};

use crate::{App, AppError};

/// A team of fifteen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// Whether a match of the gameweek is on.
    pub playing: bool,
    pub players: Vec<PlayerNow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerNow {
    pub placed: Placed,
    /// `None` where he is not on the official list as it was last read.
    pub who: Option<Footballer>,
    /// His own, without the armband.
    pub points: i32,
    pub stage: Option<ClubStage>,
    /// What the points are made of; nothing where that is not known, or is of another reading than the points.
    pub why: Vec<Line>,
    pub provisional_bonus: u8,
}

/// A league while it is played: who is captain where, and how many are still to come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeagueLive {
    /// Whether a match of the gameweek is on.
    pub playing: bool,
    pub members: Vec<MemberNow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberNow {
    pub fpl_id: FplId,
    /// Whom the team picked, by name.
    pub captain: Option<String>,
    /// By the official game's name.
    pub chip: Option<String>,
    /// Of those who count and are on the official list; `None` where it is not known who plays.
    pub counts: Option<Counts>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub played: usize,
    pub playing: usize,
    pub left: usize,
}

/// The team of `squad` as it stands now.
pub async fn team(
    app: &App,
    id: GameweekId,
    squad: &Squad,
    scores: Option<&GameweekPoints>,
) -> Result<Team, AppError> {
    let (store, elements) = (app.store(), squad.elements());
    let (names, why, matches) = tokio::try_join!(
        store.footballers(id.season, elements),
        store.breakdown(id, elements),
        store.matches(id),
    )?;
    let now = app.clock().now();
    let players = lineup(squad, scores).into_iter().map(|placed| {
        let who = names.get(&placed.element).cloned();
        let stage = stage(who.as_ref(), matches.as_ref(), now);
        player(placed, who, stage, scores, &why)
    });
    Ok(Team { playing: on(matches.as_ref(), now), players: players.collect() })
}

fn player(
    placed: Placed,
    who: Option<Footballer>,
    stage: Option<ClubStage>,
    scores: Option<&GameweekPoints>,
    why: &Breakdown,
) -> PlayerNow {
    let points = scores.map_or(0, |scores| scores.points.of(placed.element));
    let why = why.of(placed.element).filter(|why| why.points() == points);
    PlayerNow {
        placed,
        who,
        points,
        stage,
        why: why.map(|why| why.lines.clone()).unwrap_or_default(),
        provisional_bonus: why.map_or(0, |why| why.provisional_bonus),
    }
}

/// What is kept of a league's teams.
pub async fn league(
    app: &App,
    league: &League,
    scores: Option<&GameweekPoints>,
) -> Result<LeagueLive, AppError> {
    let squads: Vec<(FplId, Squad)> = (0..)
        .zip(&league.members)
        .filter_map(|(at, member)| Some((member.fpl_id, league.reading(at)?.squad()?)))
        .collect();
    let elements: Vec<Element> = squads.iter().flat_map(|(_, squad)| *squad.elements()).collect();
    let (id, store, now) = (league.gameweek, app.store(), app.clock().now());
    let (names, matches) = tokio::try_join!(store.footballers(id.season, &elements), store.matches(id))?;
    let members = squads.iter().map(|(fpl_id, squad)| MemberNow {
        fpl_id: *fpl_id,
        captain: names.get(&squad.captain()).map(|footballer| footballer.name.clone()),
        chip: squad.chip_name().map(str::to_owned),
        counts: counts(&lineup(squad, scores), &names, matches.as_ref(), now),
    });
    Ok(LeagueLive { playing: on(matches.as_ref(), now), members: members.collect() })
}

fn lineup(squad: &Squad, scores: Option<&GameweekPoints>) -> [Placed; 15] {
    match scores {
        Some(scores) => squad.lineup(&scores.points, scores.ended),
        None => squad.lineup(&FootballerPoints::default(), false),
    }
}

fn on(matches: Option<&Matches>, now: Timestamp) -> bool {
    matches.is_some_and(|matches| matches.on_at(now))
}

fn stage(who: Option<&Footballer>, matches: Option<&Matches>, now: Timestamp) -> Option<ClubStage> {
    matches?.stage_of(who?.club, now)
}

/// Whoever has no match is nowhere among them, nor is one who was taken off the official list.
fn counts(
    lineup: &[Placed],
    names: &Footballers,
    matches: Option<&Matches>,
    now: Timestamp,
) -> Option<Counts> {
    let mut counts = Counts::default();
    let counting = lineup.iter().filter(|placed| placed.multiplier > 0);
    let known: Vec<_> = counting.filter_map(|placed| names.get(&placed.element)).collect();
    if known.is_empty() {
        return None;
    }
    for who in known {
        match stage(Some(who), matches, now)? {
            ClubStage::Played => counts.played += 1,
            ClubStage::Playing => counts.playing += 1,
            ClubStage::Left => counts.left += 1,
            ClubStage::Blank => {}
        }
    }
    Some(counts)
}
