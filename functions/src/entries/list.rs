//! A player's own entries: what each gameweek cost and brought.

use std::collections::BTreeMap;

use app::{App, settlement::settling};
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use domain::{EntryAmount, GameweekId, Kes, UserId, ledger::postings::Cause};
use serde::{Deserialize, Serialize};
use store::{
    leagues::LeagueId,
    ledger::wallets::StoredPosting,
    settlement::record::{Ranked, Settlement},
};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{ApiError, Caller, Refusal};

/// Entries on one page: more than a season's.
const PAGE: usize = 50;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EntriesQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entries {
    /// Newest gameweek first, seasons before this one included.
    entries: Vec<EntryView>,
    /// Prizes and refunds less entries, in KES: of all entries, whatever the page.
    profit_and_loss: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    /// Season and number: `2026-03`.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// The year in which the season began.
    season: u16,
    /// The gameweek's number in it.
    number: u8,
    /// What it cost, in KES.
    amount: i64,
    /// The league's `_id`; null before the draw, and where there was none.
    league: Option<String>,
    /// In the league; null until it is settled.
    rank: Option<usize>,
    /// What the league was ranked by; null until it is settled.
    points: Option<i32>,
    /// In KES.
    prize: i64,
    /// In KES.
    refund: i64,
    /// Why it was given back; null where it was not.
    refund_reason: Option<String>,
    /// How the entry stands in the draw's list, to be kept and looked for after the draw; null in entries from
    /// before it was so.
    line: Option<String>,
    /// RFC 3339, UTC.
    at: String,
}

/// The caller's entries by gameweek, with what they brought.
#[utoipa::path(get, path = "/api/me/entries", tag = "account", security(("bearer" = [])),
    params(EntriesQuery), responses(
        (status = 200, description = "At most 50 entries, and the total", body = Entries),
        (status = 400, description = "Not a cursor", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
    ))]
pub async fn list_entries(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<EntriesQuery>,
) -> Result<Response, ApiError> {
    let before = query.cursor.map(|cursor| cursor.parse::<GameweekId>()).transpose();
    let before = before.map_err(|_| ApiError::bad_request("That is not a cursor."))?;
    let (entries, next) = entries_page(&app, &caller.id, before).await?;
    let body = Json(entries);
    Ok(match next {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

/// A player's entries into gameweeks before one, and the next page's cursor.
pub(crate) async fn entries_page(
    app: &App,
    player: &UserId,
    before: Option<GameweekId>,
) -> Result<(Entries, Option<String>), ApiError> {
    let postings = app.store().postings(player).await?;
    let mut entered: Vec<Entered<'_>> = postings.iter().filter_map(Entered::of).collect();
    entered.retain(|entry| before.is_none_or(|before| entry.gameweek < before));
    entered.sort_by_key(|entry| std::cmp::Reverse(entry.gameweek));
    let more = entered.len() > PAGE;
    entered.truncate(PAGE);
    let next = entered.last().filter(|_| more).map(|entry| entry.gameweek.to_string());
    let entries = Entries {
        entries: views(app, player, &postings, &entered).await?,
        profit_and_loss: profit_and_loss(&postings).get(),
    };
    Ok((entries, next))
}

/// The posting of an entry, and which gameweek it is.
struct Entered<'a> {
    gameweek: GameweekId,
    posting: &'a StoredPosting,
}

impl<'a> Entered<'a> {
    fn of(posting: &'a StoredPosting) -> Option<Self> {
        let (kind, gameweek) = posting.cause.split_once('#')?;
        (kind == "entry").then_some(())?;
        Some(Self { gameweek: gameweek.parse().ok()?, posting })
    }

    /// Its gameweek, amount and id, which name it.
    fn named(&self) -> Option<(GameweekId, EntryAmount, &'a str)> {
        let amount = EntryAmount::try_from(self.posting.entry_amount?.get()).ok()?;
        Some((self.gameweek, amount, self.posting.entry_id.as_deref()?))
    }
}

async fn views(
    app: &App,
    player: &UserId,
    postings: &[StoredPosting],
    entered: &[Entered<'_>],
) -> Result<Vec<EntryView>, ApiError> {
    let shown = |league: &LeagueId| entered.iter().any(|entry| entry.gameweek == league.gameweek);
    let leagues: Vec<LeagueId> = app.store().leagues_of(player).await?.into_iter().filter(shown).collect();
    let settlements = app.store().settlements(&leagues).await?;
    let by_cause: BTreeMap<&str, &StoredPosting> =
        postings.iter().map(|posting| (posting.cause.as_str(), posting)).collect();
    let gained =
        |cause: Cause| by_cause.get(cause.key().as_str()).map_or(Kes::ZERO, |posting| posting.amount);
    let placed = |gameweek: GameweekId| leagues.iter().find(|league| league.gameweek == gameweek);
    let unplaced = entered.iter().filter(|entry| placed(entry.gameweek).is_none());
    let reasons = app.store().why_unplaced(&unplaced.filter_map(Entered::named).collect::<Vec<_>>()).await?;
    let named: Vec<_> = entered.iter().filter_map(Entered::named).collect();
    let kept = app.store().entries_named(player, &named).await?;
    let line = |id: Option<&String>| {
        let entry = kept.iter().find(|entry| Some(&entry.id) == id)?;
        Some(entry.line()?.to_string())
    };
    let view = |entry: &Entered<'_>| {
        let (gameweek, posting) = (entry.gameweek, entry.posting);
        let league = placed(gameweek);
        let prize = league.map_or(Kes::ZERO, |id| gained(Cause::Prize { gameweek, league: id.to_string() }));
        let settled = league.and_then(|id| settled_in(&settlements, id, player));
        let place = settled.and_then(|(_, ranked)| ranked.rank.zip(ranked.score));
        let given_back = settled.filter(|(_, ranked)| ranked.refund.is_positive());
        let why = given_back.map(|(record, _)| settling::why_refunded(record));
        EntryView {
            gameweek: gameweek.to_string(),
            season: gameweek.season,
            number: gameweek.number,
            amount: -posting.amount.get(),
            league: league.map(LeagueId::to_string),
            rank: place.map(|(rank, _)| rank),
            points: place.map(|(_, score)| score.points),
            prize: prize.get(),
            refund: gained(Cause::Refund { gameweek }).get(),
            refund_reason: why.or_else(|| reasons.get(posting.entry_id.as_ref()?).cloned()),
            line: line(posting.entry_id.as_ref()),
            at: posting.at.to_string(),
        }
    };
    Ok(entered.iter().map(view).collect())
}

/// What gameweeks brought, less what they cost.
fn profit_and_loss(postings: &[StoredPosting]) -> Kes {
    let of_gameweeks = postings.iter().filter(|p| matches!(p.kind.as_str(), "entry" | "prize" | "refund"));
    of_gameweeks.fold(Kes::ZERO, |sum, posting| sum + posting.amount)
}

/// A player in the record of a league that is settled.
fn settled_in<'a>(
    settlements: &'a [Settlement],
    league: &LeagueId,
    player: &UserId,
) -> Option<(&'a Settlement, &'a Ranked)> {
    let record = settlements.iter().find(|record| record.league == league.to_string())?;
    let ranked = record.ranking.iter().find(|ranked| ranked.user_id == *player)?;
    Some((record, ranked))
}
