//! Players, as an admin finds them.

use app::{
    App,
    accounts::closing::GRACE,
    admin::{changes, players},
    ledger::transactions,
    payments::set_asides,
    withdrawals::requests::Unproved,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Email, Kes, MpesaPhone, UserId, Username, payments::prompt::PaymentState};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{
    accounts::{players::Player, sessions::Session},
    payments::prompts::Payment,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    accounts::wire::RoleWord,
    admin::audit::AuditItem,
    entries::list::{Entries, entries_page},
    ledger::transactions::Transaction,
    payments::numbers::{OwnNumberItem, own_numbers},
    platform::http::{Admin, ApiError, OneOf, Paged, Query, Refusal, cursor},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerItem {
    #[serde(rename = "_id")]
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: UserId,
    #[schema(value_type = String, example = "Wanjiku")]
    username: Username,
    #[schema(value_type = String, example = "wanjiku@example.co.ke")]
    email: Email,
    /// The linked team's number; empty where none is linked (an admin, or a player who has yet to link or prove a team).
    #[schema(example = "118670")]
    fpl_id: String,
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
    /// Can log in and withdraw, and not enter.
    #[schema(example = false)]
    suspended: bool,
    /// Cannot log in, and nothing is entered or paid out.
    #[schema(example = false)]
    frozen: bool,
    /// Enters and deposits nothing until a proof of age was given.
    #[schema(example = false)]
    age_proof_wanted: bool,
    /// Until when the player has stopped playing, where they have; nobody can end it before.
    stopped_until: Option<Timestamp>,
    /// When the player closed the account: nobody logs in.
    closed_at: Option<Timestamp>,
    /// From when on what is personal of a closed account is erased, unless it is frozen, suspended or asked for a
    /// proof of age.
    erased_at: Option<Timestamp>,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    created_at: Timestamp,
}

impl PlayerItem {
    /// As the player is at `now`.
    pub fn of(player: Player, now: Timestamp) -> Self {
        Self {
            id: player.id,
            username: player.username,
            email: player.email,
            fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
            team_name: player.team_name,
            role: OneOf(player.role),
            suspended: player.suspended,
            frozen: player.frozen,
            age_proof_wanted: player.restraints.age_proof_wanted,
            stopped_until: player.restraints.stopped(now).map(|stopped| stopped.until),
            closed_at: player.closed_at,
            erased_at: player.closed_at.map(|at| at + GRACE),
            created_at: player.created_at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The beginning of a username, an email or an FPL ID, the last three or more digits of a phone number, a whole
    /// account at the paybill, or an `_id`; at least two characters.
    #[param(required = true, min_length = 2, example = "wanj")]
    q: Option<String>,
}

/// Finds players.
#[utoipa::path(get, path = "/api/admin/players", tag = "admin", security(("bearer" = [])),
    params(SearchQuery), responses(
        (status = 200, description = "At most twenty", body = Vec<PlayerItem>),
        (status = 400, description = "Too little to look for", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn search_players(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<SearchQuery>,
) -> Result<Json<Vec<PlayerItem>>, ApiError> {
    let found = players::search(&app, &query.q.unwrap_or_default()).await?;
    let now = app.clock().now();
    Ok(Json(found.into_iter().map(|player| PlayerItem::of(player, now)).collect()))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerProfile {
    player: PlayerItem,
    /// The season that the team is of.
    #[schema(example = 2026)]
    season: u16,
    /// Whether the page asks for a team: a player has linked none, or the linked one is of a season that is over.
    #[schema(example = false)]
    needs_team: bool,
    /// The code of the link that the player came by, an influencer's or another player's.
    #[schema(example = json!(null))]
    referral: Option<String>,
    /// RFC 3339, UTC: when a forgotten password was last replaced.
    #[schema(example = "2026-08-20T09:00:00Z")]
    password_reset_at: Option<Timestamp>,
    /// Balance, in KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What the player owes, in KES.
    #[schema(example = 0)]
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
    /// Of the last eight days, newest first, at most 50.
    prompts: Vec<PlayerPrompt>,
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
    #[schema(example = "2026-03-50-00001")]
    league: String,
    /// The team that won it.
    #[schema(example = "118670")]
    fpl_id: String,
    /// What is left of it in the wallet, in KES.
    #[schema(example = 300)]
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

type PaymentWord = OneOf<PaymentState>;

/// A prompt as an admin looks into it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerPrompt {
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    /// `07…` or `01…`.
    #[schema(example = "0712345678")]
    phone: String,
    /// What was asked for, in KES.
    #[schema(example = 500)]
    amount: i64,
    /// What was credited, in KES, where that is not simply its amount: the sum that an admin credited, or 0 where its receipt
    /// was credited another way. Null: the whole amount, once it is `SUCCESS`.
    #[schema(example = json!(null))]
    credited: Option<i64>,
    /// The entry it pays for, in KES; null for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// The number of the gameweek that this entry is for; null for a deposit.
    #[schema(example = 3)]
    entry_gameweek: Option<u8>,
    /// `PENDING`, `SUCCESS`, `FAILED`, `SET_ASIDE` or `DISMISSED`, as in the export of payments.
    #[schema(inline)]
    state: PaymentWord,
    /// Why it failed, made no entry or was set aside, or what of it has paid a debt.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// M-Pesa's, as far as it is known.
    #[schema(example = "NLJ7RT61SV")]
    receipt: Option<String>,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    at: Timestamp,
}

impl From<Payment> for PlayerPrompt {
    fn from(payment: Payment) -> Self {
        Self {
            receipt: set_asides::receipt(&payment),
            phone: payment.phone.local(),
            amount: payment.amount.get(),
            credited: payment.credited.map(Kes::get),
            entry_amount: payment.entry.map(|entry| entry.amount.into()),
            entry_gameweek: payment.entry.map(|entry| entry.gameweek.number),
            state: OneOf(payment.state),
            reason: payment.reason,
            at: payment.created_at,
            checkout_id: payment.id,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    created_at: Timestamp,
    /// RFC 3339, UTC: when it was last refreshed.
    #[schema(example = "2026-08-20T09:00:00Z")]
    last_used_at: Timestamp,
    /// Whether it is still good for anything.
    #[schema(example = true)]
    stands: bool,
}

impl From<(Session, bool)> for SessionItem {
    fn from((session, stands): (Session, bool)) -> Self {
        Self { created_at: session.created_at, last_used_at: session.rotated_at, stands }
    }
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
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn get_player(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<String>,
    Query(query): Query<ProfileQuery>,
) -> Result<Paged<PlayerProfile>, ApiError> {
    let after = cursor(query.cursor.as_deref())?;
    let player = changes::find(&app, &id).await?;
    let page = async { Ok::<_, ApiError>(transactions::page(&app, &player.id, after).await?) };
    let (page, profile) = tokio::try_join!(page, profile(&app, &player))?;
    let transactions = page.items.into_iter().map(Transaction::from).collect();
    Ok(Paged { body: PlayerProfile { transactions, ..profile }, cursor: page.cursor })
}

/// A player's profile, without their transactions.
async fn profile(app: &App, player: &Player) -> Result<PlayerProfile, ApiError> {
    let profile = async { Ok::<_, ApiError>(players::profile(app, player).await?) };
    let (entries, profile, own_numbers) =
        tokio::try_join!(entries_page(app, &player.id, None), profile, own_numbers(app, &player.id))?;
    Ok(PlayerProfile {
        wallet: profile.wallet.balance.get(),
        owed: profile.wallet.debt.get(),
        phones: profile.phones.iter().map(MpesaPhone::local).collect(),
        own_numbers,
        paybill_account: player.account.map(|account| account.to_string()),
        unproved_prizes: profile.unproved_prizes.into_iter().map(UnprovedPrize::from).collect(),
        prompts: profile.prompts.into_iter().map(PlayerPrompt::from).collect(),
        sessions: profile.sessions.into_iter().map(SessionItem::from).collect(),
        acts: profile.acts.into_iter().map(AuditItem::from).collect(),
        transactions: Vec::new(),
        entries: entries.body,
        season: player.season,
        needs_team: profile.needs_team,
        referral: player.referral.as_ref().map(ToString::to_string),
        password_reset_at: player.password_reset_at,
        player: PlayerItem::of(player.clone(), app.clock().now()),
    })
}
