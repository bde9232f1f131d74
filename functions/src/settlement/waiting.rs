//! Leagues that cannot be settled by the figures alone: why, and what the admin can do about it.

use app::{
    App,
    settlement::{
        settling::Readings,
        waiting::{self, ActError, Correction, Waiting, WaitingAct},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{FplId, leagues::ranking::Figures};
use serde::{Deserialize, Serialize};
use store::{leagues::LeagueId, settlement::record::Settlement};
use utoipa::ToSchema;

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal};

#[derive(Serialize, ToSchema)]
pub struct WaitingLeagues {
    waiting: Vec<WaitingLeague>,
    /// Leagues that were paid before the official game corrected its points: nothing paid changes.
    corrected: Vec<CorrectedLeague>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingLeague {
    #[serde(rename = "_id")]
    id: String,
    gameweek: u8,
    /// In KES.
    entry_amount: i64,
    /// In a sentence for each team, or for the whole league.
    why: String,
    /// The year in which its season began.
    season: u16,
    /// RFC 3339, UTC.
    since: String,
    /// From then on it can be decided; retry at any time. RFC 3339, UTC.
    decidable_from: String,
    /// What can be decided then, of `official-figures`, `own-figures`, `refund` and `leave-out`.
    decisions: Vec<&'static str>,
    teams: Vec<WaitingTeam>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingTeam {
    username: String,
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
    gross: i32,
    transfers_cost: i32,
    #[serde(rename = "points_on_bench")]
    points_on_bench: i32,
}

#[derive(Serialize, ToSchema)]
pub struct CorrectedLeague {
    #[serde(rename = "_id")]
    id: String,
    /// What differs now from what was paid on, in a sentence for each team.
    what: String,
}

/// The leagues that wait, and those whose points were corrected after they were paid.
#[utoipa::path(get, path = "/api/admin/leagues/waiting", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "Oldest gameweek first", body = WaitingLeagues),
    (status = 401, description = "Not logged in", body = Refusal),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn list_waiting_leagues(
    State(app): State<App>,
    _: Admin,
) -> Result<Json<WaitingLeagues>, ApiError> {
    let waiting = waiting::list(&app).await?.into_iter().map(WaitingLeague::from).collect();
    let corrected = waiting::corrections(&app).await?.into_iter();
    let corrected =
        corrected.map(|Correction { league, what }| CorrectedLeague { id: league.to_string(), what });
    Ok(Json(WaitingLeagues { waiting, corrected: corrected.collect() }))
}

impl From<Waiting> for WaitingLeague {
    fn from(waiting: Waiting) -> Self {
        let (decidable_from, decisions) = (waiting.decided_from().to_string(), waiting.decisions());
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
            since: since.to_string(),
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

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeagueDecision {
    /// `retry`: ask the official game again. After a day of waiting also `official-figures` (where only
    /// our own computation disagrees) and `own-figures` (where the official game does not know a team any more:
    /// it is ranked on our own figures, last where there are none, and its stake stays). Where the official game
    /// has answered for nobody in the league also `refund` (every entry) and `leave-out` (who has no official
    /// score).
    #[serde(default)]
    #[schema(value_type = String)]
    act: Lenient,
    /// Shown to everybody in the settlement; needed for all but `retry`, at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Lenient,
    /// Whom to leave out.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, example = json!(["118670"]))]
    fpl_ids: Lenient,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueDecided {
    message: String,
}

/// Decides what becomes of a league that waits.
#[utoipa::path(post, path = "/api/admin/leagues/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The league's `_id`")),
    request_body = LeagueDecision, responses(
        (status = 200, description = "Done, or asked for", body = LeagueDecided),
        (status = 400, description = "Not an act, no reason, or not a team of that league", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin, or a code is wanted first (not for `retry`)", body = Refusal),
        (status = 404, description = "No such league", body = Refusal),
        (status = 409, description = "It does not wait, not for a day yet, or not for that", body = Refusal),
    ))]
pub async fn decide_league(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<LeagueDecision>,
) -> Result<Json<LeagueDecided>, ApiError> {
    let id: LeagueId = id.parse().map_err(|_| ApiError::not_found(ActError::NoLeague))?;
    let act = act_of(&form)?;
    let reason = match act {
        WaitingAct::Retry => String::new(),
        _ => form.reason.reason()?,
    };
    // All but asking again decides who is paid.
    if act != WaitingAct::Retry {
        actor.step_up(&app)?;
    }
    match waiting::act(&app, id, act, &actor.admin, &reason).await? {
        Ok(record) => Ok(Json(LeagueDecided { message: told(id, record.as_ref()) })),
        Err(error @ ActError::NoLeague) => Err(ApiError::not_found(error)),
        Err(error @ ActError::NotAMember(_)) => Err(ApiError::bad_request(error)),
        Err(error) => Err(ApiError::conflict(error)),
    }
}

fn act_of(form: &LeagueDecision) -> Result<WaitingAct, ApiError> {
    match form.act.text() {
        "retry" => Ok(WaitingAct::Retry),
        "official-figures" => Ok(WaitingAct::OfficialFigures),
        "own-figures" => Ok(WaitingAct::OwnFigures),
        "refund" => Ok(WaitingAct::Refund),
        "leave-out" => {
            let teams = form.fpl_ids.texts().and_then(|teams| {
                teams.into_iter().map(|team| FplId::parse(team).ok()).collect::<Option<Vec<FplId>>>()
            });
            let teams = teams.filter(|teams| !teams.is_empty());
            teams
                .map(WaitingAct::LeaveOut)
                .ok_or_else(|| ApiError::bad_request("Say which teams to leave out."))
        }
        _ => Err(ApiError::bad_request(
            "The act is retry, official-figures, own-figures, refund or leave-out.",
        )),
    }
}

fn told(id: LeagueId, record: Option<&Settlement>) -> String {
    match record {
        None => format!("League {id} is looked at again."),
        Some(record) => {
            format!(
                "League {id} is decided: KSh {} go to its players.",
                app::settlement::settling::paid(record).get()
            )
        }
    }
}
