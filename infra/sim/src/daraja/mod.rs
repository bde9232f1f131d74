//! Safaricom's Daraja as documented (facts/daraja.md): sign-in, STK push, STK query, callbacks, and
//! the phones behind them. An independent reading of the documents: it shares no type with the
//! client. Later products (B2C, C2B, transaction status, balance) are further routes here and further
//! rows in `sim_callbacks`.

mod auth;
mod callbacks;
mod errors;
mod outcome;
mod prompts;
mod push;
mod query;
mod stamps;

use std::time::Duration;

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};

pub(crate) use callbacks::{next_callback, send_next_callback};
pub(crate) use errors::DarajaError;
pub(crate) use prompts::{Answer, Answered, answer, expire_next, float, list, next_expiry};
pub(crate) use stamps::parse_phone;

use crate::{Sim, faults::DarajaFault};

/// Longer than any client of ours waits, in real time.
const SLOW: Duration = Duration::from_secs(20);

pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/oauth/v1/generate", get(auth::generate))
        .route("/mpesa/stkpush/v1/processrequest", post(push::process_request))
        .route("/mpesa/stkpushquery/v1/query", post(query::query))
        .method_not_allowed_fallback(|| async { DarajaError::MethodNotAllowed })
        .fallback(|| async { DarajaError::ResourceNotFound })
        .layer(middleware::from_fn_with_state(sim.clone(), outages))
        .with_state(sim)
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
        DarajaFault::None | DarajaFault::Reject | DarajaFault::Pending | DarajaFault::Early => {
            next.run(request).await
        }
    }
}
