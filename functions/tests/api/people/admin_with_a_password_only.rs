//! An admin with a password only confirmed an invented code at 250,000, or another amount than M-Pesa says, and paid
//! it out to themself.

use app::Safeguards;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Person, World};

async fn typed_code(player: &Person, code: &str) -> String {
    let body = json!({"mpesaCode": code});
    player.post("/api/manual-payment", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

async fn confirm(admin: &Person, id: &str, amount: i64) -> crate::support::Answer {
    let body = json!({"paymentId": id, "amount": amount});
    admin.send_once(Method::POST, "/api/manual-payment/confirm", Some(body)).await
}

#[tokio::test]
async fn with_full_safeguards_a_password_moves_no_money() {
    let world = World::start_guarded(Safeguards::Full).await;
    let (email, password) = world.admin_account();
    let with_password_only = world.log_in(&email, &password).await;
    let player = world.player().await;
    let code = typed_code(&player, "UHK7RT61SV").await;
    let refused = confirm(&with_password_only, &code, 500).await.expect(403);
    assert_eq!((&refused["enrol"], &refused["stepUp"]), (&json!(true), &Value::Null));

    let admin = world.admin().await;
    with_password_only.get("/api/admin/totp").await.refused(401);
    world.advance(5 * 60).await;
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    assert_eq!(player.wallet().await, 0);
    // A code is for one's own session alone.
    world.second_admin().await.get("/api/admin/totp").await.expect(200);
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    let body = json!({"paymentId": code, "amount": 500});
    admin.post("/api/manual-payment/confirm", body).await.expect(200);
    assert_eq!(player.wallet().await, 500);
}
