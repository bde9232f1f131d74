//! What is not a request of ours is refused clearly, and nothing is half-done.

use reqwest::{Method, header};
use rstest::rstest;
use serde_json::json;

use crate::support::{World, read};

const POSTS: &[&str] =
    &["/api/signup", "/api/login", "/api/deposits", "/api/pay", "/api/withdraw", "/api/join-league"];

#[rstest]
#[case::none(b"", 400)]
#[case::not_json(b"hello", 400)]
#[case::cut(b"{\"amount\": 5", 400)]
#[case::a_list(b"[1,2]", 400)]
#[case::null(b"null", 400)]
#[case::text(b"\"text\"", 400)]
#[case::not_utf8(b"{\"email\": \"\xff\xfe\"}", 400)]
#[tokio::test]
async fn a_body_that_is_no_object(#[case] body: &[u8], #[case] status: u16) {
    let world = World::start().await;
    let player = world.player().await;
    for path in POSTS {
        let request = player.request(Method::POST, path).bearer_auth(player.token.as_ref().unwrap());
        read(request.body(body.to_vec())).await.refused(status);
    }
}

#[tokio::test]
async fn deep_and_large_bodies() {
    let world = World::start().await;
    let player = world.player().await;
    let send = async |body: Vec<u8>| {
        let request =
            player.request(Method::POST, "/api/withdraw").bearer_auth(player.token.as_ref().unwrap());
        read(request.header(header::CONTENT_TYPE, "application/json").body(body)).await
    };
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    send(deep.into_bytes()).await.refused(400);
    let deep = format!("{}1{}", "{\"a\":".repeat(2000), "}".repeat(2000));
    send(deep.into_bytes()).await.refused(400);
    send(vec![b' '; 65 * 1024]).await.refused(413);
    send(vec![b'x'; 7 * 1024 * 1024]).await.refused(413);
    send(vec![b'x'; 11 * 1024 * 1024]).await.refused(413);
}

#[tokio::test]
async fn whatever_the_sender_calls_json_is_read_and_unknown_fields_are_ignored() {
    let world = World::start().await;
    let player = world.player_with(100).await;
    let body = json!({"mpesaNumber": "0712345678", "amount": 60, "role": "admin", "balance": 1_000_000});
    let request = player.request(Method::POST, "/api/withdraw").bearer_auth(player.token.as_ref().unwrap());
    let request = request.header(header::CONTENT_TYPE, "text/plain").body(body.to_string());
    read(request).await.expect(201);
    assert_eq!(player.wallet().await, 40);
}

#[tokio::test]
async fn paths_and_methods_that_are_none_of_ours() {
    let world = World::start().await;
    let nobody = world.nobody();
    for path in ["/api/nothing", "/hooks/nothing", "/api", "/sim/api/nothing"] {
        nobody.get(path).await.refused(404);
    }
    nobody.send(Method::DELETE, "/api/signup", None).await.refused(405);
    nobody.get("/refresh").await.refused(405);
}

#[rstest]
#[case("/api/leagues?gameweek=0&entryAmount=50")]
#[case("/api/leagues?gameweek=x&entryAmount=50")]
#[case("/api/leagues?gameweek=1&entryAmount=51")]
#[case("/api/leagues?gameweek=1&entryAmount=50&cursor=x")]
#[case("/api/leagues?gameweek=1&gameweek=2")]
#[tokio::test]
async fn queries_that_are_not_in_order(#[case] path: &str) {
    let world = World::start().await;
    world.nobody().get(path).await.refused(400);
}

#[tokio::test]
async fn a_failure_inside_answers_a_fixed_sentence() {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"dynamodb": {"throttle": 1.0}})).await;
    let answer = player.get("/api/user").await;
    assert!(answer.headers.contains_key(header::RETRY_AFTER));
    let message = answer.refused(503);
    assert_eq!(message, "Something went wrong on our side. Nothing was lost. Please try again.");
}
