//! The admin's cases: payments and payouts that do not add up, each read by itself with its whole timeline,
//! credited, dismissed or ended with a reason.

mod item;

use app::{
    App,
    admin::acts::MoneyAct,
    payments::set_asides::{self, Case, CaseDecision},
};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::payments::set_aside::SetAsideAct;
use item::SetAsideItem;
use serde::Deserialize;
use store::admin::{audit::Who, permits::Permit};
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::approvals::ProposalItem,
    platform::http::{Actor, Admin, ApiError, Body, Lenient, OneOf, Paged, Query, Refusal, cursor},
};

type ActWord = OneOf<SetAsideAct>;

/// Prompts on one page.
const PAGE: usize = 25;

/// A case with its whole timeline.
pub(crate) async fn whole(app: &App, case: Case) -> Result<Json<SetAsideItem>, ApiError> {
    let timeline = set_asides::timeline(app, &case).await?;
    Ok(Json(SetAsideItem::from(set_asides::details(app, case).await?).with_timeline(timeline)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SetAsidesQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// What does not add up: payouts on the first page, and prompts, oldest first.
#[utoipa::path(get, path = "/api/admin/set-asides", tag = "admin", security(("bearer" = [])),
    params(SetAsidesQuery), responses(
        (status = 200, description = "At most 25 prompts, without their timelines", body = Vec<SetAsideItem>),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_set_asides(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<SetAsidesQuery>,
) -> Result<Paged<Vec<SetAsideItem>>, ApiError> {
    let page = set_asides::waiting(&app, cursor(query.cursor.as_deref())?, PAGE).await?;
    Ok(Paged { body: page.items.into_iter().map(SetAsideItem::from).collect(), cursor: page.cursor })
}

/// A case with its whole timeline: what was asked for, what M-Pesa said, how often, and what admins did.
#[utoipa::path(get, path = "/api/admin/set-asides/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`")), responses(
        (status = 200, description = "As it stands", body = SetAsideItem),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such case", body = Refusal),
    ))]
pub async fn get_set_aside(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<String>,
) -> Result<Json<SetAsideItem>, ApiError> {
    whole(&app, set_asides::find(&app, &id).await?).await
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideDecision {
    /// `credit`, `dismiss`, `paid` or `return`: one of the case's `acts`.
    #[serde(default)]
    #[schema(value_type = ActWord, inline, required = true)]
    act: Lenient,
    /// Kept with the case, in at most 200 characters. The player reads that of a dismissal or a return.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Seen in M-Pesa's portal.")]
    reason: Lenient,
    /// To credit: what M-Pesa received, in whole KES.
    #[serde(default)]
    #[schema(value_type = Option<i64>, example = 500)]
    amount: Lenient,
    /// To credit, where M-Pesa has told none; of a payout that was paid, where it is known.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "NLJ7RT61SV")]
    receipt: Lenient,
    /// To dismiss: what the case showed. If M-Pesa has reported something else since, the case is not dismissed.
    seen: Option<SeenReport>,
}

/// What M-Pesa had reported of a case when the admin looked at it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeenReport {
    /// The case's `reportedAmount`, of a prompt.
    #[serde(default)]
    #[schema(value_type = Option<i64>, example = 600)]
    reported_amount: Lenient,
    /// The case's `receipt`, of a prompt.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "NLJ7RT61SV")]
    receipt: Lenient,
    /// The case's `reason`, of a payout.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "M-Pesa has not said for a day what became of the payout.")]
    reason: Lenient,
}

impl SeenReport {
    fn read(&self) -> set_asides::SeenReport<'_> {
        let receipt = Some(self.receipt.text()).filter(|receipt| !receipt.is_empty());
        let reason = Some(self.reason.text()).filter(|reason| !reason.is_empty());
        set_asides::SeenReport { amount: self.reported_amount.integer(), receipt, reason }
    }
}

/// Closes a case: credits or dismisses a prompt, ends a payout that M-Pesa does not answer for, or notes
/// that what has ended was seen.
#[utoipa::path(post, path = "/api/admin/set-asides/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`")),
    request_body = SetAsideDecision, responses(
        (status = 200, description = "As it stands now", body = SetAsideItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Not an act, no reason, no amount, no receipt, or another one than M-Pesa names", body = Refusal),
        (status = 403, description = "Not an admin, one's own account or number, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such case", body = Refusal),
        (status = 409, description = "Closed already, another act's, M-Pesa has reported something new, its receipt is credited or \
            another prompt's, it names another player's account, or M-Pesa says otherwise", body = Refusal),
    ))]
pub async fn decide_set_aside(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<SetAsideDecision>,
) -> Result<Response, ApiError> {
    let act = SetAsideAct::parse(form.act.text())?;
    let (reason, receipt, amount) = (form.reason.text(), form.receipt.text(), form.amount.integer());
    if act == SetAsideAct::Dismiss {
        // What somebody may have paid is not credited any more.
        actor.step_up(&app)?;
        let case = set_asides::find(&app, &id).await?;
        let known = case.receipt();
        actor.not_own_money(&app, case.player(), Some(case.number()), known.as_deref()).await?;
        let permit = &Permit::plain(Who::admin(&actor.admin), app.clock().now());
        let seen = form.seen.as_ref().map(SeenReport::read);
        return decide(&app, &id, CaseDecision { act, reason, amount, receipt, seen, permit }).await;
    }
    let (decision, reason, receipt) = (act.into_str().to_owned(), reason.to_owned(), receipt.to_owned());
    actor.does(&app, MoneyAct::DecideSetAside { id, decision, reason, amount, receipt }).await
}

/// Closes a case by its decision's permit, and answers it as it stands then.
pub(crate) async fn decide(app: &App, id: &str, decision: CaseDecision<'_>) -> Result<Response, ApiError> {
    let case = set_asides::close(app, id, decision).await?;
    Ok(whole(app, case).await?.into_response())
}
