//! Sign-up, log-in, log-out and the silent refresh (spec §2, §4).

use app::{
    App,
    accounts::{
        passwords,
        totp::{self, TotpError},
    },
    platform::{
        limits::{self, LogInTry},
        security_log::{Event, SecurityEntry},
    },
    teams::link::{self, LinkError, TeamError},
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Email, FplId, Password, Role, UserId, Username, accounts::account::AccountError,
    entries::join::JoinError, platform::limits::Limited,
};
use http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use store::{accounts::players::Player, random_id, teams::proofs::TeamOf};
use utoipa::ToSchema;

use crate::{
    influencers,
    platform::http::{ApiError, Body, CallerAddress, Lenient, Refusal, cookies},
};

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
    #[schema(value_type = Option<serde_json::Value>, example = "7kq2m9x4ab")]
    r#ref: Lenient,
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
) -> Result<Response, ApiError> {
    let fpl_id = FplId::parse(form.fpl_id.text()).map_err(ApiError::bad_request)?;
    let password = Password::choose(form.password.text()).map_err(ApiError::bad_request)?;
    let email = Email::parse(form.email.text()).map_err(ApiError::bad_request)?;
    let username = Username::choose(form.username.text()).map_err(ApiError::bad_request)?;
    if !form.over18.is_absent() && !form.over18.is_true() {
        return Err(ApiError::bad_request(AccountError::NotOver18));
    }
    limits::sign_up(&app, &address.text()).await??;
    let team_name = match link::look_up(&app, fpl_id).await {
        Ok(name) => Some(name),
        Err(error @ TeamError::Unknown) => return Err(ApiError::bad_request(error)),
        // Taken on trust: it is asked for again before the first entry.
        Err(TeamError::NotAnswering) => None,
    };
    let referral = influencers::known(&app, form.r#ref.text()).await?.map(|influencer| influencer.code);
    let season = app.calendar().await?.ok_or_else(no_season)?.season;
    let held = match form.prove_team.boolean("proveTeam")? {
        Some(true) => app.store().team_held(TeamOf { season, fpl_id }).await?,
        _ => None,
    };
    let fpl_id = Some(fpl_id).filter(|_| held.is_none());
    let team_name = team_name.filter(|_| held.is_none());
    let player = Player {
        id: UserId::parse(&random_id()).expect("random ids are 32 hex digits"),
        email,
        username,
        fpl_id,
        team_name,
        season,
        role: Role::Player,
        suspended: false,
        frozen: false,
        referral,
        created_at: app.clock().now(),
        password_reset_at: None,
        password_resets: 0,
        account: None,
        totp: false,
    };
    let hash = passwords::hash(password).await?;
    Ok(match app.store().create_player(&player, &hash).await? {
        Ok(()) => {
            let line = SecurityEntry::new(Event::SignedUp).of(&player.id).email(player.email.as_str());
            app.log_security(line.from(address.ip())).await;
            (StatusCode::CREATED, "notexist").into_response()
        }
        Err(_) => (StatusCode::CONFLICT, "exist").into_response(),
    })
}

/// A team belongs to a season, and none is known.
pub(crate) fn no_season() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, LinkError::NoSeason).retry_after(60)
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
    status: &'static str,
    #[serde(rename = "_id")]
    id: String,
    username: String,
    /// Empty for an admin without a team.
    fpl_id: String,
    /// Whether the team is of a season that is over: a new one has to be linked before entering.
    needs_team: bool,
    email: String,
    /// `player` or `admin`.
    role: &'static str,
    /// Good for fifteen minutes.
    access_token: String,
    /// The same as `accessToken`.
    token: String,
}

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
    Body(form): Body<LogIn>,
) -> Result<Response, ApiError> {
    cookies::check_same_site(&app, &headers)?;
    let email = form.email.text();
    if email.trim().is_empty() || form.password.text().trim().is_empty() {
        return Err(ApiError::bad_request("Email and password are required."));
    }
    let code = form.totp.text_if_any("totp")?.map_or("", str::trim);
    let line = |event| SecurityEntry::new(event).email(email).from(address.ip());
    let log_in = match LogInTry::begin(&app, email, &address.text()).await? {
        Ok(log_in) => log_in,
        Err(limited) => {
            app.log_security(line(Event::SignInLimited)).await;
            return Err(limited.into());
        }
    };
    let Some(player) = who(&app, email, form.password.text()).await? else {
        app.log_security(line(Event::SignInRefused)).await;
        log_in.failed(&app).await??;
        return Err(not_logged_in());
    };
    match second_factor(&app, &player, code).await? {
        SecondFactor::Shown => log_in.succeeded(&app).await??,
        // Both tell that the password is right: of many tries at once, of no more than are judged.
        SecondFactor::Asked => {
            log_in.check(&app).await??;
            app.log_security(line(Event::SecondFactorAsked).of(&player.id)).await;
            return Err(with_a_code("Enter the code from your authenticator app."));
        }
        SecondFactor::Limited(limited) => {
            log_in.check(&app).await??;
            app.log_security(line(Event::SecondFactorLimited).of(&player.id)).await;
            return Err(limited.into());
        }
        SecondFactor::Wrong => {
            app.log_security(line(Event::SecondFactorRefused).of(&player.id)).await;
            log_in.failed(&app).await??;
            return Err(with_a_code(TotpError::WrongCode));
        }
    }
    if player.frozen {
        app.log_security(line(Event::SignInFrozen).of(&player.id)).await;
        return Err(ApiError::new(StatusCode::FORBIDDEN, JoinError::Frozen).with("status", "frozen"));
    }
    let tokens = app.start_session(&player).await?;
    app.log_security(line(Event::SignedIn).of(&player.id)).await;
    let body = LoggedIn {
        status: "exist",
        id: player.id.to_string(),
        username: player.username.to_string(),
        fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
        needs_team: link::is_needed(&player, app.calendar().await?.as_ref()),
        email: player.email.as_str().to_owned(),
        role: role(player.role),
        token: tokens.access_token.clone(),
        access_token: tokens.access_token,
    };
    Ok(([(header::SET_COOKIE, cookies::keep(&app, &tokens.refresh_token))], Json(body)).into_response())
}

