//! Leagues: joining, seeing them, points, and the record that was paid from.

use app::{App, access::Identity, payments::new_entry};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    EntryAmount, FplId, GameweekId,
    gameweek::{Calendar, Gameweek},
    join::{self, JoinError},
    league::LEAGUE_SIZE,
    payment,
    ranking::{Figures, Score},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    entries::{Entry, Joined},
    leagues::{League, LeagueId, Member, Settlement},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    deposits::{self, check_own},
    entry_payments::{entry_amount, gameweek_number},
    http::{ApiError, Body, Loose, OptionalCaller, Refusal, Spender},
};

/// Leagues on one page.
const PAGE: usize = 50;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinLeague {
    /// The caller's own; with a `checkoutId`, the one it was paid for.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    fpl_id: Loose,
    /// 50, 100 or 250 KES.
    #[serde(default)]
    #[schema(value_type = i64, example = 50)]
    entry_amount: Loose,
    /// The current one's number.
    #[serde(default)]
    #[schema(value_type = i64, example = 1)]
    gameweek: Loose,
    /// A paid prompt's: shows that payment's own entry, and spends nothing.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    checkout_id: Loose,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinedLeague {
    message: String,
    gameweek: u8,
    /// In KES.
    entry_amount: i64,
}

/// Enters the current gameweek: from the wallet, or by a prompt that was paid for it.
#[utoipa::path(post, path = "/api/join-league", tag = "leagues", security((), ("bearer" = [])),
    request_body = JoinLeague, responses(
        (status = 201, description = "In", body = JoinedLeague),
        (status = 400, description = "Closed, not covered, or not in order", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "Already joined this gameweek", body = Refusal),
    ))]
