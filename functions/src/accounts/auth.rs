//! Sign-up, log-in, log-out and the silent refresh (spec §2, §4).

use app::{
    App,
    accounts::{
        log_in::{self, Credentials},
        sign_up::{self, NewAccount},
    },
    platform::flow::FlowError,
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use axum_extra::extract::CookieJar;
use domain::{Email, FplId, Password, UserId, Username, accounts::account::AccountError};
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use utoipa::{
    ToSchema,
    openapi::{Object, schema::SchemaType},
};

use super::wire::RoleWord;
use crate::platform::http::{ApiError, Body, CallerAddress, Lenient, OneOf, Refusal, cookies};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignUp {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "wanjiku@example.co.ke")]
    email: Lenient,
    /// 3 to 12 letters without accents, digits, `.`, `_` and `-`, at least one letter. What looks like us, an admin
    /// or M-Pesa is reserved.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Wanjiku")]
    username: Lenient,
    /// At least 6 characters once trimmed.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
    /// Digits: the number of the player's team in the official game.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "118670")]
    fpl_id: Lenient,
    /// `true`: where the team is linked to another account, make this one without a team. The player then
    /// proves the team, or links another one.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    prove_team: Lenient,
    /// The player says to be 18 or older; where it is sent it has to be true.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    over18: Lenient,
    /// An influencer's code; one that nobody has is ignored.
    #[serde(default)]
    #[schema(schema_with = referral, required = false)]
    r#ref: Lenient,
}

/// Whatever a link carried: a sign-up is not refused for it.
fn referral() -> Object {
    let mut any = Object::with_type(SchemaType::AnyValue);
    any.description = Some("An influencer's code; one that nobody has is ignored.".to_owned());
    any.example = Some("7kq2m9x4ab".into());
    any
}

/// Makes an account with an empty wallet.
#[utoipa::path(post, path = "/api/signup", tag = "auth", request_body = SignUp, responses(
    (status = 201, description = "The account is made", body = String, example = json!("notexist")),
    (status = 400, description = "A field is not in order", body = Refusal),
    (status = 409, description = "Email, username or team are taken", body = String, example = json!("exist")),
    (status = 429, description = "Too many sign-ups from one address", body = Refusal),
    (status = 503, description = "The season is not known yet", body = Refusal),
))]
pub async fn sign_up(
    State(app): State<App>,
    address: CallerAddress,
    Body(form): Body<SignUp>,
) -> Result<(StatusCode, &'static str), ApiError> {
    let new = NewAccount {
        fpl_id: FplId::parse(form.fpl_id.text())?,
        password: Password::choose(form.password.text())?,
        email: Email::parse(form.email.text())?,
        username: Username::choose(form.username.text())?,
        prove_team: form.prove_team.boolean("proveTeam")?.unwrap_or_default(),
        referral: form.r#ref.text(),
    };
    if !form.over18.is_absent() && !form.over18.is_true() {
        return Err(AccountError::NotOver18.into());
    }
    Ok(match sign_up::sign_up(&app, new, address.ip()).await? {
        true => (StatusCode::CREATED, "notexist"),
        false => (StatusCode::CONFLICT, "exist"),
    })
}

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
    /// Empty for an admin without a team.
    #[schema(example = "118670")]
    fpl_id: String,
    /// Whether the team is of a season that is over: a new one has to be linked before entering.
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
    (status = 403, description = "Called from another site, or the account is frozen (`frozen`)", body = Refusal),
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
        return Err(ApiError::bad_request("Email and password are required."));
    }
    let code = form.totp.text_if_any("totp")?.map_or("", str::trim);
    let given = Credentials { email, password, code };
    let logged_in = log_in::log_in(&app, given, address.ip()).await?;
    Ok((cookies::keep(&app, jar, &logged_in.tokens), Json(logged_in.into())))
}

/// Ends the session on the server and forgets its cookie.
#[utoipa::path(post, path = "/logout", tag = "auth", responses(
    (status = 204, description = "Logged out", headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn log_out(
    State(app): State<App>,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<(StatusCode, CookieJar), ApiError> {
    cookies::check_same_site(&app, &headers)?;
    if let Some(token) = cookies::refresh_token(&app, &jar) {
        app.end_session(token).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookies::forget(&app, jar)))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl")]
    access_token: String,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
}

/// The next access token for the session's cookie, which is rotated.
#[utoipa::path(post, path = "/refresh", tag = "auth", responses(
    (status = 200, description = "A new access token", body = Refreshed,
        headers(("set-cookie" = String, description = "The next refresh token, HttpOnly"))),
    (status = 401, description = "No session", body = Refusal,
        headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn refresh(
    State(app): State<App>,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    cookies::check_same_site(&app, &headers)?;
    let token = cookies::refresh_token(&app, &jar).ok_or_else(ApiError::unauthorized)?;
    match app.refresh_session(token).await {
        Ok(tokens) => {
            let jar = cookies::keep(&app, jar, &tokens);
            let body = Refreshed { access_token: tokens.access_token, role: OneOf(tokens.role) };
            Ok((jar, Json(body)).into_response())
        }
        Err(FlowError::Refused(refused)) => {
            Ok((cookies::forget(&app, jar), ApiError::from(refused)).into_response())
        }
        Err(failed) => Err(failed.into()),
    }
}
