//! Two versions at once, as while a deployment is under way: what a newer one has written and this one does not
//! know does no harm and is kept, in whatever this one writes meanwhile (fault 27).

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    invariants::items,
    support::{PASSWORD, World},
};

/// What is written whole, and is gone with the next look: what was read of the official game and how far that
/// is, how far the night's reading of the books and its questions about receipts are, and where an account has logged in from.
const WRITTEN_WHOLE: &[(&str, &str)] =
    &[("GW#", ""), ("BOOKS", "RUN"), ("BOOKS", "RECEIPTS"), ("KNOWN#", "")];

const NEW: &str = "fromANewerVersion";

type Key = (String, String);

fn key(item: &Value) -> Key {
    (item["pk"].as_str().unwrap().to_owned(), item["sk"].as_str().unwrap().to_owned())
}

/// A newer version was at every item, and at every gameweek in the calendar.
async fn newer_version_writes(world: &World) -> BTreeSet<Key> {
    let mut written = BTreeSet::new();
    for item in items(world).await {
        let (pk, sk) = key(&item);
        let gameweeks = item["gameweeks"].as_array().map_or(0, Vec::len);
        let mut set = vec!["#new = :new".to_owned()];
        set.extend((0..gameweeks).map(|n| format!("gameweeks[{n}].#new = :new")));
        let update = json!({
            "TableName": world.app().config().table_name,
            "Key": {"pk": {"S": pk}, "sk": {"S": sk}},
            "UpdateExpression": format!("SET {}", set.join(", ")),
            "ExpressionAttributeNames": {"#new": NEW},
            "ExpressionAttributeValues": {":new": {"N": "27"}},
        });
        world.dynamo().call("UpdateItem", &update).await.unwrap();
        written.insert((pk, sk));
    }
    written
}

#[tokio::test]
async fn what_a_newer_version_has_written_is_kept() {
    let world = World::start().await;
    let player = world.player_with(500).await;
    player.join(50, 1).await.expect(201);
    world.crowd(5, 50).await;
    let open = json!({"phone": player.phone(), "amount": 70});
    player.post("/api/deposits", open).await.expect(200);
    let ask = json!({"mpesaNumber": "0712000777", "amount": 100});
    let id = player.post("/api/withdraw", ask).await.expect(201)["_id"].as_str().unwrap().to_owned();
    let typed = player.post("/api/manual-payment", json!({"mpesaCode": "UHK7RT61SV"})).await.expect(201);

    let mut written = newer_version_writes(&world).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    let admin = world.admin().await;
    admin.send(Method::POST, &format!("/api/withdraw/{id}/pay"), None).await.expect(200);
    let confirmation = json!({"paymentId": typed["_id"], "amount": 30});
    admin.post("/api/manual-payment/confirm", confirmation).await.expect(200);
    admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    world.phase(1, "live").await;
    written.append(&mut newer_version_writes(&world).await);
    world.points(&player.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.admin().await.post("/api/gameweek/process-winners", json!({})).await.expect(200);
    world.advance(7200).await;

    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    assert_eq!(player.wallet().await, 500 - 50 + 70 - 100 + 30 + 270);
    assert_eq!(world.ledger().await.account("pot:2026-01"), 0);
    let after = items(&world).await;
    let lost: Vec<Key> = after
        .iter()
        .filter(|item| written.contains(&key(item)) && item[NEW].is_null())
        .map(key)
        .filter(|(pk, sk)| !WRITTEN_WHOLE.iter().any(|(p, s)| pk.starts_with(p) && sk.starts_with(s)))
        .collect();
    assert_eq!(lost, [], "written over by this version");
    let calendar = after.iter().find(|item| item["sk"] == "CALENDAR").unwrap();
    let gameweeks = calendar["gameweeks"].as_array().unwrap();
    assert!(gameweeks.iter().all(|gameweek| gameweek[NEW] == 27), "{gameweeks:?}");
    assert!(gameweeks[0]["settledAt"].is_string(), "and it was written meanwhile");
}
