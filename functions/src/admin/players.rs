//! Players, as an admin finds and changes them.

use app::{
    App,
    admin::{
        approvals::Stakes,
        players::{self, Change, ChangeError, SHORTEST_SEARCH},
    },
    platform::security_log::{Event, SecurityEntry},
    teams::link::{self, LinkError},
    withdrawals::requests::{self, Unproved},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{FplId, MpesaPhone, Role, UserId};
use serde::{Deserialize, Serialize};
use store::{
    accounts::{players::Player, sessions::Session},
    admin::{
        audit::{AuditAction, Who},
        permits::Permit,
    },
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    accounts::{
        auth::{no_season, role},
        profile::{Transaction, transactions_page},
    },
    admin::{acts::MoneyAct, approvals::ProposalItem, audit::AuditItem},
    entries::{
        join::team_refusal,
        list::{Entries, entries_page},
    },
    payments::numbers::{OwnNumberItem, own_numbers},
    platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal},
};

/// So many acts and sessions are shown.
const SHOWN: i32 = 50;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerItem {
    #[serde(rename = "_id")]
    id: String,
    username: String,
    email: String,
    /// Empty for an admin without a team.
    fpl_id: String,
    team_name: Option<String>,
    /// `player` or `admin`.
    role: &'static str,
    /// Can log in and withdraw, and not enter.
    suspended: bool,
    /// Cannot log in, and nothing is entered or paid out.
    #[schema(example = false)]
    frozen: bool,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Player> for PlayerItem {
    fn from(player: Player) -> Self {
        Self {
            id: player.id.to_string(),
            username: player.username.to_string(),
            email: player.email.as_str().to_owned(),
            fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
            team_name: player.team_name,
            role: role(player.role),
            suspended: player.suspended,
            frozen: player.frozen,
            created_at: player.created_at.to_string(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The beginning of a username, an email or an FPL ID, the last three or more digits of a phone number, a whole
    /// account at the paybill, or an `_id`; at least two characters.
    q: Option<String>,
}

/// Finds players.
#[utoipa::path(get, path = "/api/admin/players", tag = "admin", security(("bearer" = [])),
    params(SearchQuery), responses(
        (status = 200, description = "At most twenty", body = Vec<PlayerItem>),
        (status = 400, description = "Too little to look for", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn search_players(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<SearchQuery>,
) -> Result<Json<Vec<PlayerItem>>, ApiError> {
    let text = query.q.unwrap_or_default();
    if text.trim().chars().count() < SHORTEST_SEARCH {
        return Err(ApiError::bad_request("Enter at least two characters."));
    }
    let found = players::search(&app, &text).await?;
    Ok(Json(found.into_iter().map(PlayerItem::from).collect()))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerProfile {
    player: PlayerItem,
    /// The season that the team is of.
    season: u16,
    /// Whether that season is over.
    needs_team: bool,
    /// The influencer's code that the player came by.
    referral: Option<String>,
    /// RFC 3339, UTC: when a forgotten password was last replaced.
    password_reset_at: Option<String>,
    /// Balance, in KES.
    wallet: i64,
    /// What the player owes, in KES.
    owed: i64,
    /// Numbers that the player has paid from, or asked to be paid at.
    #[schema(example = json!(["0712345678"]))]
    phones: Vec<String>,
    /// Those of them that are the player's own: a prompt to each was paid.
    own_numbers: Vec<OwnNumberItem>,
    /// The player's account at the paybill; null of a player of before who has not asked for it yet.
    #[schema(example = "5720014")]
    paybill_account: Option<String>,
    /// Prizes in the wallet that were won with a team which the player has not proved: with the safeguards
    /// full they cannot be withdrawn yet.
    unproved_prizes: Vec<UnprovedPrize>,
    /// Newest first, at most 50.
    sessions: Vec<SessionItem>,
    /// What admins did to the player and to what is theirs, newest first, at most 50.
    acts: Vec<AuditItem>,
    /// Newest first, at most 50; the header `x-next-cursor` names the next ones.
    transactions: Vec<Transaction>,
    /// Of the newest 50 gameweeks.
    entries: Entries,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnprovedPrize {
    /// The league's `_id`.
    league: String,
    /// The team that won it.
    fpl_id: String,
    /// What is left of it in the wallet, in KES.
    left: i64,
}

impl From<Unproved> for UnprovedPrize {
    fn from(prize: Unproved) -> Self {
        Self {
            league: prize.league.to_string(),
            fpl_id: prize.team.fpl_id.to_string(),
            left: prize.left.get(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// RFC 3339, UTC.
    created_at: String,
    /// RFC 3339, UTC: when it was last refreshed.
    last_used_at: String,
    /// Whether it is still good for anything.
    stands: bool,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProfileQuery {
    /// From the header `x-next-cursor` of the page before: further transactions.
    cursor: Option<String>,
}

/// A player with everything that is theirs.
#[utoipa::path(get, path = "/api/admin/players/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`"), ProfileQuery), responses(
        (status = 200, description = "The player", body = PlayerProfile),
        (status = 400, description = "Not a cursor", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn get_player(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<String>,
    Query(query): Query<ProfileQuery>,
) -> Result<Response, ApiError> {
    let id = user_id(&id)?;
    let player = app.store().player(&id).await?.ok_or_else(no_such)?;
    let (transactions, next) = transactions_page(&app, &id, query.cursor).await?;
    let body = Json(profile(&app, player, transactions).await?);
    Ok(match next {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

fn user_id(text: &str) -> Result<UserId, ApiError> {
    UserId::parse(text).map_err(|_| no_such())
}

fn no_such() -> ApiError {
    ApiError::not_found(ChangeError::NoPlayer)
}

async fn profile(
    app: &App,
    player: Player,
    transactions: Vec<Transaction>,
) -> Result<PlayerProfile, ApiError> {
    let (store, id) = (app.store(), &player.id);
    let (entries, _) = entries_page(app, id, None).await?;
    let acts = store.acts_on(id, SHOWN).await?;
    let unproved = requests::unproved_prizes_of(app, &player).await?;
    let wallet = store.wallet(id).await?;
    Ok(PlayerProfile {
        wallet: wallet.balance.get(),
        owed: wallet.debt.get(),
        phones: store.phones_of(id).await?.iter().map(MpesaPhone::local).collect(),
        own_numbers: own_numbers(app, id).await?,
        paybill_account: player.account.map(|account| account.to_string()),
        unproved_prizes: unproved.into_iter().map(UnprovedPrize::from).collect(),
        sessions: sessions(app, &player).await?,
        acts: acts.into_iter().map(AuditItem::from).collect(),
        transactions,
        entries,
        season: player.season,
        needs_team: link::is_needed(&player, app.calendar().await?.as_ref()),
        referral: player.referral.as_ref().map(ToString::to_string),
        password_reset_at: player.password_reset_at.map(|at| at.to_string()),
        player: player.into(),
    })
}

async fn sessions(app: &App, player: &Player) -> Result<Vec<SessionItem>, ApiError> {
    let mut sessions = app.store().sessions(&player.id).await?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.created_at));
    let shown = sessions.iter().take(usize::try_from(SHOWN).unwrap_or_default());
    Ok(shown.map(|session| session_item(app, player, session)).collect())
}

fn session_item(app: &App, player: &Player, session: &Session) -> SessionItem {
    SessionItem {
        created_at: session.created_at.to_string(),
        last_used_at: session.rotated_at.to_string(),
        stands: app.stands(player, session),
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerChange {
    /// Whether the player is kept from entering.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    suspended: Lenient,
    /// Whether everything rests: sessions end, nobody logs in, and nothing is entered or paid out.
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    frozen: Lenient,
    /// `true`: the prizes in the wallet can be withdrawn, though their teams are not proved. Weighed like money that
    /// is paid: above what one admin may do alone a second one approves it.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    release_prizes: Lenient,
    /// The team of this season in the place of the one that is linked.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    fpl_id: Lenient,
    /// `true`: every session ends at once.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    end_sessions: Lenient,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Asked for by the player, by mail.")]
    reason: Lenient,
}

/// Changes one thing of an account: suspends or freezes it or ends that, corrects its team, or ends its sessions.
/// A team that another account has this season is not given away. An entry into a gameweek that is still open
/// goes with the new team; what was entered before keeps the one that it had.
#[utoipa::path(patch, path = "/api/admin/players/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`")), request_body = PlayerChange, responses(
        (status = 200, description = "As the player is now", body = PlayerItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Not one change, no reason, or no such team", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin, one's own account, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
        (status = 409, description = "Another account's team, the player's own already, or nothing to release",
            body = Refusal),
        (status = 503, description = "The official game is not answering", body = Refusal),
    ))]
pub async fn update_player(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<PlayerChange>,
) -> Result<Response, ApiError> {
    let id = user_id(&id)?;
    actor.not_own(&id)?;
    // Whoever has stolen one admin's session must not shut the others out.
    let whose = app.store().player(&id).await?;
    if whose.is_some_and(|player| player.role == Role::Admin) {
        actor.step_up(&app)?;
    }
    let (asked, reason) = (asked(&form)?, form.reason.reason()?);
    match asked {
        Asked::ReleasePrizes => {
            actor.does(&app, MoneyAct::ReleasePrizes { id: id.to_string(), reason }).await
        }
        Asked::Change(change) => update(&app, &actor, &id, change, &reason).await,
    }
}

/// What is asked for.
enum Asked {
    Change(Change),
    /// It lets money out.
    ReleasePrizes,
}

async fn update(
    app: &App,
    actor: &Actor,
    id: &UserId,
    change: Change,
    reason: &str,
) -> Result<Response, ApiError> {
    // What lets money out, and what says who wins it.
    if matches!(change, Change::Team(_) | Change::Frozen(false)) {
        actor.step_up(app)?;
    }
    let admin = &actor.admin;
    players::change(app, id, change, Who::admin(admin), reason).await?.map_err(refusal)?;
    tracing::info!(admin = %admin.id, player = %id, ?change, "player");
    app.log_security(SecurityEntry::new(event_of(change)).of(id).by(&admin.id)).await;
    as_it_is(app, id).await
}

async fn as_it_is(app: &App, id: &UserId) -> Result<Response, ApiError> {
    Ok(Json(PlayerItem::from(find(app, id).await?)).into_response())
}

async fn find(app: &App, id: &UserId) -> Result<Player, ApiError> {
    app.store().player(id).await?.ok_or_else(no_such)
}

/// What is at stake with releasing a player's prizes: what is left of them.
pub(crate) async fn release_stakes(app: &App, id: &str, reason: &str) -> Result<Stakes, ApiError> {
    let player = find(app, &user_id(id)?).await?;
    let held = players::held_prizes(app, &player).await?;
    let on = format!("player {}, prizes of team {}", player.id, held.names());
    let stakes = Stakes::of(AuditAction::ReleasePrizes, on, (&player.id, &player.username), held.amount);
    Ok(Stakes { is_open: !held.teams.is_empty(), reason: Some(reason.to_owned()), ..stakes })
}

/// Releases a player's prizes by `permit`.
pub(crate) async fn release_prizes(
    app: &App,
    id: &str,
    reason: &str,
    permit: &Permit,
) -> Result<Response, ApiError> {
    let player = find(app, &user_id(id)?).await?;
    players::release_prizes(app, &player, reason, permit).await?.map_err(refusal)?;
    let by = permit.who.person();
    tracing::info!(?by, player = %player.id, "prizes released");
    let line = SecurityEntry::new(Event::PrizesReleased).of(&player.id);
    app.log_security(by.map_or(line, |(admin, _)| line.by(admin))).await;
    as_it_is(app, &player.id).await
}

fn event_of(change: Change) -> Event {
    match change {
        Change::Suspended(true) => Event::AccountSuspended,
        Change::Suspended(false) => Event::AccountUnsuspended,
        Change::Frozen(true) => Event::AccountFrozen,
        Change::Frozen(false) => Event::AccountUnfrozen,
        Change::EndSessions => Event::SessionsEnded,
        Change::Team(_) => Event::TeamChanged,
    }
}

fn asked(form: &PlayerChange) -> Result<Asked, ApiError> {
    let one =
        || ApiError::bad_request("Say one change: suspended, frozen, fplId, releasePrizes or endSessions.");
    let suspended = form.suspended.boolean("suspended")?.map(Change::Suspended);
    let frozen = form.frozen.boolean("frozen")?.map(Change::Frozen);
    let release = form.release_prizes.boolean("releasePrizes")?;
    let release = release.filter(|release| *release).map(|_| Asked::ReleasePrizes);
    let sessions = form.end_sessions.boolean("endSessions")?;
    let sessions = sessions.filter(|end| *end).map(|_| Change::EndSessions);
    let team = match form.fpl_id.is_absent() {
        true => None,
        false => Some(FplId::parse(form.fpl_id.text()).map(Change::Team).map_err(ApiError::bad_request)?),
    };
    let changes = [suspended, frozen, sessions, team].into_iter().flatten().map(Asked::Change);
    let mut asked = changes.chain(release);
    match (asked.next(), asked.next()) {
        (Some(asked), None) => Ok(asked),
        _ => Err(one()),
    }
}

fn refusal(error: ChangeError) -> ApiError {
    match error {
        ChangeError::NoPlayer => no_such(),
        ChangeError::Team(LinkError::NoSeason) => no_season(),
        ChangeError::Team(LinkError::Team(error)) => team_refusal(error),
        ChangeError::Team(_) | ChangeError::SameTeam | ChangeError::NothingToRelease | ChangeError::Moved => {
            ApiError::conflict(error)
        }
    }
}
