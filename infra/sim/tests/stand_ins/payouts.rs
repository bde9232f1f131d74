//! Payouts, the paybill, transaction status and balance, as the shop and people meet them.

use axum::http::{Method, StatusCode};
use clients::daraja::Certificate;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Answer, B2C_SHORTCODE, SHORTCODE, Shop, World};

const PHONE: &str = "254712345678";
const NOWHERE: &str = "https://shop.example/hooks/b2c/1/a";

fn sealed(password: &str) -> String {
    Certificate::parse(&sim::certificate()).unwrap().encrypt(password).unwrap()
}

fn code(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.body["errorCode"].as_str().unwrap_or(""))
}

fn payout(id: &str, amount: i64, url: &str) -> Value {
    json!({"OriginatorConversationID": id, "InitiatorName": "payer",
        "SecurityCredential": sealed("its password"), "CommandID": "BusinessPayment",
        "Amount": amount.to_string(), "PartyA": B2C_SHORTCODE, "PartyB": PHONE, "Remarks": "Withdrawal",
        "QueueTimeOutURL": url, "ResultURL": url, "Occassion": ""})
}

async fn order(world: &World, path: &str, body: &Value) -> Answer {
    let token = world.sign_in().await;
    world.daraja(path, &token, body).await
}

async fn pay_out(world: &World, body: &Value) -> Answer {
    order(world, "/mpesa/b2c/v3/paymentrequest", body).await
}

/// Somebody pays the paybill, so that there is something to pay out.
async fn fill(world: &World, amount: i64) -> String {
    let body = json!({"phone": "0700000009", "amount": amount, "accountReference": "FPL Leagues"});
    let answer = world.api(Method::POST, "/paybill", body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body["receipt"].as_str().unwrap().to_owned()
}

async fn float(world: &World) -> i64 {
    world.api(Method::GET, "/float", Value::Null).await.body["balance"].as_i64().unwrap()
}

async fn status(world: &World, by: (&str, &str), url: &str) -> Answer {
    let mut body = json!({"Initiator": "asker", "SecurityCredential": sealed("another password"),
        "CommandID": "TransactionStatusQuery", "TransactionID": "", "PartyA": SHORTCODE,
        "IdentifierType": "4", "ResultURL": url, "QueueTimeOutURL": url, "Remarks": "OK", "Occasion": "OK"});
    body[by.0] = json!(by.1);
    order(world, "/mpesa/transactionstatus/v1/query", &body).await
}

/// The one result that was posted since the last look.
async fn posted(world: &World, shop: &Shop) -> Value {
    world.run().await;
    let [body] = shop.taken().try_into().unwrap();
    body["Result"].clone()
}

fn value<'a>(result: &'a Value, key: &str) -> &'a Value {
    let many = result["ResultParameters"]["ResultParameter"].as_array().unwrap();
    &many.iter().find(|one| one["Key"] == key).unwrap_or_else(|| panic!("no {key}"))["Value"]
}

#[tokio::test]
async fn a_payout_moves_the_float_and_its_result_names_the_recipient() {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 500).await;
    let answer = pay_out(&world, &payout("0a", 60, &shop.url)).await;
    assert_eq!((answer.status, &answer.body["ResponseCode"]), (StatusCode::OK, &json!("0")));
    let result = posted(&world, &shop).await;
    assert_eq!(result["ResultCode"], 0);
    assert_eq!(result["OriginatorConversationID"], "0a");
    assert_eq!(result["ConversationID"], answer.body["ConversationID"]);
    assert_eq!((value(&result, "TransactionAmount"), float(&world).await), (&json!(60), 440));
    assert!(value(&result, "ReceiverPartyPublicName").as_str().unwrap().starts_with("254712345678 - "));

    let listed = world.api(Method::GET, "/payouts?phone=0712345678", Value::Null).await.body;
    assert_eq!(listed[0]["conversationId"], answer.body["ConversationID"]);
    assert_eq!((&listed[0]["status"], &listed[0]["amount"]), (&json!("completed"), &json!(60)));
    assert_eq!(&listed[0]["receipt"], value(&result, "TransactionReceipt"));
    let others = world.api(Method::GET, "/payouts?phone=0700000001", Value::Null).await.body;
    assert_eq!(others, json!([]));
    assert_eq!(code(&pay_out(&world, &payout("0a", 60, &shop.url)).await), (500, "500.002.1001"));
    assert_eq!(float(&world).await, 440);
}

