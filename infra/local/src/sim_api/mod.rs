//! The runner's own part of `/sim/api`: the clock, schedules, players, the ledger and the outbox. (Prompts,
//! the official game and the faults are the stand-ins'.)
//!
//! Invariant: every refusal is `{"message"}`; nothing here writes to the product's table but through the
//! product's own HTTP API, and `plant`, which is there to make it wrong.

mod clock;
mod jobs;
mod ledger;
mod outbox;
mod plant;
mod players;

use std::sync::Arc;

use axum::{
    Router,
    routing::{get, post, put},
};
use sim::{Sim, method_not_allowed};

use crate::{
    aws::{Dynamo, Outbox},
    world::{db::Db, engine::Engine},
};

#[derive(Clone)]
pub struct Api {
    pub engine: Arc<Engine>,
    pub sim: Sim,
    pub outbox: Outbox,
    pub dynamo: Dynamo,
    pub table: String,
    pub world: Db,
    /// Whether the product's M-Pesa is the stand-in.
    pub simulates_mpesa: bool,
    /// For the product's own HTTP API at `origin`.
    pub http: reqwest::Client,
    pub origin: String,
}

/// Everything under `/sim/api`, the stand-ins' part included.
pub fn router(api: Api) -> Router {
    let control = api.sim.control();
    Router::new()
        .route("/clock", get(clock::now).post(clock::jump))
        .route("/fpl/gameweeks/{id}", put(clock::change_gameweek))
        .route("/jobs/{name}", post(jobs::start).put(jobs::switch))
        .route("/players", post(players::add))
        .route("/ledger", get(ledger::show))
        .route("/table", put(plant::plant))
        .route("/outbox", get(outbox::list))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(api)
        .merge(control)
}
