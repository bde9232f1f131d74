//! Who is calling. A token that is sent is judged on every call, public ones too: a browser learns
//! from the 401 that it must refresh. What moves money also asks whether the session still stands,
//! and an admin's role is read from the store, never believed.

use app::{App, access::Identity};
use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use domain::Role;
use http::{header, request::Parts};
use store::players::Player;

use super::{ApiError, service::CallerId};

/// Somebody logged in: what the token says.
pub struct Caller(pub Identity);

/// Somebody logged in, or nobody.
pub struct OptionalCaller(pub Option<Identity>);

/// A player about to move money: the session stands, the account is read.
pub struct Spender(pub Player);

/// An admin: the session stands, the role is on the account now.
pub struct Admin(pub Player);

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        identity(parts, &App::from_ref(state)).await?.map(Self).ok_or_else(ApiError::unauthorized)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for OptionalCaller
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        identity(parts, &App::from_ref(state)).await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Spender
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = App::from_ref(state);
        let identity = identity(parts, &app).await?.ok_or_else(ApiError::unauthorized)?;
        account(&app, &identity).await.map(Self)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Spender
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, ApiError> {
        let app = App::from_ref(state);
        match identity(parts, &app).await? {
            Some(identity) => account(&app, &identity).await.map(|player| Some(Self(player))),
            None => Ok(None),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Admin
where
    App: FromRef<S>,
{
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Spender(player) = <Spender as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        if player.role == Role::Admin { Ok(Self(player)) } else { Err(ApiError::forbidden()) }
    }
}

/// Whether a caller is an admin now, by the store.
///
/// # Errors
/// 401 where the session has ended, 403 where the account is no admin's.
pub async fn check_admin(app: &App, identity: &Identity) -> Result<(), ApiError> {
    let player = account(app, identity).await?;
    if player.role == Role::Admin { Ok(()) } else { Err(ApiError::forbidden()) }
}

/// What the bearer token says; `None` where none was sent.
async fn identity(parts: &Parts, app: &App) -> Result<Option<Identity>, ApiError> {
    let Some(header) = parts.headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = header.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let token = token.ok_or_else(ApiError::unauthorized)?;
    let identity = app.verify_access_token(token).await?.map_err(|_| ApiError::unauthorized())?;
    if let Some(caller) = parts.extensions.get::<CallerId>() {
        caller.note(&identity.user_id);
    }
    Ok(Some(identity))
}

/// The account behind a token, as long as its session stands.
async fn account(app: &App, identity: &Identity) -> Result<Player, ApiError> {
    let standing = app.standing_session(&identity.user_id, &identity.session).await?;
    standing.map(|(player, _)| player).ok_or_else(ApiError::unauthorized)
}
