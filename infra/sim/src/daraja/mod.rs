//! Safaricom's Daraja as documented (docs/daraja.md): sign-in, STK push and query with the phones
//! behind them, payouts (B2C), the paybill (C2B), transaction status, account balance,
//! reversal, and what is posted back. An independent reading of the documents: it shares no type with the client.

mod auth;
mod balance;
mod callbacks;
mod credential;
mod decided;
mod errors;
mod fields;
mod outcome;
mod paybill;
mod payouts;
mod prompts;
mod push;
mod query;
mod receipts;
mod results;
mod reversal;
mod stamps;
mod status;

use std::time::Duration;

use axum::{
    Json, Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use serde_json::Value;

pub(crate) use callbacks::{next_callback, send_next_callback};
pub use credential::certificate;
pub(crate) use decided::Decided;
pub(crate) use errors::DarajaError;
use errors::Product;
use fields::Fields;
pub(crate) use fields::MAX_AMOUNT;
pub(crate) use paybill::{Payment, pay};
pub(crate) use payouts::{Decision, decide, list as list_payouts};
pub(crate) use prompts::{Answer, answer, expire_next, list, next_expiry};
pub(crate) use receipts::{Reversal, float, reverse};
pub(crate) use stamps::parse_phone;

use crate::{Sim, faults::DarajaFault};

/// Longer than any client of ours waits, in real time.
const SLOW: Duration = Duration::from_secs(20);

pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/oauth/v1/generate", get(auth::generate))
        .route("/mpesa/stkpush/v1/processrequest", signed_in(Product::Stk, push::process_request))
        .route("/mpesa/stkpushquery/v1/query", signed_in(Product::Stk, query::query))
        .route("/mpesa/b2c/v3/paymentrequest", signed_in(Product::Payouts, payouts::payment_request))
        .route("/mpesa/b2c/v1/paymentrequest", signed_in(Product::Payouts, payouts::payment_request_v1))
        .route("/mpesa/c2b/v1/registerurl", signed_in(Product::Paybill, paybill::register_url))
        .route("/mpesa/c2b/v2/registerurl", signed_in(Product::Paybill, paybill::register_url))
        .route("/mpesa/c2b/v2/simulate", signed_in(Product::Paybill, paybill::simulate))
        .route("/mpesa/transactionstatus/v1/query", signed_in(Product::Status, status::query))
        .route("/mpesa/accountbalance/v1/query", signed_in(Product::Status, balance::query))
        .route("/mpesa/reversal/v1/request", signed_in(Product::Stk, reversal::request))
        .route("/certificate", get(|| async { certificate() }))
        .method_not_allowed_fallback(|| async { DarajaError::MethodNotAllowed })
        .fallback(|| async { DarajaError::ResourceNotFound })
        .layer(middleware::from_fn_with_state(sim.clone(), outages))
        .with_state(sim)
}

/// A call of `product`, which needs a token and an object for its body.
fn signed_in<A>(
    product: Product,
    answer: impl Fn(Sim, Fields) -> A + Clone + Send + Sync + 'static,
) -> MethodRouter<Sim>
where
    A: Future<Output = Result<Value, DarajaError>> + Send,
{
    post(move |State(sim): State<Sim>, headers: HeaderMap, body: Body| async move {
        auth::require_token(&sim, &headers, product)?;
        let fields = fields::read_object(body).await?;
        answer(sim, fields).await.map(Json)
    })
}

/// Down answers nothing useful; slow does what was asked and lets the client give up waiting.
async fn outages(State(sim): State<Sim>, request: Request, next: Next) -> Response {
    match sim.faults().daraja {
        DarajaFault::Down => {
            let page = Html("<html><body><h1>503 Service Unavailable</h1></body></html>");
            (StatusCode::SERVICE_UNAVAILABLE, page).into_response()
        }
        DarajaFault::Slow => {
            let response = next.run(request).await;
            tokio::time::sleep(SLOW).await;
            response
        }
        _ => next.run(request).await,
    }
}
