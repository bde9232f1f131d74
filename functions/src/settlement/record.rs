//! The record that a league was paid from, for anybody to check.

use app::App;
use axum::extract::{Path, State};
use domain::settlement::readings::Basis;
use jiff::Timestamp;
use serde::Serialize;
use store::leagues::LeagueId;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Keep, OneOf, Public, Refusal, RefusalCode};

type BasisWord = OneOf<Basis>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementView {
    #[schema(example = "2026-03-50-00001")]
    league: String,
    at: Timestamp,
    /// `two-readings`: our own computation and the official figures, which agree. `void`: nothing was
    /// played. `own-figures`: the official figures, and our own where the official game knew a team no more.
    /// Decided by an admin: `official-figures`, `own-figures`, `refunded`, `left-out`, and `called-off` for
    /// the whole gameweek.
    #[schema(inline)]
    basis: BasisWord,
    /// Why an admin decided so; null where the figures alone did.
    #[schema(example = json!(null))]
    reason: Option<String>,
    #[schema(example = true)]
    deduct_transfer_points: bool,
    #[schema(example = 10)]
    fee_percent: u8,
    /// What the members paid in, refunds included; in KES, like all money here.
    #[schema(example = 500)]
    collected: i64,
    #[schema(example = 50)]
    fee: i64,
    /// What did not divide among the winners.
    #[schema(example = 0)]
    rounding: i64,
    ranking: Vec<RankedView>,
    /// SHA-256 over a line for each member in the order of the draw: team, gross, transfers' cost, bench,
    /// a dash for each that there was not (hex).
    #[schema(example = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752")]
    figures_hash: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedView {
    /// Equal scores share one; null where the entry was given back.
    #[schema(example = 1)]
    rank: Option<usize>,
    #[schema(example = "Wanjiku")]
    username: String,
    #[schema(example = "118670")]
    fpl_id: String,
    /// Officially, or by our own computation; null where there was none.
    #[schema(example = 65)]
    gross: Option<i32>,
    #[schema(example = 4)]
    transfers_cost: Option<i32>,
    /// What the league was ranked by.
    #[schema(example = 61)]
    points: Option<i32>,
    #[schema(example = 7)]
    points_on_bench: Option<i32>,
    #[schema(example = "bboost")]
    chip: Option<String>,
    /// Whether the figures are our own: the official game had none for this team.
    #[schema(example = false)]
    own_figures: bool,
    #[schema(example = 450)]
    prize: i64,
    #[schema(example = 0)]
    refund: i64,
}

/// The record that a league was paid from.
#[utoipa::path(get, path = "/api/leagues/{id}/settlement", tag = "leagues",
    params(("id" = String, Path, description = "The league's `_id`")),
    responses(
        (status = 200, description = "The record", body = SettlementView),
        (status = 404, description = "No such league, or not settled yet", body = Refusal),
    ))]
pub async fn get_settlement(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Public<SettlementView>, ApiError> {
    let none =
        || ApiError::not_found("There is no settlement of that league.").code(RefusalCode::NoSettlement);
    let id: LeagueId = id.parse().map_err(|_| none())?;
    let record = app.store().settlement(id).await?.ok_or_else(none)?;
    let ranking = record.ranking.into_iter().map(|ranked| RankedView {
        rank: ranked.rank,
        username: ranked.username.to_string(),
        fpl_id: ranked.fpl_id.to_string(),
        gross: ranked.figures.map(|figures| figures.gross),
        transfers_cost: ranked.figures.map(|figures| figures.transfers_cost),
        points: ranked.score.map(|score| score.points),
        points_on_bench: ranked.score.map(|score| score.points_on_bench),
        chip: ranked.chip,
        own_figures: ranked.own_figures,
        prize: ranked.prize.get(),
        refund: ranked.refund.get(),
    });
    let view = SettlementView {
        league: record.league,
        at: record.at,
        basis: OneOf(record.basis),
        reason: record.decision.map(|decision| decision.reason),
        deduct_transfer_points: record.deduct_transfer_points,
        fee_percent: record.fee_percent,
        collected: record.collected.get(),
        fee: record.fee.get(),
        rounding: record.rounding.get(),
        ranking: ranking.collect(),
        figures_hash: record.figures_hash,
    };
    Ok(Public(Keep::HOUR, view))
}
