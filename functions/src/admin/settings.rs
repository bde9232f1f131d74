//! What players need to know to pay by hand, and what bounds amounts: the same for everybody.

use crate::accounts::terms;
use app::{App, Safeguards};
use axum::extract::State;
use domain::{ledger::taxes::TaxRate, payments::prompt, platform::kenya::end_of_day, withdrawals::requests};
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::http::{Keep, OneOf, Public};

type SafeguardsWord = OneOf<Safeguards>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSettings {
    /// Where money is sent by hand, each player's with an account of their own (`GET /api/user`).
    #[schema(example = "174379")]
    paybill_number: String,
    /// `full`, or `light` where what gets in the way of playing on one machine is left out.
    #[schema(inline)]
    safeguards: SafeguardsWord,
    /// Whether the pages may advertise: winners shown to visitors, pictures of a win to be shared, invitations.
    #[schema(example = false)]
    promotions: bool,
    /// A helpline for people whose playing is a problem, as it is to be read.
    #[schema(example = "Example helpline, 0800 000 000")]
    helpline: String,
    /// The version of the terms that is in force.
    #[schema(schema_with = terms::version)]
    terms: String,
    /// The tax that is kept back of a withdrawal which is asked for now, in percent; null: none.
    #[schema(example = json!(null))]
    withholding_percent: Option<f64>,
    /// The tax of a deposit that is asked for now, in percent of what is paid; null: none. An entry that a prompt pays costs the
    /// least amount of which the stake is left, the tax being rounded down to whole KES.
    #[schema(example = json!(null))]
    excise_percent: Option<f64>,
    /// The least that is paid out, in KES.
    #[schema(example = 60)]
    minimum_withdrawal: i64,
    /// The most that M-Pesa moves at once, in KES.
    #[schema(example = 250_000)]
    maximum_transaction: i64,
}

/// The settings that players need.
#[utoipa::path(get, path = "/api/settings", tag = "settings", responses(
    (status = 200, description = "The settings, good for five minutes, and at the most until midnight in Kenya", body = PublicSettings),
))]
pub async fn get_settings(State(app): State<App>) -> Public<PublicSettings> {
    let now = app.clock().now();
    let settings = PublicSettings {
        paybill_number: app.config().paybill.number.clone(),
        safeguards: OneOf(app.config().safeguards),
        promotions: app.config().promotions,
        helpline: app.config().helpline.clone(),
        terms: domain::accounts::terms::current(now).to_string(),
        withholding_percent: app.config().withholding.at(now).map(TaxRate::percent),
        excise_percent: app.config().excise.at(now).map(TaxRate::percent),
        minimum_withdrawal: requests::MINIMUM.get(),
        maximum_transaction: prompt::MAXIMUM.get(),
    };
    // A tax rate and a version of the terms begin at midnight: nobody reads the one before after that.
    let until_midnight = end_of_day(now).duration_since(now).as_secs();
    Public(Keep::MINUTES.at_most(until_midnight), settings)
}
