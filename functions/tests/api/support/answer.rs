//! Answers of the API, each held to the OpenAPI document as it is read.

use std::{
    future::{Future, poll_fn},
    task::Poll,
};

use reqwest::{
    RequestBuilder, StatusCode,
    header::{CACHE_CONTROL, HeaderMap},
};
use serde_json::Value;

use super::document;

/// An answer, read.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    /// The body of an answer that has to be `status`.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }

    /// The `message` of a refusal that has to be `status`.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        self.text(status, "message")
    }

    /// A text in the body of an answer that has to be `status`.
    #[track_caller]
    pub fn text(self, status: u16, field: &str) -> String {
        text(&self.expect(status), field)
    }

    /// The body of an answer that is a success.
    #[track_caller]
    pub fn accepted(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body
    }

    /// How long the edge may show it. Seconds.
    #[track_caller]
    pub fn kept_for(&self) -> i64 {
        let keep = self.headers[CACHE_CONTROL].to_str().unwrap();
        let seconds = |word: &str| {
            let (_, rest) = keep.split_once(word).unwrap_or_else(|| panic!("no {word} in {keep}"));
            rest.split(',').next().unwrap().parse::<i64>().unwrap()
        };
        seconds("s-maxage=") + seconds("stale-while-revalidate=")
    }

    /// Where the next page begins, if there is one.
    pub fn cursor(&self) -> Option<String> {
        Some(self.headers.get("x-next-cursor")?.to_str().unwrap().to_owned())
    }
}

/// Sends a request and reads the answer, which has to be what the document says.
pub async fn read(request: RequestBuilder) -> Answer {
    let (http, request) = request.build_split();
    let request = request.expect("a request");
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let sent = request.body().and_then(|body| body.as_bytes()).map(<[u8]>::to_vec);
    let response = http.execute(request).await.expect("the world answers");
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    let answer = Answer { status, headers, body };
    document::check(&method, &path, sent.as_deref(), &answer);
    answer
}

/// The text in a field that has to be there.
#[track_caller]
pub fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}")).to_owned()
}

/// `value` has each of these fields, and may have others; what is null may be left out.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it is written where it is needed")]
pub fn assert_has(value: &Value, fields: Value) {
    for (field, expected) in fields.as_object().expect("fields") {
        assert_eq!(value[field], *expected, "{field} in {value}");
    }
}

/// All of it at once; what came of each, in their order.
pub async fn at_once<F: Future>(work: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut all: Vec<_> = work.into_iter().map(|one| (Box::pin(one), None)).collect();
    poll_fn(|context| {
        for (one, done) in all.iter_mut().filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(output) = one.as_mut().poll(context) {
                *done = Some(output);
            }
        }
        if all.iter().all(|(_, done)| done.is_some()) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    all.into_iter().filter_map(|(_, done)| done).collect()
}

/// The statuses of these answers, lowest first.
pub fn statuses(answers: &[Answer]) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    statuses
}
