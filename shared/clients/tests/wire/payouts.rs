//! What an initiator orders, and the paybill's addresses: on the wire.

use clients::{
    DarajaError,
    daraja::{Initiator, PaybillUrls, PayoutOrder, ResultUrls, StatusOf},
};
use serde_json::{Value, json};

use crate::server::{PATIENT, Reply, Server, daraja, error, reply};

fn initiator() -> Initiator {
    Initiator { name: "testapi".into(), security_credential: "c2VhbGVk".into() }
}

fn urls() -> ResultUrls {
    ResultUrls {
        result: "https://x.test/hooks/r/0a/1b".into(),
        timeout: "https://x.test/hooks/t/0a/2c".into(),
    }
}

fn payout() -> PayoutOrder {
    PayoutOrder {
        id: "0a".into(),
        shortcode: "600992".into(),
        phone: "254705912645".into(),
        amount: 60,
        remarks: "Withdrawal".into(),
        urls: urls(),
    }
}

fn taken_on() -> Reply {
    let body = json!({"ConversationID": "AG_1", "OriginatorConversationID": "0a", "ResponseCode": "0",
        "ResponseDescription": "Accept the service request successfully."});
    reply(200, &body.to_string())
}

fn asked(server: &Server) -> (String, Value) {
    let asked = server.asked();
    assert_eq!(asked[0].headers["authorization"], "Bearer token");
    (asked[0].target.clone(), serde_json::from_slice(&asked[0].body).expect("JSON"))
}

#[tokio::test]
async fn a_payout_is_as_the_documents_have_it() {
    let (server, base) = Server::start([taken_on()]).await;
    let answer = daraja(base, PATIENT).pay_out("token", &initiator(), &payout()).await.expect("accepted");
    assert_eq!(answer.conversation_id, "AG_1");
    let body = json!({"OriginatorConversationID": "0a", "InitiatorName": "testapi",
        "SecurityCredential": "c2VhbGVk", "CommandID": "BusinessPayment", "Amount": "60", "PartyA": "600992",
        "PartyB": "254705912645", "Remarks": "Withdrawal", "QueueTimeOutURL": "https://x.test/hooks/t/0a/2c",
        "ResultURL": "https://x.test/hooks/r/0a/1b", "Occassion": ""});
    assert_eq!(asked(&server), ("/mpesa/b2c/v3/paymentrequest".into(), body));
}

