//! What players need to know to pay by hand, and what bounds amounts: the same for everybody.

use app::{App, Safeguards};
use axum::{Json, extract::State, response::IntoResponse};
use domain::{payments::prompt, withdrawals::requests};
use http::header;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::http::{OneOf, OptionalCaller, Refusal};

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
    /// The least that is paid out, in KES.
    #[schema(example = 60)]
    minimum_withdrawal: i64,
    /// The most that M-Pesa moves at once, in KES.
    #[schema(example = 250_000)]
    maximum_transaction: i64,
}

/// The settings that players need.
#[utoipa::path(get, path = "/api/settings", tag = "settings", security((), ("bearer" = [])), responses(
    (status = 200, description = "The settings, good for five minutes", body = PublicSettings),
    (status = 401, description = "The token is not valid", body = Refusal),
))]
pub async fn get_settings(State(app): State<App>, _: OptionalCaller) -> impl IntoResponse {
    let settings = PublicSettings {
        paybill_number: app.config().paybill.number.clone(),
        safeguards: OneOf(app.config().safeguards),
        minimum_withdrawal: requests::MINIMUM.get(),
        maximum_transaction: prompt::MAXIMUM.get(),
    };
    ([(header::CACHE_CONTROL, "public, max-age=300")], Json(settings))
}
