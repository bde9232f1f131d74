use rstest::rstest;
use serde_json::{Value, json};

use super::*;

fn success(items: Value) -> Vec<u8> {
    json!({"Body": {"stkCallback": {
        "MerchantRequestID": "29115-34620561-1",
        "CheckoutRequestID": "ws_CO_191220191020363925",
        "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": items},
    }}})
    .to_string()
    .into_bytes()
}

fn amount_of(value: Value) -> Option<CallbackAmount> {
    let body = success(json!([{"Name": "Amount", "Value": value}]));
    parse_stk_callback(&body).expect("a callback").amount
}

#[test]
fn a_success_with_numbers_and_a_balance_without_a_value() {
    let body = r#"{"Body":{"stkCallback":{"MerchantRequestID":"29115-34620561-1",
        "CheckoutRequestID":"ws_CO_191220191020363925","ResultCode":0,
        "ResultDesc":"The service request is processed successfully.",
        "CallbackMetadata":{"Item":[{"Name":"Amount","Value":1.00},
        {"Name":"MpesaReceiptNumber","Value":"NLJ7RT61SV"},{"Name":"Balance"},
        {"Name":"TransactionDate","Value":20191219102115},
        {"Name":"PhoneNumber","Value":254708374149}]}}}}"#;
    let callback = parse_stk_callback(body.as_bytes()).expect("the documented body");
    assert_eq!(
        callback,
        StkCallback {
            merchant_request_id: "29115-34620561-1".into(),
            checkout_request_id: "ws_CO_191220191020363925".into(),
            result_code: ResultCode::new("0"),
            result_desc: "The service request is processed successfully.".into(),
            amount: Some(CallbackAmount::Whole(1)),
            receipt: Some("NLJ7RT61SV".into()),
            phone: Some("254708374149".into()),
            transaction_date: Some("20191219102115".into()),
        }
    );
    assert!(!format!("{callback:?}").contains("254708374149"));
}

#[test]
fn a_success_with_text_in_another_order() {
    let body = success(json!([
        {"Name": "PhoneNumber", "Value": "254708374149"},
        {"Name": "TransactionDate", "Value": "20191219102115"},
        {"Name": "Something new", "Value": {"a": 1}},
        {"Name": "MpesaReceiptNumber", "Value": " NLJ7RT61SV "},
        {"Name": "Amount", "Value": "250.00"},
    ]));
    let callback = parse_stk_callback(&body).expect("a callback");
    assert_eq!(callback.amount, Some(CallbackAmount::Whole(250)));
    assert_eq!(callback.receipt.as_deref(), Some("NLJ7RT61SV"));
    assert_eq!(callback.phone.as_deref(), Some("254708374149"));
    assert_eq!(callback.transaction_date.as_deref(), Some("20191219102115"));
}

#[rstest]
#[case(json!(1032), "1032")]
#[case(json!("1037"), "1037")]
#[case(json!("SFC_IC0003"), "SFC_IC0003")]
fn a_failure_has_no_metadata(#[case] code: Value, #[case] text: &str) {
    let body = json!({"Body": {"stkCallback": {
        "MerchantRequestID": "m", "CheckoutRequestID": "ws_CO_1",
        "ResultCode": code, "ResultDesc": "Request cancelled by user.",
    }}});
    let callback = parse_stk_callback(body.to_string().as_bytes()).expect("a callback");
    assert_eq!(callback.result_code.as_str(), text);
    assert_eq!(callback.amount, None);
    assert_eq!(callback.receipt, None);
}

#[rstest]
#[case(json!(50), 50)]
#[case(json!(50.0), 50)]
#[case(json!("50"), 50)]
#[case(json!("50.00"), 50)]
#[case(json!(0), 0)]
#[case(json!(-1), -1)]
fn whole_amounts(#[case] value: Value, #[case] kes: i64) {
    assert_eq!(amount_of(value), Some(CallbackAmount::Whole(kes)));
}

#[rstest]
#[case(json!(50.5), "50.5")]
#[case(json!("50.50"), "50.50")]
#[case(json!("50.000000001"), "50.000000001")]
#[case(json!("+50"), "+50")]
#[case(json!("fifty"), "fifty")]
#[case(json!(""), "")]
#[case(json!("99999999999999999999"), "99999999999999999999")]
#[case(json!(1e300), "1e+300")]
#[case(json!(true), "true")]
#[case(json!([50]), "[50]")]
fn amounts_that_are_not_whole_kes_are_visible(#[case] value: Value, #[case] text: &str) {
    assert_eq!(amount_of(value), Some(CallbackAmount::Other(text.into())));
}

#[test]
fn an_amount_without_a_value_is_none() {
    assert_eq!(amount_of(Value::Null), None);
}

#[test]
fn a_lone_item_is_a_list_of_one() {
    let body = success(json!({"Name": "Amount", "Value": 100}));
    let callback = parse_stk_callback(&body).expect("a callback");
    assert_eq!(callback.amount, Some(CallbackAmount::Whole(100)));
}

#[rstest]
#[case::empty("")]
#[case::cut(r#"{"Body":{"stkCallback":{"MerchantRequestID":"m""#)]
#[case::html("<html></html>")]
#[case::other_envelope(r#"{"Result":{"ResultCode":0}}"#)]
#[case::no_code(r#"{"Body":{"stkCallback":{"MerchantRequestID":"m","CheckoutRequestID":"c"}}}"#)]
#[case::null_code(
    r#"{"Body":{"stkCallback":{"MerchantRequestID":"m","CheckoutRequestID":"c","ResultCode":null}}}"#
)]
#[case::no_id(r#"{"Body":{"stkCallback":{"MerchantRequestID":"m","ResultCode":0}}}"#)]
fn what_is_no_callback_is_refused(#[case] body: &str) {
    assert!(parse_stk_callback(body.as_bytes()).is_err());
}

#[test]
fn a_refusal_does_not_repeat_a_phone_number() {
    let body = r#"{"Body":{"stkCallback":"254708374149"}}"#;
    let error = parse_stk_callback(body.as_bytes()).expect_err("no callback");
    assert!(!error.to_string().contains("254708374149"), "{error}");
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_an_answer_or_an_error(body: Vec<u8>) {
        let _ = parse_stk_callback(&body);
    }

    #[test]
    fn a_whole_amount_is_the_same_as_number_decimal_and_text(kes in -1_000_000i64..1_000_000) {
        #[allow(clippy::cast_precision_loss)]
        let decimal = kes as f64;
        let whole = Some(CallbackAmount::Whole(kes));
        proptest::prop_assert_eq!(&amount_of(json!(kes)), &whole);
        proptest::prop_assert_eq!(&amount_of(json!(decimal)), &whole);
        proptest::prop_assert_eq!(&amount_of(json!(format!("{kes}.00"))), &whole);
    }
}