#[rstest]
#[case("OriginatorConversationID", json!(" "))]
#[case("CommandID", json!("Refund"))]
#[case("Amount", json!("9"))]
#[case("Amount", json!("10.5"))]
#[case("Amount", json!("250001"))]
#[case("PartyA", json!("600000"))]
#[case("PartyB", json!("0712345678"))]
#[case("Remarks", json!("W"))]
#[case("ResultURL", json!("https://shop.example/mpesa"))]
#[case("QueueTimeOutURL", json!("http://shop.example/"))]
#[case("SecurityCredential", json!("bm90IHNlYWxlZA=="))]
#[case("SecurityCredential", json!("?"))]
#[tokio::test]
async fn a_payout_that_is_not_in_order_is_refused(#[case] field: &str, #[case] sent: Value) {
    let world = World::new();
    fill(&world, 500).await;
    let mut body = payout("0a", 60, NOWHERE);
    body[field] = sent;
    let refused = pay_out(&world, &body).await;
    assert_eq!(code(&refused), (400, "400.002.02"));
    assert_eq!(refused.body["errorMessage"], format!("Bad Request - Invalid {field}"));
    assert_eq!(world.api(Method::GET, "/payouts", Value::Null).await.body, json!([]));
}

#[tokio::test]
async fn an_operator_that_is_another_and_a_float_that_is_too_low_are_told_by_the_result() {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 59).await;
    for (id, field, sent, result) in [
        ("0a", "Remarks", json!("Withdrawal"), 1),
        ("0b", "InitiatorName", json!("asker"), 2001),
        ("0c", "SecurityCredential", json!(sealed("guessed")), 2001),
    ] {
        let mut body = payout(id, 60, &shop.url);
        body[field] = sent;
        assert_eq!(pay_out(&world, &body).await.status, StatusCode::OK);
        let told = posted(&world, &shop).await;
        assert_eq!((&told["ResultCode"], told.get("ResultParameters")), (&json!(result), None));
    }
    assert_eq!(float(&world).await, 59);
}

#[tokio::test]
async fn a_payout_ends_as_it_is_told_to() {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 1000).await;
    world.fault(json!({"payouts": "failed"})).await;
    pay_out(&world, &payout("0a", 60, &shop.url)).await;
    assert_eq!(posted(&world, &shop).await["ResultCode"], 2040);

    world.fault(json!({"payouts": "silent"})).await;
    pay_out(&world, &payout("0b", 60, &shop.url)).await;
    assert_eq!((world.run().await, float(&world).await), (0, 940));

    world.fault(json!({"payouts": "timed_out"})).await;
    let open = pay_out(&world, &payout("0c", 60, &shop.url)).await.body["ConversationID"].clone();
    assert_eq!(posted(&world, &shop).await["OriginatorConversationID"], "0c");
    let path = format!("/payouts/{}", open.as_str().unwrap());
    let answer = world.api(Method::POST, &path, json!({"outcome": "completed", "result": "late"})).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    assert_eq!((world.run().await, float(&world).await), (0, 880));
    world.advance(300);
    assert_eq!(posted(&world, &shop).await["TransactionID"], answer.body["receipt"]);
    let again = world.api(Method::POST, &path, json!({"outcome": "failed"})).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}

#[rstest]
#[case("single", json!({"outcome": "completed", "shape": "single"}))]
#[case("text", json!({"outcome": "failed", "shape": "text"}))]
#[case("twice", json!({"outcome": "completed", "result": "duplicate"}))]
#[tokio::test]
async fn a_result_has_the_shapes_that_are_seen(#[case] shape: &str, #[case] decision: Value) {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 1000).await;
    world.fault(json!({"payouts": "unknown"})).await;
    let open = pay_out(&world, &payout("0a", 60, &shop.url)).await.body["ConversationID"].clone();
    assert_eq!(world.run().await, 0);
    let path = format!("/payouts/{}", open.as_str().unwrap());
    world.api(Method::POST, &path, decision).await;
    world.run().await;
    let bodies = shop.taken();
    match shape {
        "single" => {
            let parameter = &bodies[0]["Result"]["ResultParameters"]["ResultParameter"];
            assert_eq!(parameter["Key"], "TransactionReceipt");
        }
        "text" => assert_eq!(bodies[0]["Result"]["ResultCode"], "2040"),
        _ => assert_eq!((bodies.len(), &bodies[0]), (2, &bodies[1])),
    }
}

