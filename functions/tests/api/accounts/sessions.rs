//! Refresh and log-out.

use jiff::SignedDuration;
use reqwest::{Method, header};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::support::{PASSWORD, World, invariants::items, person::refresh_token, read};

#[tokio::test]
async fn a_token_ends_after_fifteen_minutes_and_the_cookie_gives_the_next() {
    let (world, mut player) = World::with_player(0).await;
    world.advance(14 * 60).await;
    player.user().await;
    world.advance(2 * 60).await;
    player.get("/api/user").await.refused(401);
    player.get("/api/me/league?gameweek=1&entryAmount=50").await.refused(401);
    player.refresh().await;
    player.user().await;
}

#[tokio::test]
async fn a_session_ends_at_log_out_on_the_server_too() {
    let (_world, player) = World::with_player(100).await;
    read(player.request(Method::POST, "/logout")).await.expect(204);
    read(player.request(Method::POST, "/refresh")).await.refused(401);
    player.join(50, 1).await.refused(401);
    player.get("/api/user").await.refused(401);
}

/// A refresh token is good once; used again within ten seconds it gives the same session on, later
/// it ends the family.
#[tokio::test]
async fn a_replayed_refresh_token_ends_the_family() {
    let world = World::start().await;
    let sign_up = world.player().await;
    let body = json!({"email": "player1@example.co.ke", "password": PASSWORD});
    let first = refresh_token(world.nobody().post("/api/login", body).await.headers);
    let second = world.refreshed(&first).await.expect("the first use");
    let grace = world.refreshed(&first).await.expect("a second tab within the grace");
    assert_eq!(second, grace, "both tabs end up with one token");
    world.advance(11).await;
    let third = world.refreshed(&second).await.expect("the token in force");
    world.advance(11).await;
    assert_eq!(world.refreshed(&second).await, None, "replayed");
    assert_eq!(world.refreshed(&third).await, None, "the family is ended");
    assert_eq!(world.refreshed("nonsense").await, None);
    sign_up.user().await;
}

/// Whoever reads the table finds nothing there that opens a session, a password or a withdrawal.
#[tokio::test]
async fn what_opens_something_is_in_the_table_as_its_hash_alone() {
    let (world, player) = World::with_player(500).await;
    let body = json!({"email": player.email(), "password": PASSWORD});
    let session = refresh_token(world.nobody().post("/api/login", body).await.headers);
    player.withdrawal(&player.phone(), 500).await;
    let cancellation = world.cancellation_link(&player).await;
    world.nobody().post("/api/forgot-password", json!({"email": player.email()})).await.expect(200);
    world.advance(0).await;
    let reset = world.linked(&player.email(), "/reset-password/").await.remove(0);
    let table = items(&world).await.iter().map(ToString::to_string).collect::<String>();
    for token in [session, cancellation, reset] {
        let secret = &token[token.len() - 64..];
        let hash = hex::encode(Sha256::digest(hex::decode(secret).unwrap()));
        assert!(!table.contains(secret) && table.contains(&hash), "{token}");
    }
}

#[tokio::test]
async fn another_site_cannot_use_the_cookie() {
    let (world, player) = World::with_player(0).await;
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        for path in ["/refresh", "/logout", "/api/login"] {
            let request = player.request(Method::POST, path).header(name, value).json(&json!({}));
            read(request).await.refused(403);
        }
    }
    // By which host it is called is the caller's own word.
    for origin in ["https://evil.example", "http://evil.example"] {
        let request = player.request(Method::POST, "/refresh").header(header::HOST, "evil.example");
        read(request.header("origin", origin)).await.refused(403);
    }
    read(player.request(Method::POST, "/refresh").header("origin", &world.base)).await.expect(200);
}

#[tokio::test]
async fn a_session_that_is_not_used_for_two_weeks_is_over() {
    let (world, mut player) = World::with_player(0).await;
    world.advance(13 * 24 * 3600).await;
    player.refresh().await;
    world.advance(15 * 24 * 3600).await;
    read(player.request(Method::POST, "/refresh")).await.refused(401);
}

/// Of two that have read the same session one rotates it, and none does once it has ended. It ends once.
#[tokio::test]
async fn a_session_goes_on_from_where_it_was_read_and_ends_once() {
    let (world, player) = World::with_player(0).await;
    let (store, id, now) = (world.app().store(), player.user_id(), world.app().clock().now());
    let read = async || store.sessions(&id).await.unwrap().remove(0);
    let first = read().await;
    assert!(store.rotate_session(&first, "the next one", now, first.ttl).await.unwrap());
    assert!(!store.rotate_session(&first, "another one", now, first.ttl).await.unwrap());
    let second = read().await;
    store.end_session(&second, now).await.unwrap();
    assert!(!store.rotate_session(&second, "the one after", now, second.ttl).await.unwrap());
    store.end_session(&second, now + SignedDuration::from_secs(60)).await.unwrap();
    let ended = read().await;
    assert_eq!((ended.ended_at, ended.token_hash), (Some(now), "the next one".to_owned()));
}
