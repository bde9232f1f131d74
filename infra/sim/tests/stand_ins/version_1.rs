//! Version 1 of payouts and of the paybill, which clients still call (docs/daraja.md, "Other people's readings").

use axum::http::Method;
use clients::daraja::Certificate;
use serde_json::{Value, json};

use crate::world::{B2C_SHORTCODE, SHORTCODE, Shop, World};

async fn order(world: &World, path: &str, body: &Value) -> Value {
    let token = world.sign_in().await;
    let answer = world.daraja(path, &token, body).await;
    assert_eq!(answer.body["ResponseCode"], "0", "{}", answer.body);
    answer.body
}

async fn pay_the_paybill(world: &World, amount: i64) -> Value {
    let body = json!({"phone": "0700000009", "amount": amount, "accountReference": "x"});
    world.api(Method::POST, "/paybill", body).await.body["receipt"].clone()
}

/// The one body that was posted since the last look.
async fn posted(world: &World, shop: &Shop) -> Value {
    world.run().await;
    let [body] = shop.taken().try_into().unwrap();
    body
}

#[tokio::test]
async fn a_payout_has_an_id_of_m_pesas_own() {
    let (world, shop) = (World::new(), Shop::open().await);
    pay_the_paybill(&world, 1000).await;
    let sealed = Certificate::parse(&sim::certificate()).unwrap().encrypt("its password").unwrap();
    let body = json!({"InitiatorName": "payer", "SecurityCredential": sealed, "CommandID": "BusinessPayment",
        "Amount": 200, "PartyA": B2C_SHORTCODE, "PartyB": "254712345678", "Remarks": "Withdrawal",
        "QueueTimeOutURL": shop.url, "ResultURL": shop.url});
    for left in [800, 600] {
        let taken = order(&world, "/mpesa/b2c/v1/paymentrequest", &body).await;
        let result = posted(&world, &shop).await;
        assert_eq!(result["Result"]["OriginatorConversationID"], taken["OriginatorConversationID"]);
        assert_eq!(world.api(Method::GET, "/float", Value::Null).await.body["balance"], left);
    }
}

#[tokio::test]
async fn the_paybill_confirms_where_version_1_told_it_to() {
    let (world, shop) = (World::new(), Shop::open().await);
    let register = json!({"ShortCode": SHORTCODE, "ResponseType": "Completed", "ConfirmationURL": shop.url,
        "ValidationURL": shop.url});
    order(&world, "/mpesa/c2b/v1/registerurl", &register).await;
    let receipt = pay_the_paybill(&world, 250).await;
    assert_eq!(posted(&world, &shop).await["TransID"], receipt);
}
