use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;

fn answer(status: u16, body: &str) -> HttpAnswer {
    HttpAnswer {
        status: StatusCode::from_u16(status).expect("a status"),
        retry_after: None,
        body: body.as_bytes().to_vec(),
    }
}

fn coded(status: u16, code: &str, message: &str) -> HttpAnswer {
    let body = json!({
        "requestId": "11728-2929992-1", "errorCode": code, "errorMessage": message,
    });
    answer(status, &body.to_string())
}

fn queried(code: &str) -> HttpAnswer {
    let body = json!({
        "ResponseCode": "0",
        "ResponseDescription": "The service request has been accepted successfully",
        "MerchantRequestID": "22205-34066-1",
        "CheckoutRequestID": "ws_CO_1",
        "ResultCode": code,
        "ResultDesc": "whatever it says",
    });
    answer(200, &body.to_string())
}

#[rstest]
#[case(r#"{"access_token":"c9SQ","expires_in":"3599"}"#)]
#[case(r#"{"access_token":"c9SQ","expires_in":3599}"#)]
fn a_token_lasts_a_number_of_seconds_however_it_is_written(#[case] body: &str) {
    let token = token(&answer(200, body)).expect("the documented body");
    assert_eq!(token.token, "c9SQ");
    assert_eq!(token.expires_in_seconds, 3599);
}

#[rstest]
#[case(r#"{"access_token":"","expires_in":"3599"}"#)]
#[case(r#"{"access_token":"c9SQ"}"#)]
#[case(r#"{"access_token":"c9SQ","expires_in":"soon"}"#)]
#[case("")]
fn half_a_token_is_none(#[case] body: &str) {
    let error = token(&answer(200, body)).expect_err("not a token");
    assert!(matches!(error, DarajaError::Malformed { .. }), "{error:?}");
}

#[rstest]
#[case(coded(400, "400.008.01", "Invalid Authentication passed"))]
#[case(coded(400, "400.008.02", "Invalid grant type passed"))]
#[case(answer(400, ""))]
#[case(answer(401, ""))]
fn wrong_credentials_are_a_refusal_not_an_invalid_token(#[case] answer: HttpAnswer) {
    let error = token(&answer).expect_err("refused");
    assert!(matches!(error, DarajaError::Refused { .. }), "{error:?}");
}

#[test]
fn a_push_is_accepted() {
    let body = r#"{"MerchantRequestID":"2654-4b64-97ff-b827b542881d3130",
        "CheckoutRequestID":"ws_CO_1007202409152617172396192","ResponseCode":"0",
        "ResponseDescription":"Success. Request accepted for processing",
        "CustomerMessage":"Success. Request accepted for processing"}"#;
    let accepted = push(&answer(200, body)).expect("the documented body");
    assert_eq!(
        accepted,
        PushAccepted {
            merchant_request_id: "2654-4b64-97ff-b827b542881d3130".into(),
            checkout_request_id: "ws_CO_1007202409152617172396192".into(),
        }
    );
}

#[rstest]
#[case::stk(coded(404, "404.001.03", "Invalid Access Token"))]
#[case::b2c(coded(401, "401.002.01", "Error Occurred - Invalid Access Token"))]
#[case::status(coded(400, "400.003.01", "Invalid Access Token"))]
#[case::registering(coded(
    401,
    "401.003.01",
    "Error Occurred - Invalid Access Token - c9SQxWWhmdVRlyh0zh8gZDTkubVF"
))]
#[case::any_401(coded(401, "401.999.99", "No."))]
#[case::a_401_without_a_body(answer(401, ""))]
#[case::any_code(coded(500, "500.009.09", "INVALID access token - c9SQxWWhmdVRlyh0zh8gZDTkubVF"))]
#[case::in_a_200(answer(200, r#"{"ResponseCode":"1","ResponseDescription":"Invalid Access Token"}"#))]
fn an_invalid_token_is_told_from_a_refusal(#[case] answer: HttpAnswer) {
    let error = push(&answer).expect_err("refused");
    assert_eq!(error, DarajaError::InvalidToken);
    assert!(error.definitely_not_sent());
}

/// Whatever else a refusal says, no token of ours stays in it.
#[rstest]
#[case(coded(403, "403.001.01", "Access token c9SQxWWhmdVRlyh0zh8gZDTkubVF has no such product"))]
#[case(coded(500, "500.003.1001", "Error Occurred - access token: c9SQxWWhmdVRlyh0zh8gZDTkubVF"))]
#[case(answer(
    200,
    r#"{"ResponseCode":"1","ResponseDescription":"c9SQxWWhmdVRlyh0zh8gZDTkubVF has ended"}"#
))]
fn no_error_shows_a_token(#[case] answer: HttpAnswer) {
    let error = push(&answer).expect_err("refused");
    assert!(!format!("{error} {error:?}").contains("c9SQ"), "{error:?}");
}

#[rstest]
#[case(400, "400.002.02", "Bad Request - Invalid BusinessShortCode")]
#[case(400, "400.002.02", "Bad Request - Invalid PhoneNumber")]
#[case(404, "404.001.01", "Resource not found")]
#[case(405, "405.001", "Method Not Allowed")]
#[case(500, "500.001.1001", "Merchant does not exist")]
#[case(500, "500.001.1001", "Wrong credentials")]
fn a_definite_refusal(#[case] status: u16, #[case] code: &str, #[case] message: &str) {
    let error = push(&coded(status, code, message)).expect_err("refused");
    assert_eq!(error, DarajaError::Refused { code: code.into(), message: message.into() });
    assert!(error.definitely_not_sent());
}