pub async fn join_league(
    State(app): State<App>,
    caller: Option<Spender>,
    Body(form): Body<JoinLeague>,
) -> Result<Response, ApiError> {
    let amount = entry_amount(&form.entry_amount).map_err(ApiError::bad_request)?;
    let number = gameweek_number(&form.gameweek).unwrap_or_default();
    if form.checkout_id.is_absent() {
        let Spender(player) = caller.ok_or_else(ApiError::unauthorized)?;
        let own = player.fpl_id.map(|id| id.to_string()).unwrap_or_default();
        check_own(&form.fpl_id, &own)?;
        let (calendar, gameweek) = open_gameweek(&app, number).await?;
        if player.suspended {
            return Err(ApiError::bad_request(JoinError::Suspended));
        }
        let fpl_id = player.fpl_id.ok_or_else(ApiError::forbidden)?;
        let id = calendar.id(gameweek.number);
        let entry = new_entry(&player, fpl_id, id, amount, app.clock().now());
        match app.store().join_by_wallet(&entry).await? {
            Joined::Entered => {}
            Joined::AlreadyJoined => return Err(ApiError::conflict(JoinError::AlreadyJoined)),
            Joined::InsufficientBalance => {
                return Err(ApiError::bad_request(JoinError::InsufficientBalance(amount)));
            }
        }
    } else {
        paid_entry(&app, &form, amount, number).await?;
    }
    let message = "You are in. Good luck!".to_owned();
    let body = JoinedLeague { message, gameweek: number, entry_amount: amount.into() };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// The gameweek a wallet join goes into.
async fn open_gameweek(app: &App, number: u8) -> Result<(Calendar, Gameweek), ApiError> {
    let current = app.current_gameweek().await?;
    let gameweek = current.as_ref().map(|(_, gameweek)| gameweek);
    join::check_open(gameweek, number, app.clock().now()).map_err(ApiError::bad_request)?;
    current.ok_or_else(|| ApiError::bad_request(JoinError::NoGameweek))
}

/// Whether a prompt made the entry that is asked for: it can show that one, and nothing else.
async fn paid_entry(app: &App, form: &JoinLeague, amount: EntryAmount, number: u8) -> Result<(), ApiError> {
    let payment = deposits::find(app, form.checkout_id.text()).await?;
    let player = app.store().player(&payment.user_id).await?.ok_or_else(ApiError::forbidden)?;
    let own = player.fpl_id.map(|id| id.to_string()).unwrap_or_default();
    let for_this = payment.entry.is_some_and(|entry| {
        entry.amount == amount && entry.gameweek.number == number && form.fpl_id.text().trim() == own
    });
    if !for_this {
        return Err(ApiError::forbidden());
    }
    match payment.state {
        payment::State::Success if payment.entered => Ok(()),
        payment::State::Success => {
            let why = payment.reason.unwrap_or_else(|| "Your money is in your wallet.".to_owned());
            let already = why.starts_with(&JoinError::AlreadyJoined.to_string());
            Err(if already { ApiError::conflict(why) } else { ApiError::bad_request(why) })
        }
        payment::State::Failed => Err(ApiError::bad_request("Payment failed. Please try again.")),
        payment::State::Pending | payment::State::SetAside => {
            Err(ApiError::bad_request("The payment is not confirmed yet."))
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeaguesQuery {
    /// The number in the current season.
    #[param(value_type = Option<u8>)]
    gameweek: Option<String>,
    /// 50, 100 or 250 KES; 50 where it is left out.
    #[param(value_type = Option<i64>)]
    entry_amount: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueView {
    #[serde(rename = "_id")]
    id: String,
    /// From 1.
    number: usize,
    /// `provisional` before the draw, then `drawn`, and `settled` once it is paid.
    state: &'static str,
    /// Whether the caller is in it.
    own: bool,
    /// Ranked once there are points, in order of joining before.
    users: Vec<MemberView>,
}

#[derive(Serialize, ToSchema)]
pub struct MemberView {
    #[serde(rename = "fplId")]
    fpl_id: String,
    username: String,
    /// After the deduction setting; null until known.
    points: Option<i32>,
    /// Null until known.
    points_on_bench: Option<i32>,
    /// Null until there are points; equal scores share one.
    rank: Option<usize>,
    /// In KES; null until it is settled.
    prize: Option<i64>,
}

/// The leagues of a gameweek and amount, the caller's own first.
#[utoipa::path(get, path = "/api/leagues", tag = "leagues", security((), ("bearer" = [])),
    params(LeaguesQuery), responses(
        (status = 200, description = "At most 50 leagues; the header `x-next-cursor` names the next page",
            body = Vec<LeagueView>),
        (status = 400, description = "Not a gameweek, an amount or a cursor", body = Refusal),
        (status = 401, description = "The token is not valid", body = Refusal),
    ))]
pub async fn list_leagues(
    State(app): State<App>,
    OptionalCaller(caller): OptionalCaller,
    Query(query): Query<LeaguesQuery>,
) -> Result<Response, ApiError> {
    let amount = query.entry_amount.as_deref().unwrap_or("50");
    let amount = amount.parse::<i64>().map_err(|_| domain::money::NotAnEntryAmount);
    let amount = amount.and_then(EntryAmount::try_from).map_err(ApiError::bad_request)?;
    let not_a_gameweek = || ApiError::bad_request("That is not a gameweek of this season.");
    let Some((calendar, gameweek)) = asked_gameweek(&app, query.gameweek.as_deref()).await? else {
        return if query.gameweek.is_some() { Err(not_a_gameweek()) } else { Ok(page(Vec::new(), None)) };
    };
    let id = calendar.id(gameweek.number);
    let cursor = query.cursor.as_deref();
    let (leagues, next) = match gameweek.drawn_at {
        Some(_) => drawn(&app, id, amount, caller.as_ref(), cursor).await?,
        None => provisional(&app, id, amount, caller.as_ref(), cursor).await?,
    };
    Ok(page(leagues, next))
}

fn page(leagues: Vec<LeagueView>, next: Option<String>) -> Response {
    match next {
        Some(cursor) => ([("x-next-cursor", cursor)], Json(leagues)).into_response(),
        None => Json(leagues).into_response(),
    }
}

async fn asked_gameweek(app: &App, asked: Option<&str>) -> Result<Option<(Calendar, Gameweek)>, ApiError> {
    let Some(asked) = asked else { return Ok(app.current_gameweek().await?) };
    let Some(calendar) = app.calendar().await? else { return Ok(None) };
    let gameweek = asked.parse().ok().and_then(|number| calendar.gameweek(number)).cloned();
    Ok(gameweek.map(|gameweek| (calendar, gameweek)))
}

type Listed = (Vec<LeagueView>, Option<String>);

/// Before the draw: the entries in order of joining, cut into tens. The cursor is the number of
/// groups before the page and the last entry's id.
async fn provisional(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    caller: Option<&Identity>,
    cursor: Option<&str>,
) -> Result<Listed, ApiError> {
    let (before, after) = match cursor {
        None => (0, None),
        Some(cursor) => {
            let parts = cursor.split_once('-').and_then(|(n, id)| Some((n.parse::<usize>().ok()?, id)));
            let (n, id) = parts.ok_or_else(|| ApiError::bad_request("That is not a cursor."))?;
            (n, Some(id))
        }
    };
    let entries = app.store().entries_page(gameweek, amount, after, PAGE * LEAGUE_SIZE).await?;
    let full = entries.len() == PAGE * LEAGUE_SIZE;
    let next = entries.last().filter(|_| full).map(|last| format!("{}-{}", before + PAGE, last.id));
    let groups = entries.chunks(LEAGUE_SIZE).enumerate();
    let mut leagues: Vec<LeagueView> =
        groups.map(|(i, group)| group_view(gameweek, amount, before + i + 1, group, caller)).collect();
    if cursor.is_none() && caller.is_some() && !leagues.iter().any(|league| league.own) {
        let own = own_group(app, gameweek, amount, caller).await?;
        leagues.splice(0..0, own);
    }
    own_first(&mut leagues);
    Ok((leagues, next))
}

fn group_view(
    gameweek: GameweekId,
    amount: EntryAmount,
    number: usize,
    group: &[Entry],
    caller: Option<&Identity>,
) -> LeagueView {
    let members = group.iter().map(|entry| MemberView {
        fpl_id: entry.fpl_id.to_string(),
        username: entry.username.to_string(),
        points: None,
        points_on_bench: None,
        rank: None,
        prize: None,
    });
    LeagueView {
        id: format!("{gameweek}-{}-provisional-{number}", amount.kes().get()),
        number,
        state: "provisional",
        own: caller.is_some_and(|caller| group.iter().any(|entry| entry.user_id == caller.user_id)),
        users: members.collect(),
    }
}

/// The caller's own group, where it is beyond the first page.
async fn own_group(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    caller: Option<&Identity>,
) -> Result<Option<LeagueView>, ApiError> {
    let Some(caller) = caller else { return Ok(None) };
    let cause = domain::ledger::Cause::Entry { gameweek }.key();
    let posting = app.store().posting(&caller.user_id, &cause).await?;
    let joined = posting.filter(|posting| posting.entry_amount == Some(amount.kes()));
    let Some(entry_id) = joined.and_then(|posting| posting.entry_id) else { return Ok(None) };
    let entries = app.store().all_entries(gameweek, amount).await?;
    let Some(at) = entries.iter().position(|entry| entry.id == entry_id) else { return Ok(None) };
    let group = at / LEAGUE_SIZE;
    let members = entries.chunks(LEAGUE_SIZE).nth(group).unwrap_or_default();
    Ok(Some(group_view(gameweek, amount, group + 1, members, Some(caller))))
}

/// After the draw: the leagues as written, with what they were paid where they are settled.
async fn drawn(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    caller: Option<&Identity>,
    cursor: Option<&str>,
) -> Result<Listed, ApiError> {
    let limit = i32::try_from(PAGE).expect("a page is small");
    let page = app.store().leagues_page(gameweek, amount, cursor, limit).await?;
    let mut leagues = page.items;
    let own = match caller {
        Some(caller) => app.store().league_of(&caller.user_id, gameweek).await?,
        None => None,
    };
    let own = own.filter(|own| own.amount == amount);
    if let Some(id) = own {
        leagues.retain(|league| league.id() != id);
        if cursor.is_none() {
            leagues.splice(0..0, app.store().league(id).await?);
        }
    }
    let settled: Vec<LeagueId> =
        leagues.iter().filter(|league| league.settled_at.is_some()).map(League::id).collect();
    let settlements = app.store().settlements(&settled).await?;
    let views = leagues.into_iter().map(|league| {
        let id = league.id();
        let record = settlements.iter().find(|record| record.league == id.to_string());
        league_view(league, record, own == Some(id))
    });
    Ok((views.collect(), page.cursor))
}

fn league_view(league: League, record: Option<&Settlement>, own: bool) -> LeagueView {
    let id = league.id();
    let users = match record {
        Some(record) => record
            .ranking
            .iter()
            .map(|ranked| MemberView {
                fpl_id: ranked.fpl_id.to_string(),
                username: ranked.username.to_string(),
                points: Some(ranked.score.points),
                points_on_bench: Some(ranked.score.points_on_bench),
                rank: Some(ranked.rank),
                prize: Some(ranked.prize.get()),
            })
            .collect(),
        None => league.members.into_iter().map(unranked).collect(),
    };
    let state = if record.is_some() { "settled" } else { "drawn" };
    let number = usize::try_from(id.number).expect("a league's number is small");
    LeagueView { id: id.to_string(), number, state, own, users }
}

fn unranked(member: Member) -> MemberView {
    MemberView {
        fpl_id: member.fpl_id.to_string(),
        username: member.username.to_string(),
        points: None,
        points_on_bench: None,
        rank: None,
        prize: None,
    }
}

fn own_first(leagues: &mut [LeagueView]) {
    leagues.sort_by_key(|league| (!league.own, league.number));
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// The number in the current season; the current one where it is left out.
    #[param(value_type = Option<u8>)]
    gameweek: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Points {
    /// After the deduction setting; null until known.
    points: Option<i32>,
    /// Null until known.
    points_on_bench: Option<i32>,
    gameweek: Option<u8>,
    /// Before extra transfers are paid for.
    gross: Option<i32>,
    #[serde(rename = "transfersCost")]
    transfers_cost: Option<i32>,
    chip: Option<String>,
    /// `live`, `provisional` or `final`; null until known.
    status: Option<&'static str>,
    /// RFC 3339, UTC.
    #[serde(rename = "asOf")]
    as_of: Option<String>,
}

/// A registered team's points in a gameweek.
#[utoipa::path(get, path = "/api/points/{fplId}", tag = "leagues",
    params(("fplId" = String, Path, description = "Digits"), PointsQuery),
    responses(
        (status = 200, description = "The points, as far as they are known", body = Points),
        (status = 404, description = "Nobody here has that team", body = Refusal),
    ))]
pub async fn get_points(
    State(app): State<App>,
    _: OptionalCaller,
    Path(fpl_id): Path<String>,
    Query(query): Query<PointsQuery>,
) -> Result<Json<Points>, ApiError> {
    let nobodys = || ApiError::not_found("Nobody here has that team.");
    let fpl_id = FplId::parse(&fpl_id).map_err(|_| nobodys())?;
    let season = app.calendar().await?.map_or(0, |calendar| calendar.season);
    app.store().player_by_team(season, fpl_id).await?.ok_or_else(nobodys)?;
    let unknown = Points {
        points: None,
        points_on_bench: None,
        gameweek: None,
        gross: None,
        transfers_cost: None,
        chip: None,
        status: None,
        as_of: None,
    };
    let Some((calendar, gameweek)) = asked_gameweek(&app, query.gameweek.as_deref()).await? else {
        return Ok(Json(unknown));
    };
    let unknown = Points { gameweek: Some(gameweek.number), ..unknown };
    let kept = app.store().official_result(fpl_id, calendar.id(gameweek.number)).await?;
    let Some(result) = kept else { return Ok(Json(unknown)) };
    let deduct = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let Score { points, points_on_bench } = result.figures.score(deduct);
    let Figures { gross, transfers_cost, .. } = result.figures;
    Ok(Json(Points {
        points: Some(points),
        points_on_bench: Some(points_on_bench),
        gross: Some(gross),
        transfers_cost: Some(transfers_cost),
        chip: result.chip,
        status: Some("final"),
        as_of: Some(result.as_of.to_string()),
        ..unknown
    }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementView {
    league: String,
    /// RFC 3339, UTC.
    at: String,
    deduct_transfer_points: bool,
    fee_percent: u8,
    /// In KES, like all money here.
    collected: i64,
    fee: i64,
    /// What did not divide among the winners.
    rounding: i64,
    ranking: Vec<RankedView>,
    /// SHA-256 over a line for each member: team, gross, transfers' cost, bench (hex).
    figures_hash: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedView {
    rank: usize,
    username: String,
    fpl_id: String,
    gross: i32,
    transfers_cost: i32,
    /// What the league was ranked by.
    points: i32,
    points_on_bench: i32,
    prize: i64,
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
    _: OptionalCaller,
    Path(id): Path<String>,
) -> Result<Json<SettlementView>, ApiError> {
    let none = || ApiError::not_found("There is no settlement of that league.");
    let id: LeagueId = id.parse().map_err(|_| none())?;
    let record = app.store().settlement(id).await?.ok_or_else(none)?;
    let ranking = record.ranking.into_iter().map(|ranked| RankedView {
        rank: ranked.rank,
        username: ranked.username.to_string(),
        fpl_id: ranked.fpl_id.to_string(),
        gross: ranked.figures.gross,
        transfers_cost: ranked.figures.transfers_cost,
        points: ranked.score.points,
        points_on_bench: ranked.score.points_on_bench,
        prize: ranked.prize.get(),
        refund: ranked.refund.get(),
    });
    Ok(Json(SettlementView {
        league: record.league,
        at: record.at.to_string(),
        deduct_transfer_points: record.deduct_transfer_points,
        fee_percent: record.fee_percent,
        collected: record.collected.get(),
        fee: record.fee.get(),
        rounding: record.rounding.get(),
        ranking: ranking.collect(),
        figures_hash: record.figures_hash,
    }))
}
