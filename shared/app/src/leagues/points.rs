//! Points while a gameweek is played: one answer of the official game a tick gives everybody's, from
//! the packed squads. What cannot be read or is not of this gameweek changes nothing: the last good
//! reading stays, and its age is shown.

use clients::fpl::{ExplainedStat, Fixture, FplError, Live, LiveElement, Picks};
use domain::{
    FplId, GameweekId,
    gameweeks::calendar::Gameweek,
    leagues::{
        points::{
            BonusMeasures, Breakdown, Chip, Deed, Explained, FootballerPoints, Line, NotASquad, Pick,
            Position, Scored, Squad,
        },
        ranking::{Figures, Score},
    },
};
use jiff::{SignedDuration, Timestamp};
use store::leagues::{
    LeagueId, Reading,
    points::{GameweekPoints, Match, Matches, PointsStage},
};

use crate::{
    App, AppError,
    gameweeks::seasons,
    leagues::live::{self, Team},
    platform::{
        error::{beyond_an_outage, only_shown},
        flow::{Flow, Refusal},
    },
};

/// Between matches, and once all are over, the official game is asked this often.
const READ_LATE_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// A gameweek's first match is nearer to its deadline than this; the same number of another season is not.
const OF_ONE_SEASON: SignedDuration = SignedDuration::from_hours(60 * 24);

/// What a member's team has in a gameweek, and how certain it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamPoints {
    pub figures: Figures,
    pub stage: PointsStage,
    pub as_of: Timestamp,
    /// By the official game's name.
    pub chip: Option<String>,
}

/// A team's points from what was read of it and everybody's scores; `None` until there is something. In a gameweek that is
/// left without a match nobody has points, until the official game's are final.
#[must_use]
pub fn of_team(
    reading: Option<&Reading>,
    scores: Option<&GameweekPoints>,
    gameweek: &Gameweek,
) -> Option<TeamPoints> {
    let points = as_read(reading?, scores, gameweek)?;
    let void = scores.is_some_and(|scores| scores.void);
    Some(points).filter(|points| !void || points.stage == PointsStage::Final)
}

/// The official game's own figures are final while it says that the gameweek's points are, and either they were read
/// since then or everybody's were, and agree. Taken back, they give way to what is read after them.
fn as_read(reading: &Reading, scores: Option<&GameweekPoints>, gameweek: &Gameweek) -> Option<TeamPoints> {
    let counted = reading.squad().zip(scores).map(|(squad, scores)| TeamPoints {
        figures: if scores.ended { squad.settled(&scores.points) } else { squad.live(&scores.points) },
        // Final is only what the official game says of this very team.
        stage: scores.stage.min(PointsStage::Provisional),
        as_of: scores.as_of,
        chip: squad.chip_name().map(str::to_owned),
    });
    let Some(official) = &reading.official else { return counted };
    let agrees = counted.as_ref().is_some_and(|counted| counted.figures == official.figures);
    let is_final = gameweek.final_at.is_some_and(|since| {
        official.as_of >= since || (agrees && scores.is_some_and(|scores| scores.is_final_since(since)))
    });
    let stage = if is_final { PointsStage::Final } else { PointsStage::Provisional };
    let official =
        TeamPoints { figures: official.figures, stage, as_of: official.as_of, chip: official.chip.clone() };
    let newer = counted.filter(|counted| !is_final && counted.as_of > official.as_of);
    Some(newer.unwrap_or(official))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    #[error("Nobody here has that team.")]
    NobodysTeam,
    #[error("That is not a gameweek.")]
    NoGameweek,
}

impl Refusal for PointsError {}

/// A team's points in a gameweek, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedPoints {
    pub gameweek: Option<u8>,
    pub points: Option<(TeamPoints, Score)>,
    /// On the pitch, where it is asked for and its picks are read.
    pub team: Option<Team>,
}

/// Which points are asked for.
#[derive(Debug, Clone, Copy)]
pub struct AskedPoints<'a> {
    pub team: &'a str,
    /// The current one where it is left out.
    pub gameweek: Option<&'a str>,
    /// The league that the team was drawn into, in its gameweek: whoever has the team by now.
    pub league: Option<&'a str>,
    /// With the team itself.
    pub on_the_pitch: bool,
}

