//! What a player has set about being told of things, and the link that stops mails.

use std::collections::BTreeMap;

use app::{
    App,
    accounts::{
        notifications::{self, Change},
        subscriptions::is_trusted,
    },
    platform::secrets::names,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::accounts::notifications::{Kind, Language};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::accounts::{
    notifications::{Notifications, Subscription},
    players::Player,
};
use strum::VariantArray;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, Caller, Lenient, OneOf, Refusal};

// A schema is made from a field's name.
type LanguageWord = OneOf<Language>;
type KindWord = OneOf<Kind>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettings {
    /// Of mails and pushes: `en` or `sw` (Kiswahili).
    #[schema(inline)]
    language: LanguageWord,
    /// By kind, whether it is pushed.
    #[schema(example = json!({"deadline": true, "payment": false}))]
    push: BTreeMap<&'static str, bool>,
    /// By kind, whether it is mailed. What is about money or security is mailed in any case, and not among them.
    #[schema(example = json!({"deadline": true, "drawn": false, "final": false}))]
    mail: BTreeMap<&'static str, bool>,
    /// The browsers that pushes go to, oldest first. Where all sessions were ended (a new password, a frozen account, an
    /// admin), the browsers of before are told of the account's safety alone, and are not among them.
    subscriptions: Vec<KnownBrowser>,
    /// Of ours, for a browser to subscribe with: an uncompressed point of P-256 in hex.
    #[schema(example = "04")]
    push_key: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownBrowser {
    #[serde(rename = "_id")]
    #[schema(example = "2c26b46b68ffc68ff99b453c1d304134")]
    id: String,
    at: Timestamp,
}

impl From<Subscription> for KnownBrowser {
    fn from(subscription: Subscription) -> Self {
        Self { id: subscription.id, at: subscription.at }
    }
}

async fn settings(
    app: &App,
    player: &Player,
    set: Notifications,
) -> Result<Json<NotificationSettings>, ApiError> {
    let trusted = set.subscriptions.into_iter().filter(|browser| is_trusted(player, browser));
    let named = |kind: &Kind, on: bool| (kind.into_str(), on);
    Ok(Json(NotificationSettings {
        language: OneOf(set.language),
        push: Kind::VARIANTS.iter().map(|kind| named(kind, set.choices.push.contains(kind))).collect(),
        mail: Kind::MAILED_IF_ASKED.iter().map(|kind| named(kind, set.choices.mail.contains(kind))).collect(),
        subscriptions: trusted.map(KnownBrowser::from).collect(),
        push_key: app.secrets().text(names::PUSH_PUBLIC_KEY).await?,
    }))
}

/// Which notifications the caller gets, and in which language.
#[utoipa::path(get, path = "/api/me/notifications", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "As it is set", body = NotificationSettings),
))]
pub async fn get_notifications(
    State(app): State<App>,
    Caller(player): Caller,
) -> Result<Json<NotificationSettings>, ApiError> {
    let set = app.store().notifications(&player.id).await?;
    settings(&app, &player, set).await
}

#[derive(Deserialize, ToSchema)]
pub struct NotificationChange {
    /// `en` or `sw`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "sw")]
    language: Lenient,
    /// Kinds that are to be pushed or not: those that are not named stay as they are.
    #[serde(default)]
    #[schema(example = json!({"deadline": true}))]
    push: BTreeMap<String, bool>,
    /// The same for mails.
    #[serde(default)]
    #[schema(example = json!({"drawn": false}))]
    mail: BTreeMap<String, bool>,
}

/// Sets them. What is not named stays as it is.
#[utoipa::path(put, path = "/api/me/notifications", tag = "account", security(("bearer" = [])),
    request_body = NotificationChange, responses(
        (status = 200, description = "As it is set now", body = NotificationSettings),
        (status = 400, description = "No such language or kind, or one that is always mailed", body = Refusal),
    ))]
pub async fn set_notifications(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<NotificationChange>,
) -> Result<Json<NotificationSettings>, ApiError> {
    let change = Change::read(
        form.language.text_if_any("language")?,
        form.push.iter().map(|(kind, on)| (kind.as_str(), *on)),
        form.mail.iter().map(|(kind, on)| (kind.as_str(), *on)),
    )?;
    let set = notifications::change(&app, &player.id, &change).await?;
    settings(&app, &player, set).await
}

#[derive(Serialize, ToSchema)]
pub struct MailsStopped {
    /// Which mails do not come any more.
    #[schema(inline)]
    kind: KindWord,
}

/// Stops the mails of a kind, by the link in one of them: no log-in is asked for. Again, it answers the same.
#[utoipa::path(post, path = "/api/unsubscribe/{token}", tag = "account",
    params(("token" = String, Path, description = "From the link",
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f-deadline-2c26b46b68ffc68ff99b453c1d304134")),
    responses(
        (status = 200, description = "They do not come any more", body = MailsStopped),
        (status = 400, description = "No link of ours", body = Refusal),
    ))]
pub async fn stop_mails(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<Json<MailsStopped>, ApiError> {
    Ok(Json(MailsStopped { kind: OneOf(notifications::stop(&app, &token).await?) }))
}
