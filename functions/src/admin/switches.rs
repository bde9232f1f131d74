//! The operator's switches: entries and payouts, paused and resumed (docs/decisions.md, "What a pause stops").

use app::{App, admin::switches};
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use store::admin::{
    audit::Who,
    settings::{Pausable, Pause, Switches},
};
use utoipa::ToSchema;

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchesView {
    entries: SwitchView,
    payouts: SwitchView,
    /// Whether extra transfers are deducted, as it stands now.
    deduct_transfer_points: bool,
}

/// One that can be paused. All but `paused` is null while it runs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwitchView {
    paused: bool,
    /// `admin`, or `reconciliation`: the nightly comparison of the books.
    by: Option<&'static str>,
    /// The admin's.
    by_name: Option<String>,
    /// RFC 3339, UTC.
    since: Option<String>,
    #[schema(example = "M-Pesa is down for maintenance.")]
    reason: Option<String>,
}

impl From<Option<Pause>> for SwitchView {
    fn from(pause: Option<Pause>) -> Self {
        let name = pause.as_ref().and_then(|pause| pause.by.person()).map(|(_, name)| name.to_string());
        Self {
            paused: pause.is_some(),
            by: pause.as_ref().map(|pause| pause.by.kind()),
            by_name: name,
            since: pause.as_ref().map(|pause| pause.since.to_string()),
            reason: pause.map(|pause| pause.reason),
        }
    }
}

fn view(app: &App, switches: Switches) -> Json<SwitchesView> {
    Json(SwitchesView {
        deduct_transfer_points: switches.deducts_transfers_at(app.clock().now()),
        entries: switches.entries_paused.into(),
        payouts: switches.payouts_paused.into(),
    })
}

/// What is paused, by whom, since when and why.
#[utoipa::path(get, path = "/api/admin/switches", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "The switches", body = SwitchesView),
    (status = 401, description = "Not logged in", body = Refusal),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_switches(State(app): State<App>, _: Admin) -> Result<Json<SwitchesView>, ApiError> {
    Ok(view(&app, app.store().switches().await?))
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
}

/// Pauses or resumes entries and payouts. A prompt that was sent before still makes its entry, and
/// withdrawals can be asked for in any case. To resume payouts wants a code; to pause anything never does.
#[utoipa::path(put, path = "/api/admin/switches", tag = "admin", security(("bearer" = [])),
    request_body = SwitchesChange, responses(
        (status = 200, description = "As they are now", body = SwitchesView),
        (status = 400, description = "No switch, or no reason", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin, or a code is wanted first", body = Refusal),
    ))]
pub async fn set_switches(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SwitchesChange>,
) -> Result<Json<SwitchesView>, ApiError> {
    let turns = [
        (Pausable::Entries, form.entries_paused.boolean("entriesPaused")?),
        (Pausable::Payouts, form.payouts_paused.boolean("payoutsPaused")?),
    ];
    if turns.iter().all(|(_, paused)| paused.is_none()) {
        return Err(ApiError::bad_request("Say what to pause or resume: entriesPaused or payoutsPaused."));
    }
    let reason = form.reason.reason()?;
    // Whoever has stolen a session may stop the money, and not let it go on.
    if turns.contains(&(Pausable::Payouts, Some(false))) {
        actor.step_up(&app)?;
    }
    let admin = &actor.admin;
    for (what, paused) in turns {
        let Some(paused) = paused else { continue };
        switches::set(&app, what, paused, &Who::admin(admin), &reason).await?;
        tracing::info!(admin = %admin.id, switch = what.into_str(), paused, "switch");
    }
    Ok(view(&app, app.store().switches().await?))
}
