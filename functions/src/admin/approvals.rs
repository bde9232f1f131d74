//! What waits for a second admin, and a second admin's word on it.

use std::str::FromStr;

use app::{
    App,
    admin::{
        acts,
        approvals::{self, ProposalState},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Kes, MpesaPhone, UserId, Username};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::admin::approvals::Proposal;
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, OneOf, Paged, Query, Refusal, cursor};

const PAGE: usize = 50;

type StateWord = OneOf<ProposalState>;
type DecisionWord = OneOf<Decision>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    #[schema(inline)]
    state: StateWord,
    /// For the admin who asked for it, in plain words.
    #[schema(example = "Another admin has to approve this.")]
    message: &'static str,
    /// The operation.
    #[schema(example = "pay-withdrawal")]
    what: &'static str,
    /// What is asked for, in words: which way the money goes.
    #[schema(example = "Pay the withdrawal of KSh 15,000 by M-Pesa")]
    in_words: String,
    /// The number that the money goes to or came from, where it is known.
    #[schema(example = "0712345678")]
    number: Option<String>,
    /// What kind of thing, and its id.
    #[schema(example = "withdrawal 0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    on: String,
    /// The player whose it is.
    #[schema(value_type = Option<String>, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: Option<UserId>,
    #[schema(value_type = Option<String>, example = "Wanjiku")]
    username: Option<Username>,
    /// In KES; null where it is about no amount.
    #[schema(value_type = Option<i64>, example = 500)]
    amount: Option<Kes>,
    /// Whether the proposer says to have sent the money by hand: refused, it can be paid once more.
    #[schema(example = false)]
    sent_by_hand: bool,
    /// The proposer's.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// Why a second admin is wanted, in a sentence.
    #[schema(example = "It is above the amount that one admin may move alone.")]
    why: String,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    proposed_by: UserId,
    #[schema(value_type = String, example = "admin-0198c")]
    proposed_by_name: Username,
    /// RFC 3339, UTC.
    proposed_at: Timestamp,
    /// RFC 3339, UTC: until then it can be approved.
    #[schema(example = "2026-08-23T09:00:00Z")]
    expires_at: Timestamp,
    #[schema(value_type = Option<String>, example = json!(null))]
    decided_by_name: Option<Username>,
    /// RFC 3339, UTC.
    #[schema(example = json!(null))]
    decided_at: Option<Timestamp>,
    #[schema(example = json!(null))]
    decision_reason: Option<String>,
}

impl ProposalItem {
    pub fn new(proposal: Proposal, now: Timestamp) -> Self {
        let state = approvals::state(&proposal, now);
        Self {
            id: proposal.id,
            state: OneOf(state),
            message: match state {
                ProposalState::Approved => "Another admin has approved this.",
                ProposalState::Refused => "This was refused.",
                ProposalState::Waiting => "Another admin has to approve this.",
                ProposalState::Expired => "Nobody has approved this in time.",
            },
            what: proposal.what.into_str(),
            in_words: proposal.in_words,
            number: proposal.number.as_ref().map(MpesaPhone::local),
            on: proposal.on,
            user_id: proposal.user_id,
            username: proposal.username,
            amount: proposal.amount,
            sent_by_hand: proposal.sent_by_hand.is_some(),
            reason: proposal.reason,
            why: proposal.wanted.to_string(),
            proposed_by: proposal.proposer,
            proposed_by_name: proposal.proposer_name,
            proposed_at: proposal.proposed_at,
            expires_at: Timestamp::from_millisecond(proposal.expires).unwrap_or(proposal.proposed_at),
            decided_by_name: proposal.decided_by_name,
            decided_at: proposal.decided_at,
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

/// The acts that wait for a second admin, and what became of the others. The first page begins with all that wait, the one
/// that expires next first; the others are newest first.
#[utoipa::path(get, path = "/api/admin/approvals", tag = "admin", security(("bearer" = [])),
    params(ApprovalsQuery), responses(
        (status = 200, description = "At most 50, beside what waits", body = Vec<ProposalItem>),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_approvals(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ApprovalsQuery>,
) -> Result<Paged<Vec<ProposalItem>>, ApiError> {
    let now = app.clock().now();
    let page = app.store().proposals(now, cursor(query.cursor.as_deref())?, PAGE).await?;
    let body = page.items.into_iter().map(|proposal| ProposalItem::new(proposal, now)).collect();
    Ok(Paged { body, cursor: page.cursor })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
enum Decision {
    Approve,
    Refuse,
}

#[derive(Deserialize, ToSchema)]
pub struct ApprovalDecision {
    /// `approve` or `refuse`.
    #[serde(default)]
    #[schema(value_type = DecisionWord, inline, required = true)]
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
    let decision = Decision::from_str(form.decision.text());
    match decision.map_err(|_| ApiError::bad_request("The decision is approve or refuse."))? {
        Decision::Approve => {
            actor.step_up(&app)?;
            let reason = form.reason.text_if_any("reason")?.map_or("", str::trim);
            let reason = if reason.is_empty() { None } else { Some(form.reason.reason()?) };
            acts::approve(&app, &actor.admin, &id, reason).await?;
        }
        Decision::Refuse => {
            let (proposal, reason) = (approvals::find(&app, &id).await?, form.reason.reason()?);
            // It frees what somebody says to have sent already: it could be paid once more.
            if proposal.sent_by_hand.is_some() {
                actor.step_up(&app)?;
            }
            approvals::refuse(&app, &actor.admin, &proposal, &reason).await?;
        }
    }
    Ok(Json(ProposalItem::new(approvals::find(&app, &id).await?, app.clock().now())))
}
