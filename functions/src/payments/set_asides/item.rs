//! A case as an admin reads it: a prompt or a payout, with its timeline where it is read by itself.

use app::payments::set_asides::{self, Case, CaseDetails};
use domain::{
    Kes, UserId,
    payments::{prompt::PaymentState, set_aside::SetAsideAct},
    withdrawals::requests::WithdrawalStatus,
};
use jiff::Timestamp;
use serde::Serialize;
use store::{
    payments::{events::StoredEvent, prompts::Payment},
    withdrawals::Withdrawal,
};
use strum::{IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::{payments::wire::CreditedTo, platform::http::OneOf};

#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum CaseKind {
    Prompt,
    Payout,
}

type CaseWord = OneOf<CaseKind>;
type StateWord = OneOf<CaseState>;
type ActWord = OneOf<SetAsideAct>;

#[derive(Clone, Copy)]
enum CaseState {
    Prompt(PaymentState),
    Payout(WithdrawalStatus),
}

impl From<CaseState> for &'static str {
    fn from(state: CaseState) -> Self {
        match state {
            CaseState::Prompt(state) => state.into_str(),
            CaseState::Payout(status) => status.into_str(),
        }
    }
}

impl VariantArray for CaseState {
    const VARIANTS: &'static [Self] = &[
        Self::Prompt(PaymentState::SetAside),
        Self::Prompt(PaymentState::Pending),
        Self::Prompt(PaymentState::Success),
        Self::Prompt(PaymentState::Failed),
        Self::Prompt(PaymentState::Dismissed),
        Self::Payout(WithdrawalStatus::Pending),
        Self::Payout(WithdrawalStatus::Done),
        Self::Payout(WithdrawalStatus::Rejected),
    ];
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    /// `prompt`: money in. `payout`: a withdrawal that M-Pesa pays.
    #[schema(inline)]
    kind: CaseWord,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    #[schema(example = "Wanjiku")]
    username: String,
    /// `07…` or `01…`.
    #[schema(example = "0712345678")]
    phone: String,
    /// What was asked for, in KES.
    #[schema(example = 500)]
    amount: i64,
    /// What M-Pesa was told to pay, in KES: without the tax that is kept back. Null of a prompt.
    #[schema(example = json!(null))]
    pays: Option<i64>,
    /// In capitals a prompt's, in small letters a payout's.
    #[schema(inline)]
    state: StateWord,
    /// What does not add up.
    #[schema(example = "M-Pesa reports another amount than was asked for.")]
    reason: Option<String>,
    /// What can be done.
    #[schema(inline, example = json!(["credit", "dismiss"]))]
    acts: Vec<ActWord>,
    /// The entry that a prompt was for, in KES; null for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// What M-Pesa reports as paid, in KES.
    #[schema(example = 600)]
    reported_amount: Option<i64>,
    /// What was credited by an admin, in KES.
    #[schema(example = json!(null))]
    credited_amount: Option<i64>,
    /// M-Pesa's, as far as it is known.
    #[schema(example = "NLJ7RT61SV")]
    receipt: Option<String>,
    /// The posting that this receipt was credited by, where it was.
    #[schema(example = json!(null))]
    credited_by: Option<String>,
    /// To whom; null where it was not.
    credited_to: Option<CreditedTo>,
    /// M-Pesa's ids of the prompt or of the payout.
    mpesa_ids: Vec<String>,
    /// The admin's reason, once it is closed.
    #[schema(example = json!(null))]
    closed_because: Option<String>,
    /// Intent, push, callbacks, questions and acts, in the order in which they were heard first; only of a
    /// case that is read by itself. What M-Pesa sent is kept for 90 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "story")]
    timeline: Option<Vec<TimelineEvent>>,
    /// RFC 3339, UTC.
    created_at: Timestamp,
}

/// Something that was heard, or done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoryEvent)]
pub struct TimelineEvent {
    /// `intent`, `push`, `callback`, `query`, `result`, `timeout`, `answer` or `act`.
    #[schema(value_type = EventWord, inline)]
    kind: String,
    /// As it came.
    #[schema(example = "paid")]
    text: String,
    /// How often the same was heard.
    #[schema(example = 1)]
    times: u64,
    /// First and last: RFC 3339, UTC.
    first_at: Timestamp,
    last_at: Timestamp,
}

/// The words that flows write into a timeline.
#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum EventKind {
    Query,
    Intent,
    Push,
    Callback,
    Result,
    Timeout,
    Answer,
    Act,
}

type EventWord = OneOf<EventKind>;

impl From<StoredEvent> for TimelineEvent {
    fn from(event: StoredEvent) -> Self {
        let StoredEvent { kind, text, times, first_at, last_at } = event;
        Self { kind, text, times, first_at, last_at }
    }
}

impl From<CaseDetails> for SetAsideItem {
    fn from(details: CaseDetails) -> Self {
        let acts = details.case.acts().iter().copied().map(OneOf).collect();
        let item = match details.case {
            Case::Prompt(payment) => prompt(payment),
            Case::Payout(withdrawal) => payout(withdrawal),
        };
        let (credited_by, credited_to) = details.credited.map(CreditedTo::of).unzip();
        Self { acts, username: details.username, credited_by, credited_to, ..item }
    }
}

impl SetAsideItem {
    pub(super) fn with_timeline(self, events: Vec<StoredEvent>) -> Self {
        Self { timeline: Some(events.into_iter().map(TimelineEvent::from).collect()), ..self }
    }
}

fn prompt(payment: Payment) -> SetAsideItem {
    SetAsideItem {
        kind: OneOf(CaseKind::Prompt),
        reason: set_asides::why(&payment),
        username: String::new(),
        phone: payment.phone.local(),
        amount: payment.amount.get(),
        pays: None,
        state: OneOf(CaseState::Prompt(payment.state)),
        acts: Vec::new(),
        entry_amount: payment.entry.map(|entry| entry.amount.into()),
        reported_amount: set_asides::reported(&payment).map(Kes::get),
        credited_amount: payment.credited.map(Kes::get),
        receipt: set_asides::receipt(&payment),
        credited_by: None,
        credited_to: None,
        mpesa_ids: [payment.merchant_request_id, payment.checkout_request_id].into_iter().flatten().collect(),
        closed_because: payment.closed.map(|decided| decided.reason),
        timeline: None,
        created_at: payment.created_at,
        user_id: payment.user_id,
        id: payment.id,
    }
}

fn payout(withdrawal: Withdrawal) -> SetAsideItem {
    let pays = withdrawal.paid_amount().get();
    let payout = withdrawal.payout;
    SetAsideItem {
        kind: OneOf(CaseKind::Payout),
        reason: withdrawal.trouble,
        username: String::new(),
        phone: withdrawal.phone.local(),
        amount: withdrawal.amount.get(),
        pays: Some(pays),
        state: OneOf(CaseState::Payout(withdrawal.status)),
        acts: Vec::new(),
        entry_amount: None,
        reported_amount: None,
        credited_amount: None,
        receipt: payout.as_ref().and_then(|payout| payout.receipt.clone()),
        credited_by: None,
        credited_to: None,
        mpesa_ids: payout.as_ref().and_then(|payout| payout.conversation_id.clone()).into_iter().collect(),
        closed_because: payout.and_then(|payout| payout.resolved).map(|decided| decided.reason),
        timeline: None,
        created_at: withdrawal.created_at,
        user_id: withdrawal.user_id,
        id: withdrawal.id,
    }
}
