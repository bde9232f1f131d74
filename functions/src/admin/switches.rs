//! Switches that admins turn: entries and payouts, paused and resumed (docs/decisions.md, "What a pause stops").

use app::{
    App,
    admin::switches::{self, SwitchChange},
};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::admin::settings::{Pause, Switches};
use utoipa::ToSchema;

use super::wire::{ActedBy, ActedByWord};
use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, OneOf, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchesView {
    entries: SwitchView,
    payouts: SwitchView,
    /// Whether extra transfers are deducted, as it stands now.
    #[schema(example = true)]
    deduct_transfer_points: bool,
}

/// One that can be paused. All but `paused` is null while it runs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchView {
    #[schema(example = true)]
    paused: bool,
    /// `admin`, or `reconciliation`: the nightly comparison of the books.
    #[schema(inline)]
    by: Option<ActedByWord>,
    /// The admin's.
    #[schema(example = "admin-0198c")]
    by_name: Option<String>,
    /// RFC 3339, UTC.
    since: Option<Timestamp>,
    #[schema(example = "M-Pesa is down for maintenance.")]
    reason: Option<String>,
}

impl From<Option<Pause>> for SwitchView {
    fn from(pause: Option<Pause>) -> Self {
        let name = pause.as_ref().and_then(|pause| pause.by.person()).map(|(_, name)| name.to_string());
        Self {
            paused: pause.is_some(),
            by: pause.as_ref().map(|pause| OneOf(ActedBy::from(&pause.by))),
            by_name: name,
            since: pause.as_ref().map(|pause| pause.since),
            reason: pause.map(|pause| pause.reason),
        }
    }
}

fn view(switches: Switches) -> Json<SwitchesView> {
    Json(SwitchesView {
        deduct_transfer_points: switches.deducts_transfers(),
        entries: switches.entries_paused.into(),
        payouts: switches.payouts_paused.into(),
    })
}

/// What is paused, by whom, since when and why.
#[utoipa::path(get, path = "/api/admin/switches", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "The switches", body = SwitchesView),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_switches(State(app): State<App>, _: Admin) -> Result<Json<SwitchesView>, ApiError> {
    Ok(view(app.store().switches().await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchesChange {
    /// Whether entries are paused; left out, they stay as they are.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = true)]
    entries_paused: Lenient,
    /// Whether payouts by M-Pesa are paused; left out, they stay as they are.
    #[serde(default)]
    #[schema(value_type = Option<bool>, example = false)]
    payouts_paused: Lenient,
    /// Why, in at most 200 characters; to resume as well.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "M-Pesa is down for maintenance.")]
    reason: Lenient,
    /// To resume one of them: `since` of its pause, as it was seen. Another pause than that stays. Left out, any pause ends.
    #[serde(default)]
    #[schema(value_type = Option<Timestamp>)]
    since: Lenient,
}

/// Pauses or resumes entries and payouts. A prompt that was sent before still makes its entry, and
/// withdrawals can be asked for in any case. To resume payouts wants a code; to pause anything never does. Who resumes entries
/// does not enter the open gameweek any more.
#[utoipa::path(put, path = "/api/admin/switches", tag = "admin", security(("bearer" = [])),
    request_body = SwitchesChange, responses(
        (status = 200, description = "As they are now", body = SwitchesView),
        (status = 400, description = "No switch, no reason, or one `since` to resume both", body = Refusal),
        (status = 403, description = "Not an admin, a code is wanted first, or entries are to be resumed by who is in", body = Refusal),
        (status = 409, description = "It was paused anew since: another pause stands than the one that was seen", body = Refusal),
    ))]
pub async fn set_switches(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SwitchesChange>,
) -> Result<Json<SwitchesView>, ApiError> {
    let turns = SwitchChange {
        entries: form.entries_paused.boolean("entriesPaused")?,
        payouts: form.payouts_paused.boolean("payoutsPaused")?,
        since: form.since.instant("since")?,
    };
    if turns.are_none() {
        return Err(ApiError::bad_request("Say what to pause or resume: entriesPaused or payoutsPaused."));
    }
    if turns.since.is_some() && turns.resume_both() {
        return Err(ApiError::bad_request("since is of one pause: resume entries and payouts one by one."));
    }
    let reason = form.reason.reason()?;
    // Whoever has stolen a session may stop the money, and not let it go on.
    if turns.resume_payouts() {
        actor.step_up(&app)?;
    }
    Ok(view(switches::turn(&app, turns, &actor.admin, &reason).await?))
}
