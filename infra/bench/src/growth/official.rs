//! The official game as far as a squad goes: every team has the same one.

use axum::{Json, Router, extract::Path, routing::get};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Starts it; answers its address.
pub async fn start() -> String {
    let router = Router::new().route("/api/entry/{team}/event/{gameweek}/picks/", get(picks));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/api")
}

async fn picks(Path((_team, gameweek)): Path<(u64, u32)>) -> Json<Value> {
    let history = json!({"event": gameweek, "points": 50, "total_points": 50, "event_transfers_cost": 0, "points_on_bench": 4});
    let pick = |place: u8| {
        let kind = match place {
            1 | 12 => 1,
            2..=5 | 13 => 2,
            6..=9 | 14 => 3,
            _ => 4,
        };
        let multiplier = match place {
            2 => 2,
            1..=11 => 1,
            _ => 0,
        };
        json!({"element": u32::from(place) * 3, "position": place, "multiplier": multiplier, "is_captain": place == 2,
            "is_vice_captain": place == 3, "element_type": kind})
    };
    let picks: Vec<Value> = (1..=15).map(pick).collect();
    Json(json!({"active_chip": null, "entry_history": history, "picks": picks}))
}
