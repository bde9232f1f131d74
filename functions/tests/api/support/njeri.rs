//! A player whose email, name, number and team are found in nothing of anybody else's.

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    PASSWORD, Person, World,
    gameweek::{PROCESS, fpl_id},
    invariants::items,
    money::done,
    text,
};

pub const EMAIL: &str = "njeri.w@example.co.ke";
pub const NAME: &str = "njeriw";
pub const TEAM: &str = "424242";
/// Where she closes her account, and by what.
pub const CLOSURE: &str = "/api/me/closure";

pub fn right() -> Value {
    json!({"password": PASSWORD})
}

/// Somebody who is not called as the world's other players are.
pub async fn njeri(world: &World) -> Person {
    world.sign_up(EMAIL, NAME, TEAM).await.with_number(7777)
}

pub async fn again(world: &World) -> Person {
    world.log_in(EMAIL, PASSWORD).await.with_number(7777)
}

/// From sign-up to a prize, paid out: then the account is closed.
pub async fn played_and_paid_out(world: &World) -> (Person, String) {
    let player = njeri(world).await;
    world.fund(&player, 100).await;
    let typed = player.typed_code("UHK7RT61SV").await;
    let wrong = json!({"about": {"kind": "payment", "id": typed}, "text": "njeriw was charged, says Njeri."});
    player.post("/api/cases", wrong).await.expect(201);
    let subscription = world.phone(&player).await;
    player.post("/api/me/push-subscriptions", subscription.told.clone()).await.expect(201);
    player.put("/api/me/notifications", json!({"mail": {"deadline": true}})).await.expect(200);
    // A phone that she uses no more.
    let before = world.phone(&player).await;
    let known = player.post("/api/me/push-subscriptions", before.told).await.expect(201);
    let path = format!("/api/me/push-subscriptions/{}", text(&known, "_id"));
    player.send(Method::DELETE, &path, None).await.expect(204);
    let reason =
        json!({"suspended": true, "reason": "Njeri of njeri.w@example.co.ke was asked about her team."});
    world.change_player(&player.id, reason).await.expect(200);
    world
        .change_player(&player.id, json!({"suspended": false, "reason": "njeriw has answered."}))
        .await
        .expect(200);
    let player = again(world).await;
    player.join(50, 1).await.expect(201);
    let others = world.crowd(5, 50).await;
    let rejected = json!({"paymentId": typed, "reason": "No such code."});
    world.admin().await.post("/api/manual-payment/reject", rejected).await.expect(200);
    world.phase(1, "locked").await;
    world.advance(780).await;
    world.points(TEAM, 1, 150, 9, 0).await;
    for other in &others {
        world.points(fpl_id(other), 1, 40, 3, 0).await;
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    world.advance(60).await;
    let player = again(world).await;
    let balance = player.wallet().await;
    assert_eq!(balance, 50 + 6 * 45);
    let withdrawal = player.withdrawal(&player.phone(), balance).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    world.advance(60).await;
    (again(world).await, text(&subscription.told, "endpoint"))
}

/// Whatever of the table has a text of the player's in it.
pub async fn found(world: &World, texts: &[&str]) -> Vec<Value> {
    let mut found = items(world).await;
    found.retain(|item| {
        let item = item.to_string().to_lowercase();
        texts.iter().any(|text| item.contains(&text.to_lowercase()))
    });
    found
}

/// The same without what expires by itself, as all that M-Pesa has sent does.
pub async fn found_for_good(world: &World, texts: &[&str]) -> Vec<Value> {
    let mut found = found(world, texts).await;
    found.retain(|item| !item["ttl"].is_i64());
    found
}
