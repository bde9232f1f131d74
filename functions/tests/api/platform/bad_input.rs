//! What is not a request of ours is refused clearly, and nothing is half-done. The tables run over
//! every call of the product that takes a body, each field as the document has it: a new call is held
//! to them without a word here.

use reqwest::{Method, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    World, assert_has,
    calls::{calls, lists, untouched},
    read,
};

fn nested(open: &str, close: &str) -> Vec<u8> {
    format!("{}1{}", open.repeat(2000), close.repeat(2000)).into_bytes()
}

#[tokio::test]
async fn what_is_no_cursor_is_refused_by_every_list() {
    let world = World::start().await;
    let lists = lists(&world, &world.player().await).await;
    for list in &lists {
        for cursor in ["", "%C3%A4", &"0".repeat(201)] {
            list.caller.get(&list.page(cursor)).await.refused(400);
        }
    }
    assert!(lists.len() > 8, "{}", lists.len());
}

#[rstest]
#[case::none(Vec::new(), 400)]
#[case::not_json(b"hello".to_vec(), 400)]
#[case::cut(b"{\"amount\": 5".to_vec(), 400)]
#[case::two(b"{}{}".to_vec(), 400)]
#[case::a_list(b"[1,2]".to_vec(), 400)]
#[case::null(b"null".to_vec(), 400)]
#[case::number(b"1e999".to_vec(), 400)]
#[case::text(b"\"text\"".to_vec(), 400)]
#[case::not_utf8(b"{\"email\": \"\xff\xfe\"}".to_vec(), 400)]
#[case::half_a_character(b"{\"email\": \"\\ud800\"}".to_vec(), 400)]
#[case::deep_lists(nested("[", "]"), 400)]
#[case::deep_objects(nested("{\"amount\":", "}"), 400)]
#[case::over_64_kilobytes(vec![b' '; 64 * 1024 + 1], 413)]
#[case::seven_megabytes(vec![b'x'; 7 * 1024 * 1024], 413)]
#[tokio::test]
async fn a_body_that_is_no_object(#[case] body: Vec<u8>, #[case] status: u16) {
    let world = World::start().await;
    let calls = calls(&world).await;
    let before = untouched(&world).await;
    for call in calls {
        if body.is_empty() && !call.needs_body {
            continue;
        }
        let answer = call.send(body.clone()).await;
        assert_eq!(answer.status.as_u16(), status, "{}: {}", call.name, answer.body);
    }
    assert_eq!(untouched(&world).await, before);
}

/// No field takes a value of another type, or an amount that is none.
#[tokio::test]
async fn a_field_that_is_something_else() {
    let world = World::start().await;
    let calls = calls(&world).await;
    let before = untouched(&world).await;
    let neither = [json!(null), json!(true), json!([]), json!([1]), json!({}), json!({"a": 1}), json!("")];
    let no_numbers = [json!("50"), json!(-1), json!(0.5), json!(1e300), json!(u64::MAX), json!(i64::MIN)];
    let no_texts = [json!(5), json!("\u{0}"), json!("\u{202e}"), json!("x".repeat(10_000))];
    for call in calls {
        for (name, field) in &call.fields {
            let own = if field.is_number { &no_numbers[..] } else { &no_texts[..] };
            // Null in a field that may be left out leaves it out.
            let values = neither.iter().chain(own).filter(|value| field.required || !value.is_null());
            for value in values {
                let mut body = call.example();
                body.insert(name.clone(), value.clone());
                let answer = call.send(Value::Object(body).to_string().into_bytes()).await;
                let what =
                    format!("{} with {name} {value:.40}: {} {}", call.name, answer.status, answer.body);
                assert!(!answer.status.is_server_error(), "{what}");
                assert!(answer.status.is_client_error() || !field.required, "{what}");
            }
        }
    }
    assert_eq!(untouched(&world).await, before);
}

/// Every field that has to be sent has an example, and is missed.
#[tokio::test]
async fn a_field_that_is_not_there() {
    let world = World::start().await;
    let calls = calls(&world).await;
    let before = untouched(&world).await;
    for call in calls {
        for (name, field) in call.fields.iter().filter(|(_, field)| field.required) {
            assert!(!field.example.is_null(), "{}: {name} has no example", call.name);
            let mut body = call.example();
            body.remove(name);
            let answer = call.send(Value::Object(body).to_string().into_bytes()).await;
            assert!(answer.status.is_client_error(), "{} without {name}: {}", call.name, answer.status);
        }
    }
    assert_eq!(untouched(&world).await, before);
}

/// M-Pesa's hook keeps whatever comes under a right mac, and believes nothing of it.
#[tokio::test]
async fn a_hook_keeps_what_comes_and_believes_none_of_it() {
    let (world, player) = World::with_player(0).await;
    let id = player.deposit(&player.phone(), 500).await.text(200, "checkoutId");
    let hook = world.hook(&id).await;
    let nobody = world.nobody();
    let send =
        async |body: Vec<u8>| read(nobody.request(Method::POST, &hook).body(body)).await.status.as_u16();
    for body in [
        &b""[..],
        b"hello",
        b"null",
        b"[]",
        b"{\"Body\": 5}",
        b"\xff\xfe",
        b"{\"Body\":{\"stkCallback\":{}}}",
    ] {
        assert_eq!(send(body.to_vec()).await, 200);
    }
    assert_eq!(send(nested("[", "]")).await, 200);
    assert_eq!(send(vec![b'x'; 64 * 1024 + 1]).await, 413);
    world.advance(0).await;
    assert_eq!(player.wallet().await, 0);
    world.ledger().await;
}

#[tokio::test]
async fn whatever_the_sender_calls_json_is_read_and_unknown_fields_are_ignored() {
    let (_world, player) = World::with_player(100).await;
    let body = json!({"mpesaNumber": "0712345678", "amount": 60, "role": "admin", "balance": 1_000_000});
    let request = player.request(Method::POST, "/api/withdraw").bearer_auth(player.token.as_ref().unwrap());
    let request = request.header(header::CONTENT_TYPE, "text/plain").body(body.to_string());
    read(request).await.expect(201);
    assert_eq!(player.wallet().await, 40);
    assert_eq!(player.user().await["role"], "player");
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
#[case("/api/points/700001?gameweek=39")]
#[case("/api/points/700001?gameweek=x")]
#[tokio::test]
async fn queries_that_are_not_in_order(#[case] path: &str) {
    let world = World::start().await;
    world.player().await.get(path).await.refused(400);
}

/// What a call says in every refusal, it says of a query too.
#[tokio::test]
async fn a_query_that_is_not_in_order_is_refused_in_the_calls_own_shape() {
    let world = World::start().await;
    for path in ["/api/pay/status", "/api/deposits/status"] {
        let refused = world.nobody().get(&format!("{path}?checkoutId=a&checkoutId=b")).await.expect(400);
        assert_has(&refused, json!({"success": false, "message": "The request is not valid."}));
    }
}

#[tokio::test]
async fn a_failure_inside_answers_a_fixed_sentence() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"dynamodb": {"throttle": 1.0}})).await;
    let answer = player.get("/api/user").await;
    assert!(answer.headers.contains_key(header::RETRY_AFTER));
    let message = answer.refused(503);
    assert_eq!(message, "Something went wrong on our side. Nothing was lost. Please try again.");
}
