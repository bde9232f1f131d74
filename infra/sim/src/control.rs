//! The stand-ins' part of `/sim/api`: prompts, payouts, the paybill, what the
//! official game says, and the faults. The clock, the players, the ledger and the outbox are the
//! runner's.

use axum::{
    Json, Router,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::StatusCode,
    routing::{get, post, put},
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    Sim,
    daraja::{self, Answer, Decided, Decision, MAX_AMOUNT, Payment, Reversal},
    entries::{EntryChange, weeks},
    faults::Faults,
    fpl,
    http::{Read, Refusal, method_not_allowed},
    push,
    season::Gameweek,
};

pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/prompts", get(list_prompts))
        .route("/prompts/{checkout_request_id}", post(answer_prompt))
        .route("/payouts", get(list_payouts))
        .route("/payouts/{conversation_id}", post(decide_payout))
        .route("/paybill", post(pay_the_paybill))
        .route("/reversals", post(reverse))
        .route("/float", get(float))
        .route("/fpl/entries", get(list_entries))
        .route("/fpl/entries/{fpl_id}", put(put_entry))
        .route("/fpl/gameweeks", get(list_gameweeks))
        .route("/fpl/requests", get(requests).delete(reset_requests))
        .route("/faults", get(get_faults).put(put_faults))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(sim.clone())
        .nest("/push", push::control(sim))
}

type Accepted = (StatusCode, Json<Value>);

#[derive(Deserialize)]
struct OfPhone {
    phone: Option<String>,
}

impl OfPhone {
    fn read(of: Result<Query<Self>, QueryRejection>) -> Result<Option<String>, Refusal> {
        let Query(of) = of.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
        of.phone.as_deref().map(phone).transpose()
    }
}

fn phone(text: &str) -> Result<String, Refusal> {
    let bad = || Refusal::bad(format!("{text:?} is not a phone number like 0712345678."));
    daraja::parse_phone(text).ok_or_else(bad)
}

async fn list_prompts(
    State(sim): State<Sim>,
    of: Result<Query<OfPhone>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let prompts = daraja::list(sim.db(), OfPhone::read(of)?.as_deref(), sim.now())?;
    Ok(Json(json!(prompts)))
}

#[derive(Deserialize)]
struct OfPayouts {
    phone: Option<String>,
    since: Option<Timestamp>,
}

async fn list_payouts(
    State(sim): State<Sim>,
    of: Result<Query<OfPayouts>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Query(of) = of.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
    let phone = of.phone.as_deref().map(phone).transpose()?;
    Ok(Json(json!(daraja::list_payouts(sim.db(), phone.as_deref(), of.since)?)))
}

async fn decide_payout(
    State(sim): State<Sim>,
    Path(id): Path<String>,
    Read(decision): Read<Decision>,
) -> Result<Accepted, Refusal> {
    decided(&sim, "payout", &id, daraja::decide(sim.db(), &id, decision, sim.now())?)
}

fn decided(sim: &Sim, what: &str, id: &str, decided: Decided) -> Result<Accepted, Refusal> {
    match decided {
        Decided::Done { receipt } => {
            sim.changed().notify_one();
            Ok((StatusCode::ACCEPTED, Json(json!({ "receipt": receipt }))))
        }
        Decided::Unknown => Err(Refusal::not_found(format!("There is no {what} {id:?}."))),
        Decided::NotPending => {
            Err(Refusal::new(StatusCode::CONFLICT, format!("This {what} is no longer pending.")))
        }
    }
}

