//! What a press would pay is what it then pays.

use serde_json::{Value, json};

use crate::support::World;

const PREVIEW: &str = "/api/admin/winners";
const PROCESS: &str = "/api/gameweek/process-winners";

async fn preview(world: &World) -> Value {
    world.admin().await.get(PREVIEW).await.expect(200)
}

#[tokio::test]
async fn the_preview_is_what_is_then_paid() {
    let world = World::start().await;
    world.crowd(12, 50).await;
    world.crowd(7, 250).await;
    let open = preview(&world).await;
    assert_eq!((&open["state"], &open["leagues"]), (&json!("open"), &json!(0)));
    assert_eq!(open["refused"], "Gameweek 1 is still open.");

    world.phase(1, "finished").await;
    let closed = preview(&world).await;
    assert_eq!(closed["refused"], "Official points for gameweek 1 are not final yet.");
    assert_eq!((&closed["leagues"], &closed["collected"]), (&json!(3), &json!(12 * 50 + 7 * 250)));

    world.phase(1, "checked").await;
    let ready = preview(&world).await;
    assert_eq!(
        (&ready["refused"], &ready["waiting"], &ready["unread"]),
        (&json!(null), &json!(0), &json!(0))
    );
    assert_eq!(ready["amounts"].as_array().unwrap().len(), 3);
    let fifty = &ready["amounts"][0];
    assert_eq!((&fifty["leagues"], &fifty["players"]), (&json!(2), &json!(12)));
    assert_eq!((&fifty["collected"], &fifty["fee"], &fifty["toPay"]), (&json!(600), &json!(60), &json!(540)));
    assert_eq!((&ready["fee"], &ready["toPay"]), (&json!(60 + 175), &json!(540 + 1575)));

    let before = world.ledger().await;
    world.admin().await.post(PROCESS, json!({})).await.expect(200);
    world.advance(60).await;
    let after = world.ledger().await;
    let gained: i64 = after.wallets.values().sum::<i64>() - before.wallets.values().sum::<i64>();
    let kept = after.account("fees") + after.account("rounding");
    assert_eq!(ready["toPay"], gained + after.account("rounding"));
    assert_eq!(ready["collected"], gained + kept);

    let admin = world.admin().await;
    let settled = admin.get(&format!("{PREVIEW}?gameweek=1")).await.expect(200);
    assert_eq!((&settled["state"], &settled["settled"]), (&json!("settled"), &json!(3)));
    assert_eq!((&settled["leagues"], &settled["toPay"]), (&json!(0), &json!(0)));
    admin.get(&format!("{PREVIEW}?gameweek=39")).await.refused(400);
    admin.get(&format!("{PREVIEW}?gameweek=next")).await.refused(400);
}

#[tokio::test]
async fn leagues_that_would_wait_are_named() {
    let world = World::start().await;
    let crowd = crate::settlement::waiting::league_with_hidden(&world, 1).await;
    let preview = preview(&world).await;
    assert_eq!((&preview["leagues"], &preview["waiting"]), (&json!(1), &json!(1)));
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
    let preview = preview(&world).await;
    assert_eq!((&preview["fee"], &preview["toPay"]), (&json!(0), &json!(500)), "{preview}");
}
