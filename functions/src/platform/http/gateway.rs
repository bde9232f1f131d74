//! A request as API Gateway gives it to a function (an HTTP API's event, format 2.0), and the answer as it takes it.

use std::collections::BTreeMap;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use http::header;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use tower::ServiceExt;

use super::ApiError;

/// What a function may answer at the most. Bytes.
pub(super) const LONGEST_ANSWER: usize = 6 * 1024 * 1024;
/// What cannot stand in a query as it is, is encoded.
const NOT_IN_A_QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
/// API Gateway has decoded the path. What cannot stand in one as it is, is encoded again.
const NOT_IN_A_PATH: &AsciiSet = &NOT_IN_A_QUERY.add(b'?').add(b'`');

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    raw_path: String,
    #[serde(default)]
    raw_query_string: String,
    #[serde(default)]
    cookies: Vec<String>,
    /// Several values of one name are separated by commas.
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
enum NoRequest {
    #[error("{0}")]
    Http(#[from] http::Error),
    #[error("the body is not base64")]
    Body(#[from] base64::DecodeError),
}

/// Has `service` answer `event`. What is no request is its sender's mistake, not the function's.
///
/// # Errors
/// The answer is longer than a function may give.
pub async fn serve(service: Router, event: Event) -> Result<Answer, axum::Error> {
    let response = match request(event) {
        Ok(request) => {
            let Ok(response) = service.oneshot(request).await;
            response
        }
        Err(problem) => {
            tracing::info!(%problem, "what came is no request");
            ApiError::bad_request("The request is not valid.").into_response()
        }
    };
    answer(response).await
}

fn request(mut event: Event) -> Result<Request, NoRequest> {
    let path = utf8_percent_encode(&event.raw_path, NOT_IN_A_PATH);
    let query = utf8_percent_encode(&event.raw_query_string, NOT_IN_A_QUERY);
    let mark = if event.raw_query_string.is_empty() { "" } else { "?" };
    if !event.cookies.is_empty() {
        event.headers.insert(header::COOKIE.to_string(), event.cookies.join("; "));
    }
    let mut request = Request::builder()
        .method(event.request_context.http.method.as_str())
        .uri(format!("{path}{mark}{query}"));
    for (name, value) in &event.headers {
        request = request.header(name, value);
    }
    let body = match event.body {
        Some(body) if event.is_base64_encoded => Body::from(BASE64.decode(body)?),
        Some(body) => Body::from(body),
        None => Body::empty(),
    };
    Ok(request.body(body)?)
}

async fn answer(response: Response) -> Result<Answer, axum::Error> {
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
        extract::{OriginalUri, Path, RawQuery},
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

    async fn served(service: Router, event: Value) -> Answer {
        serve(service, serde_json::from_value(event).unwrap()).await.unwrap()
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
        event["rawQueryString"] = json!("c=d%20e&c=f&g=<\" h\">");
        event["cookies"] = json!(["one=1", "two=2"]);
        event["headers"]["cookie"] = json!("one=1; two=2");
        event["headers"]["x-two"] = json!("1,2");
        event["body"] = json!("grüße");
        let query = "c=d%20e&c=f&g=%3C%22%20h%22%3E";
        let expected = json!(["/a/%C3%A9%20b", query, "one=1; two=2", "1,2", "grüße"]);
        let plain = served(service.clone(), event.clone()).await;
        assert_eq!((plain.status_code, plain.body), (201, expected.to_string()));
        event["body"] = json!(BASE64.encode("grüße"));
        event["isBase64Encoded"] = json!(true);
        assert_eq!(served(service, event).await.body, expected.to_string());
    }

    /// As axum itself has it: a path's parameter and a query's are decoded once.
    #[tokio::test]
    async fn parameters_are_decoded() {
        type Query = axum::extract::Query<BTreeMap<String, String>>;
        let shown = async |Path(b): Path<String>, query: Query| axum::Json(json!([b, query.0]));
        let mut event = event("GET", "/a/é b+c");
        event["rawQueryString"] = json!("d=%2B+e%26&f=%E2%82%AC&g");
        let answer = served(Router::new().route("/a/{b}", get(shown)), event).await;
        let expected = json!(["é b+c", {"d": "+ e&", "f": "€", "g": ""}]);
        assert_eq!(answer.body, expected.to_string());
    }

    #[tokio::test]
    async fn what_is_no_request_is_refused() {
        let service = Router::new().route("/", post(async || "served"));
        let changes =
            [("/body", json!("no base64")), ("/headers/x", json!("a\nb")), ("/rawPath", json!("x y"))];
        for (at, value) in changes {
            let mut event = event("POST", "/");
            event["isBase64Encoded"] = json!(at == "/body");
            event["body"] = json!("");
            event["headers"]["x"] = json!("");
            assert_eq!(served(service.clone(), event.clone()).await.status_code, 200);
            *event.pointer_mut(at).unwrap() = value;
            let answer = served(service.clone(), event).await;
            assert_eq!((answer.status_code, &*answer.headers["content-type"]), (400, "application/json"));
        }
    }

    #[tokio::test]
    async fn an_answer_keeps_its_cookies_and_bytes() {
        let set = async || {
            let headers = [("set-cookie", "one=1"), ("set-cookie", "two=2"), ("vary", "a"), ("vary", "b")];
            (axum::response::AppendHeaders(headers), [0xff_u8, 0xfe].to_vec())
        };
        let service = Router::new().route("/", get(set));
        let answer = served(service.clone(), event("GET", "/")).await;
        assert_eq!(answer.cookies, ["one=1", "two=2"]);
        assert_eq!(answer.headers["vary"], "a, b");
        assert_eq!((answer.is_base64_encoded, BASE64.decode(answer.body).unwrap()), (true, vec![0xff, 0xfe]));
        let head = served(service, event("HEAD", "/")).await;
        assert_eq!((head.status_code, &*head.body, head.cookies.len()), (200, "", 2));
    }

    #[tokio::test]
    async fn what_is_not_there_is_answered_by_the_service() {
        let service = Router::new().route("/there", get(async || "served"));
        for (method, path, status) in [("DELETE", "/none?#", 404), ("OPTIONS", "/there", 405)] {
            let answer = served(service.clone(), event(method, path)).await;
            assert_eq!((answer.status_code, &*answer.body), (status, ""));
        }
    }

    #[tokio::test]
    async fn an_answer_that_is_too_long_is_an_error() {
        let long = async || vec![b'a'; LONGEST_ANSWER + 1];
        let event = serde_json::from_value(event("GET", "/")).unwrap();
        assert!(serve(Router::new().route("/", get(long)), event).await.is_err());
    }
}
