//! What is public of a gameweek's draw, as the product answers it.

use std::collections::BTreeMap;

use domain::EntryAmount;
use jiff::Timestamp;
use reqwest::Client;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::settings::Refusal;

/// More pages of leagues than any gameweek has.
const MOST_PAGES: usize = 10_000;

#[derive(Debug, Clone)]
pub struct Published {
    pub draw: Draw,
    /// By entry amount in KES, in the order of the pages.
    pub leagues: BTreeMap<i64, Vec<League>>,
}

/// `GET /api/gameweeks/{n}/draw`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    pub secret_hash: Option<String>,
    pub deadline: Timestamp,
    pub fence: Timestamp,
    pub beacon_addresses: Vec<String>,
    pub beacon_chain: String,
    /// When every list was fixed and its hash public; none in a draw by the rules of before.
    pub lists_at: Option<Timestamp>,
    pub lists: Vec<List>,
    pub beacon_silence: Option<Silence>,
    pub drawn_at: Option<Timestamp>,
    pub draws: Vec<AmountDraw>,
}

/// The list of an amount as it was public before the beacon's round.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    pub entry_amount: i64,
    pub entries: usize,
    pub entries_hash: String,
    pub at: Timestamp,
}

/// How the beacon was asked in vain, where the draw went on without it.
#[derive(Debug, Clone, Deserialize)]
pub struct Silence {
    pub since: Timestamp,
    pub until: Timestamp,
    pub tries: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AmountDraw {
    pub entry_amount: i64,
    pub secret: String,
    pub beacon_chain: Option<String>,
    pub beacon_round: u64,
    pub beacon: Option<String>,
    pub beacon_signature: Option<String>,
    pub without_beacon: Option<String>,
    pub entries_hash: String,
    /// `lines`, or `ids` by the rules of before.
    pub covers: String,
    pub entries: usize,
    pub seed: String,
    pub at: Timestamp,
    pub sizes: Vec<usize>,
    pub alone: Option<String>,
    pub alone_line: Option<String>,
}

/// One of `GET /api/leagues`.
#[derive(Debug, Clone, Deserialize)]
pub struct League {
    pub number: usize,
    pub users: Vec<Member>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub entry_id: Option<String>,
    pub fpl_id: String,
    pub username: Option<String>,
    pub name_hash: Option<String>,
    pub salt: Option<String>,
}

pub async fn fetch(http: &Client, origin: &str, gameweek: &str) -> Result<Published, Refusal> {
    let address = format!("{origin}/api/gameweeks/{gameweek}/draw");
    let draw: Draw = read(&address, &text(http, &address).await?.1)?;
    if draw.drawn_at.is_none() {
        let hash = draw.secret_hash.as_deref().unwrap_or("not public yet, for it is not open");
        let what = format!("is not drawn yet; the hash of its secret, to be noted, is {hash}");
        return Err(Refusal::new(format!("gameweek {gameweek}"), what));
    }
    let mut leagues = BTreeMap::new();
    for amount in EntryAmount::ALL.map(i64::from) {
        let address = format!("{origin}/api/leagues?gameweek={gameweek}&entryAmount={amount}");
        leagues.insert(amount, pages(http, &address).await?);
    }
    Ok(Published { draw, leagues })
}

async fn pages(http: &Client, address: &str) -> Result<Vec<League>, Refusal> {
    let mut leagues = Vec::new();
    let mut page = address.to_owned();
    for _ in 0..MOST_PAGES {
        let (next, body) = text(http, &page).await?;
        leagues.extend(read::<Vec<League>>(&page, &body)?);
        match next {
            Some(cursor) => page = format!("{address}&cursor={cursor}"),
            None => return Ok(leagues),
        }
    }
    Err(Refusal::new(address, "its pages do not end"))
}

/// The text at an address, and the cursor of the page after it where there is one.
pub async fn text(http: &Client, address: &str) -> Result<(Option<String>, String), Refusal> {
    let broken = |error: reqwest::Error| Refusal::new(address, error.without_url());
    let answer = http.get(address).send().await.map_err(broken)?;
    let status = answer.status();
    let next = answer.headers().get("x-next-cursor").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = answer.text().await.map_err(broken)?;
    if status.is_success() {
        return Ok((next, body));
    }
    let body: Value = serde_json::from_str(&body).unwrap_or_default();
    Err(Refusal::new(address, format!("{status} {}", body["message"].as_str().unwrap_or_default())))
}

pub fn read<T: DeserializeOwned>(address: &str, body: &str) -> Result<T, Refusal> {
    serde_json::from_str(body)
        .map_err(|error| Refusal::new(address, format!("not what it should be: {error}")))
}
