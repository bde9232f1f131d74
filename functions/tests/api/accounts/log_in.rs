//! Log-in.

use reqwest::header;
use serde_json::json;

use crate::support::{PASSWORD, World, assert_has};

#[tokio::test]
async fn signing_up_and_logging_in() {
    let world = World::start().await;
    let form = json!({"email": "Wanjiku@Example.co.ke", "username": "Wanjiku", "password": PASSWORD, "fplId": "0042"});
    assert_eq!(world.nobody().post("/api/signup", form).await.expect(201), json!("notexist"));
    let answer = world
        .nobody()
        .post("/api/login", json!({"email": "wanjiku@example.co.ke", "password": format!(" {PASSWORD} ")}))
        .await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
    for part in ["rt=", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Expires"));
    let body = answer.expect(200);
    assert_eq!(body["status"], "exist");
    assert_has(&body, json!({"username": "Wanjiku", "fplId": "42", "role": "player"}));
    assert_eq!(body["email"], "Wanjiku@Example.co.ke");
    assert_eq!(body["token"], body["accessToken"]);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_are_told_alike() {
    let world = World::start().await;
    world.player().await;
    for (email, password) in [
        ("player1@example.co.ke", "wrong password"),
        ("nobody@example.co.ke", PASSWORD),
        ("player1@example.co.ke", "short"),
        ("no email", PASSWORD),
    ] {
        let answer = world.nobody().post("/api/login", json!({"email": email, "password": password})).await;
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
        let body = answer.expect(401);
        assert_eq!(body["status"], "notexist");
        assert_eq!(body["message"], "Invalid email or password. Please try again.");
    }
    world.nobody().post("/api/login", json!({})).await.refused(400);
}
