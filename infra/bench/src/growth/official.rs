//! The official game of one gameweek that was played: ten teams that differ, which all who ask have in turn, the points of
//! their footballers, and the results that these make. It counts what it is asked about teams.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    routing::get,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const TEAMS: u64 = 10;
/// A squad's footballers: their numbers are three apart.
const SQUAD: u64 = 15;
const APART: u64 = 3;
const CAPTAIN: u64 = 2;

pub struct Official {
    pub address: String,
    asked: Arc<AtomicU64>,
}

impl Official {
    pub async fn start() -> Self {
        let asked = Arc::new(AtomicU64::new(0));
        let router = Router::new()
            .route("/api/entry/{team}/event/{gameweek}/picks/", get(picks))
            .route("/api/entry/{team}/history/", get(history))
            .route("/api/event/{gameweek}/live/", get(live))
            .route("/api/fixtures/", get(fixtures))
            .with_state(asked.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("it is bound");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address: format!("http://{address}/api"), asked }
    }

    /// How often a team was asked about so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

fn footballer(team: u64, place: u64) -> u64 {
    (team % TEAMS * SQUAD + place) * APART
}

fn points(footballer: u64) -> u64 {
    footballer % 11
}

/// A team's row of the gameweek: everybody has played, so nobody came on.
fn row(team: u64, gameweek: u32) -> Value {
    let of = |place| points(footballer(team, place));
    let playing: u64 = (1..=11).map(of).sum::<u64>() + of(CAPTAIN);
    let bench: u64 = (12..=SQUAD).map(of).sum();
    json!({"event": gameweek, "points": playing, "total_points": playing, "event_transfers_cost": 0, "points_on_bench": bench})
}

async fn picks(State(asked): State<Arc<AtomicU64>>, Path((team, gameweek)): Path<(u64, u32)>) -> Json<Value> {
    asked.fetch_add(1, Ordering::Relaxed);
    let pick = |place: u64| {
        let kind = match place {
            1 | 12 => 1,
            2..=5 | 13 => 2,
            6..=9 | 14 => 3,
            _ => 4,
        };
        let multiplier = match place {
            CAPTAIN => 2,
            1..=11 => 1,
            _ => 0,
        };
        json!({"element": footballer(team, place), "position": place, "multiplier": multiplier,
            "is_captain": place == CAPTAIN, "is_vice_captain": place == 3, "element_type": kind})
    };
    let picks: Vec<Value> = (1..=SQUAD).map(pick).collect();
    Json(json!({"active_chip": null, "entry_history": row(team, gameweek), "picks": picks}))
}

async fn history(State(asked): State<Arc<AtomicU64>>, Path(team): Path<u64>) -> Json<Value> {
    asked.fetch_add(1, Ordering::Relaxed);
    Json(json!({"current": [row(team, 1)], "chips": []}))
}

async fn live() -> Json<Value> {
    let footballers = (0..TEAMS).flat_map(|team| (1..=SQUAD).map(move |place| footballer(team, place)));
    let element = |id: u64| {
        json!({"id": id, "stats": {"minutes": 90, "total_points": points(id)},
            "explain": [{"fixture": 1, "stats": [{"identifier": "minutes", "points": points(id), "value": 90}]}]})
    };
    Json(json!({"elements": footballers.map(element).collect::<Vec<_>>()}))
}

async fn fixtures() -> Json<Value> {
    Json(
        json!([{"id": 1, "finished": true, "finished_provisional": true, "team_h": 1, "team_a": 2, "stats": []}]),
    )
}