#[rstest]
#[case("500.003.02", "System is busy. Please try again in few minutes.")]
#[case("500.003.02", "Error Occurred: Spike Arrest Violation")]
#[case("500.003.03", "Error Occurred: Quota Violation")]
fn busy_is_refused_before_m_pesa_acts(#[case] code: &str, #[case] message: &str) {
    let error = push(&coded(500, code, message)).expect_err("refused");
    assert_eq!(error, DarajaError::Busy);
    assert!(error.definitely_not_sent());
}

#[test]
fn a_locked_subscriber() {
    let message = "Unable to lock subscriber, a transaction is already in process for the \
                   current subscriber";
    let error = push(&coded(500, "500.001.1001", message)).expect_err("refused");
    assert_eq!(error, DarajaError::SubscriberLocked);
    assert!(error.definitely_not_sent());
}

#[rstest]
#[case::internal(coded(500, "500.003.1001", "Internal Server Error"))]
#[case::undocumented(coded(500, "500.001.1001", "Something else"))]
#[case::gateway(answer(502, "<html><body>Bad gateway</body></html>"))]
#[case::empty_500(answer(500, ""))]
#[case::timed_out_there(answer(408, ""))]
#[case::html_200(answer(200, "<html></html>"))]
#[case::cut_200(answer(200, r#"{"MerchantRequestID":"2654","CheckoutReq"#))]
#[case::accepted_without_ids(answer(200, r#"{"ResponseCode":"0"}"#))]
#[case::redirect(answer(302, ""))]
fn everything_else_leaves_the_outcome_open(#[case] answer: HttpAnswer) {
    let error = push(&answer).expect_err("not accepted");
    assert!(!error.definitely_not_sent(), "{error:?}");
}

#[test]
fn a_firewalls_page_is_a_refusal() {
    let error = push(&answer(403, "<html>Access denied</html>")).expect_err("refused");
    assert!(error.definitely_not_sent(), "{error:?}");
}

#[test]
fn a_response_code_other_than_zero_is_a_refusal() {
    let body = r#"{"ResponseCode":"1","ResponseDescription":"Rejected for 254708374149"}"#;
    let error = push(&answer(200, body)).expect_err("refused");
    assert!(matches!(error, DarajaError::Refused { .. }), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("254708374149"));
}

#[rstest]
#[case("0", QueryAnswer::Paid)]
#[case("4999", QueryAnswer::Pending)]
#[case("1032", QueryAnswer::Failed(ResultCode::new("1032")))]
#[case("SFC_IC0003", QueryAnswer::Failed(ResultCode::new("SFC_IC0003")))]
#[case("77", QueryAnswer::Unknown(ResultCode::new("77")))]
fn a_query_is_answered(#[case] code: &str, #[case] expected: QueryAnswer) {
    assert_eq!(query("ws_CO_1", &queried(code)), Ok(expected));
}

#[test]
fn pending_as_an_http_500() {
    let pending = coded(500, "500.001.1001", "The transaction is being processed");
    assert_eq!(query("ws_CO_1", &pending), Ok(QueryAnswer::Pending));
}

#[test]
fn an_answer_about_another_prompt_is_not_believed() {
    let error = query("ws_CO_2", &queried("0")).expect_err("another prompt's");
    assert!(matches!(error, DarajaError::Malformed { .. }), "{error:?}");
}

#[rstest]
#[case(coded(500, "500.001.1001", "Wrong credentials"))]
#[case(coded(404, "404.001.03", "Invalid Access Token"))]
#[case(answer(503, "<html></html>"))]
#[case(answer(200, r#"{"ResponseCode":"0","CheckoutRequestID":"ws_CO_1"}"#))]
#[case(answer(200, r#"{"ResponseCode":"1","CheckoutRequestID":"ws_CO_1","ResultCode":"1032"}"#))]
fn an_error_says_nothing_about_the_payment(#[case] answer: HttpAnswer) {
    assert!(query("ws_CO_1", &answer).is_err());
}

/// What may stand where a code or an id is expected: half of the time the sound one.
fn field(sound: &str) -> impl Strategy<Value = Value> {
    let odd = [
        json!(0),
        json!("ws_CO_2"),
        json!("1032"),
        json!(" 0 "),
        json!("00"),
        json!(-0.0),
        json!(0.1),
        json!(""),
        json!(null),
        json!(false),
        json!([0]),
        json!({"0": "0"}),
    ];
    prop_oneof![Just(json!(sound)), proptest::sample::select(odd.to_vec())]
}

fn says_zero(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim() == "0") || value.as_f64() == Some(0.0)
}

proptest! {
    /// Whatever stands in a reply, and wherever it is cut off: it is read or refused, and is "paid" by its own codes alone.
    #[test]
    fn no_reply_is_paid_but_by_its_own_codes(
        status in prop_oneof![4 => Just(200_u16), 1 => proptest::sample::select(vec![302_u16, 400, 401, 500, 503])],
        (taken, about, code) in (field("0"), field("ws_CO_1"), field("0")),
        cut in prop_oneof![4 => Just(usize::MAX), 1 => 0..120_usize],
    ) {
        let mut body = json!({
            "ResponseCode": taken, "CheckoutRequestID": about, "ResultCode": code, "MerchantRequestID": "22205",
            "ConversationID": about, "access_token": about, "expires_in": code, "errorCode": code,
        });
        if status == 200 {
            body.as_object_mut().expect("an object").remove("errorCode");
        }
        let text = body.to_string();
        let reply = answer(status, &text[..cut.min(text.len())]);
        drop((token(&reply), push(&reply), order_accepted(&reply)));
        if query("ws_CO_1", &reply) == Ok(QueryAnswer::Paid) {
            prop_assert!(status == 200 && says_zero(&taken) && says_zero(&code), "{status} {text}");
            prop_assert_eq!(about, json!("ws_CO_1"));
        }
    }
}