async fn pay_the_paybill(
    State(sim): State<Sim>,
    Read(payment): Read<Payment>,
) -> Result<Json<Value>, Refusal> {
    let phone = phone(&payment.phone)?;
    if !(1..=MAX_AMOUNT).contains(&payment.amount) {
        return Err(Refusal::bad(format!("The amount must be whole KES from 1 to {MAX_AMOUNT}.")));
    }
    let receipt = daraja::pay(&sim, &phone, &payment)?;
    sim.changed().notify_one();
    Ok(Json(json!({ "receipt": receipt })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfReceipt {
    receipt: String,
}

async fn reverse(
    State(sim): State<Sim>,
    Read(OfReceipt { receipt }): Read<OfReceipt>,
) -> Result<Accepted, Refusal> {
    match daraja::reverse(sim.db(), &receipt, None, sim.now())? {
        Reversal::Done | Reversal::DoneBefore => {
            Ok((StatusCode::ACCEPTED, Json(json!({ "receipt": receipt }))))
        }
        Reversal::NotKnown => {
            Err(Refusal::not_found(format!("Nobody has paid the shop under the receipt {receipt:?}.")))
        }
    }
}

async fn answer_prompt(
    State(sim): State<Sim>,
    Path(id): Path<String>,
    Read(answer): Read<Answer>,
) -> Result<Accepted, Refusal> {
    decided(&sim, "prompt", &id, daraja::answer(&sim, &id, answer)?)
}

async fn float(State(sim): State<Sim>) -> Result<Json<Value>, Refusal> {
    Ok(Json(json!({ "balance": daraja::float(sim.db())? })))
}

async fn put_entry(
    State(sim): State<Sim>,
    Path(id): Path<String>,
    Read(change): Read<EntryChange>,
) -> Result<Json<Value>, Refusal> {
    let id = fpl::parse_id(&id)
        .ok_or_else(|| Refusal::bad(format!("{id:?} is not a team id: a whole number from 1.")))?;
    let now = sim.now();
    sim.entries().change(id, change, &sim.calendar(now), now)?;
    Ok(Json(json!({})))
}

/// The first teams that anybody asked about or set, with their latest gameweek.
async fn list_entries(State(sim): State<Sim>) -> Json<Value> {
    const LISTED: usize = 100;
    let now = sim.now();
    let calendar = sim.calendar(now);
    let list: Vec<_> = sim
        .entries()
        .with_slots(calendar.season())
        .into_iter()
        .take(LISTED)
        .map(|(id, _, known)| {
            let latest = weeks(id, &known, &calendar, now).pop();
            json!({
                "fplId": id,
                "teamName": fpl::team_name(calendar.season(), id, &known),
                "exists": known.exists(),
                "gameweek": latest.as_ref().map(|week| week.gameweek.number()),
                "points": latest.as_ref().map(|week| week.points),
                "pointsOnBench": latest.as_ref().map(|week| week.on_bench),
                "transfersCost": latest.as_ref().map(|week| week.cost),
            })
        })
        .collect();
    Json(json!(list))
}

async fn list_gameweeks(State(sim): State<Sim>) -> Json<Value> {
    let now = sim.now();
    let calendar = sim.calendar(now);
    let list: Vec<_> = calendar.all().map(|gameweek| describe(gameweek, now)).collect();
    Json(json!(list))
}

/// A gameweek as `/sim/api` shows it; the season is the year in which it starts.
pub(crate) fn describe(gameweek: Gameweek, now: Timestamp) -> Value {
    json!({
        "id": gameweek.number(),
        "deadline": gameweek.deadline(),
        "phase": gameweek.phase_at(now),
        "kind": gameweek.kind(),
        "season": gameweek.season().year(),
    })
}

async fn requests(State(sim): State<Sim>) -> Json<Value> {
    Json(json!(sim.requests().counted()))
}

async fn reset_requests(State(sim): State<Sim>) -> StatusCode {
    sim.requests().reset();
    StatusCode::NO_CONTENT
}

async fn get_faults(State(sim): State<Sim>) -> Json<Faults> {
    Json(sim.faults())
}

async fn put_faults(
    State(sim): State<Sim>,
    Read(change): Read<Map<String, Value>>,
) -> Result<Json<Faults>, Refusal> {
    Ok(Json(sim.change_faults(change)?))
}
