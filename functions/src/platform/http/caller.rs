//! Who is calling. A token that is sent is judged on every call that reads one (docs/departures.md): a
//! browser learns from the 401 that it must refresh. Every call asks whether the session still stands, so nothing is shown
//! to a token that outlived its log-out; the account and its role are read from the store, never believed.

use app::{
    App,
    accounts::{access::Identity, second_factor::InSession, step_up},
    admin::own_account::{check_not_own, check_not_own_money},
};
use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use domain::{MpesaPhone, UserId};
use http::{header, request::Parts};
use store::accounts::{players::Player, sessions::Session};

use super::{ApiError, service::CallerId};

/// Somebody logged in: the session stands, the account is read.
pub struct Caller(pub Player);

/// Somebody logged in, in one of their sessions.
pub struct CallerInSession {
    pub player: Player,
    pub session: Session,
}

/// Whom a token names, before the session was asked for: for a call that reads something else meanwhile.
pub struct Bearer(Identity);

impl Bearer {
    /// Whom it names: what is read of them before the session stands is shown to nobody, and changes nothing.
    #[must_use]
    pub fn user_id(&self) -> &UserId {
        &self.0.user_id
    }

    /// The account, as long as the session stands.
    pub async fn player(&self, app: &App) -> Result<Player, ApiError> {
        Ok(player_in_session_of(&self.0, app).await?.0)
    }
}

/// Somebody logged in, or nobody.
pub struct OptionalCaller(pub Option<Player>);

/// An admin: the session stands, the role is on the account now.
pub struct Admin(pub Player);

/// An admin in one of their sessions: who moves money, or changes how they log in.
pub struct Actor {
    pub admin: Player,
    pub session: Session,
}

impl Actor {
    /// That a code of the second factor was given in this session just now, where the safeguards want it.
    pub fn step_up(&self, app: &App) -> Result<(), ApiError> {
        Ok(step_up::check(app, &self.admin, &self.session)?)
    }

    /// That what is acted on is not the admin's own player's, whatever the safeguards.
    pub fn not_own(&self, whose: &UserId) -> Result<(), ApiError> {
        Ok(check_not_own(&self.admin, whose)?)
    }

    /// That it is not theirs, nor money to or from a `number` of theirs, nor against a `receipt` that was credited to them.
    pub async fn not_own_money(
        &self,
        app: &App,
        whose: &UserId,
        number: Option<&MpesaPhone>,
        receipt: Option<&str>,
    ) -> Result<(), ApiError> {
        Ok(check_not_own_money(app, &self.admin, whose, number, receipt).await?)
    }

    #[must_use]
    pub fn in_session(&self) -> InSession<'_> {
        InSession { admin: &self.admin, session: &self.session }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        account(parts, &App::from_ref(state)).await?.map(Self).ok_or_else(ApiError::unauthorized)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for CallerInSession
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let (player, session) =
            player_in_session(parts, &App::from_ref(state)).await?.ok_or_else(ApiError::unauthorized)?;
        Ok(Self { player, session })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        identity(parts, &App::from_ref(state)).await?.map(Self).ok_or_else(ApiError::unauthorized)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Bearer
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, ApiError> {
        Ok(identity(parts, &App::from_ref(state)).await?.map(Self))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for OptionalCaller
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        account(parts, &App::from_ref(state)).await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Actor
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = App::from_ref(state);
        let (admin, session) = player_in_session(parts, &app).await?.ok_or_else(ApiError::unauthorized)?;
        if admin.is_admin() { Ok(Self { admin, session }) } else { Err(ApiError::forbidden()) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Admin
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Caller(player) = <Caller as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        if player.is_admin() { Ok(Self(player)) } else { Err(ApiError::forbidden()) }
    }
}

/// What the bearer token says; `None` where none was sent.
async fn identity(parts: &Parts, app: &App) -> Result<Option<Identity>, ApiError> {
    let Some(header) = parts.headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = header.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let token = token.ok_or_else(ApiError::unauthorized)?;
    let identity = app.verify_access_token(token).await?;
    if let Some(caller) = parts.extensions.get::<CallerId>() {
        caller.note(&identity.user_id);
    }
    Ok(Some(identity))
}

/// The account behind the bearer token, as long as its session stands; `None` where no token was sent.
async fn account(parts: &Parts, app: &App) -> Result<Option<Player>, ApiError> {
    Ok(player_in_session(parts, app).await?.map(|(player, _)| player))
}

async fn player_in_session(parts: &Parts, app: &App) -> Result<Option<(Player, Session)>, ApiError> {
    let Some(identity) = identity(parts, app).await? else { return Ok(None) };
    player_in_session_of(&identity, app).await.map(Some)
}

async fn player_in_session_of(identity: &Identity, app: &App) -> Result<(Player, Session), ApiError> {
    let found = app.valid_session(&identity.user_id, &identity.session).await?;
    found.ok_or_else(ApiError::unauthorized)
}
