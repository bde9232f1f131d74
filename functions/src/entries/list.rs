//! A player's own entries: what each gameweek cost and brought.

use app::{
    App,
    entries::list::{self, OwnEntry},
};
use axum::extract::State;
use domain::{GameweekId, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{ApiError, Caller, Paged, Query, Refusal, RefusalCode};

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
    #[schema(example = 400)]
    profit_and_loss: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryView {
    /// Season and number: `2026-03`.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// The year in which the season began.
    #[schema(example = 2026)]
    season: u16,
    /// The gameweek's number in it.
    #[schema(example = 1)]
    number: u8,
    /// What it cost, in KES.
    #[schema(example = 500)]
    amount: i64,
    /// The league's `_id`; null before the draw, and where there was none.
    #[schema(example = "2026-03-50-00001")]
    league: Option<String>,
    /// In the league; null until it is settled.
    #[schema(example = 1)]
    rank: Option<usize>,
    /// What the league was ranked by; null until it is settled, and where the team could not be read.
    #[schema(example = 61)]
    points: Option<i32>,
    /// In KES.
    #[schema(example = 450)]
    prize: i64,
    /// In KES.
    #[schema(example = 0)]
    refund: i64,
    /// Of the prize or the refund, what has paid what the player owed, in KES; left out where nothing was owed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 0)]
    towards_debt: Option<i64>,
    /// Why it was given back; null where it was not.
    #[schema(example = "Nobody else joined.")]
    refund_reason: Option<String>,
    /// How the entry stands in the draw's list, to be kept and looked for after the draw; null in entries from
    /// before it was so.
    #[schema(
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f 118670 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
    )]
    line: Option<String>,
    /// RFC 3339, UTC.
    at: Timestamp,
}

/// The caller's entries by gameweek, with what they brought.
#[utoipa::path(get, path = "/api/me/entries", tag = "account", security(("bearer" = [])),
    params(EntriesQuery), responses(
        (status = 200, description = "At most 50 entries, and the total", body = Entries),
        (status = 400, description = "Not a cursor", body = Refusal),
    ))]
pub async fn list_entries(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<EntriesQuery>,
) -> Result<Paged<Entries>, ApiError> {
    let before = query.cursor.map(|cursor| cursor.parse::<GameweekId>()).transpose();
    let before =
        before.map_err(|_| ApiError::bad_request("That is not a cursor.").code(RefusalCode::NotACursor))?;
    entries_page(&app, &caller.id, before).await
}

/// A player's entries into gameweeks before one.
pub(crate) async fn entries_page(
    app: &App,
    player: &UserId,
    before: Option<GameweekId>,
) -> Result<Paged<Entries>, ApiError> {
    let (page, profit_and_loss) = list::page(app, player, before).await?;
    let entries = page.items.into_iter().map(EntryView::from).collect();
    let body = Entries { entries, profit_and_loss: profit_and_loss.get() };
    Ok(Paged { body, cursor: page.cursor })
}

impl From<OwnEntry> for EntryView {
    fn from(entry: OwnEntry) -> Self {
        Self {
            gameweek: entry.gameweek.to_string(),
            season: entry.gameweek.season,
            number: entry.gameweek.number,
            amount: entry.amount.get(),
            league: entry.league.map(|league| league.to_string()),
            rank: entry.rank,
            points: entry.points,
            prize: entry.prize.get(),
            refund: entry.refund.get(),
            towards_debt: entry.towards_debt.is_positive().then(|| entry.towards_debt.get()),
            refund_reason: entry.refund_reason,
            line: entry.line,
            at: entry.at,
        }
    }
}
