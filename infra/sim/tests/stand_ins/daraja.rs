//! M-Pesa as the shop calls it: sign-in, push with every check, query, faults.

use axum::http::{Method, StatusCode};
use base64::{Engine, engine::general_purpose::STANDARD};
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Answer, PASSKEY, SHORTCODE, Shop, World};

const PHONE: &str = "254712345678";
const NOWHERE: &str = "https://shop.example/hooks/stk/1/a";

fn code(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.body["errorCode"].as_str().unwrap_or(""))
}

fn callback(body: &Value) -> &Value {
    &body["Body"]["stkCallback"]
}

#[tokio::test]
async fn signing_in_again_ends_the_token_before() {
    let world = World::new();
    let first = world.sign_in().await;
    let body = world.push_body(PHONE, 50, NOWHERE);
    let second = world.sign_in().await;
    let path = "/mpesa/stkpush/v1/processrequest";
    assert_eq!(code(&world.daraja(path, &first, &body).await), (404, "404.001.03"));
    assert_eq!(world.daraja(path, &second, &body).await.status, StatusCode::OK);

    world.advance(3599);
    let late = world.daraja(path, &second, &world.push_body(PHONE, 50, NOWHERE)).await;
    assert_eq!(code(&late), (404, "404.001.03"));
}

/// Each product has its own words for a token that is not good; that of the paybill repeats the token.
#[rstest]
#[case::stk("/mpesa/stkpush/v1/processrequest", 404, "404.001.03", "Invalid Access Token")]
#[case::stk_query("/mpesa/stkpushquery/v1/query", 404, "404.001.03", "Invalid Access Token")]
#[case::payouts("/mpesa/b2c/v3/paymentrequest", 401, "401.002.01", "Error Occurred - Invalid Access Token")]
#[case::status("/mpesa/transactionstatus/v1/query", 400, "400.003.01", "Invalid Access Token")]
#[case::reversal("/mpesa/reversal/v1/request", 404, "404.001.03", "Invalid Access Token")]
#[case::balance("/mpesa/accountbalance/v1/query", 400, "400.003.01", "Invalid Access Token")]
#[case::paybill(
    "/mpesa/c2b/v2/registerurl",
    401,
    "401.003.01",
    "Error Occurred - Invalid Access Token - old"
)]
#[tokio::test]
async fn an_invalid_token_is_refused_as_each_product_does(
    #[case] path: &str,
    #[case] status: u16,
    #[case] errors_code: &str,
    #[case] message: &str,
) {
    let world = World::new();
    let answer = world.daraja(path, "old", &json!({})).await;
    assert_eq!(code(&answer), (status, errors_code));
    assert_eq!(answer.body["errorMessage"], message);
}

/// No document says how far the time of a request may be from M-Pesa's; who tries the stand-in has the real one.
#[tokio::test]
async fn a_request_may_have_another_clock() {
    let world = World::new();
    let (token, time) = (world.sign_in().await, "20200101120000");
    let mut body = world.push_body(PHONE, 50, NOWHERE);
    body["Timestamp"] = json!(time);
    body["Password"] = json!(STANDARD.encode(format!("{SHORTCODE}{PASSKEY}{time}")));
    let answer = world.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await;
    assert_eq!(answer.body["ResponseCode"], "0", "{}", answer.body);
}

#[tokio::test]
async fn signing_in_is_refused_with_the_documented_codes() {
    let world = World::new();
    let wrong = world.sign_in_as("consumer:wrong", "client_credentials").await;
    assert_eq!(code(&wrong), (400, "400.008.01"));
    let grant = world.sign_in_as("consumer:its-secret", "password").await;
    assert_eq!(code(&grant), (400, "400.008.02"));
    let good = world.sign_in_as("consumer:its-secret", "client_credentials").await;
    assert_eq!(good.body["expires_in"], "3599");
    assert_eq!(good.body["access_token"].as_str().unwrap().len(), 28);
}

