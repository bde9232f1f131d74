//! Log-in (spec §2, §4).

use app::{
    App,
    accounts::log_in::{self, Credentials},
};
use axum::{Json, extract::State};
use axum_extra::extract::CookieJar;
use domain::{Email, UserId, Username, accounts::device::Device};
use http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use super::wire::RoleWord;
use crate::platform::http::{ApiError, Body, CallerAddress, Lenient, OneOf, Refusal, RefusalCode, cookies};

#[derive(Deserialize, ToSchema)]
pub struct LogIn {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "wanjiku@example.co.ke")]
    email: Lenient,
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
    /// For an admin who uses an authenticator app: its code, or a recovery code.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "492039")]
    totp: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoggedIn {
    /// `exist`.
    #[schema(inline)]
    status: LogInAcceptedWord,
    #[serde(rename = "_id")]
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: UserId,
    #[schema(value_type = String, example = "Wanjiku")]
    username: Username,
    /// The linked team's number; empty where none is linked (an admin, or a player who has yet to link or prove a team).
    #[schema(example = "118670")]
    fpl_id: String,
    /// Whether the page asks for a team: a player has linked none, or the linked one is of a season that is over.
    #[schema(example = false)]
    needs_team: bool,
    #[schema(value_type = String, example = "wanjiku@example.co.ke")]
    email: Email,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
    /// Good for fifteen minutes.
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl")]
    access_token: String,
    /// The same as `accessToken`.
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl")]
    token: String,
}

/// What a log-in that succeeds says.
#[derive(Debug, Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", const_into_str)]
enum LogInAccepted {
    Exist,
}

type LogInAcceptedWord = OneOf<LogInAccepted>;

impl From<log_in::LoggedIn> for LoggedIn {
    fn from(log_in::LoggedIn { player, tokens, needs_team }: log_in::LoggedIn) -> Self {
        Self {
            status: OneOf(LogInAccepted::Exist),
            id: player.id,
            username: player.username,
            fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
            needs_team,
            email: player.email,
            role: OneOf(player.role),
            token: tokens.access_token.clone(),
            access_token: tokens.access_token,
        }
    }
}

/// The body of a refused log-in.
#[derive(Serialize, ToSchema)]
pub struct NotLoggedIn {
    /// `notexist`; `totp`: the same call again, with the code of the authenticator app in `totp`.
    #[schema(inline)]
    status: LogInRefusedWord,
    #[schema(example = "Invalid email or password. Please try again.")]
    message: String,
    /// Which rule it is.
    code: RefusalCode,
}

/// What a log-in that is refused says.
#[derive(Debug, Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub(super) enum LogInRefused {
    NotExist,
    Totp,
}

type LogInRefusedWord = OneOf<LogInRefused>;

/// Begins a session: the access token in the answer, the refresh token in an HttpOnly cookie.
#[utoipa::path(post, path = "/api/login", tag = "auth", request_body = LogIn, responses(
    (status = 200, description = "Logged in", body = LoggedIn,
        headers(("set-cookie" = String, description = "The refresh token, HttpOnly"))),
    (status = 400, description = "No email or password, or a code that is no text", body = Refusal),
    (status = 401, description = "Wrong email or password, or (`totp`) a code is missing or not right", body = NotLoggedIn),
    (status = 403, description = "Called from another site, or the account is frozen (`frozen`) or closed (`closed`)", body = Refusal),
    (status = 429, description = "Too many have failed: not before `Retry-After`", body = Refusal),
))]
pub async fn log_in(
    State(app): State<App>,
    address: CallerAddress,
    headers: HeaderMap,
    jar: CookieJar,
    Body(form): Body<LogIn>,
) -> Result<(CookieJar, Json<LoggedIn>), ApiError> {
    cookies::check_same_site(&app, &headers)?;
    let (email, password) = (form.email.text(), form.password.text());
    if email.trim().is_empty() || password.trim().is_empty() {
        return Err(ApiError::bad_request("Email and password are required.")
            .code(RefusalCode::EmailAndPasswordRequired));
    }
    let code = form.totp.text_if_any("totp")?.map_or("", str::trim);
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let given = Credentials { email, password, code, device: agent.map(Device::of) };
    let logged_in = log_in::log_in(&app, given, address.ip()).await?;
    Ok((cookies::keep(&app, jar, &logged_in.tokens), Json(logged_in.into())))
}
