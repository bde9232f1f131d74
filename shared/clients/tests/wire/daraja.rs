use clients::{
    DarajaCredentials, DarajaError,
    daraja::{Passkey, QueryAnswer, StkPush},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::server::{IMPATIENT, PATIENT, Reply, Server, daraja, dropping, error, nobody, redirect, reply};

const CHECKOUT: &str = "ws_CO_20082026120005123708374149";

fn credentials() -> DarajaCredentials {
    DarajaCredentials { consumer_key: "key".into(), consumer_secret: "secret".into() }
}

fn passkey() -> Passkey {
    Passkey("passkey".into())
}

fn a_push() -> StkPush {
    StkPush {
        phone: "254708374149".into(),
        amount: 50,
        account_reference: "GW3".into(),
        description: "Entry".into(),
        callback_url: "http://localhost:4000/hooks/stk/0a/1b".into(),
    }
}

fn noon() -> Timestamp {
    "2026-08-20T09:00:05Z".parse().expect("an instant")
}

fn accepted() -> Reply {
    let body = json!({
        "MerchantRequestID": "2654-4b64", "CheckoutRequestID": CHECKOUT, "ResponseCode": "0",
        "ResponseDescription": "Success. Request accepted for processing",
        "CustomerMessage": "Success. Request accepted for processing",
    });
    reply(200, &body.to_string())
}

fn spike() -> Reply {
    error(500, "500.003.02", "Error Occurred: Spike Arrest Violation")
}

async fn push_to(base: String) -> Result<clients::daraja::PushAccepted, DarajaError> {
    daraja(base, PATIENT).push("token", &passkey(), &a_push(), noon()).await
}

#[tokio::test]
async fn signing_in_sends_key_and_secret() {
    let (server, base) = Server::start([reply(200, r#"{"access_token":"c9SQ","expires_in":"3599"}"#)]).await;
    let token = daraja(base, PATIENT).sign_in(&credentials()).await;
    let token = token.expect("signed in");
    assert_eq!((token.token.as_str(), token.expires_in_seconds), ("c9SQ", 3599));
    let asked = server.asked();
    assert_eq!(asked[0].method, "GET");
    assert_eq!(asked[0].target, "/oauth/v1/generate?grant_type=client_credentials");
    // key:secret in base64.
    assert_eq!(asked[0].headers["authorization"], "Basic a2V5OnNlY3JldA==");
}

#[tokio::test]
async fn a_push_is_as_the_documents_have_it() {
    let (server, base) = Server::start([accepted()]).await;
    let answer = push_to(base).await.expect("accepted");
    assert_eq!(answer.checkout_request_id, CHECKOUT);
    let asked = server.asked();
    assert_eq!(asked[0].method, "POST");
    assert_eq!(asked[0].target, "/mpesa/stkpush/v1/processrequest");
    assert_eq!(asked[0].headers["authorization"], "Bearer token");
    assert_eq!(asked[0].headers["content-type"], "application/json");
    let body: Value = serde_json::from_slice(&asked[0].body).expect("JSON");
    assert_eq!(
        body,
        json!({
            "BusinessShortCode": "174379",
            // 174379 + passkey + the timestamp below, in base64.
            "Password": "MTc0Mzc5cGFzc2tleTIwMjYwODIwMTIwMDA1",
            "Timestamp": "20260820120005",
            "TransactionType": "CustomerPayBillOnline",
            "Amount": 50,
            "PartyA": 254_708_374_149_u64,
            "PartyB": 174_379,
            "PhoneNumber": 254_708_374_149_u64,
            "CallBackURL": "http://localhost:4000/hooks/stk/0a/1b",
            "AccountReference": "GW3",
            "TransactionDesc": "Entry",
        })
    );
}

#[tokio::test]
async fn a_query_is_as_the_documents_have_it() {
    let body = json!({
        "ResponseCode": "0", "ResponseDescription": "accepted", "MerchantRequestID": "2654-4b64",
        "CheckoutRequestID": CHECKOUT, "ResultCode": "0", "ResultDesc": "processed",
    });
    let (server, base) = Server::start([reply(200, &body.to_string())]).await;
    let answer = daraja(base, PATIENT).query("token", &passkey(), CHECKOUT, noon()).await;
    assert_eq!(answer, Ok(QueryAnswer::Paid));
    let asked = server.asked();
    assert_eq!(asked[0].target, "/mpesa/stkpushquery/v1/query");
    let body: Value = serde_json::from_slice(&asked[0].body).expect("JSON");
    assert_eq!(
        body,
        json!({
            "BusinessShortCode": "174379",
            "Password": "MTc0Mzc5cGFzc2tleTIwMjYwODIwMTIwMDA1",
            "Timestamp": "20260820120005",
            "CheckoutRequestID": CHECKOUT,
        })
    );
}

#[tokio::test]
async fn a_query_that_is_pending_is_asked_once() {
    let pending = error(500, "500.001.1001", "The transaction is being processed");
    let (server, base) = Server::start([pending]).await;
    let answer = daraja(base, PATIENT).query("token", &passkey(), CHECKOUT, noon()).await;
    assert_eq!(answer, Ok(QueryAnswer::Pending));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn busy_is_tried_again() {
    let quota = error(500, "500.003.03", "Quota Violation");
    let (server, base) = Server::start([spike(), quota, accepted()]).await;
    assert!(push_to(base).await.is_ok());
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].body, asked[2].body);
}

#[tokio::test]
async fn busy_to_the_end_is_said_and_nothing_was_sent() {
    let (server, base) = Server::start([spike(), spike(), spike()]).await;
    let error = push_to(base).await.expect_err("busy");
    assert_eq!(error, DarajaError::Busy);
    assert!(error.definitely_not_sent());
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn nothing_else_is_tried_again() {
    let locked = "Unable to lock subscriber, a transaction is already in process";
    let script = [
        error(404, "404.001.03", "Invalid Access Token"),
        error(500, "500.001.1001", locked),
        error(500, "500.003.1001", "Internal Server Error"),
        error(400, "400.002.02", "Bad Request - Invalid Amount"),
        reply(503, "<html>Service unavailable</html>"),
        reply(200, r#"{"MerchantRequestID":"2654-4b64","Checkout"#),
    ];
    let (server, base) = Server::start(script).await;
    let daraja = daraja(base, PATIENT);
    for count in 1..=6 {
        let answer = daraja.push("token", &passkey(), &a_push(), noon()).await;
        assert!(answer.is_err());
        assert_eq!(server.asked().len(), count);
    }
}

#[tokio::test]
async fn an_invalid_push_makes_no_request() {
    let (server, base) = Server::start([]).await;
    let push = StkPush { amount: 0, ..a_push() };
    let answer = daraja(base, PATIENT).push("token", &passkey(), &push, noon()).await;
    assert!(matches!(answer, Err(DarajaError::Invalid(_))));
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn no_connection_means_that_nothing_was_sent() {
    let (_held, base) = nobody();
    let error = push_to(base).await.expect_err("nobody there");
    assert!(matches!(error, DarajaError::Unreachable { .. }), "{error:?}");
    assert!(error.definitely_not_sent());
}

#[tokio::test]
async fn a_failed_tls_handshake_means_that_nothing_was_sent() {
    let (server, base) = Server::start([accepted()]).await;
    let base = base.replace("http:", "https:");
    let error = push_to(base).await.expect_err("no TLS there");
    assert!(matches!(error, DarajaError::Unreachable { .. }), "{error:?}");
    assert!(error.definitely_not_sent());
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_connection_that_breaks_leaves_the_outcome_open() {
    let error = push_to(dropping().await).await.expect_err("dropped");
    assert!(matches!(error, DarajaError::Interrupted { .. }), "{error:?}");
    assert!(!error.definitely_not_sent());
}

#[tokio::test]
async fn no_answer_in_time_leaves_the_outcome_open() {
    let (_server, base) = Server::start([Reply::Never]).await;
    let answer = daraja(base, IMPATIENT).push("token", &passkey(), &a_push(), noon()).await;
    assert_eq!(answer, Err(DarajaError::TimedOut));
    assert!(!DarajaError::TimedOut.definitely_not_sent());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (elsewhere, there) = Server::start([accepted()]).await;
    let (_server, base) = Server::start([redirect(&there)]).await;
    let error = push_to(base).await.expect_err("no answer of Daraja's");
    assert!(!error.definitely_not_sent());
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let (_server, base) = Server::start([reply(200, &"x".repeat(2 * 1024 * 1024))]).await;
    let error = push_to(base).await.expect_err("too large");
    assert!(matches!(error, DarajaError::Malformed { .. }), "{error:?}");
}
