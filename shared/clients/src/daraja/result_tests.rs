use rstest::rstest;
use serde_json::{Value, json};

use super::*;
use crate::daraja::TransactionState;

/// The documented body of a payout that was made.
fn paid() -> Value {
    json!({"Result": {"ResultType": 0, "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "OriginatorConversationID": "0a", "ConversationID": "AG_20240706_20106e9209f64bebd05b",
        "TransactionID": "SG632NMUAB",
        "ResultParameters": {"ResultParameter": [
            {"Key": "TransactionAmount", "Value": 10},
            {"Key": "TransactionReceipt", "Value": "SG632NMUAB"},
            {"Key": "ReceiverPartyPublicName", "Value": "254705912645 - NICHOLAS JOHN SONGOK"},
            {"Key": "TransactionCompletedDateTime", "Value": "06.07.2024 22:48:52"},
            {"Key": "B2CUtilityAccountAvailableFunds", "Value": 8_959_269.60},
            {"Key": "B2CRecipientIsRegisteredCustomer", "Value": "Y"}]},
        "ReferenceData": {"ReferenceItem": {"Key": "QueueTimeoutURL", "Value": "https://x.test"}}}})
}

fn status(word: &str) -> Value {
    json!({"Result": {"ResultType": 0, "ResultCode": "0", "ResultDesc": "Processed.",
        "OriginatorConversationID": "q", "ConversationID": "AG_q", "TransactionID": "SAN0000000",
        "ResultParameters": {"ResultParameter": [
            {"Key": "DebitPartyName", "Value": "254712345678 - JANE DOE"},
            {"Key": "CreditPartyName", "Value": "174379 - FPL Leagues"},
            {"Key": "InitiatedTime", "Value": "20180223054112"},
            {"Key": "TransactionReason"},
            {"Key": "TransactionStatus", "Value": word},
            {"Key": "FinalisedTime", "Value": "20180223054112"},
            {"Key": "Amount", "Value": "300"},
            {"Key": "ReceiptNo", "Value": "MBN31H462N"}]}}})
}

fn read(body: &Value) -> LateResult {
    parse_result(body.to_string().as_bytes()).expect("a result")
}

#[test]
fn a_payout_that_was_made_tells_receipt_amount_and_name() {
    let result = read(&paid());
    assert_eq!(result.originator_conversation_id, "0a");
    assert_eq!(result.conversation_id, "AG_20240706_20106e9209f64bebd05b");
    let PayoutOutcome::Paid { amount, receipt, recipient } = result.payout() else { panic!("{result:?}") };
    assert_eq!(amount, Some(CallbackAmount::Whole(10)));
    assert_eq!(receipt.as_deref(), Some("SG632NMUAB"));
    assert_eq!(recipient.name.as_deref(), Some("NICHOLAS JOHN SONGOK"));
    assert!(!format!("{result:?}").contains("NICHOLAS"));
}

#[rstest]
#[case::one_object(json!({"ResultParameter": {"Key": "TransactionReceipt", "Value": "SG632NMUAB"}}), Some("SG632NMUAB"))]
#[case::an_empty_list(json!({"ResultParameter": []}), None)]
#[case::none_inside(json!({}), None)]
#[case::null(Value::Null, None)]
fn parameters_are_a_list_an_object_or_nothing(#[case] parameters: Value, #[case] told: Option<&str>) {
    let mut body = paid();
    body["Result"]["ResultParameters"] = parameters;
    let PayoutOutcome::Paid { receipt, .. } = read(&body).payout() else { panic!("paid") };
    assert_eq!(receipt.as_deref(), told);
}

