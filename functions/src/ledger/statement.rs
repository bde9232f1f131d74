//! A player's year.

use app::{App, ledger::statement};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{ApiError, Caller, Query, Refusal};

/// What moved the wallet in a year, in KES; negative where it gave. Opening and all lines come to the closing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearlyStatement {
    #[schema(example = 2026)]
    year: i16,
    #[schema(example = "Wanjiku")]
    username: String,
    /// Until when movements are in it.
    as_of: Timestamp,
    #[schema(example = 0)]
    opening: i64,
    /// By M-Pesa: the whole amounts.
    #[schema(example = 1000)]
    paid_in: i64,
    /// Of what was paid in, less what went back with what M-Pesa has taken back.
    #[schema(example = 0)]
    excise: i64,
    #[schema(example = json!(-300))]
    staked: i64,
    /// Entries given back.
    #[schema(example = 50)]
    given_back: i64,
    #[schema(example = 450)]
    won: i64,
    /// Withdrawals that were asked for, less those that came back.
    #[schema(example = json!(-500))]
    taken_out: i64,
    /// Payments that M-Pesa has taken back: the whole amounts.
    #[schema(example = 0)]
    reversed: i64,
    /// What of that was not in the wallet any more: the player owes it, or the operator bears it.
    #[schema(example = 0)]
    not_covered: i64,
    /// By an admin, or by what M-Pesa said later of a payout.
    #[schema(example = 0)]
    corrected: i64,
    /// What paid a debt.
    #[schema(example = 0)]
    debts_paid: i64,
    #[schema(example = 700)]
    closing: i64,
    /// Of what was taken out, what was kept back as withholding tax.
    #[schema(example = 25)]
    withheld: i64,
    /// Entries that were paid for in the year.
    #[schema(example = 6)]
    entries: u64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StatementQuery {
    /// A calendar year in Kenya; this one where it is not said.
    #[param(example = 2026)]
    year: Option<i16>,
}

/// The caller's year: paid in, staked, won and taken out.
#[utoipa::path(get, path = "/api/me/statement", tag = "account", security(("bearer" = [])),
    params(StatementQuery), responses(
        (status = 200, description = "The year", body = YearlyStatement),
        (status = 400, description = "Not a year", body = Refusal),
        (status = 404, description = "A year that has not begun, or before there was anything", body = Refusal),
    ))]
pub async fn get_statement(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<StatementQuery>,
) -> Result<Json<YearlyStatement>, ApiError> {
    let (year, statement) = statement::of_year(&app, &caller.id, query.year).await?;
    Ok(Json(YearlyStatement {
        year,
        username: caller.username.to_string(),
        as_of: app.clock().now(),
        opening: statement.opening.get(),
        paid_in: statement.paid_in.get(),
        excise: statement.excise.get(),
        staked: statement.staked.get(),
        given_back: statement.given_back.get(),
        won: statement.won.get(),
        taken_out: statement.taken_out.get(),
        reversed: statement.reversed.get(),
        not_covered: statement.not_covered.get(),
        corrected: statement.corrected.get(),
        debts_paid: statement.debts_paid.get(),
        closing: statement.closing.get(),
        withheld: statement.withheld.get(),
        entries: statement.entries,
    }))
}
