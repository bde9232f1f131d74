//! The phones: what a person does with a prompt, what the shop hears of it, what a restart keeps.

use axum::http::{Method, StatusCode};
use rstest::rstest;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::world::{Shop, World};

const PHONE: &str = "254712345678";
const NOWHERE: &str = "https://shop.example/hooks/stk/1/a";

fn callback(body: &Value) -> &Value {
    &body["Body"]["stkCallback"]
}

fn item<'a>(body: &'a Value, name: &str) -> Option<&'a Value> {
    let items = callback(body)["CallbackMetadata"]["Item"].as_array()?;
    items.iter().find(|item| item["Name"] == name)
}

#[tokio::test]
async fn a_paid_prompt_tells_the_shop_once_with_a_receipt() {
    let (world, shop) = (World::new(), Shop::open().await);
    let id = world.pushed(PHONE, 250, &shop.url).await;
    let listed = world.api(Method::GET, "/prompts?phone=0712345678", Value::Null).await;
    let prompt = &listed.body[0];
    assert_eq!(prompt["checkoutRequestId"], id.as_str());
    assert_eq!((&prompt["amount"], &prompt["status"]), (&json!(250), &json!("pending")));
    assert_eq!((&prompt["phone"], &prompt["accountReference"]), (&json!("0712345678"), &json!("FPL7")));

    let answered = world.answer(&id, json!({ "outcome": "success" })).await;
    assert_eq!(answered.status, StatusCode::ACCEPTED);
    let receipt = answered.body["receipt"].as_str().unwrap().to_owned();
    assert!(receipt.starts_with("UHK"), "2026, August, 20: {receipt}");
    assert_eq!(world.sim.next_due().unwrap(), Some(world.now()));
    assert_eq!(world.run().await, 1);

    let [body] = shop.taken().try_into().unwrap();
    assert_eq!(callback(&body)["ResultCode"], 0);
    assert_eq!(callback(&body)["CheckoutRequestID"], id.as_str());
    assert_eq!(item(&body, "Amount").unwrap()["Value"].to_string(), "250.0");
    assert_eq!(item(&body, "MpesaReceiptNumber").unwrap()["Value"], receipt.as_str());
    assert_eq!(item(&body, "Balance").unwrap().get("Value"), None);
    assert_eq!(item(&body, "TransactionDate").unwrap()["Value"], 20_260_820_120_000_u64);
    assert_eq!(item(&body, "PhoneNumber").unwrap()["Value"], 254_712_345_678_u64);

    let query = world.query(&id).await;
    assert_eq!((&query.body["ResultCode"], &query.body["ResponseCode"]), (&json!("0"), &json!("0")));
    let float = world.api(Method::GET, "/float", Value::Null).await;
    assert_eq!(float.body, json!({ "balance": 250 }));
    assert_eq!(world.answer(&id, json!({ "outcome": "cancelled" })).await.status, StatusCode::CONFLICT);
    assert_eq!(world.sim.next_due().unwrap(), None);
}

#[rstest]
#[case("insufficient_funds", 1)]
#[case("cancelled", 1032)]
#[case("wrong_pin", 2001)]
#[case("unreachable", 1037)]
#[tokio::test]
async fn a_prompt_that_is_not_paid_says_why(#[case] outcome: &str, #[case] result: i64) {
    let (world, shop) = (World::new(), Shop::open().await);
    let id = world.pushed(PHONE, 50, &shop.url).await;
    let answered = world.answer(&id, json!({ "outcome": outcome })).await;
    assert_eq!(answered.body, json!({ "receipt": null }));
    world.run().await;
    let [body] = shop.taken().try_into().unwrap();
    assert_eq!(callback(&body)["ResultCode"], result);
    assert_eq!(callback(&body).get("CallbackMetadata"), None);
    assert_eq!(world.query(&id).await.body["ResultCode"], result.to_string().as_str());
    let listed = world.api(Method::GET, "/prompts", Value::Null).await;
    assert_eq!(listed.body[0]["status"], outcome);
}

#[tokio::test]
async fn callbacks_come_as_they_were_asked_for() {
    let (world, shop) = (World::new(), Shop::open().await);
    let paid = |callback: &str| json!({ "outcome": "success", "callback": callback });

    let id = world.pushed("254700000001", 50, &shop.url).await;
    world.answer(&id, paid("duplicate")).await;
    assert_eq!(world.run().await, 2);
    let [one, other] = shop.taken().try_into().unwrap();
    assert_eq!(one, other);

    let id = world.pushed("254700000002", 50, &shop.url).await;
    world.answer(&id, paid("late")).await;
    world.advance(299);
    assert_eq!((world.run().await, shop.taken().len()), (0, 0));
    assert_eq!(world.query(&id).await.body["ResultCode"], "0");
    world.advance(1);
    assert_eq!((world.run().await, shop.taken().len()), (1, 1));

    let id = world.pushed("254700000003", 50, &shop.url).await;
    world.answer(&id, paid("never")).await;
    world.advance(86_400);
    assert_eq!((world.run().await, shop.taken().len()), (0, 0));
    assert_eq!(world.query(&id).await.body["ResultCode"], "0");

    let id = world.pushed("254700000004", 50, &shop.url).await;
    world.answer(&id, json!({ "outcome": "success", "amount": 5000 })).await;
    world.run().await;
    assert_eq!(item(&shop.taken()[0], "Amount").unwrap()["Value"], 5000.0);
    let float = world.api(Method::GET, "/float", Value::Null).await;
    assert_eq!(float.body["balance"], 200);
}