/// The points of a team that somebody here has, or that was drawn into a league.
pub async fn counted(app: &App, asked: AskedPoints<'_>) -> Flow<CountedPoints, PointsError> {
    let team = FplId::parse(asked.team).map_err(|_| PointsError::NobodysTeam)?;
    let found = match asked.league {
        Some(league) => Some(of_member(app, league, team).await?),
        None => of_holder(app, asked.gameweek, team).await?,
    };
    let Some((id, found, reading)) = found else { return Ok(CountedPoints::default()) };
    let unknown = CountedPoints { gameweek: Some(found.number), ..CountedPoints::default() };
    let Some(reading) = reading else { return Ok(unknown) };
    let scores = app.store().scores(id).await?;
    let team = match reading.squad().filter(|_| asked.on_the_pitch) {
        Some(squad) => Some(live::team(app, id, &squad, scores.as_ref()).await?),
        None => None,
    };
    let known = CountedPoints { team, ..unknown };
    let Some(points) = of_team(Some(&reading), scores.as_ref(), &found) else { return Ok(known) };
    let score = points.figures.score(app.store().switches().await?.deducts_transfers_at(found.deadline));
    Ok(CountedPoints { points: Some((points, score)), ..known })
}

/// What was read of a team, and in which gameweek.
type ReadTeam = (GameweekId, Gameweek, Option<Reading>);

/// What was read of a team that was drawn into `league`.
async fn of_member(app: &App, league: &str, team: FplId) -> Flow<ReadTeam, PointsError> {
    let id: LeagueId = league.parse().map_err(|_| PointsError::NobodysTeam)?;
    let league = app.store().league(id).await?.ok_or(PointsError::NobodysTeam)?;
    let at = league.members.iter().position(|member| member.fpl_id == team);
    let reading = league.reading(at.ok_or(PointsError::NobodysTeam)?).cloned();
    Ok((id.gameweek, seasons::gameweek(app, id.gameweek).await?, reading))
}

/// What was read of a team, by the player who has it now; we read entered teams only. `None`: no gameweek is known.
async fn of_holder(app: &App, gameweek: Option<&str>, team: FplId) -> Flow<Option<ReadTeam>, PointsError> {
    let found = app.asked_gameweek(gameweek).await?;
    let season = match &found {
        Some((id, _)) => id.season,
        None => app.season().await?.unwrap_or_default(),
    };
    let player = app.store().player_by_team(season, team).await?.ok_or(PointsError::NobodysTeam)?.id;
    let Some((id, found)) = found else {
        return if gameweek.is_none() { Ok(None) } else { Err(PointsError::NoGameweek.into()) };
    };
    let league = match app.store().league_of(&player, id).await? {
        Some(league) => app.store().league(league).await?,
        None => None,
    };
    let reading = league.and_then(|league| {
        // Who has another team now is in the league with the one before.
        let at =
            league.members.iter().position(|member| member.user_id == player && member.fpl_id == team)?;
        league.reading(at).cloned()
    });
    Ok(Some((id, found, reading)))
}

/// Every minute: reads the points of each gameweek that is being played.
///
/// # Errors
/// The table does not answer; the next tick makes it good, as where the official game does not.
pub async fn track(app: &App) -> Result<(), AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(()) };
    let mut troubles = Vec::new();
    let playing = |g: &&Gameweek| g.drawn_at.is_some() && g.final_at.is_none() && g.settled_at.is_none();
    for gameweek in calendar.gameweeks.iter().filter(playing) {
        troubles.extend(tick(app, calendar.id(gameweek.number), gameweek).await.err());
    }
    beyond_an_outage(troubles)
}

