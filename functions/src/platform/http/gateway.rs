//! A request as API Gateway gives it to a function (an HTTP API's event, format 2.0), and the answer as it takes it.

use std::{borrow::Cow, collections::BTreeMap};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use http::{Method, header};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use tower::ServiceExt;

/// What a function may answer at the most.
const LONGEST_ANSWER: usize = 6 * 1024 * 1024;
/// API Gateway has decoded the path. What cannot stand in one as it is, is encoded again.
const NOT_IN_A_PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'?').add(b'`');

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    raw_path: String,
    #[serde(default)]
    raw_query_string: String,
    #[serde(default)]
    cookies: Vec<String>,
    /// Several values of one name are parted by commas.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    request_context: Context,
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: bool,
}

#[derive(Deserialize)]
struct Context {
    http: Http,
}

#[derive(Deserialize)]
struct Http {
    method: String,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    status_code: u16,
    headers: BTreeMap<String, String>,
    cookies: Vec<String>,
    body: String,
    is_base64_encoded: bool,
}

/// What is no request at all.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error("the event is no request: {0}")]
    Request(#[from] http::Error),
    #[error("the event's body is not base64")]
    Body(#[from] base64::DecodeError),
    #[error("the answer's body: {0}")]
    Answer(#[from] axum::Error),
}

/// Has `service` answer `event`.
pub async fn serve(service: Router, event: Event) -> Result<Answer, GatewayError> {
    let Ok(response) = service.oneshot(request(event)?).await;
    answer(response).await
}

fn request(event: Event) -> Result<Request, GatewayError> {
    let path: Cow<'_, str> = utf8_percent_encode(&event.raw_path, NOT_IN_A_PATH).into();
    let query = if event.raw_query_string.is_empty() { "" } else { "?" };
    let method =
        Method::from_bytes(event.request_context.http.method.as_bytes()).map_err(http::Error::from)?;
    let mut request =
        Request::builder().method(method).uri(format!("{path}{query}{}", event.raw_query_string));
    for (name, value) in &event.headers {
        request = request.header(name, value);
    }
    if !event.cookies.is_empty() {
        request = request.header(header::COOKIE, event.cookies.join("; "));
    }
    let body = match event.body {
        Some(body) if event.is_base64_encoded => Body::from(BASE64.decode(body)?),
        Some(body) => Body::from(body),
        None => Body::empty(),
    };
    Ok(request.body(body)?)
}

async fn answer(response: Response) -> Result<Answer, GatewayError> {
    let (parts, body) = response.into_parts();
    let mut headers = BTreeMap::<String, String>::new();
    let mut cookies = Vec::new();
    for (name, value) in &parts.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        if name == header::SET_COOKIE {
            cookies.push(value.into_owned());
        } else {
            let values = headers.entry(name.to_string()).or_default();
            let part = if values.is_empty() { "" } else { ", " };
            *values = format!("{values}{part}{value}");
        }
    }
    let bytes = to_bytes(body, LONGEST_ANSWER).await?;
    let (body, is_base64_encoded) = match String::from_utf8(bytes.into()) {
        Ok(text) => (text, false),
        Err(binary) => (BASE64.encode(binary.as_bytes()), true),
    };
    Ok(Answer { status_code: parts.status.as_u16(), headers, cookies, body, is_base64_encoded })
}

#[cfg(test)]
mod tests {
    use axum::{
        extract::{OriginalUri, RawQuery},
        http::{HeaderMap, StatusCode},
        routing::{get, post},
    };
    use serde_json::{Value, json};

    use super::*;

    /// As AWS documents it, with what we do not read.
    fn event(method: &str, path: &str) -> Value {
        json!({
            "version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "",
            "headers": {"host": "id.execute-api.eu-west-1.amazonaws.com", "x-forwarded-proto": "https"},
            "requestContext": {
                "accountId": "123456789012", "apiId": "id", "stage": "$default", "time": "12/Mar/2020:19:03:58 +0000",
                "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
            },
            "isBase64Encoded": false,
        })
    }

    async fn served(service: Router, event: Value) -> Result<Answer, GatewayError> {
        serve(service, serde_json::from_value(event).unwrap()).await
    }

    #[tokio::test]
    async fn a_request_arrives_as_it_was_sent() {
        let shown = async |OriginalUri(uri): OriginalUri,
                           RawQuery(query): RawQuery,
                           headers: HeaderMap,
                           body: String| {
            let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
            let shown = json!([uri.path(), query, header("cookie"), header("x-two"), body]);
            (StatusCode::CREATED, axum::Json(shown))
        };
        let service = Router::new().route("/a/{b}", post(shown));
        let mut event = event("POST", "/a/é b");
        event["rawQueryString"] = json!("c=d%20e&c=f");
        event["cookies"] = json!(["one=1", "two=2"]);
        event["headers"]["x-two"] = json!("1,2");
        event["body"] = json!("grüße");
        let expected = json!(["/a/%C3%A9%20b", "c=d%20e&c=f", "one=1; two=2", "1,2", "grüße"]);
        let plain = served(service.clone(), event.clone()).await.unwrap();
        assert_eq!((plain.status_code, plain.body), (201, expected.to_string()));
        event["body"] = json!(BASE64.encode("grüße"));
        event["isBase64Encoded"] = json!(true);
        assert_eq!(served(service.clone(), event.clone()).await.unwrap().body, expected.to_string());
        event["body"] = json!("no base64");
        assert!(matches!(served(service, event).await, Err(GatewayError::Body(_))));
    }

    #[tokio::test]
    async fn an_answer_keeps_its_cookies_and_bytes() {
        let set = async || {
            let headers = [("set-cookie", "one=1"), ("set-cookie", "two=2"), ("vary", "a"), ("vary", "b")];
            (axum::response::AppendHeaders(headers), [0xff_u8, 0xfe].to_vec())
        };
        let answer = served(Router::new().route("/", get(set)), event("GET", "/")).await.unwrap();
        assert_eq!(answer.cookies, ["one=1", "two=2"]);
        assert_eq!(answer.headers["vary"], "a, b");
        assert_eq!((answer.is_base64_encoded, BASE64.decode(answer.body).unwrap()), (true, vec![0xff, 0xfe]));
    }

    #[tokio::test]
    async fn what_is_not_there_is_answered_by_the_service() {
        let answer = served(Router::new(), event("DELETE", "/none?#")).await.unwrap();
        assert_eq!((answer.status_code, &*answer.body), (404, ""));
    }
}