/// What a log-in with the right password has shown beyond it.
enum SecondFactor {
    /// A code that was right, or none is needed.
    Shown,
    /// Nothing, and a code is needed.
    Asked,
    Wrong,
    /// Too many codes were wrong before.
    Limited(Limited),
}

async fn second_factor(app: &App, player: &Player, code: &str) -> Result<SecondFactor, ApiError> {
    if !player.totp {
        return Ok(SecondFactor::Shown);
    }
    if code.is_empty() {
        return Ok(SecondFactor::Asked);
    }
    match totp::check(app, &player.id, code).await? {
        Ok(()) => Ok(SecondFactor::Shown),
        Err(TotpError::Limited(limited)) => Ok(SecondFactor::Limited(limited)),
        Err(_) => Ok(SecondFactor::Wrong),
    }
}

fn with_a_code(message: impl ToString) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, message).with("status", "totp")
}

/// The body of a refused log-in.
#[derive(Serialize, ToSchema)]
pub struct NotLoggedIn {
    /// `notexist`; `totp`: the same call again, with the code of the authenticator app in `totp`.
    status: String,
    message: String,
}

fn not_logged_in() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "Invalid email or password. Please try again.")
        .with("status", "notexist")
}

/// Whose email and password these are. The same work for an email that nobody has and for a password
/// that no account can have, so that time tells nothing.
async fn who(app: &App, email: &str, password: &str) -> Result<Option<Player>, ApiError> {
    let player = match Email::parse(email) {
        Ok(email) => app.store().player_by_email(&email).await?,
        Err(_) => None,
    };
    let kept = match &player {
        Some(player) => app.store().password_hash(&player.id).await?,
        None => None,
    };
    let password = Password::parse(password);
    let possible = password.is_ok() && kept.is_some();
    let candidate = password.or_else(|_| Password::parse("no such password"));
    let candidate = candidate.expect("sixteen characters are a password");
    let right = passwords::verify(candidate, kept).await?;
    Ok(player.filter(|_| right && possible))
}

pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Player => "player",
        Role::Admin => "admin",
    }
}

/// Ends the session on the server and forgets its cookie.
#[utoipa::path(post, path = "/logout", tag = "auth", responses(
    (status = 204, description = "Logged out", headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn log_out(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    cookies::check_same_site(&app, &headers)?;
    if let Some(token) = cookies::refresh_token(&app, &headers) {
        app.end_session(&token).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookies::forget(&app))]).into_response())
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    access_token: String,
    /// `player` or `admin`.
    role: String,
}

/// The next access token for the session's cookie, which is rotated.
#[utoipa::path(post, path = "/refresh", tag = "auth", responses(
    (status = 200, description = "A new access token", body = Refreshed,
        headers(("set-cookie" = String, description = "The next refresh token, HttpOnly"))),
    (status = 401, description = "No session", body = Refusal,
        headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn refresh(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    cookies::check_same_site(&app, &headers)?;
    let token = cookies::refresh_token(&app, &headers).ok_or_else(ApiError::unauthorized)?;
    match app.refresh_session(&token).await? {
        Ok(tokens) => {
            let identity = app.verify_access_token(&tokens.access_token).await?;
            let role = identity.map_or("player", |identity| role(identity.role)).to_owned();
            let cookie = [(header::SET_COOKIE, cookies::keep(&app, &tokens.refresh_token))];
            let body = Refreshed { access_token: tokens.access_token, role };
            Ok((cookie, Json(body)).into_response())
        }
        Err(refused) => {
            let refusal = ApiError::new(StatusCode::UNAUTHORIZED, refused);
            Ok(([(header::SET_COOKIE, cookies::forget(&app))], refusal).into_response())
        }
    }
}
