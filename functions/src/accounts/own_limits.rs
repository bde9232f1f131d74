//! Limits that players set themselves.

use std::collections::BTreeMap;

use app::{
    App,
    accounts::own_limits::{self, LimitChange, Shown},
};
use axum::{Json, extract::State};
use domain::accounts::own_limits::OwnLimit;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, Caller, Lenient, OneOf, Refusal};

// A schema is made from a field's name.
type LimitWord = OneOf<OwnLimit>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnLimits {
    /// Each of the seven, whether it is set or not.
    limits: Vec<OwnLimitItem>,
    month: MonthSoFar,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnLimitItem {
    /// What is limited, and the period: a day, a week (from Monday) or a month of Kenya. A loss is entries less prizes and
    /// refunds.
    #[schema(inline)]
    limit: LimitWord,
    /// In KES; null: there is none.
    #[schema(example = 500)]
    amount: Option<i64>,
    /// In this period, in KES, with payments that are under way; of losses negative where more was won.
    #[schema(example = 200)]
    used: i64,
    /// In KES; null where there is no limit.
    #[schema(example = 300)]
    left: Option<i64>,
    /// The day, of Kenya, on which the next period begins.
    #[schema(value_type = String, format = Date, example = "2026-08-21")]
    next: jiff::civil::Date,
    /// A higher limit, or none, that was asked for.
    raise: Option<PendingRaise>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingRaise {
    /// In KES; null: no limit any more.
    #[schema(example = 1000)]
    to: Option<i64>,
    /// From when on it can be confirmed; it is not in force before that.
    confirm_from: Timestamp,
}

/// What has happened to the caller's wallet this month, in KES.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthSoFar {
    #[schema(example = 500)]
    paid_in: i64,
    #[schema(example = 300)]
    staked: i64,
    /// Entries that were given back.
    #[schema(example = 50)]
    refunded: i64,
    #[schema(example = 450)]
    won: i64,
    /// Withdrawals that were asked for in it and have not come back in it.
    #[schema(example = 400)]
    taken_out: i64,
}

impl From<Shown> for OwnLimits {
    fn from(Shown { limits, month, at }: Shown) -> Self {
        let item = |limit: &OwnLimit| OwnLimitItem {
            limit: OneOf(*limit),
            amount: limits.amount(*limit).map(domain::Kes::get),
            used: limits.used(*limit, at).get(),
            left: limits.left(*limit, at).map(domain::Kes::get),
            next: limit.period().next(at),
            raise: limits
                .raise(*limit, at)
                .map(|raise| PendingRaise { to: raise.to.map(domain::Kes::get), confirm_from: raise.from }),
        };
        Self {
            limits: OwnLimit::VARIANTS.iter().map(item).collect(),
            month: MonthSoFar {
                paid_in: month.paid_in.get(),
                staked: month.staked.get(),
                refunded: month.refunded.get(),
                won: month.won.get(),
                taken_out: month.taken_out.get(),
            },
        }
    }
}

/// The caller's own limits, what is used of them, and what this month has brought.
#[utoipa::path(get, path = "/api/me/limits", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "As they are now", body = OwnLimits),
))]
pub async fn get_limits(State(app): State<App>, Caller(player): Caller) -> Result<Json<OwnLimits>, ApiError> {
    Ok(Json(own_limits::show(&app, &player).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub struct LimitsChange {
    /// Limits by their names, in whole KES, or null for none. Those that are not named stay as they are.
    #[serde(default)]
    #[schema(value_type = Option<BTreeMap<String, Option<i64>>>, example = json!({"deposit-day": 500, "loss-month": null}))]
    limits: BTreeMap<String, Lenient>,
    /// Names of limits whose higher one was asked for 24 hours ago or longer, and is to be in force now.
    #[serde(default)]
    #[schema(example = json!(["entry-week"]))]
    confirm: Vec<String>,
}

/// Sets limits. A lower one, or a first one, counts at once, also below what is used already: nothing more can be spent
/// then. A higher one, or none in the place of one, is noted as `raise`; after 24 hours the same call with `confirm` puts
/// it in force. A lower one that is set meanwhile takes it back. Asked or confirmed again, it answers the same.
#[utoipa::path(put, path = "/api/me/limits", tag = "account", security(("bearer" = [])),
    request_body = LimitsChange, responses(
        (status = 200, description = "As they are now", body = OwnLimits),
        (status = 400, description = "No such limit, or not a whole number from 0 to 10,000,000", body = Refusal),
        (status = 409, description = "Nothing to confirm, or not yet", body = Refusal),
    ))]
pub async fn set_limits(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<LimitsChange>,
) -> Result<Json<OwnLimits>, ApiError> {
    // What is no number is no limit that there could be.
    let amount = |sent: &Lenient| (!sent.is_absent()).then(|| sent.integer().unwrap_or(-1));
    let set = form.limits.iter().map(|(name, sent)| (name.as_str(), amount(sent)));
    let change = LimitChange::read(set, form.confirm.iter().map(String::as_str))?;
    Ok(Json(own_limits::change(&app, &player, &change).await?.into()))
}
