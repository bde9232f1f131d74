//! The leagues of a gameweek and amount, a page at a time: before the draw the entries in order of joining, cut into
//! tens; after it what was drawn, with points as far as they are known, and what each settled league paid. The
//! reader's own comes first.

use domain::{
    EntryAmount, GameweekId,
    accounts::account::is_hex_id,
    gameweeks::calendar::Gameweek,
    leagues::{
        draw::LEAGUE_SIZE,
        ranking::{self, Score},
    },
    ledger::postings::Cause,
};
use store::{
    Page, StoreError,
    accounts::players::Player,
    entries::order::ProvisionalGroup,
    leagues::{League, LeagueId, points::GameweekPoints},
    settlement::record::Settlement,
};

use crate::{
    App,
    leagues::points::{self, TeamPoints},
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
}

impl Refusal for ListError {}

/// A league, and whether the reader is in it.
#[derive(Debug, Clone)]
pub struct ListedLeague {
    pub own: bool,
    pub now: LeagueNow,
}

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

/// A page of the leagues of the gameweek that is asked for, by default the current one.
pub async fn page(
    app: &App,
    gameweek: Option<&str>,
    amount: EntryAmount,
    cursor: Option<&str>,
    reader: Option<&Player>,
) -> Flow<Page<ListedLeague>, ListError> {
    let Some((id, found)) = app.asked_gameweek(gameweek).await? else {
        let none = Page { items: Vec::new(), cursor: None };
        return if gameweek.is_none() { Ok(none) } else { Err(ListError::NoGameweek.into()) };
    };
    let list = List { app, gameweek: id, amount, reader };
    if found.drawn_at.is_some() { list.drawn(&found, cursor).await } else { list.provisional(cursor).await }
}

struct List<'a> {
    app: &'a App,
    gameweek: GameweekId,
    amount: EntryAmount,
    reader: Option<&'a Player>,
}

impl List<'_> {
    /// The cursor is the number of groups before the page and the last entry's id.
    async fn provisional(&self, cursor: Option<&str>) -> Flow<Page<ListedLeague>, ListError> {
        let (before, after) = match cursor {
            None => (0, None),
            Some(cursor) => {
                let (n, id) = group_cursor(cursor).ok_or(ListError::NotACursor)?;
                (n, Some(id))
            }
        };
        let store = self.app.store();
        let entries = store.entries_page(self.gameweek, self.amount, after, PAGE * LEAGUE_SIZE).await?;
        let full = entries.len() == PAGE * LEAGUE_SIZE;
        let next = entries.last().filter(|_| full).map(|last| format!("{}-{}", before + PAGE, last.id));
        let groups = entries.chunks(LEAGUE_SIZE).enumerate();
        let mut groups: Vec<ProvisionalGroup> = groups
            .map(|(i, group)| ProvisionalGroup { number: before + i + 1, entries: group.to_vec() })
            .collect();
        if let Some(own) = self.own_group().await? {
            groups.retain(|group| group.number != own.number);
            if cursor.is_none() {
                groups.insert(0, own);
            }
        }
        Ok(Page { items: groups.into_iter().map(|group| self.group(group)).collect(), cursor: next })
    }

    async fn own_group(&self) -> Result<Option<ProvisionalGroup>, StoreError> {
        let Some(reader) = self.reader else { return Ok(None) };
        let cause = Cause::Entry { gameweek: self.gameweek }.key();
        let posting = self.app.store().posting(&reader.id, &cause).await?;
        let joined = posting.filter(|posting| posting.entry_amount == Some(self.amount.kes()));
        let Some(entry) = joined.and_then(|posting| posting.entry_id) else { return Ok(None) };
        self.app.store().provisional_group(self.gameweek, self.amount, &entry).await.map(Some)
    }

    fn group(&self, group: ProvisionalGroup) -> ListedLeague {
        let own = group.entries.iter().any(|entry| self.reader.is_some_and(|own| entry.user_id == own.id));
        ListedLeague {
            own,
            now: LeagueNow::Provisional { gameweek: self.gameweek, amount: self.amount, group },
        }
    }

    /// The cursor is the last league's number.
    async fn drawn(&self, gameweek: &Gameweek, cursor: Option<&str>) -> Flow<Page<ListedLeague>, ListError> {
        if cursor.is_some_and(|cursor| cursor.len() != 5 || cursor.parse::<u32>().is_err()) {
            return Err(ListError::NotACursor.into());
        }
        let limit = i32::try_from(PAGE).expect("a page is small");
        let store = self.app.store();
        let page = store.leagues_page(self.gameweek, self.amount, cursor, limit).await?;
        let mut leagues = page.items;
        let own = match self.reader {
            Some(reader) => store.league_of(&reader.id, self.gameweek).await?,
            None => None,
        };
        let own = own.filter(|own| own.amount == self.amount);
        if let Some(id) = own {
            leagues.retain(|league| league.id() != id);
            if cursor.is_none() {
                leagues.splice(0..0, store.league(id).await?);
            }
        }
        let settled: Vec<LeagueId> =
            leagues.iter().filter(|league| league.settled_at.is_some()).map(League::id).collect();
        let settlements = store.settlements(&settled).await?;
        let scores = store.scores(self.gameweek).await?;
        let deduct = store.switches().await?.deducts_transfers_at(gameweek.deadline);
        let items = leagues.into_iter().map(|league| {
            let id = league.id();
            let record = settlements.iter().find(|record| record.league == id.to_string());
            let now = match record.cloned() {
                Some(record) => LeagueNow::Settled { league, record: Box::new(record) },
                None => LeagueNow::Drawn { members: ranked(&league, scores.as_ref(), deduct), league },
            };
            ListedLeague { own: own == Some(id), now }
        });
        Ok(Page { items: items.collect(), cursor: page.cursor })
    }
}

fn group_cursor(cursor: &str) -> Option<(usize, &str)> {
    let (n, id) = cursor.split_once('-')?;
    Some((usize::from(n.parse::<u16>().ok()?), id)).filter(|(_, id)| is_hex_id(id))
}

/// Best first; whoever has no points yet comes last.
fn ranked(league: &League, scores: Option<&GameweekPoints>, deduct: bool) -> Vec<RankedMember> {
    let points = |at| {
        let points = points::of_team(league.reading(at), scores)?;
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
