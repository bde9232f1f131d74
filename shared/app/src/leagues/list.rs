//! The leagues of a gameweek and amount, a page at a time: before the draw the entries in order of joining, cut into
//! tens; after it what was drawn, with points as far as they are known, and what each settled league paid. It is the same
//! for everybody (`own` has the reader's).

use std::collections::HashMap;

use domain::{
    EntryAmount, GameweekId,
    accounts::account::is_hex_id,
    gameweeks::calendar::Gameweek,
    leagues::{
        draw::LEAGUE_SIZE,
        ranking::{self, Score},
    },
};
use store::{
    Page,
    entries::order::ProvisionalGroup,
    leagues::{League, LeagueId, number_of, points::GameweekPoints},
    settlement::record::Settlement,
};

use crate::{
    App,
    leagues::{
        live::{self, LeagueLive},
        points::{self, TeamPoints},
    },
    platform::flow::{Flow, Refusal},
};

/// Leagues on one page.
const PAGE: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("That is not a gameweek.")]
    NoGameweek,
    #[error("That is not a cursor.")]
    NotACursor,
    #[error("That is not a league's number.")]
    NotALeague,
}

impl Refusal for ListError {}

/// A league as it is now.
#[derive(Debug, Clone)]
pub enum LeagueNow {
    Provisional { gameweek: GameweekId, amount: EntryAmount, group: ProvisionalGroup },
    Drawn { league: League, members: Vec<RankedMember> },
    Settled { league: League, record: Box<Settlement> },
}

/// A member of a league that is drawn, by its place in `League::members`. Whoever has no points yet has no rank.
#[derive(Debug, Clone)]
pub struct RankedMember {
    pub at: usize,
    pub rank: Option<usize>,
    pub points: Option<(TeamPoints, Score)>,
}

/// A page of leagues, and what the gameweek is.
pub struct Listed {
    pub page: Page<LeagueNow>,
    /// Whether nothing of it changes any more.
    pub settled: bool,
}

/// A page of the leagues of the gameweek that is asked for, by default the current one.
pub async fn page(
    app: &App,
    gameweek: Option<&str>,
    amount: EntryAmount,
    cursor: Option<&str>,
) -> Flow<Listed, ListError> {
    let Some((id, found)) = app.asked_gameweek(gameweek).await? else {
        let page = Page { items: Vec::new(), cursor: None };
        let none = Listed { page, settled: false };
        return if gameweek.is_none() { Ok(none) } else { Err(ListError::NoGameweek.into()) };
    };
    let page = match found.drawn_at {
        Some(_) => drawn(app, (id, &found), amount, cursor).await?,
        None => provisional(app, id, amount, cursor).await?,
    };
    Ok(Listed { page, settled: found.settled_at.is_some() })
}

/// One league of a gameweek that is drawn, with how it is being played.
pub struct OneLeague {
    pub league: LeagueNow,
    pub live: LeagueLive,
}

/// The league by its number; `None` before the draw, and where there is none of that number.
pub async fn one(
    app: &App,
    gameweek: Option<&str>,
    amount: EntryAmount,
    number: &str,
) -> Flow<Option<OneLeague>, ListError> {
    let number: u32 = number.parse().map_err(|_| ListError::NotALeague)?;
    let Some((id, found)) = app.asked_gameweek(gameweek).await? else {
        return if gameweek.is_none() { Ok(None) } else { Err(ListError::NoGameweek.into()) };
    };
    if found.drawn_at.is_none() {
        return Ok(None);
    }
    let (store, at) = (app.store(), LeagueId { gameweek: id, amount, number });
    let (league, record, scores, switches) =
        tokio::try_join!(store.league(at), store.settlement(at), store.scores(id), store.switches())?;
    let Some(league) = league else { return Ok(None) };
    let live = live::league(app, &league, scores.as_ref()).await?;
    // A record that is not paid in full yet is not shown: the league says when it is.
    let record = record.filter(|_| league.settled_at.is_some());
    let league =
        as_it_is(league, record, scores.as_ref(), &found, switches.deducts_transfers_at(found.deadline));
    Ok(Some(OneLeague { league, live }))
}