#[rstest]
#[case("BusinessShortCode", json!("1743"), "400.002.02")]
#[case("BusinessShortCode", json!("17437912"), "400.002.02")]
#[case("BusinessShortCode", json!(600_000), "500.001.1001")]
#[case("Password", json!("bm90IGl0"), "500.001.1001")]
#[case("Password", Value::Null, "400.002.02")]
#[case("Timestamp", json!("2026-08-20"), "400.002.02")]
#[case("Timestamp", json!("20261318120000"), "400.002.02")]
#[case("TransactionType", json!("CustomerPayBill"), "400.002.02")]
#[case("Amount", json!(0), "400.002.02")]
#[case("Amount", json!(250_001), "400.002.02")]
#[case("Amount", json!(50.5), "400.002.02")]
#[case("Amount", json!("fifty"), "400.002.02")]
#[case("Amount", json!(-50), "400.002.02")]
#[case("PartyA", json!(712_345_678), "400.002.02")]
#[case("PartyB", json!("999999"), "400.002.02")]
#[case("PhoneNumber", json!("254212345678"), "400.002.02")]
#[case("PhoneNumber", json!("25471234567"), "400.002.02")]
#[case("CallBackURL", json!("http://shop.example/hook"), "400.002.02")]
#[case("CallBackURL", json!("https://shop.example/mpesa/hook"), "400.002.02")]
#[case("CallBackURL", json!("https://shop.example/M-PESA"), "400.002.02")]
#[case("CallBackURL", json!("https://shop.example/a?query=1"), "400.002.02")]
#[case("CallBackURL", json!("not an address"), "400.002.02")]
#[case("AccountReference", json!("thirteen chars"), "400.002.02")]
#[case("AccountReference", json!(""), "400.002.02")]
#[case("TransactionDesc", json!("fourteen chars"), "400.002.02")]
#[case("TransactionDesc", Value::Null, "400.002.02")]
#[tokio::test]
async fn a_push_is_checked(#[case] field: &str, #[case] value: Value, #[case] expected: &str) {
    let world = World::new();
    let token = world.sign_in().await;
    let mut body = world.push_body(PHONE, 50, NOWHERE);
    body[field] = value;
    let answer = world.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await;
    assert_eq!(answer.body["errorCode"], expected, "{}", answer.body);
    if expected == "400.002.02" {
        let message = format!("Bad Request - Invalid {field}");
        assert_eq!(answer.body["errorMessage"], message.as_str());
    }
    let listed = world.api(Method::GET, "/prompts", Value::Null).await;
    assert_eq!(listed.body, json!([]));
}

#[rstest]
#[case("Amount", json!("250000"))]
#[case("Amount", json!(1))]
#[case("PhoneNumber", json!("254112345678"))]
#[case("CallBackURL", json!("http://127.0.0.1:4000/hooks/stk/0a/0b"))]
#[case("CallBackURL", json!("http://localhost:4000/hooks/stk/0a/0b"))]
#[case("AccountReference", json!("twelve chars"))]
#[case("TransactionDesc", json!("thirteen char"))]
#[tokio::test]
async fn a_push_is_accepted_at_its_limits(#[case] field: &str, #[case] value: Value) {
    let world = World::new();
    let token = world.sign_in().await;
    let mut body = world.push_body(PHONE, 50, NOWHERE);
    body[field] = value;
    let answer = world.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.body["ResponseCode"], "0");
}

