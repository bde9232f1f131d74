//! What waits for a second admin, and a second admin's word on it.

use app::{
    App,
    admin::approvals::{self, ApprovalError},
    platform::security_log::{Event, SecurityEntry},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::accounts::account::is_hex_id;
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::admin::{
    approvals::{Proposal, Stage},
    permits::By,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::acts::MoneyAct,
    platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal, cursor},
};

const PAGE: usize = 50;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalItem {
    #[serde(rename = "_id")]
    id: String,
    /// `waiting`, `expired`, `approved` or `refused`.
    state: &'static str,
    /// For the admin who asked for it, in plain words.
    message: &'static str,
    /// The operation.
    #[schema(example = "pay-withdrawal")]
    what: &'static str,
    /// What kind of thing, and its id.
    on: String,
    /// The player whose it is.
    user_id: Option<String>,
    username: Option<String>,
    /// In KES; null where it is about no amount.
    amount: Option<i64>,
    /// The proposer's.
    reason: Option<String>,
    /// Why a second admin is wanted, in a sentence.
    why: String,
    proposed_by: String,
    proposed_by_name: String,
    /// RFC 3339, UTC.
    proposed_at: String,
    /// RFC 3339, UTC: until then it can be approved.
    expires_at: String,
    decided_by_name: Option<String>,
    /// RFC 3339, UTC.
    decided_at: Option<String>,
    decision_reason: Option<String>,
}

impl ProposalItem {
    pub fn new(proposal: Proposal, now: Timestamp) -> Self {
        let (state, message) = match proposal.stage {
            Stage::Approved => ("approved", "Another admin has approved this."),
            Stage::Refused => ("refused", "This was refused."),
            Stage::Waiting if proposal.waits(now) => ("waiting", "Another admin has to approve this."),
            Stage::Waiting => ("expired", "Nobody has approved this in time."),
        };
        let expires_at = Timestamp::from_millisecond(proposal.expires).unwrap_or(proposal.proposed_at);
        Self {
            id: proposal.id,
            state,
            message,
            what: proposal.what.into_str(),
            on: proposal.on,
            user_id: proposal.user_id.map(|id| id.to_string()),
            username: proposal.username.map(|name| name.to_string()),
            amount: proposal.amount.map(domain::Kes::get),
            reason: proposal.reason,
            why: proposal.wanted.to_string(),
            proposed_by: proposal.proposer.to_string(),
            proposed_by_name: proposal.proposer_name.to_string(),
            proposed_at: proposal.proposed_at.to_string(),
            expires_at: expires_at.to_string(),
            decided_by_name: proposal.decided_by_name.map(|name| name.to_string()),
            decided_at: proposal.decided_at.map(|at| at.to_string()),
            decision_reason: proposal.decided_because,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ApprovalsQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The acts that wait for a second admin, and what became of those of the last ten days, oldest first.
#[utoipa::path(get, path = "/api/admin/approvals", tag = "admin", security(("bearer" = [])),
    params(ApprovalsQuery), responses(
        (status = 200, description = "At most 50", body = Vec<ProposalItem>),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_approvals(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ApprovalsQuery>,
) -> Result<Response, ApiError> {
    let now = app.clock().now();
    let page = app.store().proposals(now, cursor(query.cursor.as_deref())?, PAGE).await?;
    let items = page.items.into_iter().map(|proposal| ProposalItem::new(proposal, now));
    let body = Json(items.collect::<Vec<_>>());
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

#[derive(Deserialize, ToSchema)]
pub struct ApprovalDecision {
    /// `approve` or `refuse`.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "approve")]
    decision: Lenient,
    /// Why, in at most 200 characters; wanted to refuse.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "Compared with M-Pesa's portal.")]
    reason: Lenient,
}

/// A second admin's word on a proposed act: approved, it is done in the same step; refused, it never is.
#[utoipa::path(post, path = "/api/admin/approvals/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The proposal's `_id`")),
    request_body = ApprovalDecision, responses(
        (status = 200, description = "As it stands now", body = ProposalItem),
        (status = 400, description = "Not a decision, or no reason", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin, not for 24 hours, the proposer, the owner, or no fresh code",
            body = Refusal),
        (status = 404, description = "No such proposal", body = Refusal),
        (status = 409, description = "It does not wait any more, has expired, or what stands against the act",
            body = Refusal),
        (status = 503, description = "M-Pesa did not accept a payout: nothing was sent", body = Refusal),
    ))]
pub async fn decide_approval(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<ApprovalDecision>,
) -> Result<Json<ProposalItem>, ApiError> {
    match form.decision.text() {
        "approve" => {
            actor.step_up(&app)?;
            let reason = form.reason.text_if_any("reason")?.map_or("", str::trim);
            let reason = if reason.is_empty() { None } else { Some(form.reason.reason()?) };
            approve(&app, &actor, &find(&app, &id).await?, reason).await?;
        }
        "refuse" => {
            let (reason, proposal) = (form.reason.reason()?, find(&app, &id).await?);
            approvals::refuse(&app, &actor.admin, &proposal, &reason).await??;
        }
        _ => return Err(ApiError::bad_request("The decision is approve or refuse.")),
    }
    Ok(Json(ProposalItem::new(find(&app, &id).await?, app.clock().now())))
}

async fn approve(
    app: &App,
    actor: &Actor,
    proposal: &Proposal,
    reason: Option<String>,
) -> Result<(), ApiError> {
    let (act, stakes) = MoneyAct::proposed(app, &proposal.order).await?;
    let permit = approvals::approve(app, &actor.admin, proposal, &stakes, reason).await??;
    act.carry_out_approved(app, &stakes, &permit).await?;
    let now = find(app, &proposal.id).await?;
    tracing::info!(admin = %actor.admin.id, proposal = proposal.id, ?act, "approval");
    let approved_now = match &permit.by {
        By::Approval(approved) => now.decided_at == Some(approved.at),
        By::One(_) | By::Nobody => false,
    };
    match now.stage {
        Stage::Approved if approved_now => {
            app.log_security(SecurityEntry::new(Event::ApprovalGiven).by(&actor.admin.id).on(&proposal.id))
                .await;
            Ok(())
        }
        // Of two at once the other one's approval is written, or it was done before in the same way.
        Stage::Approved => Err(ApprovalError::Approved.into()),
        Stage::Waiting | Stage::Refused => Err(ApprovalError::Changed.into()),
    }
}

async fn find(app: &App, id: &str) -> Result<Proposal, ApiError> {
    let no_such = || ApiError::not_found(ApprovalError::NoProposal);
    if !is_hex_id(id) {
        return Err(no_such());
    }
    app.store().proposal(id).await?.ok_or_else(no_such)
}

impl From<ApprovalError> for ApiError {
    fn from(error: ApprovalError) -> Self {
        match error {
            ApprovalError::NoProposal => Self::not_found(error),
            who if who.is_about_who() => Self::new(StatusCode::FORBIDDEN, who),
            ended => Self::conflict(ended),
        }
    }
}
