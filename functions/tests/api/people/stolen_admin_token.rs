//! A stolen admin token: it enrolled its own authenticator, and the admin was locked out, also after a reset.

use app::Safeguards::{self, Full, Light};
use reqwest::Method;
use rstest::rstest;
use serde_json::json;

use crate::support::{Person, World, authenticator::TOTP};

const CONFIRM: &str = "/api/admin/totp/confirm";

/// What the thief has of an admin: the access token, and nothing of the browser.
fn stolen(world: &World, admin: &Person) -> Person {
    Person { token: admin.token.clone(), id: admin.id.clone(), ..world.nobody() }
}

#[rstest]
#[tokio::test]
async fn a_stolen_token_enrols_nothing(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (email, password) = world.admin_account();
    let admin = world.log_in(&email, &password).await;
    let thief = stolen(&world, &admin);
    for guess in [json!({}), json!({"password": "password1"}), json!({"password": null})] {
        thief.post(TOTP, guess).await.refused(400);
    }
    // The admin begins: the thief can neither put another secret in its place nor confirm that one.
    let secret = world.start_totp(&admin).await;
    thief.post(TOTP, json!({"password": "password1"})).await.refused(400);
    let right = world.totp_code(&secret, 0);
    thief.post(CONFIRM, json!({"code": right})).await.refused(400);
    thief.post(CONFIRM, json!({"password": "password1", "code": right})).await.refused(400);
    admin.post(CONFIRM, json!({"password": password, "code": right})).await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_stolen_token_shuts_nobody_out(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (email, password) = world.admin_account();
    let admin = world.log_in(&email, &password).await;
    let thief = stolen(&world, &admin);
    // Guesses use up the tries of the stolen session, and of no log-in.
    for guess in 0..12 {
        let body = json!({"password": format!("guess number {guess}")});
        let status = thief.post(TOTP, body).await.status.as_u16();
        assert_eq!(status, if guess < 10 { 400 } else { 429 });
    }
    for change in [json!({"suspended": true}), json!({"endSessions": true}), json!({"frozen": true})] {
        let mut body = change.clone();
        body["reason"] = json!("Locked out.");
        let path = format!("/api/admin/players/{}", admin.id);
        let status = thief.send_once(Method::PATCH, &path, Some(body)).await.status;
        assert!(status.is_client_error(), "{change}: {status}");
    }
    world.log_in(&email, &password).await;
    // Also after a reset: the owner gets in, and the token is good for nothing.
    world.reset_password(&email, "another horse").await;
    thief.get(TOTP).await.refused(401);
    world.log_in(&email, "another horse").await.get("/api/admin/audit").await.expect(200);
}

#[rstest]
#[tokio::test]
async fn a_second_factor_ends_what_was_stolen_before(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (email, password) = world.admin_account();
    let thief = stolen(&world, &world.log_in(&email, &password).await);
    thief.get(TOTP).await.expect(200);
    let admin = world.log_in(&email, &password).await;
    let secret = world.start_totp(&admin).await;
    let body = json!({"password": password, "code": world.totp_code(&secret, 0)});
    admin.post(CONFIRM, body).await.expect(200);
    thief.get(TOTP).await.refused(401);
    // One that is stolen now takes the second factor away only with a code, and its guesses shut nobody out.
    let thief = stolen(&world, &admin);
    for _ in 0..10 {
        thief.post("/api/admin/totp/remove", json!({"code": "000000"})).await.refused(400);
    }
    thief.post("/api/admin/step-up", json!({"code": "000000"})).await.refused(429);
    world.advance(30).await;
    let code = world.totp_code(&secret, 0);
    world.log_in_with(&email, &password, Some(&code)).await.get(TOTP).await.expect(200);
}