#[tokio::test]
async fn what_is_not_there_is_refused_as_daraja_does() {
    let world = World::new();
    let token = world.sign_in().await;
    let unknown = world.daraja("/mpesa/nothing/v1", &token, &json!({})).await;
    assert_eq!(code(&unknown), (404, "404.001.01"));
    let get = axum::http::Request::get("/sim/daraja/mpesa/stkpush/v1/processrequest");
    let method = world.send(get.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(code(&method), (405, "405.001"));
    let garbage = world.daraja("/mpesa/stkpush/v1/processrequest", &token, &json!([1])).await;
    assert_eq!(code(&garbage), (400, "400.002.02"));
    assert_eq!(code(&world.query("ws_CO_nothing").await), (400, "400.002.02"));
}

#[tokio::test]
async fn a_phone_with_an_open_prompt_is_locked() {
    let world = World::new();
    let id = world.pushed(PHONE, 50, NOWHERE).await;
    let locked = world.push(PHONE, 100, NOWHERE).await;
    assert_eq!(code(&locked), (500, "500.001.1001"));
    assert!(locked.body["errorMessage"].as_str().unwrap().starts_with("Unable to lock subscriber"));
    world.pushed("254712345679", 50, NOWHERE).await;
    world.answer(&id, json!({ "outcome": "cancelled", "callback": "never" })).await;
    world.pushed(PHONE, 100, NOWHERE).await;
}

#[tokio::test]
async fn the_same_amount_again_within_two_minutes_is_rule_limited() {
    let (world, shop) = (World::new(), Shop::open().await);
    let id = world.pushed(PHONE, 50, &shop.url).await;
    world.answer(&id, json!({ "outcome": "success", "callback": "never" })).await;

    world.advance(119);
    let again = world.pushed(PHONE, 50, &shop.url).await;
    assert_eq!(world.run().await, 1);
    let [body] = shop.taken().try_into().unwrap();
    assert_eq!(
        (&callback(&body)["ResultCode"], &callback(&body)["ResultDesc"]),
        (&json!(17), &json!("Rule limited."))
    );
    assert_eq!(world.query(&again).await.body["ResultCode"], "17");

    let other_amount = world.pushed(PHONE, 51, &shop.url).await;
    assert_eq!(
        world.answer(&other_amount, json!({ "outcome": "cancelled", "callback": "never" })).await.status,
        StatusCode::ACCEPTED
    );
    world.advance(1);
    let later = world.pushed(PHONE, 50, &shop.url).await;
    assert_eq!(world.answer(&later, json!({ "outcome": "success" })).await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn pending_has_both_documented_shapes() {
    let world = World::new();
    let one = world.pushed("254700000001", 50, NOWHERE).await;
    let other = world.pushed("254700000002", 50, NOWHERE).await;
    let shapes = [world.query(&one).await, world.query(&other).await];
    assert_eq!(code(&shapes[0]), (500, "500.001.1001"));
    assert_eq!(shapes[0].body["errorMessage"], "The transaction is being processed");
    assert_eq!((shapes[1].status, &shapes[1].body["ResultCode"]), (StatusCode::OK, &json!("4999")));

    world.fault(json!({ "daraja": "pending" })).await;
    world.answer(&other, json!({ "outcome": "success", "callback": "never" })).await;
    assert_eq!(world.query(&other).await.body["ResultCode"], "4999");
    world.fault(json!({ "daraja": "none" })).await;
    assert_eq!(world.query(&other).await.body["ResultCode"], "0");
}

#[tokio::test]
async fn the_faults_of_the_push_are_what_they_are_called() {
    let (world, shop) = (World::new(), Shop::open().await);
    world.fault(json!({ "daraja": "reject" })).await;
    let refusals = [world.push(PHONE, 50, &shop.url).await, world.push(PHONE, 50, &shop.url).await];
    assert_eq!(code(&refusals[0]), (400, "400.002.02"));
    assert_eq!(code(&refusals[1]), (500, "500.001.1001"));

    world.fault(json!({ "daraja": "early" })).await;
    let id = world.pushed(PHONE, 50, &shop.url).await;
    let [body] = shop.taken().try_into().unwrap();
    assert_eq!(callback(&body)["CheckoutRequestID"], id.as_str());
    assert_eq!(callback(&body)["ResultCode"], 0);
    assert_eq!(world.run().await, 0, "it has been sent already");
    assert_eq!(world.query(&id).await.body["ResultCode"], "0");

    world.fault(json!({ "daraja": "down" })).await;
    let down = world.sign_in_as("consumer:its-secret", "client_credentials").await;
    assert_eq!(down.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(down.body.as_str().unwrap().starts_with("<html>"));
}

#[tokio::test(start_paused = true)]
async fn slow_does_what_was_asked_and_answers_late() {
    let world = World::new();
    let token = world.sign_in().await;
    world.fault(json!({ "daraja": "slow" })).await;
    let started = tokio::time::Instant::now();
    let body = world.push_body(PHONE, 50, NOWHERE);
    let answer = world.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await;
    assert_eq!((answer.status, started.elapsed().as_secs()), (StatusCode::OK, 20));
    let listed = world.api(Method::GET, "/prompts", Value::Null).await;
    assert_eq!(listed.body.as_array().unwrap().len(), 1);
}
