//! `POST /sim/api/players`: players that sign up, pay in by a prompt and join, as people would:
//! through the product's own HTTP API. Only where M-Pesa is the stand-in: their phone numbers are made up, and a prompt of
//! Safaricom's would reach whoever has such a number.

use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State, http::StatusCode};
use domain::{EntryAmount, ledger::taxes::TaxRate};
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sim::{Read, Refusal};
use tokio::{sync::Semaphore, task::JoinSet, time::Instant};

use super::Api;
use crate::world::db::lock;

/// How many players are at it at once: hashing passwords keeps the cores busy.
const AT_ONCE: usize = 4;
const MOST: u32 = 500;
/// Of real time, for a prompt to be credited.
const CREDIT_LIMIT: Duration = Duration::from_secs(30);
const POLL_EVERY: Duration = Duration::from_millis(20);
const STRANGERS: &str = "Players are added only where M-Pesa is the stand-in: their phone numbers are made up, \
                         and prompts would come to strangers' phones.";

const NAMES: [&str; 40] = [
    "akinyi", "anyango", "atieno", "barasa", "chebet", "cherono", "chege", "jeptoo", "juma", "kamau",
    "karanja", "kariuki", "kilonzo", "kimani", "kipkoech", "kiprono", "makena", "maina", "mutai", "mutiso",
    "mutua", "muthoni", "mwangi", "naliaka", "ndungu", "njeri", "njoroge", "nyambura", "ochieng", "odhiambo",
    "okoth", "omondi", "onyango", "otieno", "rotich", "wafula", "wairimu", "wambui", "wangari", "wanjiku",
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wanted {
    count: u32,
    entry_amount: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Joined {
    username: String,
    fpl_id: String,
    email: String,
    password: String,
}

pub async fn add(State(api): State<Api>, Read(wanted): Read<Wanted>) -> Result<Json<Vec<Joined>>, Refusal> {
    if !api.simulates_mpesa {
        return Err(Refusal::new(StatusCode::CONFLICT, STRANGERS));
    }
    let amount = EntryAmount::try_from(wanted.entry_amount).map_err(|e| Refusal::bad(e.to_string()))?;
    if wanted.count > MOST {
        return Err(Refusal::bad(format!("At most {MOST} players at once.")));
    }
    let first = numbers(&api, wanted.count)?;
    let mut joined = Vec::new();
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let mut set = JoinSet::new();
    for number in first..first + u64::from(wanted.count) {
        let (api, slots) = (api.clone(), slots.clone());
        set.spawn(async move {
            let _slot = slots.acquire().await.expect("nobody closes the semaphore");
            play(&api, number, amount).await.map(|joined| (number, joined))
        });
    }
    while let Some(one) = set.join_next().await {
        joined.push(one.map_err(|error| Refusal::from(anyhow::Error::from(error)))??);
    }
    joined.sort_by_key(|(number, _)| *number);
    Ok(Json(joined.into_iter().map(|(_, player)| player).collect()))
}

/// Takes `count` numbers that no player of this world has had; says the first.
fn numbers(api: &Api, count: u32) -> anyhow::Result<u64> {
    let mut connection = lock(&api.world);
    let step = connection.transaction()?;
    let kept: Option<String> = step
        .query_row("SELECT value FROM world_values WHERE name = 'players'", [], |row| row.get(0))
        .optional()?;
    let first: u64 = kept.map_or(Ok(1), |kept| kept.parse())?;
    let next = (first + u64::from(count)).to_string();
    step.execute("INSERT OR REPLACE INTO world_values (name, value) VALUES ('players', ?1)", [next])?;
    step.commit()?;
    Ok(first)
}

async fn play(api: &Api, number: u64, amount: EntryAmount) -> Result<Joined, Refusal> {
    let name = NAMES[usize::try_from(number).unwrap_or_default() % NAMES.len()];
    let digits = number.to_string();
    // At most twelve characters (spec §5), however long the number has grown.
    let letters = &name[..name.len().min(12 - digits.len())];
    let player = Joined {
        username: format!("{letters}{digits}"),
        fpl_id: (8_400_000 + number).to_string(),
        email: format!("{name}{digits}@players.test"),
        password: format!("kikapu-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]),
    };
    let mut caller = Caller { api, number, token: None };
    sign_up(&mut caller, &player).await?;
    let user = log_in(&mut caller, &player).await?;
    deposit(&caller, &user, amount).await?;
    let gameweek = caller.get("/current-gameweek").await?["currentGameweek"].clone();
    let entry = json!({ "fplId": player.fpl_id, "entryAmount": i64::from(amount), "gameweek": gameweek });
    caller.post("/api/join-league", &entry).await?;
    Ok(player)
}

async fn sign_up(caller: &mut Caller<'_>, player: &Joined) -> Result<(), Refusal> {
    let details = json!({
        "email": player.email, "username": player.username, "password": player.password,
        "fplId": player.fpl_id, "over18": true,
        "terms": domain::accounts::terms::VERSIONS.last(),
    });
    caller.post("/api/signup", &details).await.map(drop)
}

/// Says the player's id.
async fn log_in(caller: &mut Caller<'_>, player: &Joined) -> Result<String, Refusal> {
    let details = json!({ "email": player.email, "password": player.password });
    let session = caller.post("/api/login", &details).await?;
    let missing =
        |what: &str| Refusal::new(StatusCode::BAD_GATEWAY, format!("The log-in's answer has no {what}."));
    caller.token = Some(session["accessToken"].as_str().ok_or_else(|| missing("accessToken"))?.to_owned());
    Ok(session["_id"].as_str().ok_or_else(|| missing("_id"))?.to_owned())
}

/// Asks for a prompt, answers it on the simulated phone, and waits until it is credited. The stake is left of it.
async fn deposit(caller: &Caller<'_>, user: &str, amount: EntryAmount) -> Result<(), Refusal> {
    let phone = caller.phone();
    let settings = caller.get("/api/settings").await?;
    let excise =
        settings["excisePercent"].as_f64().and_then(|percent| percent.to_string().parse::<TaxRate>().ok());
    let paid = excise.map_or(amount.kes(), |rate| rate.gross_for(amount.kes()));
    let asked = json!({ "phone": phone, "amount": paid, "userId": user });
    let started = caller.post("/api/deposits", &asked).await?;
    let checkout = started["checkoutId"].as_str().unwrap_or_default();
    let prompts = caller.get(&format!("/sim/api/prompts?phone={phone}")).await?;
    let prompt = prompts[0]["checkoutRequestId"]
        .as_str()
        .ok_or_else(|| Refusal::new(StatusCode::BAD_GATEWAY, format!("No prompt came to {phone}.")))?;
    caller.post(&format!("/sim/api/prompts/{prompt}"), &json!({ "outcome": "success" })).await?;
    let until = Instant::now() + CREDIT_LIMIT;
    loop {
        let answer = caller.get(&format!("/api/deposits/status?checkoutId={checkout}")).await?;
        match answer["status"].as_str() {
            Some("SUCCESS") => return Ok(()),
            Some("FAILED") => {
                return Err(Refusal::new(StatusCode::BAD_GATEWAY, format!("The deposit failed: {answer}.")));
            }
            _ if Instant::now() > until => {
                return Err(Refusal::new(StatusCode::BAD_GATEWAY, "The deposit was not credited in time."));
            }
            _ => tokio::time::sleep(POLL_EVERY).await,
        }
    }
}

struct Caller<'a> {
    api: &'a Api,
    number: u64,
    token: Option<String>,
}

impl Caller<'_> {
    /// 07 and eight digits, different for each player.
    fn phone(&self) -> String {
        // 7919 has no factor in common with the modulus, so no number comes twice.
        format!("07{:08}", 10_000_000 + self.number * 7919 % 90_000_000)
    }

    async fn get(&self, path: &str) -> Result<Value, Refusal> {
        self.send(self.api.http.get(format!("{}{path}", self.api.origin))).await
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.send(self.api.http.post(format!("{}{path}", self.api.origin)).json(body)).await
    }

    /// Refusals come back as 502 with the product's own message.
    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Value, Refusal> {
        let unreachable = |error: reqwest::Error| Refusal::new(StatusCode::BAD_GATEWAY, error.to_string());
        let [_, a, b, c] = u32::try_from(self.number % (1 << 24)).unwrap_or_default().to_be_bytes();
        let mut request = request.header("x-sim-address", format!("10.{a}.{b}.{c}"));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.map_err(unreachable)?;
        let success = response.status().is_success();
        let text = response.text().await.map_err(unreachable)?;
        // Sign-up answers a bare word.
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        if success {
            return Ok(body);
        }
        let message = body["message"].as_str().or(body["error"].as_str()).map(str::to_owned);
        Err(Refusal::new(StatusCode::BAD_GATEWAY, message.unwrap_or_else(|| body.to_string())))
    }
}