/// The cursor is the number of groups before the page and the last entry's id.
async fn provisional(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    cursor: Option<&str>,
) -> Flow<Page<LeagueNow>, ListError> {
    let (before, after) = match cursor {
        None => (0, None),
        Some(cursor) => {
            let (n, id) = group_cursor(cursor).ok_or(ListError::NotACursor)?;
            (n, Some(id))
        }
    };
    let entries = app.store().entries_page(gameweek, amount, after, PAGE * LEAGUE_SIZE).await?;
    let full = entries.len() == PAGE * LEAGUE_SIZE;
    let next = entries.last().filter(|_| full).map(|last| format!("{}-{}", before + PAGE, last.id));
    let groups = entries.chunks(LEAGUE_SIZE).enumerate().map(|(i, group)| {
        let group = ProvisionalGroup { number: before + i + 1, entries: group.to_vec() };
        LeagueNow::Provisional { gameweek, amount, group }
    });
    Ok(Page { items: groups.collect(), cursor: next })
}

/// The cursor is the last league's number.
async fn drawn(
    app: &App,
    (id, gameweek): (GameweekId, &Gameweek),
    amount: EntryAmount,
    cursor: Option<&str>,
) -> Flow<Page<LeagueNow>, ListError> {
    if cursor.is_some_and(|cursor| number_of(cursor).is_none()) {
        return Err(ListError::NotACursor.into());
    }
    let limit = i32::try_from(PAGE).expect("a page is small");
    let store = app.store();
    let (page, scores, switches) =
        tokio::try_join!(store.leagues_page(id, amount, cursor, limit), store.scores(id), store.switches())?;
    let deduct = switches.deducts_transfers_at(gameweek.deadline);
    let settled: Vec<LeagueId> =
        page.items.iter().filter(|league| league.settled_at.is_some()).map(League::id).collect();
    let mut records: HashMap<String, Settlement> = store
        .settlements(&settled)
        .await?
        .into_iter()
        .map(|record| (record.league.clone(), record))
        .collect();
    let items = page.items.into_iter().map(|league| {
        let record = records.remove(&league.id().to_string());
        as_it_is(league, record, scores.as_ref(), gameweek, deduct)
    });
    Ok(Page { items: items.collect(), cursor: page.cursor })
}

/// A league that is drawn, by its record once it is settled.
pub(super) fn as_it_is(
    league: League,
    record: Option<Settlement>,
    scores: Option<&GameweekPoints>,
    gameweek: &Gameweek,
    deduct: bool,
) -> LeagueNow {
    match record {
        Some(record) => LeagueNow::Settled { league, record: Box::new(record) },
        None => LeagueNow::Drawn { members: ranked(&league, scores, gameweek, deduct), league },
    }
}

fn group_cursor(cursor: &str) -> Option<(usize, &str)> {
    let (n, id) = cursor.split_once('-')?;
    Some((usize::from(n.parse::<u16>().ok()?), id)).filter(|(_, id)| is_hex_id(id))
}

/// Best first; whoever has no points yet comes last.
fn ranked(
    league: &League,
    scores: Option<&GameweekPoints>,
    gameweek: &Gameweek,
    deduct: bool,
) -> Vec<RankedMember> {
    let points = |at| {
        let points = points::of_team(league.reading(at), scores, gameweek)?;
        let score = points.figures.score(deduct);
        Some((points, score))
    };
    let members = (0..league.members.len()).map(|at| RankedMember { at, rank: None, points: points(at) });
    let (known, unknown): (Vec<_>, Vec<_>) = members.partition(|member| member.points.is_some());
    let score = |member: &RankedMember| member.points.as_ref().map(|(_, score)| *score);
    let ranks = ranking::rank(known, |member| score(member).expect("only those with points are ranked"));
    let known = ranks.into_iter().map(|(rank, member)| RankedMember { rank: Some(rank), ..member });
    known.chain(unknown).collect()
}