#[rstest]
#[case(json!(1), PayoutOutcome::Failed(PayoutFailure::FloatTooLow))]
#[case(json!("1"), PayoutOutcome::Failed(PayoutFailure::FloatTooLow))]
#[case(json!(8), PayoutOutcome::Failed(PayoutFailure::Limits))]
#[case(json!(2006), PayoutOutcome::Failed(PayoutFailure::Inactive))]
#[case(json!("2040"), PayoutOutcome::Failed(PayoutFailure::NotRegistered))]
#[case(json!("SFC_IC0003"), PayoutOutcome::Failed(PayoutFailure::BadPhone))]
#[case(json!(2001), PayoutOutcome::Failed(PayoutFailure::Ours))]
#[case(json!("R000002"), PayoutOutcome::Unknown)]
#[case(json!(26), PayoutOutcome::Unknown)]
#[case(json!(-1), PayoutOutcome::Unknown)]
fn only_a_listed_code_is_a_failure(#[case] code: Value, #[case] outcome: PayoutOutcome) {
    let mut body = paid();
    body["Result"]["ResultCode"] = code;
    body["Result"].as_object_mut().expect("an object").remove("ResultParameters");
    assert_eq!(read(&body).payout(), outcome);
}

#[test]
fn a_code_in_text_is_paid_too() {
    let mut body = paid();
    body["Result"]["ResultCode"] = json!("0");
    assert!(matches!(read(&body).payout(), PayoutOutcome::Paid { .. }));
}

#[rstest]
#[case("Completed", TransactionState::Completed)]
#[case("Failed", TransactionState::Failed)]
#[case("Cancelled", TransactionState::Failed)]
#[case("Pending", TransactionState::Open("Pending".into()))]
#[case("Reversed", TransactionState::Reversed)]
fn a_transaction_has_a_state(#[case] word: &str, #[case] state: TransactionState) {
    let found = read(&status(word)).transaction().expect("a transaction");
    assert_eq!(found.state, state);
    assert_eq!(found.receipt.as_deref(), Some("MBN31H462N"));
    assert_eq!(found.amount, Some(CallbackAmount::Whole(300)));
    assert_eq!(found.payer.phone(), Some("254712345678"));
    assert_eq!((found.payee.phone(), found.payee.number.as_deref()), (None, Some("174379")));
    let at = found.finalised_at().expect("a time");
    assert_eq!(at.to_string(), "2018-02-23T02:41:12Z");
}

#[rstest]
#[case(json!("2018022305411"))]
#[case(json!("20181323054112"))]
#[case(json!("2018-02-23"))]
#[case(json!("yesterday"))]
#[case(Value::Null)]
fn a_time_that_is_none_is_not_made_up(#[case] time: Value) {
    let mut body = status("Completed");
    body["Result"]["ResultParameters"]["ResultParameter"][5]["Value"] = time;
    assert_eq!(read(&body).transaction().expect("a transaction").finalised_at(), None);
}

#[test]
fn a_transaction_that_was_not_found_is_none() {
    let mut body = status("Completed");
    body["Result"]["ResultCode"] = json!("R000002");
    assert_eq!(read(&body).transaction(), None);
    assert_eq!(read(&paid()).transaction(), None);
}

#[test]
fn balances_are_read_or_are_an_error() {
    let balance = |text: Value| {
        read(&json!({"Result": {"ResultCode": 0, "ResultParameters": {"ResultParameter":
            [{"Key": "AccountBalance", "Value": text}, {"Key": "BOCompletedTime", "Value": 20_200_109}]}}}))
        .balances()
    };
    let read = balance(json!("Working Account|KES|700000.00|700000.00|0.00|0.00"));
    assert_eq!(read.expect("told").expect("in order")[0].cents, 70_000_000);
    assert!(balance(json!("Working Account")).expect("told").is_err());
    assert_eq!(balance(Value::Null), None);
}

#[rstest]
#[case("")]
#[case("[]")]
#[case(r#"{"Result":{}}"#)]
#[case(r#"{"Result":{"ResultCode":null}}"#)]
#[case(r#"{"Result":{"ResultCode":0,"ResultParameters":{"ResultParameter":"254705912645"}}}"#)]
fn what_is_no_result_is_refused_without_being_quoted(#[case] body: &str) {
    let error = parse_result(body.as_bytes()).expect_err("not a result");
    assert!(!error.to_string().contains("254705912645"), "{error}");
}
