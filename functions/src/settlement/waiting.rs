//! Leagues that cannot be settled by the figures alone: why, and what the admin can do about it.

use app::{
    App,
    settlement::{
        settling::paid,
        waiting::{self, CorrectedResults, Waiting, WaitingLeagueError},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    FplId,
    leagues::ranking::Figures,
    settlement::{readings::Readings, waiting::WaitingDecision},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::leagues::LeagueId;
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, Paged, Query, Refusal};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitingQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingLeagues {
    waiting: Vec<WaitingLeague>,
    /// Leagues that were paid before the official game corrected its points: nothing paid changes. On the first page, at
    /// most a hundred.
    corrected: Vec<CorrectedLeague>,
    /// How many more there are of these.
    #[schema(example = 0)]
    more_corrected: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingLeague {
    #[serde(rename = "_id")]
    #[schema(example = "2026-03-50-00001")]
    id: String,
    #[schema(example = 3)]
    gameweek: u8,
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    /// In a sentence for each team, or for the whole league.
    #[schema(example = "Team 118670: it has no official score for this gameweek.")]
    why: String,
    /// The year in which its season began.
    #[schema(example = 2026)]
    season: u16,
    since: Timestamp,
    /// From then on it can be decided; retry at any time.
    decidable_from: Timestamp,
    /// What can be decided then, of `official-figures`, `own-figures`, `refund` and `leave-out`.
    #[schema(example = json!(["own-figures"]))]
    decisions: Vec<&'static str>,
    teams: Vec<WaitingTeam>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingTeam {
    #[schema(example = "Wanjiku")]
    username: String,
    #[schema(example = "118670")]
    fpl_id: String,
    /// Our own computation; null where there is none.
    own: Option<TeamFigures>,
    /// What the official game says; null where it has nothing, or was not read yet.
    official: Option<TeamFigures>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamFigures {
    /// Points before extra transfers are paid for.
    #[schema(example = 65)]
    gross: i32,
    #[schema(example = 4)]
    transfers_cost: i32,
    #[serde(rename = "points_on_bench")]
    #[schema(example = 7)]
    points_on_bench: i32,
}

#[derive(Serialize, ToSchema)]
pub struct CorrectedLeague {
    #[serde(rename = "_id")]
    #[schema(example = "2026-03-50-00001")]
    id: String,
    /// What differs now from what was paid on, in a sentence for each team.
    #[schema(example = "Team 118670: 61 points (7 on the bench), paid on 60 (7).")]
    what: String,
}

/// The leagues that wait, a page at a time, and those whose points were corrected after they were paid.
#[utoipa::path(get, path = "/api/admin/leagues/waiting", tag = "admin", security(("bearer" = [])),
    params(WaitingQuery), responses(
        (status = 200, description = "Oldest gameweek first, at most 50 that wait", body = WaitingLeagues),
        (status = 400, description = "Not a cursor", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_waiting_leagues(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<WaitingQuery>,
) -> Result<Paged<WaitingLeagues>, ApiError> {
    let after = query.cursor.map(|cursor| cursor.parse()).transpose();
    let after = after.map_err(|_| ApiError::bad_request("That is not a cursor of this list."))?;
    let (waiting, next) = waiting::list(&app, after).await?;
    let (corrected, more_corrected) = match after {
        None => waiting::corrections(&app).await?,
        Some(_) => (Vec::new(), 0),
    };
    let corrected = corrected
        .into_iter()
        .map(|CorrectedResults { league, what }| CorrectedLeague { id: league.to_string(), what })
        .collect();
    let waiting = waiting.into_iter().map(WaitingLeague::from).collect();
    let body = WaitingLeagues { waiting, corrected, more_corrected };
    Ok(Paged { body, cursor: next.map(|league| league.to_string()) })
}

impl From<Waiting> for WaitingLeague {
    fn from(waiting: Waiting) -> Self {
        let (decidable_from, decisions) = (waiting.decided_from(), waiting.decisions());
        let Waiting { league, why, since, readings, .. } = waiting;
        let teams = league.members.iter().enumerate().map(|(at, member)| {
            let of = |which: fn(&Readings) -> Option<Figures>| readings.get(at).and_then(which);
            WaitingTeam {
                username: member.username.to_string(),
                fpl_id: member.fpl_id.to_string(),
                own: of(|r| r.own).map(TeamFigures::from),
                official: of(|r| r.official).map(TeamFigures::from),
            }
        });
        Self {
            id: league.id().to_string(),
            gameweek: league.gameweek.number,
            season: league.gameweek.season,
            entry_amount: league.amount.into(),
            why,
            since,
            decidable_from,
            decisions,
            teams: teams.collect(),
        }
    }
}

impl From<Figures> for TeamFigures {
    fn from(Figures { gross, transfers_cost, points_on_bench }: Figures) -> Self {
        Self { gross, transfers_cost, points_on_bench }
    }
}

/// What can be done about a league that waits.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
pub enum LeagueAct {
    Retry,
    OfficialFigures,
    OwnFigures,
    Refund,
    LeaveOut,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeagueDecision {
    /// `retry`: ask the official game again. After a day of waiting also `official-figures` (where only
    /// our own computation disagrees) and `own-figures` (where the official game does not know a team any more:
    /// it is ranked on our own figures, last where there are none, and its stake stays). Where the official game
    /// has answered for nobody in the league also `refund` and `leave-out`: both give every entry back, and
    /// `leave-out` has to name every team. Where nothing was played, `refund` alone.
    #[serde(default)]
    #[schema(inline, value_type = LeagueAct)]
    act: Lenient,
    /// Shown to everybody in the settlement; needed for all but `retry`, at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "The official game left one match out of its points.")]
    reason: Lenient,
    /// Whom to leave out.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, example = json!(["118670"]))]
    fpl_ids: Lenient,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueDecided {
    #[schema(example = "League 2026-03-50-00001 is looked at again.")]
    message: String,
}

/// Decides what becomes of a league that waits.
#[utoipa::path(post, path = "/api/admin/leagues/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The league's `_id`")),
    request_body = LeagueDecision, responses(
        (status = 200, description = "Done, or asked for", body = LeagueDecided),
        (status = 400, description = "Not an act, no reason, or not a team of that league", body = Refusal),
        (status = 403, description = "Not an admin, or a code is wanted first (not for `retry`)", body = Refusal),
        (status = 404, description = "No such league", body = Refusal),
        (status = 409, description = "It does not wait, not for a day yet, or not for that, or the admin's own entry is in it", body = Refusal),
    ))]
pub async fn decide_league(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<LeagueDecision>,
) -> Result<Json<LeagueDecided>, ApiError> {
    let id: LeagueId = id.parse().map_err(|_| WaitingLeagueError::NoLeague)?;
    if form.act.text() == "retry" {
        waiting::retry(&app, id, &actor.admin).await?;
        return Ok(Json(LeagueDecided { message: format!("League {id} is looked at again.") }));
    }
    let (decision, reason) = (decision(&form)?, form.reason.reason()?);
    // All but asking again decides who is paid.
    actor.step_up(&app)?;
    let record = waiting::decide(&app, id, &decision, &actor.admin, &reason).await?;
    let message = format!("League {id} is decided: {} go to its players.", paid(&record));
    Ok(Json(LeagueDecided { message }))
}

fn decision(form: &LeagueDecision) -> Result<WaitingDecision, ApiError> {
    match form.act.text() {
        "official-figures" => Ok(WaitingDecision::OfficialFigures),
        "own-figures" => Ok(WaitingDecision::OwnFigures),
        "refund" => Ok(WaitingDecision::Refund),
        "leave-out" => {
            let teams = form.fpl_ids.texts().and_then(|teams| {
                teams.into_iter().map(|team| FplId::parse(team).ok()).collect::<Option<Vec<FplId>>>()
            });
            let teams = teams.filter(|teams| !teams.is_empty());
            teams
                .map(WaitingDecision::LeaveOut)
                .ok_or_else(|| ApiError::bad_request("Say which teams to leave out."))
        }
        _ => Err(ApiError::bad_request(
            "The act is retry, official-figures, own-figures, refund or leave-out.",
        )),
    }
}
