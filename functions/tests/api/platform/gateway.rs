//! Requests as API Gateway gives them to functions (an HTTP API's events, format 2.0), each served by its own function
//! alone: what a browser sends and gets has to come through.

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use functions::platform::http::gateway;
use serde_json::{Value, json};

use crate::support::{PASSWORD, World};

/// What the function `name` makes of a request, which `change` has completed.
async fn served(world: &World, name: &str, path: &str, change: impl FnOnce(&mut Value)) -> Value {
    let endpoint = functions::endpoints().into_iter().find(|endpoint| endpoint.name == name).unwrap();
    let mut event = json!({
        "version": "2.0", "routeKey": format!("{} {}", endpoint.method, endpoint.path), "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json", "x-origin-secret": world.origin_secret(),
            "x-viewer-address": "203.0.113.7", "x-forwarded-proto": "https"},
        "requestContext": {
            "accountId": "000000000000", "apiId": "id", "domainName": "id.execute-api.eu-west-1.amazonaws.com",
            "requestId": "id", "stage": "$default", "time": "20/Aug/2026:09:00:00 +0000", "timeEpoch": 0,
            "http": {"method": endpoint.method.as_str(), "path": path, "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1", "userAgent": "a browser"}},
        "isBase64Encoded": false,
    });
    change(&mut event);
    let service = functions::service(vec![endpoint], world.app().clone());
    let answer = gateway::serve(service, serde_json::from_value(event).unwrap()).await.unwrap();
    serde_json::to_value(answer).unwrap()
}

fn body(answer: &Value, status: u16) -> Value {
    assert_eq!(
        (&answer["statusCode"], &answer["isBase64Encoded"]),
        (&json!(status), &json!(false)),
        "{answer}"
    );
    serde_json::from_str(answer["body"].as_str().unwrap()).unwrap()
}

/// The refresh token that an answer sets.
fn cookie(answer: &Value) -> String {
    let [cookie] = &answer["cookies"].as_array().unwrap()[..] else { panic!("one cookie: {answer}") };
    let (pair, rest) = cookie.as_str().unwrap().split_once(';').unwrap();
    assert!(rest.contains("HttpOnly"), "{rest}");
    assert_eq!(answer["headers"].get("set-cookie"), None);
    pair.to_owned()
}

#[tokio::test]
async fn a_session_goes_through_it() {
    let world = World::start().await;
    let player = world.player_with(70).await;
    let form = json!({"email": player.email(), "password": PASSWORD}).to_string();
    let plain = served(&world, "log-in", "/api/login", |event| event["body"] = json!(form)).await;
    let encoded = served(&world, "log-in", "/api/login", |event| {
        event["body"] = json!(BASE64.encode(&form));
        event["isBase64Encoded"] = json!(true);
    });
    let encoded = encoded.await;
    assert_ne!(cookie(&plain), cookie(&encoded), "a session each");
    body(&plain, 200);

    let refreshed = served(&world, "refresh", "/refresh", |event| {
        event["cookies"] = json!(["other=1", cookie(&encoded), "another=2"]);
    });
    let refreshed = refreshed.await;
    assert_ne!(cookie(&refreshed), cookie(&encoded));
    let token = format!("Bearer {}", body(&refreshed, 200)["accessToken"].as_str().unwrap());

    let path = format!("/api/users/{}/wallet", player.id);
    let wallet =
        served(&world, "get-wallet", &path, |event| event["headers"]["authorization"] = json!(token));
    let wallet = wallet.await;
    assert_eq!(body(&wallet, 200)["wallet"], 70);
    assert_eq!(wallet["headers"]["cache-control"], "no-store");
    assert_eq!(body(&served(&world, "get-wallet", &path, |_| ()).await, 401)["success"], Value::Null);

    let gone = served(&world, "log-out", "/logout", |event| event["cookies"] = json!([cookie(&refreshed)]));
    let gone = gone.await;
    assert_eq!((&gone["statusCode"], &gone["body"]), (&json!(204), &json!("")));
    assert!(gone["cookies"][0].as_str().unwrap().contains("Max-Age=0"), "{gone}");
}

#[tokio::test]
async fn what_a_function_does_not_serve_is_refused_by_it() {
    let world = World::start().await;
    let path = "/current-gameweek";
    let current = async |change: fn(&mut Value)| served(&world, "get-current-gameweek", path, change).await;
    let answer = current(|_| ()).await;
    assert!(body(&answer, 200)["currentGameweek"].is_number(), "{answer}");
    let head = current(|event| event["requestContext"]["http"]["method"] = json!("HEAD")).await;
    assert_eq!((&head["statusCode"], &head["body"]), (&json!(200), &json!("")));
    for (at, value, status) in [
        ("/requestContext/http/method", "OPTIONS", 405),
        ("/rawPath", "/current-gameweek/..", 404),
        ("/rawPath", "//current-gameweek", 404),
        ("/headers/x-origin-secret", "a guess", 403),
        ("/headers/x-origin-secret", "line\nbreak", 400),
    ] {
        let changed = served(&world, "get-current-gameweek", path, |event| {
            *event.pointer_mut(at).unwrap() = json!(value);
        });
        assert!(body(&changed.await, status)["message"].is_string(), "{value}");
    }
}
