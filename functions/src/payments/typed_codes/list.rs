//! The admin's list of typed codes, each with everything that is known of it.

use app::{
    App,
    payments::{
        receipts::CreditedReceipt,
        typed_codes::waiting::{self, WaitingCode},
    },
};
use axum::extract::State;
use domain::{
    Kes, UserId, Username,
    payments::{prompt, typed_code::TypedCodeStatus},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::payments::typed_codes::TypedCode;
use strum::{IntoStaticStr, VariantArray};
use utoipa::{IntoParams, ToSchema};

use crate::{
    payments::wire::CreditedTo,
    platform::http::{Admin, ApiError, OneOf, Paged, Query, Refusal, cursor},
};

/// Typed codes on one page: each is shown with what is known of it.
const PAGE: usize = 25;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ManualPaymentItem)]
pub struct TypedCodeItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    #[schema(example = "Wanjiku")]
    username: String,
    #[schema(example = "NLJ7RT61SV")]
    mpesa_code: String,
    /// `pending`, `confirmed` or `rejected`.
    #[schema(inline)]
    status: StatusWord,
    /// RFC 3339, UTC.
    created_at: Timestamp,
    /// What it was confirmed with, in KES.
    #[schema(example = 500)]
    amount: Option<i64>,
    /// Why it was rejected.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// What is strange about the date in the code, where something is.
    #[schema(example = json!(null))]
    warning: Option<String>,
    /// Prompts of the last eight days that this code may belong to, by what M-Pesa tells of it: the player's own
    /// that are open, set aside, or credited without a receipt; and others' of the same amount that are open or
    /// credited without a receipt. Empty once the code has ended.
    prompts: Vec<PossiblePrompt>,
    /// What M-Pesa says of the code; null until it has said anything.
    known: Option<KnownPayment>,
    /// Why no machine has credited it; null once the code has ended.
    #[schema(example = "The payer's number is none that this player has paid from before.")]
    waits_because: Option<String>,
    /// The posting that the receipt was credited by before, where it was.
    #[schema(example = json!(null))]
    credited_by: Option<String>,
    /// To whom; null where it was not.
    credited_to: Option<CreditedTo>,
}

#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum Source {
    Status,
    Confirmation,
}

type SourceWord = OneOf<Source>;
type StatusWord = OneOf<TypedCodeStatus>;

/// The states of a prompt that a code may belong to.
#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
enum PossibleState {
    Pending,
    Success,
    SetAside,
}

type PossibleWord = OneOf<PossibleState>;

/// A payment as M-Pesa has it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownPayment {
    /// `status`: M-Pesa was asked. `confirmation`: what it confirmed when the paybill was paid.
    #[schema(inline)]
    source: SourceWord,
    /// Whether the payment was made.
    #[schema(example = true)]
    completed: bool,
    /// Whether it was made to us.
    #[schema(example = true)]
    to_us: bool,
    /// In KES.
    #[schema(example = 500)]
    amount: Option<i64>,
    /// As far as M-Pesa tells it.
    #[schema(example = "0712345678")]
    payer_phone: Option<String>,
    #[schema(example = "WANJIKU MWANGI")]
    payer_name: Option<String>,
    /// The account that the payer entered.
    #[schema(example = "FPL Leagues")]
    account_reference: Option<String>,
    /// The username of the player whose account at the paybill that is; null where it is nobody's.
    #[schema(value_type = Option<String>, example = "Wanjiku")]
    account_of: Option<Username>,
    /// When M-Pesa said so: RFC 3339, UTC.
    at: Timestamp,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PossiblePrompt {
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// `PENDING`, `SUCCESS` or `SET_ASIDE`.
    #[schema(value_type = PossibleWord, inline)]
    state: OneOf<prompt::PaymentState>,
    /// Whether a confirmation with this amount is refused because of it.
    #[schema(example = false)]
    holds_back: bool,
    /// RFC 3339, UTC.
    at: Timestamp,
}

impl TypedCodeItem {
    /// One that has ended: nothing beside it matters any more.
    pub(crate) fn ended(typed_code: TypedCode, now: Timestamp) -> Self {
        Self {
            warning: typed_code.code.warning(now),
            id: typed_code.id,
            user_id: typed_code.user_id,
            username: typed_code.username.to_string(),
            mpesa_code: typed_code.code.to_string(),
            status: OneOf(typed_code.status),
            created_at: typed_code.created_at,
            amount: typed_code.amount.map(Kes::get),
            reason: typed_code.reason,
            prompts: Vec::new(),
            known: None,
            waits_because: None,
            credited_by: None,
            credited_to: None,
        }
    }

    fn waiting(code: WaitingCode, now: Timestamp) -> Self {
        let item = Self {
            prompts: code.prompts.into_iter().map(PossiblePrompt::from).collect(),
            known: code.known.map(KnownPayment::from),
            waits_because: code.waits_because.map(|why| why.to_string()),
            ..Self::ended(code.typed_code, now)
        };
        item.with_credit(code.credited)
    }

    /// With what its receipt was credited by, and to whom.
    pub(super) fn with_credit(self, credited: Option<CreditedReceipt>) -> Self {
        let (credited_by, credited_to) = credited.map(CreditedTo::of).unzip();
        Self { credited_by, credited_to, ..self }
    }
}

impl From<waiting::KnownPayment> for KnownPayment {
    fn from(known: waiting::KnownPayment) -> Self {
        Self {
            source: OneOf(if known.is_confirmation { Source::Confirmation } else { Source::Status }),
            completed: known.completed,
            to_us: known.to_us,
            amount: known.amount.map(Kes::get),
            payer_phone: known.payer_phone,
            payer_name: known.payer_name,
            account_reference: known.account_reference,
            account_of: known.account_of,
            at: known.at,
        }
    }
}

impl From<waiting::PossiblePrompt> for PossiblePrompt {
    fn from(waiting::PossiblePrompt { payment, holds_back }: waiting::PossiblePrompt) -> Self {
        Self {
            checkout_id: payment.id,
            user_id: payment.user_id,
            amount: payment.amount.get(),
            state: OneOf(payment.state),
            holds_back,
            at: payment.created_at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The typed codes that wait for an admin, oldest first, each with what M-Pesa says of it and with the
/// prompts that it may belong to.
#[utoipa::path(get, path = "/api/manual-payment/pending", tag = "manual payments",
    security(("bearer" = [])), params(ListQuery), responses(
        (status = 200, description = "At most 25", body = Vec<TypedCodeItem>),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_manual_payments(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ListQuery>,
) -> Result<Paged<Vec<TypedCodeItem>>, ApiError> {
    let page = waiting::page(&app, cursor(query.cursor.as_deref())?, PAGE).await?;
    let now = app.clock().now();
    let body = page.items.into_iter().map(|code| TypedCodeItem::waiting(code, now)).collect();
    Ok(Paged { body, cursor: page.cursor })
}