/// What is known of the money after each refusal.
#[tokio::test]
async fn a_payout_that_is_not_taken_on_says_whether_it_may_have_been() {
    let script = [
        (error(400, "400.002.02", "Bad Request - Invalid Remarks"), true),
        (error(401, "401.002.01", "Error Occurred - Invalid Access Token"), true),
        (error(500, "500.002.1001", "Duplicate OriginatorConversationID."), false),
        (error(500, "500.003.1001", "Internal Server Error"), false),
        (reply(503, "<html>"), false),
        (reply(200, r#"{"ResponseCode":"0"}"#), false),
        (reply(200, r#"{"ResponseCode":"1","ResponseDescription":"Rejected"}"#), true),
    ];
    let (replies, certain): (Vec<_>, Vec<_>) = script.into_iter().unzip();
    let (_server, base) = Server::start(replies).await;
    let daraja = daraja(base, PATIENT);
    for certain in certain {
        let error = daraja.pay_out("token", &initiator(), &payout()).await.expect_err("not accepted");
        assert_eq!(error.definitely_not_sent(), certain, "{error:?}");
    }
}

#[tokio::test]
async fn a_duplicate_is_told_apart() {
    let (_server, base) =
        Server::start([error(500, "500.002.1001", "Duplicate OriginatorConversationID.")]).await;
    let answer = daraja(base, PATIENT).pay_out("token", &initiator(), &payout()).await;
    assert_eq!(answer, Err(DarajaError::Duplicate));
}

#[tokio::test]
async fn a_status_is_asked_by_receipt_or_by_our_id() {
    for (of, receipt, id) in
        [(StatusOf::Receipt("NEF61H8J60"), "NEF61H8J60", None), (StatusOf::Payout("0a"), "", Some("0a"))]
    {
        let (server, base) = Server::start([taken_on()]).await;
        daraja(base, PATIENT)
            .ask_status("token", &initiator(), of, "600782", &urls())
            .await
            .expect("accepted");
        let mut body = json!({"Initiator": "testapi", "SecurityCredential": "c2VhbGVk",
            "CommandID": "TransactionStatusQuery", "TransactionID": receipt, "PartyA": "600782",
            "IdentifierType": "4", "ResultURL": "https://x.test/hooks/r/0a/1b",
            "QueueTimeOutURL": "https://x.test/hooks/t/0a/2c", "Remarks": "OK", "Occasion": "OK"});
        if let Some(id) = id {
            body["OriginatorConversationID"] = json!(id);
            body["OriginalConversationID"] = json!(id);
        }
        assert_eq!(asked(&server), ("/mpesa/transactionstatus/v1/query".into(), body));
    }
}

#[tokio::test]
async fn a_balance_is_asked_for() {
    let (server, base) = Server::start([taken_on()]).await;
    daraja(base, PATIENT).ask_balance("token", &initiator(), "600782", &urls()).await.expect("accepted");
    let body = json!({"Initiator": "testapi", "SecurityCredential": "c2VhbGVk", "CommandID": "AccountBalance",
        "PartyA": "600782", "IdentifierType": "4", "Remarks": "OK",
        "QueueTimeOutURL": "https://x.test/hooks/t/0a/2c", "ResultURL": "https://x.test/hooks/r/0a/1b"});
    assert_eq!(asked(&server), ("/mpesa/accountbalance/v1/query".into(), body));
}

#[tokio::test]
async fn the_paybills_addresses_are_registered() {
    let registered = r#"{"OriginatorCoversationID":"1","ResponseCode":"0","ResponseDescription":"Success"}"#;
    let (server, base) = Server::start([reply(200, registered)]).await;
    let urls = PaybillUrls {
        confirmation: "https://x.test/hooks/c2b/confirm/1b".into(),
        validation: "https://x.test/hooks/c2b/validate/2c".into(),
    };
    daraja(base, PATIENT).register_paybill("token", "600984", &urls).await.expect("registered");
    let body = json!({"ShortCode": "600984", "ResponseType": "Completed",
        "ConfirmationURL": "https://x.test/hooks/c2b/confirm/1b",
        "ValidationURL": "https://x.test/hooks/c2b/validate/2c"});
    assert_eq!(asked(&server), ("/mpesa/c2b/v2/registerurl".into(), body));

    let (server, base) = Server::start([]).await;
    let banned = PaybillUrls { confirmation: "https://x.test/mpesa".into(), ..urls };
    let error =
        daraja(base, PATIENT).register_paybill("token", "600984", &banned).await.expect_err("refused");
    assert!(matches!(error, DarajaError::Invalid(_)));
    assert!(server.asked().is_empty());
}

/// Whatever M-Pesa says to a call, the token that it was made with is in no error of it.
#[tokio::test]
async fn a_refusal_never_shows_the_token() {
    let token = "c9SQxWWhmdVRlyh0zh8gZDTkubVF";
    let said = |text: &str| format!("Error Occurred - {text} - {token}");
    let registered = (401, "401.003.01", said("Invalid Access Token"));
    let script = [registered, (403, "403.001.01", said("No such product")), (500, "500.003.1001", said("x"))];
    let urls = PaybillUrls {
        confirmation: "https://x.test/hooks/c2b/confirm/1b".into(),
        validation: "https://x.test/hooks/c2b/validate/2c".into(),
    };
    for (nth, (status, code, message)) in script.into_iter().enumerate() {
        let (_server, base) = Server::start([error(status, code, &message)]).await;
        let answer = daraja(base, PATIENT).register_paybill(token, "600984", &urls).await;
        let error = answer.expect_err("refused");
        assert_eq!(error == DarajaError::InvalidToken, nth == 0, "{error:?}");
        assert!(!format!("{error} {error:?}").contains(token), "{error:?}");
    }
    // A short one that is no token's is not looked for in what is read.
    let (_server, base) = Server::start([taken_on()]).await;
    assert!(daraja(base, PATIENT).pay_out("A", &initiator(), &payout()).await.is_ok());
}
