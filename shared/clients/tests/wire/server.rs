//! A tiny server: it gives scripted answers in order and remembers what it was asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Response, StatusCode, header},
    response::IntoResponse,
};
use clients::{Backoff, Daraja, DarajaConfig, Http};
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};

/// Retries without waiting.
pub const AT_ONCE: Backoff = Backoff { tries: 3, first: Duration::ZERO, longest: Duration::ZERO };

/// Long enough for any answer that comes.
pub const PATIENT: Duration = Duration::from_secs(30);
/// For an answer that never comes.
pub const IMPATIENT: Duration = Duration::from_millis(50);

pub enum Reply {
    Give(Response<Body>),
    /// The request is read and never answered.
    Never,
}

pub struct ReceivedRequest {
    pub method: String,
    pub target: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

#[derive(Clone, Default)]
pub struct Server {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

pub fn reply(status: u16, body: &str) -> Reply {
    Reply::Give(response(status, body))
}

/// A refusal as Daraja writes it.
pub fn error(status: u16, code: &str, message: &str) -> Reply {
    let body = json!({"requestId": "1", "errorCode": code, "errorMessage": message});
    reply(status, &body.to_string())
}

/// A client of the server.
pub fn daraja(base_url: String, time_limit: Duration) -> Daraja {
    let config = DarajaConfig {
        base_url,
        shortcode: "174379".into(),
        party_b: "174379".into(),
        transaction_type: "CustomerPayBillOnline".into(),
        time_limit,
    };
    Daraja::new(config, Http::new()).with_backoff(AT_ONCE)
}

pub fn retry_after(status: u16, seconds: &str) -> Reply {
    let mut response = response(status, "");
    let value = seconds.parse().expect("a header's value");
    response.headers_mut().insert(header::RETRY_AFTER, value);
    Reply::Give(response)
}

pub fn redirect(to: &str) -> Reply {
    let mut response = response(302, "");
    let value = to.parse().expect("a header's value");
    response.headers_mut().insert(header::LOCATION, value);
    Reply::Give(response)
}

fn response(status: u16, body: &str) -> Response<Body> {
    let status = StatusCode::from_u16(status).expect("a status");
    (status, body.to_owned()).into_response()
}

impl Server {
    /// Starts on a free port; gives the base URL too.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> (Self, String) {
        let server = Self::default();
        held(&server.replies).extend(replies);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("bound"));
        let router = Router::new().fallback(answer).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (server, base)
    }

    pub fn asked(&self) -> MutexGuard<'_, Vec<ReceivedRequest>> {
        held(&self.asked)
    }
}

async fn answer(State(server): State<Server>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a whole request");
    held(&server.asked).push(ReceivedRequest {
        method: head.method.to_string(),
        target: head.uri.to_string(),
        headers: head.headers,
        body: body.to_vec(),
    });
    let next = held(&server.replies).pop_front();
    match next {
        Some(Reply::Give(response)) => response,
        Some(Reply::Never) => std::future::pending().await,
        None => response(599, "the script has no more answers"),
    }
}

/// A port where a request is read and the connection then dropped without an answer.
pub async fn dropping() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base = format!("http://{}", listener.local_addr().expect("bound"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.readable().await.expect("a request");
            let mut first = [0; 1];
            let _ = stream.try_read(&mut first);
        }
    });
    base
}

/// A port where nobody listens, for as long as the socket that holds it is kept.
pub fn nobody() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a free port");
    let base = format!("http://{}", socket.local_addr().expect("bound"));
    (socket, base)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test panics while it holds this")
}
