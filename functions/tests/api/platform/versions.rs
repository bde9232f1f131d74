//! Two versions at once, as while a deployment is under way: what a newer one has written and this one does not
//! know does no harm and is kept, in whatever this one writes meanwhile (fault 27).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{World, invariants::items, mpesa::paid};

/// What is written whole, and is gone with the next look: what was read of the official game and how far that
/// is, how far the night's reading of the books and its questions about receipts are, and where an account has logged in from.
const WRITTEN_WHOLE: &[(&str, &str)] =
    &[("GW#", ""), ("BOOKS", "RUN"), ("BOOKS", "RECEIPTS"), ("TRUST", "CURRENT"), ("KNOWN#", "")];

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
    let (world, player) = World::with_player(500).await;
    player.join(50, 1).await.expect(201);
    world.crowd(5, 50).await;
    player.prompt(70).await;
    let id = player.withdrawal("0712000777", 100).await;
    let typed = player.type_code("UHK7RT61SV").await.expect(201);

    let mut written = newer_version_writes(&world).await;
    world.answer_prompt(&player.phone(), paid()).await;
    let admin = world.admin().await;
    admin.pay_out(&id).await.expect(200);
    admin.confirm_code(&typed["_id"], 30).await.expect(200);
    admin.post("/api/points/toggle-deduction", json!({})).await.expect(200);
    world.phase(1, "live").await;
    written.append(&mut newer_version_writes(&world).await);
    world.points(&player.fpl_id, 1, 199, 0, 0).await;
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(7200).await;

    assert_eq!(world.player_again(1).await.wallet().await, 500 - 50 + 70 - 100 + 30 + 270);
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