#[tokio::test]
async fn a_callback_that_is_refused_is_dropped() {
    let (world, shop) = (World::new(), Shop::open().await);
    shop.answers(500);
    let id = world.pushed(PHONE, 50, &shop.url).await;
    world.answer(&id, json!({ "outcome": "success" })).await;
    assert_eq!(world.run().await, 1);
    assert_eq!(world.sim.next_due().unwrap(), None);
    assert_eq!(shop.taken().len(), 1);
}

#[tokio::test]
async fn a_prompt_that_nobody_answers_ends_after_a_minute() {
    let (world, shop) = (World::new(), Shop::open().await);
    let id = world.pushed(PHONE, 50, &shop.url).await;
    world.advance(59);
    assert_eq!(world.run().await, 0);
    world.advance(1);
    assert_eq!(world.query(&id).await.body["ResultCode"], "1037", "even before anyone wrote it down");
    assert_eq!(world.answer(&id, json!({ "outcome": "success" })).await.status, StatusCode::CONFLICT);
    assert_eq!(world.run().await, 2, "the end of the prompt and its callback");
    assert_eq!(callback(&shop.taken()[0])["ResultCode"], 1037);
}

#[tokio::test]
async fn a_restart_forgets_nothing() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let shop = Shop::open().await;
    let before = World::on(Connection::open(file.path()).unwrap());
    let token = before.sign_in().await;
    let open = before.pushed("254700000001", 50, &shop.url).await;
    let late = before.pushed("254700000002", 100, &shop.url).await;
    before.answer(&late, json!({ "outcome": "success", "callback": "late" })).await;
    before.fault(json!({ "fpl": "down", "dynamodb": { "throttle": 0.25 } })).await;
    let token = if token == before.sign_in().await { token } else { before.sign_in().await };
    let set = json!({ "teamName": "Kept", "gameweeks": { "1": { "points": 77 } } });
    assert_eq!(before.api(Method::PUT, "/fpl/entries/9", set).await.status, StatusCode::OK);

    let after = World::on(Connection::open(file.path()).unwrap());
    assert_eq!(after.sim.faults(), before.sim.faults());
    after.fault(json!({ "fpl": "none" })).await;
    let body = after.push_body("254700000003", 50, &shop.url);
    let push = after.daraja("/mpesa/stkpush/v1/processrequest", &token, &body).await;
    assert_eq!(push.status, StatusCode::OK, "the token still stands");
    assert_eq!(after.answer(&open, json!({ "outcome": "success" })).await.status, StatusCode::ACCEPTED);
    after.advance(300);
    after.run().await;
    assert_eq!(shop.taken().len(), 3, "paid now, paid before and late, never answered");
    let float = after.api(Method::GET, "/float", Value::Null).await;
    assert_eq!(float.body["balance"], 150);
    after.at("2026-08-25T09:00:00Z");
    let history = after.fpl("/entry/9/history/").await;
    assert_eq!(history.body["current"][0]["points"], 77);
    assert_eq!(after.fpl("/entry/9/").await.body["name"], "Kept");
}

#[rstest]
#[case(json!({ "outcome": "paid" }))]
#[case(json!({ "outcome": "rule_limited" }))]
#[case(json!({ "outcome": "success", "callback": "soon" }))]
#[case(json!({ "outcome": "success", "amount": "all" }))]
#[case(json!({ "outcome": "success", "amout": 5 }))]
#[case(json!({}))]
#[case(json!([]))]
#[tokio::test]
async fn an_answer_that_makes_no_sense_is_refused(#[case] answer: Value) {
    let world = World::new();
    let id = world.pushed(PHONE, 50, NOWHERE).await;
    let refused = world.answer(&id, answer).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.body["message"].is_string());
}

#[tokio::test]
async fn unknown_prompts_and_phones_are_refused() {
    let world = World::new();
    let unknown = world.answer("ws_CO_0", json!({ "outcome": "success" })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.body["message"].is_string());
    let phone = world.api(Method::GET, "/prompts?phone=12", Value::Null).await;
    assert_eq!(phone.status, StatusCode::BAD_REQUEST);
    let method = world.api(Method::DELETE, "/prompts", Value::Null).await;
    assert_eq!(method.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(method.body["message"].is_string());
}