#[tokio::test]
async fn the_paybill_confirms_where_it_was_told_to() {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 100).await;
    assert_eq!(world.run().await, 0, "nobody has registered an address");
    let register = json!({"ShortCode": SHORTCODE, "ResponseType": "Completed", "ConfirmationURL": shop.url,
        "ValidationURL": shop.url});
    let answer = order(&world, "/mpesa/c2b/v2/registerurl", &register).await;
    assert_eq!((answer.status, &answer.body["ResponseCode"]), (StatusCode::OK, &json!("0")));

    let receipt = fill(&world, 250).await;
    assert_eq!(world.run().await, 1);
    let [body] = shop.taken().try_into().unwrap();
    assert_eq!(body["TransID"], receipt.as_str());
    assert_eq!((&body["TransAmount"], &body["BusinessShortCode"]), (&json!("250.00"), &json!(SHORTCODE)));
    assert_eq!((&body["MSISDN"], &body["BillRefNumber"]), (&json!("2547 ***** 009"), &json!("FPL Leagues")));
    assert_eq!((&body["TransTime"], float(&world).await), (&json!("20260820120000"), 350));

    let lost = json!({"phone": "0700000009", "amount": 50, "accountReference": "x", "confirm": false});
    assert_eq!(world.api(Method::POST, "/paybill", lost).await.status, StatusCode::OK);
    assert_eq!((world.run().await, float(&world).await), (0, 400));
    let sandbox = json!({"ShortCode": SHORTCODE, "CommandID": "CustomerPayBillOnline", "Amount": 5,
        "Msisdn": PHONE, "BillRefNumber": "x"});
    assert_eq!(order(&world, "/mpesa/c2b/v2/simulate", &sandbox).await.status, StatusCode::OK);
    assert_eq!((world.run().await, float(&world).await), (1, 405));
    for bad in [json!({"phone": "12", "amount": 5}), json!({"phone": "0700000009", "amount": 0})] {
        assert_eq!(world.api(Method::POST, "/paybill", bad).await.status, StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn a_status_tells_what_became_of_any_transaction() {
    let (world, shop) = (World::new(), Shop::open().await);
    let receipt = fill(&world, 500).await;
    let answer = status(&world, ("TransactionID", &receipt), &shop.url).await;
    assert_eq!(answer.body["ResponseCode"], "0");
    let result = posted(&world, &shop).await;
    assert_eq!(result["ConversationID"], answer.body["ConversationID"]);
    assert_eq!(value(&result, "TransactionStatus"), "Completed");
    assert_eq!((value(&result, "Amount"), value(&result, "ReceiptNo")), (&json!("500"), &json!(receipt)));
    assert!(value(&result, "DebitPartyName").as_str().unwrap().starts_with("254700000009 - "));
    assert_eq!(value(&result, "CreditPartyName"), "174379 - FPL Leagues");

    let prompt = world.pushed(PHONE, 70, &shop.url).await;
    let paid = world.answer(&prompt, json!({"outcome": "success", "callback": "never"})).await;
    status(&world, ("TransactionID", paid.body["receipt"].as_str().unwrap()), &shop.url).await;
    assert_eq!(value(&posted(&world, &shop).await, "Amount"), "70");

    world.fault(json!({"payouts": "unknown"})).await;
    let open = pay_out(&world, &payout("0a", 60, &shop.url)).await.body["ConversationID"].clone();
    for name in ["OriginatorConversationID", "OriginalConversationID"] {
        status(&world, (name, "0a"), &shop.url).await;
        let result = posted(&world, &shop).await;
        assert_eq!(value(&result, "TransactionStatus"), "Pending");
        assert_eq!(value(&result, "ConversationID"), &open);
    }
    let path = format!("/payouts/{}", open.as_str().unwrap());
    world.api(Method::POST, &path, json!({"outcome": "failed", "result": "never"})).await;
    status(&world, ("OriginatorConversationID", "0a"), &shop.url).await;
    assert_eq!(value(&posted(&world, &shop).await, "TransactionStatus"), "Failed");

    status(&world, ("TransactionID", "UHK0000000"), &shop.url).await;
    assert_eq!(posted(&world, &shop).await["ResultCode"], "R000002");
    world.fault(json!({"daraja": "pending"})).await;
    status(&world, ("TransactionID", &receipt), &shop.url).await;
    assert_eq!(world.run().await, 0);
}

#[tokio::test]
async fn the_balance_is_the_float() {
    let (world, shop) = (World::new(), Shop::open().await);
    fill(&world, 500).await;
    let mut body = json!({"Initiator": "asker", "SecurityCredential": sealed("another password"),
        "CommandID": "AccountBalance", "PartyA": B2C_SHORTCODE, "IdentifierType": "4", "Remarks": "OK",
        "QueueTimeOutURL": shop.url, "ResultURL": shop.url});
    let path = "/mpesa/accountbalance/v1/query";
    assert_eq!(order(&world, path, &body).await.status, StatusCode::OK);
    let result = posted(&world, &shop).await;
    let text = value(&result, "AccountBalance").as_str().unwrap();
    assert!(text.starts_with("Working Account|KES|500.00|500.00|0.00|0.00&"), "{text}");

    // Who may pay out may not ask.
    body["Initiator"] = json!("payer");
    body["IdentifierType"] = json!(4);
    order(&world, path, &body).await;
    assert_eq!(posted(&world, &shop).await["ResultCode"], 2001);
    body["PartyA"] = json!("600000");
    assert_eq!(code(&order(&world, path, &body).await), (400, "400.002.02"));
}

#[tokio::test]
async fn the_certificate_is_published() {
    let world = World::new();
    let token = world.sign_in().await;
    let request = axum::http::Request::builder()
        .uri("/sim/daraja/certificate")
        .header("authorization", format!("Bearer {token}"))
        .body(axum::body::Body::empty());
    let answer = world.send(request.unwrap()).await;
    assert_eq!(answer.body.as_str().unwrap(), sim::certificate());
}

fn reversal(receipt: &str, amount: i64, url: &str) -> Value {
    json!({"Initiator": "asker", "SecurityCredential": sealed("another password"),
        "CommandID": "TransactionReversal", "TransactionID": receipt, "Amount": amount,
        "ReceiverParty": SHORTCODE, "RecieverIdentifierType": 11, "ResultURL": url, "QueueTimeOutURL": url,
        "Remarks": "Paid twice", "Occasion": ""})
}

async fn reverse(world: &World, body: &Value) -> Answer {
    order(world, "/mpesa/reversal/v1/request", body).await
}

/// A part of it, a receipt that is nobody's, the whole, and the whole again.
#[tokio::test]
async fn a_payment_is_reversed_once_and_whole() {
    let (world, shop) = (World::new(), Shop::open().await);
    let receipt = fill(&world, 500).await;
    for (of, amount, result_code, left) in [
        (receipt.as_str(), 499, json!("R000002"), 500),
        ("UHK0000000", 500, json!("R000002"), 500),
        (&receipt, 500, json!(0), 0),
        (&receipt, 500, json!("R000001"), 0),
    ] {
        let answer = reverse(&world, &reversal(of, amount, &shop.url)).await;
        assert_eq!(answer.body["ResponseCode"], "0", "{}", answer.body);
        let result = posted(&world, &shop).await;
        assert_eq!((&result["ResultCode"], float(&world).await), (&result_code, left), "{of} {amount}");
    }
    assert_eq!(status(&world, ("TransactionID", &receipt), &shop.url).await.status, StatusCode::OK);
    assert_eq!(value(&posted(&world, &shop).await, "TransactionStatus"), "Reversed");
}

#[rstest]
#[case("CommandID", json!("TransactionStatusQuery"))]
#[case("TransactionID", json!(""))]
#[case("Amount", json!(0))]
#[case("ReceiverParty", json!(B2C_SHORTCODE))]
#[case("RecieverIdentifierType", json!("4"))]
#[tokio::test]
async fn a_reversal_that_is_not_in_order_is_refused(#[case] field: &str, #[case] sent: Value) {
    let world = World::new();
    let receipt = fill(&world, 500).await;
    let mut body = reversal(&receipt, 500, NOWHERE);
    body[field] = sent;
    let answer = reverse(&world, &body).await;
    assert_eq!(code(&answer), (400, "400.002.02"), "{}", answer.body);
    assert_eq!(float(&world).await, 500);
}
