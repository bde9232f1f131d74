//! What a press would pay is what it then pays.

use serde_json::{Value, json};

use crate::support::{World, assert_has};

const PREVIEW: &str = "/api/admin/winners";

async fn preview(world: &World) -> Value {
    world.admin().await.get(PREVIEW).await.expect(200)
}

#[tokio::test]
async fn the_preview_is_what_is_then_paid() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    world.crowd(7, 250).await;
    let open = preview(&world).await;
    assert_has(&open, json!({"state": "open", "leagues": 0}));
    assert_eq!(open["refused"], "Gameweek 1 is still open.");

    world.phase(1, "finished").await;
    let closed = preview(&world).await;
    assert_eq!(closed["refused"], "Official points for gameweek 1 are not final yet.");
    assert_has(&closed, json!({"leagues": 3, "collected": 12 * 50 + 7 * 250}));

    world.phase(1, "checked").await;
    let ready = preview(&world).await;
    assert_has(&ready, json!({"refused": null, "waiting": 0, "unread": 0}));
    assert_eq!(ready["amounts"].as_array().unwrap().len(), 3);
    let fifty = &ready["amounts"][0];
    assert_has(fifty, json!({"leagues": 2, "players": 12}));
    assert_has(fifty, json!({"collected": 600, "fee": 60, "toPay": 540}));
    assert_has(&ready, json!({"fee": 60 + 175, "toPay": 540 + 1575}));

    let before = world.ledger().await;
    world.end_gameweek().await;
    world.advance(60).await;
    let after = world.ledger().await;
    let gained: i64 = after.wallets.values().sum::<i64>() - before.wallets.values().sum::<i64>();
    let kept = after.account("fees") + after.account("rounding");
    assert_eq!(ready["toPay"], gained + after.account("rounding"));
    assert_eq!(ready["collected"], gained + kept);

    let admin = world.admin().await;
    let settled = admin.get(&format!("{PREVIEW}?gameweek=1")).await.expect(200);
    assert_has(&settled, json!({"state": "settled", "settled": 3}));
    assert_has(&settled, json!({"leagues": 0, "toPay": 0}));
    admin.get(&format!("{PREVIEW}?gameweek=39")).await.refused(400);
    admin.get(&format!("{PREVIEW}?gameweek=next")).await.refused(400);
}

#[tokio::test]
async fn leagues_that_would_wait_are_named() {
    let world = World::start().await;
    let crowd = world.league_with_hidden(1).await;
    let preview = preview(&world).await;
    assert_has(&preview, json!({"leagues": 1, "waiting": 1}));
    let lost = crowd[0]["fplId"].as_str().unwrap();
    let why = format!("Team {lost}: it has no official score for this gameweek.");
    assert_eq!(preview["waitingLeagues"], json!([{"_id": "2026-01-50-00001", "why": why}]));
}

#[tokio::test]
async fn a_void_gameweek_gives_everything_back() {
    let world = World::start().await;
    world.crowd(5, 100).await;
    world.sim(reqwest::Method::PUT, "/fpl/gameweeks/1", json!({"kind": "void"})).await;
    world.phase(1, "checked").await;
    assert_has(&preview(&world).await, json!({"fee": 0, "toPay": 500}));
}
