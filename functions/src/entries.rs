//! A player's own entries: what each gameweek cost and brought (decisions, "Calls beyond the table").

use std::collections::BTreeMap;

use app::App;
use axum::{Json, extract::State};
use domain::{GameweekId, Kes, ledger::Cause};
use serde::Serialize;
use store::{
    leagues::{LeagueId, Settlement},
    wallets::StoredPosting,
};
use utoipa::ToSchema;

use crate::http::{ApiError, Caller, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entries {
    /// Newest gameweek first.
    entries: Vec<EntryView>,
    /// Prizes and refunds less entries, in KES.
    profit_and_loss: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    /// Season and number: `2026-03`.
    #[schema(example = "2026-03")]
    gameweek: String,
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
    /// RFC 3339, UTC.
    at: String,
}

/// The caller's entries by gameweek, with what they brought.
#[utoipa::path(get, path = "/api/me/entries", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "Entries and the total", body = Entries),
    (status = 401, description = "Not logged in", body = Refusal),
))]
pub async fn list_entries(State(app): State<App>, Caller(caller): Caller) -> Result<Json<Entries>, ApiError> {
    let postings = app.store().postings(&caller.user_id).await?;
    let leagues = app.store().leagues_of(&caller.user_id).await?;
    let settlements = app.store().settlements(&leagues).await?;
    let by_cause: BTreeMap<&str, &StoredPosting> =
        postings.iter().map(|posting| (posting.cause.as_str(), posting)).collect();
    let gained =
        |cause: Cause| by_cause.get(cause.key().as_str()).map_or(Kes::ZERO, |posting| posting.amount);
    let mut entries: Vec<EntryView> = Vec::new();
    for posting in postings.iter().filter(|posting| posting.kind == "entry") {
        let Some(gameweek) = gameweek_of(posting) else { continue };
        let league = leagues.iter().find(|league| league.gameweek == gameweek);
        let prize = league.map_or(Kes::ZERO, |id| gained(Cause::Prize { gameweek, league: id.to_string() }));
        let place = league.and_then(|id| place_in(&settlements, id, &caller.user_id));
        entries.push(EntryView {
            gameweek: gameweek.to_string(),
            amount: -posting.amount.get(),
            league: league.map(LeagueId::to_string),
            rank: place.map(|(rank, _)| rank),
            points: place.map(|(_, points)| points),
            prize: prize.get(),
            refund: gained(Cause::Refund { gameweek }).get(),
            at: posting.at.to_string(),
        });
    }
    entries.sort_by(|a, b| b.gameweek.cmp(&a.gameweek));
    let profit_and_loss = entries.iter().map(|entry| entry.prize + entry.refund - entry.amount).sum();
    Ok(Json(Entries { entries, profit_and_loss }))
}

/// The gameweek of an entry's posting, from its cause.
fn gameweek_of(posting: &StoredPosting) -> Option<GameweekId> {
    posting.cause.split_once('#').and_then(|(_, gameweek)| gameweek.parse().ok())
}

/// A player's rank and points in a league that is settled.
fn place_in(settlements: &[Settlement], league: &LeagueId, player: &domain::UserId) -> Option<(usize, i32)> {
    let record = settlements.iter().find(|record| record.league == league.to_string())?;
    let ranked = record.ranking.iter().find(|ranked| ranked.user_id == *player)?;
    Some((ranked.rank, ranked.score.points))
}
