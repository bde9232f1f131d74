//! Sign-up (spec §2, §4).

use app::{
    App,
    accounts::{
        notifications,
        sign_up::{self, NewAccount},
        terms,
    },
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Email, FplId, Password, Username, accounts::account::AccountError};
use http::StatusCode;
use serde::Deserialize;
use store::accounts::sign_up::{SignedUp, UniqueField};
use utoipa::{
    ToSchema,
    openapi::{Object, schema::SchemaType},
};

use crate::platform::http::{ApiError, Body, CallerAddress, Lenient, Refusal};

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
    /// The player says to be 18 or older; where it is sent it has to be true, and where the safeguards are full it has to
    /// be sent.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    over18: Lenient,
    /// The version of the terms that the player agrees to: the one in force (`GET /api/settings`). Where the safeguards
    /// are full it has to be sent.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "2026-08-01")]
    terms: Lenient,
    /// In which the player is written to: `en`, as where it is left out, or `sw`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "sw")]
    language: Lenient,
    /// The code of an influencer's or a player's link; an unknown one is ignored.
    #[serde(default)]
    #[schema(schema_with = referral, required = false)]
    r#ref: Lenient,
}

/// Whatever a link carried: a sign-up is not refused for it.
fn referral() -> Object {
    let mut any = Object::with_type(SchemaType::AnyValue);
    any.description =
        Some("The code of an influencer's or a player's link; an unknown one is ignored.".to_owned());
    any.example = Some("7kq2m9x4ab".into());
    any
}

/// Makes an account with an empty wallet.
#[utoipa::path(post, path = "/api/signup", tag = "auth", request_body = SignUp, responses(
    (status = 201, description = "The account is made", body = String, example = json!("notexist")),
    (status = 400, description = "A field is not in order, there is no such team, or the terms are not the ones in force", body = Refusal),
    (status = 409, description = "Email, username or team are taken", body = String,
        headers(("x-taken" = Option<String>,
            description = "`username`, `fplId` or `username,fplId`: what is taken, where it is not the email")),
        example = json!("exist")),
    (status = 429, description = "Too many sign-ups from one address", body = Refusal),
    (status = 503, description = "The season is not known yet", body = Refusal),
))]
pub async fn sign_up(
    State(app): State<App>,
    address: CallerAddress,
    Body(form): Body<SignUp>,
) -> Result<Response, ApiError> {
    let new = NewAccount {
        fpl_id: FplId::parse(form.fpl_id.text())?,
        password: Password::choose(form.password.text())?,
        email: Email::parse(form.email.text())?,
        username: Username::choose(form.username.text())?,
        prove_team: form.prove_team.boolean("proveTeam")?.unwrap_or_default(),
        referral: form.r#ref.text(),
        language: notifications::read_language(form.language.text_if_any("language")?)?.unwrap_or_default(),
        terms: terms::at_sign_up(&app, form.terms.sent_text())?,
    };
    let unsaid = form.over18.is_absent() && !app.config().safeguards.are_full();
    if !form.over18.is_true() && !unsaid {
        return Err(AccountError::NotOver18.into());
    }
    Ok(match sign_up::sign_up(&app, new, address.ip()).await? {
        SignedUp::Made => (StatusCode::CREATED, "notexist").into_response(),
        SignedUp::Taken(fields) => match named(&fields) {
            Some(names) => (StatusCode::CONFLICT, [("x-taken", names)], "exist").into_response(),
            None => (StatusCode::CONFLICT, "exist").into_response(),
        },
    })
}

/// What is told of what is taken: of an email nothing but that something is.
fn named(taken: &[UniqueField]) -> Option<&'static str> {
    let is_taken = |field| taken.contains(&field);
    match (is_taken(UniqueField::Email), is_taken(UniqueField::Username), is_taken(UniqueField::FplId)) {
        (true, ..) | (_, false, false) => None,
        (_, true, false) => Some("username"),
        (_, false, true) => Some("fplId"),
        (_, true, true) => Some("username,fplId"),
    }
}