async fn tick(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<(), AppError> {
    let now = app.clock().now();
    let (known, kept) = tokio::try_join!(app.store().matches(id), app.store().scores(id))?;
    let begun = |m: &Match| m.over || m.kickoff.is_some_and(|kickoff| kickoff <= now);
    let old = |as_of: Timestamp| now >= as_of + READ_LATE_EVERY;
    // The matches were read, and the points that belong to them were not.
    let is_behind = |known: &Matches| match &kept {
        Some(kept) => kept.as_of < known.as_of,
        None => known.matches.iter().any(begun),
    };
    let is_due = |known: &Matches| known.due_at(now) || old(known.as_of) || is_behind(known);
    let just_ended = gameweek.ended_at.is_some() && kept.as_ref().is_some_and(|kept| !kept.ended);
    if !just_ended && known.as_ref().is_some_and(|known| !is_due(known)) {
        return Ok(());
    }
    let (matches, measures) = read_matches(app, id, gameweek.deadline).await?;
    // Points that are kept may be those of a match that has been taken out of the gameweek since.
    if kept.is_none() && !matches.matches.iter().any(begun) {
        return Ok(app.store().keep_matches(id, &matches).await?);
    }
    let (points, live) = match read_live(app, id, &matches).await {
        Ok(read) => read,
        Err(error) => {
            // Which matches are over is known all the same, unless these are others than were read before.
            let has = |m: &Match| matches.matches.iter().any(|read| read.fixture == m.fixture);
            if known.is_none_or(|known| known.matches.iter().all(has)) {
                app.store().keep_matches(id, &matches).await?;
            }
            return Err(error);
        }
    };
    let ended = gameweek.ended_at.is_some();
    let stage = if ended || matches.all_over() { PointsStage::Provisional } else { PointsStage::Live };
    let (as_of, void) = (matches.as_of, matches.matches.is_empty());
    let scores = GameweekPoints { stage, ended, as_of, points, void };
    let store = app.store();
    let taken_back = match kept.filter(|kept| kept.stage == PointsStage::Final) {
        // Taken back, unless it was read since this began.
        Some(kept) if seasons::gameweek(app, id).await?.final_at.is_none() => Some(kept.as_of),
        _ => None,
    };
    let (kept, ()) =
        tokio::try_join!(store.keep_scores(id, &scores, taken_back), store.keep_matches(id, &matches))?;
    if kept {
        store.keep_breakdown(id, breakdown(&live, &measures)).await?;
    }
    Ok(())
}

/// Reads the points of a gameweek whose points are final, and keeps them in place of any other
/// reading.
///
/// # Errors
/// The table or the official game do not answer, or what it says cannot be.
pub async fn read_final(app: &App, id: GameweekId) -> Result<GameweekPoints, AppError> {
    let deadline = seasons::gameweek(app, id).await?.deadline;
    let (matches, measures) = read_matches(app, id, deadline).await?;
    let (points, live) = read_live(app, id, &matches).await?;
    let over = matches.matches.iter().any(|m| m.over);
    if over != points.anybody_played() {
        return Err(malformed("matches without footballers, or footballers without matches"));
    }
    let as_of = app.clock().now();
    let scores = GameweekPoints { stage: PointsStage::Final, ended: true, as_of, points, void: !over };
    let store = app.store();
    store.replace_scores(id, &scores).await?;
    let why = breakdown(&live, &measures);
    let (matches, why) = tokio::join!(store.keep_matches(id, &matches), store.keep_breakdown(id, why));
    only_shown("the matches of a gameweek", matches);
    only_shown("what its points are made of", why);
    Ok(scores)
}

/// The matches, with how bonus points would be given in each.
async fn read_matches(
    app: &App,
    id: GameweekId,
    deadline: Timestamp,
) -> Result<(Matches, BonusMeasures), AppError> {
    let fixtures = app.fpl().fixtures(u32::from(id.number)).await?;
    let first = fixtures.iter().filter_map(|fixture| fixture.kickoff_time).min();
    if first.is_some_and(|first| first.duration_since(deadline).abs() > OF_ONE_SEASON) {
        return Err(malformed("matches of another season"));
    }
    let matches = fixtures.iter().map(|fixture| Match {
        fixture: fixture.id,
        kickoff: fixture.kickoff_time,
        started: fixture.started,
        over: fixture.finished || fixture.finished_provisional,
        clubs: u8::try_from(fixture.team_h).ok().zip(u8::try_from(fixture.team_a).ok()).map(Into::into),
    });
    let matches = Matches { as_of: app.clock().now(), matches: matches.collect() };
    Ok((matches, bonus_measures(&fixtures)))
}

/// Everybody's points as they stand now.
///
/// # Errors
/// The official game does not answer, or not with points of this gameweek.
pub async fn read_points(app: &App, id: GameweekId, matches: &Matches) -> Result<FootballerPoints, AppError> {
    Ok(read_live(app, id, matches).await?.0)
}

/// With the answer that they are read from.
async fn read_live(
    app: &App,
    id: GameweekId,
    matches: &Matches,
) -> Result<(FootballerPoints, Live), AppError> {
    let live = app.fpl().live(u32::from(id.number)).await?;
    if live.elements.is_empty() {
        return Err(malformed("points without footballers"));
    }
    // The body does not name its gameweek: the matches that it explains do.
    let explained = || live.elements.iter().flat_map(|element| &element.explain).map(|e| e.fixture);
    let ours = |fixture: u32| matches.matches.iter().any(|m| m.fixture == fixture);
    if explained().next().is_some() && !explained().any(ours) {
        return Err(malformed("points of another gameweek"));
    }
    let scored: Option<Vec<Scored>> = live.elements.iter().map(scored).collect();
    let points = FootballerPoints::new(scored.ok_or_else(|| malformed("points out of range"))?);
    Ok((points, live))
}

fn bonus_measures(fixtures: &[Fixture]) -> BonusMeasures {
    let of_match = |fixture: &Fixture| {
        let measured = fixture.stats.iter().filter(|stat| stat.identifier == "bps");
        let counted = measured.flat_map(|stat| stat.h.iter().chain(&stat.a));
        let id = fixture.id;
        counted
            .filter_map(move |one| Some(((id, u16::try_from(one.element).ok()?), one.value)))
            .collect::<Vec<_>>()
    };
    fixtures.iter().flat_map(of_match).collect()
}

/// What points are made of: only shown, so what cannot be read of it is left out.
fn breakdown(live: &Live, measures: &BonusMeasures) -> Breakdown {
    let line = |stat: &ExplainedStat| {
        Some(Line {
            deed: Deed::from_name(&stat.identifier),
            count: u16::try_from(stat.value.max(0)).ok()?,
            points: i16::try_from(stat.points).ok()?,
        })
    };
    let explained = live.elements.iter().filter_map(|element| {
        let in_match = |of: &clients::fpl::Explain| (of.fixture, of.stats.iter().filter_map(line).collect());
        Some(Explained {
            element: u16::try_from(element.id).ok()?,
            bonus_measure: element.stats.bps,
            matches: element.explain.iter().map(in_match).collect(),
        })
    });
    Breakdown::new(&explained.collect::<Vec<_>>(), measures)
}

fn scored(element: &LiveElement) -> Option<Scored> {
    let stats = &element.stats;
    Some(Scored {
        element: u16::try_from(element.id).ok()?,
        points: i16::try_from(stats.total_points).ok()?,
        played: stats.minutes > 0 || stats.yellow_cards > 0 || stats.red_cards > 0,
    })
}

/// A squad from the official game's answer, which has to be of `gameweek`.
///
/// # Errors
/// It is another gameweek's, or no squad.
pub fn squad(picks: &Picks, gameweek: GameweekId) -> Result<Squad, AppError> {
    if picks.entry_history.event != u32::from(gameweek.number) {
        return Err(malformed("picks of another gameweek"));
    }
    let pick = |pick: &clients::fpl::Pick| {
        Some(Pick {
            element: u16::try_from(pick.element).ok()?,
            place: pick.position,
            position: Position::from_type(pick.element_type?)?,
            is_captain: pick.is_captain,
            is_vice_captain: pick.is_vice_captain,
        })
    };
    let chosen: Option<Vec<Pick>> = picks.picks.iter().map(pick).collect();
    let chosen = chosen.ok_or_else(|| malformed("a footballer without a number or a position"))?;
    let chip = picks.active_chip.as_deref().map(Chip::from_name);
    let cost = picks.entry_history.event_transfers_cost;
    Squad::new(&chosen, chip, cost).map_err(|error: NotASquad| malformed(error.to_string()))
}

fn malformed(reason: impl Into<String>) -> AppError {
    AppError::Fpl(FplError::Malformed { reason: reason.into() })
}
